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
  way_.assign(1, {{}, none});
}

std::uint32_t byte_paths::here() {
  // Each step takes at least one character, so deeper steps would be cut from the text.
  const std::size_t depth = std::min(way_.size(), longest_path + 2);
  std::size_t known = depth;
  while (known != 0 && way_[known - 1].known == none) --known;
  for (; known != depth; ++known) {
    const bool is_first = known == 0;
    steps_.push_back({is_first ? none : way_[known - 1].known,
                      is_first && !begins_.empty() ? static_cast<std::uint32_t>(begins_.size() - 1) : none,
                      way_[known].to});
    way_[known].known = static_cast<std::uint32_t>(steps_.size() - 1);
  }
  return way_[depth - 1].known;
}

std::string byte_paths::text(std::uint32_t way) const {
  std::vector<const known_step*> back;
  for (; steps_[way].parent != none; way = steps_[way].parent) back.push_back(&steps_[way]);
  byte_path made(steps_[way].begin == none ? std::string() : begins_[steps_[way].begin]);
  for (; !back.empty(); back.pop_back()) made.enter(back.back()->to);
  return made.text();
}

void byte_paths::keep_only(std::span<std::uint32_t* const> ways) {
  std::vector<std::uint32_t> renamed(steps_.size(), none);
  for (const std::uint32_t* const way : ways) {
    for (std::uint32_t at = *way; at != none && renamed[at] == none; at = steps_[at].parent) renamed[at] = 0;
  }
  std::uint32_t kept = 0;
  for (std::uint32_t at = 0; at < steps_.size(); ++at) {
    if (renamed[at] == none) continue;
    known_step moved = steps_[at];
    if (moved.parent != none) moved.parent = renamed[moved.parent];
    steps_[kept] = moved;
    renamed[at] = kept++;
  }
  steps_.resize(kept);
  for (std::uint32_t* const way : ways) *way = renamed[*way];
  for (way_step& each : way_) {
    if (each.known != none) each.known = renamed[each.known];
  }
}

} // namespace tool
