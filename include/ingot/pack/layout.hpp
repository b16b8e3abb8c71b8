// SPDX-License-Identifier: Apache-2.0
// The layout of packed bytes. Writer, reader, validator, view and size computation share it.
//
// A value has a *slot* in the fixed part of its record. The size of a slot is known at compile
// time. Scalars, and types made of a known number of scalars, are stored in their slot. The slot of
// a variable field has four bytes: the position in the tail where its payload ends. docs/format.md
// is the normative text.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/reflect/detail/pointer_list.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 {

/// Maximum depth of nested variable fields, in every reader and writer. Readers and writers are
/// recursive, so without this limit a message could overflow the stack.
inline constexpr unsigned max_depth = 128;

/// Maximum number of elements of size zero in one message. They take no bytes, so nothing else
/// bounds the work for a count of up to 2^32.
inline constexpr std::uint32_t max_empty_elements = 65'536;

namespace detail {

/// Type of every length in the format: ends of fields, counts and sizes.
using end_type = std::uint32_t;
inline constexpr std::size_t end_size = sizeof(end_type);

template <class T, class... Path>
inline constexpr bool is_any_of = (std::is_same_v<T, Path> || ...);

template <class T>
inline constexpr bool is_scalar_kind =
    kind_of<T> == kind::boolean || kind_of<T> == kind::integer || kind_of<T> == kind::floating ||
    kind_of<T> == kind::character || kind_of<T> == kind::byte || kind_of<T> == kind::enumeration;

/// Alternatives of the tagged kinds; `void` becomes `nothing`. The tag is the index in this list.
template <class... Ts>
struct alternatives {
  static constexpr std::size_t size = sizeof...(Ts);
};
struct nothing {};
template <class T>
using void_to_nothing = std::conditional_t<std::is_void_v<T>, nothing, T>;

template <class T>
consteval auto tagged_alternatives() {
  if constexpr (kind_of<T> == kind::optional) return alternatives<nothing, typename T::value_type>{};
  else if constexpr (kind_of<T> == kind::box) return alternatives<nothing, typename T::element_type>{};
  else if constexpr (kind_of<T> == kind::expected) {
    return alternatives<void_to_nothing<typename T::value_type>, typename T::error_type>{};
  } else if constexpr (kind_of<T> == kind::variant) {
    return []<class... Ts>(type_pack<Ts...>) {
      static_assert(sizeof...(Ts) <= 256,
                    "ingot: a variant's tag is one byte, so it has at most 256 alternatives");
      return alternatives<Ts...>{};
    }(typename alternatives_of<T>::type{});
  } else return alternatives<>{};
}
template <class T>
inline constexpr bool is_tagged = kind_of<T> == kind::optional || kind_of<T> == kind::box ||
                                  kind_of<T> == kind::expected || kind_of<T> == kind::variant;
/// Kinds in which an empty payload, or a tag of zero in the slot, means that there is no value.
template <class T>
inline constexpr bool may_be_absent = kind_of<T> == kind::optional || kind_of<T> == kind::box;

template <class T>
inline constexpr bool is_evolvable = kind_of<T> == kind::record && type_has<T, evolvable_t>;

/// Containers whose payload is a list of elements. The elements of a map are its entries.
template <class T>
inline constexpr bool is_list =
    kind_of<T> == kind::sequence || kind_of<T> == kind::set || kind_of<T> == kind::unordered_set ||
    kind_of<T> == kind::map || kind_of<T> == kind::unordered_map;
template <class T>
inline constexpr bool is_map = kind_of<T> == kind::map || kind_of<T> == kind::unordered_map;
template <class T>
inline constexpr bool is_text = kind_of<T> == kind::string || kind_of<T> == kind::path;
template <class T>
inline constexpr bool is_sorted_list = is_list<T> && kind_of<T> != kind::sequence;

/// An entry of a map, with the layout of a pair. The `value_type` of a map is not used, because it
/// has a const key.
template <class K, class V>
struct map_entry {
  using key = K;
  using value = V;
};
template <class T>
struct list_element {
  using type = element_t<T>;
};
template <class T>
  requires is_map<T>
struct list_element<T> {
  using type = map_entry<key_t<T>, mapped_t<T>>;
};
template <class T>
using list_element_t = typename list_element<T>::type;

template <class T>
inline constexpr bool is_entry = is_specialization<T, map_entry>;

/// The members of types that are laid out member after member: records, tuples, map entries.
template <class T>
struct parts {
  static constexpr std::size_t count = 0;
};
template <class T>
  requires(!is_entry<T> && kind_of<T> == kind::record)
struct parts<T> {
  static constexpr std::size_t count = member_count<T>;
  template <std::size_t I>
  using type = member_type<T, I>;
  template <std::size_t I>
  static constexpr bool skipped = member_has<T, I, skip_t>;
};
template <class T>
  requires(!is_entry<T> && kind_of<T> == kind::tuple)
struct parts<T> {
  static constexpr std::size_t count = std::tuple_size_v<T>;
  template <std::size_t I>
  using type = std::tuple_element_t<I, T>;
  template <std::size_t>
  static constexpr bool skipped = false;
};
template <class K, class V>
struct parts<map_entry<K, V>> {
  static constexpr std::size_t count = 2;
  template <std::size_t I>
  using type = std::conditional_t<I == 0, K, V>;
  template <std::size_t>
  static constexpr bool skipped = false;
};
template <class T>
concept has_parts = is_entry<T> || kind_of<T> == kind::record || kind_of<T> == kind::tuple;

// --- fixed or variable ---------------------------------------------------------------------------

template <class T, class... Path>
consteval bool fixed_in();

/// True if every value of `T` takes the same number of bytes.
template <class T>
inline constexpr bool is_fixed = fixed_in<T>();

template <class T, class... Path>
consteval bool fixed_step() {
  if constexpr (sizeof...(Path) == 0) return is_fixed<T>;
  else return fixed_in<T, Path...>();
}

/// True for pointers that own one object: a class may contain itself through such a pointer. The
/// pointer of live blocks, `box`, has the kind `optional`.
template <class T>
concept may_be_recursive =
    kind_of<T> == kind::box || (kind_of<T> == kind::optional && requires { typename T::live_policy; });

/// `Path` holds the types that the enclosing boxes hold. A box that holds one of these types is
/// part of a recursive type, so its size is variable.
template <class T, class... Path>
consteval bool fixed_in() {
  if constexpr (std::is_same_v<T, nothing>) return true;
  else if constexpr (is_evolvable<T>) return false;
  else if constexpr (has_parts<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((parts<T>::template skipped<I> || fixed_step<typename parts<T>::template type<I>, Path...>()) &&
              ...);
    }(std::make_index_sequence<parts<T>::count>{});
  } else if constexpr (kind_of<T> == kind::adapted) return fixed_step<adapted_t<T>, Path...>();
  else if constexpr (kind_of<T> == kind::array && array_size<T> == 0)
    return true; // An empty array has no variable part.
  else if constexpr (kind_of<T> == kind::array) return fixed_step<element_t<T>, Path...>();
  else if constexpr (may_be_recursive<T>) {
    using held = typename decltype([]<class U>(alternatives<nothing, U>) {
      return std::type_identity<U>();
    }(tagged_alternatives<T>()))::type;
    if constexpr (is_any_of<held, Path...>) return false;
    else return fixed_in<held, Path..., held>();
  } else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (fixed_step<Ts, Path...>() && ...);
    }(tagged_alternatives<T>());
  } else return !is_list<T> && !is_text<T>;
}

