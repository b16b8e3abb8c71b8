// SPDX-License-Identifier: Apache-2.0
// Iterators of the hardening mode `debug`. These iterators store their container, their storage and
// the time of their creation. In all other modes, iterators of contiguous containers are pointers.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Access to the members of a container that iterators need: name, storage and size.
struct origin_access {
  struct extent {
    const void* base;
    std::size_t size;
  };
  template <class C>
  [[nodiscard]] static constexpr const char* name_of() noexcept {
    return C::origin_name();
  }
  template <class C>
  [[nodiscard]] static extent extent_of(const void* container) noexcept {
    const C& self = *static_cast<const C*>(container);
    return {self.origin_base(), self.origin_size()};
  }
};

/// The origin of an iterator. An iterator belongs to a storage and not to a container, because a
/// container may move in its block or exchange its storage with another container. In both cases,
/// the iterators still belong to the storage.
class INGOT_DEBUG_TYPE iterator_origin {
  struct container_kind {
    const char* name;
    origin_access::extent (*read)(const void*) noexcept;
  };
  template <class C>
  static constexpr container_kind kind_of{origin_access::name_of<C>(), &origin_access::extent_of<C>};

public:
  constexpr iterator_origin() noexcept = default;
  template <class C>
  explicit iterator_origin(const C* container) noexcept
      : container_(container), kind_(&kind_of<C>), since_(hardening::time_of_records()) {
    const origin_access::extent now = kind_->read(container);
    base_ = now.base;
    empty_ = now.size == 0;
  }

  [[nodiscard]] bool is_known() const noexcept { return kind_ != nullptr; }
  [[nodiscard]] const void* base() const noexcept { return base_; }
  [[nodiscard]] const char* name() const noexcept {
    return kind_ == nullptr ? "ingot::iterator" : kind_->name;
  }

  /// Returns the index of the element at `at`, which may be outside of the storage.
  template <class T>
  [[nodiscard]] std::size_t index_of(const T* at) const noexcept {
    const auto bytes = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(at) -
                                                   reinterpret_cast<std::uintptr_t>(base_));
    return static_cast<std::size_t>(bytes / static_cast<std::ptrdiff_t>(sizeof(T)));
  }

  /// Requires that neither the storage nor the element at `at` was invalidated since the iterator
  /// was created.
  void require_fresh(const void* at) const noexcept {
    if (kind_ == nullptr) return;
    const std::uint64_t storage = hardening::last_ending(base_);
    const std::uint64_t element = at == nullptr ? 0 : hardening::last_ending(at);
    const std::uint64_t last = storage > element ? storage : element;
    if (last >> 2 > since_) [[unlikely]]
      report(static_cast<hardening::ending>(last & 3));
    // All empty containers of a block share the sentinel as storage, and the sentinel is never
    // invalidated. So the container must still have the storage that it had when the iterator was
    // created.
    if (empty_ && hardening::last_ending(container_) >> 2 <= since_ && kind_->read(container_).base != base_)
        [[unlikely]]
      report(hardening::ending::moved);
  }
  /// Like `require_fresh`, for an iterator that finds its element through the container. Requires
  /// also that the container has not moved.
  void require_fresh_container() const noexcept {
    require_fresh(container_);
    if (kind_ != nullptr && kind_->read(container_).base != base_) [[unlikely]]
      report(hardening::ending::moved);
  }
  /// Sets `size` to the number of elements. Returns false if the container has moved or no longer
  /// has this storage.
  [[nodiscard]] bool find_size(std::size_t& size) const noexcept {
    if (kind_ == nullptr || hardening::last_ending(container_) >> 2 > since_) return false;
    const origin_access::extent now = kind_->read(container_);
    size = now.size;
    return now.base == base_;
  }
  /// Requires that both iterators are of one storage.
  void require_common(const iterator_origin& other, const void* at, const void* other_at) const noexcept {
    require_fresh(at);
    other.require_fresh(other_at);
    if (base_ != other.base_) [[unlikely]]
      broken_access(name(), "iterators of two containers are compared");
  }
  /// Requires that there is an element at `index`, whose address is `at`.
  void require_element(std::size_t index, const void* at) const noexcept {
    require_container();
    require_fresh(at);
    std::size_t size = 0;
    if (find_size(size) && index >= size) [[unlikely]]
      broken_index(name(), index, size);
  }
  /// Requires that an iterator can move by `steps` from the position `index`, whose address is
  /// `at`.
  void require_move(std::size_t index, std::ptrdiff_t steps, const void* at) const noexcept {
    if (steps == 0) return;
    require_container();
    require_fresh(at);
    std::size_t size = 0;
    const std::size_t to = index + static_cast<std::size_t>(steps);
    if (find_size(size) && to > size) [[unlikely]]
      broken_access(name(),
                    steps < 0 ? "an iterator was moved before the beginning"
                              : "an iterator was moved past the end",
                    to, size);
  }

