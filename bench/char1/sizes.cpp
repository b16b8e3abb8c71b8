// SPDX-License-Identifier: Apache-2.0
// Sizes after compression by common compressors: zlib at level 6, LZ4 and Zstandard at their
// defaults.
#include "wire.hpp"

#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

namespace bench {

void enter_sizes(suite& all, std::string_view name, byte_span bytes) {
  std::vector<char> out(2 * bytes.size() + 1024);
  const auto* const from = reinterpret_cast<const char*>(bytes.data());
  all.add_measured("size", name, bytes.size(), {});

  uLongf deflated = out.size();
  const bool done = compress2(reinterpret_cast<Bytef*>(out.data()), &deflated,
                              reinterpret_cast<const Bytef*>(from), bytes.size(), 6) == Z_OK;
  all.add_measured("size-zlib6", name, done ? deflated : 0, {});

  const int lz4 =
      LZ4_compress_default(from, out.data(), static_cast<int>(bytes.size()), static_cast<int>(out.size()));
  all.add_measured("size-lz4", name, static_cast<std::size_t>(lz4), {});

  const std::size_t zstd = ZSTD_compress(out.data(), out.size(), from, bytes.size(), ZSTD_CLEVEL_DEFAULT);
  all.add_measured("size-zstd", name, ZSTD_isError(zstd) != 0 ? 0 : zstd, {});
}

} // namespace bench
