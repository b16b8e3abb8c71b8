// SPDX-License-Identifier: Apache-2.0
// Validates bytes as a block: first the header, then everything that is reachable from the root.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/different_block.hpp>
#include <ingot/live/detail/edge_claims.hpp>
#include <ingot/live/detail/layout_id.hpp>
#include <ingot/schema/schema_id.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// The contents of a header (64 bytes), which are untrusted. They are enough to identify the type
/// of the block.
struct block_info {
  /// Version of the format.
  std::uint8_t version = 0;
  /// True if offsets have 64 bits.
  bool wide = false;
  /// Identifies the layout of the type.
  std::uint64_t layout_id = 0;
  /// Identifies the schema of the type.
  std::uint64_t schema_id = 0;
  std::uint64_t size = 0; ///< size of the block in bytes
};

/// Reads the header of a live block and nothing else. O(1). Errors: `truncated`, `not_ingot`,
/// `wrong_version`, `bad_padding`, and `layout_mismatch` if the block has the other byte order.
[[nodiscard]] inline result<block_info> peek(bytes_view bytes) noexcept {
  detail::block_header header;
  if (bytes.size() < sizeof header)
    return fail(error{errc::truncated, bytes.size()}.with_expected("the 64 bytes of a header"));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != detail::block_header::expected_magic)
    return fail(error{errc::not_ingot}.with_expected("\"ingL\""));
  if (header.version != detail::block_header::current_version) {
    return fail(error{errc::wrong_version, 4}.with_expected("version 2").with_found(header.version));
  }
  if (((header.flags & detail::block_header::big_endian) != 0) ==
      (std::endian::native == std::endian::little)) {
    return fail(detail::other_byte_order());
  }
  if ((header.flags & ~7U) != 0 || header.zero != 0)
    return fail(error{errc::bad_padding, 5}.with_expected("no unknown flags"));
  const bool wide = (header.flags & detail::block_header::wide_offsets) != 0;
  constexpr std::array<std::byte, 16> zeros{};
  // the bytes in front of the sentinel's prefix
  if (std::memcmp(header.tail.data(), zeros.data(), wide ? 8 : 16) != 0)
    return fail(error{errc::bad_padding, 32}.with_expected("zeros in the header"));
  return block_info{header.version, wide, header.layout_id, header.schema_id, header.used};
}

