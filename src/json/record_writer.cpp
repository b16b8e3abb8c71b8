// SPDX-License-Identifier: Apache-2.0
// Writes records as objects. A single loop writes keys, commas and plain members, with one check of
// the capacity for each member.
#include <ingot/json/detail/record_table.hpp>

#include "direct_output.hpp"
#include "record_reader.hpp"

#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

template <class T>
[[nodiscard]] bool is_version(const void* member, std::uint32_t version) noexcept {
  return std::cmp_equal(load<T>(member), version);
}

struct record_version {
  std::uint64_t number = 0; ///< the number's magnitude, without the sign
  bool is_negative = false;
};
template <class T>
[[nodiscard]] record_version version_of_type(const void* member) noexcept {
  const auto number = load<T>(member);
  const auto bits = static_cast<std::uint64_t>(number); // NOLINT(*-signed-char-misuse,cert-str34-c)
  return number < T{} ? record_version{0 - bits, true} : record_version{bits, false};
}
[[nodiscard]] record_version version_in(scalar code, const void* member) noexcept {
  switch (code) {
  case scalar::i8: return version_of_type<std::int8_t>(member);
  case scalar::i16: return version_of_type<std::int16_t>(member);
  case scalar::i32: return version_of_type<std::int32_t>(member);
  case scalar::i64: return version_of_type<std::int64_t>(member);
  case scalar::u8: return version_of_type<std::uint8_t>(member);
  case scalar::u16: return version_of_type<std::uint16_t>(member);
  case scalar::u32: return version_of_type<std::uint32_t>(member);
  case scalar::u64: return version_of_type<std::uint64_t>(member);
  default: return {};
  }
}

[[nodiscard]] bool carries_version(scalar code, const void* member, std::uint32_t version) noexcept {
  switch (code) {
  case scalar::i8: return is_version<std::int8_t>(member, version);
  case scalar::i16: return is_version<std::int16_t>(member, version);
  case scalar::i32: return is_version<std::int32_t>(member, version);
  case scalar::i64: return is_version<std::int64_t>(member, version);
  case scalar::u8: return is_version<std::uint8_t>(member, version);
  case scalar::u16: return is_version<std::uint16_t>(member, version);
  case scalar::u32: return is_version<std::uint32_t>(member, version);
  case scalar::u64: return is_version<std::uint64_t>(member, version);
  default: return true;
  }
}

} // namespace

class record_writer {
public:
  record_writer(text_writer& writer, const record_writer_table& table) noexcept
      : writer_(writer), table_(table) {}

  /// Writes records whose objects are `size` bytes apart. If `is_list`, they are the elements of an
  /// array. Returns the number of records before an error; `count` if there is no error.
  [[nodiscard]] std::size_t run(const_record_location from, std::size_t count, std::size_t size,
                                bool is_list) {
    direct_output out(writer_);
    for (std::size_t i = 0; i < count; ++i, from.object += size) {
      if (out.is_indented()) [[unlikely]] {
        out.suspend();
        if (is_list) writer_.element();
        out.resume();
      }
      if (!out.reserve(2)) return i;
      if (i != 0 && !out.is_indented()) out.put(',');
      if (!out.enter_object()) return i;
      if (!members(out, from)) [[unlikely]]
        return i;
      if (!out.reserve(1)) return i;
      if (out.is_indented()) [[unlikely]] {
        out.suspend();
        writer_.close_object();
        out.resume();
      } else {
        out.leave_object();
      }
    }
    out.suspend();
    return count;
  }

