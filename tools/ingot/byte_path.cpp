// SPDX-License-Identifier: Apache-2.0
#include "byte_path.hpp"

#include "node.hpp"
#include "path.hpp"

#include <cstddef>
#include <string>

namespace tool {

namespace {

/// Paths that are longer are of no use to anybody, and would take memory in the square of the depth.
constexpr std::size_t longest_path = 4096;

} // namespace

std::string key_text(const ingot::byte_step& to) {
  const node key(to.key);
  if (to.key.exists() && key.form() == node_form::scalar) {
    const auto text = key.text();
    return in_quotes(text ? std::string(*text) : key.scalar(64));
  }
  return '[' + std::to_string(to.index) + ']';
}

void byte_path::enter(const ingot::byte_step& to) {
  if (text_.size() > longest_path) {
    ++hidden_;
    return;
  }
  lengths_.push_back(text_.size());
  using kind = ingot::byte_step::kind;
  switch (to.is) {
  case kind::member: append_name(text_, to.name); break;
  case kind::element: text_ += '[' + std::to_string(to.index) + ']'; break;
  case kind::key:
  case kind::entry: text_ += key_text(to); break;
  }
  if (text_.size() > longest_path) text_ += "...";
}

void byte_path::leave() {
  if (hidden_ != 0) {
    --hidden_;
    return;
  }
  text_.resize(lengths_.back());
  lengths_.pop_back();
}

} // namespace tool
