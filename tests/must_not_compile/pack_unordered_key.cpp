// SPDX-License-Identifier: Apache-2.0
// expect: ingot orders keys that are numbers, enums, text, arrays, or records of these
#include <ingot/pack/pack.hpp>

#include <optional>
#include <set>

#ifdef MUST_COMPILE
using keys = std::set<int>;
#else
using keys = std::set<std::optional<int>>;
#endif

ingot::result<ingot::buffer> write(const keys& k) { return ingot::pack(k); }
