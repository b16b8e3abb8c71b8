// SPDX-License-Identifier: Apache-2.0
// Measures the table "Bounds" of SECURITY.md: for each reader the maximum of comparisons and memory
// for each byte of a hostile set, and the deepest stack. It counts instead of measuring time, so
// that a slow machine changes nothing. Each number is compared with the table.
#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "flat_shapes.hpp"
#include "hostile/bounds.hpp"
#include "hostile/failing_memory.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using bounds::row;
using ingot::bytes_view;
using ingot::errc;

/// The bytes of a value, and the reader that decodes them.
struct packed {
  static constexpr const char* name = "`unpack`";
  template <class T>
  static auto bytes(const T& value) {
    return ingot::pack(value).value();
  }
  template <class T, class Bytes>
  static auto read(const Bytes& bytes) {
    return ingot::unpack<T>(bytes);
  }
};
struct compact {
  static constexpr const char* name = "`compact::unpack`";
  template <class T>
  static auto bytes(const T& value) {
    return ingot::compact::pack(value).value();
  }
  template <class T, class Bytes>
  static auto read(const Bytes& bytes) {
    return ingot::compact::unpack<T>(bytes);
  }
};
struct protobuf {
  static constexpr const char* name = "`protobuf::read`";
  template <class T>
  static auto bytes(const T& value) {
    return ingot::protobuf::write(value).value();
  }
  template <class T, class Bytes>
  static auto read(const Bytes& bytes) {
    return ingot::protobuf::read<T>(bytes);
  }
};
struct text {
  static constexpr const char* name = "`json::read`";
  template <class T>
  static auto bytes(const T& value) {
    return ingot::json::write(value).value();
  }
  template <class T, class Bytes>
  static auto read(const Bytes& bytes) {
    return ingot::json::read<T>(std::string_view(bytes));
  }
};
struct archived {
  static constexpr const char* name = "`value::as`";
  template <class T>
  static auto bytes(const T& value) {
    return ingot::document(value, ingot::max_block_size{std::size_t{1} << 28});
  }
  template <class T, class Bytes>
  static auto read(const Bytes& bytes) {
    return bytes.root().template as<T>();
  }
};
template <auto Write, auto Read>
struct exchanged {
  static constexpr const char* name = "`msgpack`, `cbor`";
  template <class T>
  static auto bytes(const T& value) {
    return Write(archived::bytes(value).root()).value();
  }
  template <class T, class Bytes>
  static auto read(const Bytes& bytes) {
    return Read(bytes);
  }
};
template <class Bytes>
std::size_t size_of(const Bytes& bytes) {
  if constexpr (requires { bytes.bytes(); }) return bytes.bytes().size();
  else return bytes.size();
}

/// Containers that move their entries. Each move counts as work.
using flat_descending = flat_shapes::set<bounds::key, bounds::greater, flat_shapes::shape::standard>;
using flat_ascending = flat_shapes::set<bounds::key, bounds::less>;
using flat_map_descending = flat_shapes::map<bounds::key, int, bounds::greater, flat_shapes::shape::sequence>;

template <class Reader>
void expect_promise() {
  row measured(Reader::name);
  for (const std::size_t times : row::sizes) {
    const auto measure = [&]<class T>(std::type_identity<T>, const char* what, const auto& value) {
      const auto bytes = Reader::bytes(value);
      measured.measure(times, what, size_of(bytes), [&] { return Reader::template read<T>(bytes); });
    };
    bounds::ordered upwards;
    bounds::descending downwards;
    std::map<bounds::key, int, bounds::less> entries;
    for (std::uint64_t i = 0; i < 1'000 * times; ++i) {
      upwards.insert({i});
      downwards.insert({i});
      entries.insert({{i}, 0});
    }
    measure(std::type_identity<flat_descending>(), "descending, flat", upwards);
    measure(std::type_identity<flat_ascending>(), "ascending, flat", downwards);
    measure(std::type_identity<flat_map_descending>(), "descending, flat map", entries);
    bounds::for_each_hostile_value(times, measure);
  }
  measured.expect();
}

TEST(bounds, unpack) { expect_promise<packed>(); }
TEST(bounds, compact) { expect_promise<compact>(); }
TEST(bounds, protobuf) { expect_promise<protobuf>(); }
TEST(bounds, json) { expect_promise<text>(); }
TEST(bounds, documents_as_types) { expect_promise<archived>(); }
TEST(bounds, msgpack_and_cbor) {
  expect_promise<exchanged<ingot::msgpack::write, ingot::msgpack::read_document>>();
  expect_promise<exchanged<ingot::cbor::write, ingot::cbor::read_document>>();
}

