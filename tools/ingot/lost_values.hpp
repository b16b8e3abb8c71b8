// SPDX-License-Identifier: Apache-2.0
// Names the values that lie in the lost bytes of a damaged file.
#pragma once

#include <ingot/file/damage.hpp>

#include <string>
#include <vector>

namespace tool {

/// Returns, for each listed range of lost bytes, the path of the first value that has bytes in the
/// range. The path is empty if no value can be found there, or if the file does not describe its
/// type. In a compact value, only the first range can be searched, since each value ends where its
/// bytes say so. The file may be malicious: the limits are those of the option --unchecked.
[[nodiscard]] std::vector<std::string> first_lost_values(const std::string& name,
                                                         const ingot::damage_report& lost);

} // namespace tool
