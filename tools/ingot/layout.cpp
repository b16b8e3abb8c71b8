// SPDX-License-Identifier: Apache-2.0
// `ingot layout`: a page on which a browser draws every byte of a file.
#include "blocks.hpp"
#include "byte_range.hpp"
#include "layout_page.hpp"
#include "layout_view.hpp"
#include "mend_file.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "writing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

namespace {

struct drawn {
  std::string json;
  std::uint64_t pieces = 0;
  bool exact = false;
  /// Bytes of the file or, if it is compressed, of the payload before compression.
  std::uint64_t size = 0;
};

/// Returns the members "damage" and "damages" of a view: the number of all places, and a list of
/// [offset, part of the file that the offset counts from, position in the view or -1, path, true if
/// the view has a value of this path, reason, effect]. The part is empty for offsets in the file.
/// Returns empty text for a file that was not repaired.
[[nodiscard]] std::string damage_json(const damages* of) {
  if (of == nullptr) return {};
  std::string out = ",\"damage\":" + std::to_string(of->count()) + ",\"damages\":[";
  for (const damage& each : of->listed()) {
    out += (&each == of->listed().data() ? "[" : ",[") + std::to_string(each.why.offset()) + ',' +
           page_string(each.is_decompressed ? decompressed_payload : "") + ',' +
           (each.at ? std::to_string(*each.at) : "-1") + ',' + page_string(each.why.path()) + ',' +
           (each.has_value ? "true" : "false") + ',' + page_string(reason_of(each.why)) + ',' +
           page_string(each.effect) + ']';
  }
  return out + ']';
}

/// Draws a value. `found` is the damage of its file, or null.
[[nodiscard]] drawn draw(const opened& of, const std::string& title, const byte_range& wanted,
                         const damages* found = nullptr) {
  byte_section from(of, is_compressed(of));
  expect_in(wanted, from.size(), of.name);
  const layout_range within{std::min(wanted.from, from.size()), std::min(wanted.to, from.size())};
  piece_count all(within);
  from.tell(all);
  layout_view view(within, all.pieces());
  from.tell(view);
  std::string json = view.json(title, from);
  json.insert(json.size() - 1, damage_json(found));
  return {std::move(json), all.pieces(), view.is_exact(), from.size()};
}

[[nodiscard]] std::string type_name(const opened& of) {
  const auto root = of.root();
  return root ? root->type() : "value";
}

} // namespace

exit_code layout(output& to, const layout_options& options, const shared_options& shared) {
  const byte_range wanted = parse_range(options.range);
  const opened file = value_of(open(options.file, shared.from), options.file);
  expect_bytes(file);
  std::vector<drawn> views;
  const damages* const found = damages_of(file.name);
  const char* const title = found != nullptr      ? "repaired copy"
                            : is_compressed(file) ? "before compression"
                                                  : "as it is";
  views.push_back(draw(file, title, wanted, found));
  if (!options.compare.empty()) {
    const opened other = value_of(open(options.compare, shared.from), options.compare);
    expect_bytes(other);
    views.push_back(draw(other, other.name, wanted, damages_of(other.name)));
  } else if ((file.document || file.block) && options.range.empty()) {
    opened tight;
    tight.name = file.name;
    tight.as = format::document;
    if (file.block) {
      auto compacted_block = try_compacted(file); // fails without enough memory
      tight.bytes = compacted_block ? compacted_block->bytes().size() : file.block->bytes().size();
      if (compacted_block) tight.block = std::make_unique<ingot::dynamic_block>(std::move(*compacted_block));
    } else {
      tight.document =
          std::make_unique<ingot::document>(std::as_const(*file.document).root(), max_document_size);
      tight.document->compact();
      tight.bytes = tight.document->bytes().size();
    }
    const std::size_t before = file.block ? file.block->bytes().size() : file.document->bytes().size();
    if (tight.bytes < before) views.push_back(draw(tight, "compacted", wanted));
  }
  const std::string kind =
      file.what() + (is_compressed(file) ? " in a compressed file of " + counted(file.bytes, "byte") : "");
  std::string data = "{\"name\":" + page_string(file.name) + ",\"what\":" + page_string(kind) +
                     ",\"root\":" + page_string(type_name(file)) + ",\"views\":[";
  for (std::size_t i = 0; i < views.size(); ++i) data += (i == 0 ? "" : ",") + views[i].json;
  data += "]}";
  std::string page = layout_page();
  constexpr std::string_view mark = "/*DATA*/";
  page.replace(page.find(mark), mark.size(), data);
  write_text(to, options.html, page);
  if (options.html == "-") return exit_code::ok;
  if (shared.json) {
    to << R"({"file":)" << json_string(file.name) << R"(,"html":)" << json_string(options.html)
       << R"(,"bytes":)" << std::to_string(page.size()) << R"(,"pieces":)" << std::to_string(views[0].pieces)
       << R"(,"exact":)" << (views[0].exact ? "true" : "false") << R"(,"views":)"
       << std::to_string(views.size()) << "}\n";
    return exit_code::ok;
  }
  to << printable(file.name) << ": " << counted(views[0].pieces, "piece") << " of "
     << counted(views[0].size, "byte") << (is_compressed(file) ? " before compression" : "") << ", drawn "
     << (views[0].exact ? "one by one" : "in bins") << " in " << printable(options.html) << ", "
     << counted(page.size(), "byte") << "\n";
  return exit_code::ok;
}

} // namespace tool
