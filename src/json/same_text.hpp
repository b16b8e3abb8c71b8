// SPDX-License-Identifier: Apache-2.0
// Compares short texts without a function call, because most keys have at most 16 bytes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

[[nodiscard]] inline bool same_text(std::string_view a, std::string_view b) noexcept {
  const std::size_t n = a.size();
  if (n != b.size()) return false;
  const auto same = [&]<class Word>(Word) {
    Word head_a{}, head_b{}, tail_a{}, tail_b{};
    std::memcpy(&head_a, a.data(), sizeof(Word));
    std::memcpy(&head_b, b.data(), sizeof(Word));
    std::memcpy(&tail_a, a.data() + n - sizeof(Word), sizeof(Word));
    std::memcpy(&tail_b, b.data() + n - sizeof(Word), sizeof(Word));
    return ((head_a ^ head_b) | (tail_a ^ tail_b)) == 0;
  };
  if (n > 16) return std::memcmp(a.data(), b.data(), n) == 0;
  if (n >= 8) return same(std::uint64_t{});
  if (n >= 4) return same(std::uint32_t{});
  // At most three bytes are left to compare: the first, the middle and the last byte.
  return n == 0 || (((a[0] ^ b[0]) | (a[n / 2] ^ b[n / 2]) | (a[n - 1] ^ b[n - 1])) == 0);
}

}}} // namespace ingot::INGOT_V1::json::detail
