// SPDX-License-Identifier: Apache-2.0
// Fills a flat set or map with entries in any order, for a reader: see key_filling.hpp.
#pragma once

#include <ingot/live/container.hpp>
#include <ingot/reflect/detail/key_index.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Fills `out`. The destructor empties `out` unless `arrange` was called.
template <class C>
class flat_filling {
public:
  explicit flat_filling(C& out) noexcept : out_(out) {}
  flat_filling(const flat_filling&) = delete;
  flat_filling& operator=(const flat_filling&) = delete;
  ~flat_filling() {
    if (!is_arranged_) out_.clear();
  }

  /// Inserts a key while the entries are in order, and returns its rank. Throws as `emplace` does.
  template <class Key, class... A>
  [[nodiscard]] static INGOT_INLINE std::size_t insert(C& out, Key&& key, A&&... arguments) {
    return container_access::insert(out, std::forward<Key>(key), std::forward<A>(arguments)...);
  }

  [[nodiscard]] std::size_t size() const noexcept { return out_.size(); }
  [[nodiscard]] const auto& key(std::size_t number) const noexcept { return out_.keys()[number]; }
  [[nodiscard]] auto& value(std::size_t number) noexcept { return out_.values()[number]; }
  /// Appends an entry, without regard to the order of keys. Throws as `emplace` does.
  template <class Key, class... A>
  void add(Key&& key, A&&... arguments) {
    container_access::add_last(out_, std::forward<Key>(key), std::forward<A>(arguments)...);
  }
  void arrange(key_index& order) {
    container_access::arrange(out_, order);
    is_arranged_ = true;
  }

private:
  C& out_;
  bool is_arranged_ = false;
};

}}} // namespace ingot::INGOT_V1::detail
