// SPDX-License-Identifier: Apache-2.0
// JSON Merge Patch (RFC 7396) for documents. A patch is usually an object. It contains the members
// to change with their new values, and null for each member to remove.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// Writes the result of a patch as events. The open containers are in a list, so deep values take
/// no stack.
class merge_run {
public:
  explicit merge_run(document_events& to) noexcept : to_(to) {}

  /// Returns true if everything was written.
  [[nodiscard]] bool run(const value& target, const value& patch) {
    if (!begin_merged(target, patch)) return false;
    while (!open_.empty()) {
      if (!to_.good()) return false;
      if (!step()) return false;
    }
    return to_.good();
  }

private:
  struct container {
    /// Container whose elements or members are written; absent if the target is no object.
    value of;
    value patch; ///< an object; absent if `of` is copied unchanged
    std::size_t next = 0;
    /// True while members that only the patch has are written, after all members of `of`.
    bool in_patch = false;
    bool object = false;
  };

  [[nodiscard]] bool begin_merged(const value& target, const value& patch) {
    if (!patch.is_object()) return copy(patch);
    if (!to_.begin_object()) return false;
    open_.push_back({.of = target.is_object() ? target : value(), .patch = patch, .object = true});
    return true;
  }
  [[nodiscard]] bool copy(const value& from) {
    return from.visit([&]<class... Found>(const Found&... found) {
      if constexpr (sizeof...(Found) == 0) return to_.abandon(errc::missing_member);
      else return leaf(from, found...);
    });
  }
  [[nodiscard]] bool leaf(const value&, std::nullptr_t) { return to_.null(); }
  [[nodiscard]] bool leaf(const value&, bool b) { return to_.boolean(b); }
  [[nodiscard]] bool leaf(const value&, std::int64_t n) { return to_.integer(n); }
  [[nodiscard]] bool leaf(const value&, std::uint64_t n) { return to_.unsigned_integer(n); }
  [[nodiscard]] bool leaf(const value& of, double) { return to_.number_bits(access::item_of(of).number); }
  [[nodiscard]] bool leaf(const value&, std::string_view t) { return to_.text(t); }
  [[nodiscard]] bool leaf(const value&, bytes_view b) { return to_.binary(b); }
  [[nodiscard]] bool leaf(const value& of, const element_range<value>&) {
    open_.push_back({.of = of, .patch = value()});
    return to_.begin_array();
  }
  [[nodiscard]] bool leaf(const value& of, const member_range<value>&) {
    open_.push_back({.of = of, .patch = value(), .object = true});
    return to_.begin_object();
  }

  /// Writes the next member or element of the innermost container, or the end of this container.
  [[nodiscard]] bool step() {
    container& in = open_.back();
    const value& from = in.in_patch ? in.patch : in.of;
    const std::size_t size = from.exists() ? from.size() : 0;
    if (in.next == size) {
      if (in.patch.exists() && !in.in_patch) {
        in.in_patch = true;
        in.next = 0;
        return true;
      }
      open_.pop_back();
      return to_.end();
    }
    const auto index = static_cast<std::uint32_t>(in.next++);
    if (!in.object) return copy(from[std::size_t{index}]);
    const element_iterator<value> at(from, index);
    const document_key key(at.key());
    const value here = *at;
    if (!in.patch.exists()) return to_.key(key) && copy(here);
    if (in.in_patch) {
      if (here.is_null() || (in.of.exists() && in.of.find(key).exists())) return true;
      return to_.key(key) && begin_merged(value(), here);
    }
    const value change = in.patch.find(key);
    if (!change.exists()) return to_.key(key) && copy(here);
    return change.is_null() || (to_.key(key) && begin_merged(here, change));
  }

  document_events& to_;
  std::vector<container> open_;
};

} // namespace detail::doc

/// Returns `target` with `patch` applied, as in RFC 7396. A member of an object in the patch
/// replaces the member of the target; null removes that member. A patch that is no object replaces
/// the whole value. Nulls of the target that the patch doesn't name are kept, and so are nulls in
/// arrays of the patch. An absent target is treated like null. The arguments are not changed.
///
/// O(the sizes of both). Deep values take no stack. Errors: `missing_member` for an absent patch,
/// `no_space` beyond the maximum size, `no_memory`.
[[nodiscard]] inline result<document>
merge_patch(const value& target, const value& patch,
            max_block_size max_size = document::default_max_block_size) {
  return detail::catch_bad_alloc([&]() -> result<document> {
    document_writer to({.max_size = max_size});
    if (!detail::doc::merge_run(to).run(target, patch) && to.good()) to.abandon();
    return to.finish();
  });
}

/// Applies a patch to a value of a document (`doc.root()`, `doc["settings"]`): `to` becomes the
/// result of `merge_patch`. The whole patch is applied, or nothing. The patch may be in the same
/// document. O(the sizes of both).
///
/// Errors: those of `merge_patch`; `no_space` if the document has no space for both the new and the
/// old value; `missing_member` if the handle `to` has ended.
[[nodiscard]] inline result<void> apply_merge_patch(value_ref to, const value& patch) {
  if (!to.exists()) return fail(error{errc::missing_member}.with_expected("a value to patch"));
  const auto* const in = detail::doc::access_for<value>::core_of(to);
  const auto merged =
      merge_patch(to, patch, {std::max<std::size_t>(in->limit(), document::default_max_block_size.bytes)});
  if (!merged) return fail(merged.error());
  return to.set(merged->root());
}

}} // namespace ingot::INGOT_V1
