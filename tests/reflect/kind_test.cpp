// SPDX-License-Identifier: Apache-2.0
// One classification that every representation shares: a type with another kind would have other
// bytes.
#include <ingot/reflect/kind.hpp>

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

struct record {
  int a;
};
enum class colour { red };
template <class Base>
struct adds : Base {
  char more;
};
template <class Base>
struct adds_nothing : Base {
  using Base::Base;
};
struct adds_functions : std::vector<int> {
  virtual ~adds_functions() = default;
  virtual int sum() const { return 0; }
};
struct hides_size : std::vector<int> {
  [[nodiscard]] std::size_t size() const { return 0; }
  int more;
};
/// A container by private inheritance.
class uses_inside : std::vector<int> {
public:
  using vector::begin;
  using vector::clear;
  using vector::end;
  using vector::push_back;
  using vector::size;
  using vector::size_type;
  using vector::value_type;
  int more = 0;
};
struct leaves_out : std::vector<int> {
  int cached_sum = 0;
};
enum class blank {};
union either {
  int a;
  float b;
};
class money {
public:
  explicit money(std::int64_t c) : cents(c) {}
  std::int64_t cents;
};
class opaque {
  int hidden_ = 0;

public:
  [[nodiscard]] int hidden() const { return hidden_; }
};
struct base {
  virtual ~base() = default;
};
struct last final : base {
  int a = 0;
  INGOT_REFLECT(last, (base), a)
};

} // namespace zoo

template <>
inline constexpr auto ingot::annotations<zoo::leaves_out> = ingot::annotate(ingot::type(ingot::partial));

template <>
struct ingot::adapt<zoo::money> {
  static std::int64_t to(const zoo::money& m) { return m.cents; }
  static zoo::money from(std::int64_t cents) { return zoo::money{cents}; }
};

