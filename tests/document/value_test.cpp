// SPDX-License-Identifier: Apache-2.0
// Handles: their reads and writes, and their state when the document changes.
#include <ingot/document/document.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_value_test {

using namespace ingot::literals;
using ingot::document;
using ingot::errc;
using ingot::value;
using ingot::value_kind;
using ingot::value_ref;

TEST(document_value, a_new_document_is_null_and_takes_a_value) {
  document doc;
  EXPECT_TRUE(doc.root().is_null());
  EXPECT_EQ(doc.bytes().size(), 16U);
  doc["price"] = 3.5;
  EXPECT_TRUE(doc.root().is_object());
  doc = std::vector<int>{1, 2, 3};
  EXPECT_EQ(doc[2].value_or(0), 3);
  doc = "text";
  EXPECT_EQ(doc.root().as<std::string>(), "text");
  doc = nullptr;
  EXPECT_EQ(doc.stats().used - doc.stats().free_bytes, 16U);
}

TEST(document_value, every_kind_is_read_as_what_it_is) {
  document doc;
  doc["null"] = nullptr;
  doc["yes"] = true;
  doc["small"] = -5;
  doc["large"] = ~std::uint64_t{0};
  doc["number"] = 0.1;
  doc["text"] = "some text";
  doc["long"] = std::string(5'000, 'x');
  doc["bytes"] = std::vector<std::byte>{std::byte{1}, std::byte{0}, std::byte{255}};
  const document& read = doc;
  EXPECT_EQ(read["null"].kind(), value_kind::null);
  EXPECT_EQ(read["yes"].as<bool>(), true);
  EXPECT_EQ(read["small"].as<int>(), -5);
  EXPECT_EQ(read["small"].as<unsigned>().error().code(), errc::out_of_range);
  EXPECT_EQ(read["small"].as<double>(), -5.0);
  EXPECT_EQ(read["large"].kind(), value_kind::large_integer);
  EXPECT_EQ(read["large"].as<std::uint64_t>(), ~std::uint64_t{0});
  EXPECT_EQ(read["large"].as<std::int64_t>().error().code(), errc::out_of_range);
  EXPECT_EQ(read["large"].as<double>().error().code(), errc::out_of_range); // not exactly
  EXPECT_EQ(read["number"].as<double>(), 0.1);
  EXPECT_EQ(read["number"].as<int>().error().code(), errc::type_mismatch);
  EXPECT_EQ(read["text"].as<std::string_view>(), "some text");
  EXPECT_EQ(read["long"].length(), 5'000U);
  EXPECT_EQ(read["bytes"].as<std::vector<std::byte>>()->at(2), std::byte{255});
  EXPECT_EQ(read["none"].kind(), value_kind::absent);
  EXPECT_EQ(read["none"].as<int>().error().code(), errc::missing_member);
  EXPECT_EQ(read["none"].value_or(7), 7);
  EXPECT_EQ(read["text"_key].value_or(std::string_view("no")), "some text");
  EXPECT_EQ(read["text"].value_or("no"), "some text"); // a literal is text, of another type
  EXPECT_EQ(read["none"].value_or("no"), "no");
  EXPECT_EQ(doc["none"].value_or("no"), "no");
  EXPECT_EQ(read["yes"].visit([](auto... is) { return sizeof...(is); }), 1U);
}

TEST(document_value, a_tuple_of_nothing_is_an_array_of_nothing) {
  const document doc{std::tuple<>()};
  EXPECT_TRUE(doc.root().is_array());
  EXPECT_EQ(doc.root().size(), 0U);
  EXPECT_TRUE(doc.root().as<std::tuple<>>().has_value());
}

TEST(document_value, integers_read_as_the_doubles_that_are_exactly_they) {
  document doc;
  const auto as_double = [&](const auto& integer) {
    doc["n"] = integer;
    auto read = doc["n"].template as<double>();
    EXPECT_EQ(doc["n"].template as_evolved<double>().value_or(0.5), read.value_or(0.5));
    EXPECT_EQ(doc["n"].value_or(0.5), read.value_or(0.5));
    return read;
  };
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  for (const std::int64_t n : {std::int64_t{0}, limit - 1, limit, limit + 2, std::int64_t{729151836437348096},
                               std::int64_t{1} << 62, INT64_MAX - 1023}) {
    EXPECT_EQ(as_double(n), static_cast<double>(n)) << n;
    EXPECT_EQ(as_double(-n), -static_cast<double>(n)) << n;
  }
  EXPECT_EQ(as_double(INT64_MIN), -0x1p63);
  EXPECT_EQ(as_double(std::uint64_t{1} << 63), 0x1p63);
  EXPECT_EQ(as_double(~std::uint64_t{0} << 11), 0x1p64 - 2048);
  EXPECT_EQ(std::signbit(*as_double(0)), false);
  for (const std::int64_t n : {limit + 1, limit * 2 + 2, INT64_MAX, INT64_MAX - 511}) {
    EXPECT_EQ(as_double(n).error().code(), errc::out_of_range) << n;
    EXPECT_EQ(as_double(-n).error().code(), errc::out_of_range) << n;
  }
  EXPECT_EQ(as_double((std::uint64_t{1} << 63) + 1024).error().code(), errc::out_of_range);
}
/// Also above 2^53: a double may be written as a longer integer. The result is the same as for
/// reals that are not integers: it is the float nearest to the digits.
TEST(document_value, integers_that_a_double_holds_read_as_the_nearest_float) {
  document doc;
  doc = std::int64_t{97194280000000};
  EXPECT_EQ(doc.root().as<float>(), 97194280000000.0F);
  doc = (std::int64_t{1} << 53) + (std::int64_t{1} << 30);
  EXPECT_EQ(doc.root().as<float>(), 0x1.000002p53F);
  doc = ~std::uint64_t{0} << 11;
  EXPECT_EQ(doc.root().as<float>(), 0x1p64F);
  doc = ~std::uint64_t{0};
  EXPECT_EQ(doc.root().as<float>().error().code(), errc::out_of_range);
}
/// Elements of a vector of bits are proxies, not booleans. In some libraries this holds even for a
/// constant vector.
TEST(document_value, vectors_of_bits_are_arrays_of_booleans) {
  const std::vector<bool> bits{true, false, true};
  const document doc(bits);
  EXPECT_EQ(doc.root().as<std::vector<bool>>(), bits);
  EXPECT_EQ(doc[1].kind(), value_kind::boolean);
  EXPECT_EQ(document(std::vector<bool>()).root().size(), 0U);
}

TEST(document_value, numbers_keep_their_bits) {
  document doc;
  for (const double d : {0.0, -0.0, 1.0, -2048.0, 2047.0, 2048.0, 0.5, 1e300, 5e-324, 1.0 / 3}) {
    doc["d"] = d;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*doc["d"].as<double>()), std::bit_cast<std::uint64_t>(d)) << d;
  }
  for (int bits = 0; bits < 64; ++bits) {
    for (const std::int64_t near : {-2, -1, 0, 1}) {
      const auto n = static_cast<std::int64_t>((std::uint64_t{1} << bits) + static_cast<std::uint64_t>(near));
      doc["n"] = n;
      ASSERT_EQ(doc["n"].as<std::int64_t>(), n);
      doc["n"] = n / -2;
      ASSERT_EQ(doc["n"].as<std::int64_t>(), n / -2);
    }
  }
}

