// SPDX-License-Identifier: Apache-2.0
// The types that are tested with hostile bytes, as function pointers: each type's readers are
// compiled once, and every kind of test and fuzz target uses the same list.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostile {

using message = std::vector<std::byte>;

/// The outcome of one message.
struct verdict {
  bool accepted = false;
  /// writing the value gives the same bytes; `one_encoding` lists exceptions
  bool canonical = true;
  std::size_t fields = 0;    ///< visited by the walk over the view
  std::string contradiction; ///< empty unless the library contradicted itself

  [[nodiscard]] bool consistent() const { return contradiction.empty(); }
};

/// One type of the zoo.
struct subject {
  std::string_view name;
  message (*sample)(std::uint64_t seed); ///< a valid message; seed 0 is the emptiest one
  verdict (*exercise)(ingot::bytes_view bytes);
  std::string (*round_trip)(
      /// returns the first problem of the sample's round trip, or an empty string
      std::uint64_t seed);
  bool closed; ///< no message of the type is a prefix of another one
};

// One source file for each group, so that they compile in parallel.
void add_scalars(std::vector<subject>& subjects);
void add_sequences(std::vector<subject>& subjects);
void add_keyed(std::vector<subject>& subjects);
void add_records(std::vector<subject>& subjects);
void add_annotated(std::vector<subject>& subjects);
void add_games(std::vector<subject>& subjects);
void add_crafted(std::vector<subject>& subjects);

/// All types, in a fixed order.
const std::vector<subject>& subjects();

/// Types whose compact messages are damaged; `sample` and `exercise` are those of the compact
/// profile.
const std::vector<subject>& compact_subjects();

/// Returns the key of a subject: a hash of its name, which the first two bytes of a fuzzer's input
/// contain. A committed seed therefore keeps its type when others are added.
std::uint16_t key_of(std::string_view name);
const subject& subject_of(std::uint16_t key);

} // namespace hostile
