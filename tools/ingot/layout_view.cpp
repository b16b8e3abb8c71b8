// SPDX-License-Identifier: Apache-2.0
#include "layout_view.hpp"

#include <ingot/core/endian.hpp>

#include "byte_path.hpp"
#include "byte_words.hpp"
#include "path.hpp"
#include "text.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

namespace {

using ingot::byte_piece;
using ingot::byte_use;
using ingot::bytes_view;

/// Limits of a page. A page then has some megabytes, and a browser draws it without delay.
constexpr std::uint64_t max_pieces = 24'000;
constexpr std::uint64_t max_bins = 8192;
constexpr std::size_t max_raw = std::size_t{1} << 20;
constexpr std::size_t parts_of_a_bin = 4;
/// Nodes before this one are the root and the bytes that belong to no value.
constexpr std::size_t first_value = byte_fields::inner_headers + 1;

[[nodiscard]] std::string base64(bytes_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned word = 0;
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < here ? std::to_integer<unsigned>(bytes[i + k]) : 0U);
    for (unsigned k = 0; k < 4; ++k) out += k <= here ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}
void number(std::string& out, std::uint64_t n) { out += std::to_string(n); }

} // namespace

std::string page_string(std::string_view text) {
  std::string out;
  for (const char c : json_string(printable(text))) {
    if (c == '<') out += "\\u003c";
    else if (c == '>') out += "\\u003e";
    else if (c == '&') out += "\\u0026";
    else out += c;
  }
  return out;
}

