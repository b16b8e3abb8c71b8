// SPDX-License-Identifier: Apache-2.0
#include "block_codec.hpp"

#include <ingot/core/endian.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>

// A build without the codecs' libraries reads and writes all files except compressed files.
#ifndef INGOT_WITHOUT_COMPRESSION
#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>
#include <zstd_errors.h>
#endif

namespace ingot { inline namespace INGOT_V1 {

std::string_view to_string(codec method) noexcept {
  switch (method) {
  case codec::none: return "no compression";
  case codec::lz4: return "LZ4";
  case codec::zstd: return "Zstandard";
  }
  return "another compression";
}

#ifdef INGOT_WITHOUT_COMPRESSION

bool has_codec(codec method) noexcept { return method == codec::none; }

namespace detail {

block_encoder::~block_encoder() = default;
codec_outcome block_encoder::encode(bytes_view, std::span<std::byte>, std::size_t&) noexcept {
  static_cast<void>(how_), static_cast<void>(state_);
  return codec_outcome::rejected;
}
block_decoder::~block_decoder() = default;
codec_outcome block_decoder::decode_up_to(bytes_view, std::span<std::byte>, std::size_t&) noexcept {
  static_cast<void>(method_), static_cast<void>(state_);
  return codec_outcome::rejected;
}

} // namespace detail

#else

bool has_codec(codec method) noexcept { return method <= codec::zstd; }

namespace detail {

namespace {

[[nodiscard]] const char* chars(bytes_view bytes) noexcept {
  return reinterpret_cast<const char*>(bytes.data());
}
[[nodiscard]] char* chars(std::span<std::byte> bytes) noexcept {
  return reinterpret_cast<char*>(bytes.data());
}
// Blocks have at most 64 MiB.
[[nodiscard]] int length_of(bytes_view bytes) noexcept { return static_cast<int>(bytes.size()); }

constexpr int first_high_level = 3;

/// Making a context of Zstandard takes longer than compressing a short message. So a few unused
/// contexts are kept for later calls on any thread.
template <class Context, Context* (*Make)(), std::size_t (*Free)(Context*),
          std::size_t (*Size)(const Context*)>
class context_cache {
public:
  [[nodiscard]] Context* take() noexcept {
    for (auto& each : cached_) {
      if (each.load(std::memory_order_relaxed) == nullptr) continue;
      if (Context* const one = each.exchange(nullptr, std::memory_order_acquire)) return one;
    }
    return Make();
  }
  void give_back(Context* one) noexcept {
    if (one == nullptr) return;
    // Larger contexts are not kept. A call that needs such a context processes so many bytes that
    // the time for making a new context is negligible.
    if (Size(one) <= (std::size_t{1} << 18)) {
      for (auto& each : cached_) {
        Context* none = nullptr;
        if (each.compare_exchange_strong(none, one, std::memory_order_release, std::memory_order_relaxed))
          return;
      }
    }
    Free(one);
  }

private:
  std::array<std::atomic<Context*>, 4> cached_{};
};
constinit context_cache<ZSTD_CCtx, ZSTD_createCCtx, ZSTD_freeCCtx, ZSTD_sizeof_CCtx> encoders;
constinit context_cache<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx, ZSTD_sizeof_DCtx> decoders;

/// Distinguishes missing memory from all other errors of Zstandard. Zstandard never reports invalid
/// bytes as missing memory.
[[nodiscard]] codec_outcome outcome_of(std::size_t returned) noexcept {
  return ZSTD_getErrorCode(returned) == ZSTD_error_memory_allocation ? codec_outcome::no_memory
                                                                     : codec_outcome::rejected;
}

} // namespace

block_encoder::~block_encoder() {
  if (how_.method == codec::zstd) encoders.give_back(static_cast<ZSTD_CCtx*>(state_));
  else ::operator delete(state_);
}

codec_outcome block_encoder::encode(bytes_view raw, std::span<std::byte> to, std::size_t& length) noexcept {
  if (how_.method == codec::zstd) {
    if (state_ == nullptr) state_ = encoders.take();
    if (state_ == nullptr) return codec_outcome::no_memory;
    const int level = std::clamp(how_.level, -7, ZSTD_maxCLevel());
    const std::size_t n = ZSTD_compressCCtx(static_cast<ZSTD_CCtx*>(state_), to.data(), to.size(), raw.data(),
                                            raw.size(), level);
    if (ZSTD_isError(n) != 0) return outcome_of(n);
    length = n;
    return codec_outcome::done;
  }
  const bool high = how_.level >= first_high_level;
  if (state_ == nullptr) {
    const int size = high ? LZ4_sizeofStateHC() : LZ4_sizeofState();
    state_ = ::operator new(static_cast<std::size_t>(size), std::nothrow);
  }
  if (state_ == nullptr) return codec_outcome::no_memory;
  if (how_.level >= LZ4HC_CLEVEL_OPT_MIN) return encode_at_length(raw, to, length);
  const int n = high
                    ? LZ4_compress_HC_extStateHC(state_, chars(raw), chars(to), length_of(raw), length_of(to),
                                                 std::min(how_.level, LZ4HC_CLEVEL_MAX))
                    : LZ4_compress_fast_extState(state_, chars(raw), chars(to), length_of(raw), length_of(to),
                                                 how_.level < 0 ? -std::max(how_.level, -65537) : 1);
  if (n <= 0) return codec_outcome::rejected;
  length = static_cast<std::size_t>(n);
  return codec_outcome::done;
}

/// Encodes at a level from `LZ4HC_CLEVEL_OPT_MIN` on. At these levels, LZ4 allocates memory. It
/// reports a failed allocation in the same way as too little space for the result. So this function
/// gives LZ4 enough space for any result. An error then means that memory is missing.
codec_outcome block_encoder::encode_at_length(bytes_view raw, std::span<std::byte> to,
                                              std::size_t& length) noexcept {
  const auto max_length = static_cast<std::size_t>(LZ4_compressBound(length_of(raw)));
  if (scratch_.size() < max_length && !scratch_.resize(max_length)) return codec_outcome::no_memory;
  const std::span<std::byte> scratch{scratch_.data(), max_length};
  const int n = LZ4_compress_HC_extStateHC(state_, chars(raw), chars(scratch), length_of(raw),
                                           length_of(scratch), std::min(how_.level, LZ4HC_CLEVEL_MAX));
  if (n <= 0) return codec_outcome::no_memory;
  const auto size = static_cast<std::size_t>(n);
  if (size > to.size()) return codec_outcome::rejected;
  std::memcpy(to.data(), scratch.data(), size);
  length = size;
  return codec_outcome::done;
}

block_decoder::~block_decoder() {
  if (method_ == codec::zstd) decoders.give_back(static_cast<ZSTD_DCtx*>(state_));
}

codec_outcome block_decoder::decode_up_to(bytes_view stored, std::span<std::byte> to,
                                          std::size_t& length) noexcept {
  if (method_ == codec::zstd) {
    // Accepts exactly one frame: no skippable frames of the format, and no frames of older formats
    // that the library may support.
    if (stored.size() < 4 || load_le<std::uint32_t>(stored.data()) != ZSTD_MAGICNUMBER ||
        ZSTD_findFrameCompressedSize(stored.data(), stored.size()) != stored.size())
      return codec_outcome::rejected;
    if (state_ == nullptr) state_ = decoders.take();
    if (state_ == nullptr) return codec_outcome::no_memory;
    const std::size_t n = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(state_), to.data(), to.size(),
                                              stored.data(), stored.size());
    if (ZSTD_isError(n) != 0) return outcome_of(n);
    length = n;
    return codec_outcome::done;
  }
  const int n = LZ4_decompress_safe(chars(stored), chars(to), length_of(stored), length_of(to));
  if (n < 0) return codec_outcome::rejected;
  length = static_cast<std::size_t>(n);
  return codec_outcome::done;
}

} // namespace detail
#endif

}} // namespace ingot::INGOT_V1
