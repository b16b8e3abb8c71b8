// SPDX-License-Identifier: Apache-2.0
// Validates an untrusted hash table. One walk along the slots hashes each key once. The slot of an
// entry follows from the hashes alone. So if all entries are in their slots, a lookup finds each of
// them, no key is there twice, and the search for any other key ends.
#pragma once

#include <ingot/live/detail/canonical_check.hpp>
#include <ingot/live/detail/hash_layout.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class K, class V, block_policy P>
struct hash_check {
  using offset_type = typename P::offset_type;
  using entry = typename hash_entry<K, V>::type;
  using parts = hash_parts<entry, offset_type>;
  using head_type = hash_head<offset_type>;

  template <class Validator>
  [[nodiscard]] static bool table(Validator& validator, const anchor<P>& at, std::size_t size) {
    // A container that may hold its own type is validated later, but keys are hashed now.
    static_assert(
        [] {
          visited_types seen;
          return !some_part<is_walked_later, K>(seen);
        }(),
        "ingot: a key can't hold others of its own type");
    if (size > hash_capacity(parts::max_home_count))
      return validator.reject(errc::bad_length, &at, "a size that fits in a block");
    const std::byte* const data =
        validator.claim(at, size == 0 ? 0 : parts::bytes(hash_home_count(size)), parts::alignment);
    if (data == nullptr) return false;
    if (data == validator.start() + sentinel_position) return true;
    storage_prefix<offset_type> prefix;
    std::memcpy(&prefix, data - sizeof prefix, sizeof prefix);
    if (prefix.capacity < sizeof(head_type))
      return validator.reject(errc::bad_length, data, "space for a table's head");
    head_type head;
    std::memcpy(&head, data, sizeof head);
    if (head.home_count == 0 || head.home_count > parts::max_home_count ||
        parts::bytes(head.home_count) > prefix.capacity || size > hash_capacity(head.home_count)) {
      return validator.reject(errc::bad_length, data,
                              "a number of homes that fits into the storage and suffices for the size");
    }
    const parts in = parts::of(const_cast<std::byte*>(data));
    if constexpr (Validator::asks != asking::positions) {
      if constexpr (supports_edge_claims<Validator> && has_canonical_check<entry>()) {
        // Entries are in the order of their hashes. So unless the table is canonical, the storage
        // of a key's text is hardly ever the next storage of the block.
        return (!validator.claims().are_edited() && entries<strict_run<Validator>>(validator, in, size)) ||
               entries<edge_run<Validator>>(validator, in, size);
      } else {
        return entries<order_run<Validator>>(validator, in, size);
      }
    } else if constexpr (holds_offsets<entry> || visits_objects<Validator>) {
      std::size_t count = 0;
      return in.each_full([&](std::size_t slot) {
        return check_object(in.entries[slot], validator) ? (++count, true) : validator.in_element(count);
      });
    } else {
      return true;
    }
  }

private:
  static constexpr std::uint64_t full_bits = 0x8080808080808080;

