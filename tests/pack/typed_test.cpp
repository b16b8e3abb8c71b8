// SPDX-License-Identifier: Apache-2.0
// Messages that state their type. Without it a password can be read as chat text: both are one
// string.
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/typed.hpp>

#include "golden_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace typed_test {

struct password {
  std::string secret;
};
struct chat {
  std::string text;
  bool operator==(const chat&) const = default;
};

template <class Bytes>
std::vector<std::byte> copy(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(pack_typed, what_is_written_is_read) {
  const auto bytes = ingot::pack_typed(chat{"hello"});
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(bytes->size(), 8U + 4 + 5);
  EXPECT_EQ(ingot::load_le<std::uint64_t>(bytes->data()), ingot::schema_id<chat>);
  EXPECT_EQ(ingot::unpack_typed<chat>(*bytes), chat{"hello"});
  chat into;
  EXPECT_TRUE(ingot::unpack_typed_into(into, *bytes).has_value());
  EXPECT_EQ(into.text, "hello");
  const auto view = ingot::open_typed<chat>(*bytes);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->get<"text">(), "hello");

  const auto small = ingot::compact::pack_typed(chat{"hello"});
  ASSERT_TRUE(small.has_value());
  EXPECT_EQ(small->size(), 8U + 1 + 5);
  EXPECT_EQ(ingot::compact::unpack_typed<chat>(*small), chat{"hello"});
  EXPECT_TRUE(ingot::compact::unpack_typed_into(into, *small).has_value());
  const auto seen = ingot::compact::open_typed<chat>(*small);
  ASSERT_TRUE(seen.has_value());
  EXPECT_EQ(seen->get<"text">(), "hello");
}

TEST(pack_typed, bytes_of_another_type_of_like_shape_are_rejected) {
  const auto bytes = ingot::pack_typed(password{"hunter2"}).value();
  EXPECT_TRUE(ingot::unpack<chat>(ingot::pack(password{"hunter2"}).value())
                  .has_value()); // the untyped form can't detect this
  const auto read = ingot::unpack_typed<chat>(bytes);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), ingot::errc::schema_mismatch);
  EXPECT_TRUE(read.error().expected().starts_with("bytes that begin with the number "));
  EXPECT_EQ(read.error().found().size(), 16U);
  EXPECT_EQ(ingot::open_typed<chat>(bytes).error().code(), ingot::errc::schema_mismatch);
  chat unchanged{"kept"};
  EXPECT_FALSE(ingot::unpack_typed_into(unchanged, bytes).has_value());
  EXPECT_EQ(unchanged.text, "kept");
}
TEST(pack_typed, the_other_profile_is_rejected) {
  const auto bytes = ingot::pack_typed(chat{"hello"}).value();
  const auto small = ingot::compact::pack_typed(chat{"hello"}).value();
  const auto as_packed = ingot::unpack_typed<chat>(small);
  ASSERT_FALSE(as_packed.has_value());
  EXPECT_EQ(as_packed.error().code(), ingot::errc::schema_mismatch);
  EXPECT_TRUE(as_packed.error().found().starts_with("the same type in the other profile"));
  const auto as_compact = ingot::compact::unpack_typed<chat>(bytes);
  ASSERT_FALSE(as_compact.has_value());
  EXPECT_EQ(as_compact.error().code(), ingot::errc::schema_mismatch);
  EXPECT_FALSE(ingot::compact::open_typed<chat>(bytes).has_value());
}
TEST(pack_typed, every_prefix_is_rejected) {
  const auto bytes = ingot::pack_typed(chat{"hello"}).value();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const ingot::bytes_view prefix(bytes.data(), n);
    const auto read = ingot::unpack_typed<chat>(prefix);
    ASSERT_FALSE(read.has_value()) << n;
    EXPECT_LE(read.error().offset(), n);
    EXPECT_FALSE(ingot::open_typed<chat>(prefix).has_value());
    if (n < 8) {
      EXPECT_EQ(read.error().code(), ingot::errc::truncated);
    }
  }
}
TEST(pack_typed, offsets_of_errors_count_from_the_beginning) {
  auto bytes = copy(ingot::pack_typed(chat{"hello"}).value());
  bytes.push_back(std::byte{0});
  const auto read = ingot::unpack_typed<chat>(bytes);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), ingot::errc::trailing_bytes);
  EXPECT_EQ(read.error().offset(), 8U + 4 + 5);
  EXPECT_TRUE(ingot::unpack_typed<chat>(bytes, {.rest = ingot::trailing::allow}).has_value());
}

TEST(pack_typed, sinks_get_the_same_bytes_or_stay_as_they_were) {
  const chat value{"hello"};
  const auto whole = copy(ingot::pack_typed(value).value());
  std::vector<std::byte> log{std::byte{7}};
  EXPECT_EQ(ingot::pack_typed_to(log, value), whole.size());
  EXPECT_EQ(std::vector(log.begin() + 1, log.end()), whole);
  std::string text = "before";
  EXPECT_EQ(ingot::compact::pack_typed_to(text, value), 14U);
  EXPECT_EQ(text.size(), 6U + 14);
  ingot::fixed_buffer<16> tight;
  const auto rejected = ingot::pack_typed_to(tight, value);
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), ingot::errc::no_space);
  EXPECT_EQ(tight.size(), 0U);
  std::byte memory[17];
  EXPECT_EQ(ingot::pack_typed_to(std::span<std::byte>(memory), value), 17U);
  EXPECT_EQ(std::vector(memory, memory + 17), whole);
}

TEST(pack_typed, scalars_and_lists_are_messages_too) {
  const auto number = ingot::pack_typed(std::uint32_t{7}).value();
  EXPECT_EQ(ingot::unpack_typed<std::uint32_t>(number), 7U);
  EXPECT_EQ(ingot::unpack_typed<std::int32_t>(number).error().code(), ingot::errc::schema_mismatch);
  const auto list = ingot::pack_typed(std::vector<std::uint16_t>{1, 2}).value();
  const auto seen = ingot::open_typed<std::vector<std::uint16_t>>(list);
  ASSERT_TRUE(seen.has_value());
  EXPECT_EQ(seen->size(), 2U);
}

TEST(pack_typed, goldens) {
  const auto packed = copy(ingot::pack_typed(chat{"hello"}).value());
  ingot_test::expect_bytes("typed_packed", packed,
                           ingot_test::golden("typed_packed",
                                              "struct { std::string text; }, \"hello\", after its schema_id",
                                              packed));
  const auto small = copy(ingot::compact::pack_typed(chat{"hello"}).value());
  ingot_test::expect_bytes(
      "typed_compact", small,
      ingot_test::golden("typed_compact",
                         "struct { std::string text; }, \"hello\", compact, after its inverted schema_id",
                         small));
}

} // namespace typed_test
