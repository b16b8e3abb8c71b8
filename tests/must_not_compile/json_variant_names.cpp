// SPDX-License-Identifier: Apache-2.0
// expect: variant_names gives two alternatives one name
#include <ingot/json/json.hpp>

#include <array>
#include <variant>

struct circle {
  int radius = 0;
};
struct square {
  int side = 0;
};
using figure = std::variant<circle, square>;

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::json::variant_names<figure> = std::array{"circle", "square"};
#else
inline constexpr auto ingot::json::variant_names<figure> = std::array{"circle", "circle"};
#endif

ingot::result<figure> read(std::string_view text) { return ingot::json::read<figure>(text); }
