// SPDX-License-Identifier: Apache-2.0
// Documents of ingot, looked up by text (`ingot-doc`) and by keys with precomputed hashes
// (`ingot-doc-key`). `route` opens a document, which validates everything and copies, and then
// copies the bytes out. `route-inplace` reads the bytes in place without validation. `route-grow`
// does both, with a text that becomes longer: `ingot-doc` as `route`, `ingot-peek` in place, in
// memory with free bytes after the message.
#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/document/peek_editor.hpp>

#include "workload.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace bench {
namespace {

using ingot::document;

void set_leaf(ingot::value_ref at, const leaf& from) {
  std::visit([&](const auto& v) { static_cast<void>(at.set(v)); }, from);
}
struct leaf_reader {
  std::uint64_t operator()(std::int64_t n) const { return digest(n); }
  std::uint64_t operator()(double d) const { return digest(d); }
  std::uint64_t operator()(std::string_view text) const { return digest(text); }
  std::uint64_t operator()(const ingot::detail::doc::element_range<ingot::value>& array) const {
    return array.size() + static_cast<std::uint64_t>(array[array.size() - 1].value_or<std::int64_t>(0));
  }
  template <class... Rest>
  std::uint64_t operator()(const Rest&...) const {
    return 0;
  }
};
std::uint64_t read_leaf(const ingot::value& v) { return v.visit(leaf_reader{}); }
std::uint64_t read_leaf(const ingot::peek_value& v) {
  switch (v.kind()) {
  case ingot::value_kind::integer: return digest(v.value_or<std::int64_t>(0));
  case ingot::value_kind::number: return digest(v.value_or<double>(0));
  case ingot::value_kind::text: return digest(v.value_or<std::string_view>("?"));
  default: return v.size() + static_cast<std::uint64_t>(v[v.size() - 1].template value_or<std::int64_t>(0));
  }
}

template <bool Hashed>
class ingot_document {
public:
  void load(const doc_model& model) {
    doc = std::map<std::string, int>{};
    for (const auto& [key, value] : model.root)
      std::visit([&, k = std::string_view(key)](const auto& v) { doc[k] = v; }, value);
    for (const auto& [key, entries] : model.maps) {
      ingot::value_ref map = doc[key] = std::map<std::string, int>{};
      for (const auto& [k, value] : entries)
        std::visit([&, at = std::string_view(k)](const auto& v) { static_cast<void>(map.set(at, v)); },
                   value);
    }
    doc.compact();
  }
  void open(const std::vector<std::byte>& bytes) { doc = std::move(*document::open(bytes)); }
  void save(std::vector<std::byte>& bytes) const {
    const auto all = doc.bytes();
    bytes.assign(all.begin(), all.end());
  }
  std::uint64_t run(const doc_operation& op) {
    const auto key = [](const ingot::document_key& hashed, std::string_view text) -> decltype(auto) {
      if constexpr (Hashed) return (hashed);
      else return text;
    };
    const auto in_map = [&](auto&& use) {
      return op.map < 0 ? use(doc.root()) : use(doc.root().find(key(op.hashed_map, op.map_key)));
    };
    switch (op.step) {
    case doc_step::read:
      return in_map(
          [&](const ingot::value& map) { return map.find(key(op.hashed_key, op.key)).visit(leaf_reader{}); });
    case doc_step::write:
      return in_map([&](const ingot::value_ref& map) -> std::uint64_t {
        ingot::value_ref there = map.find(key(op.hashed_key, op.key));
        if (op.kind == 0) static_cast<void>(there.set(std::get<std::int64_t>(op.value)));
        else if (op.kind == 1) static_cast<void>(there.set(std::get<double>(op.value)));
        else static_cast<void>(there.set(std::get<std::string>(op.value)));
        return 0;
      });
    case doc_step::toggle:
      return in_map([&](ingot::value_ref&& map) {
        const ingot::document_key k = key(op.hashed_key, op.key);
        if (!*map.erase(k)) std::visit([&](const auto& v) { static_cast<void>(map.set(k, v)); }, op.value);
        return map.size();
      });
    }
    return 0;
  }
  document doc;
};

class ingot_array {
public:
  void load(const std::vector<leaf>& leaves) {
    doc_ = std::vector<int>{};
    for (const auto& each : leaves) append(each);
    doc_.compact();
  }
  [[nodiscard]] std::size_t size() const { return doc_.root().size(); }
  [[nodiscard]] std::uint64_t at(std::size_t i) const { return read_leaf(doc_[i]); }
  void append(const leaf& value) {
    std::visit([&](const auto& v) { static_cast<void>(doc_.root().append(v)); }, value);
  }
  void insert(std::size_t i, const leaf& value) {
    std::visit([&](const auto& v) { static_cast<void>(doc_.root().insert(i, v)); }, value);
  }
  void erase(std::size_t i) { static_cast<void>(doc_.root().erase(i)); }

private:
  document doc_;
};

/// Returns the size of a document of the records, each with some of its fields.
std::size_t compact_trades(const std::vector<unsigned>& which) {
  document doc;
  std::size_t i = 0;
  for (const auto& t : trades()) {
    ingot::value_ref record = *doc.root().append(nullptr);
    for_some_fields(t, which[i++], [&](std::string_view key, const auto& value) {
      static_cast<void>(record.set(key, value));
    });
  }
  doc.compact();
  return doc.bytes().size();
}

void wear(ingot_document<true>& contender, const std::vector<doc_operation>& edits) {
  for (std::size_t i = 0; i < 20'000; ++i) contender.run(edits[i % edits.size()]);
}
/// Returns the size after 20,000 operations, and after compaction. In a small document the node
/// that grew last decides much, so this is the median ratio of 15 documents with different keys and
/// values.
std::pair<std::size_t, std::size_t> steady_bytes(std::size_t n) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    doc_data data(n, seed);
    ingot_document<true> contender;
    contender.load(data.model);
    wear(contender, data.operations(50, 25));
    const std::size_t worn = contender.doc.bytes().size();
    contender.doc.compact();
    all.emplace_back(worn, contender.doc.bytes().size());
  }
  std::ranges::sort(
      all, {}, [](const auto& of) { return static_cast<double>(of.first) / static_cast<double>(of.second); });
  return all[all.size() / 2];
}

