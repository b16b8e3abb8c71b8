// SPDX-License-Identifier: Apache-2.0
// Messages of the SINK workload: members of each kind with variable size, a fixed field after all
// of them, and the values that the cases read.
#pragma once

#include "../harness/random.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct sample {
  std::uint32_t id;
  float value;
  bool operator==(const sample&) const = default;
};

struct attachment {
  std::vector<std::uint8_t> payload; // 10..109
  std::string label;                 // 4..33
  bool operator==(const attachment&) const = default;
};

struct sink_message {
  std::uint64_t id;
  std::string name;               // 8..31
  std::vector<std::uint8_t> data; // 40..119
  std::vector<sample> samples;    // 4..19
  attachment nested;
  double tail;
  bool operator==(const sink_message&) const = default;
};

inline constexpr std::size_t sink_count = 512;

inline const std::vector<sink_message>& sink_data() {
  static const std::vector<sink_message> data = [] {
    random_source draw(11);
    const auto bytes = [&draw](std::size_t size) {
      std::vector<std::uint8_t> all(size);
      for (auto& b : all) b = draw.number<std::uint8_t>(0, 255);
      return all;
    };
    std::vector<sink_message> all(sink_count);
    for (auto& m : all) {
      m.id = draw.u64();
      m.name = draw.text(draw.between(8, 31));
      m.data = bytes(draw.between(40, 119));
      m.samples.resize(draw.between(4, 19));
      for (auto& s : m.samples) {
        s.id = draw.u32();
        s.value = draw.real();
      }
      m.nested.payload = bytes(draw.between(10, 109));
      m.nested.label = draw.text(draw.between(4, 33));
      m.tail = draw.wide();
    }
    return all;
  }();
  return data;
}

// Returns one number for the values that a case has read, equal for all contenders. Text and byte
// strings count with their length and both ends, so that they must be read.

inline std::uint64_t digest(std::string_view s) {
  return s.size() + (std::uint64_t{static_cast<std::uint8_t>(s.front())} << 16) +
         (std::uint64_t{static_cast<std::uint8_t>(s.back())} << 32);
}
template <class Byte>
std::uint64_t digest(const Byte* data, std::size_t size) {
  return digest(std::string_view(reinterpret_cast<const char*>(data), size));
}
inline std::uint64_t digest(float f) { return std::bit_cast<std::uint32_t>(f); }
inline std::uint64_t digest(double d) { return std::bit_cast<std::uint64_t>(d); }

} // namespace bench
