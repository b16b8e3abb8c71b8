// SPDX-License-Identifier: Apache-2.0
#include "typed_scalar.hpp"

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/reflect/detail/range_text.hpp>

#include "cli_support.hpp"
#include "node.hpp"
#include "text.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tool {

namespace {

using ingot::dynamic_kind;
using ingot::dynamic_value;

[[noreturn]] void reject(std::string_view where, const std::string& expected, const ingot::value& found) {
  throw failure(sentence("not changed (" + std::string(where) + ")", expected, node(found).scalar(60),
                         "ingot inspect shows what is there"),
                exit_code::no);
}

/// Stores the lower bytes of a number in this machine's byte order. Blocks of another byte order
/// were rejected before.
void store(std::uint64_t number, std::span<std::byte> bytes) noexcept {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t at = ingot::detail::little_endian ? i : bytes.size() - 1 - i;
    bytes[at] = static_cast<std::byte>(number >> 8 * i & 0xFF);
  }
}

void store_integer(const dynamic_value& scalar, const ingot::value& value, std::span<std::byte> bytes,
                   std::string_view where) {
  const bool has_sign = ingot::detail::dyn::access::type_of(scalar).has(ingot::detail::dyn::is_signed);
  const auto bits = static_cast<unsigned>(8 * bytes.size());
  const std::string range(ingot::detail::integer_range_text(bytes.size(), has_sign).view());
  if (has_sign) {
    const auto number = value.as<std::int64_t>();
    const std::int64_t largest = bits == 64 ? INT64_MAX : (std::int64_t{1} << (bits - 1)) - 1;
    if (!value.is_integer() || !number || *number > largest || *number < -largest - 1)
      reject(where, range, value);
    store(static_cast<std::uint64_t>(*number), bytes);
    return;
  }
  const auto number = value.as<std::uint64_t>();
  if (!value.is_integer() || !number || (bits < 64 && *number >> bits != 0)) reject(where, range, value);
  store(*number, bytes);
}

void store_real(const ingot::value& value, std::span<std::byte> bytes, std::string_view where) {
  const auto number = value.as<double>();
  if (!number || (bytes.size() != 4 && bytes.size() != 8)) reject(where, "a number", value);
  if (bytes.size() == 8) {
    std::memcpy(bytes.data(), &*number, 8);
    return;
  }
  const auto nearest = ingot::detail::nearest_float<float>(*number);
  if (!ingot::detail::is_finite(nearest) && ingot::detail::is_finite(*number))
    reject(where, std::string(ingot::detail::float_range), value);
  std::memcpy(bytes.data(), &nearest, 4);
}

void store_enumerator(const dynamic_value& scalar, const ingot::value& value, std::span<std::byte> bytes,
                      std::string_view where) {
  namespace dyn = ingot::detail::dyn;
  const auto name = value.as<std::string_view>();
  if (!name) return store_integer(scalar, value, bytes, where);
  const auto& type = dyn::access::type_of(scalar);
  std::string names;
  for (const auto& each : dyn::access::memory_of(scalar)->in->enumerators_of(type)) {
    if (each.name == *name) return store(each.value, bytes);
    if (names.size() < 60) (names += names.empty() ? "" : ", ") += each.name;
  }
  reject(where, "one of " + names, value);
}

} // namespace

void overwrite_scalar(const dynamic_value& scalar, const ingot::value& value, std::span<std::byte> bytes,
                      std::string_view where) {
  switch (scalar.kind()) {
  case dynamic_kind::boolean:
    if (!value.is_boolean()) reject(where, "true or false", value);
    return store(value.value_or(false) ? 1 : 0, bytes);
  case dynamic_kind::integer:
  case dynamic_kind::character:
  case dynamic_kind::byte: return store_integer(scalar, value, bytes, where);
  case dynamic_kind::floating: return store_real(value, bytes, where);
  case dynamic_kind::enumeration: return store_enumerator(scalar, value, bytes, where);
  case dynamic_kind::duration:
  case dynamic_kind::time_point:
    return overwrite_scalar(ingot::detail::dyn::access::count_of(scalar), value, bytes, where);
  default: break;
  }
  const std::string what = scalar.exists() ? std::string(to_string(scalar.kind())) : "nothing";
  throw failure(sentence("not changed (" + std::string(where) + ")", "a number, a boolean or an enumerator",
                         what, "a program with its type makes changes that need space in a block"),
                exit_code::no);
}

} // namespace tool
