// SPDX-License-Identifier: Apache-2.0
// All operations of text in a block, run on it and on a std::basic_string with the same characters.
// Both give the same results and become the same, or the block is full and the text is unchanged.
// Searches look for text that is there, and for text that is not. Arguments of changes are parts of
// the text itself.
#pragma once

#include <ingot/core/detail/config.hpp>

#include "live/effort.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#if INGOT_EXCEPTIONS
#include <stdexcept>
#endif

#include <gtest/gtest.h>

namespace live_test {

template <class C>
class text_oracle {
  using character = typename C::value_type;
  using view = typename C::view_type;
  using model_type = std::basic_string<character>;
  static constexpr std::size_t npos = view::npos;

public:
  text_oracle(C& text, effort& e) : text_(text), e_(e) {}

  /// All operations that only read.
  void read() const {
    const model_type model(text_.view());
    const std::size_t size = model.size();
    const model_type absent = absent_in(model);
    // Parts of the text itself, except for the last two.
    const std::array<std::pair<std::size_t, std::size_t>, 5> parts{
        {{0, 0}, {0, 3}, {size / 2, 5}, {size - size / 3, npos}, {0, 12}}};
    const std::array<std::size_t, 6> positions{0, 1, size / 2, size, size + 1, npos};
    for (const std::size_t at : positions) {
      for (const auto& [from, count] : parts)
        search(model, text_.view().substr(from, count), model_type(model, from, count), at);
      search(model, view(absent), absent, at);
      search(model, view(absent).substr(0, 1), absent.substr(0, 1), at);
      alike(model, [&](const auto& s) { return s.find(absent[0], at); });
      alike(model, [&](const auto& s) { return s.rfind(absent[0], at); });
      if (size != 0) alike(model, [&](const auto& s) { return s.find(s[s.size() / 2], at); });
      if (size != 0) alike(model, [&](const auto& s) { return s.rfind(s.back(), at); });
    }
    if (text_.find(absent) != npos || text_.contains(absent) || text_.rfind(absent) != npos)
      ADD_FAILURE() << "what is not there is found";
    for (const auto& [from, count] : parts) {
      alike(model, [&](const auto& s) { return s.substr(from, count) == model.substr(from, count); });
      alike(model, [&](const auto& s) { return sign(s.compare(from, count, absent)); });
      alike(model, [&](const auto& s) { return sign(s.compare(from, count, s)); });
      alike(model, [&](const auto& s) { return sign(s.compare(from, count, view(s), s.size() / 2, 7)); });
      alike(model, [&](const auto& s) { return s.starts_with(view(s).substr(from, count)); });
      alike(model, [&](const auto& s) { return s.ends_with(view(s).substr(from, count)); });
    }
    alike(model, [&](const auto& s) { return sign(s.compare(absent)); });
    alike(model, [&](const auto& s) { return s < absent; });
    alike(model, [&](const auto& s) { return s == absent; });
    alike(model, [&](const auto& s) { return s + absent == model + absent && absent + s == absent + model; });
    std::array<character, 16> copied{};
    if (text_.copy(copied.data(), copied.size(), size / 2) != std::min(copied.size(), size - size / 2) ||
        !model.substr(size / 2).starts_with(view(copied.data(), std::min(copied.size(), size - size / 2))))
      ADD_FAILURE() << "what is copied out is something else";
    if (!(text_ == model) || !(text_ == text_) || text_ < model || (text_ <=> view(model)) != 0)
      ADD_FAILURE() << "a text is not what is in it";
    reject_positions();
  }

