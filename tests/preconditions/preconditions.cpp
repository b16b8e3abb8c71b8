// SPDX-License-Identifier: Apache-2.0
// Violates each precondition of docs/preconditions.md once, in a process of its own. The handler
// must get the message of that violation. Without this test, a check could be lost or have a wrong
// message, and programs would use memory that is not theirs.
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/description.hpp>
#if defined(WITH_FILE)
#include <ingot/file/edit_file.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>

#include <filesystem>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <expected>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// For each container: one with elements, an empty one (its name ends with 0), and another one.
struct everything {
  ingot::vector<int> v, v0, w;
  ingot::vector<ingot::string> texts;
  ingot::string s, s0;
  ingot::optional<int> o0;
  ingot::box<int> b0;
  ingot::queue<int> q, q0, r;
  ingot::queue<ingot::string> lines;
  ingot::pool<int> p, p2;
  ingot::map<int, int> m, m0, n;
  ingot::set<int> k, k0;
  ingot::multimap<int, int> mm;
  ingot::flat_map<int, int> f, f0, g;
  ingot::flat_set<int> e, e0, d;
  ingot::hash_map<int, int> h, h0, i;
  ingot::hash_set<int> u, u0;
};
struct packed {
  std::vector<int> list;
  std::vector<int> none;
  std::variant<int, std::string> one;
  std::optional<int> maybe;
  std::expected<int, int> outcome = std::unexpected(3);
  std::expected<int, int> good = 4;
};

/// Volatile: the optimiser must assume any value.
volatile std::size_t sink = 0;
template <class T>
void use(const T& value) {
  sink = sink + reinterpret_cast<std::uintptr_t>(&value) % 2;
}

using live = ingot::live<everything>;
live filled() {
  live all;
  all->v = {1, 2, 3, 4, 5};
  all->w = {6, 7, 8};
  all->texts.emplace_back() = "a text that is longer than short ones are";
  all->lines.emplace_back() = "a text that is longer than short ones are";
  all->s = "five.";
  all->q = {1, 2, 3};
  all->r = {4};
  all->p.add(1);
  all->p.add(2);
  all->p2.add(3);
  for (int i = 0; i < 100; ++i) {
    all->m[i] = i;
    all->n[i] = i;
    all->k.insert(i);
    all->mm.emplace(i, i);
  }
  all->f = {{1, 1}, {2, 2}};
  all->g = {{1, 1}};
  all->e = {1, 2};
  all->d = {1};
  all->h[1] = 1;
  all->i[1] = 1;
  all->u.insert(1);
  return all;
}

/// A violation. `call` gets two blocks that have everything.
struct misuse {
  const char* message;
  void (*call)(live& a, live& b);
  int mode = INGOT_HARDENING_FAST; ///< lowest mode that detects it
};

packed sample() {
  packed value;
  value.list = {1, 2, 3};
  value.one = 5;
  return value;
}
ingot::buffer bytes() { return ingot::pack(sample()).value(); }
ingot::buffer compact_bytes() { return ingot::compact::pack(sample()).value(); }
template <class F>
void with_view(F f) {
  const ingot::buffer b = bytes();
  f(ingot::view<packed>::open(b).value());
}
template <class F>
void with_compact(F f) {
  const ingot::buffer b = compact_bytes();
  f(ingot::compact::view<packed>::open(b).value());
}

/// Calls `f` with the end iterator of the parts of a block's root, which is read without its type.
template <class F>
void with_parts(live& of, F f) {
  const auto layout = ingot::layout_of<everything>();
  const auto types = ingot::dynamic_layout::open(layout).value();
  const auto seen = ingot::dynamic_block::open(of.bytes(), types).value();
  auto at = seen.root().parts().begin();
  while (!(at == std::default_sentinel)) ++at;
  f(at);
}

constexpr int extensive = INGOT_HARDENING_EXTENSIVE;
constexpr int debug = INGOT_HARDENING_DEBUG;

