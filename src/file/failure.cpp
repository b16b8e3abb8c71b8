// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

static_assert(EINTR == 4);

namespace {

// There are two versions of strerror_r. They return different types, and the C library and its
// feature macros select the version. So there is one overload for each type.
[[maybe_unused]] const char* text_of_error(const char* text, const char*) noexcept { return text; }
[[maybe_unused]] const char* text_of_error(int failed, const char* text) noexcept {
  return failed == 0 ? text : "an unknown system error";
}

} // namespace

error& in_file(error& err, path_ref path) noexcept { return err.in_file(path.text()); }

std::unexpected<error> system_failure(std::int64_t number, std::string_view wanted, path_ref path,
                                      std::uint64_t offset) noexcept {
  std::array<char, 128> storage{};
  const char* const text =
      text_of_error(::strerror_r(static_cast<int>(-number), storage.data(), storage.size()), storage.data());
  error err =
      error{number == -ENOMEM ? errc::no_memory : errc::io, offset}.with_expected(wanted).with_found(text);
  return fail(in_file(err, path));
}

}}} // namespace ingot::INGOT_V1::detail
