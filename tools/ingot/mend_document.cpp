// SPDX-License-Identifier: Apache-2.0
// Repairs a copy of a damaged document. Walks over all nodes that can be reached, and checks each
// of them as the library's validation does. A node whose reference is damaged is lost; all other
// nodes are members.
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/document.hpp>

#include "damages.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tool {

namespace {

namespace doc = ingot::detail::doc;
using ingot::errc;
using ingot::error;

/// Last step of a path.
struct document_step {
  enum class kind : std::uint8_t { none, key, index };
  kind is = kind::none;
  std::uint32_t index = 0;
  std::string_view key{}; ///< in the bytes of the document

  void add_to(error& err) const {
    if (is == kind::key) err.in_member(key);
    else if (is == kind::index) err.in_element(index);
  }
};

class document_mender {
public:
  document_mender(std::span<std::byte> bytes, std::uint32_t used, damages& found)
      : start_(bytes.data()), in_{bytes.data(), used}, found_(found), taken_(used / 8 + 1),
        work_(16 * std::uint64_t{used} + 4096) {}

  /// Repairs everything after the header.
  void run() {
    take(0, doc::first_node);
    const auto root = doc::load<std::uint32_t>(start_ + offsetof(doc::document_header, root));
    if (root <= doc::root_empty_object) return;
    doc::node n;
    const bool is_node = usable(root, n) && (n.is_container() || is_single(n)) && take(root, n.bytes);
    if (!is_node) {
      note(errc::bad_length, offsetof(doc::document_header, root), "the root's node", none,
           "the value is lost");
      return store_root(doc::root_null);
    }
    paths_.push_back({none, {}});
    left_.push_back({root, 0});
    while (!left_.empty()) {
      const auto [position, path_id] = left_.back();
      left_.pop_back();
      if (!doc::find_node(in_, position, n)) continue; // not reached: `usable` found the node
      mend_node(n, path_id);
    }
  }

private:
  using step = document_step;
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  [[nodiscard]] static step to_key(std::string_view key) { return {step::kind::key, 0, key}; }
  [[nodiscard]] static step to_index(std::uint32_t index) { return {step::kind::index, index, {}}; }
  /// The last step of the path of a container, and the index of the path of its parent.
  struct container_path {
    std::uint32_t parent;
    step last;
  };
  struct waiting {
    std::uint32_t position;
    std::uint32_t path_id;
  };
  struct member {
    std::uint32_t cell;
    std::uint16_t hash;
    std::string_view key;
    std::uint32_t index; ///< in the damaged node
  };

