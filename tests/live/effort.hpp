// SPDX-License-Identifier: Apache-2.0
// How much one exercise of a block may do, and writes for which there is no room.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/out_of_space.hpp>

#include <cstddef>
#include <cstdint>

namespace live_test {

/// What one exercise may do at most, so that a hostile shape doesn't take for ever, and what it has seen.
struct effort {
  std::size_t objects = 20'000;
  std::size_t texts =
      0; ///< of which the whole interface is asked: few where there are many blocks, for it takes long
  std::size_t depth = 0;
  std::uint64_t seen = 0;   ///< of everything read, so that nothing is optimised away
  std::size_t failures = 0; ///< writes for which there was no room
  std::size_t edits = 0;    ///< counted from any number
  void (*again)(void* block, std::size_t edits) = nullptr; ///< called after each edit; see reopening.hpp
  void* block = nullptr;

  static constexpr std::size_t depth_limit = 200;
  [[nodiscard]] bool more() { return objects != 0 && objects-- != 0 && depth < depth_limit; }
  [[nodiscard]] bool more_texts() { return texts != 0 && texts-- != 0; }
};

/// Call after each public edit: the block has to be sound at that moment.
inline void edited(effort& e) {
  ++e.edits;
  if (e.again != nullptr) e.again(e.block, e.edits);
}

/// No room is an answer, not an error: blocks opened in place never have any.
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
