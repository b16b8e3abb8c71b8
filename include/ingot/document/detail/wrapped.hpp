// SPDX-License-Identifier: Apache-2.0
// Objects that represent values for which documents have no kind, such as `{"$tag": 258, "$value":
// [1, 2]}` for a set of CBOR.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/document/key.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

inline constexpr std::uint64_t set_tag = 258; ///< tag of CBOR for a set

/// A value that is represented by an object with two members.
struct wrapped_value {
  std::uint64_t tag = 0; ///< tag of CBOR
  item content;
  bool is_time = false; ///< true for MessagePack's timestamp; the time is in `time`
  instant time;
};
[[nodiscard]] inline bool find_wrapped(memory in, const item& from, wrapped_value& to) noexcept {
  container object;
  key_columns keys;
  if (from.kind != value_kind::object || !find_container(in, from, object) || !object.has_node ||
      object.count() != 2 || !key_columns::of_object(in, object.n, keys))
    return false;
  const auto member = [&](const document_key& key) {
    const uint32_t index = keys.find(key);
    return index == npos ? item{} : object.n.value(index);
  };
  static constexpr document_key tag_key("$tag");
  static constexpr document_key value_key("$value");
  static constexpr document_key seconds_key("$seconds");
  static constexpr document_key nanoseconds_key("$nanoseconds");
  const item tag = member(tag_key);
  to.content = member(value_key);
  if ((tag.kind == value_kind::integer || tag.kind == value_kind::large_integer) &&
      to.content.kind != value_kind::absent) {
    to.tag = tag.number;
    return tag.kind == value_kind::large_integer || tag.integer() >= 0;
  }
  static constexpr document_key extension_key("$ext");
  if (to.content.kind == value_kind::array) { // msgpackr's form of a set
    const item extension = member(extension_key);
    to.tag = set_tag;
    return extension.kind == value_kind::integer && extension.integer() == 's';
  }
  const item seconds = member(seconds_key);
  const item nanoseconds = member(nanoseconds_key);
  to.is_time = seconds.kind == value_kind::integer && nanoseconds.kind == value_kind::integer &&
               nanoseconds.number < static_cast<std::uint64_t>(nanoseconds_in_second);
  to.time = {seconds.integer(), static_cast<std::uint32_t>(nanoseconds.number)};
  return to.is_time;
}

}}} // namespace ingot::INGOT_V1::detail::doc
