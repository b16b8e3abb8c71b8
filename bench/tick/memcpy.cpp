// SPDX-License-Identifier: Apache-2.0
// The bound, and the base of the ratios: one memcpy of the value with its padding into existing
// memory.
#include "latency.hpp"
#include "workload.hpp"

#include <memory>
#include <type_traits>

namespace bench {
namespace {

struct memcpy_codec {
  /// Existing memory: no checks and no size, only the copy.
  class growable {
  public:
    void reserve(std::size_t size) { memory_ = std::make_unique_for_overwrite<std::byte[]>(size); }
    void clear() {}
    std::byte* prepare(std::size_t) { return memory_.get(); }
    const std::byte* data() const { return memory_.get(); }

  private:
    std::unique_ptr<std::byte[]> memory_;
  };
  class fresh : public growable {
  public:
    std::byte* prepare(std::size_t size) {
      reserve(size);
      return growable::prepare(size);
    }
  };
  template <std::size_t N>
  class fixed {
  public:
    void clear() {}
    std::byte* prepare(std::size_t) { return memory_.data(); }
    const std::byte* data() const { return memory_.data(); }

  private:
    alignas(16) std::array<std::byte, N> memory_;
  };

  static void reserve(growable& out, std::size_t size) { out.reserve(size); }
  static std::size_t size(const auto&, const auto& value) { return sizeof value; }
  static std::size_t size(const auto&, const std::string& value) { return value.size(); }
  static std::size_t size(const auto&, const tick_batch& value) { return value.size() * sizeof(tick); }

  template <class Out, class T>
    requires std::is_trivially_copyable_v<T>
  BENCH_INLINE static bool put(Out& out, const T& value) {
    std::memcpy(out.prepare(sizeof value), &value, sizeof value);
    return true;
  }
  template <class Out>
  BENCH_INLINE static bool put(Out& out, const std::string& value) {
    std::memcpy(out.prepare(value.size()), value.data(), value.size());
    return true;
  }
  template <class Out>
  BENCH_INLINE static bool put(Out& out, const tick_batch& value) {
    std::memcpy(out.prepare(value.size() * sizeof(tick)), value.data(), value.size() * sizeof(tick));
    return true;
  }
  static bool put_stream(growable& out, const tick_batch& value) { return put(out, value); }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  BENCH_INLINE static bool get(std::span<const std::byte> in, T& value) {
    std::memcpy(&value, in.data(), sizeof value);
    return true;
  }
  BENCH_INLINE static bool get(std::span<const std::byte> in, std::string& value) {
    std::memcpy(value.data(), in.data(), in.size());
    return true;
  }
  BENCH_INLINE static bool get(std::span<const std::byte> in, tick_batch& value) {
    std::memcpy(value.data(), in.data(), in.size());
    return true;
  }
};

/// The stream as messages, with one copy per tick. This is the bound of a loop over the ticks: the
/// base's bulk copy uses instructions that don't read the memory which they overwrite.
struct memcpy_each_codec : memcpy_codec {
  static bool put_stream(growable& out, const tick_batch& value) {
    std::byte* at = out.prepare(value.size() * sizeof(tick));
    for (const tick& one : value) {
      std::memcpy(at, &one, sizeof one);
      at += sizeof one;
      escape(at);
    }
    return true;
  }
};

} // namespace

void enter_tick_memcpy(suite& all) {
  enter_tick<memcpy_codec>(all, "memcpy");
  enter_tick_stream<memcpy_each_codec>(all, "memcpy-each");
  enter_tick_latency<memcpy_codec>(all, "memcpy");
}

} // namespace bench
