// SPDX-License-Identifier: Apache-2.0
// Layouts of live blocks for programs that have a schema but no C++ type. The result is the layout
// of the types that a program on this machine would declare for the schema:
//
//   text of 1, 2, 4 bytes a character   string, u16string, u32string
//   sequence                            vector
//   map, set                            map, set
//   map with equal keys                 multimap
//   unordered map, set                  hash_map, hash_set
//   optional, pointer                   optional; box if it would contain itself
//   variant                             variant
//   record                              a struct of its members in their order
//   tuple of two                        std::pair
//   value of any kind                   live_value
//
// If a program declares such a type `T`, `live<T>` opens blocks of this layout, and blocks of
// `live<T>` have this layout. Equal parts of the schema become one type.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/layout_plan.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// Width of offsets, which limits the size of blocks.
enum class block_width : std::uint8_t {
  narrow, ///< 32 bits: `ingot::live`
  wide,   ///< 64 bits: `ingot::wide::live`
};

namespace detail::dyn {

/// Writes the description of a planned layout.
class planned_description {
public:
  planned_description(const layout_plan& of, const schema& described)
      : plan_(of), numbers_(of.types().size(), none), lacks_protobuf_(described.lacks_protobuf()) {
    for (const schema_node& each : described.nodes()) {
      for (const schema_child& child : each.children)
        lacks_protobuf_ = lacks_protobuf_ || child.field_number != 0 || child.form != proto_form();
    }
  }

  /// Numbers the types in the order in which a walk meets them. Returns false if blocks cannot hold
  /// one of the types.
  [[nodiscard]] bool run() {
    struct turn {
      std::uint32_t type;
      std::uint32_t next;
    };
    std::vector<turn> stack;
    const auto enter = [&](std::uint32_t type) {
      if (numbers_[type] != none) return true;
      numbers_[type] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(type);
      stack.push_back({type, 0});
      return plan_.types()[type].kind != dynamic_kind::absent;
    };
    bool well = enter(plan_.root());
    while (well && !stack.empty()) {
      turn& at = stack.back();
      const planned_type& of = plan_.types()[at.type];
      if (at.next == of.parts.size()) stack.pop_back();
      else well = enter(of.parts[at.next++]);
    }
    if (well) return true;
    why_ = error{errc::unsupported}.with_expected(
        wanted_for(plan_.node(plan_.types()[stack.back().type]).attributes));
    stack.pop_back();
    for (; !stack.empty(); stack.pop_back()) {
      const planned_type& of = plan_.types()[stack.back().type];
      if (of.kind == dynamic_kind::record)
        why_.in_member(plan_.node(of).children[stack.back().next - 1].name);
    }
    return false;
  }
  [[nodiscard]] const error& why() const noexcept { return why_; }

  [[nodiscard]] result<std::vector<std::byte>> write(std::uint64_t schema_id, std::uint64_t layout_id) const {
    layout_bytes all;
    for (const char c : layout_magic) all.byte(static_cast<std::uint8_t>(c));
    all.byte(layout_version);
    all.byte(static_cast<std::uint8_t>((little_endian ? 0 : layout_is_big_endian) |
                                       (plan_.offset() == 8 ? layout_is_wide : 0) |
                                       (lacks_protobuf_ ? layout_lacks_protobuf : 0)));
    all.byte(0);
    all.byte(0);
    all.word(layout_id);
    all.word(schema_id);
    all.number(order_.size());
    for (const std::uint32_t each : order_) {
      write(all, plan_.types()[each]);
      if (all.bytes().size() > max_bytes)
        return fail(error{errc::too_large}.with_expected("a description of at most 1 MiB"));
    }
    all.word(seal_of(all.bytes()));
    return all.bytes();
  }

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::size_t max_bytes = std::size_t{1} << 20;

