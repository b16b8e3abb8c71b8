// SPDX-License-Identifier: Apache-2.0
// Reads records. Keys may be in any order; a record reader finds the member of each key.
#include "record_reader.hpp"

#include "escape.hpp"
#include "number.hpp"
#include "plain_value.hpp"
#include "same_text.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

[[nodiscard]] bool has_bit(const std::uint64_t* bits, std::size_t i) noexcept {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}
void set_bit(std::uint64_t* bits, std::size_t i) noexcept { bits[i / 64] |= std::uint64_t{1} << i % 64; }

/// Maximum number of consecutive absent members that are skipped in the search for the member of
/// the next key.
constexpr std::size_t max_absent = 8;

/// Returns `one of a, b, c`, with as many names as an error message has space for.
[[nodiscard]] std::string names_of(const record_reader_table& table) {
  std::string text;
  for (const member_reader& member : table.members) {
    if (member.skipped) continue;
    if (text.size() > 80) break;
    text.append(text.empty() ? "one of " : ", ").append(member.name);
  }
  return text.empty() ? "no key" : text;
}

} // namespace

INGOT_NOINLINE bool record_reader::versioned() {
  if (!find_version()) return false;
  if (text_version_ < table_.version) return read_upgraded(*this, reader_, table_, text_version_);
  return current();
}

INGOT_NOINLINE bool record_reader::special() { return table_.version != 0 ? versioned() : current(); }

bool record_reader::current() {
  if (table_.reuses_names) return by_former_names();
  return record_reader::read(reader_, table_, to_, many_, text_version_);
}

bool record_reader::find_version() {
  const std::string_view name = table_.version_is_member ? table_.members[0].name : version_key;
  const auto start = reader_.here();
  const std::size_t where = reader_.offset();
  const std::uint32_t depth = reader_.depth_;
  bool found = false;
  step next = reader_.open_object();
  while (next == step::value) {
    std::string_view key;
    if (!reader_.key(key)) return false;
    if (key == name) {
      const std::size_t at = reader_.offset();
      std::uint64_t number = 0;
      const bool is_number = reader_.natural(number, std::numeric_limits<std::uint32_t>::max());
      text_version_ = static_cast<std::uint32_t>(number);
      found = is_number;
      if (is_number && text_version_ <= table_.version && can_upgrade()) break;
      // An integer that needs more than 32 bits is reported as an unknown version, not as a wrong
      // type.
      const bool is_other_integer = !is_number && reader_.error().code() == errc::out_of_range;
      if (is_number || is_other_integer) {
        const bool is_later = is_number ? text_version_ > table_.version : reader_.text()[at] != '-';
        const std::string known = "version " + std::to_string(table_.version);
        (void)reader_.fail(errc::wrong_version, at,
                           is_later ? known + " or older" : known + ", or one that can be upgraded",
                           is_number ? std::to_string(number) : reader_.describe(at));
      }
      reader_.error().in_member(name);
      return false;
    }
    if (!reader_.skip()) return false;
    next = reader_.next_key();
  }
  if (next == step::error) return false;
  reader_.back_to(start);
  reader_.depth_ = depth;
  if (found) return true;
  text_version_ = 0;
  if (can_upgrade()) return true;
  text_version_ = table_.version;
  if (table_.version_is_member || reader_.options().missing_keys != missing_keys::error) return true;
  (void)reader_.fail(errc::missing_member, where, R"(the key "$version")");
  reader_.error().in_member(name);
  return false;
}

bool record_reader::can_upgrade() const noexcept {
  for (std::uint32_t v = text_version_; v < table_.version; ++v) {
    bool passable = false;
    for (const upgrade& step : table_.upgrades) passable |= step.from == v;
    for (const member_reader& member : table_.members) passable |= member.since == v + 1;
    passable |= !table_.former.empty() || (table_.previous != 0 && v > table_.previous);
    if (!passable) return false;
  }
  return true;
}

