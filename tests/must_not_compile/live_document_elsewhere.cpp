// SPDX-License-Identifier: Apache-2.0
// A value of any kind in a live type is an ingot::live_value.
// expect: document_elsewhere
// expect: order
// expect: extra
#include <ingot/document/live_value.hpp>
#include <ingot/live/live.hpp>

struct order {
  int id = 0;
#ifdef MUST_COMPILE
  ingot::live_value extra;
#else
  ingot::document extra;
#endif
};

std::size_t size() { return ingot::live<order>()->extra.size(); }
