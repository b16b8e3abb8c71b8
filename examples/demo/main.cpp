// SPDX-License-Identifier: Apache-2.0
// ingot's main job on real input: text to structs, structs to bytes, questions answered from the
// bytes without decoding them, bytes back to structs and to text. Everything is compared at the
// end, and timed beside nlohmann::json and MessagePack doing the same. Then a router, for messages
// without a declared type.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "atlas.hpp"
#include "files.hpp"
#include "peers.hpp"
#include "router.hpp"
#include "world.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace demo { namespace {

int rounds = 5;

// --- the questions, asked of structs, of views and of nlohmann's tree ----------------------------

struct AtlasAnswer {
  std::string country;       // the name of JP
  std::size_t prefectures{}; // its number of subdivisions
  std::string last_language; // the last living language
  bool operator==(const AtlasAnswer&) const = default;
};

AtlasAnswer ask(const Atlas& atlas) {
  AtlasAnswer answer;
  for (const Country& c : atlas.countries) {
    if (c.alpha_2 == "JP") answer.country = c.name;
  }
  for (const Subdivision& s : atlas.subdivisions) answer.prefectures += s.code.starts_with("JP-");
  for (auto i = atlas.languages.size(); i-- > 0 && answer.last_language.empty();) {
    if (atlas.languages[i].type == Life::L) answer.last_language = atlas.languages[i].name;
  }
  return answer;
}
AtlasAnswer ask(const ingot::view<Atlas>& atlas) { // the same words: nothing is decoded
  AtlasAnswer answer;
  for (auto c : atlas.get<"countries">()) {
    if (c.get<"alpha_2">() == "JP") answer.country = c.get<"name">();
  }
  for (auto s : atlas.get<"subdivisions">()) answer.prefectures += s.get<"code">().starts_with("JP-");
  const auto languages = atlas.get<"languages">();
  for (auto i = languages.size(); i-- > 0 && answer.last_language.empty();) {
    if (languages[i].get<"type">() == Life::L) answer.last_language = languages[i].get<"name">();
  }
  return answer;
}
AtlasAnswer ask_atlas(const nlohmann::json& atlas) {
  AtlasAnswer answer;
  for (const auto& c : atlas["countries"]) {
    if (c["alpha_2"] == "JP") answer.country = c["name"];
  }
  for (const auto& s : atlas["subdivisions"]) {
    answer.prefectures += s["code"].get_ref<const std::string&>().starts_with("JP-");
  }
  const auto& languages = atlas["languages"];
  for (auto i = languages.size(); i-- > 0 && answer.last_language.empty();) {
    if (languages[i]["type"] == "L") answer.last_language = languages[i]["name"];
  }
  return answer;
}

struct WorldAnswer {
  std::string name;       // the character in the middle of the list
  std::uint64_t levels{}; // the sum of the levels of all equipment
  std::uint32_t item{};   // the id of one item, found by its key
  bool operator==(const WorldAnswer&) const = default;
};

WorldAnswer ask(const World& world) {
  const auto& middle = world.characters[world.characters.size() / 2];
  WorldAnswer answer{middle.name, 0, middle.items.find(middle.items.begin()->first)->second.id};
  for (const Character& c : world.characters) {
    for (const Equip& e : c.equips) answer.levels += e.level;
  }
  return answer;
}
WorldAnswer ask(const ingot::view<World>& world) {
  const auto characters = world.get<"characters">();
  const auto middle = characters[characters.size() / 2];
  const auto items = middle.get<"items">();
  WorldAnswer answer{std::string(middle.get<"name">()), 0,
                     (*items.find(items.front().first)).second.get<"id">()};
  for (auto c : characters) {
    for (auto e : c.get<"equips">()) answer.levels += e.get<"level">();
  }
  return answer;
}
WorldAnswer ask_world(const nlohmann::json& world) {
  const auto& characters = world["characters"];
  const auto& middle = characters[characters.size() / 2];
  std::uint64_t first = ~std::uint64_t{0}; // its keys are text, in the order of text
  for (const auto& entry : middle["items"].items())
    first = std::min<std::uint64_t>(first, std::stoull(entry.key()));
  WorldAnswer answer{middle["name"], 0, middle["items"][std::to_string(first)]["id"]};
  for (const auto& c : characters) {
    for (const auto& e : c["equips"]) answer.levels += e["level"].get<std::uint32_t>();
  }
  return answer;
}

// --- measuring and printing ----------------------------------------------------------------------

template <class F>
double milliseconds(F&& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds / 2)];
}

void row(const char* name, std::size_t bytes, double make, double open, double answer) {
  std::printf("  %-34s %11zu %10.3f %10.3f %10.4f\n", name, bytes, make, open, answer);
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "demo: %s does not hold\n", what);
  std::exit(1);
}
template <class T>
T must(ingot::result<T> outcome) {
  if (!outcome) {
    std::fprintf(stderr, "demo: %s\n", outcome.error().message().c_str());
    std::exit(1);
  }
  return std::move(*outcome);
}

