// SPDX-License-Identifier: Apache-2.0
// Reads an archive in place, without building a document. The bytes are untrusted, so every access
// checks its position. Positions that were found are stored outside of the bytes, so that the next
// lookup needs no search.
//
// `open` validates the bytes first. `over`, like `document_peek::over`, does not validate them. In
// bytes that `unarchive` would reject, some values may be absent and others meaningless.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/put_bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/detail/archive_edit.hpp>
#include <ingot/document/detail/archive_index.hpp>
#include <ingot/document/detail/archive_name.hpp>
#include <ingot/document/detail/kind_tests.hpp>
#include <ingot/document/detail/position_name.hpp>
#include <ingot/document/detail/read.hpp>
#include <ingot/document/detail/text_array.hpp>
#include <ingot/pack/unpack.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

class archive_elements;
class archive_members;

/// Value of an archive. A value, and the text and bytes that the value returns, are valid as long
/// as the view and the bytes of the archive exist.
class archive_value : public detail::doc::kind_tests<archive_value> {
public:
  /// Constructs an absent value.
  archive_value() noexcept = default;

  /// Returns the kind. Returns `absent` also for a value that is not inside the bytes. O(1).
  [[nodiscard]] value_kind kind() const noexcept { return head().kind; }

  /// Returns the value as a `T`. O(1) for scalars and views. For containers and records, a document
  /// is built first. Errors: those of `value::as`, and those of `to_document`. If the value exists,
  /// the path of an error begins at the root. To find this path, the function reads the heads of
  /// the elements before the value. If the value does not exist, the path has only the steps after
  /// the last value that exists. If these steps have more than 15 bytes, the first steps are cut.
  template <class T>
  [[nodiscard]] result<T> as() const {
    return as_or_why<T>();
  }
  /// Returns the result of `as`, or `otherwise` if `as` would return an error.
  template <class T>
  [[nodiscard]] T value_or(T otherwise) const {
    if constexpr (is_single<T> && detail::doc::reads_without_memory<T>) {
      const auto from = get();
      if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        // An integer is the common case. It is returned without creating an error object.
        if (from.kind == value_kind::integer && std::in_range<T>(from.integer()))
          return static_cast<T>(from.integer());
      }
      detail::doc::reading r(detail::doc::memory{});
      T converted{};
      return detail::doc::read_as(r, from, converted) ? converted : otherwise;
    } else {
      auto read = as_or_why<T, false>();
      return read ? std::move(*read) : std::move(otherwise);
    }
  }
  [[nodiscard]] std::string_view value_or(const char* text) const { return value_or(std::string_view(text)); }
  /// Returns a document of the value, validated as by `unarchive`. O(n) in the bytes of the value.
  /// The first call is also O(n) in the archive's keys and shapes. Progress reports positions in
  /// the archive.
  [[nodiscard]] result<document> to_document(const unarchive_options& options = {}) const {
    const auto self = head();
    if (self.kind == value_kind::absent) {
      error err{errc::missing_member, in_ == nullptr ? 0 : at_};
      name(err.with_expected("a value that exists"));
      return fail(err);
    }
    if (width_ != 0) {
      auto created = detail::doc::access::begin<document>(options.max_size);
      if (!created) return created;
      if (const auto set = created->root().set(static_cast<std::int64_t>(self.number)); !set)
        return fail(set.error());
      return created;
    }
    detail::pending_error err;
    detail::doc::archive_tables* const tables = in_->tables(err);
    if (tables == nullptr) return err.failure();
    detail::doc::shape_uses counted(*tables);
    const auto* const start = in_->start();
    std::uint32_t at = at_;
    detail::progress_tracker tracker(options.progress, 2 * std::uint64_t{end_}, end_);
    detail::progress_poll validating(&tracker, end_);
    if (!detail::doc::archive_walk(start, *tables, counted, err, validating).read(at, end_)) {
      if (validating.stopped()) return tracker.cancelled();
      return err.failure();
    }
    tracker.begin_pass();
    detail::progress_poll building(&tracker, end_);
    auto created = detail::doc::build_document(start, at_, at, in_->parts().shapes_end + (at - at_), *tables,
                                               options, building);
    if (building.stopped()) return tracker.cancelled();
    if (!created) return created;
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return created;
  }

  /// Returns the number of elements or members; 0 for other kinds. O(1), but O(n) for the first
  /// call for an array that is not packed.
  [[nodiscard]] std::size_t size() const noexcept {
    const auto self = head();
    const bool has_elements = self.kind == value_kind::array || self.kind == value_kind::object;
    return has_elements && self.length() != 0 ? in_->count(at_, self) : 0;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns the length of text or bytes; 0 for other kinds. O(1).
  [[nodiscard]] std::size_t length() const noexcept {
    const auto self = head();
    return self.kind == value_kind::text || self.kind == value_kind::binary ? self.length() : 0;
  }

  /// Returns the member with the key; absent if there is none, or if this is no object. The first
  /// lookup is O(n) in the keys of the archive and in the members of the object. It reads only the
  /// heads of the members. Later lookups are O(1), or O(log n) for a key that was not used
  /// recently.
  [[nodiscard]] archive_value find(const document_key& key) const noexcept {
    const auto self = head();
    const std::uint32_t member = find_member(self, key);
    return member == detail::doc::npos ? absent_member(key.text()) : element(self, member);
  }
  [[nodiscard]] archive_value operator[](const document_key& key) const noexcept { return find(key); }
  [[nodiscard]] bool contains(const document_key& key) const noexcept {
    const auto self = head();
    const std::uint32_t member = find_member(self, key);
    return member != detail::doc::npos && element(self, member).exists();
  }
  /// Returns an element of an array, or a member of an object in the order of its keys; absent if
  /// `index >= size()`. The first lookup in a container, by index or key, is O(n); later ones are
  /// O(1).
  [[nodiscard]] archive_value operator[](std::size_t index) const noexcept {
    const auto self = head();
    if ((self.kind != value_kind::array && self.kind != value_kind::object) || index >= self.length())
      return absent_element(index);
    return element(self, static_cast<std::uint32_t>(index));
  }
  /// Returns the value at a JSON Pointer (RFC 6901); absent if there is none.
  [[nodiscard]] archive_value at(std::string_view pointer) const {
    return detail::doc::follow_pointer(*this, pointer);
  }

  /// Returns the values of an array or object, in order. O(1) per increment. Stores no positions.
  [[nodiscard]] archive_elements elements() const noexcept;
  /// Returns the members of an object as pairs `key`, `value`, in the order of `value::members`.
  /// Each increment is O(1). The first call also finds and stores the keys of the archive and of
  /// the object's shape, in O(n) for n keys.
  [[nodiscard]] archive_members members() const noexcept;

private:
  friend class archive_view;
  friend class archive_element_iterator;
  friend class archive_member_iterator;
  friend class archive_elements;

  template <class T>
  static constexpr bool is_single = std::is_arithmetic_v<T> || std::is_enum_v<T> || detail::string_like<T> ||
                                    detail::duration_like<T> || detail::time_point_like<T>;

  archive_value(detail::doc::archive_index* in, std::uint32_t at, std::uint32_t end,
                std::uint8_t width = 0) noexcept
      : in_(in), at_(at), end_(end), width_(width) {}

  template <class T, bool Named = true>
  [[nodiscard]] result<T> as_or_why() const {
    if constexpr (std::same_as<T, bytes_view>) {
      const auto from = get();
      if (from.kind == value_kind::binary) return bytes_view{from.bytes, from.length};
      detail::doc::reading r(detail::doc::memory{});
      static_cast<void>(r.mismatch("bytes", from.kind));
      return failure<Named>(*r.why);
    } else if constexpr (is_single<T>) {
      if constexpr (detail::doc::reads_without_memory<T>) return as_or_throw<T, Named>();
      else return detail::catch_bad_alloc([&] { return as_or_throw<T, Named>(); });
    } else {
      static_assert(
          !detail::borrows<T>(),
          "ingot: a view of text has nothing to look into when its document is gone: use to_document()");
      const auto copied = to_document();
      if (!copied) return fail(copied.error());
      auto read = copied->root().template as<T>();
      if (!read) return failure<Named>(read.error());
      return read;
    }
  }
  template <class T, bool Named>
  [[nodiscard]] result<T> as_or_throw() const {
    detail::doc::reading r(detail::doc::memory{});
    result<T> converted{T{}};
    if (!detail::doc::read_as(r, get(), *converted)) [[unlikely]]
      return failure<Named>(*r.why);
    return converted;
  }
  template <bool Named>
  [[nodiscard]] INGOT_COLD std::unexpected<error> failure(const error& err) const noexcept {
    error named = err;
    if constexpr (Named) name(named);
    return fail(named);
  }

  /// Prepends the path of the value to the path of an error.
  INGOT_COLD void name(error& err) const noexcept {
    if (in_ != nullptr) detail::doc::name_archived(err, *in_, at_);
    else missing_path().name(err);
  }
  // A value that does not exist has no position. Instead, its data members store the path.
  using absent_path = detail::doc::short_path<15>;
  explicit archive_value(const absent_path& wanted) noexcept {
    const auto& words = wanted.words();
    std::memcpy(&at_, words.data(), sizeof at_);
    std::memcpy(&end_, words.data() + 4, sizeof end_);
    std::memcpy(&width_, words.data() + 8, sizeof width_);
    std::memcpy(more_.data(), words.data() + 9, more_.size());
  }
  [[nodiscard]] absent_path missing_path() const noexcept {
    std::array<char, absent_path::max_size + 1> words{};
    std::memcpy(words.data(), &at_, sizeof at_);
    std::memcpy(words.data() + 4, &end_, sizeof end_);
    std::memcpy(words.data() + 8, &width_, sizeof width_);
    std::memcpy(words.data() + 9, more_.data(), more_.size());
    return absent_path::of_words(words);
  }
  [[nodiscard]] absent_path path_below() const noexcept {
    return in_ == nullptr ? missing_path() : absent_path(at_ != in_->parts().shapes_end);
  }
  [[nodiscard]] INGOT_NOINLINE archive_value absent_member(std::string_view key) const noexcept {
    absent_path wanted = path_below();
    wanted.add_member(key);
    return archive_value(wanted);
  }
  [[nodiscard]] INGOT_NOINLINE archive_value absent_element(std::size_t index) const noexcept {
    absent_path wanted = path_below();
    wanted.add_element(index);
    return archive_value(wanted);
  }
  [[nodiscard]] detail::doc::archive_head head() const noexcept {
    detail::doc::archive_head found;
    if (in_ == nullptr) return found;
    if (width_ != 0) { // an integer in a packed array
      found.kind = value_kind::integer;
      found.number = static_cast<std::uint64_t>(detail::doc::load_signed(in_->start() + at_, width_));
      return found;
    }
    return detail::doc::read_archive_head(in_->start(), at_, end_, found) ? found
                                                                          : detail::doc::archive_head{};
  }
  [[nodiscard]] detail::doc::item get() const noexcept {
    return in_ == nullptr ? detail::doc::item{} : head().as_item(in_->start());
  }
  /// Returns the index of the member in the object, or `npos`.
  [[nodiscard]] std::uint32_t find_member(const detail::doc::archive_head& self,
                                          const document_key& key) const noexcept {
    if (self.kind != value_kind::object || self.length() == 0) return detail::doc::npos;
    const std::uint32_t number = in_->find_key(key);
    return number == detail::doc::npos ? number : in_->member_of_key(self.shape, number);
  }
  [[nodiscard]] archive_value element(const detail::doc::archive_head& self,
                                      std::uint32_t index) const noexcept {
    const std::uint32_t begin = in_->element(at_, self, index);
    return begin == 0 ? absent_element(index) : archive_value(in_, begin, self.next, self.width);
  }

  detail::doc::archive_index* in_ = nullptr;
  std::uint32_t at_ = 0;
  std::uint32_t end_ = 0;      ///< end of the container
  std::uint8_t width_ = 0;     ///< size of an element of a packed array; otherwise 0
  std::array<char, 7> more_{}; ///< for a value that does not exist: end of its path
};

