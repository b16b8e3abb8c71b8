// SPDX-License-Identifier: Apache-2.0
// Reads an archive from its first byte to its last. Checks that everything is inside the bytes, and
// that each value has its only valid encoding. Callers that need the values receive events. Nothing
// is recursive; work and memory are proportional to the bytes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/archive_format.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/key.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Finds the parts of an archive without reading their contents. O(1). Errors: `not_ingot`,
/// `truncated`, `wrong_version`, `bad_padding`, `bad_length`, `trailing_bytes`.
[[nodiscard]] inline result<archive_parts> find_archive_parts(bytes_view bytes) {
  const std::byte* const start = bytes.data();
  const auto bad = [](errc code, uint32_t at, std::string_view expected) {
    return fail(error{code, at}.with_expected(expected));
  };
  const std::size_t known = std::min(bytes.size(), archive_magic.size());
  if (known != 0 && std::memcmp(start, archive_magic.data(), known) != 0)
    return bad(errc::not_ingot, 0, "the archive of a document");
  if (bytes.size() < archive_head_size + 1) return bad(errc::truncated, 0, "a header");
  if (const auto version = std::to_integer<uint8_t>(start[4]); version != archive_version)
    return fail(error{errc::wrong_version, 4}.with_expected("version 2").with_found(version));
  if (start[5] != std::byte{0}) return bad(errc::bad_padding, 5, "no flags");
  archive_parts parts;
  const auto size = static_cast<uint32_t>(std::min<std::size_t>(bytes.size(), max_archive_bytes));
  uint32_t at = archive_head_size;
  uint32_t length = 0;
  if (!read_length(start, at, size, length)) return bad(errc::bad_length, archive_head_size, "a length");
  if (length > size - at) return bad(errc::truncated, archive_head_size, "as many bytes as the header says");
  parts.end = at + length;
  if (bytes.size() > parts.end) return bad(errc::trailing_bytes, parts.end, "no bytes after the archive");
  // A table consists of the number of entries, their size in bytes, and the entries. Each entry
  // takes at least one byte.
  const auto table = [&](uint32_t& count, uint32_t& begin) {
    const bool good = read_length(start, at, parts.end, count) && read_length(start, at, parts.end, length) &&
                      length <= parts.end - at && count <= length && (count == 0) == (length == 0);
    begin = at;
    if (good) at += length;
    return good;
  };
  if (!table(parts.keys, parts.keys_at)) return bad(errc::bad_length, at, "a table of keys");
  parts.keys_end = at;
  if (!table(parts.shapes, parts.shapes_at) || (parts.shapes == 0) != (parts.keys == 0))
    return bad(errc::bad_length, at, "a table of shapes");
  parts.shapes_end = at;
  return parts;
}

/// A shape: the `count` key numbers that begin at index `first` of `archive_tables::ids_`.
struct archive_shape {
  uint32_t first;
  uint32_t count;
  uint32_t uses; ///< number of objects with this shape; out of date if `turn` is not `turn_`
  uint32_t turn; ///< value of `archive_tables::turn_` when `uses` was set
};

