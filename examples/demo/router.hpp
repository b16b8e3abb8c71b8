// SPDX-License-Identifier: Apache-2.0
// A router: it takes messages whose type it doesn't know, reads two fields of each, changes one, adds one, and sends the bytes on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace demo {

/// Records of one kind, flat objects, and which two fields the router reads of them. It turns the name into capitals.
struct topic {
  std::string_view code;
  std::vector<nlohmann::json> records;
};

/// Sends `messages` through ingot, nlohmann, RapidJSON and FlexBuffers, half of them records in turn and half generated orders, and
/// prints what it took, the middle one of `repeats` runs. Every message that comes out is held against what it should be; false, with
/// a sentence on stderr, when one is not that.
bool route(const std::vector<topic>& topics, std::size_t messages, int repeats);

} // namespace demo
