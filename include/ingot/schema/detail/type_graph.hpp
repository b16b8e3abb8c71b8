// SPDX-License-Identifier: Apache-2.0
// Walks over a type into which data of other versions is read. The type has information that a
// description lacks: former names, defaults, the previous version of the type. The functions `draw`
// add the nodes of a type to a graph. They call a builder, so that only the walk is compiled for
// each type.
#pragma once

#include <ingot/reflect/detail/links.hpp>
#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/detail/former_names.hpp>
#include <ingot/schema/previous.hpp>
#include <ingot/schema/schema_id.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The functions that encode and decode a record. The layer of an encoding defines this struct
/// (pack/detail/evolution_codec.hpp).
struct record_codec;

/// Properties of a record's type that its description lacks.
struct record_facts_of_type {
  former_name_lists former_names; ///< a list for each stored member
  bool has_defaults;
  bool version_is_member; ///< the first member holds the version of the type
  const record_codec* codec;
};

/// Receives the parts of a type. The builder of the graph is in evolving_graph.hpp.
class type_graph_builder {
public:
  /// Sets `node` to the node of the type. If the type has no node, adds one and returns false.
  virtual bool find_or_add(std::string_view type, std::uint32_t& node) = 0;
  virtual void make_document(std::uint32_t node) = 0;
  virtual void attributes(std::uint32_t node, const schema_attributes& attributes, bool is_pool) = 0;
  virtual void record(std::uint32_t node, const record_facts_of_type& type) = 0;
  virtual void enumerator(std::uint32_t node, std::string_view name, std::uint64_t value) = 0;
  virtual void child(std::uint32_t node, std::string_view name, std::uint64_t annotations,
                     std::uint32_t child) = 0;
  /// Sets the former names of the node's enumerators or alternatives.
  virtual void former_names(std::uint32_t node, former_name_lists names) = 0;
  /// Sets the node of a record's previous version.
  virtual void previous(std::uint32_t node, std::uint32_t before) = 0;
  /// Called after the last child of a node that is no record.
  virtual void finish(std::uint32_t node) = 0;

protected:
  ~type_graph_builder() = default;
};

/// Passes the parts of a type to a builder, and returns the index of the root.
using type_drawer = std::uint32_t (*)(type_graph_builder&);

struct no_codec {
  template <class T>
  static constexpr const record_codec* of = nullptr;
};

template <class T, class Codec>
inline constexpr record_facts_of_type facts_of_type{stored_former_names<T>,
                                                    std::is_default_constructible_v<T>,
                                                    version_is_member<T>(), Codec::template of<T>};

/// The contents of a record's node. The members have the names and annotations of the type's
/// description.
struct drawn_record {
  std::string_view tag;
  schema_attributes attributes;
  const record_facts_of_type* facts;
  const described_member* members;
  const type_drawer* children;
  std::size_t count;
  type_drawer previous; ///< null if there is no previous version
};
INGOT_NOINLINE inline std::uint32_t draw_record(type_graph_builder& to, const drawn_record& what) {
  std::uint32_t index = 0;
  if (to.find_or_add(what.tag, index)) return index;
  to.attributes(index, what.attributes, false);
  to.record(index, *what.facts);
  for (std::size_t i = 0; i < what.count; ++i)
    to.child(index, what.members[i].name, what.members[i].annotations, what.children[i](to));
  if (what.previous != nullptr) to.previous(index, what.previous(to));
  return index;
}
/// Adds the node of a type that is not a record, an enumeration or a variant, and its children.
/// Returns the index of the node. Does not add a type twice.
INGOT_NOINLINE inline std::uint32_t draw_plain(type_graph_builder& to, std::string_view tag,
                                               const schema_attributes& attributes, bool is_pool,
                                               const type_drawer* child, std::size_t count) {
  std::uint32_t index = 0;
  if (to.find_or_add(tag, index)) return index;
  to.attributes(index, attributes, is_pool);
  for (; count != 0; --count, ++child) to.child(index, {}, 0, (*child)(to));
  to.finish(index);
  return index;
}

/// Adds the type into which data is read, and all types in this type, to a graph. Each type is one
/// node.
template <class Codec>
class type_grapher {
public:
  template <class T>
  static std::uint32_t draw(type_graph_builder& to) {
    if constexpr (document_like<T>) {
      std::uint32_t index = 0;
      if (!to.find_or_add("a document", index)) to.make_document(index);
      return index;
    } else if constexpr (kind_of<T> == kind::adapted) {
      return draw<adapted_t<T>>(to);
    } else if constexpr (kind_of<T> == kind::record) {
      static_assert(require_clear_former_names<T>());
      static constexpr auto children = member_drawers<T>();
      static constexpr drawn_record what{
          type_tag<T>(),   record_facts<T>(),           &facts_of_type<T, Codec>, described_members<T>.data(),
          children.data(), described_member_count<T>(), drawer_of_previous<T>()};
      return draw_record(to, what);
    } else if constexpr (kind_of<T> == kind::enumeration || kind_of<T> == kind::variant) {
      std::uint32_t index = 0;
      if (to.find_or_add(type_tag<T>(), index)) return index;
      to.attributes(index, attributes_of<T>(), provides_links<T>);
      if constexpr (kind_of<T> == kind::enumeration) {
        for (const auto& each : enumerators<T>)
          to.enumerator(index, each.name, static_cast<std::uint64_t>(std::to_underlying(each.value)));
        static_assert(require_clear_enumerators<T>());
        to.former_names(index, former_enumerators<T>);
      } else {
        draw_alternatives<T>(to, index, parts_of<T>());
        to.former_names(index, former_alternatives<T>);
      }
      to.finish(index);
      return index;
    } else {
      return draw_parts<T>(to, parts_of<T>());
    }
  }

private:
  template <class T, class... Ts>
  static std::uint32_t draw_parts(type_graph_builder& to, type_pack<Ts...>) {
    static constexpr std::array<type_drawer, sizeof...(Ts) + 1> children{draw<std::remove_const_t<Ts>>...};
    return draw_plain(to, type_tag<T>(), attributes_of<T>(), provides_links<T>, children.data(),
                      sizeof...(Ts));
  }
  template <class V, class... Ts>
  static void draw_alternatives(type_graph_builder& to, std::uint32_t index, type_pack<Ts...>) {
    constexpr std::size_t named = alternative_names<V>.size();
    [[maybe_unused]] std::size_t k = 0;
    const auto one = [&](std::uint32_t child) {
      std::string_view name;
      if constexpr (named != 0) {
        if (k < named) name = alternative_names<V>[k];
      }
      ++k;
      to.child(index, name, 0, child);
    };
    (one(draw<std::remove_const_t<Ts>>(to)), ...);
  }
  template <class T>
  static consteval auto member_drawers() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      std::array<type_drawer, described_member_count<T>() + 1> all{};
      [[maybe_unused]] std::size_t n = 0;
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!member_has<T, J, skip_t>) all[n++] = draw<member_type<T, J>>;
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
      return all;
    }(std::make_index_sequence<member_count<T>>{});
  }
  template <class T>
  static consteval type_drawer drawer_of_previous() {
    if constexpr (has_previous<T>) {
      using earlier = typename previous<T>::type;
      static_assert(type_has<T, version_t> && type_has<earlier, version_t>,
                    "ingot: a type with a previous one carries ingot::version, and so does that one");
      static_assert(type_get<earlier, version_t>.number < type_get<T, version_t>.number,
                    "ingot: the previous type has a smaller version");
      return draw<earlier>;
    } else {
      return nullptr;
    }
  }
};

}}} // namespace ingot::INGOT_V1::detail