  [[nodiscard]] static std::string_view wanted_for(const schema_attributes& of) noexcept {
    switch (of.kind) {
    case schema_kind::path: return "a string: live blocks can't hold paths";
    case schema_kind::expected: return "a variant: live blocks can't hold std::expected";
    case schema_kind::tuple: return "a record, or a tuple of two: live blocks can't hold other tuples";
    default: return "a map, multimap or set, or a hash table without equal keys";
    }
  }
  void write(layout_bytes& to, const planned_type& of) const {
    const bool is_number = of.kind == dynamic_kind::integer || of.kind == dynamic_kind::enumeration;
    const bool has_sign = is_number && plan_.node(of).attributes.has(schema_flag::is_signed);
    const bool is_enum = of.kind == dynamic_kind::enumeration;
    const bool is_open_enum = is_enum && plan_.node(of).attributes.has(schema_flag::is_open);
    const bool is_flags_enum = is_enum && plan_.node(of).attributes.has(schema_flag::is_flags);
    const bool versioned =
        of.kind == dynamic_kind::record && plan_.node(of).attributes.has(schema_flag::is_versioned);
    const bool tags =
        of.kind == dynamic_kind::variant && plan_.node(of).attributes.has(schema_flag::names_tags);
    const bool tagged = of.kind == dynamic_kind::variant && !plan_.node(of).name.empty();
    const bool models = of.kind == dynamic_kind::optional && of.holds_offsets;
    to.byte(static_cast<std::uint8_t>(of.kind));
    to.byte(static_cast<std::uint8_t>((has_sign ? is_signed : 0) | (is_open_enum ? is_open : 0) |
                                      (is_flags_enum ? is_flags : 0) | (of.is_empty ? is_empty : 0) |
                                      (models ? has_model : 0) | (versioned ? has_version : 0) |
                                      (tags ? has_tags : 0) | (tagged ? has_tag_key : 0)));
    to.number(of.size);
    to.byte(static_cast<std::uint8_t>(of.alignment));
    switch (of.kind) {
    case dynamic_kind::enumeration: {
      sorted_enumerators all(has_sign);
      for (const schema_enumerator& each : plan_.node(of).enumerators) all.add(each.value, each.name);
      to.text({});
      all.describe(to);
      return;
    }
    case dynamic_kind::duration:
      write_parts(to, of);
      to.number(plan_.node(of).attributes.extent);
      to.number(plan_.node(of).attributes.divisor);
      return;
    case dynamic_kind::bitset: to.number(plan_.node(of).attributes.extent); return;
    case dynamic_kind::array: to.number(plan_.node(of).attributes.extent); break;
    case dynamic_kind::pair: to.number(of.offsets[1]); break;
    case dynamic_kind::record: return write_record(to, of, versioned);
    case dynamic_kind::variant:
      if (tagged) to.text(plan_.node(of).name);
      to.number(of.parts.size());
      for (std::size_t i = 0; i < of.parts.size(); ++i) {
        to.text(plan_.node(of).children[i].name);
        to.number(numbers_[of.parts[i]]);
      }
      return;
    default: break;
    }
    write_parts(to, of);
    if (models) write_model(to, plan_.types()[of.parts[0]]);
  }
  void write_parts(layout_bytes& to, const planned_type& of) const {
    for (const std::uint32_t each : of.parts) to.number(numbers_[each]);
  }
  void write_record(layout_bytes& to, const planned_type& of, bool versioned) const {
    const evolving_node& from = plan_.node(of);
    to.text({}); // equal parts of the schema become one type, even if their types have two names
    if (versioned) to.number(from.attributes.extent);
    to.number(of.parts.size());
    for (std::size_t i = 0; i < of.parts.size(); ++i) {
      to.text(from.children[i].name);
      to.number(of.offsets[i]);
      to.number(numbers_[of.parts[i]]);
      to.byte(0); // schemas don't store limits
    }
  }
  void write_model(layout_bytes& to, const planned_type& value) const {
    to.number(value.size);
    if (value.size > max_bytes) { // too long for a description: `write` returns an error
      const std::vector<std::byte> much(max_bytes + 1);
      return to.raw(much.data(), much.size());
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(value.size));
    leave_empty(value, bytes.data());
    to.raw(bytes.data(), bytes.size());
  }
  /// Writes an object whose values are all empty. All bytes are zero, except for the last byte of
  /// each text, which stores how many more characters fit. Recurses to the nesting depth of
  /// objects.
  void leave_empty(const planned_type& of, std::byte* at) const {
    if (!of.holds_offsets) return;
    const auto inner = [&](std::size_t i) -> const planned_type& { return plan_.types()[of.parts[i]]; };
    const unsigned offset = plan_.offset();
    switch (of.kind) {
    case dynamic_kind::text:
      at[4 * offset - 1] = static_cast<std::byte>((3 * offset - 1) / inner(0).size);
      return;
    case dynamic_kind::optional: return leave_empty(inner(0), at);
    case dynamic_kind::variant: // holds its first alternative
      return leave_empty(inner(0), at + align_up(offset + 1, of.alignment));
    case dynamic_kind::array:
      for (std::uint64_t done = 0; done < of.size; done += inner(0).size) leave_empty(inner(0), at + done);
      return;
    case dynamic_kind::pair:
    case dynamic_kind::record:
      for (std::size_t i = 0; i < of.parts.size(); ++i) leave_empty(inner(i), at + of.offsets[i]);
      return;
    default: return;
    }
  }

