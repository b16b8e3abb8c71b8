// SPDX-License-Identifier: Apache-2.0
// A schema prepared for reading messages of one profile: all types, with the positions of their
// parts. The memory is limited by the length of the description; see `read_schema`.
#pragma once

#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/schema/detail/bottom_up.hpp>
#include <ingot/schema/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// The two encodings of a message; see docs/format.md.
enum class message_profile : std::uint8_t {
  pack,    ///< as `ingot::pack` writes it
  compact, ///< as `ingot::compact::pack` writes it
};

namespace detail::dyn {

/// Identity of a type in messages.
struct message_type_name {
  std::uint64_t part; ///< twice the index of the node, plus 1 if `is_opened`
  std::uint64_t how;
  friend bool operator==(const message_type_name&, const message_type_name&) = default;
  struct hash {
    std::size_t operator()(const message_type_name& name) const noexcept {
      return static_cast<std::size_t>(name.part * 0x9E3779B97F4A7C15U ^ name.how * 0xFF51AFD7ED558CCDU);
    }
  };
};

/// Attributes of a type in messages, in addition to those of `type`. A part of a compact message is
/// *flat* if its number of bytes is fixed. All other parts have a *slot* in an index that is made
/// when the message is opened.
struct message_type {
  std::uint32_t node = 0;         ///< index in the graph
  encoding how = encoding::plain; ///< encoding in compact messages
  /// Type of the elements of a list or array, or of the entries of a map.
  std::uint32_t element = spot::nothing;
  bool is_flat = false;
  /// If true, this array of floats is encoded as a unit vector. The types of its elements begin at
  /// index `element`; the position of each element is that of the whole vector.
  bool is_unit = false;
  bool is_evolvable = false;
  bool is_opened = false; ///< packed: evolvable record in a list; stores its end, not its size
  bool elides = false;    ///< has a mask of the members that are stored
  /// True if the type is or contains a record with a mask. Parts of a value may then be missing.
  /// They have default values, which are unknown here: schemas do not store them.
  bool is_masked = false;
  bool is_checked = false;  ///< takes bytes, and is or contains a set, map or version
  std::uint64_t bytes = 0;  ///< size of a value of this type, if it is flat
  std::uint64_t slots = 0;  ///< number of slots of a value, if it is not flat
  std::uint64_t stride = 0; ///< packed: distance between the elements of a list, in bytes
  /// Indices of the members of a record or tuple for which `is_checked` is true.
  std::vector<std::uint32_t> checked_members = {};
};

/// The types of a schema's messages. The tables do not change after construction, so all readers
/// share them.
struct message_tables {
  message_tables(evolving_graph from, std::uint64_t schema_id, message_profile as)
      : profile(as), graph(std::move(from)), layout(graph), id(schema_id) {
    for (const std::uint8_t width :
         {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}}) { // characters with this size
      type unit;
      unit.kind = dynamic_kind::character;
      unit.size = unit.raw = width;
      note_memory(all.types.push(unit));
      of.emplace_back();
    }
    add(graph.root, encoding::plain);
    for (std::uint32_t t = root; t < of.size(); ++t) fill(t);
    known_.clear();
    if (profile == message_profile::compact) measure();
    find_checked();
    weigh();
  }
  message_tables(const message_tables&) = delete;
  message_tables& operator=(const message_tables&) = delete;

  static constexpr std::uint32_t root = 3; ///< type of the message

