// SPDX-License-Identifier: Apache-2.0
// max_memory: without it a message of a few bytes takes the memory of its type for each of them.
// tests/hostile/bounds_test.cpp measures the maximum; here each kind of container is rejected with
// its path, and accepted with a higher limit.
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using ingot::errc;

constexpr std::size_t elements = 2'000;
constexpr std::uint64_t little = 15'000; ///< less than 8 bytes for each
constexpr std::uint64_t enough = 400'000;

template <class T>
struct a_member {
  int first = 0;
  T value;
};

template <class Read>
void expect_limited(const Read& read, const char* what) {
  const auto rejected = read(little);
  ASSERT_FALSE(rejected) << what;
  EXPECT_EQ(rejected.error().code(), errc::too_much_memory) << what << ' ' << rejected.error().message();
  EXPECT_TRUE(rejected.error().path().starts_with("value")) << what << ' ' << rejected.error().path();
  const auto outcome = read(enough);
  EXPECT_TRUE(outcome) << what << ' ' << outcome.error().message();
}

template <class T>
void each_reader(T value, const char* what) {
  const a_member<T> held{1, std::move(value)};
  using type = a_member<T>;
  const auto packed = ingot::pack(held).value();
  expect_limited(
      [&](std::uint64_t max_memory) {
        return ingot::unpack<type>(packed, {.limits = {.max_memory = max_memory}});
      },
      what);
  const auto compact = ingot::compact::pack(held).value();
  expect_limited(
      [&](std::uint64_t max_memory) {
        return ingot::compact::unpack<type>(compact, {.limits = {.max_memory = max_memory}});
      },
      what);
  const auto message = ingot::protobuf::write(held).value();
  expect_limited(
      [&](std::uint64_t max_memory) {
        return ingot::protobuf::read<type>(message, {.max_memory = max_memory});
      },
      what);
  const ingot::document doc(held);
  expect_limited(
      [&](std::uint64_t max_memory) {
        return doc.root().as<type>(ingot::conversion_options{.max_memory = max_memory});
      },
      what);
}

struct big {
  std::uint64_t numbers[4]{};
};

TEST(max_memory, limits_lists_sets_maps_and_boxes_of_every_reader) {
  each_reader(std::vector<std::string>(elements, "x"), "a vector");
  each_reader(std::vector<std::vector<std::string>>(200, std::vector<std::string>(10, "x")), "many vectors");
  each_reader(std::list<std::string>(elements, "x"), "a list");
  std::set<std::string> set;
  std::map<std::uint32_t, big> map;
  for (std::uint32_t i = 0; i < elements; ++i) {
    set.insert(std::to_string(i));
    map[i] = {};
  }
  each_reader(set, "a set");
  each_reader(map, "a map");
}

struct pointed {
  std::vector<std::unique_ptr<std::vector<big>>> value;
};

TEST(max_memory, counts_what_boxes_hold) {
  pointed held;
  for (std::size_t i = 0; i < elements; ++i) held.value.push_back(std::make_unique<std::vector<big>>());
  constexpr std::uint64_t pointers = elements * sizeof(void*) + 1'000;
  const auto rejected = [](const auto& outcome) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), errc::too_much_memory) << outcome.error().message();
  };
  const auto packed = ingot::pack(held).value();
  rejected(ingot::unpack<pointed>(packed, {.limits = {.max_memory = pointers}}));
  EXPECT_TRUE(ingot::unpack<pointed>(packed, {.limits = {.max_memory = enough}}));
  const auto compact = ingot::compact::pack(held).value();
  rejected(ingot::compact::unpack<pointed>(compact, {.limits = {.max_memory = pointers}}));
  EXPECT_TRUE(ingot::compact::unpack<pointed>(compact, {.limits = {.max_memory = enough}}));
  const ingot::document doc(held);
  rejected(doc.root().as<pointed>(ingot::conversion_options{.max_memory = pointers}));
  EXPECT_TRUE(doc.root().as<pointed>(ingot::conversion_options{.max_memory = enough}));
}

