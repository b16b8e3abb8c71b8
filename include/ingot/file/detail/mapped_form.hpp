// SPDX-License-Identifier: Apache-2.0
// The mapped form of a type has the functions by which `map_file` and `open_file` open the type's
// files. This header has the form of packable types: a view of packed bytes.
// <ingot/file/live_file.hpp> and <ingot/file/document_file.hpp> have the forms of blocks and
// documents.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/require_form.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/schema_id.hpp>

#include <limits>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T>
struct packable_mapped_form {
  using handle = view<T>;
  static constexpr bool writes_to_memory = false;
  static constexpr schema_form reads_by = schema_form::portable;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::packed, file_kind::packed}, schema_id<T>, 0};
  }
  /// Returns the error for a file of another version of the type: bytes can be read in place only
  /// as the current version. `mine` is the error that the check of the header returned.
  [[nodiscard]] static std::unexpected<error> other(const input_file&, const error& mine) {
    error err = mine;
    return fail(err.with_expected("the current version of the type; `load` reads older versions"));
  }
  [[nodiscard]] static result<handle> open(bytes_view payload) {
    if (payload.size() > std::numeric_limits<end_type>::max())
      return fail(
          error{errc::too_large}.with_expected("a message of less than 4 GiB").with_found(payload.size()));
    reader r{payload};
    validate_only nowhere; // stores no values: only hooks and limits need objects
    if (!read_whole<T>(r, payload.data(), payload.size(), nowhere, 0)) return r.why.failure();
    return see(payload);
  }
  [[nodiscard]] static result<handle> open_unchecked(bytes_view payload) {
    if constexpr (is_fixed<T>) { // views of fixed types don't check the length
      if (payload.size() != fixed_part<T>)
        return fail(error{errc::bad_length}.with_expected("the size of the type").with_found(payload.size()));
    }
    return see(payload);
  }
  [[nodiscard]] static handle see(bytes_view payload) noexcept {
    if constexpr (is_fixed<T>) return view_field<T>({payload.data(), payload.data() + fixed_part<T>, 0});
    else return view_payload<T>(payload.data(), payload.size());
  }
};

template <class T>
struct mapped_form : std::conditional_t<require_packable_form<T>(), packable_mapped_form<T>, no_form<T>> {};

}}} // namespace ingot::INGOT_V1::detail
