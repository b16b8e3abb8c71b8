// SPDX-License-Identifier: Apache-2.0
// Value of any kind as a member of a struct in a block. It takes 8 bytes (16 in wide blocks): the
// offset of a storage, and the number of bytes in the storage that changes have freed. The storage
// contains a whole document; null needs no storage. In the twin of the struct (the struct with
// `std::` members, see twin.hpp), the value is an `ingot::document`.
//
//   struct order { ingot::string id; ingot::live_value extra; };
//   ingot::live<order> o;
//   o->extra["price"] = 3.5;
//   double price = o->extra["price"].value_or(0.0);
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/shape_planner.hpp>
#include <ingot/document/detail/value_print.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/validate.hpp>
#include <ingot/document/value_edit.hpp>
#include <ingot/document/value_view.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/placeable.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// Types that may be assignable to a value. A full check would be recursive, since an optional of a
/// value is assignable from the same types as the value. So this concept only excludes the types
/// that reflection uses to test initialisers (see `to_base_of`).
template <class T>
concept perhaps_a_value = !requires { typename T::stands_for_an_initialiser; };

} // namespace detail::doc

/// Value of any kind with everything in it; initially null. Reading needs no checks, because
/// opening the block validates the value. The value is changed in place; its storage grows like a
/// vector's. Each change by a function of this class ends the handles and views that were taken
/// before. Changes through the object that `edit` returns keep the handles of that object valid. If
/// the block is full, growing throws `out_of_space` or returns `no_space`, and the value is
/// unchanged.
template <block_policy P>
class basic_live_value : public detail::doc::kind_tests<basic_live_value<P>> {
public:
  /// Policy of the block.
  using live_policy = P;
  /// Reflection visits no parts of a value.
  using live_parts = detail::type_pack<>;
  /// Marks the type as a value of any kind.
  using whole_value = basic_live_value;
  using document_type = document; ///< type of this member in the twin
  /// Container kind in layouts.
  static constexpr auto container_kind = detail::live_container_kind::value;
  class member;

  /// Constructs a null.
  basic_live_value() = default;
  basic_live_value(std::nullptr_t) noexcept {} // NOLINT(*-explicit-constructor): null is a value
  basic_live_value(const basic_live_value&) =
      delete;                                    // ingot: assign it, or take it out as an ingot::document
  basic_live_value(basic_live_value&&) = delete; // ingot: assign it, inside a block, or vector::sort
  ~basic_live_value() = default;

  /// Copies `other` in canonical form. O(bytes).
  basic_live_value& operator=(const basic_live_value& other) { return self_or_throw(try_assign(other)); }
  /// If both values are in one block, takes the storage of `other`, in O(1). Otherwise copies
  /// `other`.
  basic_live_value& operator=(basic_live_value&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  /// Sets the value to null, a scalar, text, a container, a record, a JSON literal, a document, or
  /// a copy of another value. Throws `out_of_space`, or `bad_document_access` if `from` can't
  /// become a value, for example because `from` is absent.
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, basic_live_value> &&
             detail::doc::perhaps_a_value<std::remove_cvref_t<T>>)
  basic_live_value& operator=(T&& from) {
    if constexpr (detail::document_like<std::remove_cvref_t<T>>) {
      return self_or_throw(try_assign(from));
    } else {
      const auto set_here = set(from);
      if (!set_here && set_here.error().code() == errc::no_space) at_.throw_failure();
      if (!set_here) detail::doc::throw_not_set(set_here.error());
      return *this;
    }
  }
  /// Assigns as `operator=` does, without throwing. Returns false if there is no space, or if
  /// `from` can't become a value.
  template <class T>
  [[nodiscard]] bool try_assign(T&& from) {
    using source = std::remove_cvref_t<T>;
    if constexpr (std::same_as<source, basic_live_value>) {
      if (this == std::addressof(from)) return true;
      if constexpr (!std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>) {
        if (at_.bound() && from.at_.bound() && at_.block() == from.at_.block()) {
          detail::swap_objects(*this, from);
          return true;
        }
      }
      return assign_nodes(from.memory());
    } else if constexpr (detail::document_like<source>) {
      return assign_nodes(detail::doc::access::memory_of(from.root()));
    } else {
      return set(from).has_value();
    }
  }

