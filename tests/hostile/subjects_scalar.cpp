// SPDX-License-Identifier: Apache-2.0
// Every operation on every scalar type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/scalars.hpp"

void hostile::add_scalars(std::vector<subject>& subjects) { zoo::for_each_scalar(collector{subjects}); }
