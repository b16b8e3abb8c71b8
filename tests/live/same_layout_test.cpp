// SPDX-License-Identifier: Apache-2.0
// A type that `same_layout_everywhere` accepts has one layout on all platforms; the leg `layouts`
// compiles the same types for these. Here: each kind of difference is found, and named by the path
// of its member.
#include <ingot/live/hash_map.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/same_layout_everywhere.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <ratio>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace same_layout_test {

class hides {
  std::uint32_t a_ = 0;
  std::uint32_t hidden_ : 3 = 0;
  std::uint32_t b_ = 0;

public:
  constexpr auto reflect(auto&& f) { return f(a_, b_); }
  [[nodiscard]] std::uint32_t hidden() const { return hidden_; }
};

} // namespace same_layout_test
template <>
inline constexpr auto ingot::annotations<same_layout_test::hides> =
    ingot::annotate(ingot::type(ingot::partial));
namespace same_layout_test {

using ingot::detail::layout_difference;
using enum layout_difference;

template <class T, bool WithX86 = false>
constexpr bool finds(layout_difference what, std::string_view path = "") {
  constexpr const auto& found = ingot::detail::layout_difference_in<T, WithX86>;
  return found.what == what && found.path.view() == path;
}

struct plain {
  ingot::string name;
  ingot::map<std::uint32_t, ingot::vector<std::pair<float, ingot::string>>> all;
  ingot::optional<ingot::hash_map<ingot::string, char>> some;
};
static_assert(ingot::same_layout_everywhere<plain> && ingot::same_layout_everywhere<const plain>);
static_assert(ingot::same_layout_everywhere<plain, ingot::platforms::with_x86_32>);

/// The difference of a number of 64 bits by itself.
constexpr layout_difference of_64_bits =
    alignof(ingot::detail::aligned_member<std::uint64_t>) == 8 ? none : x86_32_alignment;

enum unfixed { unfixed_a, unfixed_b };
enum fixed : std::int16_t { fixed_a };
enum class of_char : char { a };
enum class of_wide_char : wchar_t { a };
enum class of_bool : bool { no, yes };
static_assert(finds<unfixed>(unfixed_enum));
static_assert(finds<fixed>(none) && finds<of_bool>(none));
static_assert(finds<of_char>(plain_char));
static_assert(finds<of_wide_char>(platform_integer));
static_assert(finds<wchar_t>(platform_integer));
static_assert(finds<char>(none) && finds<char8_t>(none) && finds<std::int64_t>(of_64_bits) &&
              finds<double>(of_64_bits));
static_assert(finds<long>(std::is_same_v<long, std::int64_t> ? of_64_bits : platform_integer));

// Periods of named types, in 32 bits as in some libraries.
using hours = std::chrono::duration<std::int32_t, std::ratio<3600>>;
using days = std::chrono::duration<std::int32_t, std::ratio<86'400>>;
static_assert(finds<hours>(library_duration) && finds<std::chrono::sys_time<days>>(library_duration));
static_assert(finds<std::chrono::seconds>(of_64_bits) &&
              finds<std::chrono::duration<double, std::ratio<60>>>(of_64_bits));
static_assert(finds<std::chrono::sys_time<std::chrono::nanoseconds>>(of_64_bits));
static_assert(finds<std::bitset<8>>(library_bitset));
static_assert(finds<std::array<int, 0>>(empty_array));

// Paths
struct inner {
  std::uint32_t good;
  std::array<std::pair<float, hours>, 2> times;
};
struct nested {
  ingot::string name;
  ingot::map<std::uint32_t, ingot::vector<inner>> all;
};
struct chosen {
  std::uint8_t a;
  ingot::variant<std::uint8_t, ingot::optional<unfixed>> either;
};
struct recursive {
  ingot::vector<recursive> children;
  std::uint16_t id;
  std::bitset<3> flags;
};
static_assert(finds<inner>(library_duration, "times[].second"));
static_assert(finds<nested>(library_duration, "all[].second[].times[].second"));
static_assert(finds<chosen>(unfixed_enum, "either<1>[]"));
static_assert(finds<recursive>(library_bitset, "flags"));

// Bases
struct padded {
  std::uint32_t a = 0;
  std::uint16_t b = 0;
};
struct full {
  std::uint32_t a = 0;
  std::uint16_t b = 0;
  std::uint16_t spare = 0;
};
struct after_padding : padded {
  std::uint16_t c = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<padded>(*this), c); }
};
struct after_full : full {
  std::uint16_t c = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<full>(*this), c); }
};
struct only_padded : padded {
  constexpr auto reflect(auto&& f) { return f(ingot::base<padded>(*this)); }
};
struct after_both : only_padded {
  std::uint8_t d = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<only_padded>(*this), d); }
};
struct padded_first : padded, full {
  constexpr auto reflect(auto&& f) { return f(ingot::base<padded>(*this), ingot::base<full>(*this)); }
};
struct padded_last : full, padded {
  constexpr auto reflect(auto&& f) { return f(ingot::base<full>(*this), ingot::base<padded>(*this)); }
};
struct holds_it {
  std::uint32_t x;
  after_padding y;
};
static_assert(finds<after_padding>(base_padding) && finds<after_both>(base_padding));
/// The base has no padding here, because its own base's padding has its member.
struct after_filled_padding : after_padding {
  std::uint32_t e = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<after_padding>(*this), e); }
};
static_assert(finds<after_filled_padding>(base_padding));
static_assert(finds<after_full>(none) && finds<only_padded>(none));
static_assert(finds<padded_last>(none));
static_assert(finds<padded_first>(base_padding));
static_assert(finds<holds_it>(base_padding, "y"));

