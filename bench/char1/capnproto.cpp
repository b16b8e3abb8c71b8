// SPDX-License-Identifier: Apache-2.0
// Cap'n Proto: built in one segment in memory that is kept between turns. The segment is the
// message, and it is read in place. Values are checked when they are read, so `-checked` reads all
// of them once.
#include "character.capnp.h"
#include "wire.hpp"

#include <optional>

#include <capnp/message.h>

namespace bench {
namespace {

using list_of_floats = capnp::List<float>;

class codec {
public:
  byte_span encode(const std_character& c) {
    message_.reset(); // expects zeroed memory and leaves it zeroed
    message_.emplace(kj::arrayPtr(segment_.data(), segment_.size()));
    build(c, message_->initRoot<bench_capnp::Character>());
    const auto encoded = message_->getSegmentsForOutput()[0].asBytes();
    return {reinterpret_cast<const std::byte*>(encoded.begin()), encoded.size()};
  }
  std::uint64_t take(byte_span bytes) {
    const auto words = as_words(bytes);
    capnp::SegmentArrayMessageReader reader(kj::arrayPtr(&words, 1));
    return reader.getRoot<bench_capnp::Character>().getId();
  }
  std::uint64_t take_checked(byte_span bytes) {
    const auto words = as_words(bytes);
    capnp::SegmentArrayMessageReader reader(kj::arrayPtr(&words, 1));
    const auto m = reader.getRoot<bench_capnp::Character>();
    keep(read_all(m));
    return m.getId();
  }
  std::uint64_t checksum(byte_span bytes) {
    const auto words = as_words(bytes);
    capnp::SegmentArrayMessageReader reader(kj::arrayPtr(&words, 1));
    const auto m = reader.getRoot<bench_capnp::Character>();
    std_character c{m.getId(),
                    m.getName().cStr(),
                    m.getLevel(),
                    m.getHealthpoint(),
                    m.getManapoint(),
                    m.getSpeed(),
                    get(m.getPos()),
                    {},
                    {},
                    {},
                    {},
                    {}};
    for (const auto it : m.getItems())
      c.items[it.getKey()] = {it.getId(), it.getNumber(), it.getUuid(), it.getTimestamp()};
    for (const auto p : m.getPath()) c.path.push_back(get(p));
    for (const float a : m.getAttributes()) c.attributes.push_back(a);
    for (const auto e : m.getEquips()) {
      auto& to = c.equips.emplace_back(
          std_equip{e.getId(), e.getNumber(), e.getUuid(), e.getTimestamp(), e.getLevel(), {}});
      for (const float a : e.getAttributes()) to.attributes.push_back(a);
    }
    for (const auto s : m.getSkills()) c.skills.push_back({s.getId(), s.getLevel()});
    return bench::checksum(c);
  }

private:
  static kj::ArrayPtr<const capnp::word> as_words(byte_span bytes) {
    return kj::arrayPtr(reinterpret_cast<const capnp::word*>(bytes.data()),
                        bytes.size() / sizeof(capnp::word));
  }
  static position get(bench_capnp::Position::Reader p) { return {p.getX(), p.getY(), p.getZ()}; }
  static void put(const position& p, bench_capnp::Position::Builder to) {
    to.setX(p.x);
    to.setY(p.y);
    to.setZ(p.z);
  }
  static void put(const std::vector<float>& from, list_of_floats::Builder to) {
    for (unsigned i = 0; i < from.size(); ++i) to.set(i, from[i]);
  }
  template <class From, class To>
  static void put_thing(const From& from, To& to) {
    to.setId(from.id);
    to.setNumber(from.number);
    to.setUuid(from.uuid);
    to.setTimestamp(from.timestamp);
  }

  static void build(const std_character& c, bench_capnp::Character::Builder m) {
    m.setId(c.id);
    m.setName(c.name.c_str());
    m.setLevel(c.level);
    m.setHealthpoint(c.healthpoint);
    m.setManapoint(c.manapoint);
    m.setSpeed(c.speed);
    put(c.pos, m.initPos());
    auto items = m.initItems(static_cast<unsigned>(c.items.size()));
    unsigned at = 0;
    for (const auto& [key, it] : c.items) {
      auto to = items[at++];
      to.setKey(key);
      put_thing(it, to);
    }
    auto path = m.initPath(static_cast<unsigned>(c.path.size()));
    for (unsigned i = 0; i < c.path.size(); ++i) put(c.path[i], path[i]);
    put(c.attributes, m.initAttributes(static_cast<unsigned>(c.attributes.size())));
    auto equips = m.initEquips(static_cast<unsigned>(c.equips.size()));
    for (unsigned i = 0; i < c.equips.size(); ++i) {
      auto to = equips[i];
      put_thing(c.equips[i], to);
      to.setLevel(c.equips[i].level);
      put(c.equips[i].attributes, to.initAttributes(static_cast<unsigned>(c.equips[i].attributes.size())));
    }
    auto skills = m.initSkills(static_cast<unsigned>(c.skills.size()));
    for (unsigned i = 0; i < c.skills.size(); ++i) {
      skills[i].setId(c.skills[i].id);
      skills[i].setLevel(c.skills[i].level);
    }
  }

  static std::uint64_t read_all(bench_capnp::Character::Reader m) {
    std::uint64_t sum =
        m.getName().size() + m.getPath().size() + m.getAttributes().size() + m.getSkills().size();
    for (const auto it : m.getItems()) sum += it.getKey() + it.getId();
    for (const auto p : m.getPath()) sum += p.getX() > 0 ? 1 : 0;
    for (const auto e : m.getEquips()) sum += e.getAttributes().size();
    return sum + (m.getPos().getX() > 0 ? 1 : 0);
  }

  std::vector<capnp::word> segment_ = std::vector<capnp::word>(character_capacity / sizeof(capnp::word));
  std::optional<capnp::MallocMessageBuilder> message_;
};

} // namespace

void enter_char1_capnproto(suite& all) { enter_wire<codec>(all, "capnproto"); }

} // namespace bench
