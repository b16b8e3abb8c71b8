// SPDX-License-Identifier: Apache-2.0
// Writes both profiles, and reads the packed one, as docs/format.md defines them, for values
// created at run time.
#pragma once

#include "pack/evolution_lab.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace evolution_lab {

/// Computes sizes of slots, and members of a map's entry as if it were a tuple.
class shape {
public:
  explicit shape(const model_schema& s) : s_(s) {}

  [[nodiscard]] bool is_fixed(std::uint32_t i, unsigned depth = 0) const {
    const schema_node& n = s_.at(i);
    if (is_list(n) || is_text(n) || n.attributes.has(schema_flag::is_evolvable) ||
        s_.nodes[i].attributes.kind == schema_kind::recursion)
      return false;
    if (n.attributes.kind == schema_kind::array && n.attributes.extent == 0) return true;
    return std::all_of(n.children.begin(), n.children.end(),
                       [&](const auto& child) { return is_fixed(child.node, depth + 1); });
  }
  [[nodiscard]] bool is_leaf(std::uint32_t i) const {
    const schema_node& n = s_.at(i);
    return is_list(n) || is_text(n) ||
           (n.attributes.kind == schema_kind::record && n.attributes.has(schema_flag::is_evolvable)) ||
           (is_tagged(n) && !is_fixed(i));
  }
  [[nodiscard]] std::size_t slot(std::uint32_t i) const { return is_leaf(i) ? 4 : fixed_part(i); }
  [[nodiscard]] std::size_t fixed_part(std::uint32_t i) const {
    const schema_node& n = s_.at(i);
    switch (n.attributes.kind) {
    case schema_kind::bitset: return static_cast<std::size_t>((n.attributes.extent + 7) / 8);
    case schema_kind::array:
      return n.attributes.extent == 0
                 ? 0
                 : static_cast<std::size_t>(n.attributes.extent) * slot(n.children[0].node);
    case schema_kind::complex: return 2 * slot(n.children[0].node);
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: {
      std::size_t largest = 0;
      for (const auto& child : n.children) largest = std::max(largest, slot(child.node));
      return 1 + largest;
    }
    default: {
      if (n.children.empty()) return n.attributes.width;
      std::size_t all = 0;
      for (const auto& child : n.children) all += slot(child.node);
      return all;
    }
    }
  }
  static bool is_list(const schema_node& n) {
    return n.attributes.kind == schema_kind::sequence || is_set(n) || is_map(n);
  }
  static bool is_text(const schema_node& n) {
    return n.attributes.kind == schema_kind::string || n.attributes.kind == schema_kind::path;
  }
  static bool is_tagged(const schema_node& n) {
    return n.attributes.kind == schema_kind::optional || n.attributes.kind == schema_kind::variant ||
           n.attributes.kind == schema_kind::expected;
  }

protected:
  const model_schema& s_;
};

