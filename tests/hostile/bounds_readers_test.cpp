// SPDX-License-Identifier: Apache-2.0
// The same measurement for readers that create no C++ value from their bytes, and for readers of
// files.
#include <ingot/document/archive.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/byte_map.hpp>
#include <ingot/dynamic/document.hpp>
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
#include <ingot/file/recover.hpp>
#include <ingot/file/save.hpp>
#include <ingot/json/document.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/write.hpp>

#include "dynamic/hostile.hpp"
#include "file/simulated_disk.hpp"
#include "hostile/bounds.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

using bounds::row;
using ingot::bytes_view;
using ingot::errc;
using ingot::max_block_size;

constexpr max_block_size wide_ceiling{std::size_t{1} << 28};

/// Calls `f(times, type, name, value)` for the hostile set in both sizes.
template <class F>
void for_all_values(const F& f) {
  for (const std::size_t times : row::sizes) {
    bounds::for_each_hostile_value(times, [&]<class T>(std::type_identity<T> type, const char* what,
                                                       const auto& value) { f(times, type, what, value); });
  }
}
/// Returns the packed bytes of `value`.
template <class T, class From>
std::vector<std::byte> packed(const From& value) {
  const auto message = ingot::pack(value).value();
  const bytes_view bytes = message;
  return {bytes.begin(), bytes.end()};
}

TEST(bounds, views) {
  row opened("`view::open`");
  row compact("`compact::view::open`");
  for_all_values([&]<class T>(std::size_t times, std::type_identity<T>, const char* what, const auto& value) {
    const auto bytes = packed<T>(value);
    // the view of a string is a string_view, which is not opened
    if constexpr (!std::is_same_v<T, std::string>)
      opened.measure(times, what, bytes.size(), [&] { return ingot::view<T>::open(bytes); });
    const auto short_bytes = ingot::compact::pack(value).value();
    if constexpr (!std::is_same_v<T, std::string>)
      compact.measure(times, what, bytes_view(short_bytes).size(),
                      [&] { return ingot::compact::view<T>::open(bytes_view(short_bytes)); });
  });
  opened.expect();
  compact.expect();
}

// --- older types ---------------------------------------------------------------------------------

template <class T>
struct earlier {
  T value{};
};
template <class T>
struct later {
  T value{};
  std::uint32_t added = 7;
};
struct small {
  std::uint8_t number = 0;
};
struct grown {
  std::uint8_t number = 0;
  std::array<std::uint64_t, 2> more{};
};

template <class Old, class New, class From>
void read_older(row& evolved, std::size_t times, const char* what, const From& value) {
  const auto conversion = ingot::evolution<New>::from(ingot::schema_of<Old>()).value();
  const auto bytes = ingot::pack(value).value();
  evolved.measure(times, what, bytes_view(bytes).size(), [&] { return conversion.unpack(bytes); });
  const auto compact = ingot::compact::pack(value).value();
  evolved.measure(times, what + std::string(" in compact form"), bytes_view(compact).size(),
                  [&] { return conversion.unpack_compact(compact); });
}

