// SPDX-License-Identifier: Apache-2.0
// Data of LOAD: 100,000 records of Malte Skarupke's "Quickly Loading Things From Disk", with his
// values and with others, and 20,000 characters, both of CHAR-1 and as in games. Floats are added
// one by one in the order of the records, so that equal data has equal sums.
#pragma once

#include "../char1/std_model.hpp"
#include "../harness/random.hpp"
#include "real_characters.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct load_record {
  float vec[4];
  std::int32_t i;
  float f;
};
/// Has eight bytes of padding at the end, which are in no packed file.
struct alignas(16) padded_record {
  float vec[4];
  std::int32_t i;
  float f;
};

inline constexpr std::size_t record_count = 100'000;
inline constexpr std::size_t character_count = 20'000;

/// Result of one pass over all values.
struct record_sum {
  float vec[4] = {};
  float f = 0;
  std::int64_t i = 0;

  template <class Record>
  void add(const Record& r) {
    for (int k = 0; k < 4; ++k) vec[k] += r.vec[k];
    i += r.i;
    f += r.f;
  }
  bool operator==(const record_sum&) const = default;
};
template <class Records>
record_sum sum_records(const Records& all) {
  record_sum sum;
  for (const auto& r : all) sum.add(r);
  return sum;
}

/// Same as `traverse`, over all characters.
template <class Characters>
totals sum_characters(const Characters& all) {
  totals sum;
  for (const auto& c : all) {
    const totals one = traverse(c);
    sum.whole += one.whole;
    sum.x += one.x;
    sum.y += one.y;
    sum.z += one.z;
    sum.rest += one.rest;
  }
  return sum;
}

/// One set of values with its sums. `variant` names the files that have them in the current suite;
/// see `load_variant_names`.
template <class Values, class Sum>
struct load_data {
  std::string name;
  Values values;
  Sum sum;
  std::string_view variant{};
};
template <class Record>
using record_data = load_data<std::vector<Record>, record_sum>;
using character_data = load_data<std::vector<std_character>, totals>;

/// Returns the records of a kind:
///
/// - `simple` is Skarupke's: vec is zero, i counts to 5, f is the record's number.
/// - `random`: all bits of each member, except that a float is in [0, 1).
/// - `half-varied`: two members of `vec` have 256 different values each, i has 64; the rest is as
///   in `simple`.
/// - `defaults`: all zero.
/// - `binomial`: each member is the number of heads among 16 coins.
template <class Record>
record_data<Record> make_records(std::string_view name, std::string_view kind) {
  record_data<Record> data{std::string(name), std::vector<Record>(record_count), {}, {}};
  random_source draw(6);
  for (std::size_t n = 0; n < record_count; ++n) {
    Record& r = data.values[n];
    if (kind == "random") {
      for (float& v : r.vec) v = draw.real();
      r.i = static_cast<std::int32_t>(draw.u32());
      r.f = draw.real();
    } else if (kind == "binomial") {
      const auto heads = [&draw] { return std::popcount(draw.u64() >> 48); };
      for (float& v : r.vec) v = static_cast<float>(heads());
      r.i = heads();
      r.f = static_cast<float>(heads());
    } else if (kind != "defaults") {
      r.i = static_cast<std::int32_t>(n % 5);
      r.f = static_cast<float>(n);
      if (kind == "half-varied") {
        r.vec[0] = static_cast<float>(draw.between(0, 255));
        r.vec[1] = static_cast<float>(draw.between(0, 255));
        r.i = draw.number<std::int32_t>(0, 63);
      }
    }
  }
  data.sum = sum_records(data.values);
  return data;
}

inline character_data make_characters() {
  character_data data{"chars", {}, {}, {}};
  data.values.reserve(character_count);
  for (std::uint64_t seed = 0; seed < character_count; ++seed) {
    const raw_values raw(seed);
    fill<std_backend>(data.values.emplace_back(), raw.data());
  }
  data.sum = sum_characters(data.values);
  return data;
}

/// Returns characters as in games: see real_characters.hpp.
inline character_data make_real_characters() {
  character_data data{"chars-real", {}, {}, {}};
  data.values.reserve(character_count);
  real_characters all(7);
  for (std::size_t n = 0; n < character_count; ++n) data.values.push_back(all.next());
  data.sum = sum_characters(data.values);
  return data;
}

} // namespace bench
