// SPDX-License-Identifier: Apache-2.0
// Bytes of a document, opened for lookups with checks of each step (`memory`) or without them
// (`validated`). Both use the same functions of the library, with one or the other as an argument.
#pragma once

#include <ingot/document/detail/item_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace bench {

namespace doc = ingot::detail::doc;

template <class Memory>
struct opened {
  Memory in;

  explicit opened(const std::vector<std::byte>& bytes) {
    in.start = bytes.data();
    in.size = static_cast<std::uint32_t>(bytes.size());
  }
};
/// Finds a member of the root, which is read again each time, as nested objects always are.
template <class Memory>
struct found_anew : opened<Memory> {
  using opened<Memory>::opened;
  [[nodiscard]] INGOT_INLINE doc::found_value find(const ingot::document_key& key) const {
    return doc::find_value(this->in, doc::location{}, doc::read_root(this->in), key);
  }
};
/// Finds a member of the root, which was read once before.
template <class Memory>
struct found_in_root;
template <>
struct found_in_root<doc::memory> : opened<doc::memory> {
  doc::visited_object root;
  explicit found_in_root(const std::vector<std::byte>& bytes) : opened(bytes), root(doc::meet_root(in)) {}
  [[nodiscard]] INGOT_INLINE doc::found_value find(const ingot::document_key& key) const {
    return doc::find_value(in, root, key);
  }
};
template <>
struct found_in_root<doc::validated> : opened<doc::validated> {
  const std::byte* root;
  const std::byte* end;
  std::size_t count;
  explicit found_in_root(const std::vector<std::byte>& bytes)
      : opened(bytes), root(in.start + doc::read_root(in).position()),
        count(doc::load<std::uint16_t>(root + 4)) {
    end = root + 8 + 4 * count;
    // other kinds have no such count
    if (*root != static_cast<std::byte>(doc::node_kind::object)) std::abort();
  }
  [[nodiscard]] INGOT_INLINE doc::found_value find(const ingot::document_key& key) const {
    const std::byte* value = nullptr;
    std::uint32_t taken = 0;
    const std::uint32_t i = doc::find_among(root, end, count, key, value);
    if (i < doc::lookup_unresolved) [[likely]]
      return {{static_cast<std::uint32_t>(root - in.start), i, 0, 0, 0},
              doc::read_value(value, 0xFFFFU, taken)};
    if (i == doc::npos) return {};
    return doc::find_other_value(in, doc::location{}, static_cast<std::uint32_t>(root - in.start), key);
  }
};

} // namespace bench
