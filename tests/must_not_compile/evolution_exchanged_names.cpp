// SPDX-License-Identifier: Apache-2.0
// expect: members exchanged their names
#include <ingot/pack/evolution.hpp>

#include <cstdint>

struct size {
  std::int32_t width = 0;
  std::int32_t height = 0;
};

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<size> =
    ingot::annotate(ingot::member<"width">(ingot::renamed_from("height")),
                    ingot::member<"height">(ingot::renamed_from("depth")));
#else
inline constexpr auto ingot::annotations<size> =
    ingot::annotate(ingot::member<"width">(ingot::renamed_from("height")),
                    ingot::member<"height">(ingot::renamed_from("width")));
#endif

ingot::result<size> read(ingot::bytes_view bytes, ingot::bytes_view description) {
  return ingot::unpack_evolved<size>(bytes, description);
}
