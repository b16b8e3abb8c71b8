// SPDX-License-Identifier: Apache-2.0
// Readers without types reject the same keys as readers with types, wherever a key contains a
// float. The messages are those of tests/python/keys_with_floats.txt, for which the Python reader
// gives the same results.
#include <ingot/dynamic/message.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include "document/message_bytes.hpp"
#include "pack/kinds_of_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace message_validator_test {

using ingot::message_profile;
using bytes = std::vector<std::byte>;

bytes number(std::uint64_t bits, std::size_t width) {
  bytes out;
  for (std::size_t i = 0; i < width; ++i) out.push_back(static_cast<std::byte>(bits >> (8 * i)));
  return out;
}
std::string hex(ingot::bytes_view in) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::byte b : in) {
    out += digits[std::to_integer<std::size_t>(b >> 4)];
    out += digits[std::to_integer<std::size_t>(b & std::byte{15})];
  }
  return out;
}

/// Returns the result for a message in which other bits replace those of the float 1.5.
std::string verdict(const ingot::dynamic_schema& by, bytes message, std::size_t width, std::uint64_t bits) {
  const std::uint64_t marker = width == 4 ? 0x3FC0'0000 : 0x3FF8'0000'0000'0000;
  const auto found = std::ranges::search(message, number(marker, width));
  if (found.size() != width) return "there is no 1.5 in it";
  std::ranges::copy(number(bits, width), found.begin());
  const auto read = ingot::dynamic_message::open(message, by);
  return read ? "accepted" : std::string(ingot::to_string(read.error().code()));
}

TEST(message_validator, floats_in_keys_are_no_nan_and_have_no_minus_zero) {
  std::string lines;
  kinds_of_keys::each([&]<std::size_t Width>(std::string_view name, kinds_of_keys::width<Width>,
                                             auto is_ordered, const auto& make) {
    using key = decltype(make(1.5F));
    using list = std::conditional_t<decltype(is_ordered)::value, std::set<key>,
                                    std::unordered_map<key, std::uint8_t, kinds_of_keys::hash>>;
    list all;
    if constexpr (decltype(is_ordered)::value) all.insert(make(1.5F));
    else all.emplace(make(1.5F), std::uint8_t{7});
    for (const auto profile : {message_profile::pack, message_profile::compact}) {
      const auto written = profile == message_profile::pack ? ingot::pack(all) : ingot::compact::pack(all);
      ASSERT_TRUE(written) << name;
      const bytes message(written->begin(), written->end());
      const auto by = ingot::dynamic_schema::open(ingot::schema_bytes<list>(), profile);
      ASSERT_TRUE(by) << name;
      const std::uint64_t sign = std::uint64_t{1} << (Width * 8 - 1);
      const std::uint64_t nan = Width == 4 ? 0x7FC0'0000 : 0x7FF8'0000'0000'0000;
      EXPECT_EQ(verdict(*by, message, Width, 0), "accepted") << name;
      EXPECT_EQ(verdict(*by, message, Width, sign), "not canonical") << name;
      EXPECT_EQ(verdict(*by, message, Width, nan), "not canonical") << name;
      EXPECT_EQ(verdict(*by, message, Width, nan | sign | 1), "not canonical") << name;
      lines += std::string(name) + (profile == message_profile::pack ? " pack " : " compact ") +
               std::to_string(Width) + " " + hex(ingot::schema_bytes<list>()) + " " + hex(message) + "\n";
    }
  });
  const std::string path = INGOT_SOURCE_DIR "/tests/python/keys_with_floats.txt";
  if (std::getenv("INGOT_WRITE_GOLDENS") != nullptr && !std::ifstream(path).is_open())
    std::ofstream(path)
        << "# Sets and maps of one key, in which the float that is 1.5 may become another: name, profile, "
           "bytes of the float, schema, message. tests/dynamic/message_validator_test.cpp makes them.\n"
        << lines;
  std::ifstream file(path);
  std::string head;
  std::getline(file, head);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), lines) << path;
}

} // namespace message_validator_test
