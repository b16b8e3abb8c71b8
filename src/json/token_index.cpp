// SPDX-License-Identifier: Apache-2.0
// Implements `token_index` with simdjson's first stage. The second stage is not used, because the
// cursor (`text_reader`) walks the index instead. The cursor knows the type that it reads, reports
// positions and paths, and keeps information that a tree would lose.
#include "token_index.hpp"

#include <ingot/core/detail/thread_cache.hpp>
#include <ingot/live/detail/slots.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include <simdjson.h>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

// Limits of the unused index that a thread keeps, in bytes of text and in tokens. An index takes 4
// bytes of address space for each byte of text, and 4 bytes of memory for each token.
constexpr std::size_t max_spare_index_capacity = std::size_t{1} << 20;
constexpr std::size_t max_spare_index_tokens = std::size_t{256} << 10;

// Size from which allocators give an index its own address range, and return this range to the
// system. If this range has large pages, the system provides its pages in a tenth of the time.
constexpr std::size_t large_pages_from = std::size_t{8} << 20;

struct spare_index {
  ingot::detail::owned<token_index> spare;
};
/// simdjson stores its choice of instructions in static objects with destructors. On ELF systems,
/// these objects are constructed before any static object of the program, so that all destructors
/// can use them. On other systems, the first use constructs them.
#if defined(__ELF__)
[[gnu::constructor(200)]] void choose_early() noexcept {
  static_cast<void>(simdjson::get_active_implementation()->name().size());
}
#endif

using spare_indexes = ingot::detail::thread_cache<spare_index, token_index>;

} // namespace

struct token_index::implementation {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::size_t capacity = 0;
  std::size_t used = 0; ///< maximum number of tokens that the index has had with this capacity
};

token_index::token_index() noexcept = default;
token_index::~token_index() = default;

scan token_index::build(std::string_view text) noexcept {
  if (text.size() >= simdjson::SIMDJSON_MAXSIZE_BYTES) return scan::too_large;
  if (!implementation_) {
    implementation_.reset(new (std::nothrow) implementation);
    if (!implementation_) return scan::no_memory;
  }
  auto& parser = implementation_->parser;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (!parser || implementation_->capacity < text.size()) {
    implementation_->capacity = 0;
    implementation_->used = 0;
    const auto failed =
        parser
            ? parser->set_capacity(text.size())
            : simdjson::get_active_implementation()->create_dom_parser_implementation(text.size(), 1, parser);
    if (failed != simdjson::SUCCESS) return scan::no_memory;
    if (text.size() >= large_pages_from)
      ingot::detail::system::prefer_large_pages(parser->structural_indexes.get(),
                                                text.size() * sizeof(std::uint32_t));
    implementation_->capacity = text.size();
  }
  const auto result = parser->stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  const std::size_t tokens =
      result == simdjson::SUCCESS ? parser->n_structural_indexes : implementation_->capacity;
  implementation_->used = std::max(implementation_->used, tokens);
  switch (result) {
  case simdjson::SUCCESS: return scan::good;
  case simdjson::EMPTY: return scan::empty;
  case simdjson::CAPACITY: return scan::too_large;
  case simdjson::MEMALLOC: return scan::no_memory;
  default: return scan::damaged;
  }
}

const std::uint32_t* token_index::begin() const noexcept {
  return implementation_->parser->structural_indexes.get();
}
const std::uint32_t* token_index::end() const noexcept {
  return begin() + implementation_->parser->n_structural_indexes;
}

ingot::detail::owned<token_index> token_index::borrow() {
  if (spare_index* const of_thread = spare_indexes::get(); of_thread != nullptr && of_thread->spare)
    return std::move(of_thread->spare);
  return ingot::detail::make_owned<token_index>();
}

void token_index::give_back(ingot::detail::owned<token_index> index) noexcept {
  if (!index || !index->implementation_) return;
  if (index->implementation_->capacity > max_spare_index_capacity) return;
  if (index->implementation_->used > max_spare_index_tokens) return;
  if (spare_index* const of_thread = spare_indexes::get()) of_thread->spare = std::move(index);
}

bool valid_utf8(std::string_view text) noexcept { return simdjson::validate_utf8(text.data(), text.size()); }

}}} // namespace ingot::INGOT_V1::json::detail