/// One value in every representation, one row each.
template <class T, class AskTree>
void compare(const char* title, const T& value, AskTree ask_tree) {
  std::printf("\n%s\n  %-34s %11s %10s %10s %10s\n", title, "representation", "bytes", "make ms", "open ms",
              "answer ms");
  const auto truth = ask(value);
  auto answer = truth;

  // packed, read in place
  ingot::buffer packed;
  const double pack_ms = milliseconds([&] {
    packed.clear();
    must(ingot::pack_to(packed, value));
  });
  const double check_ms = milliseconds([&] { must(ingot::view<T>::open(packed)); });
  const auto view = must(ingot::view<T>::open(packed));
  const double view_ms = milliseconds([&] { answer = ask(view); });
  require(answer == truth, "the view's answer equals the struct's");
  row("ingot pack, viewed in place", packed.size(), pack_ms, check_ms, view_ms);

  // packed, decoded
  const double unpack_ms = milliseconds([&] { must(ingot::unpack<T>(packed)); });
  const T decoded = must(ingot::unpack<T>(packed));
  require(decoded == value, "decoding gives the value back");
  row("ingot pack, decoded", packed.size(), pack_ms, unpack_ms, milliseconds([&] { answer = ask(decoded); }));

  // compact, decoded
  ingot::buffer compact;
  const double compact_ms = milliseconds([&] {
    compact.clear();
    must(ingot::compact::pack_to(compact, value));
  });
  const double expand_ms = milliseconds([&] { must(ingot::compact::unpack<T>(compact)); });
  const T expanded = must(ingot::compact::unpack<T>(compact));
  require(expanded == value, "the compact form gives the value back");
  row("ingot compact, decoded", compact.size(), compact_ms, expand_ms,
      milliseconds([&] { answer = ask(expanded); }));

  // text
  std::string text;
  const double write_ms = milliseconds([&] { text = must(ingot::json::write(value)); });
  const double read_ms = milliseconds([&] { must(ingot::json::read<T>(text)); });
  const T parsed = must(ingot::json::read<T>(text));
  require(parsed == value, "text gives the value back");
  row("ingot JSON", text.size(), write_ms, read_ms, milliseconds([&] { answer = ask(parsed); }));

  // the peers
  std::string peer_text;
  const double dump_ms = milliseconds([&] { peer_text = to_nlohmann(value).dump(); });
  nlohmann::json tree;
  const double parse_ms = milliseconds([&] { tree = nlohmann::json::parse(peer_text); });
  const double tree_ms = milliseconds([&] { answer = ask_tree(tree); });
  require(answer == truth, "nlohmann's answer equals the struct's");
  require(must(ingot::json::read<T>(peer_text)) == value, "ingot reads what nlohmann wrote");
  require(must(ingot::json::read<T>(nlohmann::json::parse(text).dump())) == value,
          "nlohmann reads what ingot wrote");
  row("nlohmann::json", peer_text.size(), dump_ms, parse_ms, tree_ms);

  msgpack::sbuffer bytes;
  const double msgpack_ms = milliseconds([&] {
    bytes.clear();
    msgpack::packer<msgpack::sbuffer> out(bytes);
    to_msgpack(out, value);
  });
  T unpacked{};
  const double convert_ms = milliseconds([&] {
    unpacked = T{};
    const auto handle = msgpack::unpack(bytes.data(), bytes.size());
    from_msgpack(handle.get(), unpacked);
  });
  require(unpacked == value, "MessagePack gives the value back");
  row("MessagePack, decoded", bytes.size(), msgpack_ms, convert_ms,
      milliseconds([&] { answer = ask(unpacked); }));
}

/// The records as text has them, and which field says which one it is.
std::vector<topic> topics_of(const Atlas& atlas) {
  std::vector<topic> topics;
  const auto add = [&](std::string_view code, const auto& records) {
    topics.push_back({code, {}});
    for (const auto& record : records) topics.back().records.push_back(to_nlohmann(record));
  };
  add("alpha_3", atlas.countries);
  add("code", atlas.subdivisions);
  add("alpha_3", atlas.languages);
  add("alpha_3", atlas.currencies);
  add("alpha_4", atlas.scripts);
  return topics;
}

}} // namespace demo

int main(int argc, char** argv) {
  using namespace demo;
  // As a test: the comparisons, not the timing.
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  if (quick) rounds = 1;
  const char* const folder = argc > 1 + quick ? argv[1 + quick] : "demo-files";

  const Atlas atlas = must(read_atlas("/usr/share/iso-codes/json"));
  const World world = make_world(quick ? 50 : 1000);
  std::printf("ingot: %zu records of the iso-codes package, %zu generated game characters\n", atlas.records(),
              world.characters.size());

  compare("ISO codes: countries, subdivisions, languages, currencies, scripts", atlas, ask_atlas);
  compare("A game world: characters with 64 items, 8 equips, a path", world, ask_world);

  require(route(topics_of(atlas), quick ? 2'000 : 100'000, rounds), "every message arrives as it should");

  // The check of a view finds bytes that were damaged on the way.
  ingot::buffer damaged = must(ingot::pack(atlas));
  damaged[400] ^= std::byte{0x40};
  const auto rejected = ingot::view<Atlas>::open(damaged);
  require(!rejected.has_value(), "a damaged message is refused");
  std::printf("\nA flipped bit, as an error says it:\n  %s\n", rejected.error().message().c_str());
  const auto mistyped = ingot::json::read<Country>(R"({"alpha_2": "JP", "alpha_3": 392})");
  std::printf("A mistyped text:\n  %s\n", mistyped.error().message().c_str());
  require(write_files(folder, atlas, world), "files are written");
  std::puts(
      "\nEverything above agrees: every representation gave back the value, and every answer was the same.");
}
