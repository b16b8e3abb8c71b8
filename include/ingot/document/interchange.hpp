// SPDX-License-Identifier: Apache-2.0
// Options that readers and writers of MessagePack and CBOR share: what becomes of things for which documents
// have no kind. By default they are errors, so that nothing is lost silently.
#pragma once

#include <cstdint>

namespace ingot::inline v1 {

/// Values for which documents have no kind: MessagePack's extension types and timestamps; CBOR's tags,
/// `undefined` and simple values; integers of more than 64 bits.
enum class extras : std::uint8_t {
  refuse, ///< an error, which names what was found
  reduce, ///< what is nearest, which loses something: docs/document.md says what becomes of each
  wrap, ///< an object with keys that begin with `$`, which a writer told so writes as what it was; maps with such keys are refused
};

/// Keys of maps that are not text.
enum class other_keys : std::uint8_t {
  refuse,
  spell, ///< numbers, booleans, null and bytes as CBOR's diagnostic notation writes them: 7, -1, 1.5, true, h'01ff'
};

/// The order in which members are written. In either order equal documents are equal bytes.
enum class member_order : std::uint8_t {
  document, ///< that of `members()`: of the keys' hashes
  sorted,   ///< as RFC 8949 has it in 4.2.1: shorter keys first, equally long ones by their bytes
};

} // namespace ingot::inline v1
