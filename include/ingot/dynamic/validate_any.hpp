// SPDX-License-Identifier: Apache-2.0
// Validates the values of any kind in a message. Opening a message does not validate these values:
// readers of messages treat them as bytes, and decode a value only when the program requests it.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/dynamic/dynamic.hpp>

#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

/// Returns true if parts of `of` may be or contain values of any kind. For a list, checks only the
/// first element, because all elements have the same type.
[[nodiscard]] inline bool may_hold_any(const dynamic_value& of, const part_iterator& first) noexcept {
  if (is_set(of.kind())) return false;
  if (of.kind() != dynamic_kind::vector && of.kind() != dynamic_kind::array && !is_map(of.kind()))
    return true;
  const dynamic_value part = (*first).value;
  return part.is_any() || (part.kind() > dynamic_kind::bitset && part.kind() != dynamic_kind::text);
}

/// Calls `check` with each archive. Polls `by` for cancellation.
template <class Check>
[[nodiscard]] result<void> check_any_by(const dynamic_value& from, const Check& check, progress_poll& by) {
  struct step {
    dynamic_value of;
    part_iterator at;
  };
  std::vector<step> path;
  dynamic_value next = from;
  for (;;) {
    if (!by.step_should_continue(next.position())) return fail(errc::cancelled);
    if (next.is_any() && next.kind() != dynamic_kind::value) {
      const auto bytes = next.value_or(bytes_view());
      const auto checked = check(bytes);
      if (!checked) {
        error err = checked.error();
        // A packed message stores the bytes of an archive in its tail, a compact message after
        // their count.
        const dynamic_range in = next.tail_bytes().length != 0 ? next.tail_bytes() : next.own_bytes();
        err.with_offset(err.offset() + in.offset + in.length - bytes.size());
        for (auto each = path.rbegin(); each != path.rend(); ++each) {
          const dynamic_part part = *each->at;
          if (is_map(each->of.kind())) err.in_member("value");
          if (!part.name.empty()) err.in_member(part.name);
          else if (!is_holder(each->of.kind())) err.in_element(part.index);
        }
        return fail(err);
      }
    } else if (const auto first = next.parts().begin();
               first != std::default_sentinel && may_hold_any(next, first)) {
      path.push_back({next, first});
      next = (*first).value;
      continue;
    }
    while (!path.empty() && ++path.back().at == std::default_sentinel) path.pop_back();
    if (path.empty()) return {};
    next = (*path.back().at).value;
  }
}

} // namespace detail::dyn

/// Checks that each value of any kind in `from` is an archive. `from` is a message or a part of a
/// message. Without this check, an invalid archive is only found when a program with the type
/// decodes the value, and `to_document` converts it to bytes. In blocks, values of any kind are
/// documents, which are validated with the block. O(n) for n bytes, with about 100 bytes of memory
/// for each level. Progress reports the approximate position in the message. Errors: those of
/// `validate_archive`, with the offset in the message and the path; `no_memory`; `cancelled` if
/// `progress` returns false.
[[nodiscard]] inline result<void> validate_any(const dynamic_value& from, progress_ref progress = {}) {
  const detail::dyn::memory* const in = detail::dyn::access::memory_of(from);
  const std::uint64_t size = in == nullptr ? 0 : in->used;
  return detail::catch_bad_alloc([&]() -> result<void> {
    detail::progress_tracker tracker(progress, size);
    detail::progress_poll each(&tracker, size);
    const auto on = [&each](std::uint64_t, std::uint64_t) { return each.should_continue_now(); };
    auto checked = detail::dyn::check_any_by(
        from,
        [&](bytes_view bytes) { // the validation of a short archive does not poll
          return each.asks() && bytes.size() > detail::progress_tracker::step ? validate_archive(bytes, on)
                                                                              : validate_archive(bytes);
        },
        each);
    if (each.stopped()) return tracker.cancelled();
    if (!checked) return checked;
    return tracker.finish();
  });
}

}} // namespace ingot::INGOT_V1
