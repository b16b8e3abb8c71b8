// SPDX-License-Identifier: Apache-2.0
// A map of bytes on the page that `ingot layout` writes, as JSON. The map has the pieces (ranges of
// bytes with one meaning) with their values and fields. If there are too many pieces, the map has
// bins (ranges of equal length) instead.
#pragma once

#include "byte_fields.hpp"
#include "file_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// The range of bytes that is drawn.
struct layout_range {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// Counts the pieces in a range.
class piece_count final : public file_visitor {
public:
  explicit piece_count(const layout_range& within) : within_(within) {}
  void begin(file_part, std::uint64_t base, const std::string&) override { base_ = base; }
  void enter(const ingot::byte_step&) override {}
  void leave() override {}
  void bytes(const ingot::byte_piece& piece) override {
    const std::uint64_t at = base_ + piece.offset;
    if (at < within_.to && at + piece.length > within_.from) ++pieces_;
  }
  [[nodiscard]] std::uint64_t pieces() const noexcept { return pieces_; }

private:
  layout_range within_;
  std::uint64_t base_ = 0;
  std::uint64_t pieces_ = 0;
};

/// Collects the data that a map shows. The memory and the length of the JSON are limited for any
/// file.
class layout_view final : public file_visitor {
public:
  layout_view(const layout_range& within, std::uint64_t pieces);

  void begin(file_part what, std::uint64_t base, const std::string& where) override;
  void enter(const ingot::byte_step& to) override;
  void leave() override;
  void bytes(const ingot::byte_piece& piece) override;

  /// Returns true if the map has each piece; false if the map has bins.
  [[nodiscard]] bool is_exact() const noexcept { return exact_; }
  [[nodiscard]] std::string json(const std::string& title, byte_section& from);
  [[nodiscard]] const byte_fields& fields() const noexcept { return fields_; }

private:
  struct value_node {
    std::uint32_t parent = 0;
    std::uint32_t field = 0;
    std::uint32_t children = 0;
    std::uint32_t last_child = 0;
    std::uint64_t hidden = 0; ///< number of children that have no node; this node represents them
    std::size_t last_index = 0;
    bool last_is_key = false;
    bool is_known = false; ///< true if type and value are set
    std::uint64_t bytes = 0;
    std::string label;
    std::string type;
    std::string value;
  };
  struct drawn_piece {
    std::uint64_t offset;
    std::uint64_t length;
    std::uint32_t node;
    std::uint32_t field;
    std::uint32_t what;
    std::uint32_t type;
    ingot::byte_use use;
    std::uint64_t first;
    std::uint64_t count;
    std::string value;
  };
  struct bin_part {
    std::uint32_t field;
    ingot::byte_use use;
    std::uint32_t node;
    std::uint64_t bytes;
  };

  [[nodiscard]] std::uint32_t child(const ingot::byte_step& to);
  [[nodiscard]] std::uint32_t add(std::uint32_t parent, std::string label);
  [[nodiscard]] std::uint32_t word(std::string_view text);
  [[nodiscard]] std::uint32_t node_for(std::uint32_t field) const;
  void describe(value_node& node, const ingot::byte_piece& piece);
  void put_in_bins(std::uint64_t at, std::uint64_t length, const bin_part& part);
  void number_fields();
  void write_nodes(std::string& out);
  void write_fields(std::string& out) const;
  void write_bins(std::string& out);
  void write_pieces(std::string& out);

  layout_range within_;
  bool exact_;
  std::uint64_t bin_ = 1;
  std::size_t max_nodes_;
  std::uint32_t max_children_;
  std::uint64_t base_ = 0;
  byte_fields fields_;
  /// Numbers of fields on the page. Merged fields have no number of their own.
  std::vector<std::uint32_t> field_numbers_;
  std::vector<value_node> nodes_;
  std::vector<std::uint32_t> stack_;
  /// Depth of the outermost key that contains the current value of the walk; 0 outside of keys.
  std::size_t key_depth_ = 0;
  std::vector<drawn_piece> pieces_;
  std::vector<std::vector<bin_part>> bins_;
  std::map<std::string, std::uint32_t, std::less<>> words_;
  std::vector<std::string> word_list_;
};

/// Returns a JSON string that is safe in a script of an HTML page: the string contains no markup
/// and cannot end the script.
[[nodiscard]] std::string page_string(std::string_view text);

} // namespace tool
