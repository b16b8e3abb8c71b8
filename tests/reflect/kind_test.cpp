// SPDX-License-Identifier: Apache-2.0
// One classification that every representation shares: a type that changed kind would change its bytes.
#include <ingot/reflect/kind.hpp>

#include <array>
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
struct ingot::adapt<zoo::money> {
  static std::int64_t to(const zoo::money& m) { return m.cents; }
  static zoo::money from(std::int64_t cents) { return zoo::money{cents}; }
};

namespace {

using ingot::kind;
using ingot::kind_of;
using ingot::refusal;
using ingot::refusal_of;

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
  static_assert(kind_of<std::chrono::system_clock::time_point> == kind::time_point);
  static_assert(kind_of<std::chrono::sys_days> == kind::time_point);
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

TEST(refusal_of, gives_the_reason) {
  static_assert(refusal_of<int*> == refusal::raw_pointer && refusal_of<void*> == refusal::raw_pointer);
  static_assert(refusal_of<const char*> == refusal::raw_pointer);
  static_assert(refusal_of<int&> == refusal::reference);
  static_assert(refusal_of<void (*)()> == refusal::function &&
                refusal_of<int zoo::record::*> == refusal::function);
  static_assert(refusal_of<long double> == refusal::long_double);
  static_assert(refusal_of<zoo::either> == refusal::union_type);
  static_assert(refusal_of<volatile int> == refusal::volatile_type);
  static_assert(refusal_of<const int> == refusal::const_member);
  static_assert(refusal_of<std::shared_ptr<int>> == refusal::shared_pointer);
  static_assert(refusal_of<std::weak_ptr<int>> == refusal::shared_pointer);
  static_assert(refusal_of<wchar_t> == refusal::wide_character);
  static_assert(refusal_of<std::unique_ptr<int[]>> == refusal::unsized_array);
  static_assert(refusal_of<std::unique_ptr<zoo::base>> == refusal::polymorphic_box);
  static_assert(refusal_of<zoo::blank> == refusal::unknown_enum);
  static_assert(refusal_of<zoo::opaque> == refusal::unknown_class);
  static_assert(refusal_of<std::mutex> == refusal::unknown_class);
  static_assert(refusal_of<std::function<void()>> == refusal::unknown_class);
  static_assert(refusal_of<std::nullptr_t> == refusal::unknown_class);
}

TEST(refusal_of, is_none_for_what_can_be_stored) {
  static_assert(refusal_of<int> == refusal::none && refusal_of<std::string> == refusal::none);
  static_assert(refusal_of<zoo::record> == refusal::none && refusal_of<zoo::money> == refusal::none);
  static_assert(refusal_of<zoo::colour> == refusal::none && refusal_of<std::byte> == refusal::none);
}

} // namespace
