// SPDX-License-Identifier: Apache-2.0
// Writes one record as one object. A single loop writes names, commas and plain members, with one
// capacity check for each member.
#include <ingot/json/detail/record_table.hpp>

#include "format.hpp"
#include "record_reader.hpp"

#include <cmath>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

template <class T>
[[nodiscard]] T load(const void* from) noexcept {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

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

  [[nodiscard]] bool run(const_record_location from) {
    if (!writer_.open_object()) return false;
    if (table_.version != 0 && !version(from)) return false;
    for (std::size_t i = 0; i < table_.members.size(); ++i) {
      const member_writer& member = table_.members[i];
      if (member.skipped) continue;
      if (member.empty != nullptr && writer_.options_.empty_members == empty_members::omit &&
          member.empty(from.member(i))) {
        continue;
      }
      if (!key(member) || !value(member, from.member(i))) [[unlikely]] {
        writer_.error().in_member(member.name);
        return false;
      }
    }
    writer_.close_object();
    return true;
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

  /// Copies a key of up to 32 bytes by moves of fixed size. The bytes copied after the key are
  /// overwritten later.
  [[nodiscard]] bool key(const member_writer& member) {
    if (writer_.options_.indent != 0) return writer_.key(member.name);
    constexpr std::size_t half = 16;
    std::string_view quoted = member.quoted;
    if (!writer_.reserve(quoted.size() + 2 * half + max_real_size))
      return false; // space for the key and a plain value
    char* const at = writer_.at_;
    const std::size_t first = at[-1] == '{' ? 1 : 0; // the first member has no comma
    const char* const from = quoted.data() + first;
    const std::size_t size = quoted.size() - first;
    std::memcpy(at, from, half);
    if (size > half) {
      if (size < 2 * half) {
        std::memcpy(at + half, from + half, half - 1);
      } else {
        std::memcpy(at, from, size);
      }
    }
    writer_.at_ = at + size;
    return true;
  }

  [[nodiscard]] bool value(const member_writer& member, const void* from) {
    switch (member.code) {
    case scalar::boolean: writer_.boolean(*static_cast<const bool*>(from)); return true;
    case scalar::i8: return integer(load<std::int8_t>(from));
    case scalar::i16: return integer(load<std::int16_t>(from));
    case scalar::i32: return integer(load<std::int32_t>(from));
    case scalar::i64: return integer(load<std::int64_t>(from));
    case scalar::u8: return natural(load<std::uint8_t>(from));
    case scalar::u16: return natural(load<std::uint16_t>(from));
    case scalar::u32: return natural(load<std::uint32_t>(from));
    case scalar::u64: return natural(load<std::uint64_t>(from));
    case scalar::f32: return real(load<float>(from));
    case scalar::f64: return real(load<double>(from));
    case scalar::string: return writer_.string(*static_cast<const std::string*>(from));
    default: return member.write(writer_, from);
    }
  }

  [[nodiscard]] bool natural(std::uint64_t number) {
    writer_.reserve(max_integer_size);
    writer_.at_ = put_natural(writer_.at_, number);
    return true;
  }
  [[nodiscard]] bool integer(std::int64_t number) {
    writer_.reserve(max_integer_size);
    writer_.at_ = put_integer(writer_.at_, number);
    return true;
  }
  template <class Float>
  [[nodiscard]] bool real(Float number) {
    if (!std::isfinite(number)) [[unlikely]]
      return writer_.real(number);
    writer_.reserve(max_real_size);
    writer_.at_ = put_real(writer_.at_, number);
    return true;
  }

  text_writer& writer_;
  const record_writer_table& table_;
};

bool write_record(text_writer& writer, const record_writer_table& table, const_record_location from) {
  return record_writer(writer, table).run(from);
}
bool write_tagged_record(text_writer& writer, const record_writer_table& table, const_record_location from,
                         std::string_view key, std::string_view tag) {
  return record_writer::run_tagged(writer, table, from, key, tag);
}

}}} // namespace ingot::INGOT_V1::json::detail
