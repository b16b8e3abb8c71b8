// SPDX-License-Identifier: Apache-2.0
#include "packing.hpp"

#include <ingot/dynamic/detail/tags.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/schema/description.hpp>

#include "writing.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

namespace {

using ingot::dynamic_kind;
using ingot::dynamic_value;

void append_key(std::string& pointer, std::string_view key) {
  pointer += pointer_of({{.is = path_step::kind::name, .text = std::string(key)}});
}

/// Returns the value inside optionals, boxes and variants. In a document, a variant is an object
/// with one member. The key of this member is appended to `pointer`. Optionals and boxes add no
/// level.
[[nodiscard]] dynamic_value go_through(dynamic_value at, std::string& pointer) {
  for (;; at = at.held()) {
    if (at.kind() == dynamic_kind::expected || at.kind() == dynamic_kind::variant)
      append_key(pointer, ingot::detail::dyn::alternative_key(at));
    else if (at.kind() != dynamic_kind::optional && at.kind() != dynamic_kind::box) return at;
  }
}

/// Returns the map's entry that a step leads to.
[[nodiscard]] std::optional<ingot::dynamic_part> find_entry(const dynamic_value& map, const path_step& step) {
  const bool is_number = step.is == path_step::kind::index && !has_number_keys(node(map));
  for (const ingot::dynamic_part part : map.parts()) {
    if (is_number) {
      if (part.index == step.index) return part;
      continue;
    }
    const node key(part.key);
    if ((key.text() ? std::string(*key.text()) : key.scalar(static_cast<std::size_t>(-1))) == step.text)
      return part;
  }
  return {};
}

} // namespace

ingot::result<ingot::buffer> pack(const ingot::document& from, const ingot::schema& by,
                                  ingot::message_profile profile, bool lenient) {
  const auto ready = ingot::dynamic_schema::from(by, profile);
  if (!ready) return ingot::fail(ready.error());
  ingot::pack_document_options options;
  options.missing_is_error = !lenient;
  options.unknown_is_ignored = lenient;
  return ingot::pack_document(from, *ready, options);
}

void write_packed(output& to, const std::string& name, ingot::bytes_view packed, const ingot::schema& by,
                  ingot::message_profile profile, const ingot::compression& how, bool columns) {
  ingot::file_info info;
  info.columns = columns;
  info.kind = profile == ingot::message_profile::pack ? ingot::file_kind::packed : ingot::file_kind::compact;
  info.schema = ingot::schema_form::portable;
  info.schema_id = by.id();
  write_ingot(to, name, info, packed, ingot::schema_bytes(by), how);
}

std::string pointer_in_document(const dynamic_value& typed, const path& steps) {
  std::string pointer;
  dynamic_value at = go_through(typed, pointer);
  for (const path_step& step : steps) {
    const node_form form = node(at).form();
    if (form == node_form::entries) {
      const auto entry = find_entry(at, step);
      const auto key = entry ? entry->key.as<std::string_view>() : ingot::result<std::string_view>(step.text);
      // A map with text keys is an object in a document. Any other map is an array of pairs.
      if (key) append_key(pointer, *key);
      else pointer += '/' + std::to_string(entry->index) + "/1";
      at = entry ? entry->value : dynamic_value();
    } else if (step.is == path_step::kind::index && form != node_form::members) {
      pointer += '/' + std::to_string(step.index);
      at = at[step.index];
    } else if (at.kind() == dynamic_kind::tuple || at.kind() == dynamic_kind::pair) { // an array
      pointer += '/' + std::to_string(step.index);
      at = at[step.index];
    } else {
      const std::string_view name =
          step.is == path_step::kind::index ? at.member_name(step.index) : step.text;
      append_key(pointer, name);
      at = at.member(name);
    }
    at = go_through(at, pointer);
  }
  return pointer;
}

} // namespace tool
