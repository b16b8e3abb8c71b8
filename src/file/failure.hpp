// SPDX-License-Identifier: Apache-2.0
// Errors that name the file and give the system's reason.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>

#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Prepends the path of the file to the path of an error: `[saves/hero.ingot].equips[3]`. Keeps
/// only the end of a long path.
error& in_file(error& err, path_ref path) noexcept;

/// Returns the error for a failed system call. `number` is the negative error number; `wanted`
/// describes the expected outcome.
[[nodiscard]] std::unexpected<error> system_failure(std::int64_t number, std::string_view wanted,
                                                    path_ref path, std::uint64_t offset = 0) noexcept;

/// Repeats `call` while it fails with EINTR.
template <class Call>
[[nodiscard]] auto retry_eintr(const Call& call) noexcept {
  constexpr int interrupted = -4; // EINTR on every system
  auto returned = call();
  while (returned == interrupted) returned = call();
  return returned;
}

}}} // namespace ingot::INGOT_V1::detail
