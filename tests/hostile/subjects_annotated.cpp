// SPDX-License-Identifier: Apache-2.0
// Every operation on every annotated type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/annotated.hpp"

void hostile::add_annotated(std::vector<subject>& subjects) {
#if defined(INGOT_SUBJECTS_SAMPLE)
  zoo::for_each_annotated_sample(collector{subjects});
#else
  zoo::for_each_annotated(collector{subjects});
#endif
}
