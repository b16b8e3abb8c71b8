// SPDX-License-Identifier: Apache-2.0
// Writes an archive. The tag and the length of a container precede its elements, but are known only
// after the elements are written. So each byte is written once, from the last byte to the first.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/archive_bytes.hpp>
#include <ingot/document/detail/archive_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class archive_writer {
public:
  explicit archive_writer(validated in) noexcept : in_(in), plan_(in) {}

  /// Writes the archive of a value. Requires that the value exists. Returns false if there is no
  /// memory, or if the archive would be too large.
  [[nodiscard]] bool write(const item& root) noexcept {
    progress_tracker no_callback;
    return write(root, no_callback);
  }
  /// Writes the archive in two passes: the first collects the keys and reports no bytes; the second
  /// writes, and reports the bytes written. Returns false also if `tracker` cancels.
  [[nodiscard]] bool write(const item& root, progress_tracker& tracker) noexcept {
    progress_poll planning(&tracker, progress_ref::unknown);
    if (!plan_.take(root, planning)) return false;
    tracker.begin_pass(progress_ref::unknown);
    progress_poll writing(&tracker, progress_ref::unknown);
    return write_tree(root, writing) && write_shapes() && write_keys(writing) && write_head();
  }
  [[nodiscard]] bytes_view bytes() const noexcept { return out_.bytes(); }
  [[nodiscard]] error failure() const {
    if (out_.too_large()) return error{errc::too_large}.with_expected("an archive of less than 2 GiB");
    return error{errc::no_memory}.with_expected("memory for the archive");
  }