private:
  void require_container() const noexcept {
    if (kind_ == nullptr) [[unlikely]]
      broken_access(name(), "an iterator of no container");
  }
  [[noreturn]] INGOT_COLD void report(hardening::ending why) const noexcept {
    switch (why) {
    case hardening::ending::erased:
      broken_access(name(), "an iterator was used after an erasure had ended it");
    case hardening::ending::inserted:
      broken_access(name(), "an iterator was used after an insertion had ended it");
    case hardening::ending::block:
      broken_access(name(), "an iterator was used after its block was compacted, replaced or freed");
    case hardening::ending::moved: break;
    }
    broken_access(name(), "an iterator was used after its elements were moved or freed");
  }

  const void* container_ = nullptr;
  const void* base_ = nullptr;
  const container_kind* kind_ = nullptr;
  std::uint64_t since_ = 0;
  bool empty_ = false;
};

/// An iterator of a contiguous container. It is checked where it is read, moved and compared.
template <class T>
class INGOT_DEBUG_TYPE checked_iterator {
public:
  using value_type = std::remove_cv_t<T>;
  using element_type = T;
  using reference = T&;
  using pointer = T*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  using iterator_concept = std::contiguous_iterator_tag;

  constexpr checked_iterator() noexcept = default;
  template <class C>
  checked_iterator(const C* container, T* at) noexcept : at_(at), origin_(container) {}
  template <std::same_as<std::remove_const_t<T>> Other>
    requires std::is_const_v<T>
  checked_iterator(const checked_iterator<Other>&
                       other) noexcept // NOLINT(google-explicit-constructor): as of any container
      : at_(other.address()), origin_(other.origin()) {}

  [[nodiscard]] reference operator*() const noexcept {
    origin_.require_element(origin_.index_of(at_), at_);
    return *at_;
  }
  [[nodiscard]] pointer operator->() const noexcept { return std::addressof(**this); }
  [[nodiscard]] reference operator[](difference_type n) const noexcept { return *(*this + n); }
  checked_iterator& operator+=(difference_type n) noexcept {
    origin_.require_move(origin_.index_of(at_), n, at_);
    at_ += n;
    return *this;
  }
  checked_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  checked_iterator& operator++() noexcept { return *this += 1; }
  checked_iterator& operator--() noexcept { return *this += -1; }
  checked_iterator operator++(int) noexcept {
    const checked_iterator before = *this;
    ++*this;
    return before;
  }
  checked_iterator operator--(int) noexcept {
    const checked_iterator before = *this;
    --*this;
    return before;
  }
  friend checked_iterator operator+(checked_iterator at, difference_type n) noexcept { return at += n; }
  friend checked_iterator operator+(difference_type n, checked_iterator at) noexcept { return at += n; }
  friend checked_iterator operator-(checked_iterator at, difference_type n) noexcept { return at -= n; }

