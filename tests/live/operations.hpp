// SPDX-License-Identifier: Apache-2.0
// Everything that a program can do with a block that it received. `exercise(block)` visits all that
// the root reaches. Each container is recognised by its shape, and every public operation runs on
// it: first reads, then changes. A block that `open` has accepted has to withstand this: no byte
// outside is touched, each operation ends, and each byte is reached or in a free run.
//
// Containers of other tests need no code here: a type with the shape of a string, a sequence, a
// set, a map, an optional, a variant or a box is exercised as one.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include "live/block_tools.hpp"
#include "live/effort.hpp"
#include "live/reopening.hpp"
#include "live/shapes.hpp"
#include "live/text_operations.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

namespace live_test {

template <class T>
void read(const T& object, effort& e);

template <class T>
void read_bytes(const T& object, effort& e) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &object, sizeof(T));
  for (const unsigned char b : bytes) e.seen = e.seen * 31 + b;
}

/// Reads a view of a value of any kind, and all of its parts.
template <class View>
void read_any(const View& v, effort& e) {
  if (!e.more()) return;
  ++e.depth;
  e.seen += v.size() + v.length() + static_cast<std::uint64_t>(v.kind()) + v.value_or(std::uint64_t{1});
  for (const auto each : v.elements()) read_any(each, e);
  for (const auto [key, value] : v.members()) {
    if (!v.find(key).exists()) ADD_FAILURE() << "a member that is there is not found";
    e.seen += key.size();
    read_any(value, e);
  }
  e.seen += v.find("not there").exists() + v[v.size()].exists() + v.at("/0/a/-").exists();
  --e.depth;
}

template <class C>
void read_container(const C& c, effort& e) {
  if constexpr (any_shape<C>) {
    read_any(c.root(), e);
    e.seen += c.capacity() + c.bytes().size();
    if (!(c == c)) ADD_FAILURE() << "a value is not equal to itself";
  } else if constexpr (text_shape<C>) {
    for (const auto character : c) e.seen += static_cast<std::uint64_t>(character);
    const auto* const end = c.c_str() + c.size();
    e.seen += static_cast<std::uint64_t>(*end); // the terminator
    e.seen += c.find(c.view()) + (c.compare(c.view()) == 0) + std::hash<C>{}(c.view()) + c.capacity();
    e.seen += std::char_traits<typename C::value_type>::length(c.c_str());
  } else if constexpr (sequence_shape<C>) {
    std::size_t count = 0;
    for (const auto& element : c) {
      read(element, e);
      if (++count == 4096) break;
    }
    if constexpr (requires { c.back(); }) {
      if (!c.empty()) read(c.back(), e);
    }
    e.seen += c.size() + (c == c);
    if constexpr (requires { c.capacity(); }) e.seen += c.capacity();
    if constexpr (requires { c <=> c; }) e.seen += (c <=> c) == 0;
  } else if constexpr (map_shape<C>) {
    for (const auto& entry : c) {
      read(entry.first, e);
      read(entry.second, e);
      const auto found = c.find(entry.first);
      if (found == c.end()) ADD_FAILURE() << "a key that is there is not found";
      e.seen += c.count(entry.first);
    }
    e.seen += c.size() + (c == c);
  } else if constexpr (set_shape<C>) {
    for (const auto& key : c) {
      read(key, e);
      if (c.find(key) == c.end()) ADD_FAILURE() << "a key that is there is not found";
      e.seen += c.count(key);
    }
    e.seen += c.size() + (c == c);
  } else if constexpr (pool_shape<C>) {
    for (const auto& object : c) {
      read(object, e);
      if (c.get(c.ref_of(object)) != &object) ADD_FAILURE() << "a link does not lead to its object";
    }
    e.seen += c.size() + c.capacity() + (c == c) + (c.get(typename C::ref_type{}) == nullptr);
  } else if constexpr (optional_shape<C>) {
    if (c.has_value()) read(*c, e);
  } else if constexpr (variant_shape<C>) {
    e.seen += c.index();
    if constexpr (requires { c.visit([](const auto&) {}); }) {
      c.visit([&](const auto& held) { read(held, e); });
    } else if constexpr (requires { visit([](const auto&) {}, c); }) {
      visit([&](const auto& held) { read(held, e); }, c);
    }
  } else if constexpr (box_shape<C>) {
    if constexpr (requires { static_cast<bool>(c); }) {
      if (!c) return;
    }
    read(*c, e);
  }
}

