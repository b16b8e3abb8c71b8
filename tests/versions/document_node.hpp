// SPDX-License-Identifier: Apache-2.0
// Values of documents in the model: plain structs and numbers as bits, without code of the library.
#pragma once

#include "versions/parts.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace versions {

/// Reasons why a document and packed bytes may give different results although the schemas are
/// compatible: a document contains less information than bytes with their schema.
enum class reason : unsigned {
  former_enumerator = 1, ///< an enumerator is stored by a former name
  nothing_in_common = 2, ///< no stored member is known: members without a value are not stored
  /// a member without a value is not stored, like a member that the old version lacks
  nothing_is_absent = 4,
  twice_optional = 8,         ///< an optional in an optional has a form of its own for null
  untold_version = 16,        ///< an object does not contain its version
  quiet_nan = 32,             ///< floats become doubles and back
  text_of_array = 64,         ///< an array of characters is text, an array of anything else is not
  alternative_by_index = 128, ///< in a variant without names, or that got or lost names
};
constexpr std::size_t reason_count = 8;

struct node {
  enum class is : std::uint8_t { null, boolean, integer, real, text, binary, array, object };
  is kind = is::null;
  bool is_negative = false;    ///< for integers, whose `bits` are 64 bits in two's complement
  bool lacks_nothings = false; ///< a member without a value was left out
  std::uint64_t bits = 0;
  std::string text;
  std::vector<node> elements;
  std::map<std::string, node> members;
};

/// Code that writing and reading share.
class part_model {
public:
  /// Returns the tag of an alternative: its name if no other alternative has the same name,
  /// otherwise its index.
  [[nodiscard]] static std::string tag_of(const schema_node& variant, std::uint64_t index) {
    const std::string& name = variant.children[static_cast<std::size_t>(index)].name;
    std::size_t count = 0;
    for (const auto& each : variant.children) count += each.name == name ? 1 : 0;
    return name.empty() || count != 1 ? std::to_string(index) : name;
  }
  [[nodiscard]] unsigned reasons() const { return reasons_; }

protected:
  void tell(reason why) { reasons_ |= static_cast<unsigned>(why); }
  static bool is_optional(const model_schema& s, std::uint32_t i) {
    return s.nodes[i].attributes.kind == schema_kind::optional;
  }
  /// Returns true if a map with such keys is an object.
  static bool is_object(const schema_node& map, const schema_node& key) {
    const auto kind = key.attributes.kind;
    return !map.attributes.has(schema_flag::is_multi) &&
           (kind == schema_kind::string || kind == schema_kind::integer || kind == schema_kind::enumeration);
  }

  static node integer(std::uint64_t bits, bool is_signed) {
    node n;
    n.kind = node::is::integer;
    n.bits = bits;
    n.is_negative = is_signed && bits >> 63 != 0;
    return n;
  }
  static bool fits(const node& n, unsigned width, bool is_signed) {
    if (n.is_negative)
      return is_signed &&
             static_cast<std::int64_t>(n.bits) >= (width == 8 ? std::numeric_limits<std::int64_t>::min()
                                                              : -(std::int64_t{1} << (8 * width - 1)));
    const unsigned digits = 8 * width - (is_signed ? 1 : 0);
    return digits == 64 || n.bits >> digits == 0;
  }
  static constexpr std::uint64_t quiet = std::uint64_t{1} << 51;
  /// Converts the bits of a float to the bits of a double.
  std::uint64_t widened(std::uint64_t bits) {
    const std::uint64_t sign = bits >> 31 << 63;
    const std::uint64_t exponent = bits >> 23 & 0xFF;
    std::uint64_t fraction = bits & 0x7FFFFF;
    if (exponent == 0xFF) {
      if (fraction != 0 && (fraction & 0x400000) == 0) tell(reason::quiet_nan);
      return sign | std::uint64_t{0x7FF} << 52 | fraction << 29 | (fraction != 0 ? quiet : 0);
    }
    if (exponent != 0) return sign | (exponent + 896) << 52 | fraction << 29;
    if (fraction == 0) return sign;
    std::uint64_t power = 897;
    for (; (fraction & 0x800000) == 0; fraction <<= 1) --power;
    return sign | power << 52 | (fraction & 0x7FFFFF) << 29;
  }
  std::optional<std::uint64_t> narrowed(std::uint64_t bits) {
    const double d = std::bit_cast<double>(bits);
    const std::uint64_t fraction = bits << 12 >> 12;
    if ((bits >> 52 & 0x7FF) == 0x7FF) {
      if (fraction != 0 && (fraction & quiet) == 0) tell(reason::quiet_nan);
      return bits >> 63 << 31 | std::uint64_t{0xFF} << 23 | fraction >> 29 | (fraction != 0 ? 0x400000 : 0);
    }
    if (d >= 3.4028235677973366e38 || d <= -3.4028235677973366e38)
      return {}; // half a step beyond the largest float
    return std::bit_cast<std::uint32_t>(static_cast<float>(d));
  }

  unsigned reasons_ = 0;
};

} // namespace versions
