// SPDX-License-Identifier: Apache-2.0
// Lookups of a dynamic_value by path and by link, and the paths of errors.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/found_number.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/detail/meaning.hpp>
#include <ingot/document/detail/position_name.hpp>
#include <ingot/dynamic/detail/value_name.hpp>
#include <ingot/dynamic/value.hpp>
#include <ingot/reflect/detail/range_text.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

inline dynamic_value dynamic_value::get(const dynamic_value& link) const noexcept {
  if (kind() != dynamic_kind::pool || link.kind() != dynamic_kind::ref) return {};
  const auto index = link[std::size_t{0}].value_or(std::uint64_t{0});
  const auto generation = link[std::size_t{1}].value_or(std::uint64_t{0});
  const auto& object = in_->in->part_type(type(), 0);
  const auto shape = detail::dyn::pool_of(object);
  if (generation % 2 == 0 || index >= in_->count(position_)) return {};
  const std::uint64_t slot = in_->target(position_) + shape.head + index * shape.stride;
  if (in_->load<std::uint32_t>(slot + shape.generation) != generation) return {};
  return {in_, part_index(), slot};
}

inline dynamic_value::dynamic_value(const detail::dyn::absent_path& wanted) noexcept {
  const auto& words = wanted.words();
  static_assert(sizeof words == sizeof type_ + sizeof more_ + sizeof position_);
  std::memcpy(&type_, words.data(), sizeof type_);
  std::memcpy(&more_, words.data() + sizeof type_, sizeof more_);
  std::memcpy(&position_, words.data() + sizeof type_ + sizeof more_, sizeof position_);
}
/// Returns the path of an absent value. For a value that exists, returns an empty path, with which
/// a lookup below this value begins.
inline detail::dyn::absent_path dynamic_value::path_below() const noexcept {
  if (in_ != nullptr) return detail::dyn::absent_path(!detail::dyn::is_same_spot(here(), in_->root));
  std::array<char, detail::dyn::absent_path::max_size + 1> words{};
  std::memcpy(words.data(), &type_, sizeof type_);
  std::memcpy(words.data() + sizeof type_, &more_, sizeof more_);
  std::memcpy(words.data() + sizeof type_ + sizeof more_, &position_, sizeof position_);
  return detail::dyn::absent_path::of_words(words);
}
INGOT_NOINLINE inline dynamic_value dynamic_value::absent_member(std::string_view name) const noexcept {
  detail::dyn::absent_path wanted = path_below();
  wanted.add_member(name);
  return dynamic_value(wanted);
}
/// Returns a member of a message. A message may leave out a member that has its default.
INGOT_NOINLINE inline dynamic_value dynamic_value::member_of_message(std::size_t i,
                                                                     std::string_view name) const noexcept {
  const dynamic_value found = part_of_message(i);
  return found.exists() ? found : absent_member(name);
}
INGOT_NOINLINE inline dynamic_value dynamic_value::absent_key(std::string_view key) const noexcept {
  detail::dyn::absent_path wanted = path_below();
  wanted.add_key(key);
  return dynamic_value(wanted);
}
INGOT_NOINLINE inline dynamic_value dynamic_value::absent_element(std::size_t index) const noexcept {
  detail::dyn::absent_path wanted = path_below();
  wanted.add_element(index);
  return dynamic_value(wanted);
}
INGOT_COLD inline error dynamic_value::beyond(std::size_t size, bool is_signed) const noexcept {
  error err{errc::out_of_range, position()};
  err.with_expected(detail::integer_range_text(size, is_signed).view());
  if (kind() == dynamic_kind::floating) detail::found_number(err, real());
  else err.with_found(detail::number_text(number(), type().has(detail::dyn::is_signed)).view());
  return err;
}
INGOT_COLD inline void dynamic_value::name(error& err) const noexcept {
  if (in_ != nullptr) detail::dyn::path_search(*in_, here()).name(err);
  else path_below().name(err);
}

INGOT_NOINLINE inline dynamic_value dynamic_value::absent_at(std::string_view path) const noexcept {
  detail::dyn::absent_path wanted = path_below();
  if (in_ == nullptr) wanted.add_member(path);
  else wanted.add_path(path);
  return dynamic_value(wanted);
}

inline dynamic_value dynamic_value::at(std::string_view path) const noexcept {
  const std::string_view whole = path;
  dynamic_value here = *this;
  for (bool first = true; !path.empty(); first = false) {
    here = detail::dyn::through(here);
    if (path.front() == '[') {
      const bool quoted = path.starts_with("[\"");
      const std::size_t end = quoted ? path.find("\"]", 2) : path.find(']');
      if (end == std::string_view::npos) return absent_at(whole);
      const std::string_view inside = quoted ? path.substr(2, end - 2) : path.substr(1, end - 1);
      path.remove_prefix(end + (quoted ? 2 : 1));
      if (quoted) {
        here = here.find_spelled(inside);
      } else {
        std::uint64_t index = 0;
        if (!is_number(inside, index) || index > std::numeric_limits<std::size_t>::max())
          return absent_at(whole);
        here = here[static_cast<std::size_t>(index)];
      }
    } else {
      if (!first) {
        if (path.front() != '.') return absent_at(whole);
        path.remove_prefix(1);
      }
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty()) return absent_at(whole);
      path.remove_prefix(name.size());
      here = here.member(name);
    }
    if (!here.exists()) return absent_at(whole);
  }
  return here;
}

}} // namespace ingot::INGOT_V1
