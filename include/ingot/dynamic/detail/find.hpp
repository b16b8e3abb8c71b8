// SPDX-License-Identifier: Apache-2.0
// Finds a key in a validated container, by types at run time.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/dynamic/detail/keys.hpp>
#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/live/detail/hash_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// A query for a key. `fit` converts the query to the type of the keys.
struct query {
  enum class form : std::uint8_t { nothing, number, real, text, value };
  form is = form::nothing;
  std::uint64_t number = 0; ///< two's complement
  bool is_negative = false; ///< the number is negative
  double real = 0;
  std::string_view text;
  const memory* in = nullptr; ///< memory of the value, if the query is a value
  std::uint64_t position = 0;
  spot value; ///< the value, if the query is a value in a message

  /// Converts the query to the form of the type's keys. Returns false if the query can't equal any
  /// key of the type.
  [[nodiscard]] bool fit(const tables& all, const type& key) noexcept {
    if (is == form::value) return in->in == &all; // the caller compares the types
    if (key.kind == dynamic_kind::enumeration && is == form::text) {
      for (const enumerator& each : all.enumerators_of(key)) {
        if (each.name != text) continue;
        is = form::number;
        number = each.value;
        is_negative = key.has(is_signed) && number >> 63 != 0;
        return true;
      }
      return false;
    }
    if (key.kind == dynamic_kind::floating && is == form::number) {
      real =
          is_negative ? static_cast<double>(static_cast<std::int64_t>(number)) : static_cast<double>(number);
      is = form::real;
    }
    if (key.kind == dynamic_kind::floating) return is == form::real && (key.size == 8 || fits_float());
    if (key.raw != 0) return is == form::number && fits_raw(key);
    return key.kind == dynamic_kind::text && is == form::text && all.part_type(key, 0).size == 1;
  }
  /// Returns a plain key as an unsigned number. Two such numbers compare as the two keys compare.
  [[nodiscard]] std::uint64_t ordered(const type& key) const noexcept {
    return is == form::number ? number ^ (key.raw_signed ? std::uint64_t{1} << 63 : 0)
                              : in->ordered(key, position);
  }
  [[nodiscard]] int compare(const memory& of, const type& key, std::uint64_t at) const noexcept {
    switch (is) {
    case form::number: return compare_numbers(ordered(key), of.ordered(key, at));
    case form::real: return compare_floats(real, of.real(at, key.size));
    case form::text: return text.compare(of.view(of.text(key, at)));
    default: return dyn::compare(*in, position, of, at, key);
    }
  }
  /// Returns the hash of the query in a hash table with this seed.
  [[nodiscard]] std::uint64_t hash(std::uint64_t seed, const type& key) const noexcept {
    return hash_under(seed, [&](auto begin) {
      switch (is) {
      case form::number: return begin.number(number);
      case form::real: return begin.number(real_bits(real));
      case form::text: return begin.text(text.data(), text.size());
      default: return put_key(begin, *in, position, key);
      }
    });
  }

private:
  /// Returns true if the type of keys can hold the number. For example, a byte cannot hold 300.
  [[nodiscard]] bool fits_raw(const type& key) const noexcept {
    const unsigned bits = 8U * key.raw - (key.raw_signed ? 1 : 0);
    if (is_negative) return key.raw_signed && (bits == 63 || ~number >> bits == 0);
    return bits == 64 || number >> bits == 0;
  }
  [[nodiscard]] bool fits_float() const noexcept {
    const std::uint64_t bits = float_bits_of(real);
    return is_nan(real) || widen_float(narrow_float(bits)) == bits;
  }
};

/// Positions of the key and the value of an entry. In a set, both are the position of the key.
struct found_entry {
  std::uint64_t key = 0; ///< 0: not found
  std::uint64_t value = 0;
};

