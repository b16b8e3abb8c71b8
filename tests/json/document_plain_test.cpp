// SPDX-License-Identifier: Apache-2.0
// Texts of nearly all kinds take a fast path. Without these tests it could miss a limit, an order
// of keys or a check that the general path has.
#include <ingot/document/writer.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/read.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/resource.h>
#endif

namespace json_document_plain_test {

namespace json = ingot::json;
using ingot::errc;

[[nodiscard]] bool sampled() {
  return std::getenv("INGOT_TEST_SAMPLED") != nullptr;
} // NOLINT(concurrency-mt-unsafe)

/// Checks that the fast path writes the same text as the general path. An option for bytes selects
/// the general path, and the document has no bytes.
void expect_same_in_both_directions(const ingot::document& doc) {
  const auto quick = json::write(doc);
  const auto slow = json::write(doc, {.binary = json::binary_style::base64});
  ASSERT_TRUE(quick) << quick.error().message();
  ASSERT_TRUE(slow) << slow.error().message();
  ASSERT_EQ(*quick, *slow);
}
/// Checks that a text with sorted keys gives a valid document, which is written as the same text.
void expect_unchanged(const std::string& text) {
  const auto read = json::read_document(text);
  ASSERT_TRUE(read) << read.error().message();
  const auto validated = ingot::document::open(read->bytes());
  ASSERT_TRUE(validated) << validated.error().message();
  const auto written = json::write(*read, {.key_order = json::key_order::sorted});
  ASSERT_TRUE(written) << written.error().message();
  ASSERT_EQ(*written, text);
  expect_same_in_both_directions(*read);
}

TEST(json_document_plain, events_keep_the_depth_of_their_receiver) {
  const std::string_view four = R"({"a":[[["text"]]]})";
  for (std::size_t open = 0; open < 3; ++open) {
    for (const std::size_t depth : {3 + open, 4 + open, 5 + open}) {
      ingot::document_writer to({.max_depth = static_cast<std::uint32_t>(depth)});
      for (std::size_t i = 0; i < open; ++i) ASSERT_TRUE(to.begin_array());
      const auto events_read = json::read_events(to, four);
      ASSERT_EQ(events_read.has_value(), depth >= 4 + open) << depth << ", " << open;
      for (std::size_t i = 0; i < open; ++i) to.end();
      const auto finished = to.finish();
      ASSERT_EQ(finished.has_value(), depth >= 4 + open);
      if (finished) continue;
      EXPECT_EQ(events_read.error().code(), errc::too_deep);
      EXPECT_EQ(finished.error().code(), errc::too_deep);
      EXPECT_EQ(events_read.error().path(), "a[0][0]");
    }
  }
}

TEST(json_document_plain, writing_keeps_the_limits) {
  const std::string deep = R"([[["text"]]])";
  const auto nested = json::read_document(deep);
  ASSERT_TRUE(nested);
  EXPECT_EQ(*json::write(*nested, {.max_depth = 3}), deep);
  const auto too_deep = json::write(*nested, {.max_depth = 2});
  ASSERT_FALSE(too_deep);
  EXPECT_EQ(too_deep.error().code(), errc::too_deep);
  for (const unsigned count : {1u, 10u, 600u, 3000u}) {
    std::string text = "[\"one\"";
    for (unsigned i = 0; i < count; ++i) text += ",\"word " + std::to_string(i) + "\"";
    text += "]";
    const auto list = json::read_document(text);
    ASSERT_TRUE(list);
    EXPECT_EQ(*json::write(*list, {.max_bytes = text.size()}), text);
    EXPECT_FALSE(json::write(*list, {.max_bytes = text.size() - 1}));
  }
}

TEST(json_document_plain, containers_without_a_node_count_as_levels) {
  for (const char* const text :
       {"[[1,2]]", "[[]]", "[{}]", R"({"a":[1,2]})", R"({"a":[]})", R"({"a":{}})", "[[[]]]"}) {
    const auto read = json::read_document(text);
    ASSERT_TRUE(read);
    const std::uint32_t levels = std::string_view(text) == "[[[]]]" ? 3 : 2;
    EXPECT_EQ(*json::write(*read, {.max_depth = levels}), text);
    const auto written = json::write(*read, {.max_depth = levels - 1});
    ASSERT_FALSE(written) << text;
    EXPECT_EQ(written.error().code(), errc::too_deep);
  }
}

// Lengths up to 16 bytes, up to 32 and above have separate code, and so have bytes near the
// document's end.
TEST(json_document_plain, keys_and_texts_of_all_lengths_have_their_escapes) {
  constexpr std::string_view odd[] = {"\"", "\\", "\x1F", "\n", " ", "\x7F", "\xC3\xA4"};
  for (std::size_t size = 0; size < 36; ++size) {
    for (const std::size_t at : {std::size_t{0}, size / 2, size - (size != 0 ? 1 : 0), size}) {
      for (const std::string_view each : odd) {
        const std::string text = std::string(at, 'k') + std::string(each) + std::string(size - at, 'z');
        ingot::document_writer to;
        to.begin_array();
        to.begin_object(), to.key(text), to.integer(7), to.end();
        for (unsigned i = 0; i < 3; ++i) to.text(text), to.text(std::string(100, '@'));
        to.begin_object(), to.key(text), to.text(text), to.end();
        to.end();
        ingot::document parsed_doc = to.finish().value();
        expect_same_in_both_directions(parsed_doc);
        ASSERT_EQ(*json::read_document(*json::write(parsed_doc)), parsed_doc);
        parsed_doc = parsed_doc[0];
        expect_same_in_both_directions(parsed_doc);
        parsed_doc = text;
        expect_same_in_both_directions(parsed_doc);
      }
    }
  }
}

// A sanitizer detects reads after the document.
TEST(json_document_plain, a_document_may_end_where_its_memory_does) {
  for (const char* const text : {"[]", R"(["a"])", R"({"a":"b"})", R"([1.5,300,"text of some more bytes"])",
                                 R"({"key of 16 bytes":{"and":["in","it"]}})"}) {
    const auto read = json::read_document(text);
    ASSERT_TRUE(read);
    std::vector<std::byte> memory(read->bytes().begin(), read->bytes().end());
    const auto there = ingot::document::open_in_place(memory);
    ASSERT_TRUE(there) << there.error().message();
    EXPECT_EQ(*json::write(*there), text);
  }
}

// Characters that all need six bytes fill the requested memory. The string has exactly that
// capacity, or a little more.
TEST(json_document_plain, texts_of_escapes_alone_end_with_their_quote) {
  for (const std::size_t size : {700u, 1000u, 4095u, 4096u, 4097u, 8192u}) {
    std::string expected = "\"";
    for (std::size_t i = 0; i < size; ++i) expected += "\\u0001";
    expected += '"';
    const ingot::document text(std::string(size, '\1'));
    for (const std::size_t capacity :
         {std::size_t{0}, expected.size() - 2, expected.size() - 1, expected.size()}) {
      std::string out;
      out.reserve(capacity);
      ASSERT_TRUE(json::write_to(out, text));
      EXPECT_TRUE(out == expected) << size << ", " << capacity;
    }
  }
}

TEST(json_document_plain, values_of_all_sizes_stand_beside_each_other) {
  std::vector<std::string> values{"null",      "true",
                                  "false",     "\"\"",
                                  R"("text")", "\"sixteen letters.\"",
                                  "[]",        "{}",
                                  "[1,2]",     R"({"x":[null]})",
                                  "0.5",       "-2048.25",
                                  "0.1",       "-1e-300",
                                  "3.0"};
  for (unsigned bits = 0; bits < 64; ++bits) {
    const std::uint64_t power = std::uint64_t{1} << bits;
    for (const std::uint64_t n : {power - 1, power, power + 1}) {
      values.push_back(std::to_string(n));
      if (n != 0 && n <= std::uint64_t{1} << 63) values.push_back("-" + values.back());
    }
  }
  values.push_back("18446744073709551615");
  for (const std::string& value : values) {
    expect_unchanged(R"({"a":)" + value + "}");
    expect_unchanged("[" + value + "]");
    for (std::size_t i = 0; i < values.size(); i += i < 15 ? 1 : 23)
      expect_unchanged(R"({"a":)" + value + R"(,"b":)" + values[i] + "}");
  }
}

/// Nodes are written from their ends with moves of fixed size; in a hole they have neighbours. The
/// arrays have enough elements, or bytes, for nodes with cells of four bytes.
TEST(json_document_plain, long_arrays_hold_all_that_short_ones_do) {
  const std::vector<std::string> kinds = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "-1",
                                          "47",
                                          "300",
                                          "-70000",
                                          "4294967296",
                                          "9223372036854775808",
                                          "0.5",
                                          "0.1",
                                          "1.5",
                                          "\"\"",
                                          "\"a\"",
                                          "\"\\n\"",
                                          "\"" + std::string(127, 'b') + "\"",
                                          "\"" + std::string(200, 'c') + "\"",
                                          "[]",
                                          "{}",
                                          "[1,2,3]",
                                          "[100000,2]",
                                          "[[\"d\"],{}]",
                                          "{\"e\":[[]],\"f\":null}"};
  const auto long_array = [](const std::string& first, const std::string& second, std::size_t pairs) {
    std::string text = "[";
    for (std::size_t i = 0; i != pairs; ++i) {
      text += first;
      text += ',';
      text += second;
      text += ',';
    }
    return text;
  };
  std::size_t turn = 0;
  for (const std::string& kind : kinds) {
    if (sampled() && ++turn % 3 != 0) continue;
    ASSERT_NO_FATAL_FAILURE(expect_unchanged(long_array(kind, kind, 33'000) + kind + "]"));
    const std::string mixed = long_array(kind, "[\"g\"]", 10'000) + kinds.back() + "]";
    ASSERT_NO_FATAL_FAILURE(expect_unchanged("{\"deep\":[" + mixed + ",{\"h\":" + mixed + "}]}"));
  }
  std::string all = "[";
  for (std::size_t i = 0; i != 400; ++i)
    for (const std::string& kind : kinds) all += kind + ",";
  ASSERT_NO_FATAL_FAILURE(expect_unchanged(all + "[]]"));
  const auto read = json::read_document(long_array("1", "0.5", 33'000) + "[[]]]");
  ASSERT_TRUE(read);
  expect_same_in_both_directions(*read);
  EXPECT_TRUE(json::write(*read, {.max_depth = 3}));
  EXPECT_EQ(json::write(*read, {.max_depth = 2}).error().code(), errc::too_deep);
}

TEST(json_document_plain, what_is_read_into_holes_leaves_its_neighbours_alone) {
  std::vector<std::string> model(24, "[null]");
  std::string all = "{";
  for (std::size_t i = 0; i < model.size(); ++i) all += "\"key " + std::to_string(i) + "\":[null],";
  all.back() = '}';
  auto parsed_all = json::read_document(all);
  ASSERT_TRUE(parsed_all);
  ingot::document& doc = *parsed_all;
  std::uint64_t random = 1;
  const auto below = [&random](std::uint64_t n) {
    return (random = random * 6364136223846793005u + 1442695040888963407u) / (std::uint64_t{1} << 33) % n;
  };
  for (unsigned round = 0; round < 3'000; ++round) {
    const auto i = static_cast<std::size_t>(below(model.size()));
    const std::string number = std::to_string((random >> below(63)) | 1);
    const std::string text = '"' + std::string(static_cast<std::size_t>(below(20)), 'x') + '"';
    switch (below(4)) {
    case 0: model[i] = R"({"a":)" + number + "}"; break;
    case 1: model[i] = R"({"a":)" + text + "}"; break;
    case 2: model[i] = R"({"a":{"a":)" + text + R"(},"b":)" + number + "}"; break;
    default: model[i] = "[" + text + ",0.1," + number + "]";
    }
    ASSERT_TRUE(json::read_into(doc["key " + std::to_string(i)], model[i]));
  }
  ASSERT_TRUE(ingot::document::open(doc.bytes()));
  for (std::size_t i = 0; i < model.size(); ++i) {
    const std::string key = "key " + std::to_string(i);
    EXPECT_EQ(json::write(doc[key], {.key_order = json::key_order::sorted}).value(), model[i]);
  }
}

#if defined(__linux__)
TEST(json_document_plain, after_a_long_document_there_is_no_memory) {
  for (const unsigned count : {30'000u, 33'000u, 36'000u, 39'000u}) {
    std::string text = "[";
    for (unsigned i = 0; i < count; ++i) {
      text += i % 100 == 0 ? "[{\"number\":" : "{\"number\":";
      text +=
          std::to_string(i * 0x9E3779B1u) + (i % 100 == 99 ? ",\"name\":\"any\"}]," : ",\"name\":\"any\"},");
    }
    text.back() = ']';
    const auto read = json::read_document(text);
    ASSERT_TRUE(read);
    const auto bytes = read->bytes();
    ASSERT_GT(bytes.size(), std::size_t{900} << 10);
    constexpr std::uintptr_t page = 65536;
    const std::uintptr_t end =
        (reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size() + page - 1) / page * page;
    std::vector<unsigned char> there(8 * page / 4096);
    ASSERT_EQ(::mincore(reinterpret_cast<void*>(end), 8 * page, there.data()),
              0); // NOLINT(performance-no-int-to-ptr)
    for (const unsigned char each : there) EXPECT_EQ(each & 1, 0);
  }
}
#endif

#if defined(__linux__) && !INGOT_SANITIZED // sanitizers need pages for each access of the program
TEST(json_document_plain, a_short_text_costs_a_long_document_no_pages) {
  const auto faults = [] {
    rusage used{};
    EXPECT_EQ(::getrusage(RUSAGE_SELF, &used), 0);
    return used.ru_minflt;
  };
  std::string text = R"({"x":{"a":1},"all":[)";
  while (text.size() < std::size_t{1} << 20) text += R"({"number":123456789,"name":"a name of it"},)";
  text.back() = ']';
  auto read = json::read_document(text + "}");
  ASSERT_TRUE(read);
  ASSERT_GT(read->bytes().size(), std::size_t{600} << 10);
  constexpr long rounds = 500;
  long before = 0;
  for (long i = -10; i < rounds; ++i) {
    if (i == 0) before = faults();
    ASSERT_TRUE(json::read_into(
        (*read)["x"], i % 2 == 0 ? R"({"a":"some text that is longer","b":[1,2,3,"x"]})" : R"({"a":1})"));
  }
  EXPECT_LT(faults() - before, rounds) << "overwritten";

  ingot::document_writer to({.max_size = {std::size_t{1} << 26}});
  ASSERT_TRUE(to.begin_array());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(json::read_events(to, text + "}"));
  before = faults();
  for (long i = 0; i < rounds; ++i) ASSERT_TRUE(json::read_events(to, R"({"a":"a text","b":[1,2,"x"]})"));
  EXPECT_LT(faults() - before, rounds) << "told";
  to.end();
  ASSERT_TRUE(to.finish());
}
#endif

TEST(json_document_plain, an_object_ends_after_keys_that_never_repeat_were_forgotten) {
  // Enough records to restart the paths of keys, for each position in the object around them, and
  // with each number of known keys.
  for (unsigned count = 255; count < 290; ++count) {
    std::string records;
    for (unsigned i = 0; i < count; ++i) {
      records += (i == 0 ? R"({"k)" : R"(,{"k)") + std::to_string(1000 + i) + R"(":0)";
      records.append(R"(,"x":1,"y":2,"z":3)", std::size_t{6} * (i % 4)).append("}");
    }
    expect_unchanged(R"({"a":1,"b":2,"c":3,"d":[)" + records + "]}");
    expect_unchanged(R"({"a":1,"b":2,"c":[)" + records + R"(],"d":4,"e":[)" + records + R"(],"x":5,"y":6})");
  }
}

TEST(json_document_plain, whole_numbers_have_the_digits_that_the_standard_library_gives) {
  // Numbers of every length, the first, the last and others, for all instructions of the processor;
  // also as structs, which have one path.
  std::vector<std::uint64_t> all{0, 5, std::numeric_limits<std::uint64_t>::max()};
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits, power *= 10) {
    for (const std::uint64_t n : {power - 1, power, power + 1, power * 2, power + power / 3, power / 7 * 9})
      all.push_back(n);
  }
  for (std::uint64_t i = 1; i < 20'000; ++i) all.push_back(i * 0x9E3779B97F4A7C15u >> i % 64);
  // The digits above the lowest sixteen come from a table.
  for (std::uint64_t top = 1; top <= 1844; ++top)
    all.push_back(top * 10'000'000'000'000'000 + top % 2 * 4'074'073'709'551'615);
  std::string expected = "[";
  for (const std::uint64_t n : all) {
    expected += std::to_string(n) + ',';
    std::string members = R"({"n":)" + std::to_string(n);
    const auto as_signed = static_cast<std::int64_t>(n);
    members += R"(,"s":)" + std::to_string(as_signed) + '}';
    const auto read = json::read_document(members);
    ASSERT_TRUE(read);
    ASSERT_EQ(json::write(*read, {.key_order = json::key_order::sorted}).value(), members);
    ASSERT_EQ(json::write((*read)["n"]).value(), std::to_string(n));
    const auto order = json::write(*read).value();
    ASSERT_NE(order.find(R"("n":)" + std::to_string(n)), std::string::npos) << order;
    ASSERT_NE(order.find(R"("s":)" + std::to_string(as_signed)), std::string::npos) << order;
  }
  expected.back() = ']';
  EXPECT_EQ(json::write(all).value(), expected);
  EXPECT_EQ(json::write(json::read_document(expected).value()).value(), expected);
}

TEST(json_document_plain, decimals_are_written_as_from_structs) {
  std::vector<double> all;
  for (std::uint32_t i = 1; i < 20'000; ++i) {
    const std::uint32_t n = i * 0x9E3779B1u;
    all.push_back(static_cast<double>(n % 100'000'000) / 1e8);
    all.push_back(-static_cast<double>(n % 1'000'003) / 1e3);
    all.push_back(static_cast<double>(static_cast<float>(n) / 4294967296.0f));
    all.push_back(static_cast<double>(n) * 1e-3 / (i % 10'000 + 1));
  }
  for (double d = 1e-3; d < 1e10; d *= 10) all.insert(all.end(), {d, d / 4, d * 3, d + 0.5});
  const std::string text = json::write(all).value();
  const auto read = json::read_document(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(json::write(*read).value(), text);
  for (const double d : all) {
    const ingot::document one{std::vector<double>{d}};
    const std::string written = json::write(one).value();
    const auto back = json::read<std::vector<double>>(written);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->front(), d) << written;
  }
}

TEST(json_document_plain, keys_of_every_length_are_escaped_where_they_must_be) {
  for (std::size_t length = 0; length <= 40; ++length) {
    for (std::size_t at = 0; at <= length; ++at) {
      for (const char* const odd : {"", "\"", "\\", "\x1F", "\xC3\xA9"}) {
        std::string key(length, 'k');
        key.insert(at, odd);
        const std::map<std::string, std::string> members{{key, "1"}, {"other" + key, key}};
        const ingot::document doc(members);
        expect_same_in_both_directions(doc);
      }
    }
  }
}

TEST(json_document_plain, numbers_take_the_bytes_of_their_canonical_form) {
  // Adjacent in the text and in the document: floats, numbers that need a double, integers of all
  // sizes.
  for (const char* const text :
       {R"({"a":0.5,"b":0.1,"c":-2.25,"d":1.5e300,"e":3.0,"f":-0.0})", R"([0.5,0.1,-2.25,1.5e300,3.0,-0.0])",
        R"({"a":-1,"b":255,"c":70000,"d":-5000000000,"e":18446744073709551615})"}) {
    auto read = json::read_document(text);
    ASSERT_TRUE(read);
    const std::size_t size = read->bytes().size();
    read->compact();
    EXPECT_EQ(size, read->bytes().size()) << text;
  }
}

TEST(json_document_plain, objects_of_more_keys_than_a_path_has) {
  for (unsigned count = 30; count < 36; ++count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i == 0 ? "{\"k" : ",\"k") + std::to_string(100 + i) + "\":" + std::to_string(i);
    text += "}";
    expect_unchanged("[" + text + "," + text + "," + text + "]");
  }
}

TEST(json_document_plain, bytes_that_are_no_text_are_found_wherever_they_are) {
  for (const std::size_t at : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 39u}) {
    for (unsigned element = 0; element < 12; ++element) {
      ingot::document doc = *json::read_document("[]");
      for (unsigned i = 0; i < 12; ++i) {
        std::string text(40, 'a');
        if (i == element) text[at] = '\xFF';
        ASSERT_TRUE(doc.root().append(text));
      }
      const auto written = json::write(doc);
      ASSERT_FALSE(written) << at << ", " << element;
      EXPECT_EQ(written.error().code(), errc::invalid_utf8);
    }
  }
}

TEST(json_document_plain, a_short_text_takes_little_memory_and_none_where_there_is_enough) {
  const auto one = json::read_document(R"({"id":1,"of":["a","b"]})");
  ASSERT_TRUE(one);
  std::string out;
  ASSERT_TRUE(json::write_to(out, *one));
  EXPECT_LE(out.capacity(), 256u);

  std::string reserved = "kept";
  reserved.reserve(1000);
  const char* const there = reserved.data();
  ASSERT_TRUE(json::write_to(reserved, *one));
  EXPECT_EQ(reserved.data(), there);
  EXPECT_EQ(reserved, "kept" + *json::write(*one));
}

TEST(json_document_plain, what_has_no_text_is_replaced_when_that_is_requested) {
  ingot::document doc = *json::read_document(R"(["plain"])");
  ASSERT_TRUE(doc.root().append(-std::numeric_limits<double>::infinity()));
  ASSERT_TRUE(doc.root().append(1.5));
  EXPECT_FALSE(json::write(doc));
  EXPECT_EQ(*json::write(doc, {.non_finite = json::non_finite::null}), R"(["plain",null,1.5])");
  EXPECT_EQ(*json::write(doc, {.non_finite = json::non_finite::strings}), R"(["plain","-Infinity",1.5])");
}

} // namespace json_document_plain_test
