// SPDX-License-Identifier: Apache-2.0
// Describes the layout of a type in a live block, as bytes. A program without the type needs the
// description to read the block. The bytes are equal on all machines on which the type has the same
// layout. docs/format.md defines these bytes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/dynamic/kind.hpp>
#include <ingot/live/detail/layout_id.hpp>
#include <ingot/live/detail/optional_payload.hpp>
#include <ingot/live/placeable.hpp>
#include <ingot/live/ref.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/own_name.hpp>
#include <ingot/reflect/detail/tag_key.hpp>
#include <ingot/reflect/detail/version_key.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/reflect/variant_names.hpp>
#include <ingot/schema/schema_id.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

inline constexpr std::string_view layout_magic = "ingY";
/// Version of the format. Version 1 did not store the versions of records. In version 2, characters
/// had a sign, and alternatives had no names.
inline constexpr std::uint8_t layout_version = 3;
/// Size of the head in bytes: magic, version, flags, two zeros, layout_id, schema_id.
inline constexpr std::size_t layout_head = 24;

/// Flags in the head of a description.
inline constexpr std::uint8_t layout_is_big_endian = 1;
inline constexpr std::uint8_t layout_is_wide = 2;
/// Flag: the type has annotations for protobuf. Layouts don't contain these annotations.
inline constexpr std::uint8_t layout_lacks_protobuf = 4;

/// Returns the last 8 bytes of a description: the hash of all bytes before them.
[[nodiscard]] inline std::uint64_t seal_of(bytes_view bytes) noexcept {
  fingerprint hash;
  hash.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return hash.finish();
}

/// Writes the bytes of a description.
class layout_bytes {
public:
  void byte(std::uint8_t b) { bytes_.push_back(std::byte{b}); }
  /// Writes a number with seven bits in each byte, least significant first. The upper bit of a byte
  /// is set if more bytes follow.
  void number(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) byte(static_cast<std::uint8_t>(n | 0x80));
    byte(static_cast<std::uint8_t>(n));
  }
  void word(std::uint64_t n) {
    for (int i = 0; i < 8; ++i, n >>= 8) byte(static_cast<std::uint8_t>(n));
  }
  void raw(const std::byte* from, std::size_t count) { bytes_.insert(bytes_.end(), from, from + count); }
  void text(std::string_view s) {
    number(s.size());
    raw(reinterpret_cast<const std::byte*>(s.data()), s.size());
  }
  void limit(const bound& b) {
    byte(static_cast<std::uint8_t>(b.which));
    switch (b.which) {
    case bound::kind::negative: return word(static_cast<std::uint64_t>(b.negative));
    case bound::kind::natural: return word(b.natural);
    case bound::kind::real: return word(std::bit_cast<std::uint64_t>(b.real));
    }
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
  std::vector<std::byte> bytes_;
};

/// Collects the types of a description. Types have numbers in the order in which a walk meets them,
/// and each type is described once.
class layout_writer {
public:
  struct added_type {
    std::uint32_t index;
    bool is_new;
  };
  [[nodiscard]] added_type add(std::string_view tag) {
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      if (tags_[i] == tag) return {static_cast<std::uint32_t>(i), false};
    }
    tags_.push_back(tag);
    types_.emplace_back();
    return {static_cast<std::uint32_t>(tags_.size() - 1), true};
  }
  void describe(std::uint32_t index, layout_bytes&& type) { types_[index] = std::move(type); }
  /// Marks that the type has annotations for protobuf. The description itself does not contain
  /// these annotations.
  void lacks_protobuf() noexcept { lacks_protobuf_ = true; }

  [[nodiscard]] std::vector<std::byte> finish(std::size_t offset, std::uint64_t layout,
                                              std::uint64_t schema) const {
    layout_bytes all;
    for (const char c : layout_magic) all.byte(static_cast<std::uint8_t>(c));
    all.byte(layout_version);
    all.byte(static_cast<std::uint8_t>((little_endian ? 0 : layout_is_big_endian) |
                                       (offset == 8 ? layout_is_wide : 0) |
                                       (lacks_protobuf_ ? layout_lacks_protobuf : 0)));
    all.byte(0);
    all.byte(0);
    all.word(layout);
    all.word(schema);
    all.number(types_.size());
    for (const auto& type : types_) all.raw(type.bytes().data(), type.bytes().size());
    all.word(seal_of(all.bytes()));
    return all.bytes();
  }

private:
  std::vector<std::string_view> tags_;
  std::vector<layout_bytes> types_;
  bool lacks_protobuf_ = false;
};

template <class T>
inline constexpr bool is_ref = false;
template <class T, block_policy P>
inline constexpr bool is_ref<basic_ref<T, P>> = true;

