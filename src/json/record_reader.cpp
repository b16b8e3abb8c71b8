// SPDX-License-Identifier: Apache-2.0
// Keys in any order, each matched to a member, none lost: the loop that every record's reading runs.
#include "record_reader.hpp"

#include "escape.hpp"
#include "number.hpp"
#include "same_text.hpp"
#include "token_number.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ingot::inline v1::json::detail {

namespace {

[[nodiscard]] bool has_bit(const std::uint64_t* bits, std::size_t i) noexcept {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}
void set_bit(std::uint64_t* bits, std::size_t i) noexcept { bits[i / 64] |= std::uint64_t{1} << i % 64; }

/// "a", "b", "c": what a message can hold of it.
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
  return body();
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
      if (!reader_.natural(number, std::numeric_limits<std::uint32_t>::max())) {
        reader_.error().in_member(name);
        return false;
      }
      text_version_ = static_cast<std::uint32_t>(number);
      found = true;
      if (text_version_ > table_.version || !can_upgrade()) {
        const std::string known = "version " + std::to_string(table_.version);
        const std::string expected =
            text_version_ > table_.version ? known + " or older" : known + ", or one that can be upgraded";
        (void)reader_.fail(errc::wrong_version, at, expected, std::to_string(number));
        reader_.error().in_member(name);
        return false;
      }
      break;
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
    if (!passable) return false;
  }
  return true;
}

/// The member is written as bytes: `long` and `long long` share a code, and are different types to the compiler.
template <class T>
bool record_reader::natural(void* to) {
  using limits = std::numeric_limits<T>;
  std::uint64_t wide = 0;
  if (!quick_natural(reader_.text_ + reader_.offset(), reader_.text_ + reader_.size_, wide) ||
      wide > limits::max()) [[unlikely]] {
    if constexpr (std::is_signed_v<T>) {
      std::int64_t with_sign = 0;
      if (!reader_.integer(with_sign, limits::min(), limits::max())) return false;
      wide = static_cast<std::uint64_t>(with_sign);
    } else {
      if (!reader_.natural(wide, limits::max())) return false;
    }
  } else {
    ++reader_.at_;
  }
  const auto value = static_cast<T>(wide);
  std::memcpy(to, &value, sizeof value);
  return true;
}

/// A bit for each of up to 64 members that did not come.
INGOT_INLINE std::uint64_t record_reader::absent(std::size_t word) const noexcept {
  const std::size_t left = table_.members.size() - word * 64;
  const std::uint64_t all = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
  return all & ~seen_[word];
}

/// Whether the next key is spelled exactly as the member's name, with the colon right behind it.
INGOT_INLINE bool record_reader::is_next(const member_reader& member) const noexcept {
  // The colon's place alone tells that a key has the right length. A plain name has no quote and no backslash, so what equals it is all of the string and has
  // no escapes.
  const std::uint32_t* const at = reader_.at_;
  const std::size_t size = member.name.size();
  if (reader_.last_ - at < 3 || at[1] != at[0] + size + 2 || !member.plain) return false;
  const char* const text = reader_.text_;
  return text[at[1]] == ':' && text[at[0]] == '"' && same_text({text + at[0] + 1, size}, member.name);
}

/// The next member that is: others may be absent.
INGOT_NOINLINE std::size_t record_reader::soon_next(std::size_t expected) const noexcept {
  constexpr std::size_t most = 8;
  const std::size_t count = table_.members.size();
  const std::size_t end = count - expected > most ? expected + most : count;
  for (std::size_t i = expected; i < end; ++i) {
    if (is_next(table_.members[i])) return i;
  }
  return count;
}

namespace {

/// Whether the text begins with the member's key, as it is written without spaces. Thirty-two bytes of it can be read.
[[nodiscard]] INGOT_INLINE bool begins_with(const char* text, const member_reader& member) noexcept {
#if defined(__SSE2__)
  const auto same = [&](std::size_t from) {
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + from));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(member.quoted + from));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)));
  };
  const std::uint32_t bits = member.quoted_bits;
  if (bits <= 0xFFFF) [[likely]]
    return (bits & ~same(0)) == 0;
  return (bits & ~(same(0) | same(16) << 16)) == 0;
#else
  return std::memcmp(text, member.quoted, static_cast<std::size_t>(std::popcount(member.quoted_bits))) == 0;
#endif
}