class packed_writer : shape {
public:
  using shape::shape;
  byte_vector write(std::uint32_t root, const value& v) {
    payload(root, v);
    return out_;
  }

private:
  void number(std::size_t at, std::uint64_t n, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) out_[at + i] = static_cast<std::byte>(n >> 8 * i & 0xFF);
  }
  void append(std::string_view text) {
    for (const char c : text) out_.push_back(static_cast<std::byte>(c));
  }
  void payload(std::uint32_t i, const value& v) {
    const schema_node& n = s_.at(i);
    if (is_text(n)) return append(v.bytes);
    if (is_list(n)) return list(n, v);
    if (is_tagged(n) && !is_fixed(i)) {
      if (n.attributes.kind == schema_kind::optional && v.bits == 0) return;
      out_.push_back(static_cast<std::byte>(v.bits));
      const int k = child_of_tag(n, v.bits);
      if (k >= 0) payload(n.children[static_cast<std::size_t>(k)].node, v.parts[0]);
      return;
    }
    const bool says_size =
        n.attributes.kind == schema_kind::record && n.attributes.has(schema_flag::is_evolvable);
    std::size_t at = out_.size();
    if (says_size) {
      out_.resize(at + 4);
      number(at, fixed_part(i), 4);
      at += 4;
    }
    out_.resize(at + fixed_part(i));
    in_place(i, v, at, out_.size());
  }
  void slot_of(std::uint32_t i, const value& v, std::size_t at, std::size_t tail) {
    if (!is_leaf(i)) return in_place(i, v, at, tail);
    payload(i, v);
    number(at, out_.size() - tail, 4);
  }
  void in_place(std::uint32_t i, const value& v, std::size_t at, std::size_t tail) {
    const schema_node& n = s_.at(i);
    if (n.attributes.kind == schema_kind::bitset) {
      for (std::size_t k = 0; k < v.bytes.size(); ++k) out_[at + k] = static_cast<std::byte>(v.bytes[k]);
    } else if (is_tagged(n)) {
      out_[at] = static_cast<std::byte>(v.bits);
      const int k = child_of_tag(n, v.bits);
      if (k >= 0) slot_of(n.children[static_cast<std::size_t>(k)].node, v.parts[0], at + 1, tail);
    } else if (n.children.empty()) {
      number(at, v.bits, n.attributes.width);
    } else {
      const bool one = n.attributes.kind == schema_kind::array || n.attributes.kind == schema_kind::complex;
      for (std::size_t k = 0; k < v.parts.size(); ++k) {
        const std::uint32_t child = n.children[one ? 0 : k].node;
        slot_of(child, v.parts[k], at, tail);
        at += slot(child);
      }
    }
  }
  void list(const schema_node& n, const value& v) {
    bool fixed = true;
    std::size_t stride = 0;
    for (const auto& child : n.children) {
      fixed = fixed && is_fixed(child.node);
      stride += slot(child.node);
    }
    const std::uint32_t first = n.children[0].node;
    const bool says_size = n.attributes.kind == schema_kind::sequence && is_leaf(first) &&
                           s_.at(first).attributes.kind == schema_kind::record;
    if (says_size) stride = 4 + fixed_part(first);
    std::size_t at = out_.size();
    if (!fixed || stride == 0) {
      out_.resize(at + 4);
      number(at, v.parts.size(), 4);
      at += 4;
    }
    if (says_size) {
      out_.resize(at + 4);
      number(at, fixed_part(first), 4);
      at += 4;
    }
    out_.resize(at + v.parts.size() * stride);
    const std::size_t tail = out_.size();
    for (const value& each : v.parts) {
      if (says_size) {
        in_place(first, each, at + 4, out_.size());
        number(at, out_.size() - tail, 4);
      } else if (n.attributes.kind == schema_kind::sequence) {
        slot_of(first, each, at, tail);
      } else {
        std::size_t to = at;
        for (std::size_t k = 0; k < n.children.size(); ++k) {
          slot_of(n.children[k].node, each.parts[k], to, tail);
          to += slot(n.children[k].node);
        }
      }
      at += stride;
    }
  }

  byte_vector out_;
};

