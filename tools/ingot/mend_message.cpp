// SPDX-License-Identifier: Apache-2.0
// Repairs a copy of a damaged message. A packed message is read value by value, and written again
// from the values that could be read. A compact message has no positions of its values, so a value
// after damage can only be found if the damaged value has a fixed size; otherwise the message ends
// there.
#include <ingot/document/writer.hpp>
#include <ingot/dynamic/detail/byte_map_message.hpp>
#include <ingot/dynamic/detail/key_step.hpp>
#include <ingot/dynamic/detail/value_emitter.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/validate_any.hpp>

#include "checked_packed.hpp"
#include "damages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tool {

namespace {

namespace dyn = ingot::detail::dyn;
using ingot::errc;
using ingot::error;

/// Walks over a packed message, and notes the damage with its path.
class packed_survey {
public:
  packed_survey(const dyn::message_tables& types, const checked_packed& values, std::uint64_t size,
                damages& found)
      : t_(types), values_(values), left_(8 * size + 4096), bytes_left_(8 * size), found_(found) {}

  /// Returns false if there are more values, or more bytes of texts and lists, than the message can
  /// have. Damaged positions may let several values share their bytes.
  [[nodiscard]] bool run() {
    enter(values_.whole());
    while (!path_.empty()) {
      frame& f = path_.back();
      if (f.at == f.count) {
        path_.pop_back();
        continue;
      }
      if (left_-- == 0) return false;
      const std::uint64_t step = f.at++;
      const bool has_key = dyn::is_map(t_.all.types[f.of.type].kind);
      const std::uint64_t i = has_key ? step / 2 : step;
      enter(has_key && step % 2 == 0 ? values_.key(f.of, i) : values_.part(f.of, part_of(f.of, i)));
      if (is_shared_) return false;
    }
    return !is_shared_;
  }

private:
  static constexpr std::size_t max_noted = 100'000;
  struct frame {
    dyn::spot of;
    std::uint64_t at = 0;
    std::uint64_t count = 0;
  };

  [[nodiscard]] bool is_record(const dyn::spot& of) const {
    const auto kind = t_.all.types[of.type].kind;
    return kind == ingot::dynamic_kind::record || kind == ingot::dynamic_kind::tuple;
  }
  [[nodiscard]] std::uint64_t part_of(const dyn::spot& of, std::uint64_t i) const {
    return is_record(of) ? values_.with_bytes(of)[static_cast<std::size_t>(i)] : i;
  }
  void spend(std::uint64_t bytes) noexcept {
    is_shared_ = is_shared_ || bytes > bytes_left_;
    if (!is_shared_) bytes_left_ -= bytes;
  }
  void enter(const dyn::spot& of) {
    if (of.type == dyn::spot::nothing) return note();
    const auto& what = t_.all.types[of.type];
    std::uint64_t parts = 0;
    using enum ingot::dynamic_kind;
    switch (what.kind) {
    case boolean:
    case integer:
    case character:
    case byte:
    case enumeration: static_cast<void>(values_.number(of)); break;
    case floating:
    case complex:
    case duration:
    case time_point:
    case bitset: break;
    case text: {
      const auto run = values_.text(of);
      spend(run.units * run.width);
      break;
    }
    case record:
    case tuple: parts = values_.with_bytes(of).size(); break;
    default:
      parts = values_.size(of);
      // elements where each byte is valid
      if (const std::uint32_t element = t_.of[of.type].element;
          element != dyn::spot::nothing && t_.packed(element).is_plain) {
        spend(parts * t_.of[element].stride);
        parts = 0;
      }
    }
    if (dyn::is_map(what.kind)) parts *= 2;
    note();
    if (parts != 0) path_.push_back({of, 0, parts});
  }
  /// Adds the step to an entry of a map at the front of the path. The name of a value is its key if
  /// that is undamaged text of one-byte characters, an integer or an enumerator. A damaged key, and
  /// the value of another key, are named by the position of the entry.
  void name_entry(error& why, const frame& f, std::uint64_t i, bool is_key) const {
    if (is_key) {
      why.in_member("key").in_element(i);
      return;
    }
    if (!name_by_key(why, values_.key(f.of, i))) why.in_member("value").in_element(i);
    static_cast<void>(values_.take_fault()); // the damage of the key was noted before
  }
  /// Returns false if a key is damaged or has no name.
  [[nodiscard]] bool name_by_key(error& why, const dyn::spot& key) const {
    if (key.type == dyn::spot::nothing) return false;
    const auto& what = t_.all.types[key.type];
    using enum ingot::dynamic_kind;
    if (what.kind == text) {
      const auto run = values_.text(key);
      if (values_.take_fault() || run.width != 1) return false;
      const auto* const first = reinterpret_cast<const char*>(values_.start() + run.position);
      dyn::add_key(why, {first, static_cast<std::size_t>(run.units)});
      return true;
    }
    if (what.kind != integer && what.kind != enumeration) return false;
    const std::uint64_t number = values_.number(key);
    if (values_.take_fault()) return false;
    if (what.kind == enumeration) {
      for (const auto& each : t_.all.enumerators_of(what)) {
        if (each.value != number) continue;
        dyn::add_key(why, each.name);
        return true;
      }
    }
    const bool is_signed = t_.node(key.type).attributes.has(ingot::schema_flag::is_signed);
    why.in_key(ingot::detail::number_text(number, is_signed).view());
    return true;
  }
  void note() {
    auto fault = values_.take_fault();
    if (!fault || noted_.size() == max_noted || !noted_.insert(fault->offset()).second) return;
    if (found_.is_full()) return found_.note(*fault, "shown as zero or empty");
    for (auto f = path_.rbegin(); f != path_.rend(); ++f) {
      const auto& of = t_.all.types[f->of.type];
      const std::uint64_t step = f->at - 1;
      if (dyn::is_map(of.kind)) name_entry(*fault, *f, step / 2, step % 2 == 0);
      else if (of.kind == ingot::dynamic_kind::record)
        fault->in_member(t_.all.parts[of.first + static_cast<std::size_t>(part_of(f->of, step))].name);
      else if (!dyn::is_holder(of.kind)) fault->in_element(step);
    }
    found_.note(*fault, "shown as zero or empty");
  }

