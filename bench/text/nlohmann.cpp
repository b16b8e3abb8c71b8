// SPDX-License-Identifier: Apache-2.0
// nlohmann::json: its own value, parsed from text, with its conversions to and from structs.
#include "strings.hpp"
#include "workload.hpp"

#include <charconv>

#include <nlohmann/json.hpp>

namespace bench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(position, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(item, id, number, uuid, timestamp)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(skill, id, level)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(std_equip, id, number, uuid, timestamp, level, attributes)

namespace {

using nlohmann::json;

template <class T>
void put(json& to, const char* key, const std::optional<T>& value) {
  if (value) to[key] = *value;
}
template <class T>
void get(const json& from, const char* key, std::optional<T>& value) {
  if (const auto at = from.find(key); at != from.end()) value = at->get<T>();
  else value.reset();
}

} // namespace

// Without this, maps with number keys would be lists of pairs.
void to_json(json& j, const std_character& c) {
  json items = json::object();
  for (const auto& [key, it] : c.items) items[std::to_string(key)] = it;
  j = {{"id", c.id},
       {"name", c.name},
       {"level", c.level},
       {"healthpoint", c.healthpoint},
       {"manapoint", c.manapoint},
       {"speed", c.speed},
       {"pos", c.pos},
       {"items", std::move(items)},
       {"path", c.path},
       {"attributes", c.attributes},
       {"equips", c.equips},
       {"skills", c.skills}};
}
void from_json(const json& j, std_character& c) {
  j.at("id").get_to(c.id);
  j.at("name").get_to(c.name);
  j.at("level").get_to(c.level);
  j.at("healthpoint").get_to(c.healthpoint);
  j.at("manapoint").get_to(c.manapoint);
  j.at("speed").get_to(c.speed);
  j.at("pos").get_to(c.pos);
  for (const auto& [key, it] : j.at("items").items()) {
    std::uint64_t number = 0;
    std::from_chars(key.data(), key.data() + key.size(), number);
    it.get_to(c.items[number]);
  }
  j.at("path").get_to(c.path);
  j.at("attributes").get_to(c.attributes);
  j.at("equips").get_to(c.equips);
  j.at("skills").get_to(c.skills);
}
void to_json(json& j, const iso_country& c) {
  j = {{"alpha_2", c.alpha_2},
       {"alpha_3", c.alpha_3},
       {"flag", c.flag},
       {"name", c.name},
       {"numeric", c.numeric}};
  put(j, "common_name", c.common_name);
  put(j, "official_name", c.official_name);
}
void from_json(const json& j, iso_country& c) {
  j.at("alpha_2").get_to(c.alpha_2);
  j.at("alpha_3").get_to(c.alpha_3);
  get(j, "common_name", c.common_name);
  j.at("flag").get_to(c.flag);
  j.at("name").get_to(c.name);
  j.at("numeric").get_to(c.numeric);
  get(j, "official_name", c.official_name);
}
void to_json(json& j, const iso_subdivision& s) {
  j = {{"code", s.code}, {"name", s.name}, {"type", s.type}};
  put(j, "parent", s.parent);
}
void from_json(const json& j, iso_subdivision& s) {
  j.at("code").get_to(s.code);
  j.at("name").get_to(s.name);
  get(j, "parent", s.parent);
  j.at("type").get_to(s.type);
}
void to_json(json& j, const iso_language& l) {
  j = {{"alpha_3", l.alpha_3}, {"name", l.name}, {"scope", l.scope}, {"type", l.type}};
  put(j, "alpha_2", l.alpha_2);
  put(j, "bibliographic", l.bibliographic);
  put(j, "common_name", l.common_name);
  put(j, "inverted_name", l.inverted_name);
}
void from_json(const json& j, iso_language& l) {
  get(j, "alpha_2", l.alpha_2);
  j.at("alpha_3").get_to(l.alpha_3);
  get(j, "bibliographic", l.bibliographic);
  get(j, "common_name", l.common_name);
  get(j, "inverted_name", l.inverted_name);
  j.at("name").get_to(l.name);
  j.at("scope").get_to(l.scope);
  j.at("type").get_to(l.type);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(message, subject, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(iso_codes, countries, subdivisions, languages)

namespace {

struct nlohmann_structs {
  template <class T>
  bool read(const std::string& text, T& out) const {
    json::parse(text).get_to(out);
    return true;
  }
  template <class T>
  std::string write(const T& value) const {
    return json(value).dump();
  }
};

struct nlohmann_documents {
  json read(const std::string& text) const { return json::parse(text); }
  std::string write(const json& from) const { return from.dump(); }
};

} // namespace

void enter_text_nlohmann(suite& all) {
  enter_text<nlohmann_structs>(all, "nlohmann");
  enter_documents<nlohmann_documents>(all, "nlohmann");
  enter_twitter<nlohmann_documents>(all, "nlohmann");
  enter_edit(all, "nlohmann", [](const std::string& text) {
    json all_values = json::parse(text);
    all_values.at(json::json_pointer(edited_path)) = edited_name;
    return all_values.dump();
  });
  enter_strings<nlohmann_structs>(all, "nlohmann");
  enter_wide_strings<nlohmann_documents>(all, "nlohmann");
}

} // namespace bench
