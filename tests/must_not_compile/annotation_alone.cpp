// SPDX-License-Identifier: Apache-2.0
// An annotation outside of `type`, `member` and `enumerator` would be ignored.
// expect: ingot: annotate takes type(...), member<
#include <ingot/reflect/annotations.hpp>

#ifdef MUST_COMPILE
constexpr auto annotation = ingot::annotate(ingot::type(ingot::version(3)));
#else
constexpr auto annotation = ingot::annotate(ingot::version(3));
#endif
