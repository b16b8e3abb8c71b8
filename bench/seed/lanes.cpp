// SPDX-License-Identifier: Apache-2.0
// Step 4: hashes of 16 bits in the order of the entries, compared 16 at a time.
#include "workload.hpp"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bench {
namespace {

class by_lanes : public seed_hashes<std::uint16_t> {
public:
  void open(const std::vector<std::byte>& bytes) {
    seed_hashes::open(bytes);
    // padding to a multiple of 16: hashes after the last entry have no offset
    hashes_.resize((hashes_.size() + 15) / 16 * 16);
  }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const auto wanted = hash_of(key);
    for (std::size_t i = 0; i < hashes_.size(); i += 16) {
      for (std::uint32_t hits = matches(hashes_.data() + i, wanted); hits != 0; hits &= hits - 1) {
        const std::size_t at = i + static_cast<std::size_t>(std::countr_zero(hits));
        if (at >= offsets_.size()) return -1;
        if (const seed_record entry{begin_ + offsets_[at]}; entry.has(key)) return entry.value();
      }
    }
    return -1;
  }

private:
  /// Returns a mask: bit i is set if hash i of 16 equals `wanted`.
  static std::uint32_t matches(const std::uint16_t* hashes, std::uint16_t wanted) {
#if defined(__SSE2__)
    const __m128i all = _mm_set1_epi16(static_cast<short>(wanted));
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(hashes));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(hashes + 8));
    const __m128i equal = _mm_packs_epi16(_mm_cmpeq_epi16(low, all), _mm_cmpeq_epi16(high, all));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(equal));
#else
    std::uint32_t found = 0;
    for (unsigned i = 0; i < 16; ++i) found |= std::uint32_t{hashes[i] == wanted} << i;
    return found;
#endif
  }
};

} // namespace

void enter_search_lanes(suite& all) { enter_search<by_lanes>(all, "lanes-16", seed_message); }

} // namespace bench
