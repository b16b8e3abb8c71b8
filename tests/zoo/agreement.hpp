// SPDX-License-Identifier: Apache-2.0
// Checks that a writer and a reader of one representation give the same answer for a value.
#pragma once

#include <ingot/core/error.hpp>

#include <string_view>

#include <gtest/gtest.h>

namespace zoo {

struct tally {
  int written = 0;
  int rejected = 0;
};

/// Expects the same code, path and sentence. Only offsets differ: a writer has none.
inline void expect_same_error(const ingot::error& wrote, const ingot::error& read, std::string_view where,
                              bool compare_found = true) {
  EXPECT_EQ(wrote.code(), read.code()) << where << ": " << wrote.message() << "\n" << read.message();
  EXPECT_EQ(wrote.path(), read.path()) << where << ": " << wrote.message() << "\n" << read.message();
  EXPECT_EQ(wrote.expected(), read.expected()) << where;
  if (compare_found) {
    EXPECT_EQ(wrote.found(), read.found()) << where;
  }
}

/// `written` is a writer's result, `read` the result of a reader of the bytes that the writer would
/// have written.
template <class Written, class Read>
void expect_agreement(const Written& written, const Read& read, std::string_view where, tally& counts) {
  if (written.has_value() == read.has_value()) {
    if (written) return static_cast<void>(++counts.written);
    ++counts.rejected;
    expect_same_error(written.error(), read.error(), where);
  } else if (written) {
    ADD_FAILURE() << where << ": is written, but: " << read.error().message();
  } else {
    ADD_FAILURE() << where << ": can be read, but is not written: " << written.error().message();
  }
}

} // namespace zoo
