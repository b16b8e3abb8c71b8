// SPDX-License-Identifier: Apache-2.0
// Archives of ingot's documents. `load` validates untrusted bytes and makes a document for lookups
// and changes. `save` makes bytes of it: an archive (`ingot-archive`), or a copy of the document's
// own bytes (`ingot-doc`). `route-compact` takes an archive, reads one field, overwrites another
// and returns an archive: in place (`ingot-archive`), or through a document (`ingot-archive-doc`).
#include <ingot/document/archive_view.hpp>
#include <ingot/document/writer.hpp>

#include "workload.hpp"

#include <algorithm>
#include <memory>

namespace bench {
namespace {

using ingot::document;
using byte_vector = std::vector<std::byte>;

void tell(ingot::document_writer& to, const std::vector<doc_entry>& entries) {
  for (const auto& [key, value] : entries) {
    to.key(key);
    std::visit(
        [&to]<class T>(const T& v) {
          if constexpr (std::is_same_v<T, std::int64_t>) to.integer(v);
          else if constexpr (std::is_same_v<T, double>) to.number(v);
          else if constexpr (std::is_same_v<T, std::string>) to.text(v);
          else {
            to.begin_array();
            for (const std::int64_t n : v) to.integer(n);
            to.end();
          }
        },
        value);
  }
}
document document_of(const doc_model& model) {
  ingot::document_writer to({.compact = true});
  to.begin_object();
  tell(to, model.root);
  for (const auto& [key, entries] : model.maps) {
    to.key(key);
    to.begin_object();
    tell(to, entries);
    to.end();
  }
  to.end();
  return *to.finish();
}
template <class Value>
std::uint64_t read_leaf(const Value& v) {
  switch (v.kind()) {
  case ingot::value_kind::integer: return digest(v.template value_or<std::int64_t>(0));
  case ingot::value_kind::number: return digest(v.template value_or<double>(0));
  case ingot::value_kind::text: return digest(v.template value_or<std::string_view>("?"));
  default: return v.size() + static_cast<std::uint64_t>(v[v.size() - 1].template value_or<std::int64_t>(0));
  }
}
template <class Root>
auto find_leaf(const Root& root, const doc_operation& op) {
  return (op.map < 0 ? root : root.find(op.map_key)).find(op.key);
}
void set_leaf(ingot::value_ref at, const leaf& from) {
  std::visit([&](const auto& v) { static_cast<void>(at.set(v)); }, from);
}
byte_vector archived(const document& doc) {
  byte_vector bytes;
  static_cast<void>(ingot::archive_to(bytes, doc.root()));
  return bytes;
}

void enter_load(suite& all, const std::string& n, const doc_model& model) {
  auto& doc = all.make<document>();
  doc = document_of(model);
  auto& bytes = all.make<byte_vector>();
  bytes.assign(doc.bytes().begin(), doc.bytes().end());
  auto& packed = all.make<byte_vector>();
  packed = archived(doc);
  auto& out = all.make<byte_vector>();
  const auto same = [&](const ingot::result<document>& outcome) {
    return outcome.has_value() && *outcome == doc;
  };
  all.add(
      "load-" + n, "ingot-doc", bytes.size(),
      [&bytes](std::size_t) { keep(document::open(bytes).has_value()); },
      [&] { return same(document::open(bytes)); });
  all.add(
      "load-" + n, "ingot-archive", packed.size(),
      [&packed](std::size_t) { keep(ingot::unarchive(packed).has_value()); },
      [&] { return same(ingot::unarchive(packed)); });
  all.add(
      "save-" + n, "ingot-doc", bytes.size(),
      [&doc, &out](std::size_t) {
        const auto from = doc.bytes();
        out.assign(from.begin(), from.end());
        escape(out.data());
      },
      [] { return true; });
  all.add(
      "save-" + n, "ingot-archive", packed.size(),
      [&doc, &out](std::size_t) {
        out.clear();
        keep(ingot::archive_to(out, doc.root()).has_value());
      },
      [&] { return archived(doc) == packed; });
  all.add_measured("size-" + n, "ingot-archive", packed.size(), {});
}

void enter_route(suite& all, const std::string& n, doc_data& data) {
  auto& reads = all.make<std::vector<doc_operation>>();
  auto& writes = all.make<std::vector<doc_operation>>();
  reads = data.operations(100, 0);
  writes = data.operations(0, 100);
  const document doc = document_of(data.model);
  const auto right = [&](const byte_vector& packed) {
    const auto view = ingot::archive_view::over(packed);
    return std::ranges::all_of(reads, [&](const doc_operation& op) {
      return read_leaf(find_leaf(view->root(), op)) == read_leaf(find_leaf(doc.root(), op));
    });
  };
  auto& in_place = all.make<byte_vector>();
  in_place = archived(doc);
  auto& next = all.make<byte_vector>();
  all.add(
      "route-compact-" + n, "ingot-archive", in_place.size(),
      [&in_place, &next, r = reads.data(), w = writes.data()](std::size_t i) {
        const auto view = ingot::archive_view::over(in_place);
        keep(read_leaf(find_leaf(view->root(), r[i % 4096])));
        const auto& op = w[i % 4096];
        const auto there = find_leaf(view->root(), op);
        next.clear();
        if (op.kind == 0) keep(view->replace_to(next, there, std::get<std::int64_t>(op.value)).has_value());
        else if (op.kind == 1) keep(view->replace_to(next, there, std::get<double>(op.value)).has_value());
        else keep(view->replace_to(next, there, std::get<std::string>(op.value)).has_value());
        in_place.swap(next);
      },
      [&] { return right(in_place); });
  auto& decoded = all.make<byte_vector>();
  decoded = in_place;
  all.add(
      "route-compact-" + n, "ingot-archive-doc", decoded.size(),
      [&decoded, r = reads.data(), w = writes.data()](std::size_t i) {
        auto outcome = ingot::unarchive(decoded);
        keep(read_leaf(find_leaf(std::as_const(*outcome).root(), r[i % 4096])));
        set_leaf(find_leaf(outcome->root(), w[i % 4096]), w[i % 4096].value);
        decoded.clear();
        keep(ingot::archive_to(decoded, outcome->root()).has_value());
      },
      [&] { return right(decoded); });
}

} // namespace

void enter_doc_archive(suite& all) {
  for (const std::size_t n : doc_sizes) {
    auto& data = all.make<std::unique_ptr<doc_data>>();
    data = std::make_unique<doc_data>(n);
    enter_load(all, std::to_string(n), data->model);
    enter_route(all, std::to_string(n), *data);
  }
  ingot::document_writer to;
  to.begin_array();
  for (const auto& t : trades()) {
    to.begin_object();
    for_each_field(t, [&]<class T>(std::string_view key, const T& value) {
      to.key(key);
      if constexpr (std::is_same_v<T, std::int64_t>) to.integer(value);
      else if constexpr (std::is_same_v<T, double>) to.number(value);
      else to.text(value);
    });
    to.end();
  }
  to.end();
  all.add_measured("repeat", "ingot-archive", archived(*to.finish()).size(), {});
}

} // namespace bench
