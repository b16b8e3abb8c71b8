// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as MessagePack.
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>

#include "interchange.hpp"

#include <cstddef>

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty()) return {};
  const auto choice = std::to_integer<unsigned>(input[0]);
  ingot::msgpack::read_options options;
  options.unsupported_values = static_cast<ingot::unsupported_values>(choice % 3);
  options.non_text_keys = static_cast<ingot::non_text_keys>(choice / 3 % 2);
  options.raw_text = static_cast<ingot::msgpack::raw_text>(choice / 6 % 2);
  options.repeated_keys = static_cast<ingot::key_policy>(choice / 12 % 3);
  if (choice / 36 % 2 == 0) options.max_depth = ~0u;
  if (choice / 72 % 2 == 1) options.unsupported_values = ingot::unsupported_values::plain;
  if (choice / 144 % 2 == 1) options.whole_reals = ingot::whole_reals::integers;
  const auto read = [](ingot::bytes_view bytes, const auto& how) {
    return ingot::msgpack::read_document(bytes, how);
  };
  const auto write = [](const ingot::document& doc, const auto& how) {
    return ingot::msgpack::write(doc, how);
  };
  if (const auto wrapped = ingot::msgpack::read_document(
          input.subspan(1), {.unsupported_values = ingot::unsupported_values::wrap})) {
    const auto other = to_other<ingot::cbor::write_options>(
        *wrapped, [](const ingot::document& doc, const auto& how) { return ingot::cbor::write(doc, how); },
        [](ingot::bytes_view bytes) {
          return ingot::cbor::read_document(bytes, {.unsupported_values = ingot::unsupported_values::wrap})
              .has_value();
        });
    if (!other.empty()) return other;
  }
  return there_and_back<ingot::msgpack::read_options, ingot::msgpack::write_options>(
      input.subspan(1), options, read, write, options);
}
