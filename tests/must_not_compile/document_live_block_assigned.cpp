// SPDX-License-Identifier: Apache-2.0
// A document takes the value in a live block. The block itself is the memory of that value.
// expect: ingot: documents have no form for this type; of an owner such as live<T>, assign
#include <ingot/document/document.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

struct hero {
  ingot::string name;
};

void assign(ingot::document& all, const ingot::live<hero>& block) {
#ifdef MUST_COMPILE
  all["hero"] = *block;
#else
  all["hero"] = block;
#endif
}