  // Used by the containers.
  [[nodiscard]] T* address() const noexcept { return at_; }
  [[nodiscard]] const iterator_origin& origin() const noexcept { return origin_; }

private:
  T* at_ = nullptr;
  iterator_origin origin_;
};

template <class A, class B>
concept same_elements = std::same_as<std::remove_const_t<A>, std::remove_const_t<B>>;

template <class A, same_elements<A> B>
void require_common(const checked_iterator<A>& a, const checked_iterator<B>& b) noexcept {
  a.origin().require_common(b.origin(), a.address(), b.address());
}
template <class A, same_elements<A> B>
[[nodiscard]] bool operator==(const checked_iterator<A>& a, const checked_iterator<B>& b) noexcept {
  require_common(a, b);
  return a.address() == b.address();
}
template <class A, same_elements<A> B>
[[nodiscard]] std::strong_ordering operator<=>(const checked_iterator<A>& a,
                                               const checked_iterator<B>& b) noexcept {
  require_common(a, b);
  return std::compare_three_way{}(static_cast<const A*>(a.address()), static_cast<const A*>(b.address()));
}
template <class A, same_elements<A> B>
[[nodiscard]] std::ptrdiff_t operator-(const checked_iterator<A>& a, const checked_iterator<B>& b) noexcept {
  require_common(a, b);
  return a.address() - b.address();
}

template <class T>
inline constexpr bool is_checked_iterator = false;
template <class T>
inline constexpr bool is_checked_iterator<checked_iterator<T>> = true;

template <class T>
using element_iterator = checked_iterator<T>;
/// Matches iterators of text, but no numbers.
template <class I>
concept text_position = is_checked_iterator<I>;

}}} // namespace ingot::INGOT_V1::detail

// Makes std::to_address valid for an iterator at the end, too. Without this specialization,
// std::to_address would call `->`, which rejects an iterator at the end.
template <class T>
struct std::pointer_traits<ingot::detail::checked_iterator<T>> {
  using pointer = ingot::detail::checked_iterator<T>;
  using element_type = T;
  using difference_type = std::ptrdiff_t;
  [[nodiscard]] static T* to_address(const pointer& at) noexcept { return at.address(); }
};

#else

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T>
using element_iterator = T*;
template <class I>
concept text_position = std::is_pointer_v<I>;

}}} // namespace ingot::INGOT_V1::detail

#endif

// INGOT_ITERATOR(iterator, at): an iterator of `*this` that points to `at`.
// INGOT_FROM_HERE: the first constructor argument of an iterator of `*this`, for iterators that are
// no pointers in any mode. Lookups construct such iterators themselves, because a function for that
// would make lookups take 6 % more time (g++ 12).
// INGOT_ADDRESS(iterator): the address that the iterator points to.
// INGOT_REQUIRE_FRESH(iterator): a check that nothing has invalidated the iterator.
// INGOT_HAS_ITERATORS(name, storage, elements): members of a container that its iterators read.
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG
#define INGOT_ITERATOR(iterator, at) iterator(this, at)
#define INGOT_FROM_HERE ::ingot::detail::iterator_origin(this),
#define INGOT_ADDRESS(iterator) (iterator).address()
#define INGOT_REQUIRE_FRESH(iterator) (iterator).origin().require_fresh((iterator).address())
#define INGOT_HAS_ITERATORS(name, storage, elements)                                                         \
  friend ::ingot::detail::origin_access;                                                                     \
  [[nodiscard]] static constexpr const char* origin_name() noexcept { return name; }                         \
  [[nodiscard]] const void* origin_base() const noexcept { return storage; }                                 \
  [[nodiscard]] std::size_t origin_size() const noexcept { return elements; }                                \
  static_assert(true)
#else
#define INGOT_ITERATOR(iterator, at) at
#define INGOT_FROM_HERE
#define INGOT_ADDRESS(iterator) iterator
#define INGOT_REQUIRE_FRESH(iterator) static_cast<void>(0)
#define INGOT_HAS_ITERATORS(name, storage, elements) static_assert(true)
#endif
