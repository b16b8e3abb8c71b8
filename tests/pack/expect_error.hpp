// SPDX-License-Identifier: Apache-2.0
// An expected error, compared with every reader of packed bytes: decoder and view must never
// disagree.
#pragma once

#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "checks.hpp"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace pack_test {

struct expectation {
  ingot::errc code;
  std::uint64_t offset = 0;
  std::string_view path = "";
  std::string_view expected = "";
  std::string_view found = "";
};

inline void expect_error(const ingot::error& err, const expectation& want, std::string_view reader) {
  EXPECT_EQ(err.code(), want.code) << reader << ": " << err.message();
  EXPECT_EQ(err.offset(), want.offset) << reader << ": " << err.message();
  EXPECT_EQ(err.path(), want.path) << reader << ": " << err.message();
  if (!want.expected.empty()) {
    EXPECT_EQ(err.expected(), want.expected) << reader;
  }
  if (!want.found.empty()) {
    EXPECT_EQ(err.found(), want.found) << reader;
  }
}

/// `unpack` rejects `bytes` as a `T`, and so does `view<T>::open` if `T` has a view.
template <class T>
void expect_rejected(const std::vector<std::byte>& bytes, const expectation& want) {
  const exact_copy copy(bytes);
  const auto value = ingot::unpack<T>(copy.bytes());
  if (value) ADD_FAILURE() << "unpack accepts what should be refused: " << ingot::to_string(want.code);
  else expect_error(value.error(), want, "unpack");
  if constexpr (requires { ingot::view<T>::open(copy.bytes()); }) {
    const auto seen = ingot::view<T>::open(copy.bytes());
    if (seen) ADD_FAILURE() << "view::open accepts what should be refused: " << ingot::to_string(want.code);
    else expect_error(seen.error(), want, "view::open");
  }
}

} // namespace pack_test
