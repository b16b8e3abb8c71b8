// SPDX-License-Identifier: Apache-2.0
// Reading documents that are the values of JSON text. Contenders parse the same text before
// anything is timed; ingot's documents are then compacted, so their records share keys. `ingot-
// doc` reads a validated document, `ingot-peek` bytes that were not validated; those with `-finder`
// use a `key_finder` for each key.
//
// `shaped-read` reads a member of a record, `wide-elements` an element and its field. Their
// contenders differ only in the form of the document. The tasks on statuses are those of simdjson's
// benchmarks, on a generated text of the same shape: 100 statuses with users and entities.
#include <ingot/document/document.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/json/document.hpp>

#include "../harness/statuses.hpp"
#include "workload.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <rapidjson/document.h>

namespace bench {
namespace {

using ingot::document;

// One set of functions for each library, so that each task is written once.
struct ingot_tree {
  static constexpr const char* name = "ingot-doc";
  explicit ingot_tree(const std::string& text) : doc(*ingot::json::read_document(text)) { doc.compact(); }
  [[nodiscard]] ingot::value root() const { return doc.root(); }
  template <std::size_t N>
  static ingot::value get(const ingot::value& in, const char (&key)[N]) {
    return in[key];
  }
  template <class F>
  static void each(const ingot::value& in, F&& f) {
    for (const ingot::value one : in.elements()) {
      if (!f(one)) return;
    }
  }
  static bool has(const ingot::value& v) { return v.exists() && !v.is_null(); }
  static std::int64_t integer(const ingot::value& v) { return v.value_or(std::int64_t{0}); }
  static double real(const ingot::value& v) { return v.value_or(0.0); }
  static std::string_view text(const ingot::value& v) { return v.value_or(std::string_view{}); }
  document doc;
};
struct ingot_bytes {
  static constexpr const char* name = "ingot-peek";
  explicit ingot_bytes(const std::string& text) {
    const ingot_tree from(text);
    bytes.assign(from.doc.bytes().begin(), from.doc.bytes().end());
  }
  [[nodiscard]] ingot::peek_value root() const { return ingot::document_peek::over(bytes)->root(); }
  template <std::size_t N>
  static ingot::peek_value get(const ingot::peek_value& in, const char (&key)[N]) {
    return in[key];
  }
  template <class F>
  static void each(const ingot::peek_value& in, F&& f) {
    const std::size_t n = in.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (!f(in[i])) return;
    }
  }
  static bool has(const ingot::peek_value& v) { return v.exists() && !v.is_null(); }
  static std::int64_t integer(const ingot::peek_value& v) { return v.value_or(std::int64_t{0}); }
  static double real(const ingot::peek_value& v) { return v.value_or(0.0); }
  static std::string_view text(const ingot::peek_value& v) { return v.value_or(std::string_view{}); }
  std::vector<std::byte> bytes;
};
struct nlohmann_tree {
  static constexpr const char* name = "nlohmann";
  using json = nlohmann::json;
  explicit nlohmann_tree(const std::string& text) : doc(json::parse(text)) {}
  [[nodiscard]] const json& root() const { return doc; }
  template <std::size_t N>
  static const json& get(const json& in, const char (&key)[N]) {
    static const json none;
    const auto at = in.find(key);
    return at != in.end() ? *at : none;
  }
  template <class F>
  static void each(const json& in, F&& f) {
    for (const json& one : in) {
      if (!f(one)) return;
    }
  }
  static bool has(const json& v) { return !v.is_null(); }
  static std::int64_t integer(const json& v) { return v.get<std::int64_t>(); }
  static double real(const json& v) { return v.get<double>(); }
  static std::string_view text(const json& v) { return v.get_ref<const std::string&>(); }
  json doc;
};
struct rapidjson_tree {
  static constexpr const char* name = "rapidjson";
  using json = rapidjson::Value;
  explicit rapidjson_tree(const std::string& text) {
    doc.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  }
  [[nodiscard]] const json& root() const { return doc; }
  template <std::size_t N>
  static const json& get(const json& in, const char (&key)[N]) {
    static const json none;
    const auto at = in.FindMember(json(rapidjson::StringRef(key, N - 1)));
    return at != in.MemberEnd() ? at->value : none;
  }
  template <class F>
  static void each(const json& in, F&& f) {
    for (const json& one : in.GetArray()) {
      if (!f(one)) return;
    }
  }
  static bool has(const json& v) { return !v.IsNull(); }
  static std::int64_t integer(const json& v) { return v.GetInt64(); }
  static double real(const json& v) { return v.GetDouble(); }
  static std::string_view text(const json& v) { return {v.GetString(), v.GetStringLength()}; }
  rapidjson::Document doc;
};

std::uint64_t mix(std::uint64_t sum, std::int64_t n) { return sum * 31 + static_cast<std::uint64_t>(n); }
std::uint64_t mix(std::uint64_t sum, std::string_view text) {
  return sum * 31 + text.size() * 256 + (text.empty() ? 0U : static_cast<unsigned char>(text.back()));
}

// Tasks. Each returns a digest of its answer.
struct top_tweet {
  template <class T>
  static std::uint64_t run(const T& in) {
    std::int64_t maximum = -1;
    std::string_view text;
    std::string_view author;
    T::each(T::get(in.root(), "statuses"), [&](const auto& status) {
      const std::int64_t n = T::integer(T::get(status, "retweet_count"));
      if (n > maximum) {
        maximum = n;
        text = T::text(T::get(status, "text"));
        author = T::text(T::get(T::get(status, "user"), "screen_name"));
      }
      return true;
    });
    return mix(mix(mix(0, maximum), text), author);
  }
};
struct partial_tweets {
  struct tweet {
    std::string_view created_at;
    std::int64_t id;
    std::string_view text;
    std::int64_t in_reply_to;
    std::int64_t user;
    std::string_view author;
    std::int64_t retweets;
    std::int64_t favorites;
  };
  template <class T>
  static std::uint64_t run(const T& in) {
    static std::vector<tweet> all;
    all.clear();
    T::each(T::get(in.root(), "statuses"), [&](const auto& status) {
      const auto& reply = T::get(status, "in_reply_to_status_id");
      const auto& user = T::get(status, "user");
      all.push_back({T::text(T::get(status, "created_at")), T::integer(T::get(status, "id")),
                     T::text(T::get(status, "text")), T::has(reply) ? T::integer(reply) : 0,
                     T::integer(T::get(user, "id")), T::text(T::get(user, "screen_name")),
                     T::integer(T::get(status, "retweet_count")),
                     T::integer(T::get(status, "favorite_count"))});
      return true;
    });
    std::uint64_t sum = all.size();
    for (const tweet& one : all) {
      sum = mix(mix(mix(mix(sum, one.created_at), one.id), one.text), one.in_reply_to);
      sum = mix(mix(mix(mix(sum, one.user), one.author), one.retweets), one.favorites);
    }
    return sum;
  }
};
struct find_tweet {
  template <class T>
  static std::uint64_t run(const T& in) {
    std::string_view text;
    T::each(T::get(in.root(), "statuses"), [&](const auto& status) {
      if (T::integer(T::get(status, "id")) != first_status_id + 97 * 1000) return true;
      text = T::text(T::get(status, "text"));
      return false;
    });
    return mix(1, text);
  }
};
struct distinct_user_id {
  template <class T>
  static std::uint64_t run(const T& in) {
    static std::vector<std::int64_t> all;
    all.clear();
    T::each(T::get(in.root(), "statuses"), [&](const auto& status) {
      all.push_back(T::integer(T::get(T::get(status, "user"), "id")));
      const auto& again = T::get(status, "retweeted_status");
      if (T::has(again)) all.push_back(T::integer(T::get(T::get(again, "user"), "id")));
      return true;
    });
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    std::uint64_t sum = all.size();
    for (const std::int64_t id : all) sum = mix(sum, id);
    return sum;
  }
};
/// Returns a digest of the sums of three coordinates. `x_of`, `y_of` and `z_of` find the number in
/// a record.
template <class T>
std::uint64_t sum_coordinates(const T& in, auto&& x_of, auto&& y_of, auto&& z_of) {
  double x = 0;
  double y = 0;
  double z = 0;
  T::each(T::get(in.root(), "coordinates"), [&](const auto& at) {
    x += T::real(x_of(at));
    y += T::real(y_of(at));
    z += T::real(z_of(at));
    return true;
  });
  return digest(x) * 31 + digest(y) * 7 + digest(z);
}
struct sum_of_records {
  template <class T>
  static std::uint64_t run(const T& in) {
    return sum_coordinates(
        in, [](const auto& at) -> decltype(auto) { return T::get(at, "x"); },
        [](const auto& at) -> decltype(auto) { return T::get(at, "y"); },
        [](const auto& at) -> decltype(auto) { return T::get(at, "z"); });
  }
};
/// `sum_of_records` with a `key_finder` for each key.
struct sum_by_finders {
  template <class T>
  static std::uint64_t run(const T& in) {
    ingot::key_finder x("x");
    ingot::key_finder y("y");
    ingot::key_finder z("z");
    return sum_coordinates(
        in, [&](const auto& at) { return x.find(at); }, [&](const auto& at) { return y.find(at); },
        [&](const auto& at) { return z.find(at); });
  }
};
/// `find_tweet` with a `key_finder`.
struct find_tweet_by_finder {
  template <class T>
  static std::uint64_t run(const T& in) {
    ingot::key_finder id("id");
    std::string_view text;
    T::each(T::get(in.root(), "statuses"), [&](const auto& status) {
      if (T::integer(id.find(status)) != first_status_id + 97 * 1000) return true;
      text = T::text(T::get(status, "text"));
      return false;
    });
    return mix(1, text);
  }
};

// Texts
std::string records_text(std::size_t count) {
  random_source draw(27);
  std::string all = "{\"coordinates\":[";
  std::array<char, 160> one{};
  for (std::size_t i = 0; i < count; ++i) {
    std::snprintf(one.data(), one.size(), R"(%s{"x":%.17g,"y":%.17g,"z":%.17g,"name":"%s %d"})",
                  i == 0 ? "" : ",", draw.wide(), draw.wide(), draw.wide(), letters(draw, 6, 6).c_str(),
                  static_cast<int>(draw.between(0, 9999)));
    all += one.data();
  }
  return all + "],\"info\":\"some info\"}";
}

template <class Task, class T>
void enter_task(suite& all, const std::string& name, const std::string& text,
                const std::string& who = T::name) {
  if (!all.wants(name)) return;
  auto& owned = all.make<std::unique_ptr<T>>();
  owned = std::make_unique<T>(text);
  all.add(
      name, who, text.size(), [p = owned.get()](std::size_t) { keep(Task::run(*p)); },
      [&] { return meets_the_others(name, Task::run(*owned)); });
}
/// The contenders `ingot-doc-finder` and `ingot-peek-finder`.
template <class Task>
void enter_finders(suite& all, const std::string& name, const std::string& text) {
  enter_task<Task, ingot_tree>(all, name, text, std::string(ingot_tree::name) + "-finder");
  enter_task<Task, ingot_bytes>(all, name, text, std::string(ingot_bytes::name) + "-finder");
}
template <class Task>
void enter_all(suite& all, const std::string& name, const std::string& text) {
  enter_task<Task, nlohmann_tree>(all, name, text);
  enter_task<Task, rapidjson_tree>(all, name, text);
  enter_task<Task, ingot_tree>(all, name, text);
  enter_task<Task, ingot_bytes>(all, name, text);
  all.base(name, "nlohmann");
}

// Documents that differ only in their form.
document trades_document(bool shares) {
  document doc;
  for (const auto& t : trades()) {
    ingot::value_ref record = *doc.root().append(nullptr);
    for_each_field(
        t, [&](std::string_view key, const auto& value) { static_cast<void>(record.set(key, value)); });
  }
  if (shares) doc.compact();
  return doc;
}
struct reading_step {
  std::uint32_t record;
  std::string_view key;
  ingot::document_key hashed{key};
};
template <class Value>
std::uint64_t digest_of_value(const Value& v) {
  if (v.kind() == ingot::value_kind::text) return digest(v.value_or(std::string_view{}));
  if (v.kind() == ingot::value_kind::number) return digest(v.value_or(0.0));
  return digest(v.value_or(std::int64_t{-1}));
}
void enter_shaped(suite& all) {
  if (!all.wants("shaped-read", true) && !all.wants("shaped-read") && !all.wants("shaped-read-key") &&
      !all.wants("shaped-read-peek"))
    return;
  random_source draw(28);
  auto& table = all.make<std::vector<reading_step>>();
  for (int i = 0; i < 4096; ++i)
    table.push_back({static_cast<std::uint32_t>(draw.between(0, 99)), trade_keys[draw.between(0, 7)]});
  for (const bool shares : {false, true}) {
    const std::string who = shares ? "shared-keys" : "own-keys";
    auto& doc = all.make<document>();
    doc = trades_document(shares);
    auto& records = all.make<std::vector<ingot::value>>();
    auto& seen = all.make<std::vector<ingot::peek_value>>();
    const auto peek = ingot::document_peek::over(doc.bytes());
    for (std::size_t i = 0; i < 100; ++i) {
      records.push_back(std::as_const(doc)[i]);
      seen.push_back(peek->root()[i]);
    }
    const auto enter = [&]<class F>(const std::string& name, F read) {
      all.add(
          name, who, doc.bytes().size(), [t = table.data(), read](std::size_t i) { keep(read(t[i % 4096])); },
          [&] {
            std::uint64_t sum = 0;
            for (const auto& step : table) sum = sum * 31 + read(step);
            return meets_the_others(name, sum);
          });
      all.base(name, "own-keys");
      all.target(name, "shared-keys", {.ratio = 1.3});
    };
    enter("shaped-read",
          [r = records.data()](const reading_step& s) { return digest_of_value(r[s.record].find(s.key)); });
    enter("shaped-read-key", [r = records.data()](const reading_step& s) {
      return digest_of_value(r[s.record].find(s.hashed));
    });
    enter("shaped-read-peek",
          [r = seen.data()](const reading_step& s) { return digest_of_value(r[s.record].find(s.hashed)); });
  }
}
void enter_wide(suite& all) {
  for (const bool peeks : {false, true}) {
    const std::string name = peeks ? "wide-elements-peek" : "wide-elements";
    if (!all.wants(name)) continue;
    for (const std::size_t n : {std::size_t{6000}, std::size_t{7000}, std::size_t{20'000}}) {
      auto& doc = all.make<document>();
      doc = std::move(*ingot::json::read_document(records_text(n)));
      doc.compact();
      auto& list = all.make<ingot::value>();
      list = std::as_const(doc)["coordinates"];
      auto& seen = all.make<ingot::peek_value>();
      seen = ingot::document_peek::over(doc.bytes())->root()["coordinates"];
      auto& table = all.make<std::vector<std::size_t>>();
      random_source draw(29);
      // Only the first 6,000 elements, so that all answers are equal
      for (int i = 0; i < 4096; ++i) table.push_back(draw.between(0, 5999));
      const auto enter = [&](auto read) {
        all.add(
            name, std::to_string(n), doc.bytes().size(),
            [t = table.data(), read](std::size_t i) { keep(read(t[i % 4096])); },
            [&] {
              std::uint64_t sum = 0;
              for (const std::size_t i : table) sum = sum * 31 + read(i);
              return meets_the_others(name, sum);
            });
      };
      if (peeks) enter([p = &seen](std::size_t i) { return digest((*p)[i]["x"].value_or(0.0)); });
      else enter([p = &list](std::size_t i) { return digest((*p)[i]["x"].value_or(0.0)); });
      all.target(name, std::to_string(n), {.ratio = 1.3});
    }
    all.base(name, "6000");
  }
}

/// Four steps from the root: 4 objects of 8 keys on each level.
struct handle_path {
  std::array<std::string, 4> keys;
};
void enter_handles(suite& all) {
  const std::string name = "handle-path";
  if (!all.wants(name)) return;
  random_source draw(30);
  auto& doc = all.make<document>();
  auto& peer = all.make<nlohmann::json>();
  std::array<std::vector<std::string>, 4> levels;
  for (auto& level : levels) {
    while (level.size() < 8) level.push_back(letters(draw, 4, 12));
  }
  const std::size_t inner = 4;
  for (std::size_t i = 0; i < inner * inner * inner * 8; ++i) {
    const auto& a = levels[0][i / 8 / inner / inner];
    const auto& b = levels[1][i / 8 / inner % inner];
    const auto& c = levels[2][i / 8 % inner];
    const auto& d = levels[3][i % 8];
    const auto number = static_cast<std::int64_t>(draw.between(0, 1'000'000));
    doc[a][b][c][d] = number;
    peer[a][b][c][d] = number;
  }
  auto& table = all.make<std::vector<handle_path>>();
  for (int i = 0; i < 512; ++i) {
    table.push_back({{levels[0][draw.between(0, inner - 1)], levels[1][draw.between(0, inner - 1)],
                      levels[2][draw.between(0, inner - 1)], levels[3][draw.between(0, 7)]}});
  }
  const auto enter = [&](const char* who, auto read) {
    all.add(
        name, who, 0, [t = table.data(), read](std::size_t i) { keep(read(t[i % 512].keys)); },
        [&] {
          std::uint64_t sum = 0;
          for (const auto& path : table) sum = sum * 31 + static_cast<std::uint64_t>(read(path.keys));
          return meets_the_others(name, sum);
        });
  };
  using keys = std::array<std::string, 4>;
  enter("nlohmann", [p = &peer](const keys& k) { return (*p)[k[0]][k[1]][k[2]][k[3]].get<std::int64_t>(); });
  enter("ingot-doc",
        [p = &doc](const keys& k) { return (*p)[k[0]][k[1]][k[2]][k[3]].value_or(std::int64_t{-1}); });
  enter("ingot-doc-const", [p = &std::as_const(doc)](const keys& k) {
    return (*p)[k[0]][k[1]][k[2]][k[3]].value_or(std::int64_t{-1});
  });
  all.base(name, "nlohmann");
  all.target(name, "ingot-doc", {.ratio = 0.8});
}

} // namespace

void enter_doc_reading(suite& all) {
  enter_shaped(all);
  enter_wide(all);
  enter_handles(all);
  if (all.wants("twitter-", true) || all.wants("twitter-")) {
    const std::string text = statuses_text();
    enter_all<top_tweet>(all, "twitter-top-tweet", text);
    enter_all<partial_tweets>(all, "twitter-partial-tweets", text);
    enter_all<find_tweet>(all, "twitter-find-tweet", text);
    enter_finders<find_tweet_by_finder>(all, "twitter-find-tweet", text);
    enter_all<distinct_user_id>(all, "twitter-distinct-user-id", text);
  }
  for (const std::size_t n : {std::size_t{100}, std::size_t{1000}, std::size_t{20'000}})
    if (const std::string name = "records-sum-" + std::to_string(n); all.wants(name)) {
      const std::string text = records_text(n);
      enter_all<sum_of_records>(all, name, text);
      enter_finders<sum_by_finders>(all, name, text);
    }
}

} // namespace bench
