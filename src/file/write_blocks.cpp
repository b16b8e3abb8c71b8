// SPDX-License-Identifier: Apache-2.0
// Each block is compressed where the one before it would end if none became smaller: so nobody waits for anybody. Then they move together.
#include <ingot/core/endian.hpp>

#include "block_codec.hpp"
#include "blocks.hpp"
#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

namespace ingot::inline v1::detail {

namespace {

/// Starting a thread takes about as long as compressing a tenth of this, or less.
[[nodiscard]] std::size_t encoded_by_a_thread(const compression& how) noexcept {
  const bool zstd = how.method == codec::zstd;
  if (how.level > (zstd ? 3 : 2)) return std::size_t{1} << 15;
  return std::size_t{1} << (zstd ? 18 : 20);
}

class writing {
public:
  writing(bytes_view bytes, const compression& how, progress_ref progress) noexcept
      : bytes_(bytes), how_(how), progress_(progress), block_(std::clamp(how.block, least_block, most_block)),
        count_(bytes.size() / block_ + (bytes.size() % block_ != 0 ? 1 : 0)) {}

  [[nodiscard]] std::size_t head_size() const noexcept { return 4 + 4 * count_; }
  /// To `room`, which has as many bytes as the head and all blocks as they are; how many that took.
  [[nodiscard]] result<std::size_t> write(std::byte* room) {
    head_ = room;
    blocks_ = room + head_size();
    store_le(head_, static_cast<std::uint32_t>(block_));
    {
      helping_threads others;
      const std::size_t threads =
          threads_for(count_, bytes_.size() / encoded_by_a_thread(how_), how_.threads);
      const ending end(*this); // also when what is told throws: before the others are waited for
      if (threads > 1) others.start(threads - 1, &help, this);
      encode_until_end(progress_);
    }
    if (cancelled_) return fail(error{errc::cancelled});
    if (without_memory_)
      return fail(
          error{errc::no_memory}.with_expected("memory for the codec").with_found(to_string(how_.method)));
    return move_together();
  }

private:
  struct ending {
    explicit ending(writing& all) noexcept : all_(all) {}
    ending(const ending&) = delete;
    ending& operator=(const ending&) = delete;
    ~ending() { all_.next_.store(all_.count_, std::memory_order_relaxed); }
    writing& all_;
  };
  [[nodiscard]] bytes_view raw(std::size_t index) const noexcept {
    return bytes_.subspan(index * block_, std::min(block_, bytes_.size() - index * block_));
  }
  [[nodiscard]] std::byte* length_at(std::size_t index) const noexcept { return head_ + 4 + 4 * index; }

  static void* help(void* self) noexcept {
    static_cast<writing*>(self)->encode_until_end({});
    return nullptr;
  }
  /// Blocks that nobody has, as long as there are any. The calling thread tells how many there were.
  void encode_until_end(progress_ref progress) {
    block_encoder encoder(how_);
    for (;;) {
      const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= count_) return;
      const bytes_view block = raw(i);
      // What saves less than this is not worth the time of whoever reads it.
      const std::size_t most = block.size() - block.size() / 64 - 1;
      std::size_t length = block.size();
      const auto outcome = encoder.encode(block, {blocks_ + i * block_, most}, length);
      store_le(length_at(i), static_cast<std::uint32_t>(length));
      if (outcome == codec_outcome::no_memory) without_memory_ = true;
      const std::uint64_t done =
          std::min<std::uint64_t>(std::uint64_t{i} * block_ + block.size(), bytes_.size());
      if (!progress(done, 2 * std::uint64_t{bytes_.size()})) cancelled_ = true;
      if (without_memory_ || cancelled_) next_.store(count_, std::memory_order_relaxed);
    }
  }
  [[nodiscard]] std::size_t move_together() noexcept {
    std::byte* to = blocks_;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t length = load_le<std::uint32_t>(length_at(i));
      const bytes_view block = raw(i);
      std::memmove(to, length == block.size() ? block.data() : blocks_ + i * block_, length);
      to += length;
    }
    return static_cast<std::size_t>(to - head_);
  }

  bytes_view bytes_;
  const compression& how_;
  progress_ref progress_;
  std::size_t block_;
  std::size_t count_;
  std::byte* head_ = nullptr;
  std::byte* blocks_ = nullptr;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> without_memory_ = false;
  std::atomic<bool> cancelled_ = false;
};

} // namespace

result<bool> append_blocks(buffer& out, bytes_view bytes, const compression& how, progress_ref progress) {
  writing all(bytes, how, progress);
  if (bytes.size() > std::numeric_limits<std::size_t>::max() / 2 - all.head_size())
    return fail(error{errc::no_memory}.with_expected("memory for the blocks"));
  const auto room = out.prepare(all.head_size() + bytes.size());
  if (room.size() < all.head_size() + bytes.size())
    return fail(error{errc::no_memory}.with_expected("memory for the blocks"));
  const auto written = all.write(room.data());
  if (!written) return fail(written.error());
  if (*written >= bytes.size()) return false;
  out.commit(*written);
  return true;
}

} // namespace ingot::inline v1::detail