layout_view::layout_view(const layout_range& within, std::uint64_t pieces)
    : within_(within), exact_(pieces <= max_pieces), max_nodes_(exact_ ? 30'000 : 8000),
      max_children_(exact_ ? 2000 : 48) {
  const std::uint64_t size = within.to - within.from;
  if (!exact_) {
    bin_ = std::bit_ceil(std::max<std::uint64_t>(8, (size + max_bins - 1) / max_bins));
    bins_.resize(static_cast<std::size_t>((size + bin_ - 1) / bin_));
  }
  // Adds the root value, and then the nodes for bytes that belong to no value.
  for (const char* const label : {"", "(header)", "(schema)", "(holes)", "(inner headers)"}) {
    value_node& first_node = nodes_.emplace_back();
    first_node.label = label;
    first_node.is_known = nodes_.size() > 1;
    first_node.field = static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  stack_.assign(1, 0);
  static_cast<void>(word(""));
}

std::uint32_t layout_view::add(std::uint32_t parent, std::string label) {
  const auto added = static_cast<std::uint32_t>(nodes_.size());
  value_node& node = nodes_.emplace_back();
  node.parent = parent;
  node.label = std::move(label);
  ++nodes_[parent].children;
  nodes_[parent].last_child = added;
  return added;
}

std::uint32_t layout_view::word(std::string_view text) {
  const auto found = words_.find(text);
  if (found != words_.end()) return found->second;
  const auto new_word = static_cast<std::uint32_t>(word_list_.size());
  words_.emplace(std::string(text), new_word);
  word_list_.emplace_back(text);
  return new_word;
}

void layout_view::begin(file_part what, std::uint64_t base, const std::string& where) {
  base_ = base;
  fields_.begin(what, base, where);
  stack_.assign(1, 0);
  if (where.empty()) return;
  // If a record is emitted in two parts, both parts belong to one value.
  if (nodes_[0].children != 0 && nodes_[nodes_[0].last_child].label == where) {
    stack_.push_back(nodes_[0].last_child);
    return;
  }
  ingot::byte_step to;
  to.is = ingot::byte_step::kind::element;
  to.index = nodes_[0].children;
  stack_.push_back(child(to));
}

std::uint32_t layout_view::child(const ingot::byte_step& to) {
  const std::uint32_t parent = stack_.back();
  if (nodes_[parent].hidden != 0) return parent;
  using kind = ingot::byte_step::kind;
  value_node& whole = nodes_[parent];
  const bool is_known = to.is == kind::entry && whole.last_is_key && whole.last_index == to.index;
  whole.last_is_key = to.is == kind::key;
  whole.last_index = to.index;
  if (is_known) return whole.last_child;
  if (whole.children > max_children_ || (whole.children == max_children_ || nodes_.size() >= max_nodes_)) {
    if (whole.children == 0 || nodes_[whole.last_child].hidden == 0) {
      const std::uint32_t hidden_node = add(parent, {});
      nodes_[hidden_node].hidden = 1;
      nodes_[hidden_node].is_known = true;
      return hidden_node;
    }
    ++nodes_[whole.last_child].hidden;
    return whole.last_child;
  }
  std::string label;
  if (to.is == kind::member) {
    append_short_name(label, to.name);
  }
  if (to.is == kind::element) label = '[' + std::to_string(to.index) + ']';
  if (to.is == kind::key || to.is == kind::entry) label = key_text(to);
  return add(parent, std::move(label));
}

void layout_view::enter(const ingot::byte_step& to) {
  fields_.enter(to);
  stack_.push_back(child(to));
  if (to.is == ingot::byte_step::kind::key && key_depth_ == 0) key_depth_ = stack_.size();
}

void layout_view::leave() {
  fields_.leave();
  if (stack_.size() == key_depth_) key_depth_ = 0;
  stack_.pop_back();
}

std::uint32_t layout_view::node_for(std::uint32_t field) const {
  const bool is_of_none = field == byte_fields::header || field == byte_fields::schema ||
                          field == byte_fields::holes || field == byte_fields::inner_headers;
  // a record's header belongs to the record
  return is_of_none && stack_.size() == 1 ? field : stack_.back();
}

void layout_view::describe(value_node& node, const byte_piece& piece) {
  const tool::node value = node_of(piece);
  if (!value.exists()) return;
  node.is_known = true;
  node.type = value.type();
  if (value.form() == node_form::scalar) {
    if (piece.typed.exists() && ingot::detail::dyn::is_scalar(piece.typed.kind()))
      node.type = type_of(piece.typed);
    node.value = value.scalar(60);
    return;
  }
  if (value.form() != node_form::members) node.type += " of " + grouped(value.size());
  if (piece.count != 0)
    node.value = elements_of(piece, piece.first, std::min<std::uint64_t>(piece.count, 6)) +
                 (piece.count > 6 ? ", ..." : "");
}

void layout_view::put_in_bins(std::uint64_t at, std::uint64_t length, const bin_part& part) {
  for (std::uint64_t left = length; left != 0;) {
    const std::uint64_t within = at - within_.from;
    const std::uint64_t here = std::min(left, bin_ - within % bin_);
    auto& bin = bins_[static_cast<std::size_t>(within / bin_)];
    const auto found = std::ranges::find_if(
        bin, [&](const bin_part& each) { return each.field == part.field && each.use == part.use; });
    if (found != bin.end()) found->bytes += here;
    else bin.push_back({part.field, part.use, part.node, here});
    at += here;
    left -= here;
  }
}

void layout_view::bytes(const byte_piece& piece) {
  std::uint64_t from = base_ + piece.offset;
  std::uint64_t to = std::min(from + piece.length, within_.to);
  const bool is_cut = from < within_.from || from + piece.length > within_.to;
  from = std::max(from, within_.from);
  if (from >= to) return;
  fields_.bytes(piece);
  const std::uint32_t field = fields_.field_of(piece);
  const std::uint32_t at = node_for(field);
  value_node& node = nodes_[at];
  node.bytes += to - from;
  if (node.field == 0) node.field = field;
  // The description of an entry is the description of its value, not of its key.
  if (!node.is_known && key_depth_ == 0) describe(node, piece);
  if (!exact_) {
    put_in_bins(from, to - from, {field, piece.use, at, 0});
    return;
  }
  drawn_piece drawn{from, to - from, at, field, word(piece.what), word(type_of(piece)), piece.use, 0, 0, {}};
  if (piece.count != 0 && !is_text(piece) && !is_cut) {
    drawn.first = piece.first;
    drawn.count = piece.count;
  } else if (piece.count == 0 && piece.is != ingot::byte_number::text) {
    drawn.value = value_of(piece, {}, base_, 60);
  }
  pieces_.push_back(std::move(drawn));
}

void layout_view::number_fields() {
  fields_.finish();
  std::uint32_t next = 0;
  field_numbers_.clear();
  for (const byte_field& each : fields_.all()) field_numbers_.push_back(each.merged_into == 0 ? next++ : 0);
  for (std::uint32_t i = 0; i < field_numbers_.size(); ++i)
    field_numbers_[i] = field_numbers_[fields_.resolved(i)];
}

void layout_view::write_nodes(std::string& out) {
  for (std::size_t i = nodes_.size(); i-- > first_value;) nodes_[nodes_[i].parent].bytes += nodes_[i].bytes;
  out += "\"nodes\":[";
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    value_node& node = nodes_[i];
    if (node.hidden != 0) node.label = "... " + grouped(node.hidden) + " more";
    out += i == 0 ? "[" : ",[";
    number(out, node.parent);
    out += ',' + page_string(node.label) + ',' + page_string(node.type) + ',' + page_string(node.value) + ',';
    number(out, node.bytes);
    out += ',';
    number(out, field_numbers_[node.field]);
    out += ']';
  }
  out += "]";
}

void layout_view::write_fields(std::string& out) const {
  out += "\"fields\":[";
  bool is_first = true;
  for (const byte_field& each : fields_.all()) {
    if (each.merged_into != 0) continue;
    out += is_first ? "[" : ",[";
    is_first = false;
    number(out, field_numbers_[each.parent]);
    out += ',' + page_string(each.name) + ",[";
    for (std::size_t use = 0; use < each.bytes.size(); ++use) {
      if (use != 0) out += ',';
      number(out, each.bytes[use]);
    }
    out += ']';
    if (each.name == "{}" || (each.name == "[]" && each.values != 0))
      out += ',' + std::to_string(each.values);
    out += ']';
  }
  out += "]";
}

void layout_view::write_bins(std::string& out) {
  out += ",\"bin\":" + std::to_string(bin_) + ",\"bins\":[";
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    auto& bin = bins_[i];
    // parts of members that were merged later may have one field now
    const auto is_before = [&](const bin_part& a, const bin_part& b) {
      const std::uint32_t of_a = field_numbers_[a.field];
      const std::uint32_t of_b = field_numbers_[b.field];
      return of_a != of_b ? of_a < of_b : a.use < b.use;
    };
    std::ranges::sort(bin, is_before);
    for (std::size_t k = bin.size(); k-- > 1;) {
      if (field_numbers_[bin[k].field] != field_numbers_[bin[k - 1].field] || bin[k].use != bin[k - 1].use)
        continue;
      bin[k - 1].bytes += bin[k].bytes;
      bin.erase(bin.begin() + static_cast<std::ptrdiff_t>(k));
    }
    std::ranges::sort(bin, [&](const bin_part& a, const bin_part& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : is_before(a, b);
    });
    if (bin.size() > parts_of_a_bin) bin.resize(parts_of_a_bin);
    out += i == 0 ? "[" : ",[";
    for (const bin_part& each : bin) {
      out += &each == bin.data() ? "[" : ",[";
      number(out, field_numbers_[each.field]);
      out += ',';
      number(out, static_cast<std::uint64_t>(each.use));
      out += ',';
      number(out, each.bytes);
      out += ',';
      number(out, each.node);
      out += ']';
    }
    out += ']';
  }
  out += ']';
}