/// Writes the bytes of the number, because `long` and `long long` share a code, but are different
/// types for the compiler.
template <class T>
bool record_reader::natural(text_reader& reader, void* to) {
  using limits = std::numeric_limits<T>;
  std::uint64_t wide = 0;
  if (!quick_natural(reader.text_ + reader.offset(), reader.text_ + reader.size_, wide) ||
      wide > limits::max()) [[unlikely]] {
    if constexpr (std::is_signed_v<T>) {
      std::int64_t with_sign = 0;
      if (!reader.integer(with_sign, limits::min(), limits::max())) return false;
      wide = static_cast<std::uint64_t>(with_sign);
    } else {
      if (!reader.natural(wide, limits::max())) return false;
    }
  } else {
    ++reader.at_;
  }
  const auto value = static_cast<T>(wide);
  std::memcpy(to, &value, sizeof value);
  return true;
}

/// Returns true if the next key is exactly the member's name, directly followed by a colon.
INGOT_INLINE bool record_reader::is_next(const text_reader& reader, const member_reader& member) noexcept {
  // The position of the colon determines the length of the key. A plain name has no quote and no
  // backslash, so an equal key is the whole string and has no escapes.
  const std::uint32_t* const at = reader.at_;
  const std::size_t size = member.name.size();
  if (reader.last_ - at < 3 || at[1] != at[0] + size + 2 || !member.plain) return false;
  const char* const text = reader.text_;
  return text[at[1]] == ':' && text[at[0]] == '"' && same_text({text + at[0] + 1, size}, member.name);
}

/// Returns the index of the member of the next key. This member is `expected`, or one of the next
/// few members if the members before it are absent. Returns the number of members if none of these
/// has the key.
INGOT_NOINLINE std::size_t record_reader::soon_next(const text_reader& reader,
                                                    const record_reader_table& table,
                                                    std::size_t expected) noexcept {
  const std::size_t count = table.members.size();
  const std::size_t end = count - expected > max_absent ? expected + max_absent : count;
  for (std::size_t i = expected; i < end; ++i) {
    if (is_next(reader, table.members[i])) return i;
  }
  return count;
}

/// For each member of this type, returns the number of members that were absent directly before it
/// in the previous object.
INGOT_INLINE std::uint8_t* record_reader::absent_before(text_reader& reader,
                                                        const record_reader_table& table) noexcept {
  constexpr std::size_t count = std::extent_v<decltype(reader.absent_)>;
  auto& known = reader.absent_[reinterpret_cast<std::uintptr_t>(&table) / 32 % count];
  if (known.of != &table) [[unlikely]] {
    known.of = &table;
    std::memset(known.counts, 0, sizeof known.counts);
  }
  return known.counts;
}

/// Returns the end of a range of members that begins at `from`. Enough bytes before and after the
/// tokens of all these members can be read: see `text_reader::is_roomy`. Counts four tokens for
/// each member (key, colon, value and separator), as if no member were absent.
INGOT_INLINE std::size_t record_reader::roomy_members(const text_reader& reader,
                                                      const record_reader_table& table,
                                                      std::size_t from) noexcept {
  const std::size_t left = table.members.size() - from;
  const auto tokens = reader.roomy_end_ - reader.at_;
  const std::size_t more = tokens > 0 ? static_cast<std::size_t>(tokens) / 4 : 0;
  return from + (more < left ? more : left);
}

/// Returns the index of the member of the next key, if the members between `from` and this member
/// are absent. Otherwise returns the number of members. Sets `roomy` to the end of the range that
/// `roomy_members` returns for `from`.
INGOT_NOINLINE std::size_t record_reader::other_next(const text_reader& reader,
                                                     const record_reader_table& table, std::size_t from,
                                                     std::size_t& roomy) noexcept {
  const std::size_t count = table.members.size();
  roomy = roomy_members(reader, table, from);
  if (from >= roomy) return count;
  const char* const text = reader.text_ + *reader.at_;
  const std::size_t end = count - from > max_absent ? from + max_absent : count;
  for (std::size_t i = from; i < end; ++i) {
    if (begins_with(text, table.members[i])) return i;
  }
  return soon_next(reader, table, from);
}

