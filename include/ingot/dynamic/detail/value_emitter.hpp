// SPDX-License-Identifier: Apache-2.0
// Emits the values of a block or message that is read without its C++ type as events. Documents and
// other outputs are made from the events. dynamic/document.hpp lists the form of each kind.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/document/value_view.hpp>
#include <ingot/dynamic/detail/double_of_shortest.hpp>
#include <ingot/dynamic/detail/tags.hpp>
#include <ingot/dynamic/value.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Form of the emitted values. `document`: as in documents. `json`: as in the text that
/// `json::write` writes for the type; `json_name_lists` as with `json::enum_style::name_lists`.
enum class value_format : std::uint8_t { document, json, json_name_lists };

enum class emit_status : std::uint8_t {
  emitted, ///< complete, unless an event failed
  too_deep,
  too_many, ///< more values than allowed
  no_memory
};

/// Emits a value and everything in it. The stack is on the heap.
class value_emitter {
public:
  /// Allows at most `levels` nested objects and arrays, and at most `max_values` values.
  value_emitter(document_events& to, std::size_t levels, std::uint64_t max_values,
                value_format as = value_format::document) noexcept
      : to_(to), left_levels_(levels), left_(max_values), as_json_(as != value_format::document),
        as_lists_(as == value_format::json_name_lists) {}

  [[nodiscard]] emit_status tell(const dynamic_value& value) noexcept {
    bool going = begin(value);
    while (going && !path_.empty() && to_.good()) going = step(path_[path_.size() - 1]);
    return outcome_;
  }

private:
  enum class form : std::uint8_t { record, object, pairs, array };
  struct frame {
    dynamic_value of;
    cursor at;
    form is;
    std::uint8_t turn; ///< for entries as pairs: next step (key, value, end)
  };

  bool stop(emit_status why) noexcept {
    outcome_ = why;
    return false;
  }
  /// Emits the beginning of an object or array; `close` emits the end. Returns false if there are
  /// too many levels, or if the receiver of the event returned false.
  [[nodiscard]] bool open(bool object) noexcept {
    if (left_levels_ == 0) return stop(emit_status::too_deep);
    --left_levels_;
    return object ? to_.begin_object() : to_.begin_array();
  }
  [[nodiscard]] bool close() noexcept {
    ++left_levels_;
    return to_.end();
  }
  [[nodiscard]] bool push(const dynamic_value& of, form is) noexcept {
    if (!open(is == form::record || is == form::object)) return false;
    return path_.push({of, access::cursor_of(of), is, 0}) || stop(emit_status::no_memory);
  }

