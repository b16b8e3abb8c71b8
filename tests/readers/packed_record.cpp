// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's records.
#include "readers/messages.hpp"
#include "zoo/records.hpp"

void readers::add_records(std::vector<kind_of_message>& all) {
  zoo::for_each_record(adder<form::packed>{all, hostile::subjects()});
}
