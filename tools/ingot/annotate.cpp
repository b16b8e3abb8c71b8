// SPDX-License-Identifier: Apache-2.0
// `ingot annotate`: every byte of a file with its meaning, in the order of the file.
#include "byte_path.hpp"
#include "byte_range.hpp"
#include "byte_words.hpp"
#include "file_bytes.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

using ingot::byte_piece;
using ingot::byte_use;
using ingot::bytes_view;

/// Number of pieces that one walk collects and sorts. A piece is a range of bytes with one meaning.
/// A walk goes through the tree of values, and collects the pieces that come first in the file. If
/// there are more pieces, further walks collect them. For a record of a log, a walk collects twice
/// this number. The collected pieces take at most about 200 MB of memory. The paths of the pieces
/// take additional memory for the parts that the pieces do not share. Each such part is also in the
/// file. For a file over 32 MiB, a walk collects one piece for every `bytes_for_a_piece` bytes of
/// the file. The pieces then take three bytes of memory for each byte of the file, and the number
/// of walks depends on the average length of the pieces, not on the length of the file.
constexpr std::size_t pieces_at_once = std::size_t{1} << 18;
constexpr std::uint64_t bytes_for_a_piece = 128;
constexpr std::size_t bytes_a_line = 8;

struct limits {
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
  std::size_t lines = 240;    ///< maximum lines of the whole output
  std::size_t of_a_piece = 4; ///< maximum lines of one piece
};

struct saved_piece {
  std::uint64_t offset = 0; ///< position in the section
  std::uint64_t base = 0;   ///< position in the section from which the offsets of the walk count
  byte_piece piece;
  std::uint32_t path_id = 0;
};

/// Collects pieces of the range [`from`, `to`): the `max_pieces` pieces that come first in the
/// file.
class collector : public file_visitor {
public:
  collector(std::uint64_t from, std::uint64_t to, std::size_t max_pieces)
      : from_(from), to_(to), max_pieces_(max_pieces) {}

  void begin(file_part, std::uint64_t base, const std::string& where) override {
    base_ = base;
    paths_.begin(where);
  }
  void enter(const ingot::byte_step& to) override { paths_.enter(to); }
  void leave() override { paths_.leave(); }
  void bytes(const byte_piece& piece) override {
    const std::uint64_t at = base_ + piece.offset;
    if (at + piece.length <= from_ || at >= to_ || at > last_) return;
    pieces_.push_back({at, base_, piece, paths_.here()});
    if (pieces_.size() >= 2 * max_pieces_) cut();
  }
  /// Returns the collected pieces in file order. The result is empty if the range has no more
  /// pieces. To get the pieces after these, walk again with a collector whose range begins at the
  /// end of the last piece.
  [[nodiscard]] std::vector<saved_piece>& sorted() {
    cut();
    return pieces_;
  }
  /// Returns true if the range has more pieces than were collected.
  [[nodiscard]] bool was_cut() const noexcept { return last_ != std::numeric_limits<std::uint64_t>::max(); }
  [[nodiscard]] std::string path_of(const saved_piece& shown) const { return paths_.text(shown.path_id); }

private:
  void cut() {
    std::ranges::sort(pieces_, {}, &saved_piece::offset);
    if (pieces_.size() <= max_pieces_) return;
    pieces_.resize(max_pieces_);
    last_ = pieces_.back().offset;
    std::vector<std::uint32_t*> path_ids;
    path_ids.reserve(pieces_.size());
    for (saved_piece& each : pieces_) path_ids.push_back(&each.path_id);
    paths_.keep_only(path_ids);
  }

  std::uint64_t from_;
  std::uint64_t to_;
  std::size_t max_pieces_;
  std::uint64_t last_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t base_ = 0;
  byte_paths paths_;
  std::vector<saved_piece> pieces_;
};

/// Returns true if the bytes contain no value, so that one line can show many equal bytes.
[[nodiscard]] bool is_filling(const byte_piece& piece) noexcept {
  return piece.is == ingot::byte_number::none && !piece.what.empty() && piece.use != byte_use::value;
}