/// The validated keys and shapes of an archive.
class archive_tables {
public:
  [[nodiscard]] bool read(const std::byte* start, const archive_parts& parts, pending_error& err) noexcept {
    progress_poll no_callback;
    return read(start, parts, err, no_callback);
  }
  /// Reads the tables and polls. If the poll cancels, `err` has no error.
  [[nodiscard]] bool read(const std::byte* start, const archive_parts& parts, pending_error& err,
                          progress_poll& each) noexcept {
    return read_keys(start, parts, err, each) && read_shapes(start, parts, err, each);
  }
  [[nodiscard]] uint32_t key_count() const noexcept { return static_cast<uint32_t>(keys_.size()); }
  [[nodiscard]] const document_key& key(uint32_t i) noexcept { return keys_[i]; }
  [[nodiscard]] uint32_t shape_count() const noexcept { return static_cast<uint32_t>(shapes_.size()); }
  [[nodiscard]] const archive_shape& shape(uint32_t i) noexcept { return shapes_[i]; }
  /// Begins to count the objects of each shape again. O(1): the old counts need not be cleared,
  /// because their `turn` differs from `turn_`.
  void begin_uses() noexcept { ++turn_; }
  INGOT_INLINE void add_use(uint32_t shape) noexcept {
    archive_shape& used = shapes_[shape];
    used.uses = used.turn == turn_ ? used.uses + 1 : 1;
    used.turn = turn_;
  }
  [[nodiscard]] uint32_t uses(const archive_shape& of) const noexcept {
    return of.turn == turn_ ? of.uses : 0;
  }
  /// Returns the number of the key of a member.
  [[nodiscard]] uint32_t id(const archive_shape& of, uint32_t member) noexcept {
    return ids_[of.first + member];
  }

private:
  static bool reject(pending_error& err, errc code, uint32_t at, std::string_view expected) noexcept {
    err = error{code, at}.with_expected(expected);
    return false;
  }
  [[nodiscard]] bool read_keys(const std::byte* start, const archive_parts& parts, pending_error& err,
                               progress_poll& each) noexcept {
    uint32_t at = parts.keys_at;
    for (uint32_t i = 0; i < parts.keys; ++i) {
      const uint32_t begin = at;
      if (!each.should_continue(begin)) return false;
      uint32_t length = 0;
      if (!read_length(start, at, parts.keys_end, length) || length > parts.keys_end - at)
        return reject(err, errc::bad_length, begin, "a key");
      const document_key key(std::string_view(reinterpret_cast<const char*>(start + at), length));
      if (i != 0) {
        const document_key& before = keys_[i - 1];
        if (before.hash() > key.hash() || (before.hash() == key.hash() && before.text() >= key.text()))
          return reject(err, errc::unsorted_keys, begin, "keys that ascend by (hash, bytes)");
      }
      if (!keys_.push(key)) return reject(err, errc::no_memory, begin, "memory for the keys");
      at += length;
    }
    return at == parts.keys_end || reject(err, errc::bad_length, at, "the end of the keys");
  }
  [[nodiscard]] bool read_shapes(const std::byte* start, const archive_parts& parts, pending_error& err,
                                 progress_poll& each) noexcept {
    plain_list<bool> used;
    for (uint32_t i = 0; i < parts.keys; ++i) {
      if (!used.push(false)) return reject(err, errc::no_memory, parts.shapes_at, "memory for the keys");
    }
    uint32_t at = parts.shapes_at;
    uint32_t unused = parts.keys;
    for (uint32_t i = 0; i < parts.shapes; ++i) {
      const uint32_t begin = at;
      if (!each.should_continue(begin)) return false;
      const archive_shape new_shape{static_cast<uint32_t>(ids_.size()), 0, 0, 0};
      if (!shapes_.push(new_shape)) return reject(err, errc::no_memory, begin, "memory for the shapes");
      switch (read_archive_shape(start, at, parts, shapes_[i].count, ids_)) {
      case shape_outcome::read: break;
      case shape_outcome::no_memory: return reject(err, errc::no_memory, begin, "memory for the shapes");
      case shape_outcome::unused:
        return reject(err, errc::not_canonical, begin, "only shapes that objects use");
      case shape_outcome::bad: return reject(err, errc::bad_length, begin, "a shape");
      }
      // At least one object uses each shape. So all shapes together have at most as many members as
      // there are bytes after the tables.
      if (ids_.size() > parts.end - parts.shapes_end)
        return reject(err, errc::not_canonical, begin, "only shapes that objects use");
      for (uint32_t k = new_shape.first; k < ids_.size(); ++k) {
        unused -= used[ids_[k]] ? 0 : 1;
        used[ids_[k]] = true;
      }
      if (i != 0 && !ascend(shapes_[i - 1], shapes_[i]))
        return reject(err, errc::not_canonical, begin, "shapes that ascend by (number, keys)");
    }
    if (at != parts.shapes_end) return reject(err, errc::bad_length, at, "the end of the shapes");
    return unused == 0 || reject(err, errc::not_canonical, at, "only keys that shapes use");
  }
  [[nodiscard]] bool ascend(const archive_shape& a, const archive_shape& b) noexcept {
    if (a.count != b.count) return a.count < b.count;
    for (uint32_t i = 0; i < a.count; ++i) {
      if (id(a, i) != id(b, i)) return id(a, i) < id(b, i);
    }
    return false;
  }

