// SPDX-License-Identifier: Apache-2.0
// Packed bytes of an older version of a type, read as the type is now: by the schema they were written with. docs/evolution.md
// says what may change between the two.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/guard_memory.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution_layout.hpp>
#include <ingot/pack/evolution_proof.hpp>
#include <ingot/pack/evolution_source.hpp>
#include <ingot/pack/evolution_writer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/description.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot::inline v1 {

namespace detail {

template <class T, std::size_t I>
std::vector<std::byte> default_payload() {
  T fresh{};
  member_type<T, I>& member = *pointer_at<I>(part_pointers(fresh));
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
result<std::vector<std::byte>> upgrade_message(bytes_view earlier) {
  using before = typename previous<T>::type;
  result<before> old = unpack<before>(earlier);
  if (!old) return fail(old.error());
  const result<T> made = upgrade_previous<T>(std::move(*old));
  if (!made) return fail(made.error());
  const result<buffer> bytes = pack(*made);
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

/// Defaults of what old data lack: members they never had, or left out because they equalled theirs.
inline void make_defaults(evolution_plan& plan) {
  plan.defaults.resize(plan.to.nodes.size());
  for (const resolved_pair& pair : plan.pairs) {
    const evolving_node& made = plan.to.nodes[pair.to];
    if (pair.how != resolved_pair::step::convert || made.type == nullptr || !made.type->has_defaults)
      continue;
    const bool may_lack_any = plan.from.nodes[pair.from].facts.has(schema_flag::elides_defaults);
    auto& defaults = plan.defaults[pair.to];
    defaults.resize(made.children.size());
    for (std::size_t j = 0; j < pair.links.size(); ++j) {
      const bool is_set = j == 0 && pair.sets_version;
      if (defaults[j].empty() && !is_set && (may_lack_any || pair.links[j].source == resolved_link::none))
        defaults[j] = made.type->codec->defaults[j]();
    }
  }
}

} // namespace detail

/// A way from bytes of one schema to a `T`, made once and used for any number of messages, by any number of threads at a time. Copies are
/// cheap.
template <unpackable T>
class evolution {
public:
  /// From data written with the schema `before`. `other_type` if they can't be read as a `T`: with the path, what was written
  /// and what should be read of the first obstacle; `compatible<T>` lists all. `no_memory`. Where the schemas are the same nothing is made.
  [[nodiscard]] static result<evolution> from(const schema& before) {
    static_assert(!detail::borrows<T>(), "ingot: a string_view or span can't own what it is decoded into");
    return detail::guard_memory([&]() -> result<evolution> {
      evolution made;
      if (before.id() == schema_id<T>) return made;
      if (before.empty()) return fail(error{errc::other_type}.with_expected("a schema that is not empty"));
      const auto shared = std::make_shared<detail::evolution_plan>();
      detail::evolution_plan& plan = *shared;
      plan.from = detail::graph_of(before);
      plan.to = detail::type_grapher<detail::packed_codec>::template draw<std::remove_const_t<T>>();
      detail::resolver resolver(plan.from, plan.to);
      const compatibility answer = resolver.run();
      if (!answer) return fail(first_obstacle(answer));
      plan.pairs = resolver.take_pairs();
      detail::make_defaults(plan);
      plan.before.emplace(plan.from);
      plan.after.emplace(plan.to);
      made.plan_ = shared;
      return made;
    });
  }
  /// The same from the bytes of a description, which are proved first.
  [[nodiscard]] static result<evolution> from(bytes_view description) {
    const result<schema> before = read_schema(description);
    if (!before) return fail(before.error());
    return from(*before);
  }

  /// Whether there is nothing to do: the schemas are the same, and reading is `unpack`.
  [[nodiscard]] bool is_direct() const noexcept { return plan_ == nullptr; }

  /// Reads a packed message. It is held against its own schema first: errors of that name the byte and the old path. What the new
  /// type refuses (`range`, `valid`, order of keys, ...) is named by the new path, and its offset is 0. `too_large` when the
  /// new bytes would pass 4 GiB; `no_memory`. Work and memory are a constant, of the type, times the bytes; in values of a type that
  /// contains itself times their depth, which is at most 128.
  [[nodiscard]] result<T> unpack(bytes_view bytes) const {
    if (is_direct() || plan_->pairs[0].is_same) // names may differ and the bytes be the same
      return ingot::unpack<T>(bytes);
    return detail::guard_memory([&]() -> result<T> {
      detail::packed_check check(*plan_->before, bytes);
      if (!check.run()) return fail(check.why());
      return read(detail::packed_source(*plan_->before, bytes));
    });
  }
  /// Reads a message of the compact profile. A member that `elide_defaults` left out takes the default that it has now.
  [[nodiscard]] result<T> unpack_compact(bytes_view bytes) const {
    if (is_direct()) return ingot::compact::unpack<T>(bytes);
    return detail::guard_memory([&]() -> result<T> {
      detail::compact_check check(*plan_->before, bytes);
      if (!check.run()) return fail(check.why());
      return read(detail::compact_source(*plan_->before, bytes));
    });
  }

private:
  evolution() = default;

  static error first_obstacle(const compatibility& answer) {
    for (const schema_change& each : answer.changes()) {
      if (each.kind != schema_change_kind::incompatible) continue;
      error why(errc::other_type);
      why.with_expected("what can be read as " + each.after + ": " + each.reason).with_found(each.before);
      if (!each.path.empty()) why.in_member(each.path);
      return why;
    }
    return error(errc::other_type);
  }
  template <class Source>
  result<T> read(Source source) const {
    const result<std::vector<std::byte>> bytes =
        detail::evolution_writer<Source>(*plan_, std::move(source)).run();
    if (!bytes) return fail(bytes.error());
    result<T> value = ingot::unpack<T>(*bytes);
    if (!value) return fail(value.error().with_offset(0));
    return value;
  }

  std::shared_ptr<const detail::evolution_plan> plan_; ///< none where there is nothing to do
};

/// Reads a packed message that was written with the schema described, whichever version of `T` that is of. For more than one message make
/// an `evolution` once. Errors as of `evolution`.
template <unpackable T>
[[nodiscard]] result<T> unpack_evolved(bytes_view bytes, bytes_view description) {
  const auto way = evolution<T>::from(description);
  if (!way) return fail(way.error());
  return way->unpack(bytes);
}

} // namespace ingot::inline v1
