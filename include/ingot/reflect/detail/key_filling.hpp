// SPDX-License-Identifier: Apache-2.0
// Fills ordered containers whose insertions move entries: flat sets and maps of blocks, of the
// standard library, and of other libraries if they have the same interface. If a reader inserted
// keys in descending order one by one, each insertion would move all entries. That takes quadratic
// time, and the sender of the input chooses the order of the keys.
//
// Keys in ascending order are inserted as usual. The first key that belongs before an existing key
// changes this: from then on the entries stay in the order of the input. Each entry has a number:
// its position in the input. A tree of these numbers (key_index.hpp), ordered by key, finds equal
// keys. `finish` moves each entry to its final position, once.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/reflect/detail/bucket_watch.hpp>
#include <ingot/reflect/detail/key_index.hpp>
#include <ingot/reflect/kind.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class C>
concept has_mapped_values = requires { typename C::mapped_type; };

/// Moves the element at position `order[i]` to position `i`, for all `i`. O(n).
template <class Elements>
constexpr void arrange_elements(Elements& all, std::vector<std::uint32_t> order) {
  for (std::uint32_t start = 0; start < order.size(); ++start) {
    if (order[start] == start) continue;
    auto saved = std::move(all[start]);
    std::uint32_t at = start;
    for (std::uint32_t next = order[at]; next != start; next = order[at]) {
      all[at] = std::move(all[next]);
      order[at] = at;
      at = next;
    }
    all[at] = std::move(saved);
    order[at] = at;
  }
}

/// Containers that move out their lists of keys and values, and take them back: those of the
/// standard library.
template <class C>
concept is_extractable = requires(C& c) { c.replace(std::move(c).extract()); } || requires(C& c) {
  c.replace(std::move(std::move(c).extract().keys), std::move(std::move(c).extract().values));
};
/// Containers that move out one list of entries: those of Boost.
template <class C>
concept gives_sequence = requires(C& c) { c.extract_sequence().begin(); };

template <class C>
class extracted_entries {
public:
  explicit constexpr extracted_entries(C& out) : out_(out), parts_(std::move(out).extract()) {}

  [[nodiscard]] constexpr std::size_t size() const { return keys_in(parts_).size(); }
  [[nodiscard]] constexpr const key_t<C>& key(std::size_t number) const { return keys_in(parts_)[number]; }
  [[nodiscard]] constexpr auto& value(std::size_t number) { return parts_.values[number]; }
  template <class Key, class... A>
  constexpr void add(Key&& key, A&&... arguments) {
    keys_in(parts_).emplace_back(std::forward<Key>(key));
    if constexpr (has_mapped_values<C>) parts_.values.emplace_back(std::forward<A>(arguments)...);
  }
  constexpr void arrange(const std::vector<std::uint32_t>& order) {
    arrange_elements(keys_in(parts_), order);
    if constexpr (has_mapped_values<C>) {
      arrange_elements(parts_.values, order);
      out_.replace(std::move(parts_.keys), std::move(parts_.values));
    } else {
      out_.replace(std::move(parts_));
    }
  }

private:
  template <class Parts>
  [[nodiscard]] static constexpr auto& keys_in(Parts& parts) {
    if constexpr (has_mapped_values<C>) return parts.keys;
    else return parts;
  }

  C& out_;
  decltype(std::declval<C>().extract()) parts_;
};