/// Iterator over the elements of a container.
class archive_element_iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using value_type = archive_value;
  using difference_type = std::ptrdiff_t;
  using reference = archive_value;
  using pointer = void;

  archive_element_iterator() = default;
  [[nodiscard]] archive_value operator*() const noexcept { return at_; }
  archive_element_iterator& operator++() noexcept {
    step();
    return *this;
  }
  archive_element_iterator operator++(int) noexcept {
    const archive_element_iterator before = *this;
    step();
    return before;
  }
  friend bool operator==(const archive_element_iterator& a, const archive_element_iterator& b) noexcept {
    return a.position() == b.position();
  }

protected:
  friend class archive_elements;
  [[nodiscard]] std::uint32_t position() const noexcept { return at_.at_; }
  archive_element_iterator(const archive_value& at, std::uint32_t shape, std::uint32_t left) noexcept
      : at_(at), shape_(shape), left_(left) {
    if (left_ == 0) at_.at_ = at_.end_;
  }
  void step() noexcept {
    using detail::doc::skip_archived;
    ++index_;
    if (at_.width_ != 0) {
      at_.at_ += at_.width_;
      return;
    }
    const std::uint32_t next = skip_archived(at_.in_->start(), at_.at_, at_.end_);
    at_.at_ = next == 0 || --left_ == 0 ? at_.end_ : next;
  }

  archive_value at_;
  std::uint32_t shape_ = 0;
  std::uint32_t left_ = 0; ///< maximum number of elements that follow
  std::uint32_t index_ = 0;
};