  /// All operations that change the text. Arguments are often parts of the text itself.
  void change() {
    constexpr character x{'x'};
    const auto position = [](const auto& s, std::size_t part) { return s.size() - s.size() / part; };
    const auto part = [](const auto& s, std::size_t of) { return view(s).substr(s.size() / of, 9); };
    both([&](auto& s) { s.insert(s.size() / 2, view(s)); }); // the whole text into its middle
    both([&](auto& s) { s.replace(s.size() / 4, s.size() / 2, part(s, 3)); });
    both([&](auto& s) { s.append(part(s, 2)); });
    both([&](auto& s) { s += part(s, 4); });
    both([&](auto& s) { s.insert(0, part(s, 2)); });
    both([&](auto& s) { s.insert(position(s, 3), view(s), s.size() / 5, 6); });
    both([&](auto& s) { s.insert(s.begin() + at(s, 2), s.begin(), s.begin() + at(s, 3)); });
    both([&](auto& s) { s.insert(s.begin() + at(s, 2), x); });
    both([&](auto& s) { s.insert(s.begin() + at(s, 4), 3, s.empty() ? x : s.back()); });
    both([&](auto& s) { s.insert(s.end(), {x, character{'y'}}); });
    both([&](auto& s) { s.replace(0, 2, view(s)); });
    both([&](auto& s) { s.replace(s.size(), 5, part(s, 5)); });
    both([&](auto& s) { s.replace(s.size() / 3, npos, part(s, 6)); });
    both([&](auto& s) { s.replace(s.size() / 3, 4, 7, x); });
    both([&](auto& s) { s.replace(s.size() / 3, 7, 2, s.empty() ? x : s.front()); });
    both([&](auto& s) { s.replace(s.begin() + at(s, 3), s.begin() + at(s, 2), part(s, 7)); });
    both([&](auto& s) {
      s.replace(s.begin() + at(s, 3), s.begin() + at(s, 2), s.begin(), s.begin() + at(s, 2));
    });
    both([&](auto& s) { s.append(3, s.empty() ? x : s.front()); });
    both([&](auto& s) { s.append(s.begin(), s.begin() + at(s, 2)); });
    both([&](auto& s) { s.push_back(s.empty() ? x : s.front()); });
    both([&](auto& s) { s.erase(s.size() / 2, 2); });
    both([&](auto& s) { s.erase(s.begin() + at(s, 3), s.begin() + at(s, 2)); });
    both([&](auto& s) {
      if (!s.empty()) s.erase(s.begin() + at(s, 2) - (s.size() < 2 ? 0 : 1));
    });
    both([&](auto& s) { erase(s, x); });
    both([&](auto& s) { erase_if(s, [](character c) { return c == character{'y'}; }); });
    both([&](auto& s) { s.assign(part(s, 5)); });
    both([&](auto& s) { s.assign(view(s), s.size() / 2); });
    both([&](auto& s) { s.assign(13, s.empty() ? x : s.back()); });
    both([&](auto& s) { s.assign(s.begin() + at(s, 3), s.end()); });
    both([&](auto& s) { s.resize(s.size() + 20, x); });
    both([&](auto& s) { s.resize(s.size() / 2); });
    both([&](auto& s) { s = part(s, 2); });
    reject_positions();
  }

private:
  /// Returns the distance of an iterator to the position at one `of`th of the size.
  template <class Text>
  [[nodiscard]] static std::ptrdiff_t at(const Text& s, std::size_t of) {
    return static_cast<std::ptrdiff_t>(s.size() / of);
  }
  [[nodiscard]] static int sign(int compared) { return (compared > 0) - (compared < 0); }
  /// Returns a text whose first character `text` does not have. A short text of bytes has such a
  /// character. If it has all of them, the result is longer than `text`.
  [[nodiscard]] static model_type absent_in(const model_type& text) {
    for (unsigned c = 1; c < 128; ++c) {
      if (text.find(static_cast<character>(c)) == npos) return {static_cast<character>(c), character{'?'}};
    }
    return text + character{'?'};
  }

  template <class Ask>
  void alike(const model_type& model, Ask ask) const {
    if (!(ask(std::as_const(text_)) == ask(model)))
      ADD_FAILURE() << "a text answers otherwise than std::string does";
  }
  /// Compares all searches. `here` may be a part of the text. `there` has the same characters in
  /// other memory.
  void search(const model_type& model, view here, const model_type& there, std::size_t from) const {
    const C& s = text_;
    const bool same =
        s.find(here, from) == model.find(there, from) && s.rfind(here, from) == model.rfind(there, from) &&
        s.find_first_of(here, from) == model.find_first_of(there, from) &&
        s.find_last_of(here, from) == model.find_last_of(there, from) &&
        s.find_first_not_of(here, from) == model.find_first_not_of(there, from) &&
        s.find_last_not_of(here, from) == model.find_last_not_of(there, from) &&
        s.find(here.data(), from, here.size()) == model.find(there.data(), from, there.size()) &&
        s.starts_with(here) == model.starts_with(there) && s.ends_with(here) == model.ends_with(there);
    if (!same) ADD_FAILURE() << "a text finds otherwise than std::string does";
  }
  /// Runs the operation on the text and on its model.
  template <class F>
  void both(F f) {
    model_type model(text_.view());
    bool done = false;
    attempt(e_, [&] {
      f(text_);
      done = true;
    });
    if (done) f(model);
    if (!(text_ == model))
      ADD_FAILURE() << (done ? "a text becomes something else than std::string does"
                             : "a text is not as it was");
    if (text_.c_str()[model.size()] != character{}) ADD_FAILURE() << "no zero after a text";
    e_.seen += text_.size();
  }
  /// Positions after the end are rejected, and nothing is changed.
  void reject_positions() const {
#if INGOT_EXCEPTIONS
    const model_type before(text_.view());
    const std::size_t past_end = before.size() + 1;
    EXPECT_THROW(static_cast<void>(text_.substr(past_end)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(text_.at(past_end - 1)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(text_.compare(past_end, 1, view())), std::out_of_range);
    EXPECT_THROW(text_.insert(past_end, view()), std::out_of_range);
    EXPECT_THROW(text_.replace(past_end, 0, view()), std::out_of_range);
    EXPECT_THROW(text_.erase(past_end), std::out_of_range);
    EXPECT_EQ(text_.try_replace(past_end, 0, view()), false);
    if (!(text_ == before)) ADD_FAILURE() << "a position after the end changes a text";
#endif
  }

  C& text_;
  effort& e_;
};

} // namespace live_test