  /// Writes a record with a tag as the first member. The record is written after the tag, and the
  /// opening bracket of the record becomes a comma. So `run` has no branch for tags.
  [[nodiscard]] static bool run_tagged(text_writer& writer, const record_writer_table& table,
                                       const_record_location from, std::string_view key,
                                       std::string_view tag) {
    if (!writer.open_object() || !writer.key(key) || !writer.string(tag)) return false;
    --writer.depth_;
    const std::size_t bracket = writer.size();
    if (!write_record(writer, table, from)) return false;
    char* const at = writer.begin_ + bracket;
    if (writer.size() != bracket + 2) {
      *at = ',';
      return true;
    }
    writer.truncate(bracket); // the record has no members, so it needs no comma
    ++writer.depth_;
    writer.close_object();
    return true;
  }

private:
  [[nodiscard]] bool version(const_record_location from) {
    if (!table_.version_is_member) {
      if (!writer_.key(version_key)) return false;
      writer_.natural(table_.version);
      return true;
    }
    if (carries_version(table_.members[0].code, from.member(0), table_.version)) return true;
    reject_version(from.member(0));
    return false;
  }
  /// Reports the error that a reader of the text would report for this version.
  INGOT_COLD void reject_version(const void* member) {
    const record_version found = version_in(table_.members[0].code, member);
    const std::string known = "version " + std::to_string(table_.version);
    const bool is_later = !found.is_negative && found.number > table_.version;
    (void)writer_.fail(errc::wrong_version,
                       is_later ? known + " or older" : known + ", or one that can be upgraded",
                       (found.is_negative ? "-" : "") + std::to_string(found.number));
    writer_.error().in_member(table_.members[0].name);
  }
  /// Writes the members of one record.
  [[nodiscard]] INGOT_INLINE bool members(direct_output& out, const_record_location from) {
    std::size_t comma = 1; // size of the comma that is omitted before the next key
    if (table_.version != 0) [[unlikely]] {
      out.suspend();
      const bool is_good = version(from);
      out.resume();
      if (!is_good) return false;
      if (!table_.version_is_member) comma = 0;
    }
    const member_writer* const end = table_.members.data() + table_.members.size();
    for (const member_writer* member = table_.members.data(); member != end; ++member, ++from.offsets) {
      const void* const at = from.member(0);
      if (member->may_be_omitted && is_omitted(*member, at)) continue;
      if (!key(out, *member, comma) || !value(out, *member, at)) [[unlikely]] {
        writer_.error().in_member(member->name);
        return false;
      }
      comma = 0;
    }
    return true;
  }

  [[nodiscard]] INGOT_INLINE bool is_omitted(const member_writer& member, const void* at) const {
    if (member.skipped) return true;
    if (member.empty == nullptr || writer_.options_.empty_members != empty_members::omit) return false;
    if (member.code == scalar::optional_string) return !optional_string(at).has_value();
    return member.empty(at);
  }
  [[nodiscard]] static INGOT_INLINE const std::optional<std::string>& optional_string(const void* at) {
    return *static_cast<const std::optional<std::string>*>(at);
  }

  /// Writes a key, and reserves space for a number.
  [[nodiscard]] INGOT_INLINE bool key(direct_output& out, const member_writer& member, std::size_t comma) {
    if (out.is_indented()) [[unlikely]] {
      out.suspend();
      const bool is_good = writer_.key(member.name);
      out.resume();
      return is_good && out.reserve(number_space);
    }
    if (!out.reserve(member.quoted.size() + number_space)) return false;
    out.put_key(member.quoted.data() + comma, member.quoted.size() - comma);
    return true;
  }

  [[nodiscard]] INGOT_INLINE bool value(direct_output& out, const member_writer& member, const void* at) {
    if (member.code != scalar::other) return out.put_scalar(member.code, at);
    out.suspend();
    const bool is_good = member.write(writer_, at);
    out.resume();
    return is_good;
  }

  text_writer& writer_;
  const record_writer_table& table_;
};

bool write_record(text_writer& writer, const record_writer_table& table, const_record_location from) {
  return record_writer(writer, table).run(from, 1, 0, false) == 1;
}
bool write_records(text_writer& writer, const record_writer_table& table, const_record_location first,
                   std::size_t count, std::size_t size) {
  if (!writer.open_array()) return false;
  if (const std::size_t done = record_writer(writer, table).run(first, count, size, true); done != count) {
    writer.error().in_element(done);
    return false;
  }
  writer.close_array();
  return true;
}
bool write_tagged_record(text_writer& writer, const record_writer_table& table, const_record_location from,
                         std::string_view key, std::string_view tag) {
  return record_writer::run_tagged(writer, table, from, key, tag);
}

}}} // namespace ingot::INGOT_V1::json::detail
