// SPDX-License-Identifier: Apache-2.0
// A pair of an old part and the new one that reads it: the unit of the plan by which bytes are
// read.
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
  std::uint32_t source = none; ///< index of the old child; `none`: the new one takes its default
  std::uint32_t pair = none;
  /// the old child is an optional: its value is read, and without a value the new child takes its
  /// default
  bool unwraps = false;
};

/// Conversion of an old part to a new one.
struct resolved_pair {
  enum class step : std::uint8_t {
    convert, ///< part by part
    wrap,    ///< into an optional
    upgrade, ///< reads the previous version of the new type, then calls its `upgrade` function
  };
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  step how = step::convert;
  bool is_same = true;     ///< the packed bytes of the old part are also those of the new part
  bool keeps_bytes = true; ///< like `is_same`, but readers of the new part may reject some values
  /// the first member becomes the new type's version, for any old version
  bool sets_version = false;
  /// for records: one for each new member; else one for each old child
  std::vector<resolved_link> links;
  std::vector<std::uint64_t> numbers; ///< for each old enumerator or alternative: its new number
  /// for durations whose period changes; the count then has no pair of its own
  period_step period;
  /// for enumerations: true for each old enumerator that the new one lacks
  std::vector<bool> lost;
  std::uint64_t lost_bits = 0; ///< for flags: bits that the new ones lack
  /// the pair that contains this pair at its first occurrence; `label` is the last step of the path
  /// there
  std::uint32_t parent = resolved_link::none;
  std::string label;
};

/// Returns the path at which a pair was found first; only the last steps of a very long path.
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
