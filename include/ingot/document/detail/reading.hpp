// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of C++ types from documents: the state of a reader with its error, and
// functions that visit elements.
#pragma once

#include <ingot/core/detail/found_number.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/document/conversion.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/document/detail/wrapped.hpp>
#include <ingot/reflect/detail/bucket_watch.hpp>
#include <ingot/reflect/detail/element_cost.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/key_filling.hpp>
#include <ingot/reflect/detail/range_text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

[[nodiscard]] constexpr std::string_view name_of(value_kind kind) noexcept {
  constexpr std::string_view names[] = {
      "nothing",  "null",     "a boolean", "an integer", "an integer of 2^63 or more",
      "a number", "a string", "bytes",     "an array",   "an object"};
  return names[static_cast<std::size_t>(kind)];
}

/// The options of a conversion that a reader needs for each value.
struct conversion_forms {
  bool whole_reals = false;
  bool null_as_empty = false;
  bool arrays_as_records = false;
  uint32_t max_collisions = read_limits::default_collisions;
};

/// State of a reader: the bytes that it reads, its options and limits, and its error.
struct reading {
  explicit reading(memory from) noexcept
      : in(from), key_bytes(16 * uint64_t{from.size} + 4096),
        memory_left(memory_limit(read_limits::by_input, from.size)) {}
  explicit reading(memory from, const conversion_options& options) noexcept
      : in(from), key_bytes(16 * uint64_t{from.size} + 4096),
        how{options.whole_reals, options.null_as_empty, options.arrays_as_records, options.max_collisions},
        memory_left(memory_limit(options.max_memory, from.size)) {}

  memory in;
  pending_error why;
  /// Maximum number of bytes that texts of keys may still take. Without this limit, a small
  /// document could need much memory, because many objects may share one long key.
  uint64_t key_bytes;
  unsigned depth = 0;
  unsigned whole_depth = 1; ///< value of `depth` while the outermost value is read
  bool evolves = false;     ///< objects may be of another version of their type
  conversion_forms how;
  uint64_t memory_left;
  collision_count collisions;  ///< count for all hashed containers of the value
  progress_poll* by = nullptr; ///< null if there is no poll
  static constexpr unsigned depth_limit = 128;

  /// For a reader at element `from` of `count`: returns the index at which the next poll is due. If
  /// there is no poll, returns `count`, so loops need only one check.
  [[nodiscard]] uint32_t until_poll(uint32_t from, uint32_t count) const noexcept {
    return by == nullptr ? count : from + 1;
  }
  /// Polls in a container. Returns false if cancelled.
  [[nodiscard]] INGOT_COLD bool should_continue(const container& at) {
    return by->step_should_continue(at.has_node ? at.n.position : 0) || reject(errc::cancelled, {});
  }

  INGOT_COLD bool reject(errc code, std::string_view expected) {
    why = error{code}.with_expected(expected);
    return false;
  }
  /// Rejects a member because of its limits.
  INGOT_COLD bool reject(const limit_failure& failure) {
    static_cast<void>(reject(failure.code, failure.expected));
    failure.name_found(*why);
    return false;
  }
  /// Rejects an integer that a type of `size` bytes can't hold.
  INGOT_COLD bool reject_integer(const item& found, std::size_t size, bool is_signed) {
    why = error{errc::out_of_range}.with_expected(integer_range_text(size, is_signed).view());
    if (found.kind == value_kind::number) found_number(*why, found.real());
    else why->with_found(number_text(found.number, found.kind == value_kind::integer).view());
    return false;
  }
  /// Rejects a number that a float of 32 bits can't hold.
  INGOT_COLD bool reject_float(double found) {
    why = error{errc::out_of_range}.with_expected(float_range);
    found_number(*why, found);
    return false;
  }
  INGOT_COLD bool mismatch(std::string_view expected, value_kind found) {
    why = error{found == value_kind::absent ? errc::missing_member : errc::type_mismatch}
              .with_expected(expected)
              .with_found(name_of(found));
    return false;
  }
};

template <class T>
[[nodiscard]] bool read_as(reading& r, const item& from, T& to);

/// Adds an element of a set, or a map's key and value. Returns false if the key exists, or if too
/// many keys are in its bucket.
template <class T, class Key, class... Mapped>
[[nodiscard]] bool add_key(reading& r, T& to, std::string_view once, Key&& key, Mapped&&... mapped) {
  const std::size_t before = to.size();
  const auto hint = insertion_hint(r.collisions, to, key);
  const auto at = to.emplace_hint(hint, std::forward<Key>(key), std::forward<Mapped>(mapped)...);
  const auto& added = [&]() -> const auto& {
    if constexpr (sizeof...(Mapped) != 0) return at->first;
    else return *at;
  }();
  if (!has_few_collisions(r.collisions, r.how.max_collisions, to, added))
    return r.reject(errc::too_many_collisions, few_collisions);
  return to.size() != before || r.reject(errc::duplicate_key, once);
}

