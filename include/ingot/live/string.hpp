// SPDX-License-Identifier: Apache-2.0
// Text in a block. A string takes 16 bytes and stores up to 11 bytes of text inline.
//
//   bytes 0..3   offset to the storage; if the text is inline, offset to the sentinel, which is
//                the empty storage at the beginning of the block
//   bytes 4..15  inline: the text, zeros, and in the last byte the number of characters that
//                still fit. If no more fit, this byte is zero and terminates the text.
//                in a storage: the length in characters (4 bytes), zeros, and `stored_mark` in the
//                last byte
//
// With 64-bit offsets, a string takes 8 + 24 bytes.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/canonical_check.hpp>
#include <ingot/live/detail/element.hpp>
#include <ingot/live/detail/reserved_bits_check.hpp>
#include <ingot/live/detail/text_interface.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Text with the interface, complexity and invalidation of std::basic_string, except that `substr`
/// returns a view and `+` a std::basic_string. If the block cannot grow, a function that needs more
/// memory throws `out_of_space` and leaves the text unchanged. The `try_` forms return false
/// instead. Outside a block a string holds inline text only, and cannot be copied.
template <class Char, block_policy P>
class basic_string : public detail::text_interface<basic_string<Char, P>, Char> {
  static_assert(sizeof(Char) <= 4 && std::is_trivially_copyable_v<Char>);
  using base = detail::text_interface<basic_string, Char>;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The type of the characters.
  using live_parts = detail::type_pack<Char>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::string;
  using typename base::const_iterator;
  using typename base::iterator;
  using typename base::size_type;
  using typename base::view_type;

  /// The number of characters that fit inline.
  static constexpr size_type inline_capacity =
      ((sizeof(typename P::offset_type) == 4 ? 12 : 24) - 1) / sizeof(Char);

