// SPDX-License-Identifier: Apache-2.0
// expect: documents are read as types that have a default constructor
#include <ingot/document/document.hpp>

#include <variant>

struct meters {
  explicit meters(int n) : count(n) {}
  int count;
  constexpr auto reflect(auto&& f) { return f(count); }
};
#ifdef MUST_COMPILE
using length = std::variant<int, meters>;
#else
using length = std::variant<meters, int>;
#endif

ingot::result<length> read(const ingot::document& doc) { return doc.root().as<length>(); }
