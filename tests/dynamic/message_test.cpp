// SPDX-License-Identifier: Apache-2.0
// Packed and compact messages that are read without their type give the same values as with it, and
// accepted messages are safe to read.
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include "document/message_bytes.hpp"
#include "dynamic/agrees.hpp"
#include "dynamic/byte_map.hpp"
#include "dynamic/chest.hpp"
#include "dynamic/hostile.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_message_test {

struct versioned {
  std::uint16_t version = 3;
  std::uint8_t rest = 0;
};
struct taste { // omits members that equal their default
  std::uint8_t level = 50;
  std::string tongue = "en";
  friend auto operator<=>(const taste&, const taste&) = default;
};

} // namespace dynamic_message_test

template <>
inline constexpr auto ingot::annotations<dynamic_message_test::versioned> =
    ingot::annotate(ingot::type(ingot::version(3)));
template <>
inline constexpr auto ingot::annotations<dynamic_message_test::taste> =
    ingot::annotate(ingot::type(ingot::elide_defaults));

namespace dynamic_message_test {

using dynamic_chest::both;
using dynamic_chest::byte_vector;
using dynamic_chest::bytes_of;
using dynamic_chest::chest;
using ingot::dynamic_kind;
using ingot::dynamic_message;
using ingot::dynamic_schema;
using ingot::dynamic_value;
using ingot::errc;
using ingot::message_profile;
template <class T>
dynamic_schema schema_for(message_profile profile) {
  return dynamic_schema::open(ingot::schema_bytes<T>(), profile).value();
}
template <class T>
dynamic_message opened(const T& value, message_profile profile) {
  return dynamic_message::open(bytes_of(value, profile), schema_for<T>(profile)).value();
}
const byte_vector& chest_bytes(message_profile profile) {
  static const std::array<byte_vector, 2> messages{bytes_of(dynamic_chest::filled(), both[0]),
                                                   bytes_of(dynamic_chest::filled(), both[1])};
  return messages[profile == message_profile::pack ? 0 : 1];
}
std::string rejected(ingot::bytes_view bytes, const dynamic_schema& by) {
  const auto message = dynamic_message::open(bytes, by);
  return message ? "accepted"
                 : std::string(ingot::to_string(message.error().code())) + " at " +
                       std::string(message.error().path());
}
byte_vector hex(std::string_view text) {
  byte_vector parsed;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3)
    parsed.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  return parsed;
}

