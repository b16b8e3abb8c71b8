// SPDX-License-Identifier: Apache-2.0
// Misleading descriptions and blocks, and every query of those that are accepted.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/print.hpp>

#include "dynamic/byte_map.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dynamic_hostile {

[[nodiscard]] inline std::vector<std::byte> copy(ingot::bytes_view bytes) {
  return {bytes.begin(), bytes.end()};
}

inline void put_le(std::vector<std::byte>& bytes, std::size_t at, std::uint64_t word) {
  for (std::size_t i = 0; i < 8; ++i, word >>= 8) bytes[at + i] = static_cast<std::byte>(word);
}
/// Updates the layout_id of its types and the hash of its bytes, as an attacker with knowledge of
/// the format does.
[[nodiscard]] inline std::vector<std::byte> sealed_anew(std::vector<std::byte> bytes) {
  if (bytes.size() < ingot::detail::dyn::layout_head + 8) return bytes;
  const auto seal = [&] {
    put_le(bytes, bytes.size() - 8,
           ingot::detail::dyn::seal_of(ingot::bytes_view(bytes).first(bytes.size() - 8)));
  };
  seal();
  ingot::detail::dyn::tables types;
  const auto sealed = bytes;
  types.bytes = sealed;
  ingot::detail::dyn::layout_parser parser(types);
  if (!parser.parse() && parser.computed_id() != 0) {
    put_le(bytes, 8, parser.computed_id());
    seal();
  }
  return bytes;
}

// Descriptions type by type: each begins with `head`, followed by the data of its kind.

using ingot::detail::dyn::layout_bytes;
[[nodiscard]] inline layout_bytes head(ingot::dynamic_kind kind, std::uint64_t size, unsigned alignment,
                                       unsigned flags = 0) {
  layout_bytes type;
  type.byte(static_cast<std::uint8_t>(kind));
  type.byte(static_cast<std::uint8_t>(flags));
  type.number(size);
  type.byte(static_cast<std::uint8_t>(alignment));
  return type;
}
struct member_of {
  std::uint64_t offset;
  std::uint64_t type;
};
[[nodiscard]] inline layout_bytes record(std::uint64_t size, unsigned alignment,
                                         const std::vector<member_of>& members, std::string_view name = "r") {
  layout_bytes type = head(ingot::dynamic_kind::record, size, alignment);
  type.text(name);
  type.number(members.size());
  for (const member_of& each : members) {
    type.text("m");
    type.number(each.offset);
    type.number(each.type);
    type.byte(0);
  }
  return type;
}
/// A type whose remaining fields are all numbers.
[[nodiscard]] inline layout_bytes with_numbers(layout_bytes type, const std::vector<std::uint64_t>& numbers) {
  for (const std::uint64_t each : numbers) type.number(each);
  return type;
}
/// Returns a description with its hash, and the layout_id of its types if they have one.
[[nodiscard]] inline std::vector<std::byte> description_of(const std::vector<layout_bytes>& types) {
  std::vector<std::string> tags;
  for (std::size_t i = 0; i < types.size(); ++i) tags.push_back(std::to_string(i));
  ingot::detail::dyn::layout_writer writer;
  for (std::size_t i = 0; i < types.size(); ++i) {
    layout_bytes copy = types[i];
    writer.describe(writer.add(tags[i]).index, std::move(copy));
  }
  return sealed_anew(writer.finish(4, 0, 0));
}
/// Returns a block of `size` bytes with a header that fits the description.
[[nodiscard]] inline std::vector<std::byte> block_for(const ingot::dynamic_layout& layout, std::size_t size) {
  std::vector<std::byte> block(64 + size);
  const std::uint64_t ids[]{layout.layout_id(), layout.schema_id(), block.size()};
  ingot::detail::block_header header;
  header.flags = ingot::detail::little_endian ? 4 : 5;
  std::memcpy(block.data(), &header, sizeof header);
  std::memcpy(block.data() + 8, ids, sizeof ids);
  const std::uint32_t sentinel[]{0, ingot::detail::sentinel_position - 8};
  std::memcpy(block.data() + ingot::detail::sentinel_position - 8, sentinel, sizeof sentinel);
  return block;
}

