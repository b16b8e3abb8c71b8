// SPDX-License-Identifier: Apache-2.0
// A value whose memory is its own message: one block that holds an object and everything its containers hold.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/too_many_collisions.hpp>
#include <ingot/live/block_stats.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/detail/block_walks.hpp>
#include <ingot/live/detail/growth_progress.hpp>
#include <ingot/live/receive_buffer.hpp>
#include <ingot/live/placeable.hpp>
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

/// Owns a block with a `T` at its root. The block itself never moves as it grows; only the elements
/// of the container that grows do. `bytes()` is the message. Moving a `live` is O(1) and keeps
/// references valid. A `live` that was moved from is empty: it has no root, so `*` and `->` need
/// `operator bool`, as those of `std::optional` do. Everything else may be called: it has no bytes,
/// all sizes are 0, it is equal to another empty one, and `compact`, `trim`, `reclaim` and `scrub`
/// have nothing to do. Assigning, `reserve` and `relocate` make a new block.
template <class Declared, block_policy P = narrow_policy>
class basic_live {
  // Before anything counts in offsets, of which compilers would warn.
  static_assert(sizeof(typename P::offset_type) <= sizeof(std::size_t),
                "ingot: a block of wide offsets needs 64 bits of address");
  using T = typename detail::live_form<Declared, P>::type;
  static_assert(detail::require_storable<T>());
  static_assert(detail::require_placeable<T, P>());

public:
  using value_type = T;
  using receive_buffer_type = basic_receive_buffer<Declared, P>;
  /// One mebibyte of addresses.
  static constexpr max_block_size default_max_block_size{detail::slot_layout<P>::limit(std::size_t{1} << 20)};

