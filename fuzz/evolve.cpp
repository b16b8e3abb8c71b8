// SPDX-License-Identifier: Apache-2.0
// Two versions of a type on the same bytes: each must read what the other writes, with equal values
// of the members that both have. The first byte chooses the pair and its order; the rest is the
// message.
#include <ingot/pack/view.hpp>

#include "fuzz.hpp"
#include "zoo/annotated.hpp"
#include "zoo/equal.hpp"

#include <array>

namespace {

struct person_v1 {
  std::string name;
};
struct person_v2 {
  std::string name;
  std::optional<std::string> title;
  std::vector<person_v2> children;
};
struct person_v3 {
  std::string name;
  std::optional<std::string> title;
  std::vector<person_v3> children;
  std::uint32_t born = 1900;
  std::map<std::string, std::string> notes;
};
/// The first version has no variable part; a later version has one.
struct blip_v1 {
  std::uint8_t id = 0;
};
struct blip_v2 {
  std::uint8_t id = 0;
  bool loud = false;
  std::string text = "?";
};

} // namespace

template <>
inline constexpr auto ingot::annotations<person_v1> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<person_v2> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<person_v3> =
    ingot::annotate(ingot::type(ingot::evolvable), ingot::member<"born">(ingot::default_value(1901u)));
template <>
inline constexpr auto ingot::annotations<blip_v1> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<blip_v2> = ingot::annotate(ingot::type(ingot::evolvable));

namespace {

bool shared(const person_v1& a, const person_v2& b) { return a.name == b.name; }
bool shared(const person_v1& a, const person_v3& b) { return a.name == b.name; }
bool shared(const person_v2& a, const person_v3& b) {
  if (a.name != b.name || a.title != b.title || a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!shared(a.children[i], b.children[i])) return false;
  }
  return true;
}
bool shared(const blip_v1& a, const blip_v2& b) { return a.id == b.id; }
bool shared(const zoo::sensor_v1& a, const zoo::sensor_v2& b) { return a.id == b.id && a.place == b.place; }
template <class Old, class New>
bool shared(const std::vector<Old>& a, const std::vector<New>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!shared(a[i], b[i])) return false;
  }
  return true;
}
template <class Old, class New>
bool shared(const std::map<std::uint16_t, Old>& a, const std::map<std::uint16_t, New>& b) {
  if (a.size() != b.size()) return false;
  for (auto i = a.begin(), end = a.end(); i != end; ++i) {
    const auto j = b.find(i->first);
    if (j == b.end() || !shared(i->second, j->second)) return false;
  }
  return true;
}

/// Compares two versions. `New` has appended members to `Old`.
template <class Old, class New>
std::string cross(ingot::bytes_view message) {
  const auto old_value = ingot::unpack<Old>(message);
  const auto new_value = ingot::unpack<New>(message);
  if (ingot::detail::open_view<Old>(message, false).has_value() != old_value.has_value())
    return "old: view and decoder disagree";
  if (ingot::detail::open_view<New>(message, false).has_value() != new_value.has_value())
    return "new: view and decoder disagree";
  if (old_value && new_value && !shared(*old_value, *new_value)) return "two versions read different members";
  if (new_value && !old_value) {
    // The older version knows fewer members and can skip all others, so it rejects no more.
    return "the newer version accepts what the older refuses: " + old_value.error().message();
  }
  if (old_value) {
    const auto written = ingot::pack(*old_value);
    if (!written) return "old: can't be written: " + written.error().message();
    const auto read = ingot::unpack<New>(*written);
    if (!read) return "the newer version can't read the older one's bytes: " + read.error().message();
    if (!shared(*old_value, *read)) return "the newer version reads other members";
  }
  if (new_value) {
    const auto written = ingot::pack(*new_value);
    if (!written) return "new: can't be written: " + written.error().message();
    const auto read = ingot::unpack<Old>(*written);
    if (!read) return "the older version can't read the newer one's bytes: " + read.error().message();
    if (!shared(*read, *new_value)) return "the older version reads other members";
  }
  return {};
}

using pair = std::string (*)(ingot::bytes_view);
constexpr std::array<pair, 9> pairs{
    cross<person_v1, person_v2>,
    cross<person_v1, person_v3>,
    cross<person_v2, person_v3>,
    cross<std::vector<person_v2>, std::vector<person_v3>>,
    cross<blip_v1, blip_v2>,
    cross<std::vector<blip_v1>, std::vector<blip_v2>>,
    cross<std::map<std::uint16_t, blip_v1>, std::map<std::uint16_t, blip_v2>>,
    cross<zoo::sensor_v1, zoo::sensor_v2>,
    cross<std::vector<std::vector<zoo::sensor_v1>>, std::vector<std::vector<zoo::sensor_v2>>>,
};

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty()) return {};
  return pairs[std::to_integer<std::size_t>(input[0]) % pairs.size()](input.subspan(1));
}
