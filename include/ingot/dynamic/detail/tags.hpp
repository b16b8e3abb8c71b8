// SPDX-License-Identifier: Apache-2.0
// The keys of variants and expecteds in text and documents.
#pragma once

#include <ingot/dynamic/detail/types.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/dynamic/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns the name that is the tag of a variant's alternative. Returns an empty name if the index
/// is the tag.
[[nodiscard]] inline std::string_view alternative_tag(const dynamic_value& of) noexcept {
  const part& held = access::memory_of(of)->in->parts_of(access::type_of(of))[of.alternative()];
  return held.repeated ? std::string_view() : held.name;
}
/// Returns the key of a variant or an expected. In text and documents, such a value is an object
/// with one member.
[[nodiscard]] inline std::string alternative_key(const dynamic_value& of) {
  if (of.kind() == dynamic_kind::expected) return of.alternative() == 0 ? "value" : "error";
  const std::string_view tag = alternative_tag(of);
  return tag.empty() ? std::to_string(of.alternative()) : std::string(tag);
}

}}} // namespace ingot::INGOT_V1::detail::dyn
