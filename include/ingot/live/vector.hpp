// SPDX-License-Identifier: Apache-2.0
// A sequence in a block. It takes 8 bytes: an offset to the elements, and their number. The
// capacity is stored in front of the elements.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/detail/optional_payload.hpp>
#include <ingot/live/detail/out_of_range.hpp>
#include <ingot/live/detail/rearrange.hpp>
#include <ingot/live/detail/vector_storage.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// The type of a `T` in braces. For strings it is a text view, because a string outside a block
/// cannot hold long text.
template <class T>
struct brace_value {
  using type = T;
};
template <class Char, block_policy P>
struct brace_value<basic_string<Char, P>> {
  using type = std::basic_string_view<Char>;
};
template <class T>
using brace_value_t = typename brace_value<T>::type;

} // namespace detail

/// A vector with the interface, complexity and invalidation of std::vector, for every type of
/// element, including bool. Growing moves only the elements of this vector. Elements are
/// constructed in place: from a value, from a twin (a struct with the same member names), or from
/// one value for each member. If the block cannot grow, a function that needs more memory throws
/// `out_of_space` and leaves the vector unchanged. The `try_` forms return false or null instead.
template <class T, block_policy P>
class basic_vector : private detail::vector_storage<T, P> {
  using storage = detail::vector_storage<T, P>;
  using storage::at_;
  using storage::size_;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The type of the elements.
  using live_parts = detail::type_pack<T>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::vector;
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = detail::element_iterator<T>;
  using const_iterator = detail::element_iterator<const T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  /// The type of an element in braces.
  using brace_value = detail::brace_value_t<T>;

  basic_vector() = default;
  basic_vector(const basic_vector&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_vector(basic_vector&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_vector() = default;

  INGOT_NOTED basic_vector& operator=(const basic_vector& other) { return self_or_throw(try_assign(other)); }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_vector& operator=(basic_vector&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  INGOT_NOTED basic_vector& operator=(std::initializer_list<brace_value> values) {
    return self_or_throw(try_assign(values));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_vector>)
  INGOT_NOTED basic_vector& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] size_type capacity() const noexcept { return at_.capacity() / sizeof(T); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return storage::max_count; }
  [[nodiscard]] T* data() noexcept { return storage::elements(); }
  [[nodiscard]] const T* data() const noexcept { return storage::elements(); }

  [[nodiscard]] iterator begin() noexcept { return INGOT_ITERATOR(iterator, data()); }
  [[nodiscard]] iterator end() noexcept { return INGOT_ITERATOR(iterator, data() + size_); }
  [[nodiscard]] const_iterator begin() const noexcept { return INGOT_ITERATOR(const_iterator, data()); }
  [[nodiscard]] const_iterator end() const noexcept { return INGOT_ITERATOR(const_iterator, data() + size_); }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const noexcept { return rend(); }

  /// Requires that `i` is less than `size()`. docs/preconditions.md lists the checks.
  [[nodiscard]] INGOT_CHECKED T& operator[](size_type i) noexcept { return *element_at(i); }
  [[nodiscard]] INGOT_CHECKED const T& operator[](size_type i) const noexcept { return *element_at(i); }
  /// Returns an element. Throws std::out_of_range if the index is past the end; without exceptions,
  /// ends the program.
  [[nodiscard]] T& at(size_type i) {
    if (i >= size_) [[unlikely]]
      detail::throw_past_the_end();
    return data()[i];
  }
  [[nodiscard]] const T& at(size_type i) const { return const_cast<basic_vector*>(this)->at(i); }
  /// Returns the element, or null if the index is past the end.
  [[nodiscard]] T* get_if(size_type i) noexcept { return i < size_ ? data() + i : nullptr; }
  [[nodiscard]] const T* get_if(size_type i) const noexcept { return i < size_ ? data() + i : nullptr; }
  [[nodiscard]] INGOT_CHECKED T& front() noexcept { return *first_for("front()"); }
  [[nodiscard]] INGOT_CHECKED const T& front() const noexcept { return *first_for("front()"); }
  [[nodiscard]] INGOT_CHECKED T& back() noexcept { return first_for("back()")[size_ - 1]; }
  [[nodiscard]] INGOT_CHECKED const T& back() const noexcept { return first_for("back()")[size_ - 1]; }

  /// Adds an element and returns it. Returns null if the block cannot grow. The arguments may refer
  /// to elements of this vector.
  template <class... A>
  [[nodiscard]] INGOT_NOTED T* try_emplace_back(A&&... arguments) {
    return storage::append(std::forward<A>(arguments)...);
  }
  template <class... A>
  INGOT_NOTED T& emplace_back(A&&... arguments) {
    T* const element = try_emplace_back(std::forward<A>(arguments)...);
    if (element == nullptr) [[unlikely]]
      at_.throw_failure();
    return *element;
  }
  INGOT_NOTED void push_back(const brace_value& value) { emplace_back(value); }
  INGOT_NOTED void push_back(brace_value&& value) { emplace_back(std::move(value)); }
  template <class U>
  INGOT_NOTED void push_back(U&& value) {
    emplace_back(std::forward<U>(value));
  }
  INGOT_CHECKED void pop_back() noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty(name, "pop_back()"));
    storage::drop_last();
  }

