// SPDX-License-Identifier: Apache-2.0
// One object in its own storage, or none. A box is an offset of 4 bytes. It permits recursive
// types, and an absent large member takes no space beyond the box. An empty box points to the
// block's sentinel.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/optional_depth.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Owns an object, like std::unique_ptr. Unlike std::unique_ptr, a const box gives const access, a
/// comparison compares the objects, and copy assignment copies the object. Creating an object takes
/// O(1) and the time of its construction, and invalidates references to the old object. If the
/// block cannot grow, the creation throws `out_of_space` and leaves the box unchanged. The `try_`
/// forms return false or null instead.
template <class T, block_policy P>
class basic_box {
  static_assert(std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                "ingot: a box holds an object, without const: use ingot::vector for an array");

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The types that a box contains.
  using live_parts = detail::type_pack<T>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::box;
  using value_type = T;
  using element_type = T;

  basic_box() = default;
  /// Creates an empty box.
  basic_box(std::nullptr_t) noexcept {} // NOLINT(google-explicit-constructor): as std::unique_ptr
  basic_box(const basic_box&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_box(basic_box&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_box() = default;

  basic_box& operator=(const basic_box& other) {
    // If the box is empty and its type is recursive, `assign_value` may defer the copy: an outer
    // assignment, which is still running, makes the copy later. So a copied block has its storages
    // in canonical order. A box that has an object copies at once, because the assignment destroys
    // this object, and `other` may be a part of the object.
    return self_or_throw(has_value() ? try_assign(other) : detail::assign_value(*this, other));
  }
  /// Within one block, takes the object of `other` in O(1) and leaves `other` empty. Between
  /// blocks, copies.
  basic_box& operator=(basic_box&& other) { return self_or_throw(try_assign(std::move(other))); }
  basic_box& operator=(std::nullptr_t) noexcept {
    reset();
    return *this;
  }
  template <class U = detail::braced_t<T>>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_box> && !std::same_as<U, detail::not_in_braces>)
  basic_box& operator=(U&& value) {
    return self_or_throw(try_assign(std::forward<U>(value)));
  }
  /// Creates an object from the elements in braces. Empty braces leave the box empty.
  template <class V = T, class List = detail::braced_list_t<V>>
    requires(!std::same_as<List, detail::not_in_braces>)
  basic_box& operator=(std::type_identity_t<List> values) {
    if (values.size() != 0) return self_or_throw(try_assign(values));
    reset();
    return *this;
  }

  [[nodiscard]] INGOT_INLINE bool has_value() const noexcept { return at_.capacity() != 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Returns the object. Requires that there is an object. docs/preconditions.md lists the checks.
  [[nodiscard]] INGOT_CHECKED T& operator*() noexcept { return *object_for("* of an empty box"); }
  [[nodiscard]] INGOT_CHECKED const T& operator*() const noexcept { return *object_for("* of an empty box"); }
  [[nodiscard]] INGOT_CHECKED T* operator->() noexcept { return object_for("-> of an empty box"); }
  [[nodiscard]] INGOT_CHECKED const T* operator->() const noexcept {
    return object_for("-> of an empty box");
  }
  /// Returns a pointer to the object, or null if there is none.
  [[nodiscard]] T* get() noexcept { return has_value() ? object() : nullptr; }
  [[nodiscard]] const T* get() const noexcept { return has_value() ? object() : nullptr; }

  /// Creates a new object and returns it. Returns null if the block cannot grow; the box is then
  /// unchanged. The arguments may refer to the old object.
  template <class... A>
  [[nodiscard]] T* try_emplace(A&&... arguments) {
    if (!at_.bound()) return nullptr;
    const auto block = at_.block();
    storage_guard fresh{block, block.allocate(sizeof(T), alignof(T))};
    if (fresh.storage == nullptr) return nullptr;
    if (!detail::construct(reinterpret_cast<T*>(fresh.storage), block, std::forward<A>(arguments)...))
      return nullptr;
    replace(std::exchange(fresh.storage, nullptr));
    return object();
  }
  template <class... A>
  T& emplace(A&&... arguments) {
    T* const created = try_emplace(std::forward<A>(arguments)...);
    if (created == nullptr) [[unlikely]]
      at_.throw_failure();
    return *created;
  }
  void reset() noexcept {
    if (has_value()) replace(at_.block().sentinel());
  }

  /// Assigns null, a value, a twin of the value (a struct with the same member names), or the value
  /// of an optional or pointer. `from` may be a part of this box's object. Returns false if the
  /// block cannot grow; the box is then unchanged.
  template <class U>
  [[nodiscard]] bool try_assign(U&& from) {
    using source = std::remove_cvref_t<U>;
    if constexpr (std::same_as<source, basic_box>) {
      if (this == std::addressof(from)) return true;
      if constexpr (!std::is_lvalue_reference_v<U> && !std::is_const_v<U>) {
        if (shares_block(from)) return take(from), true;
      }
      return from.has_value() ? try_emplace(*from) != nullptr : (reset(), true);
    } else if constexpr (std::same_as<source, std::nullptr_t> || std::same_as<source, std::nullopt_t>) {
      return reset(), true;
    } else if constexpr (detail::optional_depth<source>() > detail::optional_depth<T>()) {
      return from ? try_emplace(*std::forward<U>(from)) != nullptr : (reset(), true);
    } else {
      return try_emplace(std::forward<U>(from)) != nullptr;
    }
  }

  /// O(1). Both boxes must be in one block, or both empty; otherwise throws `out_of_space`.
  void swap(basic_box& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (has_value() || other.has_value()) at_.throw_apart(other.at_);
  }
  friend void swap(basic_box& a, basic_box& b) { a.swap(b); }

  // Comparisons compare the objects, not the addresses. The operators are members, because overload
  // resolution for containers of boxes would also consider friends.
  bool operator==(const basic_box& other) const {
    return has_value() == other.has_value() && (!has_value() || detail::equal_values(*object(), *other));
  }
  bool operator==(std::nullptr_t) const noexcept { return !has_value(); }
  /// Compares with a value, or with the value of an optional or of another kind of pointer.
  template <class U>
    requires(!std::same_as<U, basic_box>)
  bool operator==(const U& other) const {
    return equals(other);
  }
  /// Needed because std::optional's own comparison would treat the box as a value.
  template <class U>
  friend bool operator==(const basic_box& a, const std::optional<U>& b) {
    return a.equals(b);
  }
  template <std::three_way_comparable V = T>
  auto operator<=>(const basic_box& other) const {
    static_assert(detail::require_bounded_order<basic_box>());
    using order = std::compare_three_way_result_t<V>;
    return has_value() && other.has_value() ? *object() <=> *other
                                            : static_cast<order>(has_value() <=> other.has_value());
  }

private:
  friend detail::container_access;

  /// The destructor releases `storage` unless it is null.
  struct storage_guard {
    detail::block_ref<P> block;
    std::byte* storage;
    storage_guard(detail::block_ref<P> in, std::byte* fresh) noexcept : block(in), storage(fresh) {}
    storage_guard(const storage_guard&) = delete;
    storage_guard& operator=(const storage_guard&) = delete;
    INGOT_INLINE ~storage_guard() {
      if (storage != nullptr) [[unlikely]]
        block.release(storage);
    }
  };

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T* object_for([[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE(has_value(), broken_access("ingot::box", call));
    return object();
  }
  [[nodiscard]] INGOT_INLINE T* object() const noexcept { return reinterpret_cast<T*>(at_.data()); }
  basic_box& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  [[nodiscard]] bool shares_block(const basic_box& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }
  /// Replaces the storage. Changes the pointer first, because this box may be in the old storage.
  void replace(std::byte* storage) noexcept {
    std::byte* const old = at_.data();
    const auto block = at_.block();
    at_.point_at(storage);
    if (old != block.sentinel()) destroy_storage(old, 1, block);
  }
  /// Takes the object of `other`. The box `other` may be a part of this box's object, as in
  /// `list.next = std::move(list.next->next)`.
  void take(basic_box& other) noexcept {
    std::byte* const storage = other.at_.data();
    other.at_.point_at(at_.block().sentinel());
    replace(storage);
  }
  template <class U>
  [[nodiscard]] bool equals(const U& other) const {
    if constexpr (detail::optional_depth<U>() > detail::optional_depth<T>()) {
      return has_value() == static_cast<bool>(other) &&
             (!has_value() || detail::equal_values(*object(), *other));
    } else {
      return has_value() && detail::equal_values(*object(), other);
    }
  }

  void bind(detail::block_ref<P> block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(detail::block_ref<P> block) noexcept {
    if (at_.data() != block.sentinel()) destroy_storage(at_.data(), 1, block);
  }
  static void destroy_storage(std::byte* data, std::size_t /*size*/, detail::block_ref<P> block) noexcept {
    detail::destroy(*reinterpret_cast<T*>(data), block);
    block.release(data);
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    const std::byte* const storage = validator.claim(at_, 0, alignof(T));
    if (storage == nullptr) return false;
    if (storage == validator.start() + detail::sentinel_position) return true;
    detail::storage_prefix<typename P::offset_type> head;
    std::memcpy(&head, storage - sizeof head, sizeof head);
    if (head.capacity < sizeof(T))
      return validator.reject(errc::bad_length, this, "a storage in which the object fits");
    return detail::check_object(*reinterpret_cast<const T*>(storage), validator);
  }

  detail::anchor<P> at_;
};

/// Box in a block with 32-bit offsets.
template <class T>
using box = basic_box<T, narrow_policy>;
namespace wide {
/// Box in a block with 64-bit offsets.
template <class T>
using box = basic_box<T, wide_policy>;
} // namespace wide

static_assert(sizeof(box<int>) == 4 && sizeof(wide::box<int>) == 8);

}} // namespace ingot::INGOT_V1

/// Hashes the object, consistent with `==`. An empty box has the hash of a null pointer.
template <class T, ingot::block_policy P>
  requires requires(const T& value) { std::hash<T>{}(value); }
struct std::hash<ingot::basic_box<T, P>> {
  [[nodiscard]] std::size_t operator()(const ingot::basic_box<T, P>& box) const {
    return box.has_value() ? std::hash<T>{}(*box) : std::hash<std::nullptr_t>{}(nullptr);
  }
};
