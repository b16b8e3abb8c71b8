// SPDX-License-Identifier: Apache-2.0
// Messages of either profile: the bytes that tests of reading without a type start from.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace dynamic_chest {

using byte_vector = std::vector<std::byte>;

inline constexpr std::array both{ingot::message_profile::pack, ingot::message_profile::compact};

template <class T>
byte_vector bytes_of(const T& value, ingot::message_profile profile) {
  const auto packed =
      profile == ingot::message_profile::pack ? ingot::pack(value) : ingot::compact::pack(value);
  const auto bytes = ingot::as_bytes_view(packed.value());
  return {bytes.begin(), bytes.end()};
}

} // namespace dynamic_chest
