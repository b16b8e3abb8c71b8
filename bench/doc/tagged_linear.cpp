// SPDX-License-Identifier: Apache-2.0
// The obvious first design: entries of tag, key and value in a vector of bytes, searched from the
// front, and changed by moving all later bytes. The bytes are the message.
#include "workload.hpp"

namespace bench {
namespace {

/// Layout of an entry: its length (4 bytes), kind (1), length of the key (1), key, value. The value
/// of a map is a sequence of entries.
class tagged_linear_document {
public:
  void load(const doc_model& model) {
    bytes_.clear();
    for (const auto& [key, value] : model.root) append(bytes_.size(), key, value);
    for (const auto& [key, entries] : model.maps) {
      const std::size_t at = bytes_.size();
      std::vector<std::byte> inner;
      inner.swap(bytes_);
      for (const auto& [k, v] : entries) append(bytes_.size(), k, v);
      inner.swap(bytes_);
      insert(at, key, 4, inner.data(), inner.size());
    }
  }
  std::uint64_t run(const doc_operation& op) {
    std::size_t from = 0;
    std::size_t to = bytes_.size();
    std::size_t map = npos;
    if (op.map >= 0) {
      map = find(from, to, op.map_key);
      from = map + 6 + op.map_key.size();
      to = map + size_at(map);
    }
    const std::size_t at = find(from, to, op.key);
    switch (op.step) {
    case doc_step::read: return read(at);
    case doc_step::write: {
      const std::size_t before = bytes_.size();
      erase(at);
      append(at, op.key, op.value);
      grow(map, bytes_.size() - before);
      return 0;
    }
    case doc_step::toggle: {
      const std::size_t before = bytes_.size();
      if (at != npos) erase(at);
      else append(to, op.key, op.value);
      grow(map, bytes_.size() - before);
      std::size_t count = 0;
      to = map == npos ? bytes_.size() : map + size_at(map);
      for (std::size_t i = from; i < to; i += size_at(i)) ++count;
      return count;
    }
    }
    return 0;
  }

  void open(const std::vector<std::byte>& bytes) { bytes_ = bytes; }
  void save(std::vector<std::byte>& bytes) const { bytes = bytes_; }

protected:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  [[nodiscard]] std::size_t size_at(std::size_t at) const {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes_.data() + at, sizeof size);
    return size;
  }
  void grow(std::size_t map, std::size_t by) {
    if (map == npos) return;
    const auto size = static_cast<std::uint32_t>(size_at(map) + by);
    std::memcpy(bytes_.data() + map, &size, sizeof size);
  }
  [[nodiscard]] std::size_t find(std::size_t from, std::size_t to, std::string_view key) const {
    for (; from < to; from += size_at(from)) {
      if (std::to_integer<std::size_t>(bytes_[from + 5]) == key.size() &&
          std::memcmp(bytes_.data() + from + 6, key.data(), key.size()) == 0)
        return from;
    }
    return npos;
  }
  [[nodiscard]] std::uint64_t read(std::size_t at) const {
    const std::size_t key = std::to_integer<std::size_t>(bytes_[at + 5]);
    const std::byte* const from = bytes_.data() + at + 6 + key;
    const std::size_t size = size_at(at) - 6 - key;
    std::int64_t n = 0;
    switch (std::to_integer<unsigned>(bytes_[at + 4])) {
    case 2: return digest(std::string_view(reinterpret_cast<const char*>(from), size));
    case 3: std::memcpy(&n, from + size - 8, 8); return size / 8 + static_cast<std::uint64_t>(n);
    default: std::memcpy(&n, from, 8); return static_cast<std::uint64_t>(n);
    }
  }
  void erase(std::size_t at) {
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(at);
    bytes_.erase(first, first + static_cast<std::ptrdiff_t>(size_at(at)));
  }
  void append(std::size_t at, std::string_view key, const leaf& value) {
    std::visit(
        [&]<class T>(const T& v) {
          if constexpr (std::is_arithmetic_v<T>) insert(at, key, value.index(), &v, sizeof v);
          else insert(at, key, value.index(), v.data(), v.size() * sizeof(*v.data()));
        },
        value);
  }
  void insert(std::size_t at, std::string_view key, std::size_t kind, const void* data, std::size_t size) {
    const std::size_t all = 6 + key.size() + size;
    bytes_.insert(bytes_.begin() + static_cast<std::ptrdiff_t>(at), all, std::byte{});
    std::byte* const to = bytes_.data() + at;
    const auto length = static_cast<std::uint32_t>(all);
    std::memcpy(to, &length, sizeof length);
    to[4] = static_cast<std::byte>(kind);
    to[5] = static_cast<std::byte>(key.size());
    std::memcpy(to + 6, key.data(), key.size());
    if (size != 0) std::memcpy(to + 6 + key.size(), data, size);
  }
  std::vector<std::byte> bytes_;
};

/// Entries without keys, found by counting.
class tagged_linear_array : tagged_linear_document {
public:
  void load(const std::vector<leaf>& leaves) {
    bytes_.clear();
    size_ = 0;
    for (const auto& each : leaves) append(each);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint64_t at(std::size_t i) const { return read(position_of(i)); }
  void append(const leaf& value) { add(bytes_.size(), value); }
  void insert(std::size_t i, const leaf& value) { add(position_of(i), value); }
  void erase(std::size_t i) {
    tagged_linear_document::erase(position_of(i));
    --size_;
  }

private:
  [[nodiscard]] std::size_t position_of(std::size_t i) const {
    std::size_t at = 0;
    for (; i != 0; --i) at += size_at(at);
    return at;
  }
  void add(std::size_t at, const leaf& value) {
    tagged_linear_document::append(at, {}, value);
    ++size_;
  }
  std::size_t size_ = 0;
};

} // namespace

void enter_doc_tagged_linear(suite& all) {
  enter_doc<tagged_linear_document>(all, "tagged-linear");
  if (plan().is_requested) return;
  enter_doc_arrays<tagged_linear_array>(all, "tagged-linear");
  enter_doc_bytes<tagged_linear_document>(all, "tagged-linear");
}

} // namespace bench
