// SPDX-License-Identifier: Apache-2.0
// The check of closure_test.cpp and zoo_closure_test.cpp.
#pragma once

#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "unchecked.hpp"
#include "zoo/agreement.hpp"
#include "zoo/rejected.hpp"
#include "zoo/zoo.hpp"

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

namespace closure_test {

using zoo::expect_agreement;
using zoo::tally;

/// Compares writers and readers for values of a type, with each part invalidated in turn.
struct writes_what_is_read {
  std::uint64_t seeds;
  tally& counts;

  template <class T>
  void operator()(std::string_view name) const {
    SCOPED_TRACE(name);
    if constexpr (ingot::detail::can_be_rejected<ingot::detail::packed_checks, T>) {
      zoo::for_each_spoiled<T>(seeds, [&](const T& value) {
        if (::testing::Test::HasFailure()) return;
        const auto packed = pack_test::unchecked(value);
        expect_agreement(ingot::pack(value), ingot::unpack<T>(packed), "pack", counts);
        const auto compact = pack_test::unchecked_compact(value);
        expect_agreement(ingot::compact::pack(value), ingot::compact::unpack<T>(compact), "compact", counts);
        EXPECT_EQ(ingot::packed_size(value).has_value(), ingot::unpack<T>(packed).has_value());
        EXPECT_EQ(ingot::compact::packed_size(value).has_value(),
                  ingot::compact::unpack<T>(compact).has_value());
      });
    }
  }
};

} // namespace closure_test
