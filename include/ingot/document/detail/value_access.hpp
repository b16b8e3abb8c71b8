// SPDX-License-Identifier: Apache-2.0
// Access to private parts of handles and documents, for the other classes of this layer.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/document/format.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Private parts of a handle or a document that other classes of this layer may use. Handles and
/// documents declare this class a friend.
struct access {
  template <class Handle>
  [[nodiscard]] static const core* core_of(const Handle& v) noexcept {
    return v.core_;
  }
  template <class Handle>
  [[nodiscard]] static INGOT_INLINE std::size_t size_of(const Handle& v) noexcept {
    return v.size_apart();
  }
  /// Returns the item of a `value`, or of a handle to bytes that belong to no `document`.
  template <class Handle>
  [[nodiscard]] static item item_of(const Handle& v) noexcept {
    return v.get();
  }
  template <class Handle>
  [[nodiscard]] static validated memory_of(const Handle& v) noexcept {
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
  /// Creates a handle to bytes that belong to no `document`.
  template <class Handle>
  [[nodiscard]] static Handle make(validated in, const location& at) noexcept {
    return Handle(in, at);
  }
  /// Returns the position of the node of a container, or 0; see `value::node_here`.
  template <class Handle>
  [[nodiscard]] static INGOT_INLINE std::size_t node_of(const Handle& v) noexcept {
    return v.node_here();
  }
  template <class Handle>
  [[nodiscard]] static INGOT_INLINE const std::byte* start_of(const Handle& v) noexcept {
    return v.core_->start();
  }
  /// Creates a handle to member `index` of the object `in`, which has its node at `position`.
  /// `bytes` is null if the value is in its cell.
  template <class Handle>
  [[nodiscard]] static INGOT_INLINE Handle member(const Handle& in, std::size_t position, uint32_t index,
                                                  const std::byte* bytes) noexcept {
    return Handle(in, static_cast<uint32_t>(position), index, bytes);
  }
  /// Parts of a view.
  template <class View>
  [[nodiscard]] static INGOT_INLINE const auto& memory_in(const View& v) noexcept {
    return v.in_;
  }
  template <class View>
  [[nodiscard]] static INGOT_INLINE const item& item_in(const View& v) noexcept {
    return v.item_;
  }
  template <class View>
  [[nodiscard]] static INGOT_INLINE const location& location_in(const View& v) noexcept {
    return v.at_;
  }
  /// Creates the view of a member of `in`.
  template <class View>
  [[nodiscard]] static INGOT_INLINE View member(const View& in, const location& at, const item& is) noexcept {
    return View(in.in_, at, is);
  }
  /// Overwrites a value with the value `what`. Requires that the bytes of `what` are validated, or
  /// that `what` was checked. Returns false if there is no space.
  template <class Ref>
  [[nodiscard]] static bool put(Ref&& to, memory from, const item& what) noexcept {
    return to.put_nodes(from, what);
  }
  /// Sets the member at the end of a path of keys, and creates missing objects on the path.
  template <class Ref, class Path, class T>
  [[nodiscard]] static auto set_path(Ref container, const Path& last, const T& from) {
    return container.set_path(last, from);
  }
  /// Creates an empty document. `Document` is a template parameter, since the type is incomplete
  /// here. `core_in` returns the document's memory.
  template <class Document, class Ceiling>
  [[nodiscard]] static auto begin(Ceiling max_size) {
    return Document::begin(max_size);
  }
  template <class Document>
  [[nodiscard]] static core& core_in(Document& of) noexcept {
    return *of.core_;
  }
};

/// `access` as a template. Headers that can't include this header can declare the template, and use
/// it in their own templates.
template <class T>
struct access_for : access {};

}}} // namespace ingot::INGOT_V1::detail::doc
