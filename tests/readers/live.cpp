// SPDX-License-Identifier: Apache-2.0
// Random live blocks of every container: opened with their type and without it, and the values that
// both read.
#include "zoo/live.hpp"

#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/live/live.hpp>

#include "dynamic/agrees.hpp"
#include "dynamic/zoo.hpp"
#include "live/shapes.hpp"
#include "readers/kinds.hpp"
#include "readers/value_text.hpp"
#include "zoo/sample.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace readers {

namespace {

using namespace live_test; // shapes
using zoo::source;

template <class T>
struct plain {
  using type = T;
};
template <text_shape T>
struct plain<T> {
  using type = std::basic_string<typename T::value_type>;
};
template <class A, class B>
struct plain<std::pair<A, B>> {
  using type = std::pair<typename plain<A>::type, typename plain<B>::type>;
};

class drawer {
public:
  explicit drawer(source& from) : from_(from) {}

  template <class T>
  void draw(T& object) { // NOLINT(misc-no-recursion): depth is limited
    if constexpr (text_shape<T>) {
      using character = typename T::value_type;
      object = std::basic_string_view<character>(zoo::rules::string<std::basic_string<character>>(from_));
    } else if constexpr (map_shape<T>) {
      for (auto n = size(40); n != 0; --n) {
        const auto key = drawn<typename T::key_type>();
        if constexpr (requires { object.try_emplace(key); })
          inside([&] { draw(object.try_emplace(key).first->second); });
        else object.emplace(key, drawn<typename T::mapped_type>());
        if (from_.chance(6)) object.erase(key);
      }
    } else if constexpr (set_shape<T>) {
      for (auto n = size(40); n != 0; --n) {
        const auto key = drawn<typename T::key_type>();
        object.insert(key);
        if (from_.chance(6)) object.erase(key);
      }
    } else if constexpr (pool_shape<T>) {
      for (auto n = size(12); n != 0; --n) {
        const auto link = object.add();
        inside([&] { draw(*object.get(link)); });
        if (from_.chance(3)) object.erase(link);
      }
    } else if constexpr (queue_shape<T>) {
      for (auto n = size(12); n != 0; --n) {
        object.emplace_back();
        inside([&] { draw(object.back()); });
        if (from_.chance(3)) object.pop_front();
      }
    } else if constexpr (requires { object.emplace_back(); }) {
      for (auto n = size(12); n != 0; --n) {
        if constexpr (std::is_same_v<typename T::value_type, bool>) object.push_back(from_.chance(2));
        else {
          object.emplace_back();
          inside([&] { draw(object.back()); });
        }
        if (from_.chance(5)) object.pop_back();
      }
    } else if constexpr (variant_shape<T>) {
      alternative(object, from_.raw() % std::variant_size_v<T>);
    } else if constexpr (optional_shape<T>) {
      if (size(2) == 0) return;
      object.emplace();
      inside([&] { draw(*object); });
      if (from_.chance(5)) object.reset();
    } else if constexpr (ingot::kind_of<T> == ingot::kind::array) {
      for (auto& each : object) draw(each);
    } else if constexpr (ingot::kind_of<T> == ingot::kind::tuple) {
      draw(object.first);
      draw(object.second);
    } else if constexpr (zoo::has_sampler<T>) {
      object = zoo::make<T>(from_);
    } else if constexpr (ingot::kind_of<T> == ingot::kind::record) {
      ingot::for_each_member(object, [&](auto, auto& member) {
        draw(member);
        return true;
      });
    } else if constexpr (std::is_enum_v<T> && !std::is_same_v<T, std::byte>) {
      enumerator(object);
    } else if constexpr (requires { zoo::fill(object, from_); }) {
      zoo::fill(object, from_);
    }
  }

private:
  /// Returns a random key outside of blocks: text as a string of std::, other keys as themselves.
  template <class K>
  [[nodiscard]] typename plain<K>::type drawn() { // NOLINT(misc-no-recursion): by type
    typename plain<K>::type value{};
    if constexpr (text_shape<K>) {
      value = zoo::rules::string<typename plain<K>::type>(from_);
    } else if constexpr (ingot::kind_of<K> == ingot::kind::tuple) {
      value.first = drawn<typename K::first_type>();
      value.second = drawn<typename K::second_type>();
    } else {
      draw(value);
    }
    return value;
  }
  [[nodiscard]] std::uint64_t size(std::uint64_t max_size) {
    if (depth_ >= 4) return 0;
    return from_.raw() % (depth_ == 0 && from_.chance(4) ? max_size : max_size < 4 ? max_size : 4);
  }
  template <class F>
  void inside(F&& f) {
    ++depth_;
    f();
    --depth_;
  }
  template <class E>
  void enumerator(E& object) {
    const auto& all = ingot::enumerators<E>;
    object = all[static_cast<std::size_t>(from_.raw() % all.size())].value;
  }
  template <std::size_t I = 0, class V>
  void alternative(V& object, std::uint64_t which) {
    if constexpr (I < std::variant_size_v<V>) {
      if (which != I) return alternative<I + 1>(object, which);
      object.template emplace<I>();
      inside([&] { draw(*object.template get_if<I>()); });
    }
  }

