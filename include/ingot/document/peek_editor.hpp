// SPDX-License-Identifier: Apache-2.0
// Changes values of a document that was not validated, in memory that has free bytes after it:
//
//   auto message = ingot::peek_editor::over(memory); // the document, then free bytes
//   auto hops = (*message)["hops"];
//   message->append(hops, "a name of any length");
//   send(message->bytes());
//
// A change reads and checks only the nodes on the path of the value. So it takes O(depth + size of
// the changed node and of the new value), for any length of the message.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/build.hpp>
#include <ingot/document/detail/edit_errors.hpp>
#include <ingot/document/detail/peek_change.hpp>
#include <ingot/document/detail/rejection.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/document/value_ref.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Changes a document that was not validated, in place. What holds for any bytes: each access is
/// inside the memory, and each function ends after as many steps as its complexity states. If
/// `document::open` would accept the bytes before a change, it accepts them after the change, and
/// the document is what the same change of a `document` gives. If it would reject the bytes, the
/// values may be meaningless, and `open` may reject the bytes after the change, too.
///
/// A change that needs bytes takes them from the memory after the document. The former bytes of a
/// value or node that grew, was replaced or erased belong to no value then, and are not used again;
/// a copy of the document, or `document::compact`, does not have them. A node that grows gets spare
/// bytes, so the unused bytes stay a small multiple of the document's length.
///
/// A change updates the value that is passed to it. Find all other values again after a change. A
/// value that was found before, in a node that moved, is found no more: changes then return
/// `missing_member`. While an editor is in use, nothing else may change the memory.
class peek_editor {
public:
  /// Uses the document at the beginning of `memory`, and the bytes after it to grow. Checks only
  /// the header. O(1). Errors: those of `peek_document`.
  [[nodiscard]] static result<peek_editor> over(std::span<std::byte> memory) {
    const auto info = peek_document(memory);
    if (!info) return fail(info.error());
    const auto capacity = std::min<std::uint64_t>(memory.size(), detail::doc::max_bytes);
    return peek_editor(memory.data(), info->size, static_cast<std::uint32_t>(capacity));
  }

  /// Returns the document. Its length changes when it grows. O(1).
  [[nodiscard]] bytes_view bytes() const noexcept { return {peek_.in_.start, peek_.in_.size}; }
  /// Returns the root. O(1).
  [[nodiscard]] peek_value root() const noexcept { return peek_.root(); }
  /// Returns a member of the root, as `peek_value::find` does.
  [[nodiscard]] peek_value find(const document_key& key) const noexcept { return peek_.find(key); }
  [[nodiscard]] peek_value operator[](const document_key& key) const noexcept { return peek_.find(key); }

  /// Overwrites a value with any value that a document can store. Complexity: O(1) if the new value
  /// takes no more bytes than the old one, otherwise O(size of the node and of the new value).
  /// Errors: `no_space`; `missing_member` if `at` is not a value of this document; `bad_length` if
  /// the node of the value is damaged; those of `value_ref::set` for the new value. After an error,
  /// the document is unchanged.
  template <class T>
  [[nodiscard]] result<void> set(peek_value& at, const T& value) {
    if constexpr (detail::doc::is_simple<T>) {
      detail::doc::item new_item;
      if (detail::doc::make_simple(peek_.in_, value, new_item) && !peek_.overwrite(at, new_item)) {
        at.item_ = detail::doc::read(peek_.in_, at.at_);
        return {};
      }
    }
    if constexpr (kind_of<T> == kind::string) {
      if (value.size() > detail::doc::short_text && peek_.is_here(at)) {
        detail::doc::peek_change by(peek_.writable_, peek_.in_.size, capacity_);
        if (by.overwrite_blob(at.at_, value_kind::text, value.data(), value.size())) {
          update(at, by);
          return {};
        }
      }
    }
    const auto write = [&](detail::doc::peek_change& to, const detail::doc::item& new_item) {
      return to.write(at.at_, new_item);
    };
    return change(at, value, write, {});
  }
  /// Adds a member to an object, or overwrites the member. Null becomes an object. Returns the
  /// member. O(size of the object's node and of the new value). Errors: those of `set` above;
  /// `type_mismatch` if `object` is neither an object nor null.
  template <class T>
  [[nodiscard]] result<peek_value> set(peek_value& object, const document_key& key, const T& value) {
    detail::doc::location member;
    const auto set_in = [&](detail::doc::peek_change& to, const detail::doc::item& item) {
      return to.set(object.at_, key, item, member);
    };
    if (auto changed = change(object, value, set_in, {.key = &key}); !changed) return fail(changed.error());
    return peek_value(peek_.in_, member);
  }
  /// Appends to an array; null becomes an array. Complexity and errors as above.
  template <class T>
  [[nodiscard]] result<void> append(peek_value& array, const T& value) {
    return insert_at(array, detail::doc::npos, value);
  }
  /// Inserts into an array before the element `index`, or after the last one. Complexity and errors
  /// as above; `out_of_range` if the array has fewer than `index` elements.
  template <class T>
  [[nodiscard]] result<void> insert(peek_value& array, std::size_t index, const T& value) {
    return insert_at(array, index_of(index), value);
  }
  /// Erases a member. Returns false if there is none. O(size of the object's node). Errors:
  /// `bad_length` if the node is damaged; `no_space` only if the object shares its keys with
  /// others, and there is no space for keys of its own.
  [[nodiscard]] result<bool> erase(peek_value& object, const document_key& key) {
    if (object.exists() && !peek_.is_here(object))
      return failed(object, detail::doc::error_of(detail::doc::outcome::absent));
    const peek_value member = peek_value(peek_.in_, object.at_).find(key);
    if (!member.exists()) return false;
    if (auto erased = erase_at(object, member.at_.index, {.key = &key}); !erased) return fail(erased.error());
    return true;
  }
  /// Erases the element or member `index`. O(size of the node). Errors: as above; `out_of_range` if
  /// there is none; `type_mismatch` if `container` is neither an array nor an object.
  [[nodiscard]] result<void> erase(peek_value& container, std::size_t index) {
    return erase_at(container, index_of(index), {});
  }

private:
  peek_editor(std::byte* start, std::uint32_t used, std::uint32_t capacity) noexcept
      : peek_(start, start, used), capacity_(capacity) {}

