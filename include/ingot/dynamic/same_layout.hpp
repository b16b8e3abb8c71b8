// SPDX-License-Identifier: Apache-2.0
// Compares two layouts: tests whether blocks of one layout can be opened as blocks of the other
// layout, and finds the first member that differs.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/live/detail/different_block.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::dyn {

/// Returns a short name of a type, such as "i32", "record Weapon" or "vector". Kinds have the names
/// of `dynamic_kind`.
[[nodiscard]] inline std::string type_label(const tables& in, const type& of) {
  const std::string bits = std::to_string(of.size * 8);
  std::string number = (of.has(is_signed) ? "i" : "u") + bits;
  const auto named = [&of](std::string&& what) {
    return of.name.empty() ? std::move(what) : std::move(what) + ' ' + std::string(of.name);
  };
  switch (of.kind) {
  case dynamic_kind::boolean: return "bool";
  case dynamic_kind::integer: return number;
  case dynamic_kind::floating: return "f" + bits;
  case dynamic_kind::character: return "char" + bits;
  case dynamic_kind::enumeration:
    return named((of.has(is_open) ? "open enum " : of.has(is_flags) ? "flags enum " : "enum ") + number);
  case dynamic_kind::duration:
    return "duration in " + std::to_string(of.extent) + '/' + std::to_string(of.divisor) + " s";
  case dynamic_kind::bitset: return "bitset of " + std::to_string(of.extent);
  case dynamic_kind::array: return "array of " + std::to_string(of.extent);
  case dynamic_kind::text: {
    const std::uint64_t width = in.part_type(of, 0).size;
    return width == 1 ? "string" : "string" + std::to_string(width * 8);
  }
  case dynamic_kind::record:
    return named("record") + (of.has(has_version) ? " of version " + std::to_string(of.extent) : "");
  default: return std::string(to_string(of.kind));
  }
}

/// Walks over both layouts at the same time, in the order of members. Compares a pair of types at
/// most once, and skips a pair that earlier comparisons show to be equal. So there are no more
/// comparisons than types.
class layout_difference {
public:
  layout_difference(const tables& theirs, const tables& ours)
      : theirs_(theirs), ours_(ours), groups_(theirs.types.size() + ours.types.size()) {
    std::iota(groups_.begin(), groups_.end(), std::size_t{0});
  }

  /// Returns true if there is a difference.
  [[nodiscard]] bool run() {
    if (enter(0, 0)) return true;
    while (!path_.empty()) {
      step& at = path_.back();
      const type& their = theirs_.types[at.theirs];
      const type& our = ours_.types[at.ours];
      // Compares each part first, and then the position of the part: a difference inside a part can
      // change its size and thus its position.
      if (at.next != 0 && compare_positions(their, our, at.next - 1)) return true;
      if (at.next < std::min(their.parts, our.parts)) {
        if (compare_part(their, our, at.next++)) return true;
      } else {
        if (compare_ends(their, our)) return true;
        path_.pop_back();
      }
    }
    return false;
  }
  /// Returns an error with the path of the member that differs, and with a text for this member in
  /// each layout.
  [[nodiscard]] error why(errc code, std::uint64_t at) const {
    error err(code, at);
    err.with_expected(expected_).with_found(found_);
    if (!last_.empty()) err.in_member(last_);
    for (std::size_t i = path_.size(); i-- > 0;) tell_step(err, path_[i]);
    return err;
  }

private:
  struct step {
    std::uint32_t theirs;
    std::uint32_t ours;
    std::uint32_t next;
  };

  [[nodiscard]] std::size_t group_of(std::size_t i) {
    while (groups_[i] != i) i = groups_[i] = groups_[groups_[i]];
    return i;
  }
  bool differs(std::string expected, std::string found) {
    expected_ = std::move(expected);
    found_ = std::move(found);
    return true;
  }
  bool differs(const type& their, const type& our) {
    return differs(type_label(ours_, our), type_label(theirs_, their));
  }
  [[nodiscard]] static std::string placed(std::string&& what, std::uint64_t offset) {
    return std::move(what) + " at byte " + std::to_string(offset);
  }
  [[nodiscard]] static std::string sized(std::string&& what, const type& of) {
    return std::move(what) + ", " + std::to_string(of.size) + " bytes aligned to " +
           std::to_string(of.alignment);
  }