  void store_root(std::uint32_t root) noexcept {
    std::memcpy(start_ + offsetof(doc::document_header, root), &root, sizeof root);
  }
  /// Counts bytes that are read once more than in a valid document. Malicious references may ask
  /// for the same bytes any number of times: from some number on, all of these references are
  /// damaged.
  [[nodiscard]] bool spend(std::uint64_t bytes) noexcept {
    const bool is_enough = bytes <= work_;
    work_ = is_enough ? work_ - bytes : 0;
    return is_enough;
  }
  [[nodiscard]] bool is_free(std::uint32_t position, std::uint32_t bytes) {
    if (work_ == 0) return false;
    for (std::uint32_t at = position / 8; at < (position + bytes + 7) / 8; ++at) {
      if (!taken_[at]) continue;
      work_ -= std::min<std::uint64_t>(work_, 8 * (at - position / 8));
      return false;
    }
    return true;
  }
  /// Marks bytes as used. Returns false and marks nothing if some of these bytes are in use.
  bool take(std::uint32_t position, std::uint32_t bytes) {
    if (!is_free(position, bytes)) return false;
    std::fill(taken_.begin() + position / 8, taken_.begin() + (position + bytes + 7) / 8, true);
    return true;
  }
  [[nodiscard]] static bool is_single(const doc::node& n) {
    return n.kind == doc::node_kind::single && n.count == 1;
  }
  /// Finds a node whose head and shape are valid.
  [[nodiscard]] bool usable(std::uint32_t position, doc::node& n) {
    if (!doc::find_node(in_, position, n)) return false;
    if (!n.wide && (n.count > doc::narrow_count || n.heap > doc::narrow_heap)) return false;
    return n.kind != doc::node_kind::shaped || has_shape(n);
  }
  [[nodiscard]] bool has_shape(const doc::node& n) {
    const std::uint32_t position = n.extra();
    const auto [at, is_new] = shapes_.try_emplace(position, none);
    if (is_new) {
      doc::node shape;
      const bool is_shape =
          doc::find_node(in_, position, shape) && shape.kind == doc::node_kind::shape &&
          (shape.wide || (shape.count <= doc::narrow_count && shape.heap <= doc::narrow_heap));
      if (is_shape && spend(shape.bytes) && is_free(position, shape.bytes) && has_valid_keys(shape) &&
          take(position, shape.bytes))
        at->second = shape.count;
    }
    return at->second != none && at->second == n.count;
  }
  [[nodiscard]] bool has_valid_keys(const doc::node& n) {
    const doc::key_columns keys(in_, n);
    std::vector<bool> heap(n.heap + std::size_t{1});
    std::string_view before;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      std::string_view key;
      const std::uint32_t cell = n.cell(i);
      if (!read_key(n, keys, i, key) || hash_of(key, keys.hash(i)) != keys.hash(i)) return false;
      if (i != 0 && keys.hash(i) <= keys.hash(i - 1) &&
          (keys.hash(i) != keys.hash(i - 1) || !spend_comparison(before, key) || key <= before))
        return false;
      if (!take_heap(heap, cell, n.at_index(i).before)) return false;
      before = key;
    }
    return true;
  }
  /// Returns the hash of a key that `read_key` accepted. The hash of a long key was compared with
  /// `stored` when the key was found, and is not computed again for each object that has the key.
  [[nodiscard]] static std::uint16_t hash_of(std::string_view key, std::uint16_t stored) noexcept {
    return key.size() > doc::short_key ? stored : doc::hash_key(key);
  }
  /// Counts the bytes of a comparison. Objects share long keys, so comparisons may read them again.
  [[nodiscard]] bool spend_comparison(std::string_view a, std::string_view b) noexcept {
    const std::size_t common = std::min(a.size(), b.size());
    return common <= doc::short_key || spend(common);
  }
  /// Marks an element of a heap as used. `cell` is its distance from the end of the node.
  [[nodiscard]] static bool take_heap(std::vector<bool>& heap, std::uint32_t cell, std::uint32_t size) {
    if (size > cell || cell >= heap.size()) return false;
    const auto from = heap.begin() + (cell - size);
    const auto to = heap.begin() + cell;
    if (std::find(from, to, true) != to) return false;
    std::fill(from, to, true);
    return true;
  }
  [[nodiscard]] bool read_key(const doc::node& n, const doc::key_columns& keys, std::uint32_t i,
                              std::string_view& key) {
    if (n.cell(i) - 1 >= n.heap) return false;
    const doc::element_bytes here = n.at_index(i);
    if (here.before == 0) return false;
    std::uint32_t position = 0;
    if (keys.long_key_position(i, position)) {
      doc::bytes_node long_key;
      if (!doc::find_bytes(in_, position, doc::node_kind::long_key, long_key) ||
          long_key.length <= doc::short_key || doc::load<std::uint16_t>(long_key.at + 2) != keys.hash(i))
        return false;
      const auto [at, is_new] = long_keys_.try_emplace(position, false);
      if (is_new)
        at->second = spend(long_key.bytes) && doc::hash_key(long_key.text()) == keys.hash(i) &&
                     take(position, long_key.bytes);
      key = long_key.text();
      return at->second;
    }
    return keys.text(i, key) && key.size() <= doc::short_key;
  }

  /// Returns the position of the cell of an element: the bytes of the node that belong to this
  /// element alone.
  [[nodiscard]] static std::uint32_t cell_position(const doc::node& n, std::uint32_t i) noexcept {
    return n.position +
           static_cast<std::uint32_t>(doc::head_size(n.kind, n.wide) + std::size_t{n.word()} * i);
  }
  /// Notes damage of the bytes at `at`. The copy has the place at `to`.
  void note(errc code, std::uint32_t at, std::uint32_t to, std::string_view expected, std::uint32_t path_id,
            std::string_view effect, const step& last = {}) {
    error err = error{code, at}.with_expected(expected);
    if (!found_.is_full()) { // paths may be as long as the document
      last.add_to(err);
      for (std::uint32_t p = path_id; p != none; p = paths_[p].parent) paths_[p].last.add_to(err);
    }
    found_.note(err, effect, found_.in_copy(to));
  }
  void note(errc code, std::uint32_t at, std::string_view expected, std::uint32_t path_id,
            std::string_view effect, const step& last = {}) {
    note(code, at, at, expected, path_id, effect, last);
  }
  /// Checks a value. Queues the container that the value refers to. Returns false, and sets
  /// `expected`, if the value can't be read.
  [[nodiscard]] bool keep(const doc::item& value, std::uint32_t path_id, const step& last,
                          std::string_view& expected) {
    if (value.kind == ingot::value_kind::absent) {
      expected = "a value of the node's heap";
      return false;
    }
    if (!value.owns_node()) return true;
    const std::uint32_t position = value.position();
    if (value.is == doc::item::form::blob) {
      doc::bytes_node blob;
      expected = "a reference to text or bytes";
      return doc::find_bytes(in_, position, doc::node_kind::blob, blob) && take(position, blob.bytes);
    }
    doc::node child;
    expected = "a reference to a node";
    if (!usable(position, child) || !child.is_container() ||
        child.is_object() != (value.kind == ingot::value_kind::object) || !take(position, child.bytes))
      return false;
    paths_.push_back({path_id, last});
    left_.push_back({position, static_cast<std::uint32_t>(paths_.size() - 1)});
    return true;
  }

