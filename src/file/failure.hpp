// SPDX-License-Identifier: Apache-2.0
// Errors that name the file and give the system's reason.
#pragma once

#include <ingot/core/error.hpp>

#include <cstdint>
#include <filesystem>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Puts the path of the file in front of what the error says already: `[saves/hero.ingot].equips[3]`. Of a long path the end.
error& in_file(error& err, const std::filesystem::path& path) noexcept;

/// What the system refused. `number` is the negative of its error number, `wanted` what was to happen.
[[nodiscard]] std::unexpected<error> system_failure(std::int64_t number, std::string_view wanted,
                                                    const std::filesystem::path& path,
                                                    std::uint64_t offset = 0) noexcept;

/// Calls until a signal no longer interrupts.
template <class Call>
[[nodiscard]] auto retry_eintr(const Call& call) noexcept {
  constexpr int interrupted = -4; // EINTR, wherever there is one
  auto returned = call();
  while (returned == interrupted) returned = call();
  return returned;
}

}}} // namespace ingot::INGOT_V1::detail