TEST(max_memory, limits_numbers_of_packed_messages) {
  const std::vector<std::uint64_t> numbers(elements);
  const auto packed = ingot::pack(numbers).value();
  EXPECT_EQ(
      ingot::unpack<std::vector<std::uint64_t>>(packed, {.limits = {.max_memory = little}}).error().code(),
      errc::too_much_memory);
  EXPECT_TRUE(ingot::unpack<std::vector<std::uint64_t>>(packed, {.limits = {.max_memory = 16'000}}));
}

/// A record that takes one byte of a compact message, whatever its size.
struct roomy {
  std::uint64_t numbers[512]{};
};
} // namespace
template <>
inline constexpr auto ingot::annotations<roomy> = ingot::annotate(ingot::type(ingot::evolvable));
namespace {

TEST(max_memory, records_of_one_byte_each_are_rejected_by_default) {
  std::vector<std::byte> bytes{std::byte{0xA0}, std::byte{0x9C}, std::byte{0x01}}; // 20,000 of them
  bytes.resize(3 + 20'000);
  EXPECT_EQ(ingot::compact::unpack<std::vector<roomy>>(bytes).error().code(), errc::too_much_memory);
}

struct old_part {
  std::uint8_t number = 0;
};
struct many_defaults {
  std::uint8_t number = 0;
  std::uint64_t more[256]{};
};

struct many_texts {
  std::uint8_t number = 0;
  std::string more[60];
};

TEST(max_memory, messages_of_older_types_are_bounded_by_their_own_bytes) {
  const std::vector<old_part> before(20'000);
  const auto old = ingot::schema_of<std::vector<old_part>>();
  const auto conversion = ingot::evolution<std::vector<many_defaults>>::from(old).value();
  const auto bytes = ingot::pack(before).value();
  const auto rejected = conversion.unpack(bytes);
  EXPECT_EQ(rejected.error().code(), errc::too_much_memory);
  EXPECT_EQ(rejected.error().found(),
            ""); // rejected before its new bytes are created, when the necessary memory is unknown
  EXPECT_EQ(conversion.unpack(bytes, {.limits = {.max_memory = 200'000'000}}).value().size(), 20'000u);
  // few bytes that need much memory
  const auto texts = ingot::evolution<std::vector<many_texts>>::from(old).value();
  EXPECT_EQ(texts.unpack(bytes).error().code(), errc::too_much_memory);
  EXPECT_EQ(texts.unpack(bytes, {.limits = {.max_memory = 200'000'000}}).value().size(), 20'000u);
}

/// Returns the minimum `max_memory` with which `read` succeeds.
template <class Read>
std::uint64_t min_memory(const Read& read) {
  std::uint64_t rejected = 0;
  std::uint64_t accepted = std::uint64_t{1} << 30;
  while (accepted - rejected > 1) {
    const std::uint64_t limit = rejected + (accepted - rejected) / 2;
    const auto outcome = read(limit);
    if (outcome) {
      accepted = limit;
    } else {
      EXPECT_EQ(outcome.error().code(), errc::too_much_memory) << outcome.error().message();
      rejected = limit;
    }
  }
  return accepted;
}

// A document counts, and so do the lists of values and bytes of short texts that are not yet in it.
TEST(max_memory, bounds_documents_and_the_lists_of_their_readers) {
  const std::vector<std::string> empty(elements);
  const std::vector<std::string> short_texts(elements, "12345678");
  const auto schema = ingot::schema_of<std::vector<std::string>>();
  std::vector<std::uint64_t> limits; // for three readers of empty texts, then for the others
  for (const auto& value : {empty, short_texts}) {
    const ingot::document doc(value);
    const auto packed = ingot::msgpack::write(doc).value();
    const auto cbor = ingot::cbor::write(doc).value();
    const auto message = ingot::protobuf::write(value).value();
    limits.push_back(min_memory([&](std::uint64_t max_memory) {
      return ingot::msgpack::read_document(packed, {.max_memory = max_memory});
    }));
    limits.push_back(min_memory([&](std::uint64_t max_memory) {
      return ingot::cbor::read_document(cbor, {.max_memory = max_memory});
    }));
    limits.push_back(min_memory([&](std::uint64_t max_memory) {
      return ingot::protobuf::read_document(message, schema, {.max_memory = max_memory});
    }));
  }
  EXPECT_EQ(limits[0], limits[1]);
  EXPECT_EQ(limits[3], limits[4]);
  EXPECT_GE(limits[0], (elements - 32) * 24 + elements * 2) << "values, and cells of the document";
  EXPECT_LE(limits[0], elements * 100);
  EXPECT_GE(limits[3], limits[0] + elements * 8 * 2) << "bytes, in the list and in the document";
  EXPECT_GE(limits[2], limits[0] + elements * 40) << "fields of a message";
  EXPECT_LE(limits[5], elements * 200);
}

TEST(max_memory, of_a_reader_ends_with_it) {
  const auto packed = ingot::msgpack::write(ingot::document(std::vector<int>{1, 2})).value();
  const ingot::msgpack::read_options small{.max_memory = 200};
  auto doc = ingot::msgpack::read_document(packed, small).value();
  ASSERT_TRUE(doc.root().set(std::string(10'000, 'x')));
  ingot::document to(std::vector<int>{1});
  ASSERT_TRUE(ingot::msgpack::read_into(to.root()[0], packed, small));
  ASSERT_TRUE(to.root()[0].set(std::string(10'000, 'x')));
  const auto schema = ingot::schema_of<std::vector<int>>();
  const auto message = ingot::protobuf::write(std::vector<int>{1, 2}).value();
  auto read = ingot::protobuf::read_document(message, schema, {.max_memory = 500}).value();
  ASSERT_TRUE(read.root().set(std::string(10'000, 'x')));
  EXPECT_EQ(read, doc);
  ingot::document_writer events; // the memory of a rejected value does not count for the next one
  const auto large = ingot::msgpack::write(ingot::document(std::vector<int>(1'000, 100'000))).value();
  EXPECT_EQ(ingot::msgpack::read_events(events, large, small).error().code(), errc::too_much_memory);
  events.restart();
  EXPECT_TRUE(ingot::msgpack::read_events(events, packed, small));
  EXPECT_EQ(events.finish().value(), ingot::document(std::vector<int>{1, 2}));
}

// The error has the path of the value that did not fit, even if other values end at the same byte.
TEST(max_memory, names_the_value_that_is_too_much) {
  ingot::document doc;
  doc["a"] = std::map<std::string, std::string>{{"b", std::string(5'000, 'x')}};
  const auto packed = ingot::msgpack::write(doc).value();
  EXPECT_EQ(ingot::msgpack::read_document(packed, {.max_memory = 2'000}).error().path(), "a.b");
  const auto cbor = ingot::cbor::write(doc).value();
  EXPECT_EQ(ingot::cbor::read_document(cbor, {.max_memory = 2'000}).error().path(), "a.b");
}

// Text in its own node counts before it is copied.
TEST(max_memory, counts_long_texts_of_documents) {
  ingot::document doc;
  doc["text"] = std::string(50'000, 'x');
  const auto text = ingot::msgpack::write(doc).value();
  const auto rejected = ingot::msgpack::read_document(text, {.max_memory = 49'000});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::too_much_memory);
  EXPECT_EQ(rejected.error().path(), "text");
  EXPECT_TRUE(ingot::msgpack::read_document(text, {.max_memory = 51'000}));
}

// Values that a reference repeats count each time.
TEST(max_memory, bounds_references_of_cbor) {
  std::vector<std::byte> bytes;
  const auto put = [&](std::initializer_list<unsigned> some) {
    for (const unsigned each : some) bytes.push_back(static_cast<std::byte>(each));
  };
  put({0x9A, 0, 0, 4, 0, 0xD8, 28, 0x98, 128}); // 1,024 values, the first with 128 texts
  for (int i = 0; i < 128; ++i) put({0x61, 'x'});
  for (int i = 1; i < 1'024; ++i) put({0xD8, 29, 0});
  const ingot::max_block_size max_size{std::size_t{1} << 30};
  const ingot::cbor::read_options all{.unsupported_values = ingot::unsupported_values::plain,
                                      .max_memory = std::uint64_t{1} << 30};
  const auto outcome = ingot::cbor::read_document(bytes, max_size, all);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_GT(outcome->bytes().size(), 250'000u);
  ingot::cbor::read_options fewer = all;
  fewer.max_memory = 150'000;
  EXPECT_EQ(ingot::cbor::read_document(bytes, max_size, fewer).error().code(), errc::too_much_memory);
}

} // namespace
