// SPDX-License-Identifier: Apache-2.0
// Tools that list, count or draw bytes depend on this: every byte of a block, message or document
// is reported once, with its purpose and the path to its value. dynamic_test.cpp,
// dynamic_message_test.cpp and dynamic_hostile.hpp check it for blocks and messages of every kind,
// damaged ones too.
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/schema/description.hpp>

#include "document/exercise.hpp"
#include "dynamic/byte_map.hpp"
#include "golden_file.hpp"
#include "pack/goldens.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace byte_map_test {

struct scout {
  std::uint32_t id = 0;
  std::uint8_t rank = 0;
  ingot::string name;
  ingot::vector<std::uint16_t> marks;
  ingot::map<std::uint32_t, float> prices;
};

/// Writes each piece as a line: position, purpose, path to its value, and description.
class listing final : public ingot::byte_visitor {
public:
  void enter(const ingot::byte_step& to) override {
    lengths_.push_back(path_.size());
    switch (to.is) {
    case ingot::byte_step::kind::member: path_ += '.' + std::string(to.name); break;
    case ingot::byte_step::kind::element: path_ += '[' + std::to_string(to.index) + ']'; break;
    default: path_ += "{" + std::to_string(to.key.value_or(std::uint64_t{0})) + "}";
    }
  }
  void leave() override {
    path_.resize(lengths_.back());
    lengths_.pop_back();
  }
  void bytes(const ingot::byte_piece& piece) override {
    lines_.push_back(std::to_string(piece.offset) + '+' + std::to_string(piece.length) + ' ' +
                     std::string(to_string(piece.use)) + path_ + (piece.what.empty() ? "" : ": ") +
                     std::string(piece.what));
  }
  [[nodiscard]] bool has(std::string_view line) const {
    return std::find(lines_.begin(), lines_.end(), line) != lines_.end();
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + '\n';
    return all;
  }

private:
  std::string path_;
  std::vector<std::size_t> lengths_;
  std::vector<std::string> lines_;
};

TEST(byte_map, of_a_block_says_where_members_storages_and_holes_are) {
  ingot::live<scout> live_scout;
  live_scout->id = 7;
  live_scout->name = std::string(40, 'x');
  live_scout->marks = {1, 2, 3};
  live_scout->prices.emplace(5U, 0.5F);
  live_scout->name = std::string(100, 'y'); // leaves a hole
  live_scout->name = "short";
  const auto block = ingot::dynamic_block::open(live_scout.bytes(), ingot::layout_of<scout>()).value();
  listing found;
  ASSERT_TRUE(ingot::map_bytes(found, block));
  for (const char* const line : {"0+4 header: magic: a live block", "64+4 value.id", "68+1 value.rank",
                                 "69+3 padding: between members", "76+4 count.name: length of the text",
                                 "87+1 tag.name: the text is in a storage"})
    EXPECT_TRUE(found.has(line)) << line << " is not in\n" << found.text();
  const auto marks = block["marks"];
  EXPECT_TRUE(found.has(std::to_string(marks[std::size_t{0}].position()) + "+6 value.marks")) << found.text();
  const auto price = block["prices"].find(5);
  EXPECT_TRUE(found.has(std::to_string(price.position()) + "+4 value.prices{5}")) << found.text();
  const coverage all = cover(block);
  EXPECT_EQ(all.verdict(), "");
  EXPECT_GT(all.of(ingot::byte_use::hole), 0U);
  live_scout.compact();
  const auto tight = ingot::dynamic_block::open(live_scout.bytes(), ingot::layout_of<scout>()).value();
  EXPECT_EQ(cover(tight).of(ingot::byte_use::hole), 0U);
  listing compacted;
  ASSERT_TRUE(ingot::map_bytes(compacted, tight));
  for (const char* const line : {"76+5 value.name", "81+6 spare.name: space for text in place",
                                 "87+1 count.name: how many more characters would fit"})
    EXPECT_TRUE(compacted.has(line)) << line << " is not in\n" << compacted.text();
}

TEST(byte_map, of_packed_messages_has_every_byte_once) {
  std::size_t count = 0;
  pack_test::for_each_golden([&]<class T>(std::string_view name, std::string_view, std::string_view,
                                          const T&) {
    const auto golden = ingot_test::golden("pack_" + std::string(name));
    const auto message =
        ingot::dynamic_message::open(golden, ingot::dynamic_schema::open(ingot::schema_bytes<T>()).value());
    ASSERT_TRUE(message) << name << ": " << message.error().message();
    const coverage all = cover(*message);
    EXPECT_EQ(all.verdict(), "") << name;
    EXPECT_EQ(all.of(ingot::byte_use::hole), 0U) << name;
    ++count;
  });
  EXPECT_GE(count, 60U);
}

TEST(byte_map, of_documents_has_every_byte_once) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(ingot_test::golden_folder())) {
    if (!file.path().filename().string().starts_with("document_") || file.path().stem() == "document_patch")
      continue;
    const auto doc = ingot::document::open(ingot_test::read_golden(file.path()).bytes);
    if constexpr (std::endian::native == std::endian::big) continue;
    ASSERT_TRUE(doc) << file.path();
    EXPECT_EQ(cover(*doc).verdict(), "") << file.path();
    ++count;
  }
  EXPECT_GE(count, std::endian::native == std::endian::big ? 0U : 4U);
}

TEST(byte_map, of_documents_that_were_edited_has_every_byte_once) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    document_test::dice random(seed);
    ingot::document doc;
    document_test::change_all(doc, random);
    const coverage all = cover(doc);
    EXPECT_EQ(all.verdict(), "");
    doc.compact();
    const coverage tight = cover(doc);
    EXPECT_EQ(tight.verdict(), "");
    EXPECT_EQ(tight.of(ingot::byte_use::hole), 0U);
  }
}

TEST(byte_map, of_documents_tells_what_an_erased_value_has_left) {
  ingot::document doc;
  doc["large"] = std::vector<std::string>(50, "a text of some length");
  doc["behind"] = std::vector<std::string>(5, "a text of some length");
  ASSERT_TRUE(doc.root().erase("large"));
  const coverage all = cover(doc);
  EXPECT_EQ(all.verdict(), "");
  EXPECT_GT(all.of(ingot::byte_use::hole), 1'000U);
}

} // namespace byte_map_test