  const layout_plan& plan_;
  std::vector<std::uint32_t> numbers_; ///< for each type: its number in the description
  std::vector<std::uint32_t> order_;
  bool lacks_protobuf_;
  error why_{errc::unsupported};
};

/// Computes the `layout_id` from the types in a description; returns 0 if the description is
/// invalid.
[[nodiscard]] inline std::uint64_t id_of_description(bytes_view description) {
  tables read;
  read.own.reset(new (std::nothrow) std::byte[description.size() + 1]);
  if (read.own == nullptr) return 0;
  std::copy(description.begin(), description.end(), read.own.get());
  read.bytes = {read.own.get(), description.size()};
  layout_parser parser(read);
  const bool done = parser.parse();
  return done || parser.computed_id() != 0 ? parser.computed_id() : 0;
}

} // namespace detail::dyn

/// Returns the layout of the types that a program would declare for the schema, by the table at the
/// top of this file. The `layout_id` and `schema_id` equal those of such a type. The layout lacks
/// three things: the names of the types, because equal parts become one type; limits; and
/// annotations for protobuf.
///
/// O(n log n) for n parts, times the depth at which two different parts first differ; at most 2^27
/// steps.
///
/// Errors: `unsupported`, with the path, for what blocks cannot hold (paths, std::expected, tuples
/// other than pairs, hash tables and sets with equal keys, empty arrays of containers);
/// `schema_mismatch` for an empty schema; `no_memory`; those of `dynamic_layout::open`, such as
/// `too_large`, `too_deep`, and `type_mismatch` for keys without an order.
[[nodiscard]] inline result<dynamic_layout> layout_for(const schema& described,
                                                       block_width width = block_width::narrow) {
  if (described.empty())
    return fail(error{errc::schema_mismatch}.with_expected("a schema that is not empty"));
  return detail::catch_bad_alloc([&]() -> result<dynamic_layout> {
    detail::dyn::layout_plan plan(described, width == block_width::wide ? 8 : 4);
    if (!plan.run()) return fail(plan.why());
    detail::dyn::planned_description description(plan, described);
    if (!description.run()) return fail(description.why());
    // The id is not known yet. The reader of descriptions computes it from a draft with the id 0.
    const auto draft = description.write(described.id(), 0);
    if (!draft) return fail(draft.error());
    const auto encoded = description.write(described.id(), detail::dyn::id_of_description(*draft));
    if (!encoded) return fail(encoded.error());
    return dynamic_layout::open(*encoded);
  });
}

}} // namespace ingot::INGOT_V1
