// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/payload_stream.hpp>

#include "payload_checker.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

static_assert(std::is_trivially_destructible_v<payload_checker>);

payload_stream::payload_stream(const input_file& file, bool check) noexcept
    : file_(file), size_(file.header().info.payload_size), check_(check) {
  static_assert(sizeof(payload_checker) <= sizeof checker_ && alignof(payload_checker) <= 64);
  ::new (static_cast<void*>(checker_.data())) payload_checker(file);
}

result<void> payload_stream::read(std::span<std::byte> to, pages of) {
  auto& checker = *std::launder(reinterpret_cast<payload_checker*>(checker_.data()));
  page_asker asker;
  for (std::size_t read = 0; read < to.size();) {
    const auto piece = to.subspan(read, std::min(to.size() - read, pages_step));
    if (of == pages::fresh) asker.prepare(piece);
    if (auto got = file_.read(piece, file_header_size + done_); !got) return got;
    if (check_) {
      if (auto same = checker.add(piece); !same) return same;
    }
    read += piece.size();
    done_ += piece.size();
    if (auto on = file_.report(done_, size_); !on) return on;
  }
  return {};
}

result<void> payload_stream::finish() {
  if (auto zeros = file_.check_gap(); !zeros) return zeros;
  if (!check_) return {};
  auto& checker = *std::launder(reinterpret_cast<payload_checker*>(checker_.data()));
  if (auto same = checker.finish(); !same) return same;
  return file_.check_schema();
}

}}} // namespace ingot::INGOT_V1::detail
