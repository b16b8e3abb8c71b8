// SPDX-License-Identifier: Apache-2.0
// Validates the properties of a message that do not affect the positions of parts: keys must ascend
// and contain no NaN, and versions must be those of the schema.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/message_bytes.hpp>
#include <ingot/dynamic/detail/message_search.hpp>
#include <ingot/dynamic/message_types.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Visits the values that contain sets, maps or versions. The stack is on the heap. Throws
/// `std::bad_alloc`.
class message_validator {
public:
  message_validator(const message_tables& types, const memory& in, progress_poll& by) noexcept
      : t_(types), in_(in), by_(by) {}

  [[nodiscard]] result<void> run(const spot& whole) {
    if (!begin(whole)) return fail(why_);
    while (!path_.empty()) {
      if (!by_.step_should_continue()) return fail(errc::cancelled);
      frame& f = path_.back();
      if (f.at == f.count) {
        path_.pop_back();
        continue;
      }
      const bool is_key = f.at++ % 2 == 0;
      if (is_key && !is_map(type_at(in_, f.of).kind)) continue;
      const std::uint64_t i = part_of(f);
      const spot of = f.of; // copied, since a push may move the frame
      if (!begin(is_key ? in_.message->key(of, i) : in_.message->part(of, i))) return fail(located());
    }
    return {};
  }

private:
  struct frame {
    spot of;
    /// Next step. Each part has two steps: its key and its value. For records, only members that
    /// need checks count as parts.
    std::uint64_t at = 0;
    std::uint64_t count = 0;
  };

  [[nodiscard]] bool has_members(const spot& of) const noexcept {
    const dynamic_kind kind = type_at(in_, of).kind;
    return kind == dynamic_kind::record || kind == dynamic_kind::tuple;
  }
  /// Returns the index of the part that was begun last.
  [[nodiscard]] std::uint64_t part_of(const frame& f) const noexcept {
    const std::uint64_t i = (f.at - 1) / 2;
    return has_members(f.of) ? t_.of[f.of.type].checked_members[static_cast<std::size_t>(i)] : i;
  }

