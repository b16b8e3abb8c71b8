// SPDX-License-Identifier: Apache-2.0
// A pair of an old part and the new part that reads it. The plan for reading old bytes consists of
// such pairs.
#pragma once

#include <ingot/schema/detail/period.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct resolved_link {
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::uint32_t source = none; ///< index of the old child; `none`: the new child takes its default
  std::uint32_t pair = none;
  /// the old child is an optional, and the new child is not: the new child reads the value of the
  /// optional, or takes its own default if there is no value
  bool unwraps = false;
};

/// Conversion of an old part to a new one.
struct resolved_pair {
  enum class step : std::uint8_t {
    convert, ///< converts part by part
    wrap,    ///< reads into an optional
    upgrade, ///< reads the previous version of the new type, then calls its `upgrade` function
  };
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  step how = step::convert;
  bool is_same = true;     ///< the packed bytes of the old part are also those of the new part
  bool keeps_bytes = true; ///< like `is_same`, but readers of the new part may reject some values
  /// the first member gets the version of the new type instead of the stored version
  bool sets_version = false;
  /// for a record: one link for each new member; otherwise one link for each old child
  std::vector<resolved_link> links;
  std::vector<std::uint64_t> numbers; ///< for each old enumerator or alternative: its new number
  /// set for durations whose period changes: the writer then converts the count by this step, and
  /// `links` is empty
  period_step period;
  /// for enumerations: true for each old enumerator that the new enumeration lacks
  std::vector<bool> lost;
  std::uint64_t lost_bits = 0; ///< for flags: bits that the new flags lack
  /// the outer pair through which this pair was found first; `none` for the whole value. `label` is
  /// the step of the path from `parent` to this pair.
  std::uint32_t parent = resolved_link::none;
  std::string label;
};

/// Returns the path at which a pair was found first. Of a very long path, returns only the last
/// steps.
[[nodiscard]] inline std::string path_of(const std::vector<resolved_pair>& pairs, std::uint32_t pair,
                                         std::string_view last) {
  std::vector<std::string_view> labels;
  constexpr std::size_t max_labels = 32;
  for (; pair != resolved_link::none && labels.size() < max_labels; pair = pairs[pair].parent)
    labels.push_back(pairs[pair].label);
  std::string path = pair == resolved_link::none ? "" : "...";
  for (std::size_t i = labels.size(); i-- > 0;) path += labels[i];
  path += last;
  return path.starts_with('.') && !path.starts_with("..") ? path.substr(1) : path;
}

}}} // namespace ingot::INGOT_V1::detail
