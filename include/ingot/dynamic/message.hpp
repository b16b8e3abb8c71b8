// SPDX-License-Identifier: Apache-2.0
// Reads packed and compact messages without their C++ type, by their schema. `schema_bytes` creates
// the description of a schema, which is sent or stored with the messages. Both the schema and the
// message may be untrusted. Values of messages have the same handles as values of blocks; see
// dynamic.hpp.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/dynamic/detail/graph.hpp>
#include <ingot/dynamic/detail/message_compact.hpp>
#include <ingot/dynamic/detail/message_packed.hpp>
#include <ingot/dynamic/detail/message_validator.hpp>
#include <ingot/dynamic/message_types.hpp>
#include <ingot/dynamic/parts.hpp>
#include <ingot/dynamic/value.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/schema/description.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

class dynamic_message;

namespace detail::dyn {

struct schema_access;

} // namespace detail::dyn

/// A schema prepared for messages of one profile. Copying is O(1): copies share the schema. Any
/// number of threads may read the same object.
class dynamic_schema {
public:
  /// Prepares a schema. O(n) for a schema of n nodes. Takes about 1 KiB of memory for each node, up
  /// to 4 KiB in the compact profile. Errors: `schema_mismatch` for an empty schema; `too_large`
  /// for a type that takes no bytes but contains more than 64 values, such as an array of 65 empty
  /// records; `no_memory`.
  [[nodiscard]] static result<dynamic_schema> from(const schema& described,
                                                   message_profile profile = message_profile::pack) {
    if (described.empty())
      return fail(error{errc::schema_mismatch}.with_expected("a schema that is not empty"));
    return detail::catch_bad_alloc([&]() -> result<dynamic_schema> {
      auto created = std::make_shared<const detail::dyn::message_tables>(
          detail::dyn::graph_of_message(described), described.id(), profile);
      if (!created->has_memory)
        return fail(error{errc::no_memory}.with_expected("memory for a schema's types"));
      if (!created->is_bounded)
        return fail(
            error{errc::too_large}.with_expected("no type without bytes that holds more than 64 values"));
      return dynamic_schema(std::move(created));
    });
  }
  /// Validates a description, then prepares its schema. Each node takes at least one byte of the
  /// description. To limit the memory for untrusted descriptions, limit their length. Errors: those
  /// of `read_schema` and of `from`.
  [[nodiscard]] static result<dynamic_schema> open(bytes_view description,
                                                   message_profile profile = message_profile::pack) {
    const auto described = read_schema(description);
    if (!described) return fail(described.error());
    return from(*described, profile);
  }

  /// Returns the id of the schema; 0 for a moved-from object, which can't open messages.
  [[nodiscard]] std::uint64_t schema_id() const noexcept { return tables_ == nullptr ? 0 : tables_->id; }
  /// Returns the profile; `pack` for a moved-from object.
  [[nodiscard]] message_profile profile() const noexcept {
    return tables_ == nullptr ? message_profile::pack : tables_->profile;
  }

private:
  friend class dynamic_message;
  friend struct detail::dyn::schema_access;
  explicit dynamic_schema(std::shared_ptr<const detail::dyn::message_tables> tables) noexcept
      : tables_(std::move(tables)) {}

  std::shared_ptr<const detail::dyn::message_tables> tables_;
};

namespace detail::dyn {

struct schema_access {
  [[nodiscard]] static const message_tables* tables_of(const dynamic_schema& of) noexcept {
    return of.tables_.get();
  }
  [[nodiscard]] static dynamic_schema make(std::shared_ptr<const message_tables> tables) noexcept {
    return dynamic_schema(std::move(tables));
  }
};

} // namespace detail::dyn

/// A validated message. A move keeps handles valid; a moved-from message has an absent root.
class dynamic_message {
public:
  /// Copies the bytes and validates them like `unpack` or `compact::unpack` of the type, except for
  /// properties that schemas do not store:
  ///
  /// - `range`, `max_size`, `utf8` and hooks are not checked.
  /// - A stored member may equal its default, which `unpack` rejects in records that omit defaults.
  /// - Keys may have any order if records in them omit members. Values of equal keys in an
  ///   unordered multimap may have any order if records in these values omit members.
  ///
  /// Evolvable records must have exactly the schema's members. O(n) for n bytes; O(n x depth) for
  /// values of types that contain themselves, with a depth of at most 128. An open compact message
  /// takes at most 8 bytes of memory for each byte of the message, and 64 bytes for each byte of a
  /// mask of members. Opening takes twice as much memory. Errors: those of `unpack`. Progress
  /// counts the bytes once for each pass; if `progress` returns false, the error is `cancelled`.
  [[nodiscard]] static result<dynamic_message> open(bytes_view bytes, const dynamic_schema& by,
                                                    progress_ref progress = {}) {
    return detail::catch_bad_alloc([&]() -> result<dynamic_message> {
      detail::progress_tracker tracker(progress, (passes_of(by) + 1) * bytes.size(), bytes.size());
      std::vector<std::byte> own(bytes.size());
      if (!detail::copy_with_progress(own.data(), bytes, tracker)) return tracker.cancelled();
      return validate(std::move(own), bytes, by, true, tracker);
    });
  }
  /// Opens a message without a copy. The bytes must outlive the message, and must not change while
  /// the message exists. Progress counts the bytes once for each pass. Errors: those of `open`.
  [[nodiscard]] static result<dynamic_message> open_in_place(bytes_view bytes, const dynamic_schema& by,
                                                             progress_ref progress = {}) {
    return detail::catch_bad_alloc([&] {
      detail::progress_tracker tracker(progress, passes_of(by) * bytes.size(), 0);
      return validate({}, bytes, by, false, tracker);
    });
  }
  /// Opens a copy of the bytes by a schema. The schema is prepared again for each message. Errors:
  /// those of `dynamic_schema::from` and of `open`.
  [[nodiscard]] static result<dynamic_message> open(bytes_view bytes, const schema& described,
                                                    message_profile profile = message_profile::pack) {
    const auto by = dynamic_schema::from(described, profile);
    if (!by) return fail(by.error());
    return open(bytes, *by);
  }