  void mend_node(const doc::node& n, std::uint32_t path_id) {
    if (n.kind == doc::node_kind::object) mend_members(n, path_id);
    else mend_elements(n, path_id);
  }
  void mend_elements(const doc::node& n, std::uint32_t path_id) {
    doc::node shape;
    const bool has_keys = n.kind == doc::node_kind::shaped && doc::find_node(in_, n.extra(), shape);
    std::vector<bool> heap(n.heap + std::size_t{1});
    for (std::uint32_t i = 0; i < n.count; ++i) {
      std::uint32_t size = 0;
      const doc::item value = n.value(i, size);
      step last = to_index(i);
      if (std::string_view key; has_keys && doc::key_columns(in_, shape).text(i, key)) last = to_key(key);
      std::string_view expected = "values that do not overlap";
      const bool is_single = n.kind == doc::node_kind::single;
      const bool is_allowed =
          !is_single || (value.kind != ingot::value_kind::null && value.kind != ingot::value_kind::array &&
                         value.kind != ingot::value_kind::object);
      if (is_allowed && (size == 0 || take_heap(heap, n.cell(i), size)) &&
          keep(value, path_id, last, expected))
        continue;
      if (is_single) {
        note(errc::bad_variant, n.position, "a scalar or text", none, "the value is lost");
        return store_root(doc::root_null);
      }
      note(errc::bad_variant, cell_position(n, i), expected, path_id, "shown as null", last);
      store_cell(n, i, 0);
    }
  }
  static void store(std::byte* at, std::uint32_t number, bool is_wide) noexcept {
    const auto narrow = static_cast<std::uint16_t>(number);
    if (is_wide) std::memcpy(at, &number, 4);
    else std::memcpy(at, &narrow, 2);
  }
  void store_cell(const doc::node& n, std::uint32_t i, std::uint32_t cell) noexcept {
    store(start_ + cell_position(n, i), cell, n.wide);
  }
  void mend_members(const doc::node& n, std::uint32_t path_id) {
    const doc::key_columns keys(in_, n);
    std::vector<bool> heap(n.heap + std::size_t{1});
    std::vector<member> members;
    bool is_changed = false;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      member m{n.cell(i), keys.hash(i), {}, i};
      if (!read_key(n, keys, i, m.key)) {
        note(errc::bad_length, cell_position(n, i), n.position, "a member in the node's heap", path_id,
             left_out, to_index(i));
        is_changed = true;
        continue;
      }
      std::uint32_t size = 0;
      const doc::item value = n.value(i, size);
      std::string_view expected = "values that do not overlap";
      const std::uint16_t hash = hash_of(m.key, m.hash);
      // A record of a key has one of two forms, which depend on the hash.
      const bool has_form = hash == m.hash || (doc::length_in(hash) == doc::length_in(m.hash) &&
                                               m.key.size() <= doc::short_key);
      if (!has_form || size == 0 || !take_heap(heap, m.cell, n.at_index(i).before + size) ||
          !keep(value, path_id, to_key(m.key), expected)) {
        note(errc::bad_variant, cell_position(n, i), n.position, has_form ? expected : "the key's hash",
             path_id, left_out, to_key(m.key));
        is_changed = true;
        continue;
      }
      if (hash != m.hash) {
        note(errc::unsorted_keys, cell_position(n, i), n.position, "the key's hash", path_id,
             "shown under the key that is there", to_key(m.key));
        m.hash = hash;
        is_changed = true;
      }
      members.push_back(m);
    }
    if (!is_changed) {
      const auto unsorted = std::ranges::adjacent_find(members, [&](const member& a, const member& b) {
        return a.hash > b.hash || (a.hash == b.hash && (!spend_comparison(a.key, b.key) || a.key >= b.key));
      });
      if (unsorted == members.end()) return;
      note(errc::unsorted_keys, n.position, "keys in the order of hash and bytes", path_id, "sorted");
    }
    write_members(n, sorted(std::move(members), n, path_id));
  }
  /// Sorts members by hash and key. Of members with the same key, keeps the first one.
  [[nodiscard]] std::vector<member> sorted(std::vector<member> members, const doc::node& n,
                                           std::uint32_t path_id) {
    // Members that refer to the same long key are removed before keys are compared.
    std::ranges::sort(members, {}, [](const member& m) { return std::tuple(m.hash, m.key.data(), m.index); });
    members = unique(members, n, path_id,
                     [](const member& a, const member& b) { return a.key.data() != b.key.data(); });
    std::uint64_t compared = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool has_neighbour = (i != 0 && members[i - 1].hash == members[i].hash) ||
                                 (i + 1 < members.size() && members[i + 1].hash == members[i].hash);
      if (has_neighbour && members[i].key.size() > doc::short_key) compared += members[i].key.size();
    }
    if (!spend(compared * static_cast<unsigned>(std::bit_width(members.size()))))
      return unique(members, n, path_id, [](const member& a, const member& b) { return a.hash != b.hash; });
    std::ranges::sort(members, {}, [](const member& m) { return std::tuple(m.hash, m.key, m.index); });
    return unique(members, n, path_id,
                  [](const member& a, const member& b) { return a.hash != b.hash || a.key != b.key; });
  }
  /// Returns each member that differs from the member before.
  template <class Differ>
  [[nodiscard]] std::vector<member> unique(const std::vector<member>& members, const doc::node& n,
                                           std::uint32_t path_id, const Differ& differ) {
    std::vector<member> members_left;
    for (const member& each : members) {
      if (members_left.empty() || differ(members_left.back(), each)) members_left.push_back(each);
      else
        note(errc::duplicate_key, cell_position(n, each.index), n.position, "each key once", path_id,
             left_out, to_key(each.key));
    }
    return members_left;
  }
  void write_members(const doc::node& n, const std::vector<member>& members) noexcept {
    std::byte* const at = start_ + n.position;
    const auto count = static_cast<std::uint32_t>(members.size());
    store(at + (n.wide ? 8 : 4), count, n.wide);
    for (std::uint32_t i = 0; i < count; ++i) store_cell(n, i, members[i].cell);
    std::byte* const hashes = at + doc::head_size(n.kind, n.wide) + std::size_t{n.word()} * count;
    for (std::uint32_t i = 0; i < count; ++i)
      std::memcpy(hashes + std::size_t{2} * i, &members[i].hash, sizeof members[i].hash);
  }

  std::byte* start_;
  doc::memory in_;
  damages& found_;
  std::vector<bool> taken_;                       ///< one bit for eight bytes
  std::uint64_t work_;                            ///< bytes that may still be read again
  std::map<std::uint32_t, std::uint32_t> shapes_; ///< count of the members; `none` if damaged
  std::map<std::uint32_t, bool> long_keys_;
  std::vector<container_path> paths_;
  std::vector<waiting> left_;
};

} // namespace

bool mend_document(std::span<std::byte> bytes, damages& found) {
  if (ingot::document::open_in_place(bytes)) return true;
  doc::document_header header;
  if (bytes.size() < sizeof header || bytes.size() > doc::max_bytes || bytes.size() % 8 != 0) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  doc::document_header expected;
  expected.used = static_cast<std::uint32_t>(bytes.size());
  expected.root = header.root;
  if (std::memcmp(&header, &expected, sizeof header) != 0) {
    const auto info = ingot::peek_document(bytes);
    const error trailing = error{errc::trailing_bytes, header.used}.with_expected("the end of the document");
    found.note(info ? trailing : info.error(), "taken as the header of a document of this length");
    std::memcpy(bytes.data(), &expected, sizeof expected);
  }
  document_mender(bytes, expected.used, found).run();
  const auto mended = ingot::document::open_in_place(bytes);
  if (mended) return true;
  found.note(mended.error(), "the value is lost");
  expected.root = doc::root_null;
  std::memcpy(bytes.data(), &expected, sizeof expected);
  return true;
}

} // namespace tool
