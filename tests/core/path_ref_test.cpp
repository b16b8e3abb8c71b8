// SPDX-License-Identifier: Apache-2.0
// Paths as parameters: a path of any type reaches the function with all of its bytes.
#include <ingot/core/path_ref.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace path_ref_test {

using namespace std::string_literals;

/// A string of another library: no size, no conversion.
struct foreign_string {
  std::string text;
  [[nodiscard]] const char* c_str() const noexcept { return text.c_str(); }
};
struct wide_path {
  [[nodiscard]] const wchar_t* c_str() const noexcept { return L"wide"; }
};

std::string text(ingot::path_ref path) { return std::string(path.text()); }

TEST(path_ref, every_kind_of_argument_gives_its_text) {
  EXPECT_EQ(text("saves/hero"), "saves/hero");
  EXPECT_EQ(text(std::string("saves/hero")), "saves/hero");
  EXPECT_EQ(text(std::string_view("saves/hero.ingot").substr(0, 10)), "saves/hero");
  EXPECT_EQ(text(std::filesystem::path("saves") / "hero"), "saves/hero");
  EXPECT_EQ(text(foreign_string{"saves/hero"}), "saves/hero");
  std::string changing = "saves/hero";
  EXPECT_EQ(text(changing.c_str()), "saves/hero");
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text(std::filesystem::path()), "");
}

// Otherwise the path would be cut off at the byte, and another file would be opened.
TEST(path_ref, zero_bytes_are_kept_where_the_size_is_known) {
  EXPECT_EQ(text("a\0b"s), "a\0b"s);
  EXPECT_EQ(text(std::string_view("a\0b", 3)), "a\0b"s);
  EXPECT_EQ(text(std::filesystem::path("a\0b"s)), "a\0b"s);
}

TEST(path_ref, text_is_not_copied) {
  const std::string name = "a name that is longer than the buffer of a short string";
  EXPECT_EQ(ingot::path_ref(name).text().data(), name.data());
  const std::filesystem::path path(name);
  EXPECT_EQ(ingot::path_ref(path).text().data(), path.c_str());
  EXPECT_EQ(ingot::path_ref(name.c_str()).text().data(), name.data());
}

TEST(path_ref, other_types_are_no_paths) {
  static_assert(std::is_convertible_v<const char*, ingot::path_ref>);
  static_assert(std::is_convertible_v<std::filesystem::path, ingot::path_ref>);
  static_assert(!std::is_convertible_v<std::nullptr_t, ingot::path_ref>);
  static_assert(!std::is_convertible_v<int, ingot::path_ref>);
  static_assert(!std::is_convertible_v<std::vector<char>, ingot::path_ref>);
  static_assert(!std::is_convertible_v<wide_path, ingot::path_ref>);
  static_assert(std::is_trivially_copyable_v<ingot::path_ref>);
}

} // namespace path_ref_test
