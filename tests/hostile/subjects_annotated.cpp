// SPDX-License-Identifier: Apache-2.0
// Every operation on every annotated type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/annotated.hpp"

void hostile::add_annotated(std::vector<subject>& subjects) { zoo::for_each_annotated(collector{subjects}); }