TEST(document_value, json_pointers_lead_to_values_and_make_them) {
  document doc;
  ASSERT_TRUE(doc.root().set_at("/orders/first/price", 7).has_value());
  doc["list"] = std::vector<std::string>{"a", "b"};
  doc["a/b"] = 1;
  doc["~"] = 2;
  EXPECT_EQ(doc.at("/orders/first/price").value_or(0), 7);
  EXPECT_EQ(doc.at("/list/1").as<std::string>(), "b");
  EXPECT_EQ(doc.at("/a~1b").value_or(0), 1);
  EXPECT_EQ(doc.at("/~0").value_or(0), 2);
  EXPECT_TRUE(doc.at("").is_object());
  for (const auto* const nowhere :
       {"/none", "/list/2", "/list/01", "/list/-", "list", "/~2", "/orders/first/price/x"})
    EXPECT_FALSE(doc.at(nowhere).exists()) << nowhere;
  ASSERT_TRUE(doc.root().set_at("/list/-", "c").has_value());
  EXPECT_EQ(doc.at("/list/2").as<std::string>(), "c");
  EXPECT_EQ(doc.root().set_at("/list/9", 1).error().code(), errc::out_of_range);
  EXPECT_EQ(doc.root().set_at("/a~1b/c", 1).error().code(), errc::type_mismatch);
}

