// SPDX-License-Identifier: Apache-2.0
// Free bytes are closed between changes: a document's size stays near the size of its value, and
// neither values nor handles are affected. An error would leave half of the document free after
// nodes moved, or would leave a reference to a former position. Shapes and long keys have several
// references each.
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>

#include "document/exercise.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_settle_test {

using namespace document_test;
using ingot::document;
using ingot::value_ref;

std::string key_of(std::size_t i) { return "key " + std::to_string(i); }
std::string text_of(dice& random, std::size_t max_length) {
  return std::string(random() % (max_length + 1), 't');
}

/// Returns a document whose root has `maps` objects of `each` texts.
document nested(std::size_t maps, std::size_t each) {
  document doc = document(std::map<std::string, int>{});
  for (std::size_t m = 0; m < maps; ++m) {
    value_ref map = doc[key_of(m)] = std::map<std::string, int>{};
    for (std::size_t i = 0; i < each; ++i) EXPECT_TRUE(map.set(key_of(i), "fourteen bytes"));
    EXPECT_TRUE(map.set(std::to_string(m), 0)); // with a key that no other object has
  }
  doc.compact();
  return doc;
}

/// Shortens the first text of an object. The only free bytes for the next text are then those of
/// the first one.
void fill_what_was_left(document& doc) {
  EXPECT_TRUE(doc.root().set("long", "t"));
  EXPECT_TRUE(doc.root().set("new", "a text that takes every byte of a node"));
}

struct sighting {
  std::string name;
  int count = 0;
  double x = 0;
  std::int64_t at = 0;
  float y = 0;
};

TEST(document_settle, new_values_among_erased_ones_do_not_count_them_each_time) {
  // Each record's node becomes longer several times. Each time a hundred thousand nodes of the
  // former value wait to be reused: if they were counted each time, the test would take too long.
  std::vector<sighting> all(100'000);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {key_of(i) + " of many, whose name is long", static_cast<int>(i), 0.5,
              1'000'000'007 * static_cast<std::int64_t>(i), 1.5F};
  document doc(ingot::max_block_size{std::size_t{1} << 28});
  doc = all;
  const std::size_t once = doc.bytes().size();
  for (std::size_t turn = 0; turn < 3; ++turn) {
    all[turn].count = -1;
    doc = all;
    ASSERT_EQ(doc.root().size(), all.size());
    EXPECT_EQ(doc[turn]["count"].value_or(0), -1);
    EXPECT_EQ(doc[turn + 1]["name"].value_or(std::string_view()), all[turn + 1].name);
  }
  EXPECT_LE(doc.bytes().size(), 3 * once) << "beside the value there is at most what it replaces";
}

TEST(document_settle, a_short_node_gives_back_what_it_does_not_need) {
  document doc;
  doc["long"] = std::string(110, 't');
  doc["other"] = std::map<std::string, int>{{"behind", 7}};
  doc.compact();
  const value_ref following = doc["other"]["behind"];
  const std::size_t before = doc.bytes().size();
  fill_what_was_left(doc);
  EXPECT_LE(doc.bytes().size() + 40, before);
  EXPECT_EQ(following.value_or(0), 7);
  const auto opened = document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(*opened == doc);
  EXPECT_EQ(opened->find("long").value_or(std::string_view()), "t");
  EXPECT_EQ(opened->find("new").value_or(std::string_view()), "a text that takes every byte of a node");
}
TEST(document_settle, a_document_opened_in_place_keeps_its_size) {
  document doc;
  doc["long"] = std::string(110, 't');
  doc.compact();
  byte_vector bytes = bytes_of(doc);
  auto there = document::open_in_place(bytes);
  ASSERT_TRUE(there.has_value());
  fill_what_was_left(*there);
  // In place: it can't get more memory
  EXPECT_TRUE(there->root().set("long", std::string(60, 'u')));
  EXPECT_EQ(there->bytes().size(), bytes.size());
  const auto opened = document::open(there->bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(*opened == *there);
}

TEST(document_settle, a_document_in_use_stays_near_the_length_of_a_compacted_one) {
  for (const std::size_t maps : {8U, 32U}) {
    double worn = 0;
    double compacted = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      dice random(seed);
      document doc = nested(maps, 8);
      for (int step = 0; step < 4000; ++step) {
        value_ref map = doc[key_of(random() % maps)];
        const bool comes = random() % 4 == 0 && !*map.erase("now and then");
        EXPECT_TRUE(comes ? map.set("now and then", step)
                          : map.set(key_of(random() % 8), text_of(random, 24)));
      }
      worn += static_cast<double>(doc.bytes().size());
      doc.compact();
      compacted += static_cast<double>(doc.bytes().size());
    }
    EXPECT_LT(worn / compacted, 1.35) << maps;
  }
}

TEST(document_settle, handles_go_on_meaning_their_values) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    dice random(seed);
    document doc = nested(6, 6);
    std::vector<value_ref> handles;
    std::vector<std::string> said;
    for (std::size_t m = 0; m < 6; ++m) {
      for (std::size_t i = 0; i < 6; ++i) {
        handles.push_back(doc[key_of(m)].find(key_of(i)));
        said.emplace_back("fourteen bytes");
      }
    }
    const value_ref handle = doc[key_of(3)];
    std::size_t shortest = doc.bytes().size();
    bool settled = false;
    for (int step = 0; step < 400; ++step) {
      const std::size_t which = random() % handles.size();
      said[which] = text_of(random, 60);
      ASSERT_TRUE(handles[which].set(said[which]));
      settled = settled || doc.bytes().size() < shortest;
      shortest = doc.bytes().size();
      for (std::size_t i = 0; i < handles.size(); ++i) {
        ASSERT_EQ(handles[i].value_or(std::string_view("absent")), said[i]) << "after " << step;
      }
    }
    EXPECT_TRUE(settled) << "or nothing was tried";
    EXPECT_EQ(handle.size(), 7U);
    EXPECT_TRUE(document::open(doc.bytes()));
  }
}

