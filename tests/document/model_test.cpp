// SPDX-License-Identifier: Apache-2.0
// A document against a model of std:: containers: random operations run on both, and both must have
// equal values, also through handles that were created long before. An error would change a value,
// or make a handle refer to another one.
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace document_model_test {

using namespace document_test;
using ingot::value_ref;

/// A model of the storage of one value. It stays when the value is overwritten. It ends when the
/// value is erased or a container of the value is overwritten, and then a handle to it has to end.
struct slot : std::enable_shared_from_this<slot> {
  using pointer = std::shared_ptr<slot>;
  using array = std::vector<pointer>;
  using object = std::map<std::string, pointer>;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, array, object> is;
  /// Time when a member was last inserted or erased, or an element before the end
  std::size_t shifted = 0;

  [[nodiscard]] bool is_container() const { return is.index() >= 6; }
};
slot::pointer make(decltype(slot::is) is = {}) {
  auto created = std::make_shared<slot>();
  created->is = std::move(is);
  return created;
}
std::vector<slot*> children(const slot& of) {
  std::vector<slot*> all;
  if (const auto* a = std::get_if<slot::array>(&of.is)) {
    for (const auto& each : *a) all.push_back(each.get());
  } else if (const auto* o = std::get_if<slot::object>(&of.is)) {
    for (const auto& [key, each] : *o) all.push_back(each.get());
  }
  return all;
}
/// Returns the number of values, at most `limit`.
std::size_t count(const slot& of, std::size_t limit) {
  std::size_t sum = 1;
  for (const slot* each : children(of)) {
    if (sum < limit) sum += count(*each, limit - sum);
  }
  return sum;
}
slot::pointer clone(const slot& from) {
  if (const auto* a = std::get_if<slot::array>(&from.is)) {
    slot::array copies;
    for (const auto& each : *a) copies.push_back(clone(*each));
    return make(std::move(copies));
  }
  if (const auto* o = std::get_if<slot::object>(&from.is)) {
    slot::object copies;
    for (const auto& [key, each] : *o) copies.emplace(key, clone(*each));
    return make(std::move(copies));
  }
  return make(from.is);
}

/// Compares the value without its children.
bool looks_like(const ingot::value& v, const slot& m) {
  return std::visit(
      [&]<class T>(const T& is) {
        if constexpr (std::is_same_v<T, std::monostate>) return v.is_null();
        else if constexpr (std::is_same_v<T, slot::array>) return v.is_array() && v.size() == is.size();
        else if constexpr (std::is_same_v<T, slot::object>) return v.is_object() && v.size() == is.size();
        else if constexpr (std::is_same_v<T, double>) return v.is_number() && v.as<double>() == is;
        else return v.as<T>() == is;
      },
      m.is);
}
void expect_same(const ingot::value& v, const slot& m) {
  ASSERT_TRUE(looks_like(v, m));
  if (const auto* a = std::get_if<slot::array>(&m.is)) {
    for (std::size_t i = 0; i < a->size(); ++i) expect_same(v[i], *(*a)[i]);
  } else if (const auto* o = std::get_if<slot::object>(&m.is)) {
    for (const auto& [key, mapped] : *o) expect_same(v.find(key), *mapped);
  }
}
/// Builds the value in the document piece by piece, in another order than its own history.
void build(value_ref v, const slot& m) {
  std::visit(
      [&]<class T>(const T& is) {
        if constexpr (std::is_same_v<T, std::monostate>) {
          ASSERT_TRUE(v.set(nullptr));
        } else if constexpr (std::is_same_v<T, slot::array>) {
          ASSERT_TRUE(v.set(std::vector<int>{}));
          for (const auto& each : is) build(*v.append(nullptr), *each);
        } else if constexpr (std::is_same_v<T, slot::object>) {
          ASSERT_TRUE(v.set(std::map<std::string, int>{}));
          for (const auto& [key, each] : is) build(*v.set(key, nullptr), *each);
        } else {
          ASSERT_TRUE(v.set(is));
        }
      },
      m.is);
}

class pair_of_both {
public:
  explicit pair_of_both(dice& random) : random_(random) {
    doc_ = std::map<std::string, int>{};
    root_->is = slot::object{};
  }

  void step() {
    ++now_;
    location at = random_() % 8 == 0 ? saved_location() : pick();
    if (auto* a = std::get_if<slot::array>(&at.m->is)) change_array(at, *a);
    else if (auto* o = std::get_if<slot::object>(&at.m->is)) change_object(at, *o);
    else overwrite(at);
    if (random_() % 4 == 0) keep(pick());
    check_handles();
  }
  void expect_both_same() {
    expect_same(doc_.root(), *root_);
    const auto at = pick();
    EXPECT_TRUE(doc_.at(at.pointer) == at.v) << at.pointer;
    EXPECT_FALSE(doc_.at(at.pointer + "/none").exists());
  }
  /// Equality and the canonical form do not depend on the history of a document.
  void expect_canonical() {
    ingot::document other(ingot::max_block_size{std::size_t{1} << 23});
    build(other.root(), *root_);
    EXPECT_TRUE(other == doc_);
    ingot::document copy(doc_);
    other.compact();
    EXPECT_EQ(bytes_of(other), bytes_of(copy));
    const auto at = pick();
    value_ref there = other.root().at(at.pointer);
    if (!there.exists()) there = other.root();
    ASSERT_TRUE(there.set("something else"));
    EXPECT_FALSE(other == doc_) << at.pointer;
  }
  void compact() {
    doc_.compact();
    ended_ = now_; // all handles end
  }
  void open_again() {
    handles_.clear();
    auto opened = ingot::document::open(doc_.bytes(), {.max_size = {doc_.max_size()}});
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    doc_ = std::move(*opened);
  }
  void assign_a_copy() {
    const ingot::document copy(doc_);
    doc_ = copy;
    ended_ = now_;
  }
  void move_away_and_back() {
    ingot::document away(std::move(doc_));
    doc_ = std::move(away); // handles stay valid
  }
  [[nodiscard]] ingot::document& doc() { return doc_; }

private:
  struct location {
    value_ref v;
    slot::pointer m;
    slot* container = nullptr; ///< the container of the value
    std::string pointer;
  };
  struct saved_handle {
    value_ref v;
    std::weak_ptr<slot> m;
    std::weak_ptr<slot> container;
    std::size_t time;
    std::size_t departed;
  };

  std::string random_key() {
    std::string key = "key" + std::to_string(random_() % 40);
    if (random_() % 24 == 0) key.append(40, 'k');
    if (random_() % 24 == 0) key += "/~1";
    return key;
  }
  decltype(slot::is) random_scalar() {
    switch (random_() % 8) {
    case 0: return std::monostate{};
    case 1: return random_() % 2 == 0;
    case 2: return static_cast<std::int64_t>(static_cast<std::uint64_t>(random_())) >> random_() % 63;
    case 3: return std::uint64_t{1} << 63 | random_();
    case 4: return static_cast<double>(random_() % 5000) / (random_() % 2 == 0 ? 1 : 7);
    case 5: return std::string(random_() % 300, static_cast<char>('a' + random_() % 26));
    default: return std::string(random_() % 24, static_cast<char>('a' + random_() % 26));
    }
  }

  /// Descends some levels, by index and by key.
  location pick() { return descend({doc_.root(), root_, nullptr, {}}, random_() % 6); }
  location descend(location at, std::size_t levels) {
    for (; levels != 0; --levels) {
      if (const auto* a = std::get_if<slot::array>(&at.m->is); a != nullptr && !a->empty()) {
        const std::size_t i = random_() % a->size();
        at = {at.v[i], (*a)[i], at.m.get(), at.pointer + "/" + std::to_string(i)};
      } else if (const auto* o = std::get_if<slot::object>(&at.m->is); o != nullptr && !o->empty()) {
        auto each = o->begin();
        std::advance(each, static_cast<std::ptrdiff_t>(random_() % o->size()));
        std::string part;
        for (const char c : each->first) part += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        at = {at.v.find(each->first), each->second, at.m.get(), at.pointer + "/" + part};
      } else {
        break;
      }
    }
    return at;
  }
  /// Returns the position of an earlier handle that must still be valid.
  location saved_location() {
    if (handles_.empty()) return pick();
    const auto& h = handles_[random_() % handles_.size()];
    auto m = h.m.lock();
    const auto container = h.container.lock();
    if (!m || !must_exist(h, container.get())) return pick();
    return {h.v, m, container.get(), {}};
  }

  void keep(const location& at) {
    if (at.container == nullptr) return;
    // Handles to elements of packed arrays of integers have a weaker promise.
    if (const auto* a = std::get_if<slot::array>(&at.container->is)) {
      bool packed = true;
      for (const auto& each : *a) packed = packed && std::holds_alternative<std::int64_t>(each->is);
      if (packed) return;
    }
    const saved_handle saved{at.v, at.m, at.container->weak_from_this(), now_, relocation_count_};
    if (handles_.size() < 24) handles_.push_back(saved);
    else handles_[random_() % handles_.size()] = saved;
  }
  [[nodiscard]] bool must_exist(const saved_handle& h, const slot* container) const {
    return container != nullptr && container->shifted <= h.time && h.time > ended_ &&
           relocation_count_ - h.departed < 2'000; // maximum of moved and erased values
  }
  void check_handles() {
    if (handles_.empty()) return;
    auto& h = handles_[random_() % handles_.size()];
    const auto m = h.m.lock();
    if (!m || h.time <= ended_) {
      EXPECT_FALSE(h.v.exists()) << "it was erased, or lay in what was overwritten, or was compacted";
      EXPECT_FALSE(h.v.set(1).has_value());
    } else if (must_exist(h, h.container.lock().get())) {
      EXPECT_TRUE(looks_like(h.v, *m)) << "nothing that it depends on has changed";
    } else {
      EXPECT_TRUE(!h.v.exists() || looks_like(h.v, *m)) << "absent, or what it was";
    }
  }

  /// Stores a new value by `use`, which returns the result of `set` or a similar function, and
  /// stores the same in the model.
  template <class Use>
  slot::pointer put(Use&& use) {
    switch (random_() % 8) {
    case 0: {
      const bool is_array = random_() % 2 == 0;
      EXPECT_TRUE(is_array ? use(std::vector<int>{}) : use(std::map<std::string, int>{}));
      return is_array ? make(slot::array{}) : make(slot::object{});
    }
    case 1: { // small integers, which are packed, and are unpacked by later values
      std::vector<int> plain;
      slot::array created;
      for (auto n = random_() % 6; n != 0; --n) {
        plain.push_back(static_cast<int>(random_() % 1000));
        created.push_back(make(std::int64_t{plain.back()}));
      }
      EXPECT_TRUE(use(plain));
      return make(std::move(created));
    }
    // Another value of this document, maybe the container itself, or a part of the value that it
    // replaces
    case 2: {
      const location from = pick();
      if (count(*from.m, 200) < 200 && doc_.bytes().size() < 60'000) {
        auto copy = clone(*from.m);
        EXPECT_TRUE(use(std::as_const(from.v)));
        return copy;
      }
      [[fallthrough]];
    }
    default: {
      auto created = make(random_scalar());
      std::visit(
          [&]<class T>(const T& is) {
            if constexpr (std::is_same_v<T, std::monostate>) {
              EXPECT_TRUE(use(nullptr));
            } else if constexpr (!std::is_same_v<T, slot::array> && !std::is_same_v<T, slot::object>) {
              EXPECT_TRUE(use(is));
            }
          },
          created->is);
      return created;
    }
    }
  }
  void departs(const slot& what) { relocation_count_ += count(what, 2'000); }
  void give(slot& to, const slot::pointer& source) {
    departs(to);
    to.is = std::move(source->is);
    to.shifted = now_;
  }
  void overwrite(location& at) {
    const auto stored = put([&](const auto& from) { return at.v.set(from).has_value(); });
    give(*at.m, stored);
    // A document without members leaves nothing to change
    if (at.container == nullptr && !root_->is_container()) {
      doc_ = std::map<std::string, int>{};
      root_->is = slot::object{};
    }
  }
  void clear(location& at) {
    ASSERT_TRUE(at.v.clear());
    departs(*at.m);
    if (at.m->is.index() == 6) at.m->is = slot::array{};
    else at.m->is = slot::object{};
    at.m->shifted = now_;
  }
  void change_array(location& at, slot::array& a) {
    relocation_count_ += 2;
    const std::size_t i = random_() % (a.size() + 1);
    switch (random_() % 16) {
    case 0: overwrite(at); break;
    case 1:
      if (random_() % 8 == 0) clear(at);
      break;
    case 2:
    case 3:
    case 4: {
      auto stored = put([&](const auto& from) { return at.v.insert(i, from).has_value(); });
      if (i != a.size()) at.m->shifted = now_;
      a.insert(a.begin() + static_cast<std::ptrdiff_t>(i), std::move(stored));
      break;
    }
    case 5:
    case 6:
    case 7:
    case 8: {
      ASSERT_EQ(at.v.erase(i).has_value(), i < a.size());
      if (i == a.size()) break;
      // Also for the last one: its handle must not refer to the element that is appended next
      at.m->shifted = now_;
      departs(*a[i]);
      a.erase(a.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
    default: {
      auto stored = put([&](const auto& from) { return at.v.append(from).has_value(); });
      a.push_back(std::move(stored));
      break;
    }
    }
  }
  void change_object(location& at, slot::object& o) {
    relocation_count_ += 2;
    const std::string key = random_key();
    switch (random_() % 16) {
    case 0:
      if (random_() % 4 == 0) overwrite(at);
      break;
    case 1:
      if (random_() % 16 == 0) clear(at);
      break;
    case 2:
    case 3:
    case 4:
    case 5: {
      const auto found = o.find(key);
      ASSERT_EQ(at.v.erase(key), found != o.end());
      if (found == o.end()) break;
      departs(*found->second);
      o.erase(found);
      at.m->shifted = now_;
      break;
    }
    case 6:
    case 7: {
      const std::string to = random_key();
      const bool can = o.contains(key) && (key == to || !o.contains(to));
      ASSERT_EQ(at.v.rename(key, to).has_value(), can);
      if (!can || key == to) break;
      auto taken = o.extract(key);
      taken.key() = to;
      o.insert(std::move(taken));
      at.m->shifted = now_;
      break;
    }
    default: {
      const bool by_assignment = INGOT_EXCEPTIONS && random_() % 2 == 0;
      const auto stored = put([&](const auto& from) {
        if (!by_assignment) return at.v.set(key, from).has_value();
        at.v[key] = from;
        return true;
      });
      auto& there = o[key];
      if (there) {
        give(*there, stored);
      } else {
        there = stored;
        at.m->shifted = now_;
      }
      break;
    }
    }
  }

  dice& random_;
  ingot::document doc_{ingot::max_block_size{std::size_t{1} << 22}};
  slot::pointer root_ = make();
  std::vector<saved_handle> handles_;
  std::size_t now_ = 0;
  std::size_t ended_ = 0; ///< time when all handles ended
  std::size_t relocation_count_ = 0;
};

TEST(document_model, random_operations_leave_what_they_say) {
  const char* const requested = std::getenv("INGOT_DOCUMENT_OPERATIONS");
  const std::size_t max_steps = requested != nullptr ? std::strtoul(requested, nullptr, 10)
                                : sampled()          ? 5'000
                                                     : 1'000'000;
  dice random(7);
  std::size_t done = 0;
  while (done < max_steps && !HasFailure()) {
    pair_of_both both(random);
    for (std::size_t i = 0; i < 2'000 && done < max_steps && !HasFailure(); ++i) {
      both.step();
      ++done;
      if (i % 128 != 127) continue;
      both.expect_both_same();
      switch (random() % 8) {
      case 0: both.compact(); break;
      case 1: both.open_again(); break;
      case 2: both.assign_a_copy(); break;
      case 3: both.move_away_and_back(); break;
      case 4: both.expect_canonical(); break;
      default: break;
      }
      if (both.doc().bytes().size() > 200'000) break;
    }
    both.expect_both_same();
    expect_whole(both.doc());
    static_cast<void>(both.doc().root().clear());
    EXPECT_EQ(both.doc().stats().used - both.doc().stats().free_bytes, 16U) << "everything was given back";
  }
  EXPECT_FALSE(HasFailure()) << "at operation " << done;
}

TEST(document_model, less_is_not_equal_to_more) {
  ingot::document less;
  ingot::document more;
  for (const int count : {1, 20, 200}) {
    less = std::vector<int>(static_cast<std::size_t>(count), 70'000);
    more = std::vector<int>(static_cast<std::size_t>(count) + 1, 70'000);
    EXPECT_FALSE(less == more);
    EXPECT_FALSE(more == less);
    less = std::map<std::string, int>{};
    for (int i = 0; i < count; ++i) less[std::to_string(i)] = i;
    more = less;
    EXPECT_TRUE(less == more);
    // The key with the highest hash, so that the other members are the first of both
    std::string last;
    for (const auto& [key, mapped] : more.root().members()) last = key;
    ASSERT_TRUE(*less.root().erase(last));
    EXPECT_FALSE(less == more);
    EXPECT_FALSE(more == less);
  }
}

TEST(document_model, one_object_of_many_keys) {
  dice random(3);
  ingot::document doc(ingot::max_block_size{std::size_t{1} << 24});
  std::map<std::string, std::int64_t> model;
  const std::size_t count = sampled() ? 3'000 : 40'000;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = std::to_string(random() % 12'000);
    if (random() % 3 == 0) {
      ASSERT_EQ(doc.root().is_object() && *doc.root().erase(key), model.erase(key) != 0) << i;
    } else {
      doc[key] = i;
      model[key] = static_cast<std::int64_t>(i);
    }
  }
  ASSERT_EQ(doc.root().size(), model.size());
  for (const auto& [key, n] : model) ASSERT_EQ(doc.find(key).value_or(-1), n);
  for (int i = 12'000; i < 13'000; ++i) EXPECT_FALSE(doc.contains(std::to_string(i)));
  expect_whole(doc);
}

} // namespace document_model_test
