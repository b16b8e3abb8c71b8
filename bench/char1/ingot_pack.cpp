// SPDX-License-Identifier: Apache-2.0
// ingot's packed bytes of the standard containers, decoded into a fresh struct. Decoding always
// validates.
#include <ingot/core/buffer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "wire.hpp"

namespace bench {
namespace {

class codec {
public:
  byte_span encode(const std_character& c) {
    buffer_.clear();
    keep(ingot::pack_to(buffer_, c).has_value());
    return {buffer_.data(), buffer_.size()};
  }
  std::uint64_t take(byte_span bytes) {
    std_character c{};
    return ingot::unpack_into(c, bytes) ? c.id : 0;
  }
  std::uint64_t take_checked(byte_span bytes) { return take(bytes); }
  std::uint64_t checksum(byte_span bytes) {
    std_character c{};
    return ingot::unpack_into(c, bytes) ? bench::checksum(c) : 0;
  }

private:
  ingot::buffer buffer_;
};

} // namespace

void enter_char1_ingot_pack(suite& all) { enter_wire<codec>(all, "ingot-pack"); }

} // namespace bench
