// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/payload_stream.hpp>

#include "checksum_stream.hpp"
#include "failure.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

static_assert(std::is_trivially_destructible_v<checksum_stream>);

payload_stream::payload_stream(const input_file& file, bool check) noexcept
    : file_(file), size_(file.header().info.payload_size), check_(check) {
  static_assert(sizeof(checksum_stream) <= sizeof sum_ && alignof(checksum_stream) <= 64);
  ::new (static_cast<void*>(sum_.data())) checksum_stream;
}

result<void> payload_stream::read(std::span<std::byte> to, pages of) {
  auto& sum = *std::launder(reinterpret_cast<checksum_stream*>(sum_.data()));
  page_asker asker;
  for (std::size_t read = 0; read < to.size();) {
    const auto piece = to.subspan(read, std::min(to.size() - read, pages_step));
    if (of == pages::fresh) asker.prepare(piece);
    if (auto got = file_.read(piece, file_header_size + done_); !got) return got;
    if (check_) sum.add(piece);
    read += piece.size();
    done_ += piece.size();
    if (auto on = file_.report(done_, size_); !on) return on;
  }
  return {};
}

result<void> payload_stream::finish() const {
  if (auto zeros = file_.check_gap(); !zeros) return zeros;
  if (!check_) return {};
  const auto& sum = *std::launder(reinterpret_cast<const checksum_stream*>(sum_.data()));
  if (sum.finish() != file_.header().payload_checksum)
    return file_.about(error{errc::bad_checksum, 48}.with_expected("the checksum of the payload"));
  return file_.check_schema();
}

}}} // namespace ingot::INGOT_V1::detail