template <class T>
void read(const T& object, effort& e) {
  if (!e.more()) return;
  ++e.depth;
  if constexpr (ingot::detail::live_container<T>) {
    read_container(object, e);
  } else if constexpr (std::is_same_v<T, bool>) {
    e.seen += object ? 2 : 1;
  } else if constexpr (std::is_enum_v<T>) {
    e.seen += static_cast<std::uint64_t>(object);
  } else if constexpr (ingot::detail::is_array_like<T>) {
    for (const auto& element : object) read(element, e);
  } else if constexpr (ingot::detail::is_specialization<T, std::pair>) {
    read(object.first, e);
    read(object.second, e);
  } else if constexpr (ingot::kind_of<T> == ingot::kind::record) {
    ingot::visit_members(object, [&](const auto&... members) { (read(members, e), ...); });
  } else {
    read_bytes(object, e);
  }
  --e.depth;
}

template <class T>
void change(T& object, effort& e);

template <class C>
void change_text(C& c, effort& e) {
  using view = typename C::view_type;
  using character = typename C::value_type;
  const character long_text[] = {'g', 'r', 'o', 'w', 'i', 'n', 'g', ' ', 'i',
                                 'n', ' ', 'p', 'l', 'a', 'c', 'e', '!'};
  if (c.size() <= 256 && e.more_texts()) {
    text_oracle<C> all(c, e);
    all.read();
    all.change();
    all.read();
  }
  attempt(e, [&] { c.append(view(long_text, 17)); });
  attempt(e, [&] { c.push_back('x'); });
  e.seen += std::char_traits<character>::length(c.c_str());
  attempt(e, [&] { c.insert(c.size() / 2, c.substr(0, c.size() / 2)); });
  attempt(e, [&] { c.replace(c.size() / 4, c.size() / 2, c.substr(c.size() / 3, 5)); });
  attempt(e, [&] { c.assign(c.substr(c.size() / 5)); });
  attempt(e, [&] { c.resize(c.size() + 3, 'z'); });
  e.seen += std::char_traits<character>::length(c.c_str());
  c.erase(c.size() / 2, 3);
  edited(e);
  if (!c.empty()) c.pop_back();
  edited(e);
  attempt(e, [&] { c.shrink_to_fit(); });
  attempt(e, [&] { c.reserve(40); });
  c = std::as_const(c);
  edited(e);
  e.seen += std::char_traits<character>::length(c.c_str());
}

template <class C>
void change_sequence(C& c, effort& e) {
  using element = typename C::value_type;
  std::size_t count = 0;
  for (auto& each : c) {
    change(each, e);
    if (++count == 64) break;
  }
  attempt(e, [&] { c.emplace_back(); });
  if (!c.empty()) {
    attempt(e, [&] { c.push_back(c.front()); });
    attempt(e, [&] { c.push_back(c.back()); });
  }
  if constexpr (requires { c.insert(c.begin(), c.back()); }) {
    if (!c.empty())
      attempt(e, [&] { c.insert(c.begin() + static_cast<std::ptrdiff_t>(c.size() / 2), c.back()); });
  }
  if constexpr (requires { c.reverse(); }) {
    c.reverse();
    edited(e);
    c.rotate(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(c.size() / 2), c.end());
    edited(e);
  }
  if constexpr (requires(const element& a) {
                  c.sort();
                  a < a;
                })
    attempt(e, [&] { c.sort(); });
  if constexpr (requires { c.erase_if([](const element&) { return true; }); }) {
    std::size_t n = 0;
    c.erase_if([&](const element& each) {
      read(each, e);
      return ++n % 3 == 0;
    });
    edited(e);
  }
  if constexpr (requires { c.append_range(c); }) {
    if (c.size() < 64) attempt(e, [&] { c.append_range(c); });
  }
  if constexpr (requires { c.erase(c.begin(), c.begin()); }) {
    const auto half = static_cast<std::ptrdiff_t>(c.size() / 2);
    c.erase(c.begin() + half / 2, c.begin() + half);
    edited(e);
  }
  if constexpr (requires { c.resize(std::size_t{}); }) {
    attempt(e, [&] { c.resize(c.size() + 2); });
    c.resize(c.size() - c.size() / 3);
    edited(e);
  }
  if constexpr (requires { c.shrink_to_fit(); }) c.shrink_to_fit();
  edited(e);
  if constexpr (requires { c.reserve(std::size_t{}); }) attempt(e, [&] { c.reserve(c.size() + 5); });
  if (!c.empty()) c.pop_back();
  edited(e);
  c = std::as_const(c);
  edited(e);
}

