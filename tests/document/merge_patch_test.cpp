// SPDX-License-Identifier: Apache-2.0
// A merge patch does what RFC 7396 defines, at any depth, and completely or not at all.
#include <ingot/document/merge_patch.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using ingot::document;
using ingot::errc;

document object(auto&&... members) {
  document built;
  built = std::vector<int>{}; // not an object
  EXPECT_TRUE(built.root().set(nullptr));
  EXPECT_TRUE(built.root().set("once", 1) && built.root().erase("once"));
  [[maybe_unused]] const auto add = [&](const char* key, const auto& value) {
    EXPECT_TRUE(built.root().set(key, value));
  };
  (members(add), ...);
  return built;
}
auto member(const char* key, auto value) {
  return [key, value](auto add) { add(key, value); };
}
document list(auto... values) {
  document built;
  built = std::vector<int>{};
  EXPECT_TRUE((built.root().append(values) && ...));
  return built;
}
document of(const auto& value) {
  document built;
  built = value;
  return built;
}

void expect_patched(const document& target, const document& patch, const document& wanted) {
  const auto patched = ingot::merge_patch(target.root(), patch.root());
  ASSERT_TRUE(patched) << patched.error();
  EXPECT_EQ(*patched, wanted);
  document changed = target;
  const auto done = ingot::apply_merge_patch(changed.root(), patch.root());
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(changed, wanted);
}

TEST(document_merge_patch, does_what_each_example_of_the_standard_says) {
  const std::string a = "a", b = "b", c = "c", d = "d";
  const auto null = nullptr;
  const document none = object();
  // Appendix A, in its order: original, patch, result.
  expect_patched(object(member("a", b)), object(member("a", c)), object(member("a", c)));
  expect_patched(object(member("a", b)), object(member("b", c)), object(member("a", b), member("b", c)));
  expect_patched(object(member("a", b)), object(member("a", null)), none);
  expect_patched(object(member("a", b), member("b", c)), object(member("a", null)), object(member("b", c)));
  expect_patched(object(member("a", list(b))), object(member("a", c)), object(member("a", c)));
  expect_patched(object(member("a", c)), object(member("a", list(b))), object(member("a", list(b))));
  expect_patched(object(member("a", object(member("b", c)))),
                 object(member("a", object(member("b", d), member("c", null)))),
                 object(member("a", object(member("b", d)))));
  expect_patched(object(member("a", list(object(member("b", c))))), object(member("a", list(1))),
                 object(member("a", list(1))));
  expect_patched(list(a, b), list(c, d), list(c, d));
  expect_patched(object(member("a", b)), list(c), list(c));
  expect_patched(object(member("a", std::string("foo"))), of(null), of(null));
  expect_patched(object(member("a", std::string("foo"))), of(std::string("bar")), of(std::string("bar")));
  expect_patched(object(member("e", null)), object(member("a", 1)),
                 object(member("e", null), member("a", 1)));
  expect_patched(list(1, 2), object(member("a", b), member("c", null)), object(member("a", b)));
  expect_patched(none, object(member("a", object(member("bb", object(member("ccc", null)))))),
                 object(member("a", object(member("bb", none)))));
}

TEST(document_merge_patch, keeps_every_kind_of_value_and_nulls_in_arrays) {
  document target;
  target["text"] = "t";
  target["bytes"] = std::vector<std::byte>(3, std::byte{7});
  target["large"] = ~std::uint64_t{0};
  target["small"] = -5;
  target["number"] = 2.5;
  target["yes"] = true;
  target["nothing"] = nullptr;
  const document unchanged = target;
  expect_patched(target, object(), unchanged);
  document patch;
  patch["list"] = list(nullptr, object(member("x", nullptr)));
  document wanted = target;
  wanted["list"] = list(nullptr, object(member("x", nullptr)));
  expect_patched(target, patch, wanted);
}

TEST(document_merge_patch, changes_a_value_inside_and_may_be_of_the_same_document) {
  document doc;
  doc["settings"] = object(member("sound", 1), member("light", 2));
  doc["patch"] = object(member("light", nullptr), member("speed", 3));
  ASSERT_TRUE(ingot::apply_merge_patch(doc["settings"], doc["patch"]));
  EXPECT_EQ(doc["settings"]["sound"].value_or(0), 1);
  EXPECT_EQ(doc["settings"]["speed"].value_or(0), 3);
  EXPECT_FALSE(doc["settings"]["light"].exists());
  EXPECT_EQ(ingot::apply_merge_patch(doc["none"], doc["patch"]).error().code(), errc::missing_member);
  EXPECT_EQ(ingot::merge_patch(doc.root(), doc["none"]).error().code(), errc::missing_member);
}

TEST(document_merge_patch, takes_no_stack_for_depth) {
  constexpr int depth = 20'000;
  const auto nested = [](int last) {
    ingot::document_writer to;
    for (int i = 0; i < depth; ++i) to.begin_object(), to.key("k");
    to.integer(last);
    for (int i = 0; i < depth; ++i) to.end();
    return to.finish();
  };
  const auto target = nested(1), patch = nested(2);
  ASSERT_TRUE(target && patch);
  const auto patched = ingot::merge_patch(target->root(), patch->root());
  ASSERT_TRUE(patched) << patched.error();
  EXPECT_EQ(*patched, *patch);
}

TEST(document_merge_patch, without_space_changes_nothing) {
  alignas(16) static std::byte memory[1'024];
  auto edited = document::in(memory);
  ASSERT_TRUE(edited);
  (*edited)["a"] = 1;
  const document before = *edited;
  document patch;
  patch["b"] = std::string(2'000, 'x');
  const auto done = ingot::apply_merge_patch(edited->root(), patch.root());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), errc::no_space);
  EXPECT_EQ(*edited, before);
}

} // namespace
