// SPDX-License-Identifier: Apache-2.0
// The data of the cases of strings: 500 messages of one to four sentences each.
#include "strings.hpp"

#include <ingot/json/json.hpp>

#include <cstdint>
#include <random>
#include <utility>

namespace bench {
namespace {

constexpr std::array<std::string_view, 4> ascii{
    "The museum opens at nine and closes at five.", "Please bring two copies of the letter.",
    "All trains to the north are late today.", "We have moved to the second floor of the house."};
constexpr std::array<std::string_view, 4> accents{
    "Le musée ouvre à neuf heures et ferme à dix-sept heures.", "Veuillez apporter deux copies de la pièce.",
    "Les trains vers le nord ont été retardés.", "Nous avons déménagé au deuxième étage."};
constexpr std::array<std::string_view, 4> cyrillic{
    "Музей открывается в девять и закрывается в пять.", "Пожалуйста, принесите две копии письма.",
    "Все поезда на север сегодня опаздывают.", "Мы переехали на второй этаж дома."};
constexpr std::array<std::string_view, 4> japanese{
    "博物館は九時に開館し、十七時に閉館します。", "手紙の写しを二部お持ちください。",
    "本日、北へ向かう列車はすべて遅れています。", "私たちは建物の二階に引っ越しました。"};
constexpr std::array<std::string_view, 4> emoji{"See you there 😀🎉🎉", "Rain ☔ again 😭😭😭",
                                                "🚂🚃🚃🚃 on time 👍🏽",
                                                "👩‍👩‍👧‍👦 at the 🏖️ 🌞"};
constexpr std::array<std::string_view, 4> quotes{R"("No," he said, "not \"that\" one.")",
                                                 R"(C:\Users\ann\letters\"new")", R"("a" or "b" or "c"?)",
                                                 R"(printf("%s\n", "\\\"");)"};

using sentences = std::array<std::string_view, 4>;

std::string make_text(const sentences& from, std::uint64_t random) {
  std::string text;
  for (std::uint64_t left = 1 + random % 4; left != 0; --left) {
    random /= 4;
    if (!text.empty()) text += ' ';
    text += from[random % 4];
  }
  return text;
}

string_case make_case(std::string name, const sentences& from) {
  string_case created{std::move(name), {}};
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t bits = random();
    created.messages.push_back({std::string(from[bits % 4]), make_text(from, bits / 4)});
  }
  return created;
}

std::string make_list(const sentences& from) {
  std::mt19937_64 random(2);
  std::vector<std::string> texts;
  for (int i = 0; i < 1'000; ++i) texts.push_back(make_text(from, random()));
  return ingot::json::write(texts).value();
}

} // namespace

const std::array<string_case, 6>& string_cases() {
  static const std::array<string_case, 6> all{
      make_case("ascii", ascii),       make_case("accents", accents), make_case("cyrillic", cyrillic),
      make_case("japanese", japanese), make_case("emoji", emoji),     make_case("quotes", quotes)};
  return all;
}

const std::string& wide_list(bool is_ascii) {
  static const std::string in_cyrillic = make_list(cyrillic);
  static const std::string in_ascii = make_list(ascii);
  return is_ascii ? in_ascii : in_cyrillic;
}

bool read_back(std::string_view text, std::vector<message>& out) {
  return ingot::json::read_into(out, text).has_value();
}
bool read_back(std::string_view text, std::vector<std::string>& out) {
  return ingot::json::read_into(out, text).has_value();
}

} // namespace bench