template <class T, class Key, class... Mapped>
[[nodiscard]] INGOT_INLINE bool add_key(reading& r, key_filling<T>& to, std::string_view once, Key&& key,
                                        Mapped&&... mapped) {
  return to.add(std::forward<Key>(key), std::forward<Mapped>(mapped)...) ||
         r.reject(errc::duplicate_key, once);
}
/// Calls `fill` with the container. If each insertion could move many entries of the container,
/// calls `fill` with a `key_filling` instead, which adds nearly every key in O(log n).
template <class T, class Fill>
[[nodiscard]] bool fill_keys(T& to, Fill&& fill) {
  if constexpr (moves_entries<T>) {
    key_filling<T> filling(to);
    if (!std::forward<Fill>(fill)(filling)) return false;
    filling.finish();
    return true;
  } else {
    return std::forward<Fill>(fill)(to);
  }
}

/// Counts memory for objects that are made from the document. If the limit is exceeded, sets the
/// error and returns false.
[[nodiscard]] inline bool take_memory(reading& r, uint64_t bytes) {
  if (bytes > r.memory_left) [[unlikely]]
    return r.reject(errc::too_much_memory, within_memory);
  r.memory_left -= bytes;
  return true;
}
/// Returns true if the container can hold one more element, and the memory limit allows this
/// element. Numbers in lists are not counted, since they take at most 8 times their bytes in the
/// document.
template <class T>
[[nodiscard]] bool has_capacity(reading& r, const T& to, std::size_t size) {
  if (!can_hold(to, size + 1)) return r.reject(errc::too_long, within_capacity);
  if constexpr (std::is_arithmetic_v<typename T::value_type>) return true;
  else return take_memory(r, element_cost<T>());
}
template <class T>
[[nodiscard]] bool has_capacity(reading& r, const T& to) {
  return has_capacity(r, to, has_fixed_capacity<T> ? to.size() : 0);
}

template <class F>
[[nodiscard]] bool for_each_element(reading& r, const item& from, F&& f);

/// Visits the elements of an array that is wrapped in an object: a set of CBOR, or a typed array.
template <class F>
[[nodiscard]] INGOT_COLD bool for_each_wrapped(reading& r, const item& from, F&& f) {
  wrapped_value found;
  typed_array form;
  if (from.kind == value_kind::null) {
    if (r.how.null_as_empty) return true;
    return r.mismatch("an array: see conversion_options::null_as_empty", from.kind);
  }
  if (!find_wrapped(r.in, from, found) || found.is_time) return r.mismatch("an array", from.kind);
  if (found.tag == cbor_tag::set && found.content.kind == value_kind::array)
    return for_each_element(r, found.content, f);
  if (!find_typed_array(found.tag, form) || found.content.kind != value_kind::binary)
    return r.reject(errc::type_mismatch, "a tag of arrays: 258, or 64 to 87");
  const std::string_view bytes = text_of(r.in, found.content);
  if (bytes.size() % form.width != 0) return r.reject(errc::bad_length, "whole elements of a typed array");
  const auto* at = reinterpret_cast<const std::byte*>(bytes.data());
  for (uint32_t i = 0; i < bytes.size() / form.width; ++i, at += form.width) {
    if (r.by != nullptr && !r.by->step_should_continue()) return r.reject(errc::cancelled, {});
    if (!f(i, form.element(at))) return r.why->in_element(i), false;
  }
  return true;
}
/// Calls `f(index, item)` for the elements of an array, until `f` returns false.
template <class F>
[[nodiscard]] bool for_each_element(reading& r, const item& from, F&& f) {
  if (from.kind != value_kind::array) [[unlikely]]
    return for_each_wrapped(r, from, f);
  container array;
  if (!find_container(r.in, from, array)) return r.reject(errc::bad_length, "an array's node");
  const uint32_t count = array.count();
  for (uint32_t i = 0; i < count;) {
    for (const uint32_t end = r.until_poll(i, count); i < end; ++i) {
      const item each = array.has_node
                            ? array.n.value(i)
                            : item::of(load_packed(from.bytes + (std::size_t{i} << from.shift), from.shift));
      if (!f(i, each)) return r.why->in_element(i), false;
    }
    if (i < count && !r.should_continue(array)) return false;
  }
  return true;
}
/// Finds an object and its keys.
[[nodiscard]] inline bool read_keys(reading& r, const item& from, container& object, key_columns& keys) {
  if (from.kind != value_kind::object) return r.mismatch("an object", from.kind);
  return (find_container(r.in, from, object) &&
          (!object.has_node || key_columns::of_object(r.in, object.n, keys))) ||
         r.reject(errc::bad_length, "an object's node");
}

}}} // namespace ingot::INGOT_V1::detail::doc
