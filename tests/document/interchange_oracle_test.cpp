// SPDX-License-Identifier: Apache-2.0
// MessagePack and CBOR against another program's implementation: it reads the same values from
// ingot's bytes, and ingot reads the same values from its bytes. A mistake that ingot's writer and
// reader share would not show otherwise.
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>

#include "document/interchange_tools.hpp"

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace interchange_oracle_test {

using namespace interchange_test;
using nlohmann::json;

/// Returns true if both are equal, reals bit for bit. Sets `nan` if there is a NaN, whose bits the
/// other program does not keep.
bool same(const ingot::value& v, const json& j, bool& nan) {
  switch (v.kind()) {
  case ingot::value_kind::absent: return false;
  case ingot::value_kind::null: return j.is_null();
  case ingot::value_kind::boolean: return j.is_boolean() && j.get<bool>() == v.value_or(false);
  case ingot::value_kind::integer:
    return j.is_number_integer() && j.get<std::int64_t>() == v.value_or(std::int64_t{0});
  case ingot::value_kind::large_integer:
    return j.is_number_unsigned() && j.get<std::uint64_t>() == v.value_or(std::uint64_t{0});
  case ingot::value_kind::number: {
    const double d = v.value_or(0.0);
    nan = nan || d != d;
    return j.is_number_float() &&
           (d != d ? j.get<double>() != j.get<double>()
                   : std::bit_cast<std::uint64_t>(j.get<double>()) == std::bit_cast<std::uint64_t>(d));
  }
  case ingot::value_kind::text:
    return j.is_string() && j.get_ref<const std::string&>() == v.value_or(std::string_view{});
  case ingot::value_kind::binary:
    return j.is_binary() &&
           hex_of(ingot::as_bytes_view(j.get_binary())) == hex_of(v.as<ingot::bytes_view>().value());
  case ingot::value_kind::array: {
    if (!j.is_array() || j.size() != v.size()) return false;
    for (std::size_t i = 0; i < j.size(); ++i) {
      if (!same(v[i], j[i], nan)) return false;
    }
    return true;
  }
  case ingot::value_kind::object: break;
  }
  if (!j.is_object() || j.size() != v.size()) return false;
  for (const auto [key, mapped] : v.members()) {
    const auto found = j.find(std::string(key));
    if (found == j.end() || !same(mapped, *found, nan)) return false;
  }
  return true;
}
std::vector<std::uint8_t> plain(const ingot::buffer& bytes) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {first, first + bytes.size()};
}

TEST(interchange_oracle, both_programs_mean_the_same_by_the_same_bytes) {
  for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
    dice random(seed);
    const document doc = random_document(random);
    const auto order = seed % 2 == 0 ? ingot::member_order::sorted : ingot::member_order::document;
    const auto msgpack = ingot::msgpack::write(doc, {.order = order});
    const auto cbor = ingot::cbor::write(doc, {.order = order});
    ASSERT_TRUE(msgpack && cbor);
    bool nan = false;
    const json there = json::from_msgpack(plain(*msgpack), true, false);
    ASSERT_TRUE(same(doc.root(), there, nan)) << seed;
    ASSERT_TRUE(same(doc.root(), json::from_cbor(plain(*cbor), true, false), nan)) << seed;
    if (nan) continue;
    ASSERT_EQ(ingot::msgpack::read_document(ingot::as_bytes_view(json::to_msgpack(there))), doc) << seed;
    ASSERT_EQ(ingot::cbor::read_document(ingot::as_bytes_view(json::to_cbor(there))), doc) << seed;
    // The order of keys differs, the number of bytes does not.
    ASSERT_EQ(json::to_msgpack(there).size(), msgpack->size()) << seed;
  }
}

} // namespace interchange_oracle_test
