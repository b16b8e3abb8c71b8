// SPDX-License-Identifier: Apache-2.0
// The file form of a type has the functions by which `save` and `load` write and read files of the
// type. This header has the form of packable types: packed or compact bytes.
// <ingot/file/live_file.hpp> and <ingot/file/document_file.hpp> have the forms of blocks and
// documents.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/older_payload.hpp>
#include <ingot/file/detail/packed_file.hpp>
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

template <class T>
inline constinit schema_cache cache_of_schema{};

/// Returns the description of a type whose files contain packed or compact bytes.
template <class T>
[[nodiscard]] embedded_schema packed_schema() {
  using plain = std::remove_const_t<T>;
  static_assert(require_describable<plain>());
  return cached_schema(cache_of_schema<plain>, describe<plain>);
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
[[nodiscard]] result<std::size_t> pack_object(buffer& to, bool is_compact, const void* value) {
  const T& object = *static_cast<const T*>(value);
  return is_compact ? compact::pack_to(to, object) : ingot::pack_to(to, object);
}
template <class T>
inline constexpr saved_type saved_form{schema_id<T>,   &cache_of_schema<T>, describe<T>,
                                       pack_object<T>, &packed_encoder<T>,  &lean_compact_encoder<T>};

/// Decodes the bytes of `from` into `out`.
template <class T>
bool read_object(reader& from, bool is_compact, void* out) {
  T& object = *static_cast<T*>(out);
  if (!is_compact)
    return read_whole<T>(from, from.base, static_cast<std::size_t>(from.end - from.base), object, 0);
  stream in{from.base, from.end};
  return compact_read<encoding::plain, T>(from, in, object, 0) &&
         (in.at == in.end || from.fail(errc::trailing_bytes, in.at, "the end of the message", in.left()));
}
template <class T>
inline constexpr loaded_type loaded_form{draw_type<T>, read_object<T>};

template <class T>
struct packable_file_form {
  static constexpr schema_form reads_by = schema_form::portable;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::packed, file_kind::compact}, schema_id<T>, 0};
  }
  [[nodiscard]] static result<void> save(file_system& system, path_ref path, const T& value,
                                         const save_options& options) {
    static_assert(require_describable<T>());
    return save_packed(system, path, saved_form<T>, std::addressof(value), options);
  }

  /// True if a file is never read in pieces.
  static constexpr bool is_read_whole = !is_streamed<T>;
  /// Loads a file that is read as a whole.
  [[nodiscard]] static result<T> load(file_system& system, path_ref path, const load_options& options) {
    require_owning();
    if constexpr (!require_returnable<T>()) {
      return fail(errc::unsupported); // never compiled, because the assertion has failed
    } else if constexpr (std::is_nothrow_default_constructible_v<T>) {
      // No exception can leave the calls below, so this function needs no exception handlers.
      result<T> value{std::in_place};
      if (auto read = load_into(*value, system, path, options); !read) return fail(read.error());
      return value;
    } else {
      return unpack_new<T>([&](auto& object) {
        using stored = std::remove_reference_t<decltype(object)>;
        return load_packed(system, path, identity(), loaded_form<stored>, std::addressof(object), options);
      });
    }
  }
  [[nodiscard]] static result<void> load_into(T& out, file_system& system, path_ref path,
                                              const load_options& options) {
    require_owning();
    return load_packed(system, path, identity(), loaded_form<T>, std::addressof(out), options);
  }
  [[nodiscard]] static result<T> read(const input_file& file, const load_options& options) {
    require_owning();
    if constexpr (is_streamed<T>) {
      result<T> value{std::in_place};
      const auto streamed = read_streamed(*value, file, options);
      if (!streamed) return fail(streamed.error());
      if (*streamed) return value;
    }
    return unpack_new<T>([&](auto& object) {
      using stored = std::remove_reference_t<decltype(object)>;
      return read_packed(file, schema_id<T>, loaded_form<stored>, std::addressof(object), options);
    });
  }
  [[nodiscard]] static result<void> read_into(T& out, const input_file& file, const load_options& options) {
    require_owning();
    const auto streamed = read_streamed(out, file, options);
    if (!streamed) return fail(streamed.error());
    if (*streamed) return {};
    return read_packed(file, schema_id<T>, loaded_form<T>, std::addressof(out), options);
  }

private:
  static consteval void require_owning() {
    static_assert(!borrows<T>(),
                  "ingot: a string_view, a span or an optional reference can't own what it is decoded into");
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
};

template <class T>
struct file_form : std::conditional_t<require_packable_form<T>(), packable_file_form<T>, no_form<T>> {};

}}} // namespace ingot::INGOT_V1::detail