// --- readers without a type from the sender, or without any type ---------------------------------

struct branch {
  ingot::string name;
  ingot::vector<branch> inside;
  ingot::map<std::uint64_t, ingot::string> ordered;
  ingot::hash_map<std::uint64_t, ingot::string> hashed;
};

/// Blocks that are wide, that have many empty values or large tables and trees, and that are
/// 2,000 `times` levels deep.
std::vector<ingot::live<branch>> hostile_blocks(std::size_t times) {
  std::vector<ingot::live<branch>> blocks;
  for (int i = 0; i < 4; ++i) blocks.emplace_back(ingot::max_block_size{std::size_t{1} << 28});
  blocks[0]->inside.resize(2'000 * times);
  for (std::uint64_t i = 0; i < 2'000 * times; ++i) {
    blocks[1]->ordered[i] = "text that is too long for its place";
    blocks[2]->hashed[i << 32] = "";
  }
  branch* at = &*blocks[3];
  for (std::size_t i = 0; i < 2'000 * times; ++i) at = &at->inside.emplace_back();
  return blocks;
}

TEST(bounds, live_blocks) {
  row opened("`live::open`");
  for (const std::size_t times : row::sizes) {
    std::size_t number = 0;
    for (const auto& block : hostile_blocks(times)) {
      const bytes_view bytes = block.bytes();
      opened.measure(times, std::to_string(number++), bytes.size(),
                     [&] { return ingot::live<branch>::open(bytes); });
    }
  }
  opened.expect();
}

TEST(bounds, documents) {
  row of_text("`json::read_document`", false);
  row of_blocks("`document::open`");
  row of_archives("`unarchive`");
  for (const std::size_t times : row::sizes) {
    std::size_t number = 0;
    for (const std::string& text : bounds::hostile_texts(times)) {
      const std::string what = std::to_string(number++);
      of_text.measure(times, what, text.size(), [&] { return ingot::json::read_document(text); });
      const ingot::document doc = ingot::json::read_document(text).value();
      const bytes_view bytes = doc.bytes();
      of_blocks.measure(times, what, bytes.size(), [&] { return ingot::document::open(bytes); });
      const auto archive = ingot::archive(doc).value();
      of_archives.measure(times, what, size_of(archive), [&] { return ingot::unarchive(archive); });
    }
  }
  of_text.expect();
  of_blocks.expect();
  of_archives.expect();
}

// --- max_memory ----------------------------------------------------------------------------------

struct listed {
  int first = 0;
  std::vector<std::vector<std::string>> lists;
};

/// A record that takes one byte of a compact message, and 4 KiB of memory.
struct roomy {
  std::array<std::uint64_t, 512> numbers{};
};
} // namespace
template <>
inline constexpr auto ingot::annotations<roomy> = ingot::annotate(ingot::type(ingot::evolvable));
namespace {

TEST(max_memory, records_of_one_byte_each_are_rejected_before_memory_is_taken) {
  // a count of 20,000
  std::vector<std::byte> bytes{std::byte{0xA0}, std::byte{0x9C}, std::byte{0x01}};
  bytes.resize(3 + 20'000);
  failing::memory.bytes = failing::memory.peak = 0;
  failing::memory.measures = true;
  const auto outcome = ingot::compact::unpack<std::vector<roomy>>(bytes);
  failing::memory.measures = false;
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), errc::too_much_memory) << outcome.error().message();
  EXPECT_LT(failing::memory.peak, 100'000u);
  EXPECT_TRUE(ingot::compact::unpack<std::vector<roomy>>(bytes, {.limits = {.max_memory = 90'000'000}}));
}

TEST(max_memory, is_an_error_with_the_path_before_memory_is_taken) {
  listed value{1, {{}, std::vector<std::string>(10'000, "x")}};
  const auto bytes = ingot::pack(value).value();
  const auto compact_bytes = ingot::compact::pack(value).value();
  const auto proto = ingot::protobuf::write(value).value();
  const auto json = ingot::json::write(value).value();
  const ingot::document doc(value);
  const auto check = [](const auto& outcome, bool indexed) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), errc::too_much_memory) << outcome.error().message();
    EXPECT_TRUE(outcome.error().path().starts_with(indexed ? "lists[1]" : "lists")) << outcome.error().path();
    EXPECT_NE(outcome.error().message().find("max_memory"), std::string::npos);
  };
  constexpr std::uint64_t little = 100'000;
  failing::memory.bytes = failing::memory.peak = 0;
  failing::memory.measures = true;
  check(ingot::unpack<listed>(bytes, {.limits = {.max_memory = little}}), true);
  check(ingot::compact::unpack<listed>(compact_bytes, {.limits = {.max_memory = little}}), true);
  check(ingot::json::read<listed>(json, {.max_memory = little}), true);
  check(ingot::protobuf::read<listed>(proto, {.max_memory = little}), true);
  failing::memory.measures = false;
  EXPECT_LT(failing::memory.peak, 8 * little);
  check(doc.root().as<listed>(ingot::conversion_options{.max_memory = little}), true);
  constexpr std::uint64_t enough = 2'000'000;
  EXPECT_TRUE(ingot::unpack<listed>(bytes, {.limits = {.max_memory = enough}}));
  EXPECT_TRUE(ingot::compact::unpack<listed>(compact_bytes, {.limits = {.max_memory = enough}}));
  EXPECT_TRUE(ingot::json::read<listed>(json, {.max_memory = enough}));
  EXPECT_TRUE(ingot::protobuf::read<listed>(proto, {.max_memory = enough}));
  EXPECT_TRUE(doc.root().as<listed>(ingot::conversion_options{.max_memory = enough}));
}

/// Decodes the same value into documents. Each reader rejects it before it uses more memory than
/// `max_memory`.
TEST(max_memory, documents_are_rejected_with_the_path_before_memory_is_taken) {
  const listed value{1, {{}, std::vector<std::string>(10'000, "x")}};
  const ingot::document doc(value);
  const auto packed = ingot::msgpack::write(doc).value();
  const auto cbor = ingot::cbor::write(doc).value();
  const std::string json = ingot::json::write(doc).value();
  const auto proto = ingot::protobuf::write(value).value();
  const ingot::schema schema = ingot::read_schema(ingot::schema_bytes<listed>()).value();
  const auto check = [](const auto& outcome) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), errc::too_much_memory) << outcome.error().message();
    EXPECT_TRUE(outcome.error().path().starts_with("lists[1]")) << outcome.error().path();
    EXPECT_NE(outcome.error().message().find("max_memory"), std::string::npos);
  };
  constexpr std::uint64_t little = 100'000;
  failing::memory.bytes = failing::memory.peak = 0;
  failing::memory.measures = true;
  check(ingot::msgpack::read_document(packed, {.max_memory = little}));
  check(ingot::cbor::read_document(cbor, {.max_memory = little}));
  check(ingot::json::read_document(json, {.max_memory = little}));
  check(ingot::protobuf::read_document(proto, schema, {.max_memory = little}));
  failing::memory.measures = false;
  EXPECT_LT(failing::memory.peak, 8 * little);
  bytes_view next = packed;
  check(ingot::msgpack::read_next(next, {.max_memory = little}));
  ingot::document to(std::vector<int>{1});
  check(ingot::msgpack::read_into(to.root()[0], packed, {.max_memory = little}));
  check(ingot::cbor::read_into(to.root()[0], cbor, {.max_memory = little}));
  check(ingot::json::read_into(to.root()[0], json, {.max_memory = little}));
  EXPECT_EQ(to, ingot::document(std::vector<int>{1})) << "after an error it is as it was";
  constexpr std::uint64_t enough = 1'000'000;
  EXPECT_EQ(ingot::msgpack::read_document(packed, {.max_memory = enough}).value(), doc);
  EXPECT_EQ(ingot::cbor::read_document(cbor, {.max_memory = enough}).value(), doc);
  EXPECT_EQ(ingot::json::read_document(json, {.max_memory = enough}).value(), doc);
  EXPECT_TRUE(ingot::protobuf::read_document(proto, schema, {.max_memory = enough}));
  EXPECT_TRUE(ingot::msgpack::read_into(to.root()[0], packed, {.max_memory = enough}));
}

TEST(max_memory, counts_documents_that_are_members) {
  struct holder {
    std::vector<ingot::document> documents;
  };
  std::string numbers = "0.5";
  for (int i = 0; i < 5'000; ++i) numbers += ",0.5";
  const std::string json = R"({"documents":[1,[)" + numbers + "]]}";
  const auto outcome = ingot::json::read<holder>(json, {.max_memory = 20'000});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), errc::too_much_memory) << outcome.error().message();
  EXPECT_TRUE(outcome.error().path().starts_with("documents[1][")) << outcome.error().path();
  EXPECT_TRUE(ingot::json::read<holder>(json, {.max_memory = 1'000'000}));
}

// A valid message of ordinary types is far below the default limit.
TEST(max_memory, the_default_accepts_messages_of_empty_values) {
  using maps = std::vector<std::map<std::string, std::string>>;
  EXPECT_TRUE(ingot::compact::unpack<maps>(ingot::compact::pack(maps(200'000))));
  EXPECT_TRUE(ingot::unpack<maps>(ingot::pack(maps(200'000))));
}

} // namespace
