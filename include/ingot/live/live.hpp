// SPDX-License-Identifier: Apache-2.0
// A value in a block: an object and all that its containers own, in contiguous memory that is also
// the message.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/too_many_collisions.hpp>
#include <ingot/live/block_options.hpp>
#include <ingot/live/block_stats.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/detail/block_walks.hpp>
#include <ingot/live/detail/growth_progress.hpp>
#include <ingot/live/detail/open_block.hpp>
#include <ingot/live/placeable.hpp>
#include <ingot/live/receive_buffer.hpp>
#include <ingot/live/validate.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {
struct growing_blocks;
} // namespace detail

/// Owns a block with a `T` at its root. `bytes()` is the message. A growing block never moves; only
/// the elements of the growing container move. Moving a `live` is O(1) and keeps references valid.
/// A moved-from `live` is empty. It has no root, so check `operator bool` before `*` and `->`, as
/// with std::optional. All other functions may be called on an empty `live`. Then there are no
/// bytes, all sizes are 0, and `compact`, `trim`, `reclaim` and `scrub` do nothing. Two empty
/// objects are equal. Assignment, `reserve` and `relocate` create a new block. In complexities, n
/// is the size in bytes.
template <class Declared, block_policy P = narrow_policy>
class basic_live {
  // This check precedes all code that computes with offsets. Otherwise compilers would first warn
  // about that code.
  static_assert(sizeof(typename P::offset_type) <= sizeof(std::size_t),
                "ingot: a block of wide offsets needs 64 bits of address");
  using T = typename detail::live_form<Declared, P>::type;
  static_assert(detail::require_storable<T>());
  static_assert(detail::require_placeable<T, P>());

public:
  using value_type = T;
  /// Memory to receive a message into.
  using receive_buffer_type = basic_receive_buffer<Declared, P>;
  /// 1 MiB of address space.
  static constexpr max_block_size default_max_block_size{detail::slot_layout<P>::limit(std::size_t{1} << 20)};
  static_assert(detail::slot_layout<P>::class_for(block_options{}.max_size.bytes) ==
                detail::slot_layout<P>::class_for(default_max_block_size.bytes));

