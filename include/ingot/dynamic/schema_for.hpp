// SPDX-License-Identifier: Apache-2.0
// Derives the schema of a type from the layout of its live blocks, for programs without the C++
// type. With the schema, blocks are compared, printed and converted like messages. `layout_for` is
// the reverse operation.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/graph.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

/// Describes the types of a layout as `schema_walk` describes C++ types. The fingerprints are
/// equal.
class layout_describer {
public:
  explicit layout_describer(const tables& in) : in_(in), known_(in.types.size()) {}

  [[nodiscard]] result<schema> run() {
    outcome whole;
    if (!describe(0, 1, whole)) return fail(why_);
    if (whole.height > max_description_depth) return fail(too_deep());
    if (written_ + whole.bytes > max_bytes) return fail(too_long());
    std::string text = description_writer(nodes_).write(whole.node);
    const auto bytes = std::as_bytes(std::span(text));
    // The fingerprint is not known yet. The reader of descriptions computes it from the contents.
    std::vector<schema_node> read;
    description_reader reader(bytes, read);
    const auto done = reader.read();
    if (!done && reader.id() == 0) return fail(error(done.error()).with_offset(0));
    store_le(reinterpret_cast<std::byte*>(text.data()) + 8, reader.id());
    auto description = read_schema(bytes);
    if (!description) return fail(error(description.error()).with_offset(0));
    if (in_.lacks_protobuf) schema_marks::lacks_protobuf(*description);
    return description;
  }

private:
  static constexpr std::uint64_t max_bytes = std::uint64_t{1} << 20;
  static constexpr std::size_t max_part_count = std::size_t{1} << 18;
  static constexpr std::size_t max_steps = std::size_t{1} << 24;
  static constexpr std::size_t nowhere = ~std::size_t{0};

  struct outcome {
    std::uint32_t node = 0;
    /// Index in `open_` of the outermost open record to which a recursion inside the part refers.
    std::size_t reach = nowhere;
    std::uint64_t bytes = 0; ///< size of the part's description inside that of its holder
    unsigned height = 1;     ///< maximum depth of nested parts
    bool in_circle = false;  ///< contains a recursion, or a record of a mutually recursive group
  };
  /// State of a type.
  struct memory {
    bool is_known = false; ///< true if `as` is the description of the type
    outcome as;
    std::size_t open = nowhere; ///< index in `open_` of a record that is being described
    std::uint32_t node = 0;     ///< node of its description
    std::size_t group = 0;      ///< record: index in `groups_` of the first record of its group
    std::size_t group_end = 0;
  };

  [[nodiscard]] static error too_deep() {
    return error{errc::too_deep}.with_expected("types nested at most 128 deep");
  }
  [[nodiscard]] static error too_long() {
    return error{errc::too_large}.with_expected("a schema whose description has at most 1 MiB");
  }
  bool reject(const error& err) {
    why_ = err;
    return false;
  }

  /// Describes a type. Recurses to the nesting depth of types, at most 128.
  [[nodiscard]] bool describe(std::uint32_t index, unsigned depth, outcome& to) {
    if (depth > max_description_depth) return reject(too_deep());
    memory& known = known_[index];
    if (known.open != nowhere) return recursion(known, to);
    // `any_open` adds its steps to `steps_`, and the check below limits the sum. The computation of
    // `layout_id` takes as many steps.
    if (known.is_known && !any_open(known)) {
      to = known.as;
      return true;
    }
    if (nodes_.size() >= max_part_count || steps_ > max_steps) return reject(too_long());
    const type& of = in_.types[index];
    to = {static_cast<std::uint32_t>(nodes_.size())};
    nodes_.emplace_back().attributes = schema_facts_of(in_, of);
    // maximum size of kind, width, flags, numbers and texts
    to.bytes = 24 + of.name.size() + of.tag_key.size();
    // Only variants have a tag_key. Only records and enumerations have a name.
    nodes_.back().name = of.kind == dynamic_kind::variant ? of.tag_key : of.name;
    if (is_record(of.kind)) return record(index, depth, to);
    if (!parts(index, depth, to)) return false;
    if (of.kind == dynamic_kind::enumeration && !share(to)) return false;
    // Only descriptions without a reference to an open record are reused. At another position of
    // the schema, other records are open, and other descriptions would be needed.
    if (to.reach == nowhere && !to.in_circle) {
      known.as = to;
      known.is_known = true;
    }
    return true;
  }
  [[nodiscard]] bool recursion(const memory& meant, outcome& to) {
    to = {static_cast<std::uint32_t>(nodes_.size()), meant.open, 11, 1, true};
    schema_node& node = nodes_.emplace_back();
    node.attributes = {schema_kind::recursion, 0, 0, open_.size() - 1 - meant.open, 0};
    node.target = meant.node;
    return true;
  }
  [[nodiscard]] bool record(std::uint32_t index, unsigned depth, outcome& to) {
    const std::size_t position = open_.size();
    open_.push_back(index);
    known_[index].open = position;
    known_[index].node = to.node;
    if (!parts(index, depth, to)) return false;
    // The record stays open, because its description is part of the outer record to which it
    // refers.
    if (to.reach < position) return true;
    memory& known = known_[index];
    known.group = groups_.size();
    groups_.insert(groups_.end(), open_.begin() + static_cast<std::ptrdiff_t>(position) + 1, open_.end());
    known.group_end = groups_.size();
    for (std::size_t i = position; i < open_.size(); ++i) known_[open_[i]].open = nowhere;
    open_.resize(position);
    if (!share(to)) return false;
    to.reach = nowhere;
    to.in_circle = known.group != known.group_end;
    known.as = to;
    known.is_known = true;
    return true;
  }
  /// Counts the bytes of a part that the description contains only once. Parts that hold this part
  /// contain a number for it instead of these bytes.
  [[nodiscard]] bool share(outcome& of) {
    // Checks the total after each part, not at the end, to limit the time: a group of mutually
    // recursive records is described again for each path that leads into the group.
    written_ += of.bytes;
    of.bytes = 6;
    return written_ <= max_bytes || reject(too_long());
  }
  [[nodiscard]] bool any_open(const memory& known) {
    steps_ += known.group_end - known.group;
    for (std::size_t i = known.group; i < known.group_end; ++i) {
      if (known_[groups_[i]].open != nowhere) return true;
    }
    return false;
  }

