// SPDX-License-Identifier: Apache-2.0
#include "mend_file.hpp"

#include <ingot/file/file_info.hpp>

#include "damages.hpp"
#include "source.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

std::map<std::string, damages, std::less<>> mended;

void print(const damages& found, const std::string& name) {
  constexpr std::size_t max_printed = 20;
  const auto& all = found.listed();
  for (std::size_t i = 0; i < std::min(all.size(), max_printed); ++i)
    print_damage(all[i].why, name, all[i].effect, all[i].is_decompressed ? decompressed_payload : "");
  if (found.count() > max_printed)
    print_warning(name + ": " + grouped(found.count() - max_printed) + " more damaged places");
}

/// Returns the description of the type in a file. The payload of the file may be damaged.
[[nodiscard]] std::vector<std::byte> description_in(const std::string& name) {
  const auto bytes = value_of(ingot::read_file_schema(name, files()), name);
  if (bytes.empty())
    throw failure(sentence(name + ": no schema", "a file with the schema of its type", "a file without one",
                           "name a file that was saved with save_options::schema"));
  return {bytes.begin(), bytes.end()};
}

} // namespace

void mend_file(const std::string& name, const reading& how) {
  const format as = how.as;
  auto text = read_all(name);
  if (!text) return; // opening the file fails, and says why
  damages found;
  found.set_file_size(text->size());
  std::vector<std::byte> bytes(text->size());
  std::ranges::copy(std::as_bytes(std::span(*text)), bytes.begin());
  *text = {};
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min<std::size_t>(bytes.size(), 4));
  if (as == format::document || (as == format::automatic && start == "ingD")) {
    if (!ingot::document::open_in_place(bytes)) bytes.resize((bytes.size() + 7) / 8 * 8);
    if (!mend_document(bytes, found) || found.count() == 0) return;
  } else if (as == format::ingot || (as == format::automatic && (start == "ingF" || has_header(bytes)))) {
    std::optional<spare_schema> spare;
    if (!how.spare_schema.empty()) spare.emplace(description_in(how.spare_schema));
    // If the bytes can't be repaired, opening the copy fails, and says why.
    static_cast<void>(mend_bytes(bytes, as == format::ingot, found, max_search, spare ? &*spare : nullptr));
    if (found.count() == 0) return;
    if (spare && spare->is_rejected && spare->has_other_form)
      throw failure(sentence(
          how.spare_schema + ": has the type of " + name + " in another form",
          "the schema of a live block for a live block, of a packed or compact value or a log for these", "",
          "name a file of the same form, or omit --schema"));
    if (spare && spare->is_rejected)
      throw failure(sentence(how.spare_schema + ": not the schema of " + name,
                             "a schema with the checksum or the ids in the header of the damaged file",
                             counted(spare->bytes.size(), "byte") + " of another schema",
                             "name a file with a value of the same type, or omit --schema"));
  } else {
    return;
  }
  print(found, name);
  mended.insert_or_assign(name, std::move(found));
  value_of(read_instead(name, bytes), name);
}

const damages* damages_of(const std::string& name) noexcept {
  const auto found = mended.find(name);
  return found == mended.end() ? nullptr : &found->second;
}

std::uint64_t file_size_of(const opened& file) noexcept {
  const damages* const found = damages_of(file.name);
  return found == nullptr ? file.bytes : found->file_size();
}

std::uint32_t version_of(const opened& file) noexcept {
  const damages* const found = damages_of(file.name);
  return found == nullptr ? file.header->info.version : found->version().value_or(file.header->info.version);
}

bool has_mended_files() noexcept { return !mended.empty(); }

} // namespace tool
