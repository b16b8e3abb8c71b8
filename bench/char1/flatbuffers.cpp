// SPDX-License-Identifier: Apache-2.0
// FlatBuffers: one builder that is cleared and reused; bytes are read in place, in `-checked` after
// verification.
#include "flatbuffers_message.hpp"
#include "wire.hpp"

namespace bench {
namespace {

namespace fb = flatbuffers;

class codec {
public:
  byte_span encode(const std_character& c) {
    builder_.Clear();
    builder_.Finish(build_table(builder_, c, equips_));
    return std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
  }
  std::uint64_t take(byte_span bytes) { return bench_flat::GetCharacter(bytes.data())->id(); }
  std::uint64_t take_checked(byte_span bytes) {
    fb::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return bench_flat::VerifyCharacterBuffer(verifier) ? take(bytes) : 0;
  }
  std::uint64_t checksum(byte_span bytes) {
    const auto& m = *bench_flat::GetCharacter(bytes.data());
    std_character c{m.id(),
                    m.name()->str(),
                    m.level(),
                    m.healthpoint(),
                    m.manapoint(),
                    m.speed(),
                    get(*m.pos()),
                    {},
                    {},
                    {},
                    {},
                    {}};
    for (const auto* it : *m.items())
      c.items[it->key()] = {it->id(), it->number(), it->uuid(), it->timestamp()};
    for (const auto* p : *m.path()) c.path.push_back(get(*p));
    c.attributes.assign(m.attributes()->begin(), m.attributes()->end());
    for (const auto* e : *m.equips()) {
      c.equips.push_back({e->id(),
                          e->number(),
                          e->uuid(),
                          e->timestamp(),
                          e->level(),
                          {e->attributes()->begin(), e->attributes()->end()}});
    }
    for (const auto* s : *m.skills()) c.skills.push_back({s->id(), s->level()});
    return bench::checksum(c);
  }

private:
  static position get(const bench_flat::Position& p) { return {p.x(), p.y(), p.z()}; }

  fb::FlatBufferBuilder builder_{character_capacity};
  std::vector<fb::Offset<bench_flat::Equip>> equips_;
};

} // namespace

void enter_char1_flatbuffers(suite& all) { enter_wire<codec>(all, "flatbuffers"); }

} // namespace bench
