// SPDX-License-Identifier: Apache-2.0
// Recursive types, and walks over them that take no stack for each level. A container that can be
// reached from its own elements is not walked where it is found. Instead it is added to a list,
// which the outermost walk of its kind processes in order, first in, first out. So all walks visit
// storages in the same order, and a copy into a new block is canonical for these types, too.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/container.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/storable.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class Target, class T>
constexpr bool reaches(visited_types& seen);

template <class Target, class... Ts>
constexpr bool any_reaches(visited_types& seen, type_pack<Ts...>) {
  return (reaches<Target, std::remove_cv_t<Ts>>(seen) || ...);
}
/// Returns true if a `T` is or contains a `Target`.
template <class Target, class T>
constexpr bool reaches(visited_types& seen) {
  if constexpr (std::is_same_v<Target, T>) {
    return true;
  } else if constexpr (live_container<T>) {
    return seen.add(type_tag<T>()) && any_reaches<Target>(seen, typename T::live_parts{});
  } else if constexpr (is_array_like<T>) {
    return reaches<Target, std::remove_cv_t<element_t<T>>>(seen);
  } else if constexpr (is_specialization<T, std::pair>) {
    return reaches<Target, std::remove_cv_t<typename T::first_type>>(seen) ||
           reaches<Target, std::remove_cv_t<typename T::second_type>>(seen);
  } else if constexpr (kind_of<T> == kind::record) {
    if (!seen.add(type_tag<T>())) return false;
    return []<std::size_t... I>(visited_types& met, std::index_sequence<I...>) {
      return (reaches<Target, std::remove_cv_t<member_type<T, I>>>(met) || ...);
    }(seen, std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

/// True if a container can hold, at any depth, a container of its own type.
template <live_container C>
inline constexpr bool contains_itself = [] {
  visited_types seen;
  return any_reaches<C>(seen, typename C::live_parts{});
}();

/// Rejects `<=>` of recursive types, because each level would take a stack frame. `==` adds
/// comparisons to a list instead. Calls of a program's own `<=>` can't be added to a list.
template <live_container C>
consteval bool require_bounded_order() {
  static_assert(
      !contains_itself<C>,
      "ingot: a type that holds itself has no <=>: it would take stack for each level. Compare with == or "
      "by a key");
  return true;
}

/// A queue of the entries that are left to process.
template <class Entry>
class work_list {
public:
  work_list() = default;
  work_list(const work_list&) = delete;
  work_list& operator=(const work_list&) = delete;
  ~work_list() {
    if (entries_ != near_) std::free(entries_);
  }

  /// Appends an entry. Returns false if the system has no memory.
  [[nodiscard]] bool push(const Entry& entry) noexcept {
    if (end_ == capacity_ && !reserve_space()) return false;
    entries_[end_++] = entry;
    return true;
  }
  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  [[nodiscard]] Entry pop() noexcept { return entries_[begin_++]; }

private:
  static_assert(std::is_trivially_copyable_v<Entry>);

  [[nodiscard]] INGOT_COLD bool reserve_space() noexcept {
    if (begin_ >= capacity_ / 2) { // half of the entries are done: reuses their memory
      std::memmove(entries_, entries_ + begin_, (end_ - begin_) * sizeof(Entry));
      end_ -= std::exchange(begin_, std::size_t{0});
      return true;
    }
    auto* const larger = static_cast<Entry*>(std::malloc(2 * capacity_ * sizeof(Entry)));
    if (larger == nullptr) return false;
    std::memcpy(larger, entries_ + begin_, (end_ - begin_) * sizeof(Entry));
    end_ -= std::exchange(begin_, std::size_t{0});
    if (entries_ != near_) std::free(entries_);
    entries_ = larger;
    capacity_ *= 2;
    return true;
  }

  static constexpr std::size_t near_count = 32;
  Entry near_[near_count];
  Entry* entries_ = near_;
  std::size_t capacity_ = near_count;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

struct assign_entry {
  bool (*run)(const assign_entry&);
  void* to;
  const void* from;
};
struct equal_entry {
  bool (*run)(const equal_entry&);
  const void* a;
  const void* b;
};
/// A container that is left to validate. The work list of these entries belongs to the validator.
/// The work lists of other walks belong to the thread; see `current_walks`.
struct validator_entry {
  bool (*run)(const validator_entry&);
  const void* container;
  void* validator;
};
struct destroy_entry {
  bool (*run)(const destroy_entry&);
  std::byte* data;
  std::size_t size;
  std::byte* block;
};

/// State of the walks that run in a thread: the list of each kind of walk (null if no such walk
/// runs), and whether keys have collided.
struct current_walks {
  work_list<assign_entry>* assign = nullptr;
  work_list<equal_entry>* equal = nullptr;
  work_list<destroy_entry>* destroy = nullptr;
  bool collided = false; ///< see collision_watch.hpp

  template <class Entry>
  [[nodiscard]] work_list<Entry>*& of() noexcept {
    if constexpr (std::is_same_v<Entry, assign_entry>) return assign;
    else if constexpr (std::is_same_v<Entry, equal_entry>) return equal;
    else return destroy;
  }
};
[[nodiscard]] inline current_walks& walks_of_thread() noexcept {
  static thread_local constinit current_walks current;
  return current;
}

/// Makes `list` the current list during the lifetime of this object. A null `list` means that no
/// walk is running: entries then run at once and are not added to a list.
template <class Entry>
class walk_scope {
public:
  walk_scope(work_list<Entry>*& current, work_list<Entry>* list) noexcept
      : current_(current), outer_(std::exchange(current, list)) {}
  explicit walk_scope(work_list<Entry>* list) noexcept : walk_scope(walks_of_thread().of<Entry>(), list) {}
  walk_scope(const walk_scope&) = delete;
  walk_scope& operator=(const walk_scope&) = delete;
  ~walk_scope() { current_ = outer_; }

private:
  work_list<Entry>*& current_;
  work_list<Entry>* outer_;
};

/// Runs `entry`, or adds it to `current` if a walk is running; the outermost walk then runs the
/// entries that were added. Returns false if an entry returned false, or if there is no memory for
/// the list.
template <class Entry>
[[nodiscard]] bool walk_later(work_list<Entry>*& current, const Entry& entry) {
  if (current != nullptr) return current->push(entry);
  work_list<Entry> list;
  const walk_scope<Entry> scope(current, &list);
  if (!entry.run(entry)) return false;
  while (!list.empty()) {
    const Entry next = list.pop();
    if (!next.run(next)) return false;
  }
  return true;
}
template <class Entry>
[[nodiscard]] bool walk_later(const Entry& entry) {
  return walk_later(walks_of_thread().of<Entry>(), entry);
}

/// While this object exists, the thread has no current walks; the destructor restores them. Needed
/// when a walk calls code of the program, because this code may start another walk. That walk must
/// run to its end at once, and must not be added to the list of the interrupted walk.
class walks_aside {
public:
  walks_aside() noexcept : outer_(std::exchange(walks_of_thread(), current_walks{})) {}
  walks_aside(const walks_aside&) = delete;
  walks_aside& operator=(const walks_aside&) = delete;
  ~walks_aside() { walks_of_thread() = outer_; }

private:
  current_walks outer_;
};
/// Calls code of the program, and hides the thread's current walks from it. During a walk, such
/// code must be called by this function, or while a `walks_aside` exists.
template <class F>
INGOT_INLINE decltype(auto) call_user(F&& f) {
  const walks_aside aside;
  return std::forward<F>(f)();
}

}}} // namespace ingot::INGOT_V1::detail
