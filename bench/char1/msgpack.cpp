// SPDX-License-Identifier: Apache-2.0
// MessagePack (msgpack-cxx): records as arrays, strings that refer to the message until they are
// converted, decoded into a fresh struct. Decoding always validates.
#include "wire.hpp"

#include <msgpack.hpp>

namespace msgpack {
MSGPACK_API_VERSION_NAMESPACE(MSGPACK_DEFAULT_API_NS) {
  namespace adaptor {

  template <class... Members>
  void convert_members(const msgpack::object& o, Members&... members) {
    if (o.type != msgpack::type::ARRAY || o.via.array.size != sizeof...(members)) throw msgpack::type_error();
    const msgpack::object* at = o.via.array.ptr;
    (at++->convert(members), ...);
  }
  template <class Stream, class... Members>
  packer<Stream>& pack_members(packer<Stream>& out, const Members&... members) {
    out.pack_array(sizeof...(members));
    (out.pack(members), ...);
    return out;
  }

#define BENCH_MSGPACK(type, ...)                                                                             \
  template <>                                                                                                \
  struct pack<type> {                                                                                        \
    template <class Stream>                                                                                  \
    packer<Stream>& operator()(packer<Stream>& out, const type& v) const {                                   \
      return pack_members(out, __VA_ARGS__);                                                                 \
    }                                                                                                        \
  };                                                                                                         \
  template <>                                                                                                \
  struct convert<type> {                                                                                     \
    const msgpack::object& operator()(const msgpack::object& o, type& v) const {                             \
      convert_members(o, __VA_ARGS__);                                                                       \
      return o;                                                                                              \
    }                                                                                                        \
  }
  BENCH_MSGPACK(bench::skill, v.id, v.level);
  BENCH_MSGPACK(bench::item, v.id, v.number, v.uuid, v.timestamp);
  BENCH_MSGPACK(bench::position, v.x, v.y, v.z);
  BENCH_MSGPACK(bench::std_equip, v.id, v.number, v.uuid, v.timestamp, v.level, v.attributes);
  BENCH_MSGPACK(bench::std_character, v.id, v.name, v.level, v.healthpoint, v.manapoint, v.speed, v.pos,
                v.items, v.path, v.attributes, v.equips, v.skills);
#undef BENCH_MSGPACK

  } // namespace adaptor
} // MSGPACK_API_VERSION_NAMESPACE
} // namespace msgpack

namespace bench {
namespace {

class codec {
public:
  byte_span encode(const std_character& c) {
    buffer_.clear();
    msgpack::pack(buffer_, c);
    return std::as_bytes(std::span(buffer_.data(), buffer_.size()));
  }
  std::uint64_t take(byte_span bytes) {
    std_character c{};
    read(bytes, c);
    return c.id;
  }
  std::uint64_t take_checked(byte_span bytes) { return take(bytes); }
  std::uint64_t checksum(byte_span bytes) {
    std_character c{};
    read(bytes, c);
    return bench::checksum(c);
  }

private:
  static void read(byte_span bytes, std_character& c) {
    const auto refer = [](msgpack::type::object_type, std::size_t, void*) { return true; };
    const msgpack::object_handle tree =
        msgpack::unpack(reinterpret_cast<const char*>(bytes.data()), bytes.size(), refer);
    tree.get().convert(c);
  }

  msgpack::sbuffer buffer_;
};

} // namespace

void enter_char1_msgpack(suite& all) { enter_wire<codec>(all, "msgpack"); }

} // namespace bench
