// SPDX-License-Identifier: Apache-2.0
// The document of a long text gets large pages, if the system has any, and keeps none that it does
// not use.
#include <ingot/json/document.hpp>

#include <gtest/gtest.h>

#if defined(__linux__) && !INGOT_SANITIZED // sanitizers need pages for each access of the program

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace json_document_pages_test {

namespace json = ingot::json;

constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Returns the bytes of the program's memory that are in large pages.
[[nodiscard]] std::size_t bytes_in_large_pages() {
  std::ifstream all("/proc/self/smaps_rollup");
  for (std::string line; std::getline(all, line);) {
    constexpr std::string_view name = "AnonHugePages:";
    if (line.starts_with(name)) return std::stoul(line.substr(name.size())) * 1024;
  }
  return 0;
}

/// Returns true if memory gets large pages on request.
[[nodiscard]] bool has_large_pages() {
  bool has_pages = false;
#if defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
  const std::size_t size = 4 * large_page;
  void* const all = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return false; // NOLINT(performance-no-int-to-ptr)
  const std::size_t before = bytes_in_large_pages();
  has_pages = ::madvise(all, size, MADV_HUGEPAGE) == 0 && ::madvise(all, size, MADV_POPULATE_WRITE) == 0 &&
              bytes_in_large_pages() > before;
  ::munmap(all, size);
#endif
  return has_pages;
}

[[nodiscard]] std::string text_of(std::size_t bytes) {
  std::string text = "[";
  for (std::uint32_t i = 0; text.size() < bytes; ++i) {
    text += R"({"number":)";
    text += std::to_string(i * 0x9E3779B1u);
    text += R"(,"name":"any"},)";
  }
  text.back() = ']';
  return text;
}

/// Returns the number of resident pages that are entirely between two addresses.
[[nodiscard]] std::size_t pages_between(std::uintptr_t first, std::uintptr_t last) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  std::size_t found = 0;
  for (first = (first + page - 1) / page * page; first + page <= last; first += page) {
    unsigned char there = 0;                            // fails for unmapped addresses
    auto* const start = reinterpret_cast<void*>(first); // NOLINT(performance-no-int-to-ptr)
    found += ::mincore(start, page, &there) == 0 && (there & 1) != 0;
  }
  return found;
}

struct memory_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};
[[nodiscard]] memory_range range_of(const ingot::document& doc) {
  const auto bytes = doc.bytes();
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  return {begin, begin + bytes.size()};
}

TEST(json_document_pages, a_long_texts_document_is_in_large_pages) {
  if (!has_large_pages()) GTEST_SKIP() << "this system has no large pages to give";
  // the index of a longer text also requests large pages
  const std::string text = text_of(7 * mebibyte);
  const std::size_t before = bytes_in_large_pages();
  const auto read = json::read_document(text);
  ASSERT_TRUE(read);
  ASSERT_GT(read->bytes().size(), 2 * large_page);
  EXPECT_GE(bytes_in_large_pages() - before, read->bytes().size() / 2);
}

TEST(json_document_pages, of_a_large_page_nothing_stays_that_the_document_does_not_use) {
  // freed memory consists of whole pages, whose size depends on the system
  constexpr std::uintptr_t slack = 65536;
  for (const std::size_t size : {mebibyte + 10'000, 3 * mebibyte, 5 * mebibyte, 9 * mebibyte}) {
    const auto read = json::read_document(text_of(size));
    ASSERT_TRUE(read);
    const memory_range doc = range_of(*read);
    EXPECT_EQ(pages_between(doc.end + slack, doc.end + slack + large_page), 0U) << size << " bytes, after";
    // Before the document is the allocator's bitmap, one bit for eight bytes.
    const std::uintptr_t known = doc.begin - (doc.end - doc.begin) / 64 - 2 * slack;
    EXPECT_EQ(pages_between(known - large_page / 2, known), 0U) << size << " bytes, before";
  }
}

TEST(json_document_pages, a_long_document_that_ends_keeps_no_page) {
  for (const std::size_t size : {mebibyte + 10'000, 3 * mebibyte, 9 * mebibyte}) {
    std::optional<ingot::document> doc;
    {
      auto read = json::read_document(text_of(size));
      ASSERT_TRUE(read);
      doc.emplace(std::move(*read));
    }
    const memory_range was = range_of(*doc);
    ASSERT_NE(pages_between(was.begin, was.end), 0U);
    doc.reset();
    EXPECT_EQ(pages_between(was.begin, was.end), 0U) << size;
  }
}

TEST(json_document_pages, a_document_in_pages_that_were_used_before_is_the_same) {
  // Each document uses the memory of an earlier one, which had another length.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const bool sampled = std::getenv("INGOT_TEST_SAMPLED") != nullptr;
  for (int round = 0; round < (sampled ? 1 : 3); ++round) {
    for (const std::size_t size : {5 * mebibyte, 2 * mebibyte, 6 * mebibyte, mebibyte + 1}) {
      const std::string text = text_of(size);
      const auto read = json::read_document(text);
      ASSERT_TRUE(read);
      ASSERT_TRUE(ingot::document::open(read->bytes()));
      ASSERT_EQ(json::write(*read, {.key_order = json::key_order::sorted}).value().size(), text.size());
    }
  }
}

} // namespace json_document_pages_test

#endif
