// SPDX-License-Identifier: Apache-2.0
// max_memory: without it a message of a few bytes takes as much memory as its type has for each of
// them. The peak is measured in tests/hostile/bounds_test.cpp; here each kind of container is
// refused with the path, and accepted with a higher limit.
#include <ingot/document/document.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using ingot::errc;

constexpr std::size_t elements = 2'000;
constexpr std::uint64_t little = 15'000; ///< less than 8 bytes for each
constexpr std::uint64_t enough = 400'000;

template <class T>
struct a_member {
  int first = 0;
  T value;
};

template <class Read>
void expect_limited(const Read& read, const char* what) {
  const auto refused = read(little);
  ASSERT_FALSE(refused) << what;
  EXPECT_EQ(refused.error().code(), errc::too_much_memory) << what << ' ' << refused.error().message();
  EXPECT_TRUE(refused.error().path().starts_with("value")) << what << ' ' << refused.error().path();
  const auto made = read(enough);
  EXPECT_TRUE(made) << what << ' ' << made.error().message();
}

template <class T>
void each_reader(T value, const char* what) {
  const a_member<T> held{1, std::move(value)};
  using type = a_member<T>;
  const auto packed = ingot::pack(held).value();
  expect_limited(
      [&](std::uint64_t most) { return ingot::unpack<type>(packed, ingot::read_limits{.max_memory = most}); },
      what);
  const auto compact = ingot::compact::pack(held).value();
  expect_limited(
      [&](std::uint64_t most) {
        return ingot::compact::unpack<type>(compact, ingot::read_limits{.max_memory = most});
      },
      what);
  const auto message = ingot::protobuf::write(held).value();
  expect_limited(
      [&](std::uint64_t most) { return ingot::protobuf::read<type>(message, {.max_memory = most}); }, what);
  const ingot::document doc(held);
  expect_limited(
      [&](std::uint64_t most) { return doc.root().as<type>(ingot::conversion_options{.max_memory = most}); },
      what);
}

struct big {
  std::uint64_t numbers[4]{};
};

TEST(max_memory, limits_lists_sets_maps_and_boxes_of_every_reader) {
  each_reader(std::vector<std::string>(elements, "x"), "a vector");
  each_reader(std::vector<std::vector<std::string>>(200, std::vector<std::string>(10, "x")), "many vectors");
  each_reader(std::list<std::string>(elements, "x"), "a list");
  std::set<std::string> set;
  std::map<std::uint32_t, big> map;
  for (std::uint32_t i = 0; i < elements; ++i) {
    set.insert(std::to_string(i));
    map[i] = {};
  }
  each_reader(set, "a set");
  each_reader(map, "a map");
}

struct pointed {
  std::vector<std::unique_ptr<std::vector<big>>> value;
};

TEST(max_memory, counts_what_boxes_hold) {
  pointed held;
  for (std::size_t i = 0; i < elements; ++i) held.value.push_back(std::make_unique<std::vector<big>>());
  constexpr std::uint64_t pointers = elements * sizeof(void*) + 1'000;
  const auto refused = [](const auto& made) {
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code(), errc::too_much_memory) << made.error().message();
  };
  const auto packed = ingot::pack(held).value();
  refused(ingot::unpack<pointed>(packed, ingot::read_limits{.max_memory = pointers}));
  EXPECT_TRUE(ingot::unpack<pointed>(packed, ingot::read_limits{.max_memory = enough}));
  const auto compact = ingot::compact::pack(held).value();
  refused(ingot::compact::unpack<pointed>(compact, ingot::read_limits{.max_memory = pointers}));
  EXPECT_TRUE(ingot::compact::unpack<pointed>(compact, ingot::read_limits{.max_memory = enough}));
  const ingot::document doc(held);
  refused(doc.root().as<pointed>(ingot::conversion_options{.max_memory = pointers}));
  EXPECT_TRUE(doc.root().as<pointed>(ingot::conversion_options{.max_memory = enough}));
}

TEST(max_memory, limits_numbers_of_packed_messages) {
  const std::vector<std::uint64_t> numbers(elements);
  const auto packed = ingot::pack(numbers).value();
  EXPECT_EQ(ingot::unpack<std::vector<std::uint64_t>>(packed, ingot::read_limits{.max_memory = little})
                .error()
                .code(),
            errc::too_much_memory);
  EXPECT_TRUE(ingot::unpack<std::vector<std::uint64_t>>(packed, ingot::read_limits{.max_memory = 16'000}));
}

/// A record that takes one byte of a compact message, whatever its size.
struct roomy {
  std::uint64_t numbers[512]{};
};
} // namespace
template <>
inline constexpr auto ingot::annotations<roomy> = ingot::annotate(ingot::type(ingot::evolvable));
namespace {

TEST(max_memory, records_of_one_byte_each_are_refused_by_default) {
  std::vector<std::byte> bytes{std::byte{0xA0}, std::byte{0x9C}, std::byte{0x01}}; // 20,000 of them
  bytes.resize(3 + 20'000);
  EXPECT_EQ(ingot::compact::unpack<std::vector<roomy>>(bytes).error().code(), errc::too_much_memory);
}

struct old_part {
  std::uint8_t number = 0;
};
struct many_defaults {
  std::uint8_t number = 0;
  std::uint64_t more[256]{};
};

struct many_texts {
  std::uint8_t number = 0;
  std::string more[60];
};

TEST(max_memory, messages_of_older_types_are_bounded_by_their_own_bytes) {
  const std::vector<old_part> before(20'000);
  const auto old = ingot::schema_of<std::vector<old_part>>();
  const auto way = ingot::evolution<std::vector<many_defaults>>::from(old).value();
  const auto bytes = ingot::pack(before).value();
  const auto refused = way.unpack(bytes);
  EXPECT_EQ(refused.error().code(), errc::too_much_memory);
  EXPECT_EQ(refused.error().found(),
            ""); // before its new bytes were made, which would say how much they take
  EXPECT_EQ(way.unpack(bytes, ingot::read_limits{.max_memory = 200'000'000}).value().size(), 20'000u);
  // whose bytes are few, and its memory isn't
  const auto texts = ingot::evolution<std::vector<many_texts>>::from(old).value();
  EXPECT_EQ(texts.unpack(bytes).error().code(), errc::too_much_memory);
  EXPECT_EQ(texts.unpack(bytes, ingot::read_limits{.max_memory = 200'000'000}).value().size(), 20'000u);
}

} // namespace