  plain_list<document_key> keys_;
  plain_list<archive_shape> shapes_;
  plain_list<uint32_t> ids_;
  uint32_t turn_ = 0;
};

/// True if no function of `Events` throws. A walk is then noexcept.
template <class Events>
inline constexpr bool events_nothrow = noexcept(std::declval<Events&>().end());

/// Walks over one value and all values in it, and passes them to `Events`: `scalar(value)`,
/// `begin_array()`, `begin_object(shape)`, `key(number)`, `end()`. Each of these functions returns
/// false to stop the walk. If the poll cancels, `err` gets no error.
template <class Events>
class archive_walk {
public:
  archive_walk(const std::byte* start, archive_tables& tables, Events& events, pending_error& err,
               progress_poll& each) noexcept
      : start_(start), tables_(tables), events_(events), why_(err), poll_(each) {}

  /// Reads one value, which must end at or before `end`. Sets `at` to the end of the value.
  [[nodiscard]] bool read(uint32_t& at, uint32_t end) noexcept(events_nothrow<Events>) {
    if (!value(at, end)) return false;
    while (!open_.empty()) {
      if (!poll_.should_continue(at)) return false;
      const std::size_t depth = open_.size();
      frame& inner = open_[depth - 1];
      if (at == inner.end) {
        if (!close(inner, at)) return false;
        open_.truncate(depth - 1);
        continue;
      }
      // Reads elements until the container ends, an inner container begins, or the next report is
      // due.
      const uint64_t due = at + poll_.bytes_until_poll(at);
      const uint32_t stop = due < inner.end ? static_cast<uint32_t>(due) : inner.end;
      do {
        if (inner.shape != npos) {
          const archive_shape& shape = tables_.shape(inner.shape);
          if (inner.index == shape.count)
            return reject(errc::bad_length, at, "no more members than the shape has");
          if (!events_.key(tables_.id(shape, inner.index))) return false;
        }
        ++inner.index;
        if (!value(at, inner.end)) return false;
      } while (at < stop && open_.size() == depth);
    }
    return true;
  }

private:
  struct frame {
    uint32_t begin;
    uint32_t end;
    uint32_t shape; ///< npos for an array
    uint32_t index; ///< index of the next element
    uint32_t width; ///< size of the widest integer so far; 0 after an element that is no integer
  };

