// SPDX-License-Identifier: Apache-2.0
// Writes a schema as bytes. Enumerations and records are written once, as shared parts, and then
// referenced by number, so a repeated part takes only a few bytes. A record is not shared if a
// recursion in it refers to an outer record.
#pragma once

#include <ingot/schema/schema_node.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::string_view description_magic = "ingS";
inline constexpr std::uint8_t description_version = 3; ///< version 2 had no names of types
inline constexpr std::size_t description_head = 16;    ///< magic, version, three zeros, schema_id
/// Bits of a member's annotations in a description. They mark annotations for protobuf, and are not
/// part of the fingerprint.
inline constexpr std::uint8_t has_field_number = 64;
inline constexpr std::uint8_t has_proto_form = 128;
/// Bit of a variant's flags in a description: its `json::tag_key` follows the flags. This bit is no
/// part of the fingerprint.
inline constexpr std::uint8_t has_tag_key = 2;
/// Byte that takes the place of a part's kind and marks a reference to a shared part.
inline constexpr std::uint8_t shared_part = 0;

/// Maximum depth of nested parts. A reference counts as many levels as the shared part to which it
/// refers. Code that walks a description may be recursive to this depth.
inline constexpr unsigned max_description_depth = 128;

inline constexpr std::size_t max_description_bytes = std::size_t{1} << 24;

constexpr bool kind_has_width(schema_kind kind) noexcept {
  return kind == schema_kind::integer || kind == schema_kind::floating || kind == schema_kind::character ||
         kind == schema_kind::enumeration || kind == schema_kind::string;
}
constexpr bool kind_has_flags(schema_kind kind) noexcept {
  return kind == schema_kind::integer || kind == schema_kind::enumeration || kind == schema_kind::set ||
         kind == schema_kind::unordered_set || kind == schema_kind::map ||
         kind == schema_kind::unordered_map || kind == schema_kind::record || kind == schema_kind::variant;
}
constexpr bool kind_has_extent(schema_kind kind) noexcept {
  return kind == schema_kind::duration || kind == schema_kind::bitset || kind == schema_kind::array ||
         kind == schema_kind::recursion;
}
/// Returns true if the description of the kind contains the name of the C++ type.
constexpr bool kind_has_type_name(schema_kind kind) noexcept {
  return kind == schema_kind::record || kind == schema_kind::enumeration;
}
constexpr bool kind_has_count(schema_kind kind) noexcept {
  return kind == schema_kind::variant || kind == schema_kind::expected || kind == schema_kind::tuple ||
         kind == schema_kind::record || kind == schema_kind::enumeration;
}
/// Returns the number of children if it is the same for all parts of the kind; otherwise 0.
constexpr std::size_t kind_children(schema_kind kind) noexcept {
  switch (kind) {
  case schema_kind::duration:
  case schema_kind::time_point:
  case schema_kind::complex:
  case schema_kind::sequence:
  case schema_kind::array:
  case schema_kind::set:
  case schema_kind::unordered_set:
  case schema_kind::optional: return 1;
  case schema_kind::map:
  case schema_kind::unordered_map: return 2;
  default: return 0;
  }
}

/// Returns true if parts of this kind can have this width and these flags.
[[nodiscard]] inline bool sound_bits(const schema_attributes& attributes) noexcept {
  const bool up_to_4 = attributes.width == 1 || attributes.width == 2 || attributes.width == 4;
  const auto only = [&](schema_flag a, schema_flag b) {
    return (attributes.flags & ~(static_cast<unsigned>(a) | static_cast<unsigned>(b))) == 0;
  };
  switch (attributes.kind) {
  case schema_kind::none: return false;
  case schema_kind::integer:
    return (up_to_4 || attributes.width == 8) && only(schema_flag::is_signed, schema_flag::is_signed);
  case schema_kind::enumeration:
    return (up_to_4 || attributes.width == 8) && (only(schema_flag::is_signed, schema_flag::is_open) ||
                                                  only(schema_flag::is_signed, schema_flag::is_flags));
  case schema_kind::floating: return attributes.width == 4 || attributes.width == 8;
  case schema_kind::character:
  case schema_kind::string: return up_to_4;
  case schema_kind::set:
  case schema_kind::unordered_set:
  case schema_kind::map:
  case schema_kind::unordered_map: return only(schema_flag::is_multi, schema_flag::is_multi);
  case schema_kind::variant: return only(schema_flag::names_tags, schema_flag::names_tags);
  case schema_kind::record:
    return (attributes.flags & 6) == 0 &&
           !(attributes.has(schema_flag::is_evolvable) && attributes.has(schema_flag::elides_defaults));
  default: return true;
  }
}

class description_writer {
public:
  explicit description_writer(std::span<const schema_node> nodes)
      : nodes_(nodes), shared_numbers_(nodes.size(), none), positions_(nodes.size(), nowhere) {}

