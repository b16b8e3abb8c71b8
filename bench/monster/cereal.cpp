// SPDX-License-Identifier: Apache-2.0
// cereal as in the usual benchmark: a binary archive over a new std::stringstream each time.
// ingot's targets are fractions of exactly this work.
#include "workload.hpp"

#include <optional>
#include <spanstream>
#include <sstream>

#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

namespace bench {

template <class Archive>
void serialize(Archive& archive, vec3& v) {
  archive(v.x, v.y, v.z);
}
template <class Archive>
void serialize(Archive& archive, weapon& w) {
  archive(w.name, w.damage);
}
template <class Archive>
void serialize(Archive& archive, monster& m) {
  archive(m.position, m.mana, m.hp, m.name, m.inventory, m.colour, m.weapons, m.equipped, m.path);
}

namespace {

class cereal_codec {
public:
  void write(const monsters& in) {
    stream_.emplace();
    cereal::BinaryOutputArchive archive(*stream_);
    archive(in);
  }
  std::string written() const { return stream_->str(); }

  bool write_fixed(const monsters& in) {
    std::ospanstream stream{std::span<char>(fixed_)};
    cereal::BinaryOutputArchive archive(stream);
    archive(in);
    fixed_size_ = stream.span().size();
    return true;
  }
  std::string written_fixed() const { return {fixed_.data(), fixed_size_}; }

  bool read(const std::string& message, monsters& out) {
    std::stringstream stream(message);
    cereal::BinaryInputArchive archive(stream);
    archive(out);
    return true;
  }

private:
  std::optional<std::stringstream> stream_;
  std::vector<char> fixed_ = std::vector<char>(fixed_capacity);
  std::size_t fixed_size_ = 0;
};

} // namespace

void enter_cereal(suite& all) { enter_monster<cereal_codec>(all, "cereal"); }

} // namespace bench