  source& from_;
  unsigned depth_ = 0;
};

template <class T, ingot::block_policy P>
[[nodiscard]] message drawn(std::uint64_t seed) {
  source from(seed + 1);
  ingot::basic_live<T, P> block(ingot::max_block_size{std::size_t{1} << 20});
  drawer(from).draw(*block);
  // otherwise keeps what edits leave: free bytes, and storages with spare capacity
  if (from.chance(2)) block.compact();
  return {block.bytes().begin(), block.bytes().end()};
}

template <class T, ingot::block_policy P>
[[nodiscard]] answer read_live(const kind_of_message&, ingot::bytes_view bytes) {
  static const auto layout = ingot::dynamic_layout::of<T, P>();
  answer said;
  if (!layout) {
    said.contradiction = "the description of its layout is refused";
    return said;
  }
  const auto typed = ingot::basic_live<T, P>::open(bytes, {.max_size = {std::size_t{1} << 20}});
  const auto found = ingot::dynamic_block::open(bytes, *layout);
  said.typed = typed.has_value();
  said.accepted = found.has_value();
  if (!found) said.text = found.error().message();
  if (said.typed != said.accepted) {
    said.contradiction = said.typed ? "read without its type it is refused: " + said.text
                                    : "with its type it is refused: " + typed.error().message();
  } else if (found) {
    said.text = value_text::of(found->root());
    if (!dynamic_agrees::agree<T>(*std::as_const(*typed), found->root()))
      said.contradiction = "read without its type it is another value";
  }
  return said;
}

template <class T, ingot::block_policy P = ingot::narrow_policy>
void add(std::vector<kind_of_message>& all, std::string_view name) {
  kind_of_message kind;
  kind.name = "live " + std::string(name);
  kind.is = form::live;
  const auto described = ingot::layout_of<T, P>();
  kind.description.assign(described.begin(), described.end());
  kind.sample = drawn<T, P>;
  kind.read = read_live<T, P>;
  all.push_back(std::move(kind));
}

template <ingot::block_policy P>
void add_zoo(std::vector<kind_of_message>& all, const std::string& how) {
  add<dynamic_zoo::singles<P>, P>(all, how + "singles");
  add<dynamic_zoo::trees<P>, P>(all, how + "trees");
  add<dynamic_zoo::tables<P>, P>(all, how + "tables");
  add<dynamic_zoo::rings<P>, P>(all, how + "rings");
  add<dynamic_zoo::branch<P>, P>(all, how + "branch");
}

} // namespace

void add_live(std::vector<kind_of_message>& all) {
  add<zoo::live_cabinet>(all, "cabinet");
  add<dynamic_zoo::scalars>(all, "scalars");
  add<dynamic_zoo::limited>(all, "limited");
  add_zoo<ingot::narrow_policy>(all, "");
  add_zoo<ingot::wide_policy>(all, "wide ");
}

} // namespace readers