  const dyn::message_tables& t_;
  const checked_packed& values_;
  std::uint64_t left_;       ///< number of values that may still follow
  std::uint64_t bytes_left_; ///< bytes of texts and lists that may still follow
  bool is_shared_ = false;
  damages& found_;
  std::vector<frame> path_;
  std::set<std::uint64_t> noted_;
};

[[nodiscard]] ingot::result<void> check(ingot::bytes_view bytes, const ingot::dynamic_schema& by) {
  const auto opened = ingot::dynamic_message::open_in_place(bytes, by);
  if (!opened) return ingot::fail(opened.error());
  return ingot::validate_any(opened->root());
}

[[nodiscard]] bool mend_packed(std::vector<std::byte>& bytes, const ingot::dynamic_schema& by,
                               const error& why, damages& found) {
  constexpr std::uint64_t max_document = (std::uint64_t{1} << 31) - 65536;
  if (bytes.size() > 0xFFFFFFFF) return false; // positions have 32 bits
  const dyn::message_tables& types = *dyn::schema_access::tables_of(by);
  dyn::memory in{bytes.data(), bytes.size(), &types.all, nullptr, {}};
  const checked_packed values(types, in);
  in.message = &values;
  in.root = values.whole();
  const std::size_t before = found.count();
  if (!packed_survey(types, values, bytes.size(), found).run()) return false;
  if (found.count() == before) found.note(why, "written again from the values");
  ingot::document_writer_options options;
  const std::uint64_t max_size = std::min(max_document, 64 * std::uint64_t{bytes.size()} + (1U << 20));
  options.max_size = ingot::max_block_size{static_cast<std::size_t>(max_size)};
  options.repeated_keys = ingot::key_policy::first_wins;
  ingot::document_writer to(options);
  dyn::value_emitter emitter(to, 127, 8 * std::uint64_t{bytes.size()} + 4096);
  if (emitter.tell(dyn::access::make(&in, in.root)) != dyn::emit_status::emitted) return false;
  const auto whole = to.finish();
  if (!whole) return false;
  const auto again = ingot::pack_document(*whole, by);
  if (!again) {
    found.note(again.error(), "the value is lost");
    return false;
  }
  bytes.assign(again->begin(), again->end());
  return true;
}

} // namespace

void map_damaged(ingot::bytes_view bytes, const ingot::dynamic_schema& by, ingot::byte_visitor& to) {
  if (bytes.size() > 0xFFFFFFFF) return; // positions have 32 bits
  const dyn::message_tables& types = *dyn::schema_access::tables_of(by);
  dyn::memory in{bytes.data(), bytes.size(), &types.all, nullptr, {}};
  const checked_packed values(types, in);
  in.message = &values;
  in.root = values.whole();
  damages found;
  if (packed_survey(types, values, bytes.size(), found).run())
    dyn::message_byte_walk(types, in, to).run(in.root);
}

