// SPDX-License-Identifier: Apache-2.0
#include "router.hpp"

#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>

#include "peers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <random>
#include <span>

#include <flatbuffers/flexbuffers.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace demo {
namespace {

using bytes_view = std::span<const std::byte>;

struct Order {
  std::int64_t id;
  std::string symbol;
  std::int64_t quantity;
  double price;
  bool buy;
  std::string venue;
  std::int64_t account;
  std::int64_t timestamp;
};
Order make_order(std::uint64_t seed) {
  std::mt19937_64 raw(seed);
  const auto word = [&](std::size_t letters) {
    std::string text;
    while (text.size() < letters) text += static_cast<char>('A' + raw() % 26);
    return text;
  };
  Order order{};
  order.id = static_cast<std::int64_t>(1'000'000 + seed);
  order.symbol = word(3 + raw() % 3);
  order.quantity = static_cast<std::int64_t>(raw() % 10'000 + 2);
  order.price = static_cast<double>(raw() % 1'000'000) / 1000;
  order.buy = raw() % 2 == 0;
  order.venue = word(4);
  order.account = static_cast<std::int64_t>(raw() % 100'000);
  order.timestamp = 1'700'000'000 + static_cast<std::int64_t>(raw() % 1'000'000);
  return order;
}

/// The work on a message. Its first field is read as text. The second is read and changed: a
/// quantity is halved, a name becomes capitals. `hop` is added. The keys are known before, with
/// their hashes for routers that can use them.
struct task {
  ingot::document_key first;
  ingot::document_key second;
  bool is_order;
};
constexpr ingot::document_key hop("hop");

void to_capitals(std::string& name) {
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
/// Returns the destination of a message: a sum over both fields.
std::uint64_t destination(std::string_view first, std::string_view second) {
  std::uint64_t sum = first.size();
  for (const char c : first) sum = 31 * sum + static_cast<unsigned char>(c);
  for (const char c : second) sum = 31 * sum + static_cast<unsigned char>(c);
  return sum;
}
std::uint64_t destination(std::string_view first, std::int64_t second) {
  return destination(first, std::string_view{}) + static_cast<std::uint64_t>(second);
}

/// Messages one after the other, as in a socket.
struct parcels {
  void add(bytes_view message) {
    bytes.insert(bytes.end(), message.begin(), message.end());
    ends.push_back(bytes.size());
  }
  [[nodiscard]] bytes_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return bytes_view(bytes).subspan(begin, ends[i] - begin);
  }
  std::vector<std::byte> bytes;
  std::vector<std::size_t> ends;
};
bytes_view as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string_view as_text(bytes_view bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// --- the routers: each receives into memory of its own, and gives the bytes to send --------------

/// Makes the document of a flat record, as its sender does.
void fill(ingot::document& doc, const nlohmann::json& record) {
  for (const auto& [key, field] : record.items()) {
    if (field.is_string()) doc[key] = field.get_ref<const std::string&>();
    else if (field.is_boolean()) doc[key] = field.get<bool>();
    else if (field.is_number_float()) doc[key] = field.get<double>();
    else doc[key] = field.get<std::int64_t>();
  }
}
nlohmann::json tree_of(bytes_view bytes) {
  nlohmann::json tree;
  const auto doc = ingot::document::open(bytes);
  if (!doc) return tree;
  for (const auto [key, field] : doc->root().members()) {
    field.visit([&, &to = tree[std::string(key)]]<class... T>(const T&... is) {
      if constexpr ((std::is_constructible_v<nlohmann::json, T> && ...)) ((to = is), ...);
    });
  }
  return tree;
}

class ingot_opened {
public:
  static constexpr const char* name = "ingot, opened";
  static constexpr const char* work = "all validated, edited where it was received";
  static void send(parcels& to, const nlohmann::json& record) {
    ingot::document doc;
    fill(doc, record);
    to.add(doc.bytes());
  }
  static nlohmann::json read(bytes_view bytes) { return tree_of(bytes); }

  bytes_view route(bytes_view message, const task& what, std::int64_t number, std::uint64_t& to) {
    auto memory = ingot::document::receive_buffer(message.size());
    if (!memory) return {};
    std::memcpy(memory.data(), message.data(), message.size());
    auto opened = ingot::document::open(std::move(memory));
    if (!opened) return {};
    doc_ = std::move(*opened);
    const auto first = std::as_const(doc_)[what.first].value_or(std::string_view{});
    ingot::value_ref second = doc_.root().find(what.second);
    bool changed = false;
    if (what.is_order) {
      const auto quantity = second.value_or<std::int64_t>(0);
      to += destination(first, quantity);
      changed = second.set(quantity / 2).has_value();
    } else {
      text_ = second.value_or(std::string_view{});
      to += destination(first, text_);
      to_capitals(text_);
      changed = second.set(text_).has_value();
    }
    return changed && doc_.root().set(hop, number) ? doc_.bytes() : bytes_view{};
  }

private:
  ingot::document doc_;
  std::string text_;
};

class ingot_peeked {
public:
  static constexpr const char* name = "ingot, looked at";
  static constexpr const char* work = "nothing validated, edited in free bytes that the sender left";
  static void send(parcels& to, const nlohmann::json& record) {
    ingot::document doc;
    fill(doc, record);
    doc[hop] = 100'000;
    static_cast<void>(doc.root().erase(hop)); // its bytes stay free
    to.add(doc.bytes());
  }
  static nlohmann::json read(bytes_view bytes) { return tree_of(bytes); }

  bytes_view route(bytes_view message, const task& what, std::int64_t number, std::uint64_t& to) {
    received_.assign(message.begin(), message.end());
    auto peek = ingot::document_peek::edit(received_);
    if (!peek) return {};
    const auto first = (*peek)[what.first].value_or(std::string_view{});
    auto second = (*peek)[what.second];
    bool changed = false;
    if (what.is_order) {
      const auto quantity = second.value_or<std::int64_t>(0);
      to += destination(first, quantity);
      changed = peek->set(second, quantity / 2).has_value();
    } else {
      text_ = second.value_or(std::string_view{});
      to += destination(first, text_);
      to_capitals(text_);
      changed = peek->set(second, text_).has_value();
    }
    if (changed && peek->set(peek->root(), hop, number)) return received_;
    // A change that needs more bytes needs a document.
    auto opened = ingot::document::open(received_);
    if (!opened) return {};
    doc_ = std::move(*opened);
    if (!changed) {
      ingot::value_ref there = doc_.root().find(what.second);
      changed =
          (what.is_order ? there.set(there.value_or<std::int64_t>(0) / 2) : there.set(text_)).has_value();
    }
    return changed && doc_.root().set(hop, number) ? doc_.bytes() : bytes_view{};
  }

private:
  std::vector<std::byte> received_;
  ingot::document doc_;
  std::string text_;
};

class nlohmann_router {
public:
  static constexpr const char* name = "nlohmann::json, text";
  static constexpr const char* work = "text parsed into a tree, edited, written again";
  static void send(parcels& to, const nlohmann::json& record) { to.add(as_bytes(record.dump())); }
  static nlohmann::json read(bytes_view bytes) {
    return nlohmann::json::parse(as_text(bytes), nullptr, false);
  }

  bytes_view route(bytes_view message, const task& what, std::int64_t number, std::uint64_t& to) {
    text_.assign(as_text(message));
    auto tree = nlohmann::json::parse(text_, nullptr, false);
    if (!tree.is_object()) return {};
    const auto& first = tree[what.first.text()].get_ref<const std::string&>();
    auto& second = tree[what.second.text()];
    if (what.is_order) {
      const auto quantity = second.get<std::int64_t>();
      to += destination(first, quantity);
      second = quantity / 2;
    } else {
      auto& text = second.get_ref<std::string&>();
      to += destination(first, text);
      to_capitals(text);
    }
    tree[hop.text()] = number;
    text_ = tree.dump();
    return as_bytes(text_);
  }

private:
  std::string text_;
};

class rapidjson_router {
public:
  static constexpr const char* name = "RapidJSON, text in situ";
  static constexpr const char* work = "text parsed where it was received, edited, written again";
  static void send(parcels& to, const nlohmann::json& record) { nlohmann_router::send(to, record); }
  static nlohmann::json read(bytes_view bytes) { return nlohmann_router::read(bytes); }

  bytes_view route(bytes_view message, const task& what, std::int64_t number, std::uint64_t& to) {
    text_.assign(as_text(message)); // with the zero after it that parsing in situ needs
    rapidjson::MemoryPoolAllocator<> memory(pool_.data(), pool_.size());
    rapidjson::Document tree(&memory);
    // Prices have to come out as they went in: without the flag the last bit may differ.
    tree.ParseInsitu<rapidjson::kParseFullPrecisionFlag>(text_.data());
    if (tree.HasParseError() || !tree.IsObject()) return {};
    const auto& first = tree.FindMember(name_of(what.first))->value;
    auto& second = tree.FindMember(name_of(what.second))->value;
    const std::string_view first_text(first.GetString(), first.GetStringLength());
    if (what.is_order) {
      const auto quantity = second.GetInt64();
      to += destination(first_text, quantity);
      second.SetInt64(quantity / 2);
    } else {
      changed_.assign(second.GetString(), second.GetStringLength());
      to += destination(first_text, changed_);
      to_capitals(changed_);
      second.SetString(rapidjson::StringRef(changed_.data(), changed_.size()));
    }
    tree.AddMember(name_of(hop), rapidjson::Value(number), memory);
    out_.Clear();
    rapidjson::Writer<rapidjson::StringBuffer> writer(out_);
    tree.Accept(writer);
    return as_bytes({out_.GetString(), out_.GetSize()});
  }

private:
  static rapidjson::Value name_of(const ingot::document_key& key) {
    return rapidjson::Value(rapidjson::StringRef(key.text().data(), key.text().size()));
  }
  std::string text_;
  std::string changed_;
  std::array<char, 16'384> pool_;
  rapidjson::StringBuffer out_;
};

class flexbuffers_router {
public:
  static constexpr const char* name = "FlexBuffers";
  static constexpr const char* work = "verified, read where it was received, built again field by field";
  static void send(parcels& to, const nlohmann::json& record) {
    flexbuffers::Builder builder;
    builder.Map([&] {
      for (const auto& [key, field] : record.items()) {
        builder.Key(key);
        if (field.is_string()) builder.String(field.get_ref<const std::string&>());
        else if (field.is_boolean()) builder.Bool(field.get<bool>());
        else if (field.is_number_float()) builder.Double(field.get<double>());
        else builder.Int(field.get<std::int64_t>());
      }
    });
    builder.Finish();
    to.add(std::as_bytes(std::span(builder.GetBuffer())));
  }
  static nlohmann::json read(bytes_view bytes) {
    nlohmann::json tree;
    const auto map = flexbuffers::GetRoot(data(bytes), bytes.size()).AsMap();
    for (std::size_t i = 0; i < map.size(); ++i) {
      const auto field = map.Values()[i];
      auto& to = tree[map.Keys()[i].AsKey()];
      if (field.IsString()) to = field.AsString().str();
      else if (field.IsBool()) to = field.AsBool();
      else if (field.IsFloat()) to = field.AsDouble();
      else to = field.AsInt64();
    }
    return tree;
  }

  bytes_view route(bytes_view message, const task& what, std::int64_t number, std::uint64_t& to) {
    received_.assign(message.begin(), message.end());
    if (!flexbuffers::VerifyBuffer(data(received_), received_.size(), &seen_)) return {};
    const auto map = flexbuffers::GetRoot(data(received_), received_.size()).AsMap();
    const auto first = text_of(map[what.first.text().data()]);
    const auto second = map[what.second.text().data()];
    std::int64_t quantity = 0;
    if (what.is_order) {
      quantity = second.AsInt64();
      to += destination(first, quantity);
    } else {
      text_ = text_of(second);
      to += destination(first, text_);
      to_capitals(text_);
    }
    builder_.Clear();
    builder_.Map([&] {
      const auto keys = map.Keys();
      const auto values = map.Values();
      for (std::size_t i = 0; i < map.size(); ++i) {
        const char* const key = keys[i].AsKey();
        const auto field = values[i];
        builder_.Key(key);
        if (key == what.second.text()) {
          if (what.is_order) builder_.Int(quantity / 2);
          else builder_.String(text_);
        } else if (field.IsString()) {
          const auto text = text_of(field);
          builder_.String(text.data(), text.size());
        } else if (field.IsBool()) {
          builder_.Bool(field.AsBool());
        } else if (field.IsFloat()) {
          builder_.Double(field.AsDouble());
        } else {
          builder_.Int(field.AsInt64());
        }
      }
      builder_.Int(hop.text().data(), number);
    });
    builder_.Finish();
    return std::as_bytes(std::span(builder_.GetBuffer()));
  }

private:
  static const std::uint8_t* data(bytes_view bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data());
  }
  static std::string_view text_of(const flexbuffers::Reference& from) {
    const auto text = from.AsString();
    return {text.c_str(), text.length()};
  }
  std::vector<std::byte> received_;
  std::vector<std::uint8_t> seen_;
  std::string text_;
  flexbuffers::Builder builder_;
};

// --- the same messages through each --------------------------------------------------------------

struct traffic {
  std::vector<nlohmann::json> distinct; ///< each distinct message once
  std::vector<task> tasks;              ///< the work on each of these
  std::vector<std::size_t> messages;    ///< indices of these, in the order of sending
};

traffic make_traffic(const std::vector<topic>& topics, std::size_t messages) {
  traffic all;
  for (const auto& [code, records] : topics) {
    for (const auto& record : records) {
      all.distinct.push_back(record);
      all.tasks.push_back({ingot::document_key(code), ingot::document_key("name"), false});
    }
  }
  const std::size_t records = all.distinct.size();
  for (std::size_t i = 0; i < messages; ++i) {
    if (i % 2 == 0) {
      all.messages.push_back(i * 7919 % records); // from all over the list
      continue;
    }
    all.messages.push_back(all.distinct.size());
    all.distinct.push_back(to_nlohmann(make_order(i)));
    all.tasks.push_back({ingot::document_key("symbol"), ingot::document_key("quantity"), true});
  }
  return all;
}

/// Returns the expected result for a message.
nlohmann::json expected(const traffic& all, std::size_t i) {
  auto tree = all.distinct[all.messages[i]];
  const task& what = all.tasks[all.messages[i]];
  auto& second = tree[what.second.text()];
  if (what.is_order) second = second.get<std::int64_t>() / 2;
  else to_capitals(second.get_ref<std::string&>());
  tree[hop.text()] = static_cast<std::int64_t>(i);
  return tree;
}

template <class Router>
bool through(const traffic& all, int repeats, std::optional<std::uint64_t>& destinations) {
  parcels distinct;
  for (const auto& record : all.distinct) Router::send(distinct, record);
  Router router;
  parcels out;
  out.bytes.reserve(2 * distinct.bytes.size());
  std::vector<double> times;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    out.bytes.clear();
    out.ends.clear();
    std::uint64_t to = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < all.messages.size(); ++i) {
      const std::size_t which = all.messages[i];
      out.add(router.route(distinct[which], all.tasks[which], static_cast<std::int64_t>(i), to));
    }
    times.push_back(
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    if (!destinations) destinations = to;
    if (to != *destinations) {
      std::fprintf(stderr, "demo: %s sends messages another way\n", Router::name);
      return false;
    }
  }
  std::size_t in = 0;
  for (std::size_t i = 0; i < all.messages.size(); ++i) {
    in += distinct[all.messages[i]].size();
    if (Router::read(out[i]) == expected(all, i)) continue;
    std::fprintf(stderr, "demo: %s: message %zu is not what it should be\n", Router::name, i);
    return false;
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  const auto count = static_cast<double>(all.messages.size());
  std::printf("  %-24s %9.0f %9.1f %9.1f   %s\n", Router::name,
              times[static_cast<std::size_t>(repeats / 2)] / count, static_cast<double>(in) / count,
              static_cast<double>(out.bytes.size()) / count, Router::work);
  return true;
}

} // namespace

bool route(const std::vector<topic>& topics, std::size_t messages, int repeats) {
  const traffic all = make_traffic(topics, messages);
  std::printf("\nA router: %zu messages, half of them ISO records, half orders of 8 fields; it reads two "
              "fields of each,\n"
              "changes one, adds one, sends the bytes on\n  %-24s %9s %9s %9s   %s\n",
              messages, "each message is", "ns each", "bytes in", "bytes out", "and to do it was");
  std::optional<std::uint64_t> destinations;
  return through<ingot_opened>(all, repeats, destinations) &&
         through<ingot_peeked>(all, repeats, destinations) &&
         through<nlohmann_router>(all, repeats, destinations) &&
         through<rapidjson_router>(all, repeats, destinations) &&
         through<flexbuffers_router>(all, repeats, destinations);
}

} // namespace demo
