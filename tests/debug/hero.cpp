// SPDX-License-Identifier: Apache-2.0
// The values of docs/debugging.md and of tests/debug/hero.txt: what a program has in its variables,
// parameters and containers of the standard library. The printers' tests stop at `look_here`.
//
// The program itself hardly uses the operators of the tests' expressions: the printers have them.
#include <ingot/core/buffer.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/reflect/variant_names.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

enum class mood : std::uint8_t { calm, angry };

struct equip {
  std::uint32_t id;
  std::uint32_t count;
};
struct hero_data {
  std::uint32_t id;
  ingot::string name;
  ingot::vector<equip> equips;
  ingot::map<ingot::string, equip> items;
  ingot::optional<ingot::string> motto;
  ingot::ref<equip> link;
};
/// Containers of other kinds.
struct bag {
  ingot::queue<std::uint32_t> ring;
  ingot::set<std::int16_t> odd;
  ingot::hash_map<std::uint32_t, ingot::string> scores;
  ingot::flat_map<mood, ingot::string> moods;
  ingot::pool<equip> pool;
  ingot::box<equip> boxed;
  ingot::box<equip> nothing;
  ingot::string torn;
};

struct tag {
  std::uint8_t level;
  std::string name;
};
struct sheet {
  std::uint32_t id;
  std::string name;
  std::vector<tag> tags;
  std::optional<std::string> motto;
  std::variant<std::uint32_t, std::string> choice;
  mood feels;
  std::chrono::milliseconds pause;
  std::map<std::string, std::uint32_t> stock;
};
struct calm {
  std::string town;
};
struct flood {
  std::string town;
  std::uint16_t metres;
};
struct report {
  std::variant<calm, flood> news;
};
template <>
inline constexpr std::string_view ingot::json::variant_names<std::variant<calm, flood>>[] = {"calm", "flood"};

using short_name = ingot::string;
using owner = ingot::live<hero_data>;

namespace {

void fill(hero_data& h) {
  h.id = 7;
  h.name = "Ada";
  for (std::uint32_t i = 0; i < 2; ++i) {
    auto& one = h.equips.emplace_back();
    one.id = 7 + i;
    one.count = 1 + 2 * i;
  }
  const auto item = h.items.try_emplace("rope").first;
  item->second.id = 9;
  item->second.count = 2;
}

void fill(bag& b) {
  for (std::uint32_t i = 4; i < 9; ++i) b.ring.push_back(i);
  for (int i = 0; i < 2; ++i) b.ring.pop_front();
  for (std::int16_t i = -3; i <= 3; i = static_cast<std::int16_t>(i + 2)) b.odd.insert(i);
  b.scores.try_emplace(7U).first->second = "seven";
  b.moods.try_emplace(mood::calm, "lake");
  b.moods.try_emplace(mood::angry, "storm");
  const auto added = b.pool.add();
  b.pool.get(added)->id = 99;
  b.boxed.emplace().id = 42;
  b.torn = "will be overwritten with something else";
  const std::uint32_t endless = 0xffffffff;
  std::memcpy(reinterpret_cast<char*>(&b.torn) + 4, &endless, sizeof endless);
}

/// Every code, with what changes the sentence; `messages` has the sentence that the library writes.
struct spoken {
  std::vector<ingot::error> errors;
  std::vector<std::string> messages;
};
spoken speak() {
  spoken all;
  const auto add = [&](const ingot::error& one) {
    all.errors.push_back(one);
    all.messages.push_back(one.message());
  };
  for (std::uint8_t code = 0; ingot::to_string(ingot::errc{code}) != "unknown error"; ++code) {
    for (const char* expected :
         {"", "a value that exists", "one, the tag of the variant", "the key \"$version\"", "the key \"id\"",
          "a file that can be read", "a folder to save to", "as many elements as the other",
          "a combination of red", "the name of a flag", "the tag 1", "one key of two", "an object with one",
          "value or error", "an existing member", "an index of the container",
          "an object or an array on the path", "a kind of part"}) {
      for (const char* found : {"", "the key \"x\"", "-3", "7", "red"}) {
        const bool brief = *expected == '\0' || *found == '\0' || code == 34 || code == 4;
        if (!brief && code != 23 && code != 24 && code % 4 != 1) continue;
        add(ingot::error(ingot::errc{code}, code).with_expected(expected).with_found(found));
        add(ingot::error(ingot::errc{code})
                .with_position(3, 14)
                .with_expected(expected)
                .with_found(found)
                .in_member("name"));
      }
    }
  }
  add(ingot::error(ingot::errc::io)
          .in_element(3)
          .in_member(std::string(200, 'n'))
          .with_found(std::string(90, 'f')));
  return all;
}

volatile int looked = 0;
[[gnu::noinline]] void look_here(const void* const* addresses) {
  asm volatile("" : : "r"(addresses) : "memory");
  looked = 1;
}
/// Keeps the values in memory, even in optimised code, from before the stop until after it.
template <class... T>
[[gnu::always_inline]] inline void stop_with(const T&... all) {
  const void* const addresses[] = {&all...};
  look_here(addresses);
  asm volatile("" : : "r"(addresses) : "memory");
}

struct part {
  owner& member_reference;
  const ingot::string* member_pointer;
};

[[gnu::noinline]] void in_function(owner& hero, const ingot::vector<equip>& by_reference,
                                   ingot::string* by_pointer, const ingot::document& const_document,
                                   ingot::document* pointed, ingot::map<ingot::string, equip>&& moved,
                                   const owner* no_hero) {
  const hero_data& root = *hero;
  const part parts{hero, by_pointer};
  stop_with(hero, by_reference, by_pointer, const_document, pointed, moved, root, parts, no_hero);
}

} // namespace

