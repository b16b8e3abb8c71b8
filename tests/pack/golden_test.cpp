// SPDX-License-Identifier: Apache-2.0
// Packed bytes never change: writers still produce every committed golden, and readers still read
// it.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>

#include "described_types.hpp"
#include "golden_file.hpp"
#include "goldens.hpp"

#include <optional>
#include <set>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace golden_test {

/// The result for one golden. Each type's writer and reader are compiled once, and nothing else
/// with them.
struct outcome {
  std::string name;
  std::string type;
  std::string what;
  std::vector<std::byte> golden;
  std::string trouble;  ///< the error of writing or reading; empty if there was none
  ingot::buffer packed; ///< the written value
  ingot::buffer again;  ///< the golden, read and written
  bool same = false;    ///< the golden, read, equals the value
  ingot::bytes_view description;

  void keep(ingot::buffer& to, ingot::result<ingot::buffer> written) {
    if (written) to = std::move(*written);
    else trouble = written.error().message();
  }
  void find_file() {
    golden = ingot_test::golden(file(), "type: " + type + "\n" + what,
                                trouble.empty() ? std::optional<ingot::bytes_view>(packed) : std::nullopt);
  }
  [[nodiscard]] std::string file() const { return "pack_" + name; }
};

const std::vector<outcome>& goldens() {
  static const std::vector<outcome> all = [] {
    std::vector<outcome> found;
    pack_test::for_each_golden(
        [&]<class T>(std::string_view name, std::string_view type, std::string_view what, const T& value) {
          outcome& one = found.emplace_back();
          one.name = name;
          one.type = type;
          one.what = what;
          one.description = ingot::schema_bytes<T>();
          one.keep(one.packed, ingot::pack(value));
          one.find_file();
          if (const auto read = ingot::unpack<T>(one.golden)) {
            one.same = zoo::equal(*read, value);
            one.keep(one.again, ingot::pack(*read));
          } else {
            one.trouble = read.error().message();
          }
        });
    return found;
  }();
  return all;
}

TEST(pack_golden, bytes_are_those_committed) {
  for (const outcome& one : goldens()) {
    ASSERT_EQ(one.trouble, "") << one.name;
    EXPECT_EQ(ingot_test::read_golden(ingot_test::golden_path(one.file())).what,
              "type: " + one.type + "\n" + one.what)
        << one.name;
    ingot_test::expect_bytes(one.name, one.packed, one.golden);
  }
  EXPECT_GE(goldens().size(), 60U);
}

TEST(pack_golden, committed_bytes_are_still_read) {
  for (const outcome& one : goldens()) {
    ASSERT_EQ(one.trouble, "") << one.name;
    // -0 as a key is read back as +0, an equal key
    EXPECT_TRUE(one.same || one.name == "map_double") << one.name;
    ingot_test::expect_bytes(one.name, one.again, one.golden);
  }
}

TEST(pack_golden, has_the_description_that_the_tests_of_the_python_reader_know) {
  ingot_test::described_types known;
  for (const outcome& one : goldens()) EXPECT_TRUE(known.expect(one.file(), one.description)) << one.name;
}

TEST(golden_file, that_is_missing_fails_the_test) {
  EXPECT_NONFATAL_FAILURE(static_cast<void>(ingot_test::golden("of_nothing")), "is missing");
}

TEST(pack_golden, every_file_belongs_to_a_golden) {
  std::set<std::string> known;
  for (const outcome& one : goldens()) EXPECT_TRUE(known.insert(one.file() + ".hex").second) << one.name;
  std::error_code problem;
  for (const auto& file : std::filesystem::directory_iterator(ingot_test::golden_folder(), problem)) {
    const auto name = file.path().filename().string();
    if (name.starts_with("pack_")) {
      EXPECT_TRUE(known.contains(name)) << name;
    }
  }
  EXPECT_FALSE(problem) << problem.message();
}

// Bytes computed by hand from docs/format.md: the files above would not reveal a mistake that was
// always there.
TEST(pack_golden, agree_with_the_format_by_hand) {
  const auto bytes_of = [](std::initializer_list<int> numbers) {
    std::vector<std::byte> bytes;
    for (const int n : numbers) bytes.push_back(static_cast<std::byte>(n));
    return bytes;
  };
  const auto golden = [](std::string_view name) { return ingot_test::golden("pack_" + std::string(name)); };
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
            bytes_of({3, 0, 0, 0, 8, 0, 0, 0,             // three elements of eight bytes
                      1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, // ends at 1; id, end within the element
                      1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, // ends at 1: its tail is empty
                      4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c', 'd'}));
  EXPECT_EQ(golden("multimap"), bytes_of({3, 0, 0, 0, 0xFD, 0xFF, 1, 0, 0, 0,   3,   0,  2,
                                          0, 0, 0, 3, 0,    3,    0, 0, 0, 'm', 'z', 'a'}));
  EXPECT_EQ(golden("binary_tree"),
            bytes_of({1, 0, 0, 0, 26, 0, 0, 0, 26, 0,  0, 0,       // value, left to 26, no right
                      1, 2, 0, 0, 0,  0, 0, 0, 0,  13, 0, 0, 0,    // value, no left, right to 13
                      1, 3, 0, 0, 0,  0, 0, 0, 0,  0,  0, 0, 0})); // a leaf
}

} // namespace golden_test
