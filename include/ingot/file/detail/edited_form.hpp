// SPDX-License-Identifier: Apache-2.0
// Types that are edited in place in a file: a live block or a document, over memory that grows.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/live/detail/block_growth.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Writes another length into a payload's header, to try whether the payload is then valid. The
/// destructor restores the old length unless `keep` was called.
template <class Length>
class tried_length {
public:
  tried_length(std::byte* at, bool tries, std::size_t used) noexcept
      : at_(at), before_(doc::load<Length>(at)) {
    const auto length = static_cast<Length>(used);
    differs_ = tries && before_ != length;
    if (differs_) doc::store(at_, length);
  }
  tried_length(const tried_length&) = delete;
  tried_length& operator=(const tried_length&) = delete;
  ~tried_length() {
    if (differs_) doc::store(at_, before_);
  }
  void keep() noexcept { differs_ = false; }

private:
  std::byte* at_;
  Length before_;
  bool differs_;
};

/// Opens blocks and documents in a `block_memory` that already contains their bytes. `left` is true
/// if a crash left the bytes. The length in the header may then differ from `used`. If so,
/// `validate` sets the length to `used` first, and restores the old length if the bytes are
/// invalid. `validate` changes nothing else before validation succeeds. To grow, the opened block
/// or document calls `by`.
struct growing_blocks {
  template <class Declared, block_policy P>
  [[nodiscard]] static result<basic_live<Declared, P>>
  validate(basic_live<Declared, P>*, block_memory<P>&& memory, std::size_t used, bool left, block_growth& by,
           progress_tracker& tracker) {
    using block = basic_live<Declared, P>;
    if (used < root_position) return too_short(used);
    // The length is not changed if the first byte is 0. Such bytes are no block, and they may be a
    // hole of the file: writing into a hole would need disk space.
    tried_length<std::uint64_t> said(memory.start() + offsetof(block_header, used),
                                     left && *memory.start() != std::byte{0}, used);
    if (auto fits = check<block, P>(memory, used); !fits) return fail(fits.error());
    auto block_result = block::validate_owned(typename block::sized{std::move(memory), used}, tracker, &by);
    if (block_result) said.keep();
    return block_result;
  }
  template <class Declared, block_policy P>
  [[nodiscard]] static result<basic_live<Declared, P>>
  open_unchecked(basic_live<Declared, P>*, block_memory<P>&& memory, std::size_t used) {
    using block = basic_live<Declared, P>;
    if (used < root_position) return too_short(used);
    if (auto fits = check<block, P>(memory, used); !fits) return fail(fits.error());
    return block::open_here_unchecked(typename block::sized{std::move(memory), used});
  }
  [[nodiscard]] static result<document> validate(document*, block_memory<narrow_policy>&& memory,
                                                 std::size_t used, bool left, block_growth& by,
                                                 progress_tracker& tracker) {
    if (used < sizeof(doc::document_header)) return too_short(used);
    tried_length<std::uint32_t> said(memory.start() + offsetof(doc::document_header, used),
                                     left && *memory.start() != std::byte{0}, used);
    auto taken = take(std::move(memory), used);
    if (!taken) return taken;
    auto opened = document::validate_owned(std::move(*taken), used, tracker, &by);
    if (opened) said.keep();
    return opened;
  }
  [[nodiscard]] static result<document> open_unchecked(document*, block_memory<narrow_policy>&& memory,
                                                       std::size_t used) {
    if (used < sizeof(doc::document_header)) return too_short(used);
    auto opened = take(std::move(memory), used);
    if (opened) opened->core_->arena().start(static_cast<std::uint32_t>(used), opened->core_->limit());
    return opened;
  }

private:
  [[nodiscard]] static std::unexpected<error> too_short(std::size_t used) noexcept {
    return fail(error{errc::truncated, used}.with_expected("a payload's header"));
  }
  template <class Block, block_policy P>
  [[nodiscard]] static result<void> check(const block_memory<P>& memory, std::size_t used) {
    const auto size = check_header<typename Block::value_type, P>({memory.start(), used});
    if (!size) return fail(size.error());
    if (*size != used) return fail(error{errc::trailing_bytes, *size});
    return {};
  }
  [[nodiscard]] static result<document> take(block_memory<narrow_policy>&& memory, std::size_t used) {
    if (auto info = document::whole({memory.start(), used}); !info) return fail(info.error());
    document taken_over(document::nothing{});
    if (!taken_over) return fail(document::no_memory_for_it());
    taken_over.core_->take(std::move(memory));
    return taken_over;
  }
};

template <class T>
struct edited_form;

template <class Declared, block_policy P>
struct edited_form<basic_live<Declared, P>> {
  using policy = P;
  static constexpr file_kind kind = file_kind::edited_live;
};
template <>
struct edited_form<document> {
  using policy = narrow_policy;
  static constexpr file_kind kind = file_kind::edited_document;
};

}}} // namespace ingot::INGOT_V1::detail
