// SPDX-License-Identifier: Apache-2.0
#include "byte_fields.hpp"

#include "path.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

namespace {

constexpr std::size_t max_fields = 4096;
constexpr std::size_t max_children = 128;
constexpr std::size_t depth_limit = 48;
/// An object with more names may be used as a map.
constexpr std::size_t max_record_members = 64;
constexpr std::uint64_t min_record_values = 4;

[[nodiscard]] bool is_member(std::string_view name) { return name != "[]" && name != "{}"; }

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

std::uint32_t byte_fields::member(std::uint32_t parent, std::string_view name) {
  if (fields_[parent].is_map) return child(parent, "{}");
  std::string short_name;
  append_short_name(short_name, name);
  const std::size_t members = children_[parent].size();
  if (members != max_children - 1 || children_[parent].contains(short_name) || !is_used_as_map(parent))
    return child(parent, short_name);
  merge_members(parent);
  return child(parent, "{}");
}

bool byte_fields::is_used_as_map(std::uint32_t field) const {
  if (!in_document_ || children_[field].size() <= max_record_members) return false;
  std::uint64_t members = 0;
  std::uint64_t values = 0;
  std::uint64_t containers = 0;
  for (const auto& [name, inner] : children_[field]) {
    if (!is_member(name)) continue;
    ++members;
    values += fields_[inner].values;
    if (!children_[inner].empty()) ++containers;
  }
  const bool is_uniform = containers * 10 <= members || containers * 10 >= members * 9;
  return values < members * min_record_values && is_uniform;
}

void byte_fields::merge_members(std::uint32_t field) {
  fields_[field].is_map = true;
  auto& inner = children_[field];
  std::uint32_t whole = 0;
  for (auto each = inner.begin(); each != inner.end();) {
    if (each->first == "[]") {
      ++each;
      continue;
    }
    whole = whole == 0 ? each->second : merge(whole, each->second);
    each = inner.erase(each);
  }
  if (whole == 0) return;
  fields_[whole].name = "{}";
  inner.emplace("{}", whole);
}

/// The field with the lower number remains, so that a field has a higher number than its parent.
std::uint32_t byte_fields::merge(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t whole = std::min(a, b);
  const std::uint32_t part = std::max(a, b);
  byte_field& to = fields_[whole];
  byte_field& from = fields_[part];
  for (std::size_t use = 0; use < to.bytes.size(); ++use) to.bytes[use] += std::exchange(from.bytes[use], 0);
  to.pieces += std::exchange(from.pieces, 0);
  to.values += std::exchange(from.values, 0);
  from.merged_into = whole;
  for (const auto& [name, inner] : children_[part]) {
    const auto found = children_[whole].find(name);
    if (found != children_[whole].end()) {
      found->second = merge(found->second, inner);
      fields_[found->second].parent = whole;
    } else {
      fields_[inner].parent = whole;
      children_[whole].emplace(name, inner);
    }
  }
  children_[part].clear();
  if (to.is_map || from.is_map || (children_[whole].size() >= max_children && is_used_as_map(whole)))
    merge_members(whole);
  return whole;
}

void byte_fields::finish() {
  for (std::uint32_t i = 0; i < fields_.size(); ++i) {
    if (!fields_[i].is_map && is_used_as_map(i)) merge_members(i);
  }
}

std::uint32_t byte_fields::resolved(std::uint32_t field) const noexcept {
  while (fields_[field].merged_into != 0) field = fields_[field].merged_into;
  return field;
}

void byte_fields::enter(const ingot::byte_step& to) {
  const std::uint32_t here = stack_.back();
  if (stack_.size() > depth_limit) {
    stack_.push_back(here);
    return;
  }
  switch (to.is) {
  case ingot::byte_step::kind::member: stack_.push_back(member(here, to.name)); break;
  case ingot::byte_step::kind::element: stack_.push_back(child(here, "[]")); break;
  case ingot::byte_step::kind::key:
  case ingot::byte_step::kind::entry: stack_.push_back(child(here, "{}")); break;
  }
  if (stack_.back() != here && to.is != ingot::byte_step::kind::key) ++fields_[stack_.back()].values;
}

void byte_fields::leave() { stack_.pop_back(); }

std::uint32_t byte_fields::field_of(const ingot::byte_piece& piece) const noexcept {
  if (in_schema_) return schema;
  if (piece.use == ingot::byte_use::hole) return holes;
  if (piece.use == ingot::byte_use::header) return in_payload_ ? inner_headers : header;
  return stack_.back();
}

void byte_fields::bytes(const ingot::byte_piece& piece) {
  in_document_ = in_document_ || piece.plain.exists();
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
