// SPDX-License-Identifier: Apache-2.0
// A value of any kind as a member of a live struct: read and changed in place, and validated with
// its block.
#include <ingot/document/archive.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "live/damaged.hpp"
#include "live/dice.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace live_value_test {

using ingot::document;
using ingot::live;
using ingot::live_value;
using ingot::value_kind;

struct order {
  ingot::string id;
  live_value extra;
  ingot::vector<live_value> more;
  std::uint32_t count = 0;
};
/// The twin with `std::` members.
struct plain_order {
  std::string id;
  document extra;
  std::vector<document> more;
  std::uint32_t count = 0;
};
struct limits {
  int low = 0;
  std::string unit;
  bool operator==(const limits&) const = default;
};

/// Fills a value with everything that a document can hold, including long and shared keys.
void fill(live_value& to) {
  to["price"] = 3.5;
  to["name"] = "a name";
  to["text"] = std::string(300, 't');
  to["flag"] = true;
  to["nothing"] = nullptr;
  to["far"] = std::uint64_t{1} << 63;
  to["list"] = std::vector<int>{1, 2, 300};
  auto edit = to.edit();
  const std::string long_key(40, 'k');
  edit["rows"] = std::vector<int>{};
  for (int i = 0; i < 4; ++i) {
    document each;
    each["number"] = i;
    each[long_key] = "same keys";
    ASSERT_TRUE(edit.at("/rows").append(each).has_value());
  }
}

TEST(live_value, reads_what_was_set_where_it_lies) {
  live<order> o;
  EXPECT_TRUE(o->extra.is_null());
  EXPECT_EQ(o->extra.capacity(), 0U);
  o->extra["price"] = 3.5;
  o->extra["limits"] = limits{.low = 7, .unit = "mm"};
  o->extra["tags"] = std::vector<std::string>{"new"};
  ASSERT_TRUE(o->extra.set_at("/tags/-", std::string(200, 'x')).has_value());

  EXPECT_EQ(o->extra["price"].as<double>(), 3.5);
  EXPECT_EQ(o->extra["limits"].as<limits>(), (limits{7, "mm"}));
  EXPECT_EQ(o->extra.at("/tags/1").length(), 200U);
  EXPECT_EQ(o->extra["absent"].value_or(5), 5);
  EXPECT_EQ(o->extra["tags"][0].value_or("none"), "new");
  EXPECT_EQ(o->extra["price"].value_or("none"), "none");
  EXPECT_EQ(o->extra.value_or("none"), "none");
  EXPECT_FALSE(o->extra.contains("absent"));
  const order& seen = *o;
  std::map<std::string, value_kind> kinds;
  for (const auto [key, value] : seen.extra.members()) kinds.emplace(key, value.kind());
  EXPECT_EQ(kinds,
            (std::map<std::string, value_kind>{
                {"limits", value_kind::object}, {"price", value_kind::number}, {"tags", value_kind::array}}));
  std::vector<std::size_t> lengths;
  for (const auto tag : seen.extra["tags"].elements()) lengths.push_back(tag.length());
  EXPECT_EQ(lengths, (std::vector<std::size_t>{3, 200}));
  EXPECT_EQ(to_string(o->extra).substr(0, 2), "{p");
}

TEST(live_value, every_call_that_changes_it_does_what_it_does_to_a_document) {
  live<order> o;
  live_value& v = o->extra;
  v = std::vector<int>{1, 2, 3};
  ASSERT_TRUE(v.append(std::string(100, 'a')).has_value());
  ASSERT_TRUE(v.insert(0, false).has_value());
  ASSERT_TRUE(v.erase(1).has_value());
  EXPECT_EQ(v.size(), 4U);
  EXPECT_EQ(v.insert(9, 1).error().code(), ingot::errc::out_of_range);
  EXPECT_EQ(v.set("key", 1).error().code(), ingot::errc::type_mismatch);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(v["key"] = 1, ingot::bad_document_access);
  EXPECT_THROW(v = v["absent"], ingot::bad_document_access);
#endif
  ASSERT_TRUE(v.clear().has_value());
  EXPECT_TRUE(v.is_array() && v.empty());
  v = document();
  v["a"] = 1;
  v["b"] = v["a"];
  ASSERT_TRUE(v.rename("a", "c").has_value());
  EXPECT_TRUE(v.erase("b").value());
  EXPECT_FALSE(v.erase("b").value());
  EXPECT_EQ(v["c"].as<int>(), 1);
  EXPECT_EQ(v.size(), 1U);
  v = v["c"]; // a part of itself
  EXPECT_EQ(v.as<int>(), 1);
  v = nullptr;
  EXPECT_TRUE(v.is_null());
}

