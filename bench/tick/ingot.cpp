// SPDX-License-Identifier: Apache-2.0
// ingot: one call per message. `ingot-batch` is the stream of a million ticks as one message.
#include <ingot/core/buffer.hpp>
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "latency.hpp"
#include "workload.hpp"

namespace bench {
namespace {

struct ingot_codec {
  using growable = ingot::buffer;
  using fresh = growable;
  template <std::size_t N>
  using fixed = ingot::fixed_buffer<N>;

  static void reserve(growable& out, std::size_t size) { (void)out.reserve(size); }
  static std::size_t size(const auto& out, const auto&) { return out.size(); }

  BENCH_INLINE static bool put(auto& out, const auto& value) {
    return ingot::pack_to(out, value).has_value();
  }
  static bool put_stream(growable& out, const tick_batch& value) {
    for (const tick& one : value) {
      if (!ingot::pack_to(out, one)) return false;
    }
    return true;
  }
  BENCH_INLINE static bool get(std::span<const std::byte> in, auto& value) {
    return ingot::unpack_into(value, in).has_value();
  }
};

struct ingot_batch_codec : ingot_codec {
  static bool put_stream(growable& out, const tick_batch& value) { return put(out, value); }
};

} // namespace

void enter_tick_ingot(suite& all) {
  enter_tick<ingot_codec>(all, "ingot-pack");
  enter_tick_stream<ingot_batch_codec>(all, "ingot-batch");
  enter_tick_latency<ingot_codec>(all, "ingot-pack");
}

} // namespace bench
