// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <ingot/document/document.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/live.hpp>

#include "../live/character.hpp"

#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <system_error>

namespace demo {

namespace {

struct Route {
  std::string name;
  std::string via;
  std::size_t cost = 0;
};

/// As editing leaves it: with holes where routes were struck out.
[[nodiscard]] ingot::document routes_of(const Atlas& atlas) {
  std::map<std::string, Route> routes;
  for (const Country& each : atlas.countries)
    routes[each.alpha_3] = {each.name, each.alpha_2, each.name.size()};
  ingot::document journal;
  journal["routes"] = routes;
  for (std::size_t i = 0; i < atlas.countries.size(); i += 10)
    static_cast<void>(journal["routes"].erase(atlas.countries[i].alpha_3));
  return journal;
}

[[nodiscard]] ingot::live<live_demo::Character> hero_of(const Character& from) {
  ingot::live<live_demo::Character> hero;
  hero->id = from.id;
  hero->name = from.name;
  hero->level = from.level;
  hero->healthpoint = from.healthpoint;
  hero->manapoint = from.manapoint;
  hero->speed = from.speed;
  hero->pos = from.pos;
  for (const auto& [key, item] : from.items) hero->items[key] = item;
  for (const Position& each : from.path) hero->path.push_back(each);
  for (const float each : from.attributes) hero->attributes.push_back(each);
  for (const Equip& each : from.equips) {
    auto& equip = hero->equips.emplace_back();
    equip.id = each.id;
    equip.number = each.number;
    equip.uuid = each.uuid;
    equip.timestamp = each.timestamp;
    equip.level = each.level;
    for (const float value : each.attributes) equip.attributes.push_back(value);
  }
  for (const Skill& each : from.skills) hero->skills.push_back(each);
  return hero;
}

ingot::result<void> write_log(const std::filesystem::path& path, const Atlas& atlas) {
  auto log = ingot::log_writer<Currency>::open(path);
  if (!log) return ingot::fail(log.error());
  for (const Currency& each : atlas.currencies) {
    if (auto done = log->append(each); !done) return done;
  }
  return log->sync();
}

} // namespace

bool write_files(const std::filesystem::path& folder, const Atlas& atlas, const World& world) {
  std::error_code ignored;
  // If the folder can't be created, saving the first file fails.
  std::filesystem::create_directories(folder, ignored);
  std::filesystem::remove(folder / "currencies.log", ignored);
  bool good = true;
  const auto wrote = [&](const char* name, const char* what, const ingot::result<void>& done) {
    const std::string path = (folder / name).string();
    if (done) std::printf("  %-40s %s\n", path.c_str(), what);
    else std::fprintf(stderr, "demo: %s\n", done.error().message().c_str());
    good = good && done.has_value();
  };
  std::puts("\nFiles, and each says what it is: ingot inspect FILE");
  wrote("atlas.ingot", "packed: can be mapped and read in place", ingot::save(folder / "atlas.ingot", atlas));
  wrote("atlas.compact.ingot", "compact",
        ingot::save(folder / "atlas.compact.ingot", atlas, {.form = ingot::profile::compact}));
  const auto zstd = ingot::has_codec(ingot::codec::zstd) ? ingot::codec::zstd : ingot::codec::none;
  // Half of the world is random: an eighth is saved, less than is worth it where disks are quick.
  wrote("world.ingot", "packed, by columns and compressed",
        ingot::save(folder / "world.ingot", world,
                    {.compress = {.method = zstd, .min_saving_percent = 0}, .columns = true}));
  wrote("hero.ingot", "a live block", ingot::save(folder / "hero.ingot", hero_of(world.characters.front())));
  wrote("routes.ingot", "a document, with the holes that editing left",
        ingot::save(folder / "routes.ingot", routes_of(atlas)));
  wrote("currencies.log", "a log, a record each", write_log(folder / "currencies.log", atlas));
  return good;
}

} // namespace demo
