// SPDX-License-Identifier: Apache-2.0
// Values that are larger than the stack are read into memory of the caller. No copy is on the stack
// meanwhile.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/schema.hpp>

#include "small_stack.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace small_stack_test {

/// 9 MB.
struct large {
  std::array<std::array<std::uint32_t, 1024>, 2304> rows{};
  std::uint32_t number = 0;
};
/// With a check, so that readers can't copy it as bytes, and with members of variable size.
struct checked {
  std::string name;
  std::array<std::array<std::uint16_t, 1024>, 4608> rows{};
  bool good = true;
  [[nodiscard]] bool valid() const { return good; }
};

template <class T>
void round_trip(const char* what) {
  SCOPED_TRACE(what);
  const auto value = std::make_unique<T>();
  const auto again = std::make_unique<T>();
  if constexpr (requires { value->emplace_back(); }) {
    value->emplace_back();
  } else if constexpr (requires { typename T::mapped_type; }) {
    (*value)[3], (*value)[5];
  } else if constexpr (requires { value->emplace(); }) {
    value->emplace();
  } else if constexpr (requires { value->template emplace<1>(); }) {
    value->template emplace<1>();
  } else if constexpr (requires { value->reset(); }) {
    value->reset(new typename T::element_type);
  }
  small_stack::run([&] {
    const ingot::buffer packed = [&] {
      ingot::buffer sink;
      EXPECT_TRUE(ingot::pack_to(sink, *value).has_value());
      return sink;
    }();
    const auto read = ingot::unpack_into(*again, packed);
    EXPECT_TRUE(read.has_value()) << read.error().message();
    const auto outcome =
        ingot::unpack_into(*again, packed, {.progress = [](std::uint64_t, std::uint64_t) { return true; }});
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message();
    if constexpr (requires { ingot::view<T>::open(packed); }) {
      EXPECT_TRUE(ingot::view<T>::open(packed).has_value());
    }
  });
  small_stack::run([&] {
    ingot::buffer packed;
    EXPECT_TRUE(ingot::compact::pack_to(packed, *value).has_value());
    const auto read = ingot::compact::unpack_into(*again, packed);
    EXPECT_TRUE(read.has_value()) << read.error().message();
  });
}

TEST(small_stack, larger_values_are_read_without_a_copy) {
  round_trip<large>("fixed");
  round_trip<checked>("checked");
  round_trip<std::array<large, 2>>("array");
}
TEST(small_stack, lists_of_larger_values_are_read) {
  round_trip<std::vector<large>>("vector");
  round_trip<std::vector<checked>>("vector, checked");
  round_trip<std::list<checked>>("list");
  round_trip<std::deque<checked>>("deque");
}
TEST(small_stack, maps_of_larger_values_are_read) {
  round_trip<std::map<int, large>>("map");
  round_trip<std::map<int, checked>>("map, checked");
  round_trip<std::unordered_map<int, checked>>("unordered_map");
}
TEST(small_stack, larger_values_that_may_be_there_are_read) {
  round_trip<std::optional<large>>("optional");
  round_trip<std::optional<checked>>("optional, checked");
  round_trip<std::variant<int, checked>>("variant");
  round_trip<std::unique_ptr<checked>>("box");
  round_trip<std::expected<checked, int>>("expected");
}

} // namespace small_stack_test