/// Writes a description from its tables, as `layout_of` does. The bytes must be the same, or the
/// description would have a second encoding.
[[nodiscard]] inline std::vector<std::byte> written_again(const ingot::detail::dyn::tables& in) {
  namespace dyn = ingot::detail::dyn;
  using ingot::dynamic_kind;
  std::vector<layout_bytes> types;
  for (const dyn::type& of : in.types) {
    layout_bytes& to = types.emplace_back(head(of.kind, of.size, of.alignment, of.flags));
    const bool has_name = of.kind == dynamic_kind::enumeration || dyn::is_record(of.kind);
    if (has_name) to.text(of.name);
    if (of.kind == dynamic_kind::pair) to.number(in.parts[of.first + 1].offset);
    if (of.kind == dynamic_kind::bitset || of.kind == dynamic_kind::array) to.number(of.extent);
    if (has_name || of.kind == dynamic_kind::variant) to.number(of.parts);
    if (of.kind == dynamic_kind::enumeration) {
      for (const dyn::enumerator& each : in.enumerators_of(of)) {
        to.word(each.value);
        to.text(each.name);
      }
      continue;
    }
    for (const dyn::part& each : in.parts_of(of)) {
      if (dyn::is_record(of.kind)) {
        to.text(each.name);
        to.number(each.offset);
      }
      if (of.kind == dynamic_kind::variant) to.text(each.name);
      to.number(each.type);
      if (!dyn::is_record(of.kind)) continue;
      to.byte(each.limits);
      if ((each.limits & dyn::has_range) != 0) {
        to.limit(in.limits[each.limit].low);
        to.limit(in.limits[each.limit].high);
      }
      if ((each.limits & dyn::has_max_size) != 0) to.number(in.limits[each.limit].max_size);
    }
    if (of.kind == dynamic_kind::duration) {
      to.number(of.extent);
      to.number(of.divisor);
    }
    if (of.has(dyn::has_model)) {
      to.number(in.types[in.parts[of.first].type].size);
      to.raw(in.models[of.model].bytes, static_cast<std::size_t>(in.types[in.parts[of.first].type].size));
    }
  }
  std::vector<std::string> tags;
  for (std::size_t i = 0; i < types.size(); ++i) tags.push_back(std::to_string(i));
  dyn::layout_writer writer;
  if (in.lacks_protobuf) writer.lacks_protobuf();
  for (std::size_t i = 0; i < types.size(); ++i)
    writer.describe(writer.add(tags[i]).index, std::move(types[i]));
  return writer.finish(in.offset, in.layout_id, in.schema_id);
}

