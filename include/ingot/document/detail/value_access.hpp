// SPDX-License-Identifier: Apache-2.0
// The way into handles and documents for the classes around them.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/document/format.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// What other classes of this layer may know of a handle, or of a document: both say that this is their friend.
struct access {
  template <class Handle>
  [[nodiscard]] static const core* core_of(const Handle& v) noexcept {
    return v.core_;
  }
  template <class Handle>
  [[nodiscard]] static INGOT_INLINE std::size_t size_of(const Handle& v) noexcept {
    return v.size_apart();
  }
  /// Of a `value`, and of what reads bytes without one.
  template <class Handle>
  [[nodiscard]] static item item_of(const Handle& v) noexcept {
    return v.get();
  }
  template <class Handle>
  [[nodiscard]] static proved memory_of(const Handle& v) noexcept {
    return v.mem();
  }
  template <class Handle>
  [[nodiscard]] static location location_of(const Handle& v) noexcept {
    return v.now();
  }
  template <class Handle>
  [[nodiscard]] static Handle make(const core* in, const location& at) noexcept {
    return Handle(in, at);
  }
  /// A handle that knows no document.
  template <class Handle>
  [[nodiscard]] static Handle make(proved in, const location& at) noexcept {
    return Handle(in, at);
  }
  /// Overwrites a value with one that lies in proved bytes, or in others in which it was looked at. False without room.
  template <class Ref>
  [[nodiscard]] static bool put(Ref&& to, memory from, const item& what) noexcept {
    return to.put_nodes(from, what);
  }
  /// Of a document, which is not complete here: an empty one, and its memory.
  template <class Document, class Ceiling>
  [[nodiscard]] static auto begin(Ceiling most) {
    return Document::begin(most);
  }
  template <class Document>
  [[nodiscard]] static core& core_in(Document& of) noexcept {
    return *of.core_;
  }
};

/// The same, for code below this header.
template <class T>
struct access_for : access {};

}}} // namespace ingot::INGOT_V1::detail::doc
