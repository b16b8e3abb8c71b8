// SPDX-License-Identifier: Apache-2.0
// The form of values in documents: a second implementation of the rules of
// docs/document-reference.md.
#pragma once

#include "versions/document_node.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace versions {

class written_model : public part_model {
public:
  explicit written_model(const known_type& old) : old_(old) {}
  [[nodiscard]] node write(const value& v) { return write(old_.schema.root, v); }

private:
  static std::string key_text(const schema_node& key, const value& v) {
    if (key.attributes.kind == schema_kind::string) return v.bytes;
    for (const auto& each : key.enumerators) {
      if (each.value == v.bits) return each.name;
    }
    return key.attributes.has(schema_flag::is_signed) ? std::to_string(static_cast<std::int64_t>(v.bits))
                                                      : std::to_string(v.bits);
  }
  static node text(std::string_view t) {
    node n;
    n.kind = node::is::text;
    n.text = t;
    return n;
  }
  static node tagged(const std::string& tag, node held) {
    node n;
    n.kind = node::is::object;
    n.members.emplace(tag, std::move(held));
    return n;
  }
  node write(std::uint32_t i, const value& v) {
    const model_schema& s = old_.schema;
    const schema_node& from = s.nodes[i];
    const part_facts& attributes = old_.attributes[i];
    node n;
    const auto child = [&](std::size_t k) { return from.children[k].node; };
    const auto elements = [&] {
      n.kind = node::is::array;
      for (const value& each : v.parts) n.elements.push_back(write(child(0), each));
    };
    switch (from.attributes.kind) {
    case schema_kind::boolean:
      n.kind = node::is::boolean;
      n.bits = v.bits;
      return n;
    case schema_kind::integer: return integer(v.bits, from.attributes.has(schema_flag::is_signed));
    case schema_kind::byte: return integer(v.bits, false);
    case schema_kind::character:
      if (from.attributes.width == 1 && std::is_signed_v<char>)
        return integer(static_cast<std::uint64_t>(static_cast<std::int64_t>(v.bits ^ 0x80) - 0x80), true);
      return integer(v.bits, false);
    case schema_kind::floating:
      n.kind = node::is::real;
      n.bits = from.attributes.width == 4 ? widened(v.bits) : v.bits;
      return n;
    case schema_kind::enumeration:
      for (const auto& each : from.enumerators) {
        if (each.value == v.bits) return text(each.name);
      }
      return integer(v.bits, from.attributes.has(schema_flag::is_signed));
    case schema_kind::bitset: {
      std::string digits;
      for (std::uint64_t k = from.attributes.extent; k-- > 0;)
        digits += (static_cast<unsigned char>(v.bytes[static_cast<std::size_t>(k / 8)]) >> k % 8 & 1) != 0
                      ? '1'
                      : '0';
      return text(digits);
    }
    case schema_kind::string:
    case schema_kind::path: return text(v.bytes);
    case schema_kind::duration:
    case schema_kind::time_point: return write(child(0), v.parts[0]);
    case schema_kind::array:
      if (attributes.is_text) {
        std::string t;
        for (const value& each : v.parts) t += static_cast<char>(each.bits);
        while (!t.empty() && t.back() == '\0') t.pop_back();
        return text(t);
      }
      elements();
      return n;
    case schema_kind::sequence:
      if (attributes.is_bytes) {
        n.kind = node::is::binary;
        for (const value& each : v.parts) n.text += static_cast<char>(each.bits);
        return n;
      }
      elements();
      return n;
    case schema_kind::complex: elements(); return n;
    case schema_kind::set:
    case schema_kind::unordered_set:
      n.kind = node::is::array;
      for (const value& each : v.parts) n.elements.push_back(write(child(0), each.parts[0]));
      return n;
    case schema_kind::map:
    case schema_kind::unordered_map: {
      const bool as_object = is_object(from, s.nodes[child(0)]);
      n.kind = as_object ? node::is::object : node::is::array;
      for (const value& each : v.parts) {
        node mapped = write(child(1), each.parts[1]);
        if (as_object) {
          n.members.emplace(key_text(s.nodes[child(0)], each.parts[0]), std::move(mapped));
          continue;
        }
        node entry;
        entry.kind = node::is::array;
        entry.elements.push_back(write(child(0), each.parts[0]));
        entry.elements.push_back(std::move(mapped));
        n.elements.push_back(std::move(entry));
      }
      return n;
    }
    case schema_kind::optional:
      if (v.bits == 0) return n;
      if (!is_optional(s, child(0))) return write(child(0), v.parts[0]);
      tell(reason::twice_optional);
      elements();
      return n;
    case schema_kind::variant:
      return tagged(tag_of(from, v.bits), write(child(static_cast<std::size_t>(v.bits)), v.parts[0]));
    case schema_kind::expected: {
      const bool is_void = from.children.size() == 1;
      if (v.parts.empty()) return tagged("value", node{});
      return tagged(is_void || v.bits == 1 ? "error" : "value",
                    write(child(is_void ? 0 : static_cast<std::size_t>(v.bits)), v.parts[0]));
    }
    case schema_kind::tuple:
      n.kind = node::is::array;
      for (std::size_t k = 0; k < v.parts.size(); ++k) n.elements.push_back(write(child(k), v.parts[k]));
      return n;
    default:
      n.kind = node::is::object;
      for (std::size_t k = 0; k < v.parts.size(); ++k) {
        const bool is_nothing = is_optional(s, child(k)) && v.parts[k].bits == 0;
        if (is_nothing && !attributes.members[k].default_value) n.lacks_nothings = true;
        else n.members.emplace(from.children[k].name, write(child(k), v.parts[k]));
      }
      if (attributes.version != 0 && !attributes.tells_version) tell(reason::untold_version);
      return n;
    }
  }

  const known_type& old_;
};

} // namespace versions
