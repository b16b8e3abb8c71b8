// SPDX-License-Identifier: Apache-2.0
// Finds the paths of values, for errors. A value knows only its position, so the search for its
// path begins at the root.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/cursor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

[[nodiscard]] constexpr bool is_same_spot(const spot& a, const spot& b) noexcept {
  return a.type == b.type && a.more == b.more && a.position == b.position;
}

/// Searches for a value below the root, depth first and in the order of the parts.
class path_search {
public:
  path_search(const memory& in, const spot& target) noexcept : in_(in), target_(target) {}

  /// Prepends the path of the value to the path of the error. If the value is not among the first
  /// few hundred parts that are searched, the path is only marked as cut.
  void name(error& err) noexcept {
    if (is_same_spot(in_.root, target_)) return;
    if (!find()) return static_cast<void>(err.cut_path());
    for (; depth_ != 0; --depth_) name_step(err, steps_[depth_ - 1]);
  }

private:
  /// A value that may enclose the target, and the part that the search has reached.
  struct step {
    spot whole;
    cursor at;
    std::uint64_t index = 0; ///< index of the only part that may contain the value
    bool is_only = false;
    bool is_key = false;
  };

  [[nodiscard]] const type& type_at(const spot& at) const noexcept { return in_.in->types[at.type]; }
  /// Returns true for kinds that have no parts.
  [[nodiscard]] static bool is_leaf(dynamic_kind kind) noexcept {
    return kind <= dynamic_kind::bitset || kind == dynamic_kind::text || kind == dynamic_kind::value;
  }
  /// Returns true if no part of the type can be the value or contain the value.
  [[nodiscard]] bool excludes(const type& of) const noexcept {
    const auto parts = in_.in->parts_of(of);
    return is_leaf(of.kind) || std::all_of(parts.begin(), parts.end(), [&](const part& each) {
             return each.type != target_.type && is_leaf(in_.in->types[each.type].kind);
           });
  }
  void enter(const spot& whole) noexcept {
    step& entered = steps_[depth_++];
    entered = {.whole = whole, .at = cursor(in_, whole)};
    const type& of = type_at(whole);
    const bool is_list = of.kind == dynamic_kind::array || of.kind == dynamic_kind::vector;
    if (in_.message != nullptr || !is_list) return;
    // Elements are adjacent, so a position within the elements tells the index.
    const memory::run all = in_.elements(of, whole.position);
    if (all.stride == 0 || target_.position < all.base ||
        (target_.position - all.base) / all.stride >= all.count)
      return;
    entered.index = (target_.position - all.base) / all.stride;
    entered.is_only = true;
  }
  [[nodiscard]] spot part_of(const step& from) const noexcept {
    if (!from.is_only) return from.at.value();
    const memory::run all = in_.elements(type_at(from.whole), from.whole.position);
    return {all.type, 0, all.at(from.index)};
  }
  [[nodiscard]] bool find() noexcept {
    unsigned left = 1000;
    enter(in_.root);
    while (depth_ != 0) {
      step& last = steps_[depth_ - 1];
      if (last.at.done()) {
        if (--depth_ != 0) skip(steps_[depth_ - 1]);
        continue;
      }
      if (left-- == 0) return false;
      if (!last.is_only && last.at.has_key() && is_same_spot(last.at.key(), target_)) {
        last.is_key = is_map(type_at(last.whole).kind);
        return true;
      }
      const spot each = part_of(last);
      if (is_same_spot(each, target_)) return true;
      if (each.type != spot::nothing && depth_ < steps_.size() && !excludes(type_at(each))) enter(each);
      else skip(last);
    }
    return false;
  }
  static void skip(step& from) noexcept {
    if (!from.is_only) return from.at.next();
    while (!from.at.done()) from.at.next();
  }
  void name_step(error& err, const step& from) const noexcept {
    const type& of = type_at(from.whole);
    const std::uint64_t index = from.is_only ? from.index : from.at.index();
    if (is_holder(of.kind)) return;
    if (is_record(of.kind) || of.kind == dynamic_kind::pair) {
      const std::string_view name = in_.in->parts[of.first + static_cast<std::size_t>(index)].name;
      static_cast<void>(name.empty() ? err.in_element(index) : err.in_member(name));
      return;
    }
    if (from.is_key) err.in_member("key");
    if (is_map(of.kind)) {
      const spot key = from.at.key();
      const type& key_type = type_at(key);
      if (key_type.kind == dynamic_kind::text && in_.in->part_type(key_type, 0).size == 1) {
        const text_run text =
            in_.message != nullptr ? in_.message->text(key) : in_.text(key_type, key.position);
        return static_cast<void>(err.in_key(in_.view(text)));
      }
    }
    err.in_element(index);
  }

  const memory& in_;
  spot target_;
  std::array<step, 32> steps_;
  std::size_t depth_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
