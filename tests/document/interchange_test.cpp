// SPDX-License-Identifier: Apache-2.0
// Promises of both MessagePack and CBOR: a document is read as it was written, untrusted bytes are
// read within bounds of stack, memory and time, and an error has a position.
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>

#include "document/interchange_tools.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace interchange_both_test {

using namespace interchange_test;
using ingot::member_order;

[[nodiscard]] bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

template <class Form>
std::vector<std::byte> bytes_of(const document& doc, member_order order = member_order::document,
                                std::uint32_t max_depth = 128) {
  const auto written = Form::write(
      doc.root(), {.order = order, .unsupported_values = unsupported_values::wrap, .max_depth = max_depth});
  EXPECT_TRUE(written) << written.error().message();
  return written ? std::vector<std::byte>(written->begin(), written->end()) : std::vector<std::byte>();
}

/// Reads untrusted bytes in every way. A document that is read is written, and must be read as the
/// same document.
template <class Form>
void take_hostile(ingot::bytes_view bytes) {
  for (const auto how : {unsupported_values::reject, unsupported_values::lossy, unsupported_values::wrap}) {
    typename Form::read_options options{
        .unsupported_values = how, .non_text_keys = non_text_keys::as_text, .max_depth = 64};
    // Exact size, so that a sanitizer sees where the bytes end
    const std::vector<std::byte> exact(bytes.begin(), bytes.end());
    const auto read = Form::read(exact, options);
    if (!read) continue;
    const auto written =
        Form::write(read->root(), {.order = member_order::sorted, .unsupported_values = how});
    ASSERT_TRUE(written) << written.error().message();
    const auto back = Form::read(*written, options);
    ASSERT_TRUE(back) << back.error().message();
    ASSERT_EQ(*back, *read);
  }
}

template <class Form>
class interchange : public testing::Test {};
using forms = testing::Types<msgpack_form, cbor_form>;
TYPED_TEST_SUITE(interchange, forms, );

TYPED_TEST(interchange, random_documents_come_back_as_they_were) {
  const int rounds = sampled() ? 50 : 600;
  for (int round = 0; round < rounds; ++round) {
    dice random(static_cast<std::uint64_t>(round));
    const document doc = random_document(random);
    const auto bytes = bytes_of<TypeParam>(doc);
    const auto back = TypeParam::read(bytes);
    ASSERT_TRUE(back) << back.error().message();
    ASSERT_EQ(*back, doc);
    ASSERT_EQ(bytes_of<TypeParam>(*back), bytes);
    const auto sorted = TypeParam::read(bytes_of<TypeParam>(doc, member_order::sorted));
    ASSERT_TRUE(sorted && *sorted == doc);
  }
}

TYPED_TEST(interchange, equal_documents_are_equal_bytes_however_they_came_about) {
  document one;
  document other;
  for (int i = 0; i < 40; ++i) one[std::to_string(i * 7)] = i;
  for (int i = 40; i-- > 0;) other[std::to_string(i * 7)] = i;
  other["more"] = 1;
  static_cast<void>(other.root().erase("more"));
  for (const auto order : {member_order::document, member_order::sorted})
    EXPECT_EQ(bytes_of<TypeParam>(one, order), bytes_of<TypeParam>(other, order));
}

TYPED_TEST(interchange, sorted_members_come_shorter_ones_first) {
  document doc;
  for (const auto key : {"b", "aa", "", "a", "ab", "ccc"}) doc[key] = key;
  doc["inner"] = std::map<std::string, int>{{"z", 1}, {"yy", 2}};
  std::string keys;
  const auto written = hex_of(bytes_of<TypeParam>(doc, member_order::sorted));
  std::size_t last = 0;
  for (const auto key : {"a", "b", "aa", "ab", "ccc", "inner", "z", "yy"}) {
    const auto bytes = ingot::as_bytes_view(std::string_view(key));
    const auto at = written.find(hex_of(bytes), last);
    ASSERT_NE(at, std::string::npos) << key;
    last = at + 1;
  }
}

TYPED_TEST(interchange, reals_keep_every_bit_also_those_of_a_nan_that_signals) {
  // Compared as bytes: some machines change such a number when it is passed as a double.
  for (const std::uint64_t bits :
       {std::uint64_t{0x7FF0'0000'0000'0001}, std::uint64_t{0xFFF7'FFFF'FFFF'FFFF}}) {
    std::vector<std::byte> wide{std::byte{TypeParam::array_of_one}, std::byte{TypeParam::double_follows}};
    for (std::size_t i = 0; i < 8; ++i) wide.push_back(static_cast<std::byte>(bits >> (56 - 8 * i) & 0xFF));
    const auto doc = TypeParam::read(wide);
    ASSERT_TRUE(doc);
    EXPECT_EQ(hex_of(bytes_of<TypeParam>(*doc)), hex_of(wide));
  }
}

