// SPDX-License-Identifier: Apache-2.0
// An object with very many members is one node, and its keys are sorted in one operation. Progress
// is reported within that operation, too, whatever calls it.
#include <ingot/core/progress.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>

#include "progress_tools.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace large_object_progress_test {

using ingot::progress_ref;
using ingot_test::listener;

constexpr std::size_t members = 40'000; // more than are sorted in one step
constexpr std::size_t passes = members / 4096;
constexpr ingot::max_block_size block_limit{64 << 20};

using object = std::map<std::string, std::int64_t>;
/// Returns members with keys that are stored in their node, or with keys that are too long for it.
[[nodiscard]] object object_of(bool with_long_keys) {
  object keys_and_values;
  for (std::size_t i = 0; i < members; ++i)
    keys_and_values[(with_long_keys ? "a key so long that it has a node of its own " : "key ") +
                    std::to_string(i * 7)] = static_cast<std::int64_t>(i);
  return keys_and_values;
}
[[nodiscard]] ingot::document document_of(const object& from) {
  ingot::document filled(block_limit);
  filled = from;
  return filled;
}
[[nodiscard]] std::vector<std::byte> copy_of(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }

/// `call(progress)` returns a result. It is cancelled at some of its reports, and makes at least
/// `min_calls` reports.
template <class Call>
void stop_often(std::size_t min_calls, const Call& call) {
  ingot_test::stop_everywhere(call,
                              [&](const listener& reported, bool is_done) {
                                if (is_done) {
                                  EXPECT_GE(reported.calls.size(), min_calls);
                                }
                              },
                              {.is_placed = false, .rarely = ingot_test::all_until(true)});
}

class large_object_progress : public testing::TestWithParam<bool> {
protected:
  const object all = object_of(GetParam());
};

TEST_P(large_object_progress, of_a_map_that_becomes_one_is_reported_and_stopped_changes_nothing) {
  ingot::document doc(block_limit);
  doc["before"] = 1;
  const ingot::document before = doc;
  const ingot::document expected = document_of(all);
  // Members are gathered and sorted, and their node is written. It is measured twice before.
  stop_often(5 * passes, [&](progress_ref progress) {
    auto done = doc.try_assign(all, progress);
    EXPECT_EQ(doc, done ? expected : before);
    return done;
  });
  EXPECT_EQ(copy_of(doc.bytes()), copy_of(expected.bytes()))
      << "with and without progress the result is the same";
  EXPECT_TRUE(ingot::document::open(doc.bytes(), {.max_size = block_limit}));
}
TEST_P(large_object_progress, of_numbers_in_an_array_is_reported) {
  const std::vector<std::int64_t> numbers(members, 123'456'789'012);
  ingot::document doc(block_limit);
  stop_often(passes, [&](progress_ref progress) { return doc.try_assign(numbers, progress); });
  EXPECT_EQ(doc.root().size(), members);
}
TEST_P(large_object_progress, of_copies_is_reported_and_stopped_changes_nothing) {
  ingot::document doc = document_of(all);
  doc["one more"] = 7;
  const auto before = copy_of(doc.bytes());
  ingot::document expected = doc;
  expected.compact();
  stop_often(2 * passes, [&](progress_ref progress) {
    auto copied = doc.try_copy({.max_size = block_limit, .progress = progress});
    EXPECT_TRUE(!copied || copy_of(copied->bytes()) == copy_of(expected.bytes()));
    EXPECT_EQ(copy_of(doc.bytes()), before);
    return copied;
  });
  stop_often(2 * passes, [&](progress_ref progress) {
    auto done = doc.try_compact(progress);
    EXPECT_EQ(copy_of(doc.bytes()), done ? copy_of(expected.bytes()) : before);
    return done;
  });
}
TEST_P(large_object_progress, of_validation_is_reported_at_long_keys) {
  const ingot::document doc = document_of(all);
  stop_often(GetParam() ? passes : 1, [&](progress_ref progress) {
    auto opened = ingot::document::open(doc.bytes(), {.max_size = block_limit, .progress = progress});
    EXPECT_TRUE(!opened || *opened == doc);
    return opened;
  });
}
TEST_P(large_object_progress, archive_write_and_read_report_progress) {
  const ingot::document doc = document_of(all);
  const ingot::buffer expected = ingot::archive(doc).value();
  stop_often(passes, [&](progress_ref progress) {
    auto archived = ingot::archive(doc, progress);
    EXPECT_TRUE(!archived || copy_of(*archived) == copy_of(expected));
    return archived;
  });
  stop_often(2 * passes, [&](progress_ref progress) {
    auto unarchived = ingot::unarchive(expected, {.max_size = block_limit, .progress = progress});
    EXPECT_TRUE(!unarchived || *unarchived == doc);
    return unarchived;
  });
}
TEST_P(large_object_progress, of_other_formats_is_reported_while_keys_are_sorted) {
  const ingot::document doc = document_of(all);
  auto sorted = ingot::cbor::deterministic;
  const ingot::buffer expected = ingot::cbor::write(doc, sorted).value();
  stop_often(passes, [&](progress_ref progress) {
    sorted.progress = progress;
    auto written = ingot::cbor::write(doc, sorted);
    EXPECT_TRUE(!written || copy_of(*written) == copy_of(expected));
    return written;
  });
#ifdef __cpp_exceptions
  std::size_t calls = 0;
  const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
    if (++calls == 4) throw calls;
    return true;
  };
  sorted.progress = throws;
  EXPECT_THROW(static_cast<void>(ingot::cbor::write(doc, sorted)), std::size_t);
#endif
  const ingot::buffer packed = ingot::msgpack::write(doc).value();
  stop_often(1, [&](progress_ref progress) {
    auto read = ingot::msgpack::read_document(packed, block_limit, {.progress = progress});
    EXPECT_TRUE(!read || *read == doc);
    return read;
  });
}

