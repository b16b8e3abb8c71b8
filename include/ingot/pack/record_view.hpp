// SPDX-License-Identifier: Apache-2.0
// A class or tuple in packed bytes, read field by field.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view_field.hpp>
#include <ingot/reflect/detail/named_member.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template" // addresses only: see name_source
#endif
/// Returns the index of the member that `Pointer` points to, or `member_count` if it points to no
/// member.
template <class T, auto Pointer>
consteval std::size_t index_of_pointer() {
  constexpr auto pointers = member_pointers<T>();
  std::size_t found = member_count<T>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      const auto* wanted = std::addressof(name_source<T>.value.*Pointer);
      using candidate = std::remove_pointer_t<std::remove_cvref_t<decltype(pointer_at<J>(pointers))>>;
      using target = std::remove_pointer_t<std::remove_cvref_t<decltype(wanted)>>;
      if constexpr (std::is_same_v<const candidate, const target>) {
        if (wanted == pointer_at<J>(pointers)) found = J;
      }
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return found;
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/// Views of evolvable records contain the stored size of the fixed part, as a `some_size`. Views of
/// other records have a `no_size` instead, which takes no memory.
struct no_size {
  constexpr no_size() noexcept = default;
  explicit constexpr no_size(std::size_t) noexcept {}
};
struct some_size {
  std::size_t bytes;
};

/// Returns the packed form of the default-constructed record, or the error of packing it. The
/// record is packed once in the life of the program.
template <class T>
const result<buffer>& packed_default() {
  static const never_destroyed<result<buffer>> bytes([]() -> result<buffer> {
    T value{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (member_has<T, J, default_value_t>)
          assign_default<T, J>(*pointer_at<J>(part_pointers(value)));
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<member_count<T>>{});
    // Sets the version, because packing rejects a record with another version. A view returns
    // defaults only for members that the bytes lack, and bytes that lack the version are rejected.
    if constexpr (has_version_member<T>) {
      *pointer_at<0>(part_pointers(value)) = static_cast<member_type<T, 0>>(type_get<T, version_t>.number);
    }
    auto packed = pack(value);
#if INGOT_EXCEPTIONS
    if (!packed && packed.error().code() == errc::no_memory)
      throw std::bad_alloc{}; // the variable stays uninitialised, so that the next call tries again
#endif
    return packed;
  });
  return *bytes;
}

template <class T>
bool prepare_defaults(reader& r, const std::byte* at) {
  const auto& defaults = packed_default<T>();
  if (defaults) return true;
  r.why = defaults.error();
  r.why->with_offset(r.offset_of(at));
  return false;
}

} // namespace detail

/// A record or tuple of type `T` in packed bytes. It has the size of three pointers (four if `T` is
/// evolvable) and is cheap to copy. Reading a field is O(1).
template <class T>
class record_view {
public:
  using value_type = T;

  /// Validates `bytes` completely, and returns a view. O(n) in the number of variable fields.
  /// Errors: as `unpack`.
  [[nodiscard]] static constexpr result<record_view> open(bytes_view bytes,
                                                          trailing rest = trailing::reject) {
    static_assert(packable<T>);
    return detail::open_view<T>(bytes, rest == trailing::allow);
  }
  template <byte_range R>
  [[nodiscard]] static constexpr result<record_view> open(const R& bytes, trailing rest = trailing::reject) {
    return open(as_bytes_view(bytes), rest);
  }
  [[nodiscard]] static constexpr result<record_view> open(const result<buffer>& packed,
                                                          trailing rest = trailing::reject) {
    if (!packed) return fail(packed.error());
    return open(as_bytes_view(*packed), rest);
  }
  /// Not available: the buffer would be destroyed before the view is used.
  static void open(buffer&&, trailing = {}) = delete;         // ingot: put the bytes into a variable first
  static void open(result<buffer>&&, trailing = {}) = delete; // ingot: put the bytes into a variable first

  /// Views trusted bytes: those that this program packed or validated. With any other bytes,
  /// behaviour is undefined. O(1).
  [[nodiscard]] static INGOT_INLINE constexpr record_view open_unchecked(bytes_view bytes) noexcept {
    return from_payload(bytes.data(), bytes.size());
  }
  template <byte_range R>
  [[nodiscard]] static INGOT_INLINE constexpr record_view open_unchecked(const R& bytes) noexcept {
    return open_unchecked(as_bytes_view(bytes));
  }

