// SPDX-License-Identifier: Apache-2.0
// expect: there is no alternative of this index
#include <ingot/pack/view.hpp>

#include <variant>

using either = std::variant<int, bool>;

#ifdef MUST_COMPILE
auto look(const ingot::view<either>& seen) { return seen.get<1>(); }
#else
auto look(const ingot::view<either>& seen) { return seen.get<2>(); }
#endif
