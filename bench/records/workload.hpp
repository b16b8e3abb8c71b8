// SPDX-License-Identifier: Apache-2.0
// The cases of the RECORDS workload: proving foreign bytes, reading them, making them. Ratios are to a memcpy of the bytes of
// ingot's block of the same case.
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

/// A case in which bytes are proved; `check(bytes)` must accept them whole, and must refuse them cut short by eight.
template <class Check>
void enter_records_check(suite& all, std::string_view name, std::string_view contender,
                         std::span<std::byte> bytes, Check check) {
  all.add(
      name, contender, bytes.size(), [bytes, check](std::size_t) { keep(check(bytes)); },
      [bytes, check] { return check(bytes) && !check(bytes.first(bytes.size() - 8)); });
}

/// `read()` gives the sums of everything, `find(key)` the sum of what a key has in both maps, 0 when it is in neither.
template <class Read, class Find>
void enter_records_reads(suite& all, std::string_view contender, std::size_t bytes, Read read, Find find) {
  all.add(
      "traverse", contender, bytes, [read](std::size_t) { keep(read()); },
      [read] { // the sum of the floats depends on how the compiler orders it; the checksum proves those
        return read().whole == read_everything(records_data().all).whole;
      });
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

/// The sum of the values in two maps of the same interface.
template <class C, class K>
std::uint64_t find_in_both(const C& all, const K& key) {
  std::uint64_t sum = 0;
  if (const auto found = all.ordered.find(key); found != all.ordered.end()) sum += found->second;
  if (const auto found = all.hashed.find(key); found != all.hashed.end()) sum += found->second;
  return sum;
}

/// The bytes that ingot's blocks have in the cases, for the bound.
struct block_sizes {
  std::size_t records = 0, maps = 0, edited = 0, few = 0, floats = 0, strings = 0;
};

// One function a contender, each in the file of its name.
block_sizes enter_records_ingot_live(suite& all);
void enter_records_flatbuffers(suite& all);
void enter_records_native(suite& all);
void enter_records_memcpy(suite& all, const block_sizes& sizes);

} // namespace bench