  /// Inserts an element before `before` and returns it. Returns null if the block cannot grow.
  template <class... A>
  [[nodiscard]] INGOT_CHECKED T* try_emplace(const_iterator before, A&&... arguments) {
    const size_type index = index_of(before, "emplace()");
    if (try_emplace_back(std::forward<A>(arguments)...) == nullptr) return nullptr;
    move_appended(index, size_ - 1);
    return data() + index;
  }
  template <class... A>
  INGOT_CHECKED iterator emplace(const_iterator before, A&&... arguments) {
    T* const element = try_emplace(before, std::forward<A>(arguments)...);
    if (element == nullptr) [[unlikely]]
      at_.throw_failure();
    return INGOT_ITERATOR(iterator, element);
  }
  template <class U = brace_value>
  INGOT_CHECKED iterator insert(const_iterator before, U&& value) {
    return emplace(before, std::forward<U>(value));
  }
  INGOT_CHECKED iterator insert(const_iterator before, std::initializer_list<brace_value> values) {
    return insert_range(before, values);
  }
  /// Inserts `count` copies of `value`, which may be an element of this vector.
  template <class U = brace_value>
  INGOT_CHECKED iterator insert(const_iterator before, size_type count, const U& value) {
    const size_type index = index_of(before, "insert()");
    const size_type old_size = size_;
    self_or_throw(count <= max_size() - old_size && storage::fill_up_with(old_size + count, value));
    move_appended(index, old_size);
    return INGOT_ITERATOR(iterator, data() + index);
  }
  template <std::input_iterator I>
  INGOT_CHECKED iterator insert(const_iterator before, I first, I last) {
    return insert_range(before, detail::iterator_pair{std::move(first), std::move(last)});
  }
  /// Inserts the elements of a range before `before`. O(n + m) for m new elements. If the block
  /// cannot grow, throws `out_of_space`.
  template <std::ranges::input_range R>
  INGOT_CHECKED iterator insert_range(const_iterator before, R&& range) {
    const size_type index = index_of(before, "insert()");
    const size_type old_size = size_;
    append_range(std::forward<R>(range));
    move_appended(index, old_size);
    return INGOT_ITERATOR(iterator, data() + index);
  }
  /// Appends all elements of the range. If the function throws, no element was appended.
  template <std::ranges::input_range R>
  INGOT_NOTED void append_range(R&& range) {
    self_or_throw(storage::append_all(range));
  }

  INGOT_CHECKED iterator erase(const_iterator at) noexcept {
    INGOT_REQUIRE_FRESH(at);
    INGOT_REQUIRE(position_of(at) < size_, broken_position(name, "erase()", position_of(at), size_));
    return erase_between(INGOT_ADDRESS(at), 1);
  }
  INGOT_CHECKED iterator erase(const_iterator first, const_iterator last) noexcept {
    require_range(first, last, "erase()");
    return erase_between(INGOT_ADDRESS(first), static_cast<size_type>(last - first));
  }
  INGOT_NOTED void clear() noexcept { storage::shrink(0); }