  /// Emits a scalar, or begins a value with parts.
  [[nodiscard]] bool begin(dynamic_value from) noexcept {
    if (left_-- == 0) return stop(emit_status::too_many);
    // If a held value may itself be null, it is in an array of one element, so that it differs from
    // the null of an empty optional.
    while (from.kind() == dynamic_kind::optional || from.kind() == dynamic_kind::box) {
      const dynamic_value held = from.held();
      if (held.kind() == dynamic_kind::optional || held.kind() == dynamic_kind::box || held.is_any())
        return push(from, form::array);
      from = held;
    }
    switch (from.kind()) {
    case dynamic_kind::absent: return to_.null();
    case dynamic_kind::boolean: return to_.boolean(from.value_or(false));
    case dynamic_kind::floating: return real(from);
    case dynamic_kind::enumeration:
      if (const std::string_view name = from.enumerator(); !name.empty()) return to_.text(name);
      return as_lists_ && access::type_of(from).has(is_flags) ? flags(from) : number(from);
    case dynamic_kind::integer:
    case dynamic_kind::character:
    case dynamic_kind::byte: return number(from);
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return scalar(access::count_of(from));
    case dynamic_kind::text: return text(from);
    case dynamic_kind::value: return nested(from.any());
    case dynamic_kind::bitset: return bits(from);
    case dynamic_kind::complex: {
      const memory* const in = access::memory_of(from);
      if (in->message != nullptr) {
        const auto half = [&](unsigned i) {
          return real(access::make(in, in->message->part(access::spot_of(from), i)));
        };
        return open(false) && half(0) && half(1) && close();
      }
      const auto [re, im] = from.complex();
      const bool is_narrow = access::type_of(from).size == 2 * sizeof(float);
      return open(false) && number(re, is_narrow) && number(im, is_narrow) && close();
    }
    case dynamic_kind::record: return push(from, form::record) && version(from);
    case dynamic_kind::ref: return push(from, form::record);
    case dynamic_kind::variant: return variant(from);
    case dynamic_kind::expected:
      if (from.held().exists()) return push(from, form::object);
      // the expected holds neither a value nor an error
      return open(true) && to_.key(outcome_key(from)) && to_.null() && close();
    case dynamic_kind::map:
    case dynamic_kind::hash_map:
    case dynamic_kind::flat_map: return push(from, is_object(from) ? form::object : form::pairs);
    case dynamic_kind::hash_multimap:
    case dynamic_kind::multimap: return push(from, form::pairs);
    case dynamic_kind::vector:
      if (from.is_any()) return archived(from);
      if (element_of(from).kind == dynamic_kind::byte && !as_json_)
        return to_.binary(from.value_or(bytes_view()));
      return push(from, form::array);
    case dynamic_kind::array:
      if (as_json_ && is_one_byte_text(element_of(from))) return characters(from);
      return push(from, form::array);
    default: return push(from, form::array);
    }
  }
  [[nodiscard]] bool step(frame& f) noexcept {
    if (f.at.done()) {
      static_cast<void>(path_.pop());
      return close();
    }
    const memory* const in = access::memory_of(f.of);
    const dynamic_value part = access::make(in, f.at.value());
    switch (f.is) {
    case form::record: {
      const auto index = static_cast<std::size_t>(f.at.index());
      f.at.next();                                       // first, since a push may move the frame
      if (access::is_repeated(f.of, index)) return true; // an object has each key once
      const dynamic_kind kind = part.kind();
      if (kind == dynamic_kind::absent) return true; // the compact message omits the member
      if ((kind == dynamic_kind::optional || kind == dynamic_kind::box) && part.empty() && !leaves_out(f.of))
        return true;
      return to_.key(f.of.member_name(index)) && begin(part);
    }
    case form::object: {
      const bool is_key_emitted = is_map(f.of.kind())                     ? map_key(key_of(f))
                                  : f.of.kind() == dynamic_kind::expected ? to_.key(outcome_key(f.of))
                                                                          : to_.key(tag_text(f.of));
      f.at.next();
      return is_key_emitted && begin(part);
    }
    case form::pairs:
      switch (f.turn++) {
      case 0: {
        const dynamic_value key = key_of(f);
        return open(false) && begin(key);
      }
      case 1: return begin(part);
      default:
        f.turn = 0;
        f.at.next();
        return close();
      }
    default: f.at.next(); return begin(part);
    }
  }

