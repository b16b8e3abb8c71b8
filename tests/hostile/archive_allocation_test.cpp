// SPDX-License-Identifier: Apache-2.0
// Archives, MessagePack and CBOR while each allocation fails in turn. The error is `no_memory`, not
// one for a size or a missing capacity. Sinks are unchanged and nothing leaks. A view that had no
// memory once finds everything the next time.
#include <ingot/document/archive_view.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>

#include "hostile/each_allocation.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hostile_archive_memory { namespace {

using failing::code_of;
using failing::memory;
using failing::outcome;
using ingot::document;
using ingot::errc;
using byte_vector = std::vector<std::byte>;

/// Has more key sets, long keys and containers than the initial capacity of a reader's lists and
/// tables.
document filled() {
  document doc(ingot::max_block_size{1 << 22});
  doc["records"] = std::vector<int>{};
  doc["text"] = std::string(300, 't');
  for (int i = 0; i < 60; ++i) {
    auto record = *doc.root().find("records").append(
        std::map<std::string, std::vector<std::string>>{{"key " + std::to_string(i), {"one", "two"}}});
    static_cast<void>(record.set(std::string(40, 'k') + std::to_string(i % 20), i));
    static_cast<void>(record.set("the same in all of them, and shared", 1));
  }
  return doc;
}

/// Returns the outcome of `f` while the n-th allocation fails, alone or with all after it. Nothing
/// is thrown.
template <class F>
outcome under_failure(std::size_t n, bool for_ever, F&& f) {
  memory.count = 0;
  memory.fail_at = n;
  memory.for_ever = for_ever;
  memory.active = true;
  const outcome o = f();
  memory.active = false;
  return o;
}
template <class Attempt>
std::size_t walk(const char* name, Attempt&& attempt) {
  return failing::each_allocation(name, attempt, [](const outcome& o, bool leaks) {
    EXPECT_TRUE(!o || *o == errc::no_memory) << ingot::to_string(*o);
    EXPECT_FALSE(leaks);
  });
}

TEST(archive_memory, failing_anywhere_is_called_so) {
  const document doc = filled();
  const ingot::buffer bytes = ingot::archive(doc).value();
  std::size_t failures = 0;
  failures += walk("archive", [&] { return code_of(ingot::archive(doc)); });
  failures += walk("check", [&] { return code_of(ingot::validate_archive(bytes)); });
  failures += walk("unarchive", [&] { return code_of(ingot::unarchive(bytes)); });
  EXPECT_GT(failures, 100U);
  std::printf("[  counted ] %zu failures\n", failures);
}

#if INGOT_EXCEPTIONS // without exceptions, a container that finds no memory ends the program
TEST(archive_memory, failing_in_a_container_is_called_so_and_leaves_it_as_it_was) {
  const document doc = filled();
  const ingot::buffer bytes = ingot::archive(doc).value();
  const auto view = ingot::archive_view::over(bytes).value();
  const auto target = view["text"];
  byte_vector to;
  for (const bool replaces : {false, true}) {
    for (std::size_t n = 1; !HasFailure(); ++n) {
      to = byte_vector(3);
      to.shrink_to_fit();
      const outcome o = under_failure(n, false, [&] {
        return replaces ? code_of(view.replace_to(to, target, "short"))
                        : code_of(ingot::archive_to(to, doc.root()));
      });
      EXPECT_TRUE(!o || *o == errc::no_memory);
      EXPECT_EQ(o.has_value(), to.size() == 3);
      if (memory.count < n) break;
    }
  }
}

TEST(archive_memory, failing_for_a_text_or_record_that_is_read_is_called_so) {
  const ingot::buffer bytes = ingot::archive(filled()).value();
  const auto view = ingot::archive_view::over(bytes).value();
  const auto text = view["text"];
  const auto texts = view["records"][7]["key 7"];
  using list = std::vector<std::string>;
  EXPECT_EQ(texts.as<list>()->size(), 2U); // from here on the view has built its caches
  const auto failures = walk("text", [&] { return code_of(text.as<std::string>()); }) +
                        walk("texts", [&] { return code_of(texts.as<list>()); });
  EXPECT_GT(failures, 5U);
  EXPECT_EQ(text.as<std::string>().value(), std::string(300, 't'));
}
#endif