/// All kinds of nodes: objects with shared keys, long keys, long texts, arrays, words of 32 bits.
document of_everything() {
  const std::string long_key(70, 'k');
  document doc = document(std::map<std::string, int>{});
  value_ref records = doc["records"] = std::vector<int>{};
  for (int i = 0; i < 6; ++i) {
    value_ref record = *records.append(std::map<std::string, int>{});
    EXPECT_TRUE(record.set("a number of it", i));
    EXPECT_TRUE(record.set(long_key, "by a long key"));
    EXPECT_TRUE(record.set("its list", std::vector<std::string>{"one", "two"}));
  }
  doc["long text"] = std::string(300, 'x');
  value_ref own = doc["own"] = std::map<std::string, int>{};
  EXPECT_TRUE(own.set(long_key, std::string(200, 'y')));
  doc["grows"] = std::vector<std::string>{"a"};
  doc["grows too"] = std::vector<std::string>{"b"};
  doc.compact();
  return doc;
}

TEST(document_settle, every_kind_of_node_is_found_again) {
  document doc = of_everything();
  document model = of_everything();
  const value_ref grows = doc["grows"];
  const value_ref other = doc["grows too"];
  std::size_t before = 0;
  bool settled = false;
  for (int i = 0; i < 300; ++i) {
    for (const value_ref& each : {grows, other}) {
      value_ref array = each;
      ASSERT_TRUE(array.append("another text of some length"));
    }
    value_ref list = doc["records"][static_cast<std::size_t>(i % 6)].find("its list");
    ASSERT_TRUE(i % 7 != 0 || list.append(std::string(90, 'z')));
    settled = settled || doc.bytes().size() < before;
    before = doc.bytes().size();
    ASSERT_TRUE(document::open(doc.bytes())) << "after " << i;
    ASSERT_TRUE(doc["own"] == model["own"]);
    ASSERT_TRUE(doc["long text"] == model["long text"]);
    ASSERT_EQ(doc["records"][5].find(std::string(70, 'k')).value_or(std::string_view{}), "by a long key");
  }
  EXPECT_TRUE(settled) << "or nothing was tried";
  EXPECT_EQ(grows.size(), 301U);
}

