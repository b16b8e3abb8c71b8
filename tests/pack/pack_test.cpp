// SPDX-License-Identifier: Apache-2.0
// Packing into every kind of sink, sizes that are known in advance, and values that are rejected
// before a byte is written.
#include <ingot/core/descriptor.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "checks.hpp"
#include "hex.hpp"
#include "zoo/annotated.hpp"

#include <limits>
#include <memory>

#include <gtest/gtest.h>
#include <unistd.h>

namespace pack_test {

struct limited {
  std::string name;
  std::vector<std::uint16_t> marks;
  std::map<std::uint8_t, double> table;
  std::uint8_t last;
};

} // namespace pack_test

template <>
inline constexpr auto ingot::annotations<pack_test::limited> =
    ingot::annotate(ingot::member<"name">(ingot::max_size(8)), ingot::member<"marks">(ingot::max_size(3)),
                    ingot::member<"table">(ingot::max_size(2)));

namespace pack_test {

using ingot::errc;
using pack_test::hex;
using pack_test::same_bytes;

const zoo::full_name ada{"Lovelace", "Ada"};
const std::vector<std::byte> ada_bytes = hex("08 00 00 00 0b 00 00 00 'LovelaceAda'");

TEST(pack_sinks, a_buffer_is_appended_to) {
  ingot::buffer sink;
  ASSERT_TRUE(ingot::pack_to(sink, std::uint16_t{0x201}));
  EXPECT_EQ(ingot::pack_to(sink, ada).value(), ada_bytes.size());
  ASSERT_EQ(sink.size(), 2 + ada_bytes.size());
  EXPECT_TRUE(same_bytes(ingot::bytes_view(sink).subspan(2), ada_bytes));
}

template <class Container>
void expect_appended() {
  Container sink(3, typename Container::value_type{});
  EXPECT_EQ(ingot::pack_to(sink, ada).value(), ada_bytes.size());
  ASSERT_EQ(sink.size(), 3 + ada_bytes.size());
  EXPECT_TRUE(same_bytes(ingot::as_bytes_view(sink).subspan(3), ada_bytes));
  // a rejected value leaves the sink unchanged
  const auto rejected = ingot::pack_to(sink, std::set<double>{std::numeric_limits<double>::quiet_NaN()});
  EXPECT_FALSE(rejected);
  EXPECT_EQ(sink.size(), 3 + ada_bytes.size());
}

TEST(pack_sinks, standard_containers_are_appended_to) {
  expect_appended<std::vector<std::byte>>();
  expect_appended<std::vector<unsigned char>>();
  expect_appended<std::string>();
}

TEST(pack_sinks, fixed_memory_says_how_much_it_lacks_and_stays_as_it_was) {
  ingot::fixed_buffer<24> sink;
  ASSERT_TRUE(ingot::pack_to(sink, ada));
  ASSERT_EQ(sink.size(), 19U);
  const auto before = sink;
  const auto second = ingot::pack_to(sink, ada);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), errc::no_space);
  EXPECT_EQ(second.error().found(), "19");
  EXPECT_EQ(sink, before);
  EXPECT_TRUE(ingot::pack_to(sink, std::uint32_t{1})); // a value that fits is still written
  EXPECT_FALSE(ingot::pack_to(sink, std::uint16_t{1}));
  EXPECT_EQ(sink.size(), 23U);
}

TEST(pack_sinks, a_span_is_written_from_its_start) {
  std::vector<std::byte> memory(19, std::byte{0xEE});
  EXPECT_EQ(ingot::pack_to(std::span(memory), ada).value(), 19U);
  EXPECT_EQ(memory, ada_bytes);
  for (std::size_t size = 0; size < 19; ++size) {
    std::vector<std::byte> small(size, std::byte{0xEE});
    const auto packed = ingot::pack_to(std::span(small), ada);
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().found(), "19");
    EXPECT_EQ(small, std::vector<std::byte>(size, std::byte{0xEE}));
  }
}