/// Range of the values of a container; see `archive_value::elements`.
class archive_elements {
public:
  using iterator = archive_element_iterator;
  /// Constructs the range of the values of `of`. O(1).
  explicit archive_elements(const archive_value& of) noexcept : of_(of), head_(of.head()) {}
  [[nodiscard]] iterator begin() const noexcept { return make(head_.body); }
  [[nodiscard]] iterator end() const noexcept { return make(head_.next); }

protected:
  [[nodiscard]] iterator make(std::uint32_t at) const noexcept {
    const bool has_elements = head_.kind == value_kind::array || head_.kind == value_kind::object;
    if (!has_elements || of_.in_ == nullptr) return {};
    const std::uint32_t count =
        head_.kind == value_kind::object ? of_.in_->shape_size(head_.shape) : head_.length();
    return {archive_value(of_.in_, at, head_.next, head_.width), head_.shape, count};
  }

  archive_value of_;
  detail::doc::archive_head head_;
};

/// Member of an object in an archive. The text of the key is in the archive.
struct archive_member {
  /// Text of the key; valid as long as the bytes of the archive exist.
  std::string_view key;
  archive_value value;
};
/// Iterator over the members of an object.
class archive_member_iterator : public archive_element_iterator {
public:
  using value_type = archive_member;
  using reference = archive_member;
  archive_member_iterator() = default;
  /// Constructs an iterator to the member whose value is at `at`.
  explicit archive_member_iterator(const archive_element_iterator& at) noexcept
      : archive_element_iterator(at) {}
  // NOLINTBEGIN(bugprone-derived-method-shadowing-base-method): these return the key, too
  [[nodiscard]] archive_member operator*() const noexcept {
    auto& in = *at_.in_;
    return {in.key_text(in.key_of_member(shape_, index_)), at_};
  }
  archive_member_iterator& operator++() noexcept {
    step();
    return *this;
  }
  archive_member_iterator operator++(int) noexcept {
    const archive_member_iterator before = *this;
    step();
    return before;
  }
  // NOLINTEND(bugprone-derived-method-shadowing-base-method)
};
/// Range of the members of an object; see `archive_value::members`.
class archive_members : archive_elements {
public:
  using iterator = archive_member_iterator;
  /// Constructs the range of the members of `of`; empty if `of` is no object. O(1).
  explicit archive_members(const archive_value& of) noexcept : archive_elements(of) {
    if (head_.kind != value_kind::object) head_.kind = value_kind::absent;
  }
  [[nodiscard]] iterator begin() const noexcept { return iterator(archive_elements::begin()); }
  [[nodiscard]] iterator end() const noexcept { return iterator(archive_elements::end()); }
};

