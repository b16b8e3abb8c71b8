// SPDX-License-Identifier: Apache-2.0
// Decodes packed bytes of an older version of a type into the current type. Needs the schema of the
// older version. docs/evolution.md lists the supported changes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/detail/evolution_codec.hpp>
#include <ingot/pack/detail/evolution_plan.hpp>
#include <ingot/pack/detail/evolution_source.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/pack/detail/evolution_writer.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

template <unpackable T>
class evolution;

/// Options of the functions of `evolution` that read a message.
struct evolution_options {
  /// Limits of memory and time.
  read_limits limits{};
  /// Progress in bytes. Each pass counts the bytes again. If there is nothing to convert, there is
  /// one pass. Otherwise there are three: one validates the message, one writes it as bytes of the
  /// new type, and one reads these bytes. If the callback returns false, the error is `cancelled`.
  progress_ref progress{};
};

namespace detail {
struct evolution_access {
  /// Decodes like `unpack`, or like `unpack_compact` if `compact`. If `tracker` is not null, the
  /// call is part of a larger operation, and `tracker` reports the progress of that operation.
  template <class T>
  [[nodiscard]] static result<T> unpack(const evolution<T>& conversion, bytes_view bytes, bool compact,
                                        progress_tracker* tracker, const read_limits& limits) {
    return compact ? conversion.unpack_compact_by(bytes, tracker, limits)
                   : conversion.unpack_by(bytes, tracker, limits);
  }
  /// Decodes into an existing value, so that no `T` is on the stack.
  template <class T>
  [[nodiscard]] static result<void> unpack_into(const evolution<T>& conversion, T& out, bytes_view bytes,
                                                bool compact, progress_tracker* tracker,
                                                const read_limits& limits = {}) {
    return conversion.unpack_into_by(out, bytes, compact, tracker, limits);
  }
  /// Opens a block; `Conversion` is a `live_evolution`.
  template <class Conversion, class Ceiling>
  [[nodiscard]] static auto open(const Conversion& conversion, bytes_view bytes, Ceiling max_size,
                                 progress_tracker* tracker) {
    return conversion.open_by(bytes, max_size, tracker);
  }
};
} // namespace detail

/// Converts bytes of one schema to a `T`. One object can convert any number of messages, also in
/// several threads at the same time. Copies are cheap. A move is a copy, so a moved-from object
/// stays usable.
template <unpackable T>
class evolution {
public:
  evolution(const evolution&) noexcept = default;
  evolution& operator=(const evolution&) noexcept = default;
  ~evolution() = default;

  /// Prepares for data that was written with the schema `before`. If the schemas are the same,
  /// nothing is allocated. Errors: `schema_mismatch` if data of that schema can't be read as a `T`;
  /// `no_memory`. The error has the path of the first obstacle, the written type and the expected
  /// type. `compatible<T>` lists all obstacles.
  [[nodiscard]] static result<evolution> from(const schema& before) {
    static_assert(!detail::borrows<T>(),
                  "ingot: a string_view, a span or an optional reference can't own what it is decoded into");
    return detail::catch_bad_alloc([&]() -> result<evolution> {
      evolution conversion;
      if (before.id() == schema_id<T>) return conversion;
      if (before.empty())
        return fail(error{errc::schema_mismatch}.with_expected("a schema that is not empty"));
      auto plan =
          detail::plan_evolution(detail::graph_of(before), detail::graph_of_type(detail::draw_type<T>));
      if (!plan) return fail(plan.error());
      conversion.plan_ = std::move(*plan);
      return conversion;
    });
  }
  /// As `from(const schema&)`, for the schema that a description contains. Validates the bytes of
  /// the description first. Errors: also those of `read_schema`.
  [[nodiscard]] static result<evolution> from(bytes_view description) {
    const result<schema> before = read_schema(description);
    if (!before) return fail(before.error());
    return from(*before);
  }

  /// Returns true if there is nothing to convert, because the schemas are the same. The functions
  /// below then do the same as `ingot::unpack` and `compact::unpack`.
  [[nodiscard]] bool is_identity() const noexcept { return plan_ == nullptr; }

  /// Reads a packed message. First validates the message by its own schema. Errors of the
  /// validation have the offset of the byte and the path in the old type. Errors of the new type
  /// (`range`, `valid`, the order of keys, ...) have the path in the new type and offset 0. Other
  /// errors: `too_large` if the new bytes would exceed 4 GiB; `no_memory`; `cancelled`.
  ///
  /// Work and memory are O(n) for n bytes, with a factor that depends on the type. For a type that
  /// contains itself, the depth of the value is another factor. It is at most 128.
  [[nodiscard]] result<T> unpack(bytes_view bytes, const evolution_options& options = {}) const {
    return with_progress(bytes, options, goes_direct(),
                         [&](detail::progress_tracker* by) { return unpack_by(bytes, by, options.limits); });
  }
  /// Reads a message of the compact profile. A member that `elide_defaults` left out gets its
  /// current default.
  [[nodiscard]] result<T> unpack_compact(bytes_view bytes, const evolution_options& options = {}) const {
    return with_progress(bytes, options, is_identity(), [&](detail::progress_tracker* by) {
      return unpack_compact_by(bytes, by, options.limits);
    });
  }

private:
  friend struct detail::evolution_access;
  evolution() = default;

