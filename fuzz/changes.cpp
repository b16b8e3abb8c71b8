// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a patch to a document with every kind of node: once unchanged, and once with
// fingerprints that match the document. A document that accepts a patch must pass all operations.
// The first byte is the seed of these operations; the next five have the length and the root of the
// patch.
#include <ingot/document/changes.hpp>

#include "document/exercise.hpp"
#include "document/forged_patch.hpp"
#include "document/offering.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

std::string fuzz::one_input(ingot::bytes_view input) {
  static const ingot::document base = document_test::everything();
  if (input.size() < 6 || input.size() > 8'192) return {};
  const auto seed = std::to_integer<std::uint64_t>(input[0]);
  const std::uint32_t used = (ingot::load_le<std::uint16_t>(input.data() + 1) + 2U) * 8;
  const std::uint32_t root =
      ingot::load_le<std::uint16_t>(input.data() + 3) & (input[5] == std::byte{0} ? 0xFFF8U : 0xFFFFU);
  ingot::document doc = ingot::document::open(base.bytes(), {.max_size = {600'000}}).value();
  static_cast<void>(doc.apply(input));
  const auto patch = document_test::forge(base, input.subspan(6), used, root);

  // A progress callback does not change the result, and a cancelled patch leaves the document as it
  // was.
  ingot::document twin = ingot::document::open(base.bytes(), {.max_size = {600'000}}).value();
  std::uint64_t calls = 0;
  const auto stop = [&](std::uint64_t, std::uint64_t) { return calls++ != seed % 3; };
  const auto stopped = twin.apply(patch, stop);
  EXPECT_TRUE(stopped || twin == base);
  EXPECT_TRUE(!stopped || calls <= seed % 3);
  twin = ingot::document::open(base.bytes(), {.max_size = {600'000}}).value();
  const auto reported = twin.apply(patch, [](std::uint64_t, std::uint64_t) { return true; });

  const auto applied = doc.apply(patch);
  EXPECT_EQ(applied.has_value(), reported.has_value());
  if (!applied && !reported) EXPECT_EQ(applied.error().message(), reported.error().message());
  EXPECT_TRUE(std::ranges::equal(doc.bytes(), twin.bytes()));
  if (applied) document_test::exercise(doc, seed);
  else EXPECT_TRUE(doc == base);
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? "a refused patch left something"
                                                                         : "";
}
