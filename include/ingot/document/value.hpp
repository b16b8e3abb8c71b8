// SPDX-License-Identifier: Apache-2.0
// Handles to values of a document. A handle stores the position of a value, not the value. It is
// small, cheap to copy, and reads the bytes at each call.
//
// A handle detects changes of the document. It still refers to its value after other values change,
// grow or move. A handle ends when:
// - its value is erased, or is inside a value that is overwritten;
// - a member is added to its object or removed from it, an element is inserted before the end of
//   its array, or any element of its array is erased;
// - the whole document is compacted;
// - about 2,000 containers have been moved or erased since the handle was created.
// A handle that has ended reads as `value_kind::absent`, and writing through it is an error. It
// never reads as another value. Handles must not outlive the document; they stay valid when the
// document is moved.
//
// The elements of a packed array (a few small integers) have no nodes, so handles to them don't
// end. Such a handle refers to a position and an index. It reads the element with this index of the
// packed array that is now at the position. It reads as absent while no packed array is at the
// position. For example, an array is no longer packed after it got a value that is no integer, or
// an integer that is too large for the size of the array's integers.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/conversion.hpp>
#include <ingot/document/detail/equal.hpp>
#include <ingot/document/detail/handle_range.hpp>
#include <ingot/document/detail/json_pointer.hpp>
#include <ingot/document/detail/kind_tests.hpp>
#include <ingot/document/detail/position_name.hpp>
#include <ingot/document/detail/quick_edit.hpp>
#include <ingot/document/detail/read.hpp>
#include <ingot/document/detail/text_lookup.hpp>
#include <ingot/document/detail/value_access.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

class document;
class value;
class value_ref;

/// Read-only value of a document. Text and bytes that it returns are in the document, and are valid
/// until the next change of the document.
class value : public detail::doc::kind_tests<value> {
public:
  /// Constructs an absent value.
  value() noexcept { at_.position = detail::doc::npos; }
  value(const value&) = default;
  value(value&&) = default;
  /// Makes the handle refer to another value. No value changes.
  value& operator=(const value&) & = default;
  value& operator=(value&&) & = default;
  /// Deleted: the assignment would change only a handle, not the document.
  template <class T>
  void operator=(const T&) && = delete; // ingot: a handle that a call gives can't be assigned: see value_ref
  template <class T>
    requires(!std::is_convertible_v<const T&, value>)
  void operator=(const T&) & = delete; // ingot: a value only reads: take a value_ref and call set
  ~value() = default;

  /// Returns the kind. O(1), as are all functions here for which no other complexity is stated.
  [[nodiscard]] INGOT_INLINE value_kind kind() const noexcept {
    if (fresh_in_heap()) [[likely]]
      return detail::doc::tag_meanings[tag_here()].kind;
    return apart<&value::get_of>().kind;
  }