TEST(bounds, older_types) {
  row evolved("`evolution`");
  for_all_values([&]<class T>(std::size_t times, std::type_identity<T>, const char* what, const auto& value) {
    using written = std::remove_cvref_t<decltype(value)>;
    read_older<earlier<T>, later<T>>(evolved, times, what, earlier<written>{value});
  });
  for (const std::size_t times : row::sizes)
    read_older<std::vector<small>, std::vector<grown>>(evolved, times, "records that grow",
                                                       std::vector<small>(5'000 * times));
  evolved.expect();
}

// --- without the type ----------------------------------------------------------------------------

TEST(bounds, messages_by_a_schema) {
  row packed_rows("`dynamic_message::open`");
  row compact_rows("`dynamic_message::open`, compact");
  for_all_values([&]<class T>(std::size_t times, std::type_identity<T>, const char* what, const auto& value) {
    const auto schema = ingot::schema_of<T>();
    const auto by = ingot::dynamic_schema::from(schema).value();
    const auto bytes = packed<T>(value);
    packed_rows.measure(times, what, bytes.size(), [&] { return ingot::dynamic_message::open(bytes, by); });
    const auto compact_by = ingot::dynamic_schema::from(schema, ingot::message_profile::compact).value();
    const auto compact = ingot::compact::pack(value).value();
    compact_rows.measure(times, what, bytes_view(compact).size(),
                         [&] { return ingot::dynamic_message::open(compact, compact_by); });
  });
  packed_rows.expect();
  compact_rows.expect();
}

/// Returns the description of a tuple of `count` elements of type `T`.
template <class T>
std::vector<std::byte> tuple_of(std::size_t count) {
  const bytes_view plain = ingot::schema_bytes<std::tuple<bool>>();
  const bytes_view part = bytes_view(ingot::schema_bytes<std::tuple<T>>()).subspan(plain.size() - 1);
  std::vector<std::byte> description(plain.begin(), plain.end() - 2); // all bytes before the count
  for (std::size_t left = count;; left >>= 7) {
    description.push_back(static_cast<std::byte>((left & 127) | (left > 127 ? 128 : 0)));
    if (left <= 127) break;
  }
  for (std::size_t i = 0; i < count; ++i) description.insert(description.end(), part.begin(), part.end());
  std::vector<ingot::schema_node> nodes;
  ingot::detail::description_reader reader(description, nodes);
  static_cast<void>(reader.read());
  for (std::size_t i = 0; i < 8; ++i)
    description[8 + i] = static_cast<std::byte>(reader.id() >> 8 * i & 0xFF);
  return description;
}

TEST(bounds, descriptions) {
  row schemas("`read_schema`");
  row ready("`dynamic_schema::open`");
  row compact("`dynamic_schema::open`, compact");
  row layouts("`dynamic_layout::open`");
  const auto read = [&](std::size_t times, const char* what, const std::vector<std::byte>& bytes) {
    ASSERT_TRUE(ingot::read_schema(bytes)) << ingot::read_schema(bytes).error().message();
    schemas.measure(times, what, bytes.size(), [&] { return ingot::read_schema(bytes); });
    ready.measure(times, what, bytes.size(), [&] { return ingot::dynamic_schema::open(bytes); });
    compact.measure(times, what, bytes.size(),
                    [&] { return ingot::dynamic_schema::open(bytes, ingot::message_profile::compact); });
  };
  for (const std::size_t times : row::sizes) {
    read(times, "many booleans", tuple_of<bool>(1'000 * times));
    read(times, "many lists", tuple_of<std::vector<bool>>(1'000 * times));
    read(times, "many maps", tuple_of<std::map<bool, std::vector<bool>>>(500 * times));
    std::vector<dynamic_hostile::layout_bytes> vectors;
    for (std::uint64_t i = 0; i < 1'000 * times; ++i)
      vectors.push_back(
          dynamic_hostile::with_numbers(dynamic_hostile::head(ingot::dynamic_kind::vector, 8, 4), {i + 1}));
    vectors.push_back(dynamic_hostile::head(ingot::dynamic_kind::byte, 1, 1));
    const auto nested = dynamic_hostile::description_of(vectors);
    layouts.measure(times, "vectors in vectors", nested.size(),
                    [&] { return ingot::dynamic_layout::open(nested); });
  }
  schemas.expect();
  ready.expect();
  compact.expect();
  layouts.expect();
}

// --- blocks and documents ------------------------------------------------------------------------

struct branch {
  ingot::string name;
  ingot::vector<branch> inside;
  ingot::map<std::uint64_t, ingot::string> ordered;
  ingot::hash_map<std::uint64_t, ingot::string> hashed;
};
struct branch_before {
  ingot::string name;
  ingot::vector<branch_before> inside;
  ingot::map<std::uint32_t, ingot::string> ordered;
  ingot::hash_map<std::uint64_t, ingot::string> hashed;
};

template <class Branch>
std::vector<ingot::live<Branch>> hostile_blocks(std::size_t times, std::size_t depth) {
  std::vector<ingot::live<Branch>> blocks;
  for (int i = 0; i < 4; ++i) blocks.emplace_back(wide_ceiling);
  blocks[0]->inside.resize(2'000 * times);
  for (std::uint32_t i = 0; i < 2'000 * times; ++i) {
    blocks[1]->ordered[i] = "text that is too long for its place";
    blocks[2]->hashed[std::uint64_t{i} << 32] = "";
  }
  Branch* at = &*blocks[3];
  for (std::size_t i = 0; i < depth; ++i) at = &at->inside.emplace_back();
  return blocks;
}

struct no_visitor final : ingot::byte_visitor {
  void enter(const ingot::byte_step&) override {}
  void leave() override {}
  void bytes(const ingot::byte_piece&) override {}
};

TEST(bounds, blocks_by_their_layout) {
  row opened("`dynamic_block::open`");
  row viewed("`live_view::open`");
  row mapped("`map_bytes`");
  const auto layout = ingot::dynamic_layout::of<branch>().value();
  for (const std::size_t times : row::sizes) {
    std::size_t number = 0;
    for (const auto& block : hostile_blocks<branch>(times, 2'000 * times)) {
      const std::string what = std::to_string(number++);
      const bytes_view bytes = block.bytes();
      opened.measure(times, what, bytes.size(), [&] { return ingot::dynamic_block::open(bytes, layout); });
      viewed.measure(times, what, bytes.size(), [&] { return ingot::live_view<branch>::open(bytes); });
      const auto dynamic = ingot::dynamic_block::open_in_place(bytes, layout).value();
      mapped.measure(times, what, bytes.size(), [&] {
        no_visitor to;
        return ingot::map_bytes(to, dynamic);
      });
    }
  }
  opened.expect();
  viewed.expect();
  mapped.expect();
}

TEST(bounds, blocks_of_older_types) {
  row evolved("`live_evolution::open`");
  const auto before = ingot::dynamic_layout::of<branch_before>().value();
  const auto conversion = ingot::live_evolution<branch>::from(before).value();
  for (const std::size_t times : row::sizes) {
    std::size_t number = 0;
    for (const auto& block : hostile_blocks<branch_before>(times, 100)) {
      const bytes_view bytes = block.bytes();
      evolved.measure(times, std::to_string(number++), bytes.size(),
                      [&] { return conversion.open(bytes, {.max_size = wide_ceiling}); });
    }
  }
  evolved.expect();
}

TEST(bounds, documents_and_their_patches) {
  row viewed("`archive_view::over`");
  row opened("`archive_view::open`");
  row checked("`validate_archive`");
  row applied("`document::apply`");
  row mapped("`map_bytes`");
  for (const std::size_t times : row::sizes) {
    std::size_t number = 0;
    for (const std::string& text : bounds::hostile_texts(times)) {
      const std::string what = "document " + std::to_string(number++);
      const ingot::document doc = ingot::json::read_document(text).value();
      const auto archive = ingot::archive(doc).value();
      const bytes_view bytes = archive;
      viewed.measure(times, what, bytes.size(), [&] { return ingot::archive_view::over(bytes); });
      opened.measure(times, what, bytes.size(), [&] { return ingot::archive_view::open(bytes); });
      checked.measure(times, what, bytes.size(), [&] { return ingot::validate_archive(bytes); });
      ingot::document before(wide_ceiling);
      const auto snapshot = ingot::document_snapshot::of(before).value();
      ingot::document after(before.root(), wide_ceiling);
      ingot::document again(wide_ceiling);
      auto since = ingot::document_snapshot::of(again).value();
      again = doc;
      const auto patch = since.changes(again).value();
      ingot::document target(wide_ceiling);
      applied.measure(times, what, patch.size(), [&] {
        ingot::document to(wide_ceiling);
        return to.apply(patch);
      });
      mapped.measure(times, what, doc.bytes().size(), [&] {
        no_visitor to;
        return ingot::map_bytes(to, doc);
      });
    }
  }
  viewed.expect();
  opened.expect();
  checked.expect();
  applied.expect();
  mapped.expect();
}

TEST(bounds, protobuf_by_a_schema) {
  row read("`protobuf::read_document`");
  for_all_values([&]<class T>(std::size_t times, std::type_identity<T>, const char* what, const auto& value) {
    // this reader takes maps for lists if their keys are messages
    if constexpr (!std::is_same_v<T, bounds::texts>) {
      const auto schema = ingot::schema_of<T>();
      const auto bytes = ingot::protobuf::write(value).value();
      read.measure(times, what, bytes.size(),
                   [&] { return ingot::protobuf::read_document(bytes, schema, wide_ceiling); });
    }
  });
  read.expect();
}

// --- files ---------------------------------------------------------------------------------------

using file_test::simulated_disk;

TEST(bounds, files) {
  row loaded("`load`");
  row inflated("`load`, compressed");
  for_all_values([&]<class T>(std::size_t times, std::type_identity<T>, const char* what, const auto& value) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("x", value, {.schema = false}, disk));
    const std::size_t size = disk.content("x").size();
    loaded.measure(times, what, size, [&] { return ingot::load<T>("x", {.threads = 1}, disk); });
    const ingot::save_options small{.schema = false, .compress = {.method = ingot::codec::lz4}};
    ASSERT_TRUE(ingot::save("x", value, small, disk));
    const std::size_t payload = ingot::pack(value).value().size();
    inflated.measure(times, what, payload, [&] { return ingot::load<T>("x", {.threads = 1}, disk); });
  });
  loaded.expect();
  inflated.expect();
}

TEST(bounds, files_of_blocks_and_documents) {
  row mapped("`map_file`");
  row edited("`edit_file`");
  row loaded("`load` of documents");
  for (const std::size_t times : row::sizes) {
    std::size_t number = 0;
    for (const auto& block : hostile_blocks<branch>(times, 2'000 * times)) {
      const std::string what = std::to_string(number++);
      simulated_disk disk;
      ASSERT_TRUE(ingot::save("x", block, {.schema = false}, disk));
      const std::size_t size = disk.content("x").size();
      mapped.measure(times, what, size, [&] { return ingot::map_file<ingot::live<branch>>("x", {}, disk); });
      if (auto file = ingot::create_edited_file("y", block, {.schema = false}, disk); file)
        ASSERT_TRUE(file->close());
      else FAIL() << file.error().message();
      edited.measure(times, what, disk.content("y").size(),
                     [&] { return ingot::edit_file<ingot::live<branch>>("y", {}, disk); });
    }
    number = 0;
    for (const std::string& text : bounds::hostile_texts(times)) {
      simulated_disk disk;
      const ingot::document doc = ingot::json::read_document(text).value();
      ASSERT_TRUE(ingot::save("x", doc, {}, disk));
      loaded.measure(times, std::to_string(number++), disk.content("x").size(),
                     [&] { return ingot::load<ingot::document>("x", {.threads = 1}, disk); });
    }
  }
  mapped.expect();
  edited.expect();
  loaded.expect();
}

TEST(bounds, logs) {
  row read("`log_reader`");
  row recovered("`recover`");
  for_all_values([&]<class T>(std::size_t times, std::type_identity<T>, const char* what, const auto& value) {
    simulated_disk disk;
    {
      using written = std::remove_cvref_t<decltype(value)>;
      auto log = ingot::log_writer<written>::open("x", {}, disk).value();
      ASSERT_TRUE(log.append(value));
      ASSERT_TRUE(log.append(written{}));
    }
    const std::size_t size = disk.content("x").size();
    read.measure(times, what, size, [&]() -> ingot::result<bool> {
      auto log = ingot::log_reader<T>::open("x", {}, disk);
      if (!log) return ingot::fail(log.error());
      T to;
      return log->next(to);
    });
    recovered.measure(times, what, size,
                      [&] { return ingot::recover("x", {.how = ingot::recovery::report}, disk); });
  });
  read.expect();
  recovered.expect();
}

// --- max_memory ----------------------------------------------------------------------------------

TEST(max_memory, bounds_the_records_of_a_log) {
  using lists = std::vector<std::vector<std::string>>;
  simulated_disk disk;
  {
    auto log = ingot::log_writer<lists>::open("x", {}, disk).value();
    ASSERT_TRUE(log.append(lists{{}, std::vector<std::string>(10'000, "x")}));
    ASSERT_TRUE(log.append(lists{{"short"}}));
  }
  auto log = ingot::log_reader<lists>::open("x", {.max_memory = 100'000}, disk).value();
  lists to;
  const auto first = log.next(to);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code(), errc::too_much_memory) << first.error().message();
  EXPECT_EQ(first.error().path(), "[x][0][1]");
  ASSERT_TRUE(log.next(to).value());
  EXPECT_EQ(to, (lists{{"short"}}));
}

TEST(max_memory, bounds_typed_messages) {
  const std::vector<std::vector<std::string>> value{{}, std::vector<std::string>(10'000, "x")};
  using type = std::vector<std::vector<std::string>>;
  const auto bytes = ingot::pack_typed(value).value();
  const auto compact = ingot::compact::pack_typed(value).value();
  const ingot::unpack_options little{.limits = {.max_memory = 100'000}};
  EXPECT_EQ(ingot::unpack_typed<type>(bytes, little).error().code(), errc::too_much_memory);
  EXPECT_EQ(ingot::compact::unpack_typed<type>(compact, little).error().code(), errc::too_much_memory);
  type to;
  EXPECT_FALSE(ingot::unpack_typed_into(to, bytes, little));
  EXPECT_FALSE(ingot::compact::unpack_typed_into(to, compact, little));
  EXPECT_TRUE(ingot::unpack_typed<type>(bytes, {.limits = {.max_memory = 1'000'000}}));
  EXPECT_TRUE(ingot::compact::unpack_typed<type>(compact, {.limits = {.max_memory = 1'000'000}}));
}

} // namespace
