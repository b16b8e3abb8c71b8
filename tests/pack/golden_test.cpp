// SPDX-License-Identifier: Apache-2.0
// Packed bytes never change: every golden is written as it was when it was committed, and is still read.
//
// Run with INGOT_WRITE_GOLDENS=1 in the environment, the test writes the files that are missing. It never overwrites
// one: bytes that change are a new version of the format, and whoever wants that deletes the file by hand.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "goldens.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

namespace golden_test {

std::string comments_of(std::string_view type, std::string_view what) {
  return "# type: " + std::string(type) + "\n# " + std::string(what) + "\n";
}

void write_golden(const std::filesystem::path& path, const std::string& comments, ingot::bytes_view bytes) {
  std::ofstream out(path);
  out << comments;
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = std::to_integer<std::size_t>(bytes[i]);
    out << digits[byte / 16] << digits[byte % 16] << (i % 16 == 15 || i + 1 == bytes.size() ? '\n' : ' ');
  }
}

/// Says where two byte strings part, which a comparison of thousands of numbers would hide.
void expect_bytes(std::string_view name, ingot::bytes_view found, ingot::bytes_view golden) {
  const auto [a, b] = std::ranges::mismatch(found, golden);
  EXPECT_TRUE(a == found.end() && b == golden.end())
      << name << ": " << found.size() << " bytes, golden " << golden.size() << "; they part at byte "
      << a - found.begin();
}

TEST(pack_golden, bytes_are_those_committed) {
  const bool writing = std::getenv("INGOT_WRITE_GOLDENS") != nullptr;
  std::size_t count = 0;
  pack_test::for_each_golden(
      [&]<class T>(std::string_view name, std::string_view type, std::string_view what, const T& value) {
        ++count;
        const auto packed = ingot::pack(value);
        ASSERT_TRUE(packed) << name << ": " << packed.error().message();
        const auto path = pack_test::golden_path(name);
        if (writing && !std::filesystem::exists(path)) write_golden(path, comments_of(type, what), *packed);
        const auto golden = pack_test::read_golden(path);
        ASSERT_TRUE(golden.found) << path;
        EXPECT_EQ(golden.comments, comments_of(type, what)) << path;
        expect_bytes(name, *packed, golden.bytes);
      });
  EXPECT_GE(count, 60U);
}

TEST(pack_golden, committed_bytes_are_still_read) {
  pack_test::for_each_golden(
      []<class T>(std::string_view name, std::string_view, std::string_view, const T& value) {
        const auto golden = pack_test::read_golden(pack_test::golden_path(name));
        const auto read = ingot::unpack<T>(golden.bytes);
        ASSERT_TRUE(read) << name << ": " << read.error().message();
        // -0 as a key comes back as +0, which is the same key
        if (name != "map_double") {
          EXPECT_TRUE(zoo::equal(*read, value)) << name;
        }
        const auto again = ingot::pack(*read);
        ASSERT_TRUE(again) << name;
        expect_bytes(name, *again, golden.bytes);
      });
}

TEST(pack_golden, every_file_belongs_to_a_golden) {
  std::set<std::string> known;
  pack_test::for_each_golden([&](std::string_view name, std::string_view, std::string_view, const auto&) {
    EXPECT_TRUE(known.insert(pack_test::golden_path(name).filename().string()).second) << name;
  });
  std::error_code problem;
  for (const auto& file : std::filesystem::directory_iterator(pack_test::golden_folder(), problem)) {
    const auto name = file.path().filename().string();
    if (name.starts_with("pack_")) {
      EXPECT_TRUE(known.contains(name)) << name;
    }
  }
  EXPECT_FALSE(problem) << problem.message();
}

// Bytes worked out by hand from docs/format.md: the files above would not notice a mistake made from the first day.
TEST(pack_golden, agree_with_the_format_by_hand) {
  const auto bytes_of = [](std::initializer_list<int> numbers) {
    std::vector<std::byte> bytes;
    for (const int n : numbers) bytes.push_back(static_cast<std::byte>(n));
    return bytes;
  };
  const auto golden = [](std::string_view name) {
    return pack_test::read_golden(pack_test::golden_path(name)).bytes;
  };
  EXPECT_EQ(golden("padded"), bytes_of({1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 4}));
  EXPECT_EQ(golden("variant_small"), bytes_of({0, 9, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(golden("vector_string"), bytes_of({3, 0, 0, 0, 3,   0,   0,   0,   3,   0,   0,   0,
                                               8, 0, 0, 0, 'o', 'n', 'e', 't', 'h', 'r', 'e', 'e'}));
  EXPECT_EQ(golden("vector_optional_string"),
            bytes_of({3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1, 1, 'x'}));
  EXPECT_EQ(golden("set_int16"), bytes_of({0xFF, 0xFF, 1, 0, 0, 1}));
  EXPECT_EQ(golden("unordered_set"), bytes_of({0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(golden("save_header"), bytes_of({3, 0, 5, 0, 0, 0, 9, 0, 0, 0, 't', 'i', 't', 'l', 'e'}));
  EXPECT_EQ(golden("sensor_v1"), bytes_of({8, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 'r', 'o', 'o', 'f'}));
  EXPECT_EQ(golden("vector_sensor_v1"),
            bytes_of({3, 0, 0, 0, 8, 0, 0, 0,             // three elements, eight bytes of fixed part each
                      1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, // ends at 1; id, end within the element
                      1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, // ends at 1: its tail is empty
                      4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c', 'd'}));
  EXPECT_EQ(golden("multimap"), bytes_of({3, 0, 0, 0, 0xFD, 0xFF, 1, 0, 0, 0,   3,   0,  2,
                                          0, 0, 0, 3, 0,    3,    0, 0, 0, 'm', 'z', 'a'}));
  EXPECT_EQ(
      golden("binary_tree"),
      bytes_of({1, 0, 0, 0, 26, 0, 0, 0, 26, 0,  0, 0,       // value, left ends at 26, right is absent
                1, 2, 0, 0, 0,  0, 0, 0, 0,  13, 0, 0, 0,    // present: value, left absent, right ends at 13
                1, 3, 0, 0, 0,  0, 0, 0, 0,  0,  0, 0, 0})); // present: a leaf
}

} // namespace golden_test
