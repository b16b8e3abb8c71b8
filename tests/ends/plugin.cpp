// SPDX-License-Identifier: Apache-2.0
// A plugin that uses most of the library, and leaves bytes instead of handles.
#include "plugin.hpp"

#include <ingot/document/document.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/description.hpp>

#include <cstddef>
#include <span>
#include <vector>

/// Declared in plugin.hpp. Returns the number of the step that failed, or 0.
extern "C" int ingot_plugin_use(const char* path, plugin::bytes* block) {
  ingot::live<plugin::node> tree;
  tree->kids.emplace_back().name = plugin::long_name;
  tree.compact();
  if (const auto copy = ingot::live<plugin::node>::open(tree.bytes()); !copy || *copy != tree) return 1;

  const auto packed = ingot::pack(std::vector<int>{1, 2, 3});
  if (!packed) return 2;
  const auto text = ingot::json::write(std::vector<int>{1, 2, 3});
  if (!text || ingot::json::read<std::vector<int>>(*text) != std::vector<int>{1, 2, 3}) return 3;
  ingot::document document;
  document["key"] = *text;
  if (!ingot::document::open(document.bytes())) return 4;
  if (ingot::layout_of<plugin::node>().empty() || ingot::schema_bytes<std::vector<int>>().empty()) return 5;

  {
    auto edited = ingot::create_edited_file<ingot::live<plugin::node>>(path);
    if (!edited) return 6;
    (*edited)->kids.emplace_back().name = plugin::long_name;
  }
  const std::span<const std::byte> all = tree.bytes();
  block->assign(all.begin(), all.end());
  return 0;
}
