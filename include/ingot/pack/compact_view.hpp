// SPDX-License-Identifier: Apache-2.0
// Reads a compact message in place, after two passes. The first pass validates the message. The
// second pass stores the positions where the variable parts of the message end.
//
//   const auto hero = ingot::compact::view<character>::open(bytes);
//   hero->get<"name">();                                   // std::string_view into the bytes
//   hero->get<&character::equips>()[3].get<"level">();     // as with ingot::view, O(1) each
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view_list.hpp>
#include <ingot/pack/compact_view_record.hpp>
#include <ingot/pack/compact_view_tagged.hpp>
#include <ingot/pack/detail/compact_index_walk.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// The view of a whole message whose type is not a record, a list or a tagged value.
template <class Seen>
class single_value_view {
public:
  explicit single_value_view(const Seen& seen) noexcept : seen_(seen) {}
  [[nodiscard]] const Seen& operator*() const noexcept { return seen_; }
  [[nodiscard]] operator const Seen&() const noexcept { return seen_; }

private:
  Seen seen_;
};
template <class Seen>
struct root_base {
  using type = single_value_view<Seen>;
};
template <class T, encoding S>
struct root_base<compact::record_view<T, S>> {
  using type = compact::record_view<T, S>;
};
template <class T, encoding S>
struct root_base<compact::list_view<T, S>> {
  using type = compact::list_view<T, S>;
};
template <class T, encoding S>
struct root_base<compact::tagged_view<T, S>> {
  using type = compact::tagged_view<T, S>;
};

} // namespace detail

namespace compact {

/// A compact message of type `T` and its index. The class derives from the view of a `T`: a
/// `record_view`, `list_view` or `tagged_view` of the namespace `compact`. For any other `T`,
/// `*view` returns the value. The member functions are the same as in an `ingot::view<T>`.
///
/// Owns the index, which takes at most 20 bytes for each byte of the message (30 while the index
/// grows). Borrows the bytes: they must not change or end while the view exists. Views that this
/// view returns borrow the bytes and the index. They stay valid when this view is moved. Move only.
template <class T>
class view : public detail::root_base<detail::compact_view_of<T>>::type {
  using seen = detail::compact_view_of<T>;
  using base = typename detail::root_base<seen>::type;

public:
  /// Validates `bytes`, then indexes them. O(n) for n bytes. Errors: as `compact::unpack`.
  [[nodiscard]] static result<view> open(bytes_view bytes, trailing rest = trailing::reject) {
    static_assert(packable<T>);
    return detail::catch_bad_alloc([&]() -> result<view> {
      detail::validate_only nowhere;
      if (auto read = detail::compact_unpack_unguarded<T>(nowhere, bytes, rest); !read)
        return fail(read.error());
      return index_checked(bytes);
    });
  }
  template <byte_range R>
  [[nodiscard]] static result<view> open(const R& bytes, trailing rest = trailing::reject) {
    return open(as_bytes_view(bytes), rest);
  }
  [[nodiscard]] static result<view> open(const result<buffer>& packed, trailing rest = trailing::reject) {
    if (!packed) return fail(packed.error());
    return open(as_bytes_view(*packed), rest);
  }
  /// Not available: the buffer would be destroyed before the view is used.
  static void open(buffer&&, trailing = {}) = delete;         // ingot: put the bytes into a variable first
  static void open(result<buffer>&&, trailing = {}) = delete; // ingot: put the bytes into a variable first

  /// Indexes trusted bytes: those that this program packed or validated. With any other bytes,
  /// behaviour is undefined. O(n) for n bytes of variable parts. Errors: `no_memory`.
  [[nodiscard]] static result<view> open_unchecked(bytes_view bytes) {
    return detail::catch_bad_alloc([&] { return index_checked(bytes); });
  }
  template <byte_range R>
  [[nodiscard]] static result<view> open_unchecked(const R& bytes) {
    return open_unchecked(as_bytes_view(bytes));
  }

  /// Returns the size of the index in memory, in bytes.
  [[nodiscard]] std::size_t index_size() const noexcept { return slots_.size() * sizeof(detail::slot_type); }

private:
  view(detail::slot_area&& slots, const detail::indexed_ref& root) noexcept
      : base(detail::compact_view_at<T, detail::encoding::plain>(root)), slots_(std::move(slots)) {}

  [[nodiscard]] static result<view> index_checked(bytes_view bytes) {
    detail::index_walk walk{bytes.data(), bytes.data(), {}, {}};
    detail::slot_type root = 0;
    if (!walk.index.extend(detail::index_slots<T>, root) ||
        !detail::note_value<T, detail::encoding::plain>(walk, walk.index, root)) {
      return fail(error{errc::no_memory}.with_expected("memory for the index"));
    }
    const detail::indexed_ref at{{bytes.data(), walk.index.data()}, 0, root};
    return view(std::move(walk.index), at);
  }

  detail::slot_area slots_;
};

} // namespace compact
}} // namespace ingot::INGOT_V1
