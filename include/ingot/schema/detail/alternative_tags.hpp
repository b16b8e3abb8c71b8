// SPDX-License-Identifier: Apache-2.0
// The keys of a variant's alternatives in text and documents, computed from a schema.
#pragma once

#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/schema/schema_node.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Computes the tag of each alternative. The tag is the name of the alternative if the program
/// specified names, or if no other alternative has the same name. Otherwise the tag is the index.
/// The tags equal those of `variant_tags`.
class alternative_tags {
public:
  /// O(length of the names).
  explicit alternative_tags(const schema_node& variant) {
    const bool has_names = variant.attributes.has(schema_flag::names_tags);
    std::unordered_map<std::string_view, std::size_t> counts;
    for (const schema_child& each : variant.children) ++counts[each.name];
    for (const schema_child& each : variant.children) {
      const bool is_tag = has_names || (can_be_tag(each.name) && counts[each.name] == 1);
      tags_.push_back(is_tag ? each.name : std::to_string(tags_.size()));
    }
  }
  [[nodiscard]] const std::string& operator[](std::size_t alternative) const noexcept {
    return tags_[alternative];
  }

private:
  std::vector<std::string> tags_;
};

}}} // namespace ingot::INGOT_V1::detail
