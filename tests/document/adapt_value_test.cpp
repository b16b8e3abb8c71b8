// SPDX-License-Identifier: Apache-2.0
// Values of any kind in typed structs, in each form of such a struct. A struct of std:: members and
// its live twin are one type, with the same packed bytes, schema and evolution. Programs without
// the type see the value itself.
#include <ingot/document/archive.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema.hpp>

#include "described_types.hpp"
#include "golden_file.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace adapt_value_test {

using ingot::document;
using ingot::live;

struct order {
  std::string id;
  document extra;
  std::vector<document> more;
  bool operator==(const order&) const = default;
};
struct live_order {
  ingot::string id;
  ingot::live_value extra;
  ingot::vector<ingot::live_value> more;
};
/// The type two versions later.
struct later_order {
  std::vector<document> more;
  std::uint32_t count = 5;
  document extra;
};
struct later_live_order {
  ingot::vector<ingot::live_value> more;
  std::uint32_t count = 5;
  ingot::live_value extra;
};
struct other_order {
  std::string id;
  std::vector<std::byte> extra;
  std::vector<document> more;
};

order sample() {
  order o;
  o.id = "o-1";
  o.extra["price"] = 3.5;
  o.extra["tags"] = std::vector<std::string>{"a", std::string(200, 'b')};
  o.more.emplace_back(7);
  o.more.emplace_back(); // null
  return o;
}

TEST(adapt_value, twins_are_one_type_with_the_same_packed_bytes) {
  static_assert(ingot::schema_id<order> == ingot::schema_id<live_order>);
  static_assert(ingot::schema_id<order> != ingot::schema_id<other_order>);
  const order original = sample();
  const live<live_order> twin(original);
  const auto packed = ingot::pack(original).value();
  EXPECT_EQ(packed, ingot::pack(*twin).value());
  EXPECT_EQ(ingot::unpack<order>(packed).value(), original);
  const auto compact = ingot::compact::pack(original).value();
  EXPECT_EQ(compact, ingot::compact::pack(*twin).value());
  EXPECT_EQ(ingot::compact::unpack<order>(compact).value(), original);
  // A view returns the archive, to be read in place.
  const auto seen = ingot::view<order>::open(packed).value();
  const auto archive = seen.get<1>();
  std::vector<std::byte> bytes;
  for (const std::byte each : archive) bytes.push_back(each);
  EXPECT_EQ(ingot::unarchive(bytes).value(), original.extra);
}

/// A value for each form in which a document is stored.
order committed() {
  order o;
  o.id = "o-1";
  o.extra["price"] = 3.5;
  o.extra["tags"] = std::vector<std::string>{"new", "a tag that is longer than most"};
  o.more.emplace_back(7);
  o.more.emplace_back(); // null
  return o;
}

TEST(adapt_value, bytes_are_as_they_were_committed) {
  const order original = committed();
  const auto packed = ingot::pack(original).value();
  const auto packed_then =
      ingot_test::golden("value_packed", "an order with values of any kind, packed", packed);
  EXPECT_TRUE(std::ranges::equal(ingot::bytes_view(packed), packed_then));
  EXPECT_EQ(ingot::unpack<order>(packed_then).value(), original);
  EXPECT_TRUE(ingot_test::described_types().expect("value_order", ingot::schema_bytes<order>()));

  const auto compact = ingot::compact::pack(original).value();
  const auto compact_then = ingot_test::golden("value_compact", "the same order, compact", compact);
  EXPECT_TRUE(std::ranges::equal(ingot::bytes_view(compact), compact_then));
  EXPECT_EQ(ingot::compact::unpack<order>(compact_then).value(), original);

  const live<live_order> block(original); // canonical
  const auto live_then =
      ingot_test::golden("value_live", "the same order as a block, canonical; little-endian", block.bytes());
  const auto opened = live<live_order>::open(live_then);
  if constexpr (std::endian::native == std::endian::little) {
    EXPECT_TRUE(std::ranges::equal(block.bytes(), live_then));
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    EXPECT_EQ((*opened)->extra, original.extra);
  } else {
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ingot::errc::layout_mismatch);
  }
}

TEST(adapt_value, damaged_archives_in_messages_are_rejected_or_values) {
  const order original = sample();
  for (const bool is_compact : {false, true}) {
    const auto encoded = is_compact ? ingot::compact::pack(original).value() : ingot::pack(original).value();
    const ingot::bytes_view view(encoded);
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < 8 * view.size(); ++bit) {
      std::vector<std::byte> bytes(view.begin(), view.end());
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
      const auto read = is_compact ? ingot::compact::unpack<order>(bytes) : ingot::unpack<order>(bytes);
      if (!read) continue;
      ++accepted;
      const auto again = is_compact ? ingot::compact::pack(*read).value() : ingot::pack(*read).value();
      ASSERT_TRUE(std::ranges::equal(ingot::bytes_view(again), ingot::bytes_view(bytes))) << bit;
    }
    EXPECT_GT(accepted, 100U); // letters of texts
  }
  document in_a_field;
  in_a_field["order"] = original;
  EXPECT_EQ(in_a_field["order"].as<order>().value(), original);
}

