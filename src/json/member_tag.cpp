// SPDX-License-Identifier: Apache-2.0
// Finds the tag of a variant whose tag is a member of the alternative's object.
#include <ingot/json/detail/member_tag.hpp>

#include "same_text.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Searches for the tag of one object.
class tag_search {
public:
  tag_search(text_reader& reader, std::string_view key, std::span<const std::string_view> tags,
             std::span<const std::span<const std::string_view>> former) noexcept
      : reader_(reader), key_(key), tags_(tags), former_(former) {}

  [[nodiscard]] tag_form run(std::size_t& index, member_tag& outer) {
    const auto start = reader_.here();
    const std::size_t where = reader_.offset();
    const std::uint32_t depth = reader_.depth_;
    if (!look()) return tag_form::error;
    const std::uint32_t inside = depth + 1;
    reader_.back_to(start);
    reader_.depth_ = depth;
    index = index_;
    if (has_tag_) {
      outer = reader_.tag_;
      reader_.tag_ = {key_, at_, inside};
      begin_after_tag();
      return tag_form::member;
    }
    if (keys_ == 1 && is_wrapped_) return tag_form::key;
    static_cast<void>(reader_.fail(errc::missing_member, where,
                                   "the key \"" + std::string{key_} + "\", the tag of the variant"));
    reader_.error().in_member(key_);
    return tag_form::error;
  }

private:
  /// If the tag is the first member, moves the beginning of the object after the tag, so that all
  /// keys are keys of the record's members. Such objects are read fastest.
  void begin_after_tag() noexcept {
    const std::uint32_t* const at = reader_.at_; // a bracket, the key, a colon, the tag
    if (reader_.last_ - at < 6 || at[1] != at_) return;
    const char* const text = reader_.text_;
    const bool is_alone = text[at[4]] == '}';
    if (!is_alone && (text[at[4]] != ',' || text[at[5]] != '"')) return;
    // The cast is safe, because the reader's index is not constant.
    auto* const bracket = const_cast<std::uint32_t*>(at + (is_alone ? 3 : 4));
    reader_.tag_.bracket = bracket;
    reader_.tag_.position = std::exchange(*bracket, *at);
    reader_.at_ = bracket;
  }
  /// Reads the keys up to the tag. If an object has the key of the tag several times, the options
  /// decide which value is the tag.
  [[nodiscard]] bool look() {
    const bool is_last = reader_.options().duplicate_keys == duplicate_keys::last_wins;
    step next = reader_.open_object();
    while (next == step::value) {
      const std::size_t offset = reader_.offset();
      std::string_view found;
      if (!reader_.key(found)) return false;
      if (found == key_) {
        at_ = offset;
        has_tag_ = true;
        if (!read_tag()) {
          reader_.error().in_member(key_);
          return false;
        }
        if (!is_last) return true;
      } else {
        if (keys_++ == 0 && reader_.peek() == '{' && !has_tag_) is_wrapped_ = find(found);
        if (!reader_.skip()) return false;
      }
      next = reader_.next_key();
    }
    return next == step::end;
  }
  [[nodiscard]] bool read_tag() {
    const std::size_t offset = reader_.offset();
    if (reader_.peek() != '"') return reader_.mismatch(names());
    std::string_view tag;
    if (!reader_.string(tag)) return false;
    return find(tag) || reader_.fail(errc::bad_variant, offset, names(), '"' + std::string{tag} + '"');
  }
  /// Sets the index of the alternative that has this tag, or that had this tag in an earlier
  /// version.
  [[nodiscard]] bool find(std::string_view tag) noexcept {
    for (index_ = 0; index_ < tags_.size(); ++index_) {
      if (same_text(tags_[index_], tag)) return true;
    }
    for (index_ = 0; index_ < former_.size(); ++index_) {
      for (const std::string_view name : former_[index_]) {
        if (same_text(name, tag)) return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::string names() const {
    std::string text;
    for (const std::string_view tag : tags_) {
      if (text.size() > 80) break;
      text.append(text.empty() ? "one of " : ", ").append(tag);
    }
    return text;
  }

  text_reader& reader_;
  std::string_view key_;
  std::span<const std::string_view> tags_;
  std::span<const std::span<const std::string_view>> former_;
  std::size_t index_ = 0;
  std::size_t at_ = 0;
  std::size_t keys_ = 0; ///< number of keys that were skipped because they are not the tag
  bool has_tag_ = false;
  bool is_wrapped_ = false; ///< the first key is a tag, and the value of this key is an object
};

tag_form find_member_tag(text_reader& reader, std::string_view key, std::span<const std::string_view> tags,
                         std::span<const std::span<const std::string_view>> former, std::size_t& index,
                         member_tag& outer) {
  return tag_search(reader, key, tags, former).run(index, outer);
}

bool text_reader::pass_tag(std::size_t offset) {
  if (offset == tag_.at || options_.duplicate_keys != duplicate_keys::error) return skip();
  static_cast<void>(
      fail(errc::duplicate_key, offset, "each key once", "the key \"" + std::string{tag_.key} + "\" again"));
  error_.in_member(tag_.key);
  return false;
}

}}} // namespace ingot::INGOT_V1::json::detail
