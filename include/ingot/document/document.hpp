// SPDX-License-Identifier: Apache-2.0
// Document: values without a declared type. A document is one block of memory, which is also the
// message to send. A document is read, edited and grown in place.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/adapt_value.hpp>
#include <ingot/document/member_ref.hpp>
#include <ingot/document/validate.hpp>
#include <ingot/document/value.hpp>
#include <ingot/document/value_ref.hpp>
#include <ingot/live/block_options.hpp>
#include <ingot/live/block_stats.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/out_of_space.hpp>
#include <ingot/live/policy.hpp>
#include <ingot/live/receive_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {
struct growing_blocks; // ingot/file defines it
} // namespace detail

/// Memory that receives a document, so that opening the document copies nothing.
class document_receive_buffer;

class document_writer;
class document_snapshot;

/// Owns a value of any kind and everything in it. Moving is O(1) and keeps handles valid. When a
/// function ends handles, they read as absent from then on (see value.hpp). A moved-from document
/// is empty: it has no value and no bytes, all sizes are 0, and it equals another empty document.
/// Handles that are taken from an empty const document are absent. An empty document that is not
/// const becomes a new document when a value is assigned to it, or when a handle is taken from it,
/// as by `doc["key"] = 1`. The new document is null, with the default maximum size.
class document {
public:
  using whole_value = document;
  using document_type = document;
  /// Default maximum size: one megabyte of address space.
  static constexpr max_block_size default_max_block_size{
      detail::slot_layout<narrow_policy>::limit(std::size_t{1} << 20)};

  /// Constructs a document that is null. Throws `out_of_space` if the system has no memory.
  document() : document(default_max_block_size) {}
  /// Constructs a document that is null, with the maximum size `max_size`. Throws as `document()`
  /// does.
  explicit document(max_block_size max_size) : document(nothing{}) {
    auto memory = memory_of(max_size.bytes);
    if (!memory || !core_) detail::throw_out_of_space(out_of_space_reason::no_memory);
    core_->begin(std::move(memory));
  }
  /// Constructs a document from any value that `value_ref::set` accepts.
  template <class T>
    requires(!detail::doc::value_like<T> && !std::same_as<T, max_block_size>)
  explicit document(const T& from, max_block_size max_size = default_max_block_size) : document(max_size) {
    *this = from;
  }
  explicit document(const value& from, max_block_size max_size = default_max_block_size)
      : document(max_size) {
    *this = from;
  }
  /// Copies a document in canonical form, with the same maximum size. O(bytes).
  document(const document& other)
      : document(max_block_size{other.core_ ? other.core_->limit() : default_max_block_size.bytes}) {
    if (!other.core_) core_.reset();
    else if (!fill_canonical(*core_, *other.core_, {}))
      detail::throw_out_of_space(out_of_space_reason::no_memory);
  }
  document(document&&) noexcept = default;
  /// Copies the document in canonical form. The copy can grow to `options.max_size`. Progress
  /// counts the bytes copied. Errors: `no_memory`; `cancelled`.
  [[nodiscard]] INGOT_COMPILED result<document> try_copy(const block_options& options) const;
  /// Assigns a copy of `other`. Ends all handles to the former value, except those to the root. If
  /// this document uses memory that it does not own, the copy is made in that memory.
  document& operator=(const document& other) {
    if (this == &other) return *this;
    if (core_ && other.core_ && core_->in_place()) return *this = other.root();
    document copy(other);
    if (core_ && copy.core_ && !core_->owned().is_slot()) {
      if (!take_over(*copy.core_)) detail::throw_out_of_space(out_of_space_reason::full);
      return *this;
    }
    if (!core_ || !copy.core_) {
      core_ = std::move(copy.core_);
    } else {
      core_->take(std::move(copy.core_->owned()));
      core_->changes().note_all();
    }
    return *this;
  }
  /// Takes the value of `other`. O(1). Handles to the former value become invalid, as if the
  /// document were destroyed. Handles to `other` become handles to this document.
  document& operator=(document&&) noexcept = default;
  ~document() = default;

