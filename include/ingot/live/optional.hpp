// SPDX-License-Identifier: Apache-2.0
// A value that may be absent, stored inline: the bytes of the value, a byte that is 1 if the value
// is present, and zeros up to the alignment of the value. The bytes of an absent value are zeros,
// except that its containers are empty containers of the block. So these containers always have an
// offset to their block, and a move of the optional adjusts the offsets without a branch.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/optional_depth.hpp>
#include <ingot/live/detail/optional_payload.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#if !INGOT_EXCEPTIONS
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// True if an optional of `T` can be created from a `U` that is not an optional. Always false for
/// the placeholder types with which reflection counts the members of an aggregate. An optional of
/// an optional would otherwise accept such a placeholder as a value.
template <class T, class U>
concept value_for = !requires { typename std::remove_cvref_t<U>::stands_for_an_initialiser; } &&
                    (std::is_constructible_v<T, U> || std::is_assignable_v<T&, U>);
template <class T, class U>
concept implied_value_for =
    value_for<T, U> && (std::is_convertible_v<U, T> || !std::is_constructible_v<T, U>);

[[noreturn]] INGOT_COLD inline void throw_bad_optional_access() {
#if INGOT_EXCEPTIONS
  throw std::bad_optional_access();
#else
  std::abort();
#endif
}

} // namespace detail

/// An optional with the interface and complexity of std::optional. If `T` holds no containers, the
/// optional is trivially copyable; otherwise only assignment copies it. Creating a value may throw
/// `out_of_space`; an optional without a value is then unchanged. The `try_` forms return false or
/// null instead. Functions that return another optional return a std::optional.
template <class T, block_policy P>
class basic_optional {
  static_assert(std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                "ingot: an optional holds an object, without const: use std::array for an array");
  static constexpr std::size_t tail_size = detail::round_up(sizeof(T) + 1, alignof(T)) - sizeof(T);

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The type of the value.
  using live_parts = detail::type_pack<T>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::optional;
  /// True if `T` holds containers.
  static constexpr bool holds_offsets = detail::holds_offsets<T>;
  using value_type = T;

