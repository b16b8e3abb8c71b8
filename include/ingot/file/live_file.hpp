// SPDX-License-Identifier: Apache-2.0
// Files of live blocks. With this header, `save`, `load` and `map_file` accept a `live`, and
// `map_file` and `open_file` accept a `live_view`.
//
//   #include <ingot/file/live_file.hpp>
//   #include <ingot/file/save.hpp>
//   ingot::save("world.ingot", world); // a live<World>, as its bytes are in memory
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/file/detail/block_payload.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/options.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/pack/evolution.hpp>

#include <span>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the layout that the file contains.
[[nodiscard]] inline result<dynamic_layout> layout_in(const input_file& file) {
  const auto bytes = file.read_schema();
  if (!bytes) return fail(bytes.error());
  auto layout = dynamic_layout::open(as_bytes_view(*bytes));
  if (!layout) {
    error err = layout.error();
    return file.about(err.with_offset(err.offset() + static_cast<std::size_t>(file.header().schema_at())));
  }
  return layout;
}
/// Returns the conversion from blocks of the file's layout to blocks of `Declared`.
template <class Declared, block_policy P>
[[nodiscard]] result<live_evolution<Declared, P>> live_evolution_of(const input_file& file) {
  const auto before = layout_in(file);
  if (!before) return fail(before.error());
  auto conversion = live_evolution<Declared, P>::from(*before);
  if (!conversion) return file.about(conversion.error());
  return conversion;
}
/// Returns the error for a block that must have the current layout. The error names the first
/// member of the file's layout that differs from `Declared`. `mine` is the error that the check of
/// the header returned.
template <class Declared, block_policy P>
[[nodiscard]] std::unexpected<error> other_member(const input_file& file, const error& mine) {
  const auto before = layout_in(file);
  if (!before) return fail(before.error());
  const auto same = same_layout<Declared, P>(*before);
  if (same) return fail(mine);
  error err = same.error();
  if (err.code() != mine.code()) return file.about(err); // for example for `errc::no_memory`
  constexpr std::string_view hint = " (`load` may read it)";
  constexpr std::size_t max_length = 80; // maximum length of `expected` in an error
  const std::string expected(err.expected().substr(0, max_length - hint.size()));
  err.with_expected(expected + std::string(hint)).with_offset(mine.offset());
  return file.about(err);
}

/// Functions that the file forms of all types with live blocks share.
template <class Declared, block_policy P>
struct live_file_form {
  using block = basic_live<Declared, P>;
  using root = typename block::value_type;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::live, file_kind::edited_live}, schema_id<root>, layout_id<root, P>()};
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
};

/// A block that is loaded into memory in which it can grow.
template <class Declared, block_policy P>
struct file_form<basic_live<Declared, P>> : live_file_form<Declared, P> {
  using handle = basic_live<Declared, P>;
  using live_file_form<Declared, P>::identity;
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
    const auto conversion = live_evolution_of<Declared, P>(file);
    if (!conversion) return fail(conversion.error());
    progress_tracker tracker = file.telling();
    auto opened = evolution_access::open(*conversion, *bytes, options.max_size,
                                         file.reports_progress() ? &tracker : nullptr);
    if (!opened) return file.rejected(opened.error(), options);
    if (auto reported = tracker.finish(); !reported) return file.about(reported.error());
    return opened;
  }
};

template <class T>
struct mapped_form;

/// Functions that the forms of mapped blocks share.
template <class Declared, block_policy P>
struct mapped_live_form {
  using root = typename basic_live<Declared, P>::value_type;
  static constexpr schema_form reads_by = schema_form::layout;

  [[nodiscard]] static file_identity identity() {
    return {{file_kind::live, file_kind::live}, schema_id<root>, layout_id<root, P>()};
  }
  [[nodiscard]] static std::unexpected<error> other(const input_file& file, const error& mine) {
    return other_member<Declared, P>(file, mine);
  }
};

/// A block whose bytes can be changed where it is mapped.
template <class Declared, block_policy P>
struct mapped_form<basic_live<Declared, P>> : mapped_live_form<Declared, P> {
  using handle = basic_live<Declared, P>;
  static constexpr bool writes_to_memory = true;

  [[nodiscard]] static result<handle> open(std::span<std::byte> payload, progress_ref progress = {}) {
    return handle::open_in_place(payload, progress);
  }
  [[nodiscard]] static result<handle> open_unchecked(std::span<std::byte> payload) {
    return handle::open_in_place_unchecked(payload);
  }
};

/// A block that is read where it is mapped.
template <class Declared, block_policy P>
struct mapped_form<basic_live_view<Declared, P>> : mapped_live_form<Declared, P> {
  using handle = basic_live_view<Declared, P>;
  static constexpr bool writes_to_memory = false;

  [[nodiscard]] static result<handle> open(bytes_view payload, progress_ref progress = {}) {
    return handle::open(payload, progress);
  }
  [[nodiscard]] static result<handle> open_unchecked(bytes_view payload) {
    return handle::open_unchecked(payload);
  }
};

}}} // namespace ingot::INGOT_V1::detail
