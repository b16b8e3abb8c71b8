// SPDX-License-Identifier: Apache-2.0
// Every operation on every record type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/records.hpp"

void hostile::add_records(std::vector<subject>& subjects) { zoo::for_each_record(collector{subjects}); }
