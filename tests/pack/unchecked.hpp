// SPDX-License-Identifier: Apache-2.0
// The bytes of values that `pack` rejects, for tests of readers. They are written by the functions
// that `pack` calls after its checks.
#pragma once

#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace pack_test {

template <class T>
std::vector<std::byte> unchecked(const T& value) {
  ingot::detail::measurer m;
  std::vector<std::byte> bytes(static_cast<std::size_t>(ingot::detail::measure_payload(m, value, 0)));
  EXPECT_FALSE(m.failed);
  ingot::detail::tail_writer<ingot::detail::output_space::exact> w{bytes.data(), bytes.data() + bytes.size()};
  ingot::detail::put_payload(w, value);
  EXPECT_EQ(w.at, bytes.data() + bytes.size());
  return bytes;
}

template <class T>
std::vector<std::byte> unchecked_compact(const T& value) {
  using ingot::detail::encoding;
  ingot::detail::measurer m;
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(ingot::detail::compact_size<true, encoding::plain>(m, value, 0)));
  EXPECT_FALSE(m.failed);
  ingot::detail::tail_writer<ingot::detail::output_space::exact> w{bytes.data(), bytes.data() + bytes.size()};
  ingot::detail::compact_put<encoding::plain>(w, value);
  EXPECT_EQ(w.at, bytes.data() + bytes.size());
  return bytes;
}

} // namespace pack_test
