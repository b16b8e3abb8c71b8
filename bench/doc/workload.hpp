// SPDX-License-Identifier: Apache-2.0
// DOC: documents without a schema. N leaves, half of them in the root map, half in 1, 2, 8 or 16
// sub-maps; unique keys of 4 to 12 characters. 40 % integers of mixed magnitude, 20 % doubles, 30 %
// strings of 4 to 24 characters, whose length changes when they are overwritten, 10 % arrays of 2
// to 8 integers. A turn is one operation of a table that was drawn in advance: reads a leaf,
// overwrites a scalar, or adds a missing key, which a later turn removes again.
//
// Arrays have N leaves of the same kinds. A turn reads one, or adds one and removes one, so that
// the length stays about the same. Loading converts bytes in memory to a form with all these
// operations; saving is the reverse.
#pragma once

#include <ingot/document/key.hpp>

#include "../harness/keep.hpp"
#include "../harness/random.hpp"
#include "../harness/suite.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bench {

using leaf = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// Returns a digest of a leaf, to compare the contenders' results.
inline std::uint64_t digest(std::int64_t n) { return static_cast<std::uint64_t>(n); }
inline std::uint64_t digest(double d) { return std::bit_cast<std::uint64_t>(d); }
inline std::uint64_t digest(std::string_view text) {
  return text.size() * 256 + static_cast<unsigned char>(text.back());
}

struct doc_entry {
  std::string key;
  leaf value;
};
struct doc_model {
  std::vector<doc_entry> root;
  std::vector<std::pair<std::string, std::vector<doc_entry>>> maps;
};

enum class doc_step : std::uint8_t { read, write, toggle };
struct doc_operation {
  doc_step step;
  int map; ///< -1: the root
  std::string_view map_key;
  std::string_view key;
  std::size_t kind; ///< kind of the leaf
  leaf value;       ///< value to write or add
  // For the contender with precomputed keys.
  ingot::document_key hashed_map{map_key};
  ingot::document_key hashed_key{key};
};

class doc_data {
public:
  explicit doc_data(std::size_t n, std::uint64_t seed = 5) : draw_(seed) {
    const std::size_t maps = n <= 8 ? 1 : n <= 32 ? 2 : n <= 128 ? 8 : 16;
    for (std::size_t i = 0; i < n - n / 2; ++i) model.root.push_back({new_key(), new_leaf()});
    for (std::size_t m = 0; m < maps; ++m) {
      model.maps.push_back({new_key(), {}});
      for (std::size_t i = 0; i < n / 2 / maps; ++i)
        model.maps.back().second.push_back({new_key(), new_leaf()});
    }
    for (int i = 0; i < 64; ++i) extra_.push_back(new_key());
  }

  /// Returns random operations. `reads` and `writes` are in percent; all other operations add and
  /// remove keys.
  [[nodiscard]] std::vector<doc_operation> operations(int reads, int writes, std::size_t count = 4096) {
    std::vector<doc_operation> all;
    for (std::size_t i = 0; i < count; ++i) {
      const auto what = static_cast<int>(draw_.between(0, 99));
      const int map =
          draw_.between(0, 1) == 0 ? -1 : static_cast<int>(draw_.between(0, model.maps.size() - 1));
      auto& entries = map < 0 ? model.root : model.maps[static_cast<std::size_t>(map)].second;
      const std::string_view map_key =
          map < 0 ? std::string_view{} : std::string_view(model.maps[static_cast<std::size_t>(map)].first);
      if (what >= reads + writes) {
        // Limits the growth of a map to an eighth.
        const std::size_t extra_count = std::min(extra_.size(), std::max<std::size_t>(1, entries.size() / 8));
        all.push_back(
            {doc_step::toggle, map, map_key, extra_[draw_.between(0, extra_count - 1)], 0, new_scalar()});
        continue;
      }
      const auto* entry = &entries[draw_.between(0, entries.size() - 1)];
      while (what >= reads && entry->value.index() == 3)
        entry = &entries[draw_.between(0, entries.size() - 1)];
      leaf next = entry->value;
      if (what >= reads) {
        if (entry->value.index() == 0) next = integer();
        else if (entry->value.index() == 1) next = real();
        else next = text();
      }
      all.push_back({what < reads ? doc_step::read : doc_step::write, map, map_key, entry->key,
                     entry->value.index(), std::move(next)});
    }
    return all;
  }

