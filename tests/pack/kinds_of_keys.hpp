// SPDX-License-Identifier: Apache-2.0
// Every way in which a key may contain a float, for tests that compare all of them with all readers
// and writers.
#pragma once

#include <ingot/reflect/hooks.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace kinds_of_keys {

struct spot {
  std::string name;
  float height = 0;
  std::vector<std::uint8_t> tags;
  auto operator<=>(const spot&) const = default;
};
struct curve {
  std::vector<double> points;
  std::uint16_t id = 0;
  auto operator<=>(const curve&) const = default;
};
/// Contains itself.
struct tree {
  float weight = 0;
  std::vector<tree> children;
  bool operator==(const tree&) const = default;
};
/// Stored as a float, and as a sequence of floats.
class meters {
public:
  meters() = default;
  explicit meters(float n) : n_(n) {}
  [[nodiscard]] float count() const { return n_; }
  auto operator<=>(const meters&) const = default;

private:
  float n_ = 0;
};
class track {
public:
  track() = default;
  explicit track(std::vector<float> all) : all_(std::move(all)) {}
  [[nodiscard]] const std::vector<float>& all() const { return all_; }
  auto operator<=>(const track&) const = default;

private:
  std::vector<float> all_;
};

struct hash {
  std::size_t operator()(const auto&) const noexcept { return 0; }
};
template <class K>
using hashed_set = std::unordered_set<K, hash>;

template <std::size_t Width>
using width = std::integral_constant<std::size_t, Width>;

/// Calls `f` with a name, the width of the float, whether keys have an order, and a function that
/// makes a key of a float.
template <class F>
void each(F&& f) {
  constexpr width<4> f32;
  constexpr width<8> f64;
  constexpr std::true_type ordered;
  constexpr std::false_type unordered;
  using std::vector;
  f("float", f32, ordered, [](float x) { return x; });
  f("array", f32, ordered, [](float x) { return std::array{1.0F, x}; });
  f("pair", f64, ordered, [](double x) { return std::pair<std::string, double>("ab", x); });
  f("vector", f32, ordered, [](float x) { return vector{1.0F, x}; });
  f("deque", f64, ordered, [](double x) { return std::deque{x, 2.0}; });
  f("vector_vector", f32, ordered, [](float x) { return vector<vector<float>>{{}, {2.0F, x}, {}}; });
  f("vector_pair", f32, ordered,
    [](float x) { return vector<std::pair<std::string, float>>{{"a", 1.0F}, {"bcd", x}}; });
  f("array_vector", f32, ordered,
    [](float x) { return std::array<vector<float>, 2>{vector{1.0F}, vector{x}}; });
  f("tuple", f64, ordered, [](double x) {
    return std::tuple<std::string, vector<double>, std::uint8_t>("ab", {x}, std::uint8_t{1});
  });
  f("behind_a_list", f32, ordered, [](float x) { return std::pair<vector<std::uint8_t>, float>({1, 2}, x); });
  f("record", f32, ordered, [](float x) { return spot{"a", x, {1}}; });
  f("record_vector", f64, ordered, [](double x) { return curve{{1.0, x}, 3}; });
  f("duration", f64, ordered, [](double x) { return std::chrono::duration<double>(x); });
  f("vector_time", f32, ordered, [](float x) {
    using span = std::chrono::duration<float>;
    return vector{std::chrono::time_point<std::chrono::system_clock, span>(span(x))};
  });
  f("adapted", f32, ordered, [](float x) { return meters(x); });
  f("vector_adapted", f32, ordered, [](float x) { return vector{meters(1), meters(x)}; });
  f("adapted_vector", f32, ordered, [](float x) { return track({x, 1.0F}); });
  f("optional", f32, unordered, [](float x) { return std::optional(x); });
  f("optional_vector", f32, unordered, [](float x) { return std::optional(vector{x}); });
  f("vector_optional", f32, unordered, [](float x) { return vector<std::optional<float>>{std::nullopt, x}; });
  f("variant", f64, unordered, [](double x) { return std::variant<std::uint8_t, double>(x); });
  f("variant_vector", f64, unordered,
    [](double x) { return std::variant<std::string, vector<double>>(vector{x}); });
  f("expected", f32, unordered,
    [](float x) { return std::expected<std::uint8_t, vector<float>>(std::unexpect, vector{x}); });
  f("complex", f32, unordered, [](float x) { return std::complex<float>(1.0F, x); });
  f("vector_complex", f64, unordered, [](double x) { return vector{std::complex<double>(x, 1.0)}; });
  f("set", f32, unordered, [](float x) { return std::set{x}; });
  f("set_vector", f32, unordered, [](float x) { return std::set{vector{x}}; });
  f("mapped", f32, unordered, [](float x) { return std::map<std::uint8_t, float>{{std::uint8_t{1}, x}}; });
  f("tree", f32, unordered, [](float x) { return tree{1.0F, {{2.0F, {}}, {3.0F, {{x, {}}}}}}; });
}

} // namespace kinds_of_keys

template <>
struct ingot::adapt<kinds_of_keys::meters> {
  static float to(const kinds_of_keys::meters& m) { return m.count(); }
  static kinds_of_keys::meters from(float n) { return kinds_of_keys::meters(n); }
};
template <>
struct ingot::adapt<kinds_of_keys::track> {
  static const std::vector<float>& to(const kinds_of_keys::track& t) { return t.all(); }
  static kinds_of_keys::track from(std::vector<float>&& all) { return kinds_of_keys::track(std::move(all)); }
};