inline archive_elements archive_value::elements() const noexcept { return archive_elements(*this); }
inline archive_members archive_value::members() const noexcept { return archive_members(*this); }

/// Reads an archive in place. The view stores positions that it finds, so only one thread at a time
/// may use it. Several views of the same bytes are independent. Values stay valid when their view
/// is moved.
class archive_view {
public:
  /// Validates `bytes` as `unarchive` does, and returns a view. O(n). Errors: those of `unarchive`.
  [[nodiscard]] static result<archive_view> open(bytes_view bytes) {
    if (auto valid = validate_archive(bytes); !valid) return fail(valid.error());
    return over(bytes);
  }
  /// Returns a view of `bytes` without validation; each access is checked. This call only checks
  /// the header and the lengths of the parts. O(1). Errors: `not_ingot`, `wrong_version`,
  /// `bad_padding`, `truncated`, `trailing_bytes`, `bad_length`, `no_memory`.
  [[nodiscard]] static result<archive_view> over(bytes_view bytes) {
    const auto parts = detail::doc::find_archive_parts(bytes);
    if (!parts) return fail(parts.error());
    archive_view view;
    view.index_.reset(new (std::nothrow) detail::doc::archive_index(bytes.data(), *parts));
    if (!view.index_) return fail(error{errc::no_memory}.with_expected("memory for an index"));
    return view;
  }

