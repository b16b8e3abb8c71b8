// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a damaged file, which the tool repairs for its option --unchecked. The first
// byte tells documents, files of ingot's and edited files apart; 3 is a file with a damaged schema
// and another file that has the schema. If the repair succeeds, a second repair must find no
// damage: the library's validation accepts all parts.
#include <ingot/core/endian.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/load.hpp>

#include "damages.hpp"
#include "file/simulated_disk.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ingot::detail::file_header_size;

/// Few, since nearly each input has wrong checksums. The changes of one bit are tried for 90 bytes.
constexpr std::uint64_t max_searched = std::uint64_t{1} << 16;
/// A larger payload is only slower to repair.
constexpr std::uint64_t max_payload = std::uint64_t{1} << 20;

[[nodiscard]] std::string mend_file(std::vector<std::byte> bytes, tool::spare_schema* spare = nullptr) {
  tool::damages found;
  const bool is_mended = tool::mend_bytes(bytes, true, found, max_searched, spare);
  if (found.listed().size() > tool::damages::max_listed || found.listed().size() > found.count())
    return "more damage is listed than there is";
  if (!is_mended) return {};
  const std::vector<std::byte> mended = bytes;
  tool::damages again;
  if (!tool::mend_bytes(bytes, true, again, max_searched)) return "a repaired file can't be read";
  if (again.count() != 0) return "a repaired file has damage: " + again.listed()[0].why.message();
  if (bytes != mended) return "a repaired file changes when it is read";
  file_test::simulated_disk disk;
  disk.put("x", {mended.begin(), mended.end()});
  const auto info = ingot::peek_file("x", disk);
  if (!info) return "the header of a repaired file is invalid: " + info.error().message();
  if (info->kind == ingot::file_kind::document) {
    if (auto loaded = ingot::load<ingot::document>("x", {}, disk); !loaded)
      return "a repaired document is invalid: " + loaded.error().message();
  }
  return {};
}

[[nodiscard]] std::string mend_document(std::vector<std::byte> bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  tool::damages found;
  if (!tool::mend_document(bytes, found)) return {};
  const auto opened = ingot::document::open_in_place(bytes);
  return opened ? "" : "a repaired document is invalid: " + opened.error().message();
}

/// Moves the schema, at the end of a file, to a file of its own, and damages what it leaves.
[[nodiscard]] tool::spare_schema take_schema(std::vector<std::byte>& bytes) {
  const std::size_t size = std::min<std::size_t>(ingot::load_le<std::uint16_t>(bytes.data() + 40),
                                                 bytes.size() - file_header_size);
  const auto schema = bytes.end() - static_cast<std::ptrdiff_t>(size);
  tool::spare_schema spare{{schema, bytes.end()}};
  std::fill(schema, bytes.end(), std::byte{0x5A});
  return spare;
}

/// Moves the bytes after the schema to the position that the payload of an edited file has.
void move_payload(std::vector<std::byte>& bytes) {
  const std::size_t end = file_header_size + ingot::load_le<std::uint16_t>(bytes.data() + 40);
  if (end <= bytes.size())
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(end),
                 ingot::detail::edited_alignment - end % ingot::detail::edited_alignment, std::byte{});
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty() || input.size() > 32'768) return {};
  std::vector<std::byte> bytes(input.begin() + 1, input.end());
  if (input[0] == std::byte{}) return mend_document(bytes);
  if (bytes.size() >= file_header_size && ingot::load_le<std::uint64_t>(bytes.data() + 24) > max_payload)
    return {};
  if (input[0] == std::byte{2} && bytes.size() >= file_header_size) move_payload(bytes);
  if (input[0] != std::byte{3} || bytes.size() < file_header_size) return mend_file(bytes);
  tool::spare_schema spare = take_schema(bytes);
  return mend_file(bytes, &spare);
}
