// SPDX-License-Identifier: Apache-2.0
// Types of a parsed layout description, in tables.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Maximum size of an object in a description, in bytes.
inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 40;
/// Maximum nesting of objects in the bytes of one object. Code that visits these objects may
/// recurse.
inline constexpr unsigned deepest_type = 64;
/// Maximum nesting of the parts of keys. Elements of vectors count as parts.
inline constexpr unsigned deepest_key = 32;
/// Maximum steps of validation for each byte of an object.
inline constexpr std::uint64_t max_steps_per_byte = deepest_type;

/// Rounds up to a multiple of `step`, a power of two.
[[nodiscard]] constexpr std::uint64_t align_up(std::uint64_t n, std::uint64_t step) noexcept {
  return (n + (step - 1)) & ~(step - 1);
}

/// Returns the position of the byte that stores the bits 8 i to 8 i + 7 of a bitset. `word` is the
/// size of the bitset's words in bytes. This function is its own inverse.
[[nodiscard]] constexpr std::uint64_t byte_of_bits(std::uint64_t i, std::uint64_t word) noexcept {
  if constexpr (little_endian) return i;
  else return i / word * word + (word - 1 - i % word);
}

/// A part of a type: a member of a record or pair, an element, an alternative, a key, or a value.
struct part {
  std::uint32_t type = 0;
  std::uint32_t limit = 0;  ///< index in `tables::limits`
  std::uint8_t limits = 0;  ///< bits of `limit_flag`
  std::uint64_t offset = 0; ///< position of a member
  std::string_view name;    ///< name of a member
  /// True for a member if an earlier member has the same name; for an alternative if its tag is its
  /// index.
  bool repeated = false;
};
struct limit {
  bound low;
  bound high;
  std::uint64_t max_size = 0;
};
struct enumerator {
  std::uint64_t value = 0; ///< sign-extended in signed types
  std::string_view name;
};

struct type {
  dynamic_kind kind = dynamic_kind::absent;
  std::uint8_t flags = 0;
  std::uint8_t alignment = 1;
  std::uint8_t raw = 0;       ///< size of a number that can be a key; 0 for other types
  bool raw_signed = false;    ///< true if this number is signed
  bool plain = false;         ///< any bytes are a valid value
  bool is_archive = false;    ///< messages: bytes that are an archive
  bool holds_offsets = false; ///< its own bytes contain anchors of containers
  std::uint8_t depth = 0;     ///< nesting of objects in its own bytes
  /// Index in `tables::parts`; for an enumeration, in `tables::enumerators`.
  std::uint32_t first = 0;
  std::uint32_t parts = 0;
  std::uint32_t model = 0; ///< index in `tables::models`
  std::uint64_t size = 0;
  /// Array: number of elements; bitset: number of bits; duration: numerator of the period in
  /// seconds; record: version; enumeration: the bits of all enumerators, combined by or.
  std::uint64_t extent = 0;
  std::uint64_t divisor = 0; ///< duration: denominator
  /// Range of the anchors of containers in the bytes of the type, from the first byte of the first
  /// anchor to the end of the last anchor. In optionals and arrays, these are the anchors of the
  /// value or the elements.
  std::uint64_t holder_begin = 0;
  std::uint64_t holder_end = 0;
  std::uint32_t holders = 0; ///< record or pair: index in `tables::holders`
  std::uint32_t holder_count = 0;
  std::string_view name;
  std::string_view tag_key; ///< variant: key of the tag in JSON, or empty

  [[nodiscard]] bool has(type_flag flag) const noexcept { return (flags & flag) != 0; }
};

/// The bytes that an optional has in the place of its value when there is no value. Each anchor in
/// these bytes becomes an offset to the sentinel.
struct model {
  const std::byte* bytes = nullptr;
  std::uint32_t first = 0; ///< index in `tables::anchors`; the anchors of a model ascend
  std::uint32_t count = 0;
};

/// A list that is filled without exceptions, and then only read.
template <class T>
using table = doc::plain_list<T>;

struct tables {
  std::unique_ptr<std::byte[]> own; ///< the description, which contains all texts
  bytes_view bytes;                 ///< bytes of the description
  table<type> types;                ///< the first type is the root
  table<part> parts;
  table<std::uint32_t> holders; ///< indices of members with containers, by position
  table<limit> limits;
  table<enumerator> enumerators;
  table<model> models;
  table<std::uint64_t> anchors;
  std::uint64_t layout_id = 0;
  std::uint64_t schema_id = 0;
  unsigned offset = 4;         ///< size of an offset in bytes
  bool lacks_protobuf = false; ///< the type has annotations for protobuf, but the layout has none

