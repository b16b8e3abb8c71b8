// SPDX-License-Identifier: Apache-2.0
// Boost.Serialization: a binary archive over a new std::stringstream each time, as in the usual
// benchmark.
#include "workload.hpp"

#include <optional>
#include <spanstream>
#include <sstream>

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, bench::vec3& v, unsigned) {
  archive & v.x & v.y & v.z;
}
template <class Archive>
void serialize(Archive& archive, bench::weapon& w, unsigned) {
  archive & w.name & w.damage;
}
template <class Archive>
void serialize(Archive& archive, bench::monster& m, unsigned) {
  archive & m.position & m.mana & m.hp & m.name & m.inventory & m.colour & m.weapons & m.equipped & m.path;
}

} // namespace boost::serialization

namespace bench {
namespace {

class boost_codec {
public:
  void write(const monsters& in) {
    stream_.emplace();
    boost::archive::binary_oarchive archive(*stream_);
    archive << in;
  }
  std::string written() const { return stream_->str(); }

  bool write_fixed(const monsters& in) {
    std::ospanstream stream{std::span<char>(fixed_)};
    {
      boost::archive::binary_oarchive archive(stream);
      archive << in;
    }
    fixed_size_ = stream.span().size();
    return true;
  }
  std::string written_fixed() const { return {fixed_.data(), fixed_size_}; }

  bool read(const std::string& message, monsters& out) {
    std::stringstream stream(message);
    boost::archive::binary_iarchive archive(stream);
    archive >> out;
    return true;
  }

private:
  std::optional<std::stringstream> stream_;
  std::vector<char> fixed_ = std::vector<char>(fixed_capacity);
  std::size_t fixed_size_ = 0;
};

} // namespace

void enter_boost(suite& all) { enter_monster<boost_codec>(all, "boost"); }

} // namespace bench