TEST(dynamic_message, reads_of_every_kind_what_was_written) {
  const chest whole = dynamic_chest::filled();
  for (const message_profile profile : both) {
    const auto message = dynamic_message::open(chest_bytes(profile), schema_for<chest>(profile));
    ASSERT_TRUE(message) << message.error().message();
    ingot::for_each_member(whole, [&]<class I, class M>(I, const M& member) {
      EXPECT_TRUE(dynamic_agrees::agree(member, (*message)[I::value])) << ingot::member_name<chest, I::value>;
    });
  }
}
TEST(dynamic_message, follows_paths_and_finds_keys) {
  for (const message_profile profile : both) {
    const auto message = dynamic_message::open(chest_bytes(profile), schema_for<chest>(profile)).value();
    EXPECT_EQ(message.at("labels[2].text").value_or(std::string_view()), "three");
    EXPECT_EQ(message.at("nest.inner[1].lid.name").value_or(std::string_view()), "deep");
    EXPECT_EQ(message.at("choice.year").value_or(0), 5);
    EXPECT_EQ(message.at("by_metal[\"gold\"].text").value_or(std::string_view()), "dear");
    EXPECT_EQ(message.at("by_metal").find(-2)["text"].value_or(std::string_view()), "heavy");
    EXPECT_EQ(message.at("by_name[\"x\"][1]").value_or(0), 2);
    EXPECT_EQ(message.at("by_word").find("aa").value_or(0), 3);
    EXPECT_EQ(message.at("by_weight").find(1.5).value_or(std::string_view()), "a");
    EXPECT_EQ(message.at("by_number").find(5).value_or(std::string_view()), "a");
    EXPECT_TRUE(message.at("numbers").find(65'536).exists());
    EXPECT_FALSE(message.at("numbers").find(2).exists());
    EXPECT_FALSE(message.at("numbers").find("2").exists());
    EXPECT_FALSE(message.at("by_word").find("ab").exists());
    EXPECT_FALSE(message.at("labels[3]").exists());
    EXPECT_FALSE(message.at("labels[0].absent").exists());
    EXPECT_EQ(message.at("wait").period(), (std::pair<std::uint64_t, std::uint64_t>{1, 1000}));
    EXPECT_EQ(message["of"].enumerator(), "gold");
    EXPECT_EQ(message["sign"].enumerator(), "");
    EXPECT_EQ(message.root().type_name(), "chest");
    EXPECT_EQ(message.at("labels[2]").type_name(), "label");
    EXPECT_EQ(message["of"].type_name(), "metal");
    EXPECT_EQ(message["numbers"].type_name(), "");
  }
}
TEST(dynamic_message, prints_as_blocks_do) {
  using small = std::tuple<std::string, std::optional<int>, std::map<std::string, std::vector<double>>>;
  for (const message_profile profile : both)
    EXPECT_EQ(ingot::to_string(opened(small{"a\n", std::nullopt, {{"k", {0.5, 2}}}}, profile).root()),
              R"(("a\x0a", none, {"k": [0.5, 2]}))");
}
TEST(dynamic_message, gives_lists_of_whatever_takes_one_byte_as_bytes) {
  struct single {
    std::vector<std::chrono::duration<std::int8_t>> waits{std::chrono::duration<std::int8_t>(-1), {}};
    std::vector<bool> bits{true, false};
    std::array<dynamic_chest::mark, 2> marks{dynamic_chest::mark::seal, dynamic_chest::mark::none};
  };
  for (const message_profile profile : both) {
    const auto message = opened(single{}, profile);
    const auto bytes_in = [&](const char* name) { return message[name].as<ingot::bytes_view>().value(); };
    EXPECT_TRUE(std::ranges::equal(bytes_in("waits"), hex("ff 00")));
    EXPECT_TRUE(std::ranges::equal(bytes_in("bits"), hex("01 00")));
    EXPECT_TRUE(std::ranges::equal(bytes_in("marks"), hex("07 00")));
    EXPECT_EQ(message["waits"][0].value_or(0), -1);
  }
}
TEST(dynamic_message, tells_where_the_bytes_of_a_value_are) {
  struct inner {
    std::uint8_t tag = 7;
    std::string text = "ab";
  };
  struct outer {
    std::string first = "xyz";
    inner one;
    std::vector<std::uint16_t> list{1, 2};
    std::vector<inner> many{{1, "p"}, {2, "q"}};
  };
  using ingot::dynamic_range;
  // first, tag, text, list, many: 4 + 1 + 4 + 4 + 4 bytes of slots; xyz ab 0100 0200; a count, two
  // slots of 5, p, q.
  const auto packed = opened(outer{}, message_profile::pack);
  EXPECT_EQ(packed.root().own_bytes(), (dynamic_range{0, 17}));
  EXPECT_EQ(packed.root().tail_bytes(), (dynamic_range{17, 25}));
  EXPECT_EQ(packed["first"].own_bytes(), (dynamic_range{0, 4}));
  EXPECT_EQ(packed["first"].tail_bytes(), (dynamic_range{17, 3}));
  EXPECT_EQ(packed["one"].own_bytes(), (dynamic_range{4, 5}));
  EXPECT_EQ(packed["one"].tail_bytes(), (dynamic_range{20, 2}));
  EXPECT_EQ(packed["one"]["tag"].own_bytes(), (dynamic_range{4, 1}));
  EXPECT_EQ(packed["list"].tail_bytes(), (dynamic_range{22, 4}));
  EXPECT_EQ(packed["list"][1].own_bytes(), (dynamic_range{24, 2}));
  EXPECT_EQ(packed["many"].tail_bytes(), (dynamic_range{26, 16}));
  EXPECT_EQ(packed["many"][1].own_bytes(), (dynamic_range{35, 5}));
  EXPECT_EQ(packed["many"][1].tail_bytes(), (dynamic_range{41, 1}));
  // 3 x y z, 7 2 a b, 2 0100 0200, 2 1 1 p 2 1 q
  const auto compact = opened(outer{}, message_profile::compact);
  EXPECT_EQ(compact.root().own_bytes(), (dynamic_range{0, 20}));
  EXPECT_EQ(compact["first"].own_bytes(), (dynamic_range{0, 4}));
  EXPECT_EQ(compact["one"].own_bytes(), (dynamic_range{4, 4}));
  EXPECT_EQ(compact["one"]["text"].own_bytes(), (dynamic_range{5, 3}));
  EXPECT_EQ(compact["list"].own_bytes(), (dynamic_range{8, 5}));
  EXPECT_EQ(compact["many"].own_bytes(), (dynamic_range{13, 7}));
  EXPECT_EQ(compact["many"][1].own_bytes(), (dynamic_range{17, 3}));
  EXPECT_EQ(compact["many"].tail_bytes(), dynamic_range{});
}
TEST(dynamic_message, of_records_that_say_their_size_elements_have_their_end_in_front) {
  const auto message = opened(dynamic_chest::filled(), message_profile::pack);
  const dynamic_value notes = message["notes"];
  // Its tail: two ends, and a number of two bytes.
  EXPECT_EQ(notes[0].byte_size(), 14U);
  EXPECT_EQ(notes[1].position(), notes[0].position() + 14);
  // "n", and a count, an end, "m"; nothing, and the count.
  EXPECT_EQ(notes[0].tail_bytes().length, 10U);
  EXPECT_EQ(notes[1].tail_bytes().offset, notes[0].tail_bytes().offset + 10);
  EXPECT_EQ(notes[1].tail_bytes().length, 4U);
  EXPECT_EQ(message["last"].byte_size(), 4U);
}
TEST(dynamic_message, what_a_compact_message_left_out_is_absent) {
  const auto message = opened(dynamic_chest::filled(), message_profile::compact);
  const dynamic_value plain = message["tastes"][0];
  EXPECT_EQ(plain.size(), 5U);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_FALSE(plain[i].exists());
  EXPECT_EQ(plain.byte_size(), 1U);
  EXPECT_EQ(message["tastes"][1]["level"].value_or(0), 1);
  EXPECT_FALSE(message["tastes"][1]["tongue"].exists());
  EXPECT_TRUE(message["tastes"][1]["depth"].exists());
  EXPECT_EQ(ingot::to_document(plain)->root().size(), 0U);
  // An optional that is present without a value differs from an omitted one.
  EXPECT_TRUE(ingot::to_document(message["tastes"][1])->root()["depth"].is_null());
}
TEST(dynamic_message, holds_keys_to_their_order_as_the_type_does) {
  using by_number = std::map<std::uint16_t, std::uint8_t>;
  const auto ordered = schema_for<by_number>(message_profile::pack);
  EXPECT_EQ(rejected(hex("ff 00 01 00 01 02"), ordered), "accepted");
  EXPECT_EQ(rejected(hex("00 01 01 ff 00 02"), ordered), "unsorted keys at [1]");
  EXPECT_EQ(rejected(hex("ff 00 01 ff 00 02"), ordered), "duplicate key at [1]");
  const auto unordered = schema_for<std::unordered_map<std::uint16_t, std::uint8_t>>(message_profile::pack);
  EXPECT_EQ(rejected(hex("00 01 01 ff 00 02"), unordered), "accepted");
  EXPECT_EQ(rejected(hex("ff 00 01 00 01 02"), unordered), "unsorted keys at [1]");
  const auto multi =
      schema_for<std::unordered_multimap<std::uint8_t, std::uint16_t>>(message_profile::compact);
  EXPECT_EQ(rejected(hex("02 05 00 01 05 ff 00"), multi), "accepted");
  EXPECT_EQ(rejected(hex("02 05 ff 00 05 00 01"), multi), "unsorted keys at [1]");
  using label_set = std::vector<std::set<dynamic_chest::label>>;
  const auto nested = schema_for<label_set>(message_profile::compact);
  EXPECT_EQ(rejected(hex("01 02 01 61 00 00 00 00 01 61 01 00 00 00"), nested), "accepted");
  EXPECT_EQ(rejected(hex("01 02 01 61 01 00 00 00 01 61 00 00 00 00"), nested), "unsorted keys at [0][1]");
  // An unordered set with the schema of a map's entry: ordered by the packed bytes, slots first.
  const auto floats = schema_for<std::set<float>>(message_profile::pack);
  EXPECT_EQ(rejected(hex("00 00 80 bf 00 00 00 00"), floats), "accepted");
  EXPECT_EQ(rejected(hex("00 00 00 80"), floats), "not canonical at [0]");
  EXPECT_EQ(rejected(hex("00 00 c0 7f"), floats), "not canonical at [0]");
}
// A schema does not contain omitted defaults, so a reader without the type can't compare them with
// other keys.
TEST(dynamic_message, takes_keys_that_left_out_defaults_in_the_order_of_the_type) {
  using tastes = std::map<taste, std::uint8_t>;
  const auto message =
      opened(tastes{{{10, "a"}, 1}, {{50, "en"}, 2}, {{60, "x"}, 3}}, message_profile::compact);
  ASSERT_EQ(message.root().size(), 3U);
  for (const auto& each : message.root().parts())
    EXPECT_EQ(message.root().find(each.key).value_or(0), each.index + 1);
  const auto by = schema_for<tastes>(message_profile::compact);
  EXPECT_EQ(rejected(hex("02 00 01 00 02"), by), "duplicate key at [1]");
}
TEST(dynamic_message, is_of_the_version_that_its_schema_names) {
  const auto by = schema_for<std::optional<versioned>>(message_profile::pack);
  EXPECT_EQ(rejected(hex("01 03 00 09"), by), "accepted");
  EXPECT_EQ(rejected(hex("01 02 00 09"), by), "wrong version at version");
}
TEST(dynamic_message, errors_name_the_position_and_the_path) {
  using lists = std::map<std::uint8_t, std::vector<bool>>;
  const auto by = schema_for<lists>(message_profile::compact);
  const auto message = dynamic_message::open(hex("01 07 02 01 02"), by);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().code(), errc::bad_bool);
  EXPECT_EQ(message.error().path(), "[0].value[1]");
  EXPECT_EQ(message.error().offset(), 4U);
  EXPECT_EQ(dynamic_schema::from(ingot::schema()).error().code(), errc::schema_mismatch);
}
TEST(dynamic_message, a_description_may_nest_as_deep_as_it_likes_in_what_it_does_not_use) {
  // An empty array of a recursive record, and a variant whose other alternative has 2^40 bytes.
  struct hollow {
    std::array<std::vector<std::uint32_t>, 0> none;
    std::variant<std::uint8_t, std::array<std::uint64_t, 1'000'000>> huge;
  };
  // A fixed variant is as long as its longest alternative, so only the compact one is short.
  const auto by = schema_for<hollow>(message_profile::compact);
  const auto message = dynamic_message::open(hex("00 05"), by).value();
  EXPECT_EQ(message["huge"].held().value_or(0), 5);
  EXPECT_EQ(message["none"].size(), 0U);
}
TEST(dynamic_message, a_moved_one_keeps_its_handles) {
  auto first = opened(std::string("text"), message_profile::pack);
  const dynamic_value root = first.root();
  const dynamic_message second = std::move(first);
  EXPECT_EQ(root.value_or(std::string_view()), "text");
  EXPECT_EQ(root.position(), second.root().position());
  EXPECT_FALSE(first.root().exists()); // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(first.bytes().empty());
  auto by = schema_for<int>(message_profile::compact);
  const dynamic_schema taken = std::move(by);
  EXPECT_EQ(by.schema_id(), 0U); // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(by.profile(), message_profile::pack);
  EXPECT_EQ(rejected({}, by), "other type at ");
  EXPECT_EQ(taken.schema_id(), ingot::schema_id<int>);
}

/// Queries everything of an accepted message.
void offer(ingot::bytes_view bytes, const dynamic_schema& by, std::size_t& accepted) {
  if (testing::Test::HasFailure()) return; // one is enough

  // An allocation of its exact size, so that sanitizers detect reads after it.
  const std::vector<std::byte> exact(bytes.begin(), bytes.end());
  const auto message = dynamic_message::open_in_place(exact, by);
  if (!message) {
    EXPECT_LE(message.error().offset(), bytes.size());
    return;
  }
  ++accepted;
  dynamic_hostile::exercise all(exact.size(), 2'000);
  all(message->root());
  EXPECT_EQ(all.failure(), "");
  EXPECT_EQ(byte_map_test::cover(*message).verdict(), "");
  EXPECT_FALSE(ingot::to_string(message->root(), 4096).empty());
  EXPECT_TRUE(ingot::to_document(message->root()));
}

TEST(dynamic_message, beginnings_are_rejected_and_flipped_bits_are_safe) {
  const bool in_full = std::getenv("INGOT_TEST_FULL") != nullptr;
  for (const message_profile profile : both) {
    const byte_vector& whole = chest_bytes(profile);
    const auto by = schema_for<chest>(profile);
    std::size_t accepted = 0;
    for (std::size_t n = 0; n < whole.size(); ++n) offer(ingot::bytes_view(whole).first(n), by, accepted);
    EXPECT_EQ(accepted, 0U);
    std::minstd_rand random(1);
    byte_vector changed = whole;
    const std::size_t step = in_full ? 1 : 7;
    for (std::size_t bit = 0; bit < 8 * whole.size(); bit += step) {
      changed[bit / 8] ^= std::byte{1} << bit % 8;
      offer(changed, by, accepted);
      // some changes are kept for a while
      if (bit % 3 != 0) changed[bit / 8] ^= std::byte{1} << bit % 8;
      if (random() % 16 == 0) changed = whole;
    }
    EXPECT_GT(accepted, 20U);
  }
}
// A schema needs two bytes for each member without bytes, and a message one for each element:
// readers must not visit the product of both.
TEST(dynamic_message, members_without_bytes_cost_nothing_where_a_record_is_repeated) {
  // A list of tuples that begin with the given parts, followed by 20,000 empty tuples.
  const auto described = [](std::initializer_list<int> list, std::initializer_list<int> first) {
    std::vector<int> parts(list);
    parts.insert(parts.end(), {22, 0xA1, 0x9C, 1});
    parts.insert(parts.end(), first);
    for (int i = 0; i < 20'000; ++i) parts.insert(parts.end(), {22, 0});
    byte_vector bytes = hex("69 6e 67 53 03 00 00 00 00 00 00 00 00 00 00 00 00");
    for (const int each : parts) bytes.push_back(static_cast<std::byte>(each));
    std::vector<ingot::schema_node> nodes;
    ingot::detail::description_reader reader(bytes, nodes);
    static_cast<void>(reader.read());
    for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<std::byte>(reader.id() >> 8 * i & 0xFF);
    return bytes;
  };
  constexpr std::size_t count = 50'000;
  const byte_vector sets = described({13}, {15, 0, 2, 4, 1});
  const byte_vector ordered = described({15, 4}, {2, 1, 0});
  const byte_vector unordered = described({16, 4}, {2, 1, 0});
  byte_vector packed_sets(4 + 4 * count); // the count, and the end of each
  ingot::detail::store_number(packed_sets.data(), count, 4);
  byte_vector compact = hex("d0 86 03");
  compact.resize(3 + count);
  const auto begin = std::chrono::steady_clock::now();
  for (const message_profile profile : both) {
    const bool is_packed = profile == message_profile::pack;
    EXPECT_EQ(rejected(is_packed ? packed_sets : compact, dynamic_schema::open(sets, profile).value()),
              "accepted");
    for (const byte_vector& keys : {ordered, unordered})
      EXPECT_EQ(
          rejected(is_packed ? byte_vector(count) : compact, dynamic_schema::open(keys, profile).value()),
          "accepted");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}
TEST(dynamic_message, work_does_not_depend_on_how_often_elements_of_nothing_repeat) {
  struct empty {};
  struct twice {
    std::vector<empty> nothing;
    std::vector<empty> more;
  };
  const auto by = schema_for<twice>(message_profile::compact);
  std::size_t accepted = 0;
  offer(hex("80 80 04 00"), by, accepted); // 65,536 empty ones
  EXPECT_EQ(accepted, 1U);
  EXPECT_EQ(rejected(hex("80 80 04 01"), by), "too large at more");
  using nested = std::array<std::array<empty, 8>, 8>;
  EXPECT_TRUE(dynamic_schema::from(ingot::schema_of<nested>()));
  const auto more = dynamic_schema::from(ingot::schema_of<std::vector<std::pair<nested, empty>>>());
  EXPECT_EQ(more.error().code(), errc::too_large);
}

} // namespace dynamic_message_test
