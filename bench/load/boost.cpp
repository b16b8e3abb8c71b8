// SPDX-License-Identifier: Apache-2.0
// Boost.Serialization: a binary archive over a file's buffer, without header. Records are bitwise
// serializable, so that vectors of them are one block.
#include "workload.hpp"

#include <fstream>

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/is_bitwise_serializable.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

BOOST_IS_BITWISE_SERIALIZABLE(bench::load_record)
BOOST_IS_BITWISE_SERIALIZABLE(bench::padded_record)
BOOST_IS_BITWISE_SERIALIZABLE(bench::position)
BOOST_IS_BITWISE_SERIALIZABLE(bench::skill)
BOOST_IS_BITWISE_SERIALIZABLE(bench::item)

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, bench::std_equip& e, unsigned) {
  archive & e.id & e.number & e.uuid & e.timestamp & e.level & e.attributes;
}
template <class Archive>
void serialize(Archive& archive, bench::std_character& c, unsigned) {
  archive & c.id & c.name & c.level & c.healthpoint & c.manapoint & c.speed & c.pos & c.items & c.path &
      c.attributes & c.equips & c.skills;
}
template <class Archive>
void serialize(Archive& archive, bench::load_record& r, unsigned) {
  archive & r.vec & r.i & r.f;
}
template <class Archive>
void serialize(Archive& archive, bench::padded_record& r, unsigned) {
  archive & r.vec & r.i & r.f;
}
template <class Archive>
void serialize(Archive& archive, bench::position& p, unsigned) {
  archive & p.x & p.y & p.z;
}
template <class Archive>
void serialize(Archive& archive, bench::skill& s, unsigned) {
  archive & s.id & s.level;
}
template <class Archive>
void serialize(Archive& archive, bench::item& it, unsigned) {
  archive & it.id & it.number & it.uuid & it.timestamp;
}

} // namespace boost::serialization

namespace bench {
namespace {

template <class Values, class Sum, Sum (*Summed)(const Values&)>
struct boost_format {
  void save(const Values& values, const std::filesystem::path& path) const {
    std::filebuf file;
    file.open(path, std::ios::out | std::ios::binary | std::ios::trunc);
    boost::archive::binary_oarchive archive(file, boost::archive::no_header);
    archive << values;
  }
  [[nodiscard]] std::optional<Values> load(const std::filesystem::path& path) const {
    std::filebuf file;
    if (file.open(path, std::ios::in | std::ios::binary) == nullptr) return std::nullopt;
    boost::archive::binary_iarchive archive(file, boost::archive::no_header);
    std::optional<Values> values(std::in_place);
    archive >> *values;
    return values;
  }
  [[nodiscard]] Sum sum(const Values& values) const { return Summed(values); }
};

template <class Record>
using record_format = boost_format<std::vector<Record>, record_sum, sum_records<std::vector<Record>>>;

} // namespace

void enter_load_boost(suite& all, const record_data<load_record>& data) {
  enter_load<record_format<load_record>>(all, data, "boost");
  if (data.name == "simple") enter_save<record_format<load_record>>(all, data, "boost");
}
void enter_load_boost(suite& all, const record_data<padded_record>& data) {
  enter_load<record_format<padded_record>>(all, data, "boost");
}
void enter_load_boost(suite& all, const character_data& data) {
  using characters = std::vector<std_character>;
  enter_load<boost_format<characters, totals, sum_characters<characters>>>(all, data, "boost");
}

} // namespace bench
