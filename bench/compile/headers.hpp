// SPDX-License-Identifier: Apache-2.0
// The cost of including ingot: the compiler's user time for units that include public headers, and
// for units that use them as the pages do, compared with headers of peers. Ratios are to a unit
// with <map>, <string> and <vector>.
#pragma once

#include "sources.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// One unit that is only parsed and instantiated (`-fsyntax-only`), or compiled to an object if
/// `optimisation` is set.
struct header_unit {
  std::string name;      ///< name of the case without the compiler
  std::string contender; ///< `std` is the base of the ratios
  std::string source;
  std::string optimisation = {}; ///< `-O2`; empty = -fsyntax-only
  double max_ratio = 0;          ///< maximum ratio; 0 = no target
  bool optional = false;         ///< a peer that some compilers reject: left out then
};

inline const std::string standard_headers = "#include <map>\n#include <string>\n#include <vector>\n";

/// Structs of standard members, and as live ones, as in README.md.
inline const std::string standard_character = standard_headers + R"(
#include <cstdint>
struct Item { std::uint32_t number = 0; std::uint32_t count = 0; };
struct Equip { std::uint32_t id; std::vector<float> attributes; };
struct Character {
  std::uint64_t id;
  std::string name;
  std::vector<Equip> equips;
  std::map<std::uint64_t, Item> items;
};
)";
inline const std::string live_character = R"(
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
struct Item { std::uint32_t number = 0; std::uint32_t count = 0; };
struct Equip { std::uint32_t id; ingot::vector<float> attributes; };
struct Character {
  std::uint64_t id;
  ingot::string name;
  ingot::vector<Equip> equips;
  ingot::map<std::uint64_t, Item> items;
};
)";

inline const std::string standard_example = standard_character + R"(
void send(const Character&);
bool run(const Character& received) {
  Character hero{};
  hero.name = "It is just a character's name.";
  hero.equips.emplace_back().attributes = {1.2f, 2.0f};
  hero.items[0xda4c] = Item{8056, 1};
  send(hero);
  Character got = received;
  got.equips[0].attributes.push_back(7);
  send(got);
  return true;
}
)";
inline const std::string live_example = live_character + R"(
void send(std::span<const std::byte>);
bool run(std::span<const std::byte> received) {
  ingot::live<Character> hero;
  hero->name = "It is just a character's name.";
  hero->equips.emplace_back().attributes = {1.2f, 2.0f};
  hero->items[0xda4c] = Item{8056, 1};
  send(hero.bytes());
  auto got = ingot::live<Character>::open(received);
  if (!got) return false;
  (*got)->equips[0].attributes.push_back(7);
  send(got->bytes());
  return true;
}
)";

inline const std::string standard_tree = standard_headers + R"(
#include <cstdint>
#include <variant>
struct node {
  std::variant<std::monostate, std::int64_t, double, std::string, std::vector<node>, std::map<std::string, node>> held;
};
bool run(const node& received) {
  std::map<std::string, node> top;
  top["name"].held = "Ada";
  top["level"].held = std::int64_t{7};
  top["list"].held.emplace<std::vector<node>>().push_back(received);
  return std::get<std::int64_t>(top["level"].held) == 7;
}
)";
inline const std::string document_example = R"(
#include <ingot/document/document.hpp>
bool run(std::span<const std::byte> received) {
  ingot::document made;
  made["name"] = "Ada";
  made["level"] = 7;
  auto got = ingot::document::open(received);
  if (!got) return false;
  (*got)["level"] = 8;
  return (*got)["level"].value_or(0) == 8;
}
)";

inline const std::string pack_used = standard_character + R"(
#include <ingot/core/buffer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
bool run(const Character& in, Character& out) {
  ingot::buffer bytes;
  return ingot::pack_to(bytes, in) && ingot::unpack_into(out, bytes);
}
)";
inline const std::string json_used = standard_character + R"(
#include <ingot/json/json.hpp>
bool run(const Character& in, Character& out) {
  auto text = ingot::json::write(in);
  return text && ingot::json::read_into(out, *text);
}
)";
inline const std::string nlohmann_used = standard_character + R"(
#include <nlohmann/json.hpp>
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Item, number, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Equip, id, attributes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Character, id, name, equips, items)
bool run(const Character& in, Character& out) {
  nlohmann::json::parse(nlohmann::json(in).dump()).get_to(out);
  return true;
}
)";
inline const std::string glaze_used = standard_character + R"(
#include <glaze/glaze.hpp>
bool run(const Character& in, Character& out) {
  auto text = glz::write_json(in);
  return text && !glz::read_json(out, *text);
}
)";

/// Six structs of game data with four to eight members each. The last one has all others as
/// members.
inline const std::string six_structs = standard_headers + R"(
#include <cstdint>
struct place { float x, y, z; std::uint32_t zone; };
struct item { std::uint32_t number; std::uint32_t count; std::string name; float weight; };
struct skill { std::string name; std::uint16_t level; std::uint64_t points; bool active; };
struct quest { std::uint32_t id; std::string title; std::vector<std::uint32_t> steps; bool done; };
struct guild { std::uint64_t id; std::string name; std::vector<std::string> ranks; std::map<std::uint64_t, std::uint32_t> members; };
struct hero {
  std::uint64_t id; std::string name; place at; std::vector<item> items; std::vector<skill> skills;
  std::map<std::uint32_t, quest> quests; guild home; double gold;
};
)";
inline const std::string six_ingot = six_structs + R"(
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>
#define BOTH(T) bool keep(const T& v, const char* p) { return ingot::save(p, v).has_value(); } \
  bool take(T& v, const char* p) { auto got = ingot::load<T>(p); if (got) v = *got; return got.has_value(); }