// --- sizes ---------------------------------------------------------------------------------------

template <class T>
consteval std::size_t compute_slot_size();

/// Number of bytes that a `T` takes in the fixed part of its owner.
template <class T>
inline constexpr std::size_t slot_size = compute_slot_size<T>();

template <class T>
consteval auto compute_part_offsets() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<std::size_t, sizeof...(I) + 1> offsets{};
    ((offsets[I + 1] =
          offsets[I] + (parts<T>::template skipped<I>
                            ? 0
                            : slot_size<std::conditional_t<parts<T>::template skipped<I>, nothing,
                                                           typename parts<T>::template type<I>>>)),
     ...);
    return offsets;
  }(std::make_index_sequence<parts<T>::count>{});
}
/// Position of each part's slot; the last entry is the size of all slots.
template <class T>
inline constexpr auto part_offsets = compute_part_offsets<T>();

/// Size of the fixed part of a message, an element or an alternative. For an evolvable record, this
/// is the total size of its slots. As a member, an evolvable record has a slot of four bytes.
template <class T>
consteval std::size_t compute_fixed_part() {
  if constexpr (has_parts<T>) return part_offsets<T>[parts<T>::count];
  else return slot_size<T>;
}
template <class T>
inline constexpr std::size_t fixed_part = compute_fixed_part<T>();