template <class C>
void change_keyed(C& c, effort& e) {
  if constexpr (map_shape<C>) {
    std::size_t count = 0;
    for (auto&& entry : c) {
      change(entry.second, e);
      if (++count == 64) break;
    }
  }
  for (int step = 0; step < 3 && !c.empty(); ++step) {
    if constexpr (requires { c.erase(c.begin()); }) c.erase(c.begin());
    edited(e);
  }
  using key = typename C::key_type;
  const auto absent = [&](auto&& wanted) {
    e.seen += c.find(wanted) == c.end();
    if constexpr (requires { c.lower_bound(wanted); }) e.seen += c.lower_bound(wanted) == c.end();
    if constexpr (requires { c.try_emplace(wanted); }) attempt(e, [&] { c.try_emplace(wanted); });
    else if constexpr (map_shape<C>) attempt(e, [&] { c.emplace(wanted, typename C::mapped_type{}); });
    else attempt(e, [&] { c.insert(wanted); });
    e.seen += c.count(wanted);
    c.erase(wanted);
    edited(e);
  };
  if constexpr (text_shape<key>) {
    absent(typename key::view_type{});
    const typename key::value_type text[] = {'n', 'o', 't', ' ', 't', 'h', 'e', 'r', 'e', ',',
                                             ' ', 't', 'o', 'o', ' ', 'l', 'o', 'n', 'g'};
    absent(typename key::view_type(text, 19));
  } else if constexpr (std::is_integral_v<key> && !std::is_same_v<key, bool>) {
    for (int i = 0; i < 40; ++i) absent(static_cast<key>(i * 7));
  }
  c = std::as_const(c);
  edited(e);
}

template <class C>
void change_pool(C& c, effort& e) {
  std::size_t count = 0;
  for (auto& object : c) {
    change(object, e);
    if (++count == 64) break;
  }
  typename C::ref_type last{};
  attempt(e, [&] { last = c.add(); });
  attempt(e, [&] { static_cast<void>(c.add()); });
  if (!c.empty()) attempt(e, [&] { static_cast<void>(c.add(*c.begin())); });
  e.seen += c.contains(last) + c.erase(last) + c.erase(last);
  edited(e);
  if (!c.empty()) c.erase(c.begin());
  edited(e);
  std::size_t n = 0;
  c.erase_if([&](const auto& object) {
    read(object, e);
    return ++n % 3 == 0;
  });
  edited(e);
  attempt(e, [&] { c.reserve(c.size() + 5); });
  c.shrink_to_fit();
  edited(e);
  c = std::as_const(c);
  edited(e);
}

template <class C>
void change_any(C& c, effort& e) {
  const auto count = [&](const auto& done) {
    e.failures += done ? 0 : 1;
    edited(e);
  };
  const char text[] = "text that is as long as some that has a place of its own";
  if (c.is_object() && c.size() > 1) { // shrinks before any part grows
    std::string last;
    for (const auto [key, value] : c.members()) last = key;
    count(c.erase(last));
  }
  if (c.is_array() && c.size() > 1) count(c.erase(c.size() - 1));
  count(c.set("new", text));
  if (c.is_object()) {
    const auto there = c.members();
    for (const auto [key, value] : there) {
      const auto copied = c.set("a copy", value); // a copy of one of its own members
      if (copied && !c.contains("a copy")) ADD_FAILURE() << "a member that was set is not there";
      break;
    }
    for (const auto [key, value] : c.members()) {
      count(c.erase(key));
      break;
    }
    count(c.set_at("/new/-", 7));
    count(c.rename("new", "newer"));
  } else if (c.is_array()) {
    count(c.append(text));
    count(c.insert(c.size() / 2, nullptr));
    count(c.erase(std::size_t{0}));
  }
  attempt(e, [&] {
    auto edit = c.edit();
    auto root = edit.root();
    count(root.set("list", 1));
    if (root.is_array() || root.is_object()) {
      for (auto each : root.elements()) {
        count(each.set(text));
        break;
      }
      while (root.size() > 3) {
        if (!root.erase(root.size() - 1)) break;
        edited(e);
      }
    }
    count(root[std::size_t{0}].set(1.5));
  });
  read_any(std::as_const(c).root(), e);
  count(c.shrink_to_fit());
  attempt(e, [&] { c = std::as_const(c); });
  count(c.try_reserve(200));
  count(c.set(text));
  read_any(std::as_const(c).root(), e);
  c.reset();
  edited(e);
  count(c.append(1));
}

