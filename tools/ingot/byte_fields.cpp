// SPDX-License-Identifier: Apache-2.0
#include "byte_fields.hpp"

#include "path.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

namespace tool {

namespace {

constexpr std::size_t max_fields = 4096;
constexpr std::size_t max_children = 128;
constexpr std::size_t depth_limit = 48;

} // namespace

std::uint64_t byte_field::total() const noexcept {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

byte_fields::byte_fields() : fields_(5), children_(5), stack_{root} {
  fields_[header].name = "(header)";
  fields_[schema].name = "(schema)";
  fields_[holes].name = "(holes)";
  fields_[inner_headers].name = "(inner headers)";
}

void byte_fields::begin(file_part what, std::uint64_t, const std::string& where) {
  stack_.assign(1, root);
  in_schema_ = what == file_part::schema;
  in_payload_ = what == file_part::payload;
  if (!where.empty()) stack_.push_back(child(root, "[]"));
}

std::uint32_t byte_fields::child(std::uint32_t parent, const std::string& name) {
  const auto found = children_[parent].find(name);
  if (found != children_[parent].end()) return found->second;
  if (fields_.size() >= max_fields || children_[parent].size() >= max_children) return parent;
  const auto added = static_cast<std::uint32_t>(fields_.size());
  children_[parent].emplace(name, added);
  children_.emplace_back();
  byte_field& field = fields_.emplace_back();
  field.parent = parent;
  field.name = name;
  return added;
}

void byte_fields::enter(const ingot::byte_step& to) {
  const std::uint32_t here = stack_.back();
  if (stack_.size() > depth_limit) {
    stack_.push_back(here);
    return;
  }
  switch (to.is) {
  case ingot::byte_step::kind::member: {
    std::string name;
    append_short_name(name, to.name);
    stack_.push_back(child(here, name));
    return;
  }
  case ingot::byte_step::kind::element: stack_.push_back(child(here, "[]")); return;
  case ingot::byte_step::kind::key:
  case ingot::byte_step::kind::entry: stack_.push_back(child(here, "{}")); return;
  }
}

void byte_fields::leave() { stack_.pop_back(); }

std::uint32_t byte_fields::field_of(const ingot::byte_piece& piece) const noexcept {
  if (in_schema_) return schema;
  if (piece.use == ingot::byte_use::hole) return holes;
  if (piece.use == ingot::byte_use::header) return in_payload_ ? inner_headers : header;
  return stack_.back();
}

void byte_fields::bytes(const ingot::byte_piece& piece) {
  byte_field& field = fields_[field_of(piece)];
  field.bytes[static_cast<std::size_t>(piece.use)] += piece.length;
  ++field.pieces;
  if (piece.use != ingot::byte_use::hole) return;
  ++hole_count_;
  longest_hole_ = std::max(longest_hole_, piece.length);
}

std::string byte_fields::path(std::uint32_t field) const {
  if (field == root) return "(root)";
  std::string out;
  for (; field != root; field = fields_[field].parent) {
    const std::string& name = fields_[field].name;
    out = (out.empty() || out.front() == '[' || out.front() == '{' ? name : name + '.') + out;
  }
  return printable(out);
}

} // namespace tool