namespace {

using ingot::kind;
using ingot::kind_of;
using ingot::unsupported_reason;
using ingot::unsupported_reason_of;

TEST(kind_of, scalars) {
  static_assert(kind_of<bool> == kind::boolean);
  static_assert(kind_of<int> == kind::integer && kind_of<std::uint8_t> == kind::integer);
  static_assert(kind_of<signed char> == kind::integer && kind_of<unsigned long long> == kind::integer);
  static_assert(kind_of<char> == kind::character && kind_of<char32_t> == kind::character);
  static_assert(kind_of<float> == kind::floating && kind_of<double> == kind::floating);
  static_assert(kind_of<std::byte> == kind::byte);
  static_assert(kind_of<zoo::colour> == kind::enumeration);
  static_assert(kind_of<const int> == kind::integer);
}

TEST(kind_of, values_of_the_standard_library) {
  static_assert(kind_of<std::chrono::seconds> == kind::duration);
  static_assert(kind_of<std::chrono::duration<double>> == kind::duration);
  // Time points with the clocks' own periods, and counts of days, have a stored form that is equal
  // in all libraries: platform_form_test has those.
  static_assert(kind_of<std::chrono::sys_time<std::chrono::nanoseconds>> == kind::time_point);
  static_assert(kind_of<std::chrono::sys_seconds> == kind::time_point);
  static_assert(kind_of<std::complex<float>> == kind::complex);
  static_assert(kind_of<std::bitset<70>> == kind::bitset);
  static_assert(kind_of<std::filesystem::path> == kind::path);
}

TEST(kind_of, texts) {
  static_assert(kind_of<std::string> == kind::string && kind_of<std::u16string> == kind::string);
  static_assert(kind_of<std::string_view> == kind::string);
  static_assert(kind_of<std::vector<char>> == kind::sequence);
}

TEST(kind_of, containers) {
  static_assert(kind_of<std::vector<int>> == kind::sequence && kind_of<std::vector<bool>> == kind::sequence);
  static_assert(kind_of<std::deque<int>> == kind::sequence && kind_of<std::list<int>> == kind::sequence);
  static_assert(kind_of<std::span<const int>> == kind::sequence);
  static_assert(kind_of<std::array<int, 3>> == kind::array && kind_of<int[3][4]> == kind::array);
  static_assert(kind_of<std::array<int, 0>> == kind::array);
  static_assert(kind_of<std::set<int>> == kind::set && kind_of<std::multiset<int>> == kind::set);
  static_assert(kind_of<std::unordered_set<int>> == kind::unordered_set);
  static_assert(kind_of<std::map<int, int>> == kind::map && kind_of<std::multimap<int, int>> == kind::map);
  static_assert(kind_of<std::unordered_map<int, int>> == kind::unordered_map);
}

TEST(kind_of, wrappers_and_products) {
  static_assert(kind_of<std::optional<int>> == kind::optional);
  static_assert(kind_of<std::unique_ptr<zoo::record>> == kind::box);
  static_assert(kind_of<std::unique_ptr<zoo::last>> == kind::box);
  static_assert(kind_of<std::variant<int, std::string>> == kind::variant);
  static_assert(kind_of<std::expected<int, std::string>> == kind::expected);
  static_assert(kind_of<std::expected<void, int>> == kind::expected);
  static_assert(kind_of<std::pair<int, int>> == kind::tuple && kind_of<std::tuple<>> == kind::tuple);
  static_assert(kind_of<std::monostate> == kind::record);
}

TEST(kind_of, classes) {
  static_assert(kind_of<zoo::record> == kind::record);
  static_assert(kind_of<zoo::money> == kind::adapted);
  static_assert(std::is_same_v<ingot::adapted_t<zoo::money>, std::int64_t>);
}

TEST(is_multi, tells_repeated_keys) {
  static_assert(ingot::is_multi<std::multimap<int, int>> && ingot::is_multi<std::multiset<int>>);
  static_assert(ingot::is_multi<std::unordered_multimap<int, int>>);
  static_assert(!ingot::is_multi<std::map<int, int>> && !ingot::is_multi<std::unordered_set<int>>);
}

TEST(is_borrowed, is_what_owns_nothing) {
  static_assert(ingot::is_borrowed<std::string_view> && ingot::is_borrowed<std::span<const int>>);
  static_assert(!ingot::is_borrowed<std::string> && !ingot::is_borrowed<std::vector<int>>);
  static_assert(!ingot::is_borrowed<std::array<int, 2>> && !ingot::is_borrowed<int>);
}

TEST(element_t, has_no_const) {
  static_assert(std::is_same_v<ingot::element_t<std::span<const int>>, int>);
  static_assert(std::is_same_v<ingot::element_t<int[2][3]>, int[3]>);
  static_assert(std::is_same_v<ingot::element_t<std::vector<bool>>, bool>);
  static_assert(std::is_same_v<ingot::key_t<std::map<std::string, int>>, std::string>);
  static_assert(std::is_same_v<ingot::mapped_t<std::map<std::string, int>>, int>);
}

TEST(unsupported_reason_of, gives_the_reason) {
  static_assert(unsupported_reason_of<int*> == unsupported_reason::raw_pointer &&
                unsupported_reason_of<void*> == unsupported_reason::raw_pointer);
  static_assert(unsupported_reason_of<const char*> == unsupported_reason::raw_pointer);
  static_assert(unsupported_reason_of<int&> == unsupported_reason::reference);
  static_assert(unsupported_reason_of<void (*)()> == unsupported_reason::function &&
                unsupported_reason_of<int zoo::record::*> == unsupported_reason::function);
  static_assert(unsupported_reason_of<long double> == unsupported_reason::long_double);
  static_assert(unsupported_reason_of<zoo::either> == unsupported_reason::union_type);
  static_assert(unsupported_reason_of<volatile int> == unsupported_reason::volatile_type);
  static_assert(unsupported_reason_of<const int> == unsupported_reason::const_member);
  static_assert(unsupported_reason_of<std::shared_ptr<int>> == unsupported_reason::shared_pointer);
  static_assert(unsupported_reason_of<std::weak_ptr<int>> == unsupported_reason::shared_pointer);
  static_assert(unsupported_reason_of<wchar_t> == unsupported_reason::wide_character);
  static_assert(unsupported_reason_of<std::unique_ptr<int[]>> == unsupported_reason::unsized_array);
  static_assert(unsupported_reason_of<std::unique_ptr<zoo::base>> == unsupported_reason::polymorphic_box);
  static_assert(unsupported_reason_of<zoo::blank> == unsupported_reason::unknown_enum);
  static_assert(unsupported_reason_of<zoo::opaque> == unsupported_reason::unknown_class);
  static_assert(unsupported_reason_of<std::mutex> == unsupported_reason::standard_class);
  static_assert(unsupported_reason_of<std::function<void()>> == unsupported_reason::standard_class);
  static_assert(unsupported_reason_of<std::nullptr_t> == unsupported_reason::null_pointer);
  static_assert(unsupported_reason_of<int[]> == unsupported_reason::unsized_array);
  static_assert(unsupported_reason_of<std::atomic<int>> == unsupported_reason::atomic);
  static_assert(unsupported_reason_of<std::chrono::year_month_day> == unsupported_reason::calendar);
  static_assert(unsupported_reason_of<std::chrono::weekday> == unsupported_reason::calendar);
#if defined(__SIZEOF_INT128__)
  __extension__ using wide = __int128;
  static_assert(unsupported_reason_of<wide> == unsupported_reason::wide_integer &&
                kind_of<wide> == kind::none);
#endif
#if defined(__clang__)
  // One standard library takes these for integers, another doesn't; 100 in 7 bits was read as -28
  __extension__ using narrow = _BitInt(7);
  static_assert(unsupported_reason_of<narrow> == unsupported_reason::wide_integer &&
                kind_of<narrow> == kind::none);
#endif
#if defined(__STDCPP_FLOAT32_T__)
  static_assert(unsupported_reason_of<_Float32> == unsupported_reason::extended_float);
#endif
}

// An earlier version stored a class derived from a container as its base, without its own members.
TEST(unsupported_reason_of, members_added_to_what_is_stored_as_a_whole) {
  constexpr auto loses = []<class T>(std::type_identity<T>) {
    return unsupported_reason_of<T> == unsupported_reason::derived_class && kind_of<T> == kind::none;
  };
  static_assert(loses(std::type_identity<zoo::adds<std::vector<std::string>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::vector<bool>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::deque<int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::list<int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::map<int, int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::set<int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::unordered_map<int, int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::unordered_set<int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::string>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::string_view>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::span<const int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::filesystem::path>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::chrono::milliseconds>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::chrono::sys_seconds>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::complex<double>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::bitset<9>>>{}));
  // The added member is in its padding
  static_assert(loses(std::type_identity<zoo::adds<std::optional<int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::expected<int, char>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<std::unique_ptr<int>>>{}));
  static_assert(loses(std::type_identity<zoo::adds<zoo::adds<std::string>>>{}));
  static_assert(loses(std::type_identity<zoo::adds_nothing<zoo::adds<std::string>>>{}));
  static_assert(loses(std::type_identity<zoo::hides_size>{}));
}

TEST(kind_of, classes_that_add_nothing_are_their_bases) {
  static_assert(kind_of<zoo::adds_nothing<std::vector<int>>> == kind::sequence);
  static_assert(kind_of<zoo::adds_nothing<std::string>> == kind::string);
  static_assert(kind_of<zoo::adds_nothing<std::optional<int>>> == kind::optional);
  static_assert(kind_of<zoo::adds_nothing<std::chrono::seconds>> == kind::duration);
  static_assert(kind_of<zoo::adds_nothing<std::complex<float>>> == kind::complex);
  static_assert(kind_of<zoo::adds_functions> == kind::sequence);
  static_assert(kind_of<zoo::uses_inside> == kind::sequence);
  static_assert(kind_of<zoo::leaves_out> == kind::sequence);
}

TEST(unsupported_reason_of, is_none_for_what_can_be_stored) {
  static_assert(unsupported_reason_of<int> == unsupported_reason::none &&
                unsupported_reason_of<std::string> == unsupported_reason::none);
  static_assert(unsupported_reason_of<zoo::record> == unsupported_reason::none &&
                unsupported_reason_of<zoo::money> == unsupported_reason::none);
  static_assert(unsupported_reason_of<zoo::colour> == unsupported_reason::none &&
                unsupported_reason_of<std::byte> == unsupported_reason::none);
}

} // namespace
