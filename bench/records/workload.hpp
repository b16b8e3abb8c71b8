// SPDX-License-Identifier: Apache-2.0
// Cases of the RECORDS workload: validating untrusted bytes, reading them, making them. Ratios
// compare with a memcpy of ingot's block of the same case.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Adds a case that validates bytes. `check(bytes)` must accept all bytes, and reject them without
/// the last eight.
template <class Check>
void enter_records_check(suite& all, std::string_view name, std::string_view contender,
                         std::span<std::byte> bytes, Check check) {
  all.add(
      name, contender, bytes.size(), [bytes, check](std::size_t) { keep(check(bytes)); },
      [bytes, check] { return check(bytes) && !check(bytes.first(bytes.size() - 8)); });
}

/// Adds the cases that read. `read()` returns sums of all values. `find(key)` returns the sum of
/// the key's values in both maps, or 0 if the key is in neither.
template <class Read, class Find>
void enter_records_reads(suite& all, std::string_view contender, std::size_t bytes, Read read, Find find) {
  all.add(
      "traverse", contender, bytes, [read](std::size_t) { keep(read()); },
      // the sum of floats depends on the compiler's order of additions; the checksum verifies
      // floats
      [read] { return read().whole == read_everything(records_data().all).whole; });
  const auto& keys = records_data().keys;
  all.add(
      "lookup-present", contender, bytes,
      [find, from = keys.present.data()](std::size_t i) { keep(find(from[i % record_count])); },
      [find, &keys] {
        for (const auto& key : keys.present) {
          if (find(key) != 2 * records_data().all.ordered.find(key)->second) return false;
        }
        return true;
      });
  all.add(
      "lookup-absent", contender, bytes,
      [find, from = keys.absent.data()](std::size_t i) { keep(find(from[i % record_count])); },
      [find, &keys] {
        for (const auto& key : keys.absent) {
          if (find(key) != 0) return false;
        }
        return true;
      });
}

/// Returns the sum of a key's values in two maps with the same interface.
template <class C, class K>
std::uint64_t find_in_both(const C& all, const K& key) {
  std::uint64_t sum = 0;
  if (const auto found = all.ordered.find(key); found != all.ordered.end()) sum += found->second;
  if (const auto found = all.hashed.find(key); found != all.hashed.end()) sum += found->second;
  return sum;
}

/// Sizes of ingot's blocks in the cases, for the bound.
struct block_sizes {
  std::size_t records = 0, maps = 0, edited = 0, few = 0, floats = 0, strings = 0;
};

// One function per contender, each in the file of its name.
block_sizes enter_records_ingot_live(suite& all);
void enter_records_flatbuffers(suite& all);
void enter_records_native(suite& all);
void enter_records_memcpy(suite& all, const block_sizes& sizes);

} // namespace bench
