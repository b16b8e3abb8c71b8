// SPDX-License-Identifier: Apache-2.0
// Member of an object that can be assigned to, even if it does not exist yet.
#pragma once

#include <ingot/document/detail/edit_errors.hpp>
#include <ingot/document/value_ref.hpp>

#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// Result of `doc["key"]`: the member, or the position where it would be inserted. Use it only in
/// the expression that makes it. To store it, make it a `value_ref`:
/// `value_ref price = doc["price"];`.
class member_ref : public value_ref {
public:
  member_ref(const member_ref&) = delete;

  /// Sets the member. Throws `out_of_space`, or `bad_document_access` if there is no object to
  /// contain it. `set` returns errors instead.
  template <class T>
    requires(!detail::doc::value_like<T>)
  value_ref operator=(const T& from) && { // NOLINT: gives a handle that lasts
    return assign(from);
  }
  value_ref operator=(const value& from) && { return assign(from); }                                 // NOLINT
  value_ref operator=(const member_ref& from) && { return assign(static_cast<const value&>(from)); } // NOLINT
  value_ref operator=(const document& from) &&;                                                      // NOLINT

private:
  friend class value_ref;
  friend class document;
  member_ref(core* in, const location& container, const document_key& key) noexcept
      : value_ref(in, in != nullptr ? detail::doc::find_member(in->mem(), container, key)
                                    : location{.place = detail::doc::npos}),
        container_(in, container), key_(key) {
    if (core_ == nullptr) [[unlikely]]
      set_absent(in == nullptr || container.place != 0);
  }
  /// Member of an absent container.
  member_ref(const value_ref& container, const document_key& key) noexcept
      : value_ref(container.path_below().with_member(key.text())), container_(container), key_(key) {}
  void set_absent(bool below) noexcept {
    const auto path = detail::doc::absent_member(below, key_.text().data(), key_.text().size());
    at_ = path.at();
    seen_ = path.rest();
  }

  template <class T>
  value_ref assign(const T& from) {
    location member;
    auto* const in = container_.core_;
    if (in == nullptr) throw_failed(detail::doc::outcome::absent);
    if (const auto why = detail::doc::rejected(from)) [[unlikely]] {
      error named = *why;
      name_member(named);
      detail::doc::throw_rejected(named);
    }
    detail::doc::outcome o;
    if (core_ != nullptr) {
      o = try_set(from);
      if (o == detail::doc::outcome::done) return *this;
    } else {
      o = container_.set_member(key_, from, member);
    }
    if (o != detail::doc::outcome::done) throw_failed(o);
    return {in, member};
  }
  INGOT_COLD void name_member(error& err) const noexcept {
    err.in_member(key_.text());
    container_.name(err);
  }
  [[noreturn]] INGOT_COLD void throw_failed(detail::doc::outcome o) const {
    const auto* const in = container_.core_;
    error err = container_.why_not(o);
    name_member(err);
    detail::doc::throw_outcome(o, in != nullptr ? in->failure() : out_of_space_reason::full, err);
  }

  value_ref container_;
  document_key key_;
};

inline member_ref value_ref::operator[](const document_key& key) const noexcept {
  if (core_ == nullptr) [[unlikely]]
    return {*this, key};
  return {core_, now(), key};
}

}} // namespace ingot::INGOT_V1
