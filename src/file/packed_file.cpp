// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/file/detail/packed_file.hpp>
#include <ingot/file/detail/replace_file.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

[[nodiscard]] replacement replacement_of(const save_options& options) noexcept {
  return {options.durable ? replacing::durable : replacing::fast, options.backup};
}

} // namespace

embedded_schema cached_schema(schema_cache& cache, type_describer describe) {
  const buffer* bytes = cache.bytes.load();
  if (bytes == nullptr) {
    auto fresh = std::make_unique<const buffer>(description_bytes(describe));
    if (cache.bytes.compare_exchange(bytes, fresh.get())) bytes = fresh.release(); // never freed
  }
  return {schema_form::portable, *bytes};
}

result<void> save_bytes(file_system& system, path_ref path, const file_info& info, bytes_view payload,
                        bytes_view schema, const save_options& options) {
  return save_payload(system, path, info, payload, options.schema ? schema : bytes_view{},
                      replacement_of(options), options.compress, {options.progress},
                      options.columns ? std::optional(schema) : std::nullopt);
}

result<void> save_packed(file_system& system, path_ref path, const saved_type& type, const void* value,
                         const save_options& options) {
  return catch_bad_alloc([&]() -> result<void> {
    const bool is_compact = options.form == profile::compact;
    const embedded_schema schema = cached_schema(*type.cache, type.describe);
    const bytes_view embedded = options.schema ? schema.bytes : bytes_view{};
    file_info info;
    info.kind = is_compact ? file_kind::compact : file_kind::packed;
    info.schema = schema.form;
    info.schema_id = type.schema_id;
    if (!options.progress) {
      buffer payload;
      if (auto done = type.pack(payload, is_compact, value); !done) return fail(done.error());
      return save_bytes(system, path, info, payload,
                        options.schema || options.columns ? schema.bytes : bytes_view{}, options);
    }
    std::uint64_t packed = 0; // bytes reported to the progress callback
    const auto tell = [&](std::uint64_t done, std::uint64_t total) {
      packed = done;
      if (total != progress_ref::unknown)
        total += bytes_to_save(total, embedded, options.compress, options.columns);
      return options.progress(done, total);
    };
    const auto payload = encode(is_compact ? *type.compact : *type.packed, value, progress_ref(tell));
    if (!payload) {
      if (payload.error().code() == errc::cancelled) return saving_cancelled(path, packed);
      return fail(payload.error());
    }
    return save_payload(system, path, info, *payload, embedded, replacement_of(options), options.compress,
                        {options.progress, packed},
                        options.columns ? std::optional(schema.bytes) : std::nullopt);
  });
}

result<void> load_packed(file_system& system, path_ref path, const file_identity& wanted,
                         const loaded_type& type, void* out, const load_options& options) {
  return catch_bad_alloc([&]() -> result<void> {
    const auto file = input_file::open(system, path, file_open_mode::read, options.progress);
    if (!file) return fail(file.error());
    if (auto mine = file->expect(wanted, schema_form::portable); !mine) return mine;
    return read_packed(*file, wanted.schema_id, type, out, options);
  });
}

result<void> decode_packed(const bytes_to_decode& what, const loaded_type& type, void* out,
                           progress_tracker* tracker) {
  reader from{what.bytes, what.limits};
  from.tracker = tracker;
  const bool fits = what.bytes.size() <= std::numeric_limits<end_type>::max() ||
                    from.fail(errc::too_large, from.base, "a message of less than 4 GiB", what.bytes.size());
  if (fits && type.read(from, what.is_compact, out)) return {};
  auto failure = reader_failure(from);
  if (what.is_rewritten) failure.error().with_offset(0);
  return failure;
}

result<void> read_packed(const input_file& file, std::uint64_t schema_id, const loaded_type& type, void* out,
                         const load_options& options) {
  const bool is_older = file.header().info.schema_id != schema_id;
  file.expect_parts(is_older ? 3 : 1); // rewriting takes two more passes
  progress_tracker progress = file.telling();
  progress_tracker* const tracker = file.reports_progress() ? &progress : nullptr;
  const auto stored = read_bytes(file, options);
  if (!stored) return fail(stored.error());
  bytes_to_decode what{*stored,
                       file.header().info.kind == file_kind::compact,
                       false,
                       {options.max_memory, options.max_collisions}};
  std::vector<std::byte> rewritten;
  if (is_older) {
    const auto before = older_version::of(file, type.draw);
    if (!before) return fail(before.error());
    if (auto done = before->rewrite(what, rewritten, tracker); !done) {
      return file.rejected(what.is_rewritten ? done.error().with_offset(0) : done.error(), options);
    }
  }
  if (auto read = decode_packed(what, type, out, tracker); !read) return file.rejected(read.error(), options);
  if (auto reported = progress.finish(); !reported) return file.about(reported.error());
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
