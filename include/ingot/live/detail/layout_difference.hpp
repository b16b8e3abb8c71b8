// SPDX-License-Identifier: Apache-2.0
// Searches a type for parts whose layout differs between platforms. The search knows the rules of
// the compilers (Itanium's and Microsoft's) and of the standard libraries, and computes where the
// members are here. It does not need another platform.
#pragma once

#include <ingot/live/detail/element.hpp>
#include <ingot/reflect/storable.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The reason why a part of a type has another layout on another platform.
enum class layout_difference : std::uint8_t {
  none,
  platform_integer, ///< `long` or `wchar_t`, or an enum of these
  unfixed_enum,     ///< an enum whose underlying type is not declared
  plain_char,       ///< an enum or time of `char`, which is signed on some platforms only
  library_duration, ///< minutes and longer units: the library chooses the width of their counts
  library_bitset,   ///< std::bitset
  empty_array,      ///< std::array<T, 0>
  base_padding,     ///< members after a base with unused bytes at its end
  empty_base,       ///< an empty base beside another base, or before a member of its type
  shared_bytes,     ///< [[no_unique_address]]
  hidden_bytes,     ///< bytes that are no member's
  x86_32_alignment, ///< 64 bits, if 32-bit x86 counts
};

/// A path of members, such as `equips[].id`. Longer paths are cut.
struct layout_path {
  char chars[256]{};
  std::size_t length = 0;

  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) {
      if (length < sizeof(chars)) chars[length++] = c;
    }
  }
  constexpr void add_member(std::string_view name) noexcept {
    if (length != 0) add(".");
    add(name);
  }
  constexpr void add_index(std::size_t index) noexcept {
    if (index >= 10) add_index(index / 10);
    const char digit[] = {static_cast<char>('0' + index % 10)};
    add({digit, 1});
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars, length}; }
};

/// Returns the difference of a type that is one number.
template <class T>
consteval layout_difference difference_of_number() {
  using enum layout_difference;
  if constexpr (std::is_enum_v<T>) {
    // Only an enum with a declared type can be initialised with a number in braces.
    if constexpr (!requires { T{0}; } && !std::is_same_v<std::underlying_type_t<T>, bool>)
      return unfixed_enum;
    else
      return difference_of_number<std::underlying_type_t<T>>() == none &&
                     !std::is_same_v<std::underlying_type_t<T>, char>
                 ? none
             : std::is_same_v<std::underlying_type_t<T>, char> ? plain_char
                                                               : platform_integer;
  } else if constexpr (std::is_same_v<T, wchar_t>) {
    return platform_integer;
  } else if constexpr (std::is_same_v<T, long>) { // unless it is std::int64_t
    return std::is_same_v<T, std::int64_t> ? none : platform_integer;
  } else if constexpr (std::is_same_v<T, unsigned long>) {
    return std::is_same_v<T, std::uint64_t> ? none : platform_integer;
  } else {
    return none;
  }
}
template <class T>
consteval layout_difference difference_of_time() {
  using enum layout_difference;
  using rep = typename T::rep;
  if constexpr (std::is_same_v<rep, char>) return plain_char;
  else if constexpr (std::is_integral_v<rep> && is_named_period(T::period::num, T::period::den))
    return library_duration;
  else return difference_of_number<rep>();
}

/// True if a `T` has a number of 64 bits in itself, which 32-bit x86 aligns to 4 bytes.
template <class T>
consteval bool is_wide_number() {
  constexpr kind what = memory_kind_of<T>;
  if constexpr (live_container<T>) return sizeof(typename T::live_policy::offset_type) == 8;
  else if constexpr (what == kind::complex) return sizeof(typename T::value_type) == 8;
  else
    return sizeof(T) == 8 && what != kind::record && what != kind::array && what != kind::tuple &&
           what != kind::bitset;
}

/// Converts only to a base that `T` and `M` have in common, or to `M` if it is a base of `T`.
template <class T, class M>
struct to_shared_base {
  using stands_for_an_initialiser = void;
  template <class Base>
    requires(std::is_base_of_v<Base, T> && std::is_base_of_v<Base, M> && !std::is_same_v<Base, T>)
  operator Base() const;
};
/// True if `M` is a base of `T`, has a base that is a base of `T`, or contains such a member.
template <class T, class M>
consteval bool shares_base() {
  if constexpr (is_array_like<M>) {
    return shares_base<T, element_t<M>>();
  } else if constexpr (live_container<M>) {
    return false;
  } else if constexpr (kind_of<M> == kind::record) {
    if constexpr (requires { T(to_shared_base<T, M>{}); }) return true;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (shares_base<T, std::remove_cv_t<member_type<M, I>>>() || ...);
      }(std::make_index_sequence<member_count<M>>{});
  } else {
    return false;
  }
}

