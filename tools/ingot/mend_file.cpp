// SPDX-License-Identifier: Apache-2.0
#include "mend_file.hpp"

#include "damages.hpp"
#include "source.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

bool is_any_mended = false;

void print(const damages& found, const std::string& name) {
  constexpr std::size_t max_printed = 20;
  const auto& all = found.listed();
  for (std::size_t i = 0; i < std::min(all.size(), max_printed); ++i)
    print_damage(all[i].why, name, all[i].effect);
  if (found.count() > max_printed)
    print_warning(name + ": " + grouped(found.count() - max_printed) + " more damaged places");
}

} // namespace

void mend_file(const std::string& name, format as) {
  auto text = read_all(name);
  if (!text) return; // opening the file fails, and says why
  damages found;
  std::vector<std::byte> bytes(text->size());
  std::ranges::copy(std::as_bytes(std::span(*text)), bytes.begin());
  *text = {};
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min<std::size_t>(bytes.size(), 4));
  if (as == format::document || (as == format::automatic && start == "ingD")) {
    if (!ingot::document::open_in_place(bytes)) bytes.resize((bytes.size() + 7) / 8 * 8);
    if (!mend_document(bytes, found) || found.count() == 0) return;
  } else if (as == format::ingot || (as == format::automatic && (start == "ingF" || has_header(bytes)))) {
    // If the bytes can't be repaired, opening the copy fails, and says why.
    static_cast<void>(mend_bytes(bytes, as == format::ingot, found));
    if (found.count() == 0) return;
  } else {
    return;
  }
  print(found, name);
  is_any_mended = true;
  value_of(read_instead(name, bytes), name);
}

bool has_mended_files() noexcept { return is_any_mended; }

} // namespace tool
