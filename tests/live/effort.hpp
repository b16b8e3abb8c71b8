// SPDX-License-Identifier: Apache-2.0
// Limits of one exercise of a block, and writes that find no free bytes.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/out_of_space.hpp>

#include <cstddef>
#include <cstdint>

namespace live_test {

/// Limits for one exercise, so that a hostile shape doesn't run without end, and counters of what
/// happened.
struct effort {
  std::size_t objects = 20'000;
  std::size_t texts = 0; ///< whose whole interface is called: few if there are many blocks
  std::size_t depth = 0;
  std::uint64_t seen = 0;   ///< hash of everything read, so that the compiler keeps the reads
  std::size_t failures = 0; ///< writes that found no free bytes
  std::size_t edits = 0;    ///< counted from any start
  /// Called after each edit; see reopening.hpp
  void (*again)(void* block, std::size_t edits) = nullptr;
  void* block = nullptr;

  static constexpr std::size_t depth_limit = 200;
  [[nodiscard]] bool more() { return objects != 0 && objects-- != 0 && depth < depth_limit; }
  [[nodiscard]] bool more_texts() { return texts != 0 && texts-- != 0; }
};

/// Call after each public edit: the block has to be valid at that moment.
inline void edited(effort& e) {
  ++e.edits;
  if (e.again != nullptr) e.again(e.block, e.edits);
}

/// A full block is a valid result, not an error: blocks opened in place have no free bytes to grow
/// into.
template <class F>
void attempt(effort& e, F&& f) {
#if INGOT_EXCEPTIONS
  try {
    f();
  } catch (const ingot::out_of_space&) {
    ++e.failures;
  }
  edited(e);
#else
  static_cast<void>(e);
  static_cast<void>(f);
#endif
}

} // namespace live_test
