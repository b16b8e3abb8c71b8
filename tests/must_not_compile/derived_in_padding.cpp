// SPDX-License-Identifier: Apache-2.0
// A member in the padding of its base does not change the size.
// expect: derived_class
// expect: maybe
#include <ingot/reflect/storable.hpp>

#include <optional>

#ifdef MUST_COMPILE
struct maybe : std::optional<int> {};
#else
struct maybe : std::optional<int> {
  char reason = 0;
};
#endif
static_assert(ingot::detail::require_storable<maybe>());
