// SPDX-License-Identifier: Apache-2.0
// FlexBuffers, read in place. Changes that its bytes can't hold rebuild them from a model that is
// kept next to them.
#include "workload.hpp"

#include <map>

#include <flatbuffers/flexbuffers.h>

namespace bench {
namespace {

class flexbuffers_document {
public:
  void load(const doc_model& model) {
    root_.clear();
    maps_.clear();
    for (const auto& [key, value] : model.root) root_.emplace(key, value);
    for (const auto& [key, entries] : model.maps) {
      for (const auto& [k, v] : entries) maps_[key].emplace(k, v);
    }
    build();
  }
  std::uint64_t run(const doc_operation& op) {
    if (op.step == doc_step::read) {
      const auto root = flexbuffers::GetRoot(bytes_.data(), bytes_.size()).AsMap();
      return read((op.map < 0 ? root : root[std::string(op.map_key)].AsMap())[std::string(op.key)]);
    }
    auto& map = op.map < 0 ? root_ : maps_[std::string(op.map_key)];
    const auto at = map.find(op.key);
    if (op.step == doc_step::write) at->second = op.value;
    else if (at != map.end()) map.erase(at);
    else map.emplace(op.key, op.value);
    build();
    return op.step == doc_step::write ? 0 : map.size() + (op.map < 0 ? maps_.size() : 0);
  }

  void open(const std::vector<std::byte>& bytes) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    opened_.assign(first, first + bytes.size());
    bytes_ = opened_;
    keep(flexbuffers::VerifyBuffer(bytes_.data(), bytes_.size(), &seen_));
  }
  /// Building the bytes is saving.
  void save(std::vector<std::byte>& bytes) {
    build();
    const auto all = std::as_bytes(bytes_);
    bytes.assign(all.begin(), all.end());
  }

private:
  using entries_type = std::map<std::string, leaf, std::less<>>;
  void add(const entries_type& entries) {
    for (const auto& [key, value] : entries) {
      std::visit(
          [&]<class T>(const T& v) {
            if constexpr (std::is_same_v<T, std::int64_t>) builder_.Int(key.c_str(), v);
            else if constexpr (std::is_same_v<T, double>) builder_.Double(key.c_str(), v);
            else if constexpr (std::is_same_v<T, std::string>) builder_.String(key.c_str(), v);
            else
              builder_.TypedVector(key.c_str(), [&] {
                for (const auto n : v) builder_.Int(n);
              });
          },
          value);
    }
  }
  void build() {
    builder_.Clear();
    builder_.Map([&] {
      add(root_);
      for (const auto& [key, entries] : maps_) builder_.Map(key.c_str(), [&] { add(entries); });
    });
    builder_.Finish();
    bytes_ = builder_.GetBuffer();
  }
  static std::uint64_t read(flexbuffers::Reference v) {
    if (v.IsFloat()) return digest(v.AsDouble());
    if (v.IsInt()) return digest(v.AsInt64());
    if (v.IsString()) {
      const auto text = v.AsString();
      return digest(std::string_view(text.c_str(), text.length()));
    }
    const auto array = v.AsTypedVector();
    return array.size() + static_cast<std::uint64_t>(array[array.size() - 1].AsInt64());
  }
  flexbuffers::Builder builder_;
  std::span<const std::uint8_t> bytes_;
  std::vector<std::uint8_t> opened_;
  std::vector<std::uint8_t> seen_;
  entries_type root_;
  std::map<std::string, entries_type, std::less<>> maps_;
};

} // namespace

// Edits have at most 32 leaves: rebuilding 1,024 of them for each change would take the whole run.
void enter_doc_flexbuffers(suite& all) {
  enter_doc<flexbuffers_document>(all, "flexbuffers", 32);
  if (!plan().is_requested) enter_doc_bytes<flexbuffers_document>(all, "flexbuffers");
}

} // namespace bench