// clang-format off
const misuse misuses[] = {
    {"ingot::vector: index 7 of 5 elements", [](live& a, live&) { use(a->v[7]); }},
    {"ingot::vector: index 5 of 5 elements", [](live& a, live&) { use(std::as_const(*a).v[5]); }},
    {"ingot::vector: index 0 of 0 elements", [](live& a, live&) { use(a->v0[0]); }},
    {"ingot::vector: front() of 0 elements", [](live& a, live&) { use(a->v0.front()); }},
    {"ingot::vector: front() of 0 elements", [](live& a, live&) { use(std::as_const(*a).v0.front()); }},
    {"ingot::vector: back() of 0 elements", [](live& a, live&) { use(a->v0.back()); }},
    {"ingot::vector: back() of 0 elements", [](live& a, live&) { use(std::as_const(*a).v0.back()); }},
    {"ingot::vector: pop_back() of 0 elements", [](live& a, live&) { a->v0.pop_back(); }},
    {"ingot::vector: an iterator was moved past the end", [](live& a, live&) { use(a->v.emplace(a->v.end() + 1, 1)); }, debug},
    {"ingot::vector: an iterator was moved before the beginning", [](live& a, live&) { use(a->v.try_emplace(a->v.begin() - 1, 1)); }, debug},
    {"ingot::vector: emplace() with an iterator outside its 5 elements, or of another container", [](live& a, live&) { a->v.insert(a->w.begin(), 1); }},
    {"ingot::vector: emplace() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->v.insert(b->v.begin(), 1); }},
    {"ingot::vector: insert() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->v.insert(b->v.begin(), {1}); }},
    {"ingot::vector: insert() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->v.insert(b->v.begin(), 3, 1); }},
    {"ingot::vector: insert() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->v.insert(b->v.begin(), a->w.begin(), a->w.end()); }},
    {"ingot::vector: insert() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->v.insert_range(b->v.end(), a->w); }},
    {"ingot::vector: erase() with an iterator at index 5 of 5 elements", [](live& a, live&) { a->v.erase(a->v.end()); }},
    {"ingot::vector: erase() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->v.erase(b->v.begin()); }},
    {"ingot::vector: erase() with iterators from index 3 to 1 of 5 elements", [](live& a, live&) { a->v.erase(a->v.begin() + 3, a->v.begin() + 1); }},
    {"ingot::vector: erase() with iterators outside its 5 elements, or of another container", [](live& a, live& b) { a->v.erase(a->v.begin(), b->v.end()); }},
    {"ingot::vector: rotate() with iterators from index 2 to 1 of 5 elements", [](live& a, live&) { a->v.rotate(a->v.begin() + 2, a->v.begin() + 1, a->v.end()); }},
    {"ingot::vector: rotate() with iterators outside its 5 elements, or of another container", [](live& a, live& b) { a->v.rotate(a->v.begin(), a->v.begin(), b->v.end()); }},
    {"ingot::vector: swap_elements() of elements of two blocks", [](live& a, live& b) { ingot::vector<ingot::string>::swap_elements(a->texts[0], b->texts[0]); }},
    {"ingot::vector: erase() by a value that is one of its elements", [](live& a, live&) { erase(a->v, a->v[2]); }},

    {"ingot::string: index 6 of 5 elements", [](live& a, live&) { use(a->s[6]); }},
    {"ingot::string: index 6 of 5 elements", [](live& a, live&) { use(std::as_const(*a).s[6]); }},
    {"ingot::string: front() of 0 elements", [](live& a, live&) { use(a->s0.front()); }},
    {"ingot::string: front() of 0 elements", [](live& a, live&) { use(std::as_const(*a).s0.front()); }},
    {"ingot::string: back() of 0 elements", [](live& a, live&) { use(a->s0.back()); }},
    {"ingot::string: back() of 0 elements", [](live& a, live&) { use(std::as_const(*a).s0.back()); }},
    {"ingot::string: pop_back() of 0 elements", [](live& a, live&) { a->s0.pop_back(); }},
    {"ingot::string: an iterator was moved past the end", [](live& a, live&) { a->s.insert(a->s.end() + 1, 'c'); }, debug},
    {"ingot::string: insert() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->s.insert(b->s.begin(), 2, 'c'); }},
    {"ingot::string: insert() with an iterator outside its 5 elements, or of another container", [](live& a, live& b) { a->s.insert(b->s.begin(), {'c'}); }},
    {"ingot::string: erase() with an iterator at index 5 of 5 elements", [](live& a, live&) { a->s.erase(a->s.end()); }},
    {"ingot::string: erase() with iterators from index 3 to 1 of 5 elements", [](live& a, live&) { a->s.erase(a->s.begin() + 3, a->s.begin() + 1); }},
    {"ingot::string: replace() with iterators outside its 5 elements, or of another container", [](live& a, live& b) { a->s.replace(a->s.begin(), b->s.end(), "x"); }},
    {"ingot::string: replace() with iterators from index 3 to 1 of 5 elements", [](live& a, live&) { a->s.replace(a->s.begin() + 3, a->s.begin() + 1, 2, 'x'); }},
    {"ingot::string: replace() with iterators from index 3 to 1 of 5 elements", [](live& a, live& b) { a->s.replace(a->s.begin() + 3, a->s.begin() + 1, b->s.begin(), b->s.end()); }},
    {"ingot::string: index 9 of 8 elements", [](live& a, live&) { a->s.resize_and_overwrite(8, [](char*, std::size_t) { return 9; }); }},

    {"ingot::optional: * without a value", [](live& a, live&) { use(*a->o0); }},
    {"ingot::optional: * without a value", [](live& a, live&) { use(*std::as_const(*a).o0); }},
    {"ingot::optional: -> without a value", [](live& a, live&) { use(*a->o0.operator->()); }},
    {"ingot::optional: -> without a value", [](live& a, live&) { use(*std::as_const(*a).o0.operator->()); }},
    {"ingot::box: * of an empty box", [](live& a, live&) { use(*a->b0); }},
    {"ingot::box: * of an empty box", [](live& a, live&) { use(*std::as_const(*a).b0); }},
    {"ingot::box: -> of an empty box", [](live& a, live&) { use(*a->b0.operator->()); }},
    {"ingot::box: -> of an empty box", [](live& a, live&) { use(*std::as_const(*a).b0.operator->()); }},

    {"ingot::queue: index 3 of 3 elements", [](live& a, live&) { use(a->q[3]); }},
    {"ingot::queue: index 3 of 3 elements", [](live& a, live&) { use(std::as_const(*a).q[3]); }},
    {"ingot::queue: index 3 of 3 elements", [](live& a, live&) { use(*a->q.end()); }},
    {"ingot::queue: index 3 of 3 elements", [](live& a, live&) { use(*a->q.cend().operator->()); }},
    {"ingot::queue: an iterator was moved past the end", [](live& a, live&) { use(a->q.begin()[7]); }, debug},
    {"ingot::queue: front() of 0 elements", [](live& a, live&) { use(a->q0.front()); }},
    {"ingot::queue: front() of 0 elements", [](live& a, live&) { use(std::as_const(*a).q0.front()); }},
    {"ingot::queue: back() of 0 elements", [](live& a, live&) { use(a->q0.back()); }},
    {"ingot::queue: back() of 0 elements", [](live& a, live&) { use(std::as_const(*a).q0.back()); }},
    {"ingot::queue: pop_front() of 0 elements", [](live& a, live&) { a->q0.pop_front(); }},
    {"ingot::queue: pop_back() of 0 elements", [](live& a, live&) { a->q0.pop_back(); }},
    {"ingot::queue: swap_elements() of elements of two blocks", [](live& a, live& b) { ingot::queue<ingot::string>::swap_elements(a->lines[0], b->lines[0]); }},
    {"ingot::queue: iterators of two queues are compared", [](live& a, live&) { sink = a->q.begin() == a->r.begin(); }, extensive},
    {"ingot::queue: iterators of two queues are compared", [](live& a, live&) { sink = a->q.begin() < a->r.begin(); }, extensive},
    {"ingot::queue: iterators of two queues are compared", [](live& a, live&) { sink = static_cast<std::size_t>(a->q.begin() - a->r.begin()); }, extensive},

    {"ingot::pool: an iterator at end() or at an object that was erased", [](live& a, live&) { use(*a->p.end()); }},
    {"ingot::pool: an iterator at end() or at an object that was erased", [](live& a, live&) { use(*a->p.cend().operator->()); }},
    {"ingot::pool: an iterator at end() or at an object that was erased", [](live& a, live&) { use(a->p.end().ref()); }},
    {"ingot::pool: an iterator at end() or at an object that was erased", [](live& a, live&) { const auto at = a->p.begin(); a->p.erase(at); use(*at); }},
    {"ingot::pool: an iterator of no pool", [](live& a, live&) { use(*decltype(a->p.begin())()); }},
    {"ingot::pool: an iterator of no pool", [](live& a, live&) { ++decltype(a->p.begin())(); }},
    {"ingot::queue: an iterator of no queue", [](live& a, live&) { use(*decltype(a->q.begin())()); }},
    {"ingot::map: * of end()", [](live& a, live&) { use((*decltype(a->m.begin())()).first); }},
    {"ingot::map: -- of begin()", [](live& a, live&) { --decltype(a->m.begin())(); }},
    {"ingot::hash_map: * of end()", [](live& a, live&) { use((*decltype(a->h.begin())()).first); }},
    {"ingot::pool: ++ of end()", [](live& a, live&) { auto at = a->p.end(); ++at; }},
    {"ingot::pool: erase() with an iterator at end(), at an object that was erased, or of another pool", [](live& a, live&) { a->p.erase(a->p.end()); }},
    {"ingot::pool: erase() with an iterator at end(), at an object that was erased, or of another pool", [](live& a, live&) { a->p.erase(a->p2.begin()); }},
    {"ingot::pool: erase() with an iterator at end(), at an object that was erased, or of another pool", [](live& a, live& b) { a->p.erase(b->p.begin()); }},
    {"ingot::pool: ref_of() an object that is not in it", [](live& a, live&) { const int other = 0; use(a->p.ref_of(other)); }},
    {"ingot::pool: ref_of() an object that is not in it", [](live& a, live& b) { use(a->p.ref_of(*b->p.begin())); }},
    {"ingot::pool: iterators of two pools are compared", [](live& a, live&) { sink = a->p.begin() == a->p2.begin(); }, extensive},

    {"ingot::map: * of end()", [](live& a, live&) { use((*a->m.end()).first); }},
    {"ingot::map: * of end()", [](live& a, live&) { use(a->m.cend()->first); }},
    {"ingot::map: * of end()", [](live& a, live&) { use(a->m.find(1000)->second); }},
    {"ingot::map: * of end()", [](live& a, live&) { use((*a->m0.begin()).first); }},
    {"ingot::map: * of end()", [](live& a, live&) { use((*a->mm.end()).first); }},
    {"ingot::set: * of end()", [](live& a, live&) { use(*a->k.end()); }},
    {"ingot::set: * of end()", [](live& a, live&) { use(*a->k.end().operator->()); }},
    {"ingot::map: ++ of end()", [](live& a, live&) { auto at = a->m.end(); ++at; }},
    {"ingot::map: ++ of end()", [](live& a, live&) { auto at = a->m.end(); at++; }},
    {"ingot::map: -- of begin()", [](live& a, live&) { auto at = a->m.begin(); --at; }},
    {"ingot::map: -- of begin()", [](live& a, live&) { auto at = a->m0.end(); at--; }},
    {"ingot::set: -- of begin()", [](live& a, live&) { auto at = a->k0.end(); --at; }},
    {"ingot::map: erase() with an iterator at index 100 of 100 elements", [](live& a, live&) { a->m.erase(a->m.end()); }},
    {"ingot::map: erase() with an iterator of another container, or one that an insertion or erasure has ended", [](live& a, live&) { a->m.erase(a->n.begin()); }},
    {"ingot::map: erase() with an iterator of another container, or one that an insertion or erasure has ended", [](live& a, live& b) { a->m.erase(b->m.begin()); }},
    {"ingot::map: erase() with iterators of another container", [](live& a, live&) { a->m.erase(a->m.begin(), a->n.end()); }},
    {"ingot::map: erase() with iterators of another container", [](live& a, live&) { a->m.erase(a->n.begin(), a->m.end()); }},
    {"ingot::map: ++ of end()", [](live& a, live&) { a->m.erase(a->m.find(5), a->m.find(2)); }},
    {"ingot::map: iterators of two containers are compared", [](live& a, live&) { sink = a->m.begin() == a->n.begin(); }, extensive},

    {"ingot::flat_map: erase() with an iterator at index 2 of 2 elements", [](live& a, live&) { a->f.erase(a->f.end()); }},
    {"ingot::flat_map: erase() with an iterator outside its 2 elements, or of another container", [](live& a, live&) { a->f.erase(a->g.begin()); }},
    {"ingot::flat_map: erase() with iterators from index 1 to 0 of 2 elements", [](live& a, live&) { a->f.erase(a->f.begin() + 1, a->f.begin()); }},
    {"ingot::flat_map: erase() with iterators outside its 2 elements, or of another container", [](live& a, live& b) { a->f.erase(a->f.begin(), b->f.end()); }},
    {"ingot::flat_set: erase() with an iterator at index 2 of 2 elements", [](live& a, live&) { a->e.erase(a->e.end()); }},
    {"ingot::flat_set: erase() with an iterator outside its 2 elements, or of another container", [](live& a, live&) { a->e.erase(a->d.begin()); }},
    {"ingot::flat_set: erase() with iterators from index 1 to 0 of 2 elements", [](live& a, live&) { a->e.erase(a->e.begin() + 1, a->e.begin()); }},

    {"ingot::hash_map: * of end()", [](live& a, live&) { use((*a->h.end()).first); }},
    {"ingot::hash_map: -> of end()", [](live& a, live&) { use(a->h.find(7)->second); }},
    {"ingot::hash_map: ++ of end()", [](live& a, live&) { auto at = a->h.end(); ++at; }},
    {"ingot::hash_map: ++ of end()", [](live& a, live&) { auto at = a->h0.begin(); at++; }},
    {"ingot::hash_map: ++ of end()", [](live& a, live&) { a->h.erase(a->h.end(), a->h.begin()); }},
    {"ingot::hash_map: iterators of two containers are compared", [](live& a, live&) { a->h.erase(a->h.begin(), a->i.begin()); }, debug},
    {"ingot::hash_set: * of end()", [](live& a, live&) { use(*a->u.end()); }},
    {"ingot::hash_set: -> of end()", [](live& a, live&) { use(*a->u0.begin().operator->()); }},
    {"ingot::hash_map: erase() with an iterator outside its 1 elements, or of another container", [](live& a, live&) { a->h.erase(a->h.end()); }},
    {"ingot::hash_map: erase() with an iterator outside its 1 elements, or of another container", [](live& a, live&) { a->h.erase(a->i.begin()); }},
    {"ingot::hash_map: erase() with an iterator outside its 0 elements, or of another container", [](live& a, live& b) { a->h0.erase(b->h.begin()); }},
    {"ingot::hash_map: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->h.begin(); a->h.erase(at); a->h.erase(at); }, debug},
    {"ingot::hash_set: erase() with an iterator outside its 1 elements, or of another container", [](live& a, live& b) { a->u.erase(b->u.begin()); }},

    // Iterators that a change has invalidated, in mode debug.
    {"ingot::vector: index 5 of 5 elements", [](live& a, live&) { use(*a->v.end()); }, debug},
    {"ingot::vector: index 5 of 5 elements", [](live& a, live&) { use(std::as_const(*a).v.begin()[5]); }, debug},
    {"ingot::vector: index 0 of 0 elements", [](live& a, live&) { use(*a->v0.begin()); }, debug},
    {"ingot::vector: an iterator was moved past the end", [](live& a, live&) { auto at = a->v.end(); ++at; }, debug},
    {"ingot::vector: an iterator was moved before the beginning", [](live& a, live&) { auto at = a->v.cbegin(); at--; }, debug},
    {"ingot::iterator: an iterator of no container", [](live& a, live&) { use(*decltype(a->v.begin())()); }, debug},
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->v.begin(); a->v.reserve(100); use(*at); }, debug},
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { a->v0.push_back(1); const auto at = a->v0.begin(); a->v0.reserve(1000); use(*at); }, debug}, // grows in place
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { for (const int each : a->v) a->v.push_back(each); }, debug},
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->v0.begin(); a->v0.push_back(1); use(*at); }, debug},
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->v.end(); a->v.resize(100); sink = at == a->v.end(); }, debug},
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->v.begin(); a->v = {1}; use(*at); }, debug},
    {"ingot::vector: an iterator was used after its elements were moved or freed", [](live& a, live&) { a->v.reserve(100); const auto at = a->v.begin(); a->v.shrink_to_fit(); a->v.erase(at); }, debug},
    {"ingot::vector: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->v.begin() + 3; a->v.erase(a->v.begin() + 1); use(*at); }, debug},
    {"ingot::vector: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->v.begin() + 1; a->v.erase(at); a->v.insert(at, 1); }, debug},
    {"ingot::vector: an iterator was used after an erasure had ended it", [](live& a, live&) { auto at = a->v.begin(); a->v.erase_if([](int each) { return each == 1; }); ++at; }, debug},
    {"ingot::vector: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->v.end() - 1; a->v.pop_back(); a->v.push_back(1); use(*at); }, debug},
    {"ingot::vector: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->v.begin(); a->v.clear(); a->v.push_back(1); use(*at); }, debug},
    {"ingot::vector: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->v.begin(); a->v.clear(); a->v.erase(at, a->v.end()); }, debug},
    {"ingot::vector: an iterator was used after an insertion had ended it", [](live& a, live&) { a->v.reserve(100); const auto at = a->v.begin() + 3; a->v.insert(a->v.begin(), 1); use(*at); }, debug},
    {"ingot::vector: an iterator was used after an insertion had ended it", [](live& a, live&) { a->v.reserve(100); const auto at = a->v.begin(); a->v.insert_range(at, a->w); a->v.rotate(at, at, a->v.end()); }, debug},
    {"ingot::vector: iterators of two containers are compared", [](live& a, live&) { sink = a->v.begin() == a->w.begin(); }, debug},
    {"ingot::vector: iterators of two containers are compared", [](live& a, live&) { sink = a->v.begin() < a->w.cbegin(); }, debug},
    {"ingot::vector: iterators of two containers are compared", [](live& a, live& b) { use(std::find(a->v.begin(), b->v.end(), 1000)); }, debug},
    {"ingot::vector: iterators of two containers are compared", [](live& a, live&) { a->q.assign(a->v.begin(), a->w.end()); }, debug},
    {"ingot::vector: an iterator was used after its block was compacted, replaced or freed", [](live& a, live&) { const auto at = a->v.begin(); a.compact(); use(*at); }, debug},
    {"ingot::vector: an iterator was used after its block was compacted, replaced or freed", [](live& a, live&) { const auto at = a->v.begin(); a.relocate(ingot::max_block_size{1 << 24}); use(*at); }, debug},
    {"ingot::vector: an iterator was used after its block was compacted, replaced or freed", [](live& a, live& b) { const auto at = a->v.begin(); a = b; a->v.erase(at); }, debug},
    {"ingot::vector: an iterator was used after its block was compacted, replaced or freed", [](live& a, live&) { const auto at = live(a)->v.begin(); use(*at); }, debug},
    {"ingot::map: an iterator was used after its block was compacted, replaced or freed", [](live& a, live& b) { const auto at = a->m.begin(); a = std::move(b); use(at->second); }, debug},
    {"ingot::string: index 5 of 5 elements", [](live& a, live&) { use(*a->s.end()); }, debug},
    {"ingot::string: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->s.begin(); a->s.append(100, 'c'); use(*at); }, debug},
    {"ingot::string: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->texts[0].begin() + 4; a->texts[0].erase(0, 1); use(*at); }, debug},
    {"ingot::string: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->texts[0].begin(); a->texts.clear(); use(*at); }, debug},
    {"ingot::string: an iterator was used after its elements were moved or freed", [](live& a, live&) { a->texts.emplace_back() = "ab"; a->s.reserve(200); const auto at = a->texts[1].begin(); a->texts.reserve(100); use(*at); }, debug},
    {"ingot::string: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->s.begin(); a->s.insert(0, "c"); a->s.erase(at); }, debug},
    {"ingot::string: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->texts[0].begin(); a->texts[0].clear(); a->texts[0] += 'c'; use(*at); }, debug},
    {"ingot::string: iterators of two containers are compared", [](live& a, live& b) { sink = a->s.begin() == b->s.begin(); }, debug},
    {"ingot::queue: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->q.begin() + 1; a->q.pop_front(); use(*at); }, debug},
    {"ingot::queue: an iterator was used after an insertion had ended it", [](live& a, live&) { a->q.reserve(100); const auto at = a->q.begin(); a->q.push_front(1); use(*at); }, debug},
    {"ingot::queue: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->q.begin(); a->q.reserve(100); use(*at); }, debug},
    {"ingot::queue: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->q0.end(); a->q0.push_back(1); sink = at == a->q0.end(); }, debug},
    {"ingot::queue: an iterator was moved past the end", [](live& a, live&) { use(a->q.begin() + 4); }, debug},
    {"ingot::pool: an iterator was used after an insertion had ended it", [](live& a, live&) { const auto at = a->p.begin(); a->p.reserve(100); const auto other = a->p.begin(); a->p.add(1); use(*other), use(*at); }, debug},
    {"ingot::pool: an iterator was used after its elements were moved or freed", [](live& a, live&) { auto at = a->p.begin(); a->p.reserve(1000); ++at; }, debug},
    {"ingot::map: an iterator was used after an insertion had ended it", [](live& a, live&) { const auto at = a->m.begin(); a->m[1000] = 1; use(at->second); }, debug},
    {"ingot::map: an iterator was used after an insertion had ended it", [](live& a, live&) { auto at = a->mm.begin(); a->mm.emplace(1, 1); ++at; }, debug},
    {"ingot::map: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->m.begin(); a->m.erase(50); a->m.erase(at); }, debug},
    {"ingot::map: an iterator was used after an erasure had ended it", [](live& a, live&) { for (auto at = a->m.begin(); at != a->m.end(); ++at) a->m.erase(at->first); }, debug},
    {"ingot::map: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->m.begin(); a->m.clear(); use(at->second); }, debug},
    {"ingot::map: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->m0.end(); a->m0[1] = 1; sink = at == a->m0.end(); }, debug},
    {"ingot::set: an iterator was used after an insertion had ended it", [](live& a, live&) { auto at = a->k.end(); a->k.insert(1000); --at; }, debug},
    {"ingot::flat_map: index 2 of 2 elements", [](live& a, live&) { use(a->f.end()->first); }, debug},
    {"ingot::flat_map: an iterator was used after an insertion had ended it", [](live& a, live&) { a->f.reserve(100); const auto at = a->f.begin(); a->f[0] = 1; use(at->first); }, debug},
    {"ingot::flat_map: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->f.begin(); a->f.reserve(100); use(at->first); }, debug},
    {"ingot::flat_map: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->f.begin(); a->f.erase(2); a->f.erase(at); }, debug},
    {"ingot::flat_map: iterators of two containers are compared", [](live& a, live&) { sink = a->f.begin() == a->g.begin(); }, debug},
    {"ingot::flat_set: index 2 of 2 elements", [](live& a, live&) { use(*a->e.end()); }, debug},
    {"ingot::flat_set: an iterator was used after an insertion had ended it", [](live& a, live&) { a->e.reserve(100); const auto at = a->e.begin(); a->e.insert(0); use(*at); }, debug},
    {"ingot::flat_set: an iterator was used after an erasure had ended it", [](live& a, live&) { const auto at = a->e.begin(); a->e.erase(at); use(*at); }, debug},
    {"ingot::flat_set: iterators of two containers are compared", [](live& a, live&) { sink = a->e.begin() == a->d.begin(); }, debug},
    {"ingot::hash_map: an iterator was used after an insertion had ended it", [](live& a, live&) { a->h.reserve(100); const auto at = a->h.begin(); a->h[7] = 1; use(at->second); }, debug},
    {"ingot::hash_map: an iterator was used after its elements were moved or freed", [](live& a, live&) { const auto at = a->h.begin(); a->h.reserve(1000); a->h.erase(at); }, debug},
    {"ingot::hash_map: iterators of two containers are compared", [](live& a, live&) { sink = a->h.begin() == a->i.begin(); }, debug},
    {"ingot::hash_set: an iterator was used after an erasure had ended it", [](live& a, live&) { auto at = a->u.begin(); a->u.clear(); ++at; }, debug},

    {"ingot::live: * or -> of one that was moved from", [](live& a, live& b) { b = std::move(a); use(a->v.size()); }},
    {"ingot::live: * or -> of one that was moved from", [](live& a, live& b) { b = std::move(a); use(*std::as_const(a)); }},

    {"ingot::list_view: index 3 of 3 elements", [](live&, live&) { with_view([](auto v) { use(v.template get<"list">()[3]); }); }},
    {"ingot::list_view: front() of 0 elements", [](live&, live&) { with_view([](auto v) { use(v.template get<"none">().front()); }); }},
    {"ingot::list_view: back() of 0 elements", [](live&, live&) { with_view([](auto v) { use(v.template get<"none">().back()); }); }},
    {"ingot::tagged_view: alternative 1, where alternative 0 is", [](live&, live&) { with_view([](auto v) { use(v.template get<"one">().template get<1>()); }); }},
    {"ingot::tagged_view: alternative 1, where alternative 0 is", [](live&, live&) { with_view([](auto v) { use(*v.template get<"maybe">()); }); }},
    {"ingot::tagged_view: alternative 0, where alternative 1 is", [](live&, live&) { with_view([](auto v) { use(*v.template get<"outcome">()); }); }},
    {"ingot::tagged_view: alternative 1, where alternative 0 is", [](live&, live&) { with_view([](auto v) { use(v.template get<"good">().error()); }); }},
    {"ingot::compact::list_view: index 3 of 3 elements", [](live&, live&) { with_compact([](const auto& v) { use(v.template get<"list">()[3]); }); }},
    {"ingot::compact::list_view: front() of 0 elements", [](live&, live&) { with_compact([](const auto& v) { use(v.template get<"none">().front()); }); }},
    {"ingot::compact::list_view: back() of 0 elements", [](live&, live&) { with_compact([](const auto& v) { use(v.template get<"none">().back()); }); }},
    {"ingot::compact::tagged_view: alternative 1, where alternative 0 is", [](live&, live&) { with_compact([](const auto& v) { use(v.template get<"one">().template get<1>()); }); }},
    {"ingot::compact::tagged_view: alternative 1, where alternative 0 is", [](live&, live&) { with_compact([](const auto& v) { use(*v.template get<"maybe">()); }); }},
    {"ingot::compact::tagged_view: alternative 1, where alternative 0 is", [](live&, live&) { with_compact([](const auto& v) { use(v.template get<"good">().error()); }); }},
    {"ingot::buffer: index 2 of 0 elements", [](live&, live&) { const ingot::buffer b; use(b[2]); }},
    {"ingot::buffer: index 0 of 0 elements", [](live&, live&) { ingot::buffer b; use(b[0]); }},
    {"ingot::buffer: commit() 65 bytes, of 64 prepared ones", [](live&, live&) { ingot::buffer b; static_cast<void>(b.prepare(1)); b.commit(65); }},
    {"ingot::buffer: prepare() that keeps 65 bytes, of 64 prepared ones", [](live&, live&) { ingot::buffer b; static_cast<void>(b.prepare(1)); static_cast<void>(b.prepare(100, 65)); }},
    {"ingot::fixed_buffer: commit() 9 bytes, of 8 prepared ones", [](live&, live&) { ingot::fixed_buffer<8> b; b.commit(9); }},
    {"ingot::dynamic_value: * of an iterator at the end of its parts", [](live& a, live&) { with_parts(a, [](auto at) { use((*at).index); }); }},
    {"ingot::dynamic_value: ++ of an iterator at the end of its parts", [](live& a, live&) { with_parts(a, [](auto at) { ++at; }); }},
    {"ingot::fixed_buffer: index 0 of 0 elements", [](live&, live&) { const ingot::fixed_buffer<8> b; use(b[0]); }},
    {"ingot::schema: root() of 0 elements", [](live&, live&) { const ingot::schema s; use(s.root()); }},
    {"ingot::schema: index 0 of 0 elements", [](live&, live&) { const ingot::schema s; use(s.node(ingot::schema_child{})); }},
    {"ingot::schema: schema_bytes() of 0 elements", [](live&, live&) { use(ingot::schema_bytes(ingot::schema())); }},
#if defined(WITH_FILE)
    {"ingot::edited_file: * or -> of a file that was closed or moved from", [](live&, live&) {
      const auto path = std::filesystem::temp_directory_path() / ("ingot-preconditions-" + std::to_string(::getpid()));
      auto file = ingot::create_edited_file<live>(path).value();
      std::filesystem::remove(path);
      if (!file.close()) return;
      use(file->v);
    }},
    {"ingot::mapped_file: * or -> of one that was moved from", [](live& a, live&) {
      const auto path = std::filesystem::temp_directory_path() / ("ingot-preconditions-" + std::to_string(::getpid()));
      if (!ingot::save(path, a)) return;
      auto file = ingot::map_file<ingot::live_view<everything>>(path).value();
      std::filesystem::remove(path);
      const auto other = std::move(file);
      use(*file);
    }},
#endif
};
// clang-format on

/// Iterators that stay valid after a change: none of them may be reported.
void use_after_changes() {
  live a = filled();
  const auto first = a->v.begin();
  a->w.reserve(1000);
  a->v.erase(a->v.end() - 1);
  a->v.insert(a->v.end(), 9);
  use(*first);
  use(*std::find(a->v.begin(), a->v.end(), 9));
  std::sort(a->v.begin(), a->v.end());
  use(*a->v.rbegin()), use(*(a->v.rend() - 1));
  use(std::to_address(a->v.end()));
  swap(a->v, a->w); // iterators refer to the same elements
  sink = first == a->w.begin();
  use(*first);
  a->v0.reserve(8);
  const auto last = a->v0.insert(a->v0.end(), 1);
  a->v0.push_back(2);
  use(last[1]);

  const auto letter = a->texts[0].begin();
  a->texts.reserve(1000); // moves the strings, but not what they store
  use(*letter);
  use(std::string_view(a->texts[0].begin(), a->texts[0].end()));
  const auto five = a->s.begin();
  a->s.pop_back();
  use(*five);

  a->q.reserve(8);
  const auto front = a->q.begin();
  a->q.push_back(4);
  a->q.pop_back();
  use(*front);
  const auto object = a->p.begin();
  a->p.erase(std::next(object));
  use(*object);
  const auto value = a->m.find(5);
  a->m[5] = 6;
  a->m.insert_or_assign(5, 7);
  a->m.erase(1000);
  use(value->second);
  const auto entry = a->h.begin();
  a->h[1] = 2;
  use(entry->second);
  a->f.reserve(8);
  const auto key = a->f.begin();
  a->f[3] = 3;
  use(key->first);

  const auto none = a->m0.end();
  a->k0.insert(1); // another empty tree of the same block
  sink = none == a->m0.end();
  const auto stays = a->w.begin();
  const live b = std::move(a);
  use(*stays);
  const live c = b;
  sink = std::equal(b->m.begin(), b->m.end(), c->m.begin(), c->m.end());
}
/// Valid calls at the limits, of the same functions: none of them may be reported.
void use_edges() {
  live a = filled();
  use(a->v[4]);
  use(a->s[5]);
  a->v.insert(a->v.end(), 6);
  a->v.erase(a->v.end(), a->v.end());
  a->v.erase(a->v.end() - 1);
  a->v.rotate(a->v.begin(), a->v.end(), a->v.end());
  a->v0.insert(a->v0.end(), 1);
  a->v0.pop_back();
  ingot::vector<ingot::string>::swap_elements(a->texts[0], a->lines[0]);
  a->s.insert(a->s.end(), 'c');
  a->s.erase(a->s.end() - 1);
  a->s0.insert(a->s0.begin(), 'c');
  a->s.replace(a->s.end(), a->s.end(), "end");
  for (auto at = a->m.end(); at != a->m.begin();) use((*--at).second);
  for (auto at = a->k.rbegin(); at != a->k.rend(); ++at) use(*at);
  a->m.erase(a->m.begin(), a->m.end());
  sink = a->m.begin() == a->m.end() && a->m0.begin() == a->m0.end();
  a->h.erase(a->h.begin(), a->h.end());
  a->u.erase(a->u.begin());
  a->f.erase(a->f.begin(), a->f.end());
  a->e.erase(a->e.begin());
  for (auto at = a->p.begin(); at != a->p.end();) at = a->p.erase(at);
  a->q.pop_front();
  use(*(a->q.end() - 1));
  live b = std::move(a);
  a = std::move(b);
  use(a->v);
  use_after_changes();
  with_view([](auto v) { use(v.template get<"list">()[2]), use(v.template get<"outcome">().error()); });
  with_compact([](const auto& v) { use(v.template get<"list">().back()), use(*v.template get<"good">()); });
}

constexpr int reported = 42;
void report(const ingot::precondition_violation& broken) noexcept {
  static_cast<void>(!::write(STDOUT_FILENO, broken.message, std::strlen(broken.message)));
  ::_exit(reported);
}
void ignore(const ingot::precondition_violation&) noexcept {}

struct ended {
  int status = 0;
  std::string text;
};
/// Calls `does` in a child process. Returns how the process ended, and what it wrote.
template <class F>
ended in_child(F does) {
  ended end;
  std::fflush(nullptr);
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) std::abort();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    does();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::array<char, 512> part{};
  for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;)
    end.text.append(part.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::waitpid(child, &end.status, 0);
  // An emulator adds a line about a signal that ends a program.
  if (const std::size_t at = end.text.find("qemu: uncaught target signal"); at != std::string::npos)
    end.text.resize(at);
  return end;
}

int wrong = 0;
void expect(bool good, std::string_view what, const ended& end) {
  if (good) return;
  ++wrong;
  std::printf("wrong: %.*s\n  status %#x, %s\n", static_cast<int>(what.size()), what.data(),
              static_cast<unsigned>(end.status), end.text.c_str());
}

/// In a constant expression, a violation is a compile error, and valid calls can be evaluated.
constexpr bool evaluates(std::size_t i) {
  ingot::fixed_buffer<4> bytes;
  bytes.clear();
  return i == 0 && bytes.empty();
}
static_assert(evaluates(0));

} // namespace

int main() {
  static_assert(INGOT_HARDENING_MODE >= INGOT_HARDENING_FAST);
  use_edges();

  ingot::set_precondition_handler(report);
  for (const misuse& each : misuses) {
    if (each.mode > INGOT_HARDENING_MODE) continue;
    live a = filled();
    live b = filled();
    const ended end = in_child([&] { each.call(a, b); });
    expect(WIFEXITED(end.status) && WEXITSTATUS(end.status) == reported && end.text == each.message,
           each.message, end);
  }

  const misuse& first = misuses[0];
  live a = filled();
  // The program does not continue after a handler returns.
  const auto before = ingot::set_precondition_handler(ignore);
  ended end = in_child([&] { first.call(a, a); });
  expect(before == report && WIFSIGNALED(end.status) && end.text.empty(), "a handler that returns", end);
  // Null is the default handler.
  if (ingot::set_precondition_handler(nullptr) != ignore) ++wrong;
  end = in_child([&] { first.call(a, a); });
  expect(WIFSIGNALED(end.status) && end.text == std::string(first.message) + "\n", "the default handler",
         end);
  // A violation contains its numbers.
  ingot::set_precondition_handler([](const ingot::precondition_violation& broken) noexcept {
    ::_exit(broken.index == 7 && broken.size == 5 && std::string_view(broken.container) == "ingot::vector"
                ? reported
                : 1);
  });
  end = in_child([&] { first.call(a, a); });
  expect(WIFEXITED(end.status) && WEXITSTATUS(end.status) == reported, "the numbers of a violation", end);
  std::printf("%zu misuses, %d wrong\n", std::size(misuses), wrong);
  return wrong == 0 ? 0 : 1;
}