  /// Resizes to `count` elements. New elements are value-initialized. Returns false if the block
  /// cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_resize(size_type count) {
    if (count <= size_) return storage::shrink(count), true;
    return storage::grow_to(count) && storage::fill_up(count);
  }
  INGOT_NOTED void resize(size_type count) { self_or_throw(try_resize(count)); }
  /// Resizes to `count` elements. New elements are copies of `value`, which may be an element of
  /// this vector.
  template <class U = brace_value>
  INGOT_NOTED void resize(size_type count, const U& value) {
    if (count <= size_) storage::shrink(count);
    else self_or_throw(storage::fill_up_with(count, value));
  }
  /// Reserves storage for exactly `count` elements. Appending more elements doubles the storage.
  /// Returns false if the block cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type count) {
    return count <= capacity() || (count <= max_size() && storage::move_to(count));
  }
  INGOT_NOTED void reserve(size_type count) { self_or_throw(try_reserve(count)); }
  /// Moves the elements to a storage of exactly their size, if the block has space for it.
  INGOT_NOTED void shrink_to_fit() { storage::shrink_storage(); }

  /// Assigns a copy. Returns false if the block cannot grow; the vector is then unchanged.
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED INGOT_INLINE bool try_assign(R&& range) {
    using source = std::remove_cvref_t<R>;
    if constexpr (std::same_as<source, basic_vector>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&> && !std::is_const_v<R>) {
        if (shares_block(range)) {
          if constexpr (detail::contains_itself<basic_vector>) storage::take_nested(range);
          else swap(range);
          return true;
        }
      }
      if constexpr (detail::contains_itself<basic_vector>) return storage::assign_nested(range);
    }
    return storage::assign_all(range);
  }
  INGOT_NOTED void assign(std::initializer_list<brace_value> values) { self_or_throw(try_assign(values)); }
  template <std::input_iterator I>
  INGOT_NOTED INGOT_INLINE void assign(I first, I last) {
    self_or_throw(try_assign(detail::iterator_pair{std::move(first), std::move(last)}));
  }
  /// Assigns a copy. Throws `out_of_space` if the block cannot grow; the vector is then unchanged.
  template <std::ranges::input_range R>
  INGOT_NOTED void assign_range(R&& range) {
    self_or_throw(try_assign(std::forward<R>(range)));
  }
  /// Assigns `count` copies of `value`, which may be an element of this vector.
  template <class U = brace_value>
  INGOT_NOTED void assign(size_type count, const U& value) {
    self_or_throw(storage::assign_copies(count, value));
  }

  /// Swaps the contents. O(1). Both vectors must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  INGOT_NOTED void swap(basic_vector& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_vector& a, basic_vector& b) { a.swap(b); }

  // Algorithms of the standard library construct temporary objects from elements. Elements that
  // hold containers do not permit that. These functions move elements in place instead.

  /// Swaps two elements.
  INGOT_CHECKED static void swap_elements(T& a, T& b) noexcept {
    INGOT_REQUIRE(detail::share_block<P>(a, b),
                  broken_access(name, "swap_elements() of elements of two blocks"));
    detail::swap_objects(a, b);
  }
  /// Like std::rotate, for a part of this vector.
  INGOT_CHECKED iterator rotate(iterator first, iterator middle, iterator last) noexcept {
    require_range(first, middle, "rotate()");
    require_range(middle, last, "rotate()");
    return INGOT_ITERATOR(
        iterator, detail::rotate_objects(INGOT_ADDRESS(first), INGOT_ADDRESS(middle), INGOT_ADDRESS(last)));
  }
  void reverse() noexcept {
    for (size_type i = 0; i < size_ / 2; ++i) detail::swap_objects(data()[i], data()[size_ - 1 - i]);
  }
  /// Sorts stably, with O(n log n) comparisons; every element moves once. Returns false if the
  /// system has no memory for 8 or 16 bytes per element.
  template <class Less = std::less<>>
  [[nodiscard]] bool try_sort(Less less = {}) {
    return detail::sort_objects<typename P::offset_type>(data(), size(), less);
  }
  template <class Less = std::less<>>
  void sort(Less less = {}) {
    if (!try_sort(less)) [[unlikely]]
      detail::throw_out_of_space(out_of_space_reason::no_memory);
  }
  /// Erases the elements for which `remove` returns true, and returns their number.
  template <class Predicate>
  INGOT_NOTED size_type erase_if(Predicate&& remove) {
    return storage::erase_matching(remove);
  }
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(basic_vector& from, Predicate remove) {
    return from.erase_if(remove);
  }
  /// Erases the elements equal to `value`, and returns their number. Requires that `value` is not
  /// an element of this vector.
  template <class U = brace_value>
  INGOT_CHECKED friend size_type erase(basic_vector& from, const U& value) {
    INGOT_REQUIRE(!from.holds(value), broken_access(name, "erase() by a value that is one of its elements"));
    return from.erase_if([&](const T& each) { return detail::equal_values(each, value); });
  }

  friend bool operator==(const basic_vector& a, const basic_vector& b) {
    if (a.size_ != b.size_) return false;
    for (size_type i = 0; i < a.size_; ++i) {
      if (!detail::equal_values(a.data()[i], b.data()[i])) return false;
    }
    return true;
  }
  friend auto operator<=>(const basic_vector& a, const basic_vector& b)
    requires std::three_way_comparable<T>
  {
    static_assert(detail::require_bounded_order<basic_vector>());
    return std::lexicographical_compare_three_way(a.data(), a.data() + a.size_, b.data(), b.data() + b.size_);
  }

