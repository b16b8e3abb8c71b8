// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers: the message is built from the struct on an arena, serialised into memory that
// is kept between turns, and parsed into a message on an arena, which its programs work with.
// Parsing always validates.
#include "protobuf_message.hpp"
#include "wire.hpp"

#include <google/protobuf/arena.h>

namespace bench {
namespace {

namespace pb = google::protobuf;

class codec {
public:
  byte_span encode(const std_character& c) {
    pb::Arena arena(options());
    auto& m = *pb::Arena::CreateMessage<bench_proto::Character>(&arena);
    build_message(c, m);
    const std::size_t size = m.ByteSizeLong();
    m.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(buffer_.data()));
    return {buffer_.data(), size};
  }
  std::uint64_t take(byte_span bytes) {
    pb::Arena arena(options());
    auto& m = *pb::Arena::CreateMessage<bench_proto::Character>(&arena);
    return m.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ? m.id() : 0;
  }
  std::uint64_t take_checked(byte_span bytes) { return take(bytes); }
  std::uint64_t checksum(byte_span bytes) {
    bench_proto::Character m;
    if (!m.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return 0;
    return bench::checksum(from_message(m));
  }

private:
  /// The arena's first block is kept, too.
  pb::ArenaOptions options() {
    pb::ArenaOptions o;
    o.initial_block = block_.data();
    o.initial_block_size = block_.size();
    return o;
  }

  std::vector<char> block_ = std::vector<char>(64 * 1024);
  std::vector<std::byte> buffer_ = std::vector<std::byte>(character_capacity);
};

} // namespace

void enter_char1_protobuf(suite& all) { enter_wire<codec>(all, "protobuf"); }

} // namespace bench