int main() {
  owner hero;
  fill(*hero);
  ingot::live<bag> block;
  fill(*block);
  const auto seen = ingot::live_view<hero_data>::open(hero.bytes());
  ingot::live<ingot::vector<ingot::string>> words;
  (*words).emplace_back() = "first";
  (*words).emplace_back() = "a text that does not fit in place";

  ingot::document order;
  order["id"] = 7;
  order["price"] = 3.25;
  order["fills"] = std::vector{100, 250};
  order["by"]["user"] = "Ada";
  const auto price = order["price"];

  const sheet sample{
      7, "Ada", {{1, "one"}}, {}, "text", mood::angry, std::chrono::milliseconds(1500), {{"rope", 2}}};
  const auto packed = ingot::pack(sample);
  const auto view = *ingot::view<sheet>::open(packed);
  const auto tags = view.get<"tags">();
  const auto small = ingot::compact::pack(sample);
  const auto compact = std::move(*ingot::compact::view<sheet>::open(small));
  const auto reported = ingot::pack(report{flood{"Passau", 11}});
  const auto news = (*ingot::view<report>::open(reported)).get<"news">();

  const ingot::error failure = ingot::error(ingot::errc::bad_bool, 17)
                                   .with_expected("0 or 1")
                                   .with_found(3)
                                   .in_element(1)
                                   .in_member("flags");
  const ingot::result<std::uint32_t> good = 5;
  const ingot::result<std::string> bad = ingot::fail(failure);
  const ingot::result<void> done;
  const ingot::result<void> undone = ingot::fail(ingot::errc::cancelled);
  ingot::buffer buffer;
  for (int i = 0; i < 5; ++i) buffer.append(std::array{std::byte(i)});
  const ingot::buffer no_bytes;

  // In containers of the standard library, and by their other names.
  std::vector<owner> heroes;
  heroes.push_back(hero);
  std::map<std::string, ingot::document> orders;
  orders["Ada"] = order;
  const std::optional<ingot::document> perhaps = order;
  const std::unique_ptr<owner> unique = std::make_unique<owner>(hero);
  const std::pair<std::string, ingot::error> last{"load", failure};
  const std::array<ingot::result<std::uint32_t>, 2> results{good, ingot::fail(failure)};
  short_name& named = (*hero).name;

  const spoken all = speak();
  stop_with(hero, block, seen, words, order, price, view, tags, compact, news, failure, good, bad, done,
            undone, buffer, no_bytes, heroes, orders, perhaps, unique, last, results, named, all);
  in_function(hero, (*hero).equips, &(*hero).name, order, &order, std::move((*hero).items), nullptr);
  return looked == 1 ? 0 : 1;
}