private:
  friend detail::container_access;
  static constexpr const char* name = "ingot::vector";
  INGOT_HAS_ITERATORS(name, at_.data(), size_);

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T* element_at(size_type i) const noexcept {
    INGOT_REQUIRE(i < size_, broken_index(name, i, size_));
    return storage::elements() + i;
  }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T* first_for([[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty(name, call));
    return storage::elements();
  }
  /// Returns the index of an iterator. For an iterator of another container, returns a number
  /// greater than `size()`. The index is computed from addresses, because pointers of different
  /// containers cannot be subtracted.
  [[nodiscard]] size_type position_of(const_iterator at) const noexcept {
    const auto bytes =
        reinterpret_cast<std::uintptr_t>(INGOT_ADDRESS(at)) - reinterpret_cast<std::uintptr_t>(data());
    return bytes % sizeof(T) == 0 ? bytes / sizeof(T) : static_cast<size_type>(-1);
  }
  [[nodiscard]] INGOT_CHECKED size_type index_of(const_iterator at,
                                                 [[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE_FRESH(at);
    INGOT_REQUIRE(position_of(at) <= size_, broken_position(name, call, position_of(at), size_));
    return static_cast<size_type>(INGOT_ADDRESS(at) - data());
  }
  INGOT_CHECKED void require_range([[maybe_unused]] const_iterator first,
                                   [[maybe_unused]] const_iterator last,
                                   [[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE_FRESH(first);
    INGOT_REQUIRE_FRESH(last);
    INGOT_REQUIRE(position_of(last) <= size_ && position_of(first) <= position_of(last),
                  broken_range(name, call, position_of(first), position_of(last), size_));
  }
  INGOT_NOTED iterator erase_between(const T* first, size_type count) noexcept {
    T* const from = data() + (first - data());
    storage::erase_run(from, count);
    return INGOT_ITERATOR(iterator, from);
  }
  /// Moves the appended elements, which start at `from`, before the element at `index`.
  INGOT_NOTED void move_appended(size_type index, size_type from) noexcept {
    detail::rotate_objects(data() + index, data() + from, data() + size_);
    INGOT_NOTE(data() + index, (size_ - index) * sizeof(T), inserted);
  }

  INGOT_INLINE basic_vector& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  [[nodiscard]] bool shares_block(const basic_vector& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }
};

/// Vector in a block with 32-bit offsets.
template <class T>
using vector = basic_vector<T, narrow_policy>;
namespace wide {
/// Vector in a block with 64-bit offsets.
template <class T>
using vector = basic_vector<T, wide_policy>;
} // namespace wide

static_assert(sizeof(vector<int>) == 8);

}} // namespace ingot::INGOT_V1