  /// Returns operations that overwrite texts of the model, each with a text that begins with the
  /// old one and is 8 to 64 bytes longer.
  [[nodiscard]] std::vector<doc_operation> growing_texts() {
    std::vector<doc_operation> all;
    for (doc_operation& op : operations(0, 100)) {
      if (op.kind != 2) continue;
      const auto& entries = op.map < 0 ? model.root : model.maps[static_cast<std::size_t>(op.map)].second;
      const auto old = std::ranges::find(entries, op.key, &doc_entry::key);
      op.value = std::get<std::string>(old->value) + letters(draw_, 8, 64);
      all.push_back(std::move(op));
    }
    return all;
  }

  [[nodiscard]] std::vector<leaf> leaves(std::size_t n) {
    std::vector<leaf> all;
    while (all.size() < n) all.push_back(new_leaf());
    return all;
  }

  doc_model model;

private:
  std::int64_t integer() {
    const auto bits = draw_.between(1, 28);
    return static_cast<std::int64_t>(draw_.between(0, (std::uint64_t{1} << bits) - 1));
  }
  double real() { return static_cast<double>(draw_.between(0, std::uint64_t{1} << 52)) / 7e9; }
  std::string text() { return letters(draw_, 4, 24); }
  leaf new_scalar() {
    const auto k = draw_.between(0, 8);
    if (k < 4) return integer();
    if (k < 6) return real();
    return text();
  }
  leaf new_leaf() {
    if (draw_.between(0, 9) != 9) return new_scalar();
    std::vector<std::int64_t> array;
    for (auto n = draw_.between(2, 8); n != 0; --n) array.push_back(integer());
    return array;
  }
  std::string new_key() {
    for (;;) {
      std::string key = letters(draw_, 4, 12);
      if (keys_.insert(key).second) return key;
    }
  }

  random_source draw_;
  std::set<std::string> keys_;
  std::vector<std::string> extra_;
};

// Writes MessagePack, for the contender without a byte form of its own, and to compare sizes.
class packed_writer {
public:
  explicit packed_writer(std::vector<std::byte>& to) : to_(to) {}
  void map(std::size_t n) { head(n, 0x80, 15, 0xDE); }
  void array(std::size_t n) { head(n, 0x90, 15, 0xDC); }
  void text(std::string_view s) {
    if (s.size() < 32) byte(0xA0 | s.size());
    else {
      byte(0xD9);
      byte(s.size());
    }
    const auto* from = reinterpret_cast<const std::byte*>(s.data());
    to_.insert(to_.end(), from, from + s.size());
  }
  void number(std::int64_t n) {
    if (n >= -32 && n < 128) byte(static_cast<std::uint64_t>(n));
    else if (n >= 0 && n < 256) put(0xCC, n, 1);
    else if (n >= -32768 && n < 32768) put(0xD1, n, 2);
    else if (n >= -2147483648LL && n < 2147483648LL) put(0xD2, n, 4);
    else put(0xD3, n, 8);
  }
  void number(double d) { put(0xCB, std::bit_cast<std::int64_t>(d), 8); }
  void value(const leaf& from) {
    std::visit(
        [this]<class T>(const T& v) {
          if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
            array(v.size());
            for (const auto n : v) number(n);
          } else if constexpr (std::is_same_v<T, std::string>) {
            text(v);
          } else {
            number(v);
          }
        },
        from);
  }

