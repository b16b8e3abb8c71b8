// SPDX-License-Identifier: Apache-2.0
// A view alone, without a decoder. The view is opened at any alignment, walked, and searched for a
// key from the input. The first byte chooses the type, the second the alignment, the third the
// length of the key. Then come the key and the message.
#include <ingot/core/endian.hpp>
#include <ingot/pack/view.hpp>

#include "fuzz.hpp"
#include "hostile/agreement.hpp"
#include "zoo/annotated.hpp"
#include "zoo/containers.hpp"
#include "zoo/records.hpp"
#include "zoo/scalars.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace {

/// Makes a key from arbitrary bytes.
template <class K>
K key_from(ingot::bytes_view bytes) {
  if constexpr (std::is_same_v<K, std::string>) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } else if constexpr (std::is_same_v<K, zoo::full_name>) {
    const auto half = bytes.size() / 2;
    return {key_from<std::string>(bytes.first(half)), key_from<std::string>(bytes.subspan(half))};
  } else if constexpr (std::is_same_v<K, zoo::grid_cell>) {
    const auto half = bytes.size() / 2;
    return {key_from<std::int32_t>(bytes.first(half)), key_from<std::int32_t>(bytes.subspan(half))};
  } else {
    std::array<std::byte, sizeof(std::uint64_t)> padded{};
    std::copy_n(bytes.begin(), std::min(bytes.size(), padded.size()), padded.begin());
    return static_cast<K>(ingot::load_le<std::uint64_t>(padded.data()));
  }
}

template <class T>
std::string look_up(const ingot::list_view<T>& seen, ingot::bytes_view wanted) {
  const auto key = key_from<ingot::key_t<T>>(wanted);
  const auto low = seen.lower_bound(key);
  const auto high = seen.upper_bound(key);
  if (low < seen.begin() || high < low || seen.end() < high) return "bounds out of order";
  if (seen.contains(key) != (low != high)) return "contains and the bounds disagree";
  return {};
}

template <class T>
std::string open_and_walk(ingot::bytes_view message, ingot::bytes_view wanted) {
  const auto seen = ingot::view<T>::open(message);
  if (!seen) return seen.error().message().empty() ? "an error without words" : "";
  std::size_t fields = 0;
  hostile::walk<T>(*seen, fields);
  if (fields > 64 * (message.size() + 1) + 200'000) return "more fields than the bytes can hold";
  if constexpr (requires { look_up(*seen, wanted); }) return look_up(*seen, wanted);
  else if constexpr (std::is_same_v<T, zoo::mixture>) {
    auto problem = look_up(seen->template get<"table">(), wanted);
    if (problem.empty()) problem = look_up(seen->template get<"hashed">(), wanted);
    if (problem.empty()) problem = look_up(seen->template get<"cells">(), wanted);
    return problem;
  } else return {};
}

using opener = std::string (*)(ingot::bytes_view, ingot::bytes_view);
constexpr std::array<opener, 13> openers{
    open_and_walk<zoo::mixture>,
    open_and_walk<zoo::nested>,
    open_and_walk<zoo::folder>,
    open_and_walk<zoo::outline>,
    open_and_walk<zoo::network>,
    open_and_walk<zoo::invoice>,
    open_and_walk<std::map<std::string, std::vector<std::string>>>,
    open_and_walk<std::map<zoo::full_name, std::string>>,
    open_and_walk<std::multimap<std::int16_t, std::string>>,
    open_and_walk<std::unordered_map<zoo::grid_cell, float>>,
    open_and_walk<std::unordered_multimap<std::string, std::uint16_t>>,
    open_and_walk<std::set<std::string>>,
    open_and_walk<std::map<zoo::rights, std::vector<zoo::weather>>>,
};

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.size() < 3) return {};
  const auto type = std::to_integer<std::size_t>(input[0]) % openers.size();
  const auto shift = std::to_integer<std::size_t>(input[1]) % 16;
  const auto key_size = std::min(std::to_integer<std::size_t>(input[2]), input.size() - 3);
  const auto key = input.subspan(3, key_size);
  const auto message = input.subspan(3 + key_size);
  // The message begins at any alignment. The allocation ends with the message, so that a sanitizer
  // reports reads after the end.
  const auto storage = std::make_unique<std::byte[]>(shift + message.size());
  if (!message.empty()) std::memcpy(storage.get() + shift, message.data(), message.size());
  return openers[type]({storage.get() + shift, message.size()}, key);
}
