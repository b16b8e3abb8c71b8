// SPDX-License-Identifier: Apache-2.0
// ingot's packed files: decoded into a standard vector; into one whose allocator does not
// initialise new elements (`ingot-pack-uninitialised`); into a `bulk_vector`, which does the same
// in large pages (`ingot-pack-bulk`); and viewed in a mapping (`ingot-pack-mapped`; `-trusted`
// without validation). Loading compares the checksum; mapping does so only on request.
#include <ingot/file/bulk_vector.hpp>

#include "ingot.hpp"

#include <memory>

namespace bench {
namespace {

template <class T>
struct uninitialised : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = uninitialised<U>;
  };
  using std::allocator<T>::allocator;
  void construct(T* at) { ::new (static_cast<void*>(at)) T; }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    std::construct_at(at, std::forward<Args>(args)...);
  }
};

template <class Values, class Loaded, auto Summed>
struct packed_format {
  ingot::save_options options{.durable = false};

  void save(const Values& values, const std::filesystem::path& path) const {
    demand_saved(ingot::save(path, values, options));
  }
  [[nodiscard]] ingot::result<Loaded> load(const std::filesystem::path& path) const {
    return ingot::load<Loaded>(path);
  }
  [[nodiscard]] auto sum(const Loaded& values) const { return Summed(values); }
};
template <class Record, template <class> class Allocator = std::allocator>
using packed_records = packed_format<std::vector<Record>, std::vector<Record, Allocator<Record>>,
                                     sum_records<std::vector<Record, Allocator<Record>>>>;

/// The view's elements have getters instead of members.
template <class Record>
struct mapped_records {
  bool trusted = false;

  void save(const std::vector<Record>& values, const std::filesystem::path& path) const {
    demand_saved(ingot::save(path, values, {.durable = false}));
  }
  [[nodiscard]] auto load(const std::filesystem::path& path) const {
    using records = std::vector<Record>;
    return trusted ? ingot::map_file_unchecked<records>(path) : ingot::map_file<records>(path);
  }
  [[nodiscard]] record_sum sum(const ingot::mapped_file<std::vector<Record>>& file) const {
    record_sum all;
    for (const auto r : *file) {
      const auto vec = r.template get<"vec">();
      for (std::size_t k = 0; k < 4; ++k) all.vec[k] += vec[k];
      all.i += r.template get<"i">();
      all.f += r.template get<"f">();
    }
    return all;
  }
};

struct mapped_characters {
  bool trusted = false;

  void save(const std::vector<std_character>& values, const std::filesystem::path& path) const {
    demand_saved(ingot::save(path, values, {.durable = false}));
  }
  [[nodiscard]] auto load(const std::filesystem::path& path) const {
    using characters = std::vector<std_character>;
    return trusted ? ingot::map_file_unchecked<characters>(path) : ingot::map_file<characters>(path);
  }
  [[nodiscard]] totals sum(const ingot::mapped_file<std::vector<std_character>>& file) const {
    totals all;
    for (const auto c : *file) {
      totals one;
      const auto point = [&one](const auto& p) {
        add(one, position{p.template get<"x">(), p.template get<"y">(), p.template get<"z">()});
      };
      const auto thing = [&one](const auto& t) {
        one.whole += t.template get<"id">() + t.template get<"number">() + t.template get<"uuid">() +
                     t.template get<"timestamp">();
      };
      one.whole = c.get<"id">() + c.get<"level">();
      one.rest = c.get<"healthpoint">() + c.get<"manapoint">() + c.get<"speed">();
      for (const char letter : c.get<"name">()) one.whole += static_cast<std::uint8_t>(letter);
      point(c.get<"pos">());
      for (const auto [key, it] : c.get<"items">())
        one.whole += key + it.get<"id">() + it.get<"number">() + it.get<"uuid">() + it.get<"timestamp">();
      for (const auto p : c.get<"path">()) point(p);
      one.rest += sum_of(c.get<"attributes">());
      for (const auto e : c.get<"equips">()) {
        thing(e);
        one.whole += e.get<"level">();
        one.rest += sum_of(e.get<"attributes">());
      }
      for (const auto s : c.get<"skills">()) one.whole += s.get<"id">() + s.get<"level">();
      all.whole += one.whole;
      all.x += one.x;
      all.y += one.y;
      all.z += one.z;
      all.rest += one.rest;
    }
    return all;
  }
};

template <class Record>
void enter_records(suite& all, const record_data<Record>& data) {
  for (const auto& variant : load_variants()) {
    enter_load(all, data, "ingot-pack", variant.name, packed_records<Record>{variant.options});
    enter_load(all, data, "ingot-pack-uninitialised", variant.name,
               packed_records<Record, uninitialised>{variant.options});
    enter_load(all, data, "ingot-pack-bulk", variant.name,
               packed_records<Record, ingot::bulk_allocator>{variant.options});
  }
  enter_load(all, data, "ingot-pack-mapped", "", mapped_records<Record>{});
  enter_load(all, data, "ingot-pack-trusted", "", mapped_records<Record>{true});
}

} // namespace

void enter_load_ingot_pack(suite& all, const record_data<load_record>& data) {
  enter_records(all, data);
  if (data.name == "simple") enter_save<packed_records<load_record>>(all, data, "ingot-pack");
}
void enter_load_ingot_pack(suite& all, const record_data<padded_record>& data) { enter_records(all, data); }
void enter_load_ingot_pack(suite& all, const character_data& data) {
  using characters = std::vector<std_character>;
  for (const auto& variant : load_variants())
    enter_load(all, data, "ingot-pack", variant.name,
               packed_format<characters, characters, sum_characters<characters>>{variant.options});
  enter_load(all, data, "ingot-pack-mapped", "", mapped_characters{});
  enter_load(all, data, "ingot-pack-trusted", "", mapped_characters{true});
}

} // namespace bench
