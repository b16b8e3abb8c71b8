// SPDX-License-Identifier: Apache-2.0
// Kinds of messages for comparing readers. Each has a writer of random values, and all readers of
// the library for that kind.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace readers {

using message = std::vector<std::byte>;

/// The library's answer for one message.
struct answer {
  bool typed = false;        ///< readers with the type accept it
  bool accepted = false;     ///< the reader with its description and the Python reader accept it
  std::string text;          ///< the value, or the reason why it is not accepted
  std::string contradiction; ///< empty unless readers of the library contradict each other
};

enum class form : std::uint8_t { packed = 1, compact = 2, live = 3, document = 4, archive = 5 };

struct kind_of_message {
  std::string name;
  form is = form::packed;
  bool may_be_older = false; ///< readers with the type also accept messages of its other versions
  message description;       ///< schema or layout; empty for documents
  /// A valid message.
  message (*sample)(std::uint64_t seed) = nullptr;
  /// Calls each reader on any bytes. `extra` of the kind belongs to this function.
  answer (*read)(const kind_of_message& of, ingot::bytes_view bytes) = nullptr;
  /// For packed and compact messages: compares the zoo's readers with the value that was read
  /// without the type. Returns empty text if they agree.
  std::string (*differs)(ingot::bytes_view bytes, const void* root) = nullptr;
  const void* extra = nullptr; ///< used by `read`
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
