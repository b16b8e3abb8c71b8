// SPDX-License-Identifier: Apache-2.0
// Boost.Container with its tree map.
#include "plain.hpp"

#include <boost/container/map.hpp>
#include <boost/container/string.hpp>
#include <boost/container/vector.hpp>

namespace bench {
namespace {

struct boost_family {
  template <class T>
  using vector = boost::container::vector<T>;
  template <class K, class V>
  using map = boost::container::map<K, V>;
  using string = boost::container::string;
};
using backend = plain_backend<boost_family>;

} // namespace

const char1_contender char1_boost{"boost", [](suite& all) { enter_char1<backend>(all, "boost"); },
                                  hold_characters<backend>};

} // namespace bench
