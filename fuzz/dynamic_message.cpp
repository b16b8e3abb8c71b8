// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a packed or compact message that is read without its type. The first byte
// chooses the profile and the input. The input is a message of a type with a member of every kind;
// or the length of a description in two bytes, a description of any schema, and a message. An
// accepted message must answer all queries. Its document is packed again, and the result must be
// accepted and give an equal document.
#include <ingot/document/detail/equal.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/dynamic/validate_any.hpp>
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>
#include <ingot/schema/to_proto.hpp>

#include "dynamic/chest.hpp"
#include "dynamic/hostile.hpp"
#include "fuzz.hpp"
#include "with_progress.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

std::string try_message(ingot::bytes_view body, const ingot::dynamic_schema& by) {
  const auto message = ingot::dynamic_message::open(body, by);
  const auto listen = [](std::uint64_t, std::uint64_t) { return true; };
  const auto with_progress = ingot::dynamic_message::open(body, by, listen);
  if (fuzz::verdict(message) != fuzz::verdict(with_progress))
    return "validation with progress says something else";
  if (message && fuzz::verdict(ingot::validate_any(message->root())) !=
                     fuzz::verdict(ingot::validate_any(with_progress->root(), listen)))
    return "a check of archives with progress says something else";
  if (!message) return message.error().offset() <= body.size() ? "" : "an error after the end of the message";
  dynamic_hostile::exercise all(body.size(), 5'000);
  all(message->root());
  if (!all.failure().empty()) return all.failure();
  static_cast<void>(ingot::to_string(message->root(), 65'536));
  const auto first = ingot::to_document(message->root(), {.max_size = {1 << 22}});
  static_cast<void>(ingot::to_document(
      message->root(), {.max_size = {1 << 22}, .form = ingot::value_format::json})); // JSON form
  if (!first) return {}; // over 128 levels, or empty values that take too much space in a document
  const auto packed = ingot::pack_document(*first, by);
  // Schemas of no type may have repeated names, or sets in keys. Packing rejects both.
  if (!packed) return {};
  const auto again = ingot::dynamic_message::open(*packed, by);
  if (!again) return "a message that was written of a document is refused: " + again.error().message();
  const auto second = ingot::to_document(again->root(), {.max_size = {1 << 22}});
  if (!second) return "a document of a message that was written of one can't be made";
  return first->root() == second->root() ? "" : "another document comes back";
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty() || input.size() > 32'768) return {};
  const unsigned choice = std::to_integer<unsigned>(input[0]);
  const auto profile = choice % 2 == 0 ? ingot::message_profile::pack : ingot::message_profile::compact;
  input = input.subspan(1);
  if (choice / 2 % 2 == 0) {
    static const auto packed = ingot::dynamic_schema::from(ingot::schema_of<dynamic_chest::chest>());
    static const auto compact = ingot::dynamic_schema::from(ingot::schema_of<dynamic_chest::chest>(),
                                                            ingot::message_profile::compact);
    return try_message(input, choice % 2 == 0 ? packed.value() : compact.value());
  }
  if (input.size() < 2) return {};
  const std::size_t length = std::to_integer<std::size_t>(input[0]) | std::to_integer<std::size_t>(input[1])
                                                                          << 8;
  input = input.subspan(2);
  if (length > input.size()) return {};
  const auto described = ingot::read_schema(input.first(length));
  if (!described) return {};
  if (ingot::to_cpp(*described, {.name = "x", .max_bytes = 4096}).size() > 4096 + 8)
    return "more C++ than the limit";
  if (ingot::to_proto(*described, {.name = "x", .max_bytes = 4096}).size() > 4096 + 8)
    return "more protobuf than the limit";
  static_cast<void>(ingot::to_json_schema(*described, {.name = "x", .max_bytes = 4096}));
  const auto by = ingot::dynamic_schema::from(*described, profile);
  return by ? try_message(input.subspan(length), *by) : std::string();
}
