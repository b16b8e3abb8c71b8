// SPDX-License-Identifier: Apache-2.0
// Writes values in the encoding of an archive, from the last byte to the first. The tag and the
// length of a container precede its elements, but are known only after the elements are written.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/archive_format.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Memory that is filled from its end to its beginning.
class backward_bytes {
public:
  backward_bytes() = default;
  backward_bytes(const backward_bytes&) = delete;
  backward_bytes& operator=(const backward_bytes&) = delete;
  ~backward_bytes() { ::operator delete(start_); }

  [[nodiscard]] bytes_view bytes() const noexcept { return {start_ + free_, size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool too_large() const noexcept { return too_large_; }

  /// Reserves `bytes` before the content. Returns false if there is no memory, or if the archive
  /// would exceed its maximum size.
  [[nodiscard]] INGOT_INLINE bool reserve(std::size_t bytes) noexcept {
    return bytes <= free_ || grow(bytes);
  }
  /// Reserves the bytes of the header. `reserve` leaves space for the header within the maximum
  /// size.
  [[nodiscard]] bool reserve_header() noexcept { return max_header <= free_ || grow_to(size_ + max_header); }
  // The functions below write bytes that the caller must have reserved.
  INGOT_INLINE void byte(uint32_t b) noexcept {
    start_[--free_] = static_cast<std::byte>(b);
    ++size_;
  }
  INGOT_INLINE void number(uint64_t n, uint32_t bytes) noexcept {
    free_ -= bytes;
    size_ += bytes;
    store_number(start_ + free_, n, bytes);
  }
  INGOT_INLINE void copy(const void* from, std::size_t bytes) noexcept {
    if (bytes == 0) return;
    free_ -= bytes;
    size_ += bytes;
    std::memcpy(start_ + free_, from, bytes);
  }
  /// Writes a length, which takes at most 5 bytes.
  INGOT_INLINE void length(uint32_t n) noexcept {
    if (n < 0x80) return byte(n);
    const uint32_t bytes = bytes_of_length(n);
    free_ -= bytes;
    size_ += bytes;
    std::byte* to = start_ + free_;
    for (; n >= 0x80; n >>= 7) *to++ = static_cast<std::byte>((n & 0x7F) | 0x80);
    *to = static_cast<std::byte>(n);
  }

private:
  /// Maximum size of the header (magic, version, flags and length) in bytes.
  static constexpr std::size_t max_header = archive_head_size + 5;

  [[nodiscard]] INGOT_NOINLINE bool grow(std::size_t bytes) noexcept {
    constexpr std::size_t largest = max_archive_bytes - max_header;
    if (bytes > largest - size_) {
      too_large_ = true;
      return false;
    }
    // Never reserves more than the maximum size of an archive, so `reserve` needs no other check.
    return grow_to(std::min(largest, std::max<std::size_t>(2 * (free_ + size_), size_ + bytes + 256)));
  }
  [[nodiscard]] bool grow_to(std::size_t all) noexcept {
    auto* const larger = static_cast<std::byte*>(::operator new(all, std::nothrow));
    if (larger == nullptr) return false;
    if (size_ != 0) std::memcpy(larger + all - size_, start_ + free_, size_);
    ::operator delete(start_);
    start_ = larger;
    free_ = all - size_;
    return true;
  }

  std::byte* start_ = nullptr;
  std::size_t free_ = 0; ///< free bytes before the content
  std::size_t size_ = 0;
  bool too_large_ = false;
};

/// Memory that is filled from its end to its beginning with scalars, text and bytes in the encoding
/// of an archive.
class archive_bytes : public backward_bytes {
public:
  /// Maximum size in bytes of a tag with a shape and a length, or with a number.
  static constexpr std::size_t max_head_size = 16;

  /// Writes an integer. The caller must have reserved the bytes.
  INGOT_INLINE void integer(std::int64_t n) noexcept {
    namespace cbor_tag = archive_tag;
    if (n >= -std::int64_t{archive_small_negatives} && n < std::int64_t{archive_small_integers})
      return byte(static_cast<uint32_t>(n < 0 ? n + cbor_tag::null : n));
    const auto magnitude = static_cast<uint64_t>(n < 0 ? ~n : n);
    const uint32_t bytes = bytes_of_number(magnitude);
    number(magnitude, bytes);
    byte((n < 0 ? cbor_tag::complement : cbor_tag::positive) + bytes - 1);
  }
  /// Writes a value. Returns false if there is no memory, or if the value is no scalar, text or
  /// bytes.
  [[nodiscard]] INGOT_INLINE bool scalar(const item& value) noexcept {
    namespace cbor_tag = archive_tag;
    if (!reserve(value.length + max_head_size)) return false;
    switch (value.kind) {
    case value_kind::null: return byte(cbor_tag::null), true;
    case value_kind::boolean: return byte(value.number != 0 ? cbor_tag::yes : cbor_tag::no), true;
    case value_kind::integer: return integer(value.integer()), true;
    case value_kind::large_integer:
      number(value.number, 8);
      byte(cbor_tag::positive + 7U);
      return true;
    case value_kind::number: return real(value.number), true;
    case value_kind::text:
    case value_kind::binary: return text(value), true;
    default: return false;
    }
  }

private:
  INGOT_INLINE void real(uint64_t bits) noexcept {
    const uint32_t bytes = bytes_of_real(bits);
    if (bytes == 5 && is_float(bits)) {
      number(to_single(bits), 4);
      return byte(archive_tag::single);
    }
    if (bytes != 0) number(bits >> (64 - 8 * bytes), bytes);
    byte(archive_tag::real + bytes);
  }
  INGOT_INLINE void text(const item& value) noexcept {
    copy(value.bytes, value.length);
    if (value.kind == value_kind::text && value.length < archive_short_texts) {
      byte(archive_tag::short_text + value.length);
    } else {
      length(value.length);
      byte(value.kind == value_kind::text ? archive_tag::text : archive_tag::binary);
    }
  }
};

}}} // namespace ingot::INGOT_V1::detail::doc
