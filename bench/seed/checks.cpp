// SPDX-License-Identifier: Apache-2.0
// What it costs to hold every step against the bytes: the same functions of the library over the same bytes, told that nobody proved them, and told
// that somebody did, which leaves the checks out. A turn finds a member and reads it.
#include <ingot/document/detail/item_view.hpp>
#include <ingot/document/document.hpp>

#include "workload.hpp"

#include <map>

namespace bench {
namespace {

namespace doc = ingot::detail::doc;

template <class Memory>
class reader {
public:
  void open(const std::vector<std::byte>& bytes) {
    in_.start = bytes.data();
    in_.size = static_cast<std::uint32_t>(bytes.size());
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const doc::location root;
    const doc::item found = doc::find_value(in_, root, doc::read_root(in_), ingot::document_key(key)).is;
    return found.kind == ingot::value_kind::integer ? found.integer() : -1;
  }

private:
  Memory in_;
};

} // namespace

void enter_checks(suite& all) {
  for (const std::size_t n : seed_sizes) {
    const std::string name = "checks-" + std::to_string(n);
    if (!all.wants(name)) continue;
    auto& entries = all.make<std::vector<seed_entry>>();
    entries = seed_entries(n);
    auto& lookups = all.make<std::vector<std::uint32_t>>();
    lookups = seed_lookups(n);
    auto& document = all.make<ingot::document>();
    std::map<std::string, std::int64_t> sorted;
    for (const auto& [key, value] : entries) sorted.emplace(key, value);
    document = sorted;
    document.compact();
    auto& bytes = all.make<std::vector<std::byte>>();
    bytes.assign(document.bytes().begin(), document.bytes().end());
    const auto enter = [&]<class Memory>(std::string_view who, Memory) {
      auto& made = all.make<reader<Memory>>();
      made.open(bytes);
      all.add(
          name, who, bytes.size(),
          [e = entries.data(), which = lookups.data(), p = &made](std::size_t i) {
            keep(p->find(e[which[i % 4096]].key));
          },
          [&] {
            for (const auto& [key, value] : entries) {
              if (made.find(key) != value) return false;
            }
            return made.find("not there") == -1;
          });
    };
    enter("unchecked", doc::proved{});
    enter("checked", doc::memory{});
    all.base(name, "unchecked");
    all.target(name, "checked", {.ratio = 1.05});
  }
}

} // namespace bench
