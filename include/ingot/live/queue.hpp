// SPDX-License-Identifier: Apache-2.0
// A sequence in a block that grows and shrinks at both ends. It takes 8 bytes: an offset to a ring
// buffer, and the number of elements. See queue_storage.hpp.
#pragma once

#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/detail/out_of_range.hpp>
#include <ingot/live/detail/queue_storage.hpp>
#include <ingot/live/vector.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// A random access iterator: a queue and an index. `T` may be const. The iterator is valid until an
/// element is inserted or erased before the iterator's element.
template <class Queue, class T>
class INGOT_DEBUG_TYPE queue_iterator {
public:
  using value_type = std::remove_const_t<T>;
  using reference = T&;
  using pointer = T*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  queue_iterator() = default;
  queue_iterator(Queue* queue, std::size_t index) noexcept
      : queue_(queue), index_(index) INGOT_IN_DEBUG(, origin_(queue)) {}
  template <std::same_as<std::remove_const_t<Queue>> Other>
    requires std::is_const_v<Queue>
  queue_iterator(const queue_iterator<Other, value_type>&
                     other) noexcept // NOLINT(google-explicit-constructor): as of any container
      : queue_(other.queue()), index_(other.index()) INGOT_IN_DEBUG(, origin_(other.origin())) {}

  [[nodiscard]] INGOT_CHECKED reference operator*() const noexcept {
    INGOT_REQUIRE(queue_ != nullptr, broken_access("ingot::queue", "an iterator of no queue"));
    INGOT_IN_DEBUG(origin_.require_fresh_container();)
    return (*queue_)[index_];
  }
  [[nodiscard]] INGOT_CHECKED pointer operator->() const noexcept { return std::addressof(**this); }
  [[nodiscard]] INGOT_CHECKED reference operator[](difference_type n) const noexcept { return *(*this + n); }
  queue_iterator& operator+=(difference_type n) noexcept {
    INGOT_IN_DEBUG(origin_.require_move(index_, n, nullptr);)
    index_ += static_cast<std::size_t>(n);
    return *this;
  }
  queue_iterator& operator-=(difference_type n) noexcept {
    INGOT_IN_DEBUG(origin_.require_move(index_, -n, nullptr);)
    index_ -= static_cast<std::size_t>(n);
    return *this;
  }
  queue_iterator& operator++() noexcept { return *this += 1; }
  queue_iterator& operator--() noexcept { return *this -= 1; }
  queue_iterator operator++(int) noexcept {
    const auto before = *this;
    ++*this;
    return before;
  }
  queue_iterator operator--(int) noexcept {
    const auto before = *this;
    --*this;
    return before;
  }
  friend queue_iterator operator+(queue_iterator at, difference_type n) noexcept { return at += n; }
  friend queue_iterator operator+(difference_type n, queue_iterator at) noexcept { return at += n; }
  friend queue_iterator operator-(queue_iterator at, difference_type n) noexcept { return at -= n; }
  INGOT_CHECKED friend difference_type operator-(const queue_iterator& a, const queue_iterator& b) noexcept {
    require_one_queue(a, b);
    return static_cast<difference_type>(a.index_ - b.index_);
  }
  INGOT_CHECKED friend bool operator==(const queue_iterator& a, const queue_iterator& b) noexcept {
    require_one_queue(a, b);
    return a.index_ == b.index_;
  }
  INGOT_CHECKED friend auto operator<=>(const queue_iterator& a, const queue_iterator& b) noexcept {
    require_one_queue(a, b);
    return a.index_ <=> b.index_;
  }

  // Used by the container.
  [[nodiscard]] Queue* queue() const noexcept { return queue_; }
  [[nodiscard]] std::size_t index() const noexcept { return index_; }
  INGOT_IN_DEBUG([[nodiscard]] const iterator_origin& origin() const noexcept { return origin_; })

private:
  INGOT_CHECKED static void require_one_queue([[maybe_unused]] const queue_iterator& a,
                                              [[maybe_unused]] const queue_iterator& b) noexcept {
    INGOT_REQUIRE_EXTENSIVE(a.queue_ == b.queue_,
                            broken_access("ingot::queue", "iterators of two queues are compared", a.index_));
    INGOT_IN_DEBUG(a.origin_.require_fresh_container();)
    INGOT_IN_DEBUG(b.origin_.require_fresh_container();)
  }

  Queue* queue_ = nullptr;
  std::size_t index_ = 0;
  INGOT_IN_DEBUG(iterator_origin origin_;)
};

} // namespace detail

