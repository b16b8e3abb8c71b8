// SPDX-License-Identifier: Apache-2.0
// XXH3 of 64 bits. Detects damaged bytes, but does not protect against deliberate changes.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

[[nodiscard]] std::uint64_t checksum(bytes_view bytes, std::uint64_t seed = 0) noexcept;

}}} // namespace ingot::INGOT_V1::detail
