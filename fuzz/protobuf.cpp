// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a protobuf message. The first byte chooses:
//
// - a message of a type with every kind, which the type's schema must read as the type does;
// - the same for a type with values of any kind;
// - the same for a type with every encoding and google.protobuf's messages;
// - a description of any schema, after two bytes with its length, and a message.
//
// A message that is read is written, and reading the result gives the same value.
#include <ingot/document/detail/equal.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/value.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/description.hpp>

#include "dynamic/chest.hpp"
#include "fuzz.hpp"
#include "protobuf/encoding_types.hpp"
#include "protobuf/letter.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace {

namespace pb = ingot::protobuf;
using ingot::bytes_view;

ingot::pack_document_options limited() {
  ingot::pack_document_options options;
  options.max_bytes = 1 << 22;
  return options;
}

/// Returns the packed message of the value that the schema reads.
ingot::result<ingot::buffer> packed_by(bytes_view body, const ingot::schema& by,
                                       const ingot::dynamic_schema& ready) {
  const auto read = pb::read_document(body, by, ingot::max_block_size{1 << 24});
  if (!read) return ingot::fail(read.error());
  return ingot::pack_document(*read, ready, limited());
}

std::string try_schema(bytes_view body, const ingot::schema& by, const ingot::dynamic_schema& ready) {
  const auto packed = packed_by(body, by, ready);
  if (!packed) return packed.error().offset() <= body.size() ? "" : "an error after the end of the message";
  const auto message = ingot::dynamic_message::open_in_place(*packed, ready);
  if (!message) return "what was packed is refused: " + message.error().message();
  const auto written = pb::write_message(*message, by);
  if (!written) return {}; // over 100 levels
  const auto again = packed_by(*written, by, ready);
  if (!again) return "what was written is refused: " + again.error().message();
  return std::ranges::equal(*again, *packed) ? "" : "another value comes back";
}

template <class type>
std::string try_type(bytes_view body) {
  static const ingot::schema by = ingot::read_schema(ingot::schema_bytes<type>()).value();
  static const auto ready = ingot::dynamic_schema::from(by).value();
  const auto typed = pb::read<type>(body);
  if (!typed && typed.error().offset() > body.size()) return "an error after the end of the message";
  const auto packed = packed_by(body, by, ready);
  // If a later value replaces a value, only reading with the type checks the replaced value.
  if (!typed) return {};
  // The schema reads into one document, with one limit of levels and of size. The type has a
  // document for each value of any kind.
  if (!packed && packed.error().code() == ingot::errc::too_deep) return {};
  if (!packed && packed.error().code() == ingot::errc::no_space) return {};
  if (!packed) return "the schema refuses what the type reads: " + packed.error().message();
  if (!std::ranges::equal(ingot::as_bytes_view(ingot::pack(*typed).value()), *packed))
    return "the type and its schema read different values";
  const auto written = pb::write(*typed);
  if (!written) return written.error().message();
  const auto again = pb::read<type>(*written);
  if (!again) return "what was written is refused: " + again.error().message();
  return *pb::write(*again) == *written ? "" : "another value comes back";
}

} // namespace

std::string fuzz::one_input(bytes_view input) {
  if (input.empty() || input.size() > 32'768) return {};
  const unsigned what = std::to_integer<unsigned>(input[0]) % 4;
  input = input.subspan(1);
  if (what == 0) return try_type<dynamic_chest::chest>(input);
  if (what == 2) return try_type<protobuf_letter::letter>(input);
  if (what == 3) return try_type<encoding_types::encodings>(input);
  if (input.size() < 2) return {};
  const std::size_t length = std::to_integer<std::size_t>(input[0]) | std::to_integer<std::size_t>(input[1])
                                                                          << 8;
  input = input.subspan(2);
  if (length > input.size()) return {};
  const auto described = ingot::read_schema(input.first(length));
  if (!described) return {};
  const auto ready = ingot::dynamic_schema::from(*described);
  return ready ? try_schema(input.subspan(length), *described, *ready) : std::string();
}
