// SPDX-License-Identifier: Apache-2.0
// ingot's packed profile: no descriptions are needed, the structs are read by reflection.
#include <ingot/core/buffer.hpp>
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "workload.hpp"

#include <span>

namespace bench {
namespace {

class ingot_pack_codec {
public:
  void write(const monsters& in) {
    buffer_.clear();
    keep(ingot::pack_to(buffer_, in).has_value());
  }
  std::string written() const { return {reinterpret_cast<const char*>(buffer_.data()), buffer_.size()}; }

  bool write_fixed(const monsters& in) {
    fixed_.clear();
    return ingot::pack_to(fixed_, in).has_value();
  }
  std::string written_fixed() const { return {reinterpret_cast<const char*>(fixed_.data()), fixed_.size()}; }

  bool read(const std::string& message, monsters& out) {
    return ingot::unpack_into(out, std::as_bytes(std::span(message))).has_value();
  }

private:
  ingot::buffer buffer_;
  ingot::fixed_buffer<fixed_capacity> fixed_;
};

} // namespace

void enter_ingot_pack(suite& all) { enter_monster<ingot_pack_codec>(all, "ingot-pack"); }

} // namespace bench
