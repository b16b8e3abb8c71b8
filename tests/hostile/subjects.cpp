// SPDX-License-Identifier: Apache-2.0
// The list of types that are tested with hostile bytes.
#include "hostile/subjects.hpp"

#include <algorithm>

namespace hostile {

const std::vector<subject>& subjects() {
  static const std::vector<subject> all = [] {
    std::vector<subject> list;
    add_annotated(list);
#if !defined(INGOT_SUBJECTS_SAMPLE)
    add_scalars(list);
    add_sequences(list);
    add_keyed(list);
    add_records(list);
    add_games(list);
    add_crafted(list);
#endif
    return list;
  }();
  return all;
}

std::uint16_t key_of(std::string_view name) {
  std::uint32_t hash = 2166136261; // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return static_cast<std::uint16_t>(hash ^ hash >> 16);
}

const subject& subject_of(std::uint16_t key) {
  static const std::vector<const subject*> by_key = [] {
    std::vector<const subject*> sorted;
    for (const auto& s : subjects()) sorted.push_back(&s);
    std::ranges::sort(sorted, {}, [](const subject* s) { return key_of(s->name); });
    return sorted;
  }();
  const auto at = std::ranges::lower_bound(by_key, key, {}, [](const subject* s) { return key_of(s->name); });
  return **(at == by_key.end() ? by_key.begin() : at);
}

} // namespace hostile
