// SPDX-License-Identifier: Apache-2.0
#include "field_table.hpp"

#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

namespace {

/// Returns the fields that have bytes, by size, the largest field first.
[[nodiscard]] std::vector<std::uint32_t> by_size(const byte_fields& fields) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < fields.all().size(); ++i) {
    if (fields.all()[i].total() != 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t of_a = fields.all()[a].total();
    const std::uint64_t of_b = fields.all()[b].total();
    return of_a != of_b ? of_a > of_b : a < b;
  });
  return order;
}

[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t tenths = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " %";
}
[[nodiscard]] std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

} // namespace

void show_fields(output& to, const byte_fields& fields, std::uint64_t size, std::size_t max_rows,
                 const std::vector<std::uint64_t>& compressed) {
  const auto order = by_size(fields);
  to << "\n";
  const std::string_view alone = compressed.empty() ? "" : "  compressed";
  to.put(paint::note, "       bytes   share      stored   structure     padding       unused" +
                          std::string(alone) + "  field")
      << "\n";
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == max_rows) {
      to.put(paint::note, "... " + counted(order.size() - i, "more field") + "; --all shows them") << "\n";
      return;
    }
    const byte_field& each = fields.all()[order[i]];
    const shares of = shares::of(each);
    to << right(grouped(each.total()), 12) << right(percent(each.total(), size), 8)
       << right(grouped(of.stored), 12) << right(grouped(of.structure), 12) << right(grouped(of.padding), 12)
       << right(grouped(of.spare + of.holes), 13);
    if (order[i] < compressed.size()) to << right(grouped(compressed[order[i]]), 12);
    to << "  ";
    to.put(paint::name, fields.path(order[i])) << "\n";
  }
}

std::string fields_json(const byte_fields& fields, const std::vector<std::uint64_t>& compressed) {
  std::string out = "[";
  for (const std::uint32_t i : by_size(fields)) {
    const byte_field& each = fields.all()[i];
    out += out.size() == 1 ? "{\"field\":" : ",{\"field\":";
    out += json_string(fields.path(i)) + ",\"bytes\":" + std::to_string(each.total());
    for (std::size_t use = 0; use < ingot::byte_uses; ++use) {
      if (each.bytes[use] != 0)
        out += ",\"" + std::string(to_string(static_cast<ingot::byte_use>(use))) +
               "\":" + std::to_string(each.bytes[use]);
    }
    if (i < compressed.size()) out += ",\"compressed\":" + std::to_string(compressed[i]);
    out += "}";
  }
  return out + "]";
}

} // namespace tool
