// SPDX-License-Identifier: Apache-2.0
// The description that all codecs share: slots, offsets, fixed and recursive types. All checks run
// at compile time.
#include <ingot/pack/layout.hpp>

#include "zoo/zoo.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace layout_test {

namespace detail = ingot::detail;
using detail::is_bitwise;
using detail::is_fixed;
using detail::is_recursive;
using detail::is_variable_leaf;
using detail::part_offsets;
using detail::slot_size;

TEST(pack_layout, scalars_stand_in_their_slots) {
  static_assert(slot_size<bool> == 1 && slot_size<std::uint64_t> == 8 && slot_size<float> == 4);
  static_assert(slot_size<char16_t> == 2 && slot_size<std::byte> == 1 && slot_size<zoo::distance> == 8);
  static_assert(slot_size<std::chrono::duration<std::int32_t, std::milli>> == 4);
  static_assert(slot_size<std::complex<double>> == 16);
  static_assert(slot_size<std::bitset<1>> == 1 && slot_size<std::bitset<8>> == 1 &&
                slot_size<std::bitset<77>> == 10);
  static_assert(slot_size<std::array<std::uint16_t, 5>> == 10 && slot_size<float[2][3]> == 24);
  static_assert(slot_size<std::array<std::uint64_t, 0>> == 0);
}

TEST(pack_layout, parts_follow_each_other_without_padding) {
  static_assert(slot_size<zoo::padded> == 15 && sizeof(zoo::padded) > 15);
  static_assert(part_offsets<zoo::padded> == std::array<std::size_t, 6>{0, 1, 9, 10, 14, 15});
  static_assert(slot_size<zoo::segment> == 33); // nested records are flattened
  static_assert(part_offsets<std::tuple<std::uint8_t, zoo::point, bool>> ==
                std::array<std::size_t, 4>{0, 1, 17, 18});
  static_assert(slot_size<zoo::nothing> == 0 && slot_size<std::tuple<>> == 0);
  static_assert(slot_size<zoo::rectangle> == 4);            // the skipped member takes none
  static_assert(slot_size<zoo::station> == 8 + 4 + 16 + 2); // bases first
}

TEST(pack_layout, fixed_alternatives_take_a_tag_and_the_largest) {
  static_assert(slot_size<std::optional<std::uint32_t>> == 5 && slot_size<std::unique_ptr<zoo::point>> == 17);
  static_assert(slot_size<std::variant<std::uint8_t, double, bool>> == 9);
  static_assert(slot_size<std::expected<void, std::uint16_t>> == 3);
  static_assert(slot_size<std::optional<std::optional<bool>>> == 3);
  static_assert(slot_size<std::variant<std::monostate>> == 1);
}

TEST(pack_layout, variable_fields_take_an_end) {
  static_assert(slot_size<std::string> == 4 && slot_size<std::vector<std::uint64_t>> == 4);
  static_assert(slot_size<std::map<std::string, int>> == 4 && slot_size<std::optional<std::string>> == 4);
  static_assert(slot_size<std::array<std::string, 3>> == 12);
  static_assert(slot_size<zoo::full_name> == 8);
  // evolvable
  static_assert(slot_size<zoo::sensor_v2> == 4 && detail::fixed_part<zoo::sensor_v2> == 20);
  static_assert(detail::element_stride<zoo::sensor_v2> == 24);
  static_assert(detail::element_stride<detail::map_entry<std::string, std::uint16_t>> == 6);
}

TEST(pack_layout, tells_fixed_from_variable) {
  static_assert(is_fixed<zoo::padded> && is_fixed<std::tuple<>> && is_fixed<std::unique_ptr<zoo::point>>);
  static_assert(is_fixed<zoo::money> && !is_fixed<zoo::serial_number>);
  static_assert(!is_fixed<zoo::reading> && !is_fixed<std::array<zoo::reading, 2>>);
  static_assert(!is_fixed<std::variant<std::uint8_t, std::string>> && !is_fixed<std::vector<zoo::nothing>>);
  static_assert(!is_variable_leaf<zoo::full_name> && is_variable_leaf<zoo::reading>);
  static_assert(is_variable_leaf<std::optional<zoo::full_name>> &&
                !is_variable_leaf<std::optional<zoo::point>>);
}

TEST(pack_layout, recursive_types_are_variable) {
  static_assert(!is_fixed<zoo::binary_tree> && is_variable_leaf<std::unique_ptr<zoo::binary_tree>>);
  static_assert(slot_size<zoo::binary_tree> == 12);
  static_assert(is_recursive<zoo::binary_tree> && is_recursive<std::unique_ptr<zoo::binary_tree>>);
  static_assert(is_recursive<zoo::outline> && is_recursive<std::vector<zoo::outline>>);
  static_assert(is_recursive<zoo::folder> && is_recursive<zoo::entry>);
  static_assert(!is_recursive<zoo::nested> && !is_recursive<std::vector<std::vector<std::string>>>);
}

TEST(pack_layout, tells_what_memcpy_may_move) {
  static_assert(is_bitwise<std::uint8_t> && is_bitwise<char[4]>);
  static_assert(is_bitwise<zoo::point> == detail::little_endian);
  // padding inside, padding at the end
  static_assert(!is_bitwise<zoo::padded> && !is_bitwise<zoo::tick>);
  static_assert(!is_bitwise<zoo::rectangle> &&
                !is_bitwise<zoo::counter>); // a skipped member, a class in any order
  // libraries store them in reverse order
  static_assert(!is_bitwise<std::tuple<std::uint32_t, std::uint32_t>>);
}

TEST(pack_layout, tells_what_any_bytes_are_values_of) {
  static_assert(detail::any_bytes_valid<zoo::tick> && detail::any_bytes_valid<zoo::permission>);
  static_assert(!detail::any_bytes_valid<zoo::padded> &&
                !detail::any_bytes_valid<zoo::segment>); // a bool, an enum
  static_assert(!detail::any_bytes_valid<zoo::interval> && !detail::any_bytes_valid<std::bitset<5>>);
  static_assert(detail::any_bytes_valid<std::bitset<64>> && !detail::any_bytes_valid<std::string>);
}

} // namespace layout_test