  [[nodiscard]] std::span<const part> parts_of(const type& of) const noexcept {
    return {parts.begin() + of.first, of.parts};
  }
  [[nodiscard]] std::span<const enumerator> enumerators_of(const type& of) const noexcept {
    return {enumerators.begin() + of.first, of.parts};
  }
  [[nodiscard]] const type& part_type(const type& of, std::size_t i) const noexcept {
    return types[parts[of.first + i].type];
  }
  [[nodiscard]] std::span<const std::uint32_t> holders_of(const type& of) const noexcept {
    return {holders.begin() + of.holders, of.holder_count};
  }
  /// Returns the enumerator of a value; null if there is none.
  [[nodiscard]] const enumerator* find(const type& of, std::uint64_t value) const noexcept {
    const auto all = enumerators_of(of);
    const std::uint64_t turn = of.has(is_signed) ? std::uint64_t{1} << 63 : 0;
    const auto at =
        std::lower_bound(all.begin(), all.end(), value, [turn](const enumerator& each, std::uint64_t query) {
          return (each.value ^ turn) < (query ^ turn);
        });
    return at != all.end() && at->value == value ? &*at : nullptr;
  }
  /// Returns true if a number is a value of the enumeration.
  [[nodiscard]] bool is_value(const type& of, std::uint64_t number) const noexcept {
    return of.has(is_open) || (of.has(is_flags) && (number & ~of.extent) == 0) || find(of, number) != nullptr;
  }
};

// Layouts of containers, computed from the sizes of their elements; see the containers' own
// headers.

/// Returns the alignment of a struct of two offsets on this machine.
[[nodiscard]] inline std::uint64_t pair_alignment(unsigned offset) noexcept {
  struct narrow_pair {
    std::uint32_t a, b;
  };
  struct wide_pair {
    std::uint64_t a, b;
  };
  return offset == 8 ? alignof(wide_pair) : alignof(narrow_pair);
}

/// Sets `part::repeated` for the parts of a record or variant. `order` has the indices of the
/// parts, sorted by name.
inline void mark_repeated_names(tables& in, const type& of, const std::uint32_t* order) noexcept {
  const bool is_variant = of.kind == dynamic_kind::variant;
  if (is_variant && of.has(has_tags)) return; // the names are unique
  const auto same = [&](std::uint32_t i, std::uint32_t k) {
    return k < of.parts && in.parts[order[i]].name == in.parts[order[k]].name;
  };
  for (std::uint32_t i = 0; i < of.parts; ++i) {
    part& each = in.parts[order[i]];
    each.repeated = i != 0 && same(i, i - 1);
    if (is_variant) each.repeated = each.repeated || same(i, i + 1) || !can_be_tag(each.name);
  }
}

struct variant_shape {
  std::uint64_t head;    ///< position of the object
  std::uint64_t payload; ///< size of the space for the object
  std::uint64_t tag;     ///< position of the index
};
[[nodiscard]] inline variant_shape variant_of(const tables& in, const type& of) noexcept {
  std::uint64_t alignment = 1;
  for (const part& each : in.parts_of(of))
    alignment = std::max<std::uint64_t>(alignment, in.types[each.type].alignment);
  const std::uint64_t anchor = of.holds_offsets ? in.offset : 0;
  const std::uint64_t head = align_up(anchor + 1, alignment);
  return {head, of.size - head, anchor};
}

struct queue_shape {
  std::uint64_t alignment;
  std::uint64_t head;
};
[[nodiscard]] inline queue_shape queue_of(const tables& in, const type& element) noexcept {
  const std::uint64_t alignment = std::max<std::uint64_t>(element.alignment, pair_alignment(in.offset));
  return {alignment, align_up(2 * in.offset, alignment)};
}

struct pool_shape {
  std::uint64_t alignment;
  std::uint64_t head;
  std::uint64_t generation; ///< position of the generation in a slot
  std::uint64_t stride;
};
[[nodiscard]] inline pool_shape pool_of(const type& object) noexcept {
  const std::uint64_t alignment = std::max<std::uint64_t>(object.alignment, 4);
  const std::uint64_t generation = align_up(std::max<std::uint64_t>(object.size, 4), 4);
  return {alignment, align_up(8, alignment), generation, align_up(generation + 4, alignment)};
}

struct flat_shape {
  const type* key;
  const type* value; ///< null in sets
  std::uint64_t slot;
  std::uint64_t alignment;

  [[nodiscard]] std::uint64_t values_at(std::uint64_t count) const noexcept {
    return value == nullptr ? count * key->size : align_up(count * key->size, value->alignment);
  }
  [[nodiscard]] std::uint64_t bytes_for(std::uint64_t count) const noexcept {
    return values_at(count) + (value == nullptr ? 0 : count * value->size);
  }
  [[nodiscard]] std::uint64_t capacity_for(std::uint64_t bytes) const noexcept {
    const std::uint64_t count = bytes / slot;
    return bytes_for(count) <= bytes || count == 0 ? count : count - 1;
  }
};
[[nodiscard]] inline flat_shape flat_of(const tables& in, const type& of) noexcept {
  const type& key = in.part_type(of, 0);
  if (of.kind == dynamic_kind::flat_set) return {&key, nullptr, key.size, key.alignment};
  const type& value = in.part_type(of, 1);
  return {&key, &value, key.size + value.size, std::max(key.alignment, value.alignment)};
}

