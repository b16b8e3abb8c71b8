// SPDX-License-Identifier: Apache-2.0
// Validates the values of any kind in a message. Opening a message does not: for its reader these
// values are bytes, which are not examined until they are requested.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/told_reading.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/dynamic/dynamic.hpp>

#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

/// Returns true if the parts of `of` may be values of any kind, or contain some. In a list, looks
/// at `first` only, since all elements have one type.
[[nodiscard]] inline bool may_hold_any(const dynamic_value& of, const part_iterator& first) noexcept {
  if (is_set(of.kind())) return false;
  if (of.kind() != dynamic_kind::vector && of.kind() != dynamic_kind::array && !is_map(of.kind()))
    return true;
  const dynamic_value part = (*first).value;
  return part.is_any() || (part.kind() > dynamic_kind::bitset && part.kind() != dynamic_kind::text);
}

/// Calls `check` with each archive, and polls `by` for cancellation.
template <class Check, class Asked>
[[nodiscard]] result<void> check_any_by(const dynamic_value& from, const Check& check, Asked& by) {
  struct step {
    dynamic_value of;
    part_iterator at;
  };
  std::vector<step> way;
  dynamic_value next = from;
  for (;;) {
    if constexpr (!asks_nobody<Asked>) {
      if (!by.goes_on_beside(next.position())) return fail(errc::cancelled);
    }
    if (next.is_any() && next.kind() != dynamic_kind::value) {
      const auto bytes = next.value_or(bytes_view());
      const auto checked = check(bytes);
      if (!checked) {
        error why = checked.error();
        // A packed message stores the bytes in its tail, a compact one after their number.
        const dynamic_range in = next.tail_bytes().length != 0 ? next.tail_bytes() : next.own_bytes();
        why.with_offset(why.offset() + in.offset + in.length - bytes.size());
        for (auto each = way.rbegin(); each != way.rend(); ++each) {
          const dynamic_part part = *each->at;
          if (is_map(each->of.kind())) why.in_member("value");
          if (!part.name.empty()) why.in_member(part.name);
          else if (!is_holder(each->of.kind())) why.in_element(part.index);
        }
        return fail(why);
      }
    } else if (const auto first = next.parts().begin();
               first != std::default_sentinel && may_hold_any(next, first)) {
      way.push_back({next, first});
      next = (*first).value;
      continue;
    }
    while (!way.empty() && ++way.back().at == std::default_sentinel) way.pop_back();
    if (way.empty()) return {};
    next = (*way.back().at).value;
  }
}

} // namespace detail::dyn

/// Checks that each value of any kind in `from`, a message or a part of one, is an archive. Without
/// this check, a program with the type finds an invalid archive when it decodes the value, and
/// `to_document` converts it to bytes. Values of any kind in blocks are documents, which are
/// validated with the block. O(n) for n bytes, with about 100 bytes of memory for each level.
/// Errors: those of `check_archive`, with the offset in the message and the path; `no_memory`.
[[nodiscard]] inline result<void> check_any(const dynamic_value& from) {
  return detail::guard_memory([&] {
    detail::unasked nobody;
    return detail::dyn::check_any_by(from, [](bytes_view bytes) { return check_archive(bytes); }, nobody);
  });
}
/// Checks the values of any kind, with progress: reports the approximate position in the message.
/// Errors: those of the function above; `cancelled` if `progress` returns false.
[[nodiscard]] inline result<void> check_any(const dynamic_value& from, progress_ref progress) {
  const detail::dyn::memory* const in = detail::dyn::access::memory_of(from);
  if (!progress || in == nullptr) return check_any(from);
  return detail::guard_memory([&]() -> result<void> {
    detail::told_reading told(progress, 0, in->used, in->used);
    detail::asked each(told, in->used);
    const auto on = [&each](std::uint64_t, std::uint64_t) { return each.goes_on_now(); };
    auto checked = detail::dyn::check_any_by(
        from,
        [&on](bytes_view bytes) { // short archives do not poll
          return bytes.size() > detail::told_reading::step ? check_archive(bytes, on) : check_archive(bytes);
        },
        each);
    if (each.stopped()) return told.cancelled();
    if (!checked) return checked;
    return told.finish();
  });
}

}} // namespace ingot::INGOT_V1
