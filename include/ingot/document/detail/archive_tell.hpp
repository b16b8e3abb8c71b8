// SPDX-License-Identifier: Apache-2.0
// An archive told as events, for whoever puts its value between others: no document is made of it on the way.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/archive_read.hpp>
#include <ingot/document/detail/events.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Takes the events of an `archive_walk` over a value that was walked before.
class archive_teller {
public:
  archive_teller(archive_tables& tables, document_events& to) noexcept : tables_(tables), to_(to) {}

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

/// Tells the value of an archive, which may be anybody's bytes: the errors of `unarchive`, before anything was told. What the events refuse is
/// theirs to say. O(n), and memory as `unarchive` takes beside the document.
[[nodiscard]] inline result<void> tell_archive(bytes_view bytes, document_events& to) {
  const auto parts = find_archive_parts(bytes);
  if (!parts) return fail(parts.error());
  archive_tables tables;
  pending_error why;
  if (!prove_archive(bytes.data(), *parts, tables, why)) return why.failure();
  archive_teller teller(tables, to);
  uint32_t at = parts->shapes_end;
  // What was proved can fail for want of memory alone.
  if (!archive_walk(bytes.data(), tables, teller, why).read(at, parts->end) && to.good())
    return why.failure();
  return {};
}

}}} // namespace ingot::INGOT_V1::detail::doc
