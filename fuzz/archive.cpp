// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as an archive: the target decodes the archive, reads the archive in place, and
// compares the results. A progress callback does not change the results. The input follows a
// generated header with the right length, so that no input is rejected for a wrong length.
#include "document/archive_exercise.hpp"
#include "fuzz.hpp"
#include "with_progress.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
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
  const auto listen = [](std::uint64_t, std::uint64_t) { return true; };
  if (fuzz::verdict(ingot::validate_archive(bytes, listen)) != fuzz::verdict(ingot::validate_archive(bytes)))
    return "validation with progress says something else";
  const auto silent = ingot::unarchive(bytes);
  const auto reported = ingot::unarchive(bytes, {.progress = listen});
  if (fuzz::verdict(reported) != fuzz::verdict(silent)) return "an archive is read differently with progress";
  if (reported && !std::ranges::equal(reported->bytes(), silent->bytes()))
    return "with progress there is another document";
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? "readings of an archive disagree"
                                                                         : "";
}
