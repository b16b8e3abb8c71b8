// SPDX-License-Identifier: Apache-2.0
// An old part and the new one that reads it: the unit of the plan by which bytes are read.
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
  std::uint32_t source = none; ///< the old child; none: the new one takes its default
  std::uint32_t pair = none;
  bool unwraps =
      false; ///< the old child is an optional, and its value is what is read; nothing is the default
};

/// How an old part becomes a new one.
struct resolved_pair {
  enum class step : std::uint8_t {
    convert, ///< part by part
    wrap,    ///< into an optional
    upgrade, ///< into the type that the new one was before, and by that type's own code
  };
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  step how = step::convert;
  bool is_same = true;              ///< the packed bytes are those of the new part
  bool keeps_bytes = true;          ///< as `is_same`, but for values that are refused
  bool sets_version = false;        ///< the first member is the new type's version, whatever the old one was
  std::vector<resolved_link> links; ///< of records one for each new member, else for each old child
  std::vector<std::uint64_t> numbers; ///< what each old enumerator or alternative is now
  period_step period;          ///< of durations with another period; the count has no pair of its own then
  std::vector<bool> lost;      ///< of enumerations: whether the new one lacks an old enumerator
  std::uint64_t lost_bits = 0; ///< of flags: bits that the new ones lack
  std::uint32_t parent =
      resolved_link::none; ///< the pair in which this one was met first, and how it lies there
  std::string label;
};

/// Where a pair was met first. Of a path that is very long the last steps.
[[nodiscard]] inline std::string path_of(const std::vector<resolved_pair>& pairs, std::uint32_t pair,
                                         std::string_view last) {
  std::vector<std::string_view> labels;
  constexpr std::size_t most = 32;
  for (; pair != resolved_link::none && labels.size() < most; pair = pairs[pair].parent)
    labels.push_back(pairs[pair].label);
  std::string path = pair == resolved_link::none ? "" : "...";
  for (std::size_t i = labels.size(); i-- > 0;) path += labels[i];
  path += last;
  return path.starts_with('.') && !path.starts_with("..") ? path.substr(1) : path;
}

}}} // namespace ingot::INGOT_V1::detail
