// SPDX-License-Identifier: Apache-2.0
// A value that `as` rejects for its own type can't be stored in a document. For values of every
// type of the zoo, each part is made invalid in turn. Every call that sets a value succeeds exactly
// when `as` succeeds on the value that it would have set. Otherwise it fails with the same code,
// path and message, and leaves the document unchanged.
#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>

#include "zoo/agreement.hpp"
#include "zoo/rejected.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_closure_test {

using ingot::document;
using ingot::errc;

/// Returns the document that `set` would create without its check.
template <class T>
document unchecked(const T& value) {
  document unchecked_document;
  ingot::value_ref root = unchecked_document.root();
  auto& core = ingot::detail::doc::access::core_in(unchecked_document);
  ingot::detail::doc::built built;
  EXPECT_TRUE(ingot::detail::doc::build(core, value, built));
  auto here = ingot::detail::doc::access::location_of(root);
  EXPECT_EQ(ingot::detail::doc::tree(core).write(here, built.value), ingot::detail::doc::outcome::done);
  return unchecked_document;
}

struct sets_what_is_read {
  std::uint64_t seeds;
  zoo::tally& counts;

  template <class T>
  void operator()(std::string_view name) const {
    SCOPED_TRACE(name);
    zoo::for_each_spoiled<T>(seeds, [&](const T& value) {
      if (::testing::Test::HasFailure()) return;
      document doc;
      const auto before = doc.bytes().size();
      const auto set = doc.root().set(value);
      zoo::expect_agreement(set, unchecked(value).root().template as<T>(), "set", counts);
      if (!set) {
        EXPECT_TRUE(doc.root().is_null());
        EXPECT_EQ(doc.bytes().size(), before);
      }
    });
  }
};

TEST(document_closure, a_document_takes_what_it_gives) {
  zoo::tally counts;
  const sets_what_is_read f{6, counts};
  zoo::for_each_rejected(f);
  f.operator()<std::vector<zoo::interval>>("intervals");
  f.operator()<zoo::customer>("customer");
  EXPECT_GT(counts.written, 500);
  EXPECT_GT(counts.rejected, 500);
}

zoo::form with_percent(std::int32_t percent) {
  zoo::form f;
  f.percent = percent;
  return f;
}
void expect_percent(const ingot::error& err, std::string_view to) {
  EXPECT_EQ(err.code(), errc::out_of_range);
  EXPECT_EQ(err.path(), std::string(to) + "percent");
  EXPECT_EQ(err.expected(), "a value from 0 to 100");
}

TEST(document_closure, every_call_that_sets_a_value_checks_it) {
  const auto bad = with_percent(101);
  document doc;
  doc["list"] = std::vector<int>{1, 2, 3};
  doc["name"] = "document";
  const std::vector<std::byte> before(doc.bytes().begin(), doc.bytes().end());
  const auto expect_failure = [&](std::string_view to, const auto& outcome) {
    ASSERT_FALSE(outcome);
    expect_percent(outcome.error(), to);
    EXPECT_TRUE(std::ranges::equal(doc.bytes(), before));
  };
  expect_failure("", doc.root().set(bad));
  expect_failure("form.", doc.root().set("form", bad));
  expect_failure("name.", doc.root().set("name", bad));
  expect_failure("name.", doc.root().find("name").set(bad));
  expect_failure("list[3].", doc.root().find("list").append(bad));
  expect_failure("list[1].", doc.root().find("list").insert(1, bad));
  expect_failure("new.form.", doc.root().set_at("/new/form", bad));
  expect_failure("list[3].", doc.root().set_at("/list/-", bad));
  expect_failure("", doc.try_assign(bad));
#if defined(__cpp_exceptions)
  const auto expect_thrown = [&](std::string_view to, auto&& assign) {
    try {
      assign();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const ingot::bad_document_value& thrown) {
      expect_percent(thrown.why(), to);
      EXPECT_EQ(thrown.what(), thrown.why().message());
    }
    EXPECT_TRUE(std::ranges::equal(doc.bytes(), before));
  };
  expect_thrown("", [&] { doc = bad; });
  expect_thrown("form.", [&] { doc["form"] = bad; });
  expect_thrown("name.", [&] { doc["name"] = bad; });
  expect_thrown("", [&] { document unchecked_document(bad); });
#endif
}

struct holder {
  std::uint32_t id = 0;
  ingot::live_value extra;
};
TEST(document_closure, values_in_blocks_are_checked_as_well) {
  ingot::live<holder> block;
  block->extra.set("name", "block").value();
  const auto bad = with_percent(-1);
  expect_percent(block->extra.set(bad).error(), "");
  expect_percent(block->extra.set("form", bad).error(), "form.");
  EXPECT_FALSE(block->extra.try_assign(bad));
#if defined(__cpp_exceptions)
  EXPECT_THROW(block->extra = bad, ingot::bad_document_value);
  EXPECT_THROW(block->extra["form"] = bad, ingot::bad_document_value);
#endif
  EXPECT_EQ(block->extra.size(), 1U);
}

/// Readers reject NaN as a key, so writers do, too.
TEST(document_closure, keys_that_are_not_numbers_are_rejected) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  document doc;
  const std::set<float> set{nan};
  zoo::expect_same_error(doc.root().set(set).error(), unchecked(set).root().as<std::set<float>>().error(),
                         "set");
  const std::map<float, int> map{{nan, 1}};
  using map_type = std::map<float, int>;
  zoo::expect_same_error(doc.root().set(map).error(), unchecked(map).root().as<map_type>().error(), "map");
}

TEST(document_closure, keys_are_checked) {
  using named = std::map<zoo::level, int>;
  using paired = std::multimap<zoo::level, int>;
  document doc;
  const named one{{zoo::level{7}, 1}};
  zoo::expect_same_error(doc.root().set(one).error(), unchecked(one).root().as<named>().error(), "named");
  const paired two{{zoo::level{7}, 1}};
  zoo::expect_same_error(doc.root().set(two).error(), unchecked(two).root().as<paired>().error(), "paired");
}

struct nested {
  std::vector<nested> in;
};
/// The writer accepts as many levels as the reader, and its error says that there are too many.
TEST(document_closure, as_many_levels_are_written_as_are_read) {
  for (int levels = 50; levels < 140; ++levels) {
    nested value;
    for (int i = 0; i < levels; ++i) {
      nested outer;
      outer.in.push_back(std::move(value));
      value = std::move(outer);
    }
    document doc;
    const auto set = doc.root().set(value);
    if (set) {
      EXPECT_TRUE(doc.root().as<nested>()) << levels;
    } else {
      EXPECT_EQ(set.error().code(), errc::too_deep) << levels;
      EXPECT_GE(levels, 63);
    }
  }
}

} // namespace document_closure_test
