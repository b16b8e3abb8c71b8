// SPDX-License-Identifier: Apache-2.0
// Converts the description of a layout to a graph of types for evolution. Evolution needs this
// graph to read values of a live block.
#pragma once

#include <ingot/dynamic/detail/types.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/schema/detail/evolving_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

[[nodiscard]] inline std::uint8_t schema_bit(bool set, schema_flag flag) noexcept {
  return set ? static_cast<std::uint8_t>(flag) : std::uint8_t{0};
}
/// Returns the schema attributes of a type, without those of its parts.
[[nodiscard]] inline schema_attributes schema_facts_of(const tables& in, const type& of) {
  const auto width = static_cast<std::uint8_t>(of.size & 0xFF);
  const std::uint8_t sign = schema_bit(of.has(is_signed), schema_flag::is_signed);
  switch (of.kind) {
  case dynamic_kind::absent:
  case dynamic_kind::tuple: // this and the following kinds occur only in messages
  case dynamic_kind::expected:
  case dynamic_kind::multiset:
  case dynamic_kind::hash_multimap:
  case dynamic_kind::hash_multiset: break;
  case dynamic_kind::boolean: return {schema_kind::boolean, width};
  case dynamic_kind::integer: return {schema_kind::integer, width, sign};
  case dynamic_kind::floating: return {schema_kind::floating, width};
  case dynamic_kind::character: return {schema_kind::character, width};
  case dynamic_kind::byte: return {schema_kind::byte, width};
  case dynamic_kind::enumeration:
    return {schema_kind::enumeration, width,
            static_cast<std::uint8_t>(sign | schema_bit(of.has(is_open), schema_flag::is_open) |
                                      schema_bit(of.has(is_flags), schema_flag::is_flags))};
  case dynamic_kind::duration: return {schema_kind::duration, 0, 0, of.extent, of.divisor};
  case dynamic_kind::time_point: return {schema_kind::time_point};
  case dynamic_kind::complex: return {schema_kind::complex};
  case dynamic_kind::bitset: return {schema_kind::bitset, 0, 0, of.extent};
  case dynamic_kind::array: return {schema_kind::array, 0, 0, of.extent};
  case dynamic_kind::pair: return {schema_kind::tuple};
  case dynamic_kind::ref: return {schema_kind::record};
  case dynamic_kind::record:
    return {schema_kind::record, 0, schema_bit(of.has(has_version), schema_flag::is_versioned), of.extent};
  case dynamic_kind::text:
    return {schema_kind::string, static_cast<std::uint8_t>(in.part_type(of, 0).size & 0xFF)};
  case dynamic_kind::value: return {schema_kind::document};
  case dynamic_kind::vector:
  case dynamic_kind::queue:
  case dynamic_kind::pool: return {schema_kind::sequence};
  case dynamic_kind::optional:
  case dynamic_kind::box: return {schema_kind::optional};
  case dynamic_kind::variant:
    return {schema_kind::variant, 0, schema_bit(of.has(has_tags), schema_flag::names_tags)};
  case dynamic_kind::map:
  case dynamic_kind::flat_map: return {schema_kind::map};
  case dynamic_kind::multimap: return {schema_kind::map, 0, static_cast<std::uint8_t>(schema_flag::is_multi)};
  case dynamic_kind::set:
  case dynamic_kind::flat_set: return {schema_kind::set};
  case dynamic_kind::hash_map: return {schema_kind::unordered_map};
  case dynamic_kind::hash_set: return {schema_kind::unordered_set};
  }
  return {};
}

/// Converts a graph for use with messages. In a message, a value of any kind is a list of bytes
/// that is marked as an archive.
[[nodiscard]] inline evolving_graph with_archives(evolving_graph graph) {
  for (evolving_node& each : graph.nodes) {
    if (each.attributes.kind != schema_kind::document) continue;
    each.attributes.kind = schema_kind::sequence;
    each.is_archive = true;
  }
  return graph;
}
[[nodiscard]] inline evolving_graph graph_of_message(const schema& described) {
  return with_archives(detail::graph_of(described));
}

/// Returns the graph of a layout. The nodes of the layout's types have the types' indices. Nodes
/// for parts that layouts lack (entries of maps, floats of complex numbers) follow.
[[nodiscard]] inline evolving_graph graph_of(const tables& in) {
  evolving_graph graph;
  graph.nodes.resize(in.types.size());
  for (std::uint32_t i = 0; i < in.types.size(); ++i) {
    const type& of = in.types[i];
    graph.nodes[i].attributes = schema_facts_of(in, of);
    if (of.kind == dynamic_kind::variant) graph.nodes[i].name = of.tag_key;
    graph.nodes[i].is_pool = of.kind == dynamic_kind::pool;
    graph.nodes[i].is_link = of.kind == dynamic_kind::ref;
    if (of.kind == dynamic_kind::enumeration) {
      for (const enumerator& each : in.enumerators_of(of))
        graph.nodes[i].add_enumerator(std::string(each.name), each.value);
      continue;
    }
    if (of.kind == dynamic_kind::complex) {
      const auto half = static_cast<std::uint32_t>(graph.nodes.size());
      graph.nodes[i].children.push_back({{}, 0, half});
      evolving_node real;
      real.attributes = {schema_kind::floating, static_cast<std::uint8_t>(of.size / 2 & 0xFF)};
      graph.nodes.push_back(std::move(real));
      continue;
    }
    if (of.kind == dynamic_kind::text) continue;
    if (of.kind == dynamic_kind::value) {
      graph.give_bytes(i);
      continue;
    }
    // The third part of a hash map is the pair type of its entries. `fold_entry` adds a node for
    // entries instead.
    const std::uint32_t count = of.kind == dynamic_kind::hash_map ? 2 : of.parts;
    for (std::uint32_t k = 0; k < count; ++k) {
      const part& one = in.parts[of.first + k];
      graph.nodes[i].children.push_back(
          {has_named_parts(of.kind) ? std::string(one.name) : std::string(), 0, one.type});
    }
    if (is_map(of.kind)) graph.fold_entry(i);
  }
  return graph;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