TEST(document_value, members_are_renamed_erased_and_counted) {
  document doc;
  doc = std::map<std::string, int>{{"a", 1}, {"b", 2}};
  EXPECT_TRUE(doc.root().rename("a", "c").has_value());
  EXPECT_EQ(doc.root().rename("a", "d").error().code(), errc::missing_member);
  EXPECT_EQ(doc.root().rename("b", "c").error().code(), errc::duplicate_key);
  EXPECT_EQ(doc["c"].value_or(0), 1);
  EXPECT_TRUE(*doc.root().erase("c"));
  EXPECT_FALSE(*doc.root().erase("c"));
  EXPECT_EQ(doc.root().size(), 1U);
  EXPECT_TRUE(doc.root().clear().has_value());
  EXPECT_TRUE(doc.root().is_object());
  EXPECT_TRUE(doc.root().empty());
}

TEST(document_value, values_are_copied_from_anywhere_even_from_themselves) {
  document doc;
  doc["a"] = std::map<std::string, std::vector<std::string>>{{"x", {"1", std::string(300, 'l')}}};
  doc["b"] = doc["a"];
  EXPECT_TRUE(doc["a"] == doc["b"]);
  doc["a"]["inside"] = doc.root(); // all of it, into a part of it
  EXPECT_TRUE(doc.at("/a/inside/b") == doc["b"]);
  doc["a"] = doc.at("/a/inside/a/x/1"); // a part replaces the whole
  EXPECT_EQ(doc["a"].length(), 300U);
  doc["b"] = doc["a"].value_or(std::string_view());
  EXPECT_TRUE(doc["a"] == doc["b"]);
  document other;
  other["copy"] = doc;
  EXPECT_TRUE(other["copy"] == doc.root());
  doc = doc.root()["a"];
  EXPECT_TRUE(doc.root() == other.at("/copy/a"));
}

