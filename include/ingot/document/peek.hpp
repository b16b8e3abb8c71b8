// SPDX-License-Identifier: Apache-2.0
// Reads bytes of a document without validation, and edits them in place. A lookup follows the path
// from the root and checks every step against the bytes; no other bytes are read. So finding a
// field of an untrusted message takes O(length of the path), for any length of the message.
// Overwriting a number takes the same time, for example before the message is forwarded.
//
// Malicious bytes may show one value at two positions, or values of a message that `document::open`
// would reject. Such values are meaningless, but reading them is safe and terminates. To read a
// whole tree, use `open`.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/build.hpp>
#include <ingot/document/detail/item_view.hpp>
#include <ingot/document/detail/node_edit.hpp>
#include <ingot/document/detail/read.hpp>
#include <ingot/document/detail/text_array.hpp>
#include <ingot/document/detail/text_copy.hpp>
#include <ingot/document/detail/value_access.hpp>
#include <ingot/document/detail/view_range.hpp>
#include <ingot/document/validate.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Value in bytes that were not validated. The value and the results of its functions are valid as
/// long as the bytes exist and nothing is appended to the value's container. A value that is not
/// inside the bytes is absent.
class peek_value : public detail::doc::item_view<peek_value, detail::doc::memory> {
public:
  peek_value() noexcept = default;

  /// Returns a scalar, enumerator, time or text. Errors: those of `value::as`.
  template <class T>
  [[nodiscard]] result<T> as() const {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || detail::string_like<T> ||
                      detail::duration_like<T> || detail::time_point_like<T>,
                  "ingot: bytes without validation are read value by value: open() the document for more");
    return as_or_why<T>();
  }

  /// Range of the values of an array or object.
  using element_range = detail::doc::view_range<peek_value, false>;
  /// Range of the members of an object, as pairs `key`, `value`.
  using member_range = detail::doc::view_range<peek_value, true>;

  /// Returns the values of an array or object, in order; an empty range for other values. O(1), as
  /// is each step. Each element is checked when it is read. An element that is not sound is absent,
  /// and its `as` returns `missing_member` with the path; the elements after it can still be read.
  /// In malicious bytes, elements may share bytes, so a walk of a whole tree may never end: use
  /// `document::open` for that.
  [[nodiscard]] element_range elements() const noexcept;
  /// Returns the members of an object as pairs `key`, `value`, in the order of the keys' hashes. As
  /// `elements`; the key of a member that is not sound may be empty.
  [[nodiscard]] member_range members() const noexcept;

private:
  template <class T, bool Named = true>
  [[nodiscard]] result<T> as_or_why() const {
    detail::doc::reading r(in_);
    result<T> converted{T{}};
    if (!detail::doc::read_as(r, item_, *converted)) [[unlikely]] {
      if constexpr (Named) name(*r.why);
      return r.why.failure();
    }
    return converted;
  }
  friend class document_peek;
  friend class peek_editor;
  friend struct detail::doc::access;
  friend class detail::doc::item_view<peek_value, detail::doc::memory>;
  INGOT_INLINE peek_value(detail::doc::memory in, const detail::doc::location& at) noexcept
      : item_view(in, at) {}
  INGOT_INLINE peek_value(detail::doc::memory in, const detail::doc::location& at,
                          const detail::doc::item& is) noexcept
      : item_view(in, at, is) {}
  INGOT_INLINE explicit peek_value(const detail::doc::absent_path& wanted) noexcept : item_view(wanted) {}
};

inline peek_value::element_range peek_value::elements() const noexcept { return element_range(*this); }
inline peek_value::member_range peek_value::members() const noexcept { return member_range(*this); }

/// Reads the bytes of a document. An object that `edit` returned can also make changes that need no
/// more space. While an object of this class is in use, nothing else may change the bytes.
class document_peek {
public:
  /// Reads `bytes` without validation; each access is checked. This call checks the header, and
  /// stores properties of the root that each lookup would otherwise check again. So use one object
  /// to look up several members. The object does not find members that another `document_peek` adds
  /// later. Ignores trailing bytes. O(1). Errors: those of `peek_document`.
  [[nodiscard]] static result<document_peek> over(bytes_view bytes) {
    const auto info = peek_document(bytes);
    if (!info) return fail(info.error());
    document_peek opened(bytes.data(), nullptr, info->size);
    opened.root_ = detail::doc::meet_root(opened.in_);
    return opened;
  }
  /// Reads bytes as `over` does, and can also change or add values. Each lookup checks the root
  /// again, because the root may grow.
  [[nodiscard]] static result<document_peek> edit(std::span<std::byte> bytes) {
    const auto info = peek_document(bytes);
    if (!info) return fail(info.error());
    return document_peek(bytes.data(), bytes.data(), info->size);
  }

