// SPDX-License-Identifier: Apache-2.0
// A value as a sequence of events, for example: an object begins, a key, its value, the object
// ends. Parsers and other readers emit values in this way, in one pass. A container becomes a node
// when it ends; then its keys are sorted once. Nesting does not use the call stack.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/bulk.hpp>
#include <ingot/document/detail/nodes.hpp>
#include <ingot/reflect/detail/element_cost.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {
struct event_access;
inline constexpr std::string_view expected_new_key = "a key that the object does not have yet";
} // namespace detail::doc

/// Receives a value as a sequence of events. After the first failure, all functions do nothing and
/// return false, so it is enough to check at the end. Each event is amortised O(1), except for
/// text, O(bytes), and the end of an object of n members, O(n log n).
class document_events {
public:
  document_events(const document_events&) = delete;
  document_events& operator=(const document_events&) = delete;

  // NOLINTBEGIN(modernize-use-nodiscard): callers check for success once, at the end
  bool begin_array() noexcept { return begin(value_kind::array); }
  bool begin_object() noexcept { return begin(value_kind::object); }
  /// Adds the key of the next value. The text is copied.
  bool key(const document_key& key) noexcept {
    if (!good()) return false;
    if (inner_ != value_kind::object || awaits_value()) return reject("a value");
    return values_.push_key(key) || stop(errc::no_memory);
  }
  /// Ends the innermost open container.
  INGOT_COMPILED bool end() noexcept;

  bool null() noexcept { return put(item::null()); }
  bool boolean(bool b) noexcept { return put(item::of(b)); }
  bool integer(std::int64_t i) noexcept { return put(item::of(i)); }
  bool unsigned_integer(std::uint64_t u) noexcept { return put(item::of(u)); }
  bool number(double d) noexcept { return put(item::of(d)); }
  /// Adds the double with these bits. The bits are not passed as a double, because the x87 changes
  /// the bits of a signalling NaN.
  bool number_bits(std::uint64_t bits) noexcept { return put(item::of(value_kind::number, bits)); }
  /// Adds text, which is copied. Does not check that it is UTF-8.
  bool text(std::string_view text) noexcept { return put(value_kind::text, text.data(), text.size()); }
  bool binary(bytes_view bytes) noexcept { return put(value_kind::binary, bytes.data(), bytes.size()); }
  /// Makes the value invalid: the events so far are ignored.
  bool abandon() noexcept { return reject("a complete value"); }
  /// Makes the value invalid with the error `because`. `why` returns this error, or an earlier one.
  bool abandon(errc because) noexcept { return stop(because); }
  // NOLINTEND(modernize-use-nodiscard)

  [[nodiscard]] INGOT_INLINE bool good() const noexcept { return failure_ == no_failure; }
  /// Returns the error; call this only if `good()` is false. Errors: `no_space`, `no_memory`,
  /// `too_much_memory` (for a reader with `max_memory`), `duplicate_key`, `too_deep`;
  /// `invalid_value` for events that make no value: a second root, a value where a key must be, an
  /// end without a beginning.
  [[nodiscard]] INGOT_COMPILED error why() const;
  /// Returns the number of open containers.
  [[nodiscard]] std::size_t depth() const noexcept { return open_.size(); }
  /// Returns the kind of the innermost open container; absent if there is none.
  [[nodiscard]] value_kind container() const noexcept { return inner_; }
  /// Returns the index of the first member with a repeated key, after `end` has rejected an object.
  /// Callers that know the position of each member in their input can report the position of this
  /// member.
  [[nodiscard]] std::uint32_t repeated_member() const noexcept { return repeated_; }

protected:
  /// Returns the error of `why` with the path at which the next value would be.
  [[nodiscard]] INGOT_COMPILED error why_here() const;

  using item = detail::doc::item;
  using core = detail::doc::core;

  document_events(core* in, key_policy repeated_keys, std::size_t levels) noexcept
      : in_(in), max_depth_(levels), policy_(repeated_keys) {}
  ~document_events() {
    if (in_ != nullptr) values_.drop(*in_, 0, 0);
  }