template <class Root>
auto find_leaf(const Root& root, const doc_operation& op) {
  return (op.map < 0 ? root : root.find(op.map_key)).find(op.key);
}
std::uint64_t read_sent(ingot::bytes_view sent, const doc_operation& op) {
  const auto opened = document::open(sent);
  return opened ? read_leaf(find_leaf(opened->root(), op)) : 0;
}
std::vector<std::byte> message_of(const doc_model& model) {
  ingot_document<true> whole;
  whole.load(model);
  std::vector<std::byte> bytes;
  whole.save(bytes);
  return bytes;
}

class grown_document {
public:
  std::size_t load(const doc_model& model) {
    received_ = message_of(model);
    return received_.size();
  }
  std::uint64_t route(const doc_operation& read, const doc_operation& write) {
    auto opened = document::open(received_);
    const std::uint64_t seen = read_leaf(find_leaf(std::as_const(*opened).root(), read));
    keep(find_leaf(opened->root(), write).set(std::get<std::string>(write.value)).has_value());
    const auto out = opened->bytes();
    sent_.assign(out.begin(), out.end());
    escape(sent_.data());
    return seen;
  }
  [[nodiscard]] std::uint64_t sent(const doc_operation& op) const { return read_sent(sent_, op); }

private:
  std::vector<std::byte> received_;
  std::vector<std::byte> sent_;
};
/// Each turn copies the message to memory that is longer, as a receiver would read it.
class grown_in_place {
public:
  std::size_t load(const doc_model& model) {
    received_ = message_of(model);
    memory_.resize(3 * received_.size() + 1024);
    return received_.size();
  }
  std::uint64_t route(const doc_operation& read, const doc_operation& write) {
    std::ranges::copy(received_, memory_.begin());
    auto message = *ingot::peek_editor::over(memory_);
    const std::uint64_t seen = read_leaf(find_leaf(message.root(), read));
    auto text = find_leaf(message.root(), write);
    keep(message.set(text, std::get<std::string>(write.value)).has_value());
    sent_ = message.bytes();
    escape(memory_.data());
    return seen;
  }
  [[nodiscard]] std::uint64_t sent(const doc_operation& op) const { return read_sent(sent_, op); }

private:
  std::vector<std::byte> received_;
  std::vector<std::byte> memory_;
  ingot::bytes_view sent_;
};

