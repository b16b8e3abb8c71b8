// SPDX-License-Identifier: Apache-2.0
// The code of docs/pack.md, in one program that ends with 0 if all of it is true.
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct Fill {
  std::uint64_t time;
  std::int64_t price;
  std::uint32_t size;
};
struct Order {
  std::uint64_t id;
  std::string symbol;
  std::vector<Fill> fills;
  std::map<std::string, std::string> tags;
  std::optional<std::string> note;
};
struct Reading {
  std::int64_t time = 0;
  double volts = 0;
  std::string unit = "V";
  std::uint64_t hash = 0;
  float position[3] = {};
};

template <>
inline constexpr auto ingot::annotations<Reading> =
    ingot::annotate(ingot::type(ingot::tight), ingot::member<"hash">(ingot::fixed),
                    ingot::member<"position">(ingot::quantize(0.001)));
struct Bone {
  std::string name;
  float position[3] = {};
  float rotation[4] = {0, 0, 0, 1};
  float scale = 1;
  std::vector<std::array<float, 3>> normals;
};
template <>
inline constexpr auto ingot::annotations<Bone> = ingot::annotate(
    ingot::type(ingot::transform(0.001, 32)), ingot::member<"normals">(ingot::unit_vector(24)));
template <>
inline constexpr auto ingot::annotations<Fill> =
    ingot::annotate(ingot::member<"size">(ingot::varint, ingot::range(1, 1'000'000)));

namespace {

bool writes(const Order& order) {
  ingot::buffer bytes = ingot::pack(order).value(); // with memory of its own

  std::vector<std::byte> log; // or appended to what grows,
  auto written = ingot::pack_to(log, order);

  ingot::fixed_buffer<512> packet;           // or into memory that is there: nothing is allocated,
  auto fits = ingot::pack_to(packet, order); // and if it does not fit, nothing was written
  return written && fits && log.size() == bytes.size() && packet.size() == bytes.size();
}

std::string rejects(Order order) {
  order.fills.push_back({3, 102, 0}); // `size` is annotated: range(1, 1'000'000)
  auto rejected = ingot::pack(order);
  return rejected ? "" : rejected.error().message();
}

bool reads(const ingot::buffer& bytes, Order& warm) {
  ingot::result<Order> fresh = ingot::unpack<Order>(bytes);
  ingot::result<void> again = ingot::unpack_into(warm, bytes); // uses the memory that `warm` has
  return fresh && again && warm.fills.size() == fresh->fills.size();
}

bool looks(const ingot::buffer& bytes) {
  auto order = ingot::view<Order>::open(bytes); // checks every length; allocates nothing
  if (!order) return false;
  std::string_view symbol = order->get<"symbol">();
  std::int64_t total = 0;
  for (auto fill : order->get<"fills">()) total += fill.get<&Fill::price>();
  auto tags = order->get<"tags">();
  auto found = tags.find("venue"); // binary search in the bytes; tags.end() if there is no such key
  auto note = order->get<"note">();
  std::string_view text = note.has_value() ? *note : "";
  return symbol == "INGT" && total == 201 && found != tags.end() && (*found).second == "XETR" &&
         text == "at market";
}

bool compacts(const Order& order) {
  ingot::buffer small = ingot::compact::pack(order).value();
  auto back = ingot::compact::unpack<Order>(small);
  auto seen = ingot::compact::view<Order>::open(small); // one pass notes where the fields are
  return back && seen && seen->get<"symbol">() == back->symbol && small.size() < ingot::pack(order)->size();
}

bool tightens() {
  const Reading reading{60, 0.1, "V", 0, {1.5F, 0, -0.0004F}};
  const auto small = ingot::compact::pack(reading).value();
  const auto back = ingot::compact::unpack<Reading>(small);
  return back && back->volts == 0.1 && back->position[2] == 0 && small.size() == 1 + 1 + 2 + 4;
}

bool turns() {
  Bone hand{"hand", {0.25F, 1.5F, 0}, {0, 0.6F, 0, 0.8F}, 1, {{0, 0, 1}}};
  const auto small = ingot::compact::pack(hand).value();
  const auto back = ingot::compact::unpack<Bone>(small);
  hand.rotation[3] = 3; // no rotation
  const auto wrong = ingot::compact::pack(hand);
  return back && back->normals == hand.normals && std::abs(back->rotation[1] - 0.6F) < 0.001F &&
         small.size() == 5 + 5 + 4 + 2 + 1 + 3 && !wrong && wrong.error().path() == "rotation";
}

bool says_its_type(const Order& order) {
  ingot::buffer typed = ingot::pack_typed(order).value();
  auto same = ingot::unpack_typed<Order>(typed);
  auto view = ingot::open_typed<Order>(typed); // reads in place
  auto other = ingot::unpack_typed<Fill>(typed);
  return same && view && !other && other.error().code() == ingot::errc::schema_mismatch;
}

std::string error_of(ingot::buffer bytes) {
  auto cut = ingot::unpack<Order>(ingot::bytes_view(bytes.data(), bytes.size() - 1));
  return cut ? "" : cut.error().message();
}

} // namespace

int main() {
  const Order order{7, "INGT", {{1, 100, 5}, {2, 101, 6}}, {{"desk", "a"}, {"venue", "XETR"}}, "at market"};
  Order warm;
  const auto bytes = ingot::pack(order).value();
  if (!writes(order)) return 1;
  if (!reads(bytes, warm)) return 2;
  if (!looks(bytes)) return 3;
  if (!compacts(order)) return 4;
  if (!tightens()) return 5;
  if (!turns()) return 7;
  if (!says_its_type(order)) return 8;
  if (!rejects(order).starts_with(
          "out of range at byte 0 (fills[2].size): expected a value from 1 to 1000000"))
    return 9;
  return error_of(bytes).starts_with("truncated at byte") ? 0 : 6;
}
