// SPDX-License-Identifier: Apache-2.0
// Finds the document of a value of any kind, in a block that is read without its C++ type.
#pragma once

#include <ingot/document/detail/core.hpp>
#include <ingot/dynamic/detail/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns the document of the validated value at `position`.
[[nodiscard]] inline doc::validated document_at(const memory& in, std::uint64_t position) noexcept {
  static constexpr doc::document_header null_document{};
  const std::uint64_t data = in.target(position);
  if (data == sentinel_position)
    return {{reinterpret_cast<const std::byte*>(&null_document), sizeof null_document}};
  const std::byte* const start = in.start + data;
  return {{start, doc::load<std::uint32_t>(start + offsetof(doc::document_header, used))}};
}

}}} // namespace ingot::INGOT_V1::detail::dyn
