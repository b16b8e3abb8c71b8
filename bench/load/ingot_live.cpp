// SPDX-License-Identifier: Apache-2.0
// ingot's live blocks: loaded into a slot, where they can change and grow. `ingot-live-mapped`
// validates and reads them in a mapping; `ingot-live-trusted` reads them there without validation.
#include "../char1/ingot_live.hpp"

#include <ingot/file/live_file.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "ingot.hpp"

#include <memory>

namespace bench {
namespace {

template <class T>
struct live_list {
  ingot::vector<T> values;
};
/// The list of standard containers that a block is made from.
template <class T>
struct std_list {
  std::vector<T> values;
};

constexpr ingot::max_block_size max_size{std::size_t{512} << 20};

/// The block is made once, since programs that save have one already.
template <class Element, class Live, auto Summed>
struct live_format {
  using list = live_list<Live>;
  ingot::save_options options{.durable = false};
  std::shared_ptr<ingot::live<list>> block;

  void save(const std::vector<Element>& values, const std::filesystem::path& path) {
    if (!block) {
      block = std::make_shared<ingot::live<list>>(std_list<Element>{values}, max_size);
      block->compact();
    }
    demand_saved(ingot::save(path, *block, options));
  }
  [[nodiscard]] auto load(const std::filesystem::path& path) const {
    return ingot::load<ingot::live<list>>(path);
  }
  [[nodiscard]] auto sum(const ingot::live<list>& loaded) const { return Summed(loaded->values); }
};

template <class Element, class Live, auto Summed>
struct mapped_live_format : live_format<Element, Live, Summed> {
  using list = live_list<Live>;
  bool trusted = false;

  [[nodiscard]] auto load(const std::filesystem::path& path) const {
    using seen = ingot::live_view<list>;
    return trusted ? ingot::map_file_unchecked<seen>(path) : ingot::map_file<seen>(path);
  }
  [[nodiscard]] auto sum(const ingot::mapped_file<ingot::live_view<list>>& mapped) const {
    return Summed(mapped->values);
  }
};

template <class Element, class Live, auto Summed, class Data>
void enter(suite& all, const Data& data) {
  for (const auto& variant : load_variants())
    enter_load(all, data, "ingot-live", variant.name,
               live_format<Element, Live, Summed>{variant.options, {}});
  mapped_live_format<Element, Live, Summed> mapped;
  enter_load(all, data, "ingot-live-mapped", "", mapped);
  mapped.trusted = true;
  enter_load(all, data, "ingot-live-trusted", "", mapped);
}

} // namespace

void enter_load_ingot_live(suite& all, const record_data<load_record>& data) {
  constexpr auto sum = sum_records<ingot::vector<load_record>>;
  enter<load_record, load_record, sum>(all, data);
  if (data.name == "simple") enter_save<live_format<load_record, load_record, sum>>(all, data, "ingot-live");
}
void enter_load_ingot_live(suite& all, const record_data<padded_record>& data) {
  enter<padded_record, padded_record, sum_records<ingot::vector<padded_record>>>(all, data);
}
void enter_load_ingot_live(suite& all, const character_data& data) {
  enter<std_character, live_character, sum_characters<ingot::vector<live_character>>>(all, data);
}

} // namespace bench
