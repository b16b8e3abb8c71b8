// SPDX-License-Identifier: Apache-2.0
// Member of an object. A member can be assigned even if it does not exist yet.
#pragma once

#include <ingot/document/detail/edit_errors.hpp>
#include <ingot/document/value_ref.hpp>

#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Result of `doc["key"]`: the member or, if the member is missing, the position where it would be
/// inserted. Use it only in the expression that creates it. To store it, convert it to a
/// `value_ref`: `value_ref price = doc["price"];`.
class member_ref : public value_ref {
public:
  member_ref(const member_ref&) = delete;

  /// Sets the member. Creates an object for each missing member on the path: after
  /// `doc["address"]["city"] = "Rome"`, an empty document is `{"address":{"city":"Rome"}}`. If
  /// there is an error, nothing is stored. Throws `out_of_space`, or `bad_document_access` if a
  /// value on the path is no object. `set` returns errors instead.
  template <class T>
    requires(!detail::doc::value_like<T>)
  value_ref operator=(const T& from) && { // NOLINT: returns a handle that can be stored
    return assign(from);
  }
  value_ref operator=(const value& from) && { return assign(from); }                                 // NOLINT
  value_ref operator=(const member_ref& from) && { return assign(static_cast<const value&>(from)); } // NOLINT
  value_ref operator=(const document& from) &&;                                                      // NOLINT
  /// Deleted for variables, because the member may have been erased or moved in the meantime.
  template <class T>
  void operator=(const T&) & = delete; // ingot: take a value_ref, value_ref x = doc["a"], and call x.set(y)

  using value_ref::operator[];
  /// Returns a member of this member. Both may be missing. O(1) to O(log n) as `value_ref::find`.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): a missing member has a path
  [[nodiscard]] INGOT_INLINE member_ref operator[](const document_key& key) const noexcept {
    if (core_ == nullptr) return {*this, key};
    return {static_cast<const value_ref&>(*this), key};
  }

private:
  friend class value_ref;
  friend class document;
  INGOT_INLINE member_ref(const value_ref& container, const document_key& key) noexcept
      : value_ref(container.find(key)), container_(container), missing_{key} {}
  /// Creates a member of a member that is missing.
  member_ref(const member_ref& parent, const document_key& key) noexcept
      : value_ref(parent.path_below().with_member(key.text())), container_(parent.container_),
        missing_{key, &parent.missing_} {}

  template <class T>
  value_ref assign(const T& from) {
    if (container_.core_ == nullptr) throw_failed(detail::doc::outcome::absent);
    if (const auto why = detail::doc::rejected(from)) [[unlikely]] {
      error named = *why;
      name_member(named);
      detail::doc::throw_rejected(named);
    }
    value_ref member;
    const auto o = set_here(from, member);
    if (o != detail::doc::outcome::done) throw_failed(o);
    return member;
  }
  /// Stores the new value, and makes `member` a handle to the new value.
  template <class T>
  detail::doc::outcome set_here(const T& from, value_ref& member) {
    if (core_ != nullptr) {
      const auto o = try_set(from);
      member = *this;
      return o;
    }
    if (missing_.parent != nullptr) {
      const auto* first = missing_.parent;
      while (first->parent != nullptr) first = first->parent;
      return container_.set_below(*first, missing_, from, member);
    }
    auto* const in = container_.core_;
    location created;
    const auto o = container_.set_member(missing_.key, from, created);
    if (o == detail::doc::outcome::done) member = value_ref(in, created);
    return o;
  }
  INGOT_COLD void name_member(error& err) const noexcept {
    for (const auto* at = &missing_; at != nullptr; at = at->parent) err.in_member(at->key.text());
    container_.name(err);
  }
  [[noreturn]] INGOT_COLD void throw_failed(detail::doc::outcome o) const {
    const auto* const in = container_.core_;
    error err = container_.why_not(o);
    name_member(err);
    detail::doc::throw_outcome(o, in != nullptr ? in->failure() : out_of_space_reason::full, err);
  }

  value_ref container_;              ///< the innermost existing container on the path
  detail::doc::member_path missing_; ///< missing members on the path, including this member
};

INGOT_INLINE member_ref value_ref::operator[](const document_key& key) const noexcept { return {*this, key}; }

}} // namespace ingot::INGOT_V1