TEST(document_settle, what_is_set_may_lie_in_what_moves) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    dice random(seed);
    document doc = nested(5, 5);
    std::map<std::pair<std::size_t, std::size_t>, std::string> said;
    const auto at = [&](std::size_t m, std::size_t i) -> std::string& {
      return said.try_emplace({m, i}, "fourteen bytes").first->second;
    };
    for (int step = 0; step < 600; ++step) {
      const std::size_t m = random() % 5;
      const std::size_t i = random() % 5;
      const std::size_t from_m = random() % 5;
      const std::size_t from_i = random() % 5;
      if (random() % 2 == 0) {
        at(m, i) = text_of(random, 100);
        ASSERT_TRUE(doc[key_of(m)].set(key_of(i), at(m, i)));
      } else {
        const auto text = doc[key_of(from_m)].find(key_of(from_i)).value_or(std::string_view("absent"));
        ASSERT_EQ(text, at(from_m, from_i));
        const std::string copy(text);
        // The text is stored in the document itself
        const auto inserted = doc[key_of(m)].set(key_of(i), text);
        ASSERT_TRUE(inserted);
        ASSERT_EQ(inserted->value_or(std::string_view("absent")), copy);
        at(m, i) = copy;
      }
    }
  }
}

// The log of moves is bounded, and drops half of its entries at a time: at any moment one of these
// handles is one or two edits old.
TEST(document_settle, a_handle_in_use_outlives_what_is_forgotten) {
  document doc;
  doc["orders"] = std::vector<int>{};
  value_ref unused = doc["kept"] = std::map<std::string, int>{{"a", 1}};
  for (int i = 0; i < 4'000; ++i) {
    value_ref order = doc["orders"].append(nullptr).value();
    order["number"] = i;
    order["price"] = i / 4.0;
    order["paid"] = i % 3 == 0;
    order["tags"] = std::vector<int>{i, 2, 3};
    order["note"] = "a text of some length";
    ASSERT_EQ(order["number"].as<int>(), i);
    if (i % 300 == 0) {
      ASSERT_TRUE(doc["kept"].set(key_of(static_cast<std::size_t>(i)), i));
    }
  }
  EXPECT_TRUE(!unused.exists() || unused["a"].as<int>() == 1);
  for (int i = 0; i < 4'000; ++i)
    ASSERT_EQ(doc["orders"][static_cast<std::size_t>(i)]["number"].as<int>(), i);
  EXPECT_TRUE(document::open(doc.bytes()));
}

TEST(document_settle, a_handle_in_use_outlives_forgotten_positions) {
  constexpr int many = 30'000;
  document doc(ingot::max_block_size{std::size_t{1} << 24});
  doc["list"] = std::vector<std::map<std::string, int>>(many, {{"a", 1}, {"b", 2}});
  for (int i = 0; i < many; ++i) {
    ingot::value_ref object = doc["list"][static_cast<std::size_t>(i)];
    // The elements of the array change their indices: the log notes the position.
    static_cast<void>(doc["list"][static_cast<std::size_t>(i)].erase("a"));
    object["b"] = 3;
  }
  for (int i = 0; i < many; ++i) ASSERT_EQ(doc["list"][static_cast<std::size_t>(i)]["b"].as<int>(), 3) << i;
}

TEST(document_settle, a_returned_handle_knows_its_value) {
  dice random(7);
  document doc = nested(4, 4);
  for (int step = 0; step < 2000; ++step) {
    value_ref map = doc[key_of(random() % 4)];
    const std::string key = "more " + std::to_string(random() % 9);
    if (random() % 3 == 0) {
      static_cast<void>(map.erase(key));
      continue;
    }
    const auto text = text_of(random, 120);
    auto inserted = map.set(key, text);
    ASSERT_TRUE(inserted);
    ASSERT_EQ(inserted->value_or(std::string_view("absent")), text);
    ASSERT_TRUE(inserted->set(step));
    ASSERT_EQ(map.find(key).value_or(0), step);
  }
}

TEST(document_settle, many_containers_are_left_where_they_are) {
  document doc = nested(300, 2);
  for (int round = 0; round < 4; ++round) {
    for (std::size_t m = 0; m < 300; ++m)
      ASSERT_TRUE(doc[key_of(m)].set("round " + std::to_string(round), std::string(40, 'r')));
  }
  EXPECT_NE(doc.stats().free_bytes, 0U) << "more than handles could be followed through";
  for (std::size_t m = 0; m < 300; ++m) ASSERT_EQ(doc[key_of(m)].size(), 7U);
  EXPECT_TRUE(document::open(doc.bytes()));
}

/// Makes the texts of one object after another longer until the document is defragmented.
bool wear_until_settled(const value_ref& root, std::size_t maps, const document_test::dice& dices) {
  dice random = dices;
  const auto* const in = ingot::detail::doc::access::core_of(root);
  for (int step = 0; step < 4000; ++step) {
    const std::uint32_t before = in->used();
    value_ref map = root.find(key_of(random() % maps));
    if (!map.set(key_of(random() % 8), text_of(random, 100))) return false;
    if (in->used() < before) return true;
  }
  return false;
}

TEST(document_settle, nodes_of_a_writer_without_references_stay) {
  document doc = nested(8, 8);
  value_ref map = doc[key_of(2)];
  ingot::document_writer to(std::move(doc));
  to.begin_array();
  for (unsigned i = 0; i < 40; ++i) {
    to.begin_object();
    to.key("text"), to.text("some text");
    to.key("number"), to.integer(i);
    to.end();
    for (unsigned n = 0; n < 20; ++n) ASSERT_TRUE(map.set(key_of(n % 8), std::string(i * n % 120, 'x')));
  }
  to.end();
  const auto finished = to.finish();
  ASSERT_TRUE(finished);
  ASSERT_TRUE(document::open(finished->bytes()));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(finished->root()[std::size_t(i)].find("number").value_or(-1), i);
}

TEST(document_settle, a_document_that_a_writer_gave_back_is_settled_as_before) {
  ingot::document_writer to(nested(8, 8));
  to.begin_array();
  document doc = to.give_back();
  EXPECT_TRUE(wear_until_settled(doc.root(), 8, dice(3)));
}

TEST(document_settle, memory_that_was_touched_stays_known_as_such) {
  document doc = nested(8, 8);
  auto* const in = ingot::detail::doc::access::core_of(doc.root());
  ASSERT_TRUE(wear_until_settled(doc.root(), 8, dice(3)));
  EXPECT_GT(in->arena().peak(), in->arena().used()) << "or that memory would never be given back";
}

TEST(document_settle, a_handle_is_brought_up_to_date_by_as_many_looks_as_what_moved) {
  // Nodes that move back and forth leave thousands of log entries for a few positions. Walking all
  // of them took milliseconds per read.
  constexpr std::uint32_t moves = 4000;
  ingot::detail::doc::change_log log;
  const std::uint64_t before = log.now();
  log.note_all();
  std::uint32_t position = 16;
  EXPECT_FALSE(log.follow(position, before));
  const std::uint64_t then = log.now();
  for (std::uint32_t i = 0; i < moves / 2; ++i) log.note_move(16, 32), log.note_move(32, 16);
  log.note_move(16, 48);
  const std::uint32_t looked_at = log.follow_changes(position, then);
  EXPECT_GT(looked_at, 0U);
  EXPECT_LE(looked_at, 3 * moves);
  EXPECT_EQ(position, 48U);
}

TEST(document_settle, handles_are_followed_as_if_every_departure_were_looked_at) {
  dice random(11);
  ingot::detail::doc::change_log log;
  struct held {
    std::uint32_t position;
    std::uint64_t seen;
    std::uint32_t node;
  };
  std::vector<held> handles;
  std::map<std::uint32_t, std::uint32_t> positions; // position by node; none if removed
  std::map<std::uint32_t, std::uint32_t> nodes;     // the inverse map
  std::uint32_t count = 0;
  for (int step = 0; step < 2000; ++step) {
    const auto from = static_cast<std::uint32_t>(16 + 16 * (random() % 12));
    const auto to = static_cast<std::uint32_t>(16 + 16 * (random() % 12));
    const auto there = nodes.find(from);
    if (there == nodes.end()) {
      nodes[from] = ++count;
      positions[count] = from;
    } else if (random() % 8 == 0) {
      log.note_end(from);
      positions.erase(there->second);
      nodes.erase(there);
    } else if (!nodes.contains(to)) {
      if (random() % 2 == 0) log.note_move(from, to);
      else log.note_defragmented(from, to);
      positions[there->second] = to;
      nodes[to] = there->second;
      nodes.erase(from);
    }
    if (nodes.contains(to)) handles.push_back({to, log.now(), nodes[to]});
    for (auto i = static_cast<std::size_t>(step % 7); i < handles.size(); i += 7) {
      std::uint32_t position = handles[i].position;
      const bool is_there = log.follow(position, handles[i].seen);
      const auto right = positions.find(handles[i].node);
      ASSERT_EQ(is_there, right != positions.end()) << "after " << step;
      ASSERT_TRUE(!is_there || position == right->second) << "after " << step;
    }
  }
}

} // namespace document_settle_test