/// Reads an object while its keys and values have the common form: the keys are in the order of the
/// members, and the token index alone determines where each key and value ends. This function is
/// fastest if the same members are absent as in the previous record. After a return of `value`, the
/// slow path continues at the reader's position, and `expected` is the member expected next. If
/// this position is the beginning of the object, nothing was consumed.
template <bool Numbers>
INGOT_INLINE step record_reader::plain_members(text_reader& reader, const record_reader_table& table,
                                               record_location to, std::uint64_t& all_came,
                                               std::size_t& expected) {
  const std::uint32_t* at = reader.at_;
  const char* const text = reader.text_;
  if (table.all == 0 || !reader.is_roomy(at) || text[*at] != '{' ||
      reader.depth_ >= reader.options_.max_depth) [[unlikely]]
    return step::value;
  const member_reader* const members = table.members.data();
  std::uint8_t* absent = absent_before(reader, table);
  asm("" : "+r"(absent)); // NOLINT(hicpp-no-assembler): no instruction; keeps one address
  std::size_t i = 0;      // only grows, so no member is read twice
  std::uint64_t came = 0;
  reader.at_ = ++at;
  ++reader.depth_;
  std::size_t roomy = roomy_members(reader, table, 0);
  while (true) {
    const std::size_t from = i;
    i += absent[from];
    if (i >= roomy || !begins_with(text + *at, members[i])) [[unlikely]] {
      reader.at_ = at;
      i = other_next(reader, table, from, roomy);
      if (i == table.members.size()) {
        expected = from;
        break;
      }
      absent[from] = static_cast<std::uint8_t>(i - from);
    }
    came |= std::uint64_t{1} << i;
    at += 2;
    const member_reader& member = members[i];
    void* const target = to.member(i);
    ++i;
    if (plain_value<Numbers>(text, at, member.quick, target)) [[likely]] {
      const char separator = text[at[1]];
      at += 2;
      if (separator == ',') [[likely]]
        continue;
      all_came = came;
      if (separator == '}') [[likely]] {
        reader.at_ = at;
        --reader.depth_;
        return step::end;
      }
      reader.at_ = at - 1;
      return reader.no_separator('}');
    }
    reader.at_ = at;
    const step next = value(reader, member, target) ? reader.next_key() : step::error;
    at = reader.at_;
    if (next == step::value) {
      roomy = roomy_members(reader, table, i);
      continue;
    }
    all_came = came;
    return next;
  }
  all_came = came;
  if (came == 0) { // no member was read: goes back to the beginning of the object
    --reader.depth_;
    --reader.at_;
  }
  return step::value;
}

template <bool Numbers>
INGOT_NOINLINE bool record_reader::read_quickly(text_reader& reader, const record_reader_table& table,
                                                record_location to, std::uint64_t* many,
                                                std::uint32_t text_version) {
  const std::uint32_t* const start = reader.at_;
  std::uint64_t came = 0;
  std::size_t expected = 0;
  const step next = plain_members<Numbers>(reader, table, to, came, expected);
  if (next == step::end) [[likely]] {
    const std::uint64_t gone = table.all & ~came;
    // Absent members of a new object are not visited if they are empty in every new object.
    // Visiting them took a thirtieth of the time for records with many such members.
    if (gone == 0 || ((gone & ~table.quiet) == 0 && table.starts_quiet && reader.fresh())) [[likely]]
      return true;
  }
  if (next == step::error) [[unlikely]]
    return false;
  record_reader record(reader, table, to, many, text_version);
  record.seen_[0] |= came;
  return record.rest(next, start, expected);
}

bool record_reader::read(text_reader& reader, const record_reader_table& table, record_location to,
                         std::uint64_t* many, std::uint32_t text_version) {
  if (table.has_numbers) return read_quickly<true>(reader, table, to, many, text_version);
  return read_quickly<false>(reader, table, to, many, text_version);
}

bool record_reader::missing(std::size_t offset) {
  if (reader_.options_.missing_keys == missing_keys::keep) return true;
  const std::uint64_t gone = absent(0), quiet = gone & table_.quiet;
  if (!table_.starts_quiet || !reader_.fresh()) {
    for (std::uint64_t bits = quiet; bits != 0; bits &= bits - 1) {
      void* const member = to_.member(static_cast<std::size_t>(std::countr_zero(bits)));
      static_cast<std::optional<std::string>*>(member)->reset();
    }
  }
  if (gone == quiet && table_.members.size() <= 64) return true;
  seen_[0] |= quiet;
  return missing_others(offset);
}

