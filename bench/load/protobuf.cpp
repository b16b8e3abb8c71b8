// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers: the file is read into memory and parsed onto an arena, whose messages its
// programs work with. The characters are consecutive messages with a length before each, as its
// documentation recommends for many.
#include "../char1/protobuf_message.hpp"
#include "load.pb.h"
#include "workload.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/delimited_message_util.h>

namespace bench {
namespace {

namespace pb = google::protobuf;

template <class Message>
struct parsed {
  std::unique_ptr<pb::Arena> arena = std::make_unique<pb::Arena>();
  std::vector<const Message*> messages;
};

template <class Record>
struct record_format {
  void save(const std::vector<Record>& values, const std::filesystem::path& path) const {
    pb::Arena arena;
    auto& all = *pb::Arena::CreateMessage<bench_proto::Records>(&arena);
    all.mutable_values()->Reserve(static_cast<int>(values.size()));
    for (const auto& from : values) {
      auto& to = *all.add_values();
      to.mutable_vec()->Add(std::begin(from.vec), std::end(from.vec));
      to.set_i(from.i);
      to.set_f(from.f);
    }
    const std::string bytes = all.SerializeAsString();
    write_bytes(path, bytes.data(), bytes.size());
  }
  [[nodiscard]] std::optional<parsed<bench_proto::Records>> load(const std::filesystem::path& path) const {
    const file_bytes bytes(path);
    parsed<bench_proto::Records> parsed_records;
    auto* const all = pb::Arena::CreateMessage<bench_proto::Records>(parsed_records.arena.get());
    if (!all->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
    parsed_records.messages.push_back(all);
    return parsed_records;
  }
  [[nodiscard]] record_sum sum(const parsed<bench_proto::Records>& from) const {
    record_sum all;
    for (const auto& r : from.messages[0]->values()) {
      for (int k = 0; k < 4; ++k) all.vec[k] += r.vec(k);
      all.i += r.i();
      all.f += r.f();
    }
    return all;
  }
};

struct character_format {
  void save(const std::vector<std_character>& values, const std::filesystem::path& path) const {
    std::string bytes;
    pb::io::StringOutputStream to(&bytes);
    {
      pb::io::CodedOutputStream coded(&to);
      for (const auto& c : values) {
        bench_proto::Character m;
        build_message(c, m);
        pb::util::SerializeDelimitedToCodedStream(m, &coded);
      }
    }
    write_bytes(path, bytes.data(), bytes.size());
  }
  [[nodiscard]] std::optional<parsed<bench_proto::Character>> load(const std::filesystem::path& path) const {
    const file_bytes bytes(path);
    parsed<bench_proto::Character> parsed_records;
    pb::io::CodedInputStream coded(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
    for (bool ended = false; !ended;) {
      auto* const m = pb::Arena::CreateMessage<bench_proto::Character>(parsed_records.arena.get());
      if (pb::util::ParseDelimitedFromCodedStream(m, &coded, &ended)) parsed_records.messages.push_back(m);
      else if (!ended) return std::nullopt;
    }
    return parsed_records;
  }
  /// Its maps have no order. The sums of floats do not include their values, so the order does not
  /// matter.
  [[nodiscard]] totals sum(const parsed<bench_proto::Character>& from) const {
    totals all;
    for (const auto* const m : from.messages) {
      totals one;
      const auto point = [&one](const bench_proto::Position& p) { add(one, position{p.x(), p.y(), p.z()}); };
      const auto thing = [&one](const auto& t) {
        one.whole += t.id() + t.number() + t.uuid() + t.timestamp();
      };
      one.whole = m->id() + m->level();
      one.rest = m->healthpoint() + m->manapoint() + m->speed();
      for (const char letter : m->name()) one.whole += static_cast<std::uint8_t>(letter);
      point(m->pos());
      for (const auto& [key, it] : m->items())
        one.whole += key + it.id() + it.number() + it.uuid() + it.timestamp();
      for (const auto& p : m->path()) point(p);
      one.rest += sum_of(m->attributes());
      for (const auto& e : m->equips()) {
        thing(e);
        one.whole += e.level();
        one.rest += sum_of(e.attributes());
      }
      for (const auto& s : m->skills()) one.whole += s.id() + s.level();
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

void enter_load_protobuf(suite& all, const record_data<load_record>& data) {
  enter_load<record_format<load_record>>(all, data, "protobuf");
  if (data.name == "simple") enter_save<record_format<load_record>>(all, data, "protobuf");
}
void enter_load_protobuf(suite& all, const record_data<padded_record>& data) {
  enter_load<record_format<padded_record>>(all, data, "protobuf");
}
void enter_load_protobuf(suite& all, const character_data& data) {
  enter_load<character_format>(all, data, "protobuf");
}

} // namespace bench
