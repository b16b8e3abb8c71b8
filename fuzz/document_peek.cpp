// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a document that a `peek_editor` changes without validation. Each access is
// inside the memory, and an error changes nothing. If `open` accepts the bytes, it accepts them
// after each change. The first byte is the seed of the changes, the second one the number of free
// bytes after the document / 8; the rest is the document from its root's position, after a valid
// header.
#include <ingot/document/document.hpp>
#include <ingot/document/format.hpp>

#include "document/peek_exercise.hpp"
#include "fuzz.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

std::string fuzz::one_input(ingot::bytes_view input) {
  using ingot::detail::doc::document_header;
  constexpr std::size_t root = offsetof(document_header, root);
  if (input.size() < 6 || input.size() > 32'768) return {};
  const auto body = input.subspan(2);
  document_header header;
  const std::size_t size = (root + body.size() + 7) / 8 * 8;
  header.used = static_cast<std::uint32_t>(size);
  std::vector<std::byte> memory(size + std::size_t{8} * std::to_integer<std::size_t>(input[1]));
  std::memcpy(memory.data(), &header, sizeof header);
  std::memcpy(memory.data() + root, body.data(), body.size());
  live_test::dice random(std::to_integer<std::uint64_t>(input[0]));
  const bool is_accepted = ingot::document::open(ingot::bytes_view(memory).first(size)).has_value();
  peek_exercise::change_everywhere(memory, random, is_accepted);
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? "a change of a document failed"
                                                                         : "";
}
