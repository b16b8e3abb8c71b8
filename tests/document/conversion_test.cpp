// SPDX-License-Identifier: Apache-2.0
// Conversion of the less common types to documents and back. Their forms are those of JSON, so that
// text and documents mean the same.
#include <ingot/document/document.hpp>

#include "document/conversion_zoo.hpp"

#include <array>
#include <bitset>
#include <complex>
#include <expected>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace document_conversion_test {

using namespace document_conversion_types;
using ingot::document;
using ingot::errc;

TEST(document_conversion, has_the_forms_of_json) {
  const document doc(sample());
  const auto text = [&](const char* pointer) { return doc.at(pointer).as<std::string>().value(); };
  EXPECT_EQ(doc.at("/what/square/side").as<double>(), 2.5) << "the name given to the alternative";
  EXPECT_EQ(text("/any/2"), "text") << "its index, where it has none";
  EXPECT_EQ(doc.at("/good/value").as<int>(), 5);
  EXPECT_EQ(doc.at("/bad/error").as<int>(), 7);
  EXPECT_TRUE(doc.at("/nothing/value").is_null());
  EXPECT_EQ(doc.at("/z").as<std::vector<double>>(), (std::vector{1.5, -2.0}));
  EXPECT_EQ(text("/bits"), "101000000011");
  EXPECT_EQ(text("/where"), "a/folder/file");
  EXPECT_EQ(doc.at("/maybe").size(), 1U) << "null alone is an optional without a value";
  EXPECT_TRUE(doc.at("/maybe/0").is_null());
  EXPECT_EQ(doc.at("/box/0").as<int>(), 3);
  EXPECT_EQ(text("/name"), "12345678");
  EXPECT_EQ(text("/code"), "ab");
  EXPECT_EQ(text("/by_number/-5"), "minus five");
  EXPECT_EQ(doc.at("/by_colour/green").as<int>(), 2);
  EXPECT_EQ(text("/by_place/1/1"), "there");
  EXPECT_EQ(doc.at("/by_place/1/0/1").as<int>(), 4);
  EXPECT_EQ(doc.at("/many").size(), 2U);
  EXPECT_EQ(doc.at("/numbers").size(), 3U);
  EXPECT_EQ(doc.at("/flags/18446744073709551615").as<bool>(), true);
}

TEST(document_conversion, comes_back_as_it_was) {
  const everything before = sample();
  const auto after = document(before).root().as<everything>();
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_EQ(after->what, before.what);
  EXPECT_EQ(after->any, before.any);
  EXPECT_EQ(after->good, before.good);
  EXPECT_EQ(after->bad, before.bad);
  EXPECT_TRUE(after->nothing.has_value());
  EXPECT_EQ(after->z, before.z);
  EXPECT_EQ(after->bits, before.bits);
  EXPECT_EQ(after->where, before.where);
  EXPECT_EQ(after->maybe, before.maybe);
  ASSERT_TRUE(after->box);
  EXPECT_EQ(*after->box, *before.box);
  EXPECT_EQ(std::string_view(after->name, 8), "12345678");
  EXPECT_EQ(after->code, before.code);
  EXPECT_EQ(after->letter, 'x');
  EXPECT_EQ(after->by_number, before.by_number);
  EXPECT_EQ(after->by_colour, before.by_colour);
  EXPECT_EQ(after->by_place, before.by_place);
  EXPECT_EQ(after->many, before.many);
  EXPECT_EQ(after->numbers, before.numbers);
  EXPECT_EQ(after->flags, before.flags);
}

template <class T>
std::string why_not(const document& doc) {
  const auto read = doc.root().as<T>();
  return read ? "" : read.error().message();
}
template <class T, class From>
errc code_of(const From& from) {
  const auto read = document(from).root().template as<T>();
  return read ? errc{255} : read.error().code();
}

