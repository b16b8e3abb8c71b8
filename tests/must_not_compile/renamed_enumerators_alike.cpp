// SPDX-License-Identifier: Apache-2.0
// If two enumerators have one name, one would be written and read as the other.
// expect: repeated_enumerator
// expect: colour
// expect: red
#include <ingot/reflect/storable.hpp>

enum class colour { red = 1, green = 2 };

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<colour> =
    ingot::annotate(ingot::enumerator<colour::green>(ingot::rename("verde")));
#else
template <>
inline constexpr auto ingot::annotations<colour> =
    ingot::annotate(ingot::enumerator<colour::green>(ingot::rename("red")));
#endif
static_assert(ingot::detail::require_storable<colour>());
