// SPDX-License-Identifier: Apache-2.0
#include "edit_search.hpp"

#include <algorithm>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::editing {

namespace {

error& add_name(error& err, const path_part& part) noexcept {
  if (part.is_member || part.index == ingot::detail::doc::npos) return err.in_member(part.name);
  return err.in_element(part.index);
}

} // namespace

bool search::run(std::string_view pointer, bool may_add) {
  may_add_ = may_add;
  if (!split(pointer)) return false;
  if (!in_.open(text_)) return false;
  if (read() && in_.close()) return true;
  add_path();
  return false;
}

error search::why() const noexcept {
  return is_pointer_ ? in_.located_error() : error{errc::syntax}.with_expected("a JSON Pointer");
}
error search::with_path(error err) const {
  for (std::size_t i = parts_.size(); i != 0; --i) add_name(err, parts_[i - 1]);
  return err;
}

bool search::split(std::string_view pointer) {
  ingot::detail::doc::pointer_parts from(pointer);
  std::string plain;
  while (from.good() && !from.done()) {
    path_part& added = parts_.emplace_back();
    added.name = from.next(plain);
    added.index = ingot::detail::doc::pointer_index(added.name);
  }
  return is_pointer_ = from.good();
}

bool search::read() {
  if (parts_.empty()) {
    found_.exists = found_.is_root = true;
    return read_value(found_.value);
  }
  if (!open()) return false;
  while (!levels_.empty()) {
    if (!(levels_.back().next == step::value ? read_part() : close())) return false;
  }
  return true;
}

bool search::open() {
  level opened;
  opened.open = in_.offset();
  opened.is_object = in_.peek() == '{';
  if (!opened.is_object && in_.peek() != '[') return in_.mismatch("an object or an array on the path");
  opened.next = opened.is_object ? in_.open_object() : in_.open_array();
  if (opened.next == step::error) return false;
  parts_[levels_.size()].is_member = opened.is_object;
  levels_.push_back(opened);
  return true;
}

bool search::read_part() {
  level& here = levels_.back();
  path_part& wanted = parts_[levels_.size() - 1];
  here.part = in_.offset();
  if (here.first == npos) here.first = here.part;
  bool is_wanted = here.count == wanted.index;
  if (here.is_object) {
    std::string_view key;
    if (!in_.key(key)) {
      here.part = npos; // so the error's path names no key
      return false;
    }
    here.colon = in_.last_offset();
    is_wanted = key == wanted.name;
    if (is_wanted && here.found) {
      return in_.fail(errc::duplicate_key, here.part, "each key once",
                      "the key \"" + wanted.name + "\" again");
    }
  }
  extent value;
  if (is_wanted) {
    here.found = true;
    if (levels_.size() != parts_.size()) return open();
    found_.previous_end = here.count == 0 ? npos : here.last.end;
  }
  if (!read_value(value)) return false;
  if (is_wanted) {
    found_.exists = true;
    found_.value = value;
    found_.part = {here.part, value.end};
  }
  return end_part(value.end);
}

bool search::end_part(std::size_t end) {
  level& here = levels_.back();
  here.last = {here.part, end};
  here.part = npos;
  ++here.count;
  here.next = here.is_object ? in_.next_key() : in_.next_element();
  if (here.next == step::value) here.comma = in_.last_offset();
  return here.next != step::error;
}

bool search::close() {
  const std::size_t close = in_.last_offset();
  level& here = levels_.back();
  path_part& wanted = parts_[levels_.size() - 1];
  const bool is_last = levels_.size() == parts_.size();
  if (!here.found) {
    const bool is_end = !here.is_object && (wanted.name == "-" || wanted.index == here.count);
    if (is_end) wanted.index = static_cast<std::uint32_t>(here.count);
    if (!is_last || !may_add_ || (!here.is_object && !is_end)) return missing(here, wanted);
  }
  if (is_last) {
    found_.close = close;
    found_.around = here;
    find_style();
  }
  levels_.pop_back();
  return levels_.empty() || end_part(close + 1);
}

bool search::missing(const level& here, const path_part& wanted) {
  error err = here.is_object
                  ? error{errc::missing_member, here.open}.with_expected("an existing member")
                  : error{errc::out_of_range, here.open}.with_expected("an index of the container");
  return in_.fail(add_name(err, wanted));
}

bool search::read_value(extent& out) {
  std::string_view all;
  out.begin = in_.offset();
  if (!in_.raw(all)) return false;
  out.end = out.begin + all.size();
  return true;
}

void search::find_style() {
  const characters in(text_);
  if (levels_.size() > 1) found_.around_part = levels_[levels_.size() - 2].part;
  for (const level& each : levels_) {
    if (each.first != npos && in.begins_line(each.first)) {
      const std::string_view inside = in.indentation(each.first), outside = in.indentation(each.open);
      if (inside.starts_with(outside)) found_.unit = inside.substr(outside.size());
      const std::size_t begin = in.line_begin(each.first);
      found_.line_end = begin > 1 && in.at(begin - 2) == '\r' ? "\r\n" : "\n";
    }
    if (each.colon != npos) found_.space_after_colon = is_blank(in.at(each.colon + 1));
    if (each.comma != npos &&
        in.skip_line_end(in.skip_blanks(each.comma + 1)) == in.skip_blanks(each.comma + 1))
      found_.space_after_comma = is_blank(in.at(each.comma + 1));
  }
}

void search::add_path() {
  for (; !levels_.empty(); levels_.pop_back()) {
    const level& inner = levels_.back();
    if (inner.part == npos) {
      if (!inner.is_object && inner.next == step::value) in_.error().in_element(inner.count);
    } else if (inner.is_object) {
      std::size_t end = inner.part + 1;
      while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
      in_.error().in_member(text_.substr(inner.part + 1, std::min(end, text_.size()) - inner.part - 1));
    } else {
      in_.error().in_element(inner.count);
    }
  }
}

}}} // namespace ingot::INGOT_V1::json::detail::editing
