// SPDX-License-Identifier: Apache-2.0
// Reads texts of earlier versions of a record. Such a text has former names of members, or the
// version of the `previous` type or an older version.
#include "record_reader.hpp"
#include "same_text.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

std::size_t record_reader::member_formerly(std::string_view key) const noexcept {
  for (const former_key& former : table_.former) {
    if (same_text(former.name, key)) return former.member;
  }
  return table_.members.size();
}

/// Describes, for an error, the second key of member `i` in an object. The second key is at
/// `offset`. One of the two keys may be a former name.
std::string record_reader::repeated_key(std::size_t i, std::size_t offset) const {
  const std::string_view name = table_.members[i].name;
  const auto former_at = [&](std::size_t at) {
    const std::string_view rest = reader_.text().substr(at + 1);
    for (const former_key& former : table_.former) {
      if (former.member == i && rest.starts_with(former.name) &&
          rest.substr(former.name.size()).starts_with('"'))
        return former.name;
    }
    return std::string_view();
  };
  const auto quoted = [](std::string_view text) { return '"' + std::string(text) + '"'; };
  if (const std::string_view former = former_at(offset); !former.empty())
    return "the key " + quoted(former) + ", a former name of " + quoted(name);
  std::uint32_t nested = 0;
  for (const std::uint32_t* token = reader_.at_ - 1;; --token) { // the object's '{' ends the search
    const char first = reader_.text()[*token];
    if (first == '}' || first == ']') ++nested;
    if (first == '{' || first == '[') {
      if (nested == 0) break;
      --nested;
    }
    if (nested != 0 || first != '"' || *token >= offset || reader_.text()[token[1]] != ':') continue;
    if (const std::string_view former = former_at(*token); !former.empty())
      return "the key " + quoted(name) + " after its former name " + quoted(former);
  }
  return "the key " + quoted(name) + " again";
}

/// Pairs keys with members by the rule that packed bytes and documents also have:
/// - A member takes the key of its name.
/// - A member without such a key takes the first key that is one of its former names and that no
///   other member has taken.
/// - If other members have taken all these keys, the member takes the first of these keys that
///   another member took as its present name. The other member then takes a key that is one of its
///   own former names.
bool record_reader::pair_keys(std::vector<std::string_view>& keys) {
  const std::size_t count = table_.members.size();
  std::vector<bool> has_former(table_.former.size());
  const auto start = reader_.here();
  const std::uint32_t depth = reader_.depth_;
  step next = reader_.open_object();
  while (next == step::value) {
    std::string_view key;
    if (!reader_.key(key)) return false;
    const std::size_t i = member_called(key, 0);
    if (i != count) keys[i] = table_.members[i].name;
    for (std::size_t f = 0; f < has_former.size(); ++f) {
      if (same_text(table_.former[f].name, key)) has_former[f] = true;
    }
    if (!reader_.skip()) return false;
    next = reader_.next_key();
  }
  if (next == step::error) return false;
  reader_.back_to(start);
  reader_.depth_ = depth;

  std::vector<std::size_t> pending;
  for (std::size_t i = 0; i < count; ++i) {
    if (keys[i].data() == nullptr && !table_.members[i].skipped) pending.push_back(i);
  }
  // The former names form no cycle, so each member gives up its key at most once.
  for (std::size_t n = 0; n < pending.size() && n <= 2 * count; ++n) {
    const std::size_t i = pending[n];
    std::size_t holder = count;
    for (std::size_t f = 0; f < has_former.size() && keys[i].data() == nullptr; ++f) {
      const former_key& former = table_.former[f];
      if (former.member != i || !has_former[f]) continue;
      std::size_t j = 0;
      while (j < count && (keys[j].data() == nullptr || !same_text(keys[j], former.name))) ++j;
      if (j == count) keys[i] = former.name;
      else if (holder == count && same_text(table_.members[j].name, former.name)) holder = j;
    }
    if (keys[i].data() != nullptr || holder == count) continue;
    keys[i] = std::exchange(keys[holder], {});
    pending.push_back(holder);
  }
  return true;
}

bool record_reader::by_former_names() {
  const std::size_t count = table_.members.size();
  const std::size_t start = reader_.offset();
  std::vector<std::string_view> keys(count);
  if (!pair_keys(keys)) return false;
  step next = reader_.open_object();
  while (next == step::value) {
    const std::size_t where = reader_.offset();
    std::string_view key;
    if (!reader_.key(key)) return false;
    std::size_t i = 0;
    while (i < count && (keys[i].data() == nullptr || !same_text(keys[i], key))) ++i;
    if (i == count) i = member_formerly(key);
    const bool good = i == count ? unknown(where, key) : read_entry(i, where);
    if (!good) return false;
    next = reader_.next_key();
  }
  if (next == step::error) return false;
  for (std::size_t word = 0; word * 64 < count; ++word) {
    if (absent(word) != 0) return missing(start);
  }
  return true;
}

/// Returns the number at the cursor. If the value at the cursor is not the number of a version,
/// returns a number that is greater than every version. The reader of the current version then
/// reports the error.
std::uint64_t record_reader::number_here() const noexcept {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  const std::string_view rest = reader_.text().substr(reader_.offset());
  std::uint64_t number = 0;
  std::size_t i = 0;
  for (; i < rest.size() && rest[i] >= '0' && rest[i] <= '9'; ++i) {
    number = 10 * number + static_cast<std::uint64_t>(rest[i] - '0');
    if (number > std::numeric_limits<std::uint32_t>::max()) return none;
  }
  const bool is_integer =
      i != 0 && (i == rest.size() || (rest[i] != '.' && rest[i] != 'e' && rest[i] != 'E'));
  return is_integer ? number : none;
}

bool record_reader::is_earlier(bool& earlier) {
  const std::string_view name = table_.version_is_member ? table_.members[0].name : version_key;
  const auto start = reader_.here();
  const std::uint32_t depth = reader_.depth_;
  bool found = false;
  std::uint64_t number = 0;
  step next = reader_.open_object();
  while (next == step::value) {
    std::string_view key;
    if (!reader_.key(key)) return false;
    if (same_text(key, name)) {
      found = true;
      number = number_here();
      break;
    }
    if (!reader_.skip()) return false;
    next = reader_.next_key();
  }
  if (next == step::error) return false;
  reader_.back_to(start);
  reader_.depth_ = depth;
  // A text without a version number has version 0. If missing keys are allowed, such a text is not
  // an earlier version.
  earlier = number <= table_.previous && (found || reader_.options().missing_keys == missing_keys::error);
  for (const upgrade& each : table_.upgrades) {
    if (each.from >= number && each.from <= table_.previous) earlier = false;
  }
  return true;
}

bool find_earlier(text_reader& reader, const record_reader_table& table, bool& earlier) {
  return record_reader(reader, table, {}, nullptr, table.version).is_earlier(earlier);
}

}}} // namespace ingot::INGOT_V1::json::detail
