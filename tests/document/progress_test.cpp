// SPDX-License-Identifier: Apache-2.0
// Operations on a large document report progress in order and to the end, and each report can
// cancel them. After a cancellation the document is unchanged.
#include <ingot/core/progress.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/live/detail/slots.hpp>

#include "document/miscounted.hpp"
#include "live/whole_slot.hpp"
#include "progress_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_progress_test {

using ingot::errc;
using ingot_test::listener;

void expect_all(const listener& reported, std::uint64_t size, std::size_t min_calls) {
  ASSERT_GE(reported.calls.size(), min_calls);
  EXPECT_TRUE(reported.is_in_order());
  for (const auto& [done, total] : reported.calls) EXPECT_LE(done, total);
  EXPECT_EQ(reported.calls.back(), std::pair(size, size));
}
[[nodiscard]] std::vector<std::byte> copy_of(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }

/// Returns a document of two megabytes with free bytes.
[[nodiscard]] ingot::document large() {
  ingot::document doc(ingot::max_block_size{64 << 20});
  doc["all"] = std::vector<int>{};
  for (int i = 0; i < 9'000; ++i) {
    ingot::document each;
    each["name"] = "a person whose name is number " + std::to_string(i);
    each["number"] = i;
    each["key " + std::to_string(i % 50)] = std::vector<double>{i + 0.5, 2, 3};
    each["text"] = std::string(static_cast<std::size_t>(i % 300), 't');
    EXPECT_TRUE(doc.root().at("/all").append(each));
  }
  for (std::size_t i = 0; i < 9'000; i += 3) doc["all"][i]["text"] = nullptr;
  return doc;
}

TEST(document_progress, cancelled_compact_leaves_document_unchanged) {
  ingot::document doc = large();
  const auto before = copy_of(doc.bytes());
  ingot::document expected = doc;
  expected.compact();
  ingot_test::throw_everywhere([&](ingot::progress_ref progress) { return doc.try_compact(progress); });
  ASSERT_EQ(copy_of(doc.bytes()), before);
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    const auto done = doc.try_compact(reported);
    if (done) {
      expect_all(reported, before.size(), 5);
      break;
    }
    ASSERT_EQ(done.error().code(), errc::cancelled);
    ASSERT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
    ASSERT_EQ(copy_of(doc.bytes()), before) << n;
  }
  EXPECT_EQ(copy_of(doc.bytes()), copy_of(expected.bytes()))
      << "with and without progress the result is the same";
  doc["more"] = std::string(1 << 20, 'm'); // it can still grow
  EXPECT_TRUE(ingot::document::open(doc.bytes()));
}

/// Opens or copies repeatedly, cancelled a little later each time, until it completes. Returns the
/// result.
template <class Call>
ingot::document stop_making(std::uint64_t total, std::size_t min_calls, const Call& call) {
  ingot_test::throw_everywhere(call);
  for (std::size_t n = 0;; n = ingot_test::next_stop(n)) {
    listener reported{.stop_at = n};
    auto outcome = call(ingot::progress_ref(reported));
    if (outcome) {
      expect_all(reported, total, min_calls);
      EXPECT_EQ(std::ranges::count(reported.calls, std::pair(total, total)), 1)
          << "the total is reported once";
      return std::move(*outcome);
    }
    EXPECT_EQ(outcome.error().code(), errc::cancelled) << outcome.error().message();
    EXPECT_EQ(outcome.error().offset(), reported.calls.back().first);
    EXPECT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
  }
}

