// SPDX-License-Identifier: Apache-2.0
// Operations of a type that the test knows only at run time.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/previous.hpp>
#include <ingot/schema/schema.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace versions {

using byte_vector = std::vector<std::byte>;
using read_bytes = ingot::result<byte_vector>;

/// Takes and returns values as packed bytes, which the model reads and writes itself.
struct type_functions {
  ingot::schema (*schema)();
  read_bytes (*round_trip)(ingot::bytes_view packed);
  read_bytes (*to_document)(ingot::bytes_view packed, bool compacted);
  read_bytes (*as)(const ingot::value& from);
  read_bytes (*as_evolved)(const ingot::value& from);
  ingot::compatibility (*compatible)(const ingot::schema& old);
  read_bytes (*evolve)(ingot::bytes_view packed, const ingot::schema& old);
};

inline byte_vector bytes_of(ingot::bytes_view view) { return {view.begin(), view.end()}; }

template <class T>
read_bytes packed_again(const ingot::result<T>& value) {
  if (!value) return ingot::fail(value.error());
  const auto bytes = ingot::pack(*value);
  if (!bytes) return ingot::fail(bytes.error());
  return bytes_of(ingot::as_bytes_view(*bytes));
}
template <class T>
byte_vector default_bytes() {
  return *packed_again(ingot::result<T>(T{}));
}
template <class T>
inline constexpr type_functions functions_of{
    [] { return ingot::schema_of<T>(); },
    [](ingot::bytes_view packed) { return packed_again(ingot::unpack<T>(packed)); },
    [](ingot::bytes_view packed, bool compacted) -> read_bytes {
      const auto value = ingot::unpack<T>(packed);
      if (!value) return ingot::fail(value.error());
      ingot::document stored;
      stored = *value;
      if (compacted) stored.compact();
      return bytes_of(stored.bytes());
    },
    [](const ingot::value& from) { return packed_again(from.as<T>()); },
    [](const ingot::value& from) { return packed_again(from.as_evolved<T>()); },
    [](const ingot::schema& old) { return ingot::compatible<T>(old); },
    [](ingot::bytes_view packed, const ingot::schema& old) -> read_bytes {
      const auto conversion = ingot::evolution<T>::from(old);
      if (!conversion) return ingot::fail(conversion.error());
      return packed_again(conversion->unpack(packed));
    }};

/// The default-constructed value of a record, registered by any file.
struct named_default {
  std::string_view space;
  std::string_view name;
  byte_vector (*bytes)();
};
/// A version of a family, and the words that describe it to the model.
struct version {
  int family;
  int number;
  std::string_view space;
  std::string_view words;
  const type_functions& does;
};

inline std::vector<named_default>& all_defaults() {
  static std::vector<named_default> all;
  return all;
}
inline std::vector<version>& all_versions() {
  static std::vector<version> all;
  return all;
}
struct registered_defaults {
  registered_defaults(std::initializer_list<named_default> some) {
    all_defaults().insert(all_defaults().end(), some);
  }
};
struct registered_types {
  registered_types(std::initializer_list<version> some) {
    for (const version& each : some) all_versions().push_back(each);
  }
};

} // namespace versions
