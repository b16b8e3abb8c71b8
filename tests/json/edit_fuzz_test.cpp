// SPDX-License-Identifier: Apache-2.0
// Runs the code of the fuzz target on its seeds with small changes, and on drawn texts, so that
// every build checks its properties.
#include "../../fuzz/json_edit_body.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace json_edit_fuzz_test {

namespace json = ingot::json;

void run(const std::string& input) {
  json_edit_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

TEST(json_edit_fuzz, every_prefix_and_flip_of_the_seeds_keeps_the_promises) {
  std::size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_SOURCE_DIR "/fuzz/corpus/json_edit")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (std::size_t size = 0; size <= seed.size(); ++size) run(seed.substr(0, size));
    for (std::size_t bit = 0; bit < seed.size() * 8; ++bit) {
      std::string flipped = seed;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      run(flipped);
    }
    ++seeds;
  }
  EXPECT_GE(seeds, 15u);
}

/// Draws a text with random white space, comments and trailing commas, and all paths in this text.
class drawing {
public:
  explicit drawing(std::uint32_t seed) : dice_(seed) { is_tall_ = roll(2) == 0; }

  std::string text;
  std::vector<std::string> paths;

  void draw() {
    space();
    value("", 0);
    space();
  }
  std::uint32_t roll(std::uint32_t sides) { return static_cast<std::uint32_t>(dice_()) % sides; }

private:
  void space() {
    static constexpr std::string_view pieces[] = {" ",      "  ",       "\t",         "/* # */",
                                                  "// #\n", "// #\r\n", "/* #\n# */", "\n"};
    for (auto left = roll(6) == 0 ? roll(4) : 0; left != 0; --left) text += pieces[roll(8)];
  }
  void start_line(std::size_t depth) {
    space();
    if (is_tall_) text += "\n" + std::string(2 * depth, ' ');
    else if (roll(3) == 0) text += ' ';
  }
  void value(const std::string& path, std::size_t depth) {
    static constexpr std::string_view scalars[] = {"null",   "true", "-1.5e3", "42", R"("a, \"b\" // c")",
                                                   R"("]}")"};
    static constexpr std::string_view keys[] = {"a", "b~1", "~0", "", "0", "1", "\"", "é"};
    static constexpr std::string_view quoted[] = {R"("\u0061")", R"("b/")", R"("~")",  R"("")",
                                                  R"("0")",      R"("1")",  R"("\"")", R"("é")"};
    paths.push_back(path);
    const auto kind = roll(depth < 4 ? 4 : 2);
    if (kind < 2) {
      text += scalars[roll(6)];
      return;
    }
    const bool is_object = kind == 2;
    const std::uint32_t size = roll(5), first = roll(4);
    text += is_object ? '{' : '[';
    for (std::uint32_t i = 0; i < size; ++i) {
      start_line(depth + 1);
      if (is_object) {
        text += quoted[first + i];
        space();
        text += ':';
        if (is_tall_) text += ' ';
        space();
      }
      value(path + '/' + (is_object ? std::string(keys[first + i]) : std::to_string(i)), depth + 1);
      space();
      if (i + 1 != size || roll(4) == 0) text += ',';
    }
    start_line(depth);
    text += is_object ? '}' : ']';
    paths.push_back(path + (is_object ? "/new" : "/-"));
    paths.push_back(path + "/" + std::to_string(size));
    paths.push_back(path + "/a");
  }

  std::mt19937 dice_;
  bool is_tall_ = false;
};

TEST(json_edit_fuzz, edits_of_drawn_texts_equal_edits_of_documents) {
  const json::edit_options options{.comments = json::comments::allow,
                                   .trailing_commas = json::trailing_commas::allow};
  const ingot::document values[] = {
      json::read_document("7").value(),
      json::read_document(R"({"k": [1, {}, "x"]})").value(),
  };
  std::size_t edited = 0, tried = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    drawing drawn(seed);
    drawn.draw();
    for (const std::string& path : drawn.paths) {
      SCOPED_TRACE(path + " in " + drawn.text);
      edited += json_edit_fuzz::check(drawn.text, path, values[tried % 2], options) ? 1 : 0;
      ++tried;
    }
  }
  EXPECT_GT(edited, tried / 2);
  EXPECT_GT(tried, 2000u);
}

TEST(json_edit_fuzz, comments_stay_when_values_are_erased) {
  const json::edit_options options{.comments = json::comments::allow,
                                   .trailing_commas = json::trailing_commas::allow};
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    drawing drawn(seed);
    drawn.draw();
    for (const std::string& path : drawn.paths) {
      const auto found = json_edit_fuzz::scanner{drawn.text}.find(path);
      const auto erased = json::erase(drawn.text, path, options);
      if (!erased || !found) continue;
      // Comments between a key and its value go with the member.
      const auto without_key = path.substr(0, path.rfind('/'));
      if (drawn.text[json_edit_fuzz::scanner{drawn.text}.find(without_key)->first] == '{') continue;
      const auto count = [](std::string_view text) { return std::count(text.begin(), text.end(), '#'); };
      EXPECT_EQ(count(*erased),
                count(drawn.text) -
                    count(std::string_view(drawn.text).substr(found->first, found->second - found->first)))
          << path << " in " << drawn.text << " became " << *erased;
    }
  }
}

} // namespace json_edit_fuzz_test
