// SPDX-License-Identifier: Apache-2.0
// The cost of checking every step on untrusted bytes, in turns of this workload: a leaf of any
// kind, in the root or in a map, is found by text and read. The bytes were opened before, as by
// `document_peek::over`. `unchecked` is the same code without the checks, as for validated bytes.
#include <ingot/document/detail/item_view.hpp>
#include <ingot/document/document.hpp>

#include "../seed/opened.hpp"
#include "workload.hpp"

#include <map>
#include <memory>

namespace bench {
namespace {

template <class Memory>
class seen_value : public doc::item_view<seen_value<Memory>, Memory> {
public:
  seen_value() noexcept = default;
  INGOT_INLINE seen_value(Memory in, const doc::location& at) noexcept : seen_value::item_view(in, at) {}
  INGOT_INLINE seen_value(Memory in, const doc::location& at, const doc::item& is) noexcept
      : seen_value::item_view(in, at, is) {}
  INGOT_INLINE explicit seen_value(const doc::absent_path& path) noexcept : seen_value::item_view(path) {}
  /// Other kinds are not requested.
  template <class T>
  [[nodiscard]] ingot::result<T> as() const {
    return ingot::fail(ingot::errc::type_mismatch);
  }
  template <class T, bool>
  [[nodiscard]] ingot::result<T> as_or_why() const {
    return as<T>();
  }
};
template <class Memory>
std::uint64_t read_leaf(const seen_value<Memory>& v) {
  switch (v.kind()) {
  case ingot::value_kind::integer: return digest(v.template value_or<std::int64_t>(0));
  case ingot::value_kind::number: return digest(v.template value_or<double>(0));
  case ingot::value_kind::text: return digest(v.template value_or<std::string_view>("?"));
  default: return v.size() + static_cast<std::uint64_t>(v[v.size() - 1].template value_or<std::int64_t>(0));
  }
}

/// Returns the digest of a leaf.
std::uint64_t digest_of(const leaf& of) {
  return std::visit(
      [](const auto& v) -> std::uint64_t {
        if constexpr (requires { digest(v); }) return digest(v);
        else return v.size() + static_cast<std::uint64_t>(v.back());
      },
      of);
}

template <class Memory>
class reader {
public:
  explicit reader(const std::vector<std::byte>& bytes) : root_(bytes) {}
  std::uint64_t run(const doc_operation& op) const {
    const ingot::document_key key(op.map < 0 ? op.key : op.map_key);
    const doc::found_value found = root_.find(key);
    const seen_value<Memory> there(root_.in, found.at, found.is);
    return op.map < 0 ? read_leaf(there) : read_leaf(there.find(ingot::document_key(op.key)));
  }

private:
  found_in_root<Memory> root_;
};

} // namespace

void enter_doc_checks(suite& all) {
  for (const std::size_t n : doc_sizes) {
    const std::string name = "checks-" + std::to_string(n);
    if (!all.wants(name)) continue;
    auto& owned = all.make<std::unique_ptr<doc_data>>(); // operations refer to it
    owned = std::make_unique<doc_data>(n);
    doc_data& data = *owned;
    auto& table = all.make<std::vector<doc_operation>>();
    table = data.operations(100, 0);
    ingot::document filled;
    filled = std::map<std::string, int>{};
    const auto fill = [](ingot::value_ref object, const std::vector<doc_entry>& entries) {
      for (const auto& [key, value] : entries)
        std::visit([&, at = std::string_view(key)](const auto& v) { static_cast<void>(object.set(at, v)); },
                   value);
    };
    fill(filled.root(), data.model.root);
    for (const auto& [key, entries] : data.model.maps)
      fill(filled[key] = std::map<std::string, int>{}, entries);
    filled.compact();
    auto& bytes = all.make<std::vector<std::byte>>();
    bytes.assign(filled.bytes().begin(), filled.bytes().end());
    const auto enter = [&]<class Memory>(std::string_view who, Memory) {
      auto& contender = all.make<std::unique_ptr<reader<Memory>>>();
      contender = std::make_unique<reader<Memory>>(bytes);
      all.add(
          name, who, bytes.size(),
          [operations = table.data(), p = contender.get()](std::size_t i) {
            keep(p->run(operations[i % 4096]));
          },
          [&table, p = contender.get()] {
            for (const auto& op : table) {
              if (p->run(op) != digest_of(op.value)) return false;
            }
            return true;
          });
    };
    enter("unchecked", doc::validated{});
    enter("checked", doc::memory{});
    all.base(name, "unchecked");
    all.target(name, "checked", {.ratio = 1.05});
  }
}

} // namespace bench
