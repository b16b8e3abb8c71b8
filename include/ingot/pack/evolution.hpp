// SPDX-License-Identifier: Apache-2.0
// Packed bytes of an older version of a type, read as the type is now: by the schema they were written with. docs/evolution.md
// says what may change between the two.
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
      auto plan = detail::plan_evolution<T>(detail::graph_of(before));
      if (!plan) return fail(plan.error());
      made.plan_ = std::move(*plan);
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