  /// Returns the value of the events; absent if they are incomplete. This object owns the value's
  /// nodes until `forget`.
  [[nodiscard]] item finished_value() noexcept {
    if (!good()) return {};
    if (!open_.empty()) return static_cast<void>(reject("the end of every container that was begun")), item{};
    if (values_.size() == 0) return static_cast<void>(reject("a value")), item{};
    return values_.value(0);
  }
  void forget() noexcept { values_.forget(0, 0); }
  /// Begins again with no events. The lists keep their memory.
  void restart(core* in) noexcept {
    if (in_ != nullptr) {
      values_.drop(*in_, 0, 0);
      in_->clear_limit(); // the document may outlive the events
    }
    allowance_.in = nullptr;
    open_.clear();
    in_ = in;
    inner_ = value_kind::absent;
    first_ = 0;
    repeated_ = detail::doc::npos;
    failure_ = no_failure;
  }
  bool stop(errc why) noexcept {
    if (!good()) return false;
    const bool is_beyond = allowance_.is_exceeded() && (why == errc::no_space || why == errc::no_memory);
    failure_ = static_cast<std::uint8_t>(is_beyond ? errc::too_much_memory : why);
    return false;
  }
  bool reject(const char* expected) noexcept {
    if (good()) expected_ = expected;
    return stop(errc::invalid_value);
  }

private:
  friend struct detail::doc::event_access;

  static constexpr std::uint8_t no_failure = 255;

  /// An open container. `first` is the index of its first value in the list, and `bytes` is the
  /// position of the bytes of its values.
  struct open_container {
    std::size_t first;
    std::uint32_t bytes;
    value_kind kind;
  };

  [[nodiscard]] INGOT_INLINE bool awaits_value() noexcept {
    return values_.size() != first_ && values_.back().kind == value_kind::absent;
  }
  /// Returns true if the next event may be a value.
  [[nodiscard]] INGOT_INLINE bool ready() noexcept {
    if (!good()) [[unlikely]]
      return false;
    if (inner_ == value_kind::array) return true;
    if (inner_ == value_kind::object) return awaits_value() || reject("a key");
    return values_.size() == 0 || reject("only one value");
  }
  INGOT_INLINE bool add(const item& value) noexcept {
    const bool stored = inner_ == value_kind::object ? values_.set_back(value) : values_.push(value);
    return stored || stop(errc::no_memory);
  }
  INGOT_INLINE bool put(const item& value) noexcept { return ready() && add(value); }
  bool put(value_kind kind, const void* data, std::size_t size) noexcept {
    if (!ready()) return false;
    if (size <= detail::doc::short_text)
      return add(item::text(kind, size == 0 ? "" : data, static_cast<std::uint32_t>(size)));
    const std::uint32_t position = detail::doc::make_blob(*in_, data, size);
    if (position == 0) return stop(errc::no_space);
    if (add(item::at_node(kind, position, true))) return true;
    detail::doc::release_blob(*in_, position);
    return false;
  }
  INGOT_COMPILED bool end_polling(detail::progress_poll& each) noexcept;
  bool begin(value_kind kind) noexcept {
    if (!ready()) return false;
    if (open_.size() >= max_depth_) return stop(errc::too_deep);
    if (!open_.push({values_.size(), static_cast<std::uint32_t>(values_.bytes()), kind}))
      return stop(errc::no_memory);
    inner_ = kind;
    first_ = values_.size();
    return true;
  }

  core* in_;
  detail::doc::memory_allowance allowance_;
  detail::doc::pending_values values_{allowance_};
  detail::doc::plain_list<open_container, detail::doc::counted_growth> open_{
      detail::doc::counted_growth{&allowance_}};
  std::size_t first_ = 0; ///< index of the innermost open container's first value
  std::size_t max_depth_;
  const char* expected_ = "";
  std::uint32_t repeated_ = detail::doc::npos;
  value_kind inner_ = value_kind::absent;
  std::uint8_t failure_ = no_failure;
  key_policy policy_;
};