INGOT_NOINLINE bool record_reader::rest(step next, const std::uint32_t* start, std::size_t expected) {
  const std::size_t count = table_.members.size();
  const std::size_t offset = start == reader_.last_ ? reader_.size_ : *start;
  if (reader_.at_ == start) next = reader_.open_object();
  if (next == step::value) next = other_members(expected);
  if (next == step::error) [[unlikely]]
    return false;
  for (std::size_t word = 0; word * 64 < count; ++word) {
    if (absent(word) != 0) return missing(offset);
  }
  return true;
}

/// As `plain_members`, for any form of keys and values.
INGOT_NOINLINE step record_reader::other_members(std::size_t expected) {
  const std::size_t count = table_.members.size();
  step next = step::value;
  while (next == step::value) {
    if (expected == count) expected = 0;
    std::size_t i = expected;
    if (count != 0 && !is_next(reader_, table_.members[i])) i = soon_next(reader_, table_, expected);
    if (i != count && !has_bit(seen_, i)) [[likely]] {
      reader_.at_ += 2;
      set_bit(seen_, i);
      if (!value(reader_, table_.members[i], to_.member(i))) return step::error;
      expected = i + 1;
    } else if (!entry(expected)) {
      return step::error;
    }
    next = reader_.next_key();
  }
  return next;
}

std::size_t record_reader::member_called(std::string_view key, std::size_t expected) const noexcept {
  const auto members = table_.members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    // Keys usually have the order of the members, so the search starts after the member of the
    // previous key.
    const std::size_t at = expected + i < members.size() ? expected + i : expected + i - members.size();
    if (same_text(members[at].name, key) && !members[at].skipped) return at;
  }
  return members.size();
}

bool record_reader::entry(std::size_t& expected) {
  const std::size_t where = reader_.offset();
  std::string_view key;
  if (!reader_.key(key)) return false;
  std::size_t i = member_called(key, expected);
  if (i == table_.members.size()) [[unlikely]]
    i = member_formerly(key);
  if (i == table_.members.size()) [[unlikely]]
    return unknown(where, key);
  expected = i + 1 == table_.members.size() ? 0 : i + 1;
  return read_entry(i, where);
}

/// Reads the value of member `i`. The member's key is at `where`.
bool record_reader::read_entry(std::size_t i, std::size_t where) {
  const member_reader& member = table_.members[i];
  if (has_bit(seen_, i)) [[unlikely]]
    return repeated(i, where);
  set_bit(seen_, i);
  return value(reader_, member, to_.member(i));
}

bool record_reader::unknown(std::size_t offset, std::string_view key) {
  if (reader_.is_tag(key)) return reader_.pass_tag(offset);
  if (table_.version != 0 && !table_.version_is_member && key == version_key) return reader_.skip();
  if (reader_.options().unknown_keys == unknown_keys::ignore) return reader_.skip();
  const std::string found = "the key \"" + std::string{key} + '"';
  return reader_.fail(errc::unknown_member, offset, names_of(table_), found);
}

INGOT_INLINE bool record_reader::string(text_reader& reader, std::string& to) {
  const std::uint32_t* const at = reader.at_;
  if (at != reader.last_ && reader.text_[*at] == '"' &&
      assign_short(reader.text_ + *at + 1, reader.size_ - *at - 1, to)) [[likely]] {
    ++reader.at_;
    return true;
  }
  return reader.string(to);
}