  /// A block with a `T{}`. Throws `out_of_space` if the system has no memory.
  basic_live() : basic_live(default_max_block_size) {}
  explicit basic_live(max_block_size max_size)
      : basic_live(detail::block_memory<P>::reserve_slot(std::max(max_size.bytes, detail::first_storage<T>))) {
    if (!memory_) [[unlikely]]
      detail::throw_out_of_space(out_of_space_reason::no_memory);
  }
  /// A block with a copy of a value, or of its twin: a struct whose members have the same names. O(bytes). Throws `out_of_space`.
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_live> &&
             !std::same_as<std::remove_cvref_t<U>, max_block_size>)
  explicit basic_live(U&& from, max_block_size max_size = default_max_block_size) : basic_live(max_size) {
    *this = std::forward<U>(from);
  }
  /// Copies the block, byte by byte. The copy can grow as far as the source. O(bytes). Throws `out_of_space`.
  basic_live(const basic_live& other)
      : basic_live(max_block_size{std::max<std::size_t>(default_max_block_size.bytes, other.memory_.limit())}) {
    if (!other) memory_ = {};
    else if (!copy_block(other)) detail::throw_out_of_space(out_of_space_reason::no_memory);
  }
  basic_live(basic_live&&) noexcept = default;
  /// Becomes a copy, O(bytes), and invalidates all references. A block in somebody else's memory, in a file, or opened in place stays there; if not
  /// even the other's canonical form has room in it, this throws `out_of_space`, and the block is as it was.
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
  /// Returns a copy that can grow as far as `most`. O(bytes). Tells `progress` of the bytes; if it returns false, the error is `cancelled`. Other errors: `no_memory`.
  [[nodiscard]] result<basic_live> try_copy(max_block_size max_size, progress_ref progress = {}) const {
    if (!memory_) return basic_live(no_root{}, {});
    const bytes_view from = bytes();
    detail::progress_tracker tracker(progress, 0, from.size(), from.size());
    auto copied = receive(from, max_size, tracker);
    if (!copied) return fail(copied.error());
    basic_live made(no_root{}, std::move(copied->memory_));
    made.settle_as(*this);
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return made;
  }
  /// Assigns a value, of the root's type or of its twin, to the root. If there is no room, this throws `out_of_space`, and the root holds some of the value.
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, basic_live>)
  basic_live& operator=(U&& from) {
    const detail::collision_watch watch;
    if (try_assign(std::forward<U>(from))) return *this;
    if (watch.any()) detail::throw_too_many_collisions();
    detail::throw_out_of_space(failure());
  }
  template <class U>
  [[nodiscard]] bool try_assign(U&& from) {
    if (!memory_ && !begin(default_max_block_size)) [[unlikely]]
      return false;
    return detail::assign_value(**this, std::forward<U>(from));
  }
  /// The same into a block that is made anew, and takes the place of this one: tells `progress` of its bytes, `unknown` until the end. Errors as of `try_compact`.
  template <class U>
  [[nodiscard]] result<void> try_assign(const U& from, progress_ref progress) {
    std::size_t room = memory_ ? std::max<std::size_t>(size(), memory_.limit()) : default_max_block_size.bytes;
    return refill(from, progress, progress_ref::unknown, room);
  }
  /// Makes a block in somebody else's memory, with the allocator's state at its head. It can grow as far as the span goes. Clears the span, O(its size). Error: `no_space`.
  [[nodiscard]] static result<basic_live> in(std::span<std::byte> span) {
    basic_live made(detail::block_memory<P>::in_span(span));
    if (!made.memory_)
      return fail(error{errc::no_space}.with_expected("room for the allocator and the root"));
    return made;
  }

  /// Opens a block that somebody, perhaps another process, made in this very span by `in`. It is proved; nobody else may use it meanwhile. O(span). Errors: as `open`.
  [[nodiscard]] static result<basic_live> attach(std::span<std::byte> span) {
    auto there = detail::block_memory<P>::at_head_of(span);
    if (!there) return fail(error{errc::truncated, span.size()}.with_expected("the allocator and the root"));
    const auto size = detail::check_header<T, P>({there.start(), there.limit()});
    if (!size) return fail(size.error());
    // What is allocated later has to be zero, whatever was left there.
    std::memset(there.start() + *size, 0, there.limit() - *size);
    return validate_owned(sized{detail::block_memory<P>::again_in_span(span), *size});
  }

  /// Copies foreign bytes to where they can grow, and proves them. O(bytes), whatever they are: the ceiling is the only limit that is needed. Errors say what the bytes are not, with offset and path; bytes behind the block are `trailing_bytes`; `no_memory`.
  [[nodiscard]] static result<basic_live> open(bytes_view bytes, max_block_size max_size = default_max_block_size) {
    auto copied = copy_in(bytes, max_size);
    if (!copied) return fail(copied.error());
    return validate_owned(std::move(*copied));
  }
  /// Copies bytes that this process, or one that it trusts, has made: only the header is checked. O(bytes).
  [[nodiscard]] static result<basic_live> open_unchecked(bytes_view bytes, max_block_size max_size = default_max_block_size) {
    auto copied = copy_in(bytes, max_size);
    if (!copied) return fail(copied.error());
    return open_here_unchecked(std::move(*copied));
  }
  /// Does the same as the first, and tells `progress` of the bytes as they are copied, and once more as they are proved; if it returns false, the error is `cancelled`.
  [[nodiscard]] static result<basic_live> open(bytes_view bytes, max_block_size max_size, progress_ref progress) {
    detail::progress_tracker tracker(progress, 0, bytes.size(), 2 * std::uint64_t{bytes.size()});
    auto copied = receive(bytes, max_size, tracker);
    if (!copied) return fail(copied.error());
    return open_with_progress(std::move(*copied), tracker);
  }
  /// Returns memory to receive `bytes` bytes into, which `open` and `open_unchecked` then take over without a copy. O(1).
  [[nodiscard]] static receive_buffer_type incoming(std::size_t bytes, max_block_size max_size = default_max_block_size) {
    return receive_buffer_type(bytes, max_size);
  }
  [[nodiscard]] static result<basic_live> open(receive_buffer_type&& from) {
    auto size = detail::check_whole<T, P>(from.bytes());
    if (!size) return fail(size.error());
    return validate_owned(sized{std::move(from.memory_), *size});
  }
  [[nodiscard]] static result<basic_live> open(receive_buffer_type&& from, progress_ref progress) {
    detail::progress_tracker tracker(progress, 0, from.size(), from.size());
    return open_with_progress(std::move(from), tracker);
  }
  /// Takes over what was received; only the header is checked. O(1), except for clearing the allocator's bitmap, a 64th of the bytes.
  [[nodiscard]] static result<basic_live> open_unchecked(receive_buffer_type&& from) {
    auto size = detail::check_whole<T, P>(from.bytes());
    if (!size) return fail(size.error());
    return open_here_unchecked(sized{std::move(from.memory_), *size});
  }
  /// Proves the bytes, and works on them where they are, which has to be at a multiple of 16. O(bytes). They can be read, overwritten and shortened; what
  /// would have to allocate fails with `out_of_space_reason::in_place`. Errors: `misaligned`, and as `open`.
  [[nodiscard]] static result<basic_live> open_in_place(std::span<std::byte> bytes,
                                                        progress_ref progress = {}) {
    if (auto fits = check_in_place(bytes); !fits) return fail(fits.error());
    auto validated =
        progress ? detail::validate_anywhere_with_progress<T, P>(bytes, progress) : detail::prove_anywhere<T, P>(bytes);
    if (!validated) return fail(validated.error());
    return work_in_place(bytes);
  }
  /// Does the same for bytes that this process, or one that it trusts, has made: only the header is checked. O(1).
  [[nodiscard]] static result<basic_live> open_in_place_unchecked(std::span<std::byte> bytes) {
    if (auto fits = check_in_place(bytes); !fits) return fail(fits.error());
    return work_in_place(bytes);
  }

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T& operator*() noexcept { return *root_there(); }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE const T& operator*() const noexcept { return *root_there(); }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T* operator->() noexcept { return root_there(); }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE const T* operator->() const noexcept { return root_there(); }
  /// False if it was moved from.
  explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

  /// Returns the message. O(1). The bytes are valid until the next change.
  [[nodiscard]] INGOT_INLINE bytes_view bytes() const noexcept {
    if (!memory_.has_allocator()) return {memory_.start(), size()};
    // As wide as offsets are, for a machine may have no wider atomics; what is above them in the header stays zero.
    constexpr std::size_t above =
        std::endian::native == std::endian::big ? sizeof(std::uint64_t) - sizeof(offset_type) : 0;
    auto& stored =
        *reinterpret_cast<offset_type*>(reinterpret_cast<std::byte*>(&block().header().used) + above);
    const offset_type used = block().allocator().used();
    detail::bring_to(stored, used); // several readers may ask at once
    return memory_.shown(used);
  }
  /// Returns the error with which `open` would refuse `bytes()`: members are plain memory, and may
  /// have been given values that readers reject. One walk, O(bytes).
  [[nodiscard]] result<void> check() const {
    if (!memory_) return fail(error{errc::invalid_value}.with_expected("a block (this one was moved from)"));
    return detail::check_anywhere<T, P>(bytes());
  }
  [[nodiscard]] std::size_t size() const noexcept {
    if (memory_.has_allocator()) return block().allocator().used();
    return memory_ ? static_cast<std::size_t>(block().header().used) : 0;
  }
  [[nodiscard]] std::size_t max_size() const noexcept { return memory_.limit(); }
  [[nodiscard]] block_stats stats() const noexcept {
    return {size(), memory_.has_allocator() ? block().allocator().free_bytes() : 0, memory_.limit()};
  }

  /// Returns what each member of the root takes, with all that it holds. One walk, O(bytes).
  [[nodiscard]] auto field_sizes() const
    requires record<T>
  {
    return memory_ ? detail::measured_fields<T, P>(**this, memory_.start(), size())
                   : detail::unmeasured_fields<T>();
  }
  /// Clears the padding between the members of structs, where assignments of the user's own may have left something. One walk, O(bytes).
  void scrub() noexcept {
    if (memory_) detail::scrub_block<T, P>(**this, memory_.start(), size());
  }

  /// Makes room for `more` bytes. Returns true if the block had to move for that, as by `relocate`. Throws `out_of_space` if there can't be as much.
  bool reserve(std::size_t more) {
    if (memory_.has_allocator() && more <= memory_.limit() - size() && memory_.reaches(size() + more))
      return false;
    if (memory_ && !memory_.is_slot()) detail::throw_out_of_space(failure());
    if (more > detail::slot_layout<P>::most - size()) detail::throw_out_of_space(out_of_space_reason::offset_range);
    relocate(max_block_size{std::max(size(), detail::first_storage<T>) + more});
    return true;
  }
  /// Moves the block to a slot with another ceiling, which is at least what it holds. O(bytes); invalidates all references. A block in somebody else's
  /// memory, or opened in place, leaves it unchanged and can grow from then on. Throws `out_of_space`, and the block stays where it was, if there is no
  /// memory or no such ceiling, and for a block in a file.
  void relocate(max_block_size max_size) {
    const std::size_t wanted = std::max<std::size_t>(max_size.bytes, size());
    if (memory_.is_in_file()) detail::throw_out_of_space(failure());
    if (wanted > detail::slot_layout<P>::most) detail::throw_out_of_space(out_of_space_reason::offset_range);
    basic_live there(max_block_size{wanted});
    if (there.memory_.limit() < wanted || (memory_ && !there.copy_block(*this)))
      detail::throw_out_of_space(out_of_space_reason::no_memory);
    memory_ = std::move(there.memory_);
  }
  /// Rewrites the block in the order of its members, without holes: the canonical form, in which
  /// equal values are equal bytes. O(bytes), and as much memory again meanwhile. Invalidates all
  /// references. Where elements are aligned to 16 that form can take more bytes; a ceiling that is
  /// too low for it is raised. Returns the bytes saved. Throws `out_of_space`, and the block is as
  /// it was, without memory, or in place.
  std::size_t compact() {
    const std::size_t before = size();
    const auto done = try_compact(progress_ref());
    if (!done && done.error().code() == errc::too_many_collisions) detail::throw_too_many_collisions();
    if (!done)
      detail::throw_out_of_space(memory_.has_allocator() ? out_of_space_reason::no_memory
                                                         : out_of_space_reason::in_place);
    return before - std::min(before, size());
  }
  [[nodiscard]] bool try_compact() { return try_compact(progress_ref()).has_value(); }
  /// Does the same, and tells `progress` how many of the bytes were rewritten; it begins again with a raised
  /// ceiling. Errors, after which the block is as it was: `cancelled`; `no_memory`, also of a span or a file that
  /// has no room for the canonical form; `unsupported` in place; `too_many_collisions`.
  [[nodiscard]] result<void> try_compact(progress_ref progress) {
    if (!memory_) return {};
    std::size_t room = std::max<std::size_t>(size(), memory_.limit());
    auto filled = refill(std::as_const(**this), progress, size(), room);
    while (!filled && room != 0 && memory_.is_slot())
      filled = refill(std::as_const(**this), progress, size(), room);
    return filled;
  }
  /// Forgets the holes, so that no link of the allocator is in the bytes, and gives back the memory behind the block. Returns the bytes that are still holes; `reclaim` makes them usable again.
  std::size_t trim() noexcept {
    if (!memory_.has_allocator()) return 0;
    block().allocator().consolidate(); // of what waits to be used again the last becomes the tail
    const std::size_t holes = block().allocator().free_bytes();
    block().allocator().forget_holes();
    memory_.drop_tail();
    return holes;
  }
  /// Finds the holes that `open_unchecked` and `trim` forgot, by one walk, O(bytes). Returns the bytes of all holes there are.
  std::size_t reclaim() { return memory_.has_allocator() ? detail::reclaim_holes<T, P>(**this, memory_) : 0; }
  friend bool operator==(const basic_live& a, const basic_live& b) {
    return a && b ? detail::equal_values(*a, *b) : !a && !b;
  }
  friend void swap(basic_live& a, basic_live& b) noexcept { std::swap(a.memory_, b.memory_); }

