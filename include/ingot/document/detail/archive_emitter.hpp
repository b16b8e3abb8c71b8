// SPDX-License-Identifier: Apache-2.0
// Emits the value of an archive as events, without building a document. The reader of protobuf
// messages needs this, because such messages contain values of any kind as archives.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/archive_read.hpp>
#include <ingot/document/detail/events.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Receives the events of an `archive_walk` over a value. Requires that an earlier walk has read
/// the value.
class archive_emitter {
public:
  archive_emitter(archive_tables& tables, document_events& to) noexcept : tables_(tables), to_(to) {}

  [[nodiscard]] bool scalar(const item& value) noexcept {
    const auto* const bytes = static_cast<const std::byte*>(value.bytes);
    switch (value.kind) {
    case value_kind::boolean: return to_.boolean(value.number != 0);
    case value_kind::integer: return to_.integer(value.integer());
    case value_kind::large_integer: return to_.unsigned_integer(value.number);
    case value_kind::number: return to_.number_bits(value.number);
    case value_kind::text: return to_.text({reinterpret_cast<const char*>(bytes), value.length});
    case value_kind::binary: return to_.binary({bytes, value.length});
    default: return to_.null();
    }
  }
  [[nodiscard]] bool begin_array() noexcept { return to_.begin_array(); }
  [[nodiscard]] bool begin_object(uint32_t) noexcept { return to_.begin_object(); }
  [[nodiscard]] bool key(uint32_t number) noexcept { return to_.key(tables_.key(number)); }
  [[nodiscard]] bool end() noexcept { return to_.end(); }

private:
  archive_tables& tables_;
  document_events& to_;
};

/// Emits the value of an untrusted archive. Errors are those of `unarchive`. All errors but
/// `no_memory` occur before the first event. An error of `to` is not returned: check `to.good()`.
/// O(n). Takes as much memory as `unarchive`, except for the memory of the document.
[[nodiscard]] inline result<void> tell_archive(bytes_view bytes, document_events& to) {
  const auto parts = find_archive_parts(bytes);
  if (!parts) return fail(parts.error());
  archive_tables tables;
  pending_error err;
  if (!validate_archive_bytes(bytes.data(), *parts, tables, err)) return err.failure();
  archive_emitter value_emitter(tables, to);
  uint32_t at = parts->shapes_end;
  // The archive is validated, so the only possible failure is a lack of memory.
  progress_poll no_callback;
  if (!archive_walk(bytes.data(), tables, value_emitter, err, no_callback).read(at, parts->end) && to.good())
    return err.failure();
  return {};
}

}}} // namespace ingot::INGOT_V1::detail::doc
