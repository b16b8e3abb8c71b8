// SPDX-License-Identifier: Apache-2.0
// RapidJSON's document with its pool allocator. Members are found by linear search, since it has no
// other.
#include "workload.hpp"

#include <algorithm>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

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

  /// Its byte form is text. Parsed with full precision, which its faster mode does not promise.
  void open(const std::vector<std::byte>& bytes) {
    rapidjson::Document read;
    read.Parse<rapidjson::kParseFullPrecisionFlag>(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    doc_.Swap(read);
  }
  void save(std::vector<std::byte>& bytes) const {
    out_.Clear();
    rapidjson::Writer<rapidjson::StringBuffer> writer(out_);
    doc_.Accept(writer);
    const auto* const first = reinterpret_cast<const std::byte*>(out_.GetString());
    bytes.assign(first, first + out_.GetSize());
  }

  // For arrays, which are the root then.
  void load(const std::vector<leaf>& leaves) {
    doc_.SetArray();
    for (const auto& each : leaves) append(each);
  }
  [[nodiscard]] std::size_t size() const { return doc_.Size(); }
  [[nodiscard]] std::uint64_t at(std::size_t i) const {
    return read(doc_[static_cast<rapidjson::SizeType>(i)]);
  }
  void append(const leaf& value) { doc_.PushBack(make(value), doc_.GetAllocator()); }
  // the library has no insertion: append and rotate, as usual
  void insert(std::size_t i, const leaf& value) {
    append(value);
    std::rotate(doc_.Begin() + i, doc_.End() - 1, doc_.End());
  }
  void erase(std::size_t i) { doc_.Erase(doc_.Begin() + i); }

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
  mutable rapidjson::StringBuffer out_;
};

} // namespace

// Arrays are only read: the pool never frees memory, so many edits would take all memory.
void enter_doc_rapidjson(suite& all) {
  enter_doc<rapidjson_document>(all, "rapidjson");
  if (plan().is_requested) return;
  enter_doc_arrays<rapidjson_document>(all, "rapidjson", false);
  enter_doc_bytes<rapidjson_document>(all, "rapidjson");
}

} // namespace bench