private:
  void byte(std::uint64_t b) { to_.push_back(static_cast<std::byte>(b)); }
  void put(unsigned head, std::int64_t n, std::size_t bytes) {
    byte(head);
    const std::size_t at = to_.size();
    to_.resize(at + bytes);
    std::memcpy(to_.data() + at, &n, bytes);
  }
  void head(std::size_t n, unsigned small, std::size_t max_small, unsigned large) {
    if (n <= max_small) byte(small | n);
    else put(large, static_cast<std::int64_t>(n), 2);
  }
  std::vector<std::byte>& to_;
};
class packed_reader {
public:
  explicit packed_reader(std::span<const std::byte> from) : at_(from.data()) {}
  std::size_t map() { return head(0x80); }
  std::size_t array() { return head(0x90); }
  [[nodiscard]] unsigned next() const { return std::to_integer<unsigned>(*at_); }
  std::string_view text() {
    std::size_t n = std::to_integer<std::size_t>(*at_++);
    n = n == 0xD9 ? std::to_integer<std::size_t>(*at_++) : n & 31;
    const std::string_view s(reinterpret_cast<const char*>(at_), n);
    at_ += n;
    return s;
  }
  std::int64_t integer() {
    const unsigned head = std::to_integer<unsigned>(*at_++);
    switch (head) {
    case 0xCC: return std::to_integer<std::int64_t>(*at_++);
    case 0xD1: return take<std::int16_t>();
    case 0xD2: return take<std::int32_t>();
    case 0xD3: return take<std::int64_t>();
    default: return static_cast<std::int8_t>(head);
    }
  }
  double real() {
    ++at_;
    return take<double>();
  }
  leaf value() {
    const unsigned head = next();
    if (head == 0xCB) return real();
    if ((head & 0xE0) == 0xA0 || head == 0xD9) return std::string(text());
    if ((head & 0xF0) == 0x90 || head == 0xDC) {
      std::vector<std::int64_t> all(array());
      for (auto& n : all) n = integer();
      return all;
    }
    return integer();
  }

private:
  template <class T>
  T take() {
    T n;
    std::memcpy(&n, at_, sizeof n);
    at_ += sizeof n;
    return n;
  }
  std::size_t head(unsigned small) {
    const unsigned h = std::to_integer<unsigned>(*at_++);
    return (h & 0xF0) == small ? h & 15 : take<std::uint16_t>();
  }
  const std::byte* at_;
};
inline std::vector<std::byte> packed(const doc_model& model) {
  std::vector<std::byte> bytes;
  packed_writer out(bytes);
  out.map(model.root.size() + model.maps.size());
  for (const auto& [key, value] : model.root) {
    out.text(key);
    out.value(value);
  }
  for (const auto& [key, entries] : model.maps) {
    out.text(key);
    out.map(entries.size());
    for (const auto& [k, v] : entries) {
      out.text(k);
      out.value(v);
    }
  }
  return bytes;
}

/// REPEAT: 100 records with the same 8 keys, as in trade reports of an exchange.
struct doc_trade {
  std::int64_t id;
  std::string symbol;
  std::int64_t quantity;
  double price;
  std::int64_t side;
  std::string venue;
  std::int64_t account;
  std::int64_t timestamp;
};
inline constexpr std::array<std::string_view, 8> trade_keys{"tradeId", "symbol",    "quantity",  "price",
                                                            "side",    "venueName", "accountId", "timestamp"};
inline std::vector<doc_trade> trades() {
  random_source draw(9);
  std::vector<doc_trade> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back({1'000'000 + i, letters(draw, 3, 5), static_cast<std::int64_t>(draw.between(1, 5000)),
                   static_cast<double>(draw.between(100'000, 900'000)) / 1000,
                   static_cast<std::int64_t>(draw.between(0, 1)), letters(draw, 4, 4),
                   static_cast<std::int64_t>(draw.between(100, 8000)),
                   1'700'000'000 + static_cast<std::int64_t>(draw.between(0, 100'000))});
  }
  return all;
}
template <class F>
void for_each_field(const doc_trade& t, F&& f) {
  f(trade_keys[0], t.id);
  f(trade_keys[1], std::string_view(t.symbol));
  f(trade_keys[2], t.quantity);
  f(trade_keys[3], t.price);
  f(trade_keys[4], t.side);
  f(trade_keys[5], std::string_view(t.venue));
  f(trade_keys[6], t.account);
  f(trade_keys[7], t.timestamp);
}

/// REPEAT-VARIED: the same records, each without one or two of the keys. Bit k stands for field k.
inline std::vector<unsigned> varied_fields() {
  random_source draw(10);
  std::vector<unsigned> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(0xFFU & ~(1U << draw.between(0, 7)) & ~(1U << draw.between(0, 7)));
  return all;
}
template <class F>
void for_some_fields(const doc_trade& t, unsigned which, F&& f) {
  for_each_field(t, [&](std::string_view key, const auto& value) {
    if ((which & 1) != 0) f(key, value);
    which >>= 1;
  });
}

