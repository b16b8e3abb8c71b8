// SPDX-License-Identifier: Apache-2.0
// Reading and writing protobuf's bytes call the progress callback, in order and to the end, and the
// callback can cancel them. Without this a program that reads or writes a gigabyte can neither show
// progress nor stop.
#include <ingot/core/buffer.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/schema.hpp>

#include "progress_tools.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace protobuf_progress_test {

namespace pb = ingot::protobuf;
using ingot_test::listener;

struct entry {
  std::string text;
  std::vector<std::uint32_t> numbers;
  bool operator==(const entry&) const = default;
};
/// A list that is created from its stored form as a whole, so its elements are also read from the
/// fields after it.
struct lines {
  std::vector<std::string> all;
  bool operator==(const lines&) const = default;
};
struct world {
  lines first;
  std::vector<entry> entries;
  std::vector<std::string> texts;
  std::map<std::uint32_t, std::string> names;
  lines last;
  bool operator==(const world&) const = default;
};

} // namespace protobuf_progress_test

template <>
struct ingot::adapt<protobuf_progress_test::lines> {
  using type = std::vector<std::string>;
  static const type& to(const protobuf_progress_test::lines& from) noexcept { return from.all; }
  static protobuf_progress_test::lines from(type&& stored) { return {std::move(stored)}; }
};

namespace protobuf_progress_test {

world make() {
  world w;
  for (std::uint32_t n = 0; n < 2'000; ++n) {
    w.first.all.emplace_back(n % 300, 'f');
    w.entries.push_back({std::string(n % 700, 'a'), std::vector<std::uint32_t>(n % 200, 7U)});
    w.texts.emplace_back(n % 600, 'b');
    w.names.emplace(n, std::string(n % 500, 'c'));
    w.last.all.emplace_back(n % 400, 'l');
  }
  return w;
}
const world& whole() {
  static const world built = make();
  return built;
}
const ingot::buffer& message() {
  static const ingot::buffer built = pb::write(whole()).value();
  return built;
}

/// Cancelled at one call after the other, and then not: the last call reports the total.
template <class Call>
void stop_everywhere(std::uint64_t before_the_end, std::size_t min_calls, const Call& call) {
  const auto with_progress = [&](ingot::progress_ref progress) {
    return call(pb::options{.progress = progress});
  };
  const auto judge = [&](const listener& reported, bool is_done) {
    if (!is_done) return;
    const std::uint64_t all = reported.calls.back().first;
    EXPECT_EQ(reported.calls.back().second, all);
    for (std::size_t i = 0; i + 1 < reported.calls.size(); ++i) {
      EXPECT_EQ(reported.calls[i].second, before_the_end);
      EXPECT_LT(reported.calls[i].first, all) << "the total is reported once";
    }
    EXPECT_GE(reported.calls.size(), min_calls);
  };
  ingot_test::stop_everywhere(with_progress, judge, {.is_placed = false});
}

TEST(protobuf_progress, of_reading_is_reported_every_quarter_of_a_mebibyte) {
  // Each adapted list reads its fields out of all later bytes, which are reported once more.
  const std::size_t min_calls = message().size() / (std::size_t{256} << 10);
  ASSERT_GE(min_calls, 8U);
  stop_everywhere(message().size(), min_calls, [](const pb::options& how) {
    auto outcome = pb::read<world>(message(), how);
    EXPECT_TRUE(!outcome || *outcome == whole());
    return outcome;
  });
}

TEST(protobuf_progress, of_writing_reports_the_total) {
  const std::size_t min_calls = message().size() / (std::size_t{320} << 10);
  stop_everywhere(ingot::progress_ref::unknown, min_calls, [](const pb::options& how) {
    auto outcome = pb::write(whole(), how);
    EXPECT_TRUE(!outcome || *outcome == message());
    return outcome;
  });
  listener reported{.stop_at = 2};
  ingot::buffer sink;
  EXPECT_FALSE(pb::write_to(sink, whole(), {.progress = reported}).has_value());
  EXPECT_TRUE(sink.empty()) << "nothing half done is left in a sink";
}

TEST(protobuf_progress, without_the_type_is_reported_as_well) {
  const ingot::schema by = ingot::schema_of<world>();
  stop_everywhere(ingot::progress_ref::unknown, 4, [&](const pb::options& how) {
    return pb::read_document(message(), by, ingot::max_block_size{std::size_t{64} << 20}, how);
  });
  const auto ready = ingot::dynamic_schema::from(by).value();
  const ingot::buffer packed = ingot::pack(whole()).value();
  const auto view = ingot::dynamic_message::open_in_place(packed, ready).value();
  stop_everywhere(ingot::progress_ref::unknown, message().size() / (std::size_t{320} << 10),
                  [&](const pb::options& how) {
                    auto outcome = pb::write_message(view, by, how);
                    EXPECT_TRUE(!outcome || *outcome == message());
                    return outcome;
                  });
}

struct hashed {
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
};

TEST(protobuf_progress, of_a_large_map_without_an_order_is_reported_while_its_entries_are_sorted) {
  hashed from;
  // more than one step of sorting, and three reports of bytes
  constexpr std::uint32_t many = 60'000;
  for (std::uint32_t n = 0; n < many; ++n) from.numbers.emplace(n * 7919, n);
  const auto expected = pb::write(from).value();
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) {
        auto outcome = pb::write(from, {.progress = progress});
        EXPECT_TRUE(!outcome || *outcome == expected);
        return outcome;
      },
      [&](const listener& reported, bool is_done) {
        if (is_done) {
          EXPECT_GE(reported.calls.size(), many / 4096);
        }
      },
      {.rarely = ingot_test::all_until(true)});
}

TEST(protobuf_progress, of_no_bytes_is_not_reported) {
  listener reported;
  EXPECT_TRUE(pb::read<world>(ingot::bytes_view(), {.progress = reported}).has_value());
  EXPECT_TRUE(pb::write(world(), {.progress = reported}).has_value());
  EXPECT_TRUE(reported.calls.empty());
}

} // namespace protobuf_progress_test
