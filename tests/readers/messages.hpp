// SPDX-License-Identifier: Apache-2.0
// Packed and compact messages of the zoo. Compares the view with the decoder field by field, as the
// tests of hostile bytes do. Compares the reader without the type with the decoder.
#pragma once

#include <ingot/dynamic/message.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema.hpp>

#include "dynamic/agrees.hpp"
#include "hostile/subjects.hpp"
#include "readers/kinds.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace readers {

[[nodiscard]] answer read_message(const kind_of_message& of, ingot::bytes_view bytes);

template <class T>
bool has(ingot::schema_flag flag) {
  return std::ranges::any_of(ingot::schema_of<T>().nodes(),
                             [flag](const ingot::schema_node& each) { return each.attributes.has(flag); });
}

/// For classes that have several encodings of one value. Returns true if the bytes are not the
/// encoding that `value` is written as, and that encoding has this value.
template <class T, form Is>
bool is_another_encoding(const T& value, ingot::bytes_view bytes) {
  const auto written = [&] {
    if constexpr (Is == form::packed) return ingot::pack(value);
    else return ingot::compact::pack(value);
  }();
  if (!written || std::ranges::equal(*written, bytes)) return false;
  const auto profile = Is == form::packed ? ingot::message_profile::pack : ingot::message_profile::compact;
  const auto found = ingot::dynamic_message::open(*written, ingot::schema_of<T>(), profile);
  return found && dynamic_agrees::agree(value, found->root());
}

/// Compares the decoder with the reader without the type. `root` is the latter's value, or null if
/// it rejects the bytes. Returns a contradiction or empty text. Errors that a schema can't predict
/// are no contradiction.
template <class T, form Is>
std::string differs(ingot::bytes_view bytes, const void* root) {
  const auto decoded = [&] {
    if constexpr (Is == form::packed) return ingot::unpack<T>(bytes);
    else return ingot::compact::unpack<T>(bytes);
  }();
  if (decoded) {
    if (root == nullptr) return {};
    const auto& found = *static_cast<const ingot::dynamic_value*>(root);
    if (dynamic_agrees::agree(*decoded, found)) return {};
    return is_another_encoding<T, Is>(*decoded, bytes)
               ? std::string()
               : "read without its type it is another value than what is decoded";
  }
  if (root == nullptr) return {};
  // Errors of rules that schemas don't contain.
  using ingot::errc;
  constexpr errc own[]{errc::out_of_range, errc::too_long, errc::invalid_utf8, errc::invalid_value};
  if (std::ranges::find(own, decoded.error().code()) != std::end(own)) return {};
  // Schemas don't contain defaults either. So a reader without the type can't know if a member had
  // to be left out, nor the order of keys that lack members.
  constexpr errc of_defaults[]{errc::not_canonical, errc::unsorted_keys, errc::duplicate_key};
  if (Is == form::compact && has<T>(ingot::schema_flag::elides_defaults) &&
      std::ranges::find(of_defaults, decoded.error().code()) != std::end(of_defaults))
    return {};
  return "read without its type it is accepted, the decoder says: " + decoded.error().message();
}

template <form Is>
struct adder {
  std::vector<kind_of_message>& all;
  const std::vector<hostile::subject>& subjects;

  template <class T>
  void operator()(std::string_view name) const {
    const auto subject = std::ranges::find(subjects, name, &hostile::subject::name);
    if (subject == subjects.end()) return;
    kind_of_message kind;
    kind.name = (Is == form::packed ? "packed " : "compact ") + std::string(name);
    kind.is = Is;
    kind.may_be_older = has<T>(ingot::schema_flag::is_evolvable);
    const auto described = ingot::schema_bytes<T>();
    kind.description.assign(described.begin(), described.end());
    kind.sample = subject->sample;
    kind.read = read_message;
    kind.differs = differs<T, Is>;
    kind.extra = &*subject;
    all.push_back(std::move(kind));
  }
};

} // namespace readers
