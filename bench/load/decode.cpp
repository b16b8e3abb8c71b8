// SPDX-License-Identifier: Apache-2.0
// The cost of validation: `unchecked` makes the same objects from the same packed bytes by hand,
// and trusts all lengths in them.
#include <ingot/core/buffer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "workload.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace bench {
namespace {

/// Reads values one after another.
class believer {
public:
  explicit believer(const std::byte* at) : at_(at) {}

  [[nodiscard]] const std::byte* at() const { return at_; }
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  void take(T& to) {
    to = take<T>();
  }

private:
  const std::byte* at_;
};

/// The payloads of variable members, one after another.
class believed_tail {
public:
  explicit believed_tail(const std::byte* begin) : begin_(begin), at_(begin) {}

  /// Returns the bytes up to `end`, where the next member begins.
  std::span<const std::byte> until(std::uint32_t end) {
    const std::byte* const from = std::exchange(at_, begin_ + end);
    return {from, at_};
  }

private:
  const std::byte* begin_;
  const std::byte* at_;
};

template <class T>
void fill_list(std::vector<T>& to, std::span<const std::byte> bytes) {
  to.resize(bytes.size() / sizeof(T));
  if (!to.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
}
void fill_items(std::map<std::uint64_t, item>& to, std::span<const std::byte> bytes) {
  for (believer in(bytes.data()); in.at() != bytes.data() + bytes.size();) {
    const auto key = in.take<std::uint64_t>();
    to.emplace_hint(to.end(), key, in.take<item>());
  }
}
void fill_equips(std::vector<std_equip>& to, std::span<const std::byte> bytes) {
  constexpr std::size_t slot = 32;
  believer in(bytes.data());
  to.resize(in.take<std::uint32_t>());
  believed_tail tail(in.at() + to.size() * slot);
  for (std_equip& e : to) {
    in.take(e.id);
    in.take(e.number);
    in.take(e.uuid);
    in.take(e.timestamp);
    in.take(e.level);
    fill_list(e.attributes, tail.until(in.take<std::uint32_t>()));
  }
}

/// Decodes a whole packed std::vector<std_character>.
std::vector<std_character> believe(std::span<const std::byte> bytes) {
  constexpr std::size_t slot = 60;
  believer in(bytes.data());
  std::vector<std_character> all(in.take<std::uint32_t>());
  believed_tail tail(in.at() + all.size() * slot);
  for (std_character& c : all) {
    in.take(c.id);
    const auto name = tail.until(in.take<std::uint32_t>());
    c.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    in.take(c.level);
    in.take(c.healthpoint);
    in.take(c.manapoint);
    in.take(c.speed);
    in.take(c.pos);
    fill_items(c.items, tail.until(in.take<std::uint32_t>()));
    fill_list(c.path, tail.until(in.take<std::uint32_t>()));
    fill_list(c.attributes, tail.until(in.take<std::uint32_t>()));
    fill_equips(c.equips, tail.until(in.take<std::uint32_t>()));
    fill_list(c.skills, tail.until(in.take<std::uint32_t>()));
  }
  return all;
}

} // namespace

void enter_decode(suite& all, const character_data& data) {
  const std::string name = data.name + "-decode";
  if (!all.wants(name)) return;
  auto& packed = all.make<ingot::buffer>();
  packed = *ingot::pack(data.values);
  const auto enter = [&](std::string_view who, auto decode) {
    auto& last = all.make<std::vector<std_character>>();
    all.add_waiting(
        name, who, packed.size(),
        [&last] {
          last = {};
          release_memory();
        },
        [&last, &packed, decode](std::size_t) { last = decode(packed); },
        [&packed, &data, decode] { return sum_characters(decode(packed)) == data.sum; });
  };
  enter("unchecked", [](const ingot::buffer& bytes) { return believe(bytes); });
  enter("ingot-unpack",
        [](const ingot::buffer& bytes) { return *ingot::unpack<std::vector<std_character>>(bytes); });
}

} // namespace bench