  /// Returns true if the types themselves differ. Otherwise pushes them, so that their parts are
  /// compared.
  [[nodiscard]] bool enter(std::uint32_t theirs, std::uint32_t ours) {
    const std::size_t a = group_of(theirs);
    const std::size_t b = group_of(theirs_.types.size() + ours);
    if (a == b) return false;
    groups_[a] = b;
    const type& their = theirs_.types[theirs];
    const type& our = ours_.types[ours];
    // Flags of variants say how text represents them, not how blocks do.
    const unsigned compared_flags =
        our.kind == dynamic_kind::variant ? 0U : is_signed | is_open | is_flags | is_empty | has_version;
    if (their.kind != our.kind || (their.flags & compared_flags) != (our.flags & compared_flags))
      return differs(their, our);
    if (our.kind == dynamic_kind::enumeration) return compare_enumerations(their, our);
    if (their.extent != our.extent || their.divisor != our.divisor) return differs(their, our);
    if (our.parts == 0 && their.parts == 0) return compare_sizes(their, our);
    if (our.kind == dynamic_kind::text && theirs_.part_type(their, 0).size != ours_.part_type(our, 0).size)
      return differs(their, our);
    path_.push_back({theirs, ours, 0});
    return false;
  }
  [[nodiscard]] bool compare_sizes(const type& their, const type& our) {
    if (their.size == our.size && their.alignment == our.alignment) return false;
    std::string here = type_label(ours_, our);
    std::string there = type_label(theirs_, their);
    if (here != there && !is_record(our.kind)) return differs(std::move(here), std::move(there));
    return differs(sized(std::move(here), our), sized(std::move(there), their));
  }
  [[nodiscard]] bool compare_enumerations(const type& their, const type& our) {
    if (compare_sizes(their, our)) return true;
    const auto theirs = theirs_.enumerators_of(their);
    const auto ours = ours_.enumerators_of(our);
    const auto tell = [](const auto& all, std::size_t i, const type& of) {
      if (i == all.size()) return std::string("no more enumerators");
      return std::string(all[i].name) + " = " +
             (of.has(is_signed) ? std::to_string(static_cast<std::int64_t>(all[i].value))
                                : std::to_string(all[i].value));
    };
    for (std::size_t i = 0; i < std::max(theirs.size(), ours.size()); ++i) {
      if (i < theirs.size() && i < ours.size() && theirs[i].value == ours[i].value &&
          theirs[i].name == ours[i].name)
        continue;
      return differs("enum with " + tell(ours, i, our), "enum with " + tell(theirs, i, their));
    }
    return false;
  }
  [[nodiscard]] bool compare_part(const type& their, const type& our, std::uint32_t i) {
    const part& there = theirs_.parts_of(their)[i];
    const part& here = ours_.parts_of(our)[i];
    if (there.name != here.name) {
      return differs(std::string(here.name) + ", " + type_label(ours_, ours_.types[here.type]),
                     std::string(there.name) + ", " + type_label(theirs_, theirs_.types[there.type]));
    }
    return enter(there.type, here.type);
  }
  [[nodiscard]] bool compare_positions(const type& their, const type& our, std::uint32_t i) {
    const part& there = theirs_.parts_of(their)[i];
    const part& here = ours_.parts_of(our)[i];
    if (there.offset == here.offset) return false;
    return differs(placed(type_label(ours_, ours_.types[here.type]), here.offset),
                   placed(type_label(theirs_, theirs_.types[there.type]), there.offset));
  }
  /// Called after the common parts. Reports a further member that only one layout has, or a
  /// difference of the types themselves. `last_` has the name of such a member, because `path_` has
  /// only members that both layouts have.
  [[nodiscard]] bool compare_ends(const type& their, const type& our) {
    const std::uint32_t common = path_.back().next;
    path_.back().next = whole;
    if (common < our.parts) {
      const part& here = ours_.parts_of(our)[common];
      last_ = here.name;
      return differs(type_label(ours_, ours_.types[here.type]), "nothing");
    }
    if (common < their.parts) {
      const part& there = theirs_.parts_of(their)[common];
      last_ = there.name;
      return differs("nothing", type_label(theirs_, theirs_.types[there.type]));
    }
    return compare_sizes(their, our);
  }
  void tell_step(error& to, const step& at) const {
    if (at.next == whole) return;
    const type& our = ours_.types[at.ours];
    const std::uint32_t i = at.next - 1;
    if (is_record(our.kind)) to.in_member(ours_.parts_of(our)[i].name);
    else if (our.kind == dynamic_kind::pair) to.in_member(i == 0 ? "first" : "second");
    else if (our.kind == dynamic_kind::variant) to.in_element(i);
    else if (is_map(our.kind)) to.in_key(i == 0 ? "key" : "");
    else if (our.kind == dynamic_kind::array || is_counted(our.kind)) to.in_key("");
  }

  /// Value of `step::next` for a step to the type itself, not to one of its parts.
  static constexpr std::uint32_t whole = 0xFFFFFFFF;
  const tables& theirs_;
  const tables& ours_;
  std::vector<std::size_t> groups_; ///< types that are equal, unless a difference is found
  std::vector<step> path_;
  std::string last_; ///< a member that only one layout has
  std::string expected_;
  std::string found_;
};

} // namespace detail::dyn

/// Returns an error unless `theirs` can be opened as `ours`. The error has the path of the first
/// member that differs. It describes the member in both layouts: its type, position, size,
/// alignment or enumerators, or that it is missing. If the only difference is in annotations that
/// descriptions do not store, the error has both ids instead. O(n) for n types. Errors:
/// `schema_mismatch` for another schema, `layout_mismatch` for another layout of the same schema or
/// another width of offsets; `no_memory`.
[[nodiscard]] inline result<void> same_layout(const dynamic_layout& theirs, const dynamic_layout& ours) {
  if (theirs.schema_id() == ours.schema_id() && theirs.layout_id() == ours.layout_id()) return {};
  if (theirs.is_wide() != ours.is_wide()) return fail(detail::other_width(ours.is_wide()));
  return detail::catch_bad_alloc([&]() -> result<void> {
    using access = detail::dyn::layout_access;
    const bool same_schema = theirs.schema_id() == ours.schema_id();
    detail::dyn::layout_difference difference(access::tables_of(theirs), access::tables_of(ours));
    if (difference.run())
      return fail(same_schema ? difference.why(errc::layout_mismatch, 8)
                              : difference.why(errc::schema_mismatch, 16));
    return fail(same_schema ? detail::other_layout_id(8, ours.layout_id(), theirs.layout_id())
                            : detail::other_schema(16, ours.schema_id(), theirs.schema_id()));
  });
}
/// Returns an error unless `live<Declared>` opens blocks of the layout. Errors: those of the other
/// overload, and those of `dynamic_layout::of`.
template <class Declared, block_policy P = narrow_policy>
[[nodiscard]] result<void> same_layout(const dynamic_layout& theirs) {
  const auto ours = dynamic_layout::of<Declared, P>();
  if (!ours) return fail(ours.error());
  return same_layout(theirs, *ours);
}

}} // namespace ingot::INGOT_V1
