// SPDX-License-Identifier: Apache-2.0
// Messages exchanged with code that protobuf's compiler generated from the output of `to_proto`.
// Breaks when either side reads other values than the other one wrote.
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/to_proto.hpp>

#include "protobuf/oracle_types.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>
#include <world.pb.h>

namespace protobuf_exchange_test {

namespace pb = ingot::protobuf;

oracle_types::world filled() {
  oracle_types::world sample;
  sample.open = true;
  sample.least = -128;
  sample.balance = std::numeric_limits<std::int64_t>::min();
  sample.most = std::numeric_limits<std::uint64_t>::max();
  sample.ratio = -0.0F;
  sample.exact = 0.1;
  sample.title = "Gr\u00FC\u00DFe";
  sample.wide = u"\U0001F5DD";
  sample.blob = {std::byte{0}, std::byte{255}};
  sample.code[0] = 'x';
  sample.steps = {1, 0, -1};
  sample.moods = {oracle_types::mood::angry, oracle_types::mood::calm, oracle_types::mood::glad};
  sample.samples = {0, 1.5, std::numeric_limits<double>::infinity()};
  sample.words = {"", "a"};
  sample.items = {{1, "one", oracle_types::mood::angry}, {}, {2, "", oracle_types::mood::glad}};
  sample.rows = {{1, 300}, {}, {2}};
  sample.first = {7, std::nullopt, oracle_types::mood::calm};
  sample.second = oracle_types::item{};
  sample.zero = 0;
  sample.by_name = {{"", {1, "x", oracle_types::mood::calm}}, {"k", {}}};
  sample.by_number = {{0, ""}, {-5, "five"}};
  sample.by_mood = {{oracle_types::mood::angry, {true, false}}, {oracle_types::mood::calm, {}}};
  sample.choice = oracle_types::item{3, "c", oracle_types::mood::calm};
  sample.pair = {-3, "p"};
  sample.inner = std::make_unique<oracle_types::world>();
  sample.inner->choice = std::string();
  return sample;
}
ingot::bytes_view view(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }
std::string text(ingot::bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(protobuf_exchange, the_message_is_the_one_that_is_printed) {
  std::ifstream file(INGOT_SOURCE_DIR "/tests/protobuf/world.proto");
  const std::string golden((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(ingot::to_proto(ingot::schema_of<oracle_types::world>(), {.name = "world"}), golden);
}
TEST(protobuf_exchange, their_code_reads_what_we_write) {
  World theirs;
  ASSERT_TRUE(theirs.ParseFromString(text(pb::write(filled()).value())));
  EXPECT_TRUE(theirs.open());
  EXPECT_EQ(theirs.least(), -128);
  EXPECT_EQ(theirs.balance(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(theirs.most(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(theirs.exact(), 0.1);
  EXPECT_EQ(theirs.title(), "Gr\u00FC\u00DFe");
  EXPECT_EQ(theirs.wide(), "\U0001F5DD");
  EXPECT_EQ(theirs.blob(), std::string("\0\xff", 2));
  EXPECT_EQ(theirs.code(), "x");
  ASSERT_EQ(theirs.steps_size(), 3);
  EXPECT_EQ(theirs.steps(2), -1);
  ASSERT_EQ(theirs.moods_size(), 3);
  EXPECT_EQ(theirs.moods(0), MOOD_ANGRY);
  ASSERT_EQ(theirs.items_size(), 3);
  EXPECT_FALSE(theirs.items(1).has_name());
  EXPECT_TRUE(theirs.items(2).has_name());
  ASSERT_EQ(theirs.rows_size(), 3);
  EXPECT_EQ(theirs.rows(0).value(1), 300U);
  EXPECT_TRUE(theirs.has_second());
  EXPECT_TRUE(theirs.has_zero());
  EXPECT_EQ(theirs.by_name().at("").name(), "x");
  EXPECT_EQ(theirs.by_number().at(-5), "five");
  ASSERT_EQ(theirs.by_mood_size(), 2);
  EXPECT_EQ(theirs.by_mood(0).value_size(), 2);
  ASSERT_EQ(theirs.choice().alternative_case(), WorldChoice::kItem);
  EXPECT_EQ(theirs.choice().item().id(), 3U);
  EXPECT_EQ(theirs.pair().part0(), -3);
  ASSERT_TRUE(theirs.has_inner());
  EXPECT_EQ(theirs.inner().choice().alternative_case(), WorldChoice::kAlternative1);
  EXPECT_TRUE(theirs.GetReflection()->GetUnknownFields(theirs).empty());
}
TEST(protobuf_exchange, we_read_what_their_code_writes) {
  World theirs;
  const std::string ours = text(pb::write(filled()).value());
  ASSERT_TRUE(theirs.ParseFromString(ours));
  const auto back = pb::read<oracle_types::world>(view(theirs.SerializeAsString()));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(text(pb::write(*back).value()), ours);
  EXPECT_EQ(back->items, filled().items);
  EXPECT_EQ(back->second, filled().second);

  World sparse; // members that the other code omits are zero
  sparse.set_least(-1);
  const auto zeros = pb::read<oracle_types::world>(view(sparse.SerializeAsString()));
  ASSERT_TRUE(zeros) << zeros.error().message();
  EXPECT_EQ(zeros->least, -1);
  EXPECT_FALSE(zeros->zero);
  EXPECT_EQ(zeros->inner, nullptr);
  sparse.set_least(-129);
  EXPECT_EQ(pb::read<oracle_types::world>(view(sparse.SerializeAsString())).error().path(), "least");
}
TEST(protobuf_exchange, messages_are_merged_as_their_code_merges_them) {
  World first;
  first.set_title("first");
  first.add_words("a");
  first.mutable_first()->set_id(1);
  first.mutable_choice()->set_alternative0(5);
  (*first.mutable_by_number())[1] = "one";
  World second;
  second.add_words("b");
  second.mutable_first()->set_name("n");
  second.mutable_choice()->mutable_item()->set_id(9);
  (*second.mutable_by_number())[1] = "uno";
  const std::string both = first.SerializeAsString() + second.SerializeAsString();
  World merged;
  ASSERT_TRUE(merged.ParseFromString(both));
  const auto ours = pb::read<oracle_types::world>(view(both));
  ASSERT_TRUE(ours);
  World again;
  ASSERT_TRUE(again.ParseFromString(text(pb::write(*ours).value())));
  EXPECT_EQ(again.title(), merged.title());
  EXPECT_EQ(again.words_size(), merged.words_size());
  EXPECT_EQ(again.first().SerializeAsString(), merged.first().SerializeAsString());
  EXPECT_EQ(again.choice().SerializeAsString(), merged.choice().SerializeAsString());
  EXPECT_EQ(again.by_number().at(1), merged.by_number().at(1));
}

} // namespace protobuf_exchange_test