  /// Creates a block with a `T{}`. Throws `out_of_space` if the system has no memory.
  basic_live() : basic_live(default_max_block_size) {}
  /// Creates a block with a `T{}` and another maximum size. Throws as the default constructor does.
  explicit basic_live(max_block_size max_size)
      : basic_live(
            detail::block_memory<P>::reserve_slot(std::max(max_size.bytes, detail::first_storage<T>))) {
    if (!memory_) [[unlikely]]
      detail::throw_out_of_space(out_of_space_reason::no_memory);
  }
  /// Creates a block with a copy of a value, or of its twin: a struct whose members have the same
  /// names. O(n). Throws `out_of_space`.
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_live> &&
             !std::same_as<std::remove_cvref_t<U>, max_block_size>)
  explicit basic_live(U&& from, max_block_size max_size = default_max_block_size) : basic_live(max_size) {
    *this = std::forward<U>(from);
  }
  /// Copies the bytes of the block. The maximum size of the copy is at least that of `other`. O(n).
  /// Throws `out_of_space`.
  basic_live(const basic_live& other)
      : basic_live(
            max_block_size{std::max<std::size_t>(default_max_block_size.bytes, other.memory_.limit())}) {
    if (!other) memory_ = {};
    else if (!copy_block(other)) detail::throw_out_of_space(out_of_space_reason::no_memory);
  }
  basic_live(basic_live&&) noexcept = default;
  /// Copies, O(n), and invalidates all references. A block in user-provided memory, in a file, or
  /// opened in place stays there. If even the canonical form of `other` does not fit there, throws
  /// `out_of_space` and leaves the block unchanged.
  basic_live& operator=(const basic_live& other) {
    if (this == &other) return *this;
    const bool stays = memory_ && other && !memory_.is_slot();
    if (stays && take_over(other)) return *this;
    basic_live copy(other);
    if (!stays) {
      memory_ = std::move(copy.memory_);
    } else if (copy.compact(); !take_over(copy)) {
      detail::throw_out_of_space(failure());
    }
    return *this;
  }
  basic_live& operator=(basic_live&&) noexcept = default;
  ~basic_live() = default;
  /// Returns a copy, which can grow to `options.max_size`. O(n). Progress counts each byte once.
  /// Errors: `cancelled`; `no_memory`.
  [[nodiscard]] result<basic_live> try_copy(const block_options& options) const {
    if (!memory_) return basic_live(no_root{}, {});
    const bytes_view from = bytes();
    detail::progress_tracker tracker(options.progress, from.size());
    auto copied = detail::receive_block<T, P, receive_buffer_type>(from, options.max_size, tracker);
    if (!copied) return fail(copied.error());
    basic_live block(no_root{}, std::move(copied->memory_));
    block.settle_as(*this);
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return block;
  }
  /// Assigns a value of the root's type, or a twin, to the root. If the block cannot grow, throws
  /// `out_of_space`; the root is then partly assigned.
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_live>)
  basic_live& operator=(U&& from) {
    const detail::collision_watch watch;
    if (try_assign(std::forward<U>(from))) return *this;
    if (watch.any()) detail::throw_too_many_collisions();
    detail::throw_out_of_space(failure());
  }
  /// Assigns as `operator=` does, but returns false instead of throwing.
  template <class U>
  [[nodiscard]] bool try_assign(U&& from) {
    if (!memory_ && !begin(default_max_block_size)) [[unlikely]]
      return false;
    return detail::assign_value(**this, std::forward<U>(from));
  }
  /// Copies a value of the root's type, or a twin, into a new block, and replaces this block by the
  /// new block. Reports bytes to `progress`; the total is `unknown` until the end. Errors are those
  /// of `try_compact`. An error leaves this block unchanged.
  template <class U>
  [[nodiscard]] result<void> try_rebuild(const U& from, progress_ref progress = {}) {
    std::size_t limit =
        memory_ ? std::max<std::size_t>(size(), memory_.limit()) : default_max_block_size.bytes;
    return refill(from, progress, progress_ref::unknown, limit);
  }
  /// Creates a block in user-provided memory. `span` begins with the allocator's state, and the
  /// block can grow to the end of `span`. Clears `span`, which is O(n) in its size. Error:
  /// `no_space`.
  [[nodiscard]] static result<basic_live> in(std::span<std::byte> span) {
    basic_live block(detail::block_memory<P>::in_span(span));
    if (!block.memory_)
      return fail(error{errc::no_space}.with_expected("space for the allocator and the root"));
    return block;
  }

  /// Opens a block that the function `in` created in this span, perhaps in another process, and
  /// validates the block. Nothing else may use the span as long as the returned block uses it. O(n)
  /// in the size of the span. Errors: as `open`.
  [[nodiscard]] static result<basic_live> attach(std::span<std::byte> span) {
    auto there = detail::block_memory<P>::at_head_of(span);
    if (!there) return fail(error{errc::truncated, span.size()}.with_expected("the allocator and the root"));
    const auto size = detail::check_header<T, P>({there.start(), there.limit()});
    if (!size) return fail(size.error());
    // The allocator requires that unused bytes are zero, so old contents are cleared.
    std::memset(there.start() + *size, 0, there.limit() - *size);
    detail::progress_tracker no_callback;
    return validate_owned(sized{detail::block_memory<P>::again_in_span(span), *size}, no_callback);
  }

  /// Copies untrusted `bytes` into a new block and validates it. O(n) for any input. `max_size` is
  /// no limit on the bytes: compare `bytes.size()` to reject long messages. Progress counts each
  /// byte twice: when it is copied, and when it is validated. Errors: for invalid bytes, with
  /// offset and path; `trailing_bytes` after the block; `no_memory`; `cancelled`.
  [[nodiscard]] static result<basic_live> open(bytes_view bytes, const block_options& options = {}) {
    detail::progress_tracker tracker(options.progress, 2 * std::uint64_t{bytes.size()}, bytes.size());
    auto copied = detail::receive_block<T, P, receive_buffer_type>(bytes, options.max_size, tracker);
    if (!copied) return fail(copied.error());
    return open_received(std::move(*copied), tracker);
  }
  /// Copies bytes from a trusted source. Checks the header only. O(n).
  [[nodiscard]] static result<basic_live> open_unchecked(bytes_view bytes,
                                                         max_block_size max_size = default_max_block_size) {
    auto copied = detail::copy_in<T, P>(bytes, max_size);
    if (!copied) return fail(copied.error());
    return open_here_unchecked(std::move(*copied));
  }
  /// Returns memory to receive `bytes` bytes into. `open` and `open_unchecked` take this memory
  /// without a copy. O(1).
  [[nodiscard]] static receive_buffer_type receive_buffer(std::size_t bytes,
                                                          max_block_size max_size = default_max_block_size) {
    return receive_buffer_type(bytes, max_size);
  }
  [[nodiscard]] static result<basic_live> open(receive_buffer_type&& from, progress_ref progress = {}) {
    detail::progress_tracker tracker(progress, from.size());
    return open_received(std::move(from), tracker);
  }
  /// Takes received bytes without a copy. The bytes must be from a trusted source, because only the
  /// header is checked. O(1), except for clearing the allocator's bitmap (1/64 of the bytes).
  [[nodiscard]] static result<basic_live> open_unchecked(receive_buffer_type&& from) {
    auto size = detail::check_whole<T, P>(from.bytes());
    if (!size) return fail(size.error());
    return open_here_unchecked(sized{std::move(from.memory_), *size});
  }
  /// Validates `bytes` and uses them in place, at an address that is a multiple of 16. O(n). The
  /// contents can be read, overwritten and shortened; allocations fail with
  /// `out_of_space_reason::in_place`. Errors: `misaligned`, and as `open`.
  [[nodiscard]] static result<basic_live> open_in_place(std::span<std::byte> bytes,
                                                        progress_ref progress = {}) {
    if (auto fits = detail::check_in_place<T, P>(bytes); !fits) return fail(fits.error());
    if (auto validated = detail::validate_anywhere<T, P>(bytes, progress); !validated)
      return fail(validated.error());
    return work_in_place(bytes);
  }
  /// Opens bytes from a trusted source in place. Checks the header only. O(1).
  [[nodiscard]] static result<basic_live> open_in_place_unchecked(std::span<std::byte> bytes) {
    if (auto fits = detail::check_in_place<T, P>(bytes); !fits) return fail(fits.error());
    return work_in_place(bytes);
  }

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T& operator*() noexcept { return *root_there(); }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE const T& operator*() const noexcept { return *root_there(); }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T* operator->() noexcept { return root_there(); }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE const T* operator->() const noexcept { return root_there(); }
  /// Returns false if this `live` was moved from.
  explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

  /// Returns the message. O(1). The bytes are valid until the next change.
  [[nodiscard]] INGOT_INLINE bytes_view bytes() const noexcept {
    if (!memory_.has_allocator()) return {memory_.start(), size()};
    // The atomic access has only the width of an offset, because a machine may have no wider
    // atomics. The upper bytes of `used` stay zero.
    constexpr std::size_t above =
        std::endian::native == std::endian::big ? sizeof(std::uint64_t) - sizeof(offset_type) : 0;
    auto& stored =
        *reinterpret_cast<offset_type*>(reinterpret_cast<std::byte*>(&block().header().used) + above);
    const offset_type used = block().allocator().used();
    detail::bring_to(stored, used); // several readers may call this concurrently
    return memory_.shown(used);
  }
  /// Returns the error with which `open` would reject `bytes()`, if any. Members are plain memory,
  /// so the program may have stored values in them that readers reject. One walk, O(n).
  [[nodiscard]] result<void> check() const {
    if (!memory_) return fail(error{errc::invalid_value}.with_expected("a block (this one was moved from)"));
    return detail::check_anywhere<T, P>(bytes());
  }
  [[nodiscard]] std::size_t size() const noexcept {
    if (memory_.has_allocator()) return block().allocator().used();
    return memory_ ? static_cast<std::size_t>(block().header().used) : 0;
  }
  [[nodiscard]] std::size_t max_size() const noexcept { return memory_.limit(); }
  /// Returns the memory use. O(1).
  [[nodiscard]] block_stats stats() const noexcept {
    return {size(), memory_.has_allocator() ? block().allocator().free_bytes() : 0, memory_.limit()};
  }

  /// Returns the memory use of each member of the root. One walk, O(n).
  [[nodiscard]] auto field_sizes() const
    requires record<T>
  {
    return memory_ ? detail::measured_fields<T, P>(**this, memory_.start(), size())
                   : detail::unmeasured_fields<T>();
  }
  /// Clears the padding between members of structs, where the program's assignments may have left
  /// bytes. One walk, O(n).
  void scrub() noexcept {
    if (memory_) detail::scrub_block<T, P>(**this, memory_.start(), size());
  }

  /// Reserves memory, so that the block can grow by `more` bytes. If the maximum size is too small
  /// for that, moves the block as `relocate` does, and returns true. Throws `out_of_space` if the
  /// block cannot grow that much.
  bool reserve(std::size_t more) {
    if (memory_.has_allocator() && more <= memory_.limit() - size()) {
      if (memory_.reaches(size() + more)) return false;
      detail::throw_out_of_space(failure()); // the maximum size suffices: no other slot has memory
    }
    if (memory_ && !memory_.is_slot()) detail::throw_out_of_space(failure());
    if (more > detail::slot_layout<P>::max_size - size())
      detail::throw_out_of_space(out_of_space_reason::offset_range);
    move_to_slot(std::max(size(), detail::first_storage<T>) + more, size() + more);
    return true;
  }
  /// Moves the block to another slot (reserved address space) with another maximum size. If
  /// `max_size` is less than the block's size, uses the block's size. O(n); invalidates all
  /// references. A block in user-provided memory or opened in place also moves to a slot, and can
  /// then grow. Throws `out_of_space` if there is no memory, if the size is too large, or if the
  /// block is in a file. An exception leaves the block unchanged.
  void relocate(max_block_size max_size) {
    move_to_slot(std::max<std::size_t>(max_size.bytes, size()), size());
  }
  /// Rewrites the block in canonical form: storages in the order of the members, no free bytes,
  /// equal bytes for equal values. Returns the number of saved bytes. O(n), and needs memory for a
  /// second block meanwhile. Invalidates all references. If elements are aligned to 16, the
  /// canonical form may be larger; the maximum size is raised if necessary. Throws `out_of_space`
  /// if there is no memory, or if the block was opened in place; the block is then unchanged.
  std::size_t compact() {
    const std::size_t before = size();
    const auto done = try_compact();
    if (!done && done.error().code() == errc::too_many_collisions) detail::throw_too_many_collisions();
    if (!done)
      detail::throw_out_of_space(memory_.has_allocator() ? out_of_space_reason::no_memory
                                                         : out_of_space_reason::in_place);
    return before - std::min(before, size());
  }
  /// Rewrites as `compact` does. Reports the rewritten bytes to `progress`. If the maximum size
  /// must be raised, rewrites and reports from 0 again. Errors: `cancelled`; `no_memory`, also if
  /// the canonical form does not fit in a span or file; `unsupported` if the block was opened in
  /// place; `too_many_collisions`. An error leaves the block unchanged.
  [[nodiscard]] result<void> try_compact(progress_ref progress = {}) {
    if (!memory_) return {};
    std::size_t limit = std::max<std::size_t>(size(), memory_.limit());
    auto filled = refill(std::as_const(**this), progress, size(), limit);
    while (!filled && limit != 0 && memory_.is_slot())
      filled = refill(std::as_const(**this), progress, size(), limit);
    return filled;
  }
  /// Discards the allocator's free lists, so that their links are not in the bytes, and returns the
  /// memory after the end of the block to the system. Returns the number of free bytes; `reclaim`
  /// makes them usable again.
  std::size_t trim() noexcept {
    if (!memory_.has_allocator()) return 0;
    // merges the free runs; then free bytes at the end of the block no longer count as used
    block().allocator().consolidate();
    const std::size_t holes = block().allocator().free_bytes();
    block().allocator().forget_holes();
    memory_.drop_tail();
    return holes;
  }
  /// Finds the free bytes that are unknown after `open_unchecked` or `trim`, so that they can be
  /// allocated again. Returns the number of all free bytes. One walk, O(n).
  std::size_t reclaim() { return memory_.has_allocator() ? detail::reclaim_holes<T, P>(**this, memory_) : 0; }
  friend bool operator==(const basic_live& a, const basic_live& b) {
    return a && b ? detail::equal_values(*a, *b) : !a && !b;
  }
  friend void swap(basic_live& a, basic_live& b) noexcept { std::swap(a.memory_, b.memory_); }

