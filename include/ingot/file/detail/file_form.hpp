// SPDX-License-Identifier: Apache-2.0
// Form of each type in a file: a packable type as packed or compact bytes, a live block and a
// document as their memory.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/file/detail/file_evolution.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/streamed_list.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/options.hpp>
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema_id.hpp>

#include <cstddef>
#include <limits>
#include <span>
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
  return {schema_form::portable, schema_bytes<T>()};
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

/// Returns the payload in memory that was not zeroed before.
[[nodiscard]] inline result<buffer> read_bytes(const input_file& file, const load_options& options) {
  const auto size = file.payload_size(options.max_bytes);
  if (!size) return fail(size.error());
  buffer bytes;
  if (!bytes.resize(*size)) return file.no_memory();
  if (auto read = file.read_payload({bytes.data(), bytes.size()}, options.checksum, options.threads); !read)
    return fail(read.error());
  return bytes;
}

template <class T>
struct file_form {
  static_assert(packable<T>);
  using handle = view<T>;
  static constexpr bool writes_to_memory = false;
  static constexpr schema_form reads_by = schema_form::portable;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::packed, file_kind::compact}, schema_id<T>, 0};
  }
  [[nodiscard]] static file_identity mapped_identity() {
    return {{file_kind::packed, file_kind::packed}, schema_id<T>, 0};
  }
  [[nodiscard]] static file_info info(const save_options& options) {
    return packed_info<T>(options.form == profile::compact ? file_kind::compact : file_kind::packed);
  }
  [[nodiscard]] static embedded_schema schema() { return packed_schema<T>(); }
  /// Returns the error for a file of another version, where only the current version of the type is
  /// accepted. `mine` is the error of the header.
  [[nodiscard]] static std::unexpected<error> other(const input_file&, const error& mine) {
    error err = mine;
    return fail(err.with_expected("the type as it is now; `load` reads files of its older versions"));
  }
  /// Returns the payload; writes it to `room` if it isn't in memory in this form.
  [[nodiscard]] static result<bytes_view> payload(const T& value, const save_options& options, buffer& room) {
    auto packed =
        options.form == profile::compact ? compact::pack_to(room, value) : ingot::pack_to(room, value);
    if (!packed) return fail(packed.error());
    return bytes_view(room);
  }
  /// As `payload`, with progress reports.
  [[nodiscard]] static result<bytes_view> payload_told(const T& value, const save_options& options,
                                                       buffer& room, progress_ref progress) {
    auto packed =
        options.form == profile::compact ? compact::pack(value, progress) : ingot::pack(value, progress);
    if (!packed) return fail(packed.error());
    room = std::move(*packed);
    return bytes_view(room);
  }
  /// Decodes into `out` while the file is read. Returns false if the payload must be
  /// read as a whole: the type or kind is not streamed, or the payload is invalid.
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
    if constexpr (is_streamed<T>) {
      result<T> value{std::in_place};
      const auto streamed = read_streamed(*value, file, options);
      if (!streamed) return fail(streamed.error());
      if (*streamed) return value;
    }
    const auto bytes = read_whole_payload(file, options);
    if (!bytes) return fail(bytes.error());
    progress_tracker tracker = file.telling();
    auto value = is_older(file) ? read_older(file, *bytes, tracker, options) : unpack_new<T>([&](auto& made) {
      return decode(made, file, *bytes, tracker, options);
    });
    if (!value) return value;
    if (auto reported = tracker.finish(); !reported) return file.about(reported.error());
    return value;
  }
  [[nodiscard]] static result<void> read_into(T& out, const input_file& file, const load_options& options) {
    const auto streamed = read_streamed(out, file, options);
    if (!streamed) return fail(streamed.error());
    if (*streamed) return {};
    const auto bytes = read_whole_payload(file, options);
    if (!bytes) return fail(bytes.error());
    progress_tracker tracker = file.telling();
    // Values may be too large for the stack: the decoder writes directly into `out`.
    const auto read = is_older(file) ? read_older_into(out, file, *bytes, tracker, options)
                                     : decode(out, file, *bytes, tracker, options);
    if (!read) return read;
    if (auto reported = tracker.finish(); !reported) return file.about(reported.error());
    return {};
  }
  [[nodiscard]] static bool is_older(const input_file& file) noexcept {
    return file.header().info.schema_id != schema_id<T>;
  }
  /// Returns the whole payload. Progress counts each byte when it is read. Decoding counts it
  /// again: once, or three times for an older version of the type.
  [[nodiscard]] static result<buffer> read_whole_payload(const input_file& file,
                                                         const load_options& options) {
    file.expect_parts(is_older(file) ? 3 : 1);
    return read_bytes(file, options);
  }
  template <class Made>
  [[nodiscard]] static result<void> decode(Made& made, const input_file& file, bytes_view bytes,
                                           progress_tracker& tracker, const load_options& options) {
    const read_limits limits = limits_of(options);
    progress_tracker* const by = file.reports_progress() ? &tracker : nullptr;
    const auto read = is_compact(file)
                          ? compact_unpack_with_progress(made, bytes, trailing::reject, by, limits)
                          : unpack_with_progress(made, bytes, trailing::reject, by, limits);
    if (!read) return file.with_file_context(read.error());
    return {};
  }
  [[nodiscard]] static read_limits limits_of(const load_options& options) noexcept {
    return {options.max_memory, options.max_collisions};
  }
  [[nodiscard]] static result<T> read_older(const input_file& file, bytes_view bytes,
                                            progress_tracker& tracker, const load_options& options) {
    const auto way = evolution_of<T>(file);
    if (!way) return fail(way.error());
    auto value = evolution_access::unpack(*way, bytes, is_compact(file),
                                          file.reports_progress() ? &tracker : nullptr, limits_of(options));
    if (!value) return file.with_file_context(value.error());
    return value;
  }
  [[nodiscard]] static result<void> read_older_into(T& out, const input_file& file, bytes_view bytes,
                                                    progress_tracker& tracker, const load_options& options) {
    const auto way = evolution_of<T>(file);
    if (!way) return fail(way.error());
    auto read = evolution_access::unpack_into(
        *way, out, bytes, is_compact(file), file.reports_progress() ? &tracker : nullptr, limits_of(options));
    if (!read) return file.with_file_context(read.error());
    return read;
  }
  [[nodiscard]] static bool is_compact(const input_file& file) noexcept {
    return file.header().info.kind == file_kind::compact;
  }
  [[nodiscard]] static result<handle> open(bytes_view payload) {
    if (payload.size() > std::numeric_limits<end_type>::max())
      return fail(
          error{errc::too_large}.with_expected("a message of less than 4 GiB").with_found(payload.size()));
    reader r{payload};
    validate_only nowhere; // hooks and limits need objects to check, which takes memory
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

/// Returns the length of a block of the policy `P`, if it may be read into memory. A length that no
/// block can have is `too_large`, not `no_memory`.
template <block_policy P>
[[nodiscard]] result<std::size_t> block_size(const input_file& file, const load_options& options) {
  constexpr std::size_t most = slot_layout<P>::limit(std::size_t{1} << slot_pool::largest_class);
  const auto size = file.payload_size(options.max_bytes);
  if (!size) return size;
  return file.payload_size(most, "no more bytes than a block can have");
}

/// Reads a block or a document into memory that can grow, and validates it. Progress counts each
/// byte when it is read, and again when it is validated.
template <class Handle>
[[nodiscard]] result<Handle> load_and_validate(const input_file& file, const load_options& options,
                                               std::size_t size) {
  file.expect_parts(1);
  auto memory = Handle::receive_buffer(size, options.max_size);
  if (!memory) return file.no_memory();
  if (auto read = file.read_payload(memory.bytes(), options.checksum, options.threads); !read)
    return fail(read.error());
  const auto told = file.telling_bytes();
  auto opened =
      Handle::open(std::move(memory), file.reports_progress() ? progress_ref(told) : progress_ref());
  if (!opened) return file.with_file_context(opened.error());
  return opened;
}

/// Shared by all types that hold live blocks.
template <class Declared, block_policy P>
struct live_file_form {
  using block = basic_live<Declared, P>;
  using root = typename block::value_type;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::live, file_kind::edited_live}, schema_id<root>, layout_id<root, P>()};
  }
  [[nodiscard]] static file_identity mapped_identity() {
    return {{file_kind::live, file_kind::live}, schema_id<root>, layout_id<root, P>()};
  }
  [[nodiscard]] static file_info info(const save_options&) {
    file_info info;
    info.kind = file_kind::live;
    info.schema = schema_form::layout;
    info.schema_id = schema_id<root>;
    info.layout_id = layout_id<root, P>();
    return info;
  }
  [[nodiscard]] static embedded_schema schema() { return {schema_form::layout, layout_of<Declared, P>()}; }
  [[nodiscard]] static std::unexpected<error> other(const input_file& file, const error& mine) {
    return other_member<Declared, P>(file, mine);
  }
};

