// SPDX-License-Identifier: Apache-2.0
// Counts of bytes by field and by use. All elements of a container count as one field. All members
// of a document's object that is used as a map are one field, too.
#pragma once

#include <ingot/dynamic/byte_visitor.hpp>

#include "file_bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// A field of the type: `equips[].item.id`, `items{}`.
struct byte_field {
  std::uint32_t parent = 0;
  std::string name; ///< last step of the path: `.id`, `[]`, `{}`; not printable
  std::array<std::uint64_t, ingot::byte_uses> bytes{}; ///< by use, without those of inner fields
  std::uint64_t pieces = 0;
  std::uint64_t values = 0;      ///< number of values that a walk entered; keys do not count
  std::uint32_t merged_into = 0; ///< field that has the bytes of this field now; 0 if none
  bool is_map = false;           ///< true if all members of a document's objects are the field `{}`

  [[nodiscard]] std::uint64_t of(ingot::byte_use use) const noexcept {
    return bytes[static_cast<std::size_t>(use)];
  }
  [[nodiscard]] std::uint64_t total() const noexcept;
};

/// Counts bytes during a walk. Has at most a few thousand fields, so that memory is limited. Wide
/// records and deeply nested values may have more fields. The bytes of each further field then
/// count for the field that contains it.
///
/// An object of a document is used as a map if it has more than 64 names with less than four
/// values each, and nearly all of these values have fields or nearly all have none. Its members
/// are one field, `{}`.
class byte_fields final : public file_visitor {
public:
  byte_fields();
  void begin(file_part what, std::uint64_t base, const std::string& where) override;
  void enter(const ingot::byte_step& to) override;
  void leave() override;
  void bytes(const ingot::byte_piece& piece) override;

  /// Ends the walk: merges the members of all objects that are used as maps.
  void finish();

  /// Returns the field for which the bytes of `piece` are counted.
  [[nodiscard]] std::uint32_t field_of(const ingot::byte_piece& piece) const noexcept;
  /// Returns the field that has the bytes of `field` now. Members of an object that is
  /// used as a map are merged at the end of the walk, or before if there are many.
  [[nodiscard]] std::uint32_t resolved(std::uint32_t field) const noexcept;
  [[nodiscard]] const std::vector<byte_field>& all() const noexcept { return fields_; }
  /// Returns the path of a field, printable: "equips[].item.id".
  [[nodiscard]] std::string path(std::uint32_t field) const;
  /// The value itself, without its fields: all bytes outside of fields and of the file's own parts.
  static constexpr std::uint32_t root = 0;
  static constexpr std::uint32_t header = 1; ///< header of the file
  static constexpr std::uint32_t schema = 2;
  static constexpr std::uint32_t holes = 3;
  static constexpr std::uint32_t inner_headers = 4; ///< headers of the block, document or records

  /// Returns the number of runs of free bytes. `longest_hole` returns the length of the longest
  /// run.
  [[nodiscard]] std::uint64_t hole_count() const noexcept { return hole_count_; }
  [[nodiscard]] std::uint64_t longest_hole() const noexcept { return longest_hole_; }

private:
  [[nodiscard]] std::uint32_t child(std::uint32_t parent, const std::string& name);
  [[nodiscard]] std::uint32_t member(std::uint32_t parent, std::string_view name);
  [[nodiscard]] bool is_used_as_map(std::uint32_t field) const;
  void merge_members(std::uint32_t field);
  std::uint32_t merge(std::uint32_t a, std::uint32_t b);

  std::vector<byte_field> fields_;
  std::vector<std::map<std::string, std::uint32_t, std::less<>>> children_;
  std::vector<std::uint32_t> stack_;
  bool in_schema_ = false;
  bool in_payload_ = false;
  bool in_document_ = false;
  std::uint64_t hole_count_ = 0;
  std::uint64_t longest_hole_ = 0;
};

} // namespace tool