  /// Returns the value as a `T`: a number, text (also as a view), a container, or a record whose
  /// members are members of the object. A real is rounded to a `float`. It is an error if an
  /// integer type or a double can't hold an integer exactly, or if an element would be omitted. The
  /// path of an error begins at the root, but omits outer names that a short search does not find.
  /// The path of an absent value is cut to its last 23 bytes. The error is `no_memory` if there is
  /// no memory for a copy.
  template <class T>
  [[nodiscard]] result<T> as() const {
    if constexpr (detail::doc::reads_without_memory<T>) return as_or_throw<T>();
    else return detail::catch_bad_alloc([&] { return as_or_throw<T>(); });
  }
  /// Returns the value as `as()` does, with options: further forms, limits, progress. Errors: also
  /// `cancelled`.
  template <class T>
  [[nodiscard]] result<T> as(const conversion_options& how) const {
    return detail::catch_bad_alloc([&] { return as_with_options<T>(false, how); });
  }
  /// Returns the value as `as()` does; also reads objects of another version of their record. A
  /// missing member is looked up by the names of its `renamed_from`. If the object has none of
  /// these names, the member gets its default: its `default_value`; empty, for an optional or a
  /// pointer; otherwise its value in a default-constructed record. Members that the record no
  /// longer has are ignored. An old bitset may have fewer bits, and a multimap may be stored as a
  /// map. It is an error if the outermost object has members, but none of them is a member of the
  /// record. The version of an object is in the member `version` if this is the record's first
  /// member, otherwise under the key "$version". An earlier version is read as the record's
  /// `previous` and upgraded; the error for a later version is `wrong_version`.
  template <class T>
  [[nodiscard]] result<T> as_evolved(const conversion_options& how = {}) const {
    return detail::catch_bad_alloc([&] { return as_with_options<T>(true, how); });
  }
  /// Returns the result of `as`, or `otherwise` if the result is an error.
  template <class T>
  [[nodiscard]] INGOT_INLINE T value_or(T otherwise) const {
    if constexpr (!detail::doc::reads_without_memory<T>) {
      if (core_ == nullptr) return otherwise;
      auto read = detail::catch_bad_alloc([&] { return as_or_throw<T, false>(); });
      return read ? std::move(*read) : std::move(otherwise);
    } else {
      const detail::doc::item from = get();
      if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        // An integer is the common case. It is returned without creating an error object.
        if (from.kind == value_kind::integer && std::in_range<T>(from.integer()))
          return static_cast<T>(from.integer());
      } else if constexpr (std::same_as<T, double>) {
        if (from.kind == value_kind::number) return from.real();
      } else if constexpr (std::same_as<T, std::string_view>) {
        return from.kind == value_kind::text ? detail::doc::text_of(mem(), from) : otherwise;
      }
      if (from.kind == value_kind::absent) return otherwise;
      detail::doc::reading r(mem());
      T object{};
      return detail::doc::read_as(r, from, object) ? object : otherwise;
    }
  }
  [[nodiscard]] std::string_view value_or(const char* text) const { return value_or(std::string_view(text)); }

  /// Calls `f` with the value, and returns the result of `f`. The argument is `nullptr`, a bool,
  /// std::int64_t, std::uint64_t, double, std::string_view, bytes_view, or the range of
  /// `elements()` or `members()`. For an absent value, `f` gets no argument. Reads the value once.
  template <class F>
  decltype(auto) visit(F&& f) const;

  /// Returns the number of elements or members; 0 for other kinds.
  [[nodiscard]] INGOT_INLINE std::size_t size() const noexcept {
    if (is_packed_here()) return std::to_integer<std::size_t>(bytes_[1]);
    return size_again();
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns the length of text or bytes; 0 for other kinds.
  [[nodiscard]] std::size_t length() const noexcept {
    const auto self = get();
    return self.kind == value_kind::text || self.kind == value_kind::binary
               ? detail::doc::text_of(mem(), self).size()
               : 0;
  }

  /// Returns the member with the key; absent if there is none, or if this is no object. O(1) on
  /// average, O(log n) at worst.
  [[nodiscard]] INGOT_INLINE value find(const document_key& key) const noexcept {
    return find_as<value>(key);
  }
  [[nodiscard]] INGOT_INLINE value operator[](const document_key& key) const noexcept { return find(key); }
  /// Returns the member with this key. For a single lookup, faster than constructing a key.
  template <detail::doc::text_of_key Text>
  [[nodiscard]] INGOT_INLINE value find(const Text& text) const noexcept {
    return find_text_as<value>(detail::doc::text_in(text));
  }
  template <detail::doc::text_of_key Text>
  [[nodiscard]] INGOT_INLINE value operator[](const Text& text) const noexcept {
    return find(text);
  }
  [[nodiscard]] bool contains(const document_key& key) const noexcept {
    if (const std::size_t position = node_here(); position != 0) [[likely]] {
      const std::byte* found = nullptr;
      const std::uint32_t index = detail::doc::find_fast(core_->start() + position, key, found);
      if (index != detail::doc::lookup_unresolved) [[likely]]
        return index != detail::doc::npos;
      return other_key(key).position != 0;
    }
    return !apart<&value::find_of>(key.text()).at.none();
  }
  /// Returns an element of an array, or the `index`-th member of an object; absent if there is
  /// none.
  [[nodiscard]] INGOT_INLINE value operator[](std::size_t index) const noexcept {
    return element<value>(index);
  }
  /// Returns the value at a JSON Pointer (RFC 6901) such as `/orders/0/price`; absent if there is
  /// none. O(parts of the pointer).
  [[nodiscard]] value at(std::string_view pointer) const {
    return detail::doc::follow_pointer(*this, pointer);
  }

  /// Range of the values of an array or object, as handles.
  using element_range = detail::doc::element_range<value>;
  /// Range of the members of an object, as pairs `key`, `value`.
  using member_range = detail::doc::member_range<value>;

  /// Returns the values of an array or object, in order, as handles.
  [[nodiscard]] INGOT_INLINE element_range elements() const noexcept { return element_range(*this); }
  /// Returns the members as pairs `key`, `value`, in the order of the keys' hashes, which is equal
  /// on every machine.
  [[nodiscard]] member_range members() const noexcept { return member_range(*this); }

  /// Returns true if both values are equal: kinds, the bits of numbers, text, elements in order,
  /// members by key. Two absent values are equal. O(size). Also false if there is no memory.
  friend bool operator==(const value& a, const value& b) noexcept {
    return detail::doc::equal(a.mem(), a.get(), b.mem(), b.get());
  }

protected:
  friend struct detail::doc::access;
  using core = detail::doc::core;
  using location = detail::doc::location;

  INGOT_INLINE value(const core* in, const location& at) noexcept
      : core_(at.none() ? nullptr : const_cast<core*>(in)), at_(at),
        seen_(in != nullptr ? in->changes().now() : 0) {}
  /// Constructs a handle to member `index` of the object `in`. Requires that `in` is `fresh` and
  /// that its node is at `position`.
  INGOT_INLINE value(const value& in, std::uint32_t position, std::uint32_t index,
                     const std::byte* bytes) noexcept
      : core_(in.core_), at_{position, index, in.at_.position, in.at_.index, 0},
        seen_(in.core_->changes().now()), bytes_(bytes) {}

  /// Constructs a handle to an absent value. The handle stores the path of the lookup.
  INGOT_INLINE explicit value(const detail::doc::absent_path& wanted) noexcept
      : at_(wanted.at()), seen_(wanted.rest()) {}
  /// Result of a search: a location and the value for `seen_`, or the path of a failed lookup.
  struct found_location {
    location at;
    std::uint64_t seen;
  };
  INGOT_INLINE value(const core* in, const found_location& found) noexcept
      : core_(found.at.none() ? nullptr : const_cast<core*>(in)), at_(found.at), seen_(found.seen) {}

  /// Returns true if nothing was moved since `seen_` was set.
  [[nodiscard]] INGOT_INLINE bool fresh() const noexcept {
    return core_ != nullptr && seen_ == core_->changes().now();
  }
  [[nodiscard]] INGOT_INLINE bool fresh_in_heap() const noexcept {
    return bytes_ != nullptr && at_.packed == 0 && seen_ == core_->changes().now();
  }
  [[nodiscard]] INGOT_INLINE std::uint8_t tag_here() const noexcept {
    return std::to_integer<std::uint8_t>(*bytes_);
  }
  /// Returns the current location of the value.
  [[nodiscard]] INGOT_INLINE location now() const noexcept {
    if (core_ == nullptr) return {.position = detail::doc::npos};
    if (seen_ == core_->changes().now()) [[likely]]
      return at_;
    return apart<&value::follow>();
  }
  [[nodiscard]] INGOT_INLINE detail::doc::item get() const noexcept {
    if (bytes_ != nullptr && fresh()) [[likely]]
      return at_.packed == 0 ? read_heap() : read_packed();
    return apart<&value::get_of>();
  }
  [[nodiscard]] INGOT_INLINE detail::doc::validated mem() const noexcept {
    return core_ != nullptr ? core_->mem() : detail::doc::validated{};
  }
  [[nodiscard]] INGOT_INLINE location find_at(const document_key& key) const noexcept {
    const auto found = find_as<value>(key);
    return found.core_ == nullptr ? location{.position = detail::doc::npos} : found.at_;
  }
  template <class Handle>
  [[nodiscard]] INGOT_INLINE Handle find_as(const document_key& key) const noexcept {
    if (const std::size_t position = node_here(); position != 0) [[likely]] {
      const std::byte* found = nullptr;
      const std::uint32_t index = detail::doc::find_fast(core_->start() + position, key, found);
      if (index < detail::doc::lookup_unresolved) [[likely]]
        return Handle(*this, static_cast<std::uint32_t>(position), index, found);
      if (index == detail::doc::npos) return absent_here<Handle>(key.text());
      return with_other<Handle>(other_key(key));
    }
    return Handle(core_, apart<&value::find_of>(key.text()));
  }
  template <class Handle>
  [[nodiscard]] INGOT_INLINE Handle find_text_as(std::string_view text) const noexcept;
  [[nodiscard]] INGOT_INLINE detail::doc::other_member other_key(const document_key& key) const noexcept {
    return detail::doc::slow_lookup::by_key(core_->start(), at_.position, bytes_, key.text().size(),
                                            key.text().data(), detail::doc::key_access::hash_twice(key));
  }
  /// Returns the handle to a member that the slow path has found. A handle without bytes is
  /// returned separately, because otherwise the fast path would test whether there are bytes.
  template <class Handle>
  [[nodiscard]] INGOT_INLINE Handle with_other(const detail::doc::other_member& found) const noexcept {
    if (found.position == 0) return absent_here<Handle>(found.text());
    if (found.value == nullptr)
      return Handle(core_, found_location{{found.position, found.index, at_.position, at_.index, 0},
                                          core_->changes().now()});
    return Handle(*this, found.position, found.index, found.value);
  }
  template <class Handle>
  [[nodiscard]] INGOT_INLINE Handle absent_here(std::string_view key) const noexcept {
    return Handle(detail::doc::absent_member(at_.position != 0, key.data(), key.size()));
  }
  /// Returns the position of this container's node. Returns 0 if the value has no node of its own,
  /// or if something was moved since `seen_` was set. The caller then takes the slow path.
  [[nodiscard]] INGOT_INLINE std::size_t node_here() const noexcept {
    if (!fresh()) [[unlikely]]
      return 0;
    std::uint32_t position = 0;
    if (at_.position == 0) position = core_->root();
    else if (bytes_ != nullptr && at_.packed == 0 &&
             tag_here() - static_cast<unsigned>(detail::doc::tag::array) < 2)
      position = detail::doc::load<std::uint32_t>(bytes_ + 1);
    // The position is as wide as the address to which it is added. A narrower number would occupy
    // two registers.
    const std::size_t known = detail::doc::in_register(std::size_t{position});
    return known >= detail::doc::first_node ? known : 0;
  }
  [[nodiscard]] location element_at(std::size_t index) const noexcept {
    detail::doc::container found;
    const location here = now();
    if (core_ == nullptr ||
        !detail::doc::find_container(core_->mem(), detail::doc::read(core_->mem(), here), found) ||
        index >= found.count())
      return {.position = detail::doc::npos};
    return detail::doc::element_of(here, found, static_cast<std::uint32_t>(index));
  }

  core* core_ = nullptr;
  location at_;
  std::uint64_t seen_ = 0;
  /// Bytes of the value in a heap; valid while `seen_` is the current time. If null, the node must
  /// be read.
  const std::byte* bytes_ = nullptr;

  template <class T>
  [[nodiscard]] result<T> as_with_options(bool evolves, const conversion_options& how) const {
    if (!how.progress) return as_or_throw<T>(evolves, nullptr, &how);
    const std::uint64_t size = mem().size;
    detail::progress_tracker tracker(how.progress, size);
    detail::progress_poll each(&tracker, size);
    auto converted = as_or_throw<T>(evolves, &each, &how);
    if (each.stopped()) return tracker.cancelled();
    if (!converted) return converted;
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return converted;
  }
  template <class T, bool Named = true>
  [[nodiscard]] result<T> as_or_throw(bool evolves = false, detail::progress_poll* by = nullptr,
                                      const conversion_options* how = nullptr) const {
    using detail::doc::reading;
    reading r = how == nullptr ? reading(mem()) : reading(mem(), *how);
    r.evolves = evolves;
    r.by = by;
    if constexpr (std::same_as<T, bytes_view>) {
      const auto from = get();
      if (from.kind != value_kind::binary) {
        static_cast<void>(r.mismatch("bytes", from.kind));
        if constexpr (Named) apart<&value::name_of>(&r.why);
        return r.why.failure();
      }
      return as_bytes_view(detail::doc::text_of(r.in, from));
    } else if constexpr (std::is_default_constructible_v<T>) {
      result<T> converted{T{}};
      if (!detail::doc::read_as(r, get(), *converted)) [[unlikely]] {
        if constexpr (Named) apart<&value::name_of>(&r.why);
        return r.why.failure();
      }
      return converted;
    } else {
      auto object = detail::doc::read_object_value<T>(r, get());
      if (object) return std::move(*object);
      if constexpr (Named) apart<&value::name_of>(&r.why);
      return r.why.failure();
    }
  }
  /// Prepends the path of the value to the path of an error.
  INGOT_COLD void name(error& err) const noexcept {
    if (core_ == nullptr) detail::doc::absent_path(at_, seen_).name(err);
    else detail::doc::name_position(err, core_->mem(), now());
  }
  static void name_of(const value& of, detail::pending_error* err) noexcept { of.name(**err); }
  /// Returns the beginning of the path of a lookup in this value.
  [[nodiscard]] detail::doc::absent_path path_below() const noexcept {
    return core_ == nullptr ? detail::doc::absent_path(at_, seen_)
                            : detail::doc::absent_path(at_.position != 0);
  }
  /// Returns the path of this value. Searches for the path, and is therefore slower than
  /// `path_below`.
  [[nodiscard]] INGOT_COLD detail::doc::absent_path path_here() const noexcept {
    if (core_ == nullptr || at_.position == 0) return path_below();
    error named;
    name(named);
    return detail::doc::absent_path(false).with_path(named.path());
  }
  [[nodiscard]] static found_location not_found(const detail::doc::absent_path& wanted) noexcept {
    return {wanted.at(), wanted.rest()};
  }
  /// Returns the element to which this handle refers. Requires that `bytes_` is the packed array.
  [[nodiscard]] INGOT_INLINE detail::doc::item read_packed() const noexcept {
    const unsigned shift = tag_here() - static_cast<unsigned>(detail::doc::tag::packed8);
    if (shift > 3 || at_.packed > std::to_integer<std::uint32_t>(bytes_[1])) return {};
    return detail::doc::item::of(
        detail::doc::load_packed(bytes_ + 2 + (std::size_t{at_.packed - 1} << shift), shift));
  }
  [[nodiscard]] INGOT_INLINE bool is_packed_here() const noexcept {
    return fresh_in_heap() && tag_here() - static_cast<unsigned>(detail::doc::tag::packed8) < 4;
  }
  [[nodiscard]] INGOT_NOINLINE std::size_t size_again() const noexcept { return size_of(*this); }
  /// Does what `size()` does, for a handle that is in registers.
  [[nodiscard]] INGOT_INLINE std::size_t size_apart() const noexcept {
    if (is_packed_here()) return std::to_integer<std::size_t>(bytes_[1]);
    return apart<&value::size_of>();
  }
  [[nodiscard]] INGOT_INLINE static std::size_t size_of(const value& in) noexcept {
    if (const std::size_t position = in.node_here(); position != 0) [[likely]] {
      const std::byte* const at = in.core_->start() + position;
      if (std::to_integer<unsigned>(*at) <= static_cast<unsigned>(detail::doc::node_kind::shaped)) [[likely]]
        return detail::doc::load<std::uint16_t>(at + 4);
    }
    detail::doc::container found;
    const auto self = in.get();
    return detail::doc::find_container(in.mem(), self, found) ? found.count() : 0;
  }
  /// Calls a function of the handle that is not inlined. Passes the words of the handle one by one,
  /// because a whole handle would be stored in memory, even on paths without the call.
  template <auto Function, class... Rest>
  INGOT_INLINE auto apart(Rest... rest) const // NOLINT(*-use-nodiscard): it may return nothing
      -> std::invoke_result_t<decltype(Function), const value&, Rest...> {
    return apart_since<Function, Rest...>(seen_, std::forward<Rest>(rest)...);
  }
  /// Does what `apart` does, but the caller passes `seen_`, so that `seen_` needs no register.
  template <auto Function, class... Rest>
  INGOT_INLINE auto apart_since(std::uint64_t seen, Rest... rest) const // NOLINT(*-use-nodiscard)
      -> std::invoke_result_t<decltype(Function), const value&, Rest...> {
    const auto both = [](std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; };
    return of_words<Function, Rest...>(core_, both(at_.position, at_.index),
                                       both(at_.parent, at_.parent_index), at_.packed, seen, bytes_,
                                       std::forward<Rest>(rest)...);
  }
  template <auto Function, class... Rest>
  INGOT_NOINLINE static auto
  of_words(core* in, std::uint64_t here, std::uint64_t above, std::uint32_t packed, std::uint64_t seen,
           const std::byte* bytes,
           Rest... rest) noexcept(std::is_nothrow_invocable_v<decltype(Function), const value&, Rest...>)
      -> std::invoke_result_t<decltype(Function), const value&, Rest...> {
    value of;
    of.core_ = in;
    of.at_ = {static_cast<std::uint32_t>(here), static_cast<std::uint32_t>(here >> 32),
              static_cast<std::uint32_t>(above), static_cast<std::uint32_t>(above >> 32), packed};
    of.seen_ = seen;
    of.bytes_ = bytes;
    return Function(of, std::forward<Rest>(rest)...);
  }
  template <class Handle>
  [[nodiscard]] INGOT_INLINE Handle element(std::size_t index) const noexcept;
  [[nodiscard]] INGOT_INLINE static found_location element_of(const value& in, std::size_t index) noexcept {
    const location found = in.element_at(index);
    if (found.none()) return not_found(in.path_here().with_element(index));
    return {found, in.core_->changes().now()};
  }
  [[nodiscard]] INGOT_INLINE detail::doc::item read_heap() const noexcept {
    std::uint32_t size = 0;
    return detail::doc::read_value(bytes_, 0xFFFFU, size);
  }
  /// Returns the cell of an array's element if the cell contains the value and nothing was moved
  /// since `seen_` was set. Otherwise, and for null, returns 0; the caller must then read the node.
  template <detail::doc::node_kind Kind = detail::doc::node_kind::array>
  [[nodiscard]] INGOT_INLINE std::uint32_t cell_here() const noexcept {
    if (bytes_ != nullptr || at_.position == 0 || at_.packed != 0 || !fresh()) return 0;
    return detail::doc::immediate_quickly<Kind>(core_->start() + at_.position, at_.index);
  }
  template <class F>
  [[nodiscard]] static decltype(auto) visit_of(const value& of, F f);
  [[nodiscard]] INGOT_INLINE static detail::doc::item get_of(const value& of) noexcept {
    if (of.core_ == nullptr) return {};
    if (const std::uint32_t cell = of.cell_here(); cell != 0) [[likely]]
      return detail::doc::read_immediate(cell, false);
    if (const std::uint32_t cell = of.cell_here<detail::doc::node_kind::shaped>(); cell != 0)
      return detail::doc::read_immediate(cell, false);
    return detail::doc::read(of.core_->mem(), of.now());
  }
  [[nodiscard]] INGOT_INLINE static found_location find_of(const value& in, std::string_view key) noexcept;
  [[nodiscard]] INGOT_INLINE static location follow(const value& of) noexcept {
    location at = of.at_;
    const auto& changes = of.core_->changes();
    // The root (position 0) always exists, so it is not followed. Other nodes may have moved.
    if (at.position != 0 && !changes.follow(at.position, of.seen_)) return {.position = detail::doc::npos};
    if (at.parent != 0 && !changes.follow(at.parent, of.seen_, true)) at.parent = detail::doc::npos;
    return at;
  }
};

}} // namespace ingot::INGOT_V1

#include <ingot/document/detail/value_lookup.hpp>
#include <ingot/document/detail/visit_value.hpp>