template <class C>
void change_container(C& c, effort& e) {
  if constexpr (any_shape<C>) {
    change_any(c, e);
  } else if constexpr (text_shape<C>) {
    change_text(c, e);
  } else if constexpr (sequence_shape<C>) {
    change_sequence(c, e);
  } else if constexpr (map_shape<C> || set_shape<C>) {
    change_keyed(c, e);
  } else if constexpr (pool_shape<C>) {
    change_pool(c, e);
  } else if constexpr (optional_shape<C>) {
    if (c.has_value()) change(*c, e);
    attempt(e, [&] { c.emplace(); });
    c.reset();
    edited(e);
    attempt(e, [&] { c.emplace(); });
  } else if constexpr (variant_shape<C>) {
    if constexpr (requires { c.visit([](auto&) {}); }) c.visit([&](auto& held) { change(held, e); });
    else if constexpr (requires { visit([](auto&) {}, c); }) visit([&](auto& held) { change(held, e); }, c);
  } else if constexpr (box_shape<C>) {
    if constexpr (requires { static_cast<bool>(c); }) {
      if (!c) return;
    }
    change(*c, e);
  }
}

/// Changes all parts of the object first, then the object itself.
template <class T>
void change(T& object, effort& e) {
  if (!e.more()) return;
  ++e.depth;
  if constexpr (ingot::detail::live_container<T>) {
    change_container(object, e);
  } else if constexpr (ingot::detail::is_array_like<T>) {
    for (auto& element : object) change(element, e);
  } else if constexpr (ingot::detail::is_specialization<T, std::pair>) {
    change(object.first, e);
    change(object.second, e);
  } else if constexpr (ingot::kind_of<T> == ingot::kind::record) {
    ingot::visit_members(object, [&](auto&... members) { (change(members, e), ...); });
  }
  --e.depth;
}

/// Empties the containers that are members of an object.
template <class T>
void empty_all(T& object, effort& e) {
  ingot::detail::for_each_container(object, [&](auto& c) {
    if constexpr (requires { c.clear(); }) static_cast<void>(c.clear());
    else if constexpr (requires { c.reset(); }) c.reset();
    edited(e);
  });
}

/// Reads and changes all of a block, then runs the operations of the block itself. Fails the test
/// if a byte is unaccounted for.
template <class T, class P>
std::uint64_t exercise(ingot::basic_live<T, P>& block, effort e = {}) {
  using live = ingot::basic_live<T, P>;
  reopen_after_each_edit(block, e);
  read(std::as_const(*block), e);
  const bool grows = block.stats().max_size > block.size();
  expect_reopens(block, true);
  e.objects = effort{}.objects;
  change(*block, e);
  e.objects = effort{}.objects;
  read(std::as_const(*block), e);
  if (grows) {
    expect_accounted(block, block.size());
    expect_reopens(block, true);
    live copy(block);
    read(std::as_const(*copy), e);
    attempt(e, [&] { block.compact(); });
    attempt(e, [&] { *copy = *block; });
    e.seen += copy == block;
    block.trim();
    edited(e);
    block.reclaim();
    edited(e);
    e.objects = effort{}.objects;
    change(*block, e);
    read(std::as_const(*block), e);
    expect_accounted(block, block.size());
  }
  empty_all(*block, e);
  read(std::as_const(*block), e);
  expect_reopens(block, true);
  return e.seen;
}

} // namespace live_test