TEST(document_value, handles_mean_what_they_meant_while_others_change) {
  document doc;
  doc["numbers"] = std::vector<std::string>{"one", "two"};
  doc["other"] = std::vector<std::string>{"one"};
  doc["scalar"] = 1;
  value_ref numbers = doc["numbers"];
  value_ref other = doc["other"];
  const value_ref second = numbers[1];
  const value_ref scalar = doc["scalar"];
  for (int i = 0; i < 1'000; ++i) { // both move many times
    ASSERT_TRUE(numbers.append("more").has_value());
    ASSERT_TRUE(other.append(i).has_value());
    doc["scalar"] = std::string(static_cast<std::size_t>(i % 100), 's');
  }
  EXPECT_EQ(second.value_or(std::string_view()), "two");
  EXPECT_EQ(numbers.size(), 1'002U);
  EXPECT_EQ(other[1'000].value_or(0), 999);
  EXPECT_EQ(scalar.length(), 99U);
  document moved(std::move(doc));
  EXPECT_EQ(second.value_or(std::string_view()), "two");
}

TEST(document_value, handles_end_with_what_they_refer_to) {
  document doc;
  doc["a"] = std::map<std::string, std::string>{{"x", "1"}, {"y", "2"}};
  value_ref a = doc["a"];
  value_ref x = a.find("x");
  doc["new"] = 1; // inserted into the root, not into a
  EXPECT_TRUE(x.exists());
  EXPECT_FALSE(a.exists()); // a is a member of the root
  a = doc["a"];
  a["z"] = 3;
  EXPECT_FALSE(x.exists());
  EXPECT_EQ(x.set(1).error().code(), errc::missing_member);
  x = a.find("x");
  doc["a"] = 5;
  EXPECT_EQ(a.value_or(0), 5); // the member exists, with another value
  EXPECT_FALSE(x.exists());
  for (int i = 0; i < 100; ++i) doc["more " + std::to_string(i)] = std::map<std::string, int>{{"x", i}};
  EXPECT_FALSE(x.exists()); // whatever is stored there now
  doc.compact();
  EXPECT_FALSE(a.exists());
  EXPECT_EQ(doc.find("a").value_or(0), 5);
}

TEST(document_value, handles_end_when_another_document_is_assigned) {
  ingot::document doc;
  doc["a"] = std::vector<std::string>{"one", "two"};
  ingot::document other;
  other["a"] = 5;
  const auto inner = doc["a"][1];
  const auto root = doc.root();
  doc = other;
  EXPECT_EQ(inner.kind(), ingot::value_kind::absent);
  EXPECT_EQ(root.find("a").value_or(0), 5);
  EXPECT_TRUE(doc == other);
}

TEST(document_value, no_index_is_taken_for_the_end) {
  ingot::document doc;
  doc = std::vector<int>{1, 2};
  EXPECT_FALSE(doc.root().insert(0xFFFFFFFF, 3).has_value());
  EXPECT_FALSE(doc.root().insert(3, 3).has_value());
  EXPECT_FALSE(doc.root().erase(std::size_t{0xFFFFFFFF}).has_value());
  EXPECT_EQ(doc.root().size(), 2U);
}

TEST(document_value, a_pointer_that_is_none_makes_nothing) {
  ingot::document doc;
  EXPECT_FALSE(doc.root().set_at("/a/b/~x", 1).has_value());
  EXPECT_TRUE(doc.root().is_null());
}

TEST(document_value, objects_that_share_long_keys_are_compared_and_compacted_in_time_of_their_bytes) {
  const std::string key(20'000, 'k');
  ingot::document doc(ingot::max_block_size{std::size_t{64} << 20});
  doc = std::vector<int>{};
  for (int i = 0; i < 200; ++i)
    static_cast<void>(doc.root().append(std::map<std::string, int>{{key, i}, {std::to_string(i), 70'000}}));
  doc.compact();
  EXPECT_LT(doc.bytes().size(), 50'000U);
  const auto opened = ingot::document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == doc);
  // Decoding would need 4 MB for 30 KB.
  const auto decoded = doc.root().as<std::vector<std::map<std::string, int>>>();
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().code(), ingot::errc::too_large);
}

TEST(document_value, assigning_to_nothing_is_an_error) {
  document doc;
  doc["number"] = 1;
  EXPECT_EQ(doc["none"].set(1).error().code(), errc::missing_member);
  EXPECT_EQ(doc["number"].append(1).error().code(), errc::type_mismatch);
  EXPECT_EQ(doc["number"].set("key", 1).error().code(), errc::type_mismatch);
  EXPECT_EQ(doc.root().insert(0, 1).error().code(), errc::type_mismatch);
  EXPECT_EQ(doc.root().erase(std::size_t{1}).error().code(), errc::out_of_range);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(doc["number"]["member"] = 1, ingot::bad_document_access);
#endif
}

TEST(document_value, a_full_document_stays_as_it_was) {
  alignas(16) static std::byte memory[2'048];
  auto borrowed = document::in(memory);
  ASSERT_TRUE(borrowed.has_value());
  document& doc = *borrowed;
  doc["text"] = "something";
  int count = 0;
  while (doc.root().set("key " + std::to_string(count), std::string(20, 'x')).has_value()) ++count;
  EXPECT_GT(count, 10);
  EXPECT_EQ(doc.root().set("long", std::string(5'000, 'x')).error().code(), errc::no_space);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(doc["long"] = std::string(5'000, 'x'), ingot::out_of_space);
#endif
  EXPECT_EQ(doc.root().size(), static_cast<std::size_t>(count) + 1);
  EXPECT_TRUE(document::open(doc.bytes()).has_value());
  doc.compact();
  EXPECT_EQ(doc["text"].as<std::string>(), "something");
  while (count > 0) EXPECT_TRUE(*doc.root().erase("key " + std::to_string(--count)));
  EXPECT_TRUE(doc.root().set("more bytes", 1).has_value());
}

TEST(document_value, documents_opened_in_place_are_edited_within_their_nodes) {
  document doc;
  for (int i = 0; i < 30; ++i) doc["key " + std::to_string(i)] = "some text of a length";
  std::vector<std::uint64_t> words(doc.bytes().size() / 8);
  std::memcpy(words.data(), doc.bytes().data(), doc.bytes().size());
  const std::span<std::byte> bytes(reinterpret_cast<std::byte*>(words.data()), 8 * words.size());
  auto here = document::open_in_place(bytes);
  ASSERT_TRUE(here.has_value());
  EXPECT_TRUE((*here)["key 3"].set("shorter").has_value());
  EXPECT_TRUE(*here->root().erase("key 4"));
  EXPECT_TRUE(here->root().set("new", 1).has_value()); // in the bytes of the erased one
  EXPECT_EQ(here->root().set("long", std::string(500, 'x')).error().code(), errc::no_space);
  EXPECT_FALSE(here->try_compact());
  auto opened = document::open(here->bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ((*opened)["key 3"].as<std::string>(), "shorter");
}

/// A document in a span or a file stays there when another one is assigned. If it moved to its own
/// memory, other users of the span or file would not see the change.
TEST(document_value, a_copy_is_assigned_into_memory_of_another_owner) {
  alignas(16) static std::byte memory[2'048];
  auto borrowed = document::in(memory);
  ASSERT_TRUE(borrowed.has_value());
  const auto inside = [&] {
    const auto bytes = borrowed->bytes();
    return bytes.data() >= memory && bytes.data() + bytes.size() <= memory + sizeof memory;
  };
  (*borrowed)["before"] = 1;
  const ingot::value_ref root = borrowed->root();
  document other;
  other["text"] = "something";
  other["list"] = std::vector<int>{1, 2, 3};
  *borrowed = other;
  EXPECT_TRUE(inside());
  EXPECT_TRUE(*borrowed == other);
  EXPECT_TRUE(root.contains("list"));
  EXPECT_TRUE(borrowed->root().set("more", std::string(100, 'm')).has_value());
  EXPECT_TRUE(inside());
  EXPECT_TRUE(document::open(borrowed->bytes()).has_value());
  const document before(*borrowed);
  other["long"] = std::string(5'000, 'x');
#if INGOT_EXCEPTIONS
  EXPECT_THROW(*borrowed = other, ingot::out_of_space);
#endif
  EXPECT_TRUE(*borrowed == before) << "without free space it is unchanged";
  EXPECT_TRUE(inside());

  std::vector<std::uint64_t> words(before.bytes().size() / 8);
  std::memcpy(words.data(), before.bytes().data(), before.bytes().size());
  const std::span<std::byte> bytes(reinterpret_cast<std::byte*>(words.data()), 8 * words.size());
  auto here = document::open_in_place(bytes);
  ASSERT_TRUE(here.has_value());
#if INGOT_EXCEPTIONS
  EXPECT_THROW(*here = other, ingot::out_of_space);
#endif
  EXPECT_TRUE(*here == before);
  const document none;
  *here = none;
  EXPECT_TRUE(here->root().is_null());
  EXPECT_EQ(here->bytes().data(), bytes.data());
  EXPECT_TRUE(document::open(bytes)->root().is_null());
}

TEST(document_value, received_bytes_are_opened_without_a_copy) {
  document doc;
  doc["a"] = std::vector<int>{1, 2, 3};
  auto in = document::receive_buffer(doc.bytes().size());
  std::memcpy(in.data(), doc.bytes().data(), in.size());
  auto opened = document::open(std::move(in));
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(*opened == doc);
  (*opened)["b"] = 1;
  auto trusted = document::open_unchecked(opened->bytes());
  ASSERT_TRUE(trusted.has_value());
  (*trusted)["c"] = 2;
  EXPECT_EQ(trusted->root().size(), 3U);
}

TEST(document_value, handles_to_elements_see_the_value_that_replaces_their_array) {
  const auto fresh = [] {
    document doc;
    doc["a"] = std::vector<int>{1, 2, 3, 4, 5};
    for (int i = 0; i < 12; ++i) doc["filler " + std::to_string(i)] = "some text";
    return doc;
  };
  for (int what = 0; what < 5; ++what) {
    SCOPED_TRACE(what);
    document doc = fresh();
    const ingot::value element = std::as_const(doc).root().find("a")[4];
    ASSERT_EQ(element.value_or(-1), 5);
    ingot::value_ref array = doc.root().find("a");
    switch (what) {
    case 0: ASSERT_TRUE(array.set("xyz").has_value()); break;
    case 1: ASSERT_TRUE(array.set(std::vector<int>{7}).has_value()); break;
    case 2: ASSERT_TRUE(array.set(nullptr).has_value()); break;
    case 3: ASSERT_TRUE(array.set(document(std::map<std::string, int>{{"k", 9}})).has_value()); break;
    default: ASSERT_TRUE(array.append("more").has_value()); break;
    }
    EXPECT_EQ(element.value_or(-1), -1);
    EXPECT_FALSE(element.exists());
    EXPECT_FALSE(element.find("k").exists());
  }
}

TEST(document_value, a_change_without_space_leaves_a_full_document_as_it_was) {
  const std::string text(100, 'x');
  std::size_t rejected = 0;
  for (std::size_t bytes = 1200; bytes < 2048;
       bytes += 8) { // the free bytes vary from none to more than any change needs
    alignas(16) std::array<std::byte, 2048> memory{};
    auto d = ingot::document::in(std::span(memory).first(bytes)).value();
    d["n"] = nullptr;
    d["list"] = std::vector<int>{1, 2, 3, 4, 5, 6};
    while (d.root().set("f" + std::to_string(d.root().size()), std::string(150, 'f'))) {
    }
    ingot::value_ref n = d["n"];
    ingot::value_ref third = d["list"][2];
    if (!n.set(text, text)) {
      ++rejected;
      EXPECT_TRUE(n.is_null());
    } else {
      continue;
    }
    if (!n.append(text)) {
      EXPECT_TRUE(d["n"].is_null());
    }
    if (!third.set(text)) {
      EXPECT_EQ(third.value_or(0), 3);
      EXPECT_EQ(d["list"][2].value_or(0), 3);
    }
  }
  EXPECT_GT(rejected, 10U);
}

} // namespace document_value_test
