// SPDX-License-Identifier: Apache-2.0
// Evolution reads data of one version of a type as another version. The written side is the type
// with which the data was written. The reading side is the type into which the data is read. Each
// side is a graph of nodes, with cycles if records contain themselves. The reading side has
// information that a description lacks; type_graph.hpp computes this information from the C++ type.
#pragma once

#include <ingot/schema/detail/type_graph.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct evolving_child {
  std::string name;
  std::uint64_t annotations = 0;
  std::uint32_t node = 0;
};

struct evolving_node {
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  schema_attributes attributes;
  std::string name; ///< as `name` of the `schema_node`; empty on the reading side
  std::vector<evolving_child> children;
  std::vector<schema_enumerator> enumerators;
  std::uint64_t bits = 0; ///< the bits of all enumerators, combined by or
  /// on the reading side: for each alternative or enumerator, a list of its former names
  former_name_lists former_names;
  bool is_pool = false;    ///< a sequence to whose elements links refer
  bool is_link = false;    ///< on the written side: a link, the `ref` of a block
  bool is_archive = false; ///< bytes that hold a value of any kind
  /// true for an entry (key and value) of a map; the map is then a list of entries
  bool is_entry = false;
  std::uint32_t previous = none;              ///< node of the record's previous version
  const record_facts_of_type* type = nullptr; ///< null on the written side

  void add_enumerator(std::string enumerator, std::uint64_t value) {
    enumerators.push_back({std::move(enumerator), value});
    bits |= value;
  }
  /// Returns true if `number` is a valid value although it is no enumerator. `number` is
  /// sign-extended. O(1).
  [[nodiscard]] bool takes(std::uint64_t number) const noexcept {
    return attributes.has(schema_flag::is_open) ||
           (attributes.has(schema_flag::is_flags) && (number & ~bits) == 0);
  }
};

struct evolving_graph {
  std::vector<evolving_node> nodes;
  std::uint32_t root = 0;

  [[nodiscard]] const evolving_node& node(std::uint32_t index) const noexcept { return nodes[index]; }
  [[nodiscard]] const evolving_node& child(const evolving_node& of, std::size_t k) const noexcept {
    return nodes[of.children[k].node];
  }
  /// Gives the node `document` its child, a byte: the graph treats a document as a list of bytes.
  void give_bytes(std::uint32_t document) {
    evolving_node byte;
    byte.attributes = {schema_kind::byte, 1};
    nodes[document].children = {{{}, 0, static_cast<std::uint32_t>(nodes.size())}};
    nodes.push_back(std::move(byte));
  }
  /// Replaces a map's two children by one entry.
  void fold_entry(std::uint32_t map) {
    const auto entry = static_cast<std::uint32_t>(nodes.size());
    evolving_node pair;
    pair.attributes.kind = schema_kind::tuple;
    pair.is_entry = true;
    pair.children = std::move(nodes[map].children);
    nodes[map].children = {{{}, 0, entry}};
    nodes.push_back(std::move(pair));
  }
};

constexpr bool is_map_kind(schema_kind kind) noexcept {
  return kind == schema_kind::map || kind == schema_kind::unordered_map;
}
constexpr bool is_set_kind(schema_kind kind) noexcept {
  return kind == schema_kind::set || kind == schema_kind::unordered_set;
}
constexpr bool is_list_kind(schema_kind kind) noexcept {
  return kind == schema_kind::sequence || kind == schema_kind::document || is_set_kind(kind) ||
         is_map_kind(kind);
}
constexpr bool is_tagged_kind(schema_kind kind) noexcept {
  return kind == schema_kind::optional || kind == schema_kind::variant || kind == schema_kind::expected;
}
constexpr bool is_text_kind(schema_kind kind) noexcept {
  return kind == schema_kind::string || kind == schema_kind::path;
}

/// Returns the graph of the type with which the data was written, from the schema of this type.
inline evolving_graph graph_of(const schema& described) {
  evolving_graph graph;
  const auto nodes = described.nodes();
  graph.nodes.reserve(nodes.size());
  for (const schema_node& from : nodes) {
    evolving_node& to = graph.nodes.emplace_back();
    to.attributes = from.attributes;
    to.name = from.name;
    for (const schema_enumerator& each : from.enumerators) to.add_enumerator(each.name, each.value);
    for (const schema_child& child : from.children) {
      const bool is_recursion = nodes[child.node].attributes.kind == schema_kind::recursion;
      to.children.push_back(
          {child.name, child.annotations, is_recursion ? nodes[child.node].target : child.node});
    }
  }
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (is_map_kind(graph.nodes[i].attributes.kind)) graph.fold_entry(i);
    if (graph.nodes[i].attributes.kind == schema_kind::document) graph.give_bytes(i);
  }
  graph.root = described.root_index();
  return graph;
}

/// Builds the graph of the reading side from the calls of `type_grapher`.
class graph_builder final : public type_graph_builder {
public:
  explicit graph_builder(evolving_graph& graph) : graph_(graph) {}

  bool find_or_add(std::string_view type, std::uint32_t& node) override {
    const auto [at, is_new] = known_.try_emplace(type, static_cast<std::uint32_t>(graph_.nodes.size()));
    node = at->second;
    if (is_new) graph_.nodes.emplace_back();
    return !is_new;
  }
  void make_document(std::uint32_t node) override {
    graph_.nodes[node].attributes = {schema_kind::document};
    graph_.give_bytes(node);
  }
  void attributes(std::uint32_t node, const schema_attributes& attributes, bool is_pool) override {
    graph_.nodes[node].attributes = attributes;
    graph_.nodes[node].is_pool = is_pool;
  }
  void record(std::uint32_t node, const record_facts_of_type& type) override {
    graph_.nodes[node].type = &type;
  }
  void enumerator(std::uint32_t node, std::string_view name, std::uint64_t value) override {
    graph_.nodes[node].add_enumerator(std::string(name), value);
  }
  void child(std::uint32_t node, std::string_view name, std::uint64_t annotations,
             std::uint32_t child) override {
    graph_.nodes[node].children.push_back({std::string(name), annotations, child});
  }
  void former_names(std::uint32_t node, former_name_lists names) override {
    graph_.nodes[node].former_names = names;
  }
  void previous(std::uint32_t node, std::uint32_t before) override { graph_.nodes[node].previous = before; }
  void finish(std::uint32_t node) override {
    if (is_map_kind(graph_.nodes[node].attributes.kind)) graph_.fold_entry(node);
  }

private:
  evolving_graph& graph_;
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

/// Returns the graph whose nodes `draw` adds.
inline evolving_graph graph_of_type(type_drawer draw) {
  evolving_graph graph;
  graph_builder builder(graph);
  graph.root = draw(builder);
  return graph;
}

}}} // namespace ingot::INGOT_V1::detail
