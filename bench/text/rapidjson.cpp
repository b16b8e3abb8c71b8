// SPDX-License-Identifier: Apache-2.0
// RapidJSON: a document parsed with full precision, from which structs are filled by hand; structs
// are written by its writer. Its documents copy their texts, so that they need no other memory.
#include "strings.hpp"
#include "workload.hpp"

#include <charconv>
#include <memory>

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace bench {
namespace {

using rapidjson::Value;
using writer = rapidjson::Writer<rapidjson::StringBuffer>;

const Value& at(const Value& from, const char* key) { return from.FindMember(key)->value; }
void get(const Value& v, std::uint32_t& to) { to = v.GetUint(); }
void get(const Value& v, std::uint64_t& to) { to = v.GetUint64(); }
void get(const Value& v, float& to) { to = v.GetFloat(); }
void get(const Value& v, std::string& to) { to.assign(v.GetString(), v.GetStringLength()); }
void get(const Value& v, position& p) {
  get(at(v, "x"), p.x);
  get(at(v, "y"), p.y);
  get(at(v, "z"), p.z);
}
void get(const Value& v, item& it) {
  get(at(v, "id"), it.id);
  get(at(v, "number"), it.number);
  get(at(v, "uuid"), it.uuid);
  get(at(v, "timestamp"), it.timestamp);
}
void get(const Value& v, skill& s) {
  get(at(v, "id"), s.id);
  get(at(v, "level"), s.level);
}
void get(const Value& v, std_equip& e);
void get(const Value& v, std_character& c);
void get(const Value& v, iso_country& c);
void get(const Value& v, iso_subdivision& s);
void get(const Value& v, iso_language& l);
template <class T>
void get(const Value& v, std::vector<T>& to) {
  to.resize(v.Size());
  std::size_t i = 0;
  for (const auto& each : v.GetArray()) get(each, to[i++]);
}
void get(const Value& v, const char* key, std::optional<std::string>& to) {
  if (const auto found = v.FindMember(key); found != v.MemberEnd()) get(found->value, to.emplace());
  else to.reset();
}
void get(const Value& v, std_equip& e) {
  get(at(v, "id"), e.id);
  get(at(v, "number"), e.number);
  get(at(v, "uuid"), e.uuid);
  get(at(v, "timestamp"), e.timestamp);
  get(at(v, "level"), e.level);
  get(at(v, "attributes"), e.attributes);
}
void get(const Value& v, std_character& c) {
  get(at(v, "id"), c.id);
  get(at(v, "name"), c.name);
  get(at(v, "level"), c.level);
  get(at(v, "healthpoint"), c.healthpoint);
  get(at(v, "manapoint"), c.manapoint);
  get(at(v, "speed"), c.speed);
  get(at(v, "pos"), c.pos);
  for (const auto& [key, it] : at(v, "items").GetObject()) {
    std::uint64_t number = 0;
    std::from_chars(key.GetString(), key.GetString() + key.GetStringLength(), number);
    get(it, c.items[number]);
  }
  get(at(v, "path"), c.path);
  get(at(v, "attributes"), c.attributes);
  get(at(v, "equips"), c.equips);
  get(at(v, "skills"), c.skills);
}
void get(const Value& v, iso_country& c) {
  get(at(v, "alpha_2"), c.alpha_2);
  get(at(v, "alpha_3"), c.alpha_3);
  get(v, "common_name", c.common_name);
  get(at(v, "flag"), c.flag);
  get(at(v, "name"), c.name);
  get(at(v, "numeric"), c.numeric);
  get(v, "official_name", c.official_name);
}
void get(const Value& v, iso_subdivision& s) {
  get(at(v, "code"), s.code);
  get(at(v, "name"), s.name);
  get(v, "parent", s.parent);
  get(at(v, "type"), s.type);
}
void get(const Value& v, iso_language& l) {
  get(v, "alpha_2", l.alpha_2);
  get(at(v, "alpha_3"), l.alpha_3);
  get(v, "bibliographic", l.bibliographic);
  get(v, "common_name", l.common_name);
  get(v, "inverted_name", l.inverted_name);
  get(at(v, "name"), l.name);
  get(at(v, "scope"), l.scope);
  get(at(v, "type"), l.type);
}
void get(const Value& v, iso_codes& all) {
  get(at(v, "countries"), all.countries);
  get(at(v, "subdivisions"), all.subdivisions);
  get(at(v, "languages"), all.languages);
}

void put(writer& w, std::uint32_t n) { w.Uint(n); }
void put(writer& w, std::uint64_t n) { w.Uint64(n); }
void put(writer& w, float f) { w.Double(f); }
void put(writer& w, const std::string& s) { w.String(s.data(), static_cast<rapidjson::SizeType>(s.size())); }
void put(writer& w, const position& p);
void put(writer& w, const item& it);
void put(writer& w, const skill& s);
void put(writer& w, const std_equip& e);
void put(writer& w, const std_character& c);
void put(writer& w, const iso_country& c);
void put(writer& w, const iso_subdivision& s);
void put(writer& w, const iso_language& l);
void put(writer& w, const message& m);
template <class T>
void put(writer& w, const std::vector<T>& list) {
  w.StartArray();
  for (const auto& each : list) put(w, each);
  w.EndArray();
}
template <class T>
void put(writer& w, const char* key, const T& value) {
  w.Key(key);
  put(w, value);
}
void put(writer& w, const char* key, const std::optional<std::string>& value) {
  if (value) put(w, key, *value);
}
void put(writer& w, const position& p) {
  w.StartObject();
  put(w, "x", p.x);
  put(w, "y", p.y);
  put(w, "z", p.z);
  w.EndObject();
}
void put(writer& w, const item& it) {
  w.StartObject();
  put(w, "id", it.id);
  put(w, "number", it.number);
  put(w, "uuid", it.uuid);
  put(w, "timestamp", it.timestamp);
  w.EndObject();
}
void put(writer& w, const skill& s) {
  w.StartObject();
  put(w, "id", s.id);
  put(w, "level", s.level);
  w.EndObject();
}
void put(writer& w, const std_equip& e) {
  w.StartObject();
  put(w, "id", e.id);
  put(w, "number", e.number);
  put(w, "uuid", e.uuid);
  put(w, "timestamp", e.timestamp);
  put(w, "level", e.level);
  put(w, "attributes", e.attributes);
  w.EndObject();
}
void put(writer& w, const std_character& c) {
  w.StartObject();
  put(w, "id", c.id);
  put(w, "name", c.name);
  put(w, "level", c.level);
  put(w, "healthpoint", c.healthpoint);
  put(w, "manapoint", c.manapoint);
  put(w, "speed", c.speed);
  put(w, "pos", c.pos);
  w.Key("items");
  w.StartObject();
  for (const auto& [key, it] : c.items) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, key).ptr;
    w.Key(digits, static_cast<rapidjson::SizeType>(end - digits), true);
    put(w, it);
  }
  w.EndObject();
  put(w, "path", c.path);
  put(w, "attributes", c.attributes);
  put(w, "equips", c.equips);
  put(w, "skills", c.skills);
  w.EndObject();
}
void put(writer& w, const iso_country& c) {
  w.StartObject();
  put(w, "alpha_2", c.alpha_2);
  put(w, "alpha_3", c.alpha_3);
  put(w, "common_name", c.common_name);
  put(w, "flag", c.flag);
  put(w, "name", c.name);
  put(w, "numeric", c.numeric);
  put(w, "official_name", c.official_name);
  w.EndObject();
}
void put(writer& w, const iso_subdivision& s) {
  w.StartObject();
  put(w, "code", s.code);
  put(w, "name", s.name);
  put(w, "parent", s.parent);
  put(w, "type", s.type);
  w.EndObject();
}
void put(writer& w, const iso_language& l) {
  w.StartObject();
  put(w, "alpha_2", l.alpha_2);
  put(w, "alpha_3", l.alpha_3);
  put(w, "bibliographic", l.bibliographic);
  put(w, "common_name", l.common_name);
  put(w, "inverted_name", l.inverted_name);
  put(w, "name", l.name);
  put(w, "scope", l.scope);
  put(w, "type", l.type);
  w.EndObject();
}
void put(writer& w, const iso_codes& all) {
  w.StartObject();
  put(w, "countries", all.countries);
  put(w, "subdivisions", all.subdivisions);
  put(w, "languages", all.languages);
  w.EndObject();
}