TYPED_TEST(interchange, every_prefix_is_rejected_and_every_flip_is_borne) {
  dice random(7);
  std::size_t seen = 0;
  while (seen < (sampled() ? 1u : 4u)) {
    const auto bytes = bytes_of<TypeParam>(random_document(random));
    if (bytes.size() < 60 || bytes.size() > 900) continue;
    ++seen;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto read = TypeParam::read(
          std::vector<std::byte>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
      ASSERT_FALSE(read);
      ASSERT_EQ(read.error().code(), errc::truncated) << size;
      ASSERT_LE(read.error().offset(), size);
    }
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 1 + random() % 5) {
      auto flipped = bytes;
      flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      take_hostile<TypeParam>(flipped);
    }
  }
}

TYPED_TEST(interchange, random_bytes_are_borne) {
  dice random(3);
  for (int round = 0; round < (sampled() ? 1'000 : 8'000); ++round) {
    std::vector<std::byte> bytes(1 + random() % 24);
    for (auto& b : bytes) b = static_cast<std::byte>(random());
    take_hostile<TypeParam>(bytes);
  }
}

TYPED_TEST(interchange, depth_takes_no_stack) {
  constexpr std::size_t levels = 100'000;
  std::vector<std::byte> bytes(levels, static_cast<std::byte>(TypeParam::array_of_one));
  bytes.push_back(std::byte{7});
  const auto rejected = TypeParam::read(bytes);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::too_deep);
  EXPECT_EQ(rejected.error().offset(), 128u);
  typename TypeParam::read_options deep;
  deep.max_depth = ~0u;
  const auto read = TypeParam::read(bytes, deep);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(bytes_of<TypeParam>(*read, member_order::document, ~0u), bytes);
  // A value that MessagePack does not have; in CBOR a tag without content
  bytes.back() = std::byte{0xc1};
  EXPECT_FALSE(TypeParam::read(bytes, deep));
}

/// Returns arrays and objects in alternation, nested to `levels` levels.
document nested(std::size_t levels) {
  ingot::document_writer to;
  for (std::size_t i = 0; i < levels; ++i) {
    if (i % 2 == 0) to.begin_array();
    else to.begin_object(), to.key("in");
  }
  to.integer(7);
  for (std::size_t i = 0; i < levels; ++i) to.end();
  return to.finish().value();
}

TYPED_TEST(interchange, depth_written_is_depth_read) {
  // A writer that accepted one more level would write bytes that its own reader rejects.
  for (const std::uint32_t limit : {128u, 5u, 1u, 0u}) {
    for (const std::size_t levels : {std::size_t{limit}, std::size_t{limit} + 1}) {
      const auto doc = nested(levels);
      const auto any = TypeParam::write(doc.root(), {.max_depth = ~0u}).value();
      typename TypeParam::read_options reading;
      typename TypeParam::write_options writing;
      // Otherwise the default of both
      if (limit != 128) reading.max_depth = writing.max_depth = limit;
      const auto read = TypeParam::read(any, reading);
      const auto written = TypeParam::write(doc.root(), writing);
      ASSERT_EQ(read.has_value(), levels <= limit);
      ASSERT_EQ(written.has_value(), levels <= limit);
      if (written) continue;
      EXPECT_EQ(written.error().code(), read.error().code());
      EXPECT_EQ(written.error().code(), errc::too_deep);
      EXPECT_EQ(written.error().path(), read.error().path());
      EXPECT_EQ(written.error().expected(), read.error().expected());
      ingot::buffer sink;
      ASSERT_TRUE(sink.append(hex("01 02")));
      EXPECT_FALSE(TypeParam::append(sink, doc.root(), writing));
      EXPECT_EQ(sink.size(), 2u);
    }
  }
}

TEST(interchange_depth, of_tags_and_extensions_counts_in_both_directions) {
  const ingot::cbor::read_options read{.unsupported_values = unsupported_values::wrap, .max_depth = 3};
  const ingot::cbor::write_options write{.unsupported_values = unsupported_values::wrap, .max_depth = 3};
  for (const char* bytes : {"818100", "81d82000", "81d82080", "81d820d82000", "81c249010000000000000000"}) {
    const auto doc = ingot::cbor::read_document(hex(bytes), read);
    ASSERT_TRUE(doc) << bytes;
    EXPECT_EQ(hex_of(ingot::cbor::write(*doc, write).value()), bytes);
  }
  for (const char* bytes :
       {"81d820d82080", "d820d820d820d82000", "818181c249010000000000000000", "818181f7"}) {
    const auto rejected = ingot::cbor::read_document(hex(bytes), read);
    ASSERT_FALSE(rejected) << bytes;
    EXPECT_EQ(rejected.error().code(), errc::too_deep);
    const auto doc = ingot::cbor::read_document(hex(bytes), {.unsupported_values = unsupported_values::wrap});
    const auto written = ingot::cbor::write(doc.value(), write);
    ASSERT_FALSE(written) << bytes;
    EXPECT_EQ(written.error().code(), errc::too_deep);
    EXPECT_EQ(written.error().path(), rejected.error().path());
  }
}