  INGOT_COLD bool reject(errc code, uint32_t at, std::string_view expected) noexcept {
    error err = error{code, at}.with_expected(expected);
    for (std::size_t i = open_.size(); i-- != 0;) {
      const frame& each = open_[i];
      if (each.index == 0) continue;
      if (each.shape == npos) err.in_element(each.index - 1);
      else err.in_member(tables_.key(tables_.id(tables_.shape(each.shape), each.index - 1)).text());
    }
    why_ = err;
    return false;
  }
  [[nodiscard]] bool value(uint32_t& at, uint32_t end) noexcept(events_nothrow<Events>) {
    archive_head head;
    if (!read_archive_head(start_, at, end, head)) return reject_value(at, end);
    if (!open_.empty() && open_[open_.size() - 1].shape == npos) {
      frame& array = open_[open_.size() - 1];
      if (head.kind != value_kind::integer) array.width = 0;
      else if (array.width != 0)
        array.width = std::max(array.width, bytes_of_signed(static_cast<std::int64_t>(head.number)));
    }
    if (head.is_packed) return packed(at, head);
    const bool has_elements = head.length() != 0;
    if (head.kind == value_kind::array) {
      if (!has_elements) return at = head.next, events_.begin_array() && events_.end();
      at = head.body;
      return open({head.body, head.next, npos, 0, 1}) && events_.begin_array();
    }
    if (head.kind == value_kind::object) {
      if (!has_elements) return at = head.next, events_.begin_object(npos) && events_.end();
      if (head.shape >= tables_.shape_count())
        return reject(errc::out_of_range, at, "a shape of the archive");
      at = head.body;
      return open({head.body, head.next, head.shape, 0, 0}) && events_.begin_object(head.shape);
    }
    at = head.next;
    return events_.scalar(head.as_item(start_));
  }
  INGOT_COLD bool reject_value(uint32_t at, uint32_t end) noexcept {
    if (at >= end) return reject(errc::truncated, at, "a value");
    const bool lies_in = skip_archived(start_, at, end) != 0;
    return lies_in ? reject(errc::not_canonical, at, "a value in its shortest form")
                   : reject(errc::bad_length, at, "a value within its container");
  }
  [[nodiscard]] bool open(const frame& container) noexcept {
    return open_.push(container) || reject(errc::no_memory, container.begin, "memory for open containers");
  }
  [[nodiscard]] bool close(const frame& inner, uint32_t at) noexcept(events_nothrow<Events>) {
    if (inner.shape != npos && inner.index != tables_.shape(inner.shape).count)
      return reject(errc::bad_length, at, "as many members as the shape has");
    if (inner.shape == npos && inner.width != 0 &&
        uint64_t{inner.width} * inner.index <= inner.end - inner.begin)
      return reject(errc::not_canonical, inner.begin, "a packed array");
    return events_.end();
  }
  [[nodiscard]] bool packed(uint32_t& at, const archive_head& head) noexcept(events_nothrow<Events>) {
    if (!events_.begin_array()) return false;
    uint32_t width = 1;
    uint64_t one_by_one = 0;
    for (uint32_t i = head.body, due = i; i != head.next; i += head.width) {
      if (i == due) [[unlikely]] {
        if (!poll_.should_continue(i)) return false;
        const uint64_t elements = poll_.bytes_until_poll(i) / head.width + 1;
        due = elements < (head.next - i) / head.width ? i + static_cast<uint32_t>(elements) * head.width
                                                      : head.next;
      }
      const std::int64_t n = load_signed(start_ + i, head.width);
      width = std::max(width, bytes_of_signed(n));
      one_by_one += bytes_of_integer(n);
      if (!events_.scalar(item::of(n))) return false;
    }
    if (width != head.width || head.length() > one_by_one)
      return reject(errc::not_canonical, at, "an array in its shortest form");
    at = head.next;
    return events_.end();
  }

  const std::byte* start_;
  archive_tables& tables_;
  Events& events_;
  pending_error& why_;
  plain_list<frame> open_;
  progress_poll& poll_;
};

/// Receives the events of a walk that only validates. Counts the objects of each shape.
struct shape_uses {
  explicit shape_uses(archive_tables& in) noexcept : tables(in) { tables.begin_uses(); }
  archive_tables& tables;
  static constexpr bool scalar(const item&) noexcept { return true; }
  static constexpr bool begin_array() noexcept { return true; }
  bool begin_object(uint32_t shape) noexcept {
    if (shape != npos) tables.add_use(shape);
    return true;
  }
  static constexpr bool key(uint32_t) noexcept { return true; }
  static constexpr bool end() noexcept { return true; }
};

/// Validates a whole archive: its tables and all its values. The tables are then in `tables`. If
/// cancelled, `each.stopped()` is true, and `err` has no error.
[[nodiscard]] inline bool validate_archive_bytes(const std::byte* start, const archive_parts& parts,
                                                 archive_tables& tables, pending_error& err,
                                                 progress_poll& each) noexcept {
  if (!tables.read(start, parts, err, each)) return false;
  shape_uses counted(tables);
  uint32_t at = parts.shapes_end;
  archive_walk walk(start, tables, counted, err, each);
  if (!walk.read(at, parts.end)) return false;
  if (at != parts.end) {
    err = error{errc::trailing_bytes, at}.with_expected("no bytes after the root");
    return false;
  }
  for (uint32_t i = 0; i < tables.shape_count(); ++i) {
    if (tables.uses(tables.shape(i)) != 0) continue;
    err = error{errc::not_canonical, parts.shapes_at}.with_expected("only shapes that objects use");
    return false;
  }
  return true;
}
[[nodiscard]] inline bool validate_archive_bytes(const std::byte* start, const archive_parts& parts,
                                                 archive_tables& tables, pending_error& err) noexcept {
  progress_poll no_callback;
  return validate_archive_bytes(start, parts, tables, err, no_callback);
}

}}} // namespace ingot::INGOT_V1::detail::doc