  /// Begins a variant. In JSON, the tag of a variant with a `tag_key` is the first member of the
  /// alternative's object.
  [[nodiscard]] bool variant(const dynamic_value& from) noexcept {
    const std::string_view key = as_json_ ? access::type_of(from).tag_key : std::string_view();
    if (key.empty()) return push(from, form::object);
    if (left_-- == 0) return stop(emit_status::too_many);
    const dynamic_value held = from.held();
    return push(held, form::record) && to_.key(key) && to_.text(tag_text(from)) && version(held);
  }
  /// Emits the version of a record whose type has a version, but no member for it. In JSON, the
  /// version is then a member under a key of its own.
  [[nodiscard]] bool version(const dynamic_value& record) noexcept {
    const type& of = access::type_of(record);
    if (!as_json_ || !of.has(has_version)) [[likely]]
      return true;
    const tables& in = *access::memory_of(record)->in;
    if (of.parts != 0 && in.parts[of.first].name == "version" &&
        in.part_type(of, 0).kind == dynamic_kind::integer)
      return true;
    if (left_-- == 0) return stop(emit_status::too_many);
    return to_.key("$version") && to_.unsigned_integer(of.extent);
  }
  [[nodiscard]] static dynamic_value key_of(const frame& f) noexcept {
    return access::make(access::memory_of(f.of), f.at.key());
  }
  [[nodiscard]] static const type& element_of(const dynamic_value& from) noexcept {
    return access::memory_of(from)->in->part_type(access::type_of(from), 0);
  }
  /// Returns true if a map becomes an object. In documents, the keys of the map must be text of
  /// one-byte characters. In JSON they may be any text, integers or enumerators.
  [[nodiscard]] bool is_object(const dynamic_value& map) const noexcept {
    const type& key = element_of(map);
    if (as_json_ && (key.kind == dynamic_kind::integer || key.kind == dynamic_kind::enumeration)) return true;
    return key.kind == dynamic_kind::text &&
           (as_json_ || access::memory_of(map)->in->part_type(key, 0).size == 1);
  }
  [[nodiscard]] static bool is_one_byte_text(const type& element) noexcept {
    return element.kind == dynamic_kind::character && element.size == 1;
  }
  [[nodiscard]] bool map_key(const dynamic_value& key) noexcept {
    if (key.kind() == dynamic_kind::text) {
      if (const auto plain = key.as<std::string_view>()) return to_.key(*plain);
      return gather(key) && to_.key(gathered());
    }
    if (const std::string_view name = key.enumerator(); !name.empty()) return to_.key(name);
    std::array<char, 24> digits{};
    const std::uint64_t number = access::number_of(key);
    char* const first = digits.data();
    char* const last = first + digits.size();
    const char* const end = access::type_of(key).has(is_signed)
                                ? std::to_chars(first, last, static_cast<std::int64_t>(number)).ptr
                                : std::to_chars(first, last, number).ptr;
    return to_.key(std::string_view(first, end));
  }
  /// Emits an array of characters as text, without trailing NULs.
  [[nodiscard]] bool characters(const dynamic_value& from) noexcept {
    text_.clear();
    std::size_t end = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto unit = static_cast<unsigned char>(access::number_of(from[i]));
      if (!text_.push(static_cast<char>(unit))) return stop(emit_status::no_memory);
      if (unit != 0) end = i + 1;
    }
    return to_.text(gathered().substr(0, end));
  }
  /// Returns the tag of the alternative. The text is valid until the next call.
  [[nodiscard]] std::string_view tag_text(const dynamic_value& of) noexcept {
    if (const std::string_view tag = alternative_tag(of); !tag.empty()) return tag;
    const char* const end = std::to_chars(tag_.data(), tag_.data() + tag_.size(), of.alternative()).ptr;
    return {tag_.data(), static_cast<std::size_t>(end - tag_.data())};
  }
  /// Returns true if the message omits members of the record that have their default. Then an empty
  /// optional must be emitted as null, because its default may be a value.
  [[nodiscard]] static bool leaves_out(const dynamic_value& record) noexcept {
    const memory& in = *access::memory_of(record);
    return in.message != nullptr && in.message->elides(access::spot_of(record));
  }
  [[nodiscard]] static std::string_view outcome_key(const dynamic_value& of) noexcept {
    return of.alternative() == 0 ? "value" : "error";
  }
  /// Emits a floating-point number. From a message, emits all bits, also those of NaNs.
  [[nodiscard]] bool real(const dynamic_value& from) noexcept {
    const bool is_float = access::type_of(from).size == sizeof(float);
    if (as_json_ && is_float) return number(from.value_or(0.0), true);
    if (access::memory_of(from)->message == nullptr) return to_.number(from.value_or(0.0));
    const std::uint64_t bits = access::number_of(from);
    return to_.number_bits(is_float ? widen_float(bits) : bits);
  }
  /// Emits a number. In JSON, a float has the digits that `json::write` writes for it.
  [[nodiscard]] bool number(double value, bool is_float) noexcept {
    return to_.number(is_float && as_json_ ? double_of_shortest(nearest_float<float>(value)) : value);
  }
  [[nodiscard]] bool number(const dynamic_value& from) noexcept {
    const std::uint64_t number = access::number_of(from);
    return access::type_of(from).has(is_signed) ? to_.integer(static_cast<std::int64_t>(number))
                                                : to_.unsigned_integer(number);
  }
  /// Emits a combination of flags as an array of names, as `json::write` does. If no combination of
  /// names has this value, emits the number.
  [[nodiscard]] bool flags(const dynamic_value& from) noexcept {
    if (!for_each_flag(from, [](std::string_view) { return true; })) return number(from);
    if (!open(false)) return false;
    const bool all = for_each_flag(from, [&](std::string_view name) {
      return left_-- == 0 ? stop(emit_status::too_many) : to_.text(name);
    });
    return all && close();
  }
  /// Calls `f(name)` for the enumerators whose combination is the value, until `f` returns false.
  /// Enumerators of several bits come first. Returns true if the names have exactly this value.
  template <class F>
  [[nodiscard]] static bool for_each_flag(const dynamic_value& from, const F& f) {
    const auto all = access::memory_of(from)->in->enumerators_of(access::type_of(from));
    std::uint64_t left = access::number_of(from);
    for (const bool several : {true, false}) {
      for (const enumerator& each : all) {
        if (each.value == 0 || (each.value & ~left) != 0 || std::has_single_bit(each.value) == several)
          continue;
        if (!f(each.name)) return false;
        left &= ~each.value;
      }
    }
    return left == 0;
  }
  /// Emits a number. If `from` is a duration, emits the count of the duration.
  [[nodiscard]] bool scalar(dynamic_value from) noexcept {
    if (from.kind() == dynamic_kind::duration) from = access::count_of(from);
    return from.kind() == dynamic_kind::floating ? real(from) : number(from);
  }

  // Text that must be converted. The receiver of the events copies the text.

  [[nodiscard]] bool text(const dynamic_value& from) noexcept {
    const memory& in = *access::memory_of(from);
    const text_run run = access::text_of(from);
    return run.width == 1 ? to_.text(in.view(run)) : gather(from) && tell_text();
  }
  /// Converts text with wider characters to UTF-8.
  [[nodiscard]] bool gather(const dynamic_value& from) noexcept {
    const memory& in = *access::memory_of(from);
    const text_run run = access::text_of(from);
    text_.clear();
    for (std::uint64_t i = 0; i < run.units; ++i) {
      std::uint32_t code = in.unit(run, i);
      if (run.width == 2 && code >= 0xD800 && code < 0xDC00 && i + 1 < run.units) {
        const std::uint32_t low = in.unit(run, i + 1);
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          ++i;
        }
      }
      if (!append_code((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF ? 0xFFFD : code))
        return stop(emit_status::no_memory);
    }
    return true;
  }
  [[nodiscard]] bool append_code(std::uint32_t code) noexcept {
    const auto byte = [&](std::uint32_t b) {
      return text_.push(static_cast<char>(static_cast<unsigned char>(b)));
    };
    if (code < 0x80) return byte(code);
    if (code < 0x800) return byte(0xC0 | code >> 6) && byte(0x80 | (code & 0x3F));
    const bool begun = code < 0x10000 ? byte(0xE0 | code >> 12)
                                      : byte(0xF0 | code >> 18) && byte(0x80 | (code >> 12 & 0x3F));
    return begun && byte(0x80 | (code >> 6 & 0x3F)) && byte(0x80 | (code & 0x3F));
  }
  /// Emits the value in an archive of a message. Bytes that are no archive are emitted as bytes.
  [[nodiscard]] bool archived(const dynamic_value& from) noexcept {
    const bytes_view bytes = from.value_or(bytes_view());
    const auto unarchived = catch_bad_alloc([&] { return unarchive(bytes); });
    if (unarchived) {
      const value root = std::as_const(*unarchived).root();
      return nested(doc::access::make<value_view>(doc::access::memory_of(root), doc::location{}));
    }
    if (unarchived.error().code() == errc::no_memory) return stop(emit_status::no_memory);
    return to_.binary(bytes);
  }
  /// Emits a value of any kind unchanged. The levels inside this value and the levels that enclose
  /// the value have one common limit.
  [[nodiscard]] bool nested(value_view one) noexcept {
    struct open_value {
      value_view of;
      std::size_t next;
    };
    doc::plain_list<open_value> inside;
    for (;;) {
      if (one.is_array() || one.is_object()) {
        if (!open(one.is_object())) return false;
        if (!inside.push({one, 0})) return stop(emit_status::no_memory);
      } else if (!leaf(one)) {
        return false;
      }
      while (!inside.empty() && inside[inside.size() - 1].next == inside[inside.size() - 1].of.size()) {
        if (!close()) return false;
        static_cast<void>(inside.pop());
      }
      if (inside.empty()) return true;
      if (left_-- == 0) return stop(emit_status::too_many);
      open_value& here = inside[inside.size() - 1];
      if (here.of.is_object() && !to_.key(here.of.key(here.next))) return false;
      one = here.of[here.next++];
    }
  }
  [[nodiscard]] bool leaf(const value_view& one) noexcept {
    const doc::item plain = doc::access::item_of(one);
    switch (plain.kind) {
    case value_kind::boolean: return to_.boolean(plain.number != 0);
    case value_kind::integer: return to_.integer(plain.integer());
    case value_kind::large_integer: return to_.unsigned_integer(plain.number);
    case value_kind::number: return to_.number_bits(plain.number);
    case value_kind::text: return to_.text(doc::text_of(doc::access::memory_of(one), plain));
    case value_kind::binary:
      return to_.binary(as_bytes_view(doc::text_of(doc::access::memory_of(one), plain)));
    default: return to_.null();
    }
  }
  [[nodiscard]] bool bits(const dynamic_value& from) noexcept {
    text_.clear();
    for (std::size_t i = from.size(); i-- != 0;) {
      if (!text_.push(from.bit(i) ? '1' : '0')) return stop(emit_status::no_memory);
    }
    return tell_text();
  }
  [[nodiscard]] std::string_view gathered() const noexcept {
    return text_.empty() ? std::string_view() : std::string_view(text_.begin(), text_.size());
  }
  [[nodiscard]] bool tell_text() noexcept { return to_.text(gathered()); }

  document_events& to_;
  std::size_t left_levels_;
  std::uint64_t left_; ///< values that may still be emitted
  bool as_json_;
  bool as_lists_; ///< combinations of flags are arrays of names
  emit_status outcome_ = emit_status::emitted;
  doc::plain_list<frame> path_;
  doc::plain_list<char> text_;
  std::array<char, 8> tag_{}; ///< for `tag_text`
};

}}} // namespace ingot::INGOT_V1::detail::dyn
