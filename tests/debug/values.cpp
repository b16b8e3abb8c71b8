// SPDX-License-Identifier: Apache-2.0
// Known values of every type that the printers for debuggers show; the printers' tests stop at
// `look_here`.
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/detail/twin_variant.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>

#include <cstdint>
#include <cstring>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

enum class mood : std::uint8_t { calm, angry };

struct item {
  std::uint32_t id;
  ingot::string name;
};
struct chest {
  ingot::string brief;
  ingot::string text;
  ingot::u16string wide;
  ingot::vector<std::uint16_t> numbers;
  ingot::vector<item> items;
  ingot::vector<float> nothing;
  ingot::queue<std::int32_t> ring;
  ingot::map<std::uint64_t, std::uint64_t> squares;
  ingot::map<ingot::string, item> named;
  ingot::multimap<mood, ingot::string> moods;
  ingot::set<std::int16_t> odd;
  ingot::hash_map<ingot::string, double> scores;
  ingot::hash_set<std::uint32_t> seen;
  ingot::flat_map<std::uint8_t, ingot::string> letters;
  ingot::flat_set<ingot::string> words;
  ingot::optional<ingot::string> motto;
  ingot::optional<double> none;
  ingot::variant<std::uint32_t, ingot::string> note;
  ingot::detail::twin_variant<std::expected<std::uint32_t, std::string>, ingot::narrow_policy, std::uint32_t,
                              ingot::string>
      outcome;
  ingot::box<item> boxed;
  ingot::box<item> empty;
  ingot::pool<item> pool;
  ingot::ref<item> link;
  ingot::live_value any;
  ingot::live_value nothing_yet;
  ingot::vector<ingot::live_value> anything;
  ingot::vector<std::uint32_t> overwritten;
  ingot::string torn;
};
struct huge {
  ingot::wide::string text;
  ingot::wide::string brief;
  ingot::wide::vector<std::uint16_t> numbers;
  ingot::wide::map<ingot::wide::string, std::uint8_t> named;
  ingot::wide::hash_map<std::uint32_t, ingot::wide::string> scores;
  ingot::wide::multiset<std::int32_t> many;
  ingot::wide::flat_map<std::uint16_t, double> flat;
  ingot::wide::queue<std::int64_t> ring;
  ingot::wide::pool<std::uint64_t> pool;
  ingot::wide::box<std::uint32_t> boxed;
  ingot::wide::optional<std::uint32_t> maybe;
  ingot::wide::variant<double, ingot::wide::string> note;
  ingot::wide::live_value any;
};
struct message {
  std::uint32_t id;
  std::string name;
  std::vector<std::uint16_t> numbers;
  std::vector<std::string> texts;
};

void fill(chest& c) {
  c.brief = "short";
  c.text = "a text that does not fit in place";
  c.wide = u"wide text, \u00e9, in a storage";
  c.numbers = {1, 2, 3};
  auto& first = c.items.emplace_back();
  first.id = 7;
  first.name = "rope";
  c.items.emplace_back().id = 8;
  for (int i = 0; i < 6; ++i) c.ring.push_back(i);
  for (int i = 0; i < 4; ++i) c.ring.pop_front();
  for (int i = 6; i < 10; ++i) c.ring.push_back(i);
  for (std::uint64_t i = 0; i < 500; ++i) c.squares[i * 7 % 500] = (i * 7 % 500) * (i * 7 % 500);
  c.named["lamp"].id = 11;
  c.named["axe"].id = 12;
  c.moods.emplace(mood::angry, "storm");
  c.moods.emplace(mood::calm, "lake");
  for (std::int16_t i = -3; i <= 3; i = static_cast<std::int16_t>(i + 2)) c.odd.insert(i);
  c.scores["chess"] = 1.5;
  for (std::uint32_t i = 0; i < 40; ++i) c.seen.insert(i * i);
  c.letters[98] = "b";
  c.letters[97] = "a";
  c.words.insert("second");
  c.words.insert("first");
  c.motto = "onward";
  c.note = "in a variant, in a block";
  c.outcome = "in a twin of an expected";
  c.boxed.emplace().id = 42;
  const auto gone = c.pool.add();
  c.link = c.pool.add();
  c.pool.get(c.link)->id = 99;
  c.pool.erase(gone);
  c.any["price"] = 2.5;
  c.any["tags"] = std::vector<std::string>{"new", "blue"};
  c.anything.emplace_back() = 7;
  c.anything.emplace_back() = "a text that is longer than a slot";
  c.overwritten = {1, 2, 3};
  c.torn = "will be overwritten with something else";
}

void fill(huge& h) {
  h.text = "a text that does not fit in place, in a wide block";
  h.brief = "short";
  h.numbers = {4, 5};
  h.named["axe"] = 1;
  h.named["bow"] = 2;
  h.scores[7] = "seven";
  for (const int i : {3, 1, 3}) h.many.insert(i);
  h.flat[2] = 2.5;
  h.flat[1] = 1.5;
  h.ring.push_back(1);
  h.ring.push_front(0);
  h.pool.add(std::uint64_t{17});
  h.boxed.emplace(18U);
  h.maybe = 19U;
  h.note = "in a wide variant";
  h.any["wide"] = true;
}

volatile int looked = 0;
template <class... T>
[[gnu::noinline]] void look_here(const T&...) {
  looked = 1;
}

} // namespace

int main() {
  ingot::live<chest> block;
  chest& c = *block;
  fill(c);
  const auto seen = ingot::live_view<chest>::open_unchecked(block.bytes());

  ingot::wide::live<huge> wide_block;
  huge& h = *wide_block;
  fill(h);

  // Damaged values for a debugger: an offset out of range, and a huge length.
  const std::int32_t nowhere = 0x7ffffff0;
  std::memcpy(static_cast<void*>(&c.overwritten), &nowhere, sizeof nowhere);
  const std::uint32_t endless = 0xffffffff;
  std::memcpy(reinterpret_cast<char*>(&c.torn) + 4, &endless, sizeof endless);

  ingot::document doc;
  doc["id"] = 7;
  doc["name"] = "a name of a document";
  doc["list"] = std::vector{1, 300};
  doc["half"] = 0.5;
  doc["deep"] = std::map<std::string, bool>{{"flag", true}};
  const auto name = doc["name"];
  const auto absent = doc["absent"];
  const auto peeked = ingot::document_peek::over(doc.bytes());
  const auto peek = *peeked;

  const auto packed = ingot::pack(message{5, "five", {1, 2}, {"one", "two"}});
  const auto view = ingot::view<message>::open(packed);
  const auto fields = *view;
  const auto texts = fields.get<"texts">();
  const ingot::value_view any = c.any.root();
  const auto tag = any["tags"][1];
  look_here(block, wide_block, seen, doc, name, absent, peek, fields, texts, any, tag);
  return looked == 1 ? 0 : 1;
}
