// SPDX-License-Identifier: Apache-2.0
// Edits one value of a text: computes the bytes to replace from the characters around the value.
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/json/edit.hpp>

#include "edit_search.hpp"

#include <algorithm>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json {

namespace detail {

namespace editing { namespace {

/// Replaces the bytes of an extent.
struct splice {
  extent out;
  std::string in;
};

/// Computes the splices of one edit.
class editor {
public:
  editor(std::string_view text, const target& at) noexcept : in_(text), at_(at) {}

  /// Replaces the value, or adds a member or an element. `value` is JSON text without spaces.
  [[nodiscard]] std::vector<splice> put(std::string_view value, std::string_view name) {
    if (at_.exists) replace(value);
    else if (at_.around.count == 0) put_first(value, name);
    else put_last(value, name);
    return std::move(splices_);
  }

  [[nodiscard]] std::vector<splice> erase() {
    const std::size_t comma = in_.comma_after(at_.part.end);
    if (comma != npos) erase_with_comma(comma);
    else if (at_.previous_end != npos) erase_last(in_.comma_after(at_.previous_end));
    else erase_only();
    return std::move(splices_);
  }

private:
  struct layout {
    bool is_tall; ///< each member and each element has a line of its own
    bool space_after_colon;
    bool space_after_comma;
    std::string_view margin; ///< indentation of the line in which the value begins
  };

  void add(extent out, std::string in = {}) {
    if (out.begin != out.end || !in.empty()) splices_.push_back({out, std::move(in)});
  }

  [[nodiscard]] std::string new_line(std::string_view margin) const {
    std::string line(at_.line_end);
    return line += margin;
  }
  [[nodiscard]] std::string_view unit() const noexcept {
    return at_.unit ? std::string_view(*at_.unit) : std::string_view("  ");
  }

  /// Returns the layout of a new value, with spaces as in the text around the value.
  [[nodiscard]] layout layout_of(bool is_tall, std::string_view margin) const noexcept {
    layout out{is_tall, is_tall, false, margin};
    if (at_.space_after_colon) out.space_after_colon = *at_.space_after_colon;
    else if (!is_tall && at_.space_after_comma) out.space_after_colon = *at_.space_after_comma;
    out.space_after_comma = at_.space_after_comma.value_or(out.space_after_colon);
    return out;
  }

  /// Appends `value`, which is JSON text without spaces, in a layout.
  void lay_out(std::string& out, std::string_view value, const layout& as) const {
    std::size_t depth = 0;
    const auto start_line = [&] {
      if (!as.is_tall) return;
      out += at_.line_end;
      out += as.margin;
      for (std::size_t i = 0; i < depth; ++i) out += unit();
    };
    for (std::size_t i = 0; i < value.size(); ++i) {
      const char c = value[i];
      switch (c) {
      case '"': {
        const std::size_t begin = i;
        for (++i; value[i] != '"'; ++i) i += value[i] == '\\' ? 1 : 0;
        out += value.substr(begin, i + 1 - begin);
        break;
      }
      case '[':
      case '{':
        out += c;
        if (value[i + 1] == ']' || value[i + 1] == '}') {
          out += value[++i];
        } else {
          ++depth;
          start_line();
        }
        break;
      case ']':
      case '}':
        --depth;
        start_line();
        out += c;
        break;
      case ',':
        out += c;
        if (!as.is_tall && as.space_after_comma) out += ' ';
        start_line();
        break;
      case ':':
        out += c;
        if (as.space_after_colon) out += ' ';
        break;
      default: out += c;
      }
    }
  }

  [[nodiscard]] std::string part_text(std::string_view value, std::string_view name, const layout& as) const {
    std::string out;
    if (at_.around.is_object) {
      out += name;
      out += as.space_after_colon ? ": " : ":";
    }
    lay_out(out, value, as);
    return out;
  }

  void replace(std::string_view value) {
    const extent old = at_.value;
    const std::string_view margin = in_.indentation(old.begin);
    const bool was_tall = in_.has_line_end(old);
    const bool was_list = (in_.at(old.begin) == '[' || in_.at(old.begin) == '{') && old.end - old.begin > 2;
    if (was_tall) find_unit_inside(old, margin);
    layout as = layout_of(was_tall || (!was_list && !at_.is_root && in_.begins_line(at_.part.begin)), margin);
    if (was_list && !was_tall) {
      const std::size_t comma = in_.piece(old.begin, old.end).find(',');
      if (comma != npos) as.space_after_comma = is_blank(in_.at(old.begin + comma + 1));
    }
    std::string in;
    lay_out(in, value, as);
    add(old, std::move(in));
  }

