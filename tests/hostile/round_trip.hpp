// SPDX-License-Identifier: Apache-2.0
// Checks that every type of the zoo has to pass with valid bytes: packed, sized, decoded to the
// same value, packed again to the same bytes. `exercise` tests views, and decoding into an object
// in use.
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
#include <vector>

namespace hostile {

/// Packs the sample of this seed and reads it back. Returns the first problem, or an empty string.
template <class T>
std::string round_trip(std::uint64_t seed) {
  const T value = zoo::sample<T>(seed);
  if (!zoo::equal(value, zoo::sample<T>(seed))) return "a seed gives two values";
  const auto packed = ingot::pack(value);
  if (!packed) return "pack: " + packed.error().message();
  if (ingot::packed_size(value).value_or(0) != packed->size()) return "packed_size is not the size";
  if (ingot::packed_size_of<T> && *ingot::packed_size_of<T> != packed->size()) return "packed_size_of";
  if (ingot::max_packed_size<T> && *ingot::max_packed_size<T> < packed->size()) return "max_packed_size";

  std::vector<std::byte> tight(packed->size());
  if (const auto written = ingot::pack_to(std::span(tight), value); !written)
    return "pack into memory that just suffices: " + written.error().message();
  if (!std::ranges::equal(*packed, tight)) return "other bytes in a buffer of exactly the size";

  const auto fresh = ingot::unpack<T>(tight);
  if (!fresh) return "unpack: " + fresh.error().message();
  if (!zoo::equal(value, *fresh)) return "unpack gives another value";
  if (ingot::pack(*fresh) != *packed) return "the decoded value packs to other bytes";
  return {};
}

} // namespace hostile