  /// Returns the `I`-th member, or the `I`-th element of a tuple.
  template <std::size_t I>
  [[nodiscard]] INGOT_INLINE constexpr auto get() const noexcept {
    static_assert(I < detail::parts<T>::count, "ingot: the type has no member of this index");
    static_assert(!detail::parts<T>::template skipped<I>,
                  "ingot: a member annotated ingot::skip is never stored");
    if constexpr (detail::is_evolvable<T>) {
      if (detail::part_offsets<T>[I + 1] > present_.bytes) return missing<I>();
    }
    return detail::view_field<typename detail::parts<T>::template type<I>>(part<I>());
  }
  /// Returns the member with the name `Name`.
  template <fixed_string Name>
  [[nodiscard]] INGOT_INLINE constexpr auto get() const noexcept {
    constexpr std::size_t index = member_index<T>(Name.view());
    static_assert(!detail::names_two_members<T>(Name.view()),
                  "ingot: two members have this name: use the index, or a pointer to the member");
    if constexpr (index < member_count<T>) return get<index>();
    else return detail::no_such_member<T, Name>();
  }
  /// Returns the member that `Pointer` points to: `get<&person::age>()`.
  template <auto Pointer>
    requires std::is_member_object_pointer_v<decltype(Pointer)>
  [[nodiscard]] INGOT_INLINE constexpr auto get() const noexcept {
    constexpr std::size_t index = detail::index_of_pointer<T, Pointer>();
    static_assert(index < member_count<T>, "ingot: the pointer is to no member that ingot stores");
    return get<index>();
  }
  /// Deleted: the name or index of a member is a template argument.
  template <class Name>
  void get(const Name&) const = delete; // ingot: write get<"name">(), or get<0>() for an index

  /// Decodes the whole record into an object. Errors: `no_memory`.
  [[nodiscard]] constexpr result<T> unpack() const {
    return detail::catch_bad_alloc([&]() -> result<T> {
      result<T> value{std::in_place};
      detail::reader r{bytes_view{at_, std::size_t{0}}};
      detail::end_type previous = begin_;
      bool well = true;
      if constexpr (detail::is_evolvable<T>) {
        well = detail::read_parts_of<true, T>(r, at_, tail_, previous, *value, present_.bytes, 0);
      } else {
        well = detail::read_slot<T>(r, at_, tail_, previous, *value, 0);
      }
      if (!well) return r.why.failure();
      return value;
    });
  }

private:
  friend struct detail::view_access;

  static INGOT_INLINE constexpr record_view from_payload(const std::byte* from, std::size_t) noexcept {
    if constexpr (detail::is_evolvable<T>) {
      const std::size_t present = load_le<detail::end_type>(from);
      const std::byte* const at = from + detail::end_size;
      return record_view{{at, at + present, 0}, present};
    } else {
      return record_view{{from, from + detail::fixed_part<T>, 0}, 0};
    }
  }
  /// Views a record in the slot at `f`.
  static INGOT_INLINE constexpr record_view from_slot(const detail::field_ref& f) noexcept {
    return record_view{f, 0};
  }
  /// Views an evolvable record with a fixed part of `present` bytes.
  static INGOT_INLINE constexpr record_view from_evolved(const detail::field_ref& f,
                                                         std::size_t present) noexcept {
    return record_view{f, present};
  }

  explicit INGOT_INLINE constexpr record_view(const detail::field_ref& f, std::size_t present) noexcept
      : at_(f.at), tail_(f.tail), begin_(f.begin), present_{present} {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

  template <std::size_t I>
  [[nodiscard]] INGOT_INLINE constexpr detail::field_ref part() const noexcept {
    constexpr std::size_t before = detail::last_leaf_before<T, I>;
    detail::end_type begin = begin_;
    if constexpr (before != detail::no_leaf) begin = load_le<detail::end_type>(at_ + before);
    return {at_ + detail::part_offsets<T>[I], tail_, begin};
  }

  /// Returns the default of a member that the writer's version did not have. The default was packed
  /// when the view was opened.
  template <std::size_t I>
  [[nodiscard]] static auto missing() noexcept {
    return detail::view_field<typename detail::parts<T>::template type<I>>(
        open_unchecked(*detail::packed_default<T>()).template part<I>());
  }

  const std::byte* at_;
  const std::byte* tail_;
  detail::end_type begin_; ///< position of this record's first payload in the tail
  INGOT_NO_UNIQUE_ADDRESS std::conditional_t<detail::is_evolvable<T>, detail::some_size, detail::no_size>
      present_;
  static const detail::view_description<record_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T>
INGOT_RETAINED constinit const detail::view_description<record_view<T>> record_view<T>::ingot_described =
    detail::describe_view<record_view<T>, T>();
#endif

}} // namespace ingot::INGOT_V1
