// SPDX-License-Identifier: Apache-2.0
#include <ingot/json/json.hpp>

#include "workload.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

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

} // namespace

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
    return data;
  }();
  return parsed;
}

} // namespace bench
