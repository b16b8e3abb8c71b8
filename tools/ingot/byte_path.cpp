// SPDX-License-Identifier: Apache-2.0
#include "byte_path.hpp"

#include "node.hpp"
#include "path.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tool {

std::string key_text(const ingot::byte_step& to) {
  const node key(to.key);
  if (to.key.exists() && key.form() == node_form::scalar) {
    const auto text = key.text();
    return in_quotes(text ? beginning(*text, longest_path) : std::string_view(key.scalar(64)));
  }
  return '[' + std::to_string(to.index) + ']';
}

std::string byte_path::text() const {
  std::string out = begin_;
  for (const ingot::byte_step& to : steps_) {
    if (out.size() > longest_path) return out += "...";
    switch (to.is) {
    case ingot::byte_step::kind::member: append_name(out, beginning(to.name, longest_path)); break;
    case ingot::byte_step::kind::element: out += '[' + std::to_string(to.index) + ']'; break;
    case ingot::byte_step::kind::key:
    case ingot::byte_step::kind::entry: out += key_text(to); break;
    }
  }
  return out;
}

void byte_paths::begin(const std::string& where) {
  begins_.push_back(where);
  stack_.assign(1, {{}, none});
}

std::uint32_t byte_paths::here() {
  // Each step takes at least one character, and `text` cuts paths at `longest_path` characters. So
  // the text would not show deeper steps.
  const std::size_t depth = std::min(stack_.size(), longest_path + 2);
  std::size_t known = depth;
  while (known != 0 && stack_[known - 1].known == none) --known;
  for (; known != depth; ++known) {
    const bool is_first = known == 0;
    steps_.push_back({is_first ? none : stack_[known - 1].known,
                      is_first && !begins_.empty() ? static_cast<std::uint32_t>(begins_.size() - 1) : none,
                      stack_[known].to});
    stack_[known].known = static_cast<std::uint32_t>(steps_.size() - 1);
  }
  return stack_[depth - 1].known;
}

std::string byte_paths::text(std::uint32_t path_id) const {
  std::vector<const known_step*> back;
  for (; steps_[path_id].parent != none; path_id = steps_[path_id].parent) back.push_back(&steps_[path_id]);
  byte_path whole(steps_[path_id].begin == none ? std::string() : begins_[steps_[path_id].begin]);
  for (; !back.empty(); back.pop_back()) whole.enter(back.back()->to);
  return whole.text();
}

void byte_paths::keep_only(std::span<std::uint32_t* const> path_ids) {
  std::vector<std::uint32_t> renamed(steps_.size(), none);
  for (const std::uint32_t* const path_id : path_ids) {
    for (std::uint32_t at = *path_id; at != none && renamed[at] == none; at = steps_[at].parent)
      renamed[at] = 0;
  }
  std::uint32_t remaining = 0;
  for (std::uint32_t at = 0; at < steps_.size(); ++at) {
    if (renamed[at] == none) continue;
    known_step moved = steps_[at];
    if (moved.parent != none) moved.parent = renamed[moved.parent];
    steps_[remaining] = moved;
    renamed[at] = remaining++;
  }
  steps_.resize(remaining);
  for (std::uint32_t* const path_id : path_ids) *path_id = renamed[*path_id];
  for (open_step& each : stack_) {
    if (each.known != none) each.known = renamed[each.known];
  }
}

} // namespace tool
