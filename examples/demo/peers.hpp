// SPDX-License-Identifier: Apache-2.0
// The same values through nlohmann::json and MessagePack. Both need code for every type; here
// ingot's reflection writes it, so that the formats are compared and not hand-written code.
#pragma once

#include <ingot/reflect/kind.hpp>

#include <string>
#include <type_traits>

#include <msgpack.hpp>
#include <nlohmann/json.hpp>

namespace demo {

template <class T>
nlohmann::json to_nlohmann(const T& value) {
  using ingot::kind;
  if constexpr (ingot::kind_of<T> == kind::record) {
    nlohmann::json object = nlohmann::json::object();
    ingot::for_each_member(value, [&](auto index, const auto& member) {
      using member_type = std::remove_cvref_t<decltype(member)>;
      if constexpr (ingot::kind_of<member_type> == kind::optional) {
        if (!member) return;
      }
      object[std::string(ingot::member_name<T, index>)] = to_nlohmann(member);
    });
    return object;
  } else if constexpr (ingot::kind_of<T> == kind::sequence) {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& element : value) array.push_back(to_nlohmann(element));
    return array;
  } else if constexpr (ingot::kind_of<T> == kind::map) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, mapped] : value) object[std::to_string(key)] = to_nlohmann(mapped);
    return object;
  } else if constexpr (ingot::kind_of<T> == kind::optional) {
    return to_nlohmann(*value);
  } else if constexpr (ingot::kind_of<T> == kind::enumeration) {
    return std::string(ingot::enum_name(value));
  } else {
    return value;
  }
}

template <class T>
void to_msgpack(msgpack::packer<msgpack::sbuffer>& out, const T& value) {
  using ingot::kind;
  if constexpr (ingot::kind_of<T> == kind::record) {
    out.pack_array(static_cast<std::uint32_t>(ingot::member_count<T>));
    ingot::for_each_member(value, [&](auto, const auto& member) { to_msgpack(out, member); });
  } else if constexpr (ingot::kind_of<T> == kind::sequence) {
    out.pack_array(static_cast<std::uint32_t>(value.size()));
    for (const auto& element : value) to_msgpack(out, element);
  } else if constexpr (ingot::kind_of<T> == kind::map) {
    out.pack_map(static_cast<std::uint32_t>(value.size()));
    for (const auto& [key, mapped] : value) {
      out.pack(key);
      to_msgpack(out, mapped);
    }
  } else if constexpr (ingot::kind_of<T> == kind::optional) {
    if (value) to_msgpack(out, *value);
    else out.pack_nil();
  } else if constexpr (ingot::kind_of<T> == kind::enumeration) {
    out.pack(static_cast<unsigned>(value));
  } else {
    out.pack(value);
  }
}

template <class T>
void from_msgpack(const msgpack::object& from, T& value) {
  using ingot::kind;
  if constexpr (ingot::kind_of<T> == kind::record) {
    ingot::for_each_member(
        value, [&](auto index, auto& member) { from_msgpack(from.via.array.ptr[index], member); });
  } else if constexpr (ingot::kind_of<T> == kind::sequence) {
    value.resize(from.via.array.size);
    for (std::uint32_t i = 0; i < from.via.array.size; ++i) from_msgpack(from.via.array.ptr[i], value[i]);
  } else if constexpr (ingot::kind_of<T> == kind::map) {
    for (std::uint32_t i = 0; i < from.via.map.size; ++i) {
      typename T::key_type key{};
      from.via.map.ptr[i].key.convert(key);
      from_msgpack(from.via.map.ptr[i].val, value[key]);
    }
  } else if constexpr (ingot::kind_of<T> == kind::optional) {
    if (!from.is_nil()) from_msgpack(from, value.emplace());
  } else if constexpr (ingot::kind_of<T> == kind::enumeration) {
    value = static_cast<T>(from.as<unsigned>());
  } else {
    from.convert(value);
  }
}

} // namespace demo