  [[nodiscard]] const evolving_node& node(std::uint32_t t) const noexcept { return graph.nodes[of[t].node]; }
  [[nodiscard]] const packed_part& packed(std::uint32_t t) const noexcept { return layout[of[t].node]; }
  [[nodiscard]] std::uint32_t part_type(std::uint32_t t, std::size_t k) const noexcept {
    return all.parts[all.types[t].first + k].type;
  }
  /// Returns true if values of the type take no bytes in messages: such a type has only one value.
  [[nodiscard]] bool occupies_no_bytes(std::uint32_t t) const noexcept {
    const packed_part& part = packed(t);
    return profile == message_profile::pack ? part.is_fixed && part.slot == 0 : part.is_zero_size;
  }
  /// Returns the indices of the members of a record or tuple that take bytes.
  [[nodiscard]] std::span<const std::uint32_t> with_bytes(std::uint32_t t) const noexcept {
    const packed_part& part = packed(t);
    return profile == message_profile::pack ? part.with_slots : part.with_compact_bytes;
  }
  /// Returns the number of slots that a part takes in the index.
  [[nodiscard]] std::uint64_t slots_of(std::uint32_t t) const noexcept {
    return of[t].is_flat ? of[t].bytes != 0 ? 1 : 0 : of[t].slots;
  }
  /// Returns true if the compact bytes of a value begin with bytes that belong to none of its
  /// parts. Returns false for records, tuples and arrays that consist only of their parts.
  [[nodiscard]] bool is_leaf(std::uint32_t t) const noexcept {
    const schema_kind kind = node(t).attributes.kind;
    return (kind != schema_kind::record && kind != schema_kind::tuple && kind != schema_kind::array) ||
           of[t].is_evolvable || of[t].elides;
  }
  /// Returns true if the first member of the record stores the version of the record.
  [[nodiscard]] bool has_version_member(std::uint32_t t) const noexcept {
    const evolving_node& what = node(t);
    return what.attributes.kind == schema_kind::record && what.attributes.has(schema_flag::is_versioned) &&
           !what.children.empty() && what.children[0].name == "version" &&
           graph.child(what, 0).attributes.kind == schema_kind::integer;
  }

  message_profile profile;
  evolving_graph graph;
  packed_layout layout;
  std::uint64_t id;
  tables all; ///< the types, for handles
  std::vector<message_type> of;
  bool has_memory = true; ///< false if there was no memory for all types
  /// False if a type that takes no bytes contains more than `max_empty` values. The bytes of a
  /// message would not limit the work for such values.
  bool is_bounded = true;
  static constexpr std::uint64_t max_empty = 64;

private:
  static constexpr std::uint64_t max_total = std::uint64_t{1} << 40;
  void note_memory(bool well) noexcept { has_memory = has_memory && well; }

  /// Returns the properties of an encoding that change the bytes of values of a kind. No property
  /// changes the bytes of records. So members of one record type share one message type, even if
  /// the annotations of these members differ.
  static encoding heeded(schema_kind kind, encoding how) noexcept {
    if (kind == schema_kind::record) return encoding::plain;
    if (kind == schema_kind::enumeration || kind == schema_kind::integer)
      return spells(how, encoding::varint) ? encoding::varint : encoding::plain;
    return how;
  }
  std::uint32_t add(std::uint32_t index, encoding how, bool opened = false) {
    const auto next = static_cast<std::uint32_t>(of.size());
    how = heeded(graph.nodes[index].attributes.kind, how);
    const message_type_name name{std::uint64_t{index} << 1 | (opened ? 1U : 0U), std::to_underlying(how)};
    const auto [at, is_new] = known_.try_emplace(name, next);
    if (is_new) {
      message_type& added = of.emplace_back();
      added.node = index;
      added.how = how;
      added.is_opened = opened;
    }
    return at->second;
  }
  /// Adds the type of a part. The encoding of the part matters only in compact messages.
  [[nodiscard]] std::uint32_t add_child(std::uint32_t t, std::size_t k) {
    const evolving_node& holder = node(t);
    const std::uint32_t child = holder.children[k].node;
    if (profile == message_profile::pack)
      return add(child, encoding::plain, is_list_kind(holder.attributes.kind) && layout.is_evolvable(child));
    const bool is_spelled = holder.attributes.kind != schema_kind::duration &&
                            holder.attributes.kind != schema_kind::time_point &&
                            holder.attributes.kind != schema_kind::complex;
    return add(child, is_spelled ? compact_validator::encoding_of(holder, k, of[t].how) : encoding::plain);
  }

