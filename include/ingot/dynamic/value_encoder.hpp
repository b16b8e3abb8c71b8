// SPDX-License-Identifier: Apache-2.0
// Converts values of a document to values of types that are known at run time: numbers, names of
// enumerators, characters of text.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/growing_buffer.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/detail/read.hpp>
#include <ingot/document/detail/read_wrapped.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/document/detail/wrapped.hpp>
#include <ingot/document/value.hpp>
#include <ingot/dynamic/detail/count_periods.hpp>
#include <ingot/dynamic/detail/enumerator_input.hpp>
#include <ingot/dynamic/detail/number_input.hpp>
#include <ingot/dynamic/detail/value_input.hpp>
#include <ingot/dynamic/message_types.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/hooks.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `pack_document`: missing members, unknown members, maximum size, progress.
struct pack_document_options {
  /// If true, a member that the object lacks is an error. If false, the member is zero, empty or
  /// absent. Optional members may always be absent. So may all members of a record that omits its
  /// defaults in the compact profile.
  bool missing_is_error = false;
  /// If true, members of an object that the record lacks are skipped. If false, they are an error.
  bool unknown_is_ignored = false;
  /// Maximum size of the message in bytes, below 4 GiB. If the message would be longer, the error
  /// is `too_large`. Set a lower maximum for untrusted schemas: a schema can request any number of
  /// zeros.
  std::size_t max_bytes = 0xFFFFFFFE;
  /// Progress in bytes of the message. The total is `progress_ref::unknown` until the end.
  progress_ref progress{};
};

namespace detail::dyn {

/// The part of a writer that does not depend on the profile.
class value_encoder_base {
public:
  [[nodiscard]] const error& why() const noexcept { return why_; }
  /// Returns the number of bytes of the last report if the callback cancelled the call.
  [[nodiscard]] std::optional<std::uint64_t> cancelled_at() const noexcept {
    return cancelled_ ? std::optional(reported_) : std::nullopt;
  }

protected:
  value_encoder_base(const message_tables& types, const pack_document_options& options) noexcept
      : types_(types), options_(options), max_size_(std::min<std::uint64_t>(options.max_bytes, 0xFFFFFFFE)),
        poll_at_(options.progress ? std::min(max_size_, report_interval) : max_size_) {}

  /// Returns true if the message may grow by `n` bytes.
  bool has_space(const growing_buffer& to, std::uint64_t n) {
    return (to.size() <= poll_at_ && n <= poll_at_ - to.size()) || should_continue(to.size(), n);
  }
  /// Slow path of `has_space`: checks the limit, and calls the progress callback.
  INGOT_COLD bool should_continue(std::uint64_t size, std::uint64_t n) {
    if (size > max_size_ || n > max_size_ - size)
      return fail(errc::too_large, "a message within the limit, and of less than 4 GiB");
    reported_ = std::max(reported_, size);
    if (!options_.progress(reported_, progress_ref::unknown)) {
      cancelled_ = true;
      return fail(errc::cancelled, {});
    }
    poll_at_ = size + std::min(max_size_ - size, std::max(report_interval, n));
    return true;
  }
  bool fail(const error& err) {
    why_ = err;
    return false;
  }
  bool fail(errc code, std::string_view expected) { return fail(error{code}.with_expected(expected)); }
  bool mismatch(const input& from, std::string_view expected) {
    why_ = error{errc::type_mismatch}.with_expected(expected).with_found(name_of(from));
    return false;
  }
  bool in_element(std::uint64_t i) {
    why_.in_element(i);
    return false;
  }

