// SPDX-License-Identifier: Apache-2.0
// Expectations of compact bytes, compared with every reader of them: decoder, validator and view
// never disagree.
#pragma once

#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>

#include "expect_error.hpp"
#include "hex.hpp"

namespace compact_test {

using pack_test::hex;

/// `unpack`, `validate` and `view::open` reject `bytes` as a `T`, for the same reason.
template <class T>
void expect_rejected(const std::vector<std::byte>& bytes, const pack_test::expectation& want) {
  const pack_test::exact_copy copy(bytes);
  const auto value = ingot::compact::unpack<T>(copy.bytes());
  if (value) ADD_FAILURE() << "unpack accepts what should be refused: " << ingot::to_string(want.code);
  else pack_test::expect_error(value.error(), want, "unpack");
  const auto checked = ingot::compact::validate<T>(copy.bytes());
  if (checked) ADD_FAILURE() << "check accepts what should be refused: " << ingot::to_string(want.code);
  else pack_test::expect_error(checked.error(), want, "check");
  const auto seen = ingot::compact::view<T>::open(copy.bytes());
  if (seen) ADD_FAILURE() << "view::open accepts what should be refused: " << ingot::to_string(want.code);
  else pack_test::expect_error(seen.error(), want, "view::open");
}

/// `value` has these bytes and no others, and they are read as `value`.
template <class T>
void expect_bytes(const T& value, std::string_view bytes) {
  const auto packed = ingot::compact::pack(value);
  ASSERT_TRUE(packed) << packed.error().message();
  EXPECT_TRUE(pack_test::same_bytes(*packed, hex(bytes))) << bytes;
  const auto read = ingot::compact::unpack<T>(hex(bytes));
  ASSERT_TRUE(read) << bytes << ": " << read.error().message();
  // the other profile works independently of it
  EXPECT_EQ(ingot::pack(*read), ingot::pack(value).value()) << bytes;
  const auto checked = ingot::compact::validate<T>(ingot::as_bytes_view(*packed));
  EXPECT_TRUE(checked) << bytes;
}

} // namespace compact_test
