// SPDX-License-Identifier: Apache-2.0
// Values with columns of every kind. They are the same on every machine, since committed bytes are
// made from them.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/checksum.hpp>

#include "file/compressed_tools.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace file_test {

/// Evolvable records, which are a separate kind of list.
struct evolving {
  std::uint32_t id = 0;
  std::string note;
};

} // namespace file_test

template <>
inline constexpr auto ingot::annotations<file_test::evolving> =
    ingot::annotate(ingot::type(ingot::evolvable));

namespace file_test {

/// The record of bench/load.
struct plain_record {
  float vec[4];
  std::int32_t i;
  float f;
};

enum class weather : std::uint8_t { fair, rain, storm };
/// Fixed in size, and of every width.
struct reading {
  std::uint64_t time = 0;
  std::uint32_t station = 0;
  std::int16_t temperature = 0;
  bool valid = true;
  weather sky = weather::fair;
  double pressure = 0;
  float wind[2] = {};
  std::optional<std::uint16_t> rain;
  std::bitset<20> sensors;
  char code[10] = {};
  std::uint64_t serial = 0;
};
[[nodiscard]] inline std::vector<reading> readings(std::size_t count) {
  const byte_vector drawn = noise(count + 1);
  std::vector<reading> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto chance = std::to_integer<unsigned>(drawn[i]);
    reading& r = all[i];
    r.time = 1'700'000'000'000 + 1'000 * i;
    r.station = static_cast<std::uint32_t>(i % 7);
    r.temperature = static_cast<std::int16_t>(chance % 300);
    r.valid = i % 50 != 0;
    r.sky = static_cast<weather>(chance % 3);
    r.pressure = 1'000 + chance % 16;
    r.wind[0] = static_cast<float>(i) / 4;
    if (i % 10 == 3) r.rain = static_cast<std::uint16_t>(chance);
    r.sensors = 0xFFFFF;
    r.code[0] = static_cast<char>('A' + chance % 4);
    r.serial = i % 100 == 7 ? chance : 0;
  }
  return all;
}

struct parcel {
  std::uint32_t id = 0;
  std::vector<float> weights;
};
/// Variable size, with members of every kind.
struct traveller {
  std::string name;
  std::uint32_t age = 0;
  std::vector<parcel> parcels;
  std::map<std::string, std::uint32_t> tickets;
  std::optional<std::string> title;
  std::variant<std::uint32_t, std::string, std::vector<std::uint16_t>> seat;
  std::array<std::string, 2> stops;
  std::u16string alias;
};
[[nodiscard]] inline std::vector<traveller> travellers(std::size_t count) {
  std::vector<traveller> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    traveller& t = all[i];
    const auto n = static_cast<std::uint32_t>(i);
    t.name = "traveller " + std::to_string(i);
    t.age = n % 90;
    for (std::uint32_t k = 0; k < n % 4; ++k) t.parcels.push_back({n, std::vector<float>(k, 2.5F)});
    t.tickets["to " + std::to_string(i % 5)] = n;
    if (i % 3 == 0) t.title = "Dr";
    if (i % 3 == 1) t.seat = std::string("window");
    if (i % 3 == 2) t.seat = std::vector<std::uint16_t>(n % 6, 9);
    t.stops = {"here", std::string(i % 4, 'x')};
    t.alias = u"alias";
  }
  return all;
}

/// A type that contains itself.
struct tree {
  std::int32_t value = 0;
  std::unique_ptr<tree> left;
  std::vector<tree> others;
};
[[nodiscard]] inline std::vector<tree> forest() {
  std::vector<tree> all(300);
  for (int i = 0; i < 300; ++i) {
    tree* at = &all[static_cast<std::size_t>(i)];
    for (int k = 0; k < i % 5; ++k) {
      at->value = i;
      at->others.resize(static_cast<std::size_t>(k));
      at->left = std::make_unique<tree>();
      at = at->left.get();
    }
  }
  return all;
}

[[nodiscard]] inline std::vector<evolving> evolvings(std::size_t count) {
  std::vector<evolving> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({static_cast<std::uint32_t>(i), std::string(i % 4, 'n')});
  return all;
}

/// The codecs of this build, `none` first.
[[nodiscard]] inline std::vector<ingot::codec> codecs_here() {
  std::vector<ingot::codec> found{ingot::codec::none};
  for (const ingot::codec each : {ingot::codec::lz4, ingot::codec::zstd}) {
    if (ingot::has_codec(each)) found.push_back(each);
  }
  return found;
}

[[nodiscard]] inline byte_vector as_bytes(std::initializer_list<int> numbers) {
  byte_vector bytes;
  for (const int each : numbers) bytes.push_back(static_cast<std::byte>(each));
  return bytes;
}
inline void seal_message(byte_vector& message) {
  byte_vector rest(message.begin(), message.begin() + 16);
  rest.insert(rest.end(), message.begin() + 24, message.end());
  ingot::store_le(message.data() + 16, ingot::detail::checksum(rest));
}
/// Returns a handmade message: one block of records, which the table describes.
[[nodiscard]] inline byte_vector crafted(std::uint64_t raw, const byte_vector& table,
                                         const byte_vector& block, ingot::codec method = ingot::codec::none) {
  byte_vector message = as_bytes({'i', 'n', 'g', 'Z', 1, 4});
  message[5] |= static_cast<std::byte>(method);
  message.resize(24 + 8);
  ingot::store_le(message.data() + 8, raw);
  ingot::store_le(message.data() + 24, std::uint32_t{1} << 20);
  ingot::store_le(message.data() + 28, static_cast<std::uint32_t>(table.size()));
  message.insert(message.end(), table.begin(), table.end());
  message.resize(message.size() + 4);
  ingot::store_le(message.data() + message.size() - 4, static_cast<std::uint32_t>(block.size()));
  message.insert(message.end(), block.begin(), block.end());
  seal_message(message);
  return message;
}

} // namespace file_test
