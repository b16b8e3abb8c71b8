// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/open_file.hpp>

#include "payload_checker.hpp"

#include <algorithm>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

result<bytes_view> payload_in(bytes_view file, const file_identity& wanted, bool check) {
  const auto header = read_header(file.first(std::min(file.size(), file_header_size)), file.size());
  if (!header) return fail(header.error());
  if (auto mine = expect_file(header->info, wanted); !mine) return fail(mine.error());
  if (!header->info.is_plain())
    return fail(error{errc::unsupported, 6}
                    .with_expected("a file without compression")
                    .with_found(packing_name(header->info)));
  // The header's lengths were compared with the file's length.
  const auto at = static_cast<std::size_t>(file_header_size + header->info.payload_size);
  const bool ends = header->info.schema_size == 0 && header->info.version < 2;
  const auto gap_end = ends ? file.size() : static_cast<std::size_t>(header->checksums_at());
  const auto gap = file.subspan(at, gap_end - at);
  if (std::ranges::any_of(gap, [](std::byte b) { return b != std::byte{}; }))
    return fail(error{errc::bad_padding, at}.with_expected("zeros after the payload"));
  const bytes_view payload = file.subspan(file_header_size, at - file_header_size);
  if (check) {
    payload_checker checker(*header, file);
    if (auto same = checker.add(payload); !same) return fail(same.error());
    if (auto same = checker.finish(); !same) return fail(same.error());
  }
  if (check && header->info.schema_size != 0 &&
      static_cast<std::uint32_t>(checksum(file.subspan(static_cast<std::size_t>(header->schema_at()),
                                                       header->info.schema_size))) != header->schema_checksum)
    return fail(error{errc::bad_checksum, 44}.with_expected("the checksum of the schema"));
  return payload;
}

}}} // namespace ingot::INGOT_V1::detail