  basic_string() noexcept { body_.back() = empty_mark; }
  /// Creates a string outside a block, so the text must fit inline. Longer text throws
  /// `out_of_space`.
  template <std::convertible_to<view_type> Text>
  basic_string(const Text& text) : basic_string() { // NOLINT(*-explicit-*): as std::string
    base::assign(text);
  }
  basic_string(const basic_string&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_string(basic_string&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_string() = default;

  INGOT_NOTED basic_string& operator=(const basic_string& other) { return base::assign(other.view()); }
  INGOT_NOTED basic_string& operator=(basic_string&& other) {
    if (!try_assign(std::move(other))) at_.throw_failure();
    return *this;
  }
  template <std::convertible_to<view_type> Text>
  INGOT_NOTED basic_string& operator=(const Text& text) {
    return base::assign(text);
  }
  /// Accepts a character, but not types that convert to a character.
  template <std::same_as<Char> C>
  INGOT_NOTED basic_string& operator=(C c) {
    return base::assign(view_type(&c, 1));
  }
  INGOT_NOTED basic_string& operator=(std::initializer_list<Char> text) { return base::assign(text); }

  [[nodiscard]] size_type size() const noexcept {
    return in_storage() ? stored_size() : inline_capacity - static_cast<size_type>(mark());
  }
  /// Returns the number of characters, without the terminating zero, that fit in the present
  /// memory.
  [[nodiscard]] size_type capacity() const noexcept {
    return in_storage() ? at_.capacity() / sizeof(Char) - 1 : inline_capacity;
  }
  [[nodiscard]] static constexpr size_type max_size() noexcept {
    return static_cast<typename P::offset_type>(-1) / 2 / sizeof(Char) - 64;
  }

  [[nodiscard]] Char* data() noexcept { return reinterpret_cast<Char*>(address()); }
  [[nodiscard]] const Char* data() const noexcept { return reinterpret_cast<const Char*>(address()); }

  /// Assigns `text`, which may be a part of this string. Returns false if the block cannot grow;
  /// the string is then unchanged.
  [[nodiscard]] INGOT_NOTED bool try_assign(view_type text) { return try_put(0, size(), text); }
  /// Within one block, swaps the contents. Otherwise copies.
  template <std::same_as<basic_string> Same>
  [[nodiscard]] INGOT_NOTED bool try_assign(Same&& other) {
    if (this == &other) return true;
    if (at_.bound() && other.at_.bound() && at_.block() == other.at_.block()) {
      detail::swap_objects(*this, other);
      return true;
    }
    return try_assign(other.view());
  }
  template <std::same_as<Char> C>
  [[nodiscard]] INGOT_NOTED bool try_assign(C c) {
    return try_assign(view_type(&c, 1));
  }
  /// Appends `text`, which may be a part of this string. Returns false if the block cannot grow;
  /// the string is then unchanged.
  [[nodiscard]] INGOT_NOTED bool try_append(view_type text) { return try_put(size(), 0, text); }
  /// Reserves storage for exactly this number of characters. Returns false if the block cannot
  /// grow.
  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type characters) {
    return characters <= capacity() || (characters <= max_size() && move_to(characters));
  }
  /// Replaces characters with `text`, which may be a part of this string: `count` characters from
  /// index `from` on, or fewer if the string ends before. Returns false if `from` is past the end
  /// or the block cannot grow; the string is then unchanged.
  [[nodiscard]] INGOT_NOTED bool try_replace(size_type from, size_type count, view_type text) {
    return from <= size() && try_put(from, std::min(count, size() - from), text);
  }

  INGOT_CHECKED void pop_back() noexcept {
    INGOT_REQUIRE(!base::empty(), broken_empty("ingot::string", "pop_back()"));
    set_size(size(), size() - 1);
  }
  INGOT_NOTED void resize(size_type count, Char c = Char{}) {
    const size_type old_size = size();
    if (count > old_size) {
      if (!try_grow(count)) at_.throw_failure();
      if constexpr (detail::poisons) unpoison(count);
      std::fill(data() + old_size, data() + count, c);
    }
    set_size(old_size, count);
  }
  INGOT_NOTED void reserve(size_type characters) {
    if (!try_reserve(characters)) at_.throw_failure();
  }
  INGOT_NOTED void clear() noexcept { set_size(size(), 0); }
  /// Moves the text inline if it fits there. Otherwise moves it to a storage of exactly its size,
  /// if the block has space for it.
  INGOT_NOTED void shrink_to_fit() {
    // Sizes of storages are multiples of eight bytes, so a move saves memory only if eight bytes
    // are unused.
    if (in_storage() && (size() <= inline_capacity || size() + 8 / sizeof(Char) <= capacity()))
      static_cast<void>(move_to(size()));
  }

  INGOT_NOTED void swap(basic_string& other) {
    if (at_.bound() && other.at_.bound() && at_.block() == other.at_.block()) {
      detail::swap_objects(*this, other);
    } else if (in_storage() || other.in_storage()) {
      at_.throw_apart(other.at_);
    } else {
      std::swap(body_, other.body_);
    }
  }
  INGOT_NOTED friend void swap(basic_string& a, basic_string& b) { a.swap(b); }

private:
  friend detail::container_access;
  friend base;

  using offset_type = typename P::offset_type;
  static constexpr std::size_t body_size = sizeof(offset_type) == 4 ? 12 : 24;
  static constexpr auto empty_mark = static_cast<std::byte>(inline_capacity);
  static constexpr std::byte stored_mark{0x80};

  [[nodiscard]] std::byte mark() const noexcept { return body_.back(); }
  [[nodiscard]] bool in_storage() const noexcept { return (mark() & stored_mark) != std::byte{0}; }
  [[nodiscard]] INGOT_INLINE std::byte* address() const noexcept {
    return in_storage() ? at_.data() : const_cast<std::byte*>(body_.data());
  }
  [[nodiscard]] INGOT_INLINE view_type steady_view() const noexcept {
    // Negative if the text is in storage. NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c)
    const std::ptrdiff_t spare = static_cast<signed char>(mark());
    const auto stored = static_cast<std::uintptr_t>(spare >> (sizeof spare * 8 - 1));
    const auto inside = reinterpret_cast<std::uintptr_t>(body_.data());
    const auto outside = reinterpret_cast<std::uintptr_t>(at_.data());
    const auto near_size = static_cast<size_type>(std::ptrdiff_t{inline_capacity} - spare);
    return {reinterpret_cast<const Char*>(inside ^ ((inside ^ outside) & stored)),
            near_size ^ ((near_size ^ stored_size()) & stored)};
  }
  [[nodiscard]] size_type stored_size() const noexcept {
    offset_type size = 0;
    std::memcpy(&size, body_.data(), sizeof size);
    return size;
  }
  void set_stored_size(size_type size) noexcept {
    const auto narrow = static_cast<offset_type>(size);
    std::memcpy(body_.data(), &narrow, sizeof narrow);
  }
  /// Sets the length, and zeroes the characters that are removed. In a storage, always writes the
  /// terminator: in an opened block, any bytes may follow the terminator of the original text,
  /// because validation does not check these bytes.
  INGOT_NOTED void set_size(size_type old_size, size_type new_size) noexcept {
    if (new_size < old_size) {
      const size_type gone = old_size - new_size;
      // otherwise compilers warn of the case that sizes wrap around
      if (gone > max_size()) std::unreachable();
      auto* const first = reinterpret_cast<std::byte*>(data() + new_size);
      if (gone * sizeof(Char) >= 16) detail::clear_bytes(first, gone * sizeof(Char));
      else std::memset(first, 0, gone * sizeof(Char));
      INGOT_NOTE(first, gone * sizeof(Char), erased);
    }
    if (in_storage()) {
      data()[new_size] = Char{};
      set_stored_size(new_size);
      if constexpr (detail::poisons) {
        if (new_size < old_size) at_.leave(data() + new_size + 1, (old_size - new_size) * sizeof(Char));
      }
    } else {
      body_.back() = static_cast<std::byte>(inline_capacity - new_size);
    }
  }
  /// Makes the bytes for this number of characters, and for a terminator, accessible.
  void unpoison(size_type characters) const noexcept {
    if (in_storage()) detail::unpoison(at_.data(), (characters + 1) * sizeof(Char));
  }
  [[nodiscard]] bool refers_inside(view_type text) const noexcept {
    const auto first = reinterpret_cast<std::uintptr_t>(data());
    const auto there = reinterpret_cast<std::uintptr_t>(text.data());
    return there >= first && there < first + (size() + 1) * sizeof(Char);
  }
  basic_string& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }

