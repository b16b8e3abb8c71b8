// SPDX-License-Identifier: Apache-2.0
// Pipes and files: all bytes arrive, and an error reports the number of bytes that were written.
#include <ingot/core/descriptor.hpp>
#include <ingot/core/sink.hpp>

#include <gtest/gtest.h>

#if __has_include(<unistd.h>)

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

struct pipe_ends {
  int read = -1;
  int write = -1;
  pipe_ends() {
    std::array<int, 2> ends{};
#if defined(_WIN32) // ends of lines would be converted
    const int failed = ::_pipe(ends.data(), 65536, _O_TEXT);
#else
    const int failed = ::pipe(ends.data());
#endif
    if (failed == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  ~pipe_ends() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

TEST(fd_sink, is_a_stream) { static_assert(ingot::stream_sink<ingot::fd_sink>); }

TEST(descriptor, what_is_written_is_read_back) {
  pipe_ends pipe;
  ASSERT_GE(pipe.write, 0);
  const std::string text = "one message";
  EXPECT_TRUE(ingot::fd_sink{pipe.write}.write(ingot::as_bytes_view(text)).has_value());
  pipe_ends::close_end(pipe.write);
  const auto bytes = ingot::read_all(pipe.read);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_TRUE(std::ranges::equal(*bytes, ingot::as_bytes_view(text)));
}

TEST(descriptor, bytes_that_end_lines_or_files_elsewhere_are_unchanged) {
  pipe_ends pipe;
  ASSERT_GE(pipe.write, 0);
  const std::string text("a\nb\r\nc\x1A"
                         "d\0e\n",
                         11);
  EXPECT_TRUE(ingot::fd_sink{pipe.write}.write(ingot::as_bytes_view(text)).has_value());
  pipe_ends::close_end(pipe.write);
  const auto bytes = ingot::read_all(pipe.read);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_TRUE(std::ranges::equal(*bytes, ingot::as_bytes_view(text)));
}

TEST(descriptor, messages_larger_than_a_pipe_arrive_whole) {
  pipe_ends pipe;
  std::vector<std::byte> message(1'000'000);
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(i * 7);
  bool written = false;
  std::thread writer([&] {
    written = ingot::fd_sink{pipe.write}.write(message).has_value();
    pipe_ends::close_end(pipe.write);
  });
  const auto bytes = ingot::read_all(pipe.read);
  writer.join();
  EXPECT_TRUE(written);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_TRUE(std::ranges::equal(*bytes, message));
}

TEST(fd_sink, says_what_the_system_said) {
  const auto outcome = ingot::fd_sink{-1}.write(ingot::as_bytes_view(std::string("x")));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code(), ingot::errc::io);
  EXPECT_EQ(outcome.error().offset(), 0U);
  EXPECT_FALSE(outcome.error().found().empty());
}

#if !defined(_WIN32) // its pipes always wait
TEST(fd_sink, an_error_says_how_many_bytes_went) {
  std::signal(SIGPIPE, SIG_IGN);
  pipe_ends pipe;
  ASSERT_EQ(::fcntl(pipe.write, F_SETFL, O_NONBLOCK), 0);
  const std::vector<std::byte> message(10'000'000); // more than any pipe holds
  const auto outcome = ingot::fd_sink{pipe.write}.write(message);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code(), ingot::errc::io);
  EXPECT_GT(outcome.error().offset(), 0U);
  pipe_ends::close_end(pipe.write);
  const auto bytes = ingot::read_all(pipe.read);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(bytes->size(), outcome.error().offset());
}
#endif

TEST(read_all, an_endless_source_stops_at_the_limit) {
  const int zeros = ::open("/dev/zero", O_RDONLY);
  if (zeros < 0) GTEST_SKIP() << "no /dev/zero";
  const auto bytes = ingot::read_all(zeros, 100'000);
  ::close(zeros);
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().code(), ingot::errc::too_large);
}

TEST(read_all, a_source_of_exactly_the_limit_is_read) {
  pipe_ends pipe;
  EXPECT_TRUE(ingot::fd_sink{pipe.write}.write(ingot::as_bytes_view(std::string("12345"))).has_value());
  pipe_ends::close_end(pipe.write);
  EXPECT_EQ(ingot::read_all(pipe.read, 5).value_or(ingot::buffer{}).size(), 5U);
}

TEST(read_all, a_bad_descriptor_is_an_error) {
  EXPECT_EQ(ingot::read_all(-1).error().code(), ingot::errc::io);
}

} // namespace

#endif