void layout_view::write_pieces(std::string& out) {
  out += ",\"words\":[";
  for (std::size_t i = 0; i < word_list_.size(); ++i) out += (i == 0 ? "" : ",") + page_string(word_list_[i]);
  out += "],\"pieces\":[";
  std::ranges::sort(pieces_, {}, &drawn_piece::offset);
  for (const drawn_piece& each : pieces_) {
    out += &each == pieces_.data() ? "[" : ",[";
    for (const std::uint64_t n :
         {each.length, std::uint64_t{each.node}, static_cast<std::uint64_t>(each.use),
          std::uint64_t{field_numbers_[each.field]}, std::uint64_t{each.what}, std::uint64_t{each.type}}) {
      number(out, n);
      out += ',';
    }
    out += page_string(each.value) + ',';
    number(out, each.first);
    out += ',';
    number(out, each.count);
    out += ']';
  }
  out += ']';
}

std::string layout_view::json(const std::string& title, byte_section& from) {
  const std::uint64_t size = within_.to - within_.from;
  std::string out = "{\"title\":" + page_string(title) + ",\"from\":" + std::to_string(within_.from) +
                    ",\"size\":" + std::to_string(size) +
                    ",\"big\":" + (ingot::detail::little_endian ? "false" : "true") + ",";
  number_fields();
  write_nodes(out);
  out += ',';
  write_fields(out);
  if (!exact_) {
    write_bins(out);
    return out += '}';
  }
  write_pieces(out);
  if (size <= max_raw && size != 0)
    out += ",\"bytes\":\"" + base64(from.bytes(within_.from, static_cast<std::size_t>(size))) + '"';
  return out += '}';
}

} // namespace tool
