// SPDX-License-Identifier: Apache-2.0
// One of several types, stored inline: an offset to the block's sentinel if any alternative holds
// containers; a byte with the index of the alternative; zeros up to the largest alignment; the
// object; zeros up to the size of the largest alternative.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/detail/optional_payload.hpp>
#include <ingot/live/detail/variant_choice.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>
#if !INGOT_EXCEPTIONS
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 {

template <block_policy P, class... Ts>
class basic_variant;

}} // namespace ingot::INGOT_V1

template <ingot::block_policy P, class... Ts>
struct std::variant_size<ingot::basic_variant<P, Ts...>>
    : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t I, ingot::block_policy P, class... Ts>
struct std::variant_alternative<I, ingot::basic_variant<P, Ts...>>
    : std::variant_alternative<I, std::variant<Ts...>> {};

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

template <block_policy P, class... Ts>
inline constexpr bool is_variant<basic_variant<P, Ts...>> = true;
template <block_policy P, class... Ts>
struct alternatives_of<basic_variant<P, Ts...>> {
  using type = type_pack<Ts...>;
};
template <class V>
inline constexpr bool is_live_variant = false;
template <block_policy P, class... Ts>
inline constexpr bool is_live_variant<basic_variant<P, Ts...>> = true;
template <class V>
concept live_variant = is_live_variant<std::remove_cvref_t<V>>;

template <class T, class... Ts>
inline constexpr std::size_t alternative_index = only_true(std::array{std::is_same_v<T, Ts>...});

struct no_anchor {};

[[noreturn]] INGOT_COLD inline void throw_bad_variant_access() {
#if INGOT_EXCEPTIONS
  throw std::bad_variant_access();
#else
  std::abort();
#endif
}

} // namespace detail

/// Returns the alternative, or null if the variant holds another alternative.
template <std::size_t I, block_policy P, class... Ts>
[[nodiscard]] std::variant_alternative_t<I, basic_variant<P, Ts...>>*
get_if(basic_variant<P, Ts...>* from) noexcept {
  return from != nullptr ? from->template get_if<I>() : nullptr;
}
template <std::size_t I, block_policy P, class... Ts>
[[nodiscard]] const std::variant_alternative_t<I, basic_variant<P, Ts...>>*
get_if(const basic_variant<P, Ts...>* from) noexcept {
  return from != nullptr ? from->template get_if<I>() : nullptr;
}

/// A variant with the interface and complexity of std::variant, except that it always holds a
/// value: if a new value can't be created, the old value remains. Creation fails if it throws, or
/// if the block cannot grow (`out_of_space`). The `try_` forms return false or null instead. If an
/// alternative holds containers, only assignment copies the variant; otherwise the variant is
/// trivially copyable. A variant has at most 256 alternatives. A default-constructed variant holds
/// the first alternative.
template <block_policy P, class... Ts>
class basic_variant {
  static_assert(sizeof...(Ts) >= 1 && sizeof...(Ts) <= 256,
                "ingot: a variant's tag is one byte, so it has 1 to 256 alternatives");
  static_assert(
      (std::is_object_v<Ts> && ...) && !(std::is_array_v<Ts> || ...) &&
          (std::is_same_v<Ts, std::remove_cv_t<Ts>> && ...),
      "ingot: the alternatives of a variant are objects, without const: use std::array for an array");
  template <std::size_t I>
  using alternative = std::variant_alternative_t<I, std::variant<Ts...>>;
  template <class T>
  static constexpr std::size_t index_of = detail::alternative_index<T, Ts...>;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The types of the alternatives.
  using live_parts = detail::type_pack<Ts...>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::variant;
  /// True if an alternative holds containers.
  static constexpr bool holds_offsets = (detail::holds_offsets<Ts> || ...);

