// SPDX-License-Identifier: Apache-2.0
// All rounding modes of the machine.
#pragma once

#include <array>
#include <cfenv>

namespace ingot_test {

inline constexpr std::array rounding_modes{
    FE_TONEAREST,
#ifdef FE_UPWARD
    FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
    FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
    FE_TOWARDZERO,
#endif
};

} // namespace ingot_test
