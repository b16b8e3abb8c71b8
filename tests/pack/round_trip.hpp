// SPDX-License-Identifier: Apache-2.0
// What every type of the zoo has to pass: packed, sized, decoded fresh and into an object in use, packed again to the
// same bytes.
#pragma once

#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace pack_test {

/// Where a check failed. Out of the templates below, which are compiled for every type of the zoo.
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

/// A copy at an odd address that ends where its memory does: wrong alignment and reads past the end show under
/// sanitizers.
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

template <class T>
void round_trip(subject about) {
  const T value = zoo::sample<T>(about.seed);
  const auto packed = ingot::pack(value);
  if (!about.succeeded(packed, "pack")) return;
  about.expect(ingot::packed_size(value).value_or(0) == packed->size(), "packed_size is not the size");
  about.expect(!ingot::packed_size_of<T> || *ingot::packed_size_of<T> == packed->size(), "packed_size_of");
  about.expect(!ingot::max_packed_size<T> || *ingot::max_packed_size<T> >= packed->size(), "max_packed_size");

  std::vector<std::byte> tight(packed->size());
  if (about.succeeded(ingot::pack_to(std::span(tight), value), "pack into memory that just suffices")) {
    about.expect(same_bytes(*packed, tight), "other bytes without room behind them");
  }

  const exact_copy copy(*packed);
  const auto fresh = ingot::unpack<T>(copy.bytes());
  if (!about.succeeded(fresh, "unpack")) return;
  about.expect(zoo::equal(value, *fresh), "unpack gives another value");
  about.expect(ingot::pack(*fresh) == *packed, "the decoded value packs to other bytes");

  T warm = zoo::sample<T>(about.seed + 1);
  if (!about.succeeded(ingot::unpack_into(warm, copy.bytes()), "unpack_into")) return;
  about.expect(zoo::equal(value, warm), "unpack_into an object in use gives another value");
}

/// For the zoo's for_each_ functions.
struct every_round_trip {
  template <class T>
  void operator()(std::string_view name) const {
    for (std::uint64_t seed = 0; seed < 24; ++seed) round_trip<T>({name, seed});
  }
};

} // namespace pack_test
