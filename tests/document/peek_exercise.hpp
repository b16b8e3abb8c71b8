// SPDX-License-Identifier: Apache-2.0
// Random changes of a document that was not validated: of any value, with any value.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/document/peek_editor.hpp>

#include "live/dice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace peek_exercise {

using strings = std::map<std::string, std::string>;

template <class Result>
std::optional<ingot::errc> code_of(const Result& of) {
  return of ? std::nullopt : std::optional(of.error().code());
}

/// Makes a random value and passes it to `use`.
template <class Use>
void with_value(live_test::dice& random, const Use& use) {
  switch (random() % 14) {
  case 0: return use(static_cast<std::int64_t>(random()) >> random() % 64);
  case 1: return use(static_cast<int>(random() % 100));
  case 2: return use(static_cast<double>(random() % 1000) / 7);
  case 3: return use(random() % 2 == 0);
  case 4: return use(nullptr);
  case 5: return use(std::string(random() % 40, 's'));
  case 6: return use(std::string(120 + random() % 300, 'l'));
  case 7: {
    std::vector<int> list(random() % 40);
    for (int& each : list) each = static_cast<int>(random()) >> random() % 32;
    return use(list);
  }
  case 8: return use(std::vector<std::string>{"a", std::string(random() % 200, 'e')});
  case 9: return use(strings{{"key", "value"}, {std::string(1 + random() % 60, 'k'), "other"}});
  case 10: return use(strings());
  case 11: return use(std::vector<std::byte>(random() % 200, std::byte{7}));
  case 12: return use(~std::uint64_t{0} - random() % 9);
  default: return use(std::vector<int>());
  }
}
inline std::string some_key(live_test::dice& random) {
  static constexpr std::array lengths{0U, 1U, 3U, 7U, 15U, 16U, 20U, 32U, 33U, 50U, 200U};
  const std::size_t length = lengths[random() % lengths.size()];
  std::string key(length, 'k');
  if (length != 0) key.back() = static_cast<char>('a' + random() % 12);
  if (length > 3 && random() % 8 == 0) key[0] = '\0';
  return key;
}
/// Makes changes at many paths of the document at the beginning of `memory`. If `open` accepts the
/// document before a change, it accepts the document after the change.
inline void change_everywhere(std::span<std::byte> memory, live_test::dice& random,
                              bool is_accepted = false) {
  auto editor = ingot::peek_editor::over(memory);
  if (!editor) return;
  for (int i = 0; i < 6; ++i) {
    ingot::peek_value at = editor->root();
    for (std::size_t depth = random() % 4; depth != 0 && at.size() != 0; --depth) {
      const std::size_t index = random() % at.size();
      at = at.is_object() && random() % 2 == 0 ? at.find(at.key(index)) : at[index];
    }
    const std::vector<std::byte> before(editor->bytes().begin(), editor->bytes().end());
    std::optional<ingot::errc> found;
    const std::string key = some_key(random);
    switch (random() % 6) {
    case 0: with_value(random, [&](const auto& to) { found = code_of(editor->set(at, to)); }); break;
    case 1: with_value(random, [&](const auto& to) { found = code_of(editor->set(at, key, to)); }); break;
    case 2: with_value(random, [&](const auto& to) { found = code_of(editor->append(at, to)); }); break;
    case 3: {
      const std::size_t index = random() % (at.size() + 2);
      with_value(random, [&](const auto& to) { found = code_of(editor->insert(at, index, to)); });
      break;
    }
    case 4: found = code_of(editor->erase(at, std::string(at.key(0)))); break;
    default: found = code_of(editor->erase(at, random() % (at.size() + 1))); break;
    }
    if (found) {
      ASSERT_TRUE(std::ranges::equal(editor->bytes(), before)) << "changed after an error";
    }
    ASSERT_LE(editor->bytes().size(), memory.size());
    if (is_accepted) {
      const auto opened = ingot::document::open(editor->bytes());
      ASSERT_TRUE(opened.has_value()) << opened.error().message();
    }
    std::size_t sum = 0;
    for (const auto& each : editor->root().elements()) sum += each.size() + each.length();
    ASSERT_LE(sum, memory.size() * memory.size());
  }
}

} // namespace peek_exercise