  /// Returns the root; absent if the view was moved from.
  [[nodiscard]] archive_value root() const noexcept {
    if (!index_) return {};
    return {index_.get(), index_->parts().shapes_end, index_->parts().end};
  }
  /// The following functions call the functions of `root()` with the same names.
  [[nodiscard]] archive_value operator[](const document_key& key) const noexcept { return root().find(key); }
  [[nodiscard]] archive_value operator[](std::size_t index) const noexcept { return root()[index]; }
  [[nodiscard]] archive_value find(const document_key& key) const noexcept { return root().find(key); }
  [[nodiscard]] bool contains(const document_key& key) const noexcept { return root().contains(key); }
  [[nodiscard]] archive_value at(std::string_view pointer) const { return root().at(pointer); }

  /// Writes a copy of the archive in which one value is replaced by null, a boolean, a number, text
  /// or bytes, in the form that `archive` would write. The old value must have no elements. O(n)
  /// for n elements in the containers around the value, and O(bytes) for the copy. If `unarchive`
  /// would reject the viewed bytes, the invalid parts are copied unchanged, and `unarchive` usually
  /// rejects the result, too. The sink may contain the viewed bytes; then the view and its values
  /// become invalid. Errors: `type_mismatch` if the old value has elements, `missing_member` if
  /// there is no old value; for the sink, those of `archive_to`.
  template <sink S, class T>
  [[nodiscard]] result<std::size_t> replace_to(S& sink, const archive_value& target, const T& with) const {
    using detail::doc::edit_outcome;
    if (!target.exists() || target.in_ != index_.get())
      return fail(error{errc::missing_member}.with_expected("a value of this view"));
    detail::doc::archive_edit edit(*index_);
    switch (edit.prepare(target.at_, target.width_, scalar_of(with))) {
    case edit_outcome::done:
      return detail::put_into(sink, edit.size(), {index_->start(), index_->parts().end},
                              [&](std::byte* to) { edit.write(to); });
    case edit_outcome::wrong_kind:
      return fail(error{errc::type_mismatch, target.at_}.with_expected("a value without elements"));
    case edit_outcome::too_large:
      return fail(error{errc::too_large}.with_expected("an archive of less than 2 GiB"));
    case edit_outcome::no_memory: return fail(error{errc::no_memory}.with_expected("memory for the change"));
    default: return fail(error{errc::bad_length, target.at_}.with_expected("a value within its container"));
    }
  }
  template <class T>
  [[nodiscard]] result<buffer> replace(const archive_value& target, const T& with) const {
    buffer patched;
    if (auto written = replace_to(patched, target, with); !written) return fail(written.error());
    return patched;
  }

private:
  archive_view() = default;

  template <class T>
  [[nodiscard]] static detail::doc::item scalar_of(const T& from) noexcept {
    using detail::doc::item, detail::doc::text_in_array;
    const auto plain = [](value_kind kind, const auto& text) { // a cut text is too large
      const auto size = std::min<std::size_t>(text.size(), detail::doc::max_archive_bytes);
      return item::text(kind, text.data(), static_cast<std::uint32_t>(size));
    };
    if constexpr (std::same_as<T, std::nullptr_t>) return item::null();
    else if constexpr (std::same_as<T, bool>) return item::of(from);
    else if constexpr (std::signed_integral<T>) return item::of(static_cast<std::int64_t>(from));
    else if constexpr (std::unsigned_integral<T>) return item::of(static_cast<std::uint64_t>(from));
    else if constexpr (std::floating_point<T>) return item::of(from);
    else if constexpr (detail::is_text_array<T>) return plain(value_kind::text, text_in_array(from));
    else if constexpr (std::convertible_to<const T&, bytes_view>)
      return plain(value_kind::binary, bytes_view(from));
    else {
      static_assert(std::convertible_to<const T&, std::string_view>,
                    "ingot: a value of an archive is replaced by a scalar, text or bytes");
      return plain(value_kind::text, std::string_view(from));
    }
  }

  std::unique_ptr<detail::doc::archive_index> index_;
};

}} // namespace ingot::INGOT_V1