  bool reject(errc code, const spot& at, std::string_view expected) {
    why_ = error{code, in_.message->own(at).offset}.with_expected(expected);
    return false;
  }
  /// Adds the path to the error, from the inside out, and returns the error.
  [[nodiscard]] error located() {
    for (auto f = path_.rbegin(); f != path_.rend(); ++f) {
      const type& of = type_at(in_, f->of);
      const std::uint64_t i = part_of(*f);
      if (is_map(of.kind)) why_.in_member((f->at - 1) % 2 == 0 ? "key" : "value");
      if (of.kind == dynamic_kind::record)
        why_.in_member(in_.in->parts[of.first + static_cast<std::size_t>(i)].name);
      else if (!is_holder(of.kind)) why_.in_element(i);
    }
    return why_;
  }
  bool begin(const spot& of) {
    if (of.type == spot::nothing || !t_.of[of.type].is_checked) return true;
    const dynamic_kind kind = type_at(in_, of).kind;
    if (t_.has_version_member(of.type) && !check_version(of)) return false;
    if ((is_map(kind) || is_set(kind)) && !check_keys(of, kind)) return false;
    // The message limits the number of steps: each element that is checked takes at least one byte.
    const std::uint64_t parts =
        has_members(of) ? t_.of[of.type].checked_members.size() : in_.message->size(of);
    path_.push_back({of, 0, 2 * parts});
    return true;
  }
  bool check_version(const spot& of) {
    const spot version = in_.message->part(of, 0);
    // The default of a version is the version of the schema, so an omitted version is valid.
    if (version.type == spot::nothing || in_.message->number(version) == t_.node(of.type).attributes.extent)
      return true;
    reject(errc::wrong_version, version, "the version that the schema names");
    why_.in_member("version");
    return false;
  }
  bool check_keys(const spot& of, dynamic_kind kind) {
    const std::uint64_t count = in_.message->size(of);
    const std::uint32_t key_type = t_.part_type(of.type, 0);
    const bool is_ordered = !t_.of[key_type].is_masked;
    const bool by_bytes = is_ordered && is_unordered(kind) && !has_bytes_of_its_own(in_.in->types[key_type]);
    spot before;
    for (std::uint64_t i = 0; i < count && by_.step_should_continue(); ++i) {
      const spot key = in_.message->key(of, i);
      if (!is_normal_key(key)) {
        reject(errc::not_canonical, key, "a key that is neither NaN nor -0");
        return in_key(kind, i);
      }
      int order = -1;
      if (by_bytes) order = follows_by_bytes(key, key_, i == 0);
      else if (i != 0)
        order = is_ordered && is_unordered(kind) ? compare_bytes(in_, before, in_, key)
                                                 : compare_values(in_, before, in_, key);
      if ((order > 0 && is_ordered) || (order == 0 && !keys_repeat(kind))) {
        if (order == 0) reject(errc::duplicate_key, key, "each key once");
        else reject(errc::unsorted_keys, key, "keys in ascending order");
        return in_element(i);
      }
      if (kind == dynamic_kind::hash_multimap && order == 0 && !check_value(of, i)) return false;
      before = key;
    }
    return true;
  }
  /// Compares the bytes in `before` with the bytes of `next`. Then `before` gets the bytes of
  /// `next`.
  [[nodiscard]] int follows_by_bytes(const spot& next, std::vector<std::byte>& before, bool is_first) {
    next_.clear();
    message_bytes(t_, in_, next_).payload(next);
    const auto view = [](const std::vector<std::byte>& bytes) {
      return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const int order = is_first ? -1 : view(before).compare(view(next_));
    before.swap(next_);
    return order;
  }
  /// Checks that the values of equal keys in an unordered multimap are in the order of their bytes.
  /// Values may be equal.
  bool check_value(const spot& of, std::uint64_t i) {
    if (t_.of[t_.part_type(of.type, 1)].is_masked) return true;
    value_.clear();
    message_bytes(t_, in_, value_).payload(in_.message->part(of, i - 1));
    if (follows_by_bytes(in_.message->part(of, i), value_, false) <= 0) return true;
    reject(errc::unsorted_keys, in_.message->part(of, i), "values of one key in ascending order");
    return in_element(i);
  }
  bool in_element(std::uint64_t i) {
    why_.in_element(i);
    return false;
  }
  bool in_key(dynamic_kind kind, std::uint64_t i) {
    if (is_map(kind)) why_.in_member("key");
    why_.in_element(i);
    return false;
  }
  /// Returns true if no number in the key is NaN or -0. Recurses as deep as the validation of the
  /// message.
  [[nodiscard]] bool is_normal_key(const spot& key) const noexcept {
    if (key.type == spot::nothing) return true;
    const type& of = type_at(in_, key);
    if (of.raw != 0 || of.kind == dynamic_kind::text || of.kind == dynamic_kind::bitset) return true;
    const bool is_time = of.kind == dynamic_kind::duration || of.kind == dynamic_kind::time_point;
    if (is_time || of.kind == dynamic_kind::floating) {
      return is_normal_key_float(real_of(in_, number_in(in_, key)));
    }
    if (has_members(key)) {
      for (const std::uint32_t k : in_.message->with_bytes(key)) {
        if (!is_normal_key(in_.message->part(key, k))) return false;
      }
      return true;
    }
    const std::uint64_t count = of.kind == dynamic_kind::complex ? 2 : in_.message->size(key);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (is_map(of.kind) && !is_normal_key(in_.message->key(key, i))) return false;
      if (!is_normal_key(in_.message->part(key, i))) return false;
    }
    return true;
  }

  const message_tables& t_;
  const memory& in_;
  progress_poll& by_;
  std::vector<frame> path_;
  std::vector<std::byte> key_; ///< bytes of the previous key
  std::vector<std::byte> value_;
  std::vector<std::byte> next_;
  error why_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
