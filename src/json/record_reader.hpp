// SPDX-License-Identifier: Apache-2.0
// Reads one object into one record. The table of the record's type describes its members.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/json/detail/record_table.hpp>
#include <ingot/reflect/detail/version_key.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Key of the version if the type has no member for it.
using ingot::detail::version_key;

class record_reader {
public:
  /// If there are more than 64 members, `many` must have a zeroed bit for each member; otherwise it
  /// is null.
  record_reader(text_reader& reader, const record_reader_table& table, record_location to,
                std::uint64_t* many, std::uint32_t text_version) noexcept
      : reader_(reader), table_(table), to_(to), many_(many), text_version_(text_version) {}
  record_reader(const record_reader&) = delete;
  record_reader& operator=(const record_reader&) = delete;

  /// Reads an object of the version `text_version`.
  [[nodiscard]] static bool read(text_reader& reader, const record_reader_table& table, record_location to,
                                 std::uint64_t* many, std::uint32_t text_version);
  /// Reads an object that contains its version, or in which one key can change the meaning of
  /// another key.
  [[nodiscard]] bool special();
  /// See `find_earlier`.
  [[nodiscard]] bool is_earlier(bool& earlier);

private:
  [[nodiscard]] bool versioned();
  /// Reads an object of the version `text_version_`.
  [[nodiscard]] bool current();
  /// Reads an object whose keys may be former names of members.
  [[nodiscard]] bool by_former_names();
  [[nodiscard]] std::uint64_t number_here() const noexcept;
  /// Sets `keys` to the key of each member in the object at the cursor. If a member has no key, its
  /// view has null data.
  [[nodiscard]] bool pair_keys(std::vector<std::string_view>& keys);
  [[nodiscard]] std::size_t member_formerly(std::string_view key) const noexcept;
  [[nodiscard]] bool read_entry(std::size_t i, std::size_t where);
  [[nodiscard]] bool find_version();
  [[nodiscard]] bool can_upgrade() const noexcept;
  [[nodiscard]] static bool is_next(const text_reader& reader, const member_reader& member) noexcept;
  [[nodiscard]] static std::size_t soon_next(const text_reader& reader, const record_reader_table& table,
                                             std::size_t expected) noexcept;
  [[nodiscard]] static std::size_t roomy_members(const text_reader& reader, const record_reader_table& table,
                                                 std::size_t from) noexcept;
  [[nodiscard]] static std::size_t other_next(const text_reader& reader, const record_reader_table& table,
                                              std::size_t from, std::size_t& roomy) noexcept;
  [[nodiscard]] static std::uint8_t* absent_before(text_reader& reader,
                                                   const record_reader_table& table) noexcept;
  template <bool Numbers>
  [[nodiscard]] static step plain_members(text_reader& reader, const record_reader_table& table,
                                          record_location to, std::uint64_t& all_came, std::size_t& expected);
  template <bool Numbers>
  [[nodiscard]] static bool read_quickly(text_reader& reader, const record_reader_table& table,
                                         record_location to, std::uint64_t* many, std::uint32_t text_version);
  [[nodiscard]] bool rest(step next, const std::uint32_t* start, std::size_t expected);
  [[nodiscard]] step other_members(std::size_t expected);
  /// Returns a bit for each of the 64 members from member `64 * word` on. A bit is set if its
  /// member did not occur.
  [[nodiscard]] INGOT_INLINE std::uint64_t absent(std::size_t word) const noexcept {
    const std::size_t left = table_.members.size() - word * 64;
    const std::uint64_t all = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    return all & ~seen_[word];
  }
  template <class T>
  [[nodiscard]] static bool natural(text_reader& reader, void* to);
  [[nodiscard]] bool entry(std::size_t& expected);
  [[nodiscard]] std::size_t member_called(std::string_view key, std::size_t expected) const noexcept;
  [[nodiscard]] bool unknown(std::size_t offset, std::string_view key);
  [[nodiscard]] static bool string(text_reader& reader, std::string& to);
  [[nodiscard]] static bool value(text_reader& reader, const member_reader& member, void* to);
  [[nodiscard]] bool repeated(std::size_t i, std::size_t offset);
  [[nodiscard]] std::string repeated_key(std::size_t i, std::size_t offset) const;
  [[nodiscard]] bool missing(std::size_t offset);
  [[nodiscard]] bool missing_others(std::size_t offset);
  /// Sets each member whose bit is set in `wanted` to its value in a default-constructed object.
  void reset(const std::uint64_t* wanted) const;

  friend class upgrade_run;

  text_reader& reader_;
  const record_reader_table& table_;
  record_location to_;
  std::uint64_t few_ = 0;
  std::uint64_t* many_;
  std::uint64_t* seen_ = many_ != nullptr ? many_ : &few_; ///< a bit for each member
  std::uint32_t text_version_;
};

/// Upgrades the object at the cursor from version `from` to the type's version and reads it.
[[nodiscard]] bool read_upgraded(record_reader& record, text_reader& reader, const record_reader_table& table,
                                 std::uint32_t from);

}}} // namespace ingot::INGOT_V1::json::detail
