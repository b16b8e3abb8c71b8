// SPDX-License-Identifier: Apache-2.0
// Functions of text that need only access to characters and replacement of a part: most of
// std::basic_string.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/rotate.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/detail/out_of_range.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// `Self` is the public text class; it has `data`, `size`, `resize`, `reserve`, `self_or_throw` and
/// `try_put`. Complexity, invalidation and errors are those of std::basic_string. If memory runs
/// out, functions throw `out_of_space` and leave the text unchanged. Text arguments may be a part
/// of this text.
template <class Self, class Char>
class INGOT_DEBUG_TYPE text_interface {
public:
  using traits_type = std::char_traits<Char>;
  using value_type = Char;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Char&;
  using const_reference = const Char&;
  using pointer = Char*;
  using const_pointer = const Char*;
  using iterator = element_iterator<Char>;
  using const_iterator = element_iterator<const Char>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using view_type = std::basic_string_view<Char>;
  static constexpr size_type npos = view_type::npos;

  [[nodiscard]] size_type length() const noexcept { return self().size(); }
  [[nodiscard]] bool empty() const noexcept { return self().size() == 0; }
  [[nodiscard]] view_type view() const noexcept { return {self().data(), self().size()}; }
  // NOLINTNEXTLINE(google-explicit-constructor): as std::string
  operator view_type() const noexcept { return view(); }
  /// Returns the characters of the text. A zero follows them.
  [[nodiscard]] const Char* c_str() const noexcept { return self().data(); }

  [[nodiscard]] iterator begin() noexcept { return INGOT_ITERATOR(iterator, self().data()); }
  [[nodiscard]] iterator end() noexcept { return INGOT_ITERATOR(iterator, self().data() + self().size()); }
  [[nodiscard]] const_iterator begin() const noexcept {
    return INGOT_ITERATOR(const_iterator, self().data());
  }
  [[nodiscard]] const_iterator end() const noexcept {
    return INGOT_ITERATOR(const_iterator, self().data() + self().size());
  }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const noexcept { return rend(); }

  /// Requires that `i` is at most `size()`, the position of the zero. docs/preconditions.md lists
  /// the checks.
  [[nodiscard]] INGOT_CHECKED Char& operator[](size_type i) noexcept {
    INGOT_REQUIRE(i <= self().size(), broken_index(name, i, self().size()));
    return self().data()[i];
  }
  [[nodiscard]] INGOT_CHECKED const Char& operator[](size_type i) const noexcept {
    INGOT_REQUIRE(i <= self().size(), broken_index(name, i, self().size()));
    return self().data()[i];
  }
  /// Throws std::out_of_range if `i` is past the end; without exceptions, ends the program. The
  /// functions below do the same for a position past the end.
  [[nodiscard]] Char& at(size_type i) { return self().data()[checked_position(i, self().size() - 1)]; }
  [[nodiscard]] const Char& at(size_type i) const {
    return self().data()[checked_position(i, self().size() - 1)];
  }
  [[nodiscard]] INGOT_CHECKED Char& front() noexcept {
    require_characters("front()");
    return self().data()[0];
  }
  [[nodiscard]] INGOT_CHECKED const Char& front() const noexcept {
    require_characters("front()");
    return self().data()[0];
  }
  [[nodiscard]] INGOT_CHECKED Char& back() noexcept {
    require_characters("back()");
    return self().data()[self().size() - 1];
  }
  [[nodiscard]] INGOT_CHECKED const Char& back() const noexcept {
    require_characters("back()");
    return self().data()[self().size() - 1];
  }

  Self& assign(view_type text) { return put(0, self().size(), text); }
  Self& assign(const Char* text, size_type count) { return assign(view_type(text, count)); }
  Self& assign(view_type text, size_type from, size_type count = npos) {
    return assign(text.substr(from, count));
  }
  Self& assign(size_type count, Char c) {
    self().reserve(count); // exactly `count`, because assigned text seldom grows
    return replace(0, self().size(), count, c);
  }
  Self& assign(std::initializer_list<Char> text) { return assign(view_of(text)); }
  template <std::input_iterator I>
  Self& assign(I first, I last) {
    return with_range(first, last, [this](view_type text) -> Self& { return assign(text); });
  }

  Self& append(view_type text) { return put(self().size(), 0, text); }
  Self& append(const Char* text, size_type count) { return append(view_type(text, count)); }
  Self& append(view_type text, size_type from, size_type count = npos) {
    return append(text.substr(from, count));
  }
  Self& append(size_type count, Char c) {
    if (count > Self::max_size() - self().size()) return self().self_or_throw(false);
    self().resize(self().size() + count, c);
    return self();
  }
  Self& append(std::initializer_list<Char> text) { return append(view_of(text)); }
  template <std::input_iterator I>
  Self& append(I first, I last) {
    return with_range(first, last, [this](view_type text) -> Self& { return append(text); });
  }
  Self& operator+=(view_type text) { return append(text); }
  Self& operator+=(Char c) { return append(view_type(&c, 1)); }
  Self& operator+=(std::initializer_list<Char> text) { return append(view_of(text)); }
  void push_back(Char c) { append(view_type(&c, 1)); }

