// SPDX-License-Identifier: Apache-2.0
// Forged patches with correct fingerprints: only validation of the result protects
// against them.
#pragma once

#include <ingot/document/changes.hpp>
#include <ingot/document/detail/document_validator.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace document_test {

/// Returns `body` as the units of a patch to `base`, with a header that matches both. If the result
/// would be no document, the fingerprint in the header is not adapted.
[[nodiscard]] inline std::vector<std::byte> forge(const ingot::document& base, ingot::bytes_view body,
                                                  std::uint32_t used, std::uint32_t root) {
  namespace doc = ingot::detail::doc;
  auto snapshot = ingot::document_snapshot::of(base);
  const ingot::buffer nothing_changed = snapshot ? snapshot->changes(base).value() : ingot::buffer();
  std::vector<std::byte> patch(nothing_changed.begin(), nothing_changed.end());
  if (patch.empty()) return patch;
  patch.insert(patch.end(), body.begin(), body.end());
  auto header = doc::patch_header::read(patch).value();
  header.used = used;
  header.root = root;
  header.write(patch.data());

  const std::size_t words = used / 512 + 1;
  std::vector<std::byte> bytes(used);
  std::vector<std::uint64_t> claims(words);
  const auto was = base.bytes();
  std::memcpy(bytes.data(), was.data(), std::min<std::size_t>(used, was.size()));
  doc::document_header head;
  head.used = used;
  head.root = root;
  std::memcpy(bytes.data(), &head, sizeof head);
  ingot::detail::progress_poll nobody;
  if (!doc::write_units(patch, bytes.data(), used, nobody)) return patch;
  doc::document_validator validator(bytes.data(), used, claims.data() + words);
  if (!validator.validate()) return patch;
  header.to = doc::fingerprint_of(bytes.data(), {claims.data() + words, used / 8}, root, nobody);
  header.write(patch.data());
  return patch;
}

} // namespace document_test