  [[nodiscard]] std::string write(std::uint32_t root) {
    std::string whole(description_magic);
    whole += static_cast<char>(description_version);
    whole.append(3, '\0');
    word(whole, nodes_[root].id);
    std::string last;
    part(root, last);
    number(whole, shared_.size());
    for (const auto* const each : shared_) whole += *each;
    return whole += last;
  }

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::size_t nowhere = ~std::size_t{0};

  static void number(std::string& to, std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) to += static_cast<char>(n | 0x80);
    to += static_cast<char>(n);
  }
  static void word(std::string& to, std::uint64_t n) {
    for (int i = 0; i < 8; ++i, n >>= 8) to += static_cast<char>(n);
  }
  static void text(std::string& to, std::string_view s) {
    number(to, s.size());
    to += s;
  }
  void refer(std::string& to, std::uint32_t index) {
    to += static_cast<char>(shared_part);
    number(to, index);
  }
  /// Returns the number of the shared part with these bytes, and adds the part if it is new. Parts
  /// with equal bytes have one number, even if they come from different C++ types.
  std::uint32_t share(std::uint32_t node, std::string&& bytes) {
    const auto [at, is_new] =
        numbers_.try_emplace(std::move(bytes), static_cast<std::uint32_t>(shared_.size()));
    if (is_new) shared_.push_back(&at->first);
    shared_numbers_[node] = at->second;
    return at->second;
  }
  static void attributes(std::string& to, const schema_node& node) {
    const schema_kind kind = node.attributes.kind;
    to += static_cast<char>(kind);
    if (kind_has_width(kind)) to += static_cast<char>(node.attributes.width);
    const bool is_tagged = kind == schema_kind::variant && !node.tag_key().empty();
    if (kind_has_flags(kind)) to += static_cast<char>(node.attributes.flags | (is_tagged ? has_tag_key : 0));
    if (is_tagged) text(to, node.tag_key());
    if (kind_has_extent(kind) ||
        (kind == schema_kind::record && node.attributes.has(schema_flag::is_versioned)))
      number(to, node.attributes.extent);
    if (kind == schema_kind::duration) number(to, node.attributes.divisor);
    if (kind_has_type_name(kind)) text(to, node.type_name());
    if (kind_has_count(kind)) number(to, node.children.size() + node.enumerators.size());
  }
  /// Writes a part. Nodes of the kind `recursion` in the part may refer to records that are still
  /// open (see `schema_walk`). Returns the position of the first of these records, or `nowhere` if
  /// there is none.
  std::size_t part(std::uint32_t index, std::string& to) {
    const schema_node& node = nodes_[index];
    if (shared_numbers_[index] != none) {
      refer(to, shared_numbers_[index]);
      return nowhere;
    }
    if (node.attributes.kind == schema_kind::enumeration) {
      std::string own;
      attributes(own, node);
      for (const schema_enumerator& each : node.enumerators) {
        word(own, each.value);
        text(own, each.name);
      }
      refer(to, share(index, std::move(own)));
      return nowhere;
    }
    if (node.attributes.kind == schema_kind::record) return record(index, to);
    attributes(to, node);
    if (node.attributes.kind == schema_kind::recursion) return positions_[node.target];
    return children(node, to);
  }
  std::size_t children(const schema_node& node, std::string& to) {
    std::size_t reach = nowhere;
    for (const schema_child& child : node.children) {
      if (node.attributes.kind == schema_kind::variant) text(to, child.name);
      if (node.attributes.kind == schema_kind::record) {
        text(to, child.name);
        const std::uint8_t form = child.form.to_byte();
        to +=
            static_cast<char>((child.annotations & 0xFF) | (child.field_number != 0 ? has_field_number : 0) |
                              (form != 0 ? has_proto_form : 0));
        if (child.has(schema_annotation::is_quantized)) {
          number(to, child.annotations >> 8 & 0xFFFFFFFF);
          to += static_cast<char>(child.annotations >> 40);
        }
        if (child.has(schema_annotation::is_unit_vector)) to += static_cast<char>(child.annotations >> 48);
        if (child.field_number != 0) number(to, child.field_number);
        if (form != 0) to += static_cast<char>(form);
      }
      const std::size_t reached = part(child.node, to);
      if (reached < reach) reach = reached;
    }
    return reach;
  }
  std::size_t record(std::uint32_t index, std::string& to) {
    const std::size_t position = open_++;
    positions_[index] = position;
    std::string own;
    attributes(own, nodes_[index]);
    const std::size_t reach = children(nodes_[index], own);
    // The record can't be shared: a recursion in it refers to an outer record, which is still open.
    if (reach < position) {
      to += own;
      return reach;
    }
    open_ = position;
    refer(to, share(index, std::move(own)));
    return nowhere;
  }

  std::span<const schema_node> nodes_;
  /// for each node: the index of its shared part in `shared_`; `none` if it has no shared part
  std::vector<std::uint32_t> shared_numbers_;
  /// for each node of an open record (see `schema_walk`): the number of records opened before it
  std::vector<std::size_t> positions_;
  std::size_t open_ = 0;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> shared_;
};

}}} // namespace ingot::INGOT_V1::detail
