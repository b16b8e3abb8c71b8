// SPDX-License-Identifier: Apache-2.0
// Form of a packable type in a file: packed or compact bytes. <ingot/file/live_file.hpp> and
// <ingot/file/document_file.hpp> have the forms of blocks and documents.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/older_payload.hpp>
#include <ingot/file/detail/require_form.hpp>
#include <ingot/file/detail/streamed_list.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/options.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/detail/evolution_codec.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/detail/walk.hpp>
#include <ingot/schema/schema_id.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Description of a type for its files; the bytes live as long as the process.
struct embedded_schema {
  schema_form form = schema_form::none;
  bytes_view bytes;
};

/// Returns the description of a type whose files contain packed or compact bytes.
template <class T>
[[nodiscard]] embedded_schema packed_schema() {
  using plain = std::remove_const_t<T>;
  static_assert(require_describable<plain>());
  static const never_destroyed<buffer> bytes([] { return description_bytes(describe<plain>); });
  return {schema_form::portable, *bytes};
}

/// Returns the header attributes of a file of packable values; `kind` depends on the profile.
template <class T>
[[nodiscard]] file_info packed_info(file_kind kind) {
  file_info info;
  info.kind = kind;
  info.schema = packed_schema<T>().form;
  info.schema_id = schema_id<T>;
  return info;
}

template <class T>
struct file_form {
  static_assert(require_packable_form<T>());
  static constexpr schema_form reads_by = schema_form::portable;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::packed, file_kind::compact}, schema_id<T>, 0};
  }
  [[nodiscard]] static file_info info(const save_options& options) {
    return packed_info<T>(options.form == profile::compact ? file_kind::compact : file_kind::packed);
  }
  [[nodiscard]] static embedded_schema schema() { return packed_schema<T>(); }
  /// Returns the payload. Encodes it into `storage`, unless the value's memory already contains
  /// these bytes.
  [[nodiscard]] static result<bytes_view> payload(const T& value, const save_options& options,
                                                  buffer& storage) {
    auto packed =
        options.form == profile::compact ? compact::pack_to(storage, value) : ingot::pack_to(storage, value);
    if (!packed) return fail(packed.error());
    return bytes_view(storage);
  }
  /// As `payload`, with progress reports.
  [[nodiscard]] static result<bytes_view> payload_with_progress(const T& value, const save_options& options,
                                                                buffer& storage, progress_ref progress) {
    auto packed =
        options.form == profile::compact ? compact::pack(value, progress) : ingot::pack(value, progress);
    if (!packed) return fail(packed.error());
    storage = std::move(*packed);
    return bytes_view(storage);
  }
  /// Decodes into `out` while the file is read. Returns false if the payload must be read as a
  /// whole, because the type or kind is not streamed, or the payload is invalid.
  [[nodiscard]] static result<bool> read_streamed(T& out, const input_file& file,
                                                  const load_options& options) {
    if constexpr (is_streamed<T>) {
      if (file.header().info.kind != file_kind::packed || file.header().info.schema_id != schema_id<T>)
        return false;
      if (const auto size = file.payload_size(options.max_bytes); !size) return fail(size.error());
      return stream_list(out, file, options);
    } else {
      return false;
    }
  }
  [[nodiscard]] static result<T> read(const input_file& file, const load_options& options) {
    static_assert(!borrows<T>(),
                  "ingot: a string_view, a span or an optional reference can't own what it is decoded into");
    if constexpr (is_streamed<T>) {
      result<T> value{std::in_place};
      const auto streamed = read_streamed(*value, file, options);
      if (!streamed) return fail(streamed.error());
      if (*streamed) return value;
    }
    packed_payload payload(file, schema_id<T>);
    if (auto read = payload.read(options, draw_type<T>); !read) return fail(read.error());
    auto value = unpack_new<T>([&](auto& object) { return decode(object, payload); });
    if (!value) return value;
    if (auto reported = payload.finish(); !reported) return fail(reported.error());
    return value;
  }
  [[nodiscard]] static result<void> read_into(T& out, const input_file& file, const load_options& options) {
    static_assert(!borrows<T>(),
                  "ingot: a string_view, a span or an optional reference can't own what it is decoded into");
    const auto streamed = read_streamed(out, file, options);
    if (!streamed) return fail(streamed.error());
    if (*streamed) return {};
    packed_payload payload(file, schema_id<T>);
    if (auto read = payload.read(options, draw_type<T>); !read) return read;
    // Values may be too large for the stack: the decoder writes directly into `out`.
    if (auto read = decode(out, payload); !read) return read;
    return payload.finish();
  }
  template <class Target>
  [[nodiscard]] static result<void> decode(Target& object, packed_payload& payload) {
    const auto read = payload.is_compact()
                          ? compact_unpack_with_progress(object, payload.bytes(), trailing::reject,
                                                         payload.tracker(), payload.limits())
                          : unpack_with_progress(object, payload.bytes(), trailing::reject, payload.tracker(),
                                                 payload.limits());
    if (!read) return payload.failure(read.error());
    return {};
  }
};

}}} // namespace ingot::INGOT_V1::detail