  /// Sets `bits` to those of a boolean, integer, character, byte, float or enumerator.
  bool scalar(std::uint32_t type, const input& from, std::uint64_t& bits) {
    const evolving_node& what = types_.node(type);
    const schema_attributes& attributes = what.attributes;
    bits = 0;
    switch (attributes.kind) {
    case schema_kind::boolean:
      if (from.is_missing()) return true;
      if (from.is_key || !from.of.is_boolean()) return mismatch(from, "a boolean");
      bits = from.of.value_or(false) ? 1 : 0;
      return true;
    case schema_kind::floating: return floating(attributes, from, bits);
    case schema_kind::enumeration: return enumerator(what, from, bits);
    case schema_kind::character:
      if (from.is_text()) return character(attributes, from.text(), bits);
      [[fallthrough]];
    default: return from.is_missing() || integer(attributes, from, bits);
    }
  }
  /// Returns true if the input for a time or duration is text or an object, not a count.
  [[nodiscard]] static bool is_meant(const input& from) noexcept {
    return !from.is_key && (from.of.is_string() || from.of.is_object());
  }
  /// Converts text or an object to a time or duration, as `as<T>` does. The result is a number of
  /// periods: sets `bits` to the bits of this number, and `count` to the index of its type. Schemas
  /// have no clocks, so every time point counts from 1970.
  INGOT_COLD bool time(std::uint32_t type, const input& from, std::uint32_t& count, std::uint64_t& bits) {
    const bool is_point = types_.node(type).attributes.kind == schema_kind::time_point;
    const std::uint32_t length = is_point ? types_.part_type(type, 0) : type;
    const schema_attributes& period = types_.node(length).attributes;
    if (period.kind != schema_kind::duration) return mismatch(from, "a count");
    count = types_.part_type(length, 0);
    const schema_attributes& number = types_.node(count).attributes;
    const auto reject_reading = [&](const doc::reading& r) {
      why_ = *r.why;
      return false;
    };
    doc::reading r(doc::access::memory_of(from.of));
    instant found;
    bool is_length = false;
    if (!doc::read_instant(r, doc::access::item_of(from.of), found, is_length)) return reject_reading(r);
    if (is_point && is_length) return fail(errc::type_mismatch, "a point in time, not a duration");
    if (number.kind == schema_kind::floating) {
      if (number.width == 8)
        bits = std::bit_cast<std::uint64_t>(count_periods<double>(found, period.extent, period.divisor));
      else bits = std::bit_cast<std::uint32_t>(count_periods<float>(found, period.extent, period.divisor));
      return true;
    }
    if (number.kind != schema_kind::integer) return mismatch(from, "a count");
    bool negative = false;
    if (!doc::reject_time(r, count_periods(found, period.extent, period.divisor, bits, negative)))
      return reject_reading(r);
    if (negative && bits > std::uint64_t{1} << 63)
      return fail(errc::out_of_range, "a time within the range of the type");
    if (negative) bits = 0 - bits;
    if (fits(number, bits, negative)) return true;
    return fail(errc::out_of_range, "a time within the range of the type");
  }
  /// Appends the characters of text in the encoding of messages.
  bool text(std::uint32_t type, const input& from, growing_buffer& to) {
    const std::uint64_t width = types_.all.types[types_.part_type(type, 0)].size;
    if (from.is_missing()) return true;
    if (!from.is_text()) return mismatch(from, "text");
    const std::string_view all = from.text();
    if (width == 1) {
      to.append(all);
      return true;
    }
    if (!is_utf8(all)) return fail(errc::invalid_utf8, "UTF-8");
    for (std::size_t i = 0; i < all.size();) {
      const std::uint32_t code = next_code(all, i);
      if (width == 4) {
        unit(to, code, 4);
      } else if (code < 0x10000) {
        unit(to, code, 2);
      } else {
        unit(to, 0xD800 + ((code - 0x10000) >> 10), 2);
        unit(to, 0xDC00 + (code & 0x3FF), 2);
      }
    }
    return true;
  }
  /// Reads digits 0 and 1, the highest bit first. Requires that `to` has space for the bits, and
  /// that this space contains only zeros.
  bool bits(std::uint32_t type, const input& from, std::byte* to) {
    if (from.is_missing()) return true;
    const std::uint64_t count = types_.all.types[type].extent;
    const std::string_view digits = from.text();
    if (!from.is_text() || digits.find_first_not_of("01") != std::string_view::npos)
      return mismatch(from, "text of 0 and 1");
    if (digits.size() != count) return fail(errc::out_of_range, "as many digits as there are bits");
    for (std::size_t i = 0; i < digits.size(); ++i) {
      const std::size_t bit = digits.size() - 1 - i;
      if (digits[i] == '1') to[bit / 8] |= std::byte{1} << bit % 8;
    }
    return true;
  }
  /// Finds the alternative of a variant or an expected. The input is an object with one member: its
  /// key names the alternative, and its value is the value to write. A missing input means the
  /// first alternative. For a variant with a `tag_key`, see `tagged_record`.
  bool tagged(std::uint32_t type, const input& from, std::size_t& tag, input& held) {
    const evolving_node& what = types_.node(type);
    const bool is_variant = what.attributes.kind == schema_kind::variant;
    tag = 0;
    held = {};
    if (from.is_missing()) return true;
    const std::string_view expected = is_variant ? "an object whose key is the tag of an alternative"
                                                 : R"(an object with "value" or "error")";
    if (!types_.all.types[type].tag_key.empty()) return tagged_record(type, from, tag, held);
    if (from.is_key || !from.of.is_object() || from.of.size() != 1) return mismatch(from, expected);
    const auto [key, held_value] = *from.of.members().begin();
    held.of = held_value;
    if (is_variant) return find_alternative(type, key, tag);
    if (key != "value" && key != "error") return fail(errc::bad_variant, expected);
    tag = key == "error" ? 1 : 0;
    return select_alternative(what, tag).exists || fail(errc::bad_variant, expected);
  }
  /// Finds the alternative of a variant with a `tag_key`. The input is the object of the
  /// alternative, with the tag as a member, or an object with the tag as its only key. The tag is
  /// text in the first form, and the value of the key is an object in the second.
  bool tagged_record(std::uint32_t type, const input& from, std::size_t& tag, input& held) {
    const std::string_view tag_key = types_.all.types[type].tag_key;
    if (from.is_key || !from.of.is_object()) return mismatch(from, "an object");
    const auto name = from.of.find(tag_key);
    if (name.is_string()) {
      held = {from.of, tag_key, false};
      if (find_alternative(type, name.value_or(std::string_view()), tag)) return true;
    } else {
      if (from.of.size() == 1) {
        const auto [key, only] = *from.of.members().begin();
        held.of = only;
        if (only.is_object() && find_alternative(type, key, tag)) return true;
      }
      if (name.exists()) static_cast<void>(mismatch({name, {}, false}, "the tag of an alternative"));
      else static_cast<void>(fail(errc::missing_member, "the tag of the variant"));
    }
    why_.in_member(tag_key);
    return false;
  }
  bool find_alternative(std::uint32_t type, std::string_view key, std::size_t& tag) {
    const auto alternatives = types_.all.parts_of(types_.all.types[type]);
    std::size_t index = alternatives.size();
    const bool is_index = number_of(key, index) && index < alternatives.size();
    if (is_index && alternatives[index].repeated && decimal_text(index).view() == key)
      return tag = index, true;
    for (tag = 0; tag < alternatives.size(); ++tag) {
      if (!alternatives[tag].repeated && alternatives[tag].name == key) return true;
    }
    decimal_text digits{0};
    const expected_tags expected(key, alternatives.size(), [&](std::size_t i) {
      digits = decimal_text(i);
      return alternatives[i].repeated ? digits.view() : alternatives[i].name;
    });
    why_ = error{errc::bad_variant}.with_expected(expected.view()).with_found(key);
    return false;
  }
  /// Finds whether an optional has a value, and finds this value. A value that may itself be null
  /// is in an array of one element.
  bool optional(std::uint32_t type, const input& from, bool& has_value, input& held) {
    has_value = !from.is_missing() && (from.is_key || !from.of.is_null());
    held = from;
    const evolving_node& inner = types_.node(types_.part_type(type, 0));
    if (!has_value || (inner.attributes.kind != schema_kind::optional && !inner.is_archive)) return true;
    if (from.is_key || !from.of.is_array() || from.of.size() != 1)
      return mismatch(from, "null or an array of one element");
    held = {from.of[std::size_t{0}], {}, false};
    return true;
  }
  /// Returns true if the input can be a record; otherwise sets the error.
  bool object(std::uint32_t type, const input& from) {
    if (from.is_missing()) return true;
    if (from.is_key || !from.of.is_object()) return mismatch(from, "an object");
    if (options_.unknown_is_ignored) return true;
    const auto members = types_.all.parts_of(types_.all.types[type]);
    std::size_t known = (has_version_apart(type, from) ? 1U : 0U) + (from.key.empty() ? 0U : 1U);
    for (const part& each : members) known += each.repeated || !from.of.contains(each.name) ? 0 : 1;
    if (known == from.of.size()) return true;
    for (const auto& [key, unused] : from.of.members()) {
      static_cast<void>(unused);
      bool is_known =
          (key == "$version" && has_version_apart(type, from)) || (key == from.key && !from.key.empty());
      for (const part& each : members) is_known = is_known || each.name == key;
      if (is_known) continue;
      why_ = error{errc::unknown_member}.with_expected("a member of the record").with_found(key);
      return false;
    }
    return true;
  }
  /// Returns true if the object has the schema's version under `$version`. JSON writes versions
  /// there for records without a version member.
  [[nodiscard]] bool has_version_apart(std::uint32_t type, const input& from) const {
    const schema_attributes& attributes = types_.node(type).attributes;
    return attributes.has(schema_flag::is_versioned) && !types_.has_version_member(type) &&
           from.of.find("$version").value_or(~std::uint64_t{0}) == attributes.extent;
  }
  /// Finds the input of a member. Without input, writers set a version member to the schema's
  /// version.
  bool member(std::uint32_t type, const input& from, std::size_t k, input& to) {
    const part& each = types_.all.parts[types_.all.types[type].first + k];
    to = {};
    if (!from.is_missing()) to.of = from.of.find(each.name);
    const schema_kind kind = types_.node(each.type).attributes.kind;
    left_out_ =
        left_out_ || (to.is_missing() && types_.node(type).attributes.has(schema_flag::elides_defaults));
    if (to.is_missing() && options_.missing_is_error && kind != schema_kind::optional &&
        !types_.node(type).attributes.has(schema_flag::elides_defaults)) {
      fail(errc::missing_member, "a value for every member");
      return in_member(type, k);
    }
    return true;
  }
  bool in_member(std::uint32_t type, std::size_t k) {
    const evolving_node& what = types_.node(type);
    if (what.attributes.kind == schema_kind::record) why_.in_member(what.children[k].name);
    else why_.in_element(k);
    return false;
  }
  /// Checks that the input is an array; if `exactly` is true, of exactly `count` elements.
  bool elements(const input& from, std::uint64_t count, bool exactly) {
    if (from.is_missing()) return true;
    if (from.is_key || !from.of.is_array()) return mismatch(from, "an array");
    if (!exactly || from.of.size() == count) return true;
    why_ = error{from.of.size() > count ? errc::too_long : errc::bad_length}
               .with_expected("as many elements as the array has")
               .with_found(from.of.size());
    return false;
  }
  /// Returns true if the input for a list of characters or bytes is text or bytes. Then sets
  /// `bytes` to its content.
  bool side_by_side(std::uint32_t element, const input& from, std::string_view& bytes) const {
    const schema_attributes& attributes = types_.node(element).attributes;
    if (attributes.kind == schema_kind::character && attributes.width == 1 && from.is_text())
      return bytes = from.text(), true;
    if (attributes.kind != schema_kind::byte || from.is_key || !from.of.is_binary()) return false;
    const bytes_view found = from.of.visit([]<class... T>(const T&... what) -> bytes_view {
      if constexpr ((std::is_same_v<T, bytes_view> && ...) && sizeof...(T) == 1) return (what, ...);
      else return {};
    });
    bytes = {reinterpret_cast<const char*>(found.data()), found.size()};
    return true;
  }