/// The entries of a flat container that is not extractable (see `is_extractable`). The constructor
/// moves or copies the entries out of the container, and `arrange` inserts them again in order.
template <class C>
class gathered_entries {
public:
  explicit gathered_entries(C& out) : out_(out) {
    if constexpr (gives_sequence<C>) {
      auto all = out.extract_sequence();
      for (auto& each : all) take(std::move(each));
    } else {
      for (const auto& each : out) take(each);
      out.clear();
    }
  }

  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const key_t<C>& key(std::size_t number) const { return all_[number].key; }
  [[nodiscard]] auto& value(std::size_t number) { return all_[number].value; }
  template <class Key, class... A>
  void add(Key&& key, A&&... arguments) {
    if constexpr (!has_mapped_values<C>) all_.push_back({std::forward<Key>(key), {}});
    else all_.push_back({std::forward<Key>(key), mapped_t<C>(std::forward<A>(arguments)...)});
  }
  void arrange(const std::vector<std::uint32_t>& order) {
    for (const std::uint32_t number : order) {
      entry& each = all_[number];
      if constexpr (!has_mapped_values<C>) out_.emplace_hint(out_.end(), std::move(each.key));
      else out_.emplace_hint(out_.end(), std::move(each.key), std::move(each.value));
    }
    all_.clear();
  }

private:
  struct no_value {};
  template <class T>
  struct mapped_of {
    using type = no_value;
  };
  template <has_mapped_values T>
  struct mapped_of<T> {
    using type = mapped_t<T>;
  };
  struct entry {
    key_t<C> key;
    INGOT_NO_UNIQUE_ADDRESS typename mapped_of<C>::type value;
  };

  template <class Each>
  void take(Each&& each) {
    if constexpr (!has_mapped_values<C>) all_.push_back({std::forward<Each>(each), {}});
    else all_.push_back({std::forward<Each>(each).first, std::forward<Each>(each).second});
  }

  C& out_;
  std::vector<entry> all_;
};

template <class C>
concept has_unsorted_entries = requires { typename C::unsorted_entries; };
template <class C>
concept is_flat = requires(const C& c, const key_t<C>& key) {
  { c.key_comp()(key, key) } -> std::convertible_to<bool>;
} && std::random_access_iterator<typename C::iterator>;
/// Ordered containers whose insertions move entries. Flat containers of blocks are recognised by
/// their member type `unsorted_entries`, and other flat containers by their operations.
template <class C>
concept moves_entries =
    has_unsorted_entries<C> ||
    (is_flat<C> && (is_extractable<C> || gives_sequence<C> || std::copy_constructible<key_t<C>>));

template <class C>
struct unsorted_entries_of {
  using type = std::conditional_t<is_extractable<C>, extracted_entries<C>, gathered_entries<C>>;
};
template <has_unsorted_entries C>
struct unsorted_entries_of<C> {
  using type = typename C::unsorted_entries;
};

/// The entries of a container in the order of the input, with a tree of their numbers
/// (key_index.hpp). The functions of this class are not inlined, so that the code for sorted keys
/// stays short.
template <class C>
class scattered_entries {
public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct added {
    std::size_t number; ///< number of the entry, or of the existing entry with an equal key
    bool is_new;
  };

  /// Returns an object with the entries of `out`. Requires that these entries are in order.
  [[nodiscard]] INGOT_COLD static scattered_entries* make(C& out) { return new scattered_entries(out); }
  INGOT_COLD static void drop(scattered_entries* all) noexcept { delete all; }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] auto* value(std::size_t number) { return std::addressof(entries_.value(number)); }
  /// Returns the number of the entry with an equal key, or `none`. If keys may repeat, always
  /// returns `none`. Also finds the position for `key_index::insert`: after all keys that are not
  /// greater. O(log n).
  [[nodiscard]] INGOT_NOINLINE std::size_t find(const key_t<C>& key) {
    const auto less = out_.key_comp();
    std::uint32_t after = key_index::none;
    index_.descend([&](std::uint32_t number) {
      if constexpr (is_multi<C>) return !static_cast<bool>(less(key, entries_.key(number)));
      else {
        const bool belongs_after = less(entries_.key(number), key);
        if (!belongs_after) after = number;
        return belongs_after;
      }
    });
    if (after == key_index::none || less(key, entries_.key(after))) return none;
    return after;
  }
  template <class Key, class... A>
  INGOT_NOINLINE added add(Key&& key, A&&... arguments) {
    if (const std::size_t known = find(key); known != none) return {known, false};
    const std::size_t number = entries_.size();
    entries_.add(std::forward<Key>(key), std::forward<A>(arguments)...);
    index_.insert();
    return {number, true};
  }
  INGOT_COLD void arrange() {
    if constexpr (requires { entries_.arrange(index_); }) entries_.arrange(index_);
    else entries_.arrange(index_.order());
  }

