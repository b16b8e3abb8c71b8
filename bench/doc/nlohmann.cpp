// SPDX-License-Identifier: Apache-2.0
// nlohmann::json in its usual form: on std::map, with lookup by string_view.
#include "workload.hpp"

#include <nlohmann/json.hpp>

namespace bench {
namespace {

using nlohmann::json;

json to_value(const leaf& from) {
  return std::visit([](const auto& v) { return json(v); }, from);
}

class nlohmann_document {
public:
  void load(const doc_model& model) {
    root_ = json::object();
    for (const auto& [key, value] : model.root) root_.emplace(key, to_value(value));
    for (const auto& [key, entries] : model.maps) {
      json map = json::object();
      for (const auto& [k, v] : entries) map.emplace(k, to_value(v));
      root_.emplace(key, std::move(map));
    }
  }
  std::uint64_t run(const doc_operation& op) {
    json& map = op.map < 0 ? root_ : *root_.find(op.map_key);
    const auto at = map.find(op.key);
    switch (op.step) {
    case doc_step::read: return read(*at);
    case doc_step::write:
      if (op.kind == 0) *at = std::get<0>(op.value);
      else if (op.kind == 1) *at = std::get<1>(op.value);
      else *at->get_ptr<std::string*>() = std::get<2>(op.value);
      return 0;
    case doc_step::toggle:
      if (at != map.end()) map.erase(at);
      else map.emplace(op.key, to_value(op.value));
      return map.size();
    }
    return 0;
  }
  [[nodiscard]] const json& root() const { return root_; }

  void open(const std::vector<std::byte>& bytes) { root_ = json::from_msgpack(bytes); }
  void save(std::vector<std::byte>& bytes) const {
    out_.clear();
    json::to_msgpack(root_, out_);
    const auto* const first = reinterpret_cast<const std::byte*>(out_.data());
    bytes.assign(first, first + out_.size());
  }

  static std::uint64_t read(const json& v) {
    if (v.is_number_float()) return digest(v.get<double>());
    if (v.is_number()) return digest(v.get<std::int64_t>());
    if (v.is_string()) return digest(v.get_ref<const std::string&>());
    return v.size() + static_cast<std::uint64_t>(v.back().get<std::int64_t>());
  }

private:
  json root_;
  mutable std::vector<std::uint8_t> out_;
};

class nlohmann_array {
public:
  void load(const std::vector<leaf>& leaves) {
    array_ = json::array();
    for (const auto& each : leaves) append(each);
  }
  [[nodiscard]] std::size_t size() const { return array_.size(); }
  [[nodiscard]] std::uint64_t at(std::size_t i) const { return nlohmann_document::read(array_[i]); }
  void append(const leaf& value) { array_.push_back(to_value(value)); }
  void insert(std::size_t i, const leaf& value) {
    array_.insert(array_.begin() + static_cast<std::ptrdiff_t>(i), to_value(value));
  }
  void erase(std::size_t i) { array_.erase(i); }

private:
  json array_;
};

} // namespace

void enter_doc_nlohmann(suite& all) {
  enter_doc<nlohmann_document>(all, "nlohmann");
  if (plan().is_requested) return;
  enter_doc_arrays<nlohmann_array>(all, "nlohmann");
  enter_doc_bytes<nlohmann_document>(all, "nlohmann");
}

} // namespace bench
