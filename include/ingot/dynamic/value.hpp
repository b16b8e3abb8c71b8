// SPDX-License-Identifier: Apache-2.0
// Handles to values of a live block, or of a packed or compact message, that is read without its
// C++ type. A handle is small, cheap to copy, and valid as long as the block or message exists.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/value_view.hpp>
#include <ingot/dynamic/detail/cursor.hpp>
#include <ingot/dynamic/detail/find.hpp>
#include <ingot/dynamic/detail/limits.hpp>
#include <ingot/dynamic/detail/nested.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/reflect/enums.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

class dynamic_value;

namespace detail::dyn {
struct access;
class part_range;
/// The path of an absent value. It has the size of the data members that describe a position,
/// because an absent value stores its path in these members.
using absent_path = doc::short_path<15>;
} // namespace detail::dyn

/// A range of bytes in a block or message.
struct dynamic_range {
  std::uint64_t offset = 0; ///< from the beginning of the block or message
  std::uint64_t length = 0;
  friend bool operator==(const dynamic_range&, const dynamic_range&) = default;
};

/// A value of a live block or a message, for reading. Returned text and bytes are stored in the
/// block or message; returned names are stored in the layout or schema.
class dynamic_value {
public:
  /// Makes an absent value.
  dynamic_value() = default;

  /// Returns the kind. O(1), like all functions here for which no other complexity is stated.
  [[nodiscard]] dynamic_kind kind() const noexcept {
    return in_ == nullptr ? dynamic_kind::absent : type().kind;
  }
  /// Returns false for an absent value.
  [[nodiscard]] bool exists() const noexcept { return in_ != nullptr; }
  /// Returns the name of a record or enumeration, without its namespace; empty if there is none.
  [[nodiscard]] std::string_view type_name() const noexcept { return in_ == nullptr ? "" : type().name; }
  /// Returns the number of the type in the layout. In a block, equal numbers mean equal types.
  [[nodiscard]] std::uint32_t type_index() const noexcept { return in_ == nullptr ? 0 : type_; }
  /// Returns the range of the value's own bytes. In a block, this is the object; in a compact
  /// message, the whole value. In a packed message, it is the slot, or the fixed part of the
  /// payload if there is no slot (as for the root). O(depth) in compact messages, where a value
  /// ends at the end of its last part.
  [[nodiscard]] dynamic_range own_bytes() const noexcept {
    if (in_ == nullptr) return {};
    if (in_->message == nullptr) return {position_, type().size};
    const auto found = in_->message->own(here());
    return {found.offset, found.length};
  }
  /// Returns the offset of `own_bytes()`.
  [[nodiscard]] std::uint64_t position() const noexcept { return own_bytes().offset; }
  /// Returns the length of `own_bytes()`.
  [[nodiscard]] std::uint64_t byte_size() const noexcept { return own_bytes().length; }
  /// Returns the bytes that the value has in the tail of a packed message: the payloads of its
  /// variable fields. Empty elsewhere: in blocks, containers have storages of their own.
  [[nodiscard]] dynamic_range tail_bytes() const noexcept {
    if (in_ == nullptr || in_->message == nullptr) return {};
    const auto found = in_->message->tail(here());
    return {found.offset, found.length};
  }