class printer {
public:
  printer(output& to, byte_section& from, const limits& within) : to_(to), from_(from), limits_(within) {}

  [[nodiscard]] bool is_full() const noexcept { return lines_ >= limits_.lines; }
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  void show(const saved_piece& shown, const std::string& path) {
    path_ = printable(path);
    const byte_piece& piece = shown.piece;
    const std::uint64_t end = shown.offset + piece.length;
    next_ = end;
    if (is_filling(piece) && piece.length > bytes_a_line && show_equal(shown)) return;
    std::size_t lines = 0;
    for (std::uint64_t at = shown.offset; at < end && at < limits_.to;) {
      const std::uint64_t length = line_length(shown, at);
      if (at + length <= limits_.from) {
        at += length;
        continue;
      }
      if (lines++ == limits_.of_a_piece) {
        more(at, end);
        return;
      }
      line(shown, at, length);
      at += length;
    }
  }

private:
  [[nodiscard]] static std::string offset_text(std::uint64_t at) {
    return hexadecimal(at).substr(at >> 32 != 0 ? 2 : 10);
  }
  /// Returns the number of bytes in the line at `at`. A line does not split elements or characters.
  [[nodiscard]] std::uint64_t line_length(const saved_piece& shown, std::uint64_t at) {
    const byte_piece& piece = shown.piece;
    const std::uint64_t left = shown.offset + piece.length - at;
    if (piece.count > 1 && !is_text(piece)) {
      const std::uint64_t size = piece.length / piece.count;
      return std::min(left, size >= bytes_a_line ? size : bytes_a_line / size * size);
    }
    if (left <= bytes_a_line) return left;
    if (!is_text(piece))
      return piece.length <= 2 * bytes_a_line && piece.is != ingot::byte_number::none ? left : bytes_a_line;
    const bytes_view bytes = from_.bytes(at, bytes_a_line + 1);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t whole = beginning(text, bytes_a_line).size();
    return whole == 0 ? bytes_a_line : whole;
  }
  [[nodiscard]] std::string value_here(const saved_piece& shown, std::uint64_t at, std::uint64_t length) {
    const byte_piece& piece = shown.piece;
    if (is_text(piece)) {
      if (piece.plain.kind() == ingot::value_kind::binary ||
          (piece.is == ingot::byte_number::none && piece.count != 0))
        return {};
      const bytes_view bytes = from_.bytes(at, static_cast<std::size_t>(length));
      return quote({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    if (piece.count > 1) {
      const std::uint64_t size = piece.length / piece.count;
      return elements_of(piece, piece.first + (at - shown.offset) / size, length / size);
    }
    if (at != shown.offset) return {};
    return value_of(piece, {}, shown.base, 40);
  }
  void line(const saved_piece& shown, std::uint64_t at, std::uint64_t length) {
    const byte_piece& piece = shown.piece;
    const std::string bytes = hex(from_.bytes(at, static_cast<std::size_t>(length)), true);
    to_.put(paint::note, offset_text(at))
        << "  " << bytes << std::string(bytes.size() < 24 ? 24 - bytes.size() : 1, ' ');
    const std::string type = type_of(piece);
    const std::string value = value_here(shown, at, length);
    to_.put(paint::type, type) << std::string(type.size() < 9 ? 9 - type.size() : 1, ' ');
    const bool is_value = piece.use == byte_use::value || piece.use == byte_use::key;
    to_.put(!is_value ? paint::plain : is_text(piece) ? paint::text : paint::number, value);
    meaning(shown, at, length, std::string(value.size() < 22 ? 22 - value.size() : 1, ' '));
  }
  void meaning(const saved_piece& shown, std::uint64_t at, std::uint64_t length, const std::string& gap) {
    const byte_piece& piece = shown.piece;
    std::string path = path_;
    if (piece.count > 1 && !is_text(piece)) {
      const std::uint64_t size = piece.length / piece.count;
      const std::uint64_t first = piece.first + (at - shown.offset) / size;
      const std::uint64_t count = length / size;
      path += '[' + std::to_string(first) + (count > 1 ? ".." + std::to_string(first + count - 1) : "") + ']';
    } else if (piece.count == 1) {
      path += '[' + std::to_string(piece.first) + ']';
    }
    std::string note;
    if (piece.use == byte_use::key && piece.what.empty()) note = "key";
    if (!piece.what.empty() && at == shown.offset) note = piece.what;
    if (!note.empty() && !path.empty()) note.insert(0, ": ");
    if (!note.empty() || !path.empty()) to_ << gap;
    to_.put(paint::name, path);
    to_.put(paint::note, note);
    to_ << "\n";
    ++lines_;
  }
  /// If all bytes of the piece are equal, shows the whole piece in one line and returns true.
  [[nodiscard]] bool show_equal(const saved_piece& shown) {
    constexpr std::size_t piece_of_it = 4096;
    const std::uint64_t end = shown.offset + shown.piece.length;
    std::byte first{};
    for (std::uint64_t at = shown.offset; at < end; at += piece_of_it) {
      const bytes_view bytes =
          from_.bytes(at, static_cast<std::size_t>(std::min<std::uint64_t>(piece_of_it, end - at)));
      if (at == shown.offset) first = bytes[0];
      if (std::ranges::any_of(bytes, [&](std::byte each) { return each != first; })) return false;
    }
    const std::string text = hex({&first, 1}, false) + " * " + grouped(shown.piece.length);
    to_.put(paint::note, offset_text(shown.offset))
        << "  " << text << std::string(text.size() < 24 ? 24 - text.size() : 1, ' ');
    to_ << "-        ";
    meaning(shown, shown.offset, shown.piece.length, std::string(22, ' '));
    return true;
  }
  void more(std::uint64_t at, std::uint64_t end) {
    to_.put(paint::note, offset_text(at) + "  ... " + counted(end - at, "more byte") + " of the same")
        << "\n";
    ++lines_;
  }

  output& to_;
  byte_section& from_;
  const limits& limits_;
  std::size_t lines_ = 0;
  std::uint64_t next_ = 0;
  std::string path_; ///< path of the piece that is shown
};

void show_json(output& to, byte_section& from, const saved_piece& shown, const std::string& path,
               bool is_first) {
  const byte_piece& piece = shown.piece;
  to << (is_first ? "{\"offset\":" : ",{\"offset\":") << std::to_string(shown.offset)
     << ",\"length\":" << std::to_string(piece.length) << ",\"use\":\"" << to_string(piece.use)
     << "\",\"type\":" << json_string(type_of(piece));
  if (!path.empty()) to << ",\"path\":" << json_string(path);
  const bytes_view head =
      from.bytes(shown.offset, static_cast<std::size_t>(std::min<std::uint64_t>(piece.length, 4096)));
  const std::string value = json_value_of(piece, head, shown.base);
  if (!value.empty()) to << ",\"value\":" << value;
  if (!piece.what.empty()) to << ",\"meaning\":" << json_string(piece.what);
  to << ",\"bytes\":\"";
  constexpr std::size_t at_once = 4096;
  for (std::uint64_t at = 0; at < piece.length; at += at_once)
    to << hex(from.bytes(shown.offset + at,
                         static_cast<std::size_t>(std::min<std::uint64_t>(at_once, piece.length - at))),
              false);
  to << "\"}";
}

/// A function that is called for each piece, in the order of the bytes.
using show_piece = std::function<void(const saved_piece&, const std::string& path)>;

/// Shows the pieces of a log. The handles of a record become invalid after the call of `end`. So
/// `end` shows the pieces of the record. If a record has too many pieces for one walk, the walk
/// emits the record again.
class record_shower final : public file_visitor {
public:
  record_shower(const limits& within, show_piece show, std::function<bool()> is_full)
      : from_(within.from), to_(within.to), show_(std::move(show)), is_full_(std::move(is_full)) {}
  void begin(file_part what, std::uint64_t base, const std::string& where) override {
    now_.begin(what, base, where);
  }
  bool end() override { return flush() && !is_full_(); }
  void enter(const ingot::byte_step& to) override { now_.enter(to); }
  void leave() override { now_.leave(); }
  void bytes(const byte_piece& piece) override { now_.bytes(piece); }
  /// Shows the collected pieces. Returns true if the record has more pieces.
  bool flush() {
    for (const saved_piece& each : now_.sorted()) {
      if (is_full_()) break;
      show_(each, now_.path_of(each));
      from_ = std::max(from_, each.offset + each.piece.length);
    }
    const bool is_more = now_.was_cut();
    now_ = collector(from_, to_, max_pieces);
    return is_more;
  }

private:
  /// Maximum number of pieces of a walk. The pieces before the first record (header and schema) are
  /// in one walk with this record. A schema of the maximum size, 256 KiB, has no more than
  /// `pieces_at_once` pieces.
  static constexpr std::size_t max_pieces = 2 * pieces_at_once;
  std::uint64_t from_;
  std::uint64_t to_;
  collector now_{from_, to_, max_pieces};
  show_piece show_;
  std::function<bool()> is_full_;
};

/// Shows the pieces of a section that are in the range `within`.
void go_through(byte_section& from, bool is_log, const limits& within, const show_piece& show,
                const std::function<bool()>& is_full) {
  if (is_log) {
    record_shower all(within, show, is_full);
    from.tell(all);
    all.flush();
    return;
  }
  const std::size_t max_pieces =
      std::max(pieces_at_once, static_cast<std::size_t>(from.size() / bytes_for_a_piece));
  for (std::uint64_t at = within.from; at < std::min(within.to, from.size());) {
    collector found(at, within.to, std::min(max_pieces, within.lines));
    from.tell(found);
    const auto& pieces = found.sorted();
    for (const saved_piece& each : pieces) {
      if (is_full()) return;
      show(each, found.path_of(each));
      at = each.offset + each.piece.length;
    }
    if (!found.was_cut()) return;
  }
}

[[nodiscard]] limits limits_of(const annotate_options& options) {
  limits selected;
  if (options.all || !options.range.empty())
    selected.lines = selected.of_a_piece = std::numeric_limits<std::size_t>::max();
  const byte_range wanted = parse_range(options.range);
  selected.from = wanted.from;
  selected.to = wanted.to;
  return selected;
}

} // namespace

exit_code annotate(output& to, const annotate_options& options, const shared_options& shared) {
  limits within = limits_of(options);
  const opened file = value_of(open(options.file, shared.from), options.file);
  expect_bytes(file);
  expect_in({within.from, within.to},
            is_compressed(file) ? std::max(file.bytes, file.header->info.payload_size) : file.bytes,
            file.name);
  if (shared.json) {
    within.lines = std::numeric_limits<std::size_t>::max();
    to << R"({"file":)" << json_string(file.name) << R"(,"what":)" << json_string(file.what())
       << R"(,"size":)" << std::to_string(file.bytes);
  } else {
    to << printable(file.name) << ": " << file.what() << ", " << counted(file.bytes, "byte") << "\n";
    to.put(paint::note, "offset    bytes                   type     value                 meaning") << "\n";
  }
  for (int i = 0; i <= (is_compressed(file) ? 1 : 0); ++i) {
    byte_section section(file, i == 1);
    if (shared.json) {
      to << (i == 0 ? ",\"pieces\":[" : ",\"payload\":[");
      bool is_first = true;
      go_through(
          section, file.is_log(), within,
          [&](const saved_piece& each, const std::string& path) {
            show_json(to, section, each, path, is_first);
            is_first = false;
          },
          [] { return false; });
      to << "]";
      continue;
    }
    if (i == 1) to.put(paint::note, "\n" + section.title() + ":") << "\n";
    printer shown(to, section, within);
    go_through(
        section, file.is_log(), within,
        [&](const saved_piece& each, const std::string& path) { shown.show(each, path); },
        [&] { return shown.is_full(); });
    if (shown.is_full() && shown.next() < section.size())
      to.put(paint::note, "... " + counted(section.size() - shown.next(), "more byte") + " from " +
                              std::to_string(shown.next()) +
                              " on; --all shows them, --range FROM..TO some of them")
          << "\n";
  }
  if (shared.json) to << "}\n";
  return exit_code::ok;
}

} // namespace tool