  [[nodiscard]] static INGOT_INLINE const K& key_of(const entry& one) noexcept {
    return hash_entry<K, V>::key(one);
  }
  [[nodiscard]] static INGOT_INLINE std::uint64_t eight(const std::uint8_t* from) noexcept {
    return load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(from));
  }
  [[nodiscard]] static INGOT_INLINE std::uint64_t hash_of(std::uint64_t seed, const K& key) noexcept {
    if constexpr (text_key<K>) {
      if (seed == first_seed) [[likely]] {
        const auto text = container_access::steady_view(key);
        return hash_text_steadily(first_seed, text.data(), text.size());
      }
    }
    return hash_key(seed, key);
  }
  template <class Validator>
  [[nodiscard]] INGOT_COLD static bool reject(Validator& validator, errc code, const entry& one,
                                              std::size_t index, std::string_view expected) {
    static_cast<void>(validator.reject(code, &one, expected));
    return validator.in_element(index);
  }
  /// Checks that the slots in [from, to) have step zero. Requires that their tags are zero, which
  /// means that the slots are empty.
  template <class Validator>
  [[nodiscard]] static INGOT_INLINE bool are_empty(Validator& validator, const parts& in, std::size_t from,
                                                   std::size_t to) {
    for (; from < to; ++from) {
      if (in.steps[from] != 0) [[unlikely]]
        return validator.reject(errc::bad_padding, in.steps + from, "zero for an empty slot");
    }
    return true;
  }

  template <class Run, class Validator>
  [[nodiscard]] static bool entries(Validator& validator, const parts& in, std::size_t size) {
    if ((eight(in.tags + in.slots) | eight(in.tags + in.slots + 8)) != 0)
      return validator.reject(errc::bad_padding, in.tags + in.slots, "no tags after the last slot");
    const std::uint64_t seed = in.head->seed;
    const std::size_t home_count = in.head->home_count;
    std::size_t count = 0;
    std::size_t next = 0; // slot after the last entry
    std::size_t displacement = 0;
    Run run(validator);
    bool doubtful = false; // true if an empty slot had a non-zero step
    std::uint64_t last_hash = 0;
    const entry* last = nullptr;
    // The number of slots between two polls: their entries take about 256 KiB.
    constexpr std::size_t chunk = (progress_tracker::step / sizeof(entry) + 8) / 8 * 8;
    for (std::size_t group = 0; group < in.slots;) {
      for (const std::size_t end = in.slots - group > chunk ? group + chunk : in.slots; group < end;
           group += 8) {
        const std::uint64_t tags = eight(in.tags + group);
        std::uint64_t full = tags & full_bits;
        if ((tags & ~((full >> 7) * 0xFF)) != 0) [[unlikely]]
          return validator.reject(errc::bad_padding, in.tags + group, "tags of full slots, or zero");
        // Checks the steps of eight slots at once. A loop over the empty slots between two entries
        // would have an unpredictable end.
        if (in.slots - group < 8 || (eight(in.steps + group) & ~((full >> 7) * 0xFF)) != 0) [[unlikely]]
          doubtful = true;
        for (; full != 0; full &= full - 1) {
          const std::size_t at = group + (static_cast<std::size_t>(std::countr_zero(full)) >> 3);
          const entry& one = in.entries[at];
          if constexpr (std::is_same_v<Run, edge_run<Validator>>) {
            if (in.slots - at > 12) look_ahead(key_of(in.entries[at + 12]));
          }
          if (doubtful && !are_empty(validator, in, next, at)) [[unlikely]]
            return false;
          if (!run.check(one)) [[unlikely]]
            return validator.in_element(count);
          if (!is_normal_key(key_of(one))) [[unlikely]]
            return reject(validator, errc::not_canonical, one, count, "a key without NaN and negative zero");
          const std::uint64_t hash = hash_of(seed, key_of(one));
          const home_position expected = locate(hash, home_count);
          const std::size_t step = at - expected.home; // huge if the entry is before its home slot
          // computed without a branch, because it is unpredictable which entries are displaced
          const bool apart = static_cast<bool>(static_cast<int>(step != 0) & static_cast<int>(at != next));
          if (in.tags[at] != expected.tag || in.steps[at] != step || step >= max_probe_length || apart)
              [[unlikely]]
            return reject(validator, errc::unsorted_keys, one, count, "a key where its hash says");
          if (hash <= last_hash && last != nullptr) [[unlikely]] {
            const int order = hash < last_hash ? 1 : compare_keys(key_of(*last), key_of(one));
            if (order == 0) return reject(validator, errc::duplicate_key, one, count, "each key once");
            if (order > 0)
              return reject(validator, errc::unsorted_keys, one, count, "keys in the order of their hashes");
          }
          last_hash = hash;
          last = &one;
          displacement += step;
          next = at + 1;
          ++count;
        }
      }
      if (group < in.slots && !run.should_continue_now()) return false;
    }
    if (!run.end() || !are_empty(validator, in, next, in.slots)) return false;
    if (count != size)
      return validator.reject(errc::bad_length, in.head, "as many full slots as the size says");
    return (displacement == in.head->total_displacement &&
            displacement <= max_total_displacement(home_count)) ||
           validator.reject(errc::bad_length, in.head,
                            "the sum of all steps, at most 4 for each entry of the capacity and 64 more");
  }
};

}}} // namespace ingot::INGOT_V1::detail
