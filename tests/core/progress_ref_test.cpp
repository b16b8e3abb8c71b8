// SPDX-License-Identifier: Apache-2.0
// The arguments from which a reference to a progress callback can be constructed.
#include <ingot/core/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace progress_ref_test {

using ingot::progress_ref;

std::uint64_t reported = 0;
bool below_ten(std::uint64_t done, std::uint64_t) {
  reported = done;
  return done < 10;
}
bool below_twenty(std::uint64_t done, std::uint64_t) noexcept { return done < 20; }
int with_other_types(unsigned long long done, unsigned long long total) { return done < total ? 2 : 0; }
struct options {
  progress_ref progress;
};

TEST(progress_ref, is_constructed_from_a_plain_function) {
  const progress_ref progress(below_ten);
  EXPECT_TRUE(static_cast<bool>(progress));
  EXPECT_TRUE(progress(9, 100));
  EXPECT_EQ(reported, 9U);
  EXPECT_FALSE(progress(10, 100));
  EXPECT_FALSE(progress_ref(below_twenty)(20, 100));
  EXPECT_TRUE(progress_ref(with_other_types)(1, 2));
  EXPECT_FALSE(progress_ref(with_other_types)(2, 2));
  const options by_name{.progress = below_ten};
  EXPECT_FALSE(by_name.progress(10, 100));
}
/// The pointer is not needed after the construction.
TEST(progress_ref, copies_a_pointer_to_a_function) {
  bool (*pointer)(std::uint64_t, std::uint64_t) = &below_ten;
  const progress_ref progress(pointer);
  const progress_ref of_constant(std::as_const(pointer));
  pointer = &below_twenty;
  EXPECT_FALSE(progress(10, 100));
  EXPECT_FALSE(of_constant(10, 100));
  EXPECT_TRUE(progress_ref(pointer)(10, 100));
  EXPECT_FALSE(progress_ref(&below_ten)(10, 100));
}
TEST(progress_ref, of_a_null_pointer_is_no_function) {
  bool (*none)(std::uint64_t, std::uint64_t) = nullptr;
  const progress_ref progress(none);
  EXPECT_FALSE(static_cast<bool>(progress));
  EXPECT_TRUE(progress(1, 2)) << "no callback stops it";
}
TEST(progress_ref, refers_to_a_function_object) {
  struct counter {
    int calls = 0;
    bool operator()(std::uint64_t, std::uint64_t) { return ++calls < 2; }
  };
  counter counts;
  const progress_ref progress(counts);
  EXPECT_TRUE(progress(1, 2));
  EXPECT_FALSE(progress(2, 2));
  EXPECT_EQ(counts.calls, 2);
  const auto constant = [](std::uint64_t done, std::uint64_t total) { return done != total; };
  EXPECT_TRUE(progress_ref(constant)(1, 2));
}
TEST(progress_ref, is_constructed_from_nothing_else) {
  using other_signature = bool(std::uint64_t);
  static_assert(!std::is_constructible_v<progress_ref, other_signature&>);
  static_assert(!std::is_constructible_v<progress_ref, other_signature*>);
  static_assert(!std::is_constructible_v<progress_ref, std::nullptr_t>);
  static_assert(std::is_trivially_copyable_v<progress_ref>);
  static_assert(sizeof(progress_ref) == 2 * sizeof(void*));
}

} // namespace progress_ref_test
