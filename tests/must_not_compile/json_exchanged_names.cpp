// SPDX-License-Identifier: Apache-2.0
// If members exchanged their names, a text does not say whether it is older or newer.
// expect: members exchanged their names
#include <ingot/json/json.hpp>

#include <string_view>

struct pair_of_names {
  int first = 0;
  int second = 0;
};
#ifdef MUST_COMPILE
#define INGOT_CASE "other"
#else
#define INGOT_CASE "first"
#endif
template <>
inline constexpr auto ingot::annotations<pair_of_names> =
    ingot::annotate(ingot::member<"first">(ingot::renamed_from("second")),
                    ingot::member<"second">(ingot::renamed_from(INGOT_CASE)));

auto read_pair_of_names(std::string_view text) { return ingot::json::read<pair_of_names>(text); }