/// The largest that a member can hold, by its code.
inline constexpr std::uint64_t largest_of[] = {
    0,
    0,
    std::numeric_limits<std::int8_t>::max(),
    std::numeric_limits<std::int16_t>::max(),
    std::numeric_limits<std::int32_t>::max(),
    std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::uint8_t>::max(),
    std::numeric_limits<std::uint16_t>::max(),
    std::numeric_limits<std::uint32_t>::max(),
    std::numeric_limits<std::uint64_t>::max(),
};
static_assert(static_cast<int>(scalar::i8) == 2 && static_cast<int>(scalar::u8) == 6 &&
              static_cast<int>(scalar::u64) == 9 && static_cast<int>(scalar::f32) == 10 &&
              static_cast<int>(scalar::f64) == 11);

/// The number that the `size` bytes before `end` are, into a member. False, and nothing is changed, when that takes another look.
[[nodiscard]] INGOT_INLINE bool plain_number(const char* end, std::size_t size, scalar code,
                                             void* to) noexcept {
  if (code >= scalar::f32) {
    double wide = 0;
    if (!token_real(end, size, wide)) return false;
    if (code == scalar::f64) {
      std::memcpy(to, &wide, sizeof wide);
      return true;
    }
    float narrow = 0;
    if (!narrowed(wide, narrow)) return false;
    std::memcpy(to, &narrow, sizeof narrow);
    return true;
  }
  const bool negative = code < scalar::u8 && *(end - size) == '-';
  std::uint64_t wide = 0;
  if (!token_natural(end, size - negative, wide) ||
      wide > largest_of[static_cast<std::size_t>(code)] + negative)
    return false;
  if (negative) wide = std::uint64_t{0} - wide;
  // As bytes: `long` and `long long` share a code, and are different types to the compiler.
  const auto put = [&]<class T>(T value) { std::memcpy(to, &value, sizeof value); };
  switch (code) {
  case scalar::u64:
  case scalar::i64: put(wide); break;
  case scalar::u32:
  case scalar::i32: put(static_cast<std::uint32_t>(wide)); break;
  case scalar::u16:
  case scalar::i16: put(static_cast<std::uint16_t>(wide)); break;
  default: put(static_cast<std::uint8_t>(wide)); break;
  }
  return true;
}

/// A string of 16 to 31 bytes without escapes. Thirty-two can be read.
[[nodiscard]] INGOT_NOINLINE bool assign_medium([[maybe_unused]] const char* inside,
                                                [[maybe_unused]] std::string& out) {
#if defined(__SSE2__)
  const auto where = [inside](char c) {
    const auto in = [&](std::size_t from) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(inside + from));
      return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c))));
    };
    return in(0) | in(16) << 16;
  };
  const std::uint32_t quotes = where('"');
  if (quotes == 0 || (where('\\') & (quotes - 1)) != 0) return false;
  out.assign(inside, static_cast<std::size_t>(std::countr_zero(quotes)));
  return true;
#else
  return false;
#endif
}
[[nodiscard]] INGOT_INLINE bool assign_plain(const char* inside, std::string& out) {
  return assign_short(inside, 16, out) || assign_medium(inside, out);
}

/// The value whose token `at` is, when it is plain: a number right before what separates it from the next, or a short string. False when that takes another look.
[[nodiscard]] INGOT_INLINE bool plain_value(const char* text, const std::uint32_t* at, scalar code,
                                            void* to) {
  const char* const first = text + at[0];
  if (code >= scalar::string) {
    if (*first != '"') return false;
    if (code == scalar::string) return assign_plain(first + 1, *static_cast<std::string*>(to));
    auto& string = *static_cast<std::optional<std::string>*>(to);
    if (!string) string.emplace();
    return assign_plain(first + 1, *string);
  }
  const char* const end = text + at[1];
  if (code < scalar::i8 || (*end != ',' && *end != '}')) return false;
  return plain_number(end, static_cast<std::size_t>(end - first), code, to);
}

} // namespace

