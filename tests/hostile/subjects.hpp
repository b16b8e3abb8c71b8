// SPDX-License-Identifier: Apache-2.0
// The types that hostile bytes are offered to, behind function pointers: each type's readers are compiled once,
// and every kind of test and fuzz target goes over the same list.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostile {

using message = std::vector<std::byte>;

/// What came of one message.
struct verdict {
  bool accepted = false;
  bool canonical = true;     ///< written again it is the same bytes; see `one_spelling` for who may differ
  std::size_t fields = 0;    ///< that the walk over the view visited
  std::string contradiction; ///< empty unless the library disagreed with itself

  [[nodiscard]] bool consistent() const { return contradiction.empty(); }
};

/// One type of the zoo.
struct subject {
  std::string_view name;
  message (*sample)(std::uint64_t seed); ///< a valid message; seed 0 is the emptiest one
  verdict (*exercise)(ingot::bytes_view bytes);
  std::string (*round_trip)(
      std::uint64_t seed); ///< what is wrong with the sample's way through bytes; empty if nothing
  bool closed;             ///< no message of the type is the beginning of another one
};

// One source file a group, so that they compile side by side.
void add_scalars(std::vector<subject>& subjects);
void add_sequences(std::vector<subject>& subjects);
void add_keyed(std::vector<subject>& subjects);
void add_records(std::vector<subject>& subjects);
void add_annotated(std::vector<subject>& subjects);
void add_games(std::vector<subject>& subjects);
void add_crafted(std::vector<subject>& subjects);

/// All of them, in an order that stays.
const std::vector<subject>& subjects();

/// Types whose compact messages are damaged; `sample` and `exercise` are those of the compact profile.
const std::vector<subject>& compact_subjects();

/// The subject that a name, or the first two bytes of a fuzzer's input, stand for. By a hash, so that a committed seed
/// means the same type when others are added.
std::uint16_t key_of(std::string_view name);
const subject& subject_of(std::uint16_t key);

} // namespace hostile
