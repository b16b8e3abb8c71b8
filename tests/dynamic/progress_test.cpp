// SPDX-License-Identifier: Apache-2.0
// Operations without a type call the progress callback, in order and to the end, and the callback
// can cancel them at each of these calls.
#include <ingot/core/progress.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/validate_any.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/schema/schema.hpp>

#include "progress_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dynamic_progress_test {

using ingot::errc;
using ingot::progress_ref;
using ingot_test::listener;

/// Repeats the call, cancelled later each time, until it is not cancelled. Returns its last result.
template <class Call>
auto stop_everywhere(std::size_t min_calls, const Call& call) {
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    auto done = call(progress_ref(reported));
    if (done) {
      EXPECT_TRUE(reported.is_in_order());
      for (const auto& [position, total] : reported.calls) EXPECT_LE(position, total);
      EXPECT_EQ(reported.calls.back().first, reported.calls.back().second);
      EXPECT_GE(reported.calls.size(), min_calls);
      return std::pair(std::move(*done), reported.calls.back().first);
    }
    EXPECT_EQ(done.error().code(), errc::cancelled) << done.error().message();
    EXPECT_EQ(done.error().path(), "");
    EXPECT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
    if (reported.calls.size() != n + 1 || done.error().code() != errc::cancelled)
      return std::pair(call({}).value(), std::uint64_t{});
  }
}

struct item {
  std::string name;
  std::vector<double> at;
  std::optional<std::string> note;
};
struct world {
  std::vector<item> items;
  std::map<std::string, std::uint64_t> numbers;
};
struct live_item {
  ingot::string name;
  ingot::vector<double> at;
  ingot::optional<ingot::string> note;
};
struct live_world {
  ingot::vector<live_item> items;
  ingot::map<ingot::string, std::uint64_t> numbers;
};
[[nodiscard]] ingot::live<live_world> large() {
  ingot::live<live_world> block(ingot::max_block_size{64 << 20});
  for (std::size_t i = 0; i < 12'000; ++i) {
    auto& entry = block->items.emplace_back();
    entry.name = "a person whose name is number " + std::to_string(i);
    entry.at.resize(i % 9);
    if (i % 3 == 0) entry.note = std::string(i % 100, 'n');
    block->numbers["a key that is not short " + std::to_string(i * 7919)] = i;
  }
  return block;
}
[[nodiscard]] bool equal(ingot::bytes_view a, ingot::bytes_view b) { return std::ranges::equal(a, b); }

TEST(dynamic_progress, of_building_blocks_is_reported) {
  const auto block = large();
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<live_world>()).value();
  const auto same = ingot::dynamic_block::open(block.bytes(), layout).value();
  const auto expected = ingot::compact_block(same).value();
  const auto [compacted, size] = stop_everywhere(
      6, [&](progress_ref progress) { return ingot::compact_block(same, {.progress = progress}); });
  EXPECT_EQ(size, block.bytes().size());
  EXPECT_TRUE(equal(compacted.bytes(), expected.bytes()))
      << "with and without progress the result is the same";

  const auto [built, built_size] = stop_everywhere(6, [&](progress_ref progress) {
    return ingot::build_block(same.root(), layout, {.progress = progress});
  });
  EXPECT_EQ(built_size, expected.bytes().size());
  EXPECT_TRUE(equal(built.bytes(), expected.bytes()));

  const auto doc = ingot::to_document(same.root(), {.max_size = {64 << 20}}).value();
  const auto [said, said_size] = stop_everywhere(
      10, [&](progress_ref progress) { return ingot::build_block(doc, layout, {.progress = progress}); });
  EXPECT_GT(said_size, expected.bytes().size());
  EXPECT_TRUE(equal(said.bytes(), expected.bytes()));

  listener reported;
  EXPECT_EQ(ingot::compact_block(same, {.max_bytes = expected.bytes().size() / 2, .progress = reported})
                .error()
                .code(),
            errc::no_space);
}

