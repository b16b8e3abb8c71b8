// SPDX-License-Identifier: Apache-2.0
// Reading and writing text call the progress callback, in order and to the end, and the callback
// can cancel them at each of these calls: then nothing remains.
#include <ingot/core/detail/config.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/reflect/annotations.hpp>

#include "progress_tools.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace progress_test {

namespace json = ingot::json;
using ingot::errc;
using ingot::progress_ref;
using ingot_test::listener;

constexpr std::size_t step = std::size_t{256} << 10;

/// Expects calls in order, in sufficient number, and up to the last of `size` bytes.
void expect_all(const listener& reported, std::uint64_t size) {
  ASSERT_FALSE(reported.calls.empty());
  std::uint64_t before = 0;
  for (const auto& [done, total] : reported.calls) {
    EXPECT_GE(done, before);
    EXPECT_LE(done, total);
    EXPECT_LE(done - before, 2 * step);
    before = done;
  }
  EXPECT_EQ(reported.calls.back(), std::pair(size, size));
  EXPECT_LE(reported.calls.size(), 2 * size / step + 3);
}

/// Repeats the call, cancelled a little later each time, until it is not cancelled.
template <class Call>
void stop_everywhere(std::uint64_t size, const Call& call) {
  ingot_test::stop_everywhere(call, [&](const listener& reported, bool is_done) {
    if (!is_done) return;
    expect_all(reported, size);
    EXPECT_GE(reported.calls.size(), 3U);
  });
}

/// Writing and reading, each cancelled at every call.
template <class T>
void check_both_directions(const T& value, const json::write_options& as = {}) {
  const std::string text = json::write(value, as).value();
  stop_everywhere(text.size(), [&](progress_ref progress) {
    json::write_options options = as;
    options.progress = progress;
    std::string out = "before";
    const auto written = json::write_to(out, value, options);
    EXPECT_EQ(out, written ? "before" + text : "before");
    return written;
  });
  stop_everywhere(text.size(), [&](progress_ref progress) {
    auto parsed = json::read<T>(text, {.progress = progress});
    EXPECT_TRUE(!parsed || json::write(*parsed, as).value() == text);
    return parsed;
  });
}

/// A type with older texts.
struct grown {
  std::vector<int> values{};
  int added = 0;
};
} // namespace progress_test

template <>
inline constexpr auto ingot::annotations<progress_test::grown> =
    ingot::annotate(ingot::type(ingot::version(2)), ingot::member<"added">(ingot::since(2)));

