// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a compressed message, and as the payload of a compressed file that may be
// split into columns. Decompression with one thread and with several threads must give equal
// results, of the declared length. The first byte chooses the case and the codec. Checksums are
// corrected, since hardly any input would have the right ones. Other inputs are split into columns
// by a schema, which need not describe them. Decompression must give such an input back unchanged.
#include <ingot/core/endian.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/load.hpp>
#include <ingot/schema/description.hpp>

#include "file/column_tools.hpp"
#include "file/simulated_disk.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using bytes = file_test::byte_vector;

constexpr std::size_t max_size = std::size_t{1} << 18;

std::string try_columns(ingot::bytes_view payload, ingot::bytes_view schema) {
  for (const auto method : {ingot::codec::none, ingot::codec::lz4, ingot::codec::zstd}) {
    const auto message = ingot::compress(payload, {.method = method, .block = 4096}, {.schema = schema});
    if (!message || message->size() > payload.size() + 24) return "bytes can't be split by a schema";
    const auto back = ingot::decompress(*message, payload.size());
    if (!back || !std::ranges::equal(*back, payload)) return "what was split is not what it was";
  }
  return "";
}

std::string try_message(const bytes& message) {
  const auto alone = ingot::decompress(message, max_size, {.threads = 1});
  const auto together = ingot::decompress(message, max_size, {.threads = 3});
  if (alone.has_value() != together.has_value()) return "one thread and several disagree about a message";
  if (!alone) return alone.error().message() == together.error().message() ? "" : "errors depend on threads";
  if (*alone != *together) return "what a message holds depends on threads";
  if (ingot::decompressed_size(message) != alone->size()) return "a message is not as long as it says";
  bytes target(alone->size());
  if (ingot::decompress_into(target, message) != target.size() || !std::ranges::equal(target, *alone))
    return "a message is another one in memory that is there";
  for (const auto method : {ingot::codec::none, ingot::codec::lz4, ingot::codec::zstd}) {
    const auto again = ingot::compress(*alone, {.method = method, .block = 4096});
    if (!again || again->size() > alone->size() + 24) return "what was decompressed can't be compressed";
    const auto back = ingot::decompress(*again, alone->size());
    if (!back || *back != *alone) return "what was compressed is not what it was";
  }
  return try_columns(*alone, ingot::schema_bytes<std::vector<file_test::traveller>>());
}

std::string try_file(bytes payload, ingot::codec method, bool columns, std::uint64_t raw) {
  ingot::detail::file_header header;
  header.info.method = method;
  header.info.columns = columns;
  header.info.schema_id = ingot::schema_id<std::string>;
  header.info.payload_size = raw;
  header.info.stored_size = payload.size();
  header.payload_checksum = ingot::detail::checksum(payload);
  payload.insert(payload.begin(), 64, std::byte{});
  ingot::detail::write_header(header, payload.data());
  file_test::simulated_disk disk;
  disk.put("x", payload);
  const auto alone = ingot::load<std::string>("x", {.max_bytes = max_size, .threads = 1}, disk);
  const auto together = ingot::load<std::string>("x", {.max_bytes = max_size, .threads = 3}, disk);
  if (disk.open_files() != 0) return "a file was not closed";
  if (alone.has_value() != together.has_value()) return "one thread and several disagree about a file";
  if (!alone) return alone.error().message() == together.error().message() ? "" : "errors depend on threads";
  if (*alone != *together) return "what a file holds depends on threads";
  return alone->size() == raw ? "" : "a file holds another number of bytes than it says";
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.size() < 4 || input.size() > 32'768) return {};
  const auto how = std::to_integer<unsigned>(input[0]);
  if ((how & 16) != 0) {
    const ingot::bytes_view payload = input.subspan(1);
    switch (how % 4) {
    case 0: return try_columns(payload, ingot::schema_bytes<std::vector<file_test::traveller>>());
    case 1: return try_columns(payload, ingot::schema_bytes<std::vector<file_test::reading>>());
    case 2: return try_columns(payload, ingot::schema_bytes<std::vector<file_test::tree>>());
    default: return try_columns(payload, ingot::schema_bytes<std::vector<file_test::evolving>>());
    }
  }
  if (how % 2 == 0) {
    bytes message(input.begin() + 1, input.end());
    if (message.size() >= 24 && (how & 2) != 0) {
      bytes rest(message.begin(), message.begin() + 16);
      rest.insert(rest.end(), message.begin() + 24, message.end());
      ingot::store_le(message.data() + 16, ingot::detail::checksum(rest));
    }
    return try_message(message);
  }
  const std::uint64_t raw = ingot::load_le<std::uint16_t>(input.data() + 1);
  const bool columns = (how & 4) != 0;
  const auto method = columns && (how & 8) != 0 ? ingot::codec::none
                      : (how & 2) != 0          ? ingot::codec::lz4
                                                : ingot::codec::zstd;
  return try_file({input.begin() + 3, input.end()}, method, columns, raw);
}