TEST(live_value, handles_of_an_edit_follow_their_values_while_the_storage_moves) {
  live<order> o;
  o->extra["first"] = "one";
  o->extra["list"] = std::vector<int>{1};
  o->extra["texts"] = std::vector<std::string>{};
  o->id = std::string(1000, 'i'); // the bytes after the storage are taken: it has to move
  const std::byte* const before = o->extra.bytes().data();
  {
    auto edit = o->extra.edit();
    ingot::value_ref list = edit["list"];
    for (int i = 2; i <= 2000; ++i) {
      ASSERT_TRUE(list.append(i).has_value());
      if (i % 100 == 0) {
        ASSERT_TRUE(edit.root().set_at("/texts/-", std::string(500, 'x')).has_value());
      }
    }
    EXPECT_EQ(list.size(), 2000U);
    EXPECT_EQ(list[1999].as<int>(), 2000);
    // Valid at any time.
    EXPECT_TRUE(live<order>::open(o.bytes()).has_value());
  }
  EXPECT_NE(o->extra.bytes().data(), before);
  EXPECT_EQ(o->extra.at("/list/1999").as<int>(), 2000);
  ingot_test::expect_whole(o);
}

TEST(live_value, what_is_set_may_lie_in_the_storage_that_it_makes_move) {
  live<order> o;
  o->extra["text"] = std::string(3000, 's');
  o->id = std::string(5000, 'i');
  for (int i = 0; i < 6; ++i) {
    const auto text = o->extra["text"].as<std::string_view>().value();
    o->extra["copy" + std::to_string(i)] = text;
  }
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(o->extra["copy" + std::to_string(i)].as<std::string>(), std::string(3000, 's'));
  ingot_test::expect_whole(o);
}

TEST(live_value, space_is_used_again) {
  live<order> o;
  std::size_t max_used = 0;
  for (int i = 0; i < 3000; ++i) {
    o->extra["text"] = std::string(200 + static_cast<std::size_t>(i) % 300, 'x');
    if (i > 100) max_used = std::max(max_used, o.size());
  }
  EXPECT_LT(max_used, 8000U); // a text is at most 500 bytes
  ingot_test::expect_whole(o);
}

TEST(live_value, a_full_block_says_so_and_leaves_the_value_as_it_was) {
  std::vector<std::byte> memory(8192);
  auto o = live<order>::in(memory).value();
  o->extra["kept"] = 1;
  std::size_t added = 0;
  ingot::result<void> done;
  while (added < 1000 && (done = o->extra.set("k" + std::to_string(added), std::string(150, 'x')))) ++added;
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code(), ingot::errc::no_space);
  EXPECT_EQ(o->extra.size(), added + 1);
#if INGOT_EXCEPTIONS
  EXPECT_THROW(o->extra["more"] = std::string(3000, 'x'), ingot::out_of_space);
#endif
  EXPECT_EQ(o->extra["kept"].as<int>(), 1);
  ingot_test::expect_whole(o);
}

TEST(live_value, moves_with_its_struct_and_between_blocks) {
  live<order> o;
  for (int i = 0; i < 40; ++i) {
    o->more.emplace_back();
    fill(o->more.back());
    o->more.back()["index"] = i;
  }
  o->more.erase(o->more.begin() + 3);
  for (std::size_t i = 0; i < o->more.size(); ++i)
    EXPECT_EQ(o->more[i]["index"].as<std::size_t>(), i < 3 ? i : i + 1);
  live<order> other;
  other->extra = std::move(o->more[0]); // a copy: they are in different blocks
  EXPECT_EQ(other->extra["index"].as<int>(), 0);
  EXPECT_EQ(other->extra, o->more[0]);
  swap(o->more[0], o->more[1]);
  EXPECT_EQ(o->more[0]["index"].as<int>(), 1);
  o->extra = std::move(o->more[5]);
  EXPECT_EQ(o->extra["index"].as<int>(), 6);
  EXPECT_TRUE(o->more[5].is_null());
  o->more.clear();
  o->extra.reset();
  o.compact();
  ingot_test::expect_nothing_left(o);
  EXPECT_EQ(o.size(), live<order>().size());
}

