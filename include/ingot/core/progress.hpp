// SPDX-License-Identifier: Apache-2.0
// Progress and cancellation of long calls, such as loading a large file or text.
//
//   ingot::load<World>("world.ingot", {.progress = [&](std::uint64_t done, std::uint64_t total) {
//     return bar.show(done, total); // false: stop
//   }});
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#include <cstdint>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// A reference to a progress callback. The callback gets the number of bytes that are done and the
/// total number of bytes, and returns whether to continue. The reference does not own the callback.
/// A lambda or another function object must live as long as the call to which the reference is
/// passed. For a function or a pointer to a function, the reference copies the address. A null
/// pointer means that there is no callback.
///
/// The thread that made the call runs the callback, at least once every 256 KiB, or once for each
/// block of compressed bytes. The numbers never decrease. If the call succeeds, the last report
/// says that everything is done (for zero bytes there is no report). The total is `unknown` until
/// the end if it can't be known in advance, as for text that is written. If the callback returns
/// false, the call ends with `errc::cancelled`, and leaves the same state as after any other error.
/// If the callback throws an exception, the call throws this exception, and leaves the same state
/// as after an error. The callback must not end its thread (`pthread_exit`, `pthread_cancel`): that
/// ends the program.
///
/// The callback may call the library for other objects, and may read the object that the call works
/// on. It must not change, assign, compact, move or destroy that object, nor write to the bytes
/// that the call reads.
class progress_ref {
public:
  /// A total that is not known yet.
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  constexpr progress_ref() noexcept = default;
  /// Refers to a function object. The object must live as long as this reference is used.
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, progress_ref> &&
             std::is_object_v<std::remove_reference_t<F>> &&
             !std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<F>>> &&
             std::is_invocable_r_v<bool, F&, std::uint64_t, std::uint64_t>)
  constexpr progress_ref(F&& callback) noexcept // NOLINT(*-forwarding-reference-overload)
      : target_{.object = const_cast<void*>(static_cast<const void*>(std::addressof(callback)))},
        call_([](target to, std::uint64_t done, std::uint64_t total) -> bool {
          return (*static_cast<std::remove_reference_t<F>*>(to.object))(done, total);
        }) {}
  /// Copies a pointer to a function; null is no callback.
  template <class F>
    requires(std::is_function_v<F> && std::is_invocable_r_v<bool, F*, std::uint64_t, std::uint64_t>)
  progress_ref(F* callback) noexcept {
    if (callback == nullptr) return;
    target_.function = reinterpret_cast<any_function>(callback);
    call_ = [](target to, std::uint64_t done, std::uint64_t total) -> bool {
      return reinterpret_cast<F*>(to.function)(done, total);
    };
  }

  /// Calls the callback. Returns whether to continue; true if there is no callback.
  [[nodiscard]] bool operator()(std::uint64_t done, std::uint64_t total) const {
    return call_ == nullptr || call_(target_, done, total);
  }
  [[nodiscard]] explicit constexpr operator bool() const noexcept { return call_ != nullptr; }

private:
  using any_function = void (*)();
  /// A pointer to an object or to a function. On some machines the two pointers differ in size.
  union target {
    void* object;
    any_function function;
  };
  target target_{.object = nullptr};
  bool (*call_)(target, std::uint64_t, std::uint64_t) = nullptr;
};

}} // namespace ingot::INGOT_V1
