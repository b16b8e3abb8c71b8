// SPDX-License-Identifier: Apache-2.0
// ingot's contenders. `ingot-view` reads the packed bytes in place without checks, after the
// validation that the case `check` times. `ingot-pack` and `ingot-compact` decode them, which
// always validates.
#include <ingot/core/buffer.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include "workload.hpp"

#include <span>

namespace bench {
namespace {

using message_view = ingot::view<sink_message>;
using bytes = std::vector<std::byte>;

struct ingot_sink {
  std::vector<bytes> messages;

  message_view at(std::size_t i) const { return message_view::open_unchecked(messages[i]); }

  static std::uint64_t early(const message_view& v) { return v.get<"id">(); }
  static std::uint64_t late(const message_view& v) { return digest(v.get<"nested">().get<"label">()); }
  static std::uint64_t tail(const message_view& v) { return digest(v.get<"tail">()); }
  static std::uint64_t iterate(const message_view& v) {
    std::uint64_t sum = 0;
    for (const auto s : v.get<"samples">()) sum += s.get<"id">() + digest(s.get<"value">());
    return sum;
  }
  /// Returns a digest of a list of bytes: its length, first and last byte.
  static std::uint64_t ends(const auto& list) {
    return list.size() + (std::uint64_t{list.front()} << 16) + (std::uint64_t{list.back()} << 32);
  }
  static std::uint64_t all(const message_view& v) {
    const auto samples = v.get<"samples">();
    const auto nested = v.get<"nested">();
    return v.get<"id">() + digest(v.get<"name">()) + ends(v.get<"data">()) + samples.size() +
           samples.front().get<"id">() + digest(samples.back().get<"value">()) +
           ends(nested.get<"payload">()) + digest(nested.get<"label">()) + digest(v.get<"tail">());
  }
};

bytes copy_of(const ingot::result<ingot::buffer>& outcome) {
  return outcome ? bytes(outcome->begin(), outcome->end()) : bytes();
}

} // namespace

void enter_sink_ingot(suite& all) {
  auto& reader = all.make<ingot_sink>();
  auto& compact = all.make<std::vector<bytes>>();
  std::size_t packed_bytes = 0;
  std::size_t compact_bytes = 0;
  for (const auto& m : sink_data()) {
    packed_bytes += reader.messages.emplace_back(copy_of(ingot::pack(m))).size();
    compact_bytes += compact.emplace_back(copy_of(ingot::compact::pack(m))).size();
  }
  packed_bytes /= sink_count;
  compact_bytes /= sink_count;

  enter_sink_reads(all, "ingot-view", packed_bytes, reader);
  const auto unpack = [r = &reader](std::size_t i, sink_message& out) {
    return ingot::unpack_into(out, r->messages[i]).has_value();
  };
  enter_sink_decoding(all, "ingot-pack", packed_bytes, unpack);
  enter_sink_decoding(all, "ingot-compact", compact_bytes, [c = &compact](std::size_t i, sink_message& out) {
    return ingot::compact::unpack_into(out, (*c)[i]).has_value();
  });

  // The base of `check`: the warm decoding that a check makes unnecessary.
  auto* const warm = &all.make<sink_message>();
  all.add(
      "check", "ingot-pack", packed_bytes,
      [unpack, warm](std::size_t i) {
        keep(unpack(i % sink_count, *warm));
        escape(warm);
      },
      [] { return true; });
  enter_sink_check(
      all, "ingot-view", packed_bytes, [r = &reader](std::size_t i, std::size_t cut) BENCH_INLINE {
        return message_view::open(std::span(r->messages[i]).first(r->messages[i].size() - cut)).has_value();
      });
}

} // namespace bench