  /// Sets the root. Throws `out_of_space`, or `bad_document_value` if reading the result with `as`
  /// would fail. After an exception the document is unchanged.
  template <class T>
    requires(!std::same_as<T, document>)
  document& operator=(const T& from) {
    if (const auto why = detail::doc::rejected(from)) [[unlikely]]
      detail::doc::throw_rejected(*why);
    if (!core_) *this = document();
    value_ref here = root();
    if (const auto o = here.try_set(from); o != detail::doc::outcome::done)
      detail::doc::throw_outcome(o, core_->failure(), here.why_not(o));
    return *this;
  }

  /// Sets the root to a newly built value. Ends all handles except those to the root. The former
  /// value is released only after the new value is complete. `progress` reports the bytes built so
  /// far, with the total `progress_ref::unknown` until the end. If the callback returns false, the
  /// call stops with `cancelled`. After an error the document is unchanged. Errors: `cancelled`;
  /// those of `value_ref::set`; `unsupported` if the document was opened in place.
  template <class T>
  [[nodiscard]] result<void> try_assign(const T& from, progress_ref progress = {}) {
    if (const auto why = detail::doc::rejected(from)) [[unlikely]]
      return fail(*why);
    if (core_ && core_->in_place()) return not_in_place();
    auto created = begin(max_block_size{core_ ? core_->limit() : default_max_block_size.bytes});
    if (!created) return fail(created.error());
    auto o = detail::doc::outcome::done;
    auto fill = [&] {
      o = created->root().try_set(from);
      return o == detail::doc::outcome::done;
    };
    const auto filled =
        created->fill_by([](void* by) { return (*static_cast<decltype(fill)*>(by))(); }, &fill, progress);
    if (!filled && (o == detail::doc::outcome::done || filled.error().code() == errc::cancelled))
      return filled;
    if (o != detail::doc::outcome::done) return fail(created->root().why_not(o));
    if (!core_) core_ = std::move(created->core_);
    else if (!take_over(*created->core_)) return fail(errc::no_space);
    return {};
  }

  /// Constructs a document in `span`, which it does not own. The allocator's state is at the
  /// beginning of `span`. Clears the span. The document never grows beyond the span.
  [[nodiscard]] INGOT_COMPILED static result<document> in(std::span<std::byte> span);
  /// Copies untrusted `bytes` into new memory, where the document can grow, and validates them.
  /// O(bytes) for any input; not recursive. Trailing bytes are an error. Progress counts each byte
  /// twice: copied, then validated.
  [[nodiscard]] INGOT_COMPILED static result<document> open(bytes_view bytes,
                                                            const block_options& options = {});
  /// Validates a received document in the buffer, without a copy; see `receive_buffer`.
  [[nodiscard]] INGOT_COMPILED static result<document> open(document_receive_buffer&& from,
                                                            progress_ref progress = {});
  /// Returns memory that can receive a message of `bytes` bytes.
  [[nodiscard]] INGOT_COMPILED static document_receive_buffer
  receive_buffer(std::size_t bytes, max_block_size max_size = default_max_block_size);
  /// Copies bytes without validation; checks only the header. The bytes must come from this process
  /// or from a trusted process.
  [[nodiscard]] INGOT_COMPILED static result<document>
  open_unchecked(bytes_view bytes, max_block_size max_size = default_max_block_size);
  /// Validates the bytes and uses them in place; their address must be a multiple of 8. Values can
  /// be read, overwritten and shortened. A change that needs more space than the node has is
  /// rejected with `no_space`. Shapes and long keys store the number of objects that use them.
  /// These numbers are not trusted: they are computed again and overwritten.
  [[nodiscard]] INGOT_COMPILED static result<document> open_in_place(std::span<std::byte> bytes,
                                                                     progress_ref progress = {});
  /// Uses bytes in place without validation; checks only the header. The bytes must come from this
  /// process or from a trusted process. O(1).
  [[nodiscard]] INGOT_COMPILED static result<document> open_in_place_unchecked(std::span<std::byte> bytes);

  /// Returns true if the document has a value; false if it was moved from.
  explicit operator bool() const noexcept { return core_ != nullptr; }

