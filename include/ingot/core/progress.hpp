// SPDX-License-Identifier: Apache-2.0
// Who waits for a large file or text wants to see how far it is, and to be able to stop it.
//
//   ingot::load<World>("world.ingot", {.progress = [&](std::uint64_t done, std::uint64_t total) {
//     return bar.show(done, total); // false: stop
//   }});
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace ingot::inline v1 {

/// A reference to what is told the bytes that are done and how many there are in all, and says whether to go on. Does not own it: what it refers
/// to, a lambda in the call or an object of yours, has to be there as long as the call that is given this.
///
/// It is called by the thread that made the call, at least every 256 KiB or block, with numbers that never become smaller; the last of a call that
/// succeeds has done all (of nothing it is not told). Where nobody can know how many bytes there will be, a text that is written, the total is `unknown` until
/// there are no more. If it says false the call ends with `errc::cancelled`, as after any other error. What it throws goes
/// through, and leaves as little behind.
class progress_ref {
public:
  /// A total that is not known yet.
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  constexpr progress_ref() noexcept = default;
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, progress_ref> &&
             std::is_object_v<std::remove_reference_t<F>> &&
             std::is_invocable_r_v<bool, F&, std::uint64_t, std::uint64_t>)
  constexpr progress_ref(F&& told) noexcept // NOLINT(bugprone-forwarding-reference-overload): constrained
      : told_(const_cast<void*>(static_cast<const void*>(std::addressof(told)))),
        call_([](void* to, std::uint64_t done, std::uint64_t total) -> bool {
          return (*static_cast<std::remove_reference_t<F>*>(to))(done, total);
        }) {}

  /// Whether to go on; nobody says no.
  [[nodiscard]] bool operator()(std::uint64_t done, std::uint64_t total) const {
    return call_ == nullptr || call_(told_, done, total);
  }
  [[nodiscard]] explicit operator bool() const noexcept { return call_ != nullptr; }

private:
  void* told_ = nullptr;
  bool (*call_)(void*, std::uint64_t, std::uint64_t) = nullptr;
};

} // namespace ingot::inline v1