  basic_optional() noexcept {
    if constexpr (holds_offsets) detail::make_vacant(value_here());
  }
  /// Creates an optional without a value.
  basic_optional(std::nullopt_t) noexcept
      : basic_optional() {} // NOLINT(google-explicit-constructor): as std::optional
  basic_optional(const basic_optional&)
    requires(!holds_offsets)
  = default;
  basic_optional(const basic_optional&)
    requires holds_offsets
  = delete; // ingot: an optional that holds containers is copied by assignment inside a block
  /// Creates an optional with a value, or with the value of another optional or of a pointer. The
  /// new optional is outside of all blocks. So if `T` holds containers, it can hold only values
  /// that need no storage. Other values throw `out_of_space`.
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_optional> &&
             !detail::optional_or_box<std::remove_cvref_t<U>> && detail::value_for<T, U>)
  explicit(!detail::implied_value_for<T, U>) basic_optional(U&& value) : basic_optional() {
    self_or_throw(try_assign(std::forward<U>(value)));
  }
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_optional> &&
             detail::optional_or_box<std::remove_cvref_t<U>>)
  basic_optional(U&& other) : basic_optional() { // NOLINT(*-explicit-*): as std::optional
    self_or_throw(try_assign(std::forward<U>(other)));
  }
  template <class... A>
  explicit basic_optional(std::in_place_t, A&&... arguments) : basic_optional() {
    emplace(std::forward<A>(arguments)...);
  }
  ~basic_optional() = default;

  basic_optional& operator=(const basic_optional&)
    requires(!holds_offsets)
  = default;
  basic_optional& operator=(basic_optional&&)
    requires(!holds_offsets)
  = default;
  basic_optional& operator=(const basic_optional& other)
    requires holds_offsets
  {
    // If there is no value, `assign_value` may make the copy later: see the assignment of
    // `basic_box`.
    return self_or_throw(has_value() ? try_assign(other) : detail::assign_value(*this, other));
  }
  /// Swaps the values if both are in one block, O(1). Otherwise copies.
  basic_optional& operator=(basic_optional&& other)
    requires holds_offsets
  {
    return self_or_throw(try_assign(std::move(other)));
  }
  basic_optional& operator=(std::nullopt_t) noexcept {
    reset();
    return *this;
  }
  template <class U = detail::braced_t<T>>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_optional> && !std::same_as<U, detail::not_in_braces>)
  basic_optional& operator=(U&& value) {
    return self_or_throw(try_assign(std::forward<U>(value)));
  }
  /// Creates a value from the elements in braces. Empty braces mean no value.
  template <class V = T, class List = detail::braced_list_t<V>>
    requires(!std::same_as<List, detail::not_in_braces>)
  basic_optional& operator=(std::type_identity_t<List> values) {
    if (values.size() != 0) return self_or_throw(try_assign(values));
    reset();
    return *this;
  }

  [[nodiscard]] bool has_value() const noexcept { return tail_[0] != std::byte{0}; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Returns the value. Requires that there is a value. docs/preconditions.md lists the checks.
  [[nodiscard]] INGOT_CHECKED T& operator*() noexcept {
    require_value("* without a value");
    return value_here();
  }
  [[nodiscard]] INGOT_CHECKED const T& operator*() const noexcept {
    require_value("* without a value");
    return value_here();
  }
  [[nodiscard]] INGOT_CHECKED T* operator->() noexcept {
    require_value("-> without a value");
    return std::addressof(value_here());
  }
  [[nodiscard]] INGOT_CHECKED const T* operator->() const noexcept {
    require_value("-> without a value");
    return std::addressof(value_here());
  }
  /// Returns the value, or null if there is none.
  [[nodiscard]] T* get_if() noexcept { return has_value() ? std::addressof(value_here()) : nullptr; }
  [[nodiscard]] const T* get_if() const noexcept {
    return has_value() ? std::addressof(value_here()) : nullptr;
  }
  /// Throws std::bad_optional_access if there is no value; without exceptions, ends the program.
  [[nodiscard]] T& value() {
    if (!has_value()) detail::throw_bad_optional_access();
    return value_here();
  }
  [[nodiscard]] const T& value() const {
    if (!has_value()) detail::throw_bad_optional_access();
    return value_here();
  }
  template <class U>
    requires std::is_copy_constructible_v<T>
  [[nodiscard]] T value_or(U&& other) const {
    return has_value() ? value_here() : static_cast<T>(std::forward<U>(other));
  }
  /// For a `T` that is text: returns the text as a view, or `other` if there is no text.
  template <class V = T>
    requires(!std::is_copy_constructible_v<T>)
  [[nodiscard]] typename V::view_type value_or(typename V::view_type other) const noexcept {
    return has_value() ? value_here().view() : other;
  }

  template <class F>
  auto and_then(F&& f) {
    using returned = std::remove_cvref_t<std::invoke_result_t<F, T&>>;
    return has_value() ? std::invoke(std::forward<F>(f), value_here()) : returned{};
  }
  template <class F>
  auto and_then(F&& f) const {
    using returned = std::remove_cvref_t<std::invoke_result_t<F, const T&>>;
    return has_value() ? std::invoke(std::forward<F>(f), value_here()) : returned{};
  }
  template <class F>
  auto transform(F&& f) {
    using returned = std::optional<std::remove_cv_t<std::invoke_result_t<F, T&>>>;
    return has_value() ? returned(std::invoke(std::forward<F>(f), value_here())) : returned{};
  }
  template <class F>
  auto transform(F&& f) const {
    using returned = std::optional<std::remove_cv_t<std::invoke_result_t<F, const T&>>>;
    return has_value() ? returned(std::invoke(std::forward<F>(f), value_here())) : returned{};
  }
  template <class F>
    requires std::is_copy_constructible_v<T>
  basic_optional or_else(F&& f) const {
    return has_value() ? *this : basic_optional(std::forward<F>(f)());
  }

  /// Creates a new value and returns it. Returns null if the block cannot grow; the optional is
  /// then unchanged. The arguments may refer to the old value.
  template <class... A>
  [[nodiscard]] T* try_emplace(A&&... arguments) {
    if constexpr (!holds_offsets && std::is_trivially_copyable_v<T> && std::is_constructible_v<T, A...> &&
                  !detail::has_padding<T>) {
      const T object(std::forward<A>(arguments)...);
      std::memcpy(payload_, static_cast<const void*>(std::addressof(object)), sizeof(T));
    } else {
      const auto in = block();
      // a named function, because compilers warn of an unused parameter if there is nothing to
      // destroy
      const auto destroy_old = [&] {
        if constexpr (holds_offsets) {
          if (has_value() && in.start() != nullptr) detail::destroy(value_here(), in);
        }
      };
      if (!detail::replace_object<T, sizeof(T)>(payload_, in, destroy_old, std::forward<A>(arguments)...))
        return nullptr;
    }
    tail_[0] = std::byte{1};
    return std::addressof(value_here());
  }
  template <class... A>
  T& emplace(A&&... arguments) {
    T* const object = try_emplace(std::forward<A>(arguments)...);
    if (object == nullptr) [[unlikely]]
      throw_failure();
    return *object;
  }
  template <class E>
  T& emplace(std::initializer_list<E> values) {
    return emplace<std::initializer_list<E>>(std::move(values));
  }

  void reset() noexcept {
    if constexpr (holds_offsets) {
      if (!has_value()) return;
      const auto in = block();
      if (in.start() != nullptr) detail::destroy(value_here(), in);
      detail::make_vacant(value_here());
      if (in.start() != nullptr) detail::bind(value_here(), in);
    } else {
      std::memset(payload_, 0, sizeof(T));
    }
    tail_[0] = std::byte{0};
  }

  /// Assigns nullopt, a value, a twin of the value (a struct with the same member names), or the
  /// value of another optional or of a pointer. Returns false if the block cannot grow. A value
  /// that was there before may then be partly assigned, as after a failed assignment to the value
  /// itself.
  template <class U>
  [[nodiscard]] bool try_assign(U&& from) {
    using source = std::remove_cvref_t<U>;
    if constexpr (std::same_as<source, basic_optional>) {
      if (this == std::addressof(from)) return true;
      if constexpr (holds_offsets && !std::is_lvalue_reference_v<U> && !std::is_const_v<U>) {
        if (shares_block(from)) return detail::swap_objects(*this, from), true;
      }
      return from.has_value() ? put(*std::forward<U>(from)) : (reset(), true);
    } else if constexpr (std::same_as<source, std::nullopt_t>) {
      return reset(), true;
    } else if constexpr (detail::optional_depth<source>() > detail::optional_depth<T>()) {
      return from ? put(*std::forward<U>(from)) : (reset(), true);
    } else {
      return put(std::forward<U>(from));
    }
  }

  /// Swaps the values. O(1). If `T` holds containers, both optionals must be in one block, or both
  /// outside of blocks.
  void swap(basic_optional& other) {
    if constexpr (holds_offsets) {
      if (!shares_block(other) && (block().start() != nullptr || other.block().start() != nullptr))
        block().start() != nullptr ? other.throw_failure() : throw_failure();
    }
    detail::swap_objects(*this, other);
  }
  friend void swap(basic_optional& a, basic_optional& b) { a.swap(b); }

  // The operators are members, because overload resolution for containers of optionals would also
  // consider friends.
  bool operator==(const basic_optional& other) const {
    return has_value() == other.has_value() && (!has_value() || detail::equal_values(**this, *other));
  }
  bool operator==(std::nullopt_t) const noexcept { return !has_value(); }
  /// Needed because std::optional's own comparison would treat an ingot::optional as a value.
  template <class U>
  friend bool operator==(const basic_optional& a, const std::optional<U>& b) {
    return a.equals(b);
  }
  /// Compares with a value, or with the value of another kind of optional or of a pointer.
  template <class U>
    requires(!std::same_as<U, basic_optional>)
  bool operator==(const U& other) const {
    return equals(other);
  }
  auto operator<=>(const basic_optional& other) const
    requires std::three_way_comparable<T>
  {
    static_assert(detail::require_bounded_order<basic_optional>());
    using order = std::compare_three_way_result_t<T>;
    return has_value() && other.has_value() ? **this <=> *other
                                            : static_cast<order>(has_value() <=> other.has_value());
  }
  std::strong_ordering operator<=>(std::nullopt_t) const noexcept { return has_value() <=> false; }

private:
  friend detail::container_access;

  INGOT_CHECKED INGOT_INLINE void require_value([[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE(has_value(), broken_access("ingot::optional", call));
  }
  [[nodiscard]] INGOT_INLINE T& value_here() noexcept { return *reinterpret_cast<T*>(payload_); }
  [[nodiscard]] INGOT_INLINE const T& value_here() const noexcept {
    return *reinterpret_cast<const T*>(payload_);
  }
  /// Returns null outside of a block, and for a `T` without containers.
  [[nodiscard]] INGOT_INLINE detail::block_ref<P> block() const noexcept {
    if constexpr (holds_offsets) return detail::block_or_null(detail::first_anchor(value_here()));
    else return detail::block_ref<P>(nullptr);
  }
  [[nodiscard]] bool shares_block(const basic_optional& other) const noexcept {
    return block().start() != nullptr && block() == other.block();
  }
  [[noreturn]] INGOT_COLD void throw_failure() const {
    if constexpr (holds_offsets) detail::first_anchor(value_here()).throw_failure();
    else detail::throw_out_of_space(out_of_space_reason::full);
  }
  basic_optional& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      throw_failure();
    return *this;
  }
  template <class U>
  [[nodiscard]] bool equals(const U& other) const {
    if constexpr (detail::optional_depth<U>() > detail::optional_depth<T>()) {
      return has_value() == static_cast<bool>(other) &&
             (!has_value() || detail::equal_values(**this, *other));
    } else {
      return has_value() && detail::equal_values(**this, other);
    }
  }
  template <class U>
  [[nodiscard]] bool put(U&& value) {
    // If the type is recursive, the new value is created before the old value is destroyed, because
    // `value` may be a part of the old value.
    if constexpr (!detail::contains_itself<basic_optional>) {
      if (has_value()) return detail::assign_value(value_here(), std::forward<U>(value));
    }
    return try_emplace(std::forward<U>(value)) != nullptr;
  }

  void bind(detail::block_ref<P> in) noexcept { detail::bind(value_here(), in); }
  void shift(std::ptrdiff_t by) noexcept {
    detail::for_each_container(
        value_here(), [by](auto& each) INGOT_INLINE_LAMBDA { detail::container_access::shift(each, by); });
  }
  void destroy(detail::block_ref<P> in) noexcept {
    if (has_value()) detail::destroy(value_here(), in);
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    if (static_cast<unsigned>(tail_[0]) > 1)
      return validator.reject(errc::bad_variant, tail_, "0 or 1 after an optional value");
    if (!detail::all_zero(tail_ + 1, tail_size - 1))
      return validator.reject(errc::bad_padding, tail_, "zeros after an optional value");
    if (has_value()) return detail::check_object(value_here(), validator);
    return detail::is_vacant(value_here(), validator) ||
           validator.reject(errc::bad_padding, payload_,
                            "zeros, and empty containers, where there is no value");
  }

  alignas(T) std::byte payload_[sizeof(T)]{};
  std::byte tail_[tail_size]{}; ///< byte 0 is 1 if there is a value; other bytes are zero
};

/// Optional in a block with 32-bit offsets.
template <class T>
using optional = basic_optional<T, narrow_policy>;
namespace wide {
/// Optional in a block with 64-bit offsets.
template <class T>
using optional = basic_optional<T, wide_policy>;
} // namespace wide

static_assert(sizeof(optional<int>) == 8 && std::is_trivially_copyable_v<optional<int>>);

}} // namespace ingot::INGOT_V1

/// Same as the hash of a std::optional with this value.
template <class T, ingot::block_policy P>
  requires requires(const T& value) { std::hash<T>{}(value); }
struct std::hash<ingot::basic_optional<T, P>> {
  [[nodiscard]] std::size_t operator()(const ingot::basic_optional<T, P>& value) const {
    return value.has_value() ? std::hash<T>{}(*value) : std::hash<std::optional<int>>{}(std::nullopt);
  }
};
