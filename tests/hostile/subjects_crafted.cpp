// SPDX-License-Identifier: Apache-2.0
// Every operation on the types of crafted.hpp.
#include "hostile/crafted.hpp"
#include "hostile/every_operation.hpp"

void hostile::add_crafted(std::vector<subject>& subjects) { for_each_crafted(collector{subjects}); }
