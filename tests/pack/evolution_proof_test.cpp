// SPDX-License-Identifier: Apache-2.0
// Validation against a description is as strict as validation against the described type. Mutants
// of messages of a few types, in both profiles, are accepted alike, except for properties that
// descriptions don't contain.
#include <ingot/pack/evolution.hpp>

#include "zoo/annotated.hpp"
#include "zoo/sample.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace evolution_validation_test {

using ingot::errc;
using byte_vector = std::vector<std::byte>;

/// Limits, hooks, versions, the order of keys, and members that equal their default but were not
/// omitted.
bool is_beyond_descriptions(errc code) {
  switch (code) {
  case errc::out_of_range:
  case errc::too_long:
  case errc::invalid_utf8:
  case errc::invalid_value:
  case errc::wrong_version:
  case errc::unsorted_keys:
  case errc::duplicate_key:
  case errc::not_canonical:
  case errc::too_deep: return true;
  default: return false;
  }
}

struct tally {
  std::size_t accepted = 0;
  std::size_t rejected = 0;
};

template <class Check, class Decode>
void compare(byte_vector bytes, const ingot::detail::packed_layout& layout, bool may_be_partial,
             Decode&& decode, std::string_view name, tally& seen) {
  const byte_vector whole = bytes;
  std::minstd_rand random(static_cast<std::minstd_rand::result_type>(whole.size()));
  for (int i = 0; i < 40; ++i) {
    bytes = whole;
    if (i != 0 && !bytes.empty()) {
      const std::size_t at = random() % bytes.size();
      if (i % 8 == 0) bytes.resize(at);
      else if (i % 8 == 1) bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), std::byte{0});
      else bytes[at] = static_cast<std::byte>(i % 2 == 0 ? random() % 4 : random() % 256);
    }
    bytes.shrink_to_fit();
    Check check(layout, bytes);
    const bool accepted = check.run();
    const ingot::result<void> decoded = decode(bytes);
    ++(accepted ? seen.accepted : seen.rejected);
    if (!accepted) {
      EXPECT_LE(check.why().offset(), bytes.size()) << name;
    }
    if (decoded.has_value()) {
      EXPECT_TRUE(accepted || may_be_partial) << name << ": " << check.why().message();
    } else if (accepted) {
      EXPECT_TRUE(is_beyond_descriptions(decoded.error().code()))
          << name << ": " << decoded.error().message();
    }
  }
}

template <class T>
void compare_type(std::string_view name, tally& seen) {
  const auto described = ingot::read_schema(ingot::schema_bytes<T>());
  ASSERT_TRUE(described.has_value()) << name;
  const ingot::detail::evolving_graph graph = ingot::detail::graph_of(*described);
  const ingot::detail::packed_layout layout(graph);
  EXPECT_EQ(layout[graph.root].is_fixed, ingot::detail::is_fixed<T>) << name;
  EXPECT_EQ(layout[graph.root].slot, ingot::detail::slot_size<T>) << name;
  EXPECT_EQ(layout[graph.root].is_leaf, ingot::detail::is_variable_leaf<T>) << name;
  const bool may_be_partial = described->to_text().find("evolvable") != std::string::npos;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const T value = zoo::sample<T>(seed);
    if (const auto packed = ingot::pack(value)) {
      const auto bytes = ingot::as_bytes_view(*packed);
      compare<ingot::detail::packed_validator>(
          {bytes.begin(), bytes.end()}, layout, may_be_partial,
          [](const byte_vector& b) -> ingot::result<void> {
            const auto read = ingot::unpack<T>(b);
            if (!read) return ingot::fail(read.error());
            return {};
          },
          name, seen);
    }
    if (const auto packed = ingot::compact::pack(value)) {
      const auto bytes = ingot::as_bytes_view(*packed);
      compare<ingot::detail::compact_validator>(
          {bytes.begin(), bytes.end()}, layout, may_be_partial,
          [](const byte_vector& b) -> ingot::result<void> {
            const auto read = ingot::compact::unpack<T>(b);
            if (!read) return ingot::fail(read.error());
            return {};
          },
          name, seen);
    }
  }
}

TEST(evolution_validation, accepts_what_the_type_would) {
  tally seen;
  const auto each = [&]<class T>(std::string_view name) {
    if constexpr (!ingot::detail::borrows<T>()) compare_type<T>(name, seen);
  };
  each.template operator()<zoo::sensor_v2>("sensor_v2");
  each.template operator()<std::vector<zoo::sensor_v1>>("sensors");
  each.template operator()<std::map<std::string, std::vector<std::optional<std::uint16_t>>>>("map");
  each.template operator()<std::variant<bool, std::string, std::pair<float, std::bitset<11>>>>("variant");
  each.template operator()<std::array<std::tuple<std::int16_t, std::string>, 2>>("array");
  each.template operator()<std::vector<std::expected<std::u16string, bool>>>("expected");
  EXPECT_GT(seen.accepted, 100U);
  EXPECT_GT(seen.rejected, 100U);
}

struct chain {
  std::uint8_t value = 0;
  std::vector<chain> more;
};
struct evolvable_chain {
  std::unique_ptr<evolvable_chain> next;
};

} // namespace evolution_validation_test
template <>
inline constexpr auto ingot::annotations<evolution_validation_test::evolvable_chain> =
    ingot::annotate(ingot::type(ingot::evolvable));
