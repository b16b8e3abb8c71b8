// SPDX-License-Identifier: Apache-2.0
// Memory for compressed bytes: at most the promised limit, whatever the bytes claim, and an error
// if there is none.
#include <ingot/core/detail/config.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>

#include "file/simulated_disk.hpp"
#include "hostile/failing_memory.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#if defined(__GLIBC__) && !INGOT_SANITIZED
// Includes the memory of the codecs' libraries.
namespace {
std::size_t mallocs_left = 0;
bool malloc_failed = false;
} // namespace
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) noexcept {
  if (mallocs_left == 0 || --mallocs_left != 0) return __libc_malloc(size);
  malloc_failed = true;
  return nullptr;
}
}
#endif

namespace file_memory_test {

using file_test::simulated_disk;
using ingot::codec;
using ingot::errc;

std::string noise(std::size_t size) {
  std::string text(size, '\0');
  std::uint64_t state = 0x9E3779B97F4A7C15U;
  for (char& each : text) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    each = static_cast<char>(state >> 56);
  }
  return text;
}
template <class Call>
std::size_t peak_memory(const Call& call) {
  failing::memory = {};
  failing::memory.measures = true;
  call();
  failing::memory.measures = false;
  return failing::memory.peak;
}

TEST(file_memory, is_not_taken_for_what_is_beyond_the_limit) {
  const std::string zeros(1 << 22, '\0');
  const ingot::compression how{.method = codec::zstd};
  const auto message = ingot::compress(ingot::as_bytes_view(zeros), how);
  ASSERT_TRUE(message.has_value());
  errc code{};
  EXPECT_LT(peak_memory([&] { code = ingot::decompress(*message, zeros.size() - 1).error().code(); }),
            1'000u);
  EXPECT_EQ(code, errc::too_large);
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("x", zeros, {.schema = false, .compress = how}, disk));
  EXPECT_LT(peak_memory([&] {
              code = ingot::load<std::string>("x", {.max_bytes = zeros.size() - 1}, disk).error().code();
            }),
            10'000u);
  EXPECT_EQ(code, errc::too_large);
  std::size_t size = 0;
  EXPECT_GE(peak_memory([&] { size = ingot::load<std::string>("x", {.threads = 1}, disk)->size(); }),
            zeros.size());
  EXPECT_EQ(size, zeros.size()) << "which shows that this measures";
}

TEST(file_memory, for_blocks_that_wait_is_twice_what_they_are_in_the_file) {
  // One long block among short ones: buffers for sixteen of the short ones need not have the size
  // of the long one.
  std::string value = noise(1 << 16);
  value.replace(0, 2'000, 2'000, '\0');
  value.resize(40 << 16);
  simulated_disk disk;
  ASSERT_TRUE(
      ingot::save("x", value, {.schema = false, .compress = {.method = codec::lz4, .block = 1 << 16}}, disk));
  const auto file = ingot::detail::input_file::open(disk, "x");
  ASSERT_TRUE(file.has_value());
  const auto& info = file->header().info;
  ASSERT_EQ(info.method, codec::lz4);
  ASSERT_LT(info.stored_size, 100'000u);
  std::string payload(static_cast<std::size_t>(info.payload_size), ' ');
  bool read = false;
  const std::size_t peak = peak_memory([&] {
    read = file->read_payload(std::as_writable_bytes(std::span(payload.data(), payload.size())), true, 8)
               .has_value();
  });
  EXPECT_TRUE(read);
  EXPECT_LT(peak, 2 * info.stored_size + 20'000);
}

#if defined(__GLIBC__) && !INGOT_SANITIZED
TEST(file_memory, that_a_codec_does_not_get_is_an_error_and_changes_no_byte) {
  const std::string text = noise(5'000) + std::string(20'000, 't');
  for (const codec method : {codec::lz4, codec::zstd}) {
    for (const int level : {0, 9, 10, 12}) {
      const ingot::compression how{.method = method, .level = level, .block = 4096, .threads = 1};
      const auto good = ingot::compress(ingot::as_bytes_view(text), how);
      ASSERT_TRUE(good.has_value());
      std::size_t rejected = 0;
      for (std::size_t n = 1;; ++n) {
        malloc_failed = false;
        mallocs_left = n;
        const auto compressed = ingot::compress(ingot::as_bytes_view(text), how);
        mallocs_left = 0;
        if (!malloc_failed) break;
        if (compressed) {
          EXPECT_EQ(*compressed, *good) << n << " at level " << level;
        } else {
          EXPECT_EQ(compressed.error().code(), errc::no_memory);
          ++rejected;
        }
      }
      EXPECT_GT(rejected, 0u);
    }
  }
}
#endif

} // namespace file_memory_test
