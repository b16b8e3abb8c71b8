// SPDX-License-Identifier: Apache-2.0
// Copies text of a document before an edit that stores this text again, because the edit could move
// the original.
#pragma once

#include <ingot/core/detail/owned.hpp>
#include <ingot/document/detail/node.hpp>
#include <ingot/document/key.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// A copy of text that is in the document. The original could move before the text is stored again.
class text_copy {
public:
  [[nodiscard]] item of(memory in, const item& value) noexcept {
    if (value.length == 0 || value.owns_node() || !lies_in(in, value.bytes)) return value;
    item copy = value;
    std::memcpy(bytes_.data(), value.bytes, std::size_t{value.length} << value.shift);
    copy.bytes = bytes_.data();
    return copy;
  }
  /// If the text of `key` is in the document, copies the text and makes `key` refer to the copy.
  /// Returns false if there is no memory.
  [[nodiscard]] bool of(memory in, document_key& key) noexcept {
    const auto text = key.text();
    if (text.empty() || !lies_in(in, text.data())) return true;
    auto* copy = reinterpret_cast<char*>(bytes_.data());
    if (text.size() > bytes_.size()) {
      long_.reset(new (std::nothrow) char[text.size()]);
      if (!long_) return false;
      copy = long_.get();
    }
    std::memcpy(copy, text.data(), text.size());
    key = {copy, key};
    return true;
  }

private:
  [[nodiscard]] static bool lies_in(memory in, const void* data) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(data);
    const auto begin = reinterpret_cast<std::uintptr_t>(in.start);
    return at >= begin && at - begin < in.size;
  }

  std::array<std::byte, packed_bytes + 2> bytes_;
  owned<char[]> long_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