TEST_P(large_object_progress, of_reading_into_a_document_that_ends_early_leaves_no_bytes_in_it) {
  const ingot::buffer packed = ingot::msgpack::write(document_of(all)).value();
  ingot::document doc(block_limit);
  doc["before"] = 1;
  const auto taken = [&] { return doc.stats().used - doc.stats().free_bytes; };
  const auto before = taken();
  listener reported;
  { // number of reports at which it can be cancelled
    ingot::document other(block_limit);
    ASSERT_TRUE(ingot::msgpack::read_into(other.root(), packed, {.progress = reported}));
  }
  const std::size_t calls = reported.calls.size();
  ASSERT_GE(calls, 4 * passes);
  for (std::size_t at = 0; at < calls; at += 3) {
    const auto read = ingot::msgpack::read_into(doc.root(), packed, {.progress = listener{.stop_at = at}});
    EXPECT_EQ(read.error().code(), ingot::errc::cancelled);
    EXPECT_EQ(taken(), before) << at;
#ifdef __cpp_exceptions
    std::size_t n = 0;
    const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
      if (n++ == at) throw n;
      return true;
    };
    EXPECT_THROW(static_cast<void>(ingot::msgpack::read_into(doc.root(), packed, {.progress = throws})),
                 std::size_t);
    EXPECT_EQ(taken(), before) << at;
#endif
  }
  EXPECT_EQ(doc.root().size(), 1U);
  EXPECT_TRUE(ingot::document::open(doc.bytes(), {.max_size = block_limit}));
}

INSTANTIATE_TEST_SUITE_P(keys, large_object_progress, testing::Bool(),
                         [](const auto& of) { return of.param ? "long" : "short"; });

TEST(large_objects_progress, of_many_objects_alike_is_reported_before_the_first_is_copied) {
  struct point {
    std::int64_t across, down;
  };
  ingot::document doc(block_limit);
  doc = std::vector<point>(members, point{1'000'000, 2'000'000'000});
  ingot::document expected = doc;
  expected.compact();
  listener reported;
  ASSERT_TRUE(doc.try_compact(reported));
  EXPECT_GE(reported.calls.size(), 4 * passes) << "in the walk, as they are sorted, as they are compared";
  EXPECT_EQ(copy_of(doc.bytes()), copy_of(expected.bytes()));
}

} // namespace large_object_progress_test
