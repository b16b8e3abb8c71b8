// SPDX-License-Identifier: Apache-2.0
// Lossy options of members. An error would apply the loss to other members than the type says, or
// to none.
#include <ingot/reflect/detail/lossy_options.hpp>
#include <ingot/reflect/storable.hpp>

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lossy_options {

struct vec3 {
  float x, y, z;
};
struct joint {
  std::string name;
  std::array<double, 4> turn;
  vec3 place;
  int parent;
  float size;
};
struct bone {
  float position[3];
  float rotation[4];
  float scale[3];
};
struct still {
  float position[3];
  float rotation[4];
};
struct odd {
  float velocity[3];
  float position[3];
  float rotation[4];
  float scale;
  std::vector<float> weights;
};
struct lone {
  float at[3];
};
struct crowded {
  float position[3];
  float rotation[4];
  float scale;
  std::vector<float> weights;
};
struct two_turns {
  float position[3];
  float rotation[4];
  float other[4];
};
struct scale_first {
  float scale;
  float position[3];
  float rotation[4];
};

} // namespace lossy_options

template <>
struct ingot::adapt<lossy_options::vec3> {
  static std::array<float, 3> to(const lossy_options::vec3& v) { return {v.x, v.y, v.z}; }
  static lossy_options::vec3 from(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }
};
template <>
inline constexpr auto ingot::annotations<lossy_options::joint> =
    ingot::annotate(ingot::type(ingot::transform(0.001)));
template <>
inline constexpr auto ingot::annotations<lossy_options::bone> =
    ingot::annotate(ingot::type(ingot::transform(0.01, 32, 0.5)));
template <>
inline constexpr auto ingot::annotations<lossy_options::still> =
    ingot::annotate(ingot::type(ingot::transform(0.001)));
template <>
inline constexpr auto ingot::annotations<lossy_options::odd> =
    ingot::annotate(ingot::type(ingot::transform(0.001)), ingot::member<"scale">(ingot::fixed),
                    ingot::member<"velocity">(ingot::quantize(0.5)),
                    ingot::member<"weights">(ingot::tight_float));

namespace losses_test {

namespace d = ingot::detail;

TEST(lossy_options, of_a_transform_are_those_of_its_parts) {
  constexpr auto turn = d::lossy_options_of<lossy_options::joint, 1>();
  static_assert(turn.is_unit_vector && turn.unit.bytes == 6 && !turn.is_quantized);
  constexpr auto options = d::lossy_options_of<lossy_options::joint, 2>(); // adapted to an array
  static_assert(options.is_quantized && options.step.digits == 3 && options.step.units == 1 &&
                !options.is_unit_vector);
  constexpr auto size = d::lossy_options_of<lossy_options::joint, 4>();
  static_assert(size.is_quantized && size.step.digits == 3);
  static_assert(!d::lossy_options_of<lossy_options::joint, 0>().is_quantized &&
                !d::lossy_options_of<lossy_options::joint, 3>().is_quantized);
  constexpr auto scale = d::lossy_options_of<lossy_options::bone, 2>();
  static_assert(scale.is_quantized && scale.step.units == 5 && scale.step.digits == 1);
  static_assert(d::lossy_options_of<lossy_options::bone, 1>().unit.bytes == 4 &&
                d::lossy_options_of<lossy_options::bone, 0>().step.digits == 2);
  static_assert(ingot::detail::require_storable<lossy_options::joint>() &&
                ingot::detail::require_storable<lossy_options::still>());
}

TEST(lossy_options, of_a_member_that_is_annotated_itself_are_its_own) {
  static_assert(d::lossy_options_of<lossy_options::odd, 0>().step.units == 5 &&
                d::lossy_options_of<lossy_options::odd, 0>().step.digits == 1);
  static_assert(d::lossy_options_of<lossy_options::odd, 1>().step.digits == 3);
  static_assert(d::lossy_options_of<lossy_options::odd, 2>().is_unit_vector);
  static_assert(!d::lossy_options_of<lossy_options::odd, 3>().is_quantized &&
                !d::lossy_options_of<lossy_options::odd, 4>().is_quantized);
  static_assert(d::find_transform<lossy_options::odd>().is_well);
}

TEST(lossy_options, of_other_shapes_are_nobodys_guess) {
  static_assert(d::find_transform<lossy_options::still>().is_well &&
                d::find_transform<lossy_options::joint>().is_well);
  static_assert(!d::find_transform<lossy_options::lone>().is_well);
  static_assert(!d::find_transform<lossy_options::crowded>().is_well);
  static_assert(!d::find_transform<lossy_options::two_turns>().is_well);
  static_assert(!d::find_transform<lossy_options::scale_first>().is_well);
}

TEST(lossy_options, a_unit_vector_has_a_size_for_each_number_of_floats) {
  static_assert(d::unit_size_of(0, 3) == 4 && d::unit_size_of(0, 4) == 6);
  static_assert(d::unit_size_of(2, 3) == 2 && d::unit_size_of(5, 3) == 5);
  static_assert(d::unit_size_of(3, 4) == 3 && d::unit_size_of(8, 4) == 8);
  static_assert(d::unit_size_of(1, 3) == 0 && d::unit_size_of(6, 3) == 0 && d::unit_size_of(2, 4) == 0 &&
                d::unit_size_of(9, 4) == 0 && d::unit_size_of(4, 2) == 0 && d::unit_size_of(0, 5) == 0);
  static_assert(d::has_unit_vector<0, std::vector<std::array<float, 3>>>() &&
                !d::has_unit_vector<0, std::vector<float>>() &&
                !d::has_unit_vector<2, std::array<float, 4>>());
}

} // namespace losses_test
