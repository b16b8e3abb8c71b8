// SPDX-License-Identifier: Apache-2.0
// Cases of the TICK workload. A contender's file defines how it writes and reads one value. The
// cases are made from that, so all contenders do the same work. Each turn uses another value.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "model.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Number of values, used in turn. They fit in the nearest cache, since these cases don't measure
/// memory.
inline constexpr std::size_t tick_values = 256;
inline constexpr std::size_t batch_size = 256;
inline constexpr std::size_t stream_size = 1'000'000;
inline constexpr std::array<std::size_t, 6> string_sizes{0, 8, 32, 128, 1024, 4096};

using tick_batch = std::vector<tick>;

/// A contender. `growable`, `fresh` and `fixed<N>` are its outputs (with clear, data and size).
/// `put` appends one value and `get` reads one; both return false on failure. `size` is that of the
/// last message.
template <class C>
concept tick_codec = requires(typename C::growable& out, std::span<const std::byte> in, vec& v, large& l,
                              tick& t, const std::string& s, const tick_batch& batch) {
  { C::reserve(out, std::size_t{}) };
  { C::put(out, v) } -> std::same_as<bool>;
  { C::put(out, l) } -> std::same_as<bool>;
  { C::put(out, t) } -> std::same_as<bool>;
  { C::put(out, s) } -> std::same_as<bool>;
  { C::put(out, batch) } -> std::same_as<bool>;
  { C::put_stream(out, batch) } -> std::same_as<bool>;
  { C::get(in, v) } -> std::same_as<bool>;
  { C::size(out, v) } -> std::same_as<std::size_t>;
  typename C::fresh;
  typename C::template fixed<16>;
};

/// Returns the message of `value`, which must be the last one that was put.
template <class C, class Out, class T>
std::span<const std::byte> content(const Out& out, const T& value) {
  return {out.data(), C::size(out, value)};
}

/// Reserves memory for `out` whose address differs from that of `state` in the low 12 bits. If a
/// load's address equals that of an earlier store in these bits, the processor treats the load as
/// dependent, which doubles the time.
template <class C, class State>
void reserve_apart(const State& state, typename C::growable& out, std::size_t size) {
  for (int tries = 0; tries < 16; ++tries, size += 720) {
    C::reserve(out, size);
    const auto distance =
        reinterpret_cast<std::uintptr_t>(out.data()) - reinterpret_cast<std::uintptr_t>(&state);
    if (distance % 4096 >= sizeof(State) && distance % 4096 < 3072) return;
  }
}

template <class C, class T>
void enter_tick_type(suite& all, std::string_view name, const std::string& size) {
  struct state {
    std::vector<T> values = draw_many<T>(tick_values, 1);
    typename C::growable growable;
    typename C::template fixed<128> fixed;
    std::vector<std::byte> messages; // the packed values, one after another
    std::size_t bytes = 0;           // size of one message
  };
  auto* const p = &all.make<state>();
  reserve_apart<C>(*p, p->growable, 4096);
  for (const T& value : p->values) {
    p->growable.clear();
    (void)C::put(p->growable, value);
    const auto content_bytes = content<C>(p->growable, value);
    p->messages.insert(p->messages.end(), content_bytes.begin(), content_bytes.end());
    p->bytes = content_bytes.size();
  }
  const auto message = [p](std::size_t i) {
    return std::span<const std::byte>(p->messages).subspan((i % tick_values) * p->bytes, p->bytes);
  };
  const auto check = [p, message] {
    for (std::size_t i = 0; i < tick_values; ++i) {
      T back{};
      p->fixed.clear();
      if (!C::put(p->fixed, p->values[i]) || !C::get(content<C>(p->fixed, p->values[i]), back)) return false;
      if (back != p->values[i]) return false;
      back = {};
      if (!C::get(message(i), back) || back != p->values[i]) return false;
    }
    return true;
  };

  all.add(
      "write-" + size + "-growable", name, p->bytes,
      [p](std::size_t i) BENCH_INLINE {
        p->growable.clear();
        keep(C::put(p->growable, p->values[i % tick_values]));
        escape(p->growable.data());
      },
      check);
  all.add(
      "write-" + size + "-fixed", name, p->bytes,
      [p](std::size_t i) BENCH_INLINE {
        p->fixed.clear();
        keep(C::put(p->fixed, p->values[i % tick_values]));
        escape(p->fixed.data());
      },
      check);
  all.add(
      "write-" + size + "-fresh", name, p->bytes,
      [p](std::size_t i) BENCH_INLINE {
        typename C::fresh fresh;
        keep(C::put(fresh, p->values[i % tick_values]));
        escape(fresh.data());
      },
      check);
  all.add(
      "read-" + size, name, p->bytes,
      [p](std::size_t i) BENCH_INLINE {
        T value;
        const std::byte* at = p->messages.data() + (i % tick_values) * p->bytes;
        keep(C::get({at, p->bytes}, value));
        escape(&value);
      },
      check);
}