BOTH(place) BOTH(item) BOTH(skill) BOTH(quest) BOTH(guild) BOTH(hero)
)";
inline const std::string six_cereal = six_structs + R"(
#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <fstream>
template <class A> void serialize(A& a, place& v) { a(v.x, v.y, v.z, v.zone); }
template <class A> void serialize(A& a, item& v) { a(v.number, v.count, v.name, v.weight); }
template <class A> void serialize(A& a, skill& v) { a(v.name, v.level, v.points, v.active); }
template <class A> void serialize(A& a, quest& v) { a(v.id, v.title, v.steps, v.done); }
template <class A> void serialize(A& a, guild& v) { a(v.id, v.name, v.ranks, v.members); }
template <class A> void serialize(A& a, hero& v) { a(v.id, v.name, v.at, v.items, v.skills, v.quests, v.home, v.gold); }
#define BOTH(T) bool keep(const T& v, const char* p) { std::ofstream f(p, std::ios::binary); cereal::BinaryOutputArchive{f}(v); return f.good(); } \
  bool take(T& v, const char* p) { std::ifstream f(p, std::ios::binary); cereal::BinaryInputArchive{f}(v); return f.good(); }
BOTH(place) BOTH(item) BOTH(skill) BOTH(quest) BOTH(guild) BOTH(hero)
)";

/// Returns the cases with a target, and the peers for comparison.
inline std::vector<header_unit> header_units() {
  const auto include = [](std::initializer_list<std::string_view> headers) {
    std::string s;
    for (const auto h : headers) s += include_source(h);
    return s;
  };
  std::vector<header_unit> all;
  const auto add = [&](std::string name, std::string included, std::string used, double max_ratio) {
    all.push_back({name, "std", standard_headers});
    all.push_back({name, "ingot", std::move(included), "", max_ratio});
    all.push_back({name, "ingot-used", std::move(used)});
  };
  add("headers-pack", include({"ingot/pack/pack.hpp", "ingot/pack/unpack.hpp"}), pack_used, 1.6);
  add("headers-live",
      include(
          {"ingot/live/live.hpp", "ingot/live/string.hpp", "ingot/live/vector.hpp", "ingot/live/map.hpp"}),
      live_example, 1.9);
  add("headers-json", include({"ingot/json/json.hpp"}), json_used, 1.7);
  all.push_back({"headers-json", "nlohmann", include({"nlohmann/json.hpp"})});
  all.push_back({"headers-json", "nlohmann-used", nlohmann_used});
  all.push_back({"headers-json", "glaze", include({"glaze/glaze.hpp"}), "", 0, true});
  all.push_back({"headers-json", "glaze-used", glaze_used, "", 0, true});
  add("headers-document", include({"ingot/document/document.hpp"}), document_example, 2.2);
  add("headers-file", include({"ingot/file/save.hpp", "ingot/file/load.hpp"}), six_ingot, 3.0);
  all.push_back({"headers-file", "cereal",
                 include({"cereal/archives/binary.hpp", "cereal/types/map.hpp", "cereal/types/string.hpp",
                          "cereal/types/vector.hpp", "fstream"})});
  all.push_back({"headers-file", "cereal-used", six_cereal});

  all.push_back({"unit-live", "std", standard_example, BENCH_OPT});
  all.push_back({"unit-live", "ingot", live_example, BENCH_OPT, 3.0});
  all.push_back({"unit-document", "std", standard_tree, BENCH_OPT});
  all.push_back({"unit-document", "ingot", document_example, BENCH_OPT, 4.0});
  all.push_back({"unit-six-O0", "cereal", six_cereal, "-O0"});
  all.push_back({"unit-six-O0", "ingot", six_ingot, "-O0", 1.7});
  all.push_back({"unit-six", "cereal", six_cereal, BENCH_OPT});
  all.push_back({"unit-six", "ingot", six_ingot, BENCH_OPT, 2.5});
  return all;
}

/// Returns each public header alone, in the order of their names: 150 units, which run only with
/// `--only each-`.
inline std::vector<header_unit> each_header(const std::filesystem::path& folder) {
  std::vector<std::string> headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "ingot")) {
    if (entry.path().extension() != ".hpp" || entry.path().parent_path().filename() == "detail") continue;
    headers.push_back(entry.path().lexically_relative(folder).generic_string());
  }
  std::ranges::sort(headers);
  std::vector<header_unit> all;
  for (const auto& h : headers) {
    std::string name = "each-" + h.substr(6, h.size() - 10); // without ingot/ and .hpp
    all.push_back({name, "std", standard_headers});
    all.push_back({name, "ingot", include_source(h)});
  }
  return all;
}

} // namespace bench
