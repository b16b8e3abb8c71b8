// SPDX-License-Identifier: Apache-2.0
// The cost of checking every step: the same functions of the library over the same bytes, with
// checks as for untrusted bytes, and without them as for validated bytes. A turn finds a member and
// reads it. In `checks-N` the root was opened before, as by `document_peek::over`. A turn of
// `checks-anew-N` reads the root at each access. Access to a nested object costs the same.
#include <ingot/document/document.hpp>

#include "opened.hpp"
#include "workload.hpp"

#include <map>
#include <memory>

namespace bench {
namespace {

template <template <class> class Reader>
void enter_checks(suite& all, const std::string& name, std::size_t n) {
  if (!all.wants(name)) return;
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
    auto& reader = all.make<std::unique_ptr<Reader<Memory>>>();
    reader = std::make_unique<Reader<Memory>>(bytes);
    const auto find = [p = reader.get()](std::string_view key) {
      const doc::item found = p->find(ingot::document_key(key)).is;
      return found.kind == ingot::value_kind::integer ? found.integer() : -1;
    };
    all.add(
        name, who, bytes.size(),
        [find, e = entries.data(), which = lookups.data()](std::size_t i) {
          keep(find(e[which[i % 4096]].key));
        },
        [&] {
          for (const auto& [key, value] : entries) {
            if (find(key) != value) return false;
          }
          return find("not there") == -1;
        });
  };
  enter("unchecked", doc::validated{});
  enter("checked", doc::memory{});
  all.base(name, "unchecked");
  all.target(name, "checked", {.ratio = 1.05});
}

} // namespace

void enter_checks(suite& all) {
  for (const std::size_t n : seed_sizes) {
    enter_checks<found_in_root>(all, "checks-" + std::to_string(n), n);
    enter_checks<found_anew>(all, "checks-anew-" + std::to_string(n), n);
  }
}

} // namespace bench