template <class T>
consteval dynamic_kind dynamic_kind_of() {
  if constexpr (live_container<T>) {
    constexpr auto number = static_cast<dynamic_kind>(32 + static_cast<unsigned>(T::container_kind));
    static_assert(dyn::is_known(number), "ingot: add this container to dynamic_kind and to is_known: readers "
                                         "without the type would reject it");
    return number;
  } else if constexpr (is_ref<T>) return dynamic_kind::ref;
  else if constexpr (is_array_like<T>) return dynamic_kind::array;
  else if constexpr (is_specialization<T, std::pair>) return dynamic_kind::pair;
  else if constexpr (kind_of<T> == kind::record) return dynamic_kind::record;
  else return static_cast<dynamic_kind>(memory_kind_of<T>); // scalars have equal numbers
}
static_assert(static_cast<int>(dynamic_kind::bitset) == static_cast<int>(kind::bitset) &&
              static_cast<int>(dynamic_kind::boolean) == static_cast<int>(kind::boolean));

template <class T>
consteval bool has_sign() {
  if constexpr (is_character<T>) return false; // code units have no sign here, even if `char` has
  else if constexpr (std::is_enum_v<T>) return std::is_signed_v<std::underlying_type_t<T>>;
  else return std::is_arithmetic_v<T> && std::is_signed_v<T> && !std::is_floating_point_v<T>;
}
/// Returns true if `T` is an optional whose bytes are not all zero when it has no value.
template <class T>
consteval bool needs_model() {
  if constexpr (!live_container<T>) return false;
  else if constexpr (T::container_kind != live_container_kind::optional) return false;
  else return T::holds_offsets;
}

template <class T>
consteval bool is_versioned() {
  if constexpr (dynamic_kind_of<T>() == dynamic_kind::record) return type_has<T, version_t>;
  else return false;
}

/// Returns true for a variant if the program specified the names of its alternatives. In text,
/// these names are the tags.
template <class T>
consteval bool gives_tags() {
  if constexpr (dynamic_kind_of<T>() == dynamic_kind::variant) return names_alternatives<T>;
  else return false;
}
/// Returns the `json::tag_key` of a variant, otherwise an empty text.
template <class T>
consteval std::string_view tag_key_in_layout() {
  if constexpr (dynamic_kind_of<T>() == dynamic_kind::variant) return json::tag_key<T>;
  else return {};
}

template <class T>
std::uint32_t describe_type(layout_writer& to);

template <class... Ts>
void describe_parts(layout_writer& to, layout_bytes& type, type_pack<Ts...>) {
  (type.number(describe_type<std::remove_cv_t<Ts>>(to)), ...);
}
template <class T, class... Ts>
void describe_alternatives(layout_writer& to, layout_bytes& type, type_pack<Ts...>) {
  if constexpr (!json::tag_key<T>.empty()) {
    static_assert(require_plain_tag_key<T>()); // in blocks, alternatives may also be links
    type.text(json::tag_key<T>);
  }
  type.number(sizeof...(Ts));
  std::size_t i = 0;
  const auto one = [&](std::uint32_t held) {
    type.text(alternative_names<T>[i++]);
    type.number(held);
  };
  (one(describe_type<std::remove_cv_t<Ts>>(to)), ...);
}
/// Enumerators, ascending by value. If several have the same value, only the first name is stored.
class sorted_enumerators {
public:
  explicit sorted_enumerators(bool with_sign) noexcept : turn_(with_sign ? std::uint64_t{1} << 63 : 0) {}
  void add(std::uint64_t value, std::string_view name) {
    auto at = all_.begin();
    while (at != all_.end() && (at->first ^ turn_) < (value ^ turn_)) ++at;
    if (at == all_.end() || at->first != value) all_.insert(at, {value, name});
  }
  void describe(layout_bytes& type) const {
    type.number(all_.size());
    for (const auto& [value, name] : all_) {
      type.word(value);
      type.text(name);
    }
  }

private:
  std::uint64_t turn_;
  std::vector<std::pair<std::uint64_t, std::string_view>> all_;
};
template <class T>
void describe_enumerators(layout_bytes& type) {
  sorted_enumerators all(has_sign<T>());
  for (const auto& each : enumerators<T>)
    all.add(static_cast<std::uint64_t>(std::to_underlying(each.value)), each.name);
  type.text(declared_class_name<T>());
  all.describe(type);
}
template <class T, std::size_t I>
void describe_limits(layout_bytes& type) {
  type.byte(static_cast<std::uint8_t>((member_has<T, I, range_t> ? has_range : 0) |
                                      (member_has<T, I, max_size_t> ? has_max_size : 0) |
                                      (member_has<T, I, utf8_t> ? has_utf8 : 0)));
  if constexpr (member_has<T, I, range_t>) {
    constexpr range_t limits = member_get<T, I, range_t>;
    type.limit(limits.low);
    type.limit(limits.high);
  }
  if constexpr (member_has<T, I, max_size_t>) type.number(member_get<T, I, max_size_t>.count);
}
template <class T>
void describe_record(layout_writer& to, layout_bytes& type) {
  static_assert(require_version_key<T>());
  type.text(declared_class_name<T>());
  if constexpr (type_has<T, version_t>) type.number(type_get<T, version_t>.number);
  type.number(member_count<T>);
  // No object is created here: only the addresses of the members are computed.
  alignas(T) static std::byte sample[sizeof(T)];
  for_each_member(*reinterpret_cast<T*>(sample), [&]<class I, class M>(I, M& member) {
    type.text(member_name<T, I::value>);
    type.number(static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(&member) - sample));
    type.number(describe_type<std::remove_cv_t<M>>(to));
    describe_limits<T, I::value>(type);
    if constexpr (has_proto_annotations<T, I::value>) to.lacks_protobuf();
  });
}
/// Writes the model of an optional of `T`: the bytes in the place of the `T` when there is no
/// value. The containers in these bytes are not bound to a block.
template <class T>
void describe_model(layout_bytes& type) {
  alignas(T) std::byte bytes[sizeof(T)];
  make_vacant(*reinterpret_cast<T*>(bytes));
  type.number(sizeof bytes);
  type.raw(bytes, sizeof bytes);
}

