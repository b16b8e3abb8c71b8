// SPDX-License-Identifier: Apache-2.0
// Computes the plan for reading old bytes into a type, from the old schema and the type.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/pack/detail/evolution_writer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/schema/compatible.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T, std::size_t I>
std::vector<std::byte> default_payload() {
  temporary<T> fresh;
  member_type<T, I>& member = *pointer_at<I>(part_pointers(*fresh));
  if constexpr (member_has<T, I, default_value_t>) assign_default<T, I>(member);
  return packed_key<member_type<T, I>>(member);
}
template <class T>
inline constexpr auto default_makers = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<record_codec::make_default, described_member_count<T>()> all{};
  if constexpr (std::is_default_constructible_v<T>) {
    [[maybe_unused]] std::size_t n = 0;
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (!member_has<T, J, skip_t>) all[n++] = default_payload<T, J>;
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }
  return all;
}(std::make_index_sequence<member_count<T>>{});

template <class T>
[[nodiscard]] result<std::vector<std::byte>> upgrade_message(bytes_view earlier) {
  using before = typename previous<T>::type;
  result<buffer> bytes = fail(errc::invalid_value);
  if constexpr (upgrades_in_place<T>) {
    temporary<before> old(earlier.size());
    if (auto read = unpack_into(*old, earlier); !read) return fail(read.error());
    temporary<T> upgraded(earlier.size());
    if (auto done = upgrade_previous<T>(std::as_const(*old), *upgraded); !done) return fail(done.error());
    bytes = pack(*upgraded);
  } else {
    static_assert(std::is_move_constructible_v<T> && std::is_move_constructible_v<before>,
                  "ingot: objects in a block are upgraded in place: give ingot::previous an upgrade(const "
                  "before& old, T& made)");
    result<before> old = unpack<before>(earlier);
    if (!old) return fail(old.error());
    const result<T> upgraded = upgrade_previous<T>(std::move(*old));
    if (!upgraded) return fail(upgraded.error());
    bytes = pack(*upgraded);
  }
  if (!bytes) return fail(bytes.error());
  const bytes_view view = as_bytes_view(*bytes);
  return std::vector<std::byte>(view.begin(), view.end());
}
template <class T>
consteval auto upgrade_of() -> result<std::vector<std::byte>> (*)(bytes_view) {
  if constexpr (has_previous<T>) return upgrade_message<T>;
  else return nullptr;
}

struct packed_codec {
  template <class T>
  static constexpr record_codec codec{default_makers<T>, upgrade_of<T>()};
  template <class T>
  static constexpr const record_codec* of = &codec<T>;
};

/// Stores the defaults of members that old data may lack: because they did not exist yet, or
/// because they were left out as equal to their default.
inline void make_defaults(evolution_plan& plan) {
  plan.defaults.resize(plan.to.nodes.size());
  for (const resolved_pair& pair : plan.pairs) {
    const evolving_node& target = plan.to.nodes[pair.to];
    if (pair.how != resolved_pair::step::convert || target.type == nullptr || !target.type->has_defaults)
      continue;
    const bool may_lack_any = plan.from.nodes[pair.from].attributes.has(schema_flag::elides_defaults);
    auto& defaults = plan.defaults[pair.to];
    defaults.resize(target.children.size());
    for (std::size_t j = 0; j < pair.links.size(); ++j) {
      const bool is_set = j == 0 && pair.sets_version;
      if (defaults[j].empty() && !is_set &&
          (may_lack_any || pair.links[j].unwraps || pair.links[j].source == resolved_link::none))
        defaults[j] = target.type->codec->defaults[j]();
    }
  }
}

/// Returns the first obstacle as an error, with both sides.
inline error first_obstacle(const compatibility& answer) {
  for (const schema_change& each : answer.changes()) {
    if (each.kind != schema_change_kind::incompatible) continue;
    error err(errc::schema_mismatch);
    err.with_expected("a type readable as " + each.after + ": " + each.reason).with_found(each.before);
    if (!each.path.empty()) err.in_member(each.path);
    return err;
  }
  return error(errc::schema_mismatch);
}

/// Returns the plan for data whose parts are `before`. Errors: `schema_mismatch` if they can't be
/// read as a `T`.
template <class T>
[[nodiscard]] result<std::shared_ptr<const evolution_plan>> plan_evolution(evolving_graph&& before) {
  auto plan = std::make_shared<evolution_plan>();
  plan->from = std::move(before);
  plan->to = type_grapher<packed_codec>::template draw<std::remove_const_t<T>>();
  resolver resolver(plan->from, plan->to);
  const compatibility answer = resolver.run();
  if (!answer) return fail(first_obstacle(answer));
  plan->pairs = resolver.take_pairs();
  make_defaults(*plan);
  plan->before.emplace(plan->from);
  plan->after.emplace(plan->to);
  return plan;
}

}}} // namespace ingot::INGOT_V1::detail