TEST(document_progress, of_opening_and_copying_is_reported_and_stopped_returns_nothing) {
  const ingot::max_block_size max_size{64 << 20};
  ingot::document doc = large();
  ingot::document canonical = doc;
  canonical.compact();
  for (const ingot::document* each : {&doc, &canonical}) { // one of them has shapes
    const auto bytes = copy_of(each->bytes());
    const std::size_t steps = bytes.size() / (std::size_t{256} << 10);
    ASSERT_GE(steps, 2U);
    const auto silent = ingot::document::open(bytes, {.max_size = max_size});
    ASSERT_TRUE(silent.has_value());
    const auto expect_document = [&](ingot::document opened, const ingot::document& as) {
      EXPECT_EQ(copy_of(opened.bytes()), copy_of(as.bytes()));
      EXPECT_EQ(opened.stats().free_bytes, as.stats().free_bytes) << "what is free is known as well";
      opened["more"] = std::string(1 << 20, 'm');
      EXPECT_TRUE(ingot::document::open(opened.bytes()));
    };
    expect_document(stop_making(2 * bytes.size(), steps + 1,
                                [&](ingot::progress_ref progress) {
                                  return ingot::document::open(bytes,
                                                               {.max_size = max_size, .progress = progress});
                                }),
                    *silent);
    expect_document(stop_making(bytes.size(), 2,
                                [&](ingot::progress_ref progress) {
                                  auto to = ingot::document::receive_buffer(bytes.size(), max_size);
                                  std::ranges::copy(bytes, to.data());
                                  return ingot::document::open(std::move(to), progress);
                                }),
                    *silent);
    expect_document(stop_making(bytes.size(), steps / 2,
                                [&](ingot::progress_ref progress) {
                                  return each->try_copy({.max_size = max_size, .progress = progress});
                                }),
                    canonical);
    expect_document(each->try_copy({.max_size = max_size}).value(), canonical);
    std::vector<std::uint64_t> lent(bytes.size() / 8);
    const auto storage = std::as_writable_bytes(std::span(lent));
    std::ranges::copy(bytes, storage.begin());
    EXPECT_TRUE(stop_making(bytes.size(), 2, [&](ingot::progress_ref progress) {
                  return ingot::document::open_in_place(storage, progress);
                }) == *each);
  }
}

struct one_of_all {
  std::string name;
  std::int64_t number = 0;
  std::map<std::string, std::vector<double>> others;
  std::optional<std::string> text;
  bool operator==(const one_of_all&) const = default;
};
struct less_of_all {
  std::string name;
  bool operator==(const less_of_all&) const = default;
};

