// SPDX-License-Identifier: Apache-2.0
// Variants of records whose tag is a member of the alternative's object: `{"type":"circle",...}`.
#pragma once

#include <ingot/json/detail/former_keys.hpp>
#include <ingot/json/detail/record_table.hpp>
#include <ingot/reflect/detail/tag_key.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/variant_names.hpp>
#include <ingot/schema/detail/names_in_versions.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

template <class V>
inline constexpr bool has_tag_key = !tag_key<V>.empty();

/// Rejects variants whose tag can't be a member of all alternatives, in all their versions.
template <class V>
consteval bool require_tag_key() {
  if constexpr (ingot::detail::require_tag_key<V>()) {
    []<std::size_t... I>(std::index_sequence<I...>) {
      static_assert(
          (ingot::detail::is_free_in_versions<std::remove_const_t<std::variant_alternative_t<I, V>>>(
               tag_key<V>) &&
           ...),
          "ingot: a member has the name of the tag_key of its variant, in an earlier version: choose "
          "another tag_key");
    }(std::make_index_sequence<std::variant_size_v<V>>{});
  }
  return true;
}

/// The form of an object that is read as an alternative.
enum class tag_form : std::uint8_t {
  error,
  member, ///< the tag is a member
  key,    ///< the tag is the only key, and the value of this key is the alternative
};

/// Finds the tag in the object at the cursor and sets `index` to the index of the tag's
/// alternative. The cursor is then at the beginning of the object. Skips each member of the object
/// at most once. For the form `member`, sets `outer` to the tag of the object around this object.
/// The record's reader then skips this object's tag, and the caller must call `leave_tag(outer)`
/// after the object.
[[nodiscard]] tag_form find_member_tag(text_reader& reader, std::string_view key,
                                       std::span<const std::string_view> tags,
                                       std::span<const std::span<const std::string_view>> former,
                                       std::size_t& index, member_tag& outer);

/// Writes an object whose first member is the tag.
[[nodiscard]] bool write_tagged_record(text_writer& writer, const record_writer_table& table,
                                       const_record_location from, std::string_view key,
                                       std::string_view tag);

}}} // namespace ingot::INGOT_V1::json::detail