TYPED_TEST(interchange, errors_have_a_path) {
  document doc;
  doc["orders"] = std::vector<int>{1};
  ASSERT_TRUE(doc["orders"][0].set(std::map<std::string, std::string>{{"name", "x"}}));
  auto bytes = bytes_of<TypeParam>(doc);
  bytes.back() = std::byte{0xff};
  EXPECT_EQ(shown(TypeParam::read(bytes)),
            "error: invalid UTF-8 at " + std::to_string(bytes.size() - 2) + " in orders[0].name");
  doc["orders"][0]["name"] = "\xff";
  const auto written = TypeParam::write(doc.root());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), errc::invalid_utf8);
  EXPECT_EQ(written.error().path(), "orders[0].name");
  doc = nullptr;
  doc["\xff"] = 1;
  EXPECT_EQ(TypeParam::write(doc.root()).error().code(), errc::invalid_utf8);
  EXPECT_EQ(TypeParam::write(ingot::value()).error().code(), errc::missing_member);
}

TYPED_TEST(interchange, a_repeated_key_is_an_error_or_what_was_chosen) {
  using enum ingot::key_policy;
  auto bytes = hex("00 6131 01 6131 02");
  const bool is_cbor = TypeParam::array_of_one == 0x81;
  bytes[0] = static_cast<std::byte>(TypeParam::map_of_one + 1);
  if (!is_cbor) bytes[1] = bytes[4] = std::byte{0xa1};
  const auto rejected = TypeParam::read(bytes);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::duplicate_key);
  EXPECT_EQ(rejected.error().found(), "1");
  EXPECT_EQ(rejected.error().offset(), 6u);
  // The error is at the duplicate key, also when the enclosing containers end there.
  auto inside = hex("00 6131 00");
  inside[0] = static_cast<std::byte>(TypeParam::map_of_one);
  inside[1] = bytes[1];
  inside[3] = static_cast<std::byte>(TypeParam::array_of_one);
  inside.insert(inside.end(), bytes.begin(), bytes.end());
  EXPECT_EQ(shown(TypeParam::read(inside)), "error: duplicate key at 10 in 1[0]");
  EXPECT_EQ(shown(TypeParam::read(bytes, {.repeated_keys = last_wins})), R"({"1": 2})");
  EXPECT_EQ(shown(TypeParam::read(bytes, {.repeated_keys = first_wins})), R"({"1": 1})");
}

TYPED_TEST(interchange, a_value_inside_a_document_is_overwritten_or_left) {
  document doc;
  doc["kept"] = "as it was";
  doc["it"] = std::vector<int>{1};
  auto bytes = bytes_of<TypeParam>(document(std::vector<std::string>{"one", "a text that is not short"}));
  ASSERT_TRUE(TypeParam::into(doc["it"], bytes));
  EXPECT_EQ(shown(doc.root()), R"({"it": ["one", "a text that is not short"], "kept": "as it was"})");
  bytes.push_back(std::byte{0});
  const auto trailing = TypeParam::into(doc["kept"], bytes);
  ASSERT_FALSE(trailing);
  EXPECT_EQ(trailing.error().code(), errc::trailing_bytes);
  bytes.resize(bytes.size() - 2);
  const auto truncated = TypeParam::into(doc["it"], bytes);
  ASSERT_FALSE(truncated);
  EXPECT_EQ(truncated.error().path(), "[1]");
  EXPECT_EQ(shown(doc.root()), R"({"it": ["one", "a text that is not short"], "kept": "as it was"})");
  EXPECT_TRUE(document::open(doc.bytes()));
}

TYPED_TEST(interchange, what_follows_a_value_is_an_error_or_left) {
  document doc(std::vector<int>{1, 2});
  auto bytes = bytes_of<TypeParam>(doc);
  const auto one = bytes;
  bytes.insert(bytes.end(), one.begin(), one.end());
  EXPECT_EQ(shown(TypeParam::read(bytes)), "error: trailing bytes at 3");
  ingot::bytes_view left = bytes;
  EXPECT_EQ(TypeParam::next(left), doc);
  EXPECT_EQ(left.size(), 3u);
  EXPECT_EQ(TypeParam::next(left), doc);
  EXPECT_TRUE(left.empty());
  left = ingot::bytes_view(bytes).first(2);
  EXPECT_EQ(shown(TypeParam::next(left)), "error: truncated at 0"); // two elements in one byte
  EXPECT_EQ(left.size(), 2u);
}