  // Reading. `root()` is the whole value; the other functions call the functions of the root.
  /// Returns a view of the whole value. O(1).
  [[nodiscard]] INGOT_INLINE value_view root() const noexcept {
    return detail::doc::access::make<value_view>(memory(), detail::doc::location{});
  }
  /// Returns the kind. O(1).
  [[nodiscard]] value_kind kind() const noexcept { return root().kind(); }
  /// Returns the value as a `T`; see `value::as`.
  template <class T>
  [[nodiscard]] result<T> as() const {
    return root().template as<T>();
  }
  template <class T>
  [[nodiscard]] T value_or(T otherwise) const {
    return root().value_or(std::move(otherwise));
  }
  [[nodiscard]] std::string_view value_or(const char* text) const { return root().value_or(text); }
  [[nodiscard]] std::size_t size() const noexcept { return root().size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::size_t length() const noexcept { return root().length(); }
  [[nodiscard]] value_view find(const document_key& key) const noexcept { return root().find(key); }
  [[nodiscard]] bool contains(const document_key& key) const noexcept { return root().contains(key); }
  [[nodiscard]] value_view operator[](const document_key& key) const noexcept { return root().find(key); }
  /// Returns a member, for reading or for an immediate assignment: `order->extra["price"] = 3.5`.
  /// Assigning creates the member if it is missing.
  [[nodiscard]] member operator[](const document_key& key) noexcept { return member(*this, key); }
  [[nodiscard]] value_view operator[](std::size_t index) const noexcept { return root()[index]; }
  [[nodiscard]] value_view at(std::string_view pointer) const { return root().at(pointer); }
  /// Returns the values of an array or object, in order.
  [[nodiscard]] value_view::element_range elements() const noexcept { return root().elements(); }
  /// Returns the members of an object as pairs `key`, `value`.
  [[nodiscard]] value_view::member_range members() const noexcept { return root().members(); }

  /// Returns an object whose handles change the value in place. Use this object for several
  /// changes, or to change values deep inside. Throws `out_of_space` if there is no space even for
  /// null. To avoid the exception, call `try_reserve` first.
  [[nodiscard]] basic_value_edit<P> edit() {
    if (!try_reserve(0)) at_.throw_failure();
    return basic_value_edit<P>(*this);
  }
  /// Sets the value to anything that a document can hold; see `value_ref::set`. Errors: `no_space`;
  /// `missing_member` if `from` is a value that does not exist.
  template <class T>
  [[nodiscard]] result<void> set(const T& from) {
    if (!has_storage()) { // a null without a storage needs no space to stay null
      if constexpr (std::same_as<T, std::nullptr_t>) return {};
      else if constexpr (std::derived_from<T, value> || std::derived_from<T, value_view>)
        if (from.is_null()) return {};
    }
    return change([&](value_ref root) { return root.set(from); });
  }
  /// Sets a member of an object, or adds it if it is missing. Null becomes an object first. Errors:
  /// those of `set(from)`; `type_mismatch` if this is no object.
  template <class T>
  [[nodiscard]] result<void> set(const document_key& key, const T& from) {
    return change([&](value_ref root) { return without_handle(root.set(key, from)); });
  }
  /// Sets the value at a JSON Pointer. Creates missing parts of the path.
  template <class T>
  [[nodiscard]] result<void> set_at(std::string_view pointer, const T& from) {
    return change([&](value_ref root) { return without_handle(root.set_at(pointer, from)); });
  }
  template <class T>
  [[nodiscard]] result<void> append(const T& from) {
    return change([&](value_ref root) { return without_handle(root.append(from)); });
  }
  template <class T>
  [[nodiscard]] result<void> insert(std::size_t index, const T& from) {
    return change([&](value_ref root) { return without_handle(root.insert(index, from)); });
  }
  [[nodiscard]] result<bool> erase(const document_key& key) {
    if (!contains(key)) return false;
    const auto erased = change([&](value_ref root) { return without_handle(root.erase(key)); });
    if (!erased) return fail(erased.error());
    return true;
  }
  [[nodiscard]] result<void> erase(std::size_t index) {
    if (!has_storage())
      return fail(detail::doc::error_of(detail::doc::outcome::wrong_kind).in_element(index));
    return change([&](value_ref root) { return root.erase(index); });
  }
  /// Changes the key of a member. Errors: those of `value_ref::rename`.
  [[nodiscard]] result<void> rename(const document_key& from, const document_key& to) {
    if (!has_storage())
      return fail(detail::doc::error_of(detail::doc::outcome::absent).in_member(from.text()));
    return change([&](value_ref root) { return root.rename(from, to); });
  }
  /// Empties an array or object; makes all other values null.
  [[nodiscard]] result<void> clear() {
    if (!has_storage()) return {};
    return change([&](value_ref root) { return root.clear(); });
  }
  /// Sets the value to null and frees its storage.
  void reset() noexcept {
    if (has_storage()) replace(at_.block().sentinel());
    freed_ = 0;
  }

  /// Returns the document in the storage, as bytes that `document::open` accepts. Returns no bytes
  /// for a null without a storage. Valid until the next change.
  [[nodiscard]] bytes_view bytes() const noexcept {
    const auto here = memory();
    return has_storage() ? bytes_view{here.start, here.size} : bytes_view{};
  }
  /// Returns an independent copy. Throws `out_of_space` if there is no memory.
  [[nodiscard]] document to_document() const {
    return document(root(), max_block_size{std::max<std::size_t>(document::default_max_block_size.bytes,
                                                                 2 * std::size_t{memory().size})});
  }
  /// Returns the capacity of the storage in bytes.
  [[nodiscard]] std::size_t capacity() const noexcept { return at_.capacity(); }
  /// Reserves space for a document of `bytes` bytes. Returns false if the block has no space.
  [[nodiscard]] bool try_reserve(std::size_t bytes) {
    if (has_storage() && bytes <= at_.capacity()) return true;
    if (!at_.bound() || bytes > detail::doc::max_bytes) return false;
    const auto before = memory();
    const auto block = at_.block();
    if (has_storage() && block.extend(at_.data(), bytes)) return true;
    std::byte* const storage = block.allocate(std::max<std::size_t>(bytes, min_storage), 8);
    if (storage == nullptr) return false;
    std::memcpy(storage, before.start, before.size);
    replace(storage);
    return true;
  }
  /// Rewrites the value in canonical form, in a storage of exactly the size of this form. Returns
  /// false if there is no space or memory; the value is then unchanged.
  bool shrink_to_fit() { return !has_storage() || assign_nodes(memory(), true); }

  /// Swaps two values. O(1). Both must be in one block, or both must be null.
  void swap(basic_live_value& other) {
    if (at_.bound() && other.at_.bound() && at_.block() == other.at_.block())
      detail::swap_objects(*this, other);
    else if (has_storage() || other.has_storage()) at_.throw_apart(other.at_);
  }
  friend void swap(basic_live_value& a, basic_live_value& b) { a.swap(b); }

  /// Returns true if the contents are equal, as for `value`. The storages may differ.
  friend bool operator==(const basic_live_value& a, const basic_live_value& b) noexcept {
    return a.root() == b.root();
  }
  friend bool operator==(const basic_live_value& a, const value_view& b) noexcept { return a.root() == b; }
  friend bool operator==(const basic_live_value& a, const value& b) noexcept { return a.root() == b; }
  friend bool operator==(const basic_live_value& a, const document& b) noexcept {
    return a.root() == b.root();
  }
  /// Prints the value as one line of text for people; see value_print.hpp.
  void print_to(std::string& out) const { detail::doc::print_value(out, root()); }

private:
  friend detail::container_access;
  friend class basic_value_edit<P>;

  static constexpr std::size_t min_storage = 64;
  /// Header of the document that is read if a null has no storage.
  static constexpr detail::doc::document_header null_document{};

  [[nodiscard]] bool has_storage() const noexcept { return at_.capacity() != 0; }
  [[nodiscard]] INGOT_INLINE detail::doc::validated memory() const noexcept {
    if (!has_storage())
      return {{reinterpret_cast<const std::byte*>(&null_document), sizeof(detail::doc::document_header)}};
    const std::byte* const start = at_.data();
    return {{start, detail::doc::load<std::uint32_t>(start + offsetof(detail::doc::document_header, used))}};
  }
  basic_live_value& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  template <class T>
  [[nodiscard]] static result<void> without_handle(const result<T>& done) {
    if (!done) return fail(done.error());
    return {};
  }
  template <class F>
  [[nodiscard]] result<void> change(F&& f) {
    if (!try_reserve(0)) return fail(detail::doc::error_of(detail::doc::outcome::no_space));
    basic_value_edit<P> here(*this);
    return f(here.root());
  }
  void replace(std::byte* storage) noexcept {
    std::byte* const old = at_.data();
    at_.point_at(storage);
    at_.block().release(old);
  }

  /// Copies a document in canonical form. Uses the current storage if it is large enough; if
  /// `exact` is true, uses a storage of exactly the size of the copy.
  [[nodiscard]] bool assign_nodes(detail::doc::validated from, bool exact = false) {
    if (detail::doc::needs_no_storage(from)) {
      reset();
      return true;
    }
    if (!at_.bound()) return false;
    detail::doc::core fresh;
    if (!detail::doc::copy_whole(fresh, from)) return false;
    const bytes_view canonical = fresh.bytes();
    if (exact ? at_.capacity() != canonical.size() : at_.capacity() < canonical.size()) {
      std::byte* const storage = at_.block().allocate(canonical.size(), 8);
      if (storage == nullptr) return false;
      replace(storage);
    }
    std::byte* const to = at_.data();
    std::memcpy(to, canonical.data(), canonical.size());
    std::memset(to + canonical.size(), 0, at_.capacity() - canonical.size());
    freed_ = 0;
    return true;
  }
  /// Compacts the document if at least half of its bytes, and at least 512, are free. So the time
  /// is proportional to the number of bytes that changes have freed. Must be called after a change,
  /// not before, because the argument of the change may be in this document. If the canonical form
  /// doesn't fit, the next attempt follows when changes have freed half of the bytes again.
  void put_in_order() noexcept {
    const auto here = memory();
    if (freed_ < 512 || freed_ < here.size / 2) return;
    freed_ = 0;
    detail::doc::core fresh;
    if (!detail::doc::copy_whole(fresh, here)) return;
    const bytes_view canonical = fresh.bytes();
    if (canonical.size() > at_.capacity()) return;
    std::byte* const to = at_.data();
    std::memcpy(to, canonical.data(), canonical.size());
    std::memset(to + canonical.size(), 0, at_.capacity() - canonical.size());
  }

  void bind(detail::block_ref<P> block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(detail::block_ref<P> block) noexcept {
    if (at_.data() != block.sentinel()) block.release(at_.data());
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    const std::byte* const storage = validator.claim(at_, 0, 8);
    if (storage == nullptr) return false;
    if (storage == validator.start() + detail::sentinel_position)
      return freed_ == 0 ||
             validator.reject(errc::bad_length, &freed_, "a hole count of 0 where there is no value");
    detail::storage_prefix<typename P::offset_type> head;
    std::memcpy(&head, storage - sizeof head, sizeof head);
    const auto reject = [&](const error& err) {
      return validator.reject(err.code(), storage + err.offset(), err.expected());
    };
    const auto info = peek_document({storage, static_cast<std::size_t>(head.capacity)});
    if (!info) return reject(info.error());
    if (freed_ > info->size)
      return validator.reject(errc::bad_length, &freed_, "no more bytes of holes than the document has");
    if constexpr (Validator::asks == detail::asking::positions) {
      return true;
    } else {
      // Validates without writing, since a view does not own its bytes.
      const auto whole = detail::doc::validate_document(storage, info->size);
      return whole || reject(whole.error());
    }
  }

  detail::anchor<P> at_;
  typename P::offset_type freed_ = 0;
};

/// Member of the value or, if the member is missing, the position where it would be inserted. Use
/// it only in the expression that creates it.
template <block_policy P>
class basic_live_value<P>::member : public value_view {
public:
  member(const member&) = delete;

  /// Sets the member. Creates an object for each missing member on the path: all objects, or none
  /// if there is an error. Throws `out_of_space`, or `bad_document_access` if a value on the path
  /// is no object. `set` returns errors instead.
  template <class T>
    requires(!std::same_as<T, member>)
  void operator=(const T& from) && { // NOLINT(misc-unconventional-assign-operator): temporary
    assign(from);
  }
  void operator=(const member& from) && { assign(static_cast<const value_view&>(from)); } // NOLINT
  /// Deleted for variables, because the member may have been erased or moved in the meantime.
  template <class T>
  void operator=(const T&) & = delete; // ingot: assign in one expression, extra["a"] = x, or call set_at

  using value_view::operator[];
  /// Returns a member of this member. Both may be missing.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): a missing member has a path
  [[nodiscard]] member operator[](const document_key& key) const noexcept { return member(*this, key); }

private:
  friend class basic_live_value;
  member(basic_live_value& of, const document_key& key) noexcept
      : value_view(of.root().find(key)), of_(of), path_{key} {}
  member(const member& parent, const document_key& key) noexcept
      : value_view(parent.find(key)), of_(parent.of_), path_{key, &parent.path_} {}
  template <class T>
  void assign(const T& from) {
    const auto set_here = of_.change(
        [&](value_ref root) { return without_handle(detail::doc::access::set_path(root, path_, from)); });
    if (!set_here && set_here.error().code() == errc::no_space) of_.at_.throw_failure();
    if (!set_here) detail::doc::throw_not_set(set_here.error());
  }

  basic_live_value& of_;
  detail::doc::member_path path_;
};

namespace detail {

/// In the twin of a struct with `std::` members (see twin.hpp), a document becomes a
/// `basic_live_value`.
template <document_like T, block_policy P>
struct form_in_twin<T, P> {
  using type = basic_live_value<P>;
};

} // namespace detail

/// Value in a narrow block.
using live_value = basic_live_value<narrow_policy>;
namespace wide {
/// Value in a wide block.
using live_value = basic_live_value<wide_policy>;
} // namespace wide

static_assert(sizeof(live_value) == 8 && sizeof(wide::live_value) == 16);

}} // namespace ingot::INGOT_V1