  /// Returns a handle to the root.
  [[nodiscard]] value root() const noexcept {
    return detail::doc::access::make<value>(core_.get(), detail::doc::location{});
  }
  [[nodiscard]] value_ref root() noexcept {
    return detail::doc::access::make<value_ref>(core_here(), detail::doc::location{});
  }
  /// The following functions call the functions of `root()` with the same names.
  [[nodiscard]] INGOT_INLINE value operator[](const document_key& key) const noexcept {
    return root().find(key);
  }
  [[nodiscard]] INGOT_INLINE member_ref operator[](const document_key& key) noexcept { return {root(), key}; }
  [[nodiscard]] value operator[](std::size_t index) const noexcept { return root()[index]; }
  [[nodiscard]] value_ref operator[](std::size_t index) noexcept { return root()[index]; }
  [[nodiscard]] value at(std::string_view pointer) const { return root().at(pointer); }
  [[nodiscard]] value_ref at(std::string_view pointer) { return root().at(pointer); }
  [[nodiscard]] INGOT_INLINE value find(const document_key& key) const noexcept { return root().find(key); }
  template <detail::doc::text_of_key Text>
  [[nodiscard]] INGOT_INLINE value find(const Text& text) const noexcept {
    return root().find(text);
  }
  [[nodiscard]] bool contains(const document_key& key) const noexcept { return root().contains(key); }

  /// Returns the bytes of the document, which can be sent as a message. O(1). Valid until the next
  /// change.
  [[nodiscard]] bytes_view bytes() const noexcept { return core_ ? core_->bytes() : bytes_view{}; }
  /// Returns the sizes of the block: used, free and maximum bytes. O(1).
  [[nodiscard]] block_stats stats() const noexcept {
    if (!core_) return {};
    return {core_->used(), core_->in_place() ? 0 : core_->arena().free_bytes(), core_->limit()};
  }
  [[nodiscard]] std::size_t max_size() const noexcept { return core_ ? core_->limit() : 0; }

  /// Rewrites the document in canonical form: equal documents then have equal bytes on all machines
  /// with the same byte order. Ends all handles except those to the root. Returns the number of
  /// bytes saved. If few objects share their keys, the canonical form can be longer. If the
  /// canonical form is longer than the maximum size, the maximum size is raised. Throws
  /// `out_of_space` if there is no memory for the copy.
  std::size_t compact() {
    if (!core_) return 0;
    const std::size_t before = core_->used();
    if (!try_compact())
      detail::throw_out_of_space(core_->in_place() ? out_of_space_reason::in_place
                                                   : out_of_space_reason::no_memory);
    return before - std::min<std::size_t>(before, core_->used());
  }
  /// Compacts as `compact` does. `progress` reports the bytes rewritten. The search for shared keys
  /// comes first and is not counted. If the maximum size is raised, the count of bytes begins again
  /// at 0. After an error the document is unchanged. Errors: `cancelled`, `no_memory`;
  /// `unsupported` if the document was opened in place.
  [[nodiscard]] INGOT_COMPILED result<void> try_compact(progress_ref progress = {});
  /// Removes the lists of free bytes, so that the bytes contain no links of the allocator. Gives
  /// the memory after the document back to the system. Returns the number of free bytes inside the
  /// document.
  INGOT_COMPILED std::size_t trim() noexcept;

  /// Applies a patch that `document_snapshot::changes` returned for another copy of this document.
  /// Include changes.hpp to call this function. The patch is untrusted: the result is validated,
  /// and compared with the fingerprint in the patch. `progress` reports each byte of this document,
  /// of the patch and of the result, once for each pass. Ends all handles except those to the root.
  /// O(bytes), within the maximum size. After an error this document is unchanged. Errors:
  /// `state_mismatch` if the patch was made for another state of the document; `cancelled` if
  /// `progress` returns false; those of `open`.
  [[nodiscard]] result<void> apply(bytes_view patch, progress_ref progress = {});

  friend bool operator==(const document& a, const document& b) noexcept { return a.root() == b.root(); }
  friend void swap(document& a, document& b) noexcept { std::swap(a.core_, b.core_); }

private:
  friend class document_writer;
  friend class document_snapshot;
  friend struct detail::doc::access;
  friend struct detail::growing_blocks;
  using core = detail::doc::core;
  struct nothing {};
  /// Creates the core. If there is no memory, the core is null; the caller must check this.
  explicit document(nothing) noexcept : core_(new (std::nothrow) core) {}
  [[nodiscard]] INGOT_COMPILED static error no_memory_for_it();
  /// Guards new memory while a document is written into it. If the writing fails, or if the
  /// progress callback throws, the destructor marks the first `used` bytes as used. So these bytes
  /// are cleared when the memory is freed.
  struct commit_guard {
    core& in;
    std::uint32_t used;
    bool settled = false;
    ~commit_guard() {
      if (!settled) in.arena().start(used, in.limit());
    }
  };
  struct none {};
  explicit document(none) noexcept {} // has no core, as a moved-from document