  basic_variant() noexcept { ::new (static_cast<void*>(payload_)) alternative<0>{}; }
  basic_variant(const basic_variant&)
    requires(!holds_offsets)
  = default;
  basic_variant(const basic_variant&)
    requires holds_offsets
  = delete; // ingot: a variant that holds containers is copied by assignment inside a block
  /// Creates a variant with a value. The new variant is outside of all blocks. So if an alternative
  /// holds containers, the variant can hold only values that need no storage. Other values throw
  /// `out_of_space`.
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_variant> &&
             !detail::is_variant<std::remove_cvref_t<U>> &&
             detail::chosen_alternative<U, Ts...>() != detail::no_alternative)
  basic_variant(U&& value) : basic_variant() { // NOLINT(*-explicit-constructor): as std::variant
    self_or_throw(try_assign(std::forward<U>(value)));
  }
  template <std::size_t I, class... A>
  explicit basic_variant(std::in_place_index_t<I>, A&&... arguments) : basic_variant() {
    emplace<I>(std::forward<A>(arguments)...);
  }
  template <class T, class... A>
  explicit basic_variant(std::in_place_type_t<T>, A&&... arguments) : basic_variant() {
    emplace<T>(std::forward<A>(arguments)...);
  }
  ~basic_variant() = default;

  basic_variant& operator=(const basic_variant&)
    requires(!holds_offsets)
  = default;
  basic_variant& operator=(basic_variant&&)
    requires(!holds_offsets)
  = default;
  basic_variant& operator=(const basic_variant& other)
    requires holds_offsets
  {
    return self_or_throw(try_assign(other));
  }
  /// Swaps the values if both are in one block, O(1). Otherwise copies.
  basic_variant& operator=(basic_variant&& other)
    requires holds_offsets
  {
    return self_or_throw(try_assign(std::move(other)));
  }
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_variant>)
  basic_variant& operator=(U&& value) {
    return self_or_throw(try_assign(std::forward<U>(value)));
  }

  [[nodiscard]] std::size_t index() const noexcept { return static_cast<std::size_t>(tag_[0]); }
  [[nodiscard]] static constexpr bool valueless_by_exception() noexcept { return false; }
  /// Returns true if the variant holds a `T`.
  template <class T>
  [[nodiscard]] bool holds() const noexcept {
    static_assert(index_of<T> != detail::no_alternative,
                  "ingot: the type is none of the variant's alternatives, or several");
    return index() == index_of<T>;
  }
  /// Returns the alternative, or null if the variant holds another alternative.
  template <std::size_t I>
  [[nodiscard]] alternative<I>* get_if() noexcept {
    return index() == I ? std::addressof(held<I>()) : nullptr;
  }
  template <std::size_t I>
  [[nodiscard]] const alternative<I>* get_if() const noexcept {
    return index() == I ? std::addressof(held<I>()) : nullptr;
  }
  template <class T>
  [[nodiscard]] T* get_if() noexcept {
    return holds<T>() ? get_if<index_of<T>>() : nullptr;
  }
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return holds<T>() ? get_if<index_of<T>>() : nullptr;
  }
  /// Calls `f` with the current alternative.
  template <class F>
  decltype(auto) visit(F&& f) {
    return detail::with_index<sizeof...(Ts)>(index(), [&]<class I>(I) INGOT_INLINE_LAMBDA -> decltype(auto) {
      return std::invoke(std::forward<F>(f), held<I::value>());
    });
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return detail::with_index<sizeof...(Ts)>(index(), [&]<class I>(I) INGOT_INLINE_LAMBDA -> decltype(auto) {
      return std::invoke(std::forward<F>(f), held<I::value>());
    });
  }

  /// Creates a new value and returns it. Returns null if the block cannot grow; the variant is then
  /// unchanged. The arguments may refer to the old value.
  template <std::size_t I, class... A>
  [[nodiscard]] alternative<I>* try_emplace(A&&... arguments) {
    const auto in = block();
    const auto destroy_old = [this, in] {
      if (in.start() != nullptr) destroy(in);
    };
    if (!detail::replace_object<alternative<I>, payload_size>(payload_, in, destroy_old,
                                                              std::forward<A>(arguments)...))
      return nullptr;
    tag_[0] = static_cast<std::byte>(I);
    return std::addressof(held<I>());
  }
  template <class T, class... A>
  [[nodiscard]] T* try_emplace(A&&... arguments) {
    static_assert(index_of<T> != detail::no_alternative,
                  "ingot: the type is none of the variant's alternatives, or several");
    return try_emplace<index_of<T>>(std::forward<A>(arguments)...);
  }
  template <std::size_t I, class... A>
  alternative<I>& emplace(A&&... arguments) {
    auto* const object = try_emplace<I>(std::forward<A>(arguments)...);
    if (object == nullptr) [[unlikely]]
      throw_failure();
    return *object;
  }
  template <class T, class... A>
  T& emplace(A&&... arguments) {
    T* const object = try_emplace<T>(std::forward<A>(arguments)...);
    if (object == nullptr) [[unlikely]]
      throw_failure();
    return *object;
  }

  /// Assigns a variant of this type, another variant with the same number of alternatives (such as
  /// a std::variant), or a value that exactly one alternative accepts. Returns false if the block
  /// cannot grow. If the old and the new alternative are the same, the value of this alternative
  /// may then be partly assigned, as after a failed assignment to the value itself; otherwise the
  /// variant is unchanged. Throws std::bad_variant_access if `from` is a std::variant without a
  /// value.
  template <class U>
  [[nodiscard]] bool try_assign(U&& from) {
    using source = std::remove_cvref_t<U>;
    if constexpr (detail::is_variant<source>) {
      static_assert(std::variant_size_v<source> == sizeof...(Ts),
                    "ingot: a variant is assigned from one with as many alternatives");
      if constexpr (std::same_as<source, basic_variant>) {
        if (this == std::addressof(from)) return true;
        if constexpr (holds_offsets && !std::is_lvalue_reference_v<U> && !std::is_const_v<U>) {
          if (shares_block(from)) return detail::swap_objects(*this, from), true;
        }
      }
      if (from.valueless_by_exception()) detail::throw_bad_variant_access();
      return detail::with_index<sizeof...(Ts)>(from.index(), [&]<class I>(I) INGOT_INLINE_LAMBDA {
        using ingot::get_if;
        auto& value = *get_if<I::value>(std::addressof(from));
        if constexpr (std::is_lvalue_reference_v<U>) return put<I::value>(value);
        else return put<I::value>(std::move(value));
      });
    } else {
      constexpr std::size_t chosen = detail::chosen_alternative<U, Ts...>();
      static_assert(chosen != detail::no_alternative, "ingot: none of the variant's alternatives is for this "
                                                      "value, or several are: name one with emplace");
      return put<chosen>(std::forward<U>(from));
    }
  }

  /// Swaps the values. O(1). If an alternative holds containers, both variants must be in one
  /// block, or both outside of blocks.
  void swap(basic_variant& other) {
    if constexpr (holds_offsets) {
      if (!shares_block(other) && (at_.bound() || other.at_.bound()))
        at_.bound() ? other.throw_failure() : throw_failure();
    }
    detail::swap_objects(*this, other);
  }
  friend void swap(basic_variant& a, basic_variant& b) { a.swap(b); }

  // The operators are members, because overload resolution for containers of variants would also
  // consider friends.
  bool operator==(const basic_variant& other) const { return equals(other); }
  /// Compares with a variant of another type, such as a std::variant.
  template <class V>
    requires(!std::same_as<V, basic_variant> && detail::is_variant<V>)
  bool operator==(const V& other) const {
    return equals(other);
  }
  auto operator<=>(const basic_variant& other) const
    requires(std::three_way_comparable<Ts> && ...)
  {
    static_assert(detail::require_bounded_order<basic_variant>());
    using order = std::common_comparison_category_t<std::compare_three_way_result_t<Ts>...>;
    if (index() != other.index()) return static_cast<order>(index() <=> other.index());
    return detail::with_index<sizeof...(Ts)>(
        index(), [&]<class I>(I) -> order { return held<I::value>() <=> other.template held<I::value>(); });
  }

