// SPDX-License-Identifier: Apache-2.0
// Types of the zoo in every representation, for tests/abi/values.cpp. Each representation is a file
// with the samples of all types, one after the other, with their lengths.
//
// tests/abi/run.py compiles this file once for each requested group of types: INGOT_ABI_GROUP.
#include <ingot/core/endian.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/read.hpp>
#include <ingot/protobuf/write.hpp>

#include "values.hpp"
#if INGOT_ABI_JSON
#include <ingot/json/json.hpp>
#endif

#include "zoo/zoo.hpp"

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#ifndef INGOT_ABI_GROUP
#define INGOT_ABI_GROUP sample
#endif
#define INGOT_ABI_TEXT_OF(name) #name
#define INGOT_ABI_TEXT(name) INGOT_ABI_TEXT_OF(name)

namespace zoo {

/// `mixture` without its text of two-byte characters, which documents can't represent.
struct document_mixture {
  bool flag;
  mood feeling;
  std::optional<std::uint16_t> maybe;
  std::variant<std::uint8_t, std::string> either;
  std::expected<full_name, mood> outcome;
  std::unique_ptr<point> pointer;
  std::map<std::string, std::vector<point>> table;
  std::unordered_map<std::uint32_t, std::string> hashed;
  std::set<grid_cell> cells;
  std::bitset<12> bits;
  std::chrono::sys_time<std::chrono::milliseconds> when;
  std::chrono::duration<std::int64_t, std::micro> took;
  std::complex<float> impedance;
  std::filesystem::path file;
  std::pair<std::string, std::uint8_t> pair;
  std::tuple<std::uint32_t, std::vector<bool>> tuple;
};
ZOO_MEMBERS(document_mixture, flag, feeling, maybe, either, outcome, pointer, table, hashed, cells, bits,
            when, took, impedance, file, pair, tuple)

} // namespace zoo

namespace abi { namespace {

constexpr std::string_view group = INGOT_ABI_TEXT(INGOT_ABI_GROUP);
static_assert(group == "sample" || group == "scalars");
constexpr std::uint64_t seeds = 3; ///< values of each type
/// The length that is written for a value that a representation does not support.
constexpr std::uint32_t rejected = ~std::uint32_t{0};

/// `in_documents`: the type can be written to documents; `in_messages`: to messages. Each exception
/// has a twin without it.
template <class T>
constexpr bool in_documents = !std::is_same_v<T, zoo::mixture>;
template <class T>
constexpr bool in_messages = !std::is_same_v<T, zoo::document_mixture>;

template <class T>
ingot::result<T> value_of(const ingot::result<ingot::document>& from) {
  if (!from) return ingot::fail(from.error());
  return from->root().template as<T>();
}

/// Calls `f(file, write, read)` for each representation: `write` takes a value, `read` its bytes.
template <class T, class F>
void for_each_form(F&& f) {
  using ingot::bytes_view;
  if constexpr (in_messages<T>) {
    f(
        "pack", [](const T& from) { return ingot::pack(from); },
        [](bytes_view from) { return ingot::unpack<T>(from); });
    f(
        "compact", [](const T& from) { return ingot::compact::pack(from); },
        [](bytes_view from) { return ingot::compact::unpack<T>(from); });
    f(
        "typed", [](const T& from) { return ingot::pack_typed(from); },
        [](bytes_view from) { return ingot::unpack_typed<T>(from); });
    f(
        "protobuf", [](const T& from) { return ingot::protobuf::write(from); },
        [](bytes_view from) { return ingot::protobuf::read<T>(from); });
#if INGOT_ABI_JSON
    constexpr auto strings = ingot::json::non_finite::strings;
    f(
        "json", [](const T& from) { return ingot::json::write(from, {.non_finite = strings}); },
        [](bytes_view from) {
          return ingot::json::read<T>({reinterpret_cast<const char*>(from.data()), from.size()},
                                      {.non_finite = strings});
        });
#endif
  }
  if constexpr (in_documents<T>) {
    f(
        "archive", [](const T& from) { return ingot::archive(ingot::document(from)); },
        [](bytes_view from) { return value_of<T>(ingot::unarchive(from)); });
    f(
        "msgpack", [](const T& from) { return ingot::msgpack::write(ingot::document(from)); },
        [](bytes_view from) { return value_of<T>(ingot::msgpack::read_document(from)); });
    f(
        "cbor", [](const T& from) { return ingot::cbor::write(ingot::document(from)); },
        [](bytes_view from) { return value_of<T>(ingot::cbor::read_document(from)); });
  }
}

/// The bytes of documents differ between platforms, since documents have unordered containers in
/// the order of the standard library.
std::string file_of(std::string_view form) {
  const bool is_same = form == "pack" || form == "compact" || form == "typed" || form == "protobuf";
  return (is_same ? "same.zoo." : "zoo.") + std::string(group) + '.' + std::string(form);
}

struct writer {
  template <class T>
  void operator()(std::string_view name) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const T value = zoo::sample<T>(seed);
      for_each_form<T>([&](std::string_view form, const auto& write, const auto&) {
        const auto outcome = write(value);
        // Protobuf's enumerations have 32 bits.
        if (!outcome && (form != "protobuf" || outcome.error().code() != ingot::errc::out_of_range))
          return fail(std::string(form) + ", " + std::string(name), outcome.error().message());
        const auto content = outcome ? ingot::as_bytes_view(*outcome) : ingot::bytes_view();
        std::array<std::byte, 4> length{};
        ingot::store_le(length.data(), outcome ? static_cast<std::uint32_t>(content.size()) : rejected);
        bytes& to = files[std::string(form)];
        to.insert(to.end(), length.begin(), length.end());
        to.insert(to.end(), content.begin(), content.end());
      });
    }
  }
  std::map<std::string, bytes> files;
};