template <class T>
inline constexpr std::size_t scalar_size = sizeof(T);

template <class T>
consteval std::size_t compute_slot_size() {
  if constexpr (std::is_same_v<T, nothing>) return 0;
  else if constexpr (is_evolvable<T>) return end_size;
  else if constexpr (has_parts<T>) return fixed_part<T>;
  else if constexpr (is_scalar_kind<T>) return sizeof(T);
  else if constexpr (kind_of<T> == kind::adapted) return slot_size<adapted_t<T>>;
  else if constexpr (kind_of<T> == kind::array) return array_size<T> * slot_size<element_t<T>>;
  else if constexpr (kind_of<T> == kind::duration) return sizeof(typename T::rep);
  else if constexpr (kind_of<T> == kind::time_point) return sizeof(typename T::duration::rep);
  else if constexpr (kind_of<T> == kind::complex) return 2 * sizeof(typename T::value_type);
  else if constexpr (kind_of<T> == kind::bitset) return (T{}.size() + 7) / 8;
  else if constexpr (is_tagged<T> && is_fixed<T>) {
    return 1 + []<class... Ts>(alternatives<Ts...>) {
      std::size_t largest = 0;
      ((largest = slot_size<Ts> > largest ? slot_size<Ts> : largest), ...);
      return largest;
    }(tagged_alternatives<T>());
  } else return end_size;
}

/// Returns true for a field whose slot is an end offset. The bytes of the field are in the tail.
template <class T>
consteval bool compute_is_leaf() {
  if constexpr (is_entry<T> || std::is_same_v<T, nothing>) return false;
  else if constexpr (kind_of<T> == kind::adapted) return compute_is_leaf<adapted_t<T>>();
  else return is_evolvable<T> || is_list<T> || is_text<T> || (is_tagged<T> && !is_fixed<T>);
}
template <class T>
inline constexpr bool is_variable_leaf = compute_is_leaf<T>();

/// Number of bytes of an element in the list of fixed parts. A message of another version may have
/// another number of bytes for an evolvable element. The message stores this number (see
/// docs/format.md).
template <class T>
inline constexpr std::size_t element_stride = is_evolvable<T> ? end_size + fixed_part<T> : slot_size<T>;

/// True if the type has a `version` annotation, and its first member is an integer with the name
/// `version`.
template <class T>
inline constexpr bool has_version_member = [] {
  if constexpr (!type_has<T, version_t> || member_count<T> == 0) return false;
  else {
    constexpr bool holds_it = member_name<T, 0> == "version" && kind_of<member_type<T, 0>> == kind::integer;
    static_assert(!holds_it || !member_has<T, 0, skip_t>,
                  "ingot: the version that a type expects has to be stored, not skipped");
    return holds_it;
  }
}();

// --- recursion -----------------------------------------------------------------------------------

