// SPDX-License-Identifier: Apache-2.0
// Validates untrusted bytes as a description. Accepts only the bytes that the writer produces.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/schema/detail/bottom_up.hpp>
#include <ingot/schema/detail/description_writer.hpp>
#include <ingot/schema/detail/proto_shape.hpp>
#include <ingot/schema/detail/tag_key_search.hpp>
#include <ingot/schema/detail/walk.hpp>
#include <ingot/schema/fingerprint.hpp>
#include <ingot/schema/schema_node.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Reads and validates a description, in one pass over the bytes and three passes over the nodes.
/// Is not recursive, and checks every count against the remaining bytes before it allocates memory.
class description_reader {
public:
  description_reader(bytes_view bytes, std::vector<schema_node>& nodes) : bytes_(bytes), nodes_(nodes) {}

  [[nodiscard]] result<std::uint32_t> read() {
    std::uint32_t root = 0;
    if (!read_all(root)) return ingot::fail(why_);
    return root;
  }

  /// Returns the fingerprint of the described type, or 0 until all other bytes are validated.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }

private:
  static constexpr std::size_t nowhere = ~std::size_t{0};
  /// A part whose children are being read.
  struct begun {
    std::uint32_t node;
    std::size_t missing;
    std::size_t reach = nowhere;
  };

