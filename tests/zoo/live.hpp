// SPDX-License-Identifier: Apache-2.0
// A struct with every std:: container that has a live twin, and the same struct with the twins.
#pragma once

#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace zoo {

enum class suit : std::uint8_t { clubs, hearts, spades };

struct card {
  suit of;
  std::string name;
};
struct live_card {
  suit of;
  ingot::string name;
};

struct cabinet {
  std::uint64_t id;
  bool open;
  std::string title;
  std::u16string motto;
  std::int16_t corners[2];
  std::pair<std::uint8_t, std::string> label;
  std::vector<card> cards;
  std::vector<std::vector<float>> curves;
  std::vector<bool> flags;
  std::map<std::string, card> by_name;
  std::map<std::uint32_t, std::uint16_t> numbers;
  std::multimap<std::int32_t, std::string> repeated;
  std::set<std::string> words;
  std::unordered_map<std::string, card> hashed;
  std::unordered_set<std::int64_t> seen;
  std::map<std::int32_t, std::int32_t> flat;
  std::optional<std::string> note;
  std::variant<std::int32_t, std::string> either;
  std::unique_ptr<card> spare;
};
struct live_cabinet {
  std::uint64_t id;
  bool open;
  ingot::string title;
  ingot::u16string motto;
  std::int16_t corners[2];
  std::pair<std::uint8_t, ingot::string> label;
  ingot::vector<live_card> cards;
  ingot::vector<ingot::vector<float>> curves;
  ingot::vector<bool> flags;
  ingot::map<ingot::string, live_card> by_name;
  ingot::map<std::uint32_t, std::uint16_t> numbers;
  ingot::multimap<std::int32_t, ingot::string> repeated;
  ingot::set<ingot::string> words;
  ingot::hash_map<ingot::string, live_card> hashed;
  ingot::hash_set<std::int64_t> seen;
  ingot::flat_map<std::int32_t, std::int32_t> flat;
  ingot::optional<ingot::string> note;
  ingot::variant<std::int32_t, ingot::string> either;
  ingot::box<live_card> spare;
};

/// Some elements in everything. Text is both shorter and longer than the internal buffer of a
/// string.
inline cabinet make_cabinet() {
  cabinet c{};
  c.id = 0x0123456789ABCDEF;
  c.open = true;
  c.title = "a title that is longer than eleven characters";
  c.motto = u"of two-byte characters";
  c.corners[1] = -7;
  c.label = {3, "short"};
  c.cards = {{suit::hearts, "queen"}, {suit::spades, "the ace of spades, whole"}};
  c.curves = {{1.5F, -2.25F}, {}, {0.125F}};
  c.flags = {true, false, true};
  c.by_name = {{"queen", {suit::hearts, "q"}}, {"a name of a card that is long", {suit::clubs, ""}}};
  for (std::uint32_t i = 0; i < 40; ++i) c.numbers[i * 37 % 101] = static_cast<std::uint16_t>(i);
  c.repeated = {{1, "b"}, {1, "a"}, {-4, "first of all and rather long"}};
  c.words = {"zebra", "antelope", "a word of several syllables"};
  c.hashed = {{"one", {suit::clubs, "i"}}, {"a key that is long enough", {suit::spades, "ii"}}};
  c.seen = {5, -3, 1'000'000'007};
  c.flat = {{3, 4}, {-1, 2}};
  c.note = "noted";
  c.either = std::string("the second alternative");
  c.spare = std::make_unique<card>(card{suit::spades, "jack"});
  return c;
}

} // namespace zoo
