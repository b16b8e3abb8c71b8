// SPDX-License-Identifier: Apache-2.0
// MessagePack (msgpack-cxx): records as arrays, and its own growable sbuffer. When reading, strings
// refer to the message until they are converted, which is the fastest documented way.
#include "workload.hpp"

#include <cstring>

#include <msgpack.hpp>

MSGPACK_ADD_ENUM(bench::colour);

namespace msgpack {
MSGPACK_API_VERSION_NAMESPACE(MSGPACK_DEFAULT_API_NS) {
  namespace adaptor {

  template <class Element>
  void convert_at(const msgpack::object& array, std::uint32_t i, Element& element) {
    array.via.array.ptr[i].convert(element);
  }
  inline void expect_array(const msgpack::object& o, std::uint32_t size) {
    if (o.type != msgpack::type::ARRAY || o.via.array.size != size) throw msgpack::type_error();
  }

  template <>
  struct pack<bench::vec3> {
    template <class Stream>
    packer<Stream>& operator()(packer<Stream>& out, const bench::vec3& v) const {
      return out.pack_array(3).pack(v.x).pack(v.y).pack(v.z);
    }
  };
  template <>
  struct convert<bench::vec3> {
    const msgpack::object& operator()(const msgpack::object& o, bench::vec3& v) const {
      expect_array(o, 3);
      convert_at(o, 0, v.x);
      convert_at(o, 1, v.y);
      convert_at(o, 2, v.z);
      return o;
    }
  };
  template <>
  struct pack<bench::weapon> {
    template <class Stream>
    packer<Stream>& operator()(packer<Stream>& out, const bench::weapon& w) const {
      return out.pack_array(2).pack(w.name).pack(w.damage);
    }
  };
  template <>
  struct convert<bench::weapon> {
    const msgpack::object& operator()(const msgpack::object& o, bench::weapon& w) const {
      expect_array(o, 2);
      convert_at(o, 0, w.name);
      convert_at(o, 1, w.damage);
      return o;
    }
  };
  template <>
  struct pack<bench::monster> {
    template <class Stream>
    packer<Stream>& operator()(packer<Stream>& out, const bench::monster& m) const {
      out.pack_array(9).pack(m.position).pack(m.mana).pack(m.hp).pack(m.name).pack(m.inventory);
      return out.pack(m.colour).pack(m.weapons).pack(m.equipped).pack(m.path);
    }
  };
  template <>
  struct convert<bench::monster> {
    const msgpack::object& operator()(const msgpack::object& o, bench::monster& m) const {
      expect_array(o, 9);
      convert_at(o, 0, m.position);
      convert_at(o, 1, m.mana);
      convert_at(o, 2, m.hp);
      convert_at(o, 3, m.name);
      convert_at(o, 4, m.inventory);
      convert_at(o, 5, m.colour);
      convert_at(o, 6, m.weapons);
      convert_at(o, 7, m.equipped);
      convert_at(o, 8, m.path);
      return o;
    }
  };

  } // namespace adaptor
} // MSGPACK_API_VERSION_NAMESPACE
} // namespace msgpack

namespace bench {
namespace {

/// A stream for msgpack::packer over memory of fixed size.
class fixed_stream {
public:
  void clear() { size_ = 0; }
  void write(const char* data, std::size_t size) {
    if (size > memory_.size() - size_) throw msgpack::container_size_overflow("full");
    std::memcpy(memory_.data() + size_, data, size);
    size_ += size;
  }
  std::string copy() const { return {memory_.data(), size_}; }

private:
  std::vector<char> memory_ = std::vector<char>(fixed_capacity);
  std::size_t size_ = 0;
};

class msgpack_codec {
public:
  void write(const monsters& in) {
    buffer_.clear();
    msgpack::pack(buffer_, in);
  }
  std::string written() const { return {buffer_.data(), buffer_.size()}; }

  bool write_fixed(const monsters& in) {
    fixed_.clear();
    msgpack::pack(fixed_, in);
    return true;
  }
  std::string written_fixed() const { return fixed_.copy(); }

  bool read(const std::string& message, monsters& out) {
    const auto refer = [](msgpack::type::object_type, std::size_t, void*) { return true; };
    const msgpack::object_handle tree = msgpack::unpack(message.data(), message.size(), refer);
    tree.get().convert(out);
    return true;
  }

private:
  msgpack::sbuffer buffer_;
  fixed_stream fixed_;
};

} // namespace

void enter_msgpack(suite& all) { enter_monster<msgpack_codec>(all, "msgpack"); }

} // namespace bench