TEST(document_conversion, rejects_what_is_no_such_value) {
  using map = std::map<std::string, int>;
  EXPECT_EQ((code_of<std::variant<int, bool>>(map{{"2", 1}})), errc::bad_variant);
  EXPECT_EQ((code_of<std::variant<int, bool>>(map{{"0", 1}, {"1", 1}})), errc::bad_variant);
  EXPECT_EQ((code_of<std::variant<int, bool>>(map{{"1", 1}})), errc::type_mismatch);
  EXPECT_EQ((code_of<std::variant<int, bool>>(5)), errc::type_mismatch);
  EXPECT_EQ((code_of<std::expected<int, int>>(map{{"other", 1}})), errc::bad_variant);
  EXPECT_EQ((code_of<std::expected<void, int>>(map{{"value", 1}})), errc::type_mismatch);
  EXPECT_EQ(code_of<std::bitset<4>>("01"), errc::bad_length);
  EXPECT_EQ(code_of<std::bitset<4>>("0120"), errc::bad_bool);
  EXPECT_EQ(code_of<std::complex<float>>(std::vector{1.0}), errc::bad_length);
  EXPECT_EQ((code_of<std::array<char, 3>>("abcd")), errc::too_long);
  EXPECT_EQ(code_of<char>("ab"), errc::out_of_range);
  EXPECT_EQ(code_of<char>("\x80"), errc::out_of_range);
  EXPECT_EQ(code_of<std::optional<std::optional<int>>>(5), errc::type_mismatch);
  EXPECT_EQ(code_of<std::optional<std::optional<int>>>(std::vector{5, 6}), errc::too_long);
  EXPECT_EQ((code_of<std::map<std::int8_t, int>>(map{{"200", 1}})), errc::out_of_range);
  for (const char* encoding : {"07", "-0", "+1", "", "1 ", "0x1"})
    EXPECT_EQ((code_of<std::map<int, int>>(map{{encoding, 1}})), errc::out_of_range) << encoding;
  EXPECT_EQ((code_of<std::map<colour, int>>(map{{"blue", 1}})), errc::unknown_enumerator);
  EXPECT_EQ((code_of<std::map<colour, int>>(map{{"1", 1}})), errc::unknown_enumerator);
  using pairs = std::vector<std::pair<double, int>>;
  EXPECT_EQ((code_of<std::map<double, int>>(pairs{{1, 1}, {1, 2}})), errc::duplicate_key);
  EXPECT_EQ((code_of<std::map<double, int>>(pairs{{std::numeric_limits<double>::quiet_NaN(), 1}})),
            errc::out_of_range);
  EXPECT_EQ((code_of<std::set<double>>(std::vector{std::numeric_limits<double>::quiet_NaN()})),
            errc::out_of_range);
}

TEST(document_conversion, says_where_in_alternatives_and_pairs) {
  document doc;
  doc["square"] = nullptr;
  doc["square"]["side"] = true;
  EXPECT_NE(why_not<shape>(doc).find("square.side"), std::string::npos) << why_not<shape>(doc);
  const document pairs(std::vector<std::pair<double, std::string>>{{1, "a"}, {2, "b"}});
  EXPECT_NE((why_not<std::map<double, int>>(pairs).find("[0][1]")), std::string::npos)
      << why_not<std::map<double, int>>(pairs);
}

TEST(document_conversion, of_large_bitsets_and_paths_is_exact) {
  for (const std::size_t bit : {0U, 126U, 127U, 128U, 999U}) {
    std::bitset<1'000> bits;
    bits.set(bit);
    EXPECT_EQ(document(bits).root().as<std::bitset<1'000>>(), bits);
  }
  std::bitset<127> shorter;
  shorter.set(126);
  EXPECT_EQ(document(shorter).root().as<std::bitset<127>>(), shorter);
  const std::filesystem::path longer(std::string(300, 'p'));
  EXPECT_EQ(document(longer).root().as<std::filesystem::path>(), longer);
}

} // namespace document_conversion_test
