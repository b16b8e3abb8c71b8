// SPDX-License-Identifier: Apache-2.0
// Who waits for a large document is told how far it is, in order and to the end, and can stop it at each of these calls: what was there is there still.
#include <ingot/core/progress.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>

#include "progress_tools.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_progress_test {

using ingot::errc;
using ingot_test::listener;

void expect_all(const listener& heard, std::uint64_t size, std::size_t at_least) {
  ASSERT_GE(heard.told.size(), at_least);
  EXPECT_TRUE(heard.is_in_order());
  for (const auto& [done, total] : heard.told) EXPECT_LE(done, total);
  EXPECT_EQ(heard.told.back(), std::pair(size, size));
}
[[nodiscard]] std::vector<std::byte> copy_of(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }

/// Two megabytes, with holes.
[[nodiscard]] ingot::document large() {
  ingot::document doc(ingot::ceiling{64 << 20});
  doc["all"] = std::vector<int>{};
  for (int i = 0; i < 9'000; ++i) {
    ingot::document each;
    each["name"] = "somebody whose name is number " + std::to_string(i);
    each["number"] = i;
    each["key " + std::to_string(i % 50)] = std::vector<double>{i + 0.5, 2, 3};
    each["text"] = std::string(static_cast<std::size_t>(i % 300), 't');
    EXPECT_TRUE(doc.root().at("/all").append(each));
  }
  for (std::size_t i = 0; i < 9'000; i += 3) doc["all"][i]["text"] = nullptr;
  return doc;
}

TEST(document_progress, of_compacting_is_told_and_who_stops_it_has_the_document_that_was) {
  ingot::document doc = large();
  const auto before = copy_of(doc.bytes());
  ingot::document expected = doc;
  expected.compact();
  for (std::size_t n = 0;; ++n) {
    listener heard{.stop_at = n};
    const auto done = doc.try_compact(heard);
    if (done) {
      expect_all(heard, before.size(), 5);
      break;
    }
    ASSERT_EQ(done.error().code(), errc::cancelled);
    ASSERT_EQ(heard.told.size(), n + 1) << "nobody is told any more who has said no";
    ASSERT_EQ(copy_of(doc.bytes()), before) << n;
  }
  EXPECT_EQ(copy_of(doc.bytes()), copy_of(expected.bytes())) << "told or not, it becomes the same";
  doc["more"] = std::string(1 << 20, 'm'); // it can still grow
  EXPECT_TRUE(ingot::document::open(doc.bytes()));
}

/// The call again and again, stopped each time a little later, until nobody stops it.
template <class Call>
void stop_everywhere(std::uint64_t size, const Call& call) {
  ingot_test::stop_everywhere(call, [&](const listener& heard, bool is_done) {
    if (!is_done) return;
    expect_all(heard, size, 4);
    EXPECT_LE(heard.told.size(), size / (256 << 10) + 2);
  });
}
template <class Format>
void both_ways(const Format& format, const ingot::document& doc) {
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
    auto read = format.read_next(rest, {.progress = progress}, ingot::ceiling{64 << 20});
    EXPECT_EQ(rest.size(), read ? 9 : longer.size());
    return read;
  });
  ingot::document into(ingot::ceiling{64 << 20});
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
  EXPECT_EQ(format.write(doc, {.max_size = bytes.size() - 1, .progress = enough}).error().code(),
            errc::too_large);
  EXPECT_EQ(format.write(doc, {.max_size = bytes.size(), .progress = enough})->size(), bytes.size());
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
  static constexpr auto read_next = [](ingot::bytes_view& bytes, const ingot::msgpack::read_options& options,
                                       ingot::ceiling most) {
    return ingot::msgpack::read_next(bytes, options, most);
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
  static constexpr auto read_next = [](ingot::bytes_view& bytes, const ingot::cbor::read_options& options,
                                       ingot::ceiling most) {
    return ingot::cbor::read_next(bytes, options, most);
  };
  static constexpr auto read_into = [](const ingot::value_ref& to, ingot::bytes_view bytes,
                                       const ingot::cbor::read_options& options) {
    return ingot::cbor::read_into(to, bytes, options);
  };
};

TEST(document_progress, of_messagepack_is_told_and_who_stops_it_has_what_was_there) {
  both_ways(messagepack_calls{}, large());
}
TEST(document_progress, of_cbor_is_told_and_who_stops_it_has_what_was_there) {
  both_ways(cbor_calls{}, large());
}

} // namespace document_progress_test
