// SPDX-License-Identifier: Apache-2.0
// The table "Bounds" of SECURITY.md, measured: for each reader the most comparisons and the most
// memory for each byte of a hostile set, and the deepest stack. Counts, not time, so that a slow
// machine changes nothing. What the table promises is what is compared here, number by number.
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
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "flat_shapes.hpp"
#include "hostile/failing_memory.hpp"
#include "small_stack.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

namespace {

using ingot::bytes_view;
using ingot::errc;

// --- what is counted ---------------------------------------------------------------------------------------

std::uint64_t work = 0; ///< comparisons of keys, and bytes of text that they look at

struct key {
  std::uint64_t number = 0;
  friend bool operator==(const key& a, const key& b) noexcept {
    ++work;
    return a.number == b.number;
  }
};
struct less {
  bool operator()(const key& a, const key& b) const noexcept {
    ++work;
    return a.number < b.number;
  }
  bool operator()(const std::string& a, const std::string& b) const noexcept {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    work += 1 + static_cast<std::uint64_t>(x - a.begin()) / 8; // as memcmp goes
    return std::lexicographical_compare(x, a.end(), y, b.end());
  }
};
struct greater {
  bool operator()(const key& a, const key& b) const noexcept { return less{}(b, a); }
};
struct one_hash {
  std::size_t operator()(const key&) const noexcept { return 1; }
};
struct good_hash {
  std::size_t operator()(const key& k) const noexcept { return k.number; }
};

// --- values that a sender may choose -----------------------------------------------------------------------

using hashed = std::unordered_set<key, good_hash>;
using colliding = std::unordered_set<key, one_hash>;
using ordered = std::set<key, less>;
using descending = std::set<key, greater>;
using texts = std::set<std::string, less>;
/// Containers that move their entries, which count as work.
using flat_descending = flat_shapes::set<key, greater, flat_shapes::shape::standard>;
using flat_ascending = flat_shapes::set<key, less>;
using flat_map_descending = flat_shapes::map<key, int, greater, flat_shapes::shape::sequence>;
using empties = std::vector<std::vector<std::string>>;
struct part {
  std::vector<int> of;
};
using parts = std::vector<part>;
struct node {
  std::vector<node> inside;
};

/// Bytes of a value, and what a reader makes of them.
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
    return ingot::document(value);
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
    return Write(ingot::document(value).root()).value();
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

// --- the stack ---------------------------------------------------------------------------------------------

/// Calls `f` on a thread whose stack is painted, and returns how much of it was written.
template <class F>
std::size_t stack_of(const F& f) {
  constexpr std::size_t size = std::size_t{1} << 20;
  const std::unique_ptr<std::byte[]> stack(new std::byte[size]);
  std::memset(stack.get(), 0x5A, size);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack.get(), size);
  pthread_t thread{};
  const auto call = [](void* of) -> void* {
    (*static_cast<const F*>(of))();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, call, const_cast<F*>(&f)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  std::size_t untouched = 0;
  while (untouched < size && stack[untouched] == std::byte{0x5A}) ++untouched;
  return size - untouched;
}

struct measured {
  double work = 0;
  double memory = 0;
  std::size_t stack = 0;
};

/// Measures one call of `f`, which reads `length` bytes and returns a result.
template <class F>
void measure_call(measured& worst, std::size_t length, const char* reader, const char* what, const F& f) {
  const auto size = static_cast<double>(length);
  std::uint64_t compared = 0;
  std::size_t most = 0;
  const auto read = [&] {
    work = 0;
    flat_shapes::moved = 0;
    failing::memory.bytes = failing::memory.most = 0;
    failing::memory.measures = true;
    const auto made = f();
    failing::memory.measures = false;
    most = failing::memory.most;
    compared = work + flat_shapes::moved;
    if (!made) {
      const errc code = made.error().code();
      EXPECT_TRUE(code == errc::too_many_collisions || code == errc::too_much_memory ||
                  code == errc::too_deep)
          << reader << ' ' << what << ' ' << made.error().message();
    }
  };
  worst.stack = std::max(worst.stack, stack_of(read));
  worst.work = std::max(worst.work, static_cast<double>(compared) / size);
  worst.memory = std::max(worst.memory, static_cast<double>(most) / size);
}

template <class T, class Reader, class From>
void measure(measured& worst, const From& value, const char* what) {
  const auto bytes = Reader::bytes(value);
  measure_call(worst, size_of(bytes), Reader::name, what, [&] { return Reader::template read<T>(bytes); });
}

template <class Reader>
measured measure_all() {
  measured worst;
  constexpr std::uint64_t many = 3'000;
  hashed keys;
  descending downwards;
  ordered upwards;
  std::map<key, int, less> entries;
  texts prefixed;
  for (std::uint64_t i = 0; i < many; ++i) {
    keys.insert({i});
    downwards.insert({i});
    upwards.insert({i});
    entries.insert({{i}, 0});
  }
  for (int i = 0; i < 100; ++i) prefixed.insert(std::string(2'000, 'a') + std::to_string(1000 + i));
  measure<colliding, Reader>(worst, keys, "colliding");
  measure<descending, Reader>(worst, upwards, "descending");
  measure<ordered, Reader>(worst, downwards, "ascending");
  measure<flat_descending, Reader>(worst, upwards, "descending, flat");
  measure<flat_ascending, Reader>(worst, downwards, "ascending, flat");
  measure<flat_map_descending, Reader>(worst, entries, "descending, flat map");
  measure<texts, Reader>(worst, prefixed, "long equal prefixes");
  measure<empties, Reader>(worst, empties(20'000), "many empties");
  measure<parts, Reader>(worst, parts(20'000), "many empty records");
  measure<std::vector<int>, Reader>(worst, std::vector<int>(20'000), "wide");
  measure<std::string, Reader>(worst, std::string(100'000, 'x'), "one huge");
  node deep;
  for (int i = 0; i < 30; ++i) {
    node outer;
    outer.inside.push_back(std::move(deep));
    deep = std::move(outer);
  }
  measure<node, Reader>(worst, deep, "deep");
  return worst;
}

/// The row of a reader in SECURITY.md: its numbers of work and memory for each byte, and KiB of
/// stack.
std::array<double, 3> promised(const std::string& reader) {
  std::ifstream page(INGOT_SOURCE_DIR "/SECURITY.md");
  bool in_bounds = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) in_bounds = line == "## Bounds";
    if (!in_bounds || !line.starts_with("| " + reader + " |")) continue;
    std::array<double, 3> numbers{};
    std::size_t column = 0;
    std::size_t at = 0;
    for (int cell = 0; cell < 6; ++cell) {
      at = line.find('|', at) + 1;
      if (cell == 0 || cell == 1) continue;
      if (column < numbers.size()) numbers[column++] = std::strtod(line.c_str() + at, nullptr);
    }
    return numbers;
  }
  ADD_FAILURE() << reader << " has no row in SECURITY.md";
  return {};
}

void expect_within(const measured& worst, const char* reader) {
  const auto [work_limit, memory_limit, stack_limit] = promised(reader);
  EXPECT_LE(worst.work, work_limit);
  EXPECT_LE(worst.memory, memory_limit);
#ifndef INGOT_TEST_WIDE_FRAMES
  EXPECT_LE(static_cast<double>(worst.stack) / 1024, stack_limit);
#else
  static_cast<void>(stack_limit);
#endif
}

template <class Reader>
void expect_promise() {
  const measured worst = measure_all<Reader>();
  expect_within(worst, Reader::name);
  EXPECT_GE(worst.work + worst.memory, 0.5) << "nothing was measured";
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

// --- readers that take no type from a sender's bytes, or none at all -----------------------------------------

struct place {
  ingot::string name;
  ingot::vector<place> inside;
  ingot::map<std::uint64_t, ingot::string> ordered;
  ingot::hash_map<std::uint64_t, ingot::string> hashed;
};

/// Blocks that are wide, of many empty values, with large tables and trees, and 3,000 levels deep.
std::vector<ingot::live<place>> hostile_blocks() {
  std::vector<ingot::live<place>> blocks(4);
  blocks[0]->inside.resize(5'000);
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    blocks[1]->ordered[i] = "text that is too long for its place";
    blocks[2]->hashed[i << 32] = "";
  }
  place* at = &*blocks[3];
  for (int i = 0; i < 3'000; ++i) at = &at->inside.emplace_back();
  return blocks;
}

TEST(bounds, live_blocks) {
  measured worst;
  for (const auto& block : hostile_blocks()) {
    const bytes_view bytes = block.bytes();
    measure_call(worst, bytes.size(), "live", "open", [&] { return ingot::live<place>::open(bytes); });
  }
  expect_within(worst, "`live::open`");
}

/// The same shapes as text. One has as many levels as readers of text take.
std::vector<std::string> hostile_texts() {
  std::vector<std::string> texts(5);
  for (int i = 0; i < 5'000; ++i) {
    texts[0] += i == 0 ? "[[]" : ",[]";
    texts[1] += i == 0 ? "[{}" : ",{}";
    texts[2] += i == 0 ? "[1" : ",1";
    texts[3] += (i == 0 ? "{\"" : ",\"") + std::to_string(9'999 - i) + "\":\"\"";
  }
  for (int i = 0; i < 3; ++i) texts[static_cast<std::size_t>(i)] += ']';
  texts[3] += '}';
  for (int i = 0; i < 40; ++i)
    texts[4] += (i == 0 ? "[" : ",") + std::string(127, '[') + std::string(127, ']');
  texts[4] += ']';
  return texts;
}

TEST(bounds, documents) {
  measured of_text;
  measured of_blocks;
  measured of_archives;
  for (const std::string& text : hostile_texts()) {
    measure_call(of_text, text.size(), "json", "document", [&] { return ingot::json::read_document(text); });
    const ingot::document doc = ingot::json::read_document(text).value();
    const bytes_view bytes = doc.bytes();
    measure_call(of_blocks, bytes.size(), "document", "open", [&] { return ingot::document::open(bytes); });
    const auto archive = ingot::archive(doc).value();
    measure_call(of_archives, size_of(archive), "archive", "unarchive",
                 [&] { return ingot::unarchive(archive); });
  }
  expect_within(of_text, "`json::read_document`");
  expect_within(of_blocks, "`document::open`");
  expect_within(of_archives, "`unarchive`");
}

// --- max_memory --------------------------------------------------------------------------------------------

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

TEST(max_memory, records_of_one_byte_each_are_refused_before_they_are_made) {
  std::vector<std::byte> bytes{std::byte{0xA0}, std::byte{0x9C}, std::byte{0x01}}; // 20,000 of them
  bytes.resize(3 + 20'000);
  failing::memory.bytes = failing::memory.most = 0;
  failing::memory.measures = true;
  const auto made = ingot::compact::unpack<std::vector<roomy>>(bytes);
  failing::memory.measures = false;
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), errc::too_much_memory) << made.error().message();
  EXPECT_LT(failing::memory.most, 100'000u);
  EXPECT_TRUE(
      ingot::compact::unpack<std::vector<roomy>>(bytes, ingot::read_limits{.max_memory = 90'000'000}));
}

TEST(max_memory, is_an_error_with_the_path_before_memory_is_taken) {
  listed value{1, {{}, std::vector<std::string>(10'000, "x")}};
  const auto bytes = ingot::pack(value).value();
  const auto compact_bytes = ingot::compact::pack(value).value();
  const auto proto = ingot::protobuf::write(value).value();
  const auto json = ingot::json::write(value).value();
  const ingot::document doc(value);
  const auto check = [](const auto& made, bool indexed) {
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code(), errc::too_much_memory) << made.error().message();
    EXPECT_TRUE(made.error().path().starts_with(indexed ? "lists[1]" : "lists")) << made.error().path();
    EXPECT_NE(made.error().message().find("max_memory"), std::string::npos);
  };
  constexpr std::uint64_t little = 100'000;
  failing::memory.bytes = failing::memory.most = 0;
  failing::memory.measures = true;
  check(ingot::unpack<listed>(bytes, ingot::read_limits{.max_memory = little}), true);
  check(ingot::compact::unpack<listed>(compact_bytes, ingot::read_limits{.max_memory = little}), true);
  check(ingot::json::read<listed>(json, {.max_memory = little}), true);
  check(ingot::protobuf::read<listed>(proto, {.max_memory = little}), true);
  failing::memory.measures = false;
  EXPECT_LT(failing::memory.most, 8 * little);
  check(doc.root().as<listed>(ingot::conversion_options{.max_memory = little}), true);
  constexpr std::uint64_t enough = 2'000'000;
  EXPECT_TRUE(ingot::unpack<listed>(bytes, ingot::read_limits{.max_memory = enough}));
  EXPECT_TRUE(ingot::compact::unpack<listed>(compact_bytes, ingot::read_limits{.max_memory = enough}));
  EXPECT_TRUE(ingot::json::read<listed>(json, {.max_memory = enough}));
  EXPECT_TRUE(ingot::protobuf::read<listed>(proto, {.max_memory = enough}));
  EXPECT_TRUE(doc.root().as<listed>(ingot::conversion_options{.max_memory = enough}));
}

// An honest message of ordinary types is far below the default limit.
TEST(max_memory, the_default_accepts_messages_of_empty_values) {
  using maps = std::vector<std::map<std::string, std::string>>;
  EXPECT_TRUE(ingot::compact::unpack<maps>(ingot::compact::pack(maps(200'000))));
  EXPECT_TRUE(ingot::unpack<maps>(ingot::pack(maps(200'000))));
}

} // namespace
