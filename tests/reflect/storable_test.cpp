// SPDX-License-Identifier: Apache-2.0
// Types that can be stored, and the check of recursive types, which ends. Types that can't be
// stored are in tests/must_not_compile.
#include <ingot/reflect/storable.hpp>

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace zoo {

struct tree {
  int value;
  std::vector<tree> children;
  std::unique_ptr<tree> left;
  std::map<std::string, tree> named;
};
struct forest;
struct clearing {
  std::vector<forest> around;
};
struct forest {
  std::vector<clearing> in;
  std::optional<std::unique_ptr<forest>> next;
};
struct everything {
  tree trees[2][2];
  forest wood;
  std::variant<std::monostate, tree, std::pair<int, std::string>> either;
  std::expected<void, std::string> nothing;
  std::tuple<int, std::array<double, 3>> both;
  std::chrono::nanoseconds time;
  std::complex<double> wave;
  std::unordered_map<std::string, std::vector<bool>> bits;
};
#if INGOT_REFLECTION
struct cached {
  int value;
  [[= ingot::skip]] int* cache;
  [[= ingot::skip]] std::shared_ptr<int> shared;
};
#else
struct cached {
  int value;
  int* cache;
  std::shared_ptr<int> shared;
};
#endif
class celsius {
public:
  explicit celsius(double d) : degrees(d) {}
  double degrees;
  const int* calibration = nullptr;
};

} // namespace zoo

#if !INGOT_REFLECTION
template <>
inline constexpr auto ingot::annotations<zoo::cached> =
    ingot::annotate(ingot::member<"cache">(ingot::skip), ingot::member<"shared">(ingot::skip));
#endif
template <>
struct ingot::adapt<zoo::celsius> {
  static double to(const zoo::celsius& c) { return c.degrees; }
  static zoo::celsius from(double d) { return zoo::celsius{d}; }
};

namespace {

using ingot::detail::require_storable;

TEST(require_storable, takes_scalars_and_containers) {
  static_assert(require_storable<int>() && require_storable<const std::string>());
  static_assert(require_storable<std::vector<std::map<std::string, std::optional<int>>>>());
}

TEST(require_storable, ends_for_recursive_types) {
  static_assert(require_storable<zoo::tree>());
  static_assert(require_storable<zoo::forest>() && require_storable<zoo::clearing>());
  static_assert(require_storable<zoo::everything>());
}

TEST(require_storable, lets_skipped_members_be_anything) { static_assert(require_storable<zoo::cached>()); }

TEST(require_storable, looks_at_the_stored_form_of_adapted_classes) {
  static_assert(require_storable<std::vector<zoo::celsius>>());
}

TEST(fault_of, finds_the_part_to_blame) {
  using found = ingot::detail::fault_of<std::map<int, std::vector<std::optional<long double>>>>;
  static_assert(found::why == ingot::unsupported_reason::long_double &&
                std::is_same_v<found::found, long double>);
  static_assert(ingot::detail::fault_of<std::tuple<int, int*, long double>>::why ==
                ingot::unsupported_reason::raw_pointer);
  static_assert(ingot::detail::fault_of<int[2][3]>::why == ingot::unsupported_reason::none);
}

#if INGOT_SENTENCES
TEST(refusal_sentence, names_type_member_and_remedy) {
  using namespace ingot::detail;
  static constexpr auto text =
      refusal_sentence<ingot::unsupported_reason::raw_pointer, zoo::cached, "cache", int*, true>();
  EXPECT_EQ(
      std::string_view(text.data(), text.size()),
      "ingot: zoo::cached::cache is a raw pointer, which means nothing to another process: store an index, a "
      "std::unique_ptr or the value itself [raw_pointer]");
  static constexpr auto held =
      refusal_sentence<ingot::unsupported_reason::long_double, zoo::tree, "children", long double, false>();
  EXPECT_EQ(
      std::string_view(held.data(), held.size()),
      "ingot: zoo::tree::children holds something that is a long double (long double), which differs between "
      "platforms: store a double [long_double]");
}
#endif

} // namespace