  [[nodiscard]] bool parts(std::uint32_t index, unsigned depth, outcome& to) {
    const type& of = in_.types[index];
    switch (of.kind) {
    case dynamic_kind::enumeration:
      for (const enumerator& each : in_.enumerators_of(of)) {
        nodes_[to.node].enumerators.push_back({std::string(each.name), each.value});
        to.bytes += 10 + each.name.size();
      }
      return to.bytes <= max_bytes || reject(too_long());
    case dynamic_kind::text: // its description stores the width of characters
    case dynamic_kind::value: return true;
    case dynamic_kind::complex: {
      nodes_[to.node].children.push_back({{}, 0, static_cast<std::uint32_t>(nodes_.size()), 0});
      nodes_.emplace_back().attributes = {schema_kind::floating,
                                          static_cast<std::uint8_t>(of.size / 2 & 0xFF)};
      to.height = 2;
      return true;
    }
    default: break;
    }
    // The third part of a hash map is the pair type of its entries, which schemas don't have.
    const std::uint32_t count = of.kind == dynamic_kind::hash_map ? 2 : of.parts;
    for (std::uint32_t k = 0; k < count; ++k) {
      const part& one = in_.parts[of.first + k];
      outcome inner;
      if (!describe(one.type, depth + 1, inner)) return false;
      nodes_[to.node].children.push_back(
          {has_named_parts(of.kind) ? std::string(one.name) : std::string(), 0, inner.node, 0});
      to.reach = std::min(to.reach, inner.reach);
      to.height = std::max(to.height, inner.height + 1);
      to.in_circle = to.in_circle || inner.in_circle;
      to.bytes += inner.bytes + (has_named_parts(of.kind) ? one.name.size() + 4 : 0);
      if (to.bytes > max_bytes) return reject(too_long());
    }
    return true;
  }

  const tables& in_;
  std::vector<memory> known_; ///< state of each type
  std::vector<schema_node> nodes_;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> groups_;
  std::uint64_t written_ = 0; ///< total size of the parts that are written once
  std::size_t steps_ = 0;
  error why_;
};

} // namespace detail::dyn

/// Returns the schema that `schema_of<T>` returns for the type whose blocks the layout describes.
/// With the schema, values of blocks can be written as messages, and the types of blocks can be
/// compared and printed like those of messages. For links into pools see `live_evolution`.
///
/// The schema's `id()` is the layout's `schema_id`, with these exceptions:
///
/// - The type has annotations that change compact bytes, or is `evolvable`. Layouts store neither.
/// - The type holds types that messages store in another form than memory: `long` of 32 bits, and
///   times of `system_clock` in microseconds. See docs/types.md.
///
/// Records and enumerations have the names of the layout's types.
///
/// The layout may be untrusted. O(n log n) for n parts of the result. Errors: `too_large` for more
/// than 262,144 parts, or for a description of more than 1 MiB, before much of the result is made;
/// `too_deep` for more than 128 nested types; those of `read_schema` for parts that no schema can
/// have; `no_memory`.
[[nodiscard]] inline result<schema> schema_for(const dynamic_layout& layout) {
  return detail::catch_bad_alloc([&]() -> result<schema> {
    return detail::dyn::layout_describer(detail::dyn::layout_access::tables_of(layout)).run();
  });
}

}} // namespace ingot::INGOT_V1