/// Reads bytes without validating them: an error in them appears as another value.
class packed_reader : shape {
public:
  packed_reader(const model_schema& s, const byte_vector& bytes) : shape(s), bytes_(bytes) {}
  value read(std::uint32_t root) { return payload(root, 0, bytes_.size()); }

private:
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t width) const {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < width; ++i) n |= std::to_integer<std::uint64_t>(bytes_.at(at + i)) << 8 * i;
    return n;
  }
  [[nodiscard]] std::string text(std::size_t from, std::size_t size) const {
    std::string all;
    for (std::size_t i = 0; i < size; ++i) all += static_cast<char>(bytes_.at(from + i));
    return all;
  }
  value payload(std::uint32_t i, std::size_t from, std::size_t size) {
    const schema_node& n = s_.at(i);
    value v;
    if (is_text(n)) v.bytes = text(from, size);
    else if (is_list(n)) list(n, from, size, v);
    else if (is_tagged(n) && !is_fixed(i)) {
      if (size == 0) return v;
      v.bits = number(from, 1);
      const int k = child_of_tag(n, v.bits);
      if (k >= 0) v.parts = {payload(n.children.at(static_cast<std::size_t>(k)).node, from + 1, size - 1)};
    } else {
      const bool says_size =
          n.attributes.kind == schema_kind::record && n.attributes.has(schema_flag::is_evolvable);
      if (says_size) from += 4;
      std::size_t begin = 0;
      v = in_place(i, from, from + fixed_part(i), begin);
    }
    return v;
  }
  value slot_of(std::uint32_t i, std::size_t at, std::size_t tail, std::size_t& begin) {
    if (!is_leaf(i)) return in_place(i, at, tail, begin);
    const std::size_t from = begin;
    begin = static_cast<std::size_t>(number(at, 4));
    return payload(i, tail + from, begin - from);
  }
  value in_place(std::uint32_t i, std::size_t at, std::size_t tail, std::size_t& begin) {
    const schema_node& n = s_.at(i);
    value v;
    if (n.attributes.kind == schema_kind::bitset) v.bytes = text(at, fixed_part(i));
    else if (is_tagged(n)) {
      v.bits = number(at, 1);
      const int k = child_of_tag(n, v.bits);
      if (k >= 0) v.parts = {slot_of(n.children.at(static_cast<std::size_t>(k)).node, at + 1, tail, begin)};
    } else if (n.children.empty()) {
      if (n.attributes.width != 0) v.bits = in_width(number(at, n.attributes.width), n.attributes);
    } else {
      const bool one = n.attributes.kind == schema_kind::array || n.attributes.kind == schema_kind::complex;
      const std::size_t count = n.attributes.kind == schema_kind::array
                                    ? static_cast<std::size_t>(n.attributes.extent)
                                : n.attributes.kind == schema_kind::complex ? 2
                                                                            : n.children.size();
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t child = n.children[one ? 0 : k].node;
        v.parts.push_back(slot_of(child, at, tail, begin));
        at += slot(child);
      }
    }
    return v;
  }
  void list(const schema_node& n, std::size_t from, std::size_t size, value& v) {
    bool fixed = true;
    std::size_t stride = 0;
    for (const auto& child : n.children) {
      fixed = fixed && is_fixed(child.node);
      stride += slot(child.node);
    }
    const std::uint32_t first = n.children[0].node;
    const bool says_size = n.attributes.kind == schema_kind::sequence && is_leaf(first) &&
                           s_.at(first).attributes.kind == schema_kind::record;
    if (says_size) stride = 4 + fixed_part(first);
    std::size_t count = stride == 0 ? 0 : size / stride;
    if (!fixed || stride == 0) {
      count = static_cast<std::size_t>(number(from, 4));
      from += says_size ? 8 : 4;
    }
    const std::size_t tail = from + count * stride;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < count; ++i, from += stride) {
      if (says_size) {
        std::size_t own = 0;
        v.parts.push_back(in_place(first, from + 4, tail + begin, own));
        begin = static_cast<std::size_t>(number(from, 4));
      } else if (n.attributes.kind == schema_kind::sequence) {
        v.parts.push_back(slot_of(first, from, tail, begin));
      } else {
        value entry;
        std::size_t at = from;
        for (const auto& child : n.children) {
          entry.parts.push_back(slot_of(child.node, at, tail, begin));
          at += slot(child.node);
        }
        v.parts.push_back(std::move(entry));
      }
    }
  }

  const byte_vector& bytes_;
};

