// SPDX-License-Identifier: Apache-2.0
// Errors of changes of a document, as values and as exceptions.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/document/detail/rejection.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/live/out_of_space.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#if !INGOT_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 {

/// Thrown by assignments such as `doc["a"]["b"] = 1` if there is no value to assign to: `doc["a"]`
/// does not exist, or is no object. `set` returns an error instead.
class bad_document_access : public std::runtime_error {
public:
  /// `path` is the path of the value that could not be assigned.
  explicit bad_document_access(std::string_view path = {})
      : std::runtime_error("ingot: no value to assign to" +
                           (path.empty() ? std::string() : " (" + std::string(path) + ")") +
                           ": its container does not exist or is of another kind") {}
};

namespace detail::doc {

/// Returns the error for the outcome `o` of a change. Requires that `o` is not `rejected`, since
/// only the core has the error for this outcome.
[[nodiscard]] INGOT_COLD inline error error_of(outcome o) {
  switch (o) {
  case outcome::no_space: return error{errc::no_space}.with_expected("free space in the document");
  case outcome::wrong_kind:
    return error{errc::type_mismatch}.with_expected("a container of this kind, or null");
  case outcome::out_of_range: return error{errc::out_of_range}.with_expected("an index of the container");
  case outcome::exists: return error{errc::duplicate_key}.with_expected(expected_new_key);
  default: return error{errc::missing_member}.with_expected("a value that exists");
  }
}
/// Returns the error for the outcome `o` of storing a value.
[[nodiscard]] INGOT_COLD inline error error_of(outcome o, core& in) {
  return o == outcome::rejected ? *in.unsupported_reason() : error_of(o);
}
[[noreturn]] INGOT_COLD inline void throw_bad_access(const error& err) {
#if INGOT_EXCEPTIONS
  throw bad_document_access(err.path());
#else
  std::fputs(bad_document_access(err.path()).what(), stderr);
  std::fputs(" (without exceptions: use set)\n", stderr);
  std::abort();
#endif
}
/// Throws the exception for an assignment with outcome `o` and the error `err`.
[[noreturn]] INGOT_COLD inline void throw_outcome(outcome o, out_of_space_reason failure, const error& err) {
  if (o == outcome::no_space) throw_out_of_space(failure);
  if (o == outcome::rejected) throw_rejected(err);
  throw_bad_access(err);
}

/// Throws the exception for an assignment that failed for another reason than space: there is no
/// value to assign to, or readers would reject the new value.
[[noreturn]] INGOT_COLD inline void throw_not_set(const error& err) {
  if (err.code() == errc::missing_member || err.code() == errc::type_mismatch) throw_bad_access(err);
  throw_rejected(err);
}

} // namespace detail::doc
}} // namespace ingot::INGOT_V1
