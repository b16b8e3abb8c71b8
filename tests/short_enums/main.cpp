// SPDX-License-Identifier: Apache-2.0
// Compiled with and without -fshort-enums: an enum without a fixed underlying type has the same
// bytes and the same schema in both. A program without gtest, whose own enums would have other
// sizes than in its library.
#include <ingot/document/document.hpp>
#include <ingot/live/live.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

enum compass { north, east, south, west };
enum temperature { freezing = -5, mild = 15, hot = 35 };
enum medium { medium_low = 1, medium_high = 1000 };
enum wide : std::uint8_t { wide_one = 1 }; // fixed: one byte everywhere
enum huge { huge_one = 1, huge_more = 0x100000000 };
enum number { number_one = 1, number_two = 2, number_most = 200 };
enum rights { rights_read = 1, rights_write = 2 };
constexpr rights operator|(rights a, rights b) { return static_cast<rights>(int{a} | int{b}); }

template <>
inline constexpr auto ingot::annotations<number> =
    ingot::annotate(ingot::type(ingot::open_enum), ingot::enumerator<number_two>(ingot::rename("two")));

#if INGOT_EXPECTS_SHORT_ENUMS
static_assert(sizeof(compass) == 1 && sizeof(temperature) == 1 && sizeof(medium) == 2 && sizeof(rights) == 1);
#else
static_assert(sizeof(compass) == 4 && sizeof(temperature) == 4 && sizeof(medium) == 4 && sizeof(rights) == 4);
#endif
static_assert(sizeof(huge) == 8);

struct everything {
  compass where = south;
  temperature how = freezing;
  medium much = medium_high;
  wide fixed = wide_one;
  huge far = huge_more;
  number count = static_cast<number>(77);
  rights may = rights_read | rights_write;
  std::vector<compass> route{west, north};
  std::map<temperature, std::uint8_t> days{{freezing, 1}, {hot, 2}};
  friend bool operator==(const everything&, const everything&) = default;
};
struct varints {
  std::vector<temperature> all{mild, freezing};
};
template <>
inline constexpr auto ingot::annotations<varints> = ingot::annotate(ingot::member<"all">(ingot::varint));

namespace {

int failures = 0;
void check(bool good, const char* what) {
  if (!good) std::printf("not so: %s\n", what), ++failures;
}

template <class Bytes>
std::string hex(const Bytes& bytes) {
  std::string text;
  for (const auto each : bytes) {
    constexpr const char* digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned>(each);
    text += {digits[byte >> 4 & 15], digits[byte & 15]};
  }
  return text;
}
void expect(const std::string& found, const std::string& expected, const char* what) {
  if (found != expected) std::printf("%s\n", found.c_str());
  check(found == expected, what);
}

} // namespace

int main() {
  const everything value;
  const auto packed = ingot::pack(value).value();
  expect(hex(packed),
         "02000000"
         "fbffffff"
         "e8030000"
         "01"
         "0000000001000000"
         "4d000000"
         "03000000" // the fixed part
         "08000000"
         "12000000" // ends
         "03000000"
         "00000000"
         "fbffffff"
         "01"
         "23000000"
         "02",
         "packed bytes");
  check(ingot::unpack<everything>(packed).value() == value, "packed bytes are read back");
  expect(hex(ingot::compact::pack(varints{}).value()), "021e09", "compact bytes");
  expect(ingot::schema_of<everything>().to_text(),
         "record\n"
         "  where: enum u32 {north = 0, east = 1, south = 2, west = 3}\n"
         "  how: enum i32 {freezing = -5, mild = 15, hot = 35}\n"
         "  much: enum u32 {medium_low = 1, medium_high = 1000}\n"
         "  fixed: enum u8 {wide_one = 1}\n"
         "  far: enum u64 {huge_one = 1, huge_more = 4294967296}\n"
         "  count: open enum u32 {number_one = 1, two = 2, number_most = 200}\n"
         "  may: flags enum u32 {rights_read = 1, rights_write = 2}\n"
         "  route: sequence of enum u32 {north = 0, east = 1, south = 2, west = 3}\n"
         "  days: map\n"
         "    key: enum i32 {freezing = -5, mild = 15, hot = 35}\n"
         "    value: u8\n",
         "the schema");

  ingot::document document;
  document = value;
  check(document["where"].as<std::string>().value() == "south", "documents have the names of enumerators");
  check(document["days"]["freezing"].as<int>().value() == 1, "keys, too");
  check(document.root().as<everything>().value() == value, "documents are read back");

  const auto proto = ingot::protobuf::write(value).value();
  check(ingot::protobuf::read<everything>(proto).value() == value, "protobuf is read back");

  // A number that the small enum of this compiler can't hold is an error, not another number.
  auto other = packed;
  other[22] = static_cast<std::remove_cvref_t<decltype(other[0])>>(0xFF);
  const auto read = ingot::unpack<everything>(other);
  if (sizeof(number) == 4) check(read.has_value(), "an open enum of four bytes takes the number");
  else
    check(!read && read.error().code() == ingot::errc::out_of_range && read.error().path() == "count",
          "out of range");
  auto wrong = packed;
  wrong[1] = static_cast<std::remove_cvref_t<decltype(wrong[0])>>(1);
  check(ingot::unpack<everything>(wrong).error().code() == ingot::errc::bad_enum, "no enumerator");

  // In a block an enum is what the compiler makes of it.
  struct block {
    compass where{};
    rights may{};
  };
  ingot::live<block> created;
  created->where = west;
  created->may = rights_read | rights_write;
  const std::vector<std::byte> bytes(created.bytes().begin(), created.bytes().end());
  check(ingot::live<block>::open(bytes).has_value(), "a block is read back");
  return failures == 0 ? 0 : 1;
}