  [[nodiscard]] static detail::block_memory<narrow_policy> memory_of(std::size_t bytes) noexcept {
    return detail::block_memory<narrow_policy>::reserve_slot(std::max<std::size_t>(bytes, 64));
  }
  /// Returns a null document, or an error if there is no memory.
  [[nodiscard]] INGOT_COMPILED static result<document> begin(max_block_size max_size);
  [[nodiscard]] INGOT_COMPILED static result<document_info> whole(bytes_view bytes);
  [[nodiscard]] INGOT_COMPILED static result<document> open_borrowed(std::span<std::byte> bytes,
                                                                     progress_ref progress);
  [[nodiscard]] INGOT_COMPILED static result<document> copy_in(bytes_view bytes, max_block_size max_size);
  /// Validates bytes that `filled` owns, so that nothing can change these bytes during the
  /// validation.
  [[nodiscard]] INGOT_COMPILED static result<document> validate_owned(document&& filled, std::size_t bytes,
                                                                      detail::progress_tracker& tracker,
                                                                      detail::block_growth* file = nullptr);
  [[nodiscard]] INGOT_COMPILED static result<document> open_received(document_receive_buffer&& from,
                                                                     detail::progress_tracker& tracker);
  /// Takes the contents of `fresh`. Returns false if they don't fit in this document's memory.
  [[nodiscard]] INGOT_COMPILED bool take_over(core& fresh) noexcept;
  /// Returns the core. Creates the core if there is none. Returns null if there is no memory.
  [[nodiscard]] INGOT_INLINE core* core_here() noexcept {
    if (!core_) [[unlikely]]
      begin_here();
    return core_.get();
  }
  INGOT_COLD INGOT_COMPILED void begin_here() noexcept;
  [[nodiscard]] INGOT_COMPILED static std::unexpected<error> not_in_place();
  /// Calls `fill(by)`, which must fill this new document, and must return false if there is no
  /// space.
  [[nodiscard]] INGOT_COMPILED result<void> fill_by(bool (*fill)(void*), void* by, progress_ref progress);
  /// Writes the canonical form of `from` to the empty `to`. Enlarges `to` if it is too small.
  [[nodiscard]] INGOT_COMPILED static result<void> fill_canonical(core& to, const core& from,
                                                                  progress_ref progress);
  [[nodiscard]] INGOT_COMPILED static bool rewrite_into(core& to, const core& from) noexcept;

  detail::owned<core> core_;
};

inline value_ref member_ref::operator=(const document& from) && { return assign(from); } // NOLINT

/// Memory that receives a document; see `document::receive_buffer`. Move only.
class document_receive_buffer {
public:
  [[nodiscard]] std::byte* data() noexcept { return memory_.start(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Returns the memory for the received bytes.
  [[nodiscard]] std::span<std::byte> bytes() noexcept { return {memory_.start(), size_}; }
  explicit operator bool() const noexcept { return size_ != 0; }

  document_receive_buffer(document_receive_buffer&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  document_receive_buffer& operator=(document_receive_buffer&& other) noexcept {
    document_receive_buffer taken(std::move(other));
    std::swap(memory_, taken.memory_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~document_receive_buffer() {
    // Marks the received bytes as used, so that they are cleared when the slot is freed.
    if (memory_)
      memory_.block().allocator().start(static_cast<std::uint32_t>(detail::round_up(size_, 8)),
                                        memory_.limit());
  }

private:
  friend class document;
  document_receive_buffer(detail::block_memory<narrow_policy>&& memory, std::size_t bytes) noexcept
      : memory_(std::move(memory)), size_(memory_ && memory_.reaches(bytes) ? bytes : 0) {}

  detail::block_memory<narrow_policy> memory_;
  std::size_t size_;
};

}} // namespace ingot::INGOT_V1

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/document.hpp>
#endif
