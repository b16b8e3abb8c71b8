// SPDX-License-Identifier: Apache-2.0
#include "render.hpp"

#include "path.hpp"
#include "text.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

namespace {

/// Returns a short list of scalars as one line; nothing for other values.
[[nodiscard]] std::optional<std::string> on_one_line(const node& of, std::size_t max_size) {
  if (of.form() != node_form::elements || of.size() > 32) return {};
  std::string out = "[";
  for (parts at(of); !at.done(); at.next()) {
    const node value = (*at).value;
    if (value.form() != node_form::scalar || value.alternative()) return {};
    if (out.size() > 1) out += ", ";
    out += value.scalar(max_size);
    if (out.size() > 80) return {};
  }
  return out += ']';
}

class renderer {
public:
  renderer(output& to, const render_limits& limits) : to_(to), limits_(limits) {}

  void render(std::string_view name, const node& value) {
    line(printable(name), value);
    while (!stack_.empty()) step();
  }

private:
  struct frame {
    node parent;
    parts at;
    std::size_t left; ///< parts that may still be shown
    std::size_t total;
  };

  void indent() { to_ << std::string(2 * stack_.size(), ' '); }

  void line(const std::string& name, const node& value) {
    indent();
    if (!name.empty()) to_.put(paint::name, name) << ": ";
    if (const auto which = value.alternative()) to_.put(paint::note, "(" + std::to_string(*which) + ") ");
    if (value.form() == node_form::scalar) {
      to_.put(value.colour(), value.scalar(limits_.text_bytes)) << "\n";
      return;
    }
    if (const auto whole = on_one_line(value, limits_.text_bytes)) {
      to_.put(paint::number, *whole) << "\n";
      return;
    }
    to_.put(paint::type, value.type());
    const std::size_t size = value.size();
    if (value.form() != node_form::members || size == 0) {
      to_.put(paint::note, " of " + grouped(size));
    }
    if (size != 0 && stack_.size() >= limits_.depth) {
      to_.put(paint::note, value.form() == node_form::members ? ", " + counted(size, "member") : "") << "\n";
      return;
    }
    to_ << "\n";
    if (size != 0) stack_.push_back({value, parts(value), limits_.parts, size});
  }

  void step() {
    frame& here = stack_.back();
    if (here.at.done()) {
      stack_.pop_back();
      return;
    }
    if (here.left-- == 0) {
      indent();
      to_.put(paint::note, "... " + grouped(here.total - limits_.parts) + " more") << "\n";
      stack_.pop_back();
      return;
    }
    const part next = *here.at;
    const std::string name = label(here.parent, next);
    here.at.next(); // called before `line` adds a frame, because `line` may move this frame
    line(name, next.value);
  }

  /// Returns the step to a part in the form of a path.
  [[nodiscard]] static std::string label(const node& parent, const part& of) {
    std::string text = path_of({}, parent, of);
    // If the key can't be written in a path, `text` has the index of the part instead. The key is
    // then shown after the index. A long key is cut.
    if (parent.form() == node_form::entries && !text.starts_with("[\"")) {
      const std::string key = of.key.form() == node_form::scalar ? of.key.scalar(80) : of.key.json(0);
      text += ' ' + std::string(beginning(key, 120));
    }
    return text;
  }

  output& to_;
  render_limits limits_;
  std::vector<frame> stack_;
};

} // namespace

void render(output& to, std::string_view name, const node& value, const render_limits& limits) {
  renderer(to, limits).render(name, value);
}

} // namespace tool