  void fill(std::uint32_t t) {
    const evolving_node& from = node(t);
    const schema_attributes& attributes = from.attributes;
    type described;
    described.kind = kind_in_messages(attributes);
    (attributes.kind == schema_kind::variant ? described.tag_key : described.name) = from.name;
    described.is_archive = from.is_archive;
    described.size = attributes.width;
    described.extent = attributes.extent;
    described.divisor = attributes.divisor;
    if (attributes.kind != schema_kind::variant && attributes.has(schema_flag::is_signed))
      described.flags |= is_signed;
    if (attributes.kind == schema_kind::variant && attributes.has(schema_flag::names_tags))
      described.flags |= has_tags;
    if (attributes.kind == schema_kind::record && attributes.has(schema_flag::is_versioned))
      described.flags |= has_version;
    if (attributes.kind == schema_kind::enumeration) {
      if (attributes.has(schema_flag::is_open)) described.flags |= is_open;
      if (attributes.has(schema_flag::is_flags)) described.flags |= is_flags;
      described.extent = from.bits;
      described.first = static_cast<std::uint32_t>(all.enumerators.size());
      described.parts = static_cast<std::uint32_t>(from.enumerators.size());
      for (const schema_enumerator& each : from.enumerators)
        note_memory(all.enumerators.push({each.value, each.name}));
    } else {
      fill_parts(t, described);
    }
    if (is_number(attributes)) {
      described.raw = attributes.width;
      described.raw_signed = attributes.has(schema_flag::is_signed);
    } else if (attributes.kind == schema_kind::duration || attributes.kind == schema_kind::time_point) {
      const evolving_node& count = innermost(from);
      described.raw = is_number(count.attributes) ? count.attributes.width : std::uint8_t{0};
      described.raw_signed = count.attributes.has(schema_flag::is_signed);
      described.size = count.attributes.width; // so lists of one-byte counts can be read as bytes
    } else if (attributes.kind == schema_kind::complex) {
      described.size = 2 * std::uint64_t{graph.child(from, 0).attributes.width};
    }
    note_memory(all.types.push(described));
    const bool is_record = attributes.kind == schema_kind::record;
    of[t].is_evolvable = layout.is_evolvable(of[t].node);
    of[t].elides = profile == message_profile::compact && is_record && !of[t].is_evolvable &&
                   attributes.has(schema_flag::elides_defaults) && !from.children.empty();
    of[t].stride = layout.stride(of[t].node);
  }
  /// Adds the types of the elements of a unit vector. The indices of these types are consecutive,
  /// because either all of these types are new, or none is.
  void add_unit_parts(std::uint32_t t, unsigned size) {
    const std::uint32_t child = node(t).children[0].node;
    const auto count = static_cast<unsigned>(node(t).attributes.extent);
    of[t].is_unit = true;
    const std::uint32_t first = add(child, unit_part_of(count, size, 0));
    for (unsigned i = 1; i < count; ++i) static_cast<void>(add(child, unit_part_of(count, size, i)));
    of[t].element = first;
  }
  /// Adds the parts of a type. For a map, these are its key and its value.
  void fill_parts(std::uint32_t t, type& described) {
    const std::uint32_t index = of[t].node;
    const schema_kind kind = graph.nodes[index].attributes.kind;
    described.first = static_cast<std::uint32_t>(all.parts.size());
    if (is_text_kind(kind)) {
      const unsigned width = kind == schema_kind::path ? 1U : graph.nodes[index].attributes.width;
      described.parts = 1;
      part each;
      each.type = width == 4 ? 2 : width - 1;
      return note_memory(all.parts.push(each));
    }
    std::uint32_t holder = t;
    if (const unsigned unit = compact_validator::unit_bytes(graph, node(t), of[t].how); unit != 0) {
      add_unit_parts(t, unit);
      described.parts = 1;
      part each;
      each.type = of[t].element;
      return note_memory(all.parts.push(each));
    }
    if (is_list_kind(kind) || kind == schema_kind::array) {
      const std::uint32_t element = add_child(t, 0);
      of[t].element = element;
      if (is_map_kind(kind)) holder = element;
    }
    const std::size_t count = node(holder).children.size();
    described.parts = static_cast<std::uint32_t>(count);
    for (std::size_t k = 0; k < count; ++k) {
      part each;
      each.type = add_child(holder, k);
      if (kind == schema_kind::record || kind == schema_kind::variant)
        each.name = graph.nodes[index].children[k].name;
      if ((kind == schema_kind::record || kind == schema_kind::tuple) && profile == message_profile::pack)
        each.offset = layout[index].offsets[k];
      note_memory(all.parts.push(each));
    }
    if ((kind == schema_kind::record || kind == schema_kind::variant) && has_memory) mark_repeated(described);
  }
  /// Marks repeated names. Sorts them instead of hashing: an untrusted schema could choose names
  /// whose hashes collide.
  void mark_repeated(const type& whole) {
    std::vector<std::uint32_t> order(whole.parts);
    std::iota(order.begin(), order.end(), whole.first);
    const auto name = [&](std::uint32_t k) { return all.parts[k].name; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const int found = name(a).compare(name(b));
      return found != 0 ? found < 0 : a < b;
    });
    mark_repeated_names(all, whole, order.data());
  }
  [[nodiscard]] static bool is_number(const schema_attributes& attributes) noexcept {
    return attributes.kind == schema_kind::boolean || attributes.kind == schema_kind::integer ||
           attributes.kind == schema_kind::character || attributes.kind == schema_kind::byte ||
           attributes.kind == schema_kind::enumeration;
  }
  /// Returns the type of the number that a duration or time stores.
  [[nodiscard]] const evolving_node& innermost(const evolving_node& from) const noexcept {
    const evolving_node& inner = graph.child(from, 0);
    return inner.attributes.kind == schema_kind::duration ? graph.child(inner, 0) : inner;
  }
  [[nodiscard]] static dynamic_kind kind_in_messages(const schema_attributes& attributes) noexcept {
    const bool multi = attributes.has(schema_flag::is_multi);
    switch (attributes.kind) {
    case schema_kind::string:
    case schema_kind::path: return dynamic_kind::text;
    case schema_kind::sequence: return dynamic_kind::vector;
    case schema_kind::array: return dynamic_kind::array;
    case schema_kind::set: return multi ? dynamic_kind::multiset : dynamic_kind::set;
    case schema_kind::unordered_set: return multi ? dynamic_kind::hash_multiset : dynamic_kind::hash_set;
    case schema_kind::map: return multi ? dynamic_kind::multimap : dynamic_kind::map;
    case schema_kind::unordered_map: return multi ? dynamic_kind::hash_multimap : dynamic_kind::hash_map;
    case schema_kind::optional: return dynamic_kind::optional;
    case schema_kind::variant: return dynamic_kind::variant;
    case schema_kind::expected: return dynamic_kind::expected;
    case schema_kind::tuple: return dynamic_kind::tuple;
    case schema_kind::record: return dynamic_kind::record;
    default: return static_cast<dynamic_kind>(attributes.kind); // scalars have equal numbers
    }
  }

  /// Finds the types that are flat (see `message_type`), and computes the number of slots of the
  /// other types. Visits parts before the types that contain them. Such an order exists, because
  /// the parts of leaves are ignored here, and a type can contain itself only inside a leaf.
  void measure() {
    const auto holdings = [&](auto&& f) {
      for (std::uint32_t t = root; t < of.size(); ++t) {
        if (is_leaf(t) || packed(t).is_zero_size) continue;
        const type& each = all.types[t];
        for (std::uint32_t k = 0; k < each.parts; ++k) f(t, part_type(t, k));
      }
    };
    for (const std::uint32_t t : bottom_up(of.size(), holdings)) {
      if (t >= root) measure(t);
    }
    for (std::uint32_t t = root; t < of.size(); ++t) {
      if (!of[t].is_evolvable) continue;
      std::uint64_t slots = 0;
      for (std::uint32_t k = 0; k < all.types[t].parts; ++k) {
        all.parts[all.types[t].first + k].offset = slots;
        slots = std::min(slots + slots_of(part_type(t, k)), max_total);
      }
    }
  }
  void measure(std::uint32_t t) {
    message_type& measured = of[t];
    const packed_part& part = packed(t);
    const schema_attributes& attributes = node(t).attributes;
    measured.slots = 1;
    if (part.is_zero_size) {
      measured.is_flat = true;
    } else if (measured.is_unit || spells(measured.how, encoding::unit_part)) {
      measured.is_flat = true;
      measured.bytes =
          measured.is_unit ? unit_size(measured.how, attributes.extent) : unit_size_in(measured.how);
    } else if (is_leaf(t)) {
      measured.is_flat = !measured.is_evolvable && !measured.elides && !is_list_kind(attributes.kind) &&
                         !is_text_kind(attributes.kind) && !is_tagged_kind(attributes.kind) &&
                         !compact_validator::is_varint(attributes, measured.how) &&
                         !compact_validator::is_spelled_float(attributes, measured.how);
      measured.bytes = part.slot;
    } else if (attributes.kind == schema_kind::array) {
      const message_type& element = of[measured.element];
      measured.is_flat = element.is_flat;
      measured.bytes = product(attributes.extent, element.bytes);
      measured.slots = product(attributes.extent, slots_of(measured.element));
    } else {
      measured.is_flat = true;
      measured.slots = 0;
      for (std::uint32_t k = 0; k < all.types[t].parts; ++k) {
        const std::uint32_t child = part_type(t, k);
        measured.is_flat = measured.is_flat && of[child].is_flat;
        all.parts[all.types[t].first + k].offset = measured.slots;
        measured.slots = std::min(measured.slots + slots_of(child), max_total);
      }
      if (measured.is_flat) measure_flat(t);
    }
  }
  /// Computes the size of a flat type and the offsets of its parts, in bytes.
  void measure_flat(std::uint32_t t) {
    for (std::uint32_t k = 0; k < all.types[t].parts; ++k) {
      part& each = all.parts[all.types[t].first + k];
      each.offset = of[t].bytes;
      of[t].bytes = std::min(of[t].bytes + of[each.type].bytes, max_total);
    }
  }
  [[nodiscard]] static std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
    return a == 0 || b == 0 ? 0 : a > max_total / b ? max_total : std::min(a * b, max_total);
  }

  void weigh() {
    const auto holdings = [&](auto&& f) {
      for (std::uint32_t t = root; t < of.size(); ++t) {
        const bool is_nothing = all.types[t].kind == dynamic_kind::array && all.types[t].extent == 0;
        if (is_leaf(t) || is_nothing || !occupies_no_bytes(t)) continue;
        for (std::uint32_t k = 0; k < all.types[t].parts; ++k) f(t, part_type(t, k));
      }
    };
    std::vector<std::uint64_t> weights(of.size(), 1);
    for (const std::uint32_t t : bottom_up(of.size(), holdings)) {
      if (t < root || is_leaf(t) || !occupies_no_bytes(t)) continue;
      const type& what = all.types[t];
      std::uint64_t sum = what.kind == dynamic_kind::array ? product(what.extent, weights[of[t].element]) : 0;
      for (std::uint32_t k = 0; what.kind != dynamic_kind::array && k < what.parts; ++k)
        sum = std::min(sum + weights[part_type(t, k)], max_total);
      weights[t] = std::max<std::uint64_t>(sum, 1);
      is_bounded = is_bounded && sum <= max_empty;
    }
  }

  /// Finds types that are or contain sets, maps or versions. Their values are checked when a
  /// message is opened.
  void find_checked() {
    std::vector<std::vector<std::uint32_t>> holders(of.size());
    std::vector<std::uint32_t> checked;
    std::vector<std::uint32_t> masked;
    for (std::uint32_t t = root; t < of.size(); ++t) {
      const schema_attributes& attributes = node(t).attributes;
      if (is_set_kind(attributes.kind) || is_map_kind(attributes.kind) || has_version_member(t))
        checked.push_back(t);
      if (of[t].elides) masked.push_back(t);
      if (attributes.kind == schema_kind::enumeration || is_text_kind(attributes.kind)) continue;
      for (std::uint32_t k = 0; k < all.types[t].parts; ++k) holders[part_type(t, k)].push_back(t);
      if (of[t].element != spot::nothing) holders[of[t].element].push_back(t);
    }
    spread(holders, std::move(checked), &message_type::is_checked);
    spread(holders, std::move(masked), &message_type::is_masked);
    for (std::uint32_t t = root; t < of.size(); ++t) {
      const dynamic_kind kind = all.types[t].kind;
      if (!of[t].is_checked || (kind != dynamic_kind::record && kind != dynamic_kind::tuple)) continue;
      for (const std::uint32_t k : with_bytes(t)) {
        if (of[part_type(t, k)].is_checked) of[t].checked_members.push_back(k);
      }
    }
  }

  /// Sets the flag of the types `found`, and of all types that contain them.
  void spread(const std::vector<std::vector<std::uint32_t>>& holders, std::vector<std::uint32_t> found,
              bool message_type::* flag) {
    for (const std::uint32_t t : found) of[t].*flag = true;
    while (!found.empty()) {
      const std::uint32_t t = found.back();
      found.pop_back();
      for (const std::uint32_t holder : holders[t]) {
        if (of[holder].*flag || occupies_no_bytes(holder)) continue;
        of[holder].*flag = true;
        found.push_back(holder);
      }
    }
  }

  std::unordered_map<message_type_name, std::uint32_t, message_type_name::hash> known_;
};

} // namespace detail::dyn
}} // namespace ingot::INGOT_V1