private:
  /// A container whose elements are being written, from the last element to the first.
  struct frame {
    uint32_t position;
    uint32_t left;  ///< number of elements to write
    uint32_t end;   ///< number of bytes written before the container
    uint32_t shape; ///< for an object: number of its shape
  };
  static constexpr std::size_t max_head_size = archive_bytes::max_head_size;

  [[nodiscard]] bool write_tree(const item& root, progress_poll& each) noexcept {
    if (!write_value(root)) return false;
    while (!open_.empty()) {
      frame& inner = open_[open_.size() - 1];
      node n;
      if (!find_node(in_, inner.position, n)) return false;
      const std::size_t depth = open_.size();
      // number of elements until the next poll
      const auto run = static_cast<uint32_t>(each.run_end(0, inner.left, 1024));
      const uint32_t stop = inner.left - run;
      while (inner.left != stop && open_.size() == depth) {
        // Decrements `left` before the call, because the call may add frames. `inner` is then
        // invalid.
        const uint32_t i = --inner.left;
        if (!write_value(n.value(i))) return false;
        if (open_.size() != depth) break;
      }
      if (!each.should_continue(out_.size())) return false;
      if (open_.size() == depth && inner.left == 0 && !close()) return false;
    }
    return true;
  }
  [[nodiscard]] bool close() noexcept {
    const frame done = open_.pop();
    if (!out_.reserve(max_head_size)) return false;
    out_.length(static_cast<uint32_t>(out_.size()) - done.end);
    if (done.shape == npos) {
      out_.byte(archive_tag::array);
    } else if (done.shape < archive_small_shapes) {
      out_.byte(archive_tag::shaped + done.shape);
    } else {
      out_.length(done.shape);
      out_.byte(archive_tag::object);
    }
    return true;
  }

  /// Writes a value. If the elements of a container are written later, only pushes a frame.
  [[nodiscard]] bool write_value(const item& value) noexcept {
    if (value.kind == value_kind::array || value.kind == value_kind::object) return write_container(value);
    return out_.scalar(value.is == item::form::blob ? as_text(value) : value);
  }
  [[nodiscard]] item as_text(const item& blob) const noexcept {
    const std::string_view text = text_of(in_, blob);
    return item::text(blob.kind, text.data(), static_cast<uint32_t>(text.size()));
  }
  [[nodiscard]] bool write_container(const item& value) noexcept {
    container found;
    if (!find_container(in_, value, found) || !out_.reserve(max_head_size)) return false;
    const uint32_t count = found.count();
    if (value.kind == value_kind::object) {
      if (count == 0) return out_.byte(archive_tag::empty_object), true;
      const uint32_t shape = plan_.shape_of_visit(visit_++);
      return open_.push({found.n.position, count, static_cast<uint32_t>(out_.size()), shape});
    }
    if (count == 0) return out_.byte(archive_tag::empty_array), true;
    if (const uint32_t width = packed_width(found); width != 0) return write_packed(found, width);
    if (found.has_node)
      return open_.push({found.n.position, count, static_cast<uint32_t>(out_.size()), npos});
    const auto end = static_cast<uint32_t>(out_.size());
    if (!out_.reserve(std::size_t{9} * count + max_head_size)) return false;
    for (uint32_t i = count; i-- != 0;) out_.integer(element(found, i).integer());
    out_.length(static_cast<uint32_t>(out_.size()) - end);
    out_.byte(archive_tag::array);
    return true;
  }
  [[nodiscard]] INGOT_INLINE static item element(const container& of, uint32_t i) noexcept {
    if (of.has_node) return of.n.value(i);
    return item::of(load_packed(of.value.bytes + (std::size_t{i} << of.value.shift), of.value.shift));
  }
  /// Returns the size of each integer in the packed form of an array. Returns 0 if the array has
  /// other values, or if its integers take fewer bytes when each has its own tag.
  [[nodiscard]] static uint32_t packed_width(const container& array) noexcept {
    uint32_t width = 1;
    uint64_t one_by_one = 0;
    for (uint32_t i = 0; i < array.count(); ++i) {
      const item each = element(array, i);
      if (each.kind != value_kind::integer) return 0;
      width = std::max(width, bytes_of_signed(each.integer()));
      one_by_one += bytes_of_integer(each.integer());
    }
    return uint64_t{width} * array.count() <= one_by_one ? width : 0;
  }
  [[nodiscard]] bool write_packed(const container& array, uint32_t width) noexcept {
    const uint32_t count = array.count();
    if (!out_.reserve(std::size_t{width} * count + max_head_size)) return false;
    for (uint32_t i = count; i-- != 0;) out_.number(element(array, i).number, width);
    out_.length(count);
    out_.byte(archive_tag::packed + width - 1);
    return true;
  }

  [[nodiscard]] bool write_shapes() noexcept {
    const auto end = static_cast<uint32_t>(out_.size());
    const uint32_t keys = plan_.key_count();
    for (uint32_t i = plan_.shape_count(); i-- != 0;) {
      const auto& shape = plan_.shape_at(i);
      const uint32_t* const ids = plan_.ids(shape);
      if (!out_.reserve(std::size_t{5} * shape.count + max_head_size)) return false;
      switch (form_of_shape(shape.count, keys)) {
      case shape_form::all: break;
      case shape_form::bits: {
        uint32_t left = shape.count;
        for (uint32_t first = (keys - 1) / 8 * 8;; first -= 8) {
          uint32_t bits = 0;
          for (; left != 0 && ids[left - 1] >= first; --left) bits |= 1U << (ids[left - 1] - first);
          out_.byte(bits);
          if (first == 0) break;
        }
        break;
      }
      case shape_form::gaps:
        for (uint32_t k = shape.count; k-- != 0;) out_.length(k == 0 ? ids[0] : ids[k] - ids[k - 1] - 1);
        break;
      }
      out_.length(shape.count);
    }
    if (!out_.reserve(max_head_size)) return false;
    out_.length(static_cast<uint32_t>(out_.size()) - end);
    out_.length(plan_.shape_count());
    return true;
  }
  [[nodiscard]] bool write_keys(progress_poll& each) noexcept {
    const auto end = static_cast<uint32_t>(out_.size());
    for (uint32_t i = plan_.key_count(); i-- != 0;) {
      const std::string_view key = plan_.key(i);
      if (!each.should_continue(out_.size()) || !out_.reserve(key.size() + max_head_size)) return false;
      out_.copy(key.data(), key.size());
      out_.length(static_cast<uint32_t>(key.size()));
    }
    if (!out_.reserve(max_head_size)) return false;
    out_.length(static_cast<uint32_t>(out_.size()) - end);
    out_.length(plan_.key_count());
    return true;
  }
  [[nodiscard]] bool write_head() noexcept {
    if (!out_.reserve_header()) return false;
    out_.length(static_cast<uint32_t>(out_.size()));
    out_.byte(0); // flags
    out_.byte(archive_version);
    out_.copy(archive_magic.data(), archive_magic.size());
    return true;
  }

  validated in_;
  archive_plan plan_;
  archive_bytes out_;
  plain_list<frame> open_;
  uint32_t visit_ = 0; ///< number of objects visited so far
};

}}} // namespace ingot::INGOT_V1::detail::doc
