// SPDX-License-Identifier: Apache-2.0
// An untrusted description of a schema, and an untrusted message of that schema, which are read
// into current types. The first byte chooses the type, and the next two bytes have the length of
// the description. The fingerprint is corrected, since hardly any input would have the right one.
#include <ingot/pack/evolution.hpp>

#include "fuzz.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace {

enum class colour : std::uint8_t { red, green, blue };
struct leaf {
  std::uint32_t id = 7;
  std::optional<std::string> name;
  double weight = 1;
};
struct tree {
  std::string name;
  std::vector<tree> parts;
  std::map<std::uint64_t, leaf> leaves;
  std::unique_ptr<tree> next;
  colour front{};
  std::variant<std::uint16_t, std::string, std::vector<leaf>> any;
  std::array<std::int64_t, 2> pair{};
};
struct earlier {
  std::uint32_t id = 1;
};
struct later {
  std::string id = "one";
  std::vector<later> more;
};

} // namespace

template <>
inline constexpr auto ingot::annotations<leaf> =
    ingot::annotate(ingot::member<"name">(ingot::renamed_from("title", "label")));
template <>
inline constexpr auto ingot::annotations<earlier> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<later> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<later> {
  using type = earlier;
  static later upgrade(earlier&& old) { return {std::to_string(old.id), {}}; }
};

namespace {

template <class T>
std::string resolve(const ingot::schema& before, ingot::bytes_view message) {
  const bool reads = static_cast<bool>(ingot::compatible<T>(before));
  const auto conversion = ingot::evolution<T>::from(before);
  if (conversion.has_value() != reads) return "what is compatible can't be read, or the reverse";
  if (!conversion)
    return conversion.error().expected().empty() && before.id() != 0 ? "an obstacle without a name" : "";
  for (const auto& read : {conversion->unpack(message), conversion->unpack_compact(message)}) {
    if (!read) {
      if (read.error().offset() > message.size()) return "an error after the bytes";
      continue;
    }
    const auto packed = ingot::pack(*read);
    if (!packed) return "what was read can't be written: " + packed.error().message();
    if (!ingot::unpack<T>(*packed)) return "what was written can't be read";
  }
  return {};
}

using target = std::string (*)(const ingot::schema&, ingot::bytes_view);
constexpr std::array<target, 8> targets{
    resolve<tree>,
    resolve<leaf>,
    resolve<later>,
    resolve<std::vector<tree>>,
    resolve<std::vector<std::optional<double>>>,
    resolve<std::map<std::string, std::vector<later>>>,
    resolve<std::vector<colour>>,
    resolve<std::vector<std::variant<std::uint32_t, leaf, std::string>>>,
};
const ingot::schema& own_schema() {
  static const ingot::schema own = ingot::schema_of<tree>();
  return own;
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.size() < 3) return {};
  const std::size_t which = std::to_integer<std::size_t>(input[0]);
  const std::size_t requested =
      std::to_integer<std::size_t>(input[1]) | std::to_integer<std::size_t>(input[2]) << 8;
  const std::size_t length = std::min(requested, input.size() - 3);
  // separate allocations, so that the sanitizer sees reads past their ends
  std::vector<std::byte> description(input.begin() + 3,
                                     input.begin() + 3 + static_cast<std::ptrdiff_t>(length));
  const std::vector<std::byte> message(input.begin() + 3 + static_cast<std::ptrdiff_t>(length), input.end());
  if (description.size() >= 16) {
    std::vector<ingot::schema_node> nodes;
    ingot::detail::description_reader reader(description, nodes);
    static_cast<void>(reader.read());
    for (std::size_t i = 0; i < 8; ++i)
      description[8 + i] = static_cast<std::byte>(reader.id() >> 8 * i & 0xFF);
  }
  const auto before = ingot::read_schema(description);
  if (!before) return before.error().offset() > description.size() ? "an error after the description" : "";
  if (ingot::schema_bytes(*before) != description) return "a description with two encodings";
  if (before->to_text(4096).size() > 4096) return "a text longer than the limit";
  const auto same = ingot::compatible(*before, *before);
  if (!same || !same.changes().empty()) {
    bool is_large = false; // then the comparison stops before its end
    for (const auto& each : same.changes()) is_large |= each.reason == "there is too much to compare";
    if (!is_large) return "a schema that differs from itself: " + same.to_text();
  }
  static_cast<void>(ingot::compatible(*before, own_schema()));
  static_cast<void>(ingot::compatible(own_schema(), *before));
  return targets[which % targets.size()](*before, message);
}
