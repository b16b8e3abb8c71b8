// SPDX-License-Identifier: Apache-2.0
// expect: a class without a default constructor is made of its members
#include <ingot/document/document.hpp>

class meters {
public:
#ifdef MUST_COMPILE
  explicit meters(int count) : count_(count) {}
#else
  meters(int count, int unit) : count_(count * unit) {}
#endif
  constexpr auto reflect(auto&& f) { return f(count_); }

private:
  int count_;
};

ingot::result<meters> read(const ingot::document& doc) { return doc.root().as<meters>(); }
