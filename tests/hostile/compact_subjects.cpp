// SPDX-License-Identifier: Apache-2.0
// The types that damaged compact messages are offered to: between them they use each of the profile's spellings.
#include "hostile/compact_operation.hpp"
#include "hostile/crafted.hpp"

const std::vector<hostile::subject>& hostile::compact_subjects() {
  static const std::vector<subject> all = [] {
    std::vector<subject> list;
    const compact_collector add{list};
    add.operator()<zoo::preferences>("preferences");
    add.operator()<std::vector<zoo::sensor_v2>>("vector_sensor_v2");
    add.operator()<zoo::mixture>("mixture");
    add.operator()<limited>("limited");
    add.operator()<shelves>("shelves");
#if !defined(INGOT_SUBJECTS_SAMPLE)
    add.operator()<zoo::customer>("customer");
    add.operator()<std::map<std::string, std::vector<std::string>>>("map_string_vector");
    add.operator()<wrapped>("wrapped");
    add.operator()<std::uint32_t>("uint32");
    add.operator()<std::string>("string");
    add.operator()<std::unordered_multimap<std::string, std::string>>("unordered_multimap_string");
    add.operator()<stamped>("stamped");
#endif
    add.operator()<gauge>("gauge");
    add.operator()<compass>("compass");
    add.operator()<std::map<std::vector<float>, std::uint8_t>>("map_vector_float");
    return list;
  }();
  return all;
}
