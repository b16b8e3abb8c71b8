// SPDX-License-Identifier: Apache-2.0
// A router: it receives messages whose type it doesn't know, reads two fields of each, changes one,
// adds one, and sends the bytes on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace demo {

/// Records of one kind, which are flat objects. The router reads the fields `code` and "name", and
/// turns the name into capitals.
struct topic {
  std::string_view code;
  std::vector<nlohmann::json> records;
};

/// Sends `messages` through ingot, nlohmann, RapidJSON and FlexBuffers, half of them records in
/// turn and half generated orders. Prints the median time of `repeats` runs. Compares every routed
/// message with the expected one; returns false, with a sentence on stderr, if one differs.
bool route(const std::vector<topic>& topics, std::size_t messages, int repeats);

} // namespace demo