/// Reads members while keys and values are as they are written mostly: in order, or as members were absent in the record before, and nothing is asked that the
/// index tells. Goes on where `open_object` or a comma was taken; `expected` becomes the place where the next member is expected.
INGOT_INLINE step record_reader::plain_members(std::size_t& expected) {
  const std::size_t count = table_.members.size();
  const std::uint32_t* at = reader_.at_;
  if (count > most_plain || !reader_.is_roomy(at)) [[unlikely]]
    return step::value;
  const char* const text = reader_.text_;
  const std::uint32_t* const end = reader_.first_roomy_ + reader_.roomy_;
  const member_reader* const members = table_.members.data();
  void* const* const to = members_;
  std::uint8_t* const skips =
      reader_.skips_ + reinterpret_cast<std::uintptr_t>(&table_) / 32 % (sizeof reader_.skips_ - most_plain);
  std::size_t i = 0; // a member comes once, for this never goes back
  std::uint64_t came = 0;
  step next = step::value;
  while (i < count) {
    const std::size_t from = i;
    i += skips[from];
    if (i >= count || !begins_with(text + *at, members[i])) [[unlikely]] {
      reader_.at_ = at;
      i = soon_next(from);
      if (i == count) {
        i = from;
        break;
      }
      skips[from] = static_cast<std::uint8_t>(i - from);
    }
    came |= std::uint64_t{1} << i;
    at += 2;
    const member_reader& member = members[i];
    if (plain_value(text, at, member.quick, to[i])) [[likely]] {
      ++i;
      if (text[at[1]] == ',') [[likely]] {
        at += 2;
        if (at < end) [[likely]]
          continue;
        break;
      }
      reader_.at_ = ++at;
      next = reader_.next_key();
      at = reader_.at_;
      break;
    }
    reader_.at_ = at;
    next = value(member, to[i]) ? reader_.next_key() : step::error;
    ++i;
    at = reader_.at_;
    if (next != step::value || at >= end) break;
  }
  seen_[0] |= came;
  expected = i;
  reader_.at_ = at;
  return next;
}

INGOT_INLINE step record_reader::open() {
  const std::uint32_t* const at = reader_.at_;
  if (!reader_.is_roomy(at) || reader_.text_[*at] != '{' || reader_.text_[at[1]] != '"' ||
      reader_.depth_ >= reader_.options_.max_depth) [[unlikely]]
    return reader_.open_object();
  ++reader_.depth_;
  ++reader_.at_;
  return step::value;
}

INGOT_INLINE bool record_reader::missing(std::size_t offset) {
  if (reader_.options_.missing_keys == missing_keys::keep) return true;
  const std::uint64_t gone = absent(0), quiet = gone & table_.quiet;
  void* const* const members = members_;
  // What is new and has nothing in them anyway isn't looked at, which was a thirtieth of reading records with many.
  if (!table_.starts_quiet || !reader_.fresh()) {
    for (std::uint64_t bits = quiet; bits != 0; bits &= bits - 1)
      static_cast<std::optional<std::string>*>(members[std::countr_zero(bits)])->reset();
  }
  if (gone == quiet && table_.members.size() <= 64) return true;
  seen_[0] |= quiet;
  return missing_others(offset);
}

bool record_reader::body() {
  const std::size_t start = reader_.offset();
  const std::size_t count = table_.members.size();
  std::size_t expected = 0;
  step next = open();
  if (next == step::value) next = plain_members(expected);
  if (next == step::value) next = other_members(expected);
  if (next == step::error) [[unlikely]]
    return false;
  if (count <= 64) [[likely]]
    return count == 0 || absent(0) == 0 || missing(start);
  for (std::size_t word = 0; word * 64 < count; ++word) {
    if (absent(word) != 0) return missing(start);
  }
  return true;
}