private:
  explicit scattered_entries(C& out) : out_(out), entries_(out) { index_.build(entries_.size()); }

  C& out_;
  typename unsorted_entries_of<C>::type entries_;
  key_index index_;
};

/// Fills `out`, whose entries must be in order at first. While no new key comes before an existing
/// key, `add` inserts into `out`, and takes the time of that insertion. After a key that comes
/// before an existing key, `finish` must be called at the end: without this call, the destructor
/// leaves `out` empty.
template <moves_entries C>
class key_filling {
public:
  explicit constexpr key_filling(C& out) noexcept : out_(out) {}
  key_filling(const key_filling&) = delete;
  key_filling& operator=(const key_filling&) = delete;
  INGOT_INLINE constexpr ~key_filling() {
    if (scattered_ != nullptr) [[unlikely]]
      scattered::drop(scattered_);
  }

  [[nodiscard]] INGOT_INLINE constexpr std::size_t size() const {
    return scattered_ == nullptr ? static_cast<std::size_t>(out_.size()) : scattered_->size();
  }
  /// Adds a key, with a value constructed from the arguments, and returns true. If keys must be
  /// unique and the container has an equal key, returns false and changes nothing. Throws as
  /// insertion does; no more keys may be added after an exception. O(log n), and O(n) for the first
  /// key that is inserted before an existing key.
  template <class Key, class... A>
  INGOT_INLINE constexpr bool add(Key&& key, A&&... arguments) {
    if (scattered_ != nullptr) [[unlikely]]
      return scattered_->add(std::forward<Key>(key), std::forward<A>(arguments)...).is_new;
    const auto size = static_cast<std::size_t>(out_.size());
    const std::size_t rank = rank_of(insert(std::forward<Key>(key), std::forward<A>(arguments)...));
    if (rank == size) [[likely]]
      return true;
    if (out_.size() == size) return false;
    scattered_ = scattered::make(out_);
    return true;
  }
  /// The value of a key, valid until the next key is added.
  template <class Value>
  struct found {
    Value* value;
    bool is_new;
  };
  /// Returns the value of a key in a map whose keys are unique. A new key is added with an empty
  /// value. Throws and takes time as `add` does.
  template <class Key>
  [[nodiscard]] INGOT_INLINE constexpr auto find_or_add(Key&& key) {
    using result = found<mapped_t<C>>;
    if (scattered_ != nullptr) [[unlikely]] {
      const auto added = scattered_->add(std::forward<Key>(key));
      return result{scattered_->value(added.number), added.is_new};
    }
    const auto size = static_cast<std::size_t>(out_.size());
    const auto at = insert(std::forward<Key>(key));
    const std::size_t rank = rank_of(at);
    if (rank != size) [[unlikely]] {
      if (out_.size() == size) return result{value_at(at), false};
      scattered_ = scattered::make(out_);
      return result{scattered_->value(rank), true};
    }
    return result{value_at(at), true};
  }
  /// Returns the value of an equal key in a map, or null. O(log n).
  [[nodiscard]] INGOT_INLINE constexpr auto* find(const key_t<C>& key) {
    if (scattered_ != nullptr) [[unlikely]] {
      const std::size_t known = scattered_->find(key);
      return known == scattered::none ? nullptr : scattered_->value(known);
    }
    const auto at = out_.find(key);
    return at == out_.end() ? nullptr : value_at(at);
  }
  /// Moves the entries to their positions. O(n); O(1) if the keys came in order.
  INGOT_INLINE constexpr void finish() {
    if (scattered_ == nullptr) [[likely]]
      return;
    scattered_->arrange();
    scattered::drop(std::exchange(scattered_, nullptr));
  }
  /// Returns true if entries are out of order until `finish`.
  [[nodiscard]] INGOT_INLINE constexpr bool is_scattered() const noexcept { return scattered_ != nullptr; }

private:
  using scattered = scattered_entries<C>;

