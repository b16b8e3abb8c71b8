// SPDX-License-Identifier: Apache-2.0
// Sources that the compile workload compiles. They are generated, since files with a hundred
// structs would teach readers nothing.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace bench {

/// Eight members of the usual types of messages. All contenders of `round-trip` use it.
inline const std::string record_source = R"(
#include <cstdint>
#include <string>
#include <vector>
struct record {
  std::uint64_t id;
  std::uint32_t level;
  float speed;
  bool alive;
  std::string name;
  std::string title;
  std::vector<float> attributes;
  std::vector<std::uint32_t> items;
};
)";

inline std::string include_source(std::string_view header) {
  return "#include <" + std::string(header) + ">\n";
}

inline const std::string round_trip_native = record_source + R"(
bool round_trip(const record& in, record& out) {
  out = in;
  return true;
}
)";

inline const std::string round_trip_ingot_pack = record_source + R"(
#include <ingot/core/buffer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
bool round_trip(const record& in, record& out) {
  ingot::buffer bytes;
  return ingot::pack_to(bytes, in) && ingot::unpack_into(out, bytes);
}
)";

inline const std::string round_trip_ingot_compact = record_source + R"(
#include <ingot/core/buffer.hpp>
#include <ingot/pack/compact.hpp>
bool round_trip(const record& in, record& out) {
  ingot::buffer bytes;
  return ingot::compact::pack_to(bytes, in) && ingot::compact::unpack_into(out, bytes);
}
)";

inline const std::string round_trip_cereal = record_source + R"(
#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
template <class A> void serialize(A& a, record& r) {
  a(r.id, r.level, r.speed, r.alive, r.name, r.title, r.attributes, r.items);
}
bool round_trip(const record& in, record& out) {
  std::stringstream bytes;
  cereal::BinaryOutputArchive{bytes}(in);
  cereal::BinaryInputArchive{bytes}(out);
  return true;
}
)";

inline const std::string round_trip_boost = record_source + R"(
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <sstream>
template <class A> void serialize(A& a, record& r, unsigned) {
  a & r.id & r.level & r.speed & r.alive & r.name & r.title & r.attributes & r.items;
}
bool round_trip(const record& in, record& out) {
  std::stringstream bytes;
  { boost::archive::binary_oarchive archive(bytes); archive << in; }
  boost::archive::binary_iarchive archive(bytes);
  archive >> out;
  return true;
}
)";

inline const std::string round_trip_msgpack = [] {
  std::string s = record_source;
  s.insert(s.find("};"), "  MSGPACK_DEFINE(id, level, speed, alive, name, title, attributes, items);\n");
  return "#include <msgpack.hpp>\n" + s + R"(
bool round_trip(const record& in, record& out) {
  msgpack::sbuffer bytes;
  msgpack::pack(bytes, in);
  msgpack::unpack(bytes.data(), bytes.size()).get().convert(out);
  return true;
}
)";
}();

/// Returns a hundred structs of twenty members each, with different names.
inline std::string hundred_structs() {
  static constexpr std::array<std::string_view, 20> types{
      "int",           "std::string",  "double",       "bool",         "std::vector<int>",
      "std::uint64_t", "float",        "std::string",  "std::int16_t", "std::optional<double>",
      "unsigned",      "std::uint8_t", "std::string",  "double",       "std::vector<std::string>",
      "long",          "bool",         "std::int64_t", "float",        "std::optional<std::string>"};
  std::string s = "#include <cstdint>\n#include <optional>\n#include <string>\n#include <vector>\n";
  for (int i = 0; i < 100; ++i) {
    const auto number = std::to_string(i);
    s += "struct s" + number + " {\n";
    for (std::size_t k = 0; k < types.size(); ++k) {
      s += "  " + std::string(types[k]) + " member_" + std::to_string(k) + "_of_" + number + ";\n";
    }
    s += "};\n";
  }
  return s;
}

/// Returns `use(value)` for each of the hundred, in a function that is not called.
inline std::string use_hundred(std::string_view use) {
  std::string s = "std::size_t use_all() {\n  std::size_t n = 0;\n";
  for (int i = 0; i < 100; ++i) {
    s += "  { s" + std::to_string(i) + " value{}; n += " + std::string(use) + "(value); }\n";
  }
  return s + "  return n;\n}\n";
}

inline const std::string hundred_native =
    hundred_structs() + "template <class T> std::size_t use(T& v) { T copy = v; return sizeof copy; }\n" +
    use_hundred("use");

inline const std::string hundred_reflected = hundred_structs() + R"(
#include <ingot/reflect/members.hpp>
template <class T> std::size_t use(T& value) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const std::size_t names = (ingot::member_name<T, I>.size() + ...);
    return names + ingot::visit_members(value, [](auto&... members) { return (sizeof members + ...); });
  }(std::make_index_sequence<ingot::member_count<T>>{});
}
)" + use_hundred("use");

inline const std::string hundred_json = hundred_structs() + R"(
#include <ingot/json/json.hpp>
template <class T> std::size_t use(T& value) {
  const auto text = ingot::json::write(value);
  return text ? ingot::json::read_into(value, *text).has_value() : 0;
}
)" + use_hundred("use");

} // namespace bench
