// SPDX-License-Identifier: Apache-2.0
// The two sides of an evolution, the written type and the type that reads it, in one form: nodes
// that refer to each other, in cycles if records contain themselves. The reading side has more
// information than a description: former names, defaults, the previous version of the type.
#pragma once

#include <ingot/reflect/detail/links.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/detail/former_names.hpp>
#include <ingot/schema/previous.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/schema_id.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct evolving_child {
  std::string name;
  std::uint64_t annotations = 0;
  std::uint32_t node = 0;
};

/// The encoding of a record; defined by the layer of that encoding.
struct record_codec;

/// Properties of a record's type that its description lacks.
struct record_facts_of_type {
  former_name_lists former_names; ///< a list for each stored member
  bool has_defaults;
  bool version_is_member; ///< the first member holds the version of the type
  const record_codec* codec;
};

struct evolving_node {
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  schema_attributes attributes;
  std::vector<evolving_child> children;
  std::vector<schema_enumerator> enumerators;
  std::uint64_t bits = 0; ///< all bits that some enumerator has
  /// on the reading side: a list for each alternative or enumerator
  former_name_lists former_names;
  bool is_pool = false;    ///< a sequence whose elements are found by links
  bool is_link = false;    ///< on the written side: a link
  bool is_archive = false; ///< bytes that hold a value of any kind
  /// the key and value of a map, which is a list of such entries
  bool is_entry = false;
  std::uint32_t previous = none;              ///< node of the record's previous version
  const record_facts_of_type* type = nullptr; ///< null on the written side

  void add_enumerator(std::string name, std::uint64_t value) {
    enumerators.push_back({std::move(name), value});
    bits |= value;
  }
  /// Returns true if a number that is no enumerator, sign-extended, is a value of the enumeration.
  /// O(1).
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
  /// Adds the child of a document: a list of bytes, which are a value of any kind.
  void give_bytes(std::uint32_t document) {
    evolving_node byte;
    byte.attributes = {schema_kind::byte, 1};
    nodes[document].children = {{{}, 0, static_cast<std::uint32_t>(nodes.size())}};
    nodes.push_back(std::move(byte));
  }
  void add_document() {
    evolving_node made;
    made.attributes = {schema_kind::document};
    nodes.push_back(std::move(made));
    give_bytes(static_cast<std::uint32_t>(nodes.size() - 1));
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

/// Returns the graph of the written side, from its description.
inline evolving_graph graph_of(const schema& described) {
  evolving_graph graph;
  const auto nodes = described.nodes();
  graph.nodes.reserve(nodes.size());
  for (const schema_node& from : nodes) {
    evolving_node& to = graph.nodes.emplace_back();
    to.attributes = from.attributes;
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

struct no_codec {
  template <class T>
  static constexpr const record_codec* of = nullptr;
};

template <class T>
consteval bool version_is_member() {
  if constexpr (!type_has<T, version_t> || member_count<T> == 0) return false;
  else
    return member_name<T, 0> == "version" && std::is_integral_v<member_type<T, 0>> &&
           !member_has<T, 0, skip_t>;
}
template <class T, class Codec>
inline constexpr record_facts_of_type facts_of_type{stored_former_names<T>,
                                                    std::is_default_constructible_v<T>,
                                                    version_is_member<T>(), Codec::template of<T>};

/// Builds the graph of the reading side from a C++ type. Each type is one node.
template <class Codec>
class type_grapher {
public:
  template <class T>
  static evolving_graph draw() {
    type_grapher self;
    self.graph_.root = self.template add<T>();
    return std::move(self.graph_);
  }

private:
  template <class T>
  std::uint32_t add() {
    if constexpr (document_like<T>) {
      const auto [at, is_new] =
          known_.try_emplace("a document", static_cast<std::uint32_t>(graph_.nodes.size()));
      if (is_new) graph_.add_document();
      return at->second;
    } else if constexpr (kind_of<T> == kind::adapted) {
      return add<adapted_t<T>>();
    } else {
      const auto [at, is_new] =
          known_.try_emplace(type_tag<T>(), static_cast<std::uint32_t>(graph_.nodes.size()));
      const std::uint32_t index = at->second;
      if (!is_new) return index;
      graph_.nodes.emplace_back();
      if constexpr (kind_of<T> == kind::record) {
        add_record<T>(index);
      } else {
        graph_.nodes[index].attributes = attributes_of<T>();
        graph_.nodes[index].is_pool = provides_links<T>;
        if constexpr (kind_of<T> == kind::enumeration) {
          for (const auto& each : enumerators<T>) {
            graph_.nodes[index].add_enumerator(std::string(each.name),
                                               static_cast<std::uint64_t>(std::to_underlying(each.value)));
          }
          static_assert(require_clear_enumerators<T>());
          graph_.nodes[index].former_names = former_enumerators<T>;
        } else {
          add_parts(index, parts_of<T>());
          if constexpr (kind_of<T> == kind::variant) {
            graph_.nodes[index].former_names = former_alternatives<T>;
            for (std::size_t k = 0; k < alternative_names<T>.size(); ++k)
              graph_.nodes[index].children[k].name = alternative_names<T>[k];
          }
          if (is_map_kind(graph_.nodes[index].attributes.kind)) graph_.fold_entry(index);
        }
      }
      return index;
    }
  }
  template <class... Ts>
  void add_parts([[maybe_unused]] std::uint32_t index, type_pack<Ts...>) {
    (add_child(index, {}, 0, add<std::remove_const_t<Ts>>()), ...);
  }
  void add_child(std::uint32_t index, std::string_view name, std::uint64_t annotations, std::uint32_t child) {
    graph_.nodes[index].children.push_back({std::string(name), annotations, child});
  }
  template <class T, std::size_t I>
  void add_member(std::uint32_t index) {
    if constexpr (!member_has<T, I, skip_t>)
      add_child(index, member_name<T, I>, annotations_of<T, I>(), add<member_type<T, I>>());
  }
  template <class T>
  void add_record(std::uint32_t index) {
    static_assert(require_clear_former_names<T>());
    graph_.nodes[index].attributes = record_facts<T>();
    graph_.nodes[index].type = &facts_of_type<T, Codec>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add_member<T, I>(index), ...);
    }(std::make_index_sequence<member_count<T>>{});
    if constexpr (has_previous<T>) {
      using earlier = typename previous<T>::type;
      static_assert(type_has<T, version_t> && type_has<earlier, version_t>,
                    "ingot: a type with a previous one carries ingot::version, and so does that one");
      static_assert(type_get<earlier, version_t>.number < type_get<T, version_t>.number,
                    "ingot: the previous type has a smaller version");
      const std::uint32_t before = add<earlier>();
      graph_.nodes[index].previous = before;
    }
  }

  evolving_graph graph_;
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

}}} // namespace ingot::INGOT_V1::detail
