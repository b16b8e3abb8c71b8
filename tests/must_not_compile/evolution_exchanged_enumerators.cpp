// SPDX-License-Identifier: Apache-2.0
// expect: enumerators exchanged their names
#include <ingot/schema/compatible.hpp>

#include <cstdint>

enum class side : std::uint8_t { left, right };

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<side> =
    ingot::annotate(ingot::enumerator<side::left>(ingot::renamed_from("right")),
                    ingot::enumerator<side::right>(ingot::renamed_from("starboard")));
#else
inline constexpr auto ingot::annotations<side> =
    ingot::annotate(ingot::enumerator<side::left>(ingot::renamed_from("right")),
                    ingot::enumerator<side::right>(ingot::renamed_from("left")));
#endif

bool reads(const ingot::schema& before) { return static_cast<bool>(ingot::compatible<side>(before)); }
