// SPDX-License-Identifier: Apache-2.0
// Cases of the SINK workload. Each turn includes creating the view. The bytes were validated
// before; the case `check` measures that.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "model.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// A contender. `at(i)` returns the view of message i, which the other functions read.
template <class R>
concept sink_reader = requires(const R& reader, std::size_t i) {
  { R::early(reader.at(i)) } -> std::same_as<std::uint64_t>; // the first field
  // the last string, in the nested record
  { R::late(reader.at(i)) } -> std::same_as<std::uint64_t>;
  // the fixed field after all variable ones
  { R::tail(reader.at(i)) } -> std::same_as<std::uint64_t>;
  { R::iterate(reader.at(i)) } -> std::same_as<std::uint64_t>; // both members of every sample
  // each field once; count, first and last of the samples
  { R::all(reader.at(i)) } -> std::same_as<std::uint64_t>;
};

/// The native struct: base of the ratios, and reference for results.
struct native_sink {
  static const sink_message& at(std::size_t i) { return sink_data()[i]; }
  static std::uint64_t early(const sink_message& m) { return m.id; }
  static std::uint64_t late(const sink_message& m) { return digest(m.nested.label); }
  static std::uint64_t tail(const sink_message& m) { return digest(m.tail); }
  static std::uint64_t iterate(const sink_message& m) {
    std::uint64_t sum = 0;
    for (const auto& s : m.samples) sum += s.id + digest(s.value);
    return sum;
  }
  static std::uint64_t all(const sink_message& m) {
    return m.id + digest(m.name) + digest(m.data.data(), m.data.size()) + m.samples.size() +
           m.samples.front().id + digest(m.samples.back().value) +
           digest(m.nested.payload.data(), m.nested.payload.size()) + digest(m.nested.label) + digest(m.tail);
  }
};

template <sink_reader R>
void enter_sink_reads(suite& all, std::string_view name, std::size_t bytes, const R& reader) {
  const auto enter = [&](std::string_view one, auto read, auto native) {
    all.add(
        one, name, bytes,
        [r = &reader, read](std::size_t i) BENCH_INLINE { keep(read(r->at(i % sink_count))); },
        [r = &reader, read, native] {
          for (std::size_t i = 0; i < sink_count; ++i) {
            if (read(r->at(i)) != native(native_sink::at(i))) return false;
          }
          return true;
        });
  };
  enter("early", [](const auto& v) BENCH_INLINE { return R::early(v); }, native_sink::early);
  enter("late", [](const auto& v) BENCH_INLINE { return R::late(v); }, native_sink::late);
  enter("tail", [](const auto& v) BENCH_INLINE { return R::tail(v); }, native_sink::tail);
  enter("all", [](const auto& v) BENCH_INLINE { return R::all(v); }, native_sink::all);
  enter("iterate", [](const auto& v) BENCH_INLINE { return R::iterate(v); }, native_sink::iterate);
  const auto four_times = [](const auto& v) BENCH_INLINE {
    std::uint64_t sum = 0;
    for (int k = 0; k < 4; ++k) {
      sum += R::late(v);
      escape(&v); // so that each read is done
    }
    return sum;
  };
  enter("late-x4", four_times, [](const sink_message& m) { return 4 * native_sink::late(m); });
}

/// Adds the cases that decode. `read(i, out)` decodes message i and returns false on failure.
template <class Read>
void enter_sink_decoding(suite& all, std::string_view name, std::size_t bytes, Read read) {
  const auto is_correct = [read] {
    sink_message warm{};
    for (std::size_t i = 0; i < sink_count; ++i) {
      sink_message fresh{};
      if (!read(i, fresh) || fresh != sink_data()[i] || !read(i, warm) || warm != sink_data()[i])
        return false;
    }
    return true;
  };
  all.add(
      "decode-fresh", name, bytes,
      [read](std::size_t i) {
        sink_message fresh{};
        keep(read(i % sink_count, fresh));
        escape(&fresh);
      },
      is_correct);
  auto* const warm = &all.make<sink_message>();
  all.add(
      "decode-warm", name, bytes,
      [read, warm](std::size_t i) {
        keep(read(i % sink_count, *warm));
        escape(warm);
      },
      is_correct);
}

/// Adds the case `check`. `check(i, cut)` validates message i without its last `cut` bytes, and
/// must reject it for 1.
template <class Check>
void enter_sink_check(suite& all, std::string_view name, std::size_t bytes, Check check) {
  all.add(
      "check", name, bytes, [check](std::size_t i) BENCH_INLINE { keep(check(i % sink_count, 0)); },
      [check] {
        for (std::size_t i = 0; i < sink_count; ++i) {
          if (!check(i, 0) || check(i, 1)) return false;
        }
        return true;
      });
}

// One function per contender, each in the file of its name.
void enter_sink_native(suite& all);
void enter_sink_ingot(suite& all);
void enter_sink_flatbuffers(suite& all);
void enter_sink_null(suite& all);

} // namespace bench