TEST(adapt_value, an_archive_that_is_none_says_where) {
  order original = sample();
  original.more.clear();
  const auto packed = ingot::pack(original).value();
  std::vector<std::byte> bytes(ingot::bytes_view(packed).begin(), ingot::bytes_view(packed).end());
  const auto archive = ingot::archive(original.extra).value();
  const auto at = std::ranges::search(bytes, ingot::bytes_view(archive)).begin() - bytes.begin();
  bytes[static_cast<std::size_t>(at)] ^= std::byte{0xFF};
  const auto read = ingot::unpack<order>(bytes);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().path(), "extra");
  EXPECT_EQ(read.error().offset(), static_cast<std::uint64_t>(at));
}

TEST(adapt_value, the_schema_names_it) {
  const auto described = ingot::schema_of<order>();
  EXPECT_EQ(described.to_text(), "record\n  id: string\n  extra: document\n  more: sequence of document\n");
  EXPECT_EQ(ingot::read_schema(ingot::schema_bytes<live_order>()).value(), described);
  EXPECT_TRUE(static_cast<bool>(ingot::compatible(described, ingot::schema_of<order>())));
  EXPECT_FALSE(static_cast<bool>(ingot::compatible(described, ingot::schema_of<other_order>())));
}

TEST(adapt_value, evolves_as_itself_and_as_nothing_else) {
  const order original = sample();
  const auto plan = ingot::evolution<later_order>::from(ingot::schema_of<order>()).value();
  const auto later = plan.unpack(ingot::pack(original).value()).value();
  EXPECT_EQ(later.extra, original.extra);
  EXPECT_EQ(later.more, original.more);
  EXPECT_EQ(later.count, 5U);
  EXPECT_FALSE(ingot::evolution<other_order>::from(ingot::schema_of<order>()).has_value());

  const live<live_order> block(original);
  const auto blocks = ingot::live_evolution<later_live_order>::from(ingot::layout_of<live_order>()).value();
  const auto now = blocks.open(block.bytes()).value();
  EXPECT_EQ(now->extra, original.extra);
  EXPECT_EQ(now->more.size(), 2U);
  EXPECT_EQ(now->more[0].as<int>(), 7);
}

TEST(adapt_value, blocks_and_messages_without_their_type_show_the_value_itself) {
  const order original = sample();
  const live<live_order> block(original);
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<live_order>()).value();
  const auto opened = ingot::dynamic_block::open(block.bytes(), layout).value();
  const auto extra = opened.root()["extra"];
  EXPECT_EQ(extra.kind(), ingot::dynamic_kind::value);
  EXPECT_EQ(to_string(extra.kind()), "value");
  EXPECT_TRUE(extra.is_any());
  EXPECT_EQ(extra.any()["price"].as<double>(), 3.5);
  EXPECT_FALSE(opened.root()["id"].any().exists());
  EXPECT_EQ(to_string(opened.root()["more"]), "[7, none]");
  const auto whole = to_document(opened.root()).value();
  EXPECT_EQ(whole.at("/extra").as<document>().value(), original.extra);

  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const auto packed = profile == ingot::message_profile::pack ? ingot::pack(original).value()
                                                                : ingot::compact::pack(original).value();
    const auto types = ingot::dynamic_schema::from(ingot::schema_of<order>(), profile).value();
    const auto message = ingot::dynamic_message::open(packed, types).value();
    EXPECT_TRUE(message.root()["extra"].is_any());
    const auto converted = to_document(message.root()).value();
    EXPECT_EQ(converted, whole);
    const auto again = ingot::pack_document(converted.root(), types).value();
    EXPECT_TRUE(std::ranges::equal(ingot::bytes_view(again), ingot::bytes_view(packed)));
  }
}

/// Blocks that only programs without the type read are validated as well.
TEST(adapt_value, damaged_blocks_without_their_type_are_rejected_or_shown) {
  live<live_order> block(sample());
  block.compact();
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<live_order>()).value();
  const auto whole = block.bytes();
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::vector<std::byte> bytes(whole.begin(), whole.end());
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
    const auto typed = live<live_order>::open(bytes);
    const auto untyped = ingot::dynamic_block::open(bytes, layout);
    ASSERT_EQ(typed.has_value(), untyped.has_value()) << bit;
    if (!untyped) {
      EXPECT_EQ(untyped.error().code(), typed.error().code()) << bit;
      EXPECT_EQ(untyped.error().offset(), typed.error().offset()) << bit;
      continue;
    }
    const auto converted = to_document(untyped->root());
    ASSERT_TRUE(converted.has_value()) << bit;
    EXPECT_EQ(converted->at("/extra").as<document>().value(), (*typed)->extra.to_document());
  }
}

} // namespace adapt_value_test