/// Queries a value and everything in it, with a bounded number of steps. The bound holds for the
/// whole walk.
class exercise {
public:
  explicit exercise(std::uint64_t block_size, std::size_t max_steps = 20'000)
      : size_(block_size), left_(max_steps) {}
  std::uint64_t operator()(const ingot::dynamic_value& v, unsigned depth = 0) {
    if (left_ == 0 || depth > 40) return 0;
    --left_;
    expect(v.position() <= size_ && v.byte_size() <= size_ - v.position(), "a value outside of its block");
    std::uint64_t seen = v.type_name().size() + v.size() + v.enumerator().size();
    seen += v.value_or(std::uint64_t{1}) + v.value_or(std::string_view("a")).size();
    for (const std::byte each : v.value_or(ingot::bytes_view())) seen += std::to_integer<std::uint64_t>(each);
    seen += static_cast<std::uint64_t>(v.value_or(1.0F) > 0) + static_cast<std::uint64_t>(v.value_or(true));
    seen += static_cast<std::uint64_t>(v.value_or(loose_enum::two)) + v.value_or(std::uint8_t{1});
    seen += static_cast<std::uint64_t>(v.value_or(bool_enum::yes));
    for (std::size_t i = 0; i < 70; ++i) seen += static_cast<std::uint64_t>(v.bit(i));
    if (v.kind() == ingot::dynamic_kind::bitset && v.size() != 0)
      seen += static_cast<std::uint64_t>(v.bit(v.size() - 1));
    seen += v.alternative() + v.period().first + static_cast<std::uint64_t>(v.complex().first > 0);
    seen += v.find("absent").size() + v.find(-3).size() + v.find(2.5).size() + v["name"].size();
    seen += v.at("[0].m[\"3\"]").size() + v.get(v).size() + v[v.size()].size() + v.held().size();
    const bool has_parts = v.kind() != ingot::dynamic_kind::text && v.kind() != ingot::dynamic_kind::bitset;
    std::size_t count = 0;
    for (const auto& part : v.parts()) {
      if (left_ == 0) return seen;
      expect(part.index == count, "a part of another number");
      if (count < 3 || count + 1 == v.size())
        expect(v[count].position() == part.value.position(), "a part that is another one by its number");
      ++count;
      seen += part.name.size();
      if (part.key.exists()) {
        // Every key is found by its own lookup.
        const auto found = v.find(part.key);
        const bool is_multi =
            v.kind() == ingot::dynamic_kind::multimap || v.kind() == ingot::dynamic_kind::multiset ||
            v.kind() == ingot::dynamic_kind::hash_multimap || v.kind() == ingot::dynamic_kind::hash_multiset;
        expect(found.exists() && (is_multi || found.position() == part.value.position()),
               "a key that its own lookup does not find");
        seen += (*this)(part.key, depth + 1);
      }
      seen += (*this)(part.value, depth + 1);
    }
    if (has_parts) expect(count == v.size(), "as many parts as the size says");
    return seen;
  }
  /// The first contradiction; empty, whatever the bytes.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

private:
  enum loose_enum { one = 1, two = 2 };
  enum class bool_enum : bool { no, yes };
  void expect(bool holds, const char* what) {
    if (!holds) failure_ = what;
  }

  std::uint64_t size_;
  std::size_t left_;
  std::string failure_;
};

struct outcome {
  bool layout = false; ///< the description was accepted
  bool block = false;  ///< the block was accepted, too
  std::string failure; ///< the first contradiction
};
/// Reads a block by a description. All checksums and identifiers of both are first made consistent.
[[nodiscard]] inline outcome read_anything(ingot::bytes_view description, ingot::bytes_view bytes) {
  outcome outcome_of_bytes;
  const auto sealed = sealed_anew(copy(description));
  const auto layout = ingot::dynamic_layout::open(sealed);
  if (!layout) return outcome_of_bytes;
  outcome_of_bytes.layout = true;
  ingot::detail::dyn::tables tables;
  tables.bytes = sealed;
  if (!ingot::detail::dyn::layout_parser(tables).parse() || written_again(tables) != sealed)
    outcome_of_bytes.failure = "a description that has another encoding";
  auto block = copy(bytes);
  if (block.size() < 64) return outcome_of_bytes;
  const std::uint64_t ids[]{layout->layout_id(), layout->schema_id(), block.size()};
  std::memcpy(block.data() + 8, ids, sizeof ids);
  const auto read = ingot::dynamic_block::open(block, *layout);
  if (ingot::dynamic_block::open_in_place(block, *layout).has_value() != read.has_value())
    outcome_of_bytes.failure = "a block that is one only where it is copied";
  if (!read) return outcome_of_bytes;
  outcome_of_bytes.block = true;
  exercise all(block.size());
  all(read->root());
  if (!all.failure().empty()) outcome_of_bytes.failure = all.failure();
  if (const auto wrong = byte_map_test::cover(*read).verdict(); !wrong.empty())
    outcome_of_bytes.failure = wrong;
  const std::string text = to_string(read->root(), 10'000);
  if (text.empty() || text.size() > 10'003) outcome_of_bytes.failure = "text of another length";
  const std::string begun = to_string(read->root(), 100);
  if (text.size() > 100 ? begun != text.substr(0, 100) + "..." : begun != text)
    outcome_of_bytes.failure = "text that begins otherwise when it is shorter";
  const auto document = ingot::to_document(read->root());
  if (document && !ingot::document::open(document->bytes()))
    outcome_of_bytes.failure = "a document that does not open";
  return outcome_of_bytes;
}

} // namespace dynamic_hostile