TEST(document_progress, of_reading_types_is_reported_and_stopped_returns_nothing) {
  ingot::document doc(ingot::max_block_size{64 << 20});
  std::vector<one_of_all> all(9'000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {"a person whose name is number " + std::to_string(i), static_cast<std::int64_t>(i), {}, {}};
    all[i].others["half"] = {static_cast<double>(i) / 2, 3};
    if (i % 3 == 0) all[i].text = std::string(i % 300, 't');
  }
  std::map<std::string, std::int64_t> many;
  for (std::size_t i = 0; i < 20'000; ++i) many["key " + std::to_string(i)] = static_cast<std::int64_t>(i);
  doc["all"] = all;
  doc["many"] = many;
  const std::uint64_t size = doc.bytes().size();
  const ingot::value list = std::as_const(doc)["all"];
  const auto stop = [&](std::size_t min_calls, const auto& call) {
    ingot_test::stop_everywhere(call, [&](const listener& reported, bool is_done) {
      if (is_done) expect_all(reported, size, min_calls);
    });
  };
  stop(4, [&](ingot::progress_ref progress) {
    auto read = list.as<std::vector<one_of_all>>({.progress = progress});
    EXPECT_TRUE(!read || *read == all);
    return read;
  });
  stop(4, [&](ingot::progress_ref progress) {
    auto read = std::as_const(doc)["many"].as<std::map<std::string, std::int64_t>>({.progress = progress});
    EXPECT_TRUE(!read || *read == many);
    return read;
  });
  stop(3, [&](ingot::progress_ref progress) {
    auto read = list.as_evolved<std::vector<less_of_all>>({.progress = progress});
    EXPECT_TRUE(!read || *read == list.as_evolved<std::vector<less_of_all>>().value());
    return read;
  });
  listener reported;
  EXPECT_EQ(list.as<std::vector<less_of_all>>({.progress = reported}).error().message(),
            list.as<std::vector<less_of_all>>().error().message());
  EXPECT_TRUE(reported.calls.empty());
  EXPECT_EQ(list.as<std::vector<one_of_all>>({.progress = ingot::progress_ref()}).value(), all);
}

TEST(document_progress, of_making_values_of_types_is_reported_and_stopped_leaves_the_old_document) {
  std::vector<one_of_all> all(9'000);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {"a person whose name is number " + std::to_string(i), static_cast<std::int64_t>(i), {}, {}};
  ingot::document doc(ingot::max_block_size{64 << 20});
  doc["before"] = "what was there";
  const auto before = copy_of(doc.bytes());
  ingot::document expected(ingot::max_block_size{64 << 20});
  expected = all;
  const std::uint64_t size = expected.bytes().size();
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) {
        auto done = doc.try_assign(all, progress);
        EXPECT_EQ(copy_of(doc.bytes()), done ? copy_of(expected.bytes()) : before);
        return done;
      },
      [&](const listener& reported, bool is_done) {
        if (!is_done) return;
        EXPECT_EQ(reported.calls.back(), std::pair(size, size));
        EXPECT_GE(reported.calls.size(), size >> 19);
      },
      {.is_placed = false});
  EXPECT_TRUE(doc.root().append(std::string(1 << 20, 'm'))); // it can still grow
  EXPECT_TRUE(ingot::document::open(doc.bytes()));
  ingot::document small;
  EXPECT_EQ(small.try_assign(std::string(3 << 20, 's')).error().code(), errc::no_space);
  EXPECT_TRUE(small.root().is_null());
  ingot::document gone = std::move(small);
  // A document that was moved from can be assigned to.
  EXPECT_TRUE(small.try_assign(7)); // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(small.root().value_or(0), 7);
}

