// SPDX-License-Identifier: Apache-2.0
// Index of an archive that is read in place: positions of keys, shapes and elements of containers.
// The index is stored outside of the bytes, and each part of the index is created at its first use.
// The bytes need not be validated, because everything that is not within the bytes counts as
// absent.
//
// The index takes memory only for the parts of the archive that were read: at most about 50 bytes
// for each of their bytes. If there is no memory for keys or shapes, members of objects read as
// absent, and the next call tries again. If there is no memory for elements, each call searches the
// bytes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/document/detail/archive_format.hpp>
#include <ingot/document/detail/archive_read.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/position_map.hpp>
#include <ingot/document/key.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class archive_index {
public:
  archive_index(const std::byte* start, const archive_parts& parts) noexcept : start_(start), parts_(parts) {}

  [[nodiscard]] const std::byte* start() const noexcept { return start_; }
  [[nodiscard]] const archive_parts& parts() const noexcept { return parts_; }

  /// Returns the number of a key; npos if there is none. Finds a recently found key at once.
  /// Otherwise makes a binary search, which hashes each key of the archive at most once.
  [[nodiscard]] uint32_t find_key(const document_key& key) noexcept {
    uint32_t& guess = lately_[(key.hash() / (length_mask + 1)) % lately_.size()];
    if (guess != npos && key_text(guess) == key.text()) return guess;
    if (!keys_known_) find_keys();
    uint32_t from = 0;
    uint32_t to = key_count();
    while (from < to) {
      const uint32_t middle = from + (to - from) / 2;
      const uint16_t hash = hash_of_key(middle);
      if (hash < key.hash() || (hash == key.hash() && key_text(middle) < key.text())) from = middle + 1;
      else to = middle;
    }
    if (from == key_count() || key_text(from) != key.text()) return npos;
    return guess = from;
  }
  [[nodiscard]] std::string_view key_text(uint32_t number) noexcept {
    if (!keys_known_) find_keys();
    if (number >= key_count()) return {};
    uint32_t at = keys_[number].at;
    uint32_t length = 0;
    static_cast<void>(read_length(start_, at, parts_.keys_end, length)); // `find_keys` has read it
    return {reinterpret_cast<const char*>(start_ + at), length};
  }

  /// Returns the keys and shapes of the archive. The first call validates them. If they are
  /// rejected, or if there is no memory, returns null and sets `err`.
  [[nodiscard]] archive_tables* tables(pending_error& err) noexcept {
    if (has_refusal_) return err = *refusal_, nullptr;
    if (tables_) return tables_.get();
    tables_.reset(new (std::nothrow) archive_tables);
    if (!tables_) {
      err = error{errc::no_memory, parts_.keys_at}.with_expected("memory for the keys");
    } else if (!tables_->read(start_, parts_, err)) {
      tables_.reset();
      has_refusal_ = err->code() != errc::no_memory;
      if (has_refusal_) refusal_ = *err;
    }
    return tables_.get();
  }

  /// Returns the number of members of a shape; 0 if there is no such shape.
  [[nodiscard]] uint32_t shape_size(uint32_t shape) noexcept {
    uint32_t at = shape_at(shape);
    uint32_t count = 0;
    const bool good = at != 0 && read_length(start_, at, parts_.shapes_end, count) && count <= parts_.keys;
    return good ? count : 0;
  }
  /// Returns the index of the member that has the key in objects of a shape; npos if there is none.
  [[nodiscard]] uint32_t member_of_key(uint32_t shape, uint32_t key) noexcept {
    uint32_t at = shape_at(shape);
    uint32_t count = 0;
    if (at == 0 || key >= parts_.keys || !read_length(start_, at, parts_.shapes_end, count)) return npos;
    const shape_form form = form_of_shape(count, parts_.keys);
    if (form == shape_form::all) return key;
    // Counting bits is faster than making a list if there are few bits.
    if (form == shape_form::bits && parts_.keys <= 4096) {
      if ((parts_.keys + 7) / 8 > parts_.shapes_end - at) return npos;
      const uint32_t before = key / 8;
      const uint32_t bit = 1U << key % 8;
      const auto last = std::to_integer<uint32_t>(start_[at + before]);
      if ((last & bit) == 0) return npos;
      uint32_t member = static_cast<uint32_t>(std::popcount(last & (bit - 1)));
      uint32_t i = 0;
      for (; before - i >= 8; i += 8)
        member += static_cast<uint32_t>(std::popcount(load_le<uint64_t>(start_ + at + i)));
      for (; i < before; ++i)
        member += static_cast<uint32_t>(std::popcount(std::to_integer<uint32_t>(start_[at + i])));
      return member;
    }
    const list listed = keys_of_shape(shape);
    const uint32_t* const begin = ids_.begin() + listed.first;
    const uint32_t* const found = std::lower_bound(begin, begin + listed.count, key);
    return found != begin + listed.count && *found == key ? static_cast<uint32_t>(found - begin) : npos;
  }
  /// Returns the number of the key of a member; npos if there is none.
  [[nodiscard]] uint32_t key_of_member(uint32_t shape, uint32_t member) noexcept {
    const uint32_t count = shape_size(shape);
    if (member >= count) return npos;
    if (form_of_shape(count, parts_.keys) == shape_form::all) return member;
    const list listed = keys_of_shape(shape);
    return member < listed.count ? ids_[listed.first + member] : npos;
  }

  /// Returns the number of elements of the container whose head is at `at`.
  [[nodiscard]] uint32_t count(uint32_t at, const archive_head& head) noexcept {
    if (head.is_packed) return head.length() / head.width;
    const uint32_t known = elements_of(at, head);
    if (known != npos) return elements_[known];
    uint32_t n = 0;
    for (uint32_t each = head.body; n < max_element_count(head) && each < head.next; ++n) {
      each = skip_archived(start_, each, head.next);
      if (each == 0) break;
    }
    return n;
  }
  /// Returns the beginning of an element; 0 if there is none. O(1), except for the first call for
  /// each container.
  [[nodiscard]] uint32_t element(uint32_t at, const archive_head& head, uint32_t index) noexcept {
    if (head.is_packed) return index < head.length() / head.width ? head.body + index * head.width : 0;
    const uint32_t known = elements_of(at, head);
    if (known != npos) return index < elements_[known] ? elements_[known + 1 + index] : 0;
    if (index >= max_element_count(head)) return 0;
    uint32_t each = head.body;
    for (; index != 0 && each != 0; --index) each = skip_archived(start_, each, head.next);
    return each < head.next ? each : 0;
  }
  struct found_element {
    uint32_t at = 0; ///< 0 if there is none
    uint32_t index = 0;
  };
  /// Finds the last element that begins at or before `target`.
  [[nodiscard]] found_element element_before(uint32_t at, const archive_head& head,
                                             uint32_t target) noexcept {
    const uint32_t known = elements_of(at, head);
    if (known != npos) {
      const uint32_t* const begin = elements_.begin() + known + 1;
      const uint32_t* const after = std::upper_bound(begin, begin + elements_[known], target);
      if (after == begin) return {};
      return {after[-1], static_cast<uint32_t>(after - begin) - 1};
    }
    found_element last;
    for (uint32_t each = head.body; each != 0 && each <= target && each < head.next;) {
      last = {each, last.at == 0 ? 0 : last.index + 1};
      each = skip_archived(start_, each, head.next);
    }
    return last;
  }

