// SPDX-License-Identifier: Apache-2.0
// The zoo's records: nested, empty, derived, private, recursive, wide.
#pragma once

#include <ingot/reflect/described.hpp>

#include "containers.hpp"
#include "sample.hpp"
#include "scalars.hpp"

#include <memory>

namespace zoo {

/// Padding between and after the members, which must never reach the bytes.
struct padded {
  std::uint8_t a;
  std::uint64_t b;
  bool c;
  std::uint32_t d;
  std::uint8_t e;
};
ZOO_MEMBERS(padded, a, b, c, d, e)

struct nothing {};
template <class Self>
  requires std::same_as<std::remove_const_t<Self>, nothing>
constexpr std::tuple<> zoo_members(Self&) {
  return {};
}

/// C arrays, which only members can be.
struct arrays {
  float position[3];
  std::int16_t matrix[2][3];
  char tag[4];
  std::string names[2];
  std::array<colour, 2> colours;
  nothing none[2];
};
ZOO_MEMBERS(arrays, position, matrix, tag, names, colours, none)

struct point {
  double x;
  double y;
};
ZOO_MEMBERS(point, x, y)

struct segment {
  point from;
  point to;
  colour stroke;
};
ZOO_MEMBERS(segment, from, to, stroke)

/// Fixed and variable members alternate; nested members are flattened.
struct nested {
  std::uint8_t before;
  segment line;
  std::string label;
  full_name owner;
  nothing blank;
  std::optional<segment> extra;
  std::vector<segment> lines;
  std::int64_t after;
};
ZOO_MEMBERS(nested, before, line, label, owner, blank, extra, lines, after)

/// One member of each kind.
struct mixture {
  bool flag;
  mood feeling;
  std::u16string wide;
  std::optional<std::uint16_t> maybe;
  std::variant<std::uint8_t, std::string> either;
  std::expected<full_name, mood> outcome;
  std::unique_ptr<point> pointer;
  std::map<std::string, std::vector<point>> table;
  std::unordered_map<std::uint32_t, std::string> hashed;
  std::set<grid_cell> cells;
  std::bitset<12> bits;
  std::chrono::sys_time<std::chrono::milliseconds> when;
  std::chrono::duration<std::int64_t, std::micro> took;
  std::complex<float> impedance;
  std::filesystem::path file;
  std::pair<std::string, std::uint8_t> pair;
  std::tuple<std::uint32_t, std::vector<bool>> tuple;
};
ZOO_MEMBERS(mixture, flag, feeling, wide, maybe, either, outcome, pointer, table, hashed, cells, bits, when,
            took, impedance, file, pair, tuple)

/// A base with members, which structured bindings don't show.
struct identified {
  std::uint64_t id = 0;
  std::string label;
};
ZOO_MEMBERS(identified, id, label)
struct located {
  point at{};
};
ZOO_MEMBERS(located, at)
struct station : identified, located {
  std::uint16_t platforms = 0;
};
INGOT_REFLECT(station, (identified, located), platforms)
template <class Self>
  requires std::same_as<std::remove_const_t<Self>, station>
constexpr auto zoo_members(Self& self) {
  using first = std::conditional_t<std::is_const_v<Self>, const identified, identified>;
  using second = std::conditional_t<std::is_const_v<Self>, const located, located>;
  return std::tuple_cat(zoo_members(static_cast<first&>(self)), zoo_members(static_cast<second&>(self)),
                        std::tie(self.platforms));
}

/// Private members, named by a member function.
class account {
public:
  account() = default;
  account(std::string owner, std::int64_t cents) : owner_(std::move(owner)), cents_(cents) {}
  constexpr auto reflect(auto&& f) { return f(owner_, cents_, history_); }

private:
  template <class Self>
    requires std::same_as<std::remove_const_t<Self>, account>
  friend constexpr auto zoo_members(Self& self) {
    return std::tie(self.owner_, self.cents_, self.history_);
  }
  std::string owner_;
  std::int64_t cents_ = 0;
  std::vector<std::int32_t> history_;
};

/// Private members, named by the macro inside the class.
class counter {
public:
  INGOT_REFLECT(counter, (), name_, count_)

private:
  template <class Self>
    requires std::same_as<std::remove_const_t<Self>, counter>
  friend constexpr auto zoo_members(Self& self) {
    return std::tie(self.name_, self.count_);
  }
  std::string name_;
  std::uint32_t count_ = 0;
};

/// Recursive through a pointer.
struct binary_tree {
  std::int32_t value = 0;
  std::unique_ptr<binary_tree> left;
  std::unique_ptr<binary_tree> right;
};
ZOO_MEMBERS(binary_tree, value, left, right)

/// Recursive through a vector and another record, which is not recursive.
struct outline {
  std::string title;
  point anchor{};
  std::vector<outline> parts;
};
ZOO_MEMBERS(outline, title, anchor, parts)

/// Mutually recursive, through a variant and a map.
struct folder;
struct entry {
  std::variant<std::uint64_t, std::string, std::unique_ptr<folder>> content;
};
struct folder {
  std::map<std::string, entry> entries;
  std::unique_ptr<entry> shortcut;
};
ZOO_MEMBERS(entry, content)
ZOO_MEMBERS(folder, entries, shortcut)

/// The maximum number of members that ingot binds.
struct widest {
  std::uint8_t m0, m1, m2, m3, m4, m5, m6, m7;
  std::int16_t m8, m9, m10, m11, m12, m13, m14, m15;
  std::uint32_t m16, m17, m18, m19, m20, m21, m22, m23;
  std::int64_t m24, m25, m26, m27, m28, m29, m30, m31;
  bool m32, m33, m34, m35, m36, m37, m38, m39;
  float m40, m41, m42, m43, m44, m45, m46, m47;
  double m48, m49, m50, m51, m52, m53, m54, m55;
  std::uint16_t m56, m57, m58, m59, m60, m61, m62, m63;
  std::uint8_t m64, m65, m66, m67, m68, m69, m70, m71;
  std::int16_t m72, m73, m74, m75, m76, m77, m78, m79;
  std::uint32_t m80, m81, m82, m83, m84, m85, m86, m87;
  std::int64_t m88, m89, m90, m91, m92, m93, m94, m95;
  bool m96, m97, m98, m99, m100, m101, m102, m103;
  float m104, m105, m106, m107, m108, m109, m110, m111;
  double m112, m113, m114, m115, m116, m117, m118, m119;
  std::uint16_t m120, m121, m122, m123, m124, m125, m126, m127;
};
ZOO_MEMBERS(widest, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19,
            m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38,
            m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57,
            m58, m59, m60, m61, m62, m63, m64, m65, m66, m67, m68, m69, m70, m71, m72, m73, m74, m75, m76,
            m77, m78, m79, m80, m81, m82, m83, m84, m85, m86, m87, m88, m89, m90, m91, m92, m93, m94, m95,
            m96, m97, m98, m99, m100, m101, m102, m103, m104, m105, m106, m107, m108, m109, m110, m111, m112,
            m113, m114, m115, m116, m117, m118, m119, m120, m121, m122, m123, m124, m125, m126, m127)

/// A group of its own: a type of 128 members takes longer to compile than all other records
/// together.
template <class F>
void for_each_widest(F&& f) {
  f.template operator()<widest>("widest");
}

template <class F>
void for_each_record(F&& f) {
  f.template operator()<grid_cell>("grid_cell");
  f.template operator()<full_name>("full_name");
  f.template operator()<padded>("padded");
  f.template operator()<nothing>("nothing");
  f.template operator()<arrays>("arrays");
  f.template operator()<segment>("segment");
  f.template operator()<nested>("nested");
  f.template operator()<mixture>("mixture");
  f.template operator()<station>("station");
  f.template operator()<account>("account");
  f.template operator()<counter>("counter");
  f.template operator()<binary_tree>("binary_tree");
  f.template operator()<outline>("outline");
  f.template operator()<folder>("folder");
  f.template operator()<std::vector<padded>>("vector_padded");
  f.template operator()<std::vector<nothing>>("vector_nothing");
  f.template operator()<std::vector<arrays>>("vector_arrays");
  f.template operator()<std::vector<nested>>("vector_nested");
  f.template operator()<std::vector<station>>("vector_derived");
  f.template operator()<std::vector<outline>>("vector_recursive");
  f.template operator()<std::array<padded, 2>>("array_padded");
  f.template operator()<std::array<nested, 2>>("array_nested_record");
  f.template operator()<std::optional<padded>>("optional_padded");
  f.template operator()<std::unique_ptr<binary_tree>>("unique_ptr_recursive");
  f.template operator()<std::map<std::string, nested>>("map_nested");
}

} // namespace zoo