TEST(document_progress, of_patches_is_reported_and_stopped_changes_nothing) {
  const ingot::max_block_size max_size{64 << 20};
  ingot::document doc = large();
  const ingot::document was = ingot::document::open(doc.bytes(), {.max_size = max_size}).value();
  const std::uint64_t old_size = doc.bytes().size();
  ingot::document_snapshot silent = ingot::document_snapshot::of(doc).value();
  std::optional<ingot::document_snapshot> since;
  const auto stop = [&](std::uint64_t total, const auto& call) {
    ingot_test::stop_everywhere(call, [&](const listener& reported, bool is_done) {
      if (is_done) expect_all(reported, total, total >> 19);
    });
  };
  stop(3 * old_size, [&](ingot::progress_ref progress) -> ingot::result<void> {
    auto snapshot = ingot::document_snapshot::of(doc, progress);
    if (!snapshot) return ingot::fail(snapshot.error());
    since.emplace(std::move(*snapshot));
    return {};
  });
  for (std::size_t i = 0; i < 9'000; i += 2) doc["all"][i]["text"] = "something else";
  doc["more"] = std::string(700'000, 'm');
  const std::uint64_t size = doc.bytes().size();
  ingot::buffer patch;
  stop(4 * size, [&](ingot::progress_ref progress) -> ingot::result<void> {
    auto changed = since->changes(doc, progress);
    if (!changed) return ingot::fail(changed.error());
    patch = std::move(*changed);
    return {};
  });
  EXPECT_EQ(patch, silent.changes(doc).value()) << "with and without progress it is the same";
  ingot::document there = ingot::document::open(was.bytes(), {.max_size = max_size}).value();
  const auto before = copy_of(there.bytes());
  ingot::document expected = ingot::document::open(was.bytes(), {.max_size = max_size}).value();
  ASSERT_TRUE(expected.apply(patch));
  stop(3 * old_size + old_size + patch.size() + 2 * size, [&](ingot::progress_ref progress) {
    EXPECT_EQ(copy_of(there.bytes()), before);
    return there.apply(patch, progress);
  });
  EXPECT_EQ(copy_of(there.bytes()), copy_of(expected.bytes()));
  there["more"] = std::string(1 << 20, 'm'); // it can still grow
  EXPECT_TRUE(ingot::document::open(there.bytes()));

  // Errors have the same text with and without a progress callback.
  for (std::size_t at = 0; at < patch.size(); at += at < 40 ? 3 : patch.size() / 23) {
    patch[at] ^= std::byte{0x41};
    ingot::document a = ingot::document::open(was.bytes(), {.max_size = max_size}).value();
    ingot::document b = ingot::document::open(was.bytes(), {.max_size = max_size}).value();
    listener reported;
    const auto with_progress = b.apply(patch, reported);
    EXPECT_EQ(a.apply(patch).error().message(), with_progress.error().message()) << at;
    for (const auto& [done, total] : reported.calls) EXPECT_LT(done, total);
    patch[at] ^= std::byte{0x41};
  }
}

TEST(document_progress, of_opening_what_is_no_document_has_the_same_error_without_progress) {
  const ingot::max_block_size max_size{64 << 20};
  ingot::document doc = large();
  doc.compact();
  const auto good = copy_of(doc.bytes());
  int rejected = 0;
  for (std::size_t at = 0; at < good.size(); at += at < 64 ? 4 : good.size() / 29) {
    auto bytes = good;
    bytes[at] ^= std::byte{0x41};
    const auto silent = ingot::document::open(bytes, {.max_size = max_size});
    listener reported;
    const auto with_progress = ingot::document::open(bytes, {.max_size = max_size, .progress = reported});
    ASSERT_EQ(silent.has_value(), with_progress.has_value()) << at;
    if (silent) continue;
    ++rejected;
    EXPECT_EQ(with_progress.error().message(), silent.error().message()) << at;
    for (const auto& [done, total] : reported.calls) EXPECT_LT(done, total);
  }
  EXPECT_GE(rejected, 8);
}

TEST(document_progress, of_what_was_stopped_leaves_memory_as_it_was_found) {
  using layout = ingot::detail::slot_layout<ingot::narrow_policy>;
  const ingot::max_block_size max_size{16 << 20};
  const ingot::document doc = large();
  const auto bytes = copy_of(doc.bytes());
  const auto expect_clean = [&] {
    const auto slot =
        live_test::with_memory(ingot::detail::slot_pool::acquire(layout::class_for(max_size.bytes)));
    ASSERT_TRUE(slot);
    const std::vector<std::byte> zeros(std::size_t{1} << slot.size_class);
    EXPECT_EQ(std::memcmp(slot.start, zeros.data(), zeros.size()), 0);
    ingot::detail::slot_pool::release(slot);
  };
  listener all;
  ASSERT_TRUE(ingot::document::open(bytes, {.max_size = max_size, .progress = all}));
  for (std::size_t at = 0; at < all.calls.size(); at += 4) { // in the copy, and in the validation
    EXPECT_EQ(ingot::document::open(bytes, {.max_size = max_size, .progress = listener{.stop_at = at}})
                  .error()
                  .code(),
              errc::cancelled);
    expect_clean();
#ifdef __cpp_exceptions
    std::size_t calls = 0;
    const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
      if (calls++ == at) throw std::runtime_error("enough");
      return true;
    };
    EXPECT_THROW(static_cast<void>(ingot::document::open(bytes, {.max_size = max_size, .progress = throws})),
                 std::runtime_error);
    expect_clean();
#endif
  }
}

TEST(document_progress, of_opening_in_place_leaves_the_bytes_as_they_were_if_it_is_stopped_at_the_end) {
  for (const auto& bytes : document_test::miscounted()) {
    std::vector<std::uint64_t> lent(bytes.size() / 8);
    const auto storage = std::as_writable_bytes(std::span(lent));
    ingot_test::stop_everywhere(
        [&](ingot::progress_ref progress) {
          std::ranges::copy(bytes, storage.begin()); // a call that completed has written to it
          auto opened = ingot::document::open_in_place(storage, progress);
          EXPECT_EQ(std::ranges::equal(storage, bytes), !opened) << "uses are counted when it is opened";
          return opened;
        },
        [](const listener& reported, bool /*is_done*/) { EXPECT_EQ(reported.calls.size(), 1U); });
  }
}

/// Repeats the call, cancelled a little later each time, until it completes.
template <class Call>
void stop_everywhere(std::uint64_t size, const Call& call) {
  ingot_test::stop_everywhere(call, [&](const listener& reported, bool is_done) {
    if (!is_done) return;
    expect_all(reported, size, 4);
    EXPECT_LE(reported.calls.size(), size / (256 << 10) + 2);
  });
}
template <class Format>
void check_both_directions(const Format& format, const ingot::document& doc) {
  const ingot::buffer bytes = format.write(doc, {}).value();
  stop_everywhere(bytes.size(), [&](ingot::progress_ref progress) {
    ingot::buffer out;
    EXPECT_TRUE(out.resize(3));
    const auto written = format.write_to(out, doc, {.progress = progress});
    EXPECT_EQ(out.size(), written ? 3 + bytes.size() : 3);
    if (written) {
      EXPECT_EQ(copy_of(ingot::bytes_view(out).subspan(3)), copy_of(bytes));
    }
    return written;
  });
  stop_everywhere(bytes.size(), [&](ingot::progress_ref progress) {
    auto read = format.read_document(bytes, {.progress = progress});
    EXPECT_TRUE(!read || *read == doc);
    return read;
  });
  std::vector<std::byte> longer = copy_of(bytes);
  longer.resize(longer.size() + 9);
  stop_everywhere(bytes.size(), [&](ingot::progress_ref progress) {
    ingot::bytes_view rest = longer;
    auto read = format.read_next(rest, ingot::max_block_size{64 << 20}, {.progress = progress});
    EXPECT_EQ(rest.size(), read ? 9 : longer.size());
    return read;
  });
  ingot::document into(ingot::max_block_size{64 << 20});
  into["before"] = 1;
  const ingot::document before = into;
  stop_everywhere(bytes.size(), [&](ingot::progress_ref progress) {
    auto read = format.read_into(into.root(), bytes, {.progress = progress});
    EXPECT_EQ(into == before, !read);
    return read;
  });
  EXPECT_EQ(into, doc);
  listener whole;
  EXPECT_EQ(format.read_document(longer, {.progress = whole}).error().code(), errc::trailing_bytes);
  listener enough;
  EXPECT_EQ(format.write(doc, {.max_bytes = bytes.size() - 1, .progress = enough}).error().code(),
            errc::too_large);
  EXPECT_EQ(format.write(doc, {.max_bytes = bytes.size(), .progress = enough})->size(), bytes.size());
#ifdef __cpp_exceptions
  const auto throws = [&](std::uint64_t done, std::uint64_t) -> bool {
    if (done > 300'000) throw std::runtime_error("enough");
    return true;
  };
  ingot::buffer out;
  EXPECT_THROW(static_cast<void>(format.write_to(out, doc, {.progress = throws})), std::runtime_error);
  EXPECT_EQ(out.size(), 0U);
  EXPECT_THROW(static_cast<void>(format.read_document(bytes, {.progress = throws})), std::runtime_error);
  EXPECT_THROW(static_cast<void>(format.read_into(into.root(), bytes, {.progress = throws})),
               std::runtime_error);
  EXPECT_EQ(into, doc);
#endif
}

struct messagepack_calls {
  static constexpr auto write = [](const auto& from, const ingot::msgpack::write_options& options) {
    return ingot::msgpack::write(from, options);
  };
  static constexpr auto write_to = [](auto& to, const auto& from,
                                      const ingot::msgpack::write_options& options) {
    return ingot::msgpack::write_to(to, from, options);
  };
  static constexpr auto read_document = [](ingot::bytes_view bytes,
                                           const ingot::msgpack::read_options& options) {
    return ingot::msgpack::read_document(bytes, options);
  };
  static constexpr auto read_next = [](ingot::bytes_view& bytes, ingot::max_block_size max_size,
                                       const ingot::msgpack::read_options& options) {
    return ingot::msgpack::read_next(bytes, max_size, options);
  };
  static constexpr auto read_into = [](const ingot::value_ref& to, ingot::bytes_view bytes,
                                       const ingot::msgpack::read_options& options) {
    return ingot::msgpack::read_into(to, bytes, options);
  };
};
struct cbor_calls {
  static constexpr auto write = [](const auto& from, const ingot::cbor::write_options& options) {
    return ingot::cbor::write(from, options);
  };
  static constexpr auto write_to = [](auto& to, const auto& from, const ingot::cbor::write_options& options) {
    return ingot::cbor::write_to(to, from, options);
  };
  static constexpr auto read_document = [](ingot::bytes_view bytes,
                                           const ingot::cbor::read_options& options) {
    return ingot::cbor::read_document(bytes, options);
  };
  static constexpr auto read_next = [](ingot::bytes_view& bytes, ingot::max_block_size max_size,
                                       const ingot::cbor::read_options& options) {
    return ingot::cbor::read_next(bytes, max_size, options);
  };
  static constexpr auto read_into = [](const ingot::value_ref& to, ingot::bytes_view bytes,
                                       const ingot::cbor::read_options& options) {
    return ingot::cbor::read_into(to, bytes, options);
  };
};

TEST(document_progress, of_messagepack_is_reported_and_stopped_changes_nothing) {
  check_both_directions(messagepack_calls{}, large());
}
TEST(document_progress, of_cbor_is_reported_and_stopped_changes_nothing) {
  check_both_directions(cbor_calls{}, large());
}

/// Returns `large()` with more values: packed numbers, and as many keys as objects.
[[nodiscard]] ingot::document with_numbers_and_keys() {
  ingot::document doc = large();
  std::vector<int> numbers;
  for (int i = 0; i < 400'000; ++i) numbers.push_back(i * 11);
  doc["numbers"] = numbers;
  doc["keyed"] = std::vector<int>{};
  for (int i = 0; i < 20'000; ++i) {
    ingot::document each;
    each["a key of some length that no other has, number " + std::to_string(i)] = i;
    EXPECT_TRUE(doc.root().at("/keyed").append(each));
  }
  return doc;
}

TEST(document_progress, of_archives_is_reported_and_stopped_changes_nothing) {
  const ingot::document doc = with_numbers_and_keys();
  const auto bytes = copy_of(ingot::archive(doc).value());
  const std::size_t steps = bytes.size() / (std::size_t{256} << 10);
  ASSERT_GE(steps, 8U);

  std::size_t planned = 0;
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) {
        ingot::buffer out;
        EXPECT_TRUE(out.resize(3));
        const auto written = ingot::archive_to(out, doc.root(), progress);
        EXPECT_EQ(out.size(), written ? 3 + bytes.size() : 3);
        if (written) {
          EXPECT_EQ(copy_of(ingot::bytes_view(out).subspan(3)), bytes);
        }
        return written;
      },
      [&](const listener& reported, bool is_done) {
        if (!is_done) return;
        expect_all(reported, bytes.size(), steps / 2);
        planned = static_cast<std::size_t>(
            std::ranges::count(reported.calls, std::pair(std::uint64_t{0}, ingot::progress_ref::unknown)));
      });
  EXPECT_GE(planned, 2U) << "keys are looked for first";
  EXPECT_EQ(copy_of(ingot::archive(doc, listener{}).value()), bytes);
  std::vector<std::byte> storage(bytes.size());
  EXPECT_EQ(ingot::archive_to(std::span(storage), doc.root(), listener{}).value(), bytes.size());
  EXPECT_EQ(storage, bytes);

  const ingot::max_block_size limit{64 << 20};
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) {
        auto unarchived = ingot::unarchive(bytes, {.max_size = limit, .progress = progress});
        EXPECT_TRUE(!unarchived || *unarchived == doc);
        return unarchived;
      },
      [&](const listener& reported, bool is_done) {
        if (!is_done) return;
        expect_all(reported, 2 * bytes.size(), 3 * steps / 2);
        EXPECT_EQ(std::ranges::count(reported.calls, reported.calls.back()), 1)
            << "the total is reported once";
      });
  const auto view = ingot::archive_view::open(bytes).value();
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) {
        auto converted = view.root().to_document({.max_size = limit, .progress = progress});
        EXPECT_TRUE(!converted || *converted == doc);
        return converted;
      },
      [&](const listener& reported, bool is_done) {
        if (is_done) expect_all(reported, 2 * bytes.size(), steps);
      });
  ingot_test::stop_everywhere(
      [&](ingot::progress_ref progress) { return ingot::validate_archive(bytes, progress); },
      [&](const listener& reported, bool is_done) {
        if (is_done) expect_all(reported, bytes.size(), steps - 1);
      });
}