/// Returns the number of the type. Describes the type if it is new.
template <class T>
std::uint32_t describe_type(layout_writer& to) {
  const auto [index, is_new] = to.add(type_tag<T>());
  if (!is_new) return index;
  constexpr dynamic_kind what = dynamic_kind_of<T>();
  layout_bytes type;
  type.byte(static_cast<std::uint8_t>(what));
  unsigned values = 0;
  if constexpr (what == dynamic_kind::enumeration)
    values = enum_is_open<T> ? is_open : enum_is_flags<T> ? is_flags : 0;
  type.byte(static_cast<std::uint8_t>(
      (has_sign<T>() ? is_signed : 0) | values |
      (is_record(what) && (has_valid_member<T> || has_valid_trait<T>) ? asks_valid : 0) |
      (std::is_empty_v<T> ? is_empty : 0) | (needs_model<T>() ? has_model : 0) |
      (is_versioned<T>() ? has_version : 0) | (gives_tags<T>() ? has_tags : 0) |
      (tag_key_in_layout<T>().empty() ? 0 : has_tag_key)));
  type.number(sizeof(T));
  type.byte(static_cast<std::uint8_t>(alignof(T)));
  if constexpr (what == dynamic_kind::enumeration) {
    describe_enumerators<T>(type);
  } else if constexpr (what == dynamic_kind::duration) {
    type.number(describe_type<typename T::rep>(to));
    type.number(static_cast<std::uint64_t>(T::period::num));
    type.number(static_cast<std::uint64_t>(T::period::den));
  } else if constexpr (what == dynamic_kind::time_point) {
    type.number(describe_type<typename T::duration>(to));
  } else if constexpr (what == dynamic_kind::bitset) {
    type.number(T{}.size());
  } else if constexpr (what == dynamic_kind::array) {
    type.number(array_size<T>);
    type.number(describe_type<std::remove_cv_t<element_t<T>>>(to));
  } else if constexpr (what == dynamic_kind::pair) {
    alignas(T) static std::byte sample[sizeof(T)];
    const auto* const second = &reinterpret_cast<T*>(sample)->second;
    type.number(static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(second) - sample));
    type.number(describe_type<std::remove_cv_t<typename T::first_type>>(to));
    type.number(describe_type<std::remove_cv_t<typename T::second_type>>(to));
  } else if constexpr (is_record(what)) {
    describe_record<T>(to, type);
  } else if constexpr (live_container<T>) {
    if constexpr (what == dynamic_kind::variant) describe_alternatives<T>(to, type, typename T::live_parts{});
    else describe_parts(to, type, typename T::live_parts{});
    // The third part is the pair type of the entries. Readers need its layout, which the compiler
    // chooses.
    if constexpr (what == dynamic_kind::hash_map)
      type.number(describe_type<std::pair<typename T::key_type, typename T::mapped_type>>(to));
    if constexpr (needs_model<T>()) describe_model<typename T::value_type>(type);
  }
  to.describe(index, std::move(type));
  return index;
}

} // namespace detail::dyn

/// Returns the description of the layout of a `Declared` in a block of the policy `P`. The
/// description is sent or stored with blocks, and `dynamic_layout::open` reads it. The first call
/// creates the description; the bytes stay valid until the process ends.
template <class Declared, block_policy P = narrow_policy>
[[nodiscard]] bytes_view layout_of() {
  using T = typename detail::live_form<std::remove_const_t<Declared>, P>::type;
  static_assert(detail::require_storable<T>());
  static_assert(detail::require_placeable<T, P>());
  static const detail::never_destroyed<std::vector<std::byte>> bytes([] {
    detail::dyn::layout_writer writer;
    static_cast<void>(detail::dyn::describe_type<T>(writer));
    return writer.finish(sizeof(typename P::offset_type), detail::layout_id<T, P>(), schema_id<T>);
  });
  return *bytes;
}
namespace wide {
/// Returns the description of the layout of a `Declared` in a block with 64-bit offsets.
template <class Declared>
[[nodiscard]] bytes_view layout_of() {
  return ingot::layout_of<Declared, wide_policy>();
}
} // namespace wide

}} // namespace ingot::INGOT_V1
