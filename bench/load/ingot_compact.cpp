// SPDX-License-Identifier: Apache-2.0
// ingot's compact files, decoded into a standard vector.
#include "ingot.hpp"

namespace bench { namespace {

/// Same as `load_record`, in the fewest bytes without loss.
struct tight_record {
  float vec[4] = {};
  std::int32_t i = 0;
  float f = 0;
};

}} // namespace bench

template <>
inline constexpr auto ingot::annotations<bench::tight_record> = ingot::annotate(ingot::type(ingot::tight));

namespace bench {
namespace {

template <class Values, auto Summed>
struct compact_format {
  ingot::save_options options{.form = ingot::profile::compact, .durable = false};

  void save(const Values& values, const std::filesystem::path& path) const {
    demand_saved(ingot::save(path, values, options));
  }
  [[nodiscard]] ingot::result<Values> load(const std::filesystem::path& path) const {
    return ingot::load<Values>(path);
  }
  [[nodiscard]] auto sum(const Values& values) const { return Summed(values); }
};
template <class Record>
using compact_records = compact_format<std::vector<Record>, sum_records<std::vector<Record>>>;

template <class Format, class Data>
void enter(suite& all, const Data& data) {
  for (const auto& variant : load_variants(ingot::profile::compact))
    enter_load(all, data, "ingot-compact", variant.name, Format{variant.options});
}

record_data<tight_record>& tightened(suite& all, const record_data<load_record>& data) {
  auto& same = all.make<record_data<tight_record>>();
  same = {data.name, {}, data.sum, data.variant};
  same.values.reserve(data.values.size());
  for (const load_record& r : data.values)
    same.values.push_back({{r.vec[0], r.vec[1], r.vec[2], r.vec[3]}, r.i, r.f});
  return same;
}

} // namespace

void enter_load_ingot_compact(suite& all, const record_data<load_record>& data) {
  enter<compact_records<load_record>>(all, data);
  const load_variant plain = load_variants(ingot::profile::compact)[0];
  if (data.variant == plain.name)
    enter_load(all, tightened(all, data), "ingot-compact-tight", plain.name,
               compact_records<tight_record>{plain.options});
  if (data.name == "simple") enter_save<compact_records<load_record>>(all, data, "ingot-compact");
}
void enter_load_ingot_compact(suite& all, const record_data<padded_record>& data) {
  enter<compact_records<padded_record>>(all, data);
}
void enter_load_ingot_compact(suite& all, const character_data& data) {
  using characters = std::vector<std_character>;
  enter<compact_format<characters, sum_characters<characters>>>(all, data);
}

} // namespace bench