bool record_reader::value(text_reader& reader, const member_reader& member, void* to) {
  const std::uint32_t* const at = reader.at_;
  bool good = false;
  switch (member.code) {
  case scalar::boolean: good = reader.boolean(*static_cast<bool*>(to)); break;
  case scalar::i8: good = natural<std::int8_t>(reader, to); break;
  case scalar::i16: good = natural<std::int16_t>(reader, to); break;
  case scalar::i32: good = natural<std::int32_t>(reader, to); break;
  case scalar::i64: good = natural<std::int64_t>(reader, to); break;
  case scalar::u8: good = natural<std::uint8_t>(reader, to); break;
  case scalar::u16: good = natural<std::uint16_t>(reader, to); break;
  case scalar::u32: good = natural<std::uint32_t>(reader, to); break;
  case scalar::u64: good = natural<std::uint64_t>(reader, to); break;
  case scalar::f32: good = reader.real(*static_cast<float*>(to)); break;
  case scalar::f64: good = reader.real(*static_cast<double*>(to)); break;
  case scalar::string: good = string(reader, *static_cast<std::string*>(to)); break;
  case scalar::optional_string: {
    auto& optional = *static_cast<std::optional<std::string>*>(to);
    if (reader.peek() == 'n') {
      optional.reset();
      good = reader.null();
    } else {
      if (!optional) optional.emplace();
      good = string(reader, *optional);
    }
    break;
  }
  case scalar::other: good = member.read(reader, to); break;
  }
  if (good && member.check != nullptr) good = member.check(reader, to, *at);
  if (!good) [[unlikely]]
    reader.error().in_member(member.name);
  return good;
}

bool record_reader::repeated(std::size_t i, std::size_t offset) {
  const member_reader& member = table_.members[i];
  switch (reader_.options().duplicate_keys) {
  case duplicate_keys::first_wins: {
    if (reader_.skip()) return true;
    reader_.error().in_member(member.name);
    return false;
  }
  case duplicate_keys::last_wins: {
    const bool fresh = reader_.fresh();
    reader_.set_fresh(false);
    const bool good = value(reader_, member, to_.member(i));
    reader_.set_fresh(fresh);
    return good;
  }
  default: break;
  }
  (void)reader_.fail(errc::duplicate_key, offset, "each key once", repeated_key(i, offset));
  reader_.error().in_member(member.name);
  return false;
}

/// Handles absent members, except optional strings without a default.
INGOT_NOINLINE bool record_reader::missing_others(std::size_t offset) {
  const auto policy = reader_.options().missing_keys; // the caller handles `keep`
  std::vector<std::uint64_t> wanted;
  for (std::size_t word = 0; word * 64 < table_.members.size(); ++word) {
    for (std::uint64_t bits = absent(word); bits != 0; bits &= bits - 1) {
      const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      const member_reader& member = table_.members[i];
      if (!member.skipped) {
        if (member.preset != nullptr) {
          member.preset(to_.member(i));
          continue;
        }
        if (member.clear != nullptr) {
          member.clear(to_.member(i));
          continue;
        }
        const bool younger = member.since != 0 && (table_.version == 0 || member.since > text_version_);
        if (!younger && policy == missing_keys::error) {
          (void)reader_.fail(errc::missing_member, offset, "the key \"" + std::string{member.name} + '"');
          reader_.error().in_member(member.name);
          return false;
        }
      }
      if (reader_.fresh()) continue;
      if (wanted.empty()) wanted.resize((table_.members.size() + 63) / 64);
      set_bit(wanted.data(), i);
    }
  }
  if (!wanted.empty()) reset(wanted.data());
  return true;
}

void record_reader::reset(const std::uint64_t* wanted) const {
  if (table_.with_defaults == nullptr) return;
  struct context {
    const record_reader* self;
    const std::uint64_t* wanted;
  } with{this, wanted};
  table_.with_defaults(&with, [](void* opaque, std::byte* object) {
    const auto& [self, bits] = *static_cast<context*>(opaque);
    const record_location defaults{object, self->to_.offsets};
    for (std::size_t i = 0; i < self->table_.members.size(); ++i) {
      const auto move = self->table_.members[i].move;
      if (has_bit(bits, i) && move != nullptr) move(self->to_.member(i), defaults.member(i));
    }
  });
}

bool read_record(text_reader& reader, const record_reader_table& table, record_location to,
                 std::uint64_t* many) {
  if (table.is_simple) [[likely]]
    return record_reader::read(reader, table, to, many, 0);
  return record_reader(reader, table, to, many, table.version).special();
}

}}} // namespace ingot::INGOT_V1::json::detail