[[nodiscard]] inline found_entry find_flat(const memory& in, const type& of, std::uint64_t position,
                                           const query& key) noexcept {
  const flat_shape shape = flat_of(*in.in, of);
  const std::uint64_t data = in.target(position);
  std::uint64_t low = 0;
  std::uint64_t high = in.count(position);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::uint64_t at = data + middle * shape.key->size;
    const int order = key.compare(in, *shape.key, at);
    if (order == 0) {
      if (shape.value == nullptr) return {at, at};
      return {at, data + shape.values_at(shape.capacity_for(in.capacity(data))) + middle * shape.value->size};
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return {};
}
[[nodiscard]] inline found_entry find_hashed(const memory& in, const type& of, std::uint64_t position,
                                             const query& key) noexcept {
  if (in.count(position) == 0) return {};
  const hash_table table = hash_table::of(in, hash_of(*in.in, of), in.target(position));
  const wide_product home = multiply(key.hash(table.seed(), *table.shape.key), table.home_count);
  const auto tag = static_cast<std::uint8_t>(home.low >> 57 | 0x80);
  // All slots from the home slot of an entry to the entry are full. An entry is at most 63 slots
  // after its home slot.
  for (std::uint64_t slot = home.high, step = 0; slot < table.slots && step < max_probe_length;
       ++slot, ++step) {
    if (table.tag(slot) == 0) return {};
    const std::uint64_t at = table.entry(slot);
    if (table.tag(slot) == tag && table.step(slot) == step && key.compare(in, *table.shape.key, at) == 0)
      return {at, at + table.shape.value_at};
  }
  return {};
}
/// Finds a key in a tree; if keys repeat, the first entry with an equal key.
[[nodiscard]] inline found_entry find_in_tree(const memory& in, const type& of, std::uint64_t position,
                                              const query& key) noexcept {
  if (in.count(position) == 0) return {};
  const tree_shape shape = tree_of(*in.in, of);
  tree_node node{&in, &shape, in.target(position)};
  const auto leftmost = [&](tree_node at) {
    while (at.level() != 0) at = at.child(0);
    return at;
  };
  // Descends into the last child whose first key is less than the query. Equal keys may begin in
  // that child, even if the next child begins with an equal key.
  tree_node following = node; // subtree after the path; only if `has_trailing`
  bool has_trailing = false;
  while (node.level() != 0) {
    unsigned low = 0;
    unsigned high = node.count();
    if (shape.is_plain()) { // finds the first separator that is not less than the query
      const std::uint64_t number = key.ordered(*shape.key);
      for (--high; low < high && node.separator(low) < number;) ++low;
    }
    while (high - low > 1 && !shape.is_plain()) {
      const unsigned middle = (low + high) / 2;
      if (key.compare(in, *shape.key, leftmost(node.child(middle)).key(0)) > 0) low = middle;
      else high = middle;
    }
    if (low + 1 < node.count()) {
      following = node.child(low + 1);
      has_trailing = true;
    }
    node = node.child(low);
  }
  const auto entry = [&](const tree_node& leaf, unsigned rank) -> found_entry {
    const std::uint64_t at = leaf.key(rank);
    if (key.compare(in, *shape.key, at) != 0) return {};
    return {at, shape.value == nullptr ? at : leaf.value(rank)};
  };
  unsigned low = 0;
  unsigned high = node.count();
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (key.compare(in, *shape.key, node.key(middle)) > 0) low = middle + 1;
    else high = middle;
  }
  if (low < node.count()) return entry(node, low);
  return has_trailing ? entry(leftmost(following), 0) : found_entry{};
}

/// Returns the entry with the key of a query that `fit` has converted. O(log n); in hash tables
/// O(1) on average.
[[nodiscard]] inline found_entry find_entry(const memory& in, const type& of, std::uint64_t position,
                                            const query& key) noexcept {
  if (is_flat(of.kind)) return find_flat(in, of, position, key);
  return is_hash(of.kind) ? find_hashed(in, of, position, key) : find_in_tree(in, of, position, key);
}

}}} // namespace ingot::INGOT_V1::detail::dyn
