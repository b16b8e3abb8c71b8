// SPDX-License-Identifier: Apache-2.0
// Handles that change values. Each change is made completely or not at all. The handle through
// which a change is made stays valid; see value.hpp for other handles.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/document/detail/build.hpp>
#include <ingot/document/detail/edit_errors.hpp>
#include <ingot/document/detail/nodes.hpp>
#include <ingot/document/detail/rejection.hpp>
#include <ingot/document/value.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

class member_ref;
class value_view;

namespace detail::doc {

/// Types that are a handle to a value, or a whole document.
template <class T>
concept value_like = std::derived_from<T, value> || std::same_as<T, document>;
/// List of keys on a path, from the last key to the first. It has as many keys as the expression
/// that created it, such as `doc["a"]["b"]`.
struct member_path {
  document_key key;
  const member_path* parent = nullptr; ///< null for the first key
};
/// Types that are copied node by node; these include values in live structs.
template <class T>
concept copied_as_nodes = value_like<T> || std::derived_from<T, value_view> || document_like<T>;

} // namespace detail::doc

/// Value of a document, for reading and for changes.
class value_ref : public value {
public:
  value_ref() noexcept = default;
  value_ref(const value_ref&) = default;
  value_ref(value_ref&&) = default;
  value_ref& operator=(const value_ref&) & = default;
  value_ref& operator=(value_ref&&) & = default;
  /// Deleted: the assignment would change only the handle. To set a member: `doc["key"] = …`.
  template <class T>
  void operator=(const T&) && = delete; // ingot: a handle that a call gives can't be assigned: call set on it
  /// Deleted: the assignment would change only the handle, not the document.
  template <class T>
    requires(!std::is_convertible_v<const T&, value_ref>)
  void operator=(const T&) & = delete; // ingot: change what the handle refers to by set
  ~value_ref() = default;