  /// Returns the number of members, elements, entries, characters or bits. Returns 0 or 1 for an
  /// optional or box, 1 for a variant, and 0 for all other kinds.
  [[nodiscard]] std::size_t size() const noexcept {
    if (in_ == nullptr) return 0;
    return static_cast<std::size_t>(in_->message != nullptr ? in_->message->size(here())
                                                            : detail::dyn::size_of(*in_, type(), position_));
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// Returns a member of a record or pair by name. Absent if no member has the name, or if a
  /// compact message omitted the member because it has its default. O(members).
  [[nodiscard]] dynamic_value member(std::string_view name) const noexcept {
    if (in_ == nullptr || !has_members()) return absent_member(name);
    const auto members = in_->in->parts_of(type());
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i].name != name) continue;
      return in_->message == nullptr ? member_at(i) : member_of_message(i, name);
    }
    return absent_member(name);
  }
  /// Returns a member, or an entry of a container whose keys are text.
  [[nodiscard]] dynamic_value operator[](std::string_view name) const noexcept {
    return in_ == nullptr || has_members() ? member(name) : find(name);
  }
  /// Returns the name of a member.
  [[nodiscard]] std::string_view member_name(std::size_t index) const noexcept {
    return in_ == nullptr || !has_members() || index >= type().parts
               ? std::string_view{}
               : in_->in->parts[type().first + index].name;
  }
  /// Returns a member, an element, the value of an entry, or the `index`-th living object of a
  /// pool. Absent if `index >= size()`. O(index) in pools, hash tables and trees.
  [[nodiscard]] dynamic_value operator[](std::size_t index) const noexcept {
    if (in_ == nullptr || kind() == dynamic_kind::text || index >= size()) return absent_element(index);
    if (in_->message != nullptr)
      return kind() == dynamic_kind::bitset ? dynamic_value{} : part_of_message(index);
    if (has_members() || kind() == dynamic_kind::array || kind() == dynamic_kind::vector ||
        kind() == dynamic_kind::queue) {
      if (has_members()) return member_at(index);
      const auto all = in_->elements(type(), position_);
      return {in_, all.type, all.at(index)};
    }
    detail::dyn::cursor at(*in_, type(), position_);
    for (; !at.done() && at.index() != index; at.next()) {
    }
    return at.done() ? dynamic_value{} : dynamic_value{in_, at.value()};
  }

  /// Returns the value of a key in a map (of its first entry in a multimap), or the key itself in a
  /// set. Absent if the key is not found, or if it is of another kind than the keys. Numbers are
  /// found by value, enumerators also by name. O(log n); O(1) in hash tables of blocks. In
  /// messages, O(n) if keys are or contain records that may omit members with default values, and
  /// in unordered containers whose keys are neither numbers nor text.
  [[nodiscard]] dynamic_value find(std::string_view key) const noexcept {
    detail::dyn::query wanted;
    wanted.is = detail::dyn::query::form::text;
    wanted.text = key;
    const dynamic_value found = find_sought(wanted);
    return found.exists() ? found : absent_key(key);
  }
  template <std::integral N>
  [[nodiscard]] dynamic_value find(N key) const noexcept {
    detail::dyn::query wanted;
    wanted.is = detail::dyn::query::form::number;
    wanted.number = static_cast<std::uint64_t>(key);
    if constexpr (std::is_signed_v<N>) wanted.is_negative = key < 0;
    const dynamic_value found = find_sought(wanted);
    if (found.exists()) return found;
    return absent_key(detail::number_text(wanted.number, std::is_signed_v<N>).view());
  }
  template <std::floating_point N>
  [[nodiscard]] dynamic_value find(N key) const noexcept {
    detail::dyn::query wanted;
    wanted.is = detail::dyn::query::form::real;
    wanted.real = detail::float_to_double(key);
    return find_sought(wanted);
  }
  /// Finds a key equal to `key`, which is a key in another container of the same layout.
  [[nodiscard]] dynamic_value find(const dynamic_value& key) const noexcept {
    if (in_ == nullptr || key.in_ == nullptr || type().parts == 0 || !has_keys() ||
        in_->in->parts[type().first].type != key.type_)
      return {};
    detail::dyn::query wanted;
    wanted.is = detail::dyn::query::form::value;
    wanted.in = key.in_;
    wanted.position = key.position_;
    wanted.value = key.here();
    return find_sought(wanted);
  }

  /// Returns the value in an optional, box or variant; absent if it is empty, or if this value is
  /// of another kind.
  [[nodiscard]] dynamic_value held() const noexcept {
    return detail::dyn::is_holder(kind()) ? (*this)[std::size_t{0}] : dynamic_value{};
  }
  /// Returns the index of a variant's alternative; for an expected 0 (the value) or 1 (the error).
  [[nodiscard]] std::size_t alternative() const noexcept {
    if (kind() == dynamic_kind::expected || (kind() == dynamic_kind::variant && in_->message != nullptr))
      return in_->message->alternative(here());
    return kind() == dynamic_kind::variant ? detail::dyn::cursor(*in_, type(), position_).alternative() : 0;
  }
  /// Returns the name of an enumeration's value; empty if it has none.
  [[nodiscard]] std::string_view enumerator() const noexcept {
    if (kind() != dynamic_kind::enumeration) return {};
    const auto* const found = in_->in->find(type(), number());
    return found == nullptr ? std::string_view{} : found->name;
  }
  /// Returns true for a value of any kind, without a declared type. It has the kind `value` in a
  /// block, and is a vector of bytes (an archive) in a message. `to_document` does not change it.
  [[nodiscard]] bool is_any() const noexcept {
    return kind() == dynamic_kind::value || (in_ != nullptr && type().is_archive);
  }
  /// Returns the contents of a value of kind `value`; absent for other kinds. The result is valid
  /// as long as the block exists.
  [[nodiscard]] value_view any() const noexcept {
    if (kind() != dynamic_kind::value) return {};
    return detail::doc::access::make<value_view>(detail::dyn::document_at(*in_, position_),
                                                 detail::doc::location{});
  }
  /// Returns the object of this pool to which `link` leads; absent if the object was erased.
  [[nodiscard]] dynamic_value get(const dynamic_value& link) const noexcept;

  /// Converts to a `T`: a number that `T` holds exactly (floating point: the nearest), an enum by
  /// number, one-byte text to std::string_view or std::string, one-byte elements to bytes_view,
  /// durations and times by their counts. Errors: `type_mismatch`, `out_of_range`, `no_memory`;
  /// `missing_member` for an absent value. The path of an error begins at the root. The search for
  /// the path takes at most 1000 steps; if these are not enough, the path is "...". The path of an
  /// absent value is cut to its last 15 bytes.
  template <class T>
  [[nodiscard]] result<T> as() const {
    auto found = converted<T>();
    if (!found) [[unlikely]]
      name(found.error());
    return found;
  }
  /// Returns the value as a `T`, or `otherwise` if `as` fails.
  template <class T>
  [[nodiscard]] T value_or(T otherwise) const {
    const auto found = converted<T>();
    return found ? *found : otherwise;
  }
  [[nodiscard]] std::string_view value_or(const char* text) const { return value_or(std::string_view(text)); }
  /// Returns a bit of a bitset; false if `index >= size()`.
  [[nodiscard]] bool bit(std::size_t index) const noexcept {
    if (kind() != dynamic_kind::bitset || index >= type().extent) return false;
    const std::uint64_t at = detail::dyn::byte_of_bits(index / 8, type().alignment);
    return (in_->byte(position() + at) >> index % 8 & 1) != 0;
  }
  /// Returns the two parts of a complex number.
  [[nodiscard]] std::pair<double, double> complex() const noexcept {
    if (kind() != dynamic_kind::complex) return {};
    if (in_->message != nullptr) return {part_of_message(0).real(), part_of_message(1).real()};
    const std::uint64_t half = type().size / 2;
    return {in_->real(position_, half), in_->real(position_ + half, half)};
  }
  /// Returns the unit of a duration or time, as a fraction of seconds.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> period() const noexcept {
    if (kind() == dynamic_kind::time_point) return count().period();
    return kind() == dynamic_kind::duration ? std::pair{type().extent, type().divisor}
                                            : std::pair<std::uint64_t, std::uint64_t>{};
  }

  /// Range of the parts of a value, as `dynamic_part`.
  using part_range = detail::dyn::part_range;
  /// Returns members, elements or entries; see `dynamic_part`, in dynamic/parts.hpp.
  [[nodiscard]] part_range parts() const noexcept;

  /// Returns the value at a path, such as `equips[3].attributes`; absent if nothing is there. `[3]`
  /// selects a part by its index; in a map, the value of an entry. `["key"]` selects an entry by
  /// its key, a text or number. Optionals, boxes and variants take no step of the path. O(parts),
  /// plus the cost of each index.
  [[nodiscard]] dynamic_value at(std::string_view path) const noexcept;

