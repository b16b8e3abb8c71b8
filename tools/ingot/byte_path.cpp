// SPDX-License-Identifier: Apache-2.0
#include "byte_path.hpp"

#include "node.hpp"
#include "path.hpp"

#include <cstddef>
#include <string>

namespace tool {

namespace {

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

std::string byte_path::text() const {
  std::string out = begin_;
  for (const ingot::byte_step& to : steps_) {
    if (out.size() > longest_path) return out += "...";
    switch (to.is) {
    case ingot::byte_step::kind::member: append_name(out, to.name); break;
    case ingot::byte_step::kind::element: out += '[' + std::to_string(to.index) + ']'; break;
    case ingot::byte_step::kind::key:
    case ingot::byte_step::kind::entry: out += key_text(to); break;
    }
  }
  return out;
}

} // namespace tool