  bool fail(errc code, std::size_t at, std::string_view expected) {
    why_ = error{code, at}.with_expected(expected);
    return false;
  }
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
  bool byte(std::uint8_t& to) {
    if (left() == 0) return fail(errc::truncated, at_, "more of the description");
    to = std::to_integer<std::uint8_t>(bytes_[at_++]);
    return true;
  }
  bool word(std::uint64_t& to) {
    if (left() < 8) return fail(errc::truncated, at_, "eight bytes of a number");
    to = 0;
    for (unsigned shift = 0; shift < 64; shift += 8)
      to |= std::to_integer<std::uint64_t>(bytes_[at_++]) << shift;
    return true;
  }
  bool number(std::uint64_t& to) {
    const std::size_t from = at_;
    to = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::uint8_t next = 0;
      if (!byte(next)) return false;
      if (shift == 63 && next > 1) break;
      to |= std::uint64_t{next & 0x7FU} << shift;
      if (next < 0x80) {
        if (next == 0 && shift != 0)
          return fail(errc::not_canonical, from, "a number in as few bytes as it needs");
        return true;
      }
    }
    return fail(errc::out_of_range, from, "a number of at most 64 bits");
  }
  /// Reads the number of items that take at least `min_size` bytes each.
  bool count(std::size_t min_size, std::size_t& to) {
    const std::size_t from = at_;
    std::uint64_t n = 0;
    if (!number(n)) return false;
    if (n > left() / min_size) return fail(errc::bad_length, from, "no more parts than there are bytes for");
    to = static_cast<std::size_t>(n);
    return true;
  }
  /// Reads a name. `may_be_empty` is true for types and alternatives, whose names are optional.
  bool name(std::string& to, bool may_be_empty = false) {
    const std::size_t from = at_;
    std::size_t size = 0;
    if (!count(1, size)) return false;
    if (size == 0 && may_be_empty) return true;
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    if (!is_utf8(text)) return fail(errc::invalid_utf8, from, "a name in UTF-8");
    if (!is_plain_name(text)) // also if it is empty
      return fail(errc::invalid_value, from, "a name, without control characters");
    to = text;
    at_ += size;
    return true;
  }

  bool read_all(std::uint32_t& root) {
    if (bytes_.size() < description_magic.size() ||
        std::string_view(reinterpret_cast<const char*>(bytes_.data()), description_magic.size()) !=
            description_magic)
      return fail(errc::not_ingot, 0, "a description of a schema, which begins with \"ingS\"");
    if (bytes_.size() > max_description_bytes)
      return fail(errc::too_large, max_description_bytes, "a description of at most 2^24 bytes");
    if (bytes_.size() < description_head)
      return fail(errc::truncated, bytes_.size(), "the description's head");
    if (bytes_[4] != std::byte{description_version})
      return fail(errc::wrong_version, 4, "version 3 of descriptions");
    for (at_ = 5; at_ < 8; ++at_) {
      if (bytes_[at_] != std::byte{0}) return fail(errc::bad_padding, at_, "zeros after the version");
    }
    std::uint64_t id = 0;
    std::size_t shared = 0;
    if (!word(id) || !count(1, shared)) return false;
    for (std::size_t i = 0; i < shared; ++i) {
      open_.clear();
      const std::size_t from = at_;
      std::uint32_t node = 0;
      if (!part(node)) return false;
      const schema_kind kind = nodes_[node].attributes.kind;
      if (from_shared_ || (kind != schema_kind::record && kind != schema_kind::enumeration))
        return fail(errc::not_canonical, from, "a record or an enumeration as a shared part");
      shared_.push_back(node);
      reference_ends_.push_back(references_.size());
    }
    open_.clear();
    const std::size_t from = at_;
    shared_end_ = from;
    if (!part(root)) return false;
    reference_ends_.push_back(references_.size());
    const schema_kind kind = nodes_[root].attributes.kind;
    if (!from_shared_ && (kind == schema_kind::record || kind == schema_kind::enumeration))
      return fail(errc::not_canonical, from, "a reference to a shared part");
    if (left() != 0) return fail(errc::trailing_bytes, at_, "the end of the description");
    if (!shared_in_order() || !shared_once() || !has_finite_size() || !tag_keys_are_free()) return false;
    id_ = nodes_[root].id;
    return id_ == id || fail(errc::schema_mismatch, 8, "the schema_id of what is described");
  }

  /// Reads a part with everything in it, in one loop. Sets `from_shared_` if the part is only a
  /// reference to a shared part.
  bool part(std::uint32_t& whole) {
    stack_.clear();
    while (true) {
      std::uint32_t node = 0;
      std::size_t missing = 0;
      std::size_t reach = nowhere;
      if (stack_.size() >= max_description_depth)
        return fail(errc::too_deep, at_, "parts nested at most 128 deep");
      if (!begin(node, missing, reach)) return false;
      if (missing != 0) {
        stack_.push_back({node, missing});
        if (!member_of(stack_.back())) return false;
        continue;
      }
      if (!from_shared_ && !finish(node, reach, !stack_.empty())) return false;
      while (true) { // adds the node to its parent, which may then be complete, too
        if (stack_.empty()) {
          whole = node;
          return true;
        }
        begun& parent = stack_.back();
        nodes_[parent.node].children.back().node = node;
        parent.reach = std::min(parent.reach, reach);
        if (depths_[node] + 1U > max_description_depth)
          return fail(errc::too_deep, at_, "parts nested at most 128 deep");
        depths_[parent.node] = std::max(depths_[parent.node], static_cast<std::uint8_t>(depths_[node] + 1));
        if (--parent.missing != 0) {
          if (!member_of(parent)) return false;
          break;
        }
        node = parent.node;
        reach = parent.reach;
        from_shared_ = false;
        stack_.pop_back();
        if (!finish(node, reach, !stack_.empty())) return false;
      }
    }
  }
  /// Adds the next child and reads its name and annotations.
  bool member_of(const begun& parent) {
    schema_node& node = nodes_[parent.node];
    schema_child& child = node.children.emplace_back();
    if (node.attributes.kind == schema_kind::variant)
      return name(child.name, !node.attributes.has(schema_flag::names_tags));
    if (node.attributes.kind != schema_kind::record) return true;
    std::uint8_t bits = 0;
    if (!name(child.name) || !byte(bits)) return false;
    child.annotations = bits & ~unsigned{has_field_number | has_proto_form};
    if (child.has(schema_annotation::is_quantized) && !step(child.annotations)) return false;
    if (child.has(schema_annotation::is_unit_vector) && !unit_vector(child.annotations)) return false;
    if ((bits & has_field_number) != 0 && !field_number(child.field_number)) return false;
    return (bits & has_proto_form) == 0 || form(child.form);
  }
  bool field_number(std::uint32_t& to) {
    const std::size_t from = at_;
    std::uint64_t found = 0;
    if (!number(found)) return false;
    if (!is_field_number(found))
      return fail(errc::out_of_range, from, "a number that protobuf has for fields");
    to = static_cast<std::uint32_t>(found);
    return true;
  }
  bool form(proto_form& to) {
    std::uint8_t found = 0;
    if (!byte(found)) return false;
    if (!proto_form::is_byte(found)) return fail(errc::bad_padding, at_ - 1, "only annotations that exist");
    to = proto_form::from_byte(found);
    return true;
  }
  /// Reads the size in bytes of an encoded `unit_vector`; 0 means the default size.
  bool unit_vector(std::uint64_t& annotations) {
    const std::size_t from = at_;
    std::uint8_t bytes = 0;
    if (!byte(bytes)) return false;
    if (bytes == 1 || bytes > 8) return fail(errc::invalid_value, from, "from 2 to 8 bytes, or 0");
    annotations |= static_cast<std::uint64_t>(bytes) << 48;
    return true;
  }
  /// Reads the step of rounded floats: its units, and its number of digits after the point.
  bool step(std::uint64_t& annotations) {
    const std::size_t from = at_;
    std::uint64_t units = 0;
    std::uint8_t digits = 0;
    if (!number(units) || !byte(digits)) return false;
    if (units == 0 || units > 0xFFFFFFFF || digits > 9)
      return fail(errc::invalid_value, from, "a step that quantize can have");
    if (digits != 0 && units % 10 == 0)
      return fail(errc::not_canonical, from, "a step in as few digits as it needs");
    annotations |= units << 8 | static_cast<std::uint64_t>(digits) << 40;
    return true;
  }

  bool begin(std::uint32_t& index, std::size_t& missing, std::size_t& reach) {
    const std::size_t from = at_;
    std::uint8_t what = 0;
    if (!byte(what)) return false;
    from_shared_ = what == shared_part;
    if (from_shared_) {
      std::uint64_t n = 0;
      if (!number(n)) return false;
      if (n >= shared_.size()) return fail(errc::out_of_range, from, "a shared part in front of this one");
      references_.push_back(static_cast<std::uint32_t>(n));
      index = shared_[static_cast<std::size_t>(n)];
      return true;
    }
    if (what > static_cast<std::uint8_t>(schema_kind::document))
      return why_ = error{errc::bad_enum, from}.with_expected("a kind of part that exists").with_found(what),
             false;
    index = static_cast<std::uint32_t>(nodes_.size());
    schema_node& node = nodes_.emplace_back();
    depths_.push_back(1);
    starts_.push_back(from);
    schema_attributes& attributes = node.attributes;
    attributes.kind = static_cast<schema_kind>(what);
    if (attributes.kind == schema_kind::boolean || attributes.kind == schema_kind::byte) attributes.width = 1;
    if (kind_has_width(attributes.kind) && !byte(attributes.width)) return false;
    if (kind_has_flags(attributes.kind) && !byte(attributes.flags)) return false;
    const bool is_tagged = attributes.kind == schema_kind::variant && (attributes.flags & has_tag_key) != 0;
    if (is_tagged) attributes.flags ^= has_tag_key;
    if (!sound_bits(attributes))
      return fail(errc::invalid_value, from, "a width and flags that the kind has");
    if (is_tagged && !tag_key(node)) return false;
    const bool is_versioned =
        attributes.kind == schema_kind::record && attributes.has(schema_flag::is_versioned);
    if ((kind_has_extent(attributes.kind) || is_versioned) && !number(attributes.extent)) return false;
    if (is_versioned && attributes.extent > std::numeric_limits<std::uint32_t>::max())
      return fail(errc::out_of_range, from, "a version of at most 32 bits");
    if (attributes.kind == schema_kind::duration && !number(attributes.divisor)) return false;
    if (kind_has_type_name(attributes.kind) && !name(node.name, true)) return false;
    missing = kind_children(attributes.kind);
    if (kind_has_count(attributes.kind)) {
      const bool is_enumeration = attributes.kind == schema_kind::enumeration;
      const std::size_t min_size = is_enumeration                            ? 10
                                   : attributes.kind == schema_kind::record  ? 4
                                   : attributes.kind == schema_kind::variant ? 2
                                                                             : 1;
      if (!count(min_size, missing)) return false;
      if (is_enumeration) {
        const std::size_t all = std::exchange(missing, 0U);
        return enumerators(node, all);
      }
      if ((attributes.kind == schema_kind::variant && (missing < 1 || missing > 256)) ||
          (attributes.kind == schema_kind::expected && (missing < 1 || missing > 2)))
        return fail(errc::out_of_range, from, "as many alternatives as the kind may have");
    }
    if (attributes.kind == schema_kind::record) open_.push_back(index);
    if (attributes.kind == schema_kind::recursion) {
      if (attributes.extent >= open_.size())
        return fail(errc::out_of_range, from, "a record of the group that is being described");
      reach = open_.size() - 1 - static_cast<std::size_t>(attributes.extent);
      node.target = open_[reach];
    }
    return true;
  }
  bool tag_key(schema_node& node) {
    const std::size_t from = at_;
    if (!name(node.name)) return false;
    is_any_tagged_ = true;
    return node.name != "$version" ||
           fail(errc::invalid_value, from, "a tag_key other than \"$version\", the key of versions");
  }
  bool enumerators(schema_node& node, std::size_t all) {
    const unsigned unused = 64 - node.attributes.width * 8U;
    const bool is_signed = node.attributes.has(schema_flag::is_signed);
    const std::uint64_t turn = is_signed ? std::uint64_t{1} << 63 : 0;
    node.enumerators.reserve(all);
    std::vector<std::string_view> names;
    names.reserve(all);
    for (std::size_t i = 0; i < all; ++i) {
      const std::size_t from = at_;
      std::uint64_t value = 0;
      if (!word(value)) return false;
      const std::uint64_t cut = value << unused;
      const std::uint64_t held =
          is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(cut) >> unused) : cut >> unused;
      if (held != value) return fail(errc::out_of_range, from, "a value that the enumeration's width holds");
      if (i != 0 && (node.enumerators.back().value ^ turn) >= (value ^ turn))
        return fail(errc::not_canonical, from, "enumerators that ascend by value");
      schema_enumerator& each = node.enumerators.emplace_back();
      each.value = value;
      if (!name(each.name)) return false;
      names.emplace_back(reinterpret_cast<const char*>(bytes_.data()) + at_ - each.name.size(),
                         each.name.size());
    }
    // Sorts the names to find repeated names. Equal names are ordered by their positions.
    std::sort(names.begin(), names.end(), [](std::string_view a, std::string_view b) {
      const int order = a.compare(b);
      return order < 0 || (order == 0 && a.data() < b.data());
    });
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice == names.end()) return true;
    const auto at =
        static_cast<std::size_t>((twice + 1)->data() - reinterpret_cast<const char*>(bytes_.data()));
    return fail(errc::duplicate_key, at, "enumerators of different names");
  }
  /// Completes a node: checks its children, rejects a part that must be shared but is not, and
  /// computes the fingerprint.
  bool finish(std::uint32_t index, std::size_t& reach, bool is_inside) {
    schema_node& node = nodes_[index];
    const schema_attributes& attributes = node.attributes;
    const std::size_t from = starts_[index];
    const auto child = [&]() -> const schema_attributes& {
      return nodes_[node.children.front().node].attributes;
    };
    if (attributes.kind == schema_kind::duration) {
      constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      if (attributes.extent == 0 || attributes.divisor == 0 || attributes.extent > largest ||
          attributes.divisor > largest || std::gcd(attributes.extent, attributes.divisor) != 1)
        return fail(errc::not_canonical, from, "a period that is a reduced fraction");
      if (child().kind != schema_kind::integer && child().kind != schema_kind::floating)
        return fail(errc::type_mismatch, from, "a duration that counts in numbers");
    } else if (attributes.kind == schema_kind::time_point) {
      if (child().kind != schema_kind::duration)
        return fail(errc::type_mismatch, from, "a time point that counts a duration");
    } else if (attributes.kind == schema_kind::complex) {
      if (child().kind != schema_kind::floating)
        return fail(errc::type_mismatch, from, "a complex of floats");
    } else if (attributes.kind == schema_kind::record) {
      std::size_t position = open_.size();
      while (open_[--position] != index) {
      }
      if (reach >= position) { // no recursion in this record refers to an outer record
        if (is_inside)
          return fail(errc::not_canonical, from, "a reference to a record that is complete in itself");
        open_.resize(position);
        reach = nowhere;
      }
    }
    if (attributes.kind == schema_kind::variant && attributes.has(schema_flag::names_tags) &&
        repeats_name(node))
      return fail(errc::duplicate_key, from, "alternatives of different names");
    if (attributes.kind == schema_kind::record && repeats_field_number(node))
      return fail(errc::duplicate_key, from, "members of different field numbers");
    if (repeats_version_key(nodes_, node))
      return fail(errc::duplicate_key, from, "no member $version beside the version, whose key it is");
    if (attributes.kind == schema_kind::enumeration && is_inside)
      return fail(errc::not_canonical, from, "a reference to an enumeration");
    fingerprint hash;
    hash.header(attributes, node.children.size() + node.enumerators.size());
    for (const schema_enumerator& each : node.enumerators) hash.enumerator(each.value, each.name);
    for (const schema_child& each : node.children) {
      if (attributes.kind == schema_kind::record)
        hash.member(each.name, each.annotations, nodes_[each.node].id);
      else if (attributes.kind == schema_kind::variant) hash.alternative(each.name, nodes_[each.node].id);
      else hash.word(nodes_[each.node].id);
    }
    node.id = hash.finish();
    return true;
  }

  static bool repeats_name(const schema_node& variant) {
    std::vector<std::string_view> names;
    names.reserve(variant.children.size());
    for (const schema_child& each : variant.children) names.emplace_back(each.name);
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
  }

  /// Checks the order of the shared parts: a walk from the root must complete them in the order in
  /// which they are stored.
  bool shared_in_order() {
    std::vector<std::pair<std::size_t, std::size_t>>
        path; // pairs: number of a part (highest: the root), index of its next reference
    std::size_t complete = 0;
    const auto first_reference = [&](std::size_t i) { return i == 0 ? 0 : reference_ends_[i - 1]; };
    path.emplace_back(shared_.size(), first_reference(shared_.size()));
    while (!path.empty()) {
      auto& [index, next] = path.back();
      if (next != reference_ends_[index]) {
        const std::size_t to = references_[next++];
        if (to >= complete) path.emplace_back(to, first_reference(to));
      } else {
        if (index != complete) // a part with a lower number comes later, or is not referred to
          return fail(errc::not_canonical, starts_[shared_[complete]],
                      "shared parts in the order in which they are complete, each referred to");
        ++complete;
        path.pop_back();
      }
    }
    return true;
  }
  bool shared_once() {
    // Equal fingerprints are not enough: annotations for protobuf may differ. So compare bytes.
    const char* const data = reinterpret_cast<const char*>(bytes_.data());
    std::vector<std::pair<std::uint64_t, std::string_view>> parts;
    parts.reserve(shared_.size());
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const std::size_t from = starts_[shared_[i]];
      const std::size_t end = i + 1 < shared_.size() ? starts_[shared_[i + 1]] : shared_end_;
      parts.emplace_back(nodes_[shared_[i]].id, std::string_view(data + from, end - from));
    }
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
      return a != b ? a < b : a.second.data() < b.second.data();
    });
    const auto twice = std::adjacent_find(parts.begin(), parts.end());
    if (twice == parts.end()) return true;
    const auto at = static_cast<std::size_t>((twice + 1)->second.data() - data);
    return fail(errc::not_canonical, at, "equal parts shared once");
  }
  /// Checks that records contain themselves only through a container or an optional.
  bool has_finite_size() {
    const auto holds_elsewhere = [](schema_kind kind) {
      return kind_children(kind) != 0 && kind != schema_kind::duration && kind != schema_kind::time_point &&
             kind != schema_kind::complex && kind != schema_kind::array;
    };
    const std::vector<std::uint32_t> finite = bottom_up(nodes_.size(), [&](auto&& f) {
      for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].attributes.kind == schema_kind::recursion) f(i, nodes_[i].target);
        if (holds_elsewhere(nodes_[i].attributes.kind)) continue;
        for (const schema_child& child : nodes_[i].children) f(i, child.node);
      }
    });
    if (finite.size() == nodes_.size()) return true;
    std::vector<bool> is_finite(nodes_.size());
    for (const std::uint32_t node : finite) is_finite[node] = true;
    std::uint32_t endless = 0;
    while (is_finite[endless]) ++endless;
    return fail(errc::invalid_value, starts_[endless], "a record that does not contain itself directly");
  }

  /// Checks that no object in JSON would have two values under the `tag_key` of a variant.
  bool tag_keys_are_free() {
    const tag_key_fault found = is_any_tagged_ ? find_tag_key_fault(nodes_) : tag_key_fault{};
    if (found.variant == tag_key_search::none) return true;
    const std::size_t at = starts_[found.variant];
    return found.is_taken ? fail(errc::duplicate_key, at, "a tag_key that no member of an alternative has")
                          : fail(errc::type_mismatch, at, "records as alternatives, because of the tag_key");
  }

  bytes_view bytes_;
  std::vector<schema_node>& nodes_;
  std::size_t at_ = 0;
  error why_;
  std::uint64_t id_ = 0;
  bool from_shared_ = false;
  bool is_any_tagged_ = false; ///< a variant has a `tag_key`
  std::vector<begun> stack_;
  /// records of the current part that are open; `schema_walk` defines open records
  std::vector<std::uint32_t> open_;
  std::vector<std::uint8_t> depths_;        ///< for each node: levels from the node down
  std::vector<std::size_t> starts_;         ///< for each node: the position of its description
  std::vector<std::uint32_t> shared_;       ///< nodes of the shared parts
  std::size_t shared_end_ = 0;              ///< the first byte after the shared parts
  std::vector<std::uint32_t> references_;   ///< for each reference: the number of its shared part
  std::vector<std::size_t> reference_ends_; ///< for each shared part: end in `references_`
};

}}} // namespace ingot::INGOT_V1::detail
