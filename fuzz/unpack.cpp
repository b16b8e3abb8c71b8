// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes for the decoder and the view of any type, with all operations on accepted bytes.
// Two bytes choose the type; the rest is the message. If both are 0xFF, the message carries its
// type.
#include <ingot/core/endian.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/typed.hpp>

#include "fuzz.hpp"
#include "hostile/subjects.hpp"
#include "limits.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace {

struct note {
  std::string text;
  std::vector<std::uint16_t> marks;
};

/// Checks typed messages. Encoding a decoded value gives the same bytes, and views accept the same
/// messages as decoders.
std::string typed_input(ingot::bytes_view input) {
  const auto packed = ingot::unpack_typed<note>(input);
  if (packed.has_value() != ingot::open_typed<note>(input).has_value())
    return "a typed message that view and decoder disagree on";
  if (packed && !std::ranges::equal(ingot::pack_typed(*packed).value(), input))
    return "a typed message that is written as other bytes";
  const auto compact = ingot::compact::unpack_typed<note>(input);
  if (compact.has_value() != ingot::compact::open_typed<note>(input).has_value())
    return "a typed compact message that view and decoder disagree on";
  if (compact && !std::ranges::equal(ingot::compact::pack_typed(*compact).value(), input))
    return "a typed compact message that is written as other bytes";
  if (packed && compact) return "a message of both profiles";
  const auto same = [](const note& a, const note& b) { return a.text == b.text && a.marks == b.marks; };
  const std::uint64_t limit = input.size();
  auto said = fuzz::read_with_limit(
      limit,
      [&](std::uint64_t max_memory) {
        return ingot::unpack_typed<note>(input, {.limits = {.max_memory = max_memory}});
      },
      same);
  if (!said.empty()) return said;
  return fuzz::read_with_limit(
      limit,
      [&](std::uint64_t max_memory) {
        return ingot::compact::unpack_typed<note>(input, {.limits = {.max_memory = max_memory}});
      },
      same);
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.size() < 2) return {};
  if (ingot::load_le<std::uint16_t>(input.data()) == 0xFFFF) return typed_input(input.subspan(2));
  const auto& type = hostile::subject_of(ingot::load_le<std::uint16_t>(input.data()));
  const auto outcome = type.exercise(input.subspan(2));
  return outcome.consistent() ? std::string{} : std::string(type.name) + ": " + outcome.contradiction;
}