inline constexpr std::array<std::size_t, 4> doc_sizes{8, 32, 128, 1024};

/// The cases to run: all documented ones, or one mix of operations at one size from the command
/// line.
struct doc_mix {
  std::string name;
  int reads;
  int writes;
};
struct doc_plan {
  std::vector<std::size_t> sizes{doc_sizes.begin(), doc_sizes.end()};
  std::vector<doc_mix> mixes{{"read-", 100, 0}, {"mixed-", 90, 5}, {"write-", 50, 25}};
  std::size_t operations = 4096;
  bool is_requested = false;
};
inline doc_plan& plan() {
  static doc_plan all;
  return all;
}

/// Runs the operations three times and returns a digest of all leaves that they read, to check that
/// all contenders read the same.
template <class C>
std::uint64_t run_all(C& contender, const std::vector<doc_operation>& table) {
  std::uint64_t sum = 0;
  for (int times = 0; times < 3; ++times) {
    for (const auto& op : table) sum = sum * 31 + contender.run(op);
  }
  return sum;
}

/// Digests of the first contender in each case, which the others must equal.
inline std::vector<std::pair<std::string, std::uint64_t>>& doc_digests() {
  static std::vector<std::pair<std::string, std::uint64_t>> all;
  return all;
}

inline bool meets_the_others(const std::string& name, std::uint64_t sum) {
  auto& seen = doc_digests();
  for (const auto& [key, digest] : seen) {
    if (key == name) return digest == sum;
  }
  seen.emplace_back(name, sum);
  return true;
}

/// Adds a contender with `load(model)` and `run(operation)`, which returns a digest of the leaf
/// that was read, else 0.
template <class C>
void enter_doc(suite& all, std::string_view who, std::size_t writes_up_to = 1024) {
  for (const std::size_t n : plan().sizes) {
    for (const doc_mix& m : plan().mixes) {
      if (m.reads != 100 && n > writes_up_to) continue;
      auto& owned = all.make<std::unique_ptr<doc_data>>();
      owned = std::make_unique<doc_data>(n);
      doc_data& data = *owned;
      auto& table = all.make<std::vector<doc_operation>>();
      table = data.operations(m.reads, m.writes, plan().operations);
      auto& contender = all.make<C>();
      contender.load(data.model);
      const std::string name = m.name + std::to_string(n);
      all.add(
          name, who, 0,
          [table_data = table.data(), count = table.size(), p = &contender](std::size_t i) {
            keep(p->run(table_data[i % count]));
          },
          [&] {
            C trial;
            trial.load(data.model);
            return meets_the_others(name, run_all(trial, table));
          });
    }
  }
}

enum class array_step : std::uint8_t { index, append, insert, erase };
struct array_operation {
  std::size_t where; ///< reduced to the current size when it is used
  leaf value;
};
template <class C>
std::uint64_t run_array(C& array, array_step step, const array_operation& op, std::size_t max_size) {
  switch (step) {
  case array_step::index: return array.at(op.where % array.size());
  case array_step::append: static_cast<void>(array.append(op.value)); break;
  case array_step::insert: static_cast<void>(array.insert(op.where % array.size(), op.value)); break;
  case array_step::erase:
    static_cast<void>(array.erase(op.where % array.size()));
    static_cast<void>(array.append(op.value));
    break;
  }
  if (array.size() > max_size) static_cast<void>(array.erase(array.size() - 1));
  return 0;
}
/// Adds a contender with `load(leaves)`, `size()`, `at(index)`, which returns a digest,
/// `append(leaf)`, `insert(index, leaf)` and `erase(index)`.
template <class C>
void enter_doc_arrays(suite& all, std::string_view who, bool edits = true) {
  constexpr std::array<std::pair<const char*, array_step>, 4> steps{{{"array-index-", array_step::index},
                                                                     {"array-append-", array_step::append},
                                                                     {"array-insert-", array_step::insert},
                                                                     {"array-erase-", array_step::erase}}};
  for (const std::size_t n : doc_sizes) {
    for (const auto& [prefix, step] : steps) {
      if (step != array_step::index && !edits) continue;
      doc_data data(n);
      const auto leaves = data.leaves(n);
      random_source draw(n);
      auto& table = all.make<std::vector<array_operation>>();
      for (auto& value : data.leaves(4096)) table.push_back({draw.u64() >> 1, std::move(value)});
      const std::size_t max_size = n + n / 8;
      auto& contender = all.make<C>();
      contender.load(leaves);
      const std::string name = prefix + std::to_string(n);
      all.add(
          name, who, 0,
          [table_data = table.data(), p = &contender, step, max_size](std::size_t i) {
            keep(run_array(*p, step, table_data[i % 4096], max_size));
          },
          [&] {
            C trial;
            trial.load(leaves);
            std::uint64_t sum = 0;
            for (const auto& op : table) sum = sum * 31 + run_array(trial, step, op, max_size);
            for (std::size_t i = 0; i < trial.size(); ++i) sum = sum * 31 + trial.at(i);
            return meets_the_others(name, sum);
          });
    }
  }
}