TEST(archive_memory, failing_in_a_view_leaves_what_it_found_and_what_it_can_find) {
  const document doc = filled();
  const ingot::buffer bytes = ingot::archive(doc).value();
  const auto look = [](const ingot::archive_view& view) {
    std::size_t found = 0;
    const auto records = view["records"];
    for (int i = 0; i < 60; ++i) {
      const auto record = records[static_cast<std::size_t>(i)];
      found += record["key " + std::to_string(i)][1].length();
      found += record["the same in all of them, and shared"].value_or(std::size_t{0});
      for (const auto& [key, value] : record.members()) found += key.empty() ? 0U : 1U;
    }
    return found;
  };
  const std::size_t all = look(ingot::archive_view::over(bytes).value());
  EXPECT_EQ(all, 60U * 7);
  std::size_t failures = 0;
  for (const bool for_ever : {false, true}) {
    for (std::size_t n = 1; !HasFailure(); ++n) {
      const auto view = ingot::archive_view::over(bytes).value();
      static_cast<void>(under_failure(n, for_ever, [&] { return look(view), outcome(); }));
      const bool failed = memory.count >= n;
      EXPECT_EQ(look(view), all) << "after allocation " << n << " failed";
      EXPECT_TRUE(view.root().to_document().value() == doc);
      if (!failed) break;
      ++failures;
    }
  }
  for (std::size_t n = 1; !HasFailure(); ++n) {
    const auto view = ingot::archive_view::over(bytes).value();
    const outcome o = under_failure(n, false, [&] { return code_of(view["records"][3].to_document()); });
    EXPECT_TRUE(!o || *o == errc::no_memory || *o == errc::missing_member);
    EXPECT_TRUE(view["records"][3].to_document().has_value()) << "after allocation " << n << " failed";
    if (memory.count < n) break;
    ++failures;
  }
  EXPECT_GT(failures, 20U);
  std::printf("[  counted ] %zu failures\n", failures);
}

TEST(archive_memory, of_an_array_is_not_taken_for_one_of_its_integers) {
  const ingot::buffer bytes =
      ingot::archive(document(std::vector<int>(200'000, 100), ingot::max_block_size{1 << 23})).value();
  const auto view = ingot::archive_view::over(bytes).value();
  ingot::buffer sink;
  for (const int n : {7, 70'000}) { // still packed, and no longer packed
    static_cast<void>(
        under_failure(1'000, false, [&] { return code_of(view.replace_to(sink, view.root()[1'000], n)); }));
    EXPECT_LT(memory.count, 10U) << "a list that grows to so many elements asks a dozen times";
  }
  EXPECT_GT(sink.size(), 300'000U);
}

TEST(interchange_memory, failing_anywhere_is_called_so) {
  const document doc = filled();
  const ingot::buffer packed = ingot::msgpack::write(doc).value();
  const ingot::buffer object = ingot::cbor::write(doc).value();
  const ingot::cbor::write_options sorted = ingot::cbor::deterministic;
  std::size_t failures = 0;
  failures += walk("msgpack::write", [&] { return code_of(ingot::msgpack::write(doc)); });
  failures += walk("cbor::write", [&] { return code_of(ingot::cbor::write(doc, sorted)); });
  const auto read = [&](const char* name, auto&& attempt) {
    return failing::each_allocation(name, attempt, [](const outcome& o, bool leaks) {
      EXPECT_FALSE(leaks);
      EXPECT_TRUE(!o || *o == errc::no_memory || *o == errc::no_space) << ingot::to_string(*o);
    });
  };
  failures += read("msgpack::read_document", [&] { return code_of(ingot::msgpack::read_document(packed)); });
  failures += read("cbor::read_document", [&] { return code_of(ingot::cbor::read_document(object)); });
  EXPECT_GT(failures, 50U);
}

// An error while the keys of an object are sorted has the path of that object. The path once had
// four billion members, which took seconds for each failure.
TEST(interchange_memory, failing_while_keys_are_sorted_gives_the_path_of_the_object) {
  std::map<std::string, int> many;
  for (int i = 0; i < 100; ++i) many["key " + std::to_string(i)] = i;
  document doc;
  doc["outer"] = std::vector<std::map<std::string, std::map<std::string, int>>>{{}, {{"inner", many}}};
  std::size_t placed = 0;
  for (std::size_t n = 1; !HasFailure(); ++n) {
    std::string path;
    const outcome o = under_failure(n, false, [&] {
      const auto written = ingot::cbor::write(doc, ingot::cbor::deterministic);
      memory.active = false;
      if (!written) path = std::string(written.error().path());
      return code_of(written);
    });
    if (memory.count < n) break;
    EXPECT_TRUE(!o || *o == errc::no_memory);
    EXPECT_EQ(path.find("$value"), path.npos) << path;
    if (path == "outer[1].inner") ++placed;
  }
  EXPECT_GT(placed, 0U);
}

}} // namespace hostile_archive_memory
