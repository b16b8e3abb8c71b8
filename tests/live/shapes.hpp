// SPDX-License-Identifier: Apache-2.0
// The kind of a container in a block, recognised by its shape: tests that work with all containers
// need not name them.
#pragma once

#include <ingot/live/live.hpp>

#include <ranges>

namespace live_test {

template <class C>
concept text_shape = ingot::detail::live_container<C> && requires { typename C::view_type; };
template <class C>
concept map_shape = ingot::detail::live_container<C> && requires { typename C::mapped_type; };
template <class C>
concept set_shape = ingot::detail::live_container<C> && !map_shape<C> && requires { typename C::key_type; };
template <class C>
concept pool_shape = ingot::detail::live_container<C> && requires { typename C::ref_type; };
template <class C>
concept sequence_shape = ingot::detail::live_container<C> && !text_shape<C> && !map_shape<C> &&
                         !set_shape<C> && !pool_shape<C> && std::ranges::forward_range<C>;
template <class C>
concept optional_shape = ingot::detail::live_container<C> && requires(C& c) {
  c.has_value();
  c.reset();
};
template <class C>
concept queue_shape = ingot::detail::live_container<C> && requires(C& c) { c.pop_front(); };
template <class C>
concept variant_shape = ingot::detail::live_container<C> && requires(C& c) { c.index(); };
template <class C>
concept box_shape = ingot::detail::live_container<C> && !optional_shape<C> && !std::ranges::range<C> &&
                    requires(C& c) { *c; };

/// A value of any kind: a document in the block.
template <class C>
concept any_shape = ingot::detail::live_container<C> && requires { typename C::document_type; };

} // namespace live_test