class compact_writer {
public:
  explicit compact_writer(const model_schema& s) : s_(s) {}
  byte_vector write(std::uint32_t root, const value& v) {
    put(root, v, 0);
    return std::move(out_);
  }

private:
  void varint(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) out_.push_back(static_cast<std::byte>((n & 0x7F) | 0x80));
    out_.push_back(static_cast<std::byte>(n));
  }
  void number(std::uint64_t n, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) out_.push_back(static_cast<std::byte>(n >> 8 * i & 0xFF));
  }
  void append(std::string_view text) {
    for (const char c : text) out_.push_back(static_cast<std::byte>(c));
  }
  /// Tries all 255 bytes.
  static std::optional<std::uint8_t> short_form(double number) {
    for (int byte = 0; byte < 256; ++byte) {
      if (byte == 0x80) continue;
      const int e = byte >> 3 & 15;
      const double magnitude = e == 0
                                   ? (byte & 7) / 8.0 / 64
                                   : (1 + (byte & 7) / 8.0) * (e < 7 ? 1.0 / (1 << (7 - e)) : 1 << (e - 7));
      const double candidate = byte >= 128 ? -magnitude : magnitude;
      if (std::bit_cast<std::uint64_t>(candidate) == std::bit_cast<std::uint64_t>(number))
        return static_cast<std::uint8_t>(byte);
    }
    return {};
  }
  void put(std::uint32_t i, const value& v, unsigned how) {
    const schema_node& n = s_.at(i);
    switch (n.attributes.kind) {
    case schema_kind::integer:
    case schema_kind::enumeration: {
      if ((how & 1) == 0 || n.attributes.width == 1) return number(v.bits, n.attributes.width);
      if (!n.attributes.has(schema_flag::is_signed)) return varint(v.bits);
      return varint(v.bits << 1 ^ (v.bits >> 63 != 0 ? ~std::uint64_t{0} : 0));
    }
    case schema_kind::floating: {
      if ((how & 2) == 0) return number(v.bits, n.attributes.width);
      const double wide = n.attributes.width == 4
                              ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(v.bits)))
                              : std::bit_cast<double>(v.bits);
      if (const auto byte = short_form(wide)) return out_.push_back(static_cast<std::byte>(*byte));
      out_.push_back(std::byte{0x80});
      return number(v.bits, n.attributes.width);
    }
    case schema_kind::boolean:
    case schema_kind::character:
    case schema_kind::byte: return number(v.bits, n.attributes.width);
    case schema_kind::bitset: return append(v.bytes);
    case schema_kind::string:
    case schema_kind::path:
      varint(v.bytes.size() / (n.attributes.kind == schema_kind::path ? 1U : n.attributes.width));
      return append(v.bytes);
    case schema_kind::duration:
    case schema_kind::time_point:
    case schema_kind::complex:
      for (const value& part : v.parts) put(n.children[0].node, part, 0);
      return;
    case schema_kind::array:
      for (const value& part : v.parts) put(n.children[0].node, part, how);
      return;
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected:
      out_.push_back(static_cast<std::byte>(v.bits));
      if (!v.parts.empty())
        put(n.children[static_cast<std::size_t>(child_of_tag(n, v.bits))].node, v.parts[0], how);
      return;
    case schema_kind::tuple:
      for (std::size_t k = 0; k < v.parts.size(); ++k) put(n.children[k].node, v.parts[k], how);
      return;
    case schema_kind::record: return record(n, v);
    default:
      varint(v.parts.size());
      for (const value& part : v.parts) {
        if (n.attributes.kind == schema_kind::sequence) put(n.children[0].node, part, how);
        else
          for (std::size_t k = 0; k < part.parts.size(); ++k) put(n.children[k].node, part.parts[k], how);
      }
      return;
    }
  }
  void record(const schema_node& n, const value& v) {
    byte_vector outer;
    outer.swap(out_);
    const bool elides = n.attributes.has(schema_flag::elides_defaults);
    if (elides) {
      out_.resize((n.children.size() + 7) / 8);
      for (std::size_t k = 0; k < v.parts.size(); ++k) {
        if (!v.parts[k].is_default) out_[k / 8] |= std::byte{1} << (k % 8);
      }
    }
    for (std::size_t k = 0; k < v.parts.size(); ++k) {
      if (elides && v.parts[k].is_default) continue;
      const unsigned own = static_cast<unsigned>(n.children[k].annotations & 7);
      const unsigned said = (own & 1) | (own & 4) >> 1;
      const unsigned types = (n.attributes.has(schema_flag::is_varint) ? 1U : 0U) |
                             (n.attributes.has(schema_flag::is_short_float) ? 2U : 0U);
      put(n.children[k].node, v.parts[k], (own & 2) != 0 ? 0 : said != 0 ? said : types);
    }
    outer.swap(out_);
    if (n.attributes.has(schema_flag::is_evolvable)) varint(outer.size());
    out_.insert(out_.end(), outer.begin(), outer.end());
  }

  const model_schema& s_;
  byte_vector out_;
};

} // namespace evolution_lab
