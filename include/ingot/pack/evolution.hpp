// SPDX-License-Identifier: Apache-2.0
// Reads packed bytes of an older version of a type as the type is now, by the schema that they were written with.
// docs/evolution.md says what may change in between.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/detail/evolution_plan.hpp>
#include <ingot/pack/detail/evolution_proof.hpp>
#include <ingot/pack/detail/evolution_source.hpp>
#include <ingot/pack/detail/evolution_writer.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/description.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ingot::inline v1 {

/// The way from bytes of one schema to a `T`. Make it once and use it for any number of messages, by any number of
/// threads at a time. Copies are cheap.
template <unpackable T>
class evolution {
public:
  /// For data that was written with the schema `before`. Errors: `other_type` if that can't be read as a `T`, with the
  /// path of the first obstacle, what was written and what should be read (`compatible<T>` lists all obstacles);
  /// `no_memory`. If the schemas are the same, nothing is made.
  [[nodiscard]] static result<evolution> from(const schema& before) {
    static_assert(!detail::borrows<T>(), "ingot: a string_view or span can't own what it is decoded into");
    return detail::guard_memory([&]() -> result<evolution> {
      evolution made;
      if (before.id() == schema_id<T>) return made;
      if (before.empty()) return fail(error{errc::other_type}.with_expected("a schema that is not empty"));
      auto plan = detail::plan_evolution<T>(detail::graph_of(before));
      if (!plan) return fail(plan.error());
      made.plan_ = std::move(*plan);
      return made;
    });
  }
  /// Does the same from the bytes of a description, which are proved first. Errors: also those of `read_schema`.
  [[nodiscard]] static result<evolution> from(bytes_view description) {
    const result<schema> before = read_schema(description);
    if (!before) return fail(before.error());
    return from(*before);
  }

  /// Whether there is nothing to convert: the schemas are the same, and reading is `unpack`.
  [[nodiscard]] bool is_direct() const noexcept { return plan_ == nullptr; }

  /// Reads a packed message. It is checked against its own schema first; errors of that name the byte and the old
  /// path. Errors of the new type (`range`, `valid`, the order of keys, ...) name the new path, and their offset is 0.
  /// Also `too_large` if the new bytes would exceed 4 GiB; `no_memory`. Work and memory are a constant of the type
  /// times the bytes. For values of a type that contains itself, they are that times their depth, which is at most
  /// 128.
  [[nodiscard]] result<T> unpack(bytes_view bytes) const {
    if (is_direct() || plan_->pairs[0].is_same) // names may differ and the bytes be the same
      return ingot::unpack<T>(bytes);
    return detail::guard_memory([&]() -> result<T> {
      detail::packed_check check(*plan_->before, bytes);
      if (!check.run()) return fail(check.why());
      return read(detail::packed_source(*plan_->before, bytes));
    });
  }
  /// Reads a message of the compact profile. A member that `elide_defaults` left out gets its current default.
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

/// Reads a packed message that was written with the given description, whichever version of `T` that is. For more than
/// one message, make an `evolution` once. Errors: as `evolution`.
template <unpackable T>
[[nodiscard]] result<T> unpack_evolved(bytes_view bytes, bytes_view description) {
  const auto way = evolution<T>::from(description);
  if (!way) return fail(way.error());
  return way->unpack(bytes);
}

} // namespace ingot::inline v1