/// Adds a contender that also has `open(bytes)` and `save(bytes)`.
template <class C>
void enter_doc_bytes(suite& all, std::string_view who) {
  for (const std::size_t n : doc_sizes) {
    doc_data data(n);
    const auto table = data.operations(100, 0);
    auto& contender = all.make<C>();
    contender.load(data.model);
    auto& bytes = all.make<std::vector<std::byte>>();
    contender.save(bytes);
    auto& out = all.make<std::vector<std::byte>>();
    const auto check = [&](const std::string& name) {
      C trial;
      trial.open(bytes);
      return meets_the_others(name, run_all(trial, table));
    };
    const std::string load = "load-" + std::to_string(n);
    all.add(
        load, who, bytes.size(), [&bytes, p = &contender](std::size_t) { p->open(bytes); },
        [&] { return check(load); });
    const std::string save = "save-" + std::to_string(n);
    all.add(
        save, who, bytes.size(),
        [&out, p = &contender](std::size_t) {
          p->save(out);
          escape(out.data());
        },
        [&] { return check(save); });
  }
}

/// Adds a contender that reads a leaf of a message, makes a text in it longer, and sends the
/// message. `C` has `load(model)`, which makes the message; `route(read, write)`, which receives
/// and sends it, and returns a digest of the leaf; and `sent(operation)`, which reads a leaf of the
/// message that was sent.
template <class C>
void enter_doc_growths(suite& all, std::string_view who) {
  for (const std::size_t n : doc_sizes) {
    auto& data = all.make<std::unique_ptr<doc_data>>();
    data = std::make_unique<doc_data>(n);
    auto& reads = all.make<std::vector<doc_operation>>();
    auto& writes = all.make<std::vector<doc_operation>>();
    reads = data->operations(100, 0);
    writes = data->growing_texts();
    auto& contender = all.make<C>();
    const std::size_t bytes = contender.load(data->model);
    const std::string name = "route-grow-" + std::to_string(n);
    all.add(
        name, who, bytes,
        [p = &contender, r = reads.data(), w = writes.data(), count = writes.size()](std::size_t i) {
          keep(p->route(r[i % 4096], w[i % count]));
        },
        [&, name] {
          std::uint64_t sum = writes.size();
          for (std::size_t i = 0; i < writes.size(); ++i) {
            sum = sum * 31 + contender.route(reads[i], writes[i]);
            sum = sum * 31 + contender.sent(reads[i]);
            sum = sum * 31 + contender.sent(writes[i]);
          }
          return meets_the_others(name, sum);
        });
  }
}

void enter_doc_unordered_map(suite& all);
void enter_doc_tagged_linear(suite& all);
void enter_doc_nlohmann(suite& all);
void enter_doc_rapidjson(suite& all);
void enter_doc_flexbuffers(suite& all);
void enter_doc_ingot(suite& all);
void enter_doc_archive(suite& all);
void enter_doc_checks(suite& all);
void enter_doc_reading(suite& all);

} // namespace bench
