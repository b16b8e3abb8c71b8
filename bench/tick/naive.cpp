// SPDX-License-Identifier: Apache-2.0
// The usual first version by hand: one call per field, each with its own capacity check.
#include "latency.hpp"
#include "workload.hpp"

namespace bench {
namespace {

template <class Visit>
bool fields(auto& v, Visit visit)
  requires requires { v.z; } && (!requires { v.id; })
{
  return visit(v.x) && visit(v.y) && visit(v.z);
}
template <class Visit>
bool fields(auto& v, Visit visit)
  requires requires { v.version; }
{
  return visit(v.id) && visit(v.group) && visit(v.owner) && visit(v.flags) && visit(v.x) && visit(v.y) &&
         visit(v.z) && visit(v.w) && visit(v.left) && visit(v.top) && visit(v.right) && visit(v.bottom) &&
         visit(v.red) && visit(v.green) && visit(v.blue) && visit(v.alpha) && visit(v.created) &&
         visit(v.changed) && visit(v.seen) && visit(v.version);
}
template <class Visit>
bool fields(auto& v, Visit visit)
  requires requires { v.price; }
{
  return visit(v.time) && visit(v.price) && visit(v.size) && visit(v.id) && visit(v.side);
}

struct naive_codec {
  using growable = std::vector<std::byte>;
  using fresh = growable;

  template <std::size_t N>
  class fixed {
  public:
    void clear() { size_ = 0; }
    bool append(const std::byte* from, std::size_t size) {
      if (size > N - size_) return false;
      std::memcpy(memory_.data() + size_, from, size);
      size_ += size;
      return true;
    }
    const std::byte* data() const { return memory_.data(); }
    std::size_t size() const { return size_; }

  private:
    std::array<std::byte, N> memory_;
    std::size_t size_ = 0;
  };

  class source {
  public:
    explicit source(std::span<const std::byte> in) : left_(in) {}
    bool take(void* to, std::size_t size) {
      if (size > left_.size()) return false;
      if (size != 0) std::memcpy(to, left_.data(), size);
      left_ = left_.subspan(size);
      return true;
    }
    bool done() const { return left_.empty(); }

  private:
    std::span<const std::byte> left_;
  };

  static void reserve(growable& out, std::size_t size) { out.reserve(size); }
  static std::size_t size(const auto& out, const auto&) { return out.size(); }

  static bool append(growable& out, const std::byte* from, std::size_t size) {
    out.insert(out.end(), from, from + size);
    return true;
  }
  template <std::size_t N>
  static bool append(fixed<N>& out, const std::byte* from, std::size_t size) {
    return out.append(from, size);
  }
  template <class Out, class Scalar>
  static bool append_scalar(Out& out, const Scalar& value) {
    return append(out, reinterpret_cast<const std::byte*>(&value), sizeof value);
  }

  template <class Out, class T>
  static bool put(Out& out, const T& value) {
    return fields(value, [&](const auto& field) { return append_scalar(out, field); });
  }
  template <class Out>
  static bool put(Out& out, const std::string& value) {
    return append_scalar(out, static_cast<std::uint32_t>(value.size())) &&
           append(out, reinterpret_cast<const std::byte*>(value.data()), value.size());
  }
  template <class Out>
  static bool put(Out& out, const tick_batch& value) {
    if (!append_scalar(out, static_cast<std::uint32_t>(value.size()))) return false;
    for (const tick& one : value) {
      if (!put(out, one)) return false;
    }
    return true;
  }
  static bool put_stream(growable& out, const tick_batch& value) {
    for (const tick& one : value) {
      if (!put(out, one)) return false;
    }
    return true;
  }

  template <class T>
  static bool get_from(source& in, T& value) {
    return fields(value, [&](auto& field) { return in.take(&field, sizeof field); });
  }
  template <class T>
  static bool get(std::span<const std::byte> bytes, T& value) {
    source in(bytes);
    return get_from(in, value) && in.done();
  }
  static bool get(std::span<const std::byte> bytes, std::string& value) {
    source in(bytes);
    std::uint32_t size = 0;
    if (!in.take(&size, sizeof size) || size > bytes.size()) return false;
    value.resize(size);
    return in.take(value.data(), size) && in.done();
  }
  static bool get(std::span<const std::byte> bytes, tick_batch& value) {
    source in(bytes);
    std::uint32_t size = 0;
    if (!in.take(&size, sizeof size) || size > bytes.size()) return false;
    value.resize(size);
    for (tick& one : value) {
      if (!get_from(in, one)) return false;
    }
    return in.done();
  }
};

} // namespace

void enter_tick_naive(suite& all) {
  enter_tick<naive_codec>(all, "naive");
  enter_tick_latency<naive_codec>(all, "naive");
}

} // namespace bench
