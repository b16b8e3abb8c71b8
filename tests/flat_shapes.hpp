// SPDX-License-Identifier: Apache-2.0
// Flat sets and maps with the interfaces of other libraries. They count the entries that insertions
// move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace flat_shapes {

/// Number of entries that insertions have moved, in all containers.
inline std::uint64_t moved = 0;

/// Additional functions of a container.
enum class shape {
  bare,     ///< nothing
  standard, ///< `extract` and `replace`, as `std::flat_map`
  sequence, ///< `extract_sequence`, as `boost::container::flat_map`
};

template <class K, class Less = std::less<K>, shape Shape = shape::bare, bool Multi = false>
class set {
public:
  using key_type = K;
  using value_type = K;
  using key_compare = Less;
  using value_compare = Less;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const K&;
  using const_reference = const K&;
  using iterator = typename std::vector<K>::const_iterator;
  using const_iterator = iterator;
  using container_type = std::vector<K>;

  [[nodiscard]] iterator begin() const { return keys_.begin(); }
  [[nodiscard]] iterator end() const { return keys_.end(); }
  [[nodiscard]] auto rbegin() const { return keys_.rbegin(); }
  [[nodiscard]] auto rend() const { return keys_.rend(); }
  [[nodiscard]] size_type size() const { return keys_.size(); }
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] Less key_comp() const { return {}; }
  void clear() { keys_.clear(); }
  [[nodiscard]] iterator find(const K& key) const {
    const auto at = std::lower_bound(begin(), end(), key, Less{});
    return at == end() || Less{}(key, *at) ? end() : at;
  }
  [[nodiscard]] iterator upper_bound(const K& key) const {
    return std::upper_bound(begin(), end(), key, Less{});
  }
  iterator emplace_hint(const_iterator hint, K key) {
    auto at = end();
    if (Multi) {
      at = hint;
    } else if (!empty() && !Less{}(keys_.back(), key)) {
      at = std::lower_bound(begin(), end(), key, Less{});
      if (at != end() && !Less{}(key, *at)) return at;
    }
    at = keys_.insert(at, std::move(key));
    moved += static_cast<std::uint64_t>(end() - at) - 1;
    return at;
  }
  template <class... A>
  auto emplace(A&&... arguments) {
    return insert(K(std::forward<A>(arguments)...));
  }
  auto insert(const K& key) {
    const std::size_t before = size();
    const auto at = emplace_hint(Multi ? upper_bound(key) : end(), key);
    if constexpr (Multi) return at;
    else return std::pair(at, size() != before);
  }
  [[nodiscard]] std::vector<K> extract() &&
    requires(Shape == shape::standard)
  {
    return std::exchange(keys_, {});
  }
  void replace(std::vector<K>&& keys)
    requires(Shape == shape::standard)
  {
    keys_ = std::move(keys);
  }
  [[nodiscard]] std::vector<K> extract_sequence()
    requires(Shape == shape::sequence)
  {
    return std::exchange(keys_, {});
  }

  friend bool operator==(const set&, const set&) = default;

private:
  std::vector<K> keys_;
};

/// Its entries are pairs in one list, or with the standard's shape keys and values in two.
template <class K, class V, class Less = std::less<K>, shape Shape = shape::bare, bool Multi = false>
class map {
  static constexpr bool is_split = Shape == shape::standard;

public:
  struct containers {
    std::vector<K> keys;
    std::vector<V> values;
  };
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using key_compare = Less;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using key_container_type = std::vector<K>;
  using mapped_container_type = std::vector<V>;

  /// Entries by their positions, as pairs of references.
  template <class Map, class Value>
  class position {
  public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<K, V>;
    using difference_type = std::ptrdiff_t;
    using reference = std::pair<const K&, Value&>;
    struct arrow {
      reference entry;
      const reference* operator->() const { return &entry; }
    };
    using pointer = arrow;
    position() = default;
    position(Map* in, std::size_t at) : in_(in), at_(static_cast<std::ptrdiff_t>(at)) {}
    template <class OtherMap, class OtherValue>
      requires std::is_const_v<Value>
    position(const position<OtherMap, OtherValue>& other) : in_(other.in_), at_(other.at_) {}
    reference operator*() const {
      const auto at = static_cast<std::size_t>(at_);
      return {in_->all_.keys[at], in_->all_.values[at]};
    }
    arrow operator->() const { return {**this}; }
    reference operator[](difference_type n) const { return *(*this + n); }
    position& operator+=(difference_type n) { return at_ += n, *this; }
    position& operator-=(difference_type n) { return at_ -= n, *this; }
    position& operator++() { return *this += 1; }
    position& operator--() { return *this -= 1; }
    position operator++(int) { return ++*this, *this - 1; }
    position operator--(int) { return --*this, *this + 1; }
    friend position operator+(position a, difference_type n) { return a += n; }
    friend position operator+(difference_type n, position a) { return a += n; }
    friend position operator-(position a, difference_type n) { return a -= n; }
    friend difference_type operator-(position a, position b) { return a.at_ - b.at_; }
    friend bool operator==(position a, position b) { return a.at_ == b.at_; }
    friend auto operator<=>(position a, position b) { return a.at_ <=> b.at_; }