/// A block: loaded into memory in which it can grow, or mapped, where its bytes can be changed.
template <class Declared, block_policy P>
struct file_form<basic_live<Declared, P>> : live_file_form<Declared, P> {
  using handle = basic_live<Declared, P>;
  using live_file_form<Declared, P>::identity;
  static constexpr bool writes_to_memory = true;
  static constexpr schema_form reads_by = schema_form::layout;

  [[nodiscard]] static result<bytes_view> payload(const handle& value, const save_options&, buffer&) {
    if (!value) return fail(error{errc::invalid_value}.with_expected("a block (this one was moved from)"));
    if constexpr (can_be_rejected<reader_checks{}, typename handle::value_type>) {
      if (const auto good = value.check(); !good) return fail(good.error());
    }
    return value.bytes();
  }
  [[nodiscard]] static result<handle> read(const input_file& file, const load_options& options) {
    if (!file.is_of(identity())) return read_older(file, options);
    const auto size = block_size<P>(file, options);
    if (!size) return fail(size.error());
    if (*size < root_position)
      return file.with_file_context(error{errc::truncated, *size}.with_expected("a block's header"));
    return load_and_validate<handle>(file, options, *size);
  }
  [[nodiscard]] static result<handle> read_older(const input_file& file, const load_options& options) {
    file.expect_parts(3);
    const auto bytes = read_bytes(file, options);
    if (!bytes) return fail(bytes.error());
    const auto way = live_evolution_of<Declared, P>(file);
    if (!way) return fail(way.error());
    progress_tracker tracker = file.telling();
    auto opened =
        evolution_access::open(*way, *bytes, options.max_size, file.reports_progress() ? &tracker : nullptr);
    if (!opened) return file.with_file_context(opened.error());
    if (auto reported = tracker.finish(); !reported) return file.about(reported.error());
    return opened;
  }
  [[nodiscard]] static result<handle> open(std::span<std::byte> payload, progress_ref progress = {}) {
    return handle::open_in_place(payload, progress);
  }
  [[nodiscard]] static result<handle> open_unchecked(std::span<std::byte> payload) {
    return handle::open_in_place_unchecked(payload);
  }
};