  /// Returns true if old bytes are also bytes of the new type: the schemas are the same, or differ
  /// only in names.
  [[nodiscard]] bool goes_direct() const noexcept { return is_identity() || plan_->pairs[0].is_same; }

  template <class Unpack>
  [[nodiscard]] static result<T> with_progress(bytes_view bytes, const evolution_options& options,
                                               bool direct, const Unpack& unpack) {
    if (!options.progress) return unpack(nullptr);
    const std::uint64_t size = bytes.size();
    detail::progress_tracker by(options.progress, direct ? size : 3 * size, size);
    auto value = unpack(&by);
    if (!value) return value;
    if (auto reported = by.finish(); !reported) return fail(reported.error());
    return value;
  }
  [[nodiscard]] result<T> unpack_by(bytes_view bytes, detail::progress_tracker* tracker,
                                    const read_limits& limits) const {
    if (goes_direct()) {
      return detail::unpack_new<T>([&](auto& value) {
        return detail::unpack_with_progress(value, bytes, trailing::reject, tracker, limits);
      });
    }
    return detail::catch_bad_alloc([&]() -> result<T> {
      detail::packed_validator check(*plan_->before, bytes);
      check.tell_of(tracker);
      if (!check.run()) return check.failure();
      return read(detail::packed_source(*plan_->before, bytes), tracker, bytes.size(), limits);
    });
  }
  [[nodiscard]] result<T> unpack_compact_by(bytes_view bytes, detail::progress_tracker* tracker,
                                            const read_limits& limits) const {
    if (is_identity()) {
      return detail::unpack_new<T>([&](auto& value) {
        return detail::compact_unpack_with_progress(value, bytes, trailing::reject, tracker, limits);
      });
    }
    return detail::catch_bad_alloc([&]() -> result<T> {
      detail::compact_validator check(*plan_->before, bytes);
      check.tell_of(tracker);
      if (!check.run()) return check.failure();
      return read(detail::compact_source(*plan_->before, bytes), tracker, bytes.size(), limits);
    });
  }

  [[nodiscard]] result<void> unpack_into_by(T& out, bytes_view bytes, bool compact,
                                            detail::progress_tracker* tracker,
                                            const read_limits& limits) const {
    return detail::catch_bad_alloc([&]() -> result<void> {
      if (compact ? is_identity() : goes_direct()) {
        return compact ? detail::compact_unpack_with_progress(out, bytes, trailing::reject, tracker, limits)
                       : detail::unpack_with_progress(out, bytes, trailing::reject, tracker, limits);
      }
      const auto again = [&](auto&& check, auto&& source) -> result<void> {
        check.tell_of(tracker);
        if (!check.run()) return check.failure();
        return read_with(std::forward<decltype(source)>(source), tracker, bytes.size(), limits,
                         [&](bytes_view converted) -> result<void> {
                           return detail::unpack_with_progress(out, converted, trailing::reject, tracker,
                                                               limits_of(bytes.size(), limits));
                         });
      };
      if (compact)
        return again(detail::compact_validator(*plan_->before, bytes),
                     detail::compact_source(*plan_->before, bytes));
      return again(detail::packed_validator(*plan_->before, bytes),
                   detail::packed_source(*plan_->before, bytes));
    });
  }

  template <class Source>
  [[nodiscard]] result<T> read(Source source, detail::progress_tracker* tracker, std::size_t size,
                               const read_limits& limits) const {
    return read_with(std::move(source), tracker, size, limits, [&](bytes_view bytes) {
      return detail::unpack_new<T>([&](auto& value) {
        return detail::unpack_with_progress(value, bytes, trailing::reject, tracker, limits_of(size, limits));
      });
    });
  }
  /// Returns `limits` with the memory limit for a message of `size` bytes. The default limit
  /// depends on the size of the original message, and the converted message may be longer.
  [[nodiscard]] static read_limits limits_of(std::size_t size, const read_limits& limits) noexcept {
    return {detail::memory_limit(limits.max_memory, size), limits.max_collisions};
  }
  /// Converts the message to bytes of the new type, and returns `unpack(bytes)`.
  template <class Source, class Unpack>
  [[nodiscard]] auto read_with(Source source, detail::progress_tracker* tracker, std::size_t size,
                               const read_limits& limits, const Unpack& unpack) const
      -> std::invoke_result_t<const Unpack&, bytes_view> {
    if (tracker != nullptr) tracker->begin_pass();
    const result<std::vector<std::byte>> bytes =
        detail::evolution_writer<Source>(*plan_, std::move(source), tracker, size,
                                         detail::memory_limit(limits.max_memory, size))
            .run();
    if (!bytes) return fail(bytes.error());
    if (tracker != nullptr) tracker->begin_pass();
    auto value = unpack(*bytes);
    if (!value) return fail(value.error().with_offset(0));
    return value;
  }

  std::shared_ptr<const detail::evolution_plan> plan_; ///< null if there is nothing to convert
};

/// Reads a packed message that was written with the schema in `description`. For more than one
/// message, create an `evolution` once. Errors: as `evolution`.
template <unpackable T>
[[nodiscard]] result<T> unpack_evolved(bytes_view bytes, bytes_view description,
                                       const evolution_options& options = {}) {
  const auto conversion = evolution<T>::from(description);
  if (!conversion) return fail(conversion.error());
  return conversion->unpack(bytes, options);
}

}} // namespace ingot::INGOT_V1
