// SPDX-License-Identifier: Apache-2.0
// The results of one file for values that the two front ends treat differently. One file of each
// includes it. WITH_JSON and WITH_FILE say which libraries are linked.
#pragma once

#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/enums.hpp>

#include "values.hpp"
#if defined(WITH_JSON)
#include <ingot/json/json.hpp>
#endif
#if defined(WITH_FILE)
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>
#endif

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace {

Answers answers([[maybe_unused]] const char* name) {
  // {net, 0} and {none, 150}
  constexpr std::array net{std::byte{0x20}, std::byte{0x4E}, std::byte{0}, std::byte{0},
                           std::byte{0},    std::byte{0},    std::byte{0}, std::byte{0}};
  constexpr std::array percent{std::byte{0},   std::byte{0}, std::byte{0}, std::byte{0},
                               std::byte{150}, std::byte{0}, std::byte{0}, std::byte{0}};
  const Report found{Fault::net, 0};

  Answers seen;
  seen.name_of_net = ingot::enum_name(Fault::net);
  for (const std::string_view tag : ingot::detail::variant_tags<Choice>) seen.tags.append(tag) += ' ';
  seen.packs_fault = ingot::pack(found).has_value();
  seen.unpacks_fault = ingot::unpack<Report>(net).has_value();
  seen.unpacks_percent = ingot::unpack<Report>(percent).has_value();
#if defined(WITH_JSON)
  seen.text = ingot::json::write(found).value_or("refused");
  seen.reads_fault = ingot::json::read<Report>(R"({"fault": "net", "percent": 0})").has_value();
  seen.reads_percent = ingot::json::read<Report>(R"({"fault": "none", "percent": 150})").has_value();
#endif
#if defined(WITH_FILE)
  const std::filesystem::path file = std::filesystem::temp_directory_path() / name;
  seen.saves_fault = ingot::save(file, found).has_value();
  seen.saves_percent = ingot::save(file, Report{Fault::none, 150}).has_value();
  const auto saved = ingot::save(file, Report{Fault::none, 50});
  const auto loaded = ingot::load<Report>(file);
  seen.loads = saved && loaded && loaded->percent == 50;
  std::filesystem::remove(file);
#endif
  return seen;
}

} // namespace