#if !defined(__wasm__) // has no pipes
TEST(pack_sinks, a_descriptor_gets_the_whole_message) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ingot::fd_sink sink(ends[1]);
  EXPECT_EQ(ingot::pack_to(sink, ada).value(), ada_bytes.size());
  EXPECT_FALSE(ingot::pack_to(sink, zoo::save_header{.version = 4, .title = "", .length = 0}));
  ::close(ends[1]);
  const auto read = ingot::read_all(ends[0]);
  ::close(ends[0]);
  ASSERT_TRUE(read);
  EXPECT_TRUE(same_bytes(*read, ada_bytes)); // and nothing of the rejected value

  ingot::fd_sink closed(-1);
  const auto failed = ingot::pack_to(closed, ada);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), errc::io);
  EXPECT_EQ(failed.error().offset(), 0U);
}
#endif

/// A ring of one slot, as a program might have.
class slot_sink {
public:
  std::span<std::byte> prepare(std::size_t need, std::size_t = 0) {
    ++pulls;
    return need > sizeof memory_ ? std::span<std::byte>() : std::span<std::byte>(memory_);
  }
  void commit(std::size_t n) { committed = n; }
  [[nodiscard]] ingot::bytes_view content() const { return ingot::bytes_view(memory_, committed); }
  std::size_t pulls = 0;
  std::size_t committed = 0;

private:
  std::byte memory_[32]{};
};

/// A stream that can fail.
struct counting_stream {
  ingot::result<void> write(ingot::bytes_view bytes) {
    ++calls;
    if (broken) return ingot::fail(errc::io, 5);
    content.insert(content.end(), bytes.begin(), bytes.end());
    return {};
  }
  bool broken = false;
  int calls = 0;
  std::vector<std::byte> content;
};

TEST(pack_sinks, of_the_users_own) {
  slot_sink slot;
  EXPECT_EQ(ingot::pack_to(slot, ada).value(), 19U);
  EXPECT_TRUE(same_bytes(slot.content(), ada_bytes));
  const auto large = ingot::pack_to(slot, std::string(33, 'x'));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code(), errc::no_space);
  EXPECT_EQ(slot.committed, 19U);

  counting_stream stream;
  EXPECT_EQ(ingot::pack_to(stream, ada).value(), 19U);
  EXPECT_EQ(stream.content, ada_bytes);
  EXPECT_EQ(stream.calls, 1);
  EXPECT_FALSE(ingot::pack_to(stream, zoo::save_header{.version = 1, .title = "", .length = 0}));
  EXPECT_EQ(stream.calls, 1); // not called for a rejected value
  stream.broken = true;
  const auto failed = ingot::pack_to(stream, ada);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), errc::io);
  EXPECT_EQ(failed.error().offset(), 5U);
}

TEST(pack_sizes, are_known_before_packing) {
  EXPECT_EQ(ingot::packed_size(ada).value(), 19U);
  EXPECT_EQ(ingot::packed_size(std::vector<std::string>{"a", ""}).value(), 13U);
  static_assert(ingot::packed_size_of<zoo::padded> == 15);
  static_assert(ingot::packed_size_of<std::optional<std::uint32_t>> == 5);
  static_assert(!ingot::packed_size_of<std::string>);
  static_assert(ingot::max_packed_size<zoo::grid_cell> == 8);
  static_assert(!ingot::max_packed_size<std::vector<int>>);
  static_assert(!ingot::max_packed_size<zoo::binary_tree>);
}

TEST(pack_sizes, limits_of_members_size_a_fixed_buffer) {
  constexpr auto max_size = ingot::max_packed_size<pack_test::limited>;
  static_assert(max_size && *max_size >= 13 + 8 + 6 + 18 && *max_size < 80);
  const pack_test::limited full{"12345678", {1, 2, 3}, {{1, 2}, {3, 4}}, 9};
  ingot::fixed_buffer<*max_size> sink;
  EXPECT_EQ(ingot::pack_to(sink, full).value(), 13U + 8 + 6 + 18);
}