TEST(live_value, equal_values_are_equal_bytes_after_compaction) {
  live<order> a;
  live<order> b;
  fill(a->extra);
  for (int i = 0; i < 50; ++i) b->extra["was here " + std::to_string(i)] = std::string(60, 'x');
  b->extra = nullptr;
  b->extra = document();
  fill(b->extra);
  b->extra["more"] = 1;
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(b->extra.erase("more").value());
  EXPECT_TRUE(a == b);
  a.compact();
  b.compact();
  EXPECT_EQ(ingot_test::bytes_of(a), ingot_test::bytes_of(b));
  ingot_test::expect_whole(a);
}

TEST(live_value, goes_into_a_document_and_back_into_a_twin) {
  document doc;
  doc["price"] = 2.5;
  doc["tags"] = std::vector<std::string>{"a", "b"};
  plain_order plain{"id", doc, {}, 3};
  plain.more.emplace_back("text");
  live<order> o(plain);
  EXPECT_EQ(o->extra, doc);
  EXPECT_EQ(o->more[0].as<std::string>(), "text");
  EXPECT_EQ(o->extra.to_document(), doc);
  document both;
  both["of a block"] = o->extra;
  both["part"] = o->extra["tags"];
  EXPECT_EQ(both.at("/of a block/tags/1").as<std::string>(), "b");
  EXPECT_EQ(both.at("/part/0").as<std::string>(), "a");
  EXPECT_EQ(document::open(o->extra.bytes()).value(), doc);
  doc = document();
  const document gone = std::move(doc);
  o->extra = doc; // NOLINT(bugprone-use-after-move): nothing is there, and that is null
  EXPECT_TRUE(o->extra.is_null());
}

TEST(live_value, a_view_reads_it_and_field_sizes_count_it) {
  live<order> o;
  fill(o->extra);
  o.compact();
  const std::vector<std::byte> bytes = ingot_test::bytes_of(o);
  alignas(16) std::array<std::byte, 8192> aligned{};
  ASSERT_LE(bytes.size(), aligned.size());
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const auto seen = ingot::live_view<order>::open(std::span(aligned).first(bytes.size()));
  ASSERT_TRUE(seen.has_value()) << seen.error().message();
  EXPECT_EQ((*seen)->extra["price"].as<double>(), 3.5);
  EXPECT_EQ((*seen)->extra.at("/rows/2/number").as<int>(), 2);
  // The container, the prefix of the storage, and the document.
  EXPECT_EQ(o.field_sizes()[1].bytes, 8 + 8 + o->extra.bytes().size());
}

/// Makes more than half of a value free bytes, so that the next change compacts it.
void fill_with_holes(live_value& v) {
  v["junk"] = std::string(3000, 'j');
  v["b"] = std::string(200, 'b');
  v[std::string(100, 'k')] = 7;
  v["rows"] = std::vector<std::string>{"x", std::string(80, 'y')};
  auto edit = v.edit();
  ASSERT_TRUE(edit.root().set("junk", 1).has_value());
}

TEST(live_value, what_is_set_may_lie_among_holes_that_the_change_removes) {
  const std::string b(200, 'b');
  const auto expect = [](auto&& change, auto&& right) {
    // The writes before the change removed the free bytes, or the change does.
    for (std::size_t junk = 0; junk < 3; ++junk) {
      live<order> o;
      fill_with_holes(o->extra);
      for (std::size_t i = 0; i < junk; ++i) o->extra["more"] = std::string(500 + 700 * i, 'm');
      change(o->extra);
      EXPECT_TRUE(right(std::as_const(o->extra))) << to_string(o->extra);
      ingot_test::expect_whole(o);
    }
  };
  expect([](live_value& v) { v["copy"] = v["b"]; },
         [&](const live_value& v) { return v["copy"].as<std::string>() == b && v["b"] == v["copy"]; });
  expect([](live_value& v) { v["copy"] = *v["b"].as<std::string_view>(); },
         [&](const live_value& v) { return v["copy"].as<std::string>() == b; });
  expect([](live_value& v) { v["copy"] = v["rows"]; },
         [&](const live_value& v) { return v["copy"].size() == 2 && v["copy"] == v["rows"]; });
  expect([](live_value& v) { v = v["b"]; }, [&](const live_value& v) { return v.as<std::string>() == b; });
  expect(
      [](live_value& v) {
        for (const auto [key, value] : v.members()) {
          if (key.size() != 100) continue;
          EXPECT_EQ(v.erase(key), true);
          break;
        }
      },
      [](const live_value& v) { return !v.contains(std::string(100, 'k')) && v.contains("b"); });
  expect(
      [](live_value& v) {
        for (const auto [key, value] : v.members()) {
          if (key.size() != 100) continue;
          EXPECT_TRUE(v.rename(key, "short").has_value());
          break;
        }
      },
      [](const live_value& v) { return v["short"].as<int>() == 7; });
}

