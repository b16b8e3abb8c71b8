// SPDX-License-Identifier: Apache-2.0
// Overwrites one value of an archive. An edit finds the path to the value, copies the bytes around
// the value, and updates the lengths of the containers on the path. The other values are not
// decoded.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/archive_bytes.hpp>
#include <ingot/document/detail/archive_index.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

enum class edit_outcome : uint8_t { done, bad_path, wrong_kind, too_large, no_memory };

class archive_edit {
public:
  explicit archive_edit(archive_index& in) noexcept : in_(in) {}

  /// Prepares to replace the value at `target` by `value`. If `target` is in a packed array,
  /// `width` is the size of its integers, otherwise 0. Returns `wrong_kind` if the old value has
  /// elements. Requires that `value` has no elements.
  [[nodiscard]] edit_outcome prepare(uint32_t target, uint8_t width, const item& value) noexcept {
    if (const edit_outcome o = find_path(target, width); o != edit_outcome::done) return o;
    archive_head head;
    if (width == 0) {
      if (!read_archive_head(in_.start(), target, end_, head)) return edit_outcome::bad_path;
      if ((head.kind == value_kind::array || head.kind == value_kind::object) && head.length() != 0)
        return edit_outcome::wrong_kind;
    }
    const bool in_array = !path_.empty() && path_[path_.size() - 1].head.kind == value_kind::array;
    if (in_array && (width != 0 || (value.kind == value_kind::integer && others_are_integers(target)))) {
      if (!write_array(target, value)) return failure_of_value();
    } else {
      from_ = target;
      to_ = head.next;
      if (!encoded_.scalar(value)) return failure_of_value();
    }
    return find_lengths();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Writes the new archive, which has `size()` bytes.
  void write(std::byte* to) noexcept {
    uint32_t read = 0;
    const auto copy = [&](uint32_t until) {
      std::memcpy(to, in_.start() + read, until - read);
      to += until - read;
      read = until;
    };
    for (std::size_t i = lengths_.size(); i-- != 0;) {
      const length_on_path& each = lengths_[i];
      copy(each.at);
      uint32_t n = each.length;
      for (; n >= 0x80; n >>= 7) *to++ = static_cast<std::byte>((n & 0x7F) | 0x80);
      *to++ = static_cast<std::byte>(n);
      read += each.bytes;
    }
    copy(from_);
    std::memcpy(to, encoded_.bytes().data(), encoded_.size());
    to += encoded_.size();
    read = to_;
    copy(in_.parts().end);
  }

private:
  struct level {
    uint32_t at;
    archive_head head;
  };
  struct length_on_path {
    uint32_t at;
    uint32_t bytes; ///< size of the old length in bytes
    uint32_t length;
  };

  [[nodiscard]] edit_outcome failure_of_value() const noexcept {
    return encoded_.too_large() ? edit_outcome::too_large : edit_outcome::no_memory;
  }
  /// Finds the containers around the value, from the outermost inwards.
  [[nodiscard]] edit_outcome find_path(uint32_t target, uint8_t width) noexcept {
    uint32_t at = in_.parts().shapes_end;
    end_ = in_.parts().end;
    while (at != target) {
      level next{at, {}};
      if (!read_archive_head(in_.start(), at, end_, next.head) || target < next.head.body ||
          target >= next.head.next)
        return edit_outcome::bad_path;
      if (!path_.push(next)) return edit_outcome::no_memory;
      end_ = next.head.next;
      if (next.head.is_packed)
        return next.head.width == width && (target - next.head.body) % width == 0 ? edit_outcome::done
                                                                                  : edit_outcome::bad_path;
      at = in_.element_before(at, next.head, target).at;
      if (at == 0) return edit_outcome::bad_path;
    }
    return width == 0 ? edit_outcome::done : edit_outcome::bad_path;
  }
  [[nodiscard]] bool others_are_integers(uint32_t target) noexcept {
    const archive_head& array = path_[path_.size() - 1].head;
    for (uint32_t at = array.body; at < array.next;) {
      archive_head head;
      if (!read_archive_head(in_.start(), at, array.next, head)) return false;
      if (at != target && head.kind != value_kind::integer) return false;
      at = head.next;
    }
    return true;
  }
  /// Writes an array of integers in which one integer is replaced by `value`. The new array may be
  /// packed although the old one is not, or the reverse. Returns false if there is no memory.
  [[nodiscard]] bool write_array(uint32_t target, const item& value) noexcept {
    const level array = path_.pop();
    const uint32_t width = array.head.width;
    plain_list<uint32_t> positions; // packed integers need no list of positions
    for (uint32_t at = array.head.body; width == 0 && at < array.head.next;) {
      archive_head head;
      if (!read_archive_head(in_.start(), at, array.head.next, head))
        break; // can't happen, since the array was read before
      if (!positions.push(at)) return false;
      at = head.next;
    }
    const uint32_t count = width == 0 ? static_cast<uint32_t>(positions.size()) : array.head.length() / width;
    const auto element = [&](uint32_t i) {
      const uint32_t at = width == 0 ? positions[i] : array.head.body + i * width;
      if (at == target) return value;
      if (width != 0) return item::of(load_signed(in_.start() + at, width));
      archive_head head;
      static_cast<void>(read_archive_head(in_.start(), at, array.head.next, head));
      return head.as_item(in_.start());
    };
    uint32_t packed = 1;
    uint64_t one_by_one = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const item each = element(i);
      if (each.kind != value_kind::integer) packed = 0;
      if (packed != 0) packed = std::max(packed, bytes_of_signed(each.integer()));
      one_by_one += bytes_of_integer(each.integer());
    }
    from_ = array.at;
    to_ = array.head.next;
    if (packed != 0 && uint64_t{packed} * count <= one_by_one) {
      if (!encoded_.reserve(std::size_t{packed} * count + archive_bytes::max_head_size)) return false;
      for (uint32_t i = count; i-- != 0;) encoded_.number(element(i).number, packed);
      encoded_.length(count);
      encoded_.byte(archive_tag::packed + packed - 1);
      return true;
    }
    // Reserves the bytes for integers only. `scalar` reserves further bytes for the new value if
    // necessary.
    if (!encoded_.reserve(static_cast<std::size_t>(std::min<uint64_t>(one_by_one, max_archive_bytes))))
      return false;
    for (uint32_t i = count; i-- != 0;) {
      if (!encoded_.scalar(element(i))) return false;
    }
    if (!encoded_.reserve(archive_bytes::max_head_size)) return false;
    encoded_.length(static_cast<uint32_t>(encoded_.size()));
    encoded_.byte(archive_tag::array);
    return true;
  }
  /// Computes the new length of each container around the value, from the innermost outwards, and
  /// then the length in the header.
  [[nodiscard]] edit_outcome find_lengths() noexcept {
    std::int64_t longer = static_cast<std::int64_t>(encoded_.size()) - (to_ - from_);
    const auto add = [&](uint32_t at, uint32_t body, uint32_t length) {
      const std::int64_t now = length + longer;
      // Leaves 11 bytes, the maximum for the header, because the header is a part of the archive.
      if (now > max_archive_bytes - 11) return edit_outcome::too_large;
      const length_on_path changed{at, body - at, static_cast<uint32_t>(now)};
      longer += std::int64_t{bytes_of_length(changed.length)} - changed.bytes;
      return lengths_.push(changed) ? edit_outcome::done : edit_outcome::no_memory;
    };
    for (std::size_t i = path_.size(); i-- != 0;) {
      const level& each = path_[i];
      uint32_t at = each.at + 1;
      uint32_t shape = 0;
      if (std::to_integer<uint8_t>(in_.start()[each.at]) == archive_tag::object &&
          !read_length(in_.start(), at, each.head.body, shape))
        return edit_outcome::bad_path;
      if (const edit_outcome o = add(at, each.head.body, each.head.length()); o != edit_outcome::done)
        return o;
    }
    uint32_t body = archive_head_size;
    uint32_t length = 0;
    if (!read_length(in_.start(), body, in_.parts().end, length)) return edit_outcome::bad_path;
    if (const edit_outcome o = add(archive_head_size, body, length); o != edit_outcome::done) return o;
    size_ = static_cast<std::size_t>(in_.parts().end + longer);
    return edit_outcome::done;
  }

  archive_index& in_;
  plain_list<level> path_;
  plain_list<length_on_path> lengths_;
  archive_bytes encoded_;
  uint32_t end_ = 0;  ///< end of the container that holds the value
  uint32_t from_ = 0; ///< start of the bytes to replace
  uint32_t to_ = 0;
  std::size_t size_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::doc