/// A queue with the interface and complexity of std::deque for operations at both ends and for
/// access by index. A queue cannot insert in the middle: use a vector for that. If the ring buffer
/// is full, adding moves all elements and invalidates references and iterators. If the block cannot
/// grow, adding throws `out_of_space` and leaves the queue unchanged. The `try_` forms return false
/// or null instead.
template <class T, block_policy P>
class basic_queue : private detail::queue_storage<T, P> {
  using storage = detail::queue_storage<T, P>;
  using storage::at_;
  using storage::size_;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The type of the elements.
  using live_parts = detail::type_pack<T>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::queue;
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = detail::queue_iterator<basic_queue, T>;
  using const_iterator = detail::queue_iterator<const basic_queue, const T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  /// The type of an element in braces.
  using brace_value = detail::brace_value_t<T>;

  basic_queue() = default;
  basic_queue(const basic_queue&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_queue(basic_queue&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_queue() = default;

  INGOT_NOTED basic_queue& operator=(const basic_queue& other) { return self_or_throw(try_assign(other)); }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_queue& operator=(basic_queue&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  INGOT_NOTED basic_queue& operator=(std::initializer_list<brace_value> values) {
    return self_or_throw(try_assign(values));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_queue>)
  INGOT_NOTED basic_queue& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] size_type capacity() const noexcept { return storage::slot_capacity(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return storage::max_slots(); }

  [[nodiscard]] iterator begin() noexcept { return {this, 0}; }
  [[nodiscard]] iterator end() noexcept { return {this, size_}; }
  [[nodiscard]] const_iterator begin() const noexcept { return {this, 0}; }
  [[nodiscard]] const_iterator end() const noexcept { return {this, size_}; }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const noexcept { return rend(); }

  /// Requires that `i` is less than `size()`. docs/preconditions.md lists the checks.
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE T& operator[](size_type i) noexcept {
    INGOT_REQUIRE(i < size_, broken_index(name, i, size_));
    return storage::element(i);
  }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE const T& operator[](size_type i) const noexcept {
    INGOT_REQUIRE(i < size_, broken_index(name, i, size_));
    return storage::element(i);
  }
  /// Returns an element. Throws std::out_of_range if the index is past the end; without exceptions,
  /// ends the program.
  [[nodiscard]] T& at(size_type i) {
    if (i >= size_) [[unlikely]]
      detail::throw_past_the_end();
    return storage::element(i);
  }
  [[nodiscard]] const T& at(size_type i) const { return const_cast<basic_queue*>(this)->at(i); }
  /// Returns the element, or null if the index is past the end.
  [[nodiscard]] T* get_if(size_type i) noexcept {
    return i < size_ ? std::addressof(storage::element(i)) : nullptr;
  }
  [[nodiscard]] const T* get_if(size_type i) const noexcept {
    return i < size_ ? std::addressof(storage::element(i)) : nullptr;
  }
  [[nodiscard]] INGOT_CHECKED T& front() noexcept {
    require_element("front()");
    return storage::element(0);
  }
  [[nodiscard]] INGOT_CHECKED const T& front() const noexcept {
    require_element("front()");
    return storage::element(0);
  }
  [[nodiscard]] INGOT_CHECKED T& back() noexcept {
    require_element("back()");
    return storage::element(size_ - 1);
  }
  [[nodiscard]] INGOT_CHECKED const T& back() const noexcept {
    require_element("back()");
    return storage::element(size_ - 1);
  }

  /// Adds an element and returns it. Returns null if the block cannot grow. The arguments may refer
  /// to elements of this queue.
  template <class... A>
  [[nodiscard]] INGOT_NOTED T* try_emplace_back(A&&... arguments) {
    return storage::template push<false>(std::forward<A>(arguments)...);
  }
  /// Same as `try_emplace_back`, at the front.
  template <class... A>
  [[nodiscard]] INGOT_NOTED T* try_emplace_front(A&&... arguments) {
    return storage::template push<true>(std::forward<A>(arguments)...);
  }
  template <class... A>
  INGOT_NOTED T& emplace_back(A&&... arguments) {
    return element_or_throw(try_emplace_back(std::forward<A>(arguments)...));
  }
  template <class... A>
  INGOT_NOTED T& emplace_front(A&&... arguments) {
    return element_or_throw(try_emplace_front(std::forward<A>(arguments)...));
  }
  template <class U = brace_value>
  INGOT_NOTED void push_back(U&& value) {
    emplace_back(std::forward<U>(value));
  }
  template <class U = brace_value>
  INGOT_NOTED void push_front(U&& value) {
    emplace_front(std::forward<U>(value));
  }
  INGOT_CHECKED void pop_back() noexcept {
    require_element("pop_back()");
    storage::pop_last();
  }
  INGOT_CHECKED void pop_front() noexcept {
    require_element("pop_front()");
    storage::pop_first();
  }
  INGOT_NOTED void clear() noexcept { storage::shrink(0); }

  /// Resizes to `count` elements. New elements are value-initialized. Returns false if the block
  /// cannot grow; the queue is then unchanged.
  [[nodiscard]] INGOT_NOTED bool try_resize(size_type count) {
    if (!try_reserve(count)) return false;
    storage::shrink(count);
    return storage::fill_up(count);
  }
  INGOT_NOTED void resize(size_type count) { self_or_throw(try_resize(count)); }
  /// Resizes to `count` elements. New elements are copies of `value`, which may be an element of
  /// this queue.
  template <class U = brace_value>
  INGOT_NOTED void resize(size_type count, const U& value) {
    if (count <= size_) storage::shrink(count);
    else self_or_throw(storage::fill_up(count, value));
  }
  /// Reserves storage for exactly `count` elements. Returns false if the block cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type count) {
    return count <= capacity() || storage::move_to(count);
  }
  INGOT_NOTED void reserve(size_type count) { self_or_throw(try_reserve(count)); }
  /// Moves the elements to a storage of exactly their size, if the block has space for it.
  INGOT_NOTED void shrink_to_fit() {
    if (capacity() != size_) static_cast<void>(storage::move_to(size_));
  }

  /// Assigns a copy. Returns false if the block cannot grow; the queue is then unchanged.
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_queue>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&> && !std::is_const_v<R>) {
        if (shares_block(range)) return swap(range), true;
      }
    }
    return storage::assign_all(range);
  }
  /// Assigns a copy. Throws `out_of_space` if the block cannot grow; the queue is then unchanged.
  template <std::ranges::input_range R>
  INGOT_NOTED void assign_range(R&& range) {
    self_or_throw(try_assign(std::forward<R>(range)));
  }
  INGOT_NOTED void assign(std::initializer_list<brace_value> values) { self_or_throw(try_assign(values)); }
  template <std::input_iterator I>
  INGOT_NOTED void assign(I first, I last) {
    self_or_throw(try_assign(detail::iterator_pair{std::move(first), std::move(last)}));
  }
  /// Assigns `count` copies of `value`, which may be an element of this queue.
  template <class U = brace_value>
  INGOT_NOTED void assign(size_type count, const U& value) {
    self_or_throw(storage::assign_copies(count, value));
  }
  /// Appends all elements of the range. If the function throws, no element was appended.
  template <std::ranges::input_range R>
  INGOT_NOTED void append_range(R&& range) {
    self_or_throw(storage::append_all(range));
  }

  /// Swaps the contents. O(1). Both queues must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  INGOT_NOTED void swap(basic_queue& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_queue& a, basic_queue& b) { a.swap(b); }
  /// Swaps two elements. std::swap cannot do this for elements that hold containers. O(1).
  INGOT_CHECKED static void swap_elements(T& a, T& b) noexcept {
    INGOT_REQUIRE(detail::share_block<P>(a, b),
                  broken_access(name, "swap_elements() of elements of two blocks"));
    detail::swap_objects(a, b);
  }

  friend bool operator==(const basic_queue& a, const basic_queue& b) {
    if (a.size_ != b.size_) return false;
    for (size_type i = 0; i < a.size_; ++i) {
      if (!detail::equal_values(a.element(i), b.element(i))) return false;
    }
    return true;
  }
  friend auto operator<=>(const basic_queue& a, const basic_queue& b)
    requires std::three_way_comparable<T>
  {
    static_assert(detail::require_bounded_order<basic_queue>());
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  friend detail::container_access;
  static constexpr const char* name = "ingot::queue";
  INGOT_HAS_ITERATORS(name, at_.data(), size_);

  INGOT_CHECKED INGOT_INLINE void require_element([[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE(size_ != 0, broken_empty(name, call));
  }
  basic_queue& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  T& element_or_throw(T* element) {
    if (element == nullptr) [[unlikely]]
      at_.throw_failure();
    return *element;
  }
  [[nodiscard]] bool shares_block(const basic_queue& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }
};

/// Queue in a block with 32-bit offsets.
template <class T>
using queue = basic_queue<T, narrow_policy>;
namespace wide {
/// Queue in a block with 64-bit offsets.
template <class T>
using queue = basic_queue<T, wide_policy>;
} // namespace wide

static_assert(sizeof(queue<int>) == 8 && sizeof(wide::queue<int>) == 16);

}} // namespace ingot::INGOT_V1