/// Calls `check` with values that have different numbers of free bytes, from none to more than any
/// change below needs.
template <class Begin, class Check>
void with_every_capacity(Begin&& begin, Check&& check) {
  for (std::size_t pad = 8; pad < 400; pad += 4) {
    live<order> o;
    begin(o->extra);
    o->extra["pad"] = std::string(pad, 'p');
    ASSERT_TRUE(o->extra.shrink_to_fit());
    o->id = std::string(100, 'i'); // stored after it, so that the storage has to move when it grows
    check(o->extra);
    ingot_test::expect_whole(o);
  }
}

TEST(live_value, a_change_that_needs_a_longer_storage_is_complete) {
  const std::string text(100, 'x');
  with_every_capacity([](live_value& v) { v["list"] = std::vector<int>{1, 2, 3, 4, 5, 6}; },
                      [&](live_value& v) {
                        auto edit = v.edit();
                        ingot::value_ref third = edit["list"][2];
                        // An element of a packed array of integers
                        ASSERT_TRUE(third.set(text).has_value());
                        EXPECT_EQ(edit["list"][2].as<std::string>(), text);
                        EXPECT_EQ(third.as<std::string>(), text);
                        EXPECT_EQ(edit["list"][3].as<int>(), 4);
                      });
  with_every_capacity([](live_value& v) { v["n"] = nullptr; },
                      [&](live_value& v) {
                        auto edit = v.edit();
                        ingot::value_ref n = edit["n"];
                        ASSERT_TRUE(n.set(text, ingot::value(n)).has_value()); // was null
                        EXPECT_TRUE(edit["n"][text].is_null());
                      });
  with_every_capacity([](live_value& v) { v["n"] = nullptr; },
                      [&](live_value& v) {
                        auto edit = v.edit();
                        ingot::value_ref n = edit["n"];
                        ASSERT_TRUE(n.append(ingot::value(n)).has_value());
                        ASSERT_TRUE(n.append(text).has_value());
                        EXPECT_TRUE(edit["n"][0].is_null());
                      });
}

TEST(live_value, a_change_without_space_leaves_the_value_as_it_was) {
  const std::string text(100, 'x');
  std::size_t rejected = 0;
  for (std::size_t pad = 16; pad < 1200; pad += 8) {
    alignas(16) std::array<std::byte, 4096> memory{};
    auto o = live<order>::in(memory).value();
    o->id = std::string(pad, 'p');
    if (!o->extra.try_reserve(64)) continue;
    while (o->more.try_emplace_back() != nullptr) {
    }
    if (!o->extra.set("k", text)) {
      ++rejected;
      EXPECT_TRUE(o->extra.is_null()) << to_string(o->extra);
    } else {
      ASSERT_TRUE(o->extra.set(nullptr).has_value());
    }
    if (!o->extra.append(text)) {
      ++rejected;
      EXPECT_TRUE(o->extra.is_null()) << to_string(o->extra);
    }
    ingot_test::expect_whole(o);
  }
  EXPECT_GT(rejected, 50U);
}

TEST(live_value, a_handle_stays_when_its_change_had_no_space) {
  const std::string text(100, 'x');
  std::size_t rejected = 0;
  for (std::size_t spare = 0; spare < 160; spare += 8) {
    alignas(16) std::array<std::byte, 4096> memory{};
    auto o = live<order>::in(memory).value();
    o->extra["list"] = std::vector<int>{1, 2, 3, 4, 5, 6};
    ASSERT_TRUE(o->extra.shrink_to_fit());
    ASSERT_TRUE(o->extra.try_reserve(o->extra.capacity() + spare));
    while (o->more.try_emplace_back() != nullptr) {
    }
    auto edit = o->extra.edit();
    ingot::value_ref third = edit["list"][2];
    if (third.set(text)) continue;
    ++rejected;
    EXPECT_EQ(third.value_or(0), 3);
    EXPECT_EQ(edit["list"][2].value_or(0), 3);
  }
  EXPECT_GT(rejected, 10U);
}

