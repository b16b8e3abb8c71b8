// SPDX-License-Identifier: Apache-2.0
// The stored form of an adapted class must be storable, too.
// expect: raw_pointer
// expect: adapt
// expect: handle
#include <ingot/reflect/storable.hpp>

class handle {
public:
  const int* address = nullptr;
};

#ifdef MUST_COMPILE
template <>
struct ingot::adapt<handle> {
  static int to(const handle& h) { return *h.address; }
  static handle from(int) { return handle{}; }
};
#else
template <>
struct ingot::adapt<handle> {
  static const int* to(const handle& h) { return h.address; }
  static handle from(const int*) { return handle{}; }
};
#endif
static_assert(ingot::detail::require_storable<handle>());
