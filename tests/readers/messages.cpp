// SPDX-License-Identifier: Apache-2.0
#include "readers/messages.hpp"

#include <ingot/dynamic/validate_any.hpp>

#include "readers/value_text.hpp"

#include <map>
#include <utility>

namespace readers {

namespace {

[[nodiscard]] const ingot::dynamic_schema* schema_of(const kind_of_message& of) {
  static std::map<const kind_of_message*, ingot::result<ingot::dynamic_schema>> schemas;
  auto found = schemas.find(&of);
  if (found == schemas.end()) {
    const auto profile =
        of.is == form::packed ? ingot::message_profile::pack : ingot::message_profile::compact;
    found = schemas.emplace(&of, ingot::dynamic_schema::open(of.description, profile)).first;
  }
  return found->second ? &*found->second : nullptr;
}

/// Opens a message and validates its values of any kind, as the tool does.
[[nodiscard]] ingot::result<ingot::dynamic_message> open(ingot::bytes_view bytes,
                                                         const ingot::dynamic_schema& by) {
  auto opened = ingot::dynamic_message::open_in_place(bytes, by);
  if (!opened) return opened;
  if (const auto good = ingot::validate_any(opened->root()); !good) return ingot::fail(good.error());
  return opened;
}

} // namespace

answer read_message(const kind_of_message& of, ingot::bytes_view bytes) {
  answer said;
  const auto& subject = *static_cast<const hostile::subject*>(of.extra);
  const hostile::verdict by_type = subject.exercise(bytes);
  said.typed = by_type.accepted;
  said.contradiction = by_type.contradiction;
  const ingot::dynamic_schema* const by = schema_of(of);
  if (by == nullptr) {
    said.contradiction = "the description of its type is refused";
    return said;
  }
  const auto found = open(bytes, *by);
  said.accepted = found.has_value();
  if (!found) {
    said.text = found.error().message();
    if (said.typed && !of.may_be_older && said.contradiction.empty())
      said.contradiction = "the decoder accepts it, read without its type it is refused: " + said.text;
    return said;
  }
  const ingot::dynamic_value root = found->root();
  said.text = value_text::of(root);
  if (said.contradiction.empty()) said.contradiction = of.differs(bytes, &root);
  return said;
}

} // namespace readers