  /// Sets the indentation of one level, and the line end, to those of a value that has several
  /// lines.
  void find_unit_inside(extent of, std::string_view margin) {
    const std::size_t begin = of.begin + in_.piece(of.begin, of.end).find('\n') + 1;
    const std::string_view inside = in_.indentation(in_.skip_blanks(begin));
    if (inside.size() >= margin.size() && inside.starts_with(margin)) at_.unit = inside.substr(margin.size());
    at_.line_end = in_.at(begin - 2) == '\r' ? "\r\n" : "\n";
  }

  void put_first(std::string_view value, std::string_view name) {
    const std::size_t inside = at_.around.open + 1;
    const std::string_view outside = in_.indentation(at_.around.open);
    const bool has_lines = in_.has_line_end({inside, at_.close});
    const bool may_be_tall =
        inside == at_.close && at_.around_part != npos && in_.begins_line(at_.around_part);
    if (!has_lines && !may_be_tall) {
      add({inside, inside}, part_text(value, name, layout_of(false, {})));
      return;
    }
    std::string margin(outside);
    margin += unit();
    std::string in = new_line(margin) + part_text(value, name, layout_of(true, margin));
    std::size_t where = at_.close; // after the comments
    while (where != inside && is_white(in_.at(where - 1))) --where;
    if (!has_lines) in += new_line(outside);
    add({where, where}, std::move(in));
  }

  void put_last(std::string_view value, std::string_view name) {
    const extent last = at_.around.last;
    const std::size_t comma = in_.comma_after(last.end);
    bool to_line_end = false;
    const std::size_t comments = in_.skip_comments_of_line(last.end, to_line_end);
    // A comment at the end of the line is about the last part, so the new part has its own line.
    const bool has_line = to_line_end || in_.begins_line(last.begin) || ends_line_with_comment(last.end) ||
                          (comma != npos && ends_line_with_comment(comma + 1));
    std::string margin(in_.indentation(last.begin));
    if (in_.line_begin(last.begin) <= at_.around.open) margin += unit();
    const layout as = layout_of(has_line || in_.has_line_end(last), margin);
    const std::string part = part_text(value, name, as);
    if (!has_line) {
      add({comments, comments}, (at_.space_after_comma.value_or(as.space_after_comma) ? ", " : ",") + part);
    } else if (comma != npos) { // the new part has a trailing comma, too
      const std::size_t end = in_.skip_comments_of_line(comma + 1, to_line_end);
      add({end, end}, new_line(margin) + part + ",");
    } else if (comments == last.end) {
      std::string added = ","; // g++ 12 -O3 warns of an overlap in `"," + new_line(margin)`
      added += new_line(margin);
      add({last.end, last.end}, added + part);
    } else {
      add({last.end, last.end}, ",");
      add({comments, comments}, new_line(margin) + part);
    }
  }
  /// Returns true if comments and then the end of the line follow a position.
  [[nodiscard]] bool ends_line_with_comment(std::size_t from) const noexcept {
    bool to_line_end = false;
    const std::size_t comments = in_.skip_comments_of_line(from, to_line_end);
    const std::size_t after = in_.skip_blanks(comments);
    return comments != from && (to_line_end || in_.skip_line_end(after) != after);
  }

  /// Erases the part and the comma after it.
  void erase_with_comma(std::size_t comma) {
    const extent part = at_.part;
    if (!in_.is_space({part.end, comma})) { // a comment
      add(part);
      add({comma, comma + 1});
      return;
    }
    const std::size_t after = in_.skip_blanks(comma + 1);
    const std::size_t next_line = in_.skip_line_end(after);
    if (in_.begins_line(part.begin)) {
      if (next_line != after) add({in_.line_begin(part.begin), next_line});
      else add({part.begin, after});
      return;
    }
    if (next_line == after && in_.at(after) != '}' && in_.at(after) != ']') {
      add({part.begin, after});
      return;
    }
    std::size_t begin = part.begin; // the last part of its line
    if (at_.previous_end != npos) {
      while (is_blank(in_.at(begin - 1))) --begin;
    }
    add({begin, comma + 1});
  }

  /// Erases the last part and the comma before it.
  void erase_last(std::size_t comma) {
    const extent part = at_.part;
    if (in_.is_space({at_.previous_end, comma}) && in_.is_space({comma + 1, part.begin})) {
      add({at_.previous_end, part.end});
      return;
    }
    add({comma, comma + 1});
    erase_part(part);
  }