template <class T, class... Path>
consteval bool cyclic_in() {
  if constexpr (std::is_same_v<T, nothing>) return false;
  else if constexpr (has_parts<T>) {
    if constexpr (is_any_of<T, Path...>) return true;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((!parts<T>::template skipped<I> &&
                 cyclic_in<typename parts<T>::template type<I>, Path..., T>()) ||
                ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else if constexpr (kind_of<T> == kind::adapted) return cyclic_in<adapted_t<T>, Path...>();
  else if constexpr (kind_of<T> == kind::array) return cyclic_in<element_t<T>, Path...>();
  else if constexpr (is_list<T>) return cyclic_in<list_element_t<T>, Path...>();
  else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (cyclic_in<Ts, Path...>() || ...);
    }(tagged_alternatives<T>());
  } else return false;
}
/// True if a class in `T` contains itself, so that values of `T` can have any depth.
template <class T>
inline constexpr bool is_recursive = cyclic_in<T>();

// --- types whose memory equals their packed form -------------------------------------------------

template <class T>
consteval bool compute_bitwise();

/// True if the bytes of an object equal its packed bytes on this machine, so that memcpy can encode
/// and decode the object.
template <class T>
inline constexpr bool is_bitwise = compute_bitwise<T>();

template <class T>
consteval bool compute_bitwise() {
  if constexpr (std::is_same_v<T, nothing> || is_entry<T>) return false;
  else if constexpr (is_scalar_kind<T>) return little_endian || sizeof(T) == 1;
  else if constexpr (kind_of<T> == kind::array) return is_bitwise<element_t<T>> && sizeof(T) == slot_size<T>;
  else if constexpr (kind_of<T> == kind::duration) return little_endian && sizeof(T) == slot_size<T>;
  else if constexpr (kind_of<T> == kind::time_point) return little_endian && sizeof(T) == slot_size<T>;
  else if constexpr (kind_of<T> == kind::complex) return little_endian;
  else if constexpr (kind_of<T> == kind::record) {
    // The members of an aggregate are always listed in the order of their addresses. Other classes
    // may list their members in any order.
    if constexpr (std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> && !described<T> &&
                  !is_evolvable<T> && is_fixed<T>) {
      return sizeof(T) == slot_size<T> && []<std::size_t... I>(std::index_sequence<I...>) {
        return ((!parts<T>::template skipped<I> && is_bitwise<typename parts<T>::template type<I>>) && ...);
      }(std::make_index_sequence<parts<T>::count>{});
    } else {
      return false;
    }
  } else return false;
}

/// Returns true if every pattern of bytes is a value, because `T` contains no bools, closed enums,
/// tags, limits or hooks.
template <class T>
consteval bool compute_any_bytes() {
  if constexpr (std::is_same_v<T, nothing>) return true;
  else if constexpr (is_entry<T> || kind_of<T> == kind::boolean) return false;
  else if constexpr (kind_of<T> == kind::enumeration) return enum_is_open<T>;
  else if constexpr (is_scalar_kind<T>) return true;
  else if constexpr (kind_of<T> == kind::duration || kind_of<T> == kind::time_point ||
                     kind_of<T> == kind::complex) {
    return true;
  } else if constexpr (kind_of<T> == kind::bitset) return T{}.size() % 8 == 0;
  else if constexpr (kind_of<T> == kind::array) return compute_any_bytes<element_t<T>>();
  else if constexpr (kind_of<T> == kind::tuple) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (compute_any_bytes<std::tuple_element_t<I, T>>() && ...);
    }(std::make_index_sequence<parts<T>::count>{});
  } else if constexpr (kind_of<T> == kind::record) {
    if constexpr (has_hooks<T> || type_has<T, version_t>) return false;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((parts<T>::template skipped<I> ||
                 (!member_is_limited<T, I> && compute_any_bytes<typename parts<T>::template type<I>>())) &&
                ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else return false;
}
template <class T>
inline constexpr bool any_bytes_valid = is_fixed<T> && compute_any_bytes<T>();

/// For each member, counts the members from this one on that are adjacent both in memory and in the
/// message. Assumes that each member has the lowest aligned offset after its predecessor. Codecs
/// verify this assumption with `are_adjacent`, which compiles to a constant.
template <class T>
consteval auto compute_runs() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    constexpr std::size_t n = sizeof...(I);
    constexpr std::array<bool, n> bitwise{
        (!parts<T>::template skipped<I> && is_bitwise<typename parts<T>::template type<I>>)...};
    constexpr std::array<std::size_t, n> sizes{sizeof(typename parts<T>::template type<I>)...};
    constexpr std::array<std::size_t, n> alignments{alignof(typename parts<T>::template type<I>)...};
    // length of the run that starts at each member; 1 for a single member
    std::array<std::size_t, n> length{};
    std::array<std::size_t, n> begin{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      at = (at + alignments[i] - 1) / alignments[i] * alignments[i];
      begin[i] = at;
      at += sizes[i];
    }
    for (std::size_t i = n; i-- > 0;) {
      length[i] = 1;
      if (i + 1 < n && bitwise[i] && bitwise[i + 1] && begin[i] + sizes[i] == begin[i + 1])
        length[i] += length[i + 1];
    }
    return length;
  }(std::make_index_sequence<parts<T>::count>{});
}
template <class T>
inline constexpr auto run_lengths = compute_runs<T>();