/// A block that is read where it is mapped.
template <class Declared, block_policy P>
struct file_form<basic_live_view<Declared, P>> : live_file_form<Declared, P> {
  using handle = basic_live_view<Declared, P>;
  static constexpr bool writes_to_memory = false;
  static constexpr schema_form reads_by = schema_form::layout;

  [[nodiscard]] static result<handle> open(bytes_view payload, progress_ref progress = {}) {
    return handle::open(payload, progress);
  }
  [[nodiscard]] static result<handle> open_unchecked(bytes_view payload) {
    return handle::open_unchecked(payload);
  }
};

template <>
struct file_form<document> {
  using handle = document;
  static constexpr bool writes_to_memory = true;
  static constexpr schema_form reads_by = schema_form::none;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::document, file_kind::edited_document}, 0, 0};
  }
  [[nodiscard]] static file_identity mapped_identity() {
    return {{file_kind::document, file_kind::document}, 0, 0};
  }
  [[nodiscard]] static file_info info(const save_options&) {
    file_info info;
    info.kind = file_kind::document;
    return info;
  }
  [[nodiscard]] static embedded_schema schema() { return {}; }
  [[nodiscard]] static result<bytes_view> payload(const document& value, const save_options&, buffer&) {
    if (!value) return fail(error{errc::invalid_value}.with_expected("a document (this one was moved from)"));
    return value.bytes();
  }
  [[nodiscard]] static result<document> read(const input_file& file, const load_options& options) {
    const auto size = block_size<narrow_policy>(file, options);
    if (!size) return fail(size.error());
    if (*size == 0)
      return file.with_file_context(error{errc::truncated}.with_expected("a document's header"));
    return load_and_validate<document>(file, options, *size);
  }
  [[nodiscard]] static result<document> open(std::span<std::byte> payload, progress_ref progress = {}) {
    return document::open_in_place(payload, progress);
  }
  [[nodiscard]] static result<document> open_unchecked(std::span<std::byte> payload) {
    return document::open_in_place_unchecked(payload);
  }
};

}}} // namespace ingot::INGOT_V1::detail