  private:
    friend map;
    template <class, class>
    friend class position;
    Map* in_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };
  using iterator = position<map, V>;
  using const_iterator = position<const map, const V>;
  using reference = typename iterator::reference;
  using const_reference = typename const_iterator::reference;

  [[nodiscard]] iterator begin() { return {this, 0}; }
  [[nodiscard]] iterator end() { return {this, size()}; }
  [[nodiscard]] const_iterator begin() const { return {this, 0}; }
  [[nodiscard]] const_iterator end() const { return {this, size()}; }
  [[nodiscard]] auto rbegin() { return std::reverse_iterator(end()); }
  [[nodiscard]] size_type size() const { return all_.keys.size(); }
  [[nodiscard]] bool empty() const { return all_.keys.empty(); }
  [[nodiscard]] Less key_comp() const { return {}; }
  void clear() { all_ = {}; }
  [[nodiscard]] iterator find(const K& key) {
    const std::size_t at = lower(key);
    return {this, at == size() || Less{}(key, all_.keys[at]) ? size() : at};
  }
  [[nodiscard]] iterator upper_bound(const K& key) {
    const auto at = std::upper_bound(all_.keys.begin(), all_.keys.end(), key, Less{});
    return {this, static_cast<std::size_t>(at - all_.keys.begin())};
  }
  template <class... A>
  iterator try_emplace(const_iterator, K key, A&&... arguments) {
    const std::size_t at = empty() || Less{}(all_.keys.back(), key) ? size() : lower(key);
    if (at != size() && !Less{}(key, all_.keys[at])) return {this, at};
    return insert_at(at, std::move(key), V(std::forward<A>(arguments)...));
  }
  iterator emplace_hint(const_iterator hint, K key, V value) {
    if constexpr (Multi)
      return insert_at(static_cast<std::size_t>(hint.at_), std::move(key), std::move(value));
    else return try_emplace(hint, std::move(key), std::move(value));
  }
  auto insert(const value_type& entry) {
    const std::size_t before = size();
    const auto at = emplace_hint(Multi ? upper_bound(entry.first) : end(), entry.first, entry.second);
    if constexpr (Multi) return at;
    else return std::pair(at, size() != before);
  }
  iterator erase(const K& key) {
    const auto at = find(key).at_;
    all_.keys.erase(all_.keys.begin() + at);
    all_.values.erase(all_.values.begin() + at);
    return begin() + at;
  }
  [[nodiscard]] containers extract() &&
    requires(is_split)
  {
    return std::exchange(all_, {});
  }
  void replace(std::vector<K>&& keys, std::vector<V>&& values)
    requires(is_split)
  {
    all_ = {std::move(keys), std::move(values)};
  }
  [[nodiscard]] std::vector<value_type> extract_sequence()
    requires(Shape == shape::sequence)
  {
    std::vector<value_type> entries;
    for (std::size_t i = 0; i < size(); ++i)
      entries.emplace_back(std::move(all_.keys[i]), std::move(all_.values[i]));
    clear();
    return entries;
  }

  friend bool operator==(const map& a, const map& b) {
    return a.all_.keys == b.all_.keys && a.all_.values == b.all_.values;
  }

private:
  [[nodiscard]] std::size_t lower(const K& key) const {
    const auto at = std::lower_bound(all_.keys.begin(), all_.keys.end(), key, Less{});
    return static_cast<std::size_t>(at - all_.keys.begin());
  }
  iterator insert_at(std::size_t at, K&& key, V&& value) {
    all_.keys.insert(all_.keys.begin() + static_cast<std::ptrdiff_t>(at), std::move(key));
    all_.values.insert(all_.values.begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
    moved += size() - at - 1;
    return {this, at};
  }

  containers all_;
};

} // namespace flat_shapes