TEST(dynamic_progress, of_blocks_that_are_validated_is_reported) {
  const auto block = large();
  const std::uint64_t size = block.bytes().size();
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<live_world>()).value();
  const auto [copied, both] = stop_everywhere(size >> 18, [&](progress_ref progress) {
    return ingot::dynamic_block::open(block.bytes(), layout, progress);
  });
  EXPECT_EQ(both, 2 * size);
  EXPECT_TRUE(equal(copied.bytes(), block.bytes()));
  const auto [seen, once] = stop_everywhere(10, [&](progress_ref progress) {
    return ingot::dynamic_block::open_in_place(block.bytes(), layout, progress);
  });
  EXPECT_EQ(once, size);
  EXPECT_EQ(seen.bytes().data(), block.bytes().data());

  // Elements that need no further check are visited in a separate loop.
  ingot::live<ingot::vector<ingot::string>> texts(ingot::max_block_size{64 << 20});
  texts->resize(50'000);
  const auto of_texts = ingot::dynamic_layout::of<ingot::vector<ingot::string>>().value();
  static_cast<void>(stop_everywhere(50'000 / 4096, [&](progress_ref progress) {
    return ingot::dynamic_block::open_in_place(texts.bytes(), of_texts, progress);
  }));

  // Errors have the same message with and without a progress callback.
  std::vector<std::byte> broken(block.bytes().begin(), block.bytes().end());
  for (std::size_t at = 64; at < broken.size(); at += broken.size() / 61) {
    broken[at] ^= std::byte{0x41};
    listener reported;
    const auto silent = ingot::dynamic_block::open(broken, layout);
    const auto with_progress = ingot::dynamic_block::open(broken, layout, reported);
    ASSERT_EQ(silent.has_value(), with_progress.has_value());
    if (!silent) {
      EXPECT_EQ(silent.error().message(), with_progress.error().message());
    }
    broken[at] ^= std::byte{0x41};
  }
}

struct with_any {
  std::uint32_t number = 0;
  ingot::document any;
  std::map<std::string, std::uint32_t> names;
};

TEST(dynamic_progress, of_messages_that_are_validated_is_reported) {
  std::vector<with_any> value(6'000);
  for (std::uint32_t i = 0; i < value.size(); ++i) {
    value[i].number = i;
    value[i].any["text"] = std::string(i % 300, 'a');
    value[i].names["a key that is not short " + std::to_string(i)] = i;
  }
  value[77].any["text"] = std::string(1'000'000, 'b');
  const auto check = [&](const ingot::buffer& message, ingot::message_profile profile, std::uint64_t passes) {
    const auto schema =
        ingot::dynamic_schema::open(ingot::schema_bytes<std::vector<with_any>>(), profile).value();
    const std::uint64_t size = message.size();
    const auto [copied, all] =
        stop_everywhere(static_cast<std::size_t>(passes * (size >> 19)), [&](progress_ref progress) {
          return ingot::dynamic_message::open(message, schema, progress);
        });
    EXPECT_EQ(all, (passes + 1) * size);
    EXPECT_TRUE(equal(copied.bytes(), message));
    const auto [seen, once] =
        stop_everywhere(static_cast<std::size_t>((passes - 1) * (size >> 19)), [&](progress_ref progress) {
          return ingot::dynamic_message::open_in_place(message, schema, progress);
        });
    EXPECT_EQ(once, passes * size);
    EXPECT_EQ(seen.bytes().data(), message.data());
    EXPECT_EQ(seen[5]["number"].value_or(0), 5);
    for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
      listener reported{.stop_at = n};
      const auto checked = ingot::validate_any(seen.root(), reported);
      if (checked) {
        EXPECT_TRUE(reported.is_in_order());
        EXPECT_GE(reported.calls.size(), 6'000U / 4096 + 4);
        EXPECT_EQ(reported.calls.back(), std::pair(size, size));
        break;
      }
      ASSERT_EQ(checked.error().code(), errc::cancelled) << checked.error().message();
      ASSERT_EQ(reported.calls.size(), n + 1);
    }
    // Errors have the same message with and without a progress callback.
    const bool is_full = std::getenv("INGOT_TEST_FULL") != nullptr; // NOLINT(concurrency-mt-unsafe)
    std::vector<std::byte> broken(message.begin(), message.end());
    for (std::size_t at = 0; at < broken.size(); at += broken.size() / (is_full ? 31 : 9)) {
      broken[at] ^= std::byte{0x41};
      listener reported;
      const auto silent = ingot::dynamic_message::open(broken, schema);
      const auto with_progress = ingot::dynamic_message::open(broken, schema, reported);
      ASSERT_EQ(silent.has_value(), with_progress.has_value());
      if (!silent) {
        EXPECT_EQ(silent.error().message(), with_progress.error().message());
      } else {
        const auto said = ingot::validate_any(silent->root());
        const auto any_with_progress = ingot::validate_any(with_progress->root(), reported);
        ASSERT_EQ(said.has_value(), any_with_progress.has_value());
        if (!said) {
          EXPECT_EQ(said.error().message(), any_with_progress.error().message());
        }
      }
      broken[at] ^= std::byte{0x41};
    }
  };
  check(ingot::pack(value).value(), ingot::message_profile::pack, 2);
  check(ingot::compact::pack(value).value(), ingot::message_profile::compact, 3);
}

TEST(dynamic_progress, of_converting_blocks_to_documents_is_reported) {
  const auto block = large();
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<live_world>()).value();
  const auto same = ingot::dynamic_block::open(block.bytes(), layout).value();
  const ingot::max_block_size max_size{64 << 20};
  const auto expected = ingot::to_document(same.root(), {.max_size = max_size}).value();
  const auto [converted, size] = stop_everywhere(3, [&](progress_ref progress) {
    return ingot::to_document(same.root(), {.max_size = max_size, .progress = progress});
  });
  EXPECT_EQ(size, expected.bytes().size());
  EXPECT_TRUE(equal(converted.bytes(), expected.bytes()));
  listener reported;
  EXPECT_EQ(ingot::to_document(same.root(), {.max_size = {1 << 18}, .progress = reported}).error().code(),
            errc::no_space);

  // A writer that was cancelled can be used again.
  listener stops{.stop_at = 1};
  ingot::document_writer to({.max_size = max_size, .progress = stops});
  const auto tell = [&] {
    to.begin_array();
    for (int i = 0; i < 20'000; ++i) {
      to.begin_object();
      to.key("text"), to.text("a text that is not a short one, so that there are some megabytes");
      to.end();
    }
    to.end();
    return to.finish();
  };
  EXPECT_EQ(tell().error().code(), errc::cancelled);
  EXPECT_EQ(stops.calls.size(), 2U);
  EXPECT_EQ(to.finish().error().code(), errc::cancelled);
  EXPECT_EQ(stops.calls.size(), 2U);
  stops.stop_at = 1'000;
  to.restart();
  const auto done = tell();
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->root().size(), 20'000U);
}

