// SPDX-License-Identifier: Apache-2.0
// std::unordered_map of string to variant, with heterogeneous lookup. Bytes are MessagePack.
#include "workload.hpp"

#include <functional>
#include <memory>
#include <unordered_map>

namespace bench {
namespace {

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};
struct map_value;
using map_type = std::unordered_map<std::string, map_value, text_hash, std::equal_to<>>;
struct map_value {
  std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::unique_ptr<map_type>> is;
};

map_value to_value(const leaf& from) {
  return std::visit([](const auto& v) { return map_value{v}; }, from);
}

class unordered_map_document {
public:
  void load(const doc_model& model) {
    root_.clear();
    for (const auto& [key, value] : model.root) root_.emplace(key, to_value(value));
    for (const auto& [key, entries] : model.maps) {
      auto map = std::make_unique<map_type>();
      for (const auto& [k, v] : entries) map->emplace(k, to_value(v));
      root_.emplace(key, map_value{std::move(map)});
    }
  }
  std::uint64_t run(const doc_operation& op) {
    map_type& map =
        op.map < 0 ? root_ : *std::get<std::unique_ptr<map_type>>(root_.find(op.map_key)->second.is);
    switch (op.step) {
    case doc_step::read: return read(map.find(op.key)->second);
    case doc_step::write: {
      auto& there = map.find(op.key)->second.is;
      if (op.kind == 0) std::get<std::int64_t>(there) = std::get<std::int64_t>(op.value);
      else if (op.kind == 1) std::get<double>(there) = std::get<double>(op.value);
      else std::get<std::string>(there) = std::get<std::string>(op.value);
      return 0;
    }
    case doc_step::toggle: {
      const auto at = map.find(op.key);
      if (at != map.end()) map.erase(at);
      else map.emplace(op.key, to_value(op.value));
      return map.size();
    }
    }
    return 0;
  }
  void from_bytes(std::span<const std::byte> bytes) {
    root_.clear();
    packed_reader in(bytes);
    for (auto n = in.map(); n != 0; --n) {
      std::string key(in.text());
      if ((in.next() & 0xF0) == 0x80 || in.next() == 0xDE) {
        auto map = std::make_unique<map_type>();
        for (auto k = in.map(); k != 0; --k) {
          std::string inner(in.text());
          map->emplace(std::move(inner), to_value(in.value()));
        }
        root_.emplace(std::move(key), map_value{std::move(map)});
      } else {
        root_.emplace(std::move(key), to_value(in.value()));
      }
    }
  }
  void open(const std::vector<std::byte>& bytes) { from_bytes(bytes); }
  void save(std::vector<std::byte>& bytes) const { to_bytes(bytes); }
  void to_bytes(std::vector<std::byte>& bytes) const {
    bytes.clear();
    packed_writer out(bytes);
    write(out, root_);
  }

