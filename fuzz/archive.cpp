// SPDX-License-Identifier: Apache-2.0
// Any bytes as an archive: decoded, read where they are, and both compared. The input is what follows the header, so that none is lost
// to a length that is wrong.
#include "document/archive_exercise.hpp"
#include "fuzz.hpp"

#include <cstddef>
#include <vector>

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.size() > 16'384) return {};
  std::vector<std::byte> bytes;
  for (const char c : {'i', 'n', 'g', 'A', '\2', '\0'}) bytes.push_back(static_cast<std::byte>(c));
  for (std::size_t n = input.size();; n >>= 7) {
    bytes.push_back(static_cast<std::byte>(n < 0x80 ? n : (n & 0x7F) | 0x80));
    if (n < 0x80) break;
  }
  bytes.insert(bytes.end(), input.begin(), input.end());
  archive_test::exercise(bytes);
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? "readings of an archive disagree"
                                                                         : "";
}