  /// Returns the root. O(1).
  [[nodiscard]] INGOT_INLINE peek_value root() const noexcept { return {in_, detail::doc::location{}}; }
  [[nodiscard]] INGOT_INLINE peek_value operator[](const document_key& key) const noexcept {
    return find(key);
  }
  [[nodiscard]] INGOT_INLINE peek_value find(const document_key& key) const noexcept {
    if (writable_ != nullptr) return root().find(key);
    const detail::doc::found_value found = detail::doc::find_value(in_, root_, key);
    if (found.at.none()) [[unlikely]]
      return peek_value(detail::doc::absent_member(false, key.text().data(), key.text().size()));
    return {in_, found.at, found.is};
  }

  /// Overwrites a scalar or short text with a value that takes no more bytes. O(1). Errors:
  /// `no_space` if the new value takes more bytes; `type_mismatch` if the old value is a container,
  /// or a text or bytes in a node of its own; `missing_member` if `at` is not a value of these
  /// bytes.
  template <class T>
  [[nodiscard]] result<void> set(peek_value& at, const T& value) noexcept {
    detail::doc::item new_item;
    if (!simple(value, new_item)) return fail(errc::no_space);
    const auto o = overwrite(at, new_item);
    if (o) return fail(*o);
    // The text was copied into the document, so `at` now refers to the copy, not to `value`.
    at.item_ = new_item.kind == value_kind::text ? detail::doc::read(in_, at.at_) : new_item;
    return {};
  }
  /// Adds a member to an object whose node has space for the member. O(n). Errors: `no_space` if
  /// there is no space; `duplicate_key` if the key exists; `type_mismatch` or `missing_member` if
  /// `object` is no object.
  template <class T>
  [[nodiscard]] result<void> set(const peek_value& object, const document_key& key, const T& value) noexcept {
    detail::doc::item new_item;
    if (!simple(value, new_item) || key.text().size() > detail::doc::short_key) return fail(errc::no_space);
    const auto o = add(object, &key, new_item);
    if (o) return fail(*o);
    return {};
  }
  /// Appends to an array whose node has space for the element. Errors: `no_space` if there is no
  /// space; `type_mismatch` or `missing_member` if `array` is no array.
  template <class T>
  [[nodiscard]] result<void> append(const peek_value& array, const T& value) noexcept {
    detail::doc::item new_item;
    if (!simple(value, new_item)) return fail(errc::no_space);
    const auto o = add(array, nullptr, new_item);
    if (o) return fail(*o);
    return {};
  }

private:
  friend class peek_editor;
  document_peek(const std::byte* start, std::byte* writable, std::uint32_t used) noexcept
      : in_{start, used}, writable_(writable) {}