  // An iterator may be a pointer, and the number 0 converts to a pointer. So functions that take
  // iterators are templates, which accept no numbers.
  Self& insert(size_type at, view_type text) { return put(checked_position(at, self().size()), 0, text); }
  Self& insert(size_type at, const Char* text, size_type count) { return insert(at, view_type(text, count)); }
  Self& insert(size_type at, view_type text, size_type from, size_type count = npos) {
    return insert(at, text.substr(from, count));
  }
  Self& insert(size_type at, size_type count, Char c) { return replace(at, 0, count, c); }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED iterator insert(I at, Char c) {
    return insert(at, size_type{1}, c);
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED iterator insert(I at, size_type count, Char c) {
    const size_type index = index_of(at, "insert()");
    insert(index, count, c);
    return INGOT_ITERATOR(iterator, self().data() + index);
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED iterator insert(I at, std::initializer_list<Char> text) {
    return insert(at, text.begin(), text.end());
  }
  template <std::convertible_to<const_iterator> I, std::input_iterator From>
    requires text_position<I>
  INGOT_CHECKED iterator insert(I at, From first, From last) {
    const size_type index = index_of(at, "insert()");
    with_range(first, last, [&](view_type text) -> Self& { return insert(index, text); });
    return INGOT_ITERATOR(iterator, self().data() + index);
  }

  Self& replace(size_type from, size_type count, view_type text) {
    const size_type rest = self().size() - checked_position(from, self().size());
    return put(from, std::min(count, rest), text);
  }
  Self& replace(size_type from, size_type count, const Char* text, size_type length) {
    return replace(from, count, view_type(text, length));
  }
  Self& replace(size_type from, size_type count, view_type text, size_type text_from,
                size_type length = npos) {
    return replace(from, count, text.substr(text_from, length));
  }
  Self& replace(size_type from, size_type count, size_type copies, Char c) {
    const size_type old_size = self().size();
    const size_type gone = std::min(count, old_size - checked_position(from, old_size));
    if (copies > gone) {
      append(copies - gone, c);
      Char* const to = self().data() + from + gone;
      detail::rotate_values(to, self().data() + old_size, self().data() + self().size());
    } else {
      erase(from + copies, gone - copies);
    }
    std::fill_n(self().data() + from, copies, c);
    if (copies != gone) self().note_changes(from, old_size);
    return self();
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED Self& replace(I first, I last, view_type text) {
    require_range(first, last, "replace()");
    return replace(index_of(first, "replace()"), static_cast<size_type>(last - first), text);
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED Self& replace(I first, I last, const Char* text, size_type length) {
    return replace(first, last, view_type(text, length));
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED Self& replace(I first, I last, size_type copies, Char c) {
    require_range(first, last, "replace()");
    return replace(index_of(first, "replace()"), static_cast<size_type>(last - first), copies, c);
  }
  template <std::convertible_to<const_iterator> I, std::input_iterator From>
    requires text_position<I>
  INGOT_CHECKED Self& replace(I first, I last, From text_first, From text_last) {
    return with_range(text_first, text_last,
                      [&](view_type text) -> Self& { return replace(first, last, text); });
  }

  Self& erase(size_type from = 0, size_type count = npos) {
    const size_type gone = std::min(count, self().size() - checked_position(from, self().size()));
    Char* const to = self().data() + from;
    std::move(to + gone, self().data() + self().size(), to);
    const size_type old_size = self().size();
    self().resize(old_size - gone);
    if (gone != 0) self().note_changes(from, old_size);
    return self();
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED iterator erase(I at) {
    INGOT_REQUIRE_FRESH(const_iterator(at));
    INGOT_REQUIRE(position_of(at) < self().size(),
                  broken_position(name, "erase()", position_of(at), self().size()));
    const size_type index = index_of(at, "erase()");
    erase(index, 1);
    return INGOT_ITERATOR(iterator, self().data() + index);
  }
  template <std::convertible_to<const_iterator> I>
    requires text_position<I>
  INGOT_CHECKED iterator erase(I first, I last) {
    require_range(first, last, "erase()");
    const size_type index = index_of(first, "erase()");
    erase(index, static_cast<size_type>(last - first));
    return INGOT_ITERATOR(iterator, self().data() + index);
  }
  /// Removes the characters for which `remove` is true; returns their number. `erase(text, c)`
  /// removes all characters that equal `c`.
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(Self& from, Predicate remove) {
    const size_type old_size = from.size();
    Char* const first = from.data();
    size_type retained = 0;
    for (size_type i = 0; i < old_size; ++i) {
      if (remove(first[i])) continue;
      if (retained != i) first[retained] = first[i];
      ++retained;
    }
    from.resize(retained);
    if (retained != old_size) static_cast<const text_interface&>(from).note_all(old_size);
    return old_size - retained;
  }
  template <class C>
  INGOT_NOTED friend size_type erase(Self& from, const C& c) {
    return erase_if(from, [&](Char each) { return each == c; });
  }
  /// Calls `write(data, count)`, which writes up to `count` characters from `data` on and returns
  /// their number. The text then consists of these characters.
  template <class Write>
  INGOT_CHECKED void resize_and_overwrite(size_type count, Write write) {
    self().resize(count);
    const auto written = static_cast<size_type>(std::move(write)(self().data(), count));
    INGOT_REQUIRE(written <= count, broken_index(name, written, count));
    self().resize(written);
  }

  // The following functions only read. They take the same arguments as the functions of
  // std::basic_string_view, and also other types that convert to a view.

  [[nodiscard]] view_type substr(size_type from = 0, size_type count = npos) const {
    return view().substr(checked_position(from, self().size()), count);
  }
  size_type copy(Char* to, size_type count, size_type from = 0) const {
    return substr(from, count).copy(to, count);
  }
  template <class Text>
  [[nodiscard]] bool starts_with(const Text& text) const noexcept {
    return view().starts_with(text);
  }
  template <class Text>
  [[nodiscard]] bool ends_with(const Text& text) const noexcept {
    return view().ends_with(text);
  }
  template <class Text>
  [[nodiscard]] bool contains(const Text& text) const noexcept {
    return view().find(text) != npos;
  }
  template <class What>
  [[nodiscard]] size_type find(const What& what, size_type from = 0) const noexcept {
    return view().find(what, from);
  }
  [[nodiscard]] size_type find(const Char* what, size_type from, size_type count) const noexcept {
    return view().find(what, from, count);
  }
  template <class What>
  [[nodiscard]] size_type rfind(const What& what, size_type from = npos) const noexcept {
    return view().rfind(what, from);
  }
  [[nodiscard]] size_type rfind(const Char* what, size_type from, size_type count) const noexcept {
    return view().rfind(what, from, count);
  }
  template <class What>
  [[nodiscard]] size_type find_first_of(const What& what, size_type from = 0) const noexcept {
    return view().find_first_of(what, from);
  }
  [[nodiscard]] size_type find_first_of(const Char* what, size_type from, size_type count) const noexcept {
    return view().find_first_of(what, from, count);
  }
  template <class What>
  [[nodiscard]] size_type find_last_of(const What& what, size_type from = npos) const noexcept {
    return view().find_last_of(what, from);
  }
  [[nodiscard]] size_type find_last_of(const Char* what, size_type from, size_type count) const noexcept {
    return view().find_last_of(what, from, count);
  }
  template <class What>
  [[nodiscard]] size_type find_first_not_of(const What& what, size_type from = 0) const noexcept {
    return view().find_first_not_of(what, from);
  }
  [[nodiscard]] size_type find_first_not_of(const Char* what, size_type from,
                                            size_type count) const noexcept {
    return view().find_first_not_of(what, from, count);
  }
  template <class What>
  [[nodiscard]] size_type find_last_not_of(const What& what, size_type from = npos) const noexcept {
    return view().find_last_not_of(what, from);
  }
  [[nodiscard]] size_type find_last_not_of(const Char* what, size_type from, size_type count) const noexcept {
    return view().find_last_not_of(what, from, count);
  }
  [[nodiscard]] int compare(view_type text) const noexcept { return view().compare(text); }
  [[nodiscard]] int compare(size_type from, size_type count, view_type text) const {
    return substr(from, count).compare(text);
  }
  [[nodiscard]] int compare(size_type from, size_type count, const Char* text, size_type length) const {
    return compare(from, count, view_type(text, length));
  }
  [[nodiscard]] int compare(size_type from, size_type count, view_type text, size_type text_from,
                            size_type length = npos) const {
    return compare(from, count, text.substr(text_from, length));
  }

  friend bool operator==(const Self& a, const Self& b) noexcept { return a.view() == b.view(); }
  template <std::convertible_to<view_type> Text>
    requires(!std::same_as<Text, Self>)
  friend bool operator==(const Self& a, const Text& b) noexcept {
    return a.view() == view_type(b);
  }
  friend auto operator<=>(const Self& a, const Self& b) noexcept { return a.view() <=> b.view(); }
  template <std::convertible_to<view_type> Text>
    requires(!std::same_as<Text, Self>)
  friend auto operator<=>(const Self& a, const Text& b) noexcept {
    return a.view() <=> view_type(b);
  }
  /// Concatenation returns a string of the standard library, which is in no block.
  friend std::basic_string<Char> operator+(const Self& a, const Self& b) { return joined(a, b); }
  template <std::convertible_to<view_type> Text>
    requires(!std::same_as<Text, Self>)
  friend std::basic_string<Char> operator+(const Self& a, const Text& b) {
    return joined(a, b);
  }
  template <std::convertible_to<view_type> Text>
    requires(!std::same_as<Text, Self>)
  friend std::basic_string<Char> operator+(const Text& a, const Self& b) {
    return joined(a, b);
  }
  // These operators take strings by value. So overload resolution prefers them to the operators of
  // C++26 that take a string and a view.
  friend std::basic_string<Char> operator+(const Self& a, std::basic_string<Char> b) {
    return std::move(b.insert(0, a.view()));
  }
  friend std::basic_string<Char> operator+(std::basic_string<Char> a, const Self& b) {
    return std::move(a.append(b.view()));
  }
  friend std::basic_string<Char> operator+(const Self& a, Char b) { return joined(a, view_type(&b, 1)); }
  friend std::basic_string<Char> operator+(Char a, const Self& b) { return joined(view_type(&a, 1), b); }
  template <class Stream>
    requires requires(Stream& stream, view_type text) { stream << text; }
  friend Stream& operator<<(Stream& stream, const Self& text) {
    stream << text.view();
    return stream;
  }

  // Only the derived text is copied and assigned.
  text_interface(const text_interface&) = delete;
  text_interface& operator=(const text_interface&) = delete;

private:
  friend Self;
  text_interface() noexcept = default;
  ~text_interface() = default;

  [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }
  [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
  Self& put(size_type from, size_type count, view_type text) {
    return self().self_or_throw(self().try_put(from, count, text));
  }
  /// Returns `position`. Throws if it is above `last`, the last valid position. If none is valid,
  /// `last` is `npos`, and the function always throws.
  [[nodiscard]] static size_type checked_position(size_type position, size_type last) {
    if (position > last || last == npos) [[unlikely]]
      throw_past_the_end();
    return position;
  }
  static constexpr const char* name = "ingot::string";
  INGOT_HAS_ITERATORS(name, self().data(), self().size());
  void note_all(size_type old_size) const noexcept { self().note_changes(0, old_size); }

  INGOT_CHECKED void require_characters([[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE(!empty(), broken_empty(name, call));
  }
  /// Computed from integers, because the iterator may be of another text.
  [[nodiscard]] size_type position_of(const_iterator at) const noexcept {
    const auto bytes =
        reinterpret_cast<std::uintptr_t>(INGOT_ADDRESS(at)) - reinterpret_cast<std::uintptr_t>(self().data());
    return bytes % sizeof(Char) == 0 ? bytes / sizeof(Char) : npos;
  }
  [[nodiscard]] INGOT_CHECKED size_type index_of(const_iterator at,
                                                 [[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE_FRESH(at);
    INGOT_REQUIRE(position_of(at) <= self().size(),
                  broken_position(name, call, position_of(at), self().size()));
    return static_cast<size_type>(INGOT_ADDRESS(at) - self().data());
  }
  INGOT_CHECKED void require_range([[maybe_unused]] const_iterator first,
                                   [[maybe_unused]] const_iterator last,
                                   [[maybe_unused]] const char* call) const noexcept {
    INGOT_REQUIRE_FRESH(first);
    INGOT_REQUIRE_FRESH(last);
    INGOT_REQUIRE(position_of(last) <= self().size() && position_of(first) <= position_of(last),
                  broken_range(name, call, position_of(first), position_of(last), self().size()));
  }
  [[nodiscard]] static view_type view_of(std::initializer_list<Char> text) noexcept {
    return {text.begin(), text.size()};
  }
  template <class I, class F>
  static Self& with_range(I first, I last, F f) {
    if constexpr (std::contiguous_iterator<I> && std::same_as<std::iter_value_t<I>, Char>)
      return f(view_type(std::to_address(first), static_cast<size_type>(last - first)));
    else return f(view_type(std::basic_string<Char>(first, last)));
  }
  [[nodiscard]] static std::basic_string<Char> joined(view_type a, view_type b) {
    std::basic_string<Char> joined;
    joined.reserve(a.size() + b.size());
    joined.append(a).append(b);
    return joined;
  }
};

}}} // namespace ingot::INGOT_V1::detail