private:
  friend struct detail::dyn::access;
  using memory = detail::dyn::memory;

  dynamic_value(const memory* in, std::uint32_t type, std::uint64_t position) noexcept
      : in_(in), type_(type), position_(position) {}
  template <class T>
  [[nodiscard]] result<T> converted() const {
    if constexpr (std::same_as<T, std::string_view> || std::same_as<T, std::string>) {
      if (kind() != dynamic_kind::text || in_->in->part_type(type(), 0).size != 1)
        return mismatch("text of one-byte characters");
      const std::string_view text = in_->view(text_run());
      if constexpr (std::same_as<T, std::string>)
        return detail::catch_bad_alloc([&] { return result<T>(std::in_place, text); });
      else return text;
    } else if constexpr (std::same_as<T, bytes_view>) {
      const bool has_bytes =
          in_ != nullptr && type().parts == 1 &&
          (kind() == dynamic_kind::text || kind() == dynamic_kind::vector || kind() == dynamic_kind::array) &&
          in_->in->part_type(type(), 0).raw == 1;
      if (!has_bytes) return mismatch("one-byte elements");
      return as_bytes_view(in_->message != nullptr ? in_->view(in_->message->text(here()))
                                                   : detail::dyn::bytes_of(*in_, type(), position_));
    } else if constexpr (std::is_enum_v<T>) {
      return as_enum<T>();
    } else {
      static_assert(std::is_arithmetic_v<T>, "ingot: as<T> is for numbers, enums, text and bytes");
      return as_number<T>();
    }
  }
  /// Creates a value; an absent one if `at` has no type.
  dynamic_value(const memory* in, const detail::dyn::spot& at) noexcept
      : in_(at.type == detail::dyn::spot::nothing ? nullptr : in), type_(in_ == nullptr ? 0 : at.type),
        more_(at.more), position_(at.position) {}
  [[nodiscard]] detail::dyn::spot here() const noexcept { return {type_, more_, position_}; }

  [[nodiscard]] const detail::dyn::type& type() const noexcept { return in_->in->types[type_]; }
  [[nodiscard]] std::uint32_t part_index() const noexcept { return in_->in->parts[type().first].type; }
  [[nodiscard]] dynamic_value part_of_message(std::size_t i) const noexcept {
    return {in_, in_->message->part(here(), i)};
  }
  [[nodiscard]] dynamic_value member_at(std::size_t i) const noexcept {
    if (in_->message != nullptr) return part_of_message(i);
    const auto& each = in_->in->parts[type().first + i];
    return {in_, each.type, position_ + each.offset};
  }
  /// Returns the count of a duration or time.
  [[nodiscard]] dynamic_value count() const noexcept {
    return in_->message != nullptr ? part_of_message(0) : dynamic_value{in_, part_index(), position_};
  }
  [[nodiscard]] detail::dyn::text_run text_run() const noexcept {
    return in_->message != nullptr ? in_->message->text(here()) : in_->text(type(), position_);
  }
  [[nodiscard]] bool has_members() const noexcept {
    return kind() == dynamic_kind::pair || detail::dyn::is_record(kind());
  }
  [[nodiscard]] bool has_keys() const noexcept {
    return detail::dyn::is_map(kind()) || detail::dyn::is_set(kind());
  }
  // A value that does not exist has no position. Instead, its data members store the path.
  explicit dynamic_value(const detail::dyn::absent_path& wanted) noexcept;
  [[nodiscard]] detail::dyn::absent_path path_below() const noexcept;
  [[nodiscard]] dynamic_value absent_member(std::string_view name) const noexcept;
  [[nodiscard]] dynamic_value absent_key(std::string_view key) const noexcept;
  [[nodiscard]] dynamic_value absent_element(std::size_t index) const noexcept;
  [[nodiscard]] dynamic_value absent_at(std::string_view path) const noexcept;
  [[nodiscard]] dynamic_value member_of_message(std::size_t i, std::string_view name) const noexcept;
  /// Returns the error for a number that an integer of `size` bytes does not hold.
  [[nodiscard]] error beyond(std::size_t size, bool is_signed) const noexcept;
  /// Prepends the path of the value to the path of an error.
  void name(error& err) const noexcept;
  [[nodiscard]] std::unexpected<error> mismatch(std::string_view expected) const {
    return fail(error{exists() ? errc::type_mismatch : errc::missing_member, position()}
                    .with_expected(expected)
                    .with_found(exists() ? to_string(kind()) : "nothing"));
  }
  [[nodiscard]] std::uint64_t number() const noexcept {
    const auto& of = type();
    if (in_->message != nullptr) return in_->message->number(here());
    return in_->number(position_, of.size, of.has(detail::dyn::is_signed));
  }
  [[nodiscard]] double real() const noexcept {
    if (in_->message == nullptr) return in_->real(position_, type().size);
    const std::uint64_t bits = in_->message->number(here());
    return std::bit_cast<double>(type().size == 4 ? detail::widen_float(bits) : bits);
  }
  /// Returns true if the whole text is a number that `N` holds, and sets `number`.
  template <class N>
  [[nodiscard]] static bool is_number(std::string_view text, N& number) noexcept {
    const char* const last = text.data() + text.size();
    const auto [end, failed] = std::from_chars(text.data(), last, number);
    return !text.empty() && end == last && failed == std::errc{};
  }
  /// Finds an entry by the text of its key. The text of a number is its digits.
  [[nodiscard]] dynamic_value find_spelled(std::string_view key) const noexcept {
    if (const dynamic_value found = find(key); found.exists()) return found;
    if (std::uint64_t natural = 0; is_number(key, natural)) return find(natural);
    if (std::int64_t negative = 0; is_number(key, negative)) return find(negative);
    return {};
  }
  [[nodiscard]] dynamic_value find_sought(detail::dyn::query& key) const noexcept {
    if (in_ == nullptr || !has_keys() || !key.fit(*in_->in, in_->in->part_type(type(), 0))) return {};
    if (in_->message != nullptr) return {in_, in_->message->find(here(), key)};
    const auto found = detail::dyn::find_entry(*in_, type(), position_, key);
    if (found.key == 0) return {};
    return {in_, in_->in->parts[type().first + (detail::dyn::is_map(kind()) ? 1 : 0)].type, found.value};
  }
  /// Converts to an enum. The enumerators of an enum without a fixed type determine its range of
  /// values.
  template <class E>
  [[nodiscard]] result<E> as_enum() const {
    using under = std::underlying_type_t<E>;
    if constexpr (std::is_same_v<under, bool>) {
      const auto number = as_number<std::uint8_t>();
      if (!number) return fail(number.error());
      if (*number <= 1) return static_cast<E>(*number != 0);
    } else {
      const auto number = as_number<under>();
      if (!number) return fail(number.error());
      if constexpr (detail::fixed_enum<E>) {
        return static_cast<E>(*number);
      } else {
        // Enumerators of n bits allow 0 to 2^n - 1. If an enumerator is negative, they allow -2^n
        // to 2^n - 1.
        std::uint64_t bits = 0;
        bool has_negative = false;
        for (const auto& each : enumerators<E>) {
          const auto value = static_cast<std::int64_t>(std::to_underlying(each.value));
          has_negative = has_negative || (std::is_signed_v<under> && value < 0);
          bits |= static_cast<std::uint64_t>(std::is_signed_v<under> && value < 0 ? ~value : value);
        }
        const std::uint64_t largest = bits == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(bits);
        const bool fits = std::cmp_less(*number, 0)
                              ? has_negative && ~static_cast<std::uint64_t>(*number) <= largest
                              : static_cast<std::uint64_t>(*number) <= largest;
        if (fits) return static_cast<E>(*number);
      }
    }
    return fail(error{errc::out_of_range, position()}.with_expected("a value of the requested enum"));
  }
  template <class T>
  [[nodiscard]] result<T> as_number() const {
    switch (kind()) {
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return count().as_number<T>();
    case dynamic_kind::floating: {
      if constexpr (std::is_floating_point_v<T>) return detail::nearest_float<T>(real());
      else return whole<T>(real());
    }
    case dynamic_kind::boolean:
      if constexpr (std::is_same_v<T, bool>)
        return (in_->message != nullptr ? in_->message->number(here()) : in_->byte(position_)) != 0;
      break;
    case dynamic_kind::integer:
    case dynamic_kind::character:
    case dynamic_kind::byte:
    case dynamic_kind::enumeration:
      if constexpr (!std::is_same_v<T, bool>) return exactly<T>();
      break;
    default: break;
    }
    return mismatch(std::is_same_v<T, bool> ? "a boolean" : "a number");
  }
  template <class T>
  [[nodiscard]] result<T> exactly() const {
    const bool with_sign = type().has(detail::dyn::is_signed);
    const auto signed_number = static_cast<std::int64_t>(number());
    if constexpr (std::is_floating_point_v<T>) {
      return with_sign ? static_cast<T>(signed_number) : static_cast<T>(number());
    } else {
      using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      const bool fits = with_sign ? std::in_range<wide>(signed_number) && in_bounds<T>(signed_number)
                                  : std::in_range<wide>(number()) && in_bounds<T>(number());
      if (!fits) [[unlikely]]
        return fail(beyond(sizeof(T), std::is_signed_v<T>));
      return static_cast<T>(number());
    }
  }
  template <class T, class N>
  [[nodiscard]] static bool in_bounds(N number) noexcept {
    return std::cmp_greater_equal(
               number, static_cast<std::int64_t>(std::is_signed_v<T> ? std::numeric_limits<T>::min() : 0)) &&
           std::cmp_less_equal(number, static_cast<std::uint64_t>(std::numeric_limits<T>::max()));
  }
  /// Returns a floating-point number that has no fraction as an integer.
  template <class T>
  [[nodiscard]] result<T> whole(double real) const {
    if constexpr (!std::is_same_v<T, bool>) {
      // Both bounds are powers of two or 0. A double holds them exactly.
      const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
      const double smallest = std::is_signed_v<T> ? -above : 0.0;
      if (detail::is_whole(real) && real >= smallest && real < above) return static_cast<T>(real);
    }
    return fail(beyond(sizeof(T), std::is_signed_v<T>));
  }

  const memory* in_ = nullptr;
  std::uint32_t type_ = 0;
  std::uint32_t more_ = 0;
  std::uint64_t position_ = 0;
};