  /// Writes the archive of a value of any kind. A missing value becomes null.
  bool archived(const input& from, growing_buffer& archive_bytes) {
    if (from.is_key || (from.is_missing() && options_.missing_is_error)) return mismatch(from, "a value");
    const document none(nullptr);
    const auto written = archive(from.is_missing() ? none.root() : from.of);
    if (!written) {
      why_ = written.error();
      return false;
    }
    archive_bytes.append(bytes_view(*written));
    return true;
  }

  const message_tables& types_;
  static constexpr std::uint64_t report_interval = std::uint64_t{256} << 10;
  const pack_document_options& options_;
  std::uint64_t max_size_; ///< maximum size in bytes
  std::uint64_t poll_at_;  ///< position of the next check, in bytes
  /// Largest reported size, so that reports never decrease. Keys and some records are first written
  /// to a buffer of their own, which may be smaller than the size that was already reported.
  std::uint64_t reported_ = 0;
  bool cancelled_ = false;
  bool left_out_ = false; ///< a missing member was omitted, so it has its default
  error why_;

private:
  bool integer(const schema_attributes& attributes, const input& from, std::uint64_t& bits) {
    bool negative = false;
    if (is_wrapped_number(from)) [[unlikely]] {
      doc::item found;
      if (!wrapped_number(from, false, found)) return false;
      if (found.kind == value_kind::number) return fail(integer_error(attributes, found.real()));
      bits = found.number;
      negative = found.kind == value_kind::integer && found.integer() < 0;
    } else if (!whole(from, bits, negative)) {
      if (from.is_key || !from.of.is_number()) return mismatch(from, "an integer");
      return fail(whole_error(attributes, from.of.value_or(0.0)));
    }
    return fits(attributes, bits, negative) || fail(integer_error(attributes, bits, negative));
  }
  /// Returns true for an object that represents a number of CBOR, such as a decimal fraction.
  [[nodiscard]] static bool is_wrapped_number(const input& from) noexcept {
    if (from.is_key || !from.of.is_object()) return false;
    doc::wrapped_value found;
    return doc::find_wrapped(doc::access::memory_of(from.of), doc::access::item_of(from.of), found) &&
           !found.is_time;
  }
  bool wrapped_number(const input& from, bool takes_nearest, doc::item& to) {
    doc::reading r(doc::access::memory_of(from.of));
    if (doc::read_wrapped_number(r, doc::access::item_of(from.of), takes_nearest, to)) return true;
    why_ = *r.why;
    return false;
  }
  /// Reads a value of a character type from its JSON form: a text of exactly one character.
  bool character(const schema_attributes& attributes, std::string_view text, std::uint64_t& bits) {
    std::size_t length = 0;
    if (!text.empty() && is_utf8(text)) bits = next_code(text, length);
    const std::uint64_t largest_code = attributes.width == 1   ? 0x7F
                                       : attributes.width == 2 ? 0xFFFF
                                                               : 0x10FFFF;
    if (length != 0 && length == text.size() && bits <= largest_code) return true;
    return fail(
        error{errc::out_of_range}.with_expected("one character that the type holds").with_found(text));
  }
  bool floating(const schema_attributes& attributes, const input& from, std::uint64_t& bits) {
    if (from.is_missing()) return true;
    if (from.is_key) return mismatch(from, "a number");
    doc::item found = doc::access::item_of(from.of);
    if (is_wrapped_number(from) && !wrapped_number(from, true, found)) return false;
    if (found.kind == value_kind::integer || found.kind == value_kind::large_integer) {
      const bool negative = found.kind == value_kind::integer && found.integer() < 0;
      const std::uint64_t magnitude = negative ? 0 - found.number : found.number;
      if (!doc::is_exact_double(magnitude)) return fail(inexact_error(magnitude, negative));
      bits = std::bit_cast<std::uint64_t>(with_sign(static_cast<double>(magnitude), negative));
    } else if (found.kind == value_kind::number) {
      bits = found.number; // these may also be the bits of a NaN
    } else {
      return mismatch(from, "a number");
    }
    if (attributes.width == 8) return true;
    const std::uint64_t wide = bits;
    bits = narrow_float(bits);
    if ((wide >> 52 & 0x7FF) == 0x7FF || (bits >> 23 & 0xFF) != 0xFF) return true;
    return fail(float_error(std::bit_cast<double>(wide)));
  }
  bool enumerator(const evolving_node& what, const input& from, std::uint64_t& bits) {
    if (from.is_missing()) return bits = missing_enumerator(what), true;
    if (from.is_text()) {
      for (const schema_enumerator& each : what.enumerators) {
        if (each.name == from.text()) return bits = each.value, true;
      }
      bool negative = false;
      if (!from.is_key || !whole(from, bits, negative)) {
        why_ = error{errc::unknown_enumerator}
                   .with_expected(what.attributes.has(schema_flag::is_flags) ? "the name of a flag"
                                                                             : "the name of an enumerator")
                   .with_found(from.text());
        return false;
      }
    }
    if (!from.is_key && from.of.is_array() && what.attributes.has(schema_flag::is_flags))
      return flags_of_names(what, from.of, bits, why_);
    if (!integer(what.attributes, from, bits)) return false;
    return what.takes(bits) || find_number(what, bits) < what.enumerators.size() ||
           fail(enumerator_error(what, bits));
  }
  [[nodiscard]] static std::uint32_t next_code(std::string_view text, std::size_t& i) noexcept {
    const auto byte = [&] { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i++])); };
    std::uint32_t code = byte();
    unsigned more = 0;
    if (code >= 0xF0) code &= 7, more = 3;
    else if (code >= 0xE0) code &= 15, more = 2;
    else if (code >= 0xC0) code &= 31, more = 1;
    for (; more != 0; --more) code = code << 6 | (byte() & 63);
    return code;
  }
  static void unit(growing_buffer& to, std::uint32_t code, unsigned width) {
    for (unsigned k = 0; k < width; ++k, code >>= 8) to.push_back(static_cast<std::byte>(code & 0xFF));
  }
};

} // namespace detail::dyn
}} // namespace ingot::INGOT_V1
