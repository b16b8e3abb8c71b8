// SPDX-License-Identifier: Apache-2.0
// The memory that readers count for an element, see `read_limits::max_memory`.
#pragma once

#include <ingot/core/read_limits.hpp>
#include <ingot/reflect/detail/key_index.hpp>
#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::string_view within_memory = "a value that takes less memory: see max_memory";

/// Returns the bytes that a container takes for each element. In flat containers of blocks, this is
/// the size of the element and of its number in `key_index`. In containers of nodes, it is the size
/// of the element, and of the node's links and allocation. Flat containers of other libraries count
/// like containers of nodes, because a number in `key_index` is smaller than a node's overhead.
template <class C>
consteval std::uint64_t element_cost() {
  if constexpr (requires { typename C::unsorted_entries; })
    return sizeof(typename C::value_type) + key_index::cost;
  else if constexpr (requires(C& c) { c.data(); } || requires { typename C::live_policy; })
    return sizeof(typename C::value_type);
  else return sizeof(typename C::value_type) + 6 * sizeof(void*);
}

}}} // namespace ingot::INGOT_V1::detail
