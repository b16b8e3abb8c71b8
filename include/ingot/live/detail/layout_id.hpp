// SPDX-License-Identifier: Apache-2.0
// A number for the memory layout of a type: programs whose types have the same number can exchange
// blocks. The number depends on everything that schema_id covers, and on sizes, alignments, offsets
// of members, container kinds, byte order and the width of offsets.
#pragma once

#include <ingot/live/detail/element.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T>
void describe_layout(fingerprint& hash, visited_types& seen);

template <class... Ts>
void describe_layouts(fingerprint& hash, visited_types& seen, type_pack<Ts...>) {
  (describe_layout<std::remove_cv_t<Ts>>(hash, seen), ...);
}

template <class T>
void describe_layout(fingerprint& hash, visited_types& seen) {
  hash.word(sizeof(T));
  hash.word(alignof(T));
  if constexpr (live_container<T>) {
    hash.word(0x100 + static_cast<std::uint64_t>(T::container_kind));
    // A walk over a recursive type comes to the type again. The hash then contains only a mark for
    // this, because the name of the type differs between compilers.
    if (!seen.add(type_tag<T>())) {
      hash.word(0xFFFF);
    } else {
      describe_layouts(hash, seen, typename T::live_parts{});
    }
  } else if constexpr (is_array_like<T>) {
    hash.word(0x200 + array_size<T>);
    describe_layout<std::remove_cv_t<element_t<T>>>(hash, seen);
  } else if constexpr (is_specialization<T, std::pair>) {
    hash.word(0x300);
    describe_layout<std::remove_cv_t<typename T::first_type>>(hash, seen);
    describe_layout<std::remove_cv_t<typename T::second_type>>(hash, seen);
  } else if constexpr (kind_of<T> == kind::record) {
    hash.word(0x400 + member_count<T>);
    // Only addresses are computed from this object.
    alignas(T) static std::byte sample[sizeof(T)];
    for_each_member(*reinterpret_cast<T*>(sample), [&]<class I, class M>(I, M& member) {
      hash.word(static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(&member) - sample));
      describe_layout<std::remove_cv_t<M>>(hash, seen);
    });
  } else {
    hash.word(static_cast<std::uint64_t>(memory_kind_of<T>));
    // The clocks of two standard libraries differ only in their periods, so only the period is
    // hashed.
    if constexpr (memory_kind_of<T> == kind::duration || memory_kind_of<T> == kind::time_point) {
      hash.word(static_cast<std::uint64_t>(T::period::num));
      hash.word(static_cast<std::uint64_t>(T::period::den));
    }
  }
}

/// Returns the layout id of a `T`. Computed once per process.
template <class T, block_policy P>
[[nodiscard]] std::uint64_t layout_id() {
  static const std::uint64_t id = [] {
    fingerprint hash;
    hash.word(little_endian ? 1 : 2);
    hash.word(sizeof(typename P::offset_type));
    visited_types seen;
    describe_layout<T>(hash, seen);
    return hash.finish();
  }();
  return id;
}

}}} // namespace ingot::INGOT_V1::detail
