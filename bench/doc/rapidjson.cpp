// SPDX-License-Identifier: Apache-2.0
// RapidJSON's document, with its pool allocator; members are found by going through them, which is what it has.
#include "workload.hpp"

#include <rapidjson/document.h>

namespace bench {
namespace {

class rapidjson_document {
public:
  void load(const doc_model& model) {
    doc_.SetObject();
    for (const auto& [key, value] : model.root) add(doc_, key, value);
    for (const auto& [key, entries] : model.maps) {
      rapidjson::Value map(rapidjson::kObjectType);
      for (const auto& [k, v] : entries) add(map, k, v);
      doc_.AddMember(text(key), map, doc_.GetAllocator());
    }
  }
  std::uint64_t run(const doc_operation& op) {
    rapidjson::Value& map =
        op.map < 0 ? static_cast<rapidjson::Value&>(doc_) : doc_.FindMember(name(op.map_key))->value;
    const auto at = map.FindMember(name(op.key));
    switch (op.step) {
    case doc_step::read: return read(at->value);
    case doc_step::write: at->value = make(op.value); return 0;
    case doc_step::toggle:
      if (at != map.MemberEnd()) map.RemoveMember(at);
      else add(map, op.key, op.value);
      return map.MemberCount();
    }
    return 0;
  }

private:
  static rapidjson::Value name(std::string_view key) {
    return rapidjson::Value(rapidjson::StringRef(key.data(), static_cast<rapidjson::SizeType>(key.size())));
  }
  rapidjson::Value text(std::string_view from) {
    return {from.data(), static_cast<rapidjson::SizeType>(from.size()), doc_.GetAllocator()};
  }
  rapidjson::Value make(const leaf& from) {
    switch (from.index()) {
    case 0: return rapidjson::Value(std::get<0>(from));
    case 1: return rapidjson::Value(std::get<1>(from));
    case 2: return text(std::get<2>(from));
    default: {
      rapidjson::Value array(rapidjson::kArrayType);
      for (const auto n : std::get<3>(from)) array.PushBack(n, doc_.GetAllocator());
      return array;
    }
    }
  }
  void add(rapidjson::Value& to, std::string_view key, const leaf& value) {
    to.AddMember(text(key), make(value), doc_.GetAllocator());
  }
  static std::uint64_t read(const rapidjson::Value& v) {
    if (v.IsDouble()) return digest(v.GetDouble());
    if (v.IsInt64()) return digest(v.GetInt64());
    if (v.IsString()) return digest(std::string_view(v.GetString(), v.GetStringLength()));
    return v.Size() + static_cast<std::uint64_t>(v[v.Size() - 1].GetInt64());
  }
  rapidjson::Document doc_;
};

} // namespace

void enter_doc_rapidjson(suite& all) { enter_doc<rapidjson_document>(all, "rapidjson"); }

} // namespace bench