  /// Returns the root; absent if the message was moved from.
  [[nodiscard]] dynamic_value root() const noexcept {
    return state_ == nullptr ? dynamic_value{} : detail::dyn::access::make(&state_->in, state_->in.root);
  }
  [[nodiscard]] dynamic_value operator[](std::string_view name) const noexcept { return root()[name]; }
  [[nodiscard]] dynamic_value operator[](std::size_t index) const noexcept { return root()[index]; }
  [[nodiscard]] dynamic_value at(std::string_view path) const noexcept { return root().at(path); }
  /// Returns the schema of the message.
  [[nodiscard]] const dynamic_schema& schema() const noexcept { return by_; }
  /// Returns the bytes of the message; empty if it was moved from.
  [[nodiscard]] bytes_view bytes() const noexcept {
    return state_ == nullptr ? bytes_view()
                             : bytes_view(state_->in.start, static_cast<std::size_t>(state_->in.used));
  }

private:
  /// Handles point to this object. It stays at its address when the message is moved.
  struct state {
    explicit state(const detail::dyn::message_tables& types, std::vector<std::byte> bytes) noexcept
        : own(std::move(bytes)), packed(types, in), compact(types, in) {}
    state(const state&) = delete;
    state& operator=(const state&) = delete;

    std::vector<std::byte> own;
    detail::dyn::memory in;
    detail::dyn::packed_values packed;
    detail::dyn::compact_values compact;
  };

  dynamic_message(const dynamic_schema& by, std::unique_ptr<state> new_state) noexcept
      : by_(by), state_(std::move(new_state)) {}
  /// Returns the number of passes that validation makes over the bytes.
  [[nodiscard]] static std::uint64_t passes_of(const dynamic_schema& by) noexcept {
    return by.profile() == message_profile::pack ? 2 : 3;
  }
  /// Calls `pass` with a poll, and returns its result. Progress counts one more pass over the
  /// bytes.
  template <class Pass>
  [[nodiscard]] static result<void> make_pass(bytes_view bytes, detail::progress_tracker& tracker,
                                              const Pass& pass) {
    tracker.begin_pass(bytes.size());
    detail::progress_poll each(&tracker, bytes.size());
    auto passed = pass(each);
    if (each.stopped()) return tracker.cancelled();
    return passed;
  }
  template <class Check>
  [[nodiscard]] static result<void> check_bytes(Check&& check, bytes_view bytes,
                                                detail::progress_tracker& tracker) {
    tracker.begin_pass(bytes.size());
    if (tracker.asks()) check.tell_of(&tracker);
    if (check.run()) return {};
    if (tracker.stopped()) return tracker.cancelled();
    return fail(check.why());
  }
  [[nodiscard]] static result<dynamic_message> validate(std::vector<std::byte> own, bytes_view bytes,
                                                        const dynamic_schema& by, bool owns,
                                                        detail::progress_tracker& tracker) {
    if (by.tables_ == nullptr)
      return fail(error{errc::schema_mismatch}.with_expected("a schema (this one was moved from)"));
    const detail::dyn::message_tables& types = *by.tables_;
    auto new_state = std::make_unique<state>(types, std::move(own));
    if (owns) bytes = new_state->own;
    new_state->in.start = bytes.data();
    new_state->in.used = bytes.size();
    new_state->in.in = &types.all;
    if (bytes.size() >= 0xFFFFFFFFU)
      return fail(error{errc::too_large}.with_expected("a message of less than 4 GiB"));
    if (types.profile == message_profile::pack) {
      const auto checked = check_bytes(detail::packed_validator(types.layout, bytes), bytes, tracker);
      if (!checked) return fail(checked.error());
      new_state->in.message = &new_state->packed;
      new_state->in.root = new_state->packed.whole();
    } else {
      const auto checked = check_bytes(detail::compact_validator(types.layout, bytes), bytes, tracker);
      if (!checked) return fail(checked.error());
      const auto indexed = make_pass(bytes, tracker, [&](detail::progress_poll& who) -> result<void> {
        new_state->compact.index(who);
        return {};
      });
      if (!indexed) return fail(indexed.error());
      new_state->in.message = &new_state->compact;
      new_state->in.root = new_state->compact.whole();
    }
    const auto validated = make_pass(bytes, tracker, [&](detail::progress_poll& who) {
      return detail::dyn::message_validator(types, new_state->in, who).run(new_state->in.root);
    });
    if (!validated) return fail(validated.error());
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return dynamic_message(by, std::move(new_state));
  }

  dynamic_schema by_;
  std::unique_ptr<state> state_; ///< null in a moved-from message
};

}} // namespace ingot::INGOT_V1
