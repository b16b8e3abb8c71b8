// SPDX-License-Identifier: Apache-2.0
// Every operation on every keyed type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/containers.hpp"

void hostile::add_keyed(std::vector<subject>& subjects) { zoo::for_each_keyed(collector{subjects}); }
