// SPDX-License-Identifier: Apache-2.0
// nlohmann::json, as it is used: std::map behind it, looked up by string_view.
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

private:
  static std::uint64_t read(const json& v) {
    if (v.is_number_float()) return digest(v.get<double>());
    if (v.is_number()) return digest(v.get<std::int64_t>());
    if (v.is_string()) return digest(v.get_ref<const std::string&>());
    return v.size() + static_cast<std::uint64_t>(v.back().get<std::int64_t>());
  }
  json root_;
};

} // namespace

void enter_doc_nlohmann(suite& all) {
  enter_doc<nlohmann_document>(all, "nlohmann");
  for (const std::size_t n : doc_sizes) {
    auto& bytes = all.make<std::vector<std::uint8_t>>();
    auto& root = all.make<json>();
    nlohmann_document loaded;
    loaded.load(doc_data(n).model);
    root = loaded.root();
    bytes = json::to_msgpack(root);
    all.add(
        "load-" + std::to_string(n), "nlohmann", bytes.size(),
        [&bytes](std::size_t) { keep(json::from_msgpack(bytes).size()); },
        [&] { return json::from_msgpack(bytes) == root; });
    all.add(
        "save-" + std::to_string(n), "nlohmann", bytes.size(),
        [&root](std::size_t) { keep(json::to_msgpack(root).size()); }, [] { return true; });
  }
}

} // namespace bench
