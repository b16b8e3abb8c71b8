// SPDX-License-Identifier: Apache-2.0
// expect: give the class a default constructor, or specialise ingot::adapt
#include <ingot/protobuf/read.hpp>

#include <utility>
#include <vector>

class meters {
public:
#ifdef MUST_COMPILE
  meters() = default;
#endif
  explicit meters(unsigned count) : count_(count) {}
  [[nodiscard]] unsigned count() const { return count_; }

private:
  unsigned count_ = 0;
};
template <>
struct ingot::adapt<meters> {
  static unsigned to(const meters& from) { return from.count(); }
  static meters from(unsigned count) { return meters(count); }
};
struct path {
  std::vector<std::pair<int, meters>> legs;
};

ingot::result<path> read(ingot::bytes_view bytes) { return ingot::protobuf::read<path>(bytes); }
