// SPDX-License-Identifier: Apache-2.0
// Policy for repeated keys of objects.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 {

/// Selects which member is kept if several members of an object have the same key.
enum class key_policy : std::uint8_t {
  error, ///< repeated keys are an error
  last_wins,
  first_wins,
};

}} // namespace ingot::INGOT_V1