/// As `plain_members`, whatever keys and values look like.
INGOT_NOINLINE step record_reader::other_members(std::size_t expected) {
  const std::size_t count = table_.members.size();
  step next = step::value;
  while (next == step::value) {
    if (expected == count) expected = 0;
    std::size_t i = expected;
    if (count != 0 && !is_next(table_.members[i])) i = soon_next(expected);
    if (i != count && !has_bit(seen_, i)) [[likely]] {
      reader_.at_ += 2;
      set_bit(seen_, i);
      if (!value(table_.members[i], members_[i])) return step::error;
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
    // Keys mostly come in the order of the members, so the search starts where the last one ended.
    const std::size_t at = expected + i < members.size() ? expected + i : expected + i - members.size();
    if (same_text(members[at].name, key) && !members[at].skipped) return at;
  }
  return members.size();
}

bool record_reader::entry(std::size_t& expected) {
  const std::size_t where = reader_.offset();
  std::string_view key;
  if (!reader_.key(key)) return false;
  const std::size_t i = member_called(key, expected);
  if (i == table_.members.size()) [[unlikely]]
    return unknown(where, key);
  expected = i + 1 == table_.members.size() ? 0 : i + 1;
  const member_reader& member = table_.members[i];
  if (has_bit(seen_, i)) [[unlikely]]
    return repeated(member, members_[i], where);
  set_bit(seen_, i);
  return value(member, members_[i]);
}

bool record_reader::unknown(std::size_t offset, std::string_view key) {
  if (table_.version != 0 && !table_.version_is_member && key == version_key) return reader_.skip();
  if (reader_.options().unknown_keys == unknown_keys::ignore) return reader_.skip();
  const std::string found = "the key \"" + std::string{key} + '"';
  return reader_.fail(errc::unknown_member, offset, names_of(table_), found);
}

INGOT_INLINE bool record_reader::string(std::string& to) {
  const std::uint32_t* const at = reader_.at_;
  if (at != reader_.last_ && reader_.text_[*at] == '"' &&
      assign_short(reader_.text_ + *at + 1, reader_.size_ - *at - 1, to)) [[likely]] {
    ++reader_.at_;
    return true;
  }
  return reader_.string(to);
}

bool record_reader::value(const member_reader& member, void* to) {
  const std::uint32_t* const at = reader_.at_;
  bool good = false;
  switch (member.code) {
  case scalar::boolean: good = reader_.boolean(*static_cast<bool*>(to)); break;
  case scalar::i8: good = natural<std::int8_t>(to); break;
  case scalar::i16: good = natural<std::int16_t>(to); break;
  case scalar::i32: good = natural<std::int32_t>(to); break;
  case scalar::i64: good = natural<std::int64_t>(to); break;
  case scalar::u8: good = natural<std::uint8_t>(to); break;
  case scalar::u16: good = natural<std::uint16_t>(to); break;
  case scalar::u32: good = natural<std::uint32_t>(to); break;
  case scalar::u64: good = natural<std::uint64_t>(to); break;
  case scalar::f32: good = reader_.real(*static_cast<float*>(to)); break;
  case scalar::f64: good = reader_.real(*static_cast<double*>(to)); break;
  case scalar::string: good = string(*static_cast<std::string*>(to)); break;
  case scalar::optional_string: {
    auto& optional = *static_cast<std::optional<std::string>*>(to);
    if (reader_.peek() == 'n') {
      optional.reset();
      good = reader_.null();
    } else {
      if (!optional) optional.emplace();
      good = string(*optional);
    }
    break;
  }
  case scalar::other: good = member.read(reader_, to); break;
  }
  if (good && member.check != nullptr) good = member.check(reader_, to, *at);
  if (!good) [[unlikely]]
    reader_.error().in_member(member.name);
  return good;
}

bool record_reader::repeated(const member_reader& member, void* to, std::size_t offset) {
  switch (reader_.options().duplicate_keys) {
  case duplicate_keys::first_wins: {
    if (reader_.skip()) return true;
    reader_.error().in_member(member.name);
    return false;
  }
  case duplicate_keys::last_wins: {
    const bool fresh = reader_.fresh();
    reader_.set_fresh(false);
    const bool good = value(member, to);
    reader_.set_fresh(fresh);
    return good;
  }
  default: break;
  }
  (void)reader_.fail(errc::duplicate_key, offset, "each key once",
                     "the key \"" + std::string{member.name} + "\" again");
  reader_.error().in_member(member.name);
  return false;
}

/// All but optional strings without a default.
INGOT_NOINLINE bool record_reader::missing_others(std::size_t offset) {
  const auto policy = reader_.options().missing_keys; // not `keep`
  std::vector<std::uint64_t> wanted;
  for (std::size_t word = 0; word * 64 < table_.members.size(); ++word) {
    for (std::uint64_t bits = absent(word); bits != 0; bits &= bits - 1) {
      const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      const member_reader& member = table_.members[i];
      if (!member.skipped) {
        if (member.preset != nullptr) {
          member.preset(members_[i]);
          continue;
        }
        if (member.clear != nullptr) {
          member.clear(members_[i]);
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
  table_.with_defaults(&with, [](void* opaque, void* const* defaults) {
    const auto& [self, bits] = *static_cast<context*>(opaque);
    for (std::size_t i = 0; i < self->table_.members.size(); ++i) {
      const auto move = self->table_.members[i].move;
      if (has_bit(bits, i) && move != nullptr) move(self->members_[i], defaults[i]);
    }
  });
}

bool read_record(text_reader& reader, const record_reader_table& table, void* const* members,
                 std::uint64_t* seen) {
  record_reader record(reader, table, members, seen);
  return table.version == 0 ? record.body() : record.versioned();
}

} // namespace ingot::inline v1::json::detail
