// SPDX-License-Identifier: Apache-2.0
// ingot: plain structs, and documents. Texts are written into a string that is reused.
#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>
#include <ingot/json/json.hpp>

#include "strings.hpp"
#include "workload.hpp"

namespace bench {
namespace {

class ingot_structs {
public:
  template <class T>
  bool read(const std::string& text, T& out) const {
    return ingot::json::read_into(out, text).has_value();
  }
  template <class T>
  std::string_view write(const T& value) {
    text_.clear();
    keep(ingot::json::write_to(text_, value).has_value());
    return text_;
  }

private:
  std::string text_;
};

class ingot_documents {
public:
  ingot::result<ingot::document> read(const std::string& text) const {
    return ingot::json::read_document(text);
  }
  std::string_view write(const ingot::result<ingot::document>& from) {
    text_.clear();
    keep(ingot::json::write_to(text_, *from).has_value());
    return text_;
  }

private:
  std::string text_;
};

} // namespace

void enter_text_ingot(suite& all) {
  enter_text<ingot_structs>(all, "ingot-json");
  enter_documents<ingot_documents>(all, "ingot-json");
  enter_twitter<ingot_documents>(all, "ingot-json");
  enter_edit(all, "ingot-json", [](const std::string& text) {
    return ingot::json::edit(text, edited_path, std::string_view(edited_name)).value_or("");
  });
  enter_strings<ingot_structs>(all, "ingot-json");
  enter_wide_strings<ingot_documents>(all, "ingot-json");
}

} // namespace bench
