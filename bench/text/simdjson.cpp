// SPDX-License-Identifier: Apache-2.0
// simdjson's parser, reused, on text with padding after it: the bound for reading. It fills no
// struct and writes nothing.
#include "workload.hpp"

#include <simdjson.h>

namespace bench {
namespace {

struct parsing {
  simdjson::dom::parser parser;
  simdjson::padded_string chars, iso;
};

} // namespace

void enter_text_simdjson(suite& all) {
  const auto& data = text_values();
  auto* const p = &all.make<parsing>();
  p->chars = simdjson::padded_string(data.chars_text);
  p->iso = simdjson::padded_string(data.iso_text);
  const auto chars = [p] { return p->parser.parse(p->chars).error() == simdjson::SUCCESS; };
  const auto iso = [p] { return p->parser.parse(p->iso).error() == simdjson::SUCCESS; };
  all.add("read-chars", "simdjson", p->chars.size(), [chars](std::size_t) { keep(chars()); }, chars);
  all.add("read-iso", "simdjson", p->iso.size(), [iso](std::size_t) { keep(iso()); }, iso);
  all.add(
      "read-document", "simdjson", p->chars.size() + p->iso.size(),
      [chars, iso](std::size_t) {
        keep(chars());
        keep(iso());
      },
      iso);
}

} // namespace bench
