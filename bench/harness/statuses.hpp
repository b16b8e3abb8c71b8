// SPDX-License-Identifier: Apache-2.0
// Generates JSON text of the shape of twitter.json, the file that simdjson's benchmarks use: 100
// statuses with users and entities.
#pragma once

#include "random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

inline constexpr std::int64_t first_status_id = 505'874'000'000'000'000;

/// Language of the texts that users write. Japanese texts also have escapes.
enum class status_language : bool { latin, japanese };

class status_generator {
public:
  explicit status_generator(status_language language) : language_(language) {}

  [[nodiscard]] std::string statuses() {
    std::string all = "{\"statuses\":[";
    for (std::uint64_t i = 0; i < 100; ++i) all += (i == 0 ? "" : ",") + status(i, true);
    return all + "],\"search_metadata\":{\"completed_in\":0.087,\"count\":100,\"since_id\":0}}";
  }

private:
  [[nodiscard]] std::string words(std::size_t count) {
    static constexpr std::array<std::string_view, 8> japanese{"名前:",  "前田",   "動画", "ありがとう",
                                                              "今日は", "だから", "！",   "フォロー"};
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
      if (language_ == status_language::japanese && i == 8) all += "\\n";
      if (language_ == status_language::latin) all += (i == 0 ? "" : " ") + letters(draw_, 2, 9);
      else all += japanese[draw_.between(0, japanese.size() - 1)];
    }
    return all;
  }
  [[nodiscard]] static std::string field(std::string_view key, const std::string& value) {
    return "\"" + std::string(key) + "\":" + value;
  }
  [[nodiscard]] static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
  [[nodiscard]] std::string count(std::uint64_t maximum) { return std::to_string(draw_.between(0, maximum)); }
  [[nodiscard]] std::string user() {
    const std::string id = std::to_string(1'000'000'000 + draw_.between(0, 60) * 7'919);
    const std::string image = "http://images.example/profile/" + letters(draw_, 10, 10) + ".jpeg";
    std::string all = "{" + field("id", id) + "," + field("id_str", quoted(id)) + "," +
                      field("name", quoted(words(2))) + "," +
                      field("screen_name", quoted(letters(draw_, 6, 14))) + "," +
                      field("location", quoted(draw_.between(0, 1) == 0 ? std::string() : words(1)));
    all += "," + field("description", quoted(words(20))) +
           ",\"url\":null,\"entities\":{\"description\":{\"urls\":[]}}";
    all += ",\"protected\":false," + field("followers_count", count(5000)) + "," +
           field("friends_count", count(3000)) + "," + field("listed_count", count(60)) + "," +
           field("created_at", quoted("Sun Aug 31 00:29:15 +0000 2014")) + "," +
           field("favourites_count", count(9000));
    all += ",\"utc_offset\":null,\"time_zone\":null,\"geo_enabled\":false,\"verified\":false," +
           field("statuses_count", count(99'999)) + ",\"lang\":\"ja\",\"contributors_enabled\":false" +
           ",\"is_translator\":false,\"profile_background_color\":\"C0DEED\"," +
           field("profile_background_image_url", quoted(image)) + "," +
           field("profile_image_url", quoted(image)) + "," + field("profile_image_url_https", quoted(image)) +
           ",\"profile_link_color\":\"0084B4\",\"default_profile\":true,\"following\":false}";
    return all;
  }
  [[nodiscard]] std::string status(std::uint64_t number, bool may_repeat) {
    const std::string id = std::to_string(static_cast<std::uint64_t>(first_status_id) + number * 1000);
    const std::string quote = language_ == status_language::latin ? "'" : "\\\"";
    std::string all =
        "{\"metadata\":{\"result_type\":\"recent\",\"iso_language_code\":\"ja\"}," +
        field("created_at", quoted("Sun Aug 31 00:29:15 +0000 2014")) + "," + field("id", id) + "," +
        field("id_str", quoted(id)) + "," + field("text", quoted(words(16))) + "," +
        field("source", quoted("<a href=" + quote + "http://app.example" + quote + ">App</a>")) +
        ",\"truncated\":false,";
    const bool is_reply = draw_.between(0, 3) == 0;
    all += field("in_reply_to_status_id", is_reply ? std::to_string(first_status_id - 5'000'000) : "null") +
           "," + field("in_reply_to_user_id", is_reply ? std::to_string(1'186'275'104) : "null") +
           ",\"in_reply_to_screen_name\":null," + field("user", user());
    all += ",\"geo\":null,\"coordinates\":null,\"place\":null,\"contributors\":null,";
    if (may_repeat && draw_.between(0, 9) < 7)
      all += field("retweeted_status", status(number + 100'000, false)) + ",";
    all += field("retweet_count", count(30'000)) + "," + field("favorite_count", count(300)) +
           ",\"entities\":{\"hashtags\":[],\"symbols\":[],\"urls\":[],\"user_mentions\":[{" +
           field("screen_name", quoted(letters(draw_, 6, 14))) + "," + field("name", quoted(words(1))) +
           ",\"id\":866260188,\"indices\":[3,17]}]},\"favorited\":false,\"retweeted\":false,\"lang\":\"ja\"}";
    return all;
  }

  random_source draw_{26};
  status_language language_;
};

/// Returns the text in one line.
[[nodiscard]] inline std::string statuses_text(status_language language = status_language::latin) {
  return status_generator(language).statuses();
}

/// Returns the same JSON with line breaks, indented by two spaces.
[[nodiscard]] inline std::string indented(std::string_view text) {
  std::string all;
  std::size_t depth = 0;
  bool is_inside = false; // inside of a string
  const auto new_line = [&] { all.append("\n").append(2 * depth, ' '); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_empty = !is_inside && i + 1 < text.size() && (c == '{' || c == '[') && text[i + 1] == c + 2;
    if (is_empty) {
      all.append(text.substr(i++, 2));
    } else if (is_inside || c == '"') {
      all += c;
      if (c == '\\') all += text[++i];
      if (c == '"') is_inside = !is_inside;
    } else {
      if (c == '}' || c == ']') --depth, new_line();
      all += c;
      if (c == ':') all += ' ';
      if (c == '{' || c == '[') ++depth;
      if (c == '{' || c == '[' || c == ',') new_line();
    }
  }
  return all;
}

} // namespace bench
