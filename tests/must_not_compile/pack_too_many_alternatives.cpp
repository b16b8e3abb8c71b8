// SPDX-License-Identifier: Apache-2.0
// expect: a variant's tag is one byte, so it has at most 256 alternatives
#include <ingot/pack/pack.hpp>

#include <array>
#include <utility>
#include <variant>

template <class Indices>
struct wide;
template <std::size_t... I>
struct wide<std::index_sequence<I...>> {
  using type = std::variant<std::array<char, I>...>;
};

#ifdef MUST_COMPILE
using either = wide<std::make_index_sequence<256>>::type;
#else
using either = wide<std::make_index_sequence<257>>::type;
#endif

bool fixed() { return ingot::packed_size_of<either>.has_value(); }
