// SPDX-License-Identifier: Apache-2.0
// Boost.Container with its map in a sorted vector. The world is in a tree, since 10,000 characters
// would be moved too often.
#include "plain.hpp"

#include <boost/container/flat_map.hpp>
#include <boost/container/map.hpp>
#include <boost/container/string.hpp>
#include <boost/container/vector.hpp>

namespace bench {
namespace {

struct flat_family {
  template <class T>
  using vector = boost::container::vector<T>;
  template <class K, class V>
  using map = boost::container::flat_map<K, V>;
  using string = boost::container::string;
};
using backend = plain_backend<flat_family, boost::container::map<std::uint64_t, character_of<flat_family>>>;

} // namespace

const char1_contender char1_boost_flat{
    "boost-flat", [](suite& all) { enter_char1<backend>(all, "boost-flat"); }, hold_characters<backend>};

} // namespace bench
