// SPDX-License-Identifier: Apache-2.0
// The types that are tested with damaged compact messages: together they use each encoding of the
// profile.
#include "hostile/compact_operation.hpp"
#include "hostile/crafted.hpp"

const std::vector<hostile::subject>& hostile::compact_subjects() {
  static const std::vector<subject> all = [] {
    std::vector<subject> list;
    for_each_compact(compact_collector{list});
    return list;
  }();
  return all;
}