struct empty {};
struct also_empty {};
struct one_empty : empty {
  std::uint32_t x;
};
struct two_empty : empty, also_empty {
  std::uint32_t x;
};
struct empty_and_full : empty, full {
  std::uint32_t x = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<full>(*this), x); }
};
struct before_its_type : empty {
  empty first;
  std::uint32_t x = 0;
  constexpr auto reflect(auto&& f) { return f(first, x); }
};
struct small : empty {
  std::uint8_t x;
};
struct before_its_holder : empty {
  std::array<small, 1> first;
  std::uint32_t x = 0;
  constexpr auto reflect(auto&& f) { return f(first, x); }
};
struct holds_empties {
  empty a;
  empty b;
  one_empty c;
};
static_assert(finds<empty>(none) && finds<one_empty>(none) && finds<holds_empties>(none));
static_assert(finds<two_empty>(empty_base) && finds<empty_and_full>(empty_base));
static_assert(finds<before_its_type>(empty_base) && finds<before_its_holder>(empty_base));

// Members that share bytes, and bytes that are no member's
struct shares {
  [[no_unique_address]] empty a;
  std::uint32_t b;
};
struct another_order {
  std::uint32_t a = 0;
  std::uint8_t b = 0;
  constexpr auto reflect(auto&& f) { return f(b, a); }
};
struct aligned {
  std::uint8_t a;
  alignas(8) std::uint32_t b;
};
struct alignas(16) aligned_as_a_whole {
  std::uint8_t a;
};
static_assert(finds<shares>(shared_bytes));
static_assert(finds<hides>(hidden_bytes));
static_assert(finds<another_order>(none) && finds<aligned>(none) && finds<aligned_as_a_whole>(none));

// 32-bit x86
struct wide_members {
  std::uint32_t a;
  alignas(8) std::uint64_t b;
};
static_assert(finds<wide_members, true>(x86_32_alignment, "b"));
static_assert(finds<plain, true>(none));
static_assert(finds<ingot::wide::string, true>(x86_32_alignment));
static_assert(finds<ingot::vector<double>, true>(x86_32_alignment, "[]"));
#if defined(__i386__)
static_assert(finds<wide_members>(x86_32_alignment, "b"));
#else
static_assert(finds<wide_members>(none));
static_assert(ingot::same_layout_everywhere<ingot::wide::vector<ingot::wide::string>>);
#endif

TEST(same_layout_everywhere, cuts_paths_that_are_too_long) {
  ingot::detail::layout_path path;
  for (int i = 0; i < 300; ++i) path.add_member("name");
  EXPECT_EQ(path.view().size(), 256U);
  EXPECT_TRUE(path.view().starts_with("name.name."));
  ingot::detail::layout_path index;
  index.add_index(120);
  EXPECT_EQ(index.view(), "120");
}

} // namespace same_layout_test
