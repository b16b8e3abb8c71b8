// SPDX-License-Identifier: Apache-2.0
// Every operation of documents without memory. The system's memory fails at each allocation in
// turn; the document's own block has each size that is too small. An operation that fails reports
// it and leaves the document unchanged, or as its documentation says. One that succeeds has the
// usual result. Nothing leaks, neither on the heap nor in the document, and its bytes can still be
// opened.
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/live/live.hpp>

#include "hostile/failing_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hostile_document_memory {

/// Allocates nothing itself, but its stored form does.
struct named {
  int number = 0;
};

} // namespace hostile_document_memory

template <>
struct ingot::adapt<hostile_document_memory::named> {
  static std::string to(const hostile_document_memory::named& from) {
    return "a name that is longer than what lies inside of a string: " + std::to_string(from.number);
  }
  static hostile_document_memory::named from(const std::string& text) { return {text.back() - '0'}; }
};

namespace hostile_document_memory { namespace {

using failing::memory;
using ingot::document;
using ingot::errc;
using ingot::value_ref;

struct fill {
  int number = 250;
  std::string venue = "a venue whose name is longer than what lies inside of a string";
  std::vector<double> prices{1.5, 0.1};
};

/// Contains objects that share their keys, objects with long keys, an index of keys, packed and
/// mixed arrays, and text inside and outside of nodes.
document filled() {
  document doc;
  for (int i = 0; i < 18; ++i) doc["key " + std::to_string(i)] = i * i;
  doc["packed"] = std::vector<int>{1, 300, -5};
  doc["mixed"] = std::vector<std::string>{"one", std::string(150, '2'), "three"};
  doc["null"] = nullptr;
  doc["text"] = "some text of a length";
  doc["empty"] = std::map<std::string, int>{};
  doc["records"] = std::vector<std::map<std::string, int>>(3, {{"id", 1}, {"price", 70'000}, {"side", 2}});
  doc["nested"] =
      std::map<std::string, std::vector<fill>>{{"a key of more than thirty-two characters", {{}, {}}}};
  doc.compact(); // so that objects share
  return doc;
}

// The error of an operation, or nothing if it succeeded.
using outcome = std::optional<errc>;
template <class R>
outcome code_of(const R& r) {
  return r ? std::nullopt : outcome{r.error().code()};
}
struct operation {
  const char* name;
  outcome (*apply)(document&);
  bool leaves_traces = false; ///< a failed operation keeps the objects that it created on the path
};

value_ref in(document& doc, std::string_view pointer) { return doc.at(pointer); }
const std::string long_text(700, 't');
const std::string long_key(90, 'k');
// Created before memory fails: without exceptions a standard container that finds none ends the
// program.
const fill one_fill;
const std::vector<fill> fills(3);
const std::map<std::string, std::vector<std::string>> maps{{long_key, {long_text, "2"}}, {"b", {}}};
constexpr std::string_view pointer =
    INGOT_EXCEPTIONS ? "/new/list/0/a part with ~0 of some length/-" : "/new/list/0/~0 part/-";

/// From `filled()` to a document that has longer texts and records of other keys.
const ingot::buffer patch = [] {
  document doc = filled();
  auto since = ingot::document_snapshot::of(doc).value();
  doc["text"] = long_text;
  doc["records"][1]["venue"] = "ABCD";
  return since.changes(doc).value();
}();

const operation operations[] = {
    {"a scalar for all", [](document& d) { return code_of(d.root().set(0.1)); }},
    {"a container for all", [](document& d) { return code_of(d.root().set(fills)); }},
    {"a longer text", [](document& d) { return code_of(in(d, "/text").set(long_text)); }},
    {"a longer number", [](document& d) { return code_of(in(d, "/key 3").set(~std::uint64_t{0})); }},
    {"a new member", [](document& d) { return code_of(d.root().set("a new key", 0.7)); }},
    {"a new member of a long key", [](document& d) { return code_of(d.root().set(long_key, long_text)); }},
    {"a member of a record", [](document& d) { return code_of(in(d, "/records/1").set("venue", "ABCD")); }},
    {"a record for a member", [](document& d) { return code_of(d.root().set("key 5", one_fill)); }},
    {"maps for a member", [](document& d) { return code_of(d.root().set("key 5", maps)); }},
    {"a number to a packed array", [](document& d) { return code_of(in(d, "/packed").append(70'000)); }},
    {"text to a packed array", [](document& d) { return code_of(in(d, "/packed").append(long_text)); }},
    {"text into a packed array", [](document& d) { return code_of(in(d, "/packed/1").set(long_text)); }},
    {"an element", [](document& d) { return code_of(in(d, "/mixed").append(long_text)); }},
    {"an element before others", [](document& d) { return code_of(in(d, "/mixed").insert(0, one_fill)); }},
    {"an element of nothing", [](document& d) { return code_of(in(d, "/null").append(long_text)); }, true},
    {"a member of nothing", [](document& d) { return code_of(in(d, "/null").set(long_key, 1)); }, true},
    {"an element less", [](document& d) { return code_of(in(d, "/mixed").erase(std::size_t{1})); }},
    {"a member less", [](document& d) { return code_of(d.root().erase("nested")); }},
    {"a member of a record less", [](document& d) { return code_of(in(d, "/records/1").erase("price")); }},
    {"a longer key", [](document& d) { return code_of(d.root().rename("key 7", long_key)); }},
    {"another key of a record",
     [](document& d) { return code_of(in(d, "/records/0").rename("id", "number")); }},
    {"cleared", [](document& d) { return code_of(in(d, "/records").clear()); }},
    {"all cleared", [](document& d) { return code_of(d.root().clear()); }},
    {"a part beside itself",
     [](document& d) { return code_of(d.root().set("copy", std::as_const(d).at("/nested"))); }},
    {"a part for all", [](document& d) { return code_of(d.root().set(std::as_const(d).at("/records"))); }},
    {"all into a part", [](document& d) { return code_of(in(d, "/mixed/0").set(std::as_const(d).root())); }},
    {"a document",
     [](document& d) {
       const bool active = std::exchange(memory.active, false);
       const document other = filled();
       memory.active = active;
       auto o = code_of(d.root().set("copy", other));
       memory.active = false;
       return o;
     }},
    {"changes of another one", [](document& d) { return code_of(d.apply(patch)); }},
// without exceptions, a patch that finds no memory ends the program
#if INGOT_EXCEPTIONS
    {"telling changes",
     [](document& d) {
       auto since = ingot::document_snapshot::of(d);
       return since ? code_of(since->changes(d)) : code_of(since);
     }},
#endif
    {"what a pointer leads to", [](document& d) { return code_of(d.root().set_at(pointer, long_text)); },
     true},
};

/// The bytes open as the same document, and clearing it frees everything.
void expect_whole(document& doc, const char* name) {
  const auto opened = document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value()) << name << ": " << opened.error().message();
  EXPECT_TRUE(*opened == doc) << name;
  ASSERT_TRUE(doc.root().set(nullptr)) << name;
  EXPECT_EQ(doc.stats().used - doc.stats().free_bytes, 16U) << name << ": something was not given back";
}

/// Lets the n-th allocation fail, for n from 1 until `attempt` needs fewer than n. The check for
/// leaks follows the end of `attempt`.
template <class Attempt>
std::size_t walk(const char* name, bool for_ever, Attempt&& attempt) {
  for (std::size_t n = 1; n < 10'000 && !testing::Test::HasFailure(); ++n) {
    memory.count = 0;
    memory.fail_at = n;
    memory.for_ever = for_ever;
    const std::size_t before = memory.alive;
    attempt();
    memory.active = false;
    EXPECT_EQ(memory.alive, before) << name << ": the failure of allocation " << n << " leaks";
    if (memory.count < n) return n - 1;
  }
  ADD_FAILURE() << name << " did not come to its end";
  return 0;
}
/// Returns the outcome of `f` while memory runs out. An exception for missing memory counts as that
/// error.
template <class F>
outcome under_failure(F&& f) {
  memory.active = true;
#if INGOT_EXCEPTIONS
  try {
    const auto o = f();
    memory.active = false;
    return o;
  } catch (const std::bad_alloc&) {
    memory.active = false;
    return errc::no_memory;
  }
#else
  const auto o = f();
  memory.active = false;
  return o;
#endif
}

TEST(document_memory, of_the_system_failing_anywhere_leaves_a_document_before_or_after) {
  const document source = filled();
  std::size_t failures = 0;
  for (const auto& [name, apply, leaves_traces] : operations) {
    document after(source);
    ASSERT_FALSE(apply(after)) << name;
    for (const bool for_ever : {false, true}) {
      failures += walk(name, for_ever, [&] {
        document doc(source);
        const outcome o = under_failure([&] { return apply(doc); });
        if (!o) {
          EXPECT_TRUE(doc == after) << name;
        } else {
          EXPECT_TRUE(o == errc::no_space || o == errc::no_memory) << name << ": " << ingot::to_string(*o);
          EXPECT_TRUE(leaves_traces || doc == source) << name;
        }
        expect_whole(doc, name);
      });
    }
  }
  EXPECT_GT(failures, 50U);
  std::printf("[  counted ] %zu failures\n", failures);
}

TEST(document_memory, of_its_own_ending_anywhere_leaves_a_document_before_or_after) {
  const document source = filled();
  std::vector<std::byte> memory_of_mine(64 * source.bytes().size());
  std::size_t failures = 0;
  for (const auto& [name, apply, leaves_traces] : operations) {
    document after(source);
    ASSERT_FALSE(apply(after)) << name;
    bool fitted = false;
    bool done = false;
    for (std::size_t size = source.bytes().size(); !done && size < memory_of_mine.size() && !HasFailure();
         size += fitted ? 8 : 64) {
      auto created = document::in(std::span(memory_of_mine).first(size));
      if (!created || !created->root().set(source) || !created->try_compact()) continue;
      fitted = true;
      const outcome o = apply(*created);
      if (!o) {
        EXPECT_TRUE(*created == after) << name << " in " << size;
        done = true;
      } else {
        ++failures;
        EXPECT_EQ(*o, errc::no_space) << name << " in " << size;
        EXPECT_TRUE(leaves_traces || *created == source) << name << " in " << size;
      }
      expect_whole(*created, name);
    }
    EXPECT_TRUE(done) << name;
  }
  EXPECT_GT(failures, 1'000U);
  std::printf("[  counted ] %zu failures\n", failures);
}

TEST(document_memory, failing_while_holes_are_closed_leaves_the_handle_that_wrote) {
  document source;
  for (int i = 0; i < 6; ++i)
    source["map " + std::to_string(i)] =
        std::map<std::string, std::string>{{"first", "some text"}, {"second", "more of it"}};
  source.compact();
  const std::string text(400, 't');
  for (const bool for_ever : {false, true}) {
    EXPECT_GT(walk("settle", for_ever,
                   [&] {
                     document doc(source);
                     value_ref handles[] = {doc.at("/map 0"), doc.at("/map 1"), doc.at("/map 2"),
                                            doc.at("/map 3")};
                     static_cast<void>(under_failure([&]() -> outcome {
                       for (std::size_t i = 0; i < 40; ++i) {
                         value_ref map = handles[i % 4];
                         if (!map.exists())
                           map = handles[i % 4] = doc.at(i % 4 == 0   ? "/map 0"
                                                         : i % 4 == 1 ? "/map 1"
                                                         : i % 4 == 2 ? "/map 2"
                                                                      : "/map 3");
                         const auto value = std::string_view(text).substr(0, 11 * i);
                         const auto added = map.set("second", value);
                         EXPECT_TRUE(added ? added->exists() && map.exists() &&
                                                 map.find("second").value_or(std::string_view{}) == value
                                           : added.error().code() == errc::no_space)
                             << i;
                       }
                       return {};
                     }));
                     expect_whole(doc, "settle");
                   }),
              2U);
  }
}

struct lived_in {
  ingot::live_value extra;
};

TEST(document_memory, failing_while_a_value_in_a_block_is_edited_leaves_it_before_or_after) {
  const document source = filled();
  struct change {
    const char* name;
    outcome (*apply)(value_ref);
    bool leaves_traces = false;
  };
  const change changes[] = {
      {"a longer text", [](value_ref v) { return code_of(v.at("/text").set(long_text)); }},
      {"a new member of a long key", [](value_ref v) { return code_of(v.set(long_key, long_text)); }},
      {"a member of a record", [](value_ref v) { return code_of(v.at("/records/1").set("venue", "ABCD")); }},
      {"maps for a member", [](value_ref v) { return code_of(v.set("key 5", maps)); }},
      {"text to a packed array", [](value_ref v) { return code_of(v.at("/packed").append(long_text)); }},
      {"an element before others", [](value_ref v) { return code_of(v.at("/mixed").insert(0, one_fill)); }},
      {"an element less", [](value_ref v) { return code_of(v.at("/mixed").erase(std::size_t{1})); }},
      {"a member of a record less", [](value_ref v) { return code_of(v.at("/records/1").erase("price")); }},
      {"a longer key", [](value_ref v) { return code_of(v.rename("key 7", long_key)); }},
      {"cleared", [](value_ref v) { return code_of(v.at("/records").clear()); }},
      {"a part beside itself",
       [](value_ref v) { return code_of(v.set("copy", std::as_const(v).at("/nested"))); }},
      {"what a pointer leads to", [](value_ref v) { return code_of(v.set_at(pointer, long_text)); }, true},
  };
  std::size_t failures = 0;
  for (const auto& [name, apply, leaves_traces] : changes) {
    document after(source);
    ASSERT_FALSE(apply(after.root())) << name;
    for (const bool for_ever : {false, true}) {
      failures += walk(name, for_ever, [&] {
        ingot::live<lived_in> block;
        ASSERT_TRUE(block->extra.try_assign(source));
        outcome o;
        {
          auto edit = block->extra.edit();
          o = under_failure([&] { return apply(edit.root()); });
        }
        const document now(document(block->extra));
        if (!o) EXPECT_TRUE(now == after) << name;
        // The handle to the copied value may become invalid when memory runs out while the storage
        // grows.
        else EXPECT_TRUE(*o == errc::no_space || *o == errc::no_memory || *o == errc::missing_member) << name;
        EXPECT_TRUE(!o || leaves_traces || now == source) << name;
        EXPECT_TRUE(ingot::live<lived_in>::open(block.bytes()).has_value()) << name;
      });
    }
  }
  EXPECT_GT(failures, 10U);
  std::printf("[  counted ] %zu failures\n", failures);
}

// without exceptions, text that finds no memory ends the program, as any std::string does
#if INGOT_EXCEPTIONS
TEST(document_memory, failing_in_a_conversion_of_a_class_is_an_error) {
  const document source(named{7});
  document array;
  ASSERT_TRUE(array.root().append(named{7}));
  ingot::live<lived_in> block;
  ASSERT_TRUE(block->extra.try_assign(source));
  const auto read = [](const char* name, auto&& as) {
    EXPECT_EQ(walk(name, true,
                   [&] {
                     memory.active = true;
                     const outcome o = as();
                     memory.active = false;
                     EXPECT_TRUE(!o || o == errc::no_memory) << name;
                   }),
              1U)
        << name;
  };
  read("a value", [&] { return code_of(source.root().as<named>()); });
  read("an element", [&] { return code_of(std::as_const(array)[0].as<named>()); });
  read("a value in a block", [&] { return code_of(std::as_const(block->extra).root().as<named>()); });
  read("a record", [&] { return code_of(array.root().as<std::array<named, 1>>()); });
  read("a value or another", [&] {
    const named got = source.root().value_or(named{});
    EXPECT_TRUE(got.number == 7 || got.number == 0);
    return got.number == 7 ? outcome() : outcome(errc::no_memory);
  });
}
#endif

TEST(document_memory, failing_when_a_document_is_opened_copied_or_compacted_is_said) {
  document source = filled();
  const std::vector<std::byte> bytes(source.bytes().begin(), source.bytes().end());
  std::vector<std::uint64_t> words(bytes.size() / 8);
  const std::span<std::byte> in_place(reinterpret_cast<std::byte*>(words.data()), bytes.size());
  std::memcpy(in_place.data(), bytes.data(), bytes.size());
  std::vector<std::byte> block_memory(1'000);
  std::size_t failures = 0;
  for (const bool for_ever : {false, true}) {
    const auto opening = [&](const char* name, auto&& open) {
      failures += walk(name, for_ever, [&] {
        auto got = std::optional<ingot::result<document>>{};
        const outcome o = under_failure([&] {
          got.emplace(open());
          return code_of(*got);
        });
        if (o) EXPECT_EQ(*o, errc::no_memory) << name;
        else EXPECT_TRUE(got->has_value()) << name;
        got.reset();
        auto next = document::receive_buffer(bytes.size()); // in the freed memory, which is zero
        EXPECT_TRUE(std::ranges::all_of(next.bytes(), [](std::byte b) { return b == std::byte{0}; })) << name;
      });
    };
    opening("open", [&] { return document::open(bytes); });
    opening("open what was received", [&] {
      auto received = document::receive_buffer(bytes.size());
      std::memcpy(received.data(), bytes.data(), bytes.size());
      return document::open(std::move(received));
    });
    opening("open in place", [&] { return document::open_in_place(in_place); });
    opening("trust", [&] { return document::open_unchecked(bytes); });
    opening("in", [&] { return document::in(block_memory); });
    EXPECT_TRUE(std::memcmp(in_place.data(), bytes.data(), bytes.size()) == 0);

    failures += walk("compact", for_ever, [&] {
      document doc(source);
      ASSERT_TRUE(doc.root().erase("text").has_value());
      const document before(doc);
      const outcome o =
          under_failure([&] { return doc.try_compact() ? outcome{} : outcome{errc::no_memory}; });
      EXPECT_TRUE(doc == before);
      if (!o) {
        EXPECT_TRUE(std::ranges::equal(doc.bytes(), before.bytes()));
      }
    });
    failures += walk("compare", for_ever, [&] {
      const document other(source);
      static_cast<void>(
          under_failure([&] { return source == other ? outcome{} : outcome{errc::no_memory}; }));
    });
#if INGOT_EXCEPTIONS
    failures += walk("make", for_ever, [&] {
      const outcome o = under_failure([&] {
        const document created;
        return outcome{};
      });
      EXPECT_TRUE(!o || *o == errc::no_memory);
    });
    failures += walk("copy", for_ever, [&] {
      document target;
      target = 1;
      const document before(target);
      const outcome o = under_failure([&] {
        target = source;
        return outcome{};
      });
      EXPECT_TRUE(target == (o ? before : source));
    });
    failures += walk("read into containers", for_ever, [&] {
      const outcome o = under_failure(
          [&] { return code_of(source.at("/nested").as<std::map<std::string, std::vector<fill>>>()); });
      EXPECT_TRUE(!o || *o == errc::no_memory);
    });
#endif
  }
  EXPECT_GT(failures, 20U);
  std::printf("[  counted ] %zu failures\n", failures);
}

}} // namespace hostile_document_memory
