// SPDX-License-Identifier: Apache-2.0
// FlatBuffers: the file is read into memory, verified, and used there.
#include "../char1/flatbuffers_message.hpp"
#include "load_generated.h"
#include "workload.hpp"

namespace bench {
namespace {

namespace fb = flatbuffers;

template <class Record>
struct record_format {
  void save(const std::vector<Record>& values, const std::filesystem::path& path) const {
    fb::FlatBufferBuilder builder(values.size() * sizeof(bench_flat::Record) + 1024);
    const auto list = builder.CreateVectorOfStructs<bench_flat::Record>(
        values.size(), [&values](std::size_t n, bench_flat::Record* to) {
          const Record& r = values[n];
          *to = bench_flat::Record(r.vec[0], r.vec[1], r.vec[2], r.vec[3], r.i, r.f);
        });
    builder.Finish(bench_flat::CreateRecords(builder, list));
    write_bytes(path, builder.GetBufferPointer(), builder.GetSize());
  }
  [[nodiscard]] std::optional<file_bytes> load(const std::filesystem::path& path) const {
    file_bytes bytes(path);
    fb::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (!bench_flat::VerifyRecordsBuffer(verifier)) return std::nullopt;
    return bytes;
  }
  [[nodiscard]] record_sum sum(const file_bytes& bytes) const {
    record_sum all;
    for (const auto* const r : *bench_flat::GetRecords(bytes.data())->values()) {
      all.vec[0] += r->x();
      all.vec[1] += r->y();
      all.vec[2] += r->z();
      all.vec[3] += r->w();
      all.i += r->i();
      all.f += r->f();
    }
    return all;
  }
};

struct character_format {
  void save(const std::vector<std_character>& values, const std::filesystem::path& path) const {
    fb::FlatBufferBuilder builder(std::size_t{64} << 20);
    std::vector<fb::Offset<bench_flat::Equip>> equips;
    std::vector<fb::Offset<bench_flat::Character>> characters;
    for (const auto& c : values) characters.push_back(build_table(builder, c, equips));
    builder.Finish(bench_flat::CreateCharacters(builder, builder.CreateVector(characters)));
    write_bytes(path, builder.GetBufferPointer(), builder.GetSize());
  }
  [[nodiscard]] std::optional<file_bytes> load(const std::filesystem::path& path) const {
    file_bytes bytes(path);
    // The limit of tables is raised from a million to the number in this data.
    fb::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), 64, 100'000'000);
    if (!verifier.VerifyBuffer<bench_flat::Characters>(nullptr)) return std::nullopt;
    return bytes;
  }
  [[nodiscard]] totals sum(const file_bytes& bytes) const {
    totals all;
    for (const auto* const m : *fb::GetRoot<bench_flat::Characters>(bytes.data())->values()) {
      totals one;
      const auto point = [&one](const bench_flat::Position& p) { add(one, position{p.x(), p.y(), p.z()}); };
      const auto thing = [&one](const auto& t) {
        one.whole += t.id() + t.number() + t.uuid() + t.timestamp();
      };
      one.whole = m->id() + m->level();
      one.rest = m->healthpoint() + m->manapoint() + m->speed();
      for (const char letter : *m->name()) one.whole += static_cast<std::uint8_t>(letter);
      point(*m->pos());
      for (const auto* const it : *m->items())
        one.whole += it->key() + it->id() + it->number() + it->uuid() + it->timestamp();
      for (const auto* const p : *m->path()) point(*p);
      one.rest += sum_of(*m->attributes());
      for (const auto* const e : *m->equips()) {
        thing(*e);
        one.whole += e->level();
        one.rest += sum_of(*e->attributes());
      }
      for (const auto* const s : *m->skills()) one.whole += s->id() + s->level();
      all.whole += one.whole;
      all.x += one.x;
      all.y += one.y;
      all.z += one.z;
      all.rest += one.rest;
    }
    return all;
  }
};

} // namespace

void enter_load_flatbuffers(suite& all, const record_data<load_record>& data) {
  enter_load<record_format<load_record>>(all, data, "flatbuffers");
  if (data.name == "simple") enter_save<record_format<load_record>>(all, data, "flatbuffers");
}
void enter_load_flatbuffers(suite& all, const record_data<padded_record>& data) {
  enter_load<record_format<padded_record>>(all, data, "flatbuffers");
}
void enter_load_flatbuffers(suite& all, const character_data& data) {
  enter_load<character_format>(all, data, "flatbuffers");
}

} // namespace bench