  /// Overwrites the value with null, a scalar, text, a container, a record, or a copy of a value of
  /// any document. O(size of the new value), amortised O(1) for scalars. A value that grows may
  /// move up to 16 KB of other values of its container. Errors: `no_space`; `missing_member` if the
  /// handle has ended.
  template <class T>
  [[nodiscard]] INGOT_INLINE result<void> set(const T& from) {
    if constexpr (detail::doc::is_simple<T>) {
      if (fresh_in_heap()) [[likely]] {
        const std::byte* const to =
            overwrite_apart(*core_, at_.position, at_.index, bytes_, detail::doc::simple_of(from));
        if (to != nullptr) [[likely]] {
          bytes_ = to;
          seen_ = core_->changes().now();
          return {};
        }
      }
      value_ref copy = *this; // a copy, since an object whose address is taken is in memory
      auto stored = copy.set_again(from);
      *this = copy;
      return stored;
    } else {
      return set_again(from);
    }
  }
  /// Sets a member of an object, or adds it if it is missing. Null becomes an object first. Adding
  /// a member is O(n) in the object's members, with a small constant, and ends the handles to its
  /// other members. Errors: those of `set(from)`; `type_mismatch` if this is no object.
  template <class T>
  [[nodiscard]] result<value_ref> set(const document_key& key, const T& from) {
    if constexpr (detail::doc::is_simple<T>) {
      const auto position = static_cast<std::uint32_t>(node_here());
      detail::doc::item new_item;
      if (position != 0 && detail::doc::make_simple(mem(), from, new_item)) [[likely]] {
        if (value_ref member; set_quickly(position, key, new_item, member)) [[likely]]
          return member;
      }
    }
    if (auto why = detail::doc::rejected(from)) [[unlikely]]
      return failed(why->in_member(key.text()));
    location member;
    const auto o = set_member(key, from, member);
    if (o != detail::doc::outcome::done) {
      error err = why_not(o);
      const bool is_of_container = o == detail::doc::outcome::wrong_kind || o == detail::doc::outcome::absent;
      return failed(is_of_container ? err : err.in_member(key.text()));
    }
    return value_ref(core_, member);
  }
  /// Appends to an array; null becomes an array first. Amortised O(1). Errors: those of `set`;
  /// `type_mismatch` if this is no array.
  template <class T>
  [[nodiscard]] result<value_ref> append(const T& from) {
    if constexpr (detail::doc::is_simple<T>) {
      const auto position = static_cast<std::uint32_t>(node_here());
      detail::doc::item new_item;
      std::uint32_t index = 0;
      const std::byte* there = nullptr;
      if (position != 0 && detail::doc::make_simple(mem(), from, new_item) &&
          detail::doc::append_quickly(*core_, position, new_item, index, there)) [[likely]]
        return value_ref(*this, position, index, there);
    }
    return insert_at(detail::doc::npos, from);
  }
  /// Inserts an element before `index`, which must be at most `size()`. O(n).
  template <class T>
  [[nodiscard]] result<value_ref> insert(std::size_t index, const T& from) {
    return insert_at(index >= detail::doc::npos ? detail::doc::npos - 1 : static_cast<std::uint32_t>(index),
                     from);
  }
  /// Removes a member. Returns false if there is none. O(n + size of the member's value).
  [[nodiscard]] result<bool> erase(const document_key& key) {
    if (const auto position = static_cast<std::uint32_t>(node_here()); position != 0) [[likely]] {
      const std::byte* found = nullptr;
      const std::uint32_t index = detail::doc::find_fast(core_->start() + position, key, found);
      if (index == detail::doc::npos) return false;
      if (index < detail::doc::lookup_unresolved &&
          detail::doc::erase_quickly(*core_, position, index, found)) {
        seen_ = core_->changes().now();
        return true;
      }
    }
    const location member = find_at(key);
    if (member.none() || member.packed != 0) return false;
    if (const auto o = erase_item(member.index); o != detail::doc::outcome::done)
      return failed(detail::doc::error_of(o).in_member(key.text()));
    return true;
  }
  /// Removes the element or member `index`. Errors: `out_of_range` if there is none.
  [[nodiscard]] result<void> erase(std::size_t index) {
    if (core_ == nullptr)
      return failed(detail::doc::error_of(detail::doc::outcome::absent).in_element(index));
    if (const auto position = static_cast<std::uint32_t>(node_here());
        position != 0 && detail::doc::erase_last_quickly(*core_, position, index)) {
      seen_ = core_->changes().now();
      return {};
    }
    const auto at = index >= detail::doc::npos ? detail::doc::npos - 1 : static_cast<std::uint32_t>(index);
    const auto o = erase_item(at);
    if (o != detail::doc::outcome::done) return failed(detail::doc::error_of(o).in_element(index));
    return {};
  }
  /// Changes the key of a member, and keeps its value. Errors: `missing_member` if there is no such
  /// member, `duplicate_key` if the new key exists.
  [[nodiscard]] result<void> rename(const document_key& from, const document_key& to) {
    const location member = find_at(from);
    if (member.none())
      return failed(detail::doc::error_of(detail::doc::outcome::absent).in_member(from.text()));
    location here = now();
    const auto o = with_space([&] { return detail::doc::tree(*core_).rename(here, member.index, to); });
    update(here);
    settle();
    if (o != detail::doc::outcome::done) return failed(detail::doc::error_of(o).in_member(to.text()));
    return {};
  }
  /// Empties an array or object; makes text, bytes and scalars null.
  [[nodiscard]] result<void> clear() {
    const auto k = kind();
    if (k == value_kind::absent) return done(detail::doc::outcome::absent);
    const bool keeps = k == value_kind::array || k == value_kind::object;
    return done(
        with_space([&] { return write(keeps ? detail::doc::item::of(k, 0) : detail::doc::item::null()); }));
  }
  /// Sets the value at a JSON Pointer. Creates missing objects on the path, and an element at the
  /// end of an array (`-`, or the size). If the space runs out, the parts that were created remain.
  template <class T>
  [[nodiscard]] result<value_ref> set_at(std::string_view pointer, const T& from) {
    return detail::catch_bad_alloc([&] { return set_at_unguarded(pointer, from); });
  }
  // The functions of `value`, returning handles that can change values.
  // NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)
  [[nodiscard]] INGOT_INLINE value_ref find(const document_key& key) const noexcept {
    return find_as<value_ref>(key);
  }
  template <detail::doc::text_of_key Text>
  [[nodiscard]] INGOT_INLINE value_ref find(const Text& text) const noexcept {
    return find_text_as<value_ref>(detail::doc::text_in(text));
  }
  /// Returns a member for an immediate assignment: `order["price"] = 3.5`. A missing member reads
  /// as absent, and assigning creates it.
  [[nodiscard]] member_ref operator[](const document_key& key) const noexcept;
  [[nodiscard]] value_ref operator[](std::size_t index) const noexcept { return element<value_ref>(index); }
  [[nodiscard]] value_ref at(std::string_view pointer) const {
    return detail::doc::follow_pointer(*this, pointer);
  }
  /// Range of the values of an array or object, as handles.
  using element_range = detail::doc::element_range<value_ref>;
  /// Range of the members of an object, as pairs `key`, `value`.
  using member_range = detail::doc::member_range<value_ref>;
  /// Returns the values of an array or object, in order, as handles.
  [[nodiscard]] element_range elements() const noexcept { return element_range(*this); }
  /// Returns the members of an object as pairs `key`, `value`.
  [[nodiscard]] member_range members() const noexcept { return member_range(*this); }
  // NOLINTEND(bugprone-derived-method-shadowing-base-method)

protected:
  friend struct detail::doc::access;
  friend class document;
  friend class value;
  friend class member_ref;
  INGOT_INLINE value_ref(const core* in, const location& at) noexcept : value(in, at) {}
  INGOT_INLINE value_ref(const value& in, std::uint32_t position, std::uint32_t index,
                         const std::byte* bytes) noexcept
      : value(in, position, index, bytes) {}