void enter_route(suite& all, std::size_t n) {
  auto& data = all.make<std::unique_ptr<doc_data>>();
  data = std::make_unique<doc_data>(n);
  auto& reads = all.make<std::vector<doc_operation>>();
  auto& writes = all.make<std::vector<doc_operation>>();
  reads = data->operations(100, 0);
  writes = data->operations(0, 100);
  ingot_document<true> loaded;
  loaded.load(data->model);
  auto& bytes = all.make<std::vector<std::byte>>();
  bytes.assign(loaded.doc.bytes().begin(), loaded.doc.bytes().end());
  all.add(
      "route-" + std::to_string(n), "ingot-doc", bytes.size(),
      [&bytes, r = reads.data(), w = writes.data()](std::size_t i) {
        auto opened = document::open(bytes);
        keep(read_leaf(find_leaf(std::as_const(*opened).root(), r[i % 4096])));
        set_leaf(find_leaf(opened->root(), w[i % 4096]), w[i % 4096].value);
        const auto out = opened->bytes();
        bytes.assign(out.begin(), out.end());
      },
      [&] { return document::open(bytes).has_value(); });

  auto& in_place = all.make<std::vector<std::byte>>();
  in_place = bytes;
  // Keeps writes that take no more bytes: all doubles and most numbers.
  auto& fitting = all.make<std::vector<doc_operation>>();
  for (const auto& op : writes) {
    auto peek = ingot::document_peek::edit(in_place);
    auto at = find_leaf(peek->root(), op);
    const bool fits = std::visit(
        [&](const auto& v) {
          if constexpr (requires { peek->set(at, v); } && !requires { v.front(); })
            return peek->set(at, v).has_value();
          else return false;
        },
        op.value);
    if (fits) fitting.push_back(op);
  }
  all.add(
      "route-inplace-" + std::to_string(n), "ingot-doc", in_place.size(),
      [&in_place, r = reads.data(), w = fitting.data(), count = fitting.size()](std::size_t i) {
        auto peek = ingot::document_peek::edit(in_place);
        keep(read_leaf(find_leaf(peek->root(), r[i % 4096])));
        const auto& op = w[i % count];
        auto at = find_leaf(peek->root(), op);
        if (op.kind == 0) keep(peek->set(at, std::get<std::int64_t>(op.value)).has_value());
        else keep(peek->set(at, std::get<double>(op.value)).has_value());
        escape(in_place.data());
      },
      [&] { return document::open(in_place).has_value(); });
  // A document as sent, and one after many edits. The bytes are separate, since other cases change
  // theirs.
  auto& sent = all.make<std::vector<std::byte>>();
  sent.assign(loaded.doc.bytes().begin(), loaded.doc.bytes().end());
  auto& edited = all.make<std::vector<std::byte>>();
  {
    ingot_document<true> worn;
    worn.load(data->model);
    wear(worn, data->operations(50, 25));
    edited.assign(worn.doc.bytes().begin(), worn.doc.bytes().end());
  }
  for (auto* const each : {&sent, &edited}) {
    const std::string name = (each == &sent ? "verify-" : "verify-edited-") + std::to_string(n);
    all.add(
        name, "ingot-doc", each->size(),
        [each](std::size_t) { keep(document::open_in_place(*each).has_value()); },
        [each] { return document::open_in_place(*each).has_value(); });
    all.add(
        name, "ingot-doc-copy", each->size(),
        [each](std::size_t) { keep(document::open(*each).has_value()); }, [] { return true; });
  }

  all.add_measured("size-" + std::to_string(n), "ingot-doc", loaded.doc.bytes().size(), {});
  const auto [steady, compacted] = steady_bytes(n);
  all.add_measured("steady-" + std::to_string(n), "compacted", compacted, {});
  all.add_measured("steady-" + std::to_string(n), "ingot-doc", steady, {});
}

} // namespace

void enter_doc_ingot(suite& all) {
  enter_doc<ingot_document<false>>(all, "ingot-doc");
  enter_doc<ingot_document<true>>(all, "ingot-doc-key");
  if (plan().is_requested) return;
  for (const std::size_t n : doc_sizes) enter_route(all, n);
  enter_doc_growths<grown_document>(all, "ingot-doc");
  enter_doc_growths<grown_in_place>(all, "ingot-peek");
  enter_doc_arrays<ingot_array>(all, "ingot-doc");
  enter_doc_bytes<ingot_document<false>>(all, "ingot-doc");
  all.add_measured("repeat", "ingot-doc", compact_trades(std::vector<unsigned>(100, 0xFF)), {});
  all.add_measured("repeat-varied", "ingot-doc", compact_trades(varied_fields()), {});
}

} // namespace bench