private:
  struct list {
    uint32_t first;
    uint32_t count;
  };
  struct key_position {
    uint32_t at;
    uint16_t hash;
    bool is_hashed; ///< false for most keys, since lookups need only few hashes
  };

  /// Returns the hash of a key. Requires that the key exists.
  [[nodiscard]] uint16_t hash_of_key(uint32_t number) noexcept {
    key_position& key = keys_[number];
    if (!key.is_hashed) {
      key.hash = hash_key(key_text(number));
      key.is_hashed = true;
    }
    return key.hash;
  }

  [[nodiscard]] uint32_t key_count() const noexcept { return static_cast<uint32_t>(keys_.size()); }
  INGOT_NOINLINE void find_keys() noexcept {
    uint32_t at = parts_.keys_at;
    for (uint32_t i = 0; i < parts_.keys; ++i) {
      const uint32_t begin = at;
      uint32_t length = 0;
      if (!read_length(start_, at, parts_.keys_end, length) || length > parts_.keys_end - at) break;
      if (!keys_.push({begin, 0, false})) return keys_.clear();
      at += length;
    }
    keys_known_ = true;
  }
  [[nodiscard]] uint32_t shape_at(uint32_t shape) noexcept {
    if (!shapes_known_) find_shapes();
    return shape < shapes_.size() ? shapes_[shape] : 0;
  }
  INGOT_NOINLINE void find_shapes() noexcept {
    uint32_t at = parts_.shapes_at;
    for (uint32_t i = 0; i < parts_.shapes; ++i) {
      const uint32_t begin = at;
      at = skip_archive_shape(start_, at, parts_);
      if (at == 0) break;
      if (!shapes_.push(begin)) return shapes_.clear();
    }
    shapes_known_ = true;
  }
  /// Returns the list of the numbers of a shape's keys. Makes the list if it is not known. Requires
  /// that the shape does not have all keys of the archive.
  [[nodiscard]] list keys_of_shape(uint32_t shape) noexcept {
    const uint32_t known = listed_.find(shape + 1);
    if (known != 0) return {known, ids_[known - 1]};
    if (ids_.size() >= npos / 2) return {0, 0};
    const auto before = static_cast<uint32_t>(ids_.size());
    uint32_t at = shape_at(shape);
    uint32_t count = 0;
    if (!ids_.push(0)) return {0, 0};
    const shape_outcome read =
        at != 0 ? read_archive_shape(start_, at, parts_, count, ids_) : shape_outcome::bad;
    if (read != shape_outcome::read) {
      ids_.truncate(before + 1); // from now on, the shape counts as a shape without keys
      count = 0;
    }
    ids_[before] = count;
    if (read != shape_outcome::no_memory && listed_.set(shape + 1, before + 1)) return {before + 1, count};
    ids_.truncate(before);
    return {0, 0};
  }

  [[nodiscard]] uint32_t max_element_count(const archive_head& head) noexcept {
    return head.kind == value_kind::object ? shape_size(head.shape) : head.length();
  }
  /// Returns the index in `elements_` at which the list of a container begins. The first entry of
  /// the list is the number of elements. Returns npos if there is no memory.
  [[nodiscard]] uint32_t elements_of(uint32_t at, const archive_head& head) noexcept {
    const uint32_t known = containers_.find(at);
    if (known != 0) return known - 1;
    return find_elements(at, head);
  }
  [[nodiscard]] INGOT_NOINLINE uint32_t find_elements(uint32_t at, const archive_head& head) noexcept {
    const std::size_t before = elements_.size();
    if (before >= npos / 2 || !elements_.push(0)) return npos;
    const uint32_t max_count = max_element_count(head);
    uint32_t n = 0;
    for (uint32_t each = head.body; n < max_count && each < head.next; ++n) {
      const uint32_t next = skip_archived(start_, each, head.next);
      if (next == 0) break;
      if (!elements_.push(each)) {
        elements_.truncate(before);
        return npos;
      }
      each = next;
    }
    elements_[before] = n;
    if (containers_.set(at, static_cast<uint32_t>(before) + 1)) return static_cast<uint32_t>(before);
    elements_.truncate(before);
    return npos;
  }

  const std::byte* start_;
  archive_parts parts_;
  bool keys_known_ = false;
  bool shapes_known_ = false;
  bool has_refusal_ = false; ///< the tables were rejected
  pending_error refusal_;
  std::unique_ptr<archive_tables> tables_;
  plain_list<key_position> keys_;
  plain_list<uint32_t> shapes_; ///< start of each shape
  /// from the number of a shape, plus 1, to the index of its list in `ids_`, plus 1
  position_map listed_;
  plain_list<uint32_t> ids_;
  /// from the position of a container to the index of its list in `elements_`, plus 1
  position_map containers_;
  plain_list<uint32_t> elements_;
  std::array<uint32_t, 64> lately_ = no_recent();

  [[nodiscard]] static constexpr std::array<uint32_t, 64> no_recent() noexcept {
    std::array<uint32_t, 64> none{};
    none.fill(npos);
    return none;
  }
};

}}} // namespace ingot::INGOT_V1::detail::doc
