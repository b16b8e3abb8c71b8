// SPDX-License-Identifier: Apache-2.0
// A few types that together reach every check of the readers. planted_bugs.py compiles this file
// against each broken copy of the headers; the whole zoo would take minutes.
#include "hostile/crafted.hpp"
#include "hostile/every_operation.hpp"

#include <algorithm>

namespace hostile {

const std::vector<subject>& subjects() {
  static const std::vector<subject> all = [] {
    std::vector<subject> list;
    const collector add{list};
    add.operator()<std::vector<std::string>>("vector_string");
    add.operator()<std::map<std::string, std::uint32_t>>("map_string");
    add.operator()<std::unordered_multimap<std::string, std::string>>("unordered_multimap_string");
    add.operator()<std::tuple<bool, zoo::colour, zoo::mood, std::bitset<5>>>("tuple_checked");
    add.operator()<std::tuple<std::string, std::vector<std::uint32_t>, std::u16string>>("tuple_units");
    add.operator()<std::variant<std::uint8_t, double>>("variant_fixed");
    add.operator()<std::optional<std::string>>("optional_string");
    add.operator()<std::vector<zoo::sensor_v2>>("vector_evolvable");
    add.operator()<std::vector<std::vector<zoo::nothing>>>("vector_vector_nothing");
    add.operator()<std::set<float>>("set_float");
    add.operator()<std::map<std::vector<float>, std::uint8_t>>("map_vector_float");
    add.operator()<shelves>("shelves");
    add.operator()<limited>("limited");
    add.operator()<stamped>("stamped");
    return list;
  }();
  return all;
}

} // namespace hostile