namespace {

// Zeros are zero or empty values in the compact profile.
constexpr std::size_t more_zeros = 4096;

/// Sets `to` to the first `size` bytes of a compact message and zeros. Returns false if this is not
/// a valid message.
[[nodiscard]] bool begin_of(std::vector<std::byte>& to, ingot::bytes_view from, std::size_t size,
                            const ingot::dynamic_schema& by) {
  to.assign(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(size));
  to.resize(size + more_zeros);
  auto sound = check(to, by);
  if (sound || sound.error().code() != errc::trailing_bytes) return sound.has_value();
  to.resize(static_cast<std::size_t>(sound.error().offset()));
  return check(to, by).has_value();
}

/// Keeps what is before a map whose keys cannot be followed by zeros. The first `cut` bytes of the
/// message are undamaged. Looks for a position, at most `cut`, from which zeros may follow: the
/// count of the map, because the map is then empty. Inside an earlier map, zeros may not follow
/// either, so the search may end before that map. Returns the position, or nothing if it finds
/// none. Takes O(log n) validations.
[[nodiscard]] std::optional<std::size_t> keep_before_map(std::vector<std::byte>& bytes, std::size_t cut,
                                                         const ingot::dynamic_schema& by) {
  if (cut == 0) return {};
  std::vector<std::byte> shortened;
  std::size_t bad = cut;
  std::size_t good = cut;
  for (std::size_t back = 1; good == cut; back *= 2) {
    const std::size_t at = cut - std::min(back, cut);
    if (begin_of(shortened, bytes, at, by)) good = at;
    else if (at == 0) return {};
    else bad = at;
  }
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    if (begin_of(shortened, bytes, middle, by)) good = middle;
    else bad = middle;
  }
  if (!begin_of(shortened, bytes, good, by)) return {};
  bytes = std::move(shortened);
  return good;
}

[[nodiscard]] bool mend_compact(std::vector<std::byte>& bytes, const ingot::dynamic_schema& by,
                                damages& found) {
  constexpr int max_rounds = 64;
  std::set<std::uint64_t> replaced;
  std::uint64_t cut = ~std::uint64_t{0};
  for (int round = 0; round < max_rounds; ++round) {
    const auto sound = check(bytes, by);
    if (sound) return true;
    const error& err = sound.error();
    const std::uint64_t at = err.offset();
    const auto code = err.code();
    if (code == errc::trailing_bytes) {
      if (cut == ~std::uint64_t{0}) found.note(err, left_out);
      bytes.resize(static_cast<std::size_t>(at));
      continue;
    }
    const bool is_byte = code == errc::bad_bool || code == errc::bad_enum || code == errc::bad_variant ||
                         code == errc::bad_padding || code == errc::not_canonical;
    if (is_byte && at < bytes.size() && replaced.insert(at).second) {
      found.note(err, "shown as zero or empty");
      bytes[static_cast<std::size_t>(at)] = std::byte{};
      continue;
    }
    if (at > bytes.size()) return false;
    if (at >= cut) {
      const auto map_at = keep_before_map(bytes, static_cast<std::size_t>(cut), by);
      if (!map_at) return false;
      found.note(error{code, *map_at}.with_expected(err.expected()),
                 "the values from there to the damage are shown as zero or empty, too");
      return true;
    }
    found.note(err, "all values from there on are shown as zero or empty");
    cut = at;
    bytes.resize(static_cast<std::size_t>(at));
    bytes.resize(static_cast<std::size_t>(at) + more_zeros);
  }
  return false;
}

} // namespace

bool mend_message(std::vector<std::byte>& bytes, const ingot::dynamic_schema& by, damages& found) {
  const auto sound = check(bytes, by);
  if (sound) return true;
  std::vector<std::byte> copy = bytes;
  const bool is_packed = by.profile() == ingot::message_profile::pack;
  const bool is_mended =
      is_packed ? mend_packed(copy, by, sound.error(), found) : mend_compact(copy, by, found);
  if (!is_mended || !check(copy, by)) {
    found.note(sound.error(), "the value is lost");
    return false;
  }
  bytes = std::move(copy);
  return true;
}

} // namespace tool
