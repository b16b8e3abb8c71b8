// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a document. The target reads the document without validation. If `open`
// accepts the document, the target also runs all operations, and reads objects as later versions of
// their types. A progress callback does not change the result of validation. The first byte is the
// seed of the operations; the rest is the document from its root's position, after a valid header.
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"
#include "former_versions.hpp"
#include "fuzz.hpp"
#include "with_progress.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

std::string fuzz::one_input(ingot::bytes_view input) {
  using ingot::detail::doc::document_header;
  constexpr std::size_t root = offsetof(document_header, root);
  if (input.size() < 5 || input.size() > 32'768) return {};
  const auto body = input.subspan(1);
  document_header header;
  const std::size_t size = (root + body.size() + 7) / 8 * 8;
  header.used = static_cast<std::uint32_t>(size);
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + root, body.data(), body.size());
  const auto seed = std::to_integer<std::uint64_t>(input[0]);
  constexpr ingot::max_block_size max_size{500'000};
  if (std::string failure = fuzz::compare_with_progress<ingot::document>(bytes, seed, max_size);
      !failure.empty())
    return failure;
  auto opened = ingot::document::open(bytes, {.max_size = max_size});
  document_test::exercise_unvalidated(bytes, seed, opened.has_value()); // changes the bytes
  if (opened) {
    if (std::string failure = fuzz::read_former(opened->root()); !failure.empty()) return failure;
    document_test::exercise(*opened, seed);
  }
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? "operations on a document disagree"
                                                                         : "";
}
