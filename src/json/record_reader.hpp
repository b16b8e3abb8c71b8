// SPDX-License-Identifier: Apache-2.0
// Reading one object into one record, driven by the type's table.
#pragma once

#include <ingot/json/detail/record_table.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingot::inline v1::json::detail {

/// The key of the version where the type has no member for it.
inline constexpr std::string_view version_key = "$version";

class record_reader {
  static constexpr std::size_t most_plain = 64; ///< members of a record that is read the quick way

public:
  record_reader(text_reader& reader, const record_reader_table& table, void* const* members,
                std::uint64_t* seen) noexcept
      : reader_(reader), table_(table), members_(members), seen_(seen), text_version_(table.version) {}

  [[nodiscard]] bool versioned();
  [[nodiscard]] bool body();

private:
  [[nodiscard]] bool find_version();
  [[nodiscard]] bool can_upgrade() const noexcept;
  [[nodiscard]] bool is_next(const member_reader& member) const noexcept;
  [[nodiscard]] step open();
  [[nodiscard]] step plain_members(std::size_t& expected);
  [[nodiscard]] step other_members(std::size_t expected);
  [[nodiscard]] std::size_t soon_next(std::size_t expected) const noexcept;
  [[nodiscard]] std::uint64_t absent(std::size_t word) const noexcept;
  template <class T>
  [[nodiscard]] bool natural(void* to);
  [[nodiscard]] bool entry(std::size_t& expected);
  [[nodiscard]] std::size_t member_called(std::string_view key, std::size_t expected) const noexcept;
  [[nodiscard]] bool unknown(std::size_t offset, std::string_view key);
  [[nodiscard]] bool string(std::string& to);
  [[nodiscard]] bool value(const member_reader& member, void* to);
  [[nodiscard]] bool repeated(const member_reader& member, void* to, std::size_t offset);
  [[nodiscard]] bool missing(std::size_t offset);
  [[nodiscard]] bool missing_others(std::size_t offset);
  /// Gives the members that `wanted` has a bit for what a default object has there.
  void reset(const std::uint64_t* wanted) const;

  friend class upgrade_run;

  text_reader& reader_;
  const record_reader_table& table_;
  void* const* members_;
  std::uint64_t* seen_;
  std::uint32_t text_version_;
};

/// Brings the object at the cursor from `from` up to the type's version and reads it.
[[nodiscard]] bool read_upgraded(record_reader& record, text_reader& reader, const record_reader_table& table,
                                 std::uint32_t from);

} // namespace ingot::inline v1::json::detail
