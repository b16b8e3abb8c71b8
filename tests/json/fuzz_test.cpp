// SPDX-License-Identifier: Apache-2.0
// Runs the code of the fuzz target on seeds with small changes, so that every build checks its
// properties.
#include "../../fuzz/json_body.hpp"

#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace fuzz_test {

std::string seed_text() {
  json_fuzz::everything value;
  value.text = "a \"text\" with \x01 and \xC3\xA9";
  value.wide = u"\u00e9\U0001F600";
  value.f = 0.1f;
  value.d = -1.5e-300;
  value.u64 = ~std::uint64_t{0};
  value.floats = {1, 2.5f, -3e20f};
  value.bits = {true, false};
  value.by_text = {{"a", 1}, {"b", {}}};
  value.by_number = {{-1, "x"}};
  value.many = {{json_fuzz::colour::blue, 1}, {json_fuzz::colour::blue, 2}};
  value.hashed = {{"k", {"v", "w"}}};
  value.words = {"one", "two"};
  value.nested.emplace();
  value.either = "text";
  value.outcome = std::unexpected("failed");
  value.root.children.resize(2);
  value.root.next = std::make_unique<json_fuzz::tree>();
  value.upgrades.resize(1);
  json_fuzz::group group;
  group.shapes = {json_fuzz::circle{1.5f, "c"}, json_fuzz::nothing{}};
  value.shapes = {json_fuzz::square{3}, group};
  return ingot::json::write(value).value();
}

// NOLINTNEXTLINE(concurrency-mt-unsafe)
bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

void run(char policies, const std::string& text) {
  const std::string input = policies + text;
  json_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

TEST(json_fuzz, the_seed_is_accepted) { ASSERT_TRUE(ingot::json::read<json_fuzz::everything>(seed_text())); }

TEST(json_fuzz, old_versions_upgrade_under_every_policy) {
  for (int policies = 0; policies < 256; ++policies) {
    run(static_cast<char>(policies | 2), R"({"upgrades":[{"$version":1,"a":1,"old":"x"},{"a":1}]})");
    run(static_cast<char>(policies | 2), R"({"upgrades":[{"a":1,"old":"x","a":2,"$version":1}]})");
  }
}

TEST(json_fuzz, every_prefix_keeps_the_promises) {
  const std::string text = seed_text();
  for (std::size_t size = 0; size <= text.size(); ++size) run(0, text.substr(0, size));
}

TEST(json_fuzz, every_single_bit_flip_keeps_the_promises) {
  const std::string text = seed_text();
  for (std::size_t bit = 0; bit < text.size() * 8; bit += sampled() ? 5 : 1) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    run(static_cast<char>(bit * 37), flipped);
  }
}

/// Tags as members: first, last, twice, former, of an older version, in the other form, nested.
constexpr std::string_view tagged_text =
    R"([{"type":"circle","radius":1},{"radius":2,"type":"circle"},{"type":"void"},{"type":"void","type":"circle"},)"
    R"({"$version":1,"half":2,"type":"square"},{"square":{"$version":2,"side":1}},)"
    R"({"label":{"a":1,"b":2,"name":"z","feels":"glad"},"shapes":[{"shapes":[],"type":"group"}],"type":"group"}])";

TEST(json_fuzz, edits_of_tags_keep_the_promises) {
  constexpr std::string_view pieces[] = {"{",
                                         "}",
                                         ",",
                                         "\"type\":\"circle\",",
                                         "\"type\":",
                                         "\"type\":1",
                                         "\"square\"",
                                         "\"void\"",
                                         "\"$version\":1,",
                                         "\"group\":{",
                                         "\"shapes\":[",
                                         "]"};
  std::mt19937 random(3);
  for (int i = 0; i < (sampled() ? 1'500 : 20'000); ++i) {
    std::string edited(tagged_text);
    for (std::size_t edits = random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % edited.size();
      switch (random() % 3) {
      case 0: edited.insert(at, pieces[random() % std::size(pieces)]); break;
      case 1: edited.erase(at, 1 + random() % 8); break;
      default: edited.replace(at, 1, pieces[random() % std::size(pieces)]);
      }
      if (edited.empty()) edited = " ";
    }
    run(static_cast<char>(random()), "{\"shapes\":" + edited + "}");
  }
}

/// A text of earlier versions, with keys of all of them.
constexpr std::string_view former_text =
    R"({"names":[{"a":1,"caption":"x","skin":"dark","feels":"sad"},{"b":2,"a":3,"title":"y","feels":"glad"}],)"
    R"("versions":[{"$version":1,"kilometres":5},{"$version":2,"metres":7},{"words":["w"],"metres":1,"$version":3}],)"
    R"("either":{"deposit":{"cents":5}},"by_mood":{"sad":{"a":1,"b":2,"name":"z","feels":"glad"}}})";

TEST(json_fuzz, texts_of_earlier_versions_are_accepted) {
  const ingot::json::read_options options{.missing_keys = ingot::json::missing_keys::use_defaults};
  const auto value = ingot::json::read<json_fuzz::evolved>(former_text, options);
  ASSERT_TRUE(value.has_value()) << value.error().message();
  EXPECT_EQ(value->names.at(0).b, 1);
  EXPECT_EQ(value->names.at(0).a, 7);
  EXPECT_EQ(value->versions.at(0).metres, 5000);
}

TEST(json_fuzz, edits_of_texts_of_earlier_versions_keep_the_promises) {
  constexpr std::string_view pieces[] = {"{",
                                         "}",
                                         ",",
                                         "\"a\":1,",
                                         "\"b\":1,",
                                         "\"name\":",
                                         "\"caption\":",
                                         "\"skin\":",
                                         "\"$version\":1,",
                                         "\"$version\":3,",
                                         "\"$version\":-",
                                         "99999999999",
                                         "\"sad\"",
                                         "\"cents\":",
                                         "kilometres"};
  std::mt19937 random(2);
  for (int i = 0; i < (sampled() ? 1'500 : 20'000); ++i) {
    std::string edited(former_text);
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % edited.size();
      switch (random() % 3) {
      case 0: edited.insert(at, pieces[random() % std::size(pieces)]); break;
      case 1: edited.erase(at, 1 + random() % 8); break;
      default: edited.replace(at, 1, pieces[random() % std::size(pieces)]);
      }
      if (edited.empty()) edited = " ";
    }
    run(static_cast<char>(random() | 2), edited);
  }
}

TEST(json_fuzz, random_edits_keep_the_promises) {
  constexpr std::string_view pieces[] = {"{",    "}",    "[",     "]",
                                         ",",    ":",    "\"",    "\\",
                                         "null", "true", "1e400", "-",
                                         "//",   "/*",   "*/",    "\\ud800",
                                         "NaN",  " ",    "\n",    "\"$version\":1",
                                         "\xFF", "0",    ".5",    "18446744073709551616"};
  const std::string text = seed_text();
  std::mt19937 random(1);
  for (int i = 0; i < (sampled() ? 1'500 : 20'000); ++i) {
    std::string edited = text;
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % edited.size();
      switch (random() % 3) {
      case 0: edited.insert(at, pieces[random() % std::size(pieces)]); break;
      case 1: edited.erase(at, 1 + random() % 8); break;
      default: edited.replace(at, 1, pieces[random() % std::size(pieces)]);
      }
      if (edited.empty()) edited = " ";
    }
    run(static_cast<char>(random()), edited);
  }
}

} // namespace fuzz_test