namespace detail {

/// Writes the header and the sentinel of a new block. The bytes of the root stay zero.
template <class T, block_policy P>
void write_header(block_ref<P> block) noexcept {
  using prefix = storage_prefix<typename P::offset_type>;
  auto& header = *::new (static_cast<void*>(block.start())) block_header;
  header.flags = static_cast<std::uint8_t>(
      (std::endian::native == std::endian::big ? block_header::big_endian : 0) |
      (sizeof(typename P::offset_type) == 8 ? block_header::wide_offsets : 0) | block_header::attached);
  header.layout_id = layout_id<T, P>();
  header.schema_id = schema_id<T>;
  const prefix sentinel{0, static_cast<typename P::offset_type>(sentinel_position - sizeof(prefix))};
  std::memcpy(block.start() + (sentinel_position - sizeof(prefix)), &sentinel, sizeof sentinel);
}

/// Position of the first storage in a block of `T`.
template <class T>
inline constexpr std::size_t first_storage = root_position + round_up(sizeof(T), 8);

/// Checks that the header is that of a block of `T`. Returns the size of the block.
template <class T, block_policy P>
[[nodiscard]] result<std::size_t> check_header(bytes_view bytes) noexcept {
  const auto info = peek(bytes);
  if (!info) return fail(info.error());
  constexpr bool wide = sizeof(typename P::offset_type) == 8;
  if (info->wide != wide) return fail(other_width(wide));
  if (info->schema_id != schema_id<T>) return fail(other_schema(16, schema_id<T>, info->schema_id));
  if (info->layout_id != layout_id<T, P>())
    return fail(other_layout_id(8, layout_id<T, P>(), info->layout_id));
  constexpr std::size_t max_size = static_cast<typename P::offset_type>(-1) / 2 - 4096;
  if (info->size < first_storage<T> || info->size % 8 != 0 || info->size > max_size) {
    return fail(error{errc::bad_length, 24}.with_expected("the length of a block").with_found(info->size));
  }
  if (info->size > bytes.size()) {
    return fail(error{errc::truncated, bytes.size()}
                    .with_expected("as many bytes as the header says")
                    .with_found(bytes.size()));
  }
  storage_prefix<typename P::offset_type> sentinel;
  std::memcpy(&sentinel, bytes.data() + sentinel_position - sizeof sentinel, sizeof sentinel);
  std::uint64_t following = 0;
  std::memcpy(&following, bytes.data() + sentinel_position, sizeof following);
  if (sentinel.capacity != 0 || sentinel.distance != sentinel_position - sizeof sentinel || following != 0) {
    return fail(error{errc::bad_padding, sentinel_position - sizeof sentinel}.with_expected(
        "the sentinel of empty containers"));
  }
  return static_cast<std::size_t>(info->size);
}

/// Checks as `check_header` does, and rejects bytes after the block.
template <class T, block_policy P>
[[nodiscard]] result<std::size_t> check_whole(bytes_view bytes) noexcept {
  auto size = check_header<T, P>(bytes);
  if (size && *size != bytes.size()) return fail(error{errc::trailing_bytes, *size});
  return size;
}

/// The checks of the first walk, which also finds storages that overlap. If a type's own `valid`
/// function may read containers that are not validated yet, a second walk calls the `valid`
/// functions.
template <class T>
inline constexpr asking first_walk = asks_valid_last<T> ? asking::values : asking::all;

template <class T, block_policy P>
[[nodiscard]] bool accepted_by_valid(const std::byte* start, std::size_t used, pending_error& err) {
  if constexpr (asks_valid_last<T>) {
    block_validator<P, no_claims> validator(start, used, first_storage<T>, no_claims{});
    if (check_object(*reinterpret_cast<const T*>(start + root_position), validator)) return true;
    err = validator.reason();
    return false;
  } else {
    return true;
  }
}

/// The result of a validation: whether the bytes are a valid block, and whether the block is
/// canonical.
enum class block_state : std::uint8_t {
  none,
  canonical, ///< its storages are adjacent, in the order of the walk
  edited,    ///< other order or free bytes; the bitmap marks the bytes in use
};
/// Validates a block of `used` bytes. Requires that the header was checked. If the block is not
/// canonical, uses a bitmap from `source`. If the result is `none`, the contents of this bitmap are
/// unspecified. This function does not find the reason; `validate_by_bitmap` does.
template <class T, block_policy P>
[[nodiscard]] block_state validate_by_edges(const std::byte* start, std::size_t used,
                                            const bitmap_source* source, progress_poll* poll = nullptr) {
  block_validator<P, edge_claims, first_walk<T>> validator(start, used, first_storage<T>,
                                                           edge_claims(first_storage<T>, used, source, poll));
  if (!check_object(*reinterpret_cast<const T*>(start + root_position), validator)) return block_state::none;
  const bool canonical = validator.claims().are_canonical();
  pending_error err;
  if ((!canonical && !validator.claims().finish()) || !accepted_by_valid<T, P>(start, used, err))
    return block_state::none;
  return canonical ? block_state::canonical : block_state::edited;
}
/// Returns true if the block is valid and canonical.
template <class T, block_policy P>
[[nodiscard]] bool is_canonical_block(const std::byte* start, std::size_t used) {
  return validate_by_edges<T, P>(start, used, nullptr) == block_state::canonical;
}
/// Validates again, with a bitmap, to find the reason why a block is invalid. `bitmap_end` is the
/// end of a bitmap of zeros. The bitmap is stored backwards: its first word is the last in memory.
/// Returns false, without a reason, if cancelled.
template <class T, block_policy P>
[[nodiscard]] INGOT_COLD bool validate_by_bitmap(const std::byte* start, std::size_t used,
                                                 std::uint64_t* bitmap_end, pending_error& err,
                                                 progress_poll& poll) {
  polling_claims claims(bitmap_end, poll);
  block_validator<P, polling_claims, first_walk<T>> validator(start, used, first_storage<T>, claims);
  if (validator.claims().take(0, first_storage<T>) &&
      check_object(*reinterpret_cast<const T*>(start + root_position), validator))
    return accepted_by_valid<T, P>(start, used, err);
  if (!poll.stopped()) err = validator.reason();
  return false;
}
/// Validates a block whose memory has an allocator. `bitmap_end` is as for `validate_by_bitmap`.
/// Afterwards the bitmap marks the bytes in use, unless the block is canonical. Returns `none`,
/// without a reason, if cancelled.
template <class T, block_policy P>
[[nodiscard]] block_state validate_into(const std::byte* start, std::size_t used, std::uint64_t* bitmap_end,
                                        pending_error& err, progress_poll& poll) {
  const bitmap_source source{[](void* end) { return static_cast<std::uint64_t*>(end); }, bitmap_end};
  const block_state found = validate_by_edges<T, P>(start, used, &source, &poll);
  if (found != block_state::none || poll.stopped()) return poll.stopped() ? block_state::none : found;
  const std::size_t words = round_up(used, 512) / 512;
  std::memset(bitmap_end - words, 0, words * sizeof(std::uint64_t));
  return validate_by_bitmap<T, P>(start, used, bitmap_end, err, poll) ? block_state::edited
                                                                      : block_state::none;
}
/// A bitmap of zeros for blocks without an allocator.
class lent_bitmap {
public:
  explicit lent_bitmap(std::size_t used) noexcept : words_(round_up(used, 512) / 512) {}
  /// Returns the end of the bitmap, or null if there is no memory.
  [[nodiscard]] std::uint64_t* make() {
    words_of_it_.reset(new (std::nothrow) std::uint64_t[words_]{});
    return words_of_it_ == nullptr ? nullptr : words_of_it_.get() + words_;
  }

private:
  std::size_t words_;
  owned<std::uint64_t[]> words_of_it_;
};
/// Validates bytes in any memory, without the bitmap of an allocator. If the bytes are not
/// canonical, allocates a bitmap of 1/64 of their size. Returns false, without a reason, if
/// cancelled.
template <class T, block_policy P>
[[nodiscard]] bool is_valid_anywhere(bytes_view bytes, pending_error& err, progress_poll& poll) {
  lent_bitmap bitmap(bytes.size());
  const bitmap_source source{[](void* lent) { return static_cast<lent_bitmap*>(lent)->make(); }, &bitmap};
  const block_state found = validate_by_edges<T, P>(bytes.data(), bytes.size(), &source, &poll);
  if (found != block_state::none || poll.stopped()) return !poll.stopped();
  std::uint64_t* const end = bitmap.make();
  if (end == nullptr) {
    err = error{errc::no_memory}.with_expected("memory for a bitmap (1/64 of the bytes)");
    return false;
  }
  return validate_by_bitmap<T, P>(bytes.data(), bytes.size(), end, err, poll);
}
/// Validates bytes in any memory. Requires an address that is a multiple of 16, and a checked
/// header. Errors: the reason why the bytes are invalid; `no_memory`; `cancelled`.
template <class T, block_policy P>
[[nodiscard]] INGOT_INLINE result<void> validate_anywhere(bytes_view bytes, progress_ref progress = {}) {
  pending_error err;
  progress_tracker tracker(progress, bytes.size());
  progress_poll poll(&tracker, bytes.size());
  if (!is_valid_anywhere<T, P>(bytes, err, poll)) {
    if (poll.stopped()) return tracker.cancelled();
    return err.failure();
  }
  return tracker.finish();
}
/// Returns the error with which `open` would reject `bytes`. Requires that the address of `bytes`
/// is a multiple of 16.
template <class T, block_policy P>
[[nodiscard]] result<void> check_anywhere(bytes_view bytes) {
  if (auto size = check_whole<T, P>(bytes); !size) return fail(size.error());
  return validate_anywhere<T, P>(bytes);
}

} // namespace detail
}} // namespace ingot::INGOT_V1