  /// Step of a path from a container to the value that is changed in the container.
  struct path_step {
    const document_key* key = nullptr; ///< key of a member; null for other values
    bool is_element = false;
    std::uint32_t index = detail::doc::npos; ///< index of an element; npos: after the last one

    [[nodiscard]] bool is_known() const noexcept { return key != nullptr || index != detail::doc::npos; }
    INGOT_COLD void name(error& err, const peek_value& container) const {
      if (key != nullptr) err.in_member(key->text());
      else if (is_element) err.in_element(index == detail::doc::npos ? container.size() : index);
    }
  };

  [[nodiscard]] static std::uint32_t index_of(std::size_t index) noexcept {
    return index >= detail::doc::npos ? detail::doc::npos - 1 : static_cast<std::uint32_t>(index);
  }
  [[nodiscard]] INGOT_COLD static std::unexpected<error> failed(const peek_value& at, error err) {
    at.name(err);
    return fail(err);
  }
  /// Returns the error for an outcome. `is_of_value` is true if the new value was rejected, and not
  /// a node of the document: the error then has the path from the new value on.
  [[nodiscard]] INGOT_COLD static std::unexpected<error> failed(const peek_value& at, detail::doc::outcome o,
                                                                detail::doc::core& memory,
                                                                const path_step& below, bool is_of_value) {
    using detail::doc::outcome;
    error err = detail::doc::error_of(o, memory);
    const bool is_below = o == outcome::rejected
                              ? is_of_value
                              : below.is_known() && (o == outcome::no_space || o == outcome::out_of_range);
    if (is_below) below.name(err, at);
    return failed(at, err);
  }
  /// Notes the new length, and reads the changed value again.
  void update(peek_value& at, const detail::doc::peek_change& by) noexcept {
    peek_.in_.size = by.used();
    at = peek_value(peek_.in_, at.at_);
  }
  template <class T>
  [[nodiscard]] result<void> insert_at(peek_value& array, std::uint32_t index, const T& value) {
    const auto insert_in = [&](detail::doc::peek_change& to, const detail::doc::item& new_item) {
      return to.insert(array.at_, index, new_item);
    };
    return change(array, value, insert_in, {.is_element = true, .index = index});
  }
  [[nodiscard]] result<void> erase_at(peek_value& container, std::uint32_t index, const path_step& below) {
    detail::doc::peek_change by(peek_.writable_, peek_.in_.size, capacity_);
    const auto o = peek_.is_here(container) ? by.erase(container.at_, index) : detail::doc::outcome::absent;
    if (o != detail::doc::outcome::done) return failed(container, o, by.memory_for_values(), below, false);
    update(container, by);
    return {};
  }
  /// Makes the new value and passes it to `use`, which changes the document. `below` is the step
  /// from `at` to the new value.
  template <class T, class Use>
  [[nodiscard]] result<void> change(peek_value& at, const T& value, const Use& use, const path_step& below) {
    if (auto why = detail::doc::rejected(value)) [[unlikely]] {
      below.name(*why, at);
      return failed(at, *why);
    }
    return detail::catch_bad_alloc([&] { return change_unguarded(at, value, use, below); });
  }
  template <class T, class Use>
  [[nodiscard]] result<void> change_unguarded(peek_value& at, const T& value, const Use& use,
                                              const path_step& below) {
    detail::doc::peek_change by(peek_.writable_, peek_.in_.size, capacity_);
    detail::doc::core& memory = by.memory_for_values();
    detail::doc::outcome o{};
    bool is_of_value = false;
    if (!peek_.is_here(at)) return failed(at, detail::doc::outcome::absent, memory, below, is_of_value);
    if constexpr (detail::doc::copied_as_nodes<T>) {
      using access = detail::doc::access;
      const auto source = handle_to(value);
      detail::doc::item new_item = access::item_of(source);
      std::array<std::byte, detail::doc::packed_bytes + 2> copy;
      if (new_item.kind == value_kind::absent) o = detail::doc::outcome::absent;
      else if (!detail::doc::copy_owned(memory, access::memory_of(source), new_item, copy.data()))
        o = detail::doc::outcome::no_space;
      else o = use(by, new_item);
    } else {
      detail::doc::built new_value;
      is_of_value = !detail::doc::build(memory, value, new_value);
      o = is_of_value ? new_value.why : use(by, new_value.value);
    }
    if (o != detail::doc::outcome::done) return failed(at, o, memory, below, is_of_value);
    update(at, by);
    return {};
  }
  template <class T>
  [[nodiscard]] static auto handle_to(const T& from) noexcept {
    if constexpr (std::derived_from<T, ingot::value>) return static_cast<const ingot::value&>(from);
    else if constexpr (std::derived_from<T, value_view>) return static_cast<const value_view&>(from);
    else return from.root();
  }

  document_peek peek_;
  std::uint32_t capacity_;
};

}} // namespace ingot::INGOT_V1
