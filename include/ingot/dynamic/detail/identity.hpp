// SPDX-License-Identifier: Apache-2.0
// Computes the `layout_id` of types that were read from a description, as layout_id.hpp does for
// C++ types. The description also stores the id, but the stored id is not trusted.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Maximum steps of the hash for each byte of the description. The hash visits a record again at
/// each member of the record's type. If each type of a chain contains the next type several times,
/// the number of steps is exponential in the length of the chain. Types of programs take a few
/// steps for each byte.
inline constexpr std::size_t max_identity_steps_per_byte = 64;
inline constexpr std::size_t min_identity_steps = 4096;

enum class identity : std::uint8_t { found, too_long, no_memory };

/// Computes the id. O(n) time and memory for n bytes of the description: returns `too_long` after
/// 64 n + 4096 steps.
[[nodiscard]] inline identity find_layout_id(const tables& in, std::uint64_t& id) noexcept {
  struct turn {
    std::uint32_t type;
    std::uint32_t next;
  };
  const std::size_t count = in.types.size();
  const std::unique_ptr<bool[]> seen(new (std::nothrow) bool[count]{});
  if (seen == nullptr) return identity::no_memory;
  fingerprint hash;
  hash.word(little_endian ? 1 : 2);
  hash.word(in.offset);
  // Each container is entered only once, so the stack never has more entries than the description
  // has bytes. This also limits the memory of the stack.
  const std::size_t depth_limit = in.bytes.size() + min_identity_steps;
  std::size_t left = max_identity_steps_per_byte * in.bytes.size() + min_identity_steps;
  table<turn> path;

  /// Hashes a type without its parts. Returns the number of parts to hash next.
  const auto begin = [&](std::uint32_t index) -> std::uint32_t {
    const type& of = in.types[index];
    hash.word(of.size);
    hash.word(of.alignment);
    if (is_container(of.kind)) {
      hash.word(0x100 + static_cast<std::uint64_t>(of.kind) - 32);
      if (!seen[index]) {
        seen[index] = true;
        return of.kind == dynamic_kind::hash_map ? 2 : of.parts;
      }
      hash.word(0xFFFF);
      return 0;
    }
    switch (of.kind) {
    case dynamic_kind::array: hash.word(0x200 + of.extent); return 1;
    case dynamic_kind::pair: hash.word(0x300); return 2;
    case dynamic_kind::record:
    case dynamic_kind::ref: hash.word(0x400 + of.parts); return of.parts;
    case dynamic_kind::duration:
    case dynamic_kind::time_point: {
      const type& counts = of.kind == dynamic_kind::duration ? of : in.types[in.parts[of.first].type];
      hash.word(static_cast<std::uint64_t>(of.kind));
      hash.word(counts.extent);
      hash.word(counts.divisor);
      return 0;
    }
    default: hash.word(static_cast<std::uint64_t>(of.kind)); return 0;
    }
  };
  const auto enter = [&](std::uint32_t index) {
    if (begin(index) == 0) return identity::found;
    if (path.size() == depth_limit) return identity::too_long;
    return path.push({index, 0}) ? identity::found : identity::no_memory;
  };

  if (const identity done = enter(0); done != identity::found) return done;
  while (!path.empty()) {
    if (left-- == 0) return identity::too_long;
    turn& at = path[path.size() - 1];
    const type& of = in.types[at.type];
    const part& each = in.parts[of.first + at.next++];
    // Pops a frame before its last part is entered, so that the part's frame replaces it on the
    // stack.
    if (at.next == (of.kind == dynamic_kind::hash_map ? 2 : of.parts)) static_cast<void>(path.pop());
    if (is_record(of.kind)) hash.word(each.offset);
    if (const identity done = enter(each.type); done != identity::found) return done;
  }
  id = hash.finish();
  return identity::found;
}

}}} // namespace ingot::INGOT_V1::detail::dyn