TEST(live_value, holes_are_removed_by_the_change_that_makes_them_half) {
  live<order> o;
  fill_with_holes(o->extra);
  EXPECT_LT(o->extra.bytes().size(), 1000U);
  o->extra["junk"] = std::string(5000, 'j');
  o->extra["last"] = 1;
  ASSERT_TRUE(o->extra.erase("junk").value());
  EXPECT_LT(o->extra.bytes().size(), 1000U);
}

/// Runs all operations on an accepted block.
void use(order& root) {
  live_value& v = root.extra;
  std::size_t sum = 0;
  const auto count = [&](const ingot::value_view& each) {
    sum += each.length() + each.size() + each.value_or(std::string_view()).size();
  };
  for (const auto each : v.elements()) {
    count(each);
    for (const auto inner : each.elements()) {
      count(inner);
      for (const auto [key, value] : inner.members()) sum += key.size() + value.length();
    }
  }
  for (const auto [key, value] : v.members()) {
    sum += key.size();
    EXPECT_TRUE(v.find(key).exists());
    count(value);
  }
  sum += to_string(v).size();
  EXPECT_FALSE(v.find("no such key").exists());
  EXPECT_TRUE(v == v.to_document());
  if (v.is_object()) {
    auto edit = v.edit();
    ASSERT_TRUE(edit.root().set("new", std::string(50, 'n')).has_value());
    ASSERT_TRUE(edit.root().set("list", sum).has_value());
    while (edit.root().size() > 1) ASSERT_TRUE(edit.root().erase(std::size_t{0}).has_value());
  } else {
    ASSERT_TRUE(v.set(sum).has_value());
  }
  ASSERT_TRUE(v.set(std::vector<std::string>{"a", std::string(200, 'b')}).has_value());
}

TEST(live_value, damaged_bytes_are_rejected_or_everything_works) {
  live<order> o;
  fill(o->extra);
  o.compact();
  ingot_test::expect_damage_is_survived(o, [](order& root) { use(root); });
}

TEST(live_value, a_refusal_says_where_in_the_block) {
  live<order> o;
  o->extra["name"] = std::string(20, 'n');
  o.compact();
  auto bytes = ingot_test::bytes_of(o);
  const auto at = static_cast<std::size_t>(o->extra.bytes().data() - o.bytes().data());
  bytes[at + 12] = std::byte{0xF8}; // the root's node
  auto opened = live<order>::open(bytes);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().offset(), at + 12);
  EXPECT_EQ(opened.error().path(), "extra");
  bytes = ingot_test::bytes_of(o);
  bytes[at] = std::byte{'x'};
  opened = live<order>::open(bytes);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), ingot::errc::not_ingot);
  EXPECT_EQ(opened.error().offset(), at);
}

TEST(live_value, counts_of_uses_are_held_against_what_uses_them) {
  live<order> o;
  for (int i = 0; i < 4; ++i) { // all have the same keys, which are stored once
    document each;
    each["a key of some length"] = i;
    each["another key of some length"] = i;
    ASSERT_TRUE(o->extra.append(each).has_value());
  }
  o.compact();
  const auto whole = ingot_test::bytes_of(o);
  ASSERT_TRUE(live<order>::open(whole).has_value());
  const auto start = static_cast<std::size_t>(o->extra.bytes().data() - o.bytes().data());
  std::size_t rejected = 0;
  for (std::size_t at = start + 16; at + 4 <= whole.size(); at += 4) {
    auto bytes = whole;
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + at, 4);
    if (count != 4) continue;
    count = 1; // the shape would be freed while three objects use it
    std::memcpy(bytes.data() + at, &count, 4);
    rejected += live<order>::open(bytes).has_value() ? 0 : 1;
  }
  EXPECT_GE(rejected, 1U);
}