  template <class T>
  [[nodiscard]] static std::string_view text_in(const T& from) noexcept {
    if constexpr (detail::is_text_array<T>) return detail::doc::text_in_array(from);
    else return std::string_view(from);
  }
  /// Converts a value that fits in a cell or a heap and owns no node. Returns false for other
  /// values.
  template <class T>
  [[nodiscard]] static bool simple(const T& from, detail::doc::item& new_item) noexcept {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
      new_item = detail::doc::item::null();
    } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      new_item = detail::doc::item::of(from);
    } else if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_signed_v<T>) new_item = detail::doc::item::of(static_cast<std::int64_t>(from));
      else new_item = detail::doc::item::of(static_cast<std::uint64_t>(from));
    } else {
      const std::string_view text = text_in(from);
      if (text.size() > detail::doc::short_text) return false;
      new_item =
          detail::doc::item::text(value_kind::text, text.data(), static_cast<std::uint32_t>(text.size()));
    }
    return true;
  }
  [[nodiscard]] std::byte* writable(const std::byte* at) const noexcept {
    return writable_ + (at - in_.start);
  }
  /// Returns true if a value was found in the bytes that begin where these bytes begin. Returns
  /// false for a value that was not found.
  [[nodiscard]] INGOT_INLINE bool is_here(const peek_value& at) const noexcept {
    return at.in_.start == in_.start;
  }

  /// Returns true for a value that has no node of its own and is no container. Text and bytes in a
  /// heap are such values.
  [[nodiscard]] static INGOT_INLINE bool is_scalar(const detail::doc::item& is) noexcept {
    return is.kind != value_kind::absent && !is.owns_node() && is.kind != value_kind::array &&
           is.kind != value_kind::object;
  }
  /// Returns the error; nothing on success.
  [[nodiscard]] std::optional<errc> overwrite(const peek_value& value_here,
                                              const detail::doc::item& new_value) noexcept {
    detail::doc::text_copy copy;
    const detail::doc::item value = copy.of(in_, new_value);
    if (writable_ == nullptr) return errc::no_space;
    if (!is_here(value_here)) [[unlikely]]
      return errc::missing_member;
    const detail::doc::location& at = value_here.at_;
    detail::doc::location here = at;
    detail::doc::node n;
    if (at.packed == 0 && at.position != 0) [[likely]] {
      // Common case: a scalar replaces another scalar in a heap. Reads the node only once.
      if (!detail::doc::find_node(in_, at.position, n) || at.index >= n.count) return errc::missing_member;
      const detail::doc::element_bytes there = n.at_index(at.index);
      std::uint32_t old_size = 0;
      const std::uint32_t size = detail::doc::heap_size(value, n.kind, n.wide);
      if (size != 0 && there.left != 0 && n.kind != detail::doc::node_kind::shape) {
        const detail::doc::item old = detail::doc::read_value(there.value, there.left, old_size);
        if (is_scalar(old)) {
          if (size > old_size) return errc::no_space;
          std::byte* const to = writable(there.value);
          detail::doc::write_value(to, value);
          std::memset(to + size, 0, old_size - size);
          return {};
        }
      }
    }
    const detail::doc::item old = detail::doc::read(in_, at);
    if (old.kind == value_kind::absent) return errc::missing_member;
    if (!is_scalar(old)) return errc::type_mismatch;
    if (here.position == 0) here = {detail::doc::load<std::uint32_t>(in_.start + 12), 0, 0, 0, 0};
    if (!detail::doc::find_node(in_, here.position, n) || here.index >= n.count) return errc::no_space;
    if (here.packed != 0) {
      const detail::doc::item packed = n.value(here.index);
      if (value.kind != value_kind::integer || !detail::doc::fits_signed(value.integer(), 8U << packed.shift))
        return errc::no_space;
      detail::doc::store_packed(writable(packed.bytes) + (std::size_t{here.packed - 1} << packed.shift),
                                value.integer(), packed.shift);
      return {};
    }
    if (value.kind == value_kind::null && n.kind == detail::doc::node_kind::single) return errc::no_space;
    const detail::doc::element_bytes there = n.at_index(here.index);
    std::uint32_t old_size = 0;
    if (there.left != 0) static_cast<void>(detail::doc::read_value(there.value, there.left, old_size));
    const std::uint32_t size = detail::doc::heap_size(value, n.kind, n.wide);
    if (size > old_size) return errc::no_space;
    if (detail::doc::put_here(writable(n.at), n, here.index, value) == detail::doc::put_result::no_space)
      return errc::no_space;
    return {};
  }
  [[nodiscard]] std::optional<errc> add(const peek_value& to, const document_key* new_key,
                                        const detail::doc::item& new_value) noexcept {
    detail::doc::text_copy copy;
    const detail::doc::item value = copy.of(in_, new_value);
    detail::doc::text_copy key_copy;
    if (writable_ == nullptr) return errc::no_space;
    detail::doc::container found;
    if (!to.exists() || !is_here(to)) return errc::missing_member;
    if (to.kind() != (new_key != nullptr ? value_kind::object : value_kind::array))
      return errc::type_mismatch;
    if (!detail::doc::find_container(in_, detail::doc::read(in_, to.at_), found) || !found.has_node)
      return errc::no_space;
    const detail::doc::node& n = found.n;
    if (n.kind == detail::doc::node_kind::shaped) return errc::no_space;
    std::uint32_t index = n.count;
    detail::doc::stored_key stored;
    std::uint64_t heap = detail::doc::heap_size(value, n.kind, n.wide);
    if (new_key != nullptr) {
      const detail::doc::key_columns keys(in_, n);
      if (keys.find(*new_key) != detail::doc::npos) return errc::duplicate_key;
      index = keys.insertion_index(*new_key);
      const auto text = new_key->text();
      const auto saved = key_copy.of(in_, detail::doc::item::text(value_kind::text, text.data(),
                                                                  static_cast<std::uint32_t>(text.size())));
      stored = detail::doc::stored_key::of(new_key->hash(),
                                           {reinterpret_cast<const char*>(saved.bytes), text.size()});
      heap += stored.size();
    }
    if (!detail::doc::has_space(n, 1, heap)) return errc::no_space;
    std::byte* const start = writable(n.at);
    const std::uint32_t cell =
        detail::doc::store_value(start, n, new_key != nullptr ? &stored : nullptr, value);
    detail::doc::insert_column(start, n.kind, n.wide, n.count, index, cell, stored.hash);
    detail::doc::write_count(start, n.wide, n.count + 1);
    return {};
  }

  detail::doc::memory in_;
  std::byte* writable_;
  detail::doc::visited_object root_; ///< set only by `over`: after `edit`, the root may grow
};

}} // namespace ingot::INGOT_V1