namespace evolution_validation_test {

template <class T>
void expect_same_depth(std::size_t depth, const byte_vector& packed, const byte_vector& compacted) {
  const auto described = ingot::read_schema(ingot::schema_bytes<T>());
  ASSERT_TRUE(described.has_value());
  const ingot::detail::evolving_graph graph = ingot::detail::graph_of(*described);
  const ingot::detail::packed_layout layout(graph);
  const auto expect_same = [&](auto&& check, const ingot::result<T>& read) {
    EXPECT_EQ(check.run(), read.has_value()) << depth << ": " << check.why().message();
    if (read.has_value()) return;
    EXPECT_EQ(read.error().code(), errc::too_deep) << depth << ": " << read.error().message();
    EXPECT_EQ(check.why().code(), errc::too_deep) << depth;
    EXPECT_EQ(check.why().offset(), read.error().offset()) << depth;
  };
  expect_same(ingot::detail::packed_validator(layout, packed), ingot::unpack<T>(packed));
  expect_same(ingot::detail::compact_validator(layout, compacted), ingot::compact::unpack<T>(compacted));
}

/// Levels that will be rejected must not use the stack.
TEST(evolution_validation, counts_levels_as_the_type_does) {
  const auto word = [](std::size_t n) {
    byte_vector bytes(4);
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>(n >> 8 * i & 0xFF);
    return bytes;
  };
  const auto in_front = [](byte_vector& of, const byte_vector& bytes) {
    of.insert(of.begin(), bytes.begin(), bytes.end());
  };
  byte_vector list = word(0);
  byte_vector compact_list(2); // a value and a count
  byte_vector next = word(0);  // the size of the fixed part, then the end of nothing
  in_front(next, word(4));
  byte_vector compact_next{std::byte{1}, std::byte{0}};
  for (std::size_t depth = 1; depth < 300; ++depth) {
    byte_vector packed = list;
    in_front(packed, word(list.size()));
    packed.insert(packed.begin(), std::byte{0});
    expect_same_depth<chain>(depth, packed, compact_list);
    expect_same_depth<evolvable_chain>(depth, next, compact_next);
    list = packed;
    in_front(list, word(1));
    compact_list.insert(compact_list.begin(), {std::byte{0}, std::byte{1}});
    next.insert(next.begin(), std::byte{1});
    in_front(next, word(next.size()));
    in_front(next, word(4));
    compact_next.insert(compact_next.begin(), std::byte{1});
    byte_vector size;
    std::size_t n = compact_next.size();
    for (; n >= 0x80; n >>= 7) size.push_back(static_cast<std::byte>((n & 0x7F) | 0x80));
    size.push_back(static_cast<std::byte>(n));
    in_front(compact_next, size);
  }
}

/// Descriptions can demand things that types can't: sizes larger than any message, any number of
/// parts without bytes.
TEST(evolution_validation, is_not_led_into_work_by_descriptions) {
  const auto with_root = [](std::vector<int> parts) {
    byte_vector bytes(16);
    std::memcpy(bytes.data(), "ingS\3", 5);
    for (const int each : parts) bytes.push_back(static_cast<std::byte>(each));
    std::vector<ingot::schema_node> nodes;
    ingot::detail::description_reader reader(bytes, nodes);
    static_cast<void>(reader.read());
    for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<std::byte>(reader.id() >> 8 * i & 0xFF);
    return bytes;
  };
  // sequences of arrays of 2^63 arrays of 2^63 elements: bools, empty tuples, u64
  for (const std::vector<int>& element : {std::vector<int>{1}, {22, 0}, {2, 8, 0}}) {
    std::vector<int> parts{0, 13};
    for (int i = 0; i < 2; ++i)
      parts.insert(parts.end(), {14, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1});
    parts.insert(parts.end(), element.begin(), element.end());
    const auto described = ingot::read_schema(with_root(parts));
    ASSERT_TRUE(described.has_value()) << described.error().message();
    const ingot::detail::evolving_graph graph = ingot::detail::graph_of(*described);
    const ingot::detail::packed_layout layout(graph);
    for (std::size_t size = 0; size < 20; ++size) {
      const byte_vector bytes(size, std::byte{1});
      static_cast<void>(ingot::detail::packed_validator(layout, bytes).run());
      static_cast<void>(ingot::detail::compact_validator(layout, bytes).run());
    }
    EXPECT_FALSE(ingot::compatible<std::vector<int>>(*described));
  }
  // 65,537 elements of nothing
  const auto nothings = ingot::read_schema(with_root({0, 13, 22, 0}));
  ASSERT_TRUE(nothings.has_value());
  const ingot::detail::evolving_graph graph = ingot::detail::graph_of(*nothings);
  const ingot::detail::packed_layout layout(graph);
  EXPECT_TRUE(ingot::detail::packed_validator(
                  layout, byte_vector{std::byte{0}, std::byte{0}, std::byte{1}, std::byte{0}})
                  .run());
  EXPECT_FALSE(ingot::detail::packed_validator(
                   layout, byte_vector{std::byte{1}, std::byte{0}, std::byte{1}, std::byte{0}})
                   .run());
  EXPECT_FALSE(
      ingot::detail::compact_validator(layout, byte_vector{std::byte{0x81}, std::byte{0x80}, std::byte{4}})
          .run());
}

} // namespace evolution_validation_test