namespace progress_test {

struct item {
  std::string name{};
  std::optional<std::string> note{};
  std::vector<double> at{};
  std::uint32_t number = 0;
};

template <class Make>
auto many(std::size_t count, const Make& make) {
  std::vector<decltype(make(std::size_t{}))> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(make(i));
  return all;
}

TEST(json_progress, of_numbers_and_words) {
  check_both_directions(many(200'000, [](std::size_t i) { return static_cast<std::uint32_t>(i * 7919); }));
  check_both_directions(many(100'000, [](std::size_t i) { return -static_cast<std::int64_t>(i) << 20; }));
  check_both_directions(many(100'000, [](std::size_t i) { return static_cast<double>(i) / 7; }));
  check_both_directions(std::vector<bool>(300'000, true));
  check_both_directions(
      many(300'000, [](std::size_t i) { return i % 3 == 0 ? std::optional(i) : std::nullopt; }));
}
TEST(json_progress, of_lists_that_are_not_in_one_piece) {
  const auto numbers = many(120'000, [](std::size_t i) { return static_cast<int>(i); });
  check_both_directions(std::list<int>(numbers.begin(), numbers.end()));
  check_both_directions(std::set<int>(numbers.begin(), numbers.end()));
  std::map<int, bool> by_number;
  std::map<std::string, int> by_name;
  for (const int n : numbers) by_number[n] = true, by_name[std::to_string(n)] = n;
  check_both_directions(by_number);
  check_both_directions(by_name);
}
TEST(json_progress, of_texts) {
  check_both_directions(many(4'000, [](std::size_t i) { return std::string(i % 700, 'x'); }));
  check_both_directions(many(4'000, [](std::size_t i) { return std::string(i % 350, '"'); }));
}
TEST(json_progress, of_records) {
  const auto items = many(20'000, [](std::size_t i) {
    return item{.name = "item " + std::to_string(i),
                .note = i % 3 == 0 ? std::optional<std::string>("odd") : std::nullopt,
                .at = {1.5, static_cast<double>(i)},
                .number = static_cast<std::uint32_t>(i)};
  });
  check_both_directions(items);
  check_both_directions(items, json::pretty);
}
TEST(json_progress, of_objects_inside_objects) {
  std::map<std::string, std::vector<std::vector<int>>> value;
  for (int i = 0; i < 2'000; ++i) value[std::to_string(i)] = std::vector(10, std::vector<int>(20, i));
  check_both_directions(value);
}

TEST(json_progress, of_what_is_passed_over) {
  std::string text = R"({"unknown": [)";
  for (int i = 0; i < 100'000; ++i) text += R"({"a": [1, 2]},)";
  text += R"(0], "number": 7})";
  stop_everywhere(text.size(), [&](progress_ref progress) {
    return json::read<item>(text, {.unknown_keys = json::unknown_keys::ignore,
                                   .missing_keys = json::missing_keys::use_defaults,
                                   .progress = progress});
  });
  text = "{";
  for (int i = 0; i < 100'000; ++i) text += R"("unknown": 1, "number": 6,)";
  text += R"("number": 7})";
  stop_everywhere(text.size(), [&](progress_ref progress) {
    auto parsed = json::read<item>(text, {.unknown_keys = json::unknown_keys::ignore,
                                          .missing_keys = json::missing_keys::use_defaults,
                                          .duplicate_keys = json::duplicate_keys::last_wins,
                                          .progress = progress});
    EXPECT_TRUE(!parsed || parsed->number == 7);
    return parsed;
  });
}

TEST(json_progress, of_an_older_text_can_stop_its_upgrade) {
  std::string text =
      R"({"$version": 1, "values": )" + json::write(std::vector<int>(300'000, 12345)).value() + "}";
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    const auto upgraded_value = json::read<grown>(text, {.progress = reported});
    EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
    if (upgraded_value) {
      EXPECT_GE(reported.calls.size(), 2 * (text.size() / step))
          << "while it is taken apart, and while that is read";
      EXPECT_EQ(reported.calls.back(), std::pair(std::uint64_t{text.size()}, std::uint64_t{text.size()}));
      EXPECT_EQ(upgraded_value->values.size(), 300'000U);
      break;
    }
    EXPECT_EQ(upgraded_value.error().code(), errc::cancelled);
    ASSERT_EQ(reported.calls.size(), n + 1);
  }
}

TEST(json_progress, of_reading_over_a_value_leaves_a_whole_one) {
  const auto items = many(20'000, [](std::size_t i) { return item{.name = std::to_string(i)}; });
  const std::string text = json::write(items).value();
  stop_everywhere(text.size(), [&](progress_ref progress) {
    std::vector<item> there =
        many(30'000, [](std::size_t i) { return item{.name = std::string(i % 50, 'x')}; });
    const auto done = json::read_into(there, text, {.progress = progress});
    EXPECT_TRUE(json::write(there)); // a valid mixture of both, as after any error
    return done;
  });
}

ingot::document document_of(std::string_view text) {
  return json::read_document(text, ingot::max_block_size{std::size_t{1} << 26}).value();
}

std::string records_text() {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i)
    text +=
        R"({"name":"item )" + std::to_string(i) + R"(","at":[1.5,)" + std::to_string(i) + R"(],"odd":null},)";
  return text += "true]";
}

TEST(json_progress, of_documents) {
  const std::string text = records_text();
  const ingot::document doc = document_of(text);
  const std::string written = json::write(doc).value();
  for (const std::uint32_t indent : {0U, 1U}) { // both paths for writing
    for (const auto order : {json::key_order::stored, json::key_order::sorted}) {
      json::write_options options{.key_order = order, .indent = indent};
      const std::string expected = json::write(doc, options).value();
      stop_everywhere(expected.size(), [&](progress_ref progress) {
        options.progress = progress;
        std::string out = "before";
        const auto done = json::write_to(out, doc, options);
        EXPECT_EQ(out, done ? "before" + expected : "before");
        return done;
      });
    }
  }
  stop_everywhere(text.size(), [&](progress_ref progress) {
    auto again = json::read_document(text, {.progress = progress});
    EXPECT_TRUE(!again || json::write(*again).value() == written);
    return again;
  });
}
TEST(json_progress, of_one_large_object_is_reported_while_its_keys_are_sorted) {
  constexpr int entries = 34'000; // more than one step of sorting
  std::map<std::string, int> model;
  for (int i = 0; i < entries; ++i) model["key " + std::to_string(i * 7)] = i;
  const std::unordered_map<std::string, int> hashed(model.begin(), model.end());
  std::string text = json::write(model).value();
  const ingot::document doc = document_of(text);
  constexpr std::size_t passes = entries / 4096;
  const auto stop = [&](const auto& call) {
    ingot_test::stop_everywhere(call,
                                [&](const listener& reported, bool is_done) {
                                  if (is_done) {
                                    EXPECT_GE(reported.calls.size(), passes);
                                  }
                                },
                                {.rarely = ingot_test::all_until(true)});
  };
  const std::set<int> numbers = [&] {
    std::set<int> all;
    for (const auto& [key, number] : model) all.insert(number * 7);
    return all;
  }();
  const std::unordered_set<int> mixed(numbers.begin(), numbers.end());
  stop([&](progress_ref progress) {
    auto done = json::write(mixed, {.progress = progress});
    EXPECT_TRUE(!done || *done == json::write(numbers).value());
    return done;
  });
  stop([&](progress_ref progress) {
    auto done = json::write(hashed, {.progress = progress});
    EXPECT_TRUE(!done || *done == text);
    return done;
  });
  stop([&](progress_ref progress) {
    auto done = json::write(doc, {.key_order = json::key_order::sorted, .progress = progress});
    EXPECT_TRUE(!done || *done == text);
    return done;
  });
  for (const bool is_quick : {true, false}) {
    if (!is_quick)
      // the fast path leaves repeated keys to the general one
      text.insert(text.size() - 1, R"(,"key 7":1)");
    stop([&](progress_ref progress) {
      auto again = json::read_document(
          text, {.duplicate_keys = json::duplicate_keys::first_wins, .progress = progress});
      EXPECT_TRUE(!again || *again == doc);
      return again;
    });
  }
#ifdef __cpp_exceptions
  for (const std::size_t at : {2U, 5U, 9U}) {
    std::size_t calls = 0;
    const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
      if (++calls == at) throw std::runtime_error("enough");
      return true;
    };
    EXPECT_THROW(static_cast<void>(json::read_document(text, {.progress = throws})), std::runtime_error);
    calls = 0;
    EXPECT_THROW(static_cast<void>(json::write(hashed, {.progress = throws})), std::runtime_error);
  }
#endif
}
TEST(json_progress, of_documents_that_leave_the_fast_path_never_falls) {
  std::string text = records_text();
  text.pop_back();
  // the fast path gives up there, after it has reported nearly all bytes
  text += R"(, {"twice": 1, "twice": 2}])";
  const json::read_options last{.duplicate_keys = json::duplicate_keys::last_wins};
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    json::read_options options = last;
    options.progress = reported;
    const auto doc_read = json::read_document(text, options);
    EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
    if (doc_read) {
      EXPECT_EQ(reported.calls.back(), std::pair(std::uint64_t{text.size()}, std::uint64_t{text.size()}));
      EXPECT_GE(reported.calls.size(), 2 * (text.size() / step)) << "both times";
      break;
    }
    EXPECT_EQ(doc_read.error().code(), errc::cancelled);
    ASSERT_EQ(reported.calls.size(), n + 1);
  }
  ingot::document odd = document_of(records_text());
  ASSERT_TRUE(odd.root().append(ingot::bytes_view{}));
  listener reported;
  EXPECT_EQ(json::write(odd, {.progress = reported}).error().code(), errc::type_mismatch);
  EXPECT_TRUE(std::ranges::is_sorted(reported.calls));
  EXPECT_GE(reported.calls.size(), 2U);
}
TEST(json_progress, of_a_value_in_a_document_leaves_the_old_one) {
  const std::string text = records_text();
  ingot::document there = document_of(R"({"a": {"b": 1}})");
  const std::string before = json::write(there).value();
  stop_everywhere(text.size(), [&](progress_ref progress) {
    const ingot::value_ref old = there["a"];
    const auto done = json::read_into(old, text, {.progress = progress});
    EXPECT_TRUE(done || json::write(there).value() == before);
    return done;
  });
}
TEST(json_progress, of_documents_in_types) {
  std::map<std::string, ingot::document> value;
  for (int i = 0; i < 3; ++i) value.emplace(std::to_string(i), document_of(records_text()));
  check_both_directions(value);
}
TEST(json_progress, of_comments_and_marks_counts_the_input_text) {
  const std::string text =
      "\xEF\xBB\xBF// of numbers\n" + json::write(std::vector<int>(300'000, 77)).value() + " /**/ \n";
  stop_everywhere(text.size(), [&](progress_ref progress) {
    return json::read<std::vector<int>>(text, {.comments = json::comments::allow, .progress = progress});
  });
}
TEST(json_progress, of_a_small_text_is_reported_once) {
  listener reported;
  EXPECT_EQ(json::read<int>("17 ", {.progress = reported}).value(), 17);
  EXPECT_EQ(reported.calls, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{3, 3}}));
  reported.calls.clear();
  EXPECT_EQ(json::write(17, {.progress = reported}).value(), "17");
  EXPECT_EQ(reported.calls, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{2, 2}}));
}

#if INGOT_EXCEPTIONS
template <class Call>
void throw_everywhere(const Call& call) {
  for (std::size_t n = 0;; ++n) {
    std::size_t calls = 0;
    auto throws = [&](std::uint64_t, std::uint64_t) {
      if (calls++ == n) throw std::runtime_error("no longer");
      return true;
    };
    try {
      if (call(progress_ref(throws))) return;
    } catch (const std::runtime_error&) {
    }
    ASSERT_EQ(calls, n + 1);
  }
}
TEST(json_progress, lets_through_what_it_throws) {
  const std::string text = records_text();
  throw_everywhere([&](progress_ref p) { return json::read_document(text, {.progress = p}).has_value(); });
  const ingot::document doc = document_of(text);
  std::string out;
  throw_everywhere([&](progress_ref p) {
    const bool done = json::write_to(out, doc, {.progress = p}).has_value();
    return done;
  });
  ingot::document there = document_of("[1, 2]");
  throw_everywhere([&](progress_ref p) {
    EXPECT_EQ(there.root()[1].as<int>(), 2);
    const ingot::value_ref old = there[0];
    return json::read_into(old, text, {.progress = p}).has_value();
  });
  const auto items = many(20'000, [](std::size_t i) { return item{.name = std::to_string(i)}; });
  const std::string of_items = json::write(items).value();
  throw_everywhere(
      [&](progress_ref p) { return json::read<std::vector<item>>(of_items, {.progress = p}).has_value(); });
  throw_everywhere([&](progress_ref p) {
    std::string to = "before";
    try {
      return json::write_to(to, items, {.progress = p}).has_value();
    } catch (...) {
      EXPECT_EQ(to, "before");
      throw;
    }
  });
}
#endif

} // namespace progress_test
