// SPDX-License-Identifier: Apache-2.0
// What the readers are compared by: kinds of messages, each with a writer that draws values and with all the readers the library has for it.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace readers {

using message = std::vector<std::byte>;

/// What the library says of one message.
struct answer {
  bool typed = false; ///< the readers that have the type take it
  bool accepted =
      false; ///< the reader that has its description does: the one that the reader in Python is held against
  std::string told;          ///< the value, or why it is not accepted
  std::string contradiction; ///< empty unless the library disagreed with itself
};

enum class form : std::uint8_t { packed = 1, compact = 2, live = 3, document = 4, archive = 5 };

struct kind_of_message {
  std::string name;
  form is = form::packed;
  bool may_be_older = false; ///< the readers that have the type also take messages of its other versions
  message description;       ///< of a schema or a layout; empty for documents
  /// A valid message.
  message (*sample)(std::uint64_t seed) = nullptr;
  /// Each reader on any bytes. `more` is what the function keeps between calls.
  answer (*read)(const kind_of_message& of, ingot::bytes_view bytes) = nullptr;
  /// Of packed and compact ones: what the zoo's readers find, and whether the value that is read without the type is theirs; "" if it is.
  std::string (*differs)(ingot::bytes_view bytes, const void* root) = nullptr;
  const void* extra = nullptr; ///< of the function `read`
};

void add_scalars(std::vector<kind_of_message>& all);
void add_sequences(std::vector<kind_of_message>& all);
void add_keyed(std::vector<kind_of_message>& all);
void add_records(std::vector<kind_of_message>& all);
void add_annotated(std::vector<kind_of_message>& all);
void add_games(std::vector<kind_of_message>& all);
void add_crafted(std::vector<kind_of_message>& all);
void add_compact(std::vector<kind_of_message>& all);
void add_live(std::vector<kind_of_message>& all);
void add_documents(std::vector<kind_of_message>& all);

} // namespace readers
