// SPDX-License-Identifier: Apache-2.0
// A message that `protobuf::read` of its own type rejects is not written: values with each part
// invalidated in turn, written by the functions below the check.
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "zoo/agreement.hpp"
#include "zoo/annotated.hpp"
#include "zoo/rejected.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace protobuf_closure_test {

/// Returns the bytes that `write` would return without its check; empty if something else is wrong
/// with the value.
template <class T>
ingot::buffer unchecked(const T& value, bool& whole) {
  ingot::protobuf::options how;
  ingot::protobuf::detail::wire_writer to(how);
  whole = to.deeper() && ingot::protobuf::detail::put_body<ingot::proto_form{}>(to, value);
  return to.out().take();
}

struct writes_what_is_read {
  std::uint64_t seeds;
  zoo::tally& counts;

  template <class T>
  void operator()(std::string_view name) const {
    SCOPED_TRACE(name);
    zoo::for_each_spoiled<T>(seeds, [&](const T& value) {
      if (::testing::Test::HasFailure()) return;
      bool whole = false;
      const auto bytes = unchecked(value, whole);
      std::vector<std::byte> sink(2, std::byte{5});
      const auto written = ingot::protobuf::write_to(sink, value);
      if (!whole) { // its text is not UTF-8
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().code(), ingot::errc::invalid_utf8);
      } else {
        zoo::expect_agreement(written, ingot::protobuf::read<T>(bytes), "write", counts);
      }
      if (!written) {
        EXPECT_EQ(sink, std::vector<std::byte>(2, std::byte{5}));
      }
    });
  }
};

TEST(protobuf_closure, what_is_not_read_is_not_written) {
  zoo::tally counts;
  const writes_what_is_read f{9, counts};
  f.operator()<zoo::form>("form");
  f.operator()<zoo::booking>("booking");
  f.operator()<std::vector<zoo::tiny>>("tiny");
  f.operator()<zoo::growing>("growing");
  f.operator()<zoo::branch>("branch");
  f.operator()<zoo::switches>("switches");
  f.operator()<zoo::office>("office");
  f.operator()<zoo::customer>("customer");
  EXPECT_GT(counts.written, 300);
  EXPECT_GT(counts.rejected, 300);
}

TEST(protobuf_closure, a_version_is_rejected_as_readers_reject_it) {
  const std::vector<zoo::save_header> good{{}};
  std::vector<zoo::save_header> bad = good;
  bad[0].version = 4;
  auto bytes = ingot::protobuf::write(good).value();
  const auto own = static_cast<std::byte>(zoo::save_header{}.version);
  const auto at = std::ranges::find(bytes, own);
  ASSERT_NE(at, bytes.end());
  *at = std::byte{4};
  const auto read = ingot::protobuf::read<std::vector<zoo::save_header>>(bytes);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ingot::errc::wrong_version);
  zoo::expect_same_error(ingot::protobuf::write(bad).error(), read.error(), "version");
}

struct graded {
  zoo::grade first = zoo::grade::first;
  std::vector<zoo::grade> more;
};
/// Zero is omitted, so the member is missing for a reader.
TEST(protobuf_closure, a_zero_that_is_no_enumerator_is_missed) {
  const auto why = ingot::protobuf::write(graded{zoo::grade{}, {}}).error();
  EXPECT_EQ(why.code(), ingot::errc::missing_member);
  EXPECT_EQ(why.path(), "first");
  EXPECT_EQ(ingot::protobuf::write(graded{zoo::grade::first, {zoo::grade{}}}).error().path(), "more[0]");
}

} // namespace protobuf_closure_test