template <class C>
void enter_tick_batch(suite& all, std::string_view name) {
  struct state {
    std::vector<tick_batch> batches;
    typename C::template fixed<batch_size * sizeof(tick) + 64> fixed;
  };
  auto* const p = &all.make<state>();
  for (std::uint64_t seed = 0; seed < 4; ++seed) p->batches.push_back(draw_many<tick>(batch_size, seed));
  const auto check = [p] {
    tick_batch back(batch_size);
    p->fixed.clear();
    return C::put(p->fixed, p->batches[1]) && C::get(content<C>(p->fixed, p->batches[1]), back) &&
           back == p->batches[1];
  };
  (void)check(); // to know the size
  all.add(
      "batch-256-fixed", name, C::size(p->fixed, p->batches[1]),
      [p](std::size_t i) BENCH_INLINE {
        p->fixed.clear();
        keep(C::put(p->fixed, p->batches[i % 4]));
        escape(p->fixed.data());
      },
      check);
}

template <class C>
void enter_tick_strings(suite& all, std::string_view name) {
  for (const std::size_t size : string_sizes) {
    struct state {
      std::vector<std::string> values;
      typename C::growable growable;
    };
    auto* const p = &all.make<state>();
    random_source source(size + 1);
    for (int i = 0; i < 8; ++i) p->values.push_back(source.text(size));
    reserve_apart<C>(*p, p->growable, 8192);
    const auto check = [p] {
      for (const auto& value : p->values) {
        std::string back(value.size(), ' ');
        p->growable.clear();
        if (!C::put(p->growable, value) || !C::get(content<C>(p->growable, value), back)) return false;
        if (back != value) return false;
      }
      return true;
    };
    (void)check(); // to know the size
    all.add(
        "string-" + std::to_string(size), name, C::size(p->growable, p->values[7]),
        [p](std::size_t i) BENCH_INLINE {
          p->growable.clear();
          keep(C::put(p->growable, p->values[i % 8]));
          escape(p->growable.data());
        },
        check);
  }
}

/// One million messages, written one after another into a buffer with enough capacity.
template <class C>
void enter_tick_stream(suite& all, std::string_view name) {
  struct state {
    tick_batch values = draw_many<tick>(stream_size, 7);
    typename C::growable growable;
  };
  auto* const p = &all.make<state>();
  C::reserve(p->growable, stream_size * (sizeof(tick) + 4) + 64);
  const auto check = [p] {
    p->growable.clear();
    if (!C::put_stream(p->growable, p->values)) return false;
    const auto content_bytes = content<C>(p->growable, p->values);
    if (content_bytes.size() % stream_size != 0)
      return content_bytes.size() > 25 * stream_size; // one message of all ticks has a count
    const std::size_t step = content_bytes.size() / stream_size;
    for (std::size_t i = 0; i < stream_size; i += 997) {
      tick back{};
      if (!C::get(content_bytes.subspan(i * step, step), back) || back != p->values[i]) return false;
    }
    return true;
  };
  (void)check();
  all.add(
      "ticks-1m", name, C::size(p->growable, p->values),
      [p](std::size_t) BENCH_INLINE {
        p->growable.clear();
        keep(C::put_stream(p->growable, p->values));
        escape(p->growable.data());
      },
      check);
}

template <tick_codec C>
void enter_tick(suite& all, std::string_view name) {
  enter_tick_type<C, vec>(all, name, "12");
  enter_tick_type<C, large>(all, name, "80");
  enter_tick_batch<C>(all, name);
  enter_tick_strings<C>(all, name);
  enter_tick_stream<C>(all, name);
}

// One function per contender, each in the file of its name.
void enter_tick_memcpy(suite& all);
void enter_tick_naive(suite& all);
void enter_tick_ingot(suite& all);
void enter_tick_null(suite& all);

} // namespace bench
