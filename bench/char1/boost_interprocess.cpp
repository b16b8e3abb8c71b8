// SPDX-License-Identifier: Apache-2.0
// Boost.Interprocess: containers with offset pointers in a buffer of fixed size, allocated by its
// best-fit allocator without a lock. Its types need constructors that pass the allocator to their
// members. Untrusted bytes can't be validated.
#include "wire.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <boost/container/map.hpp>
#include <boost/container/string.hpp>
#include <boost/container/vector.hpp>
#include <boost/interprocess/allocators/allocator.hpp>
#include <boost/interprocess/indexes/iset_index.hpp>
#include <boost/interprocess/managed_external_buffer.hpp>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

namespace bench {
namespace {

namespace bi = boost::interprocess;
namespace bc = boost::container;

using managed =
    bi::basic_managed_external_buffer<char, bi::rbtree_best_fit<bi::null_mutex_family>, bi::iset_index>;
template <class T>
using alloc = bi::allocator<T, managed::segment_manager>;
using manager = managed::segment_manager*;

template <class T>
using vector = bc::vector<T, alloc<T>>;
using string = bc::basic_string<char, std::char_traits<char>, alloc<char>>;
template <class V>
using map_to = bc::map<std::uint64_t, V, std::less<>, alloc<std::pair<const std::uint64_t, V>>>;

struct equip {
  explicit equip(manager m) : attributes(alloc<float>(m)) {}
  std::uint32_t id = 0;
  std::uint32_t number = 0;
  std::uint64_t uuid = 0;
  std::uint64_t timestamp = 0;
  std::uint32_t level = 0;
  vector<float> attributes;
};

struct buffer_character {
  explicit buffer_character(manager m)
      : name(alloc<char>(m)), items(alloc<char>(m)), path(alloc<position>(m)), attributes(alloc<float>(m)),
        equips(alloc<equip>(m)), skills(alloc<skill>(m)) {}
  std::uint64_t id = 0;
  string name;
  std::uint32_t level = 0;
  float healthpoint = 0;
  float manapoint = 0;
  float speed = 0;
  position pos{};
  map_to<item> items;
  vector<position> path;
  vector<float> attributes;
  vector<equip> equips;
  vector<skill> skills;
};

/// The memory is fresh and untouched: unused parts take address space only.
template <class T>
class buffer_holder {
public:
  explicit buffer_holder(std::size_t capacity)
      : memory_(static_cast<char*>(::operator new(capacity))),
        buffer_(bi::create_only, memory_.get(), capacity),
        root_(buffer_.template construct<T>(bi::unique_instance)(buffer_.get_segment_manager())) {}
  buffer_holder(buffer_holder&& other) noexcept
      : memory_(std::move(other.memory_)), buffer_(std::move(other.buffer_)), root_(other.root_) {}

  [[nodiscard]] T& root() const { return *root_; }
  [[nodiscard]] byte_span bytes() const {
    return std::as_bytes(std::span(memory_.get(), buffer_.get_size()));
  }

private:
  struct free_memory {
    void operator()(char* memory) const { ::operator delete(memory); }
  };
  std::unique_ptr<char, free_memory> memory_;
  managed buffer_; // released as a whole, since its contents own nothing outside
  T* root_;
};

struct backend {
  template <class T>
  using holder = buffer_holder<T>;
  using character = buffer_character;
  using items = map_to<item>;
  using strings = vector<string>;
  using world = map_to<character>;

  template <class T>
  static T& root(holder<T>& h) {
    return h.root();
  }
  template <class V>
  static auto& append(V& list) {
    return list.emplace_back(list.get_allocator().get_segment_manager());
  }
  static character& add(world& all, std::uint64_t key) {
    return all.try_emplace(key, all.get_allocator().get_segment_manager()).first->second;
  }
  template <class T>
  static void trim(holder<T>&) {}
};

/// The buffer is sent as a whole, so this is the smallest size for a filled character that may
/// grow.
constexpr std::size_t message_capacity = 12 * 1024;

class codec {
public:
  explicit codec(std::uint64_t seed) { fill<backend>(holder_.root(), build_values()[seed].data()); }
  byte_span encode() { return holder_.bytes(); }
  static std::uint64_t take(std::byte* bytes, std::size_t size) {
    managed buffer(bi::open_only, bytes, size);
    return buffer.find<character>(bi::unique_instance).first->id;
  }
  static std::uint64_t sum(std::byte* bytes, std::size_t size) {
    managed buffer(bi::open_only, bytes, size);
    return checksum(*buffer.find<character>(bi::unique_instance).first);
  }

private:
  using character = buffer_character;
  buffer_holder<character> holder_{message_capacity};
};

void enter_buffer_wire(suite& all) {
  struct state {
    std::vector<std::unique_ptr<codec>> sources;
    std::vector<std::byte> sent = std::vector<std::byte>(message_capacity);
    std::vector<std::byte> received = std::vector<std::byte>(message_capacity);

    std::byte* copy(byte_span bytes, std::vector<std::byte>& to) {
      std::memcpy(to.data(), bytes.data(), bytes.size());
      escape(to.data());
      return to.data();
    }
    std::byte* receive(byte_span bytes) { return copy(bytes, received); }
  };
  auto* const p = &all.make<state>();
  for (std::uint64_t seed = 0; seed < wire_sources; ++seed)
    p->sources.push_back(std::make_unique<codec>(seed));
  const auto check = [p] {
    for (std::uint64_t seed = 0; seed < wire_sources; ++seed) {
      std::byte* const got = p->receive(p->sources[seed]->encode());
      const auto source = make_std_character(seed);
      if (codec::take(got, message_capacity) != source.id ||
          codec::sum(got, message_capacity) != checksum(source))
        return false;
    }
    return true;
  };
  all.add(
      "encode-decode-nocopy", "boost-interprocess", message_capacity,
      [p](std::size_t i) {
        const auto bytes = p->sources[i % wire_sources]->encode();
        keep(codec::take(const_cast<std::byte*>(bytes.data()), bytes.size()));
      },
      check);
  for (const char* name : {"encode-decode-1copy", "adopt"}) {
    all.add(
        name, "boost-interprocess", message_capacity,
        [p](std::size_t i) {
          keep(codec::take(p->receive(p->sources[i % wire_sources]->encode()), message_capacity));
        },
        check);
  }
  all.add(
      "encode-decode-2copy", "boost-interprocess", message_capacity,
      [p](std::size_t i) {
        const byte_span sent{p->copy(p->sources[i % wire_sources]->encode(), p->sent), message_capacity};
        keep(codec::take(p->receive(sent), message_capacity));
      },
      check);
}

void enter(suite& all) {
  enter_char1<backend>(all, "boost-interprocess");
  enter_buffer_wire(all);
}

} // namespace

const char1_contender char1_boost_interprocess{"boost-interprocess", enter, hold_characters<backend>};

} // namespace bench