  void erase_only() {
    const extent inside{at_.around.open + 1, at_.close};
    if (in_.is_space({inside.begin, at_.part.begin}) && in_.is_space({at_.part.end, inside.end})) add(inside);
    else erase_part(at_.part);
  }

  /// Erases a part, but not the comments around the part. Erases the whole line if it contains
  /// nothing else.
  void erase_part(extent part) {
    const std::size_t after = in_.skip_blanks(part.end);
    const std::size_t next_line = in_.skip_line_end(after);
    if (in_.begins_line(part.begin) && next_line != after) add({in_.line_begin(part.begin), next_line});
    else add(part);
  }

  characters in_;
  target at_;
  std::vector<splice> splices_;
};

[[nodiscard]] read_options reading(const edit_options& options) noexcept {
  return {.comments = options.comments,
          .trailing_commas = options.trailing_commas,
          .max_depth = options.max_depth,
          .max_bytes = options.max_bytes,
          .progress = options.progress};
}

[[nodiscard]] result<std::vector<splice>> splices_of_edit(std::string_view text, std::string_view pointer,
                                                          const void* value, value_to_text write,
                                                          const edit_options& options) {
  search found(text, reading(options));
  if (!found.run(pointer, true)) return fail(found.why());
  write_options writing = options.writing;
  writing.indent = 0;
  // `search` has opened `found.steps()` containers within the maximum depth, so the difference is
  // not negative.
  const std::uint32_t depth_left = options.max_depth - static_cast<std::uint32_t>(found.steps());
  writing.max_depth = std::min(writing.max_depth, depth_left);
  const result<std::string> put = write(value, writing);
  if (!put) return fail(found.with_path(put.error()));
  std::string name;
  if (!found.found().exists && found.found().around.is_object) {
    if (const auto written = write_to(name, found.last_name(), options.writing); !written)
      return fail(found.with_path(written.error()));
  }
  return editor(text, found.found()).put(*put, name);
}

[[nodiscard]] result<std::vector<splice>> splices_of_erase(std::string_view text, std::string_view pointer,
                                                           const edit_options& options) {
  search found(text, reading(options));
  if (!found.run(pointer, false)) return fail(found.why());
  if (found.found().is_root)
    return fail(error{errc::invalid_value}.with_expected("the path of a member or an element"));
  return editor(text, found.found()).erase();
}

[[nodiscard]] std::string spliced(std::string_view text, const std::vector<splice>& splices) {
  std::size_t size = text.size();
  for (const splice& each : splices) size += each.in.size();
  std::string out;
  out.reserve(size);
  std::size_t done = 0;
  for (const splice& each : splices) {
    out += text.substr(done, each.out.begin - done);
    out += each.in;
    done = each.out.end;
  }
  return out += text.substr(done);
}

void splice_in_place(std::string& text, const std::vector<splice>& splices) {
  std::size_t size = text.size();
  for (const splice& each : splices) size += each.in.size();
  // Without memory, `reserve` throws before any change. `replace` then allocates nothing.
  if (size > text.capacity()) text.reserve(std::max(size, text.capacity() + text.capacity() / 2));
  for (std::size_t i = splices.size(); i != 0; --i) {
    const splice& each = splices[i - 1];
    text.replace(each.out.begin, each.out.end - each.out.begin, each.in);
  }
}

}} // namespace editing

result<std::string> edit(std::string_view text, std::string_view pointer, const void* value,
                         value_to_text write, const edit_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<std::string> {
    const auto splices = editing::splices_of_edit(text, pointer, value, write, options);
    if (!splices) return fail(splices.error());
    return editing::spliced(text, *splices);
  });
}

result<void> edit_in_place(std::string& text, std::string_view pointer, const void* value,
                           value_to_text write, const edit_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<void> {
    const auto splices = editing::splices_of_edit(text, pointer, value, write, options);
    if (!splices) return fail(splices.error());
    editing::splice_in_place(text, *splices);
    return {};
  });
}

} // namespace detail

result<std::string> erase(std::string_view text, std::string_view pointer, const edit_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<std::string> {
    const auto splices = detail::editing::splices_of_erase(text, pointer, options);
    if (!splices) return fail(splices.error());
    return detail::editing::spliced(text, *splices);
  });
}

result<void> erase_in_place(std::string& text, std::string_view pointer, const edit_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<void> {
    const auto splices = detail::editing::splices_of_erase(text, pointer, options);
    if (!splices) return fail(splices.error());
    detail::editing::splice_in_place(text, *splices);
    return {};
  });
}

}}} // namespace ingot::INGOT_V1::json
