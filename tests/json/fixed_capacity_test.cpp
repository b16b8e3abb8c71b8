// SPDX-License-Identifier: Apache-2.0
// Containers of fixed capacity, like std::inplace_vector and boost::static_vector: more elements
// than the capacity are too_long in every representation. Adding them would throw or, without
// exceptions, end the program; the containers here always do that.
#include <ingot/document/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>
#include <ingot/schema/description.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fixed {

/// Like std::inplace_vector: capacity() is a constant of the class.
template <class T, std::size_t N>
class vector {
public:
  using value_type = T;
  using size_type = std::size_t;
  static constexpr size_type capacity() { return N; }
  static constexpr size_type max_size() { return N; }
  [[nodiscard]] T* begin() { return items_; }
  [[nodiscard]] T* end() { return items_ + size_; }
  [[nodiscard]] const T* begin() const { return items_; }
  [[nodiscard]] const T* end() const { return items_ + size_; }
  [[nodiscard]] T* data() { return items_; }
  [[nodiscard]] const T* data() const { return items_; }
  [[nodiscard]] T& back() { return items_[size_ - 1]; }
  [[nodiscard]] size_type size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  void clear() { resize(0); }
  void reserve(size_type n) {
    if (n > N) std::abort();
  }
  void resize(size_type n) {
    reserve(n);
    for (size_type i = size_; i < n; ++i) items_[i] = T{};
    size_ = n;
  }
  T& emplace_back() {
    resize(size_ + 1);
    return back();
  }
  void push_back(T value) { emplace_back() = std::move(value); }
  void erase(const T* from, const T*) { size_ = static_cast<size_type>(from - items_); }
  bool operator==(const vector& b) const { return std::equal(begin(), end(), b.begin(), b.end()); }

private:
  T items_[N]{};
  size_type size_ = 0;
};

/// Only the object has the capacity.
template <class T>
class limited_vector : vector<T, 9> {
public:
  using all = vector<T, 9>;
  using all::back;
  using all::begin;
  using all::clear;
  using all::data;
  using all::empty;
  using all::end;
  using all::erase;
  using all::size;
  using typename all::size_type;
  using typename all::value_type;
  limited_vector() = default;
  [[nodiscard]] std::size_t capacity() const { return max_; }
  [[nodiscard]] std::size_t max_size() const { return max_; }
  void reserve(std::size_t n) {
    if (n > max_) std::abort();
  }
  void resize(std::size_t n) {
    reserve(n);
    vector<T, 9>::resize(n);
  }
  T& emplace_back() {
    resize(size() + 1);
    return this->back();
  }
  void push_back(T value) { emplace_back() = std::move(value); }

private:
  std::size_t max_ = 4;
};

/// A text like boost::static_string.
template <std::size_t N>
class text {
public:
  using traits_type = std::char_traits<char>;
  using value_type = char;
  using size_type = std::size_t;
  static constexpr size_type static_capacity = N;
  text() = default;
  text(const char* from, size_type n) { assign(from, n); }
  [[nodiscard]] const char* data() const { return chars_; }
  [[nodiscard]] char* data() { return chars_; }
  [[nodiscard]] const char* begin() const { return chars_; }
  [[nodiscard]] const char* end() const { return chars_ + size_; }
  [[nodiscard]] size_type size() const { return size_; }
  [[nodiscard]] std::string substr() const { return {chars_, size_}; }
  char& operator[](size_type i) { return chars_[i]; }
  void clear() { size_ = 0; }
  void resize(size_type n) {
    if (n > N) std::abort();
    size_ = n;
  }
  void assign(const char* from, size_type n) {
    resize(n);
    std::copy(from, from + n, chars_);
  }
  bool operator==(const text& b) const { return substr() == b.substr(); }

private:
  char chars_[N]{};
  size_type size_ = 0;
};

/// Sets and maps of at most `N`.
template <class Standard, std::size_t N>
class tree : Standard {
public:
  using typename Standard::const_iterator;
  using typename Standard::iterator;
  using typename Standard::key_type;
  using typename Standard::size_type;
  using typename Standard::value_type;
  static constexpr size_type max_size() { return N; }
  using Standard::begin;
  using Standard::clear;
  using Standard::contains;
  using Standard::empty;
  using Standard::end;
  using Standard::find;
  using Standard::size;
  template <class... Args>
  auto emplace(Args&&... args) {
    if (size() == N) std::abort();
    return Standard::emplace(std::forward<Args>(args)...);
  }
  template <class... Args>
  auto emplace_hint(const_iterator at, Args&&... args) {
    if (size() == N) std::abort();
    return Standard::emplace_hint(at, std::forward<Args>(args)...);
  }
  auto insert(value_type&& value) { return emplace(std::move(value)); }
  bool operator==(const tree& b) const {
    return static_cast<const Standard&>(*this) == static_cast<const Standard&>(b);
  }

protected:
  [[nodiscard]] Standard& standard() { return *this; }
};
template <std::size_t N>
class set : public tree<std::set<std::int32_t>, N> {};
template <std::size_t N>
class map : public tree<std::map<std::string, std::int32_t>, N> {
public:
  using mapped_type = std::int32_t;
  auto try_emplace(typename map::const_iterator at, std::string&& key) {
    if (this->size() == N) std::abort();
    return this->standard().try_emplace(at, std::move(key));
  }
};

