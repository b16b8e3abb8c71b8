// SPDX-License-Identifier: Apache-2.0
// One rule for all owners: a moved-from owner is empty, can be queried and assigned to. A function
// that edits it begins a new one or fails with a specific error. These tests call each public
// function.
#include <ingot/core/buffer.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/schema.hpp>

#include "file/simulated_disk.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// NOLINTBEGIN(bugprone-use-after-move): which is what is tested here
namespace moved_from_test {

using file_test::simulated_disk;
using ingot::document;
using ingot::errc;
using ingot::live;

struct hero {
  std::uint32_t level = 1;
  ingot::string name;
  ingot::vector<std::uint32_t> items;
};
struct plain_hero {
  std::uint32_t level = 2;
  std::string name;
  std::vector<std::uint32_t> items;
};
const plain_hero ada{7, "Ada, with a name that is not short", {1, 2, 3}};

live<hero> moved_block() {
  live<hero> block(ada);
  const live<hero> taken(std::move(block));
  return block;
}

TEST(moved_from, live_block_is_empty_and_can_be_read) {
  live<hero> block(ada);
  live<hero> taken(std::move(block));
  EXPECT_EQ(taken->level, 7U);
  EXPECT_FALSE(static_cast<bool>(block));
  EXPECT_TRUE(block.bytes().empty());
  EXPECT_EQ(block.size(), 0U);
  EXPECT_EQ(block.max_size(), 0U);
  EXPECT_EQ(block.stats().used + block.stats().free_bytes + block.stats().max_size + block.stats().live, 0U);
  EXPECT_EQ(block.field_sizes()[1].name, "name");
  EXPECT_EQ(block.field_sizes()[1].bytes, 0U);
  EXPECT_EQ(block, moved_block());
  EXPECT_FALSE(block == taken);
  EXPECT_FALSE(taken == block);
  block.scrub();
  EXPECT_EQ(block.trim(), 0U);
  EXPECT_EQ(block.reclaim(), 0U);
  EXPECT_EQ(block.compact(), 0U);
  EXPECT_TRUE(block.try_compact());
  const live<hero> copy(block);
  EXPECT_FALSE(static_cast<bool>(copy));
  const auto tried = block.try_copy({});
  ASSERT_TRUE(tried.has_value());
  EXPECT_FALSE(static_cast<bool>(*tried));
  EXPECT_FALSE(static_cast<bool>(block)) << "asking makes nothing";
  EXPECT_FALSE(live<hero>::open(block.bytes()).has_value());
}

TEST(moved_from, live_block_that_is_assigned_begins_a_new_one) {
  live<hero> block = moved_block();
  block = ada;
  EXPECT_EQ(block->name, ada.name);
  block = moved_block();
  EXPECT_FALSE(static_cast<bool>(block));
  EXPECT_TRUE(block.try_assign(ada));
  EXPECT_EQ(block->items.size(), 3U);
  block = moved_block();
  EXPECT_TRUE(block.try_rebuild(ada));
  EXPECT_EQ(block->level, 7U);
  const live<hero> same(ada);
  block = moved_block();
  block = same;
  EXPECT_EQ(block, same);
  const live<hero> empty = moved_block();
  block = empty;
  EXPECT_FALSE(static_cast<bool>(block));
  live<hero> third(ada);
  swap(block, third);
  EXPECT_EQ(block, same);
  EXPECT_FALSE(static_cast<bool>(third));
}

TEST(moved_from, live_block_with_a_new_maximum_size_begins_a_new_one) {
  live<hero> block = moved_block();
  EXPECT_TRUE(block.reserve(100'000));
  ASSERT_TRUE(static_cast<bool>(block));
  EXPECT_EQ(block->level, 1U);
  EXPECT_GE(block.max_size(), block.size() + 100'000);
  block = moved_block();
  block.relocate(ingot::max_block_size{200'000});
  ASSERT_TRUE(static_cast<bool>(block));
  EXPECT_GE(block.max_size(), 200'000U);
  block->name = ada.name;
  EXPECT_TRUE(live<hero>::open(block.bytes()).has_value());
}

TEST(moved_from, live_block_in_a_span_or_in_place_is_empty) {
  alignas(16) std::byte span[8192];
  auto lent = live<hero>::in(span);
  ASSERT_TRUE(lent.has_value());
  *lent = ada;
  live<hero> taken(std::move(*lent));
  EXPECT_TRUE(lent->bytes().empty());
  *lent = ada;
  EXPECT_TRUE(*lent == taken) << "in memory of its own";
  EXPECT_NE(lent->bytes().data(), taken.bytes().data());

  std::vector<std::byte> copied(taken.bytes().begin(), taken.bytes().end());
  auto there = live<hero>::open_in_place(copied);
  ASSERT_TRUE(there.has_value());
  const live<hero> in_place(std::move(*there));
  EXPECT_EQ(in_place, taken);
  EXPECT_EQ(there->size(), 0U);
  EXPECT_TRUE(there->bytes().empty());
  EXPECT_EQ(there->stats().max_size, 0U);
  *there = ada;
  EXPECT_TRUE(*there == taken);
}

TEST(moved_from, memory_to_receive_into_is_empty) {
  auto in = live<hero>::receive_buffer(100);
  auto taken(std::move(in));
  EXPECT_EQ(taken.size(), 100U);
  EXPECT_FALSE(static_cast<bool>(in));
  EXPECT_EQ(in.size(), 0U);
  EXPECT_TRUE(in.bytes().empty());
  EXPECT_EQ(live<hero>::open(std::move(in)).error().code(), errc::truncated);
  EXPECT_EQ(live<hero>::open_unchecked(std::move(in)).error().code(), errc::truncated);
  in = live<hero>::receive_buffer(8);
  EXPECT_EQ(in.size(), 8U);

  auto of_document = document::receive_buffer(64);
  auto also_taken(std::move(of_document));
  EXPECT_EQ(of_document.size(), 0U);
  EXPECT_FALSE(static_cast<bool>(of_document));
  EXPECT_EQ(document::open(std::move(of_document)).error().code(), errc::truncated);
  of_document = document::receive_buffer(16);
  EXPECT_EQ(of_document.size(), 16U);
}

TEST(moved_from, live_view_is_a_copy) {
  const live<hero> block(ada);
  auto view = ingot::live_view<hero>::open(block.bytes());
  ASSERT_TRUE(view.has_value());
  const auto taken(std::move(*view));
  EXPECT_EQ(taken.bytes().data(), view->bytes().data());
}

document moved_document() {
  document doc;
  doc["key"] = "value";
  const document taken(std::move(doc));
  return doc;
}

TEST(moved_from, document_is_empty_and_can_be_read) {
  document source;
  source["key"] = "value";
  const document taken(std::move(source));
  EXPECT_TRUE(taken["key"].exists());
  const document& doc = source;
  EXPECT_FALSE(static_cast<bool>(doc));
  EXPECT_TRUE(doc.bytes().empty());
  EXPECT_EQ(doc.max_size(), 0U);
  EXPECT_EQ(doc.stats().used + doc.stats().free_bytes + doc.stats().max_size + doc.stats().live, 0U);
  EXPECT_FALSE(doc.root().exists());
  EXPECT_FALSE(doc["key"].exists());
  EXPECT_FALSE(doc[std::size_t{0}].exists());
  EXPECT_FALSE(doc.at("/key").exists());
  EXPECT_FALSE(doc.find("key").exists());
  EXPECT_FALSE(doc.contains("key"));
  EXPECT_TRUE(doc == moved_document());
  EXPECT_FALSE(doc == taken);
  EXPECT_FALSE(taken == doc);
  EXPECT_EQ(source.trim(), 0U);
  EXPECT_EQ(source.compact(), 0U);
  EXPECT_TRUE(source.try_compact());
  const document copy(doc);
  EXPECT_FALSE(static_cast<bool>(copy));
  const auto tried = doc.try_copy({});
  EXPECT_TRUE(tried.has_value() && !*tried);
  EXPECT_FALSE(static_cast<bool>(doc)) << "asking makes nothing";
}

TEST(moved_from, document_that_is_edited_begins_a_new_one) {
  document doc = moved_document();
  EXPECT_TRUE(doc.root().set("key", 1).has_value());
  EXPECT_EQ(doc["key"].value_or(0), 1);
  doc = moved_document();
  doc["key"] = 2;
  EXPECT_EQ(doc.find("key").value_or(0), 2);
  doc = moved_document();
  EXPECT_TRUE(doc.root().set(7).has_value());
  doc = moved_document();
  EXPECT_TRUE(doc.root().append(7).has_value());
  doc = moved_document();
  EXPECT_TRUE(doc.root().set_at("/a/b", 7).has_value());
  EXPECT_EQ(doc.at("/a/b").value_or(0), 7);
  doc = moved_document();
  EXPECT_FALSE(doc[std::size_t{0}].exists());
  doc = moved_document();
  doc = "text";
  EXPECT_EQ(doc, document("text"));
  doc = moved_document();
  EXPECT_TRUE(doc.try_assign("text").has_value());
  EXPECT_EQ(doc, document("text"));
  doc = moved_document();
  const document other("another");
  doc = other;
  EXPECT_EQ(doc, other);
  doc = moved_document();
  document third("third");
  swap(doc, third);
  EXPECT_EQ(doc, document("third"));
  EXPECT_FALSE(static_cast<bool>(third));
  doc = std::as_const(third);
  EXPECT_FALSE(static_cast<bool>(doc));
}

TEST(moved_from, document_as_a_value_is_nothing) {
  live<hero> unused;
  struct order {
    ingot::live_value extra;
  };
  live<order> block;
  block->extra = moved_document();
  EXPECT_TRUE(block->extra.root().is_null());
  EXPECT_TRUE(ingot::document_writer(moved_document()).finish().error().code() == errc::no_space);
}

TEST(moved_from, document_snapshot_says_so) {
  document doc("text");
  auto snapshot = ingot::document_snapshot::of(doc);
  ASSERT_TRUE(snapshot.has_value());
  auto taken(std::move(*snapshot));
  doc = "other";
  EXPECT_EQ(snapshot->changes(doc).error().code(), errc::invalid_value);
  const auto should_continue = [](std::uint64_t, std::uint64_t) { return true; };
  EXPECT_EQ(snapshot->changes(doc, should_continue).error().code(), errc::invalid_value);
  EXPECT_EQ(ingot::document_snapshot::of(moved_document()).error().code(), errc::invalid_value);
  EXPECT_EQ(ingot::document_snapshot::of(moved_document(), should_continue).error().code(),
            errc::invalid_value);
  EXPECT_EQ(taken.changes(moved_document()).error().code(), errc::invalid_value);
  const auto patch = taken.changes(doc);
  ASSERT_TRUE(patch.has_value());
  document target = moved_document();
  EXPECT_EQ(target.apply(*patch).error().code(), errc::state_mismatch);
  *snapshot = std::move(taken);
  EXPECT_TRUE(snapshot->changes(doc).has_value());
}

TEST(moved_from, archive_view_has_no_value) {
  const auto archived = ingot::archive(document("text"));
  ASSERT_TRUE(archived.has_value());
  auto view = ingot::archive_view::over(*archived);
  ASSERT_TRUE(view.has_value());
  const auto taken(std::move(*view));
  EXPECT_FALSE(view->root().exists());
  EXPECT_FALSE((*view)["a"].exists());
  EXPECT_FALSE((*view)[std::size_t{0}].exists());
  EXPECT_FALSE(view->find("a").exists());
  EXPECT_FALSE(view->contains("a"));
  EXPECT_FALSE(view->at("/a").exists());
  EXPECT_EQ(view->replace(view->root(), 1).error().code(), errc::missing_member);
  EXPECT_EQ(view->replace(taken.root(), 1).error().code(), errc::missing_member);
  view = ingot::archive_view::over(*archived);
  EXPECT_EQ(view->root().value_or(std::string_view()), "text");
}

TEST(moved_from, buffer_is_empty) {
  ingot::buffer bytes;
  ASSERT_TRUE(bytes.resize(100));
  const ingot::buffer taken(std::move(bytes));
  EXPECT_EQ(taken.size(), 100U);
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(bytes.capacity(), 0U);
  EXPECT_TRUE(bytes == ingot::buffer());
  EXPECT_TRUE(bytes.append(taken));
  EXPECT_EQ(bytes.size(), 100U);
}

TEST(moved_from, block_and_message_without_their_type_have_no_root) {
  const live<hero> block(ada);
  auto layout = ingot::dynamic_layout::of<hero>();
  ASSERT_TRUE(layout.has_value());
  const auto also(std::move(*layout));
  EXPECT_EQ(layout->layout_id(), also.layout_id()) << "copied";
  EXPECT_FALSE(layout->asks_valid());
  EXPECT_FALSE(layout->bytes().empty());
  auto opened = ingot::dynamic_block::open(block.bytes(), *layout);
  ASSERT_TRUE(opened.has_value());
  const auto taken(std::move(*opened));
  EXPECT_TRUE(taken["level"].exists());
  EXPECT_FALSE(opened->root().exists());
  EXPECT_FALSE((*opened)["level"].exists());
  EXPECT_FALSE((*opened)[std::size_t{0}].exists());
  EXPECT_FALSE(opened->at("level").exists());
  EXPECT_TRUE(opened->bytes().empty());
  EXPECT_EQ(opened->layout().layout_id(), also.layout_id());
  opened = ingot::dynamic_block::open(block.bytes(), opened->layout());
  EXPECT_TRUE(opened.has_value());

  const ingot::buffer packed = ingot::pack(ada).value();
  auto schema = ingot::dynamic_schema::from(ingot::schema_of<plain_hero>());
  ASSERT_TRUE(schema.has_value());
  auto message = ingot::dynamic_message::open(packed, *schema);
  ASSERT_TRUE(message.has_value());
  const auto gone(std::move(*message));
  EXPECT_FALSE(message->root().exists());
  EXPECT_FALSE((*message)["level"].exists());
  EXPECT_FALSE((*message)[std::size_t{0}].exists());
  EXPECT_FALSE(message->at("level").exists());
  EXPECT_TRUE(message->bytes().empty());
  static_cast<void>(message->schema().schema_id());
  const auto moved(std::move(*schema));
  static_cast<void>(schema->profile());
  const auto by_moved = ingot::dynamic_message::open(packed, *schema);
  EXPECT_TRUE(by_moved.has_value() || by_moved.error().code() == errc::schema_mismatch);
}

struct hero_before {
  std::uint16_t level = 1;
  std::string name;
  std::vector<std::uint32_t> items;
};

TEST(moved_from, evolution_still_converts) {
  // A moved-from plan that claimed equal types would read the bytes of another type unconverted.
  const ingot::buffer packed = ingot::pack(hero_before{7, "Ada", {1}}).value();
  auto conversion = ingot::evolution<plain_hero>::from(ingot::schema_of<hero_before>());
  ASSERT_TRUE(conversion.has_value());
  const auto taken(std::move(*conversion));
  EXPECT_FALSE(conversion->is_identity());
  const auto read = conversion->unpack(packed);
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->level, 7U);
  conversion = std::move(taken);
  EXPECT_TRUE(conversion->unpack(packed).has_value());

  struct older {
    std::uint16_t level = 1;
    ingot::string name;
    ingot::vector<std::uint32_t> items;
  };
  live<older> block;
  block->level = 9;
  const auto layout = ingot::dynamic_layout::of<older>();
  ASSERT_TRUE(layout.has_value());
  auto blocks = ingot::live_evolution<hero>::from(*layout);
  ASSERT_TRUE(blocks.has_value());
  const auto taken_blocks(std::move(*blocks));
  EXPECT_FALSE(blocks->is_identity());
  const auto now = blocks->open(block.bytes());
  ASSERT_TRUE(now.has_value()) << now.error().message();
  EXPECT_EQ((*now)->level, 9U);
}

TEST(moved_from, schema_is_empty) {
  ingot::schema described = ingot::schema_of<plain_hero>();
  const ingot::schema taken(std::move(described));
  EXPECT_TRUE(described.empty());
  EXPECT_EQ(described.id(), 0U);
  EXPECT_EQ(described.to_text(), "nothing\n");
  EXPECT_FALSE(described == taken);
  described = taken;
  EXPECT_TRUE(described == taken);
}

TEST(moved_from, log_writer_and_reader_say_so) {
  simulated_disk disk;
  auto writer = ingot::log_writer<plain_hero>::open("log", {}, disk);
  ASSERT_TRUE(writer.has_value());
  EXPECT_TRUE(writer->append(ada).has_value());
  auto taken(std::move(*writer));
  EXPECT_EQ(writer->records(), 0U);
  EXPECT_EQ(writer->size(), 0U);
  EXPECT_EQ(writer->append(ada).error().code(), errc::invalid_value);
  EXPECT_EQ(writer->sync().error().code(), errc::invalid_value);
  const auto renamed = writer->is_renamed();
  EXPECT_EQ(renamed.error().code(), errc::invalid_value);
  EXPECT_EQ(renamed.error().expected(), "a log (this writer was moved from)");
  EXPECT_EQ(writer->rotate("log.1").error().code(), errc::invalid_value);
  EXPECT_FALSE(taken.is_renamed().value()) << "the log that was moved elsewhere is where it was";
  EXPECT_EQ(taken.records(), 1U);
  *writer = std::move(taken);
  EXPECT_TRUE(writer->append(ada).has_value());
  EXPECT_EQ(writer->records(), 2U);
  // After an assignment it works as before.
  EXPECT_TRUE(writer->rotate("log.1").has_value());
  EXPECT_TRUE(writer->append(ada).has_value());
  EXPECT_TRUE(writer->append(ada).has_value());
  auto another = ingot::log_writer<plain_hero>::open("other", {}, disk);
  ASSERT_TRUE(another.has_value());
  const std::size_t open_files = disk.open_files();
  *another = std::move(*writer);
  EXPECT_EQ(disk.open_files(), open_files - 1) << "the log that it had is closed";
  EXPECT_TRUE(another->append(ada).has_value());

  auto reader = ingot::log_reader<plain_hero>::open("log", {}, disk);
  ASSERT_TRUE(reader.has_value());
  plain_hero read;
  EXPECT_TRUE(reader->next(read).value_or(false));
  auto rest(std::move(*reader));
  EXPECT_EQ(reader->next(read).error().code(), errc::invalid_value);
  EXPECT_EQ(reader->records(), 0U);
  EXPECT_EQ(reader->lost_bytes(), 0U);
  const auto renamed_read = reader->is_renamed();
  EXPECT_EQ(renamed_read.error().code(), errc::invalid_value);
  EXPECT_EQ(renamed_read.error().expected(), "a log (this reader was moved from)");
  EXPECT_EQ(reader->reopen().error().code(), errc::invalid_value);
  EXPECT_EQ(reader->records(), 0U);
  EXPECT_TRUE(rest.next(read).value_or(false));
  *reader = std::move(rest);
  EXPECT_EQ(reader->records(), 2U);
  EXPECT_TRUE(reader->next(read).value_or(false));
  EXPECT_FALSE(reader->is_renamed().value());
  EXPECT_TRUE(reader->reopen().has_value());
  EXPECT_EQ(reader->records(), 0U);
}

TEST(moved_from, mapped_file_has_no_payload) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("packed", ada, {}, disk).has_value());
  ASSERT_TRUE(ingot::save("block", live<hero>(ada), {}, disk).has_value());
  ASSERT_TRUE(ingot::save("document", document("text"), {}, disk).has_value());
  const auto check = [&]<class T>(std::type_identity<T>, const char* name) {
    auto mapped = ingot::map_file<T>(name, {}, disk);
    ASSERT_TRUE(mapped.has_value()) << mapped.error().message();
    EXPECT_TRUE(static_cast<bool>(*mapped));
    const auto taken(std::move(*mapped));
    EXPECT_FALSE(static_cast<bool>(*mapped));
    EXPECT_TRUE(mapped->payload().empty());
    EXPECT_FALSE(taken.payload().empty());
    mapped = ingot::map_file<T>(name, {}, disk);
    ASSERT_TRUE(mapped.has_value());
    EXPECT_FALSE(mapped->payload().empty());
  };
  check(std::type_identity<plain_hero>{}, "packed");
  check(std::type_identity<live<hero>>{}, "block");
  check(std::type_identity<ingot::live_view<hero>>{}, "block");
  check(std::type_identity<document>{}, "document");
}

TEST(moved_from, edited_file_is_as_one_that_was_closed) {
  simulated_disk disk;
  const auto check = [&](const auto& value, const char* name) {
    using type = std::remove_cvref_t<decltype(value)>;
    auto file = ingot::create_edited_file<type>(name, value, {}, disk);
    ASSERT_TRUE(file.has_value()) << file.error().message();
    auto taken(std::move(*file));
    EXPECT_FALSE(static_cast<bool>(*file));
    EXPECT_FALSE(file->last_error().has_value());
    EXPECT_TRUE(file->was_closed());
    EXPECT_TRUE(file->sync().has_value());
    EXPECT_TRUE(file->close().has_value());
    *file = std::move(taken);
    EXPECT_TRUE(static_cast<bool>(*file));
    EXPECT_TRUE(**file == value);
    EXPECT_TRUE(file->close().has_value());
  };
  check(live<hero>(ada), "block");
  check(document("text"), "document");
}

TEST(moved_from, contents_of_an_edited_file_that_were_moved_out_are_an_error_of_it) {
  simulated_disk disk;
  auto file = ingot::create_edited_file<live<hero>>("x", live<hero>(ada), {}, disk);
  ASSERT_TRUE(file.has_value());
  const live<hero> taken(std::move(**file));
  EXPECT_EQ(file->sync().error().code(), errc::invalid_value);
  **file = ada; // a new block in memory of its own, and assignment works
  EXPECT_TRUE(file->sync().has_value());
  EXPECT_TRUE(**file == live<hero>(ada));
}

} // namespace moved_from_test
// NOLINTEND(bugprone-use-after-move)