/// The arguments that a class passes in its list of members: bases, and members of its own.
template <class T>
struct listed_parts {
  using bases = type_pack<>; ///< the bases in the list
  static constexpr std::size_t own_members = member_table<T>::count;
};
template <class... Ms>
struct listed_arguments {
  static constexpr std::size_t own_members = ((is_base_ref<Ms>::value ? 0U : 1U) + ... + 0U);
};
template <class... Bs>
constexpr type_pack<Bs...> join_bases(type_pack<Bs...>) noexcept {
  return {};
}
template <class... As, class... Bs, class... Rest>
constexpr auto join_bases(type_pack<As...>, type_pack<Bs...>, Rest... rest) noexcept {
  return join_bases(type_pack<As..., Bs...>{}, rest...);
}
template <class M>
constexpr auto base_in_list() {
  if constexpr (is_base_ref<M>::value)
    return type_pack<std::remove_cvref_t<decltype(std::declval<M&>().object)>>{};
  else return type_pack<>{};
}
struct list_parts {
  template <class... Ms>
  constexpr auto operator()(Ms&&...) const {
    return std::type_identity<listed_arguments<std::remove_cvref_t<Ms>...>>{};
  }
};
template <class... Ms>
constexpr auto bases_in(std::type_identity<listed_arguments<Ms...>>) {
  return join_bases(type_pack<>{}, base_in_list<Ms>()...);
}
template <class T>
  requires described<T>
struct listed_parts<T> {
  using arguments = decltype(describe_members(std::declval<T&>(), list_parts{}));
  using bases = decltype(bases_in(arguments{}));
  static constexpr std::size_t own_members = arguments::type::own_members;
};
#if INGOT_REFLECTION
template <class T>
  requires(!described<T>)
struct listed_parts<T> {
  using bases = decltype([]<std::size_t... B>(std::index_sequence<B...>) {
    return type_pack<own_base<T, B>...>{};
  }(own_base_indices<T>{}));
  static constexpr std::size_t own_members = ingot::detail::own_members<T>.size();
};
#endif

/// Returns the number of direct bases of `T`. Without reflection, empty bases of a class that is no
/// aggregate can't be seen.
template <class T>
consteval std::size_t count_direct_bases(std::size_t listed) {
#if INGOT_REFLECTION
  static_cast<void>(listed);
  return bases_of(^^T, std::meta::access_context::unchecked()).size();
#else
  std::size_t seen = 0;
  if constexpr (std::is_aggregate_v<T>) {
    using base = to_base_of<T>;
    if constexpr (requires { T(base{}, base{}); }) seen = 2; // two are as good as more
    else if constexpr (requires { T(base{}); }) seen = 1;
  }
  return seen > listed ? seen : listed;
#endif
}

/// Positions and sizes of the members of a record, those of bases included, in bytes.
template <std::size_t N>
struct member_extents {
  struct extent {
    std::size_t position = 0;
    std::size_t size = 0;
    std::size_t alignment = 1;
  };
  std::array<extent, N == 0 ? 1 : N> all{};

  /// Sorts by position.
  constexpr void sort() noexcept {
    for (std::size_t i = 1; i < N; ++i) {
      for (std::size_t j = i; j > 0 && all[j].position < all[j - 1].position; --j)
        std::swap(all[j], all[j - 1]);
    }
  }
  /// Returns the end of the last member.
  [[nodiscard]] constexpr std::size_t end() const noexcept {
    std::size_t last = 0;
    for (std::size_t i = 0; i < N; ++i) {
      if (all[i].position + all[i].size > last) last = all[i].position + all[i].size;
    }
    return last;
  }
};

