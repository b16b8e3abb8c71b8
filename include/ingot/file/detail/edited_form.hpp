// SPDX-License-Identifier: Apache-2.0
// What is edited in a file where it is: a live block or a document, over memory that becomes longer.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/live/block_growth.hpp>
#include <ingot/live/block_memory.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/prove.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ingot::inline v1::detail {

/// Blocks and documents over a `block_memory` in which their bytes are already. `left` bytes were left by a crash: their own header may say
/// another length, which becomes `used` if they are proved.
struct growing_blocks {
  template <class Declared, block_policy P>
  [[nodiscard]] static result<basic_live<Declared, P>>
  prove(basic_live<Declared, P>*, block_memory<P>&& memory, std::size_t used, bool left) {
    using block = basic_live<Declared, P>;
    if (auto fits = check<block, P>(memory, used, left); !fits) return fail(fits.error());
    return block::prove_here(typename block::sized{std::move(memory), used});
  }
  template <class Declared, block_policy P>
  [[nodiscard]] static result<basic_live<Declared, P>> trust(basic_live<Declared, P>*,
                                                             block_memory<P>&& memory, std::size_t used) {
    using block = basic_live<Declared, P>;
    if (auto fits = check<block, P>(memory, used, false); !fits) return fail(fits.error());
    return block::trust_here(typename block::sized{std::move(memory), used});
  }
  [[nodiscard]] static result<document> prove(document*, block_memory<narrow_policy>&& memory,
                                              std::size_t used, bool left) {
    auto made = take(std::move(memory), used, left);
    if (!made) return made;
    return document::prove_here(std::move(*made), used);
  }
  [[nodiscard]] static result<document> trust(document*, block_memory<narrow_policy>&& memory,
                                              std::size_t used) {
    auto made = take(std::move(memory), used, false);
    if (made) made->core_->arena().start(static_cast<std::uint32_t>(used), made->core_->limit());
    return made;
  }

private:
  template <class Block, block_policy P>
  [[nodiscard]] static result<void> check(const block_memory<P>& memory, std::size_t used, bool left) {
    if (used < root_position) return fail(error{errc::truncated, used}.with_expected("a block's header"));
    std::uint64_t& said = memory.block().header().used;
    const std::uint64_t before = said;
    if (left) said = used;
    const auto size = check_header<typename Block::value_type, P>({memory.start(), used});
    if (!size) {
      said = before;
      return fail(size.error());
    }
    if (*size != used) return fail(error{errc::trailing_bytes, *size});
    return {};
  }
  [[nodiscard]] static result<document> take(block_memory<narrow_policy>&& memory, std::size_t used,
                                             bool left) {
    if (used < sizeof(doc::document_header))
      return fail(error{errc::truncated, used}.with_expected("a document's header"));
    std::byte* const said = memory.start() + offsetof(doc::document_header, used);
    const auto before = doc::load<std::uint32_t>(said);
    if (left) doc::store(said, static_cast<std::uint32_t>(used));
    if (auto info = document::whole({memory.start(), used}); !info) {
      doc::store(said, before);
      return fail(info.error());
    }
    document made(document::nothing{});
    if (!made) return fail(document::no_memory_for_it());
    made.core_->take(std::move(memory));
    return made;
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

} // namespace ingot::inline v1::detail
