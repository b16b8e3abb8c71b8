// SPDX-License-Identifier: Apache-2.0
// Compact messages of the types that other tests use with damaged messages.
#include "hostile/crafted.hpp"
#include "readers/messages.hpp"

void readers::add_compact(std::vector<kind_of_message>& all) {
  hostile::for_each_compact(adder<form::compact>{all, hostile::compact_subjects()});
}
