// SPDX-License-Identifier: Apache-2.0
// What is asked of a reader and a writer of MessagePack and of CBOR alike: what becomes of that for which documents have no
// kind. By default that is an error: nothing is lost silently.
#pragma once

#include <cstdint>

namespace ingot::inline v1 {

/// Values that documents have no kind for: MessagePack's extension types and timestamps; CBOR's tags, `undefined` and simple
/// values; integers beyond 64 bits.
enum class extras : std::uint8_t {
  refuse, ///< an error, which names what was found
  reduce, ///< what is nearest, which loses something: docs/document.md says what becomes of each
  wrap, ///< an object with keys that begin with `$`, which a writer told so writes as what it was; maps with such keys are refused
};

/// Keys of maps that are no text.
enum class other_keys : std::uint8_t {
  refuse,
  spell, ///< numbers, booleans, null and bytes as CBOR's diagnostic notation writes them: 7, -1, 1.5, true, h'01ff'
};

/// The order in which members are written. Either way equal documents are equal bytes.
enum class member_order : std::uint8_t {
  document, ///< that of `members()`: of the keys' hashes
  sorted,   ///< as RFC 8949 has it in 4.2.1: shorter keys first, equally long ones by their bytes
};

} // namespace ingot::inline v1
