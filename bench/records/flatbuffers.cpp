// SPDX-License-Identifier: Apache-2.0
// FlatBuffers: the verifier with limits raised for this data, reading in place, and lookup by
// binary search in place of both maps.
#include "records_generated.h"
#include "workload.hpp"

namespace bench {
namespace {

namespace fb = flatbuffers;
namespace bf = bench_flat;

using bytes = std::vector<std::byte>;

class builder {
public:
  fb::Offset<fb::Vector<fb::Offset<bf::Record>>> put(const std::vector<record>& from) {
    records_.clear();
    for (const auto& r : from) {
      const auto name = out_.CreateString(r.name);
      const auto samples = out_.CreateVector(r.samples);
      labels_.clear();
      for (const auto& label : r.labels) labels_.push_back(out_.CreateString(label));
      const auto labels = out_.CreateVector(labels_);
      records_.push_back(
          bf::CreateRecord(out_, r.id, static_cast<bf::Sort>(r.sort), r.active, name, samples, labels));
    }
    return out_.CreateVector(records_);
  }
  std::span<const std::byte> build(const std::vector<record>& records, const collection* maps = nullptr) {
    out_.Clear();
    const auto all = put(records);
    entries_.clear();
    if (maps != nullptr) { // already sorted
      for (const auto& [key, value] : maps->ordered)
        entries_.push_back(bf::CreateEntry(out_, out_.CreateString(key), value));
    }
    out_.Finish(bf::CreateCollection(out_, all, out_.CreateVector(entries_)));
    return encoded();
  }
  std::span<const std::byte> encoded() const {
    return std::as_bytes(std::span(out_.GetBufferPointer(), out_.GetSize()));
  }
  fb::FlatBufferBuilder& out() { return out_; }

private:
  fb::FlatBufferBuilder out_;
  std::vector<fb::Offset<bf::Record>> records_;
  std::vector<fb::Offset<fb::String>> labels_;
  std::vector<fb::Offset<bf::Entry>> entries_;
};

template <class Root>
bool verify(std::span<std::byte> message) {
  fb::Verifier verifier(reinterpret_cast<const std::uint8_t*>(message.data()), message.size());
  return verifier.VerifyBuffer<Root>(nullptr);
}

record_totals read_all(const bf::Collection& all) {
  record_totals sum;
  for (const auto* r : *all.records()) {
    sum.whole += r->id() + static_cast<std::uint64_t>(r->sort()) + (r->active() ? 1 : 0);
    sum.add(r->name()->c_str(), r->name()->size());
    for (const float f : *r->samples()) sum.real += f;
    for (const auto* label : *r->labels()) sum.add(label->c_str(), label->size());
  }
  for (int both = 0; both < 2; ++both) {
    for (const auto* e : *all.ordered()) {
      sum.add(e->key()->c_str(), e->key()->size());
      sum.whole += e->value();
    }
  }
  return sum;
}

} // namespace

void enter_records_flatbuffers(suite& all) {
  auto* const b = &all.make<builder>();
  auto& messages = all.make<std::vector<bytes>>();
  messages.reserve(5);
  const auto keep_message = [&messages](std::span<const std::byte> encoded) {
    return std::span<std::byte>(messages.emplace_back(encoded.begin(), encoded.end()));
  };
  const auto& data = records_data();
  enter_records_check(all, "open-canonical", "flatbuffers", keep_message(b->build(data.all.records)),
                      verify<bf::Collection>);
  enter_records_check(all, "open-canonical-1k", "flatbuffers", keep_message(b->build(data.few)),
                      verify<bf::Collection>);
  const auto whole = keep_message(b->build(data.all.records, &data.all));
  enter_records_check(all, "open-canonical-maps", "flatbuffers", whole, verify<bf::Collection>);

  const auto* const root = bf::GetCollection(whole.data());
  enter_records_reads(
      all, "flatbuffers", whole.size(), [root] { return read_all(*root); },
      [root](const std::string& key) {
        std::uint64_t sum = 0;
        for (int both = 0; both < 2; ++both) {
          if (const auto* const found = root->ordered()->LookupByKey(key.c_str())) sum += found->value();
          escape(root);
        }
        return sum;
      });
  all.add(
      "serialize", "flatbuffers", whole.size(),
      [b, from = &data.all](std::size_t) { keep(b->build(from->records, from).size()); },
      [b, from = &data.all, whole] { return b->build(from->records, from).size() == whole.size(); });

  b->out().Clear();
  b->out().Finish(bf::CreateFloats(b->out(), b->out().CreateVector(million_floats())));
  enter_records_check(all, "floats-1m", "flatbuffers", keep_message(b->encoded()), verify<bf::Floats>);
  b->out().Clear();
  b->out().Finish(bf::CreateStrings(b->out(), b->out().CreateVectorOfStrings(short_strings())));
  enter_records_check(all, "strings-100k", "flatbuffers", keep_message(b->encoded()), verify<bf::Strings>);
}

} // namespace bench