// Constant expressions can't subtract addresses of different members. Compilers have exceptions.
#if defined(__clang__)
/// True if positions of members are constant expressions.
inline constexpr bool knows_positions = true;
/// Returns the distance between addresses in one object. clang folds the operands of such a
/// conditional.
constexpr std::size_t distance_in_object(const void* start, const void* at) {
#define INGOT_DISTANCE static_cast<const char*>(at) - static_cast<const char*>(start)
  return static_cast<std::size_t>(__builtin_constant_p(INGOT_DISTANCE) ? INGOT_DISTANCE : INGOT_DISTANCE);
#undef INGOT_DISTANCE
}
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template" // addresses only: see name_source
template <class T>
constexpr T& sample_object() {
  return const_cast<T&>(name_source<T>.value);
}
template <class T>
constexpr std::size_t position_in(const void* at) {
  return distance_in_object(&name_source<T>.value, at);
}
#pragma clang diagnostic pop
#elif defined(__GNUC__)
inline constexpr bool knows_positions = true;
/// A record and its bytes. g++ compares addresses in the two.
template <class T>
union bytes_and_value {
  char bytes[sizeof(T)];
  T value;
  bytes_and_value();
  ~bytes_and_value();
};
template <class T>
extern bytes_and_value<T> overlay_source;
template <class T>
constexpr T& sample_object() {
  return overlay_source<T>.value;
}
template <class T>
constexpr std::size_t position_in(const void* at) {
  std::size_t low = 0;
  std::size_t high = sizeof(T) - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (static_cast<const void*>(&overlay_source<T>.bytes[middle]) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
#else
inline constexpr bool knows_positions = false;
#endif

template <class T>
consteval auto extents_of() {
  member_extents<member_table<T>::count> result;
#if defined(__clang__) || defined(__GNUC__)
  visit_members(sample_object<T>(), [&](auto&... members) {
    std::size_t i = 0;
    ((result.all[i++] = {position_in<T>(__builtin_addressof(members)), sizeof(members),
                         alignof(aligned_member<std::remove_reference_t<decltype(members)>>)}),
     ...);
  });
  result.sort();
#endif
  return result;
}

/// Returns true if a class in the hierarchy of `T` has an empty base.
template <class T>
consteval bool has_empty_base() {
  return []<class... Bs>(type_pack<Bs...>) {
    constexpr std::size_t nonempty = ((std::is_empty_v<Bs> ? 0U : 1U) + ... + 0U);
    return count_direct_bases<T>(sizeof...(Bs)) > nonempty || (has_empty_base<Bs>() || ...);
  }(typename listed_parts<T>::bases{});
}
/// Returns true if a base other than the last has bytes after its last member, or the last one has
/// and members follow.
template <class T, class... Bs>
consteval bool follows_padding(type_pack<Bs...>) {
  if constexpr (!knows_positions || sizeof...(Bs) == 0) {
    return false;
  } else {
    std::size_t left = sizeof...(Bs);
    bool found = false;
    const auto look = [&]<class B>(std::type_identity<B>) {
      --left;
      const bool is_padded = !std::is_empty_v<B> && extents_of<B>().end() < sizeof(B);
      found |= is_padded && (left != 0 || listed_parts<T>::own_members != 0);
    };
    (look(std::type_identity<Bs>{}), ...);
    return found;
  }
}
template <class T>
consteval layout_difference difference_of_bases() {
  using enum layout_difference;
  using bases = typename listed_parts<T>::bases;
  return []<class... Bs>(type_pack<Bs...>) {
    constexpr std::size_t all = count_direct_bases<T>(sizeof...(Bs));
    constexpr bool one_is_empty = has_empty_base<T>();
    // A base may differ by its own bases, and yet have no padding on this machine.
    constexpr layout_difference inherited = [] {
      layout_difference found = none;
      static_cast<void>((((found = difference_of_bases<Bs>()) != none) || ...));
      return found;
    }();
    if constexpr (inherited != none) return inherited;
    else if constexpr (all > 1 && one_is_empty) return empty_base;
    else if constexpr (one_is_empty && []<std::size_t... I>(std::index_sequence<I...>) {
                         return (shares_base<T, std::remove_cv_t<member_type<T, I>>>() || ...);
                       }(std::make_index_sequence<member_count<T>>{}))
      return empty_base;
    else if constexpr (follows_padding<T>(bases{})) return base_padding;
    else return none;
  }(bases{});
}
/// Compares the positions of the members with those that the sizes and alignments of the members
/// explain.
template <class T>
consteval layout_difference difference_of_positions() {
  using enum layout_difference;
  if constexpr (!knows_positions) return none;
  const auto extents = extents_of<T>();
  std::size_t end = 0;
  for (std::size_t i = 0; i < member_table<T>::count; ++i) {
    const auto& member = extents.all[i];
    if (member.position < end) return shared_bytes;
    bool is_explained = false; // `alignas` may raise an alignment
    for (std::size_t aligned = member.alignment; aligned <= alignof(T); aligned *= 2)
      is_explained |= member.position == (end + aligned - 1) / aligned * aligned;
    if (!is_explained) return hidden_bytes;
    end = member.position + member.size;
  }
  return sizeof(T) - end >= alignof(T) && (end != 0 || !std::is_empty_v<T>) ? hidden_bytes : none;
}

/// The search. `WithX86` is true if 32-bit x86 counts.
template <bool WithX86>
class layout_search {
public:
  layout_path path;

  /// Returns the difference of the first part that has one. `path` then names this part.
  template <class T>
  constexpr layout_difference find() {
    using enum layout_difference;
    // If such a number has another alignment here, its layout differs from that elsewhere.
    if constexpr (is_wide_number<T>() && (WithX86 || alignof(aligned_member<T>) < 8)) {
      return x86_32_alignment;
    } else if constexpr (live_container<T>) {
      if (!seen_.add(type_tag<T>())) return none;
      return in_parts<T>(typename T::live_parts{});
    } else if constexpr (is_array_like<T>) {
      if constexpr (array_size<T> == 0) return empty_array;
      else return within("[]", [&] { return find<std::remove_cv_t<element_t<T>>>(); });
    } else if constexpr (is_specialization<T, std::pair>) {
      const auto first = in_member("first", [&] { return find<std::remove_cv_t<typename T::first_type>>(); });
      if (first != none) return first;
      return in_member("second", [&] { return find<std::remove_cv_t<typename T::second_type>>(); });
    } else if constexpr (memory_kind_of<T> == kind::bitset) {
      return library_bitset;
    } else if constexpr (memory_kind_of<T> == kind::duration) {
      return difference_of_time<T>();
    } else if constexpr (memory_kind_of<T> == kind::time_point) {
      return difference_of_time<typename T::duration>();
    } else if constexpr (kind_of<T> == kind::record) {
      if (!seen_.add(type_tag<T>())) return none;
      return in_record<T>();
    } else {
      return difference_of_number<T>();
    }
  }

private:
  template <class F>
  constexpr layout_difference restoring(std::size_t length, F&& f) {
    const layout_difference found = f();
    if (found == layout_difference::none) path.length = length;
    return found;
  }
  template <class F>
  constexpr layout_difference within(std::string_view suffix, F&& f) {
    const std::size_t length = path.length;
    path.add(suffix);
    return restoring(length, f);
  }
  template <class F>
  constexpr layout_difference in_member(std::string_view name, F&& f) {
    const std::size_t length = path.length;
    path.add_member(name);
    return restoring(length, f);
  }
  template <class T, class... Ps>
  constexpr layout_difference in_parts(type_pack<Ps...>) {
    layout_difference found = layout_difference::none;
    std::size_t index = 0;
    [[maybe_unused]] const auto look = [&]<class P>(std::type_identity<P>) {
      const std::size_t length = path.length;
      if constexpr (T::container_kind == live_container_kind::variant) {
        path.add("<");
        path.add_index(index);
        path.add(">");
      } else {
        path.add("[]");
        if constexpr (sizeof...(Ps) == 2) path.add(index == 0 ? ".first" : ".second");
      }
      ++index;
      found = restoring(length, [&] { return find<std::remove_cv_t<P>>(); });
      return found == layout_difference::none;
    };
    static_cast<void>((look(std::type_identity<Ps>{}) && ...));
    return found;
  }
  template <class T>
  constexpr layout_difference in_record() {
    using enum layout_difference;
    if constexpr (constexpr auto by_bases = difference_of_bases<T>(); by_bases != none) {
      return by_bases;
    } else {
      layout_difference found = none;
      const auto look = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        found =
            in_member(declared_name_table<T>[I], [&] { return find<std::remove_cv_t<member_type<T, I>>>(); });
        return found == none;
      };
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>((look(std::integral_constant<std::size_t, I>{}) && ...));
      }(std::make_index_sequence<member_count<T>>{});
      return found != none ? found : difference_of_positions<T>();
    }
  }

  visited_types seen_;
};

struct found_layout_difference {
  layout_difference what = layout_difference::none;
  layout_path path;
};
/// The first part of `T` that has another layout on another platform.
template <class T, bool WithX86>
inline constexpr found_layout_difference layout_difference_in = [] {
  layout_search<WithX86> search;
  const layout_difference what = search.template find<std::remove_const_t<T>>();
  return found_layout_difference{what, search.path};
}();

}}} // namespace ingot::INGOT_V1::detail
