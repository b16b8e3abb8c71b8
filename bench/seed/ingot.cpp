// SPDX-License-Identifier: Apache-2.0
// The result of the steps: a document, which has its index in its bytes. `ingot` validates the
// bytes and copies them for editing. `ingot-peek` reads the bytes in place without validation, and
// checks every step.
#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>

#include "workload.hpp"

#include <map>

namespace bench {
namespace {

std::vector<std::byte> document_of(const std::vector<seed_entry>& entries) {
  std::map<std::string, std::int64_t> all;
  for (const auto& [key, value] : entries) all.emplace(key, value);
  ingot::document filled;
  filled = all;
  filled.compact();
  return {filled.bytes().begin(), filled.bytes().end()};
}

class in_document {
public:
  void open(const std::vector<std::byte>& bytes) { document_ = ingot::document::open(bytes).value(); }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    return document_.root().find(key).value_or(std::int64_t{-1});
  }

private:
  ingot::document document_;
};

class in_peek {
public:
  void open(const std::vector<std::byte>& bytes) { bytes_ = bytes; }
  [[nodiscard]] std::int64_t find(std::string_view key) const {
    const auto seen = ingot::document_peek::over(bytes_);
    return seen ? seen->find(key).value_or(std::int64_t{-1}) : -1;
  }

private:
  ingot::bytes_view bytes_;
};

/// An array of texts; the document allocates them.
class in_array {
public:
  void load(const std::vector<std::string>& texts) {
    document_ = texts;
    document_.compact();
  }
  void set(std::size_t which, std::string_view text) {
    const auto done = document_.root()[which].set(text);
    if (!done) std::abort();
  }
  [[nodiscard]] std::string_view get(std::size_t which) const {
    return document_.root()[which].value_or(std::string_view{});
  }
  [[nodiscard]] std::size_t bytes() const { return document_.bytes().size(); }

private:
  ingot::document document_;
};

} // namespace

void enter_search_ingot(suite& all) {
  enter_search<in_document>(all, "ingot", document_of);
  enter_search<in_peek>(all, "ingot-peek", document_of);
}
void enter_space_ingot(suite& all) { enter_space<in_array>(all, "ingot"); }

} // namespace bench
