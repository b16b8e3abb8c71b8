// SPDX-License-Identifier: Apache-2.0
// Types that can be written to, and the functions for each of them.
#include <ingot/core/sink.hpp>

#include <array>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

struct counting_stream {
  std::size_t calls = 0;
  ingot::result<void> write(ingot::bytes_view) {
    ++calls;
    return {};
  }
};
struct direct_and_stream {
  std::span<std::byte> prepare(std::size_t, std::size_t) { return {}; }
  void commit(std::size_t) {}
  ingot::result<void> write(ingot::bytes_view) { return {}; }
};
struct write_returns_nothing {
  void write(ingot::bytes_view);
};

TEST(sink, covers_lent_memory_streams_and_standard_containers) {
  static_assert(ingot::direct_sink<ingot::span_sink>);
  static_assert(ingot::stream_sink<counting_stream> && !ingot::direct_sink<counting_stream>);
  static_assert(ingot::sink<std::string> && ingot::sink<std::vector<std::byte>> &&
                ingot::sink<std::vector<unsigned char>>);
}

TEST(sink, prefers_lent_memory_to_a_stream) {
  static_assert(ingot::direct_sink<direct_and_stream> && !ingot::stream_sink<direct_and_stream>);
}

TEST(sink, rejects_what_can_not_report_failure) {
  static_assert(!ingot::sink<write_returns_nothing>);
  static_assert(!ingot::sink<std::vector<int>> && !ingot::sink<int> && !ingot::sink<std::wstring>);
}

TEST(span_sink, writes_from_the_start_and_stops_at_the_end) {
  std::array<std::byte, 4> memory{};
  ingot::span_sink sink{memory};
  sink.prepare(3)[0] = std::byte{9};
  EXPECT_TRUE(sink.written().empty());
  sink.commit(3);
  EXPECT_EQ(sink.size(), 3U);
  EXPECT_EQ(memory[0], std::byte{9});
  EXPECT_TRUE(sink.prepare(2).empty());
  EXPECT_EQ(sink.prepare(1).data(), memory.data() + 3);
  EXPECT_EQ(sink.written().data(), memory.data());
  sink.clear();
  EXPECT_EQ(sink.prepare(4).size(), 4U);
}

TEST(ostream_sink, writes_to_the_stream_and_reports_that_it_failed) {
  static_assert(ingot::stream_sink<ingot::ostream_sink<std::ostringstream>>);
  std::ostringstream stream;
  ingot::ostream_sink out(stream);
  EXPECT_TRUE(out.write(std::as_bytes(std::span(std::string_view("ab")))));
  EXPECT_EQ(stream.str(), "ab");
  stream.setstate(std::ios::badbit);
  const auto rejected = out.write(std::as_bytes(std::span(std::string_view("c"))));
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), ingot::errc::io);
}

} // namespace