void put(writer& w, const message& m) {
  w.StartObject();
  put(w, "subject", m.subject);
  put(w, "text", m.text);
  w.EndObject();
}

constexpr unsigned exact = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag;

class rapidjson_structs {
public:
  template <class T>
  bool read(const std::string& text, T& out) const {
    rapidjson::Document from;
    if (from.Parse<exact>(text.data(), text.size()).HasParseError()) return false;
    get(from, out);
    return true;
  }
  template <class T>
  std::string_view write(const T& value) {
    out_.Clear();
    writer w(out_);
    put(w, value);
    return {out_.GetString(), out_.GetSize()};
  }

private:
  rapidjson::StringBuffer out_;
};

class rapidjson_documents {
public:
  std::unique_ptr<rapidjson::Document> read(const std::string& text) const {
    auto parsed = std::make_unique<rapidjson::Document>();
    parsed->Parse<exact>(text.data(), text.size());
    return parsed;
  }
  std::string_view write(const std::unique_ptr<rapidjson::Document>& from) {
    out_.Clear();
    writer w(out_);
    from->Accept(w);
    return {out_.GetString(), out_.GetSize()};
  }

private:
  rapidjson::StringBuffer out_;
};

} // namespace

void enter_text_rapidjson(suite& all) {
  enter_text<rapidjson_structs>(all, "rapidjson");
  enter_documents<rapidjson_documents>(all, "rapidjson");
  enter_twitter<rapidjson_documents>(all, "rapidjson");
  enter_edit(all, "rapidjson", [](const std::string& text) {
    rapidjson::Document parsed;
    parsed.Parse<exact>(text.data(), text.size());
    rapidjson::Pointer(edited_path).Set(parsed, edited_name);
    rapidjson::StringBuffer out;
    writer w(out);
    parsed.Accept(w);
    return std::string(out.GetString(), out.GetSize());
  });
  enter_strings<rapidjson_structs>(all, "rapidjson");
  enter_wide_strings<rapidjson_documents>(all, "rapidjson");
}

} // namespace bench