/// Returns true if members `I` to `I + Count - 1` are adjacent in memory, without gaps. Folds to a
/// constant.
template <std::size_t I, std::size_t Count, class Pointers>
INGOT_INLINE bool are_adjacent(const Pointers& pointers) noexcept {
  if constexpr (Count == 1) {
    return true;
  } else {
    const auto* here = pointer_at<I>(pointers);
    return reinterpret_cast<const std::byte*>(here) + sizeof(*here) ==
               reinterpret_cast<const std::byte*>(pointer_at<I + 1>(pointers)) &&
           are_adjacent<I + 1, Count - 1>(pointers);
  }
}

/// Calls `f` with references to all parts.
template <class T, class F>
INGOT_INLINE constexpr decltype(auto) visit_parts(T& object, F&& f) {
  if constexpr (kind_of<std::remove_const_t<T>> == kind::record) {
    return visit_members(object, std::forward<F>(f));
  } else {
    return std::apply(std::forward<F>(f), object);
  }
}
/// Returns pointers to all parts; see `pointer_at`.
template <class T>
INGOT_INLINE constexpr auto part_pointers(T& object) {
  return visit_parts(object, [](auto&... members) INGOT_INLINE_LAMBDA { return pointers_to(members...); });
}

/// Returns true if the part is a member with limits.
template <class T, std::size_t I>
consteval bool is_limited_part() {
  if constexpr (is_entry<T> || kind_of<T> != kind::record) return false;
  else return member_is_limited<T, I>;
}

/// Calls `f` with the value that a tagged value holds. Does not call `f` if there is no value, or
/// for a variant that is valueless by exception.
template <class T, class F>
INGOT_INLINE constexpr void visit_held(T& value, F&& f) {
  using plain = std::remove_const_t<T>;
  if constexpr (may_be_absent<plain>) {
    if (value) f(std::integral_constant<std::size_t, 1>{}, *value);
  } else if constexpr (kind_of<plain> == kind::expected) {
    if (value.has_value()) {
      if constexpr (!std::is_void_v<typename plain::value_type>) {
        f(std::integral_constant<std::size_t, 0>{}, *value);
      } else {
        const nothing none{};
        f(std::integral_constant<std::size_t, 0>{}, none);
      }
    } else {
      f(std::integral_constant<std::size_t, 1>{}, value.error());
    }
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
      const auto index = value.index();
      static_cast<void>(
          ((index == I ? (f(std::integral_constant<std::size_t, I>{}, *get_if<I>(&value)), true) : false) ||
           ...));
    }(std::make_index_sequence<std::variant_size_v<plain>>{});
  }
}

} // namespace detail
}} // namespace ingot::INGOT_V1