  /// Inserts a key. Returns its position: an iterator, or a rank if the container uses ranks.
  template <class Key, class... A>
  INGOT_INLINE constexpr auto insert(Key&& key, A&&... arguments) {
    if constexpr (has_unsorted_entries<C>) {
      using entries = typename C::unsorted_entries;
      return entries::insert(out_, std::forward<Key>(key), std::forward<A>(arguments)...);
    } else if constexpr (has_mapped_values<C> && sizeof...(A) == 0) {
      return out_.try_emplace(out_.end(), std::forward<Key>(key));
    } else {
      collision_count collisions;
      const auto hint = insertion_hint(collisions, out_, key);
      return out_.emplace_hint(hint, std::forward<Key>(key), std::forward<A>(arguments)...);
    }
  }
  template <class At>
  [[nodiscard]] INGOT_INLINE constexpr std::size_t rank_of(const At& at) const {
    if constexpr (std::is_same_v<At, std::size_t>) return at;
    else return static_cast<std::size_t>(at - out_.begin());
  }
  template <class At>
  [[nodiscard]] INGOT_INLINE constexpr auto* value_at(const At& at) {
    if constexpr (std::is_same_v<At, std::size_t>) {
      return out_.values().data() + at;
    } else {
      auto&& entry = *at;
      return std::addressof(static_cast<mapped_t<C>&>(entry.second));
    }
  }

  C& out_;
  scattered* scattered_ = nullptr; ///< not null after a key was inserted before an existing key
};

/// Containers of integers in ascending order. If a format contains the keys in this order, its
/// readers reject keys in any other order. So its readers fill such a container without
/// `key_filling`.
template <class C>
concept ascends_by_number =
    kind_of<key_t<C>> == kind::integer && (kind_of<C> == kind::set || kind_of<C> == kind::map) &&
    (has_unsorted_entries<C> || std::same_as<typename C::key_compare, std::less<key_t<C>>> ||
     std::same_as<typename C::key_compare, std::less<>>);

/// Adds keys to a container of any kind, in the order in which packed bytes contain the keys.
template <class C>
class key_adder {
public:
  struct added {
    bool is_new;
    bool is_accepted; ///< false if the keys collide too much
  };

  explicit constexpr key_adder(C& out) noexcept : out_(out) {}

  template <class Key, class... A>
  INGOT_INLINE constexpr added add(std::uint32_t max_collisions, Key&& key, A&&... arguments) {
    const std::size_t before = out_.size();
    const auto at = out_.emplace_hint(insertion_hint(collisions_, out_, key), std::forward<Key>(key),
                                      std::forward<A>(arguments)...);
    const bool is_new = out_.size() != before;
    if constexpr (sizeof...(A) == 0)
      return {is_new, has_few_collisions(collisions_, max_collisions, out_, *at)};
    else return {is_new, has_few_collisions(collisions_, max_collisions, out_, at->first)};
  }
  INGOT_INLINE constexpr void finish() {}

private:
  C& out_;
  collision_count collisions_;
};
template <moves_entries C>
  requires(!ascends_by_number<C>)
class key_adder<C> {
public:
  struct added {
    bool is_new;
    bool is_accepted;
  };

  explicit constexpr key_adder(C& out) noexcept : filling_(out) {}

  template <class Key, class... A>
  INGOT_INLINE constexpr added add(std::uint32_t, Key&& key, A&&... arguments) {
    return {filling_.add(std::forward<Key>(key), std::forward<A>(arguments)...), true};
  }
  INGOT_INLINE constexpr void finish() { filling_.finish(); }

private:
  key_filling<C> filling_;
};

}}} // namespace ingot::INGOT_V1::detail