TEST(document_progress, of_what_is_no_archive_has_the_same_error_without_progress) {
  const auto good = copy_of(ingot::archive(with_numbers_and_keys()).value());
  int rejected = 0;
  for (std::size_t at = 0; at < good.size(); at += at < 16 ? 1 : good.size() / 29) {
    auto bytes = good;
    bytes[at] ^= std::byte{0xC1};
    const auto silent = ingot::validate_archive(bytes);
    listener reported;
    const auto with_progress = ingot::validate_archive(bytes, reported);
    ASSERT_EQ(silent.has_value(), with_progress.has_value()) << at;
    if (silent) continue;
    ++rejected;
    EXPECT_EQ(with_progress.error().message(), silent.error().message()) << at;
    EXPECT_EQ(ingot::unarchive(bytes, {.progress = listener{}}).error().message(), silent.error().message())
        << at;
    for (const auto& [done, total] : reported.calls) EXPECT_LT(done, total);
  }
  EXPECT_GE(rejected, 8);
  EXPECT_EQ(ingot::unarchive(good, {.max_bytes = 4096, .progress = listener{}}).error().code(),
            errc::too_large);
  ingot::buffer out;
  EXPECT_EQ(ingot::archive_to(out, ingot::value(), listener{}).error().code(), errc::missing_member);
}

#ifdef __cpp_exceptions
TEST(document_progress, of_archives_lets_what_is_thrown_through_and_nothing_is_left) {
  const ingot::document doc = with_numbers_and_keys();
  const auto bytes = copy_of(ingot::archive(doc).value());
  for (std::size_t at = 0; at < 12; ++at) {
    std::size_t calls = 0;
    const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
      if (calls++ == at) throw std::runtime_error("enough");
      return true;
    };
    ingot::buffer out;
    EXPECT_THROW(static_cast<void>(ingot::archive_to(out, doc.root(), throws)), std::runtime_error);
    EXPECT_EQ(out.size(), 0U);
    calls = 0;
    EXPECT_THROW(static_cast<void>(ingot::unarchive(bytes, {.progress = throws})), std::runtime_error);
    calls = 0;
    EXPECT_THROW(static_cast<void>(ingot::validate_archive(bytes, throws)), std::runtime_error);
  }
}
#endif

} // namespace document_progress_test
