// SPDX-License-Identifier: Apache-2.0
// The harness alone: the same loops around nothing.
#include "latency.hpp"
#include "workload.hpp"

namespace bench {
namespace {

/// Copies nothing. A message is the memory of the value that was written last.
struct null_codec {
  class growable {
  public:
    void clear() {}
    const std::byte* data() const { return data_; }
    void point(const void* at) { data_ = static_cast<const std::byte*>(at); }

  private:
    const std::byte* data_ = nullptr;
  };
  template <std::size_t N>
  using fixed = growable;
  using fresh = growable;

  static void reserve(growable&, std::size_t) {}
  static std::size_t size(const growable&, const auto&) { return 1; }
  template <class T>
  BENCH_INLINE static bool put(growable& out, const T& value) {
    out.point(&value);
    return true;
  }
  static bool put_stream(growable& out, const tick_batch& value) { return put(out, value); }
  template <class T>
  BENCH_INLINE static bool get(std::span<const std::byte> in, T&) {
    escape(in.data());
    return true;
  }
};

} // namespace

void enter_tick_null(suite& all) {
  auto& values = all.make<std::vector<tick>>();
  values = draw_many<tick>(tick_values, 1);
  std::vector<std::string> names{"batch-256-fixed", "ticks-1m"};
  for (const char* size : {"12", "80"}) {
    for (const char* where : {"-growable", "-fixed", "-fresh"})
      names.push_back(std::string("write-") + size + where);
    names.push_back(std::string("read-") + size);
  }
  for (const std::size_t size : string_sizes) names.push_back("string-" + std::to_string(size));
  for (const auto& name : names) {
    all.add(
        name, "null", 0, [p = values.data()](std::size_t i) { escape(p + i % tick_values); },
        [] { return true; });
  }
  enter_tick_latency<null_codec>(all, "null");
}

} // namespace bench