  INGOT_INLINE explicit value_ref(const detail::doc::absent_path& wanted) noexcept : value(wanted) {}
  INGOT_INLINE value_ref(const core* in, const found_location& found) noexcept : value(in, found) {}

  [[nodiscard]] result<void> done(detail::doc::outcome o) const {
    if (o == detail::doc::outcome::done) return {};
    return failed(why_not(o));
  }
  /// Returns an error with the path of this value, or of the part that `err` names.
  [[nodiscard]] INGOT_COLD std::unexpected<error> failed(error err) const {
    name(err);
    return fail(err);
  }
  /// Returns the reason why a value was not stored.
  [[nodiscard]] INGOT_COLD error why_not(detail::doc::outcome o) const {
    return core_ == nullptr ? detail::doc::error_of(o) : detail::doc::error_of(o, *core_);
  }
  [[nodiscard]] detail::doc::outcome erase_item(std::uint32_t index) {
    location here = now();
    const auto o = with_space([&] { return detail::doc::tree(*core_).erase(here, index); });
    update(here);
    settle();
    return o;
  }
  void update(const location& here) noexcept {
    if (here.none() || core_ == nullptr) return;
    at_ = here;
    seen_ = core_->changes().now();
    bytes_ = nullptr;
    if (here.position != 0) bytes_ = bytes_of(*core_, here);
  }
  /// Returns the address of the value in its heap. With this address, the next change is fast.
  /// Static and not inlined, since taking a handle's address would store the handle in memory.
  [[nodiscard]] INGOT_NOINLINE static const std::byte* bytes_of(const core& in, location here) noexcept {
    detail::doc::node n;
    if (!detail::doc::find_node(in.mem(), here.position, n) || here.index >= n.count) return nullptr;
    return n.at_index(here.index).value;
  }
  /// Defragments the document if a change has requested it. Called after each change, when only
  /// handles refer to positions. Handles find the new positions themselves.
  INGOT_INLINE void settle() const noexcept {
    if (core_ != nullptr && core_->unsettled()) [[unlikely]]
      detail::doc::settle(*core_);
  }
  /// Overwrites an existing value with a simple value. The arguments are passed in registers.
  /// Returns the new address; null if another function must write the value.
  template <class Simple>
  [[nodiscard]] INGOT_NOINLINE static const std::byte*
  overwrite_apart(core& in, std::uint32_t position, std::uint32_t index, const std::byte* bytes,
                  Simple from) noexcept {
    detail::doc::item new_item;
    if (!detail::doc::make_simple(in.mem(), from, new_item)) [[unlikely]]
      return nullptr;
    return detail::doc::overwrite_quickly(in, position, index, bytes, new_item);
  }
  [[nodiscard]] INGOT_INLINE bool set_quickly(std::uint32_t position, const document_key& key,
                                              const detail::doc::item& new_item, value_ref& member) noexcept {
    const std::byte* found = nullptr;
    std::uint32_t index = detail::doc::find_fast(core_->start() + position, key, found);
    if (index < detail::doc::lookup_unresolved) {
      found = detail::doc::overwrite_quickly(*core_, position, index, found, new_item);
    } else if (index == detail::doc::npos) {
      std::byte* const to =
          detail::doc::insert_quickly(*core_, position, key, detail::doc::value_size(new_item), index);
      if (to != nullptr) [[likely]]
        detail::doc::write_value(to, new_item);
      found = to;
    } else {
      return false;
    }
    if (found == nullptr) [[unlikely]]
      return false;
    seen_ = core_->changes().now();
    member = value_ref(*this, position, index, found);
    return true;
  }
  INGOT_INLINE detail::doc::outcome write(const detail::doc::item& new_item) noexcept {
    if (core_ == nullptr) return detail::doc::outcome::absent;
    location here = now();
    const auto o = detail::doc::tree(*core_).write(here, new_item);
    // Updates the handle even if there was no space: a packed array may have got a node of its own.
    update(here);
    return o;
  }
  /// Makes a value of `from` and passes it to `use`. Releases the value if `use` fails.
  template <class T, class Use>
  detail::doc::outcome put(const T& from, Use&& use) {
    if (core_ == nullptr) return detail::doc::outcome::absent;
    return with_space([&] { return put_once(from, use); });
  }
  /// Slow path. Not inlined, since it would occupy registers of the fast path.
  template <class T>
  [[nodiscard]] INGOT_NOINLINE result<void> set_again(const T& from) {
    if (const auto why = detail::doc::rejected(from)) [[unlikely]]
      return failed(*why);
    return done(try_set(from));
  }
  template <class T>
  INGOT_INLINE detail::doc::outcome try_set(const T& from) {
    const auto o = put(from, [&](const detail::doc::item& new_item) { return write(new_item); });
    settle();
    return o;
  }
  template <class T>
  detail::doc::outcome set_member(const document_key& key, const T& from, location& member) {
    location here = now();
    const auto o = put(from, [&](const detail::doc::item& new_item) {
      return detail::doc::tree(*core_).set(here, key, new_item, member);
    });
    update(here);
    if (core_ != nullptr && core_->unsettled()) [[unlikely]] {
      const value_ref handle(core_, member);
      settle();
      member = handle.now();
    }
    return o;
  }
  /// Creates the members of a path from `first` to `last`. Requires that `first` is missing. Each
  /// member before `last` becomes an object that has only the next member, and `last` gets the
  /// value `from`. The objects are built before they are stored, so all are created or none.
  template <class T>
  detail::doc::outcome set_below(const detail::doc::member_path& first, const detail::doc::member_path& last,
                                 const T& from, value_ref& set_there) {
    location here = now();
    location created;
    const auto o = put(from, [&](detail::doc::item& new_item) {
      for (const auto* at = &last; at != &first; at = at->parent) {
        detail::doc::node_builder object(*core_, value_kind::object, 1, at->key.text().size());
        const bool stored = object.insert(at->key, std::exchange(new_item, detail::doc::item::null()));
        if (!stored) return detail::doc::outcome::no_space;
        new_item = object.finish();
      }
      return detail::doc::tree(*core_).set(here, first.key, new_item, created);
    });
    update(here);
    if (o != detail::doc::outcome::done) return o;
    value_ref outermost(core_, created);
    settle();
    set_there = outermost.find_below(first, last);
    return o;
  }
  /// Sets the member at `last`, a path from this value. Creates missing objects on the path.
  template <class T>
  [[nodiscard]] result<value_ref> set_path(const detail::doc::member_path& last, const T& from) {
    const auto* first = &last;
    while (first->parent != nullptr && !find_path(*first->parent).exists()) first = first->parent;
    value_ref container = first->parent != nullptr ? find_path(*first->parent) : *this;
    if (first == &last) return container.set(last.key, from);
    const auto named = [&](error err) {
      for (const auto* at = &last; at != first; at = at->parent) err.in_member(at->key.text());
      return container.failed(err.in_member(first->key.text()));
    };
    if (const auto why = detail::doc::rejected(from)) [[unlikely]]
      return named(*why);
    value_ref member;
    const auto o = container.set_below(*first, last, from, member);
    if (o != detail::doc::outcome::done) return named(container.why_not(o));
    return member;
  }

private:
  [[nodiscard]] value_ref find_path(const detail::doc::member_path& last) const noexcept {
    return last.parent == nullptr ? find(last.key) : find_path(*last.parent).find(last.key);
  }
  /// Returns the value at the path `last`. Requires that `last` begins with `first`, the path of
  /// this handle.
  [[nodiscard]] value_ref find_below(const detail::doc::member_path& first,
                                     const detail::doc::member_path& last) const noexcept {
    return &first == &last ? *this : find_below(first, *last.parent).find(last.key);
  }
  /// Calls `change`. While the result is `no_space`, enlarges the storage and calls `change` again.
  /// Only a storage in a live block can be enlarged. A failed change has no effect.
  template <class Change>
  INGOT_INLINE detail::doc::outcome with_space(Change&& change) {
    auto o = change();
    for (bool again = false; o == detail::doc::outcome::no_space && core_->reserve_space(again); again = true)
      o = change();
    return o;
  }
  [[nodiscard]] bool put_nodes(detail::doc::memory from, const detail::doc::item& what) noexcept {
    detail::doc::item new_item = what;
    std::array<std::byte, detail::doc::packed_bytes + 2> bytes;
    if (!detail::doc::copy_owned(*core_, from, new_item, bytes.data())) return false;
    if (write(new_item) == finished) return true;
    detail::doc::release_owned(*core_, new_item);
    return false;
  }
  template <class T, class Use>
  detail::doc::outcome put_once(const T& from, Use&& use) {
    using enum detail::doc::outcome;
    if constexpr (detail::doc::copied_as_nodes<T>) {
      const auto source = as_value(from);
      detail::doc::item new_item = detail::doc::access::item_of(source);
      if (new_item.kind == value_kind::absent) return absent;
      std::array<std::byte, detail::doc::packed_bytes + 2> bytes;
      if (!detail::doc::copy_owned(*core_, detail::doc::access::memory_of(source), new_item, bytes.data()))
        return no_space;
      const auto o = use(new_item);
      if (o != finished) detail::doc::release_owned(*core_, new_item);
      return o;
    } else {
      detail::doc::built node;
      if (!detail::doc::build(*core_, from, node)) return node.why;
      const auto o = use(node.value);
      if (o != finished) detail::doc::release_owned(*core_, node.value);
      return o;
    }
  }
  template <class T>
  [[nodiscard]] result<value_ref> set_at_unguarded(std::string_view pointer, const T& from) {
    if (auto why = detail::doc::rejected(from)) [[unlikely]] {
      detail::doc::name_pointer(*why, *this, pointer);
      return failed(*why);
    }
    std::string plain;
    detail::doc::pointer_parts checked(pointer); // before any change
    while (checked.good() && !checked.done()) static_cast<void>(checked.next(plain));
    if (!checked.good()) return fail(error{errc::syntax}.with_expected("a JSON Pointer"));
    detail::doc::pointer_parts parts(pointer);
    value_ref reached = *this;
    while (parts.good() && !parts.done()) {
      const auto part = parts.next(plain);
      if (!parts.good()) break;
      result<value_ref> next =
          reached.is_array() ? reached.step_into_array(part) : reached.step_into_object(part);
      if (!next) return next;
      reached = *next;
    }
    const auto set_there = reached.set(from);
    if (!set_there) return fail(set_there.error());
    return reached;
  }
  template <class T>
  [[nodiscard]] result<value_ref> insert_at(std::uint32_t at, const T& from) {
    if (auto why = detail::doc::rejected(from)) [[unlikely]]
      return failed(why->in_element(at == detail::doc::npos ? size() : at));
    location here = now();
    const auto o = put(from, [&](const detail::doc::item& new_item) {
      return detail::doc::tree(*core_).insert(here, at, new_item);
    });
    update(here);
    settle();
    if (o != detail::doc::outcome::done) {
      error err = why_not(o);
      if (at != detail::doc::npos || o == detail::doc::outcome::rejected)
        err.in_element(at == detail::doc::npos ? size() : at);
      return failed(err);
    }
    return (*this)[std::size_t{at}];
  }

  static constexpr auto finished = detail::doc::outcome::done;
  template <class T>
  [[nodiscard]] static auto as_value(const T& from) noexcept {
    if constexpr (std::derived_from<T, value>) return static_cast<const value&>(from);
    else if constexpr (std::derived_from<T, value_view>) return static_cast<const value_view&>(from);
    else return from.root();
  }
  [[nodiscard]] result<value_ref> step_into_array(std::string_view part) {
    const auto index = part == "-" ? static_cast<std::uint32_t>(size()) : detail::doc::pointer_index(part);
    if (index == size()) return append(nullptr);
    value_ref element = (*this)[std::size_t{index}];
    if (!element.exists()) {
      const error err = detail::doc::error_of(detail::doc::outcome::out_of_range);
      if (index == detail::doc::npos) return failed(error(err).in_member(part));
      return failed(error(err).in_element(index));
    }
    return element;
  }
  [[nodiscard]] result<value_ref> step_into_object(std::string_view part) {
    value_ref member = find(part);
    if (member.exists()) return member;
    return set(document_key(part), nullptr);
  }
};

}} // namespace ingot::INGOT_V1
