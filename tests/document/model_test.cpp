// SPDX-License-Identifier: Apache-2.0
// A document against a model of std:: containers: random operations, the same on both, and both say the same. Without this any edit
// might leave something else than it says.
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace document_model_test {

using namespace document_test;

struct model {
  using array = std::vector<model>;
  using object = std::map<std::string, model>;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, array, object> is;
};

std::string random_key(dice& random) {
  std::string key = "key" + std::to_string(random() % 40);
  if (random() % 24 == 0) key.append(40, 'k');
  return key;
}
model random_scalar(dice& random) {
  switch (random() % 8) {
  case 0: return {std::monostate{}};
  case 1: return {random() % 2 == 0};
  case 2: return {static_cast<std::int64_t>(random()) >> random() % 63};
  case 3: return {std::uint64_t{1} << 63 | random()};
  case 4: return {static_cast<double>(random() % 5000) / (random() % 2 == 0 ? 1 : 7)};
  case 5: return {std::string(random() % 300, static_cast<char>('a' + random() % 26))};
  default: return {std::string(random() % 24, static_cast<char>('a' + random() % 26))};
  }
}
void set(ingot::value_ref v, const model& m) {
  std::visit(
      [&](const auto& is) {
        using T = std::remove_cvref_t<decltype(is)>;
        if constexpr (std::is_same_v<T, std::monostate>) ASSERT_TRUE(v.set(nullptr));
        else if constexpr (std::is_same_v<T, model::array>) ASSERT_TRUE(v.set(std::vector<int>{}));
        else if constexpr (std::is_same_v<T, model::object>) ASSERT_TRUE(v.set(std::map<std::string, int>{}));
        else ASSERT_TRUE(v.set(is));
      },
      m.is);
}
void expect_same(const ingot::value& v, const model& m, int depth = 0) {
  if (depth > 50) return;
  if (const auto* a = std::get_if<model::array>(&m.is)) {
    ASSERT_EQ(v.kind(), ingot::value_kind::array);
    ASSERT_EQ(v.size(), a->size());
    for (std::size_t i = 0; i < a->size(); ++i) expect_same(v[i], (*a)[i], depth + 1);
  } else if (const auto* o = std::get_if<model::object>(&m.is)) {
    ASSERT_EQ(v.kind(), ingot::value_kind::object);
    ASSERT_EQ(v.size(), o->size());
    for (const auto& [key, mapped] : *o) expect_same(v.find(key), mapped, depth + 1);
  } else if (const auto* b = std::get_if<bool>(&m.is)) {
    ASSERT_EQ(v.as<bool>(), *b);
  } else if (const auto* i = std::get_if<std::int64_t>(&m.is)) {
    ASSERT_EQ(v.as<std::int64_t>(), *i);
  } else if (const auto* u = std::get_if<std::uint64_t>(&m.is)) {
    ASSERT_EQ(v.as<std::uint64_t>(), *u);
  } else if (const auto* d = std::get_if<double>(&m.is)) {
    ASSERT_EQ(v.kind(), ingot::value_kind::number);
    ASSERT_EQ(v.as<double>(), *d);
  } else if (const auto* s = std::get_if<std::string>(&m.is)) {
    ASSERT_EQ(v.as<std::string>(), *s);
  } else {
    ASSERT_TRUE(v.is_null());
  }
}

/// Goes down to a container, some levels.
model* descend(ingot::value_ref& v, model& root, dice& random) {
  model* m = &root;
  for (auto levels = random() % 4; levels != 0; --levels) {
    if (auto* a = std::get_if<model::array>(&m->is); a != nullptr && !a->empty()) {
      const std::size_t i = random() % a->size();
      if ((*a)[i].is.index() < 6) break;
      v = v[i];
      m = &(*a)[i];
    } else if (auto* o = std::get_if<model::object>(&m->is); o != nullptr && !o->empty()) {
      auto at = o->begin();
      std::advance(at, static_cast<std::ptrdiff_t>(random() % o->size()));
      if (at->second.is.index() < 6) break;
      v = v.find(at->first);
      m = &at->second;
    }
  }
  return m;
}

void step(ingot::document& doc, model& root, dice& random) {
  ingot::value_ref v = doc.root();
  model* const m = descend(v, root, random);
  model made = random_scalar(random);
  if (random() % 6 == 0) made = random() % 2 == 0 ? model{model::array{}} : model{model::object{}};
  if (auto* a = std::get_if<model::array>(&m->is)) {
    const std::size_t at = random() % (a->size() + 1);
    switch (random() % 6) {
    case 0:
    case 1: {
      auto placed = v.append(nullptr);
      ASSERT_TRUE(placed.has_value());
      set(*placed, made);
      a->push_back(made);
      break;
    }
    case 2: {
      auto placed = v.insert(at, nullptr);
      ASSERT_TRUE(placed.has_value());
      set(*placed, made);
      a->insert(a->begin() + static_cast<std::ptrdiff_t>(at), made);
      break;
    }
    case 3: {
      ASSERT_EQ(v.erase(at).has_value(), at < a->size());
      if (at < a->size()) a->erase(a->begin() + static_cast<std::ptrdiff_t>(at));
      break;
    }
    case 4: {
      // Small integers, which lie packed, and are unpacked by what comes next.
      model ints{model::array{}};
      std::vector<int> plain;
      for (auto n = random() % 6; n != 0; --n) {
        plain.push_back(static_cast<int>(random() % 1000));
        std::get<model::array>(ints.is).push_back({std::int64_t{plain.back()}});
      }
      ASSERT_TRUE(v.append(plain).has_value());
      a->push_back(ints);
      break;
    }
    default:
      if (at < a->size()) {
        set(v[at], made);
        (*a)[at] = made;
      }
      break;
    }
  } else if (auto* o = std::get_if<model::object>(&m->is)) {
    const std::string key = random_key(random);
    switch (random() % 6) {
    case 0: ASSERT_EQ(v.erase(key), o->erase(key) != 0); break;
    case 1: {
      const std::string to = random_key(random);
      const bool can = o->contains(key) && (key == to || !o->contains(to));
      ASSERT_EQ(v.rename(key, to).has_value(), can);
      if (can && key != to) {
        auto taken = o->extract(key);
        taken.key() = to;
        o->insert(std::move(taken));
      }
      break;
    }
    case 2:
      if (o->contains(key) && doc.bytes().size() < 60'000) { // another value, of this document, copied
        const model copy = o->at(key);
        ASSERT_TRUE(v.set("a copy", v.find(key)).has_value());
        (*o)["a copy"] = copy;
      }
      break;
    default: {
      auto placed = v.set(key, nullptr);
      ASSERT_TRUE(placed.has_value());
      set(*placed, made);
      (*o)[key] = made;
      break;
    }
    }
  }
}

TEST(document_model, random_operations_leave_what_they_say) {
  const char* const asked = std::getenv("INGOT_DOCUMENT_OPERATIONS");
  const std::size_t count = asked != nullptr ? std::strtoul(asked, nullptr, 10) : sampled() ? 5'000 : 100'000;
  dice random(7);
  for (std::size_t done = 0; done < count && !HasFailure();) {
    ingot::document doc;
    model root{model::object{}};
    doc = std::map<std::string, int>{};
    for (std::size_t i = 0; i < 2'000 && done < count && !HasFailure(); ++i, ++done) {
      SCOPED_TRACE(done);
      step(doc, root, random);
      if (i % 100 == 99) {
        expect_same(doc.root(), root);
        switch (random() % 4) {
        case 0: doc.compact(); break;
        case 1: doc = std::move(*ingot::document::open(doc.bytes())); break;
        case 2: expect_whole(doc); break;
        default: break;
        }
      }
      if (doc.bytes().size() > 200'000) break;
    }
    expect_same(doc.root(), root);
    expect_whole(doc);
    static_cast<void>(doc.root().clear());
    EXPECT_EQ(doc.stats().used - doc.stats().holes, 16U) << "everything was given back";
  }
}

TEST(document_model, one_object_of_many_keys) {
  dice random(3);
  ingot::document doc(ingot::ceiling{std::size_t{1} << 24});
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
