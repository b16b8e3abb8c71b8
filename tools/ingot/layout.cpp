// SPDX-License-Identifier: Apache-2.0
// `ingot layout`: a page on which a browser draws every byte of a file.
#include "blocks.hpp"
#include "byte_range.hpp"
#include "layout_page.hpp"
#include "layout_view.hpp"
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

[[nodiscard]] drawn draw(const opened& of, const std::string& title, const byte_range& wanted) {
  byte_section from(of, is_compressed(of));
  expect_in(wanted, from.size(), of.name);
  const layout_range within{std::min(wanted.from, from.size()), std::min(wanted.to, from.size())};
  piece_count all(within);
  from.tell(all);
  layout_view view(within, all.pieces());
  from.tell(view);
  return {view.json(title, from), all.pieces(), view.is_exact(), from.size()};
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
  views.push_back(draw(file, is_compressed(file) ? "before compression" : "as it is", wanted));
  if (!options.compare.empty()) {
    const opened other = value_of(open(options.compare, shared.from), options.compare);
    expect_bytes(other);
    views.push_back(draw(other, other.name, wanted));
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
  std::string page(layout_page());
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