  static std::uint64_t read(const map_value& v) {
    switch (v.is.index()) {
    case 0: return digest(std::get<0>(v.is));
    case 1: return digest(std::get<1>(v.is));
    case 2: return digest(std::get<2>(v.is));
    default: {
      const auto& array = std::get<3>(v.is);
      return array.size() + static_cast<std::uint64_t>(array.back());
    }
    }
  }

private:
  static void write(packed_writer& out, const map_type& map) {
    out.map(map.size());
    for (const auto& [key, value] : map) {
      out.text(key);
      switch (value.is.index()) {
      case 0: out.number(std::get<0>(value.is)); break;
      case 1: out.number(std::get<1>(value.is)); break;
      case 2: out.text(std::get<2>(value.is)); break;
      case 3:
        out.array(std::get<3>(value.is).size());
        for (const auto n : std::get<3>(value.is)) out.number(n);
        break;
      default: write(out, *std::get<4>(value.is)); break;
      }
    }
  }
  map_type root_;
};

/// An array in such a map: a vector of the same values.
class vector_of_values {
public:
  void load(const std::vector<leaf>& leaves) {
    values_.clear();
    for (const auto& each : leaves) values_.push_back(to_value(each));
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::uint64_t at(std::size_t i) const { return unordered_map_document::read(values_[i]); }
  void append(const leaf& value) { values_.push_back(to_value(value)); }
  void insert(std::size_t i, const leaf& value) { values_.insert(iterator_at(i), to_value(value)); }
  void erase(std::size_t i) { values_.erase(iterator_at(i)); }

private:
  std::vector<map_value>::iterator iterator_at(std::size_t i) {
    return values_.begin() + static_cast<std::ptrdiff_t>(i);
  }
  std::vector<map_value> values_;
};

class grown_map {
public:
  std::size_t load(const doc_model& model) {
    received_ = packed(model);
    return received_.size();
  }
  std::uint64_t route(const doc_operation& read, const doc_operation& write) {
    document_.from_bytes(received_);
    const std::uint64_t seen = document_.run(read);
    document_.run(write);
    document_.to_bytes(sent_);
    return seen;
  }
  [[nodiscard]] std::uint64_t sent(const doc_operation& op) const {
    unordered_map_document opened;
    opened.from_bytes(sent_);
    doc_operation read = op;
    read.step = doc_step::read;
    return opened.run(read);
  }

private:
  unordered_map_document document_;
  std::vector<std::byte> received_;
  std::vector<std::byte> sent_;
};

std::size_t packed_trades(const std::vector<unsigned>& which) {
  std::vector<std::byte> bytes;
  packed_writer out(bytes);
  out.array(which.size());
  std::size_t i = 0;
  for (const auto& t : trades()) {
    out.map(static_cast<std::size_t>(std::popcount(which[i])));
    for_some_fields(t, which[i++], [&](std::string_view key, const auto& value) {
      out.text(key);
      if constexpr (requires { value.data(); }) out.text(value);
      else out.number(value);
    });
  }
  return bytes.size();
}

} // namespace

void enter_doc_unordered_map(suite& all) {
  enter_doc<unordered_map_document>(all, "unordered_map");
  if (plan().is_requested) return;
  for (const std::size_t n : doc_sizes) {
    auto& data = all.make<std::unique_ptr<doc_data>>();
    data = std::make_unique<doc_data>(n);
    auto& reads = all.make<std::vector<doc_operation>>();
    auto& writes = all.make<std::vector<doc_operation>>();
    reads = data->operations(100, 0);
    writes = data->operations(0, 100);
    auto& bytes = all.make<std::vector<std::byte>>();
    bytes = packed(data->model);
    auto& document = all.make<unordered_map_document>();
    for (const char* const name : {"route-", "route-inplace-", "route-compact-"}) {
      all.add(
          name + std::to_string(n), "unordered_map", bytes.size(),
          [&bytes, d = &document, r = reads.data(), w = writes.data()](std::size_t i) {
            d->from_bytes(bytes);
            keep(d->run(r[i % 4096]));
            d->run(w[i % 4096]);
            d->to_bytes(bytes);
          },
          [&] {
            unordered_map_document trial;
            trial.from_bytes(bytes);
            unordered_map_document loaded;
            loaded.load(data->model);
            return run_all(trial, reads) == run_all(loaded, reads);
          });
    }
    auto& fresh = all.make<std::vector<std::byte>>();
    fresh = bytes; // the routes change `bytes`
    all.add(
        "load-" + std::to_string(n), "unordered_map", fresh.size(),
        [&fresh, d = &document](std::size_t) {
          d->from_bytes(fresh);
          escape(d);
        },
        [] { return true; });
    auto& whole = all.make<unordered_map_document>();
    whole.load(data->model);
    auto& out = all.make<std::vector<std::byte>>();
    all.add(
        "save-" + std::to_string(n), "unordered_map", fresh.size(),
        [&out, d = &whole](std::size_t) {
          d->to_bytes(out);
          escape(out.data());
        },
        [&] {
          whole.to_bytes(out);
          return out.size() == fresh.size();
        });
    all.add_measured("size-" + std::to_string(n), "msgpack-like", bytes.size(), {});
  }
  enter_doc_arrays<vector_of_values>(all, "unordered_map");
  enter_doc_growths<grown_map>(all, "unordered_map");
  enter_doc_bytes<unordered_map_document>(all, "unordered_map");
  all.add_measured("repeat", "msgpack-like", packed_trades(std::vector<unsigned>(100, 0xFF)), {});
  all.add_measured("repeat-varied", "msgpack-like", packed_trades(varied_fields()), {});
}

} // namespace bench