private:
  friend detail::container_access;
  template <block_policy, class...>
  friend class basic_variant;

  using anchor_type = std::conditional_t<holds_offsets, detail::anchor<P>, detail::no_anchor>;
  static constexpr std::size_t anchor_size = holds_offsets ? sizeof(detail::anchor<P>) : 0;
  static constexpr std::size_t payload_alignment = std::max({alignof(Ts)...});
  static constexpr std::size_t alignment =
      holds_offsets ? std::max(payload_alignment, alignof(detail::anchor<P>)) : payload_alignment;
  static constexpr std::size_t head_size = detail::round_up(anchor_size + 1, payload_alignment);
  static constexpr std::size_t payload_size =
      detail::round_up(head_size + std::max({sizeof(Ts)...}), alignment) - head_size;

  template <std::size_t I>
  [[nodiscard]] INGOT_INLINE alternative<I>& held() noexcept {
    return *reinterpret_cast<alternative<I>*>(payload_);
  }
  template <std::size_t I>
  [[nodiscard]] INGOT_INLINE const alternative<I>& held() const noexcept {
    return *reinterpret_cast<const alternative<I>*>(payload_);
  }
  /// Returns null outside of a block, and without alternatives that hold containers.
  [[nodiscard]] INGOT_INLINE detail::block_ref<P> block() const noexcept {
    if constexpr (holds_offsets) return detail::block_or_null(at_);
    else return detail::block_ref<P>(nullptr);
  }
  [[nodiscard]] bool shares_block(const basic_variant& other) const noexcept {
    return block().start() != nullptr && block() == other.block();
  }
  [[noreturn]] INGOT_COLD void throw_failure() const {
    if constexpr (holds_offsets) at_.throw_failure();
    else detail::throw_out_of_space(out_of_space_reason::full);
  }
  basic_variant& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      throw_failure();
    return *this;
  }
  template <std::size_t I, class U>
  [[nodiscard]] bool put(U&& value) {
    // If the type is recursive, the new value is created before the old value is destroyed, because
    // `value` may be a part of the old value.
    if constexpr (!detail::contains_itself<basic_variant>) {
      if (index() == I) {
        if constexpr (std::is_empty_v<alternative<I>>) return true;
        else return detail::assign_value(held<I>(), std::forward<U>(value));
      }
    }
    return try_emplace<I>(std::forward<U>(value)) != nullptr;
  }
  template <class V>
  [[nodiscard]] bool equals(const V& other) const {
    static_assert(std::variant_size_v<V> == sizeof...(Ts),
                  "ingot: a variant is compared with one that has as many alternatives");
    if (index() != other.index()) return false;
    return detail::with_index<sizeof...(Ts)>(index(), [&]<class I>(I) {
      using ingot::get_if;
      return detail::equal_values(held<I::value>(), *get_if<I::value>(std::addressof(other)));
    });
  }

  void bind(detail::block_ref<P> in) noexcept {
    if constexpr (holds_offsets) {
      at_.point_at(in.sentinel());
      visit([in](auto& each) INGOT_INLINE_LAMBDA { detail::bind(each, in); });
    }
  }
  void shift(std::ptrdiff_t by) noexcept {
    if constexpr (holds_offsets) {
      at_.shift(by);
      visit([by](auto& object) INGOT_INLINE_LAMBDA {
        detail::for_each_container(
            object, [by](auto& each) INGOT_INLINE_LAMBDA { detail::container_access::shift(each, by); });
      });
    }
  }
  void destroy(detail::block_ref<P> in) noexcept {
    visit([in](auto& each) INGOT_INLINE_LAMBDA { detail::destroy(each, in); });
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    if constexpr (holds_offsets) {
      if (!validator.is_sentinel(at_)) return false;
    }
    if (index() >= sizeof...(Ts))
      return validator.reject(errc::bad_variant, tag_, "the index of an alternative");
    if (!detail::all_zero(tag_ + 1, sizeof tag_ - 1))
      return validator.reject(errc::bad_padding, tag_, "zeros after a variant's index");
    return detail::with_index<sizeof...(Ts)>(index(), [&]<class I>(I) {
      using type = alternative<I::value>;
      constexpr std::size_t taken = std::is_empty_v<type> ? 0 : sizeof(type);
      if (!detail::all_zero(payload_ + taken, payload_size - taken))
        return validator.reject(errc::bad_padding, payload_, "zeros after a variant's value");
      return detail::check_object(held<I::value>(), validator);
    });
  }

  INGOT_NO_UNIQUE_ADDRESS anchor_type at_;
  std::byte tag_[head_size - anchor_size]{}; ///< the index, then zeros
  alignas(payload_alignment) std::byte payload_[payload_size]{};
};