namespace detail::doc {

/// Access for callers that make the nodes of a value themselves, and then add the value as a whole.
struct event_access {
  [[nodiscard]] static core& core_of(document_events& of) noexcept { return *of.in_; }
  /// Returns the core of the document; null if the events are ignored.
  [[nodiscard]] static core* core_in(document_events& of) noexcept { return of.in_; }
  /// Returns how many more levels of containers may begin.
  [[nodiscard]] static std::size_t levels_left(const document_events& of) noexcept {
    return of.max_depth_ - of.open_.size();
  }
  /// Ends a container that may have very many members, and polls. If the poll cancels, the error is
  /// `no_space`.
  [[nodiscard]] static bool end(document_events& of, progress_poll& each) noexcept {
    return of.end_polling(each);
  }
  /// Adds a value, and takes ownership of its nodes. Requires that the value is not deeper than
  /// `levels_left`. If the result is false, the caller still owns the nodes.
  [[nodiscard]] static bool put(document_events& to, const item& value) noexcept { return to.put(value); }
  [[nodiscard]] static memory_allowance& allowance_of(document_events& of) noexcept { return of.allowance_; }
};

/// As long as this object lives, the events may take at most `max_memory` bytes of memory. If they
/// need more, the error is `too_much_memory`. Capacity that the lists have from earlier values is
/// not counted. The object must be destroyed before the events.
class memory_bound {
public:
  memory_bound(document_events& of, uint64_t max_memory) noexcept
      : of_(of), outer_(event_access::allowance_of(of)) {
    core* const in = event_access::core_in(of);
    event_access::allowance_of(of) = {
        .max_size = max_memory, .begin = in != nullptr ? in->used() : 0, .in = in};
    event_access::allowance_of(of).limit_document();
  }
  memory_bound(const memory_bound&) = delete;
  memory_bound& operator=(const memory_bound&) = delete;
  ~memory_bound() {
    core* const in = event_access::core_in(of_);
    if (in != nullptr) in->clear_limit();
    if (in != outer_.in) outer_.in = nullptr;
    event_access::allowance_of(of_) = outer_;
    outer_.limit_document();
  }

  /// Begins a new count. Called before a reader reads the input a second time; the lists are then
  /// empty.
  void restart() noexcept {
    memory_allowance& allowance = event_access::allowance_of(of_);
    if (allowance.in != nullptr) allowance.in->clear_limit();
    allowance.lists = 0;
    allowance.is_list_rejected = false;
    allowance.limit_document();
  }

private:
  document_events& of_;
  memory_allowance outer_;
};

/// A type that emits its value as events, so that documents can store it: `void
/// write_events(document_events&) const`. This function must not change the document. Repeated keys
/// are an error, unless the type has `key_policy repeated_keys() const`.
template <class T>
concept event_source = requires(const T& from, document_events& to) { from.write_events(to); };

/// Events of a value that becomes a part of an existing document.
class inner_events : public document_events {
public:
  explicit inner_events(core& in, key_policy repeated_keys) noexcept
      : document_events(&in, repeated_keys, static_cast<std::size_t>(-1)) {}

  /// Passes the value and its nodes to the caller. Short text or packed integers are copied to
  /// `storage`, which has 128 bytes.
  [[nodiscard]] outcome take(core& in, item& to, std::byte* storage) noexcept {
    to = finished_value();
    if (!good()) [[unlikely]] {
      const error because = why_here();
      if (because.code() == errc::no_space || because.code() == errc::no_memory) return outcome::no_space;
      in.unsupported_reason() = because;
      return outcome::rejected;
    }
    if (!to.owns_node() && to.length != 0) {
      std::memcpy(storage, to.bytes, std::size_t{to.length} << to.shift);
      to.bytes = storage;
    }
    forget();
    return outcome::done;
  }
  using document_events::stop;
};

} // namespace detail::doc
}} // namespace ingot::INGOT_V1

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/events.hpp>
#endif