TYPED_TEST(interchange, every_sink_gets_the_same_bytes_and_none_some_of_them) {
  document doc(std::vector<std::string>{"one", "two"});
  const auto expected = hex_of(bytes_of<TypeParam>(doc));
  struct stream {
    std::string hex;
    ingot::result<void> write(ingot::bytes_view bytes) { return hex += hex_of(bytes), ingot::result<void>(); }
  } streamed;
  ingot::buffer buffered;
  std::string text = "before";
  std::vector<std::byte> vector;
  std::byte memory[64];
  ingot::span_sink span(memory);
  static_cast<void>(buffered.append(ingot::as_bytes_view(text)));
  ASSERT_TRUE(TypeParam::write_to(streamed, doc) && TypeParam::write_to(buffered, doc) &&
              TypeParam::write_to(text, doc) && TypeParam::write_to(vector, doc) &&
              TypeParam::write_to(span, doc));
  EXPECT_EQ(streamed.hex, expected);
  EXPECT_EQ(hex_of(vector), expected);
  EXPECT_EQ(hex_of(span.written()), expected);
  EXPECT_EQ(hex_of(buffered), hex_of(ingot::as_bytes_view(text)));
  EXPECT_EQ(hex_of(buffered).substr(12), expected);
  ingot::span_sink small(std::span<std::byte>(memory).first(4));
  EXPECT_EQ(TypeParam::write_to(small, doc).error().code(), errc::no_space);
  EXPECT_EQ(small.size(), 0u);
  ASSERT_TRUE(doc[1].set("\xff"));
  ASSERT_FALSE(TypeParam::write_to(buffered, doc));
  EXPECT_EQ(buffered.size(), text.size());
}

TYPED_TEST(interchange, limits_hold) {
  const document doc(std::vector<std::string>(100, "forty bytes of text that isn't short, no"));
  const auto bytes = bytes_of<TypeParam>(doc);
  EXPECT_EQ(TypeParam::write(doc.root(), {.max_bytes = bytes.size()}).value().size(), bytes.size());
  EXPECT_EQ(TypeParam::write(doc.root(), {.max_bytes = bytes.size() - 1}).error().code(), errc::too_large);
  typename TypeParam::read_options small;
  small.max_depth = 1;
  EXPECT_TRUE(TypeParam::read(bytes, small));
  small.max_depth = 0;
  EXPECT_EQ(shown(TypeParam::read(bytes, small)), "error: too deep at 0");
  // Far longer than the default maximum size of a document: it may become as long as the bytes
  // need.
  const document large(std::vector<std::string>(6, std::string(400'000, 'x')),
                       ingot::max_block_size{1u << 23});
  const auto long_bytes = bytes_of<TypeParam>(large);
  EXPECT_EQ(TypeParam::read(long_bytes), large);
  const auto rejected = TypeParam::read(long_bytes, {}, ingot::max_block_size{1u << 20});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::no_space);
}

struct trade {
  std::int32_t id;
  double price;
  std::string venue;
  std::vector<std::uint16_t> fills;
  bool operator==(const trade&) const = default;
};

TYPED_TEST(interchange, records_go_through_documents_in_both_directions) {
  const trade sent{7, 99.5, "XETR", {100, 250}};
  const auto got = TypeParam::read(bytes_of<TypeParam>(document(sent)));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->root().template as<trade>(), sent);
}

TEST(interchange_lengths, are_believed_only_as_far_as_there_are_bytes) {
  const auto lengths_of = [](auto form, std::initializer_list<const char*> heads) {
    for (const std::string head : heads) {
      for (const std::string suffix : {"", "00", "000000000000000000"}) {
        for (const char* what : {"ffffffff", "80000000", "7fffffff", "00100000"}) {
          const auto read =
              form.read(hex(head + what + suffix), {.unsupported_values = unsupported_values::wrap});
          ASSERT_FALSE(read) << head << what;
          EXPECT_EQ(read.error().code(), errc::truncated) << head << what << suffix;
        }
      }
    }
  };
  lengths_of(msgpack_form{}, {"dd", "df", "c6", "db", "93dd", "92df"});
  lengths_of(cbor_form{}, {"5a", "7a", "9a", "ba", "5bffffffff", "7b00000001", "9bffffffff", "bb80000000",
                           "9b00000001", "bb00000001", "c25a", "5f5a", "819a", "d8409b00000000"});
  const auto ext =
      ingot::msgpack::read_document(hex("c9ffffffff05 00"), {.unsupported_values = unsupported_values::wrap});
  EXPECT_EQ(ext.error().code(), errc::truncated);
}

} // namespace interchange_both_test