struct holder {
  vector<std::int32_t, 4> numbers;
  vector<std::string, 4> names;
  vector<std::byte, 4> bytes;
  limited_vector<std::int32_t> asked;
  text<4> code;
  set<4> keys;
  map<4> pairs;
};
/// The members of `holder` in containers that grow.
struct grown {
  std::vector<std::int32_t> numbers;
  std::vector<std::string> names;
  std::vector<std::byte> bytes;
  std::vector<std::int32_t> asked;
  std::string code;
  std::set<std::int32_t> keys;
  std::map<std::string, std::int32_t> pairs;
};

struct earlier {
  std::vector<std::int64_t> numbers;
};
struct later {
  vector<std::int64_t, 4> numbers;
  std::int32_t more = 7;
};

inline grown filled(std::size_t n) {
  grown filled_containers;
  const auto count = static_cast<std::int32_t>(n);
  for (std::int32_t i = 0; i < count; ++i) {
    filled_containers.numbers.push_back(i);
    filled_containers.names.push_back(std::to_string(i));
    filled_containers.bytes.push_back(std::byte{1});
    filled_containers.asked.push_back(i);
    filled_containers.code += 'x';
    filled_containers.keys.insert(i);
    filled_containers.pairs[std::to_string(i)] = i;
  }
  return filled_containers;
}

/// Calls `f` for each member, with six elements in this member and four in the others.
template <class F>
void with_each_too_long(F&& f) {
  const grown four = filled(4);
  const grown six = filled(6);
  const auto one = [&](auto member, const char* name) {
    grown filled_containers = four;
    filled_containers.*member = six.*member;
    SCOPED_TRACE(name);
    f(filled_containers, name);
  };
  one(&grown::numbers, "numbers");
  one(&grown::names, "names");
  one(&grown::bytes, "bytes");
  one(&grown::asked, "asked");
  one(&grown::code, "code");
  one(&grown::keys, "keys");
  one(&grown::pairs, "pairs");
}
template <class R>
void expect_too_long(const R& read, const char* name) {
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), ingot::errc::too_long);
  EXPECT_TRUE(std::string_view(read.error().path()).starts_with(name)) << read.error().path();
}

} // namespace fixed

template <>
inline constexpr auto ingot::annotations<fixed::earlier> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<fixed::later> = ingot::annotate(ingot::type(ingot::evolvable));

namespace {

TEST(fixed_capacity, packed_bytes) {
  const auto fits = ingot::unpack<fixed::holder>(ingot::pack(fixed::filled(4)).value());
  ASSERT_TRUE(fits) << fits.error().message();
  EXPECT_EQ(ingot::pack(*fits).value(), ingot::pack(fixed::filled(4)).value());
  fixed::with_each_too_long([](const fixed::grown& containers, const char* name) {
    fixed::expect_too_long(ingot::unpack<fixed::holder>(ingot::pack(containers).value()), name);
  });
}

TEST(fixed_capacity, compact_bytes) {
  const auto fits = ingot::compact::unpack<fixed::holder>(ingot::compact::pack(fixed::filled(4)).value());
  ASSERT_TRUE(fits) << fits.error().message();
  fixed::with_each_too_long([](const fixed::grown& containers, const char* name) {
    fixed::expect_too_long(ingot::compact::unpack<fixed::holder>(ingot::compact::pack(containers).value()),
                           name);
  });
}

TEST(fixed_capacity, json) {
  const auto fits = ingot::json::read<fixed::holder>(ingot::json::write(fixed::filled(4)).value());
  ASSERT_TRUE(fits) << fits.error().message();
  fixed::with_each_too_long([](const fixed::grown& containers, const char* name) {
    fixed::expect_too_long(ingot::json::read<fixed::holder>(ingot::json::write(containers).value()), name);
  });
}

TEST(fixed_capacity, documents) {
  const ingot::document d(fixed::filled(4));
  const auto fits = d.root().as<fixed::holder>();
  ASSERT_TRUE(fits) << fits.error().message();
  fixed::with_each_too_long([](const fixed::grown& containers, const char* name) {
    const ingot::document from(containers);
    fixed::expect_too_long(from.root().as<fixed::holder>(), name);
  });
}

TEST(fixed_capacity, protobuf) {
  const auto fits = ingot::protobuf::read<fixed::holder>(ingot::protobuf::write(fixed::filled(4)).value());
  ASSERT_TRUE(fits) << fits.error().message();
  fixed::with_each_too_long([](const fixed::grown& containers, const char* name) {
    fixed::expect_too_long(ingot::protobuf::read<fixed::holder>(ingot::protobuf::write(containers).value()),
                           name);
  });
}

TEST(fixed_capacity, other_versions_of_the_type) {
  fixed::earlier older_value;
  older_value.numbers = {1, 2, 3, 4};
  const auto description = ingot::schema_bytes<fixed::earlier>();
  const auto fits = ingot::unpack_evolved<fixed::later>(ingot::pack(older_value).value(), description);
  ASSERT_TRUE(fits) << fits.error().message();
  EXPECT_EQ(fits->numbers.size(), 4U);
  older_value.numbers = {1, 2, 3, 4, 5, 6};
  fixed::expect_too_long(ingot::unpack_evolved<fixed::later>(ingot::pack(older_value).value(), description),
                         "numbers");
}

} // namespace
