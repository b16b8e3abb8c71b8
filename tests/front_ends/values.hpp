// SPDX-License-Identifier: Apache-2.0
// A header of two files. One is compiled with -freflection, and only this file sees the enumerators
// `disk` and `net` and the limit of `percent`.
#pragma once

#include <ingot/reflect/annotations.hpp>

#include <cstdint>
#include <string>
#include <variant>

#if defined(__cpp_impl_reflection)
#define PERCENT [[= ingot::range(0, 100)]]
#else
#define PERCENT
#endif

enum class Fault { none = 0, disk = 10'000, net = 20'000 };

struct Report {
  Fault fault = Fault::none;
  PERCENT std::int32_t percent = 0;
};

enum class Fee : std::uint8_t { low, high };
template <class T>
struct Sized {
  T size{};
};
/// Both files give its alternatives the same tags.
using Choice = std::variant<long, Report, Fee, Sized<std::int8_t>, std::monostate, Sized<double>>;

/// The results of one file for the same bytes and texts.
struct Answers {
  std::string name_of_net;
  std::string tags;
  std::string text;
  bool packs_fault = false;
  bool unpacks_fault = false;
  bool unpacks_percent = false;
  bool reads_fault = false;
  bool reads_percent = false;
  bool saves_fault = false;
  bool saves_percent = false;
  bool loads = false;
};

Answers answers_with_reflection();
Answers answers_without();
