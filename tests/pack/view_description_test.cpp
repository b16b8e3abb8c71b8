// SPDX-License-Identifier: Apache-2.0
// The description of views that a program gives to debuggers agrees with the type's schema. Without
// this a debugger shows false fields, or none.
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/schema.hpp>

#include "zoo/zoo.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

namespace view_description_test {

#if INGOT_DESCRIBES_VIEWS

using ingot::detail::part_description;

std::uint64_t whole(const std::array<std::uint32_t, 2>& halves) {
  return halves[0] | static_cast<std::uint64_t>(halves[1]) << 32;
}

/// Returns the first difference between the two, or an empty string.
std::string difference(const ingot::schema& all, std::uint32_t at, const part_description& part,
                       std::set<std::pair<std::uint32_t, const part_description*>>& seen) {
  while (all.nodes()[at].attributes.kind == ingot::schema_kind::recursion) at = all.nodes()[at].target;
  if (!seen.emplace(at, &part).second) return {};
  const ingot::schema_node& node = all.nodes()[at];
  if (part.magic != part_description::begins_with || part.version != part_description::form)
    return "its mark";
  if (part.kind != std::to_underlying(node.attributes.kind) || part.width != node.attributes.width ||
      part.flags != node.attributes.flags || whole(part.extent) != node.attributes.extent ||
      whole(part.divisor) != node.attributes.divisor)
    return "facts of kind " + std::to_string(part.kind);
  if (part.count != node.children.size() + node.enumerators.size()) return "how many children";
  for (std::size_t i = 0; i < node.enumerators.size(); ++i) {
    const auto& said = part.children[i];
    if (std::string_view(said.name, said.name_size) != node.enumerators[i].name ||
        whole({said.first, said.second}) != node.enumerators[i].value)
      return "enumerator " + node.enumerators[i].name;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const auto& said = part.children[i];
    const auto& child = node.children[i];
    const std::uint64_t annotations = (said.annotations & 0xFF) |
                                      static_cast<std::uint64_t>(said.first) << 8 |
                                      static_cast<std::uint64_t>(said.second) << 40 |
                                      static_cast<std::uint64_t>(said.annotations >> 16) << 48;
    const std::string_view name =
        said.name == nullptr ? std::string_view{} : std::string_view(said.name, said.name_size);
    if (name != child.name || annotations != child.annotations) return "member " + child.name;
    if (std::string inside = difference(all, child.node, *said.part, seen); !inside.empty())
      return child.name + ": " + inside;
  }
  return {};
}
template <class T>
std::string difference_of() {
  const auto described = ingot::schema_of<T>();
  std::set<std::pair<std::uint32_t, const part_description*>> seen;
  return difference(described, described.root_index(), ingot::detail::description_at<T>::part, seen);
}

TEST(view_description, says_of_every_type_what_its_schema_says) {
  zoo::for_each_type([]<class T>(std::string_view name) { EXPECT_EQ(difference_of<T>(), "") << name; });
}

TEST(view_description, names_alternatives) {
  using choice = std::variant<zoo::character, std::int32_t>;
  const auto& part = ingot::detail::description_at<choice>::part;
  ASSERT_EQ(part.count, 2U);
  EXPECT_EQ(std::string_view(part.children[0].name, part.children[0].name_size), "character");
  EXPECT_EQ(part.children[1].name, nullptr);
}

TEST(view_description, is_one_for_each_type_wherever_it_is_met) {
  const auto& records = ingot::detail::description_at<std::vector<zoo::character>>::part;
  const auto& one = ingot::detail::description_at<zoo::character>::part;
  ASSERT_EQ(records.count, 1U);
  EXPECT_EQ(records.children[0].part, &one);
}

#endif

TEST(view_description, is_there_on_request_or_without_optimisation) {
#if defined(INGOT_DESCRIBE_VIEWS)
  EXPECT_EQ(ingot::detail::describes_views, INGOT_DESCRIBE_VIEWS != 0);
#elif defined(__OPTIMIZE__)
  EXPECT_FALSE(ingot::detail::describes_views);
#else
  EXPECT_TRUE(ingot::detail::describes_views);
#endif
}

} // namespace view_description_test
