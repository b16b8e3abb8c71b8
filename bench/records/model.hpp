// SPDX-License-Identifier: Apache-2.0
// Data of the RECORDS workload: 10,000 records with many parts of variable size, and two maps by
// text. The fields have names from the schema languages. The code that reads them is the same for
// all contenders with containers.
#pragma once

#include "../harness/random.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bench {

enum class sort : std::uint8_t { plain, rare, epic, cursed, broken };

struct record {
  std::uint64_t id;
  bench::sort sort;
  bool active;
  std::string name;                // 6..45
  std::vector<float> samples;      // 0..31
  std::vector<std::string> labels; // 0..4 of 3..18
  bool operator==(const record&) const = default;
};

struct collection {
  std::vector<record> records;
  std::map<std::string, std::uint64_t> ordered;          // keys of 8..24
  std::unordered_map<std::string, std::uint64_t> hashed; // same keys
};

inline constexpr std::size_t record_count = 10'000;
inline constexpr std::size_t few_records = 1'000;
inline constexpr std::string_view charset = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

class record_source {
public:
  explicit record_source(std::uint64_t seed) : draw_(seed) {}

  std::string text(std::uint64_t min_size, std::uint64_t max_size) {
    std::string text_drawn(draw_.between(min_size, max_size), ' ');
    for (char& c : text_drawn) c = charset[draw_.between(0, charset.size() - 1)];
    return text_drawn;
  }
  record one() {
    record r{};
    r.id = draw_.u64();
    r.sort = draw_.number<bench::sort>(0, 4);
    r.active = (draw_.u64() & 1) != 0;
    r.name = text(6, 45);
    r.samples.resize(draw_.between(0, 31));
    for (float& f : r.samples) f = draw_.real();
    r.labels.resize(draw_.between(0, 4));
    for (auto& label : r.labels) label = text(3, 18);
    return r;
  }
  random_source& draw() { return draw_; }

private:
  random_source draw_;
};

/// The keys of the maps in the order in which they were drawn, and the same number of keys that are
/// in neither.
struct record_keys {
  std::vector<std::string> present, absent;
};

struct drawn_records {
  collection all;
  std::vector<record> few;
  record_keys keys;
};

inline const drawn_records& records_data() {
  static const drawn_records data = [] {
    drawn_records drawn;
    record_source source(7);
    for (std::size_t i = 0; i < record_count; ++i) drawn.all.records.push_back(source.one());
    drawn.few.assign(drawn.all.records.begin(), drawn.all.records.begin() + few_records);
    auto& [present, absent] = drawn.keys;
    while (present.size() < record_count) {
      auto key = source.text(8, 24);
      if (drawn.all.ordered.contains(key)) continue;
      const std::uint64_t value = source.draw().u64();
      drawn.all.ordered.emplace(key, value);
      drawn.all.hashed.emplace(key, value);
      present.push_back(std::move(key));
    }
    while (absent.size() < record_count) {
      auto key = source.text(8, 24);
      if (!drawn.all.ordered.contains(key)) absent.push_back(std::move(key));
    }
    return drawn;
  }();
  return data;
}

inline const std::vector<float>& million_floats() {
  static const std::vector<float> data = [] {
    std::vector<float> drawn(1'000'000);
    random_source draw(8);
    for (float& f : drawn) f = draw.real();
    return drawn;
  }();
  return data;
}
inline const std::vector<std::string>& short_strings() {
  static const std::vector<std::string> data = [] {
    std::vector<std::string> drawn;
    record_source source(9);
    for (std::size_t i = 0; i < 100'000; ++i) drawn.push_back(source.text(3, 18));
    return drawn;
  }();
  return data;
}

/// Result of reading everything.
struct record_totals {
  std::uint64_t whole = 0;
  float real = 0;
  bool operator==(const record_totals&) const = default;

  void add(const char* text, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) whole += static_cast<std::uint8_t>(text[i]);
  }
};

template <class C>
record_totals read_everything(const C& all) {
  record_totals sum;
  for (const auto& r : all.records) {
    sum.whole += r.id + static_cast<std::uint64_t>(r.sort) + (r.active ? 1 : 0);
    sum.add(r.name.data(), r.name.size());
    for (const float f : r.samples) sum.real += f;
    for (const auto& label : r.labels) sum.add(label.data(), label.size());
  }
  for (auto&& [key, value] : all.ordered) {
    sum.add(key.data(), key.size());
    sum.whole += value;
  }
  for (auto&& [key, value] : all.hashed) {
    sum.add(key.data(), key.size());
    sum.whole += value;
  }
  return sum;
}

/// FNV-1a as in CHAR-1, over the fields in order: the bytes of text; for lists and maps the count,
/// then their elements. Both maps are read by ascending key.
class record_checksum {
public:
  template <class R>
  void add(const R& r) {
    number(r.id, 8);
    number(static_cast<std::uint64_t>(r.sort), 1);
    number(r.active ? 1 : 0, 1);
    text(r.name);
    number(r.samples.size(), 8);
    for (const float f : r.samples) number(std::bit_cast<std::uint32_t>(f), 4);
    number(r.labels.size(), 8);
    for (const auto& label : r.labels) text(label);
  }
  template <class M>
  void add_map(const M& map) {
    std::vector<std::pair<std::string_view, std::uint64_t>> sorted;
    for (auto&& [key, value] : map) sorted.emplace_back(std::string_view(key.data(), key.size()), value);
    std::sort(sorted.begin(), sorted.end());
    number(sorted.size(), 8);
    for (const auto& [key, value] : sorted) {
      text(key);
      number(value, 8);
    }
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
  template <class S>
  void text(const S& s) {
    for (std::size_t i = 0; i < s.size(); ++i) number(static_cast<std::uint8_t>(s.data()[i]), 1);
  }
  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) sum_ = (sum_ ^ (value >> 8 * i & 0xFF)) * 1099511628211U;
  }

  std::uint64_t sum_ = 1469598103934665603U;
};

template <class C>
std::uint64_t checksum(const C& all) {
  record_checksum hash;
  for (const auto& r : all.records) hash.add(r);
  hash.add_map(all.ordered);
  hash.add_map(all.hashed);
  return hash.sum();
}

} // namespace bench
