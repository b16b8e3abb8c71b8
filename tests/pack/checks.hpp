// SPDX-License-Identifier: Apache-2.0
// Shared by tests of many types: messages that name the failed type and seed, and copies of bytes
// that reveal reads past the end.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pack_test {

/// The subject of a failed check. Outside of the templates below, which are compiled for every type
/// of the zoo.
struct subject {
  std::string_view name;
  std::uint64_t seed = 0;

  void expect(bool holds, std::string_view what) const {
    if (!holds) ADD_FAILURE() << name << " seed " << seed << ": " << what;
  }
  template <class R>
  bool succeeded(const R& outcome, std::string_view what) const {
    if (!outcome)
      ADD_FAILURE() << name << " seed " << seed << ": " << what << ": " << outcome.error().message();
    return outcome.has_value();
  }
};

/// A copy at an odd address that ends where its memory ends: sanitizers detect wrong alignment and
/// reads past the end.
class exact_copy {
public:
  explicit exact_copy(ingot::bytes_view bytes) : memory_(bytes.size() + 1) {
    std::copy(bytes.begin(), bytes.end(), memory_.begin() + 1);
  }
  [[nodiscard]] ingot::bytes_view bytes() const { return ingot::bytes_view(memory_).subspan(1); }

private:
  std::vector<std::byte> memory_;
};

inline bool same_bytes(ingot::bytes_view a, ingot::bytes_view b) { return std::ranges::equal(a, b); }

/// Calls `look(seen)`, which is compiled only on little-endian machines: others have no spans of
/// numbers.
template <class Seen, class Look>
void if_little_endian([[maybe_unused]] const Seen& seen, [[maybe_unused]] Look&& look) {
  if constexpr (ingot::detail::little_endian) std::forward<Look>(look)(seen);
}

} // namespace pack_test