struct hash_shape {
  const type* key;
  const type* entry; ///< the pair of key and value, or the key
  std::uint64_t value_at;
  std::uint64_t head; ///< size of seed, home count and total displacement

  /// The functions of hash_layout.hpp, but in 64 bits on every machine.
  [[nodiscard]] static std::uint64_t max_entries(std::uint64_t home_count) noexcept {
    return home_count - home_count / 5;
  }
  [[nodiscard]] static std::uint64_t homes_for(std::uint64_t entries) noexcept {
    return entries == 0 ? 0 : entries + (entries - 1) / 4;
  }
  [[nodiscard]] static std::uint64_t max_total_displacement(std::uint64_t home_count) noexcept {
    return 4 * max_entries(home_count) + 64;
  }
  [[nodiscard]] static std::uint64_t slots(std::uint64_t home_count) noexcept {
    return home_count + std::min<std::uint64_t>((home_count + 2) / 4, 12);
  }
  [[nodiscard]] std::uint64_t alignment() const noexcept {
    return std::max<std::uint64_t>(entry->alignment, 8);
  }
  [[nodiscard]] std::uint64_t entries_at(std::uint64_t slots) const noexcept {
    return align_up(head + 2 * slots + 16, entry->alignment);
  }
  [[nodiscard]] std::uint64_t bytes(std::uint64_t home_count) const noexcept {
    return entries_at(slots(home_count)) + slots(home_count) * entry->size;
  }
};
[[nodiscard]] inline hash_shape hash_of(const tables& in, const type& of) noexcept {
  const type& key = in.part_type(of, 0);
  const std::uint64_t head = 8 + 2 * std::uint64_t{in.offset};
  if (of.kind == dynamic_kind::hash_set) return {&key, &key, 0, head};
  const type& entry = in.part_type(of, 2);
  return {&key, &entry, in.parts[entry.first + 1].offset, head};
}

struct tree_shape {
  static constexpr std::uint64_t fanout = 16;
  static constexpr unsigned highest = 16;

  const type* key;
  const type* value; ///< null in sets
  unsigned offset;   ///< bytes of a link
  bool multi;

  [[nodiscard]] bool is_plain() const noexcept { return key->raw != 0; }
  [[nodiscard]] bool has_order() const noexcept { return value != nullptr || !is_plain(); }
  [[nodiscard]] std::uint64_t leaf_alignment() const noexcept {
    const std::uint64_t larger = std::max<std::uint64_t>(key->alignment, 8);
    return value == nullptr ? larger : std::max<std::uint64_t>(larger, value->alignment);
  }
  [[nodiscard]] std::uint64_t keys_at() const noexcept { return has_order() ? 16 : 8; }
  [[nodiscard]] std::uint64_t values_at(std::uint64_t capacity) const noexcept {
    const std::uint64_t step = value == nullptr ? 8 : std::max<std::uint64_t>(value->alignment, 8);
    return align_up(keys_at() + capacity * key->size, step);
  }
  [[nodiscard]] std::uint64_t leaf_size(std::uint64_t capacity) const noexcept {
    return value == nullptr ? values_at(capacity) : align_up(values_at(capacity) + capacity * value->size, 8);
  }
  [[nodiscard]] std::uint64_t links_at(std::uint64_t capacity) const noexcept {
    return is_plain() ? align_up(8 + capacity * key->raw, offset) : 8;
  }
  [[nodiscard]] std::uint64_t inner_size(std::uint64_t capacity) const noexcept {
    return align_up(links_at(capacity) + capacity * offset, 8);
  }
  /// Returns the size of the prefix of a leaf. The root has no prefix.
  [[nodiscard]] std::uint64_t front() const noexcept { return leaf_alignment() > 8 ? 2 * offset : 0; }
  [[nodiscard]] std::uint64_t run_size(unsigned level) const noexcept {
    return std::max<std::uint64_t>(level == 0 ? front() + leaf_size(fanout) : inner_size(fanout), 4 * offset);
  }
};
[[nodiscard]] inline tree_shape tree_of(const tables& in, const type& of) noexcept {
  const bool set = of.kind == dynamic_kind::set;
  return {&in.part_type(of, 0), set ? nullptr : &in.part_type(of, 1), in.offset,
          of.kind == dynamic_kind::multimap};
}

/// Returns the maximum number of elements that a container may have, for elements of `size` bytes.
[[nodiscard]] inline std::uint64_t max_elements(const tables& in, std::uint64_t size) noexcept {
  const std::uint64_t span = in.offset == 8 ? ~std::uint64_t{0} / 2 : ~std::uint32_t{0} / 2;
  return span / size > 64 ? span / size - 64 : 0;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
