// SPDX-License-Identifier: Apache-2.0
// Every operation on every sequence type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/containers.hpp"

void hostile::add_sequences(std::vector<subject>& subjects) { zoo::for_each_sequence(collector{subjects}); }