private:
  friend struct detail::growing_blocks;
  using offset_type = typename P::offset_type;
  struct no_root {};
  struct sized {
    detail::block_memory<P> memory;
    std::size_t used;
  };
  /// Begins a block with a `T{}` where there is none. False without memory.
  [[nodiscard]] INGOT_COLD bool begin(max_block_size max_size) {
    basic_live made(detail::block_memory<P>::reserve_slot(std::max(max_size.bytes, detail::first_storage<T>)));
    memory_ = std::move(made.memory_);
    return static_cast<bool>(memory_);
  }
  /// `room` is of the fresh block. It becomes what to try next if that was too little, or else 0.
  template <class U>
  [[nodiscard]] result<void> refill(const U& from, progress_ref progress, std::uint64_t total,
                                    std::size_t& room) {
    const std::size_t asked = std::exchange(room, 0);
    if (memory_ && !memory_.has_allocator()) return detail::not_in_place();
    basic_live fresh(detail::block_memory<P>::reserve_slot(std::max(asked, detail::first_storage<T>)));
    if (!fresh.memory_) return fail(errc::no_memory);
    const auto fill = [&] { return fresh.try_assign(from); };
    if (auto filled = detail::fill_with_progress(fresh.memory_, progress, total, fill); !filled) {
      // Less than asked for is given where addresses are scarce.
      if (filled.error().code() == errc::no_memory && fresh.memory_.limit() >= asked &&
          asked < detail::slot_layout<P>::most)
        room = asked < detail::slot_layout<P>::most / 2 ? 2 * asked : detail::slot_layout<P>::most;
      return filled;
    }
    if (!memory_ || memory_.is_slot()) memory_ = std::move(fresh.memory_);
    // Somebody else's memory: the bytes go back to where they were. Elements aligned to 16 may need more gaps in this order.
    else if (!take_over(fresh)) return fail(errc::no_memory);
    return {};
  }
  explicit basic_live(detail::block_memory<P> memory) : memory_(std::move(memory)) {
    if (memory_ && memory_.limit() < detail::first_storage<T>) memory_ = {};
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
  /// Why a container somewhere in the block could not grow.
  [[nodiscard]] out_of_space_reason failure() const noexcept {
    if (!memory_) return out_of_space_reason::no_memory;
    if (!memory_.has_allocator()) return out_of_space_reason::in_place;
    if (block().allocator().growth_failed()) return out_of_space_reason::file;
    return sizeof(offset_type) == 4 && memory_.limit() / 8 == detail::slot_layout<P>::most / 8
               ? out_of_space_reason::offset_range
               : out_of_space_reason::full;
  }
  [[nodiscard]] static result<sized> copy_in(bytes_view bytes, max_block_size max_size) {
    auto size = detail::check_whole<T, P>(bytes);
    if (!size) return fail(size.error());
    auto memory = detail::block_memory<P>::reserve_slot(std::max(max_size.bytes, *size));
    if (!memory || memory.limit() < *size) return fail(errc::no_memory);
    std::memcpy(memory.start(), bytes.data(), *size);
    return sized{std::move(memory), *size};
  }
  /// A block's bytes in memory of their own.
  [[nodiscard]] static result<receive_buffer_type> receive(bytes_view bytes, max_block_size max_size,
                                                     detail::progress_tracker& tracker) {
    auto size = detail::check_whole<T, P>(bytes);
    if (!size) return fail(size.error());
    receive_buffer_type copied(bytes.size(), max_size);
    if (!copied) return fail(errc::no_memory);
    if (!detail::copy_with_progress(copied.data(), bytes, tracker)) return tracker.cancelled();
    return copied;
  }
  [[nodiscard]] static result<basic_live> open_with_progress(receive_buffer_type&& from, detail::progress_tracker& tracker) {
    auto size = detail::check_whole<T, P>(from.bytes());
    if (!size) return fail(size.error());
    return validate_owned(sized{std::move(from.memory_), *size}, nullptr, &tracker);
  }
  [[nodiscard]] static basic_live open_here_unchecked(sized&& from) {
    basic_live trusted(no_root{}, std::move(from.memory));
    trusted.block().allocator().start(static_cast<typename P::offset_type>(from.used),
                                      trusted.memory_.limit());
    trusted.block().header().flags |= detail::block_header::attached;
    return trusted;
  }
  [[nodiscard]] static result<void> check_in_place(std::span<std::byte> bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % detail::block_alignment != 0)
      return fail(errc::misaligned);
    auto size = detail::check_whole<T, P>(bytes);
    if (!size) return fail(size.error());
    return {};
  }
  [[nodiscard]] static basic_live work_in_place(std::span<std::byte> bytes) {
    basic_live opened(no_root{}, detail::block_memory<P>::in_place(bytes));
    opened.block().header().flags &= static_cast<std::uint8_t>(~detail::block_header::attached);
    return opened;
  }
  /// Proved after it was copied: nobody can change it in between.
  [[nodiscard]] static result<basic_live> validate_owned(sized&& from, detail::block_growth* file = nullptr,
                                                     detail::progress_tracker* tracker = nullptr) {
    const auto used = static_cast<typename P::offset_type>(from.used);
    basic_live opened(no_root{}, std::move(from.memory));
    auto& allocator = opened.block().allocator();
    detail::pending_error err;
    // Whatever the outcome, the allocator knows how much of the slot was touched, even if the type's own `valid` throws.
    struct commit_guard {
      typename P::allocator_type& allocator;
      offset_type used;
      offset_type limit;
      bool settled = false;
      ~commit_guard() {
        if (!settled) allocator.start(used, limit);
      }
    } settle{allocator, used, opened.memory_.limit()};
    const auto found =
        tracker != nullptr
            ? detail::validate_with_progress<T, P>(opened.memory_.start(), from.used, allocator.bitmap_end(), err, *tracker)
            : detail::validate_into<T, P>(opened.memory_.start(), from.used, allocator.bitmap_end(), err);
    if (found == detail::proof::none) return err.failure();
    if (tracker != nullptr) {
      if (auto reported = tracker->finish(); !reported) return fail(reported.error());
    }
    if (file != nullptr && !file->begin(*file)) return fail(errc::io); // who passed it knows why
    if (found == detail::proof::edited) {
      allocator.adopt(used, opened.memory_.limit());
      settle.settled = true;
    }
    opened.block().header().flags |= detail::block_header::attached;
    return opened;
  }
  /// Into this block's memory, which is fresh, or another if that is too small.
  [[nodiscard]] bool copy_block(const basic_live& other) {
    if (const std::size_t size = other.size(); size > memory_.limit()) {
      memory_ = detail::block_memory<P>::reserve_slot(size);
      if (!memory_ || size > memory_.limit()) return false;
    }
    put(other);
    return true;
  }
  /// In the place of what is here; false, and nothing changed, when there is no room.
  [[nodiscard]] bool take_over(const basic_live& other) {
    if (!memory_.reaches(other.size())) return false;
    if (memory_.has_allocator()) memory_.clear();
    put(other);
    return true;
  }
  /// Where there is room for it. Memory with an allocator has to be clear.
  void put(const basic_live& other) {
    const bytes_view from = other.bytes();
    std::memcpy(memory_.filled(from.size()), from.data(), from.size());
    settle_as(other);
  }
  /// Once the bytes are here.
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
      allocator.copy_state(other.block().allocator(), memory_.limit()); // what is a hole there is one here
    else allocator.start(static_cast<offset_type>(from.size()), memory_.limit());
    header.flags |= detail::block_header::attached;
  }

  detail::block_memory<P> memory_;
};

template <class T>
using live = basic_live<T, narrow_policy>;
namespace wide {
template <class T>
using live = basic_live<T, wide_policy>;
} // namespace wide

}} // namespace ingot::INGOT_V1

#include <ingot/live/detail/temporary_block.hpp>