private:
  friend struct detail::growing_blocks;
  using offset_type = typename P::offset_type;
  using sized = detail::sized_memory<P>;
  struct no_root {};
  /// Creates a block with a `T{}` in an empty `live`. Returns false if there is no memory.
  [[nodiscard]] INGOT_COLD bool begin(max_block_size max_size) {
    basic_live block(
        detail::block_memory<P>::reserve_slot(std::max(max_size.bytes, detail::first_storage<T>)));
    memory_ = std::move(block.memory_);
    return static_cast<bool>(memory_);
  }
  /// Moves the block to a slot for `wanted` bytes. The first `reached` bytes then have memory. An
  /// exception leaves the block unchanged.
  void move_to_slot(std::size_t wanted, std::size_t reached) {
    if (memory_.is_in_file()) detail::throw_out_of_space(failure());
    if (wanted > detail::slot_layout<P>::max_size)
      detail::throw_out_of_space(out_of_space_reason::offset_range);
    basic_live there(max_block_size{wanted});
    if (there.memory_.limit() < wanted || (memory_ && !there.copy_block(*this)) ||
        (detail::commits && !there.memory_.reaches(reached)))
      detail::throw_out_of_space(out_of_space_reason::no_memory);
    memory_ = std::move(there.memory_);
  }
  /// Fills a new block from `from`, and replaces this block by the new block. `limit` is the
  /// maximum size of the new block. Afterwards `limit` is the size to try next if the new block was
  /// too small, otherwise 0.
  template <class U>
  [[nodiscard]] result<void> refill(const U& from, progress_ref progress, std::uint64_t total,
                                    std::size_t& limit) {
    const std::size_t requested = std::exchange(limit, 0);
    if (memory_ && !memory_.has_allocator()) return detail::not_in_place();
    basic_live fresh(detail::block_memory<P>::reserve_slot(std::max(requested, detail::first_storage<T>)));
    if (!fresh.memory_) return fail(errc::no_memory);
    const auto fill = [&] { return fresh.try_assign(from); };
    if (auto filled = detail::fill_with_progress(fresh.memory_, progress, total, fill); !filled) {
      // The slot may be smaller than requested if address space is scarce. Without memory, a larger
      // slot does not help.
      if (filled.error().code() == errc::no_memory && fresh.memory_.limit() >= requested &&
          requested < detail::slot_layout<P>::max_size && !fresh.block().allocator().memory_failed())
        limit = requested < detail::slot_layout<P>::max_size / 2 ? 2 * requested
                                                                 : detail::slot_layout<P>::max_size;
      return filled;
    }
    if (!memory_ || memory_.is_slot()) memory_ = std::move(fresh.memory_);
    // User-provided memory: copies the bytes back. They may not fit: elements aligned to 16 may
    // need more gaps in canonical order.
    else if (!take_over(fresh)) return fail(errc::no_memory);
    return {};
  }
  explicit basic_live(detail::block_memory<P> memory) : memory_(std::move(memory)) {
    if (memory_ && !memory_.reaches(detail::first_storage<T>)) memory_ = {};
    if (!memory_) return;
    block().allocator().start(detail::first_storage<T>, memory_.limit());
    detail::write_header<T>(block());
    detail::construct_default(root(), block());
  }
  basic_live(no_root, detail::block_memory<P> memory) noexcept : memory_(std::move(memory)) {}

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T* root_there() const noexcept {
    INGOT_REQUIRE(memory_, broken_access("ingot::live", "* or -> of one that was moved from"));
    return root();
  }
  [[nodiscard]] INGOT_INLINE T* root() const noexcept {
    return reinterpret_cast<T*>(memory_.start() + detail::root_position);
  }
  [[nodiscard]] INGOT_INLINE detail::block_ref<P> block() const noexcept { return memory_.block(); }
  /// Returns the reason why a container in the block could not grow.
  [[nodiscard]] out_of_space_reason failure() const noexcept {
    if (!memory_) return out_of_space_reason::no_memory;
    if (!memory_.has_allocator()) return out_of_space_reason::in_place;
    if (block().allocator().growth_failed()) return out_of_space_reason::file;
    if (block().allocator().memory_failed()) return out_of_space_reason::no_memory;
    return sizeof(offset_type) == 4 && memory_.limit() / 8 == detail::slot_layout<P>::max_size / 8
               ? out_of_space_reason::offset_range
               : out_of_space_reason::full;
  }
  [[nodiscard]] static result<basic_live> open_received(receive_buffer_type&& from,
                                                        detail::progress_tracker& tracker) {
    auto size = detail::check_whole<T, P>(from.bytes());
    if (!size) return fail(size.error());
    return validate_owned(sized{std::move(from.memory_), *size}, tracker);
  }
  [[nodiscard]] static basic_live open_here_unchecked(sized&& from) {
    basic_live trusted(no_root{}, std::move(from.memory));
    trusted.block().allocator().start(static_cast<typename P::offset_type>(from.used),
                                      trusted.memory_.limit());
    trusted.block().header().flags |= detail::block_header::attached;
    return trusted;
  }
  [[nodiscard]] static basic_live work_in_place(std::span<std::byte> bytes) {
    basic_live opened(no_root{}, detail::block_memory<P>::in_place(bytes));
    opened.block().header().flags &= static_cast<std::uint8_t>(~detail::block_header::attached);
    return opened;
  }
  [[nodiscard]] static result<basic_live> validate_owned(sized&& from, detail::progress_tracker& tracker,
                                                         detail::block_growth* file = nullptr) {
    if (auto valid = detail::validate_memory<T, P>(from, tracker, file); !valid) return fail(valid.error());
    return basic_live(no_root{}, std::move(from.memory));
  }
  /// Copies `other` to this block's memory, which is new. If this memory is too small, takes a
  /// larger slot.
  [[nodiscard]] bool copy_block(const basic_live& other) {
    if (const std::size_t size = other.size(); size > memory_.limit()) {
      memory_ = detail::block_memory<P>::reserve_slot(size);
      if (!memory_ || size > memory_.limit()) return false;
    }
    if (!memory_.reaches(other.size())) return false;
    put(other);
    return true;
  }
  /// Replaces the contents. Returns false and changes nothing if `other` does not fit.
  [[nodiscard]] bool take_over(const basic_live& other) {
    if (!memory_.reaches(other.size())) return false;
    if (memory_.has_allocator()) memory_.clear();
    put(other);
    return true;
  }
  /// Copies the bytes of `other`, which must fit. Memory with an allocator must have been cleared.
  void put(const basic_live& other) {
    const bytes_view from = other.bytes();
    std::memcpy(memory_.filled(from.size()), from.data(), from.size());
    settle_as(other);
  }
  /// Sets the allocator and the flags of the header, after the bytes of `other` were copied.
  void settle_as(const basic_live& other) {
    const bytes_view from = other.bytes();
    auto& header = block().header();
    if (!memory_.has_allocator()) {
      std::memset(memory_.start() + from.size(), 0, memory_.limit() - from.size());
      header.flags &= static_cast<std::uint8_t>(~detail::block_header::attached);
      return;
    }
    auto& allocator = block().allocator();
    if (other.memory_.has_allocator())
      // the copy has the same free bytes as `other`
      allocator.copy_state(other.block().allocator(), memory_.limit());
    else allocator.start(static_cast<offset_type>(from.size()), memory_.limit());
    header.flags |= detail::block_header::attached;
  }

  detail::block_memory<P> memory_;
};

/// Value in a block with 32-bit offsets.
template <class T>
using live = basic_live<T, narrow_policy>;
namespace wide {
/// Value in a block with 64-bit offsets.
template <class T>
using live = basic_live<T, wide_policy>;
} // namespace wide

}} // namespace ingot::INGOT_V1

#include <ingot/live/detail/temporary_block.hpp>