/// Claims more elements than any memory has.
struct endless {
  using value_type = std::uint16_t;
  using size_type = std::size_t;
  [[nodiscard]] const value_type* begin() const { return nullptr; }
  [[nodiscard]] const value_type* end() const { return nullptr; }
  [[nodiscard]] size_type size() const { return 3'000'000'000U; }
  void clear() {}
};

TEST(pack_rejects, messages_past_4_gib_before_a_byte_is_written) {
  ingot::buffer sink;
  const auto packed = ingot::pack_to(sink, endless());
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code(), errc::too_large);
  EXPECT_EQ(packed.error().found(), "6000000000");
  EXPECT_EQ(sink.capacity(), 0U);
  EXPECT_EQ(ingot::packed_size(endless()).error().code(), errc::too_large);
  struct message {
    std::string before;
    endless list;
  };
  EXPECT_EQ(ingot::pack(message{"x", {}}).error().code(), errc::too_large);
}

TEST(pack_rejects, versions_other_than_the_named_one) {
  const auto packed = ingot::pack(std::vector<zoo::save_header>{{3, "ok", 1}, {4, "newer", 1}});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code(), errc::wrong_version);
  EXPECT_EQ(packed.error().path(), "[1].version");
  EXPECT_TRUE(ingot::pack(zoo::package{"any", 4})); // names no version: plain data
}

TEST(pack_rejects, nan_as_a_key) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  struct message {
    std::map<double, int> table;
  };
  const auto packed = ingot::pack(message{{{nan, 1}}});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code(), errc::not_canonical);
  EXPECT_EQ(packed.error().path(), "table[0]");
  EXPECT_FALSE((ingot::pack(std::set<std::pair<int, double>>{{1, nan}})));
  EXPECT_TRUE(ingot::pack(nan)); // valid data as a value
}

TEST(pack_rejects, more_than_65536_elements_of_size_zero) {
  EXPECT_TRUE(ingot::pack(std::vector<zoo::nothing>(65'536)));
  const auto packed = ingot::pack(std::vector<zoo::nothing>(65'537));
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code(), errc::too_large);
}

struct link {
  std::unique_ptr<link> next;
};

TEST(pack_rejects, deeper_nesting_than_readers_accept) {
  const auto chain = [](unsigned links) {
    link first;
    for (unsigned i = 0; i < links; ++i) {
      auto next = std::make_unique<link>(std::move(first));
      first.next = std::move(next);
    }
    return first;
  };
  const auto depth_limit = ingot::pack(chain(ingot::max_depth));
  ASSERT_TRUE(depth_limit);
  EXPECT_TRUE(ingot::unpack<link>(depth_limit));
  const auto deeper = ingot::pack(chain(ingot::max_depth + 1));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().code(), errc::too_deep);
}

#if defined(__cpp_exceptions)
struct throws_when_copied {
  std::uint8_t value = 0;
  throws_when_copied() = default;
  throws_when_copied(const throws_when_copied&) { throw 1; }
  throws_when_copied& operator=(const throws_when_copied&) = default;
  constexpr auto reflect(auto&& f) { return f(value); }
};

TEST(pack_rejects, variants_without_a_value) {
  std::variant<std::uint8_t, throws_when_copied> fixed(std::uint8_t{1});
  std::variant<std::string, throws_when_copied> variable("x");
  const throws_when_copied source;
  EXPECT_THROW(fixed.emplace<1>(source), int);
  EXPECT_THROW(variable.emplace<1>(source), int);
  ASSERT_TRUE(fixed.valueless_by_exception() && variable.valueless_by_exception());
  EXPECT_EQ(ingot::pack(fixed).error().code(), errc::invalid_value);
  EXPECT_EQ(ingot::pack(variable).error().code(), errc::invalid_value);
}
#endif

} // namespace pack_test
