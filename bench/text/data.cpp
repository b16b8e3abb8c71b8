// SPDX-License-Identifier: Apache-2.0
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include "../harness/random.hpp"
#include "../harness/statuses.hpp"
#include "workload.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bench {
namespace {

/// Returns the list under the only key of a file, as text.
std::string list_of(const char* number) {
  const std::string path = std::string("/usr/share/iso-codes/json/iso_") + number + ".json";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = text.find('['), end = text.rfind(']');
  if (begin == std::string::npos || end == std::string::npos) {
    std::fprintf(stderr, "%s is missing: install iso-codes\n", path.c_str());
    std::exit(EXIT_FAILURE);
  }
  return text.substr(begin, end + 1 - begin);
}

/// Returns the text of an object with `members` integers, texts, booleans and decimals.
std::string row_text(random_source& draw, std::size_t members) {
  std::string all = "{";
  for (std::size_t i = 0; i < members; ++i) {
    if (i != 0) all += ',';
    all += "\"member_" + std::to_string(i) + "\":";
    switch (i % 5) {
    case 0: all += std::to_string(draw.between(0, 1U << 30)); break;
    case 1: all += '"' + letters(draw, 3, 14) + '"'; break;
    case 2: all += draw.between(0, 1) == 0 ? "true" : "null"; break;
    case 3: all += '"' + letters(draw, 10, 30) + '"'; break;
    default: all += std::to_string(draw.between(0, 1000)) + '.' + std::to_string(draw.between(10, 99));
    }
  }
  return all + '}';
}
std::vector<std::string> row_texts(std::uint64_t seed, std::size_t members) {
  random_source draw(seed);
  std::vector<std::string> all;
  for (int i = 0; i < 64; ++i) all.push_back(row_text(draw, members));
  return all;
}

} // namespace

std::string normal_text(std::string_view text) {
  const auto read = ingot::json::read_document(text);
  return read ? ingot::json::write(*read).value_or("") : "";
}
bool read_back(std::string_view text, characters& out) {
  return ingot::json::read_into(out, text).has_value();
}
bool read_back(std::string_view text, iso_codes& out) {
  return ingot::json::read_into(out, text).has_value();
}

std::uint64_t checksum_all(const characters& all) {
  fnv sum;
  for (const auto& c : all) sum.number(checksum(c));
  return sum.sum();
}

const text_data& text_values() {
  static const text_data parsed = [] {
    text_data data;
    for (std::uint64_t seed = 0; seed < text_characters; ++seed) {
      const raw_values raw(seed);
      fill<std_backend>(data.chars.emplace_back(), raw.data());
    }
    data.chars_sum = checksum_all(data.chars);
    data.chars_text = ingot::json::write(data.chars).value();
    data.iso_text = "{\n  \"countries\": " + list_of("3166-1") +
                    ",\n  \"subdivisions\": " + list_of("3166-2") +
                    ",\n  \"languages\": " + list_of("639-3") + "\n}\n";
    if (const auto read = ingot::json::read_into(data.iso, data.iso_text); !read) {
      std::fprintf(stderr, "iso-codes: %s\n", read.error().message().c_str());
      std::exit(EXIT_FAILURE);
    }
    data.twitter_text = indented(statuses_text(status_language::japanese));
    data.small_texts = row_texts(28, 15);
    data.medium_texts = row_texts(29, 157);
    return data;
  }();
  return parsed;
}

} // namespace bench
