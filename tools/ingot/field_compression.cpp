// SPDX-License-Identifier: Apache-2.0
#include "field_compression.hpp"

#include <ingot/core/bytes.hpp>

#include "byte_fields.hpp"
#include "cli_support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

class field_bytes final : public file_visitor {
public:
  explicit field_bytes(byte_section& of) : of_(of) {}

  void begin(file_part what, std::uint64_t base, const std::string& where) override {
    base_ = base;
    fields_.begin(what, base, where);
  }
  void enter(const ingot::byte_step& to) override { fields_.enter(to); }
  void leave() override { fields_.leave(); }
  void bytes(const ingot::byte_piece& piece) override {
    fields_.bytes(piece); // whether members are merged depends on the pieces
    const std::uint32_t field = fields_.field_of(piece);
    if (field >= all_.size()) all_.resize(std::size_t{field} + 1);
    // bytes that are not in memory are read into a buffer of `max_step` bytes
    constexpr std::uint64_t max_step = 1U << 16;
    for (std::uint64_t done = 0; done < piece.length;) {
      const auto step = static_cast<std::size_t>(std::min(piece.length - done, max_step));
      const ingot::bytes_view got = of_.bytes(base_ + piece.offset + done, step);
      all_[field].append(reinterpret_cast<const char*>(got.data()), got.size());
      done += step;
    }
  }
  /// Ends the walk and returns the bytes of each field.
  [[nodiscard]] const std::vector<std::string>& finish() {
    fields_.finish();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::uint32_t field = fields_.resolved(static_cast<std::uint32_t>(i));
      if (field != i) all_[field] += std::exchange(all_[i], {});
    }
    return all_;
  }

private:
  byte_section& of_;
  std::uint64_t base_ = 0;
  byte_fields fields_;
  std::vector<std::string> all_;
};

} // namespace

std::vector<std::uint64_t> compressed_by_field(byte_section& of, ingot::codec how, std::string_view name) {
  field_bytes gathered(of);
  of.tell(gathered);
  std::vector<std::uint64_t> sizes;
  for (const std::string& each : gathered.finish()) {
    ingot::compression by;
    by.method = how;
    by.min_saving_percent = 0;
    sizes.push_back(
        each.empty() ? 0 : value_of(ingot::compress(std::as_bytes(std::span(each)), by), name).size());
  }
  return sizes;
}

} // namespace tool