TEST(dynamic_progress, of_messages_that_are_packed_is_reported) {
  const auto block = large();
  const auto layout = ingot::dynamic_layout::open(ingot::layout_of<live_world>()).value();
  const auto same = ingot::dynamic_block::open(block.bytes(), layout).value();
  const auto doc = ingot::to_document(same.root(), {.max_size = {64 << 20}}).value();
  const auto schema = ingot::schema_bytes<world>();
  for (const auto profile : {ingot::message_profile::pack, ingot::message_profile::compact}) {
    const auto by = ingot::dynamic_schema::open(ingot::bytes_view(schema), profile).value();
    const auto expected = ingot::pack_document(doc, by).value();
    const auto [packed_bytes, size] = stop_everywhere(
        4, [&](progress_ref progress) { return ingot::pack_document(doc, by, {.progress = progress}); });
    EXPECT_EQ(size, expected.size());
    EXPECT_TRUE(equal(packed_bytes, expected));
    listener reported;
    EXPECT_EQ(ingot::pack_document(doc, by, {.max_bytes = expected.size() - 1, .progress = reported})
                  .error()
                  .code(),
              errc::too_large);
    EXPECT_TRUE(ingot::pack_document(doc, by, {.max_bytes = expected.size(), .progress = reported}));
#ifdef __cpp_exceptions
    const auto throws = [](std::uint64_t done, std::uint64_t) -> bool {
      if (done > 500'000) throw std::runtime_error("enough");
      return true;
    };
    EXPECT_THROW(static_cast<void>(ingot::pack_document(doc, by, {.progress = throws})), std::runtime_error);
    EXPECT_THROW(static_cast<void>(ingot::compact_block(same, {.progress = throws})), std::runtime_error);
#endif
  }
}

struct older_table {
  ingot::hash_map<std::uint32_t, std::uint32_t> numbers;
};
struct table {
  ingot::hash_map<std::uint64_t, std::uint64_t> numbers;
};

TEST(dynamic_progress, of_an_older_block_is_reported_while_the_entries_of_a_table_are_sorted) {
  constexpr std::uint32_t many = 60'000; // more than one step of sorting
  const ingot::max_block_size max_size{64 << 20};
  ingot::live<older_table> old(max_size);
  for (std::uint32_t n = 0; n < many; ++n) old->numbers.emplace(n * 7919, n);
  const auto conversion = ingot::live_evolution<table>::from(ingot::layout_of<older_table>());
  ASSERT_TRUE(conversion.has_value());
  ingot_test::stop_everywhere(
      [&](progress_ref progress) {
        auto opened = conversion->open(old.bytes(), {.max_size = max_size, .progress = progress});
        if (opened) {
          EXPECT_EQ((*opened)->numbers.size(), many);
          for (std::uint32_t n = 0; n < many; n += 97) EXPECT_EQ((*opened)->numbers.at(n * 7919), n);
        }
        return opened;
      },
      [&](const listener& reported, bool is_done) {
        if (is_done) {
          EXPECT_GE(reported.calls.size(), 2 * (many / 4096)) << "as keys are made, and as they are sorted";
        }
      },
      {.is_placed = false, .rarely = ingot_test::all_until(true)});
}

} // namespace dynamic_progress_test
