// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as CBOR.
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>

#include "interchange.hpp"

#include <algorithm>
#include <cstddef>

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty()) return {};
  const auto choice = std::to_integer<unsigned>(input[0]);
  ingot::cbor::read_options options;
  options.unsupported_values = static_cast<ingot::unsupported_values>(choice % 3);
  options.non_text_keys = static_cast<ingot::non_text_keys>(choice / 3 % 2);
  options.repeated_keys = static_cast<ingot::key_policy>(choice / 6 % 3);
  if (choice / 18 % 2 == 0) options.max_depth = ~0u;
  if (choice / 72 % 2 == 1) options.unsupported_values = ingot::unsupported_values::plain;
  if (choice / 144 % 2 == 1) options.whole_reals = ingot::whole_reals::integers;
  if (choice >= 180 && options.unsupported_values == ingot::unsupported_values::wrap)
    options.unsupported_values = ingot::unsupported_values::lossy;
  if (choice >= 180) options.fractions = ingot::fractions::wrap;
  const auto read = [](ingot::bytes_view bytes, const auto& how) {
    return ingot::cbor::read_document(bytes, how);
  };
  const auto write = [](const ingot::document& doc, const auto& how) { return ingot::cbor::write(doc, how); };
  if (const auto wrapped = ingot::cbor::read_document(
          input.subspan(1), {.unsupported_values = ingot::unsupported_values::wrap})) {
    const auto other = to_other<ingot::msgpack::write_options>(
        *wrapped, [](const ingot::document& doc, const auto& how) { return ingot::msgpack::write(doc, how); },
        [](ingot::bytes_view bytes) {
          return ingot::msgpack::read_document(bytes, {.unsupported_values = ingot::unsupported_values::wrap})
              .has_value();
        });
    if (!other.empty()) return other;
  }
  auto strict = options;
  strict.encoding = ingot::cbor::encoding::deterministic;
  auto said = there_and_back<ingot::cbor::read_options, ingot::cbor::write_options>(input.subspan(1), options,
                                                                                    read, write, strict);
  if (!said.empty()) return said;
  // A document has one deterministic encoding. So writing the document gives the same bytes again,
  // if no option of reading has changed values.
  strict.unsupported_values = ingot::unsupported_values::wrap;
  strict.non_text_keys = ingot::non_text_keys::reject;
  strict.whole_reals = ingot::whole_reals::keep;
  const auto exact = ingot::cbor::read_document(input.subspan(1), strict);
  if (!exact) return {};
  const auto same = ingot::cbor::write(*exact, {.order = ingot::member_order::sorted,
                                                .unsupported_values = ingot::unsupported_values::wrap,
                                                .max_depth = ~0u});
  if (!same) return "deterministic bytes can't be written: " + same.error().message();
  return std::ranges::equal(*same, input.subspan(1)) ? "" : "deterministic bytes come back as others";
}
