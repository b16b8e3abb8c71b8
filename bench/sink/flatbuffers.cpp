// SPDX-License-Identifier: Apache-2.0
// FlatBuffers: messages are read in place through the generated accessors. `check` is its verifier;
// decoding verifies and copies.
#include "sink_generated.h"
#include "workload.hpp"

namespace bench {
namespace {

namespace fb = flatbuffers;

struct flat_sink {
  std::vector<std::vector<std::uint8_t>> messages;

  using view = const bench_flat::SinkMessage*;

  view at(std::size_t i) const { return bench_flat::GetSinkMessage(messages[i].data()); }
  static std::uint64_t text(const fb::String* s) { return digest(s->c_str(), s->size()); }
  static std::uint64_t bytes(const fb::Vector<std::uint8_t>* v) { return digest(v->data(), v->size()); }

  static std::uint64_t early(view v) { return v->id(); }
  static std::uint64_t late(view v) { return text(v->nested()->label()); }
  static std::uint64_t tail(view v) { return digest(v->tail()); }
  static std::uint64_t iterate(view v) {
    std::uint64_t sum = 0;
    for (const auto* s : *v->samples()) sum += s->id() + digest(s->value());
    return sum;
  }
  static std::uint64_t all(view v) {
    const auto* samples = v->samples();
    const auto* nested = v->nested();
    return v->id() + text(v->name()) + bytes(v->data()) + samples->size() + samples->Get(0)->id() +
           digest(samples->Get(samples->size() - 1)->value()) + bytes(nested->payload()) +
           text(nested->label()) + digest(v->tail());
  }

  bool check(std::size_t i, std::size_t cut) const {
    // the message may end in padding
    fb::Verifier verifier(messages[i].data(), messages[i].size() - cut * 8);
    return bench_flat::VerifySinkMessageBuffer(verifier);
  }

  bool read(std::size_t i, sink_message& out) const {
    if (!check(i, 0)) return false;
    const view v = at(i);
    out.id = v->id();
    out.name.assign(v->name()->c_str(), v->name()->size());
    out.data.assign(v->data()->begin(), v->data()->end());
    out.samples.resize(v->samples()->size());
    for (fb::uoffset_t k = 0; k < v->samples()->size(); ++k) {
      out.samples[k] = {v->samples()->Get(k)->id(), v->samples()->Get(k)->value()};
    }
    out.nested.payload.assign(v->nested()->payload()->begin(), v->nested()->payload()->end());
    out.nested.label.assign(v->nested()->label()->c_str(), v->nested()->label()->size());
    out.tail = v->tail();
    return true;
  }
};

} // namespace

void enter_sink_flatbuffers(suite& all) {
  auto& reader = all.make<flat_sink>();
  std::size_t bytes = 0;
  for (const auto& m : sink_data()) {
    fb::FlatBufferBuilder b;
    std::vector<bench_flat::Sample> samples;
    for (const auto& s : m.samples) samples.emplace_back(s.id, s.value);
    const auto name = b.CreateString(m.name);
    const auto data = b.CreateVector(m.data);
    const auto list = b.CreateVectorOfStructs(samples);
    const auto payload = b.CreateVector(m.nested.payload);
    const auto label = b.CreateString(m.nested.label);
    const auto nested = bench_flat::CreateAttachment(b, payload, label);
    b.Finish(bench_flat::CreateSinkMessage(b, m.id, name, data, list, nested, m.tail));
    reader.messages.emplace_back(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
    bytes += b.GetSize();
  }
  bytes /= sink_count;
  enter_sink_reads(all, "flatbuffers", bytes, reader);
  enter_sink_check(all, "flatbuffers", bytes,
                   [r = &reader](std::size_t i, std::size_t cut) BENCH_INLINE { return r->check(i, cut); });
  enter_sink_decoding(all, "flatbuffers", bytes,
                      [r = &reader](std::size_t i, sink_message& out) { return r->read(i, out); });
}

} // namespace bench
