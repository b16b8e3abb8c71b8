// SPDX-License-Identifier: Apache-2.0
// Files to be edited in place, and their contents.
#pragma once

#include <ingot/file/edit_file.hpp>

#include "file/file_tools.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace file_test {

using live_file = ingot::live<live_hero>;
constexpr std::size_t payload_at = 65536;

[[nodiscard]] inline std::optional<ingot::file_info> info_of(const std::filesystem::path& path) {
  const auto info = ingot::peek_file(path);
  return info ? std::optional(*info) : std::nullopt;
}
[[nodiscard]] inline ingot::bytes_view payload_of(const byte_vector& file) {
  return ingot::bytes_view(file).subspan(payload_at);
}
/// A closed file of live ada, and one of her document.
[[nodiscard]] inline byte_vector edited_ada(simulated_disk& disk) {
  EXPECT_TRUE(ingot::create_edited_file("made", live_ada(), {}, disk));
  return disk.content("made");
}
[[nodiscard]] inline byte_vector edited_document(simulated_disk& disk) {
  EXPECT_TRUE(ingot::create_edited_file("made_too", ada_document(), {}, disk));
  return disk.content("made_too");
}

} // namespace file_test
