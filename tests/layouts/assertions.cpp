// SPDX-License-Identifier: Apache-2.0
// Compiled for each target by tests/layouts/run.py, and never run. Where LAYOUT_ASSERTIONS is
// defined, sizes, alignments, positions of members, schema_id and layout_id must be those of the
// table, which is generated on x86-64. `same_layout_everywhere` must then accept the type. For
// every target the compiler also writes the layout ids, and what `same_layout_everywhere` finds, as
// constants, which the script compares.
#include <ingot/live/detail/layout_id.hpp>
#include <ingot/live/same_layout_everywhere.hpp>

#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace layouts {

/// Returns the distance from `start` to `at`, which are addresses in one object. clang folds the
/// operands of such a conditional, although they are no constant expressions by the standard.
consteval std::uint64_t distance(const void* start, const void* at) {
#define LAYOUT_DISTANCE static_cast<const char*>(at) - static_cast<const char*>(start)
  return static_cast<std::uint64_t>(__builtin_constant_p(LAYOUT_DISTANCE) ? LAYOUT_DISTANCE
                                                                          : LAYOUT_DISTANCE);
#undef LAYOUT_DISTANCE
}

/// Returns the positions of the members of a record.
template <class T>
consteval auto positions() {
  if constexpr (ingot::kind_of<T> == ingot::kind::record) {
    std::array<std::uint64_t, ingot::detail::member_table<T>::count> all{};
    // Only addresses inside this object are used.
    T& object = const_cast<T&>(ingot::detail::name_source<T>.value);
    ingot::for_each_member(
        object, [&]<class I, class M>(I, M& member) { all[I::value] = distance(&object, &member); });
    return all;
  } else {
    return std::array<std::uint64_t, 0>{};
  }
}

// The hash of include/ingot/live/detail/layout_id.hpp, as a constant expression. On x86-64 the
// table holds what that header computes, so the two can't come to differ.
template <class T>
constexpr void describe(ingot::detail::fingerprint& hash, ingot::detail::visited_types& seen);

template <class... Ts>
constexpr void describe_all(ingot::detail::fingerprint& hash, ingot::detail::visited_types& seen,
                            ingot::detail::type_pack<Ts...>) {
  (describe<std::remove_cv_t<Ts>>(hash, seen), ...);
}
template <class T>
constexpr void describe(ingot::detail::fingerprint& hash, ingot::detail::visited_types& seen) {
  using ingot::kind;
  hash.word(sizeof(T));
  hash.word(alignof(T));
  if constexpr (ingot::detail::live_container<T>) {
    hash.word(0x100 + static_cast<std::uint64_t>(T::container_kind));
    if (!seen.add(ingot::detail::type_tag<T>())) hash.word(0xFFFF);
    else describe_all(hash, seen, typename T::live_parts{});
  } else if constexpr (ingot::detail::is_array_like<T>) {
    hash.word(0x200 + ingot::detail::array_size<T>);
    describe<std::remove_cv_t<ingot::element_t<T>>>(hash, seen);
  } else if constexpr (ingot::detail::is_specialization<T, std::pair>) {
    hash.word(0x300);
    describe<std::remove_cv_t<typename T::first_type>>(hash, seen);
    describe<std::remove_cv_t<typename T::second_type>>(hash, seen);
  } else if constexpr (ingot::kind_of<T> == kind::record) {
    constexpr auto all = positions<T>();
    hash.word(0x400 + all.size());
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((hash.word(all[I]), describe<std::remove_cv_t<ingot::member_type<T, I>>>(hash, seen)), ...);
    }(std::make_index_sequence<all.size()>{});
  } else {
    hash.word(static_cast<std::uint64_t>(ingot::memory_kind_of<T>));
    if constexpr (ingot::memory_kind_of<T> == kind::duration ||
                  ingot::memory_kind_of<T> == kind::time_point) {
      hash.word(static_cast<std::uint64_t>(T::period::num));
      hash.word(static_cast<std::uint64_t>(T::period::den));
    }
  }
}
/// Returns the layout id of a `T` on a machine with little-endian numbers.
template <class T>
consteval std::uint64_t little_endian_id() {
  ingot::detail::fingerprint hash;
  hash.word(1);
  hash.word(sizeof(ingot::narrow_policy::offset_type));
  ingot::detail::visited_types seen;
  describe<T>(hash, seen);
  return hash.finish();
}

#define LAYOUT_ID(name, ...)                                                                                 \
  using type_##name = __VA_ARGS__;                                                                           \
  inline constexpr std::uint64_t id_##name = little_endian_id<type_##name>();
LAYOUT_TYPES(LAYOUT_ID)

#if defined(LAYOUT_ASSERTIONS)
#define LAYOUT_ROW(name, expected_size, expected_alignment, expected_schema, expected_id, ...)               \
  static_assert(sizeof(type_##name) == expected_size);                                                       \
  static_assert(alignof(type_##name) == expected_alignment);                                                 \
  static_assert(positions<type_##name>() ==                                                                  \
                std::array<std::uint64_t, positions<type_##name>().size()>{__VA_ARGS__});                    \
  static_assert(ingot::schema_id<type_##name> == expected_schema);                                           \
  static_assert(id_##name == expected_id);                                                                   \
  static_assert(ingot::same_layout_everywhere<type_##name>);
#include "table.hpp"
#endif

} // namespace layouts

extern "C" {
#define LAYOUT_VALUE(name, ...) layouts::id_##name,
extern const std::uint64_t layout_ids[];
const std::uint64_t layout_ids[] = {LAYOUT_TYPES(LAYOUT_VALUE)};

// Whether a type has one layout on all platforms, without and with 32-bit x86.
#define LAYOUT_SAME(name, ...)                                                                               \
  (ingot::detail::layout_difference_in<layouts::type_##name, false>.what ==                                  \
   ingot::detail::layout_difference::none) +                                                                 \
      2 * (ingot::detail::layout_difference_in<layouts::type_##name, true>.what ==                           \
           ingot::detail::layout_difference::none),
extern const std::uint64_t layouts_are_same[];
const std::uint64_t layouts_are_same[] = {LAYOUT_TYPES(LAYOUT_SAME)};
}
