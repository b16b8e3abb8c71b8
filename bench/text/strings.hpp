// SPDX-License-Identifier: Apache-2.0
// Messages whose texts are in one script, and documents of many texts. The peers write them as they
// write all structs.
#pragma once

#include "workload.hpp"

#include <array>
#include <string>
#include <vector>

namespace bench {

/// A kind of text: the name of its case, and its messages.
struct string_case {
  std::string name;
  std::vector<message> messages;
};
/// ASCII, accents, Cyrillic, Japanese, emoji, and text with many quotes and backslashes.
const std::array<string_case, 6>& string_cases();
/// JSON of a list of 1,000 texts in Cyrillic, and of 1,000 texts in ASCII.
const std::string& wide_list(bool is_ascii);
bool read_back(std::string_view text, std::vector<message>& out);
bool read_back(std::string_view text, std::vector<std::string>& out);

/// Adds a contender that writes messages.
template <class Codec>
void enter_strings(suite& all, std::string_view who) {
  if (!all.wants("strings-", true)) return;
  auto* const codec = &all.make<Codec>();
  for (const auto& each : string_cases()) {
    const auto* const from = &each;
    const std::string written(codec->write(from->messages));
    all.add(
        "strings-" + each.name, who, written.size(),
        [codec, from](std::size_t) { escape(codec->write(from->messages).data()); },
        [codec, from] {
          std::vector<message> back;
          return read_back(std::string(codec->write(from->messages)), back) && back == from->messages;
        });
  }
}
/// Adds a contender that writes documents of 1,000 texts.
template <class Codec>
void enter_wide_strings(suite& all, std::string_view who) {
  if (!all.wants("strings-", true)) return;
  struct state {
    Codec codec;
    decltype(codec.read(std::string())) document;
  };
  for (const bool is_ascii : {false, true}) {
    auto* const p = &all.make<state>();
    p->document = p->codec.read(wide_list(is_ascii));
    all.add(
        is_ascii ? "strings-wide-ascii" : "strings-wide", who, wide_list(is_ascii).size(),
        [p](std::size_t) { escape(p->codec.write(p->document).data()); },
        [p, is_ascii] {
          std::vector<std::string> expected;
          std::vector<std::string> back;
          return read_back(wide_list(is_ascii), expected) &&
                 read_back(std::string(p->codec.write(p->document)), back) && back == expected;
        });
  }
}

} // namespace bench