  /// Replaces `count` existing characters with `text`, which may be a part of this string. Returns
  /// false if the block cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_put(size_type from, size_type count, view_type text) {
    const size_type old_size = size();
    if (text.size() > max_size() - (old_size - count)) return false;
    const size_type new_size = old_size - count + text.size();
    if (new_size > capacity()) return rebuild(from, count, text, new_size);
    if (from != old_size) note_changes(from, old_size);
    if constexpr (detail::poisons) unpoison(std::max(old_size, new_size));
    Char* const to = data();
    const size_type rest = old_size - from - count;
    if (rest != 0 && count != text.size() && refers_inside(text)) [[unlikely]]
      return replace_with_own(to + from, count, text, rest), true;
    std::memmove(to + from + text.size(), to + from + count, rest * sizeof(Char));
    if (!text.empty()) std::memmove(to + from, text.data(), text.size() * sizeof(Char));
    set_size(old_size, new_size);
    return true;
  }
  /// Moves the text to a new storage for at least `new_size` characters, and replaces characters
  /// meanwhile. `text` may be in the old storage.
  [[nodiscard]] INGOT_NOTED INGOT_NOINLINE bool rebuild(size_type from, size_type count, view_type text,
                                                        size_type new_size) {
    if (!at_.bound()) return false;
    const auto block = at_.block();
    const size_type old_size = size();
    // If `text` replaces the whole old text, allocates the required size. Otherwise allocates at
    // least twice the old capacity.
    const size_type wanted = old_size == count ? new_size : std::max(new_size, 2 * capacity());
    std::byte* storage = block.allocate((wanted + 1) * sizeof(Char), alignof(Char));
    if (storage == nullptr && wanted != new_size)
      storage = block.allocate((new_size + 1) * sizeof(Char), alignof(Char));
    if (storage == nullptr) return false;
    Char* const to = reinterpret_cast<Char*>(storage);
    const Char* const old = data();
    if (old_size != count) {
      std::memcpy(to, old, from * sizeof(Char));
      std::memcpy(to + from + text.size(), old + from + count, (old_size - from - count) * sizeof(Char));
    }
    if (!text.empty()) std::memcpy(to + from, text.data(), text.size() * sizeof(Char));
    release_storage(block);
    hang_on(storage, new_size);
    return true;
  }
  INGOT_NOTED INGOT_INLINE void release_storage(detail::block_ref<P> block) noexcept {
    if (in_storage()) block.release(at_.data());
    else note_changes(0, size());
  }
  /// In mode `debug`, records that iterators to the characters from `from` to the old end are
  /// invalid.
  INGOT_NOTED void note_changes([[maybe_unused]] size_type from,
                                [[maybe_unused]] size_type old_size) const noexcept {
    INGOT_NOTE(data() + from, (old_size - from) * sizeof(Char), moved);
  }
  void hang_on(std::byte* storage, size_type size) noexcept {
    at_.point_at(storage);
    body_.fill(std::byte{0});
    set_stored_size(size);
    body_.back() = stored_mark;
    if constexpr (detail::poisons) at_.poison_spare((size + 1) * sizeof(Char));
  }
  /// Replaces `count` characters from `gap` on with `text`, which is a part of this string.
  /// Requires enough capacity. Rarely called. If the string grows, the `rest` characters after the
  /// replaced characters move first. If some of the moved characters are in `text`, they are then
  /// copied from their new position.
  INGOT_NOTED INGOT_COLD void replace_with_own(Char* gap, size_type count, view_type text,
                                               size_type rest) noexcept {
    const Char* const source = text.data();
    const size_type more = text.size();
    const size_type old_size = size();
    if (more < count) {
      std::memmove(gap, source, more * sizeof(Char));
      std::memmove(gap + more, gap + count, rest * sizeof(Char));
      set_size(old_size, old_size - count + more);
      return;
    }
    std::memmove(gap + more, gap + count, rest * sizeof(Char));
    set_size(old_size, old_size - count + more);
    const size_type stays =
        source >= gap + count ? 0 : std::min(more, static_cast<size_type>(gap + count - source));
    std::memmove(gap, source, stays * sizeof(Char));
    std::memmove(gap + stays, source + stays + (more - count), (more - stays) * sizeof(Char));
  }
  /// Reserves capacity for `characters`. If this needs another storage, reserves at least twice the
  /// old capacity.
  [[nodiscard]] INGOT_NOTED bool try_grow(size_type characters) {
    return characters <= capacity() ||
           try_reserve(std::min(max_size(), std::max(characters, 2 * capacity()))) || try_reserve(characters);
  }
  [[nodiscard]] INGOT_NOTED bool move_to(size_type characters) {
    if (!at_.bound()) return false;
    const auto block = at_.block();
    const size_type old_size = size();
    if (characters <= inline_capacity) {
      std::byte* const storage = at_.data();
      std::array<std::byte, body_size> body{};
      std::memcpy(body.data(), storage, old_size * sizeof(Char));
      body.back() = static_cast<std::byte>(inline_capacity - old_size);
      body_ = body;
      at_.point_at(block.sentinel());
      block.release(storage);
      return true;
    }
    std::byte* const storage = block.allocate((characters + 1) * sizeof(Char), alignof(Char));
    if (storage == nullptr) return false;
    std::memcpy(storage, data(), old_size * sizeof(Char));
    release_storage(block);
    hang_on(storage, old_size);
    return true;
  }

  void bind(detail::block_ref<P> block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  INGOT_NOTED void destroy(detail::block_ref<P> block) noexcept {
    if (in_storage()) block.release(at_.data());
  }

  /// For inline text: adds bytes after the text that are not zero, and a mark that exceeds the
  /// capacity, to `found`. For text in a storage: adds nothing. The function has no branch, because
  /// lengths are unpredictable. Instead, a mask of zeros followed by ones is placed so that the
  /// ones are over the bytes after the text. A negative mark, which means a storage, places zeros
  /// over all bytes.
  INGOT_INLINE void check_tail(detail::reserved_bits_check& found, std::ptrdiff_t spare) const noexcept {
    static constexpr std::size_t before = sizeof(at_) + 128 * sizeof(Char); // marks are one byte
    static constexpr auto ones = [] {
      std::array<std::byte, before + 127 * sizeof(Char) + 2 * body_size> window{};
      std::fill(window.begin() + before + body_size - 1, window.end(), std::byte{0xff});
      return window;
    }();
    static constexpr std::size_t unused = body_size - 1 - inline_capacity * sizeof(Char);
    const std::byte* const window =
        ones.data() + before + unused + spare * static_cast<std::ptrdiff_t>(sizeof(Char));
    found.look<sizeof(basic_string), static_cast<std::uint8_t>(inline_capacity)>(
        reinterpret_cast<const std::byte*>(this), window - sizeof(at_));
  }
  [[nodiscard]] INGOT_INLINE static bool is_zero_char(const std::byte* at) noexcept {
    Char c{};
    std::memcpy(&c, at, sizeof c);
    return c == Char{};
  }
  /// Returns true if `claim(stored, bytes)` returns a storage, and a zero follows the text in this
  /// storage. Inline text counts as the block's empty storage, so that both kinds of text take the
  /// same instructions. Masks choose the operands, because a branch would be unpredictable. Inline
  /// text is valid only if, in addition, `found` is empty after the call.
  template <class Claim>
  [[nodiscard]] INGOT_INLINE bool is_complete(detail::reserved_bits_check& found, Claim claim) const {
    // Negative if the text is in storage. NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c)
    const std::ptrdiff_t spare = static_cast<signed char>(mark());
    const auto stored = static_cast<size_type>(spare >> (sizeof spare * 8 - 1));
    const size_type size = stored_size() & stored;
    check_tail(found, spare);
    // If lengths are narrower than `size_type`, the sum below cannot wrap around. `claim` then
    // rejects a length that is too large.
    if (sizeof(offset_type) >= sizeof(size_type) && size > max_size()) return false;
    const std::byte* const storage = claim(stored, (size + 1) * sizeof(Char));
    return storage != nullptr && is_zero_char(storage + size * sizeof(Char));
  }
  template <class Cursor>
  [[nodiscard]] INGOT_INLINE bool in_order(Cursor& cursor) const {
    return is_complete(cursor.reserved_bits(), [&](size_type stored, size_type bytes) INGOT_INLINE_LAMBDA {
      return cursor.take(at_, stored, bytes);
    });
  }
  template <class Validator>
  [[nodiscard]] INGOT_INLINE bool check(Validator& validator) const {
    const std::byte* storage = nullptr;
    detail::reserved_bits_check found;
    if (is_complete(found,
                    [&](size_type stored, size_type bytes)
                        INGOT_INLINE_LAMBDA { return storage = validator.claim_if(at_, stored, bytes); }) &&
        found.none()) [[likely]]
      return true;
    return check_slowly(validator, storage);
  }
  /// Checks the string again. If the string is invalid, rejects it with the reason. `storage` is
  /// null unless `check` has claimed the storage.
  template <class Validator>
  [[nodiscard]] INGOT_NOINLINE bool check_slowly(Validator& validator, const std::byte* storage) const {
    if (!in_storage()) {
      if (!validator.is_sentinel(at_)) return false;
      if (mark() > empty_mark) return validator.reject(errc::bad_length, this, "a length that fits in place");
      detail::reserved_bits_check found;
      check_tail(found, static_cast<std::ptrdiff_t>(mark()));
      return found.none() || validator.reject(errc::bad_padding, this, "zeros after the text");
    }
    const size_type size = stored_size();
    if (size > max_size()) return validator.reject(errc::bad_length, this, "a length that fits in a block");
    if (storage == nullptr) storage = validator.claim(at_, (size + 1) * sizeof(Char), alignof(Char));
    if (storage == nullptr) return false;
    return is_zero_char(storage + size * sizeof(Char)) ||
           validator.reject(errc::bad_padding, this, "a zero after the text");
  }

  detail::anchor<P> at_;
  std::array<std::byte, body_size> body_{};
};

/// Text in a block with 32-bit offsets.
using string = basic_string<char, narrow_policy>;
/// Text of char8_t.
using u8string = basic_string<char8_t, narrow_policy>;
/// Text of char16_t.
using u16string = basic_string<char16_t, narrow_policy>;
/// Text of char32_t.
using u32string = basic_string<char32_t, narrow_policy>;
namespace wide {
/// Text in a block with 64-bit offsets.
using string = basic_string<char, wide_policy>;
/// Text of char8_t.
using u8string = basic_string<char8_t, wide_policy>;
/// Text of char16_t.
using u16string = basic_string<char16_t, wide_policy>;
/// Text of char32_t.
using u32string = basic_string<char32_t, wide_policy>;
} // namespace wide

static_assert(sizeof(string) == 16 && string::inline_capacity == 11);

}} // namespace ingot::INGOT_V1

/// Same as the hash of a std::string_view with this text.
template <class Char, ingot::block_policy P>
struct std::hash<ingot::basic_string<Char, P>> {
  using is_transparent = void;
  [[nodiscard]] std::size_t operator()(std::basic_string_view<Char> text) const noexcept {
    return std::hash<std::basic_string_view<Char>>{}(text);
  }
};