/// Variant in a block with 32-bit offsets.
template <class... Ts>
using variant = basic_variant<narrow_policy, Ts...>;
namespace wide {
/// Variant in a block with 64-bit offsets.
template <class... Ts>
using variant = basic_variant<wide_policy, Ts...>;
} // namespace wide

/// Returns true if the variant holds a `T`.
template <class T, block_policy P, class... Ts>
[[nodiscard]] bool holds_alternative(const basic_variant<P, Ts...>& from) noexcept {
  return from.template holds<T>();
}
template <class T, block_policy P, class... Ts>
[[nodiscard]] T* get_if(basic_variant<P, Ts...>* from) noexcept {
  return from != nullptr ? from->template get_if<T>() : nullptr;
}
template <class T, block_policy P, class... Ts>
[[nodiscard]] const T* get_if(const basic_variant<P, Ts...>* from) noexcept {
  return from != nullptr ? from->template get_if<T>() : nullptr;
}
/// Returns the alternative. Throws std::bad_variant_access if the variant holds another
/// alternative; without exceptions, ends the program.
template <std::size_t I, detail::live_variant V>
[[nodiscard]] auto& get(V& from) {
  auto* const found = from.template get_if<I>();
  if (found == nullptr) detail::throw_bad_variant_access();
  return *found;
}
template <class T, detail::live_variant V>
[[nodiscard]] auto& get(V& from) {
  auto* const found = from.template get_if<T>();
  if (found == nullptr) detail::throw_bad_variant_access();
  return *found;
}
/// Calls `f` with the current alternatives.
template <class F, detail::live_variant V>
decltype(auto) visit(F&& f, V&& one) {
  return one.visit(std::forward<F>(f));
}
template <class F, detail::live_variant V, detail::live_variant... More>
  requires(sizeof...(More) != 0)
decltype(auto) visit(F&& f, V&& first, More&&... more) {
  return first.visit([&](auto& one) -> decltype(auto) {
    return ingot::visit([&](auto&... others) -> decltype(auto) { return std::invoke(f, one, others...); },
                        more...);
  });
}

static_assert(sizeof(variant<int, float>) == 8 && std::is_trivially_copyable_v<variant<int, float>>);

}} // namespace ingot::INGOT_V1

/// Hashes the index and the value of the alternative.
template <ingot::block_policy P, class... Ts>
  requires(requires(const Ts& value) { std::hash<Ts>{}(value); } && ...)
struct std::hash<ingot::basic_variant<P, Ts...>> {
  [[nodiscard]] std::size_t operator()(const ingot::basic_variant<P, Ts...>& value) const {
    return value.visit([&]<class T>(const T& held) { return value.index() + std::hash<T>{}(held); });
  }
};