namespace detail::dyn {

struct access {
  [[nodiscard]] static dynamic_value make(const memory* in, std::uint32_t type,
                                          std::uint64_t position) noexcept {
    return {in, type, position};
  }
  [[nodiscard]] static const memory* memory_of(const dynamic_value& v) noexcept { return v.in_; }
  [[nodiscard]] static const type& type_of(const dynamic_value& v) noexcept { return v.type(); }
  [[nodiscard]] static std::uint64_t number_of(const dynamic_value& v) noexcept { return v.number(); }
  /// Returns true if an earlier member of the record has the same name.
  [[nodiscard]] static bool is_repeated(const dynamic_value& v, std::size_t index) noexcept {
    return v.in_->in->parts_of(v.type())[index].repeated;
  }
  [[nodiscard]] static dynamic_value count_of(const dynamic_value& v) noexcept { return v.count(); }
  [[nodiscard]] static cursor cursor_of(const dynamic_value& v) noexcept {
    return v.in_ == nullptr ? cursor() : cursor(*v.in_, v.here());
  }
  [[nodiscard]] static dynamic_value make(const memory* in, const spot& at) noexcept { return {in, at}; }
  [[nodiscard]] static spot spot_of(const dynamic_value& v) noexcept {
    return v.in_ == nullptr ? spot{0, 0, 0} : v.here();
  }
  [[nodiscard]] static text_run text_of(const dynamic_value& v) noexcept { return v.text_run(); }
};

/// Returns the innermost value inside optionals, boxes, variants and expecteds.
[[nodiscard]] inline dynamic_value through(dynamic_value v) noexcept {
  while (is_holder(v.kind())) v = v.held();
  return v;
}

} // namespace detail::dyn

}} // namespace ingot::INGOT_V1