TEST(live_value, agrees_with_a_document_after_any_changes) {
  live_test::dice dice(7);
  live<order> o;
  document model;
  for (int round = 0; round < 4000; ++round) {
    const std::string key = "key " + std::to_string(dice() % 30);
    const auto text = std::string(dice() % 300, 'x');
    switch (dice() % 6) {
    case 0:
    case 1:
      o->extra[key] = text;
      model[key] = text;
      break;
    case 2:
      o->extra[key] = round;
      model[key] = round;
      break;
    case 3:
      EXPECT_EQ(o->extra.erase(key).value(), model.root().contains(key) && model.root().erase(key));
      break;
    case 4: {
      const auto pointer = "/list" + std::to_string(dice() % 3) + "/-";
      if (!model.root().set_at(pointer, std::vector<int>{}).has_value()) break;
      ASSERT_TRUE(o->extra.set_at(pointer, std::vector<int>{}).has_value());
      break;
    }
    default: {
      auto edit = o->extra.edit();
      for (int i = 0; i < 5; ++i) {
        const std::string name = "e" + std::to_string(dice() % 9);
        ASSERT_TRUE(edit.root().set(name, text).has_value());
        ASSERT_TRUE(model.root().set(name, text).has_value());
      }
    }
    }
    if (round % 500 == 499) {
      ASSERT_EQ(o->extra, model);
      ingot_test::expect_whole(o);
    }
  }
}

struct maybe {
  ingot::optional<live_value>
      // Alone and as the first member: the code that distinguishes bases from members tries it
      // first
      extra;
};
struct maybe_more {
  ingot::optional<live_value> extra;
  ingot::string id;
};

TEST(live_value, an_optional_may_hold_one) {
  live<maybe> o;
  o->extra = 5;
  EXPECT_EQ(o->extra->as<int>(), 5);
  live<maybe_more> more;
  more->extra.emplace()["a"] = "b";
  more->id = std::string(100, 'i');
  EXPECT_EQ((*more->extra)["a"].as<std::string>(), "b");
  const auto again = live<maybe_more>::open(more.bytes());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(*(*again)->extra, *more->extra);
  more->extra.reset();
  EXPECT_FALSE(more->extra.has_value());
}

TEST(live_value, null_stays_null_without_space) {
  live<order> of_null;
  of_null->extra["null"] = nullptr;
  live_value alone;
  EXPECT_TRUE(alone.set(of_null->extra["null"]).has_value());
  alone = of_null->extra["null"];
  EXPECT_TRUE(alone.clear().has_value());
  EXPECT_EQ(alone.erase("a"), false);
  EXPECT_EQ(alone.erase(std::size_t{0}).error().code(), ingot::errc::type_mismatch);
  EXPECT_EQ(alone.rename("a", "b").error().code(), ingot::errc::missing_member);
  EXPECT_TRUE(alone.is_null());

  live<order> o;
  const auto before = o.size();
  o->extra = nullptr;
  EXPECT_EQ(o.size(), before);
  EXPECT_EQ(o->extra.capacity(), 0U);
}

struct documents {
  std::vector<document> all;
};
struct values {
  ingot::vector<live_value> all;
};

TEST(live_value, of_a_message_of_many_takes_no_more_than_its_block) {
  const documents many{std::vector<document>(40, document(std::string(40, 'x')))};
  const auto bytes = ingot::pack(many).value();
  live<values> o(ingot::max_block_size{64 << 10});
  ASSERT_TRUE(ingot::unpack_into(*o, bytes).has_value());
  EXPECT_EQ(o->all.back().as<std::string>(), std::string(40, 'x'));
  alignas(16) std::array<std::byte, 2048> memory{};
  auto small = live<values>::in(memory).value();
  EXPECT_EQ(ingot::unpack_into(*small, bytes).error().code(), ingot::errc::no_memory);
  // A document of its own can grow as far as one that the program created: each document has enough
  // reserved addresses.
  const auto read = ingot::unpack<documents>(bytes).value();
  EXPECT_EQ(read.all.back().max_size(), document::default_max_block_size.bytes);
}

TEST(live_value, nothing_grows_outside_a_block_or_in_bytes_opened_in_place) {
  live_value alone;
  EXPECT_TRUE(alone.is_null());
  EXPECT_FALSE(alone.set(1).has_value());
  EXPECT_TRUE(alone.set(nullptr).has_value()); // it is null already
  alone = nullptr;
  live<order> o;
  o->extra["a"] = 1;
  o.compact();
  alignas(16) std::array<std::byte, 1024> bytes{};
  std::memcpy(bytes.data(), o.bytes().data(), o.size());
  auto here = live<order>::open_in_place(std::span(bytes).first(o.size())).value();
  here->extra["a"] = 2; // there are free bytes
  EXPECT_EQ(here->extra["a"].as<int>(), 2);
  EXPECT_EQ(here->extra.set("b", std::string(500, 'x')).error().code(), ingot::errc::no_space);
}

} // namespace live_value_test
