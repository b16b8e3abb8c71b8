// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/events.hpp.
#pragma once

#include <ingot/document/detail/events.hpp>
#include <ingot/document/detail/nodes.hpp>

#include <array>
#include <cstddef>

namespace ingot { inline namespace INGOT_V1 {

bool document_events::end() noexcept {
  if (!good()) return false;
  const bool is_small = values_.size() - first_ < detail::growth_poll::often;
  detail::growth_poll each(is_small ? nullptr : in_->filling());
  return end_polling(each);
}
bool document_events::end_polling(detail::progress_poll& each) noexcept {
  using detail::doc::outcome;
  if (!good()) return false;
  if (open_.empty()) return reject("no end without an open container");
  if (inner_ == value_kind::object && awaits_value()) return reject("a value");
  std::array<std::byte, detail::doc::packed_bytes + 2> storage;
  item container;
  const outcome o = values_.make(*in_, inner_, first_, policy_, storage, container, repeated_, each);
  if (o != outcome::done) return stop(o == outcome::exists ? errc::duplicate_key : errc::no_space);
  const open_container ended = open_.pop();
  values_.forget(ended.first, ended.bytes);
  if (open_.empty()) {
    inner_ = value_kind::absent;
    first_ = 0;
  } else {
    inner_ = open_[open_.size() - 1].kind;
    first_ = open_[open_.size() - 1].first;
  }
  if (add(container)) return true;
  detail::doc::release_owned(*in_, container);
  return false;
}

error document_events::why() const {
  error err(static_cast<errc>(failure_));
  switch (err.code()) {
  case errc::duplicate_key:
    err.with_expected(detail::doc::expected_new_key);
    if (repeated_ != detail::doc::npos) err.with_found(values_.key(first_ + repeated_));
    break;
  case errc::no_space: err.with_expected("free space in the document"); break;
  case errc::no_memory: err.with_expected("memory for unfinished containers"); break;
  case errc::too_much_memory: err.with_expected(detail::within_memory); break;
  case errc::too_deep: err.with_expected("no more levels than the limit allows"); break;
  case errc::invalid_value: err.with_expected(expected_); break;
  default: break;
  }
  return err;
}

error document_events::why_here() const {
  error err = why();
  if (err.code() == errc::no_memory) return err;
  if (err.code() == errc::duplicate_key && repeated_ != detail::doc::npos)
    err.in_member(values_.key(first_ + repeated_));
  for (std::size_t level = open_.size(), end = values_.size(); level > 0; --level) {
    const open_container& in = open_[level - 1];
    const bool is_outer = level != open_.size();
    if (in.kind == value_kind::array) {
      if (is_outer || err.code() != errc::duplicate_key) err.in_element(end - in.first);
    } else if (end != in.first && (is_outer || values_[end - 1].kind == value_kind::absent)) {
      err.in_member(values_.key(end - 1));
    }
    end = in.first;
  }
  return err;
}

}} // namespace ingot::INGOT_V1