struct reader {
  struct input {
    bytes content;
    std::size_t next = 0;
  };

  template <class T>
  void operator()(std::string_view name) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const T value = zoo::sample<T>(seed);
      for_each_form<T>([&](std::string_view form, const auto&, const auto& read) {
        const std::string where = std::string(form) + ", " + std::string(name);
        const auto [at, is_new] = files.try_emplace(std::string(form));
        input& from = at->second;
        if (is_new) from.content = load(file_of(form));
        if (from.content.empty() && form == "json") return; // by a build without JSON
        const std::size_t left = from.content.size() - from.next;
        if (left < 4) return fail(where, "missing");
        const auto length = ingot::load_le<std::uint32_t>(from.content.data() + from.next);
        from.next += 4;
        if (length == rejected) return;
        if (length > left - 4) return fail(where, "cut short");
        const auto outcome = read(ingot::bytes_view(from.content).subspan(from.next, length));
        from.next += length;
        if (!outcome) fail(where, outcome.error().message());
        else if (!zoo::equal(*outcome, value)) fail(where, "another value");
      });
    }
  }
  std::map<std::string, input> files;
};

template <class F>
void for_each(F& f) {
  if constexpr (group == "scalars") zoo::for_each_scalar(f);
  else if constexpr (group == "sample") {
    f.template operator()<zoo::mood>("enum_negative");
    f.template operator()<zoo::permission>("enum_open");
    f.template operator()<zoo::weather>("enum_annotated_flags");
    f.template operator()<std::bitset<77>>("bitset_77");
    f.template operator()<std::variant<std::monostate, std::uint64_t, bool>>("variant_monostate");
    f.template operator()<std::variant<std::monostate, zoo::full_name, zoo::grid_cell>>("variant_records");
    f.template operator()<std::expected<std::uint32_t, zoo::colour>>("expected_fixed");
    f.template operator()<std::multimap<std::int16_t, std::string>>("multimap");
    f.template operator()<std::unordered_map<zoo::grid_cell, float>>("unordered_map_record");
    f.template operator()<zoo::customer>("customer");
    f.template operator()<zoo::network>("network");
    f.template operator()<zoo::nested>("nested");
    f.template operator()<zoo::folder>("folder");
    f.template operator()<zoo::preferences>("preferences");
    f.template operator()<zoo::invoice>("invoice");
    f.template operator()<zoo::mixture>("mixture");
    f.template operator()<zoo::document_mixture>("document_mixture");
  }
}

const part here{[] {
                  writer all;
                  for_each(all);
                  for (const auto& [form, content] : all.files) save(file_of(form), content);
                },
                [] {
                  reader all;
                  for_each(all);
                }};

}} // namespace abi
