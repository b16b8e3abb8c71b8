// SPDX-License-Identifier: Apache-2.0
// Common part of the readers of MessagePack and CBOR: the bytes, the open containers, and the
// strings and values to which CBOR's references refer.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/document/detail/interchange_keys.hpp>
#include <ingot/document/detail/interchange_references.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/interchange.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

template <class Tokens, class Options>
class token_source {
public:
  /// `total` is passed to the progress callback as the total number of bytes; it may be `unknown`.
  token_source(input& in, Tokens& tokens, document_events& to, const Options& options,
               std::uint64_t total) noexcept
      : in_(in), tokens_(tokens), to_(to), options_(options), total_(total),
        poll_at_(options.progress ? report_interval : std::numeric_limits<std::size_t>::max()) {}

protected:
  struct container {
    std::uint64_t left;  ///< members or elements that follow; unused with `open_end`
    std::uint64_t index; ///< index of the current member or element
    std::size_t
        /// Begin and end of the current key. For a `replay`: the position at which to continue, and
        /// the namespace there.
        key_at;
    std::size_t key_end;
    token::kinds kind;
    bool open_end;
    bool has_key; ///< true after the key was read, until the value is read
  };

  [[nodiscard]] container& top() noexcept { return open_[open_.size() - 1]; }
  /// Sets the error of a list that could not grow: there is no memory, or the limit is reached.
  INGOT_COLD bool no_memory(std::string_view expected) {
    if (!doc::event_access::allowance_of(to_).is_exceeded()) return reject(errc::no_memory, expected);
    return reject(errc::too_much_memory, within_memory);
  }
  INGOT_COLD bool should_continue() {
    if (!options_.progress(at_, total_)) {
      in_.why = error{errc::cancelled, at_};
      cancelled_ = true;
      return false;
    }
    poll_at_ = at_ + report_interval;
    return true;
  }
  bool reject(errc code, std::string_view expected) { return in_.reject(code, at_, expected); }
  bool reject(errc code, std::string_view expected, std::uint64_t found) {
    return in_.reject(code, at_, expected, found);
  }

  bool push(const container& opened) {
    if (!open_.push(opened)) return no_memory("memory for the open containers");
    if (opened.kind < token::space) ++levels_;
    return true;
  }

  // The following functions are for formats with references.
  static constexpr bool has_references = requires { Tokens::has_references; };

  [[nodiscard]] bool follows_references() const noexcept {
    if constexpr (has_references)
      return options_.unsupported_values != unsupported_values::reject && tokens_.takes_references();
    else return false;
  }
  /// Reads a token. Inside a namespace of strings, also notes each string, so that later references
  /// can refer to it by its number.
  bool next(token& t) {
    if (!tokens_.next(t)) return false;
    if constexpr (has_references) {
      if (references_.in_space() && (t.kind == token::text || t.kind == token::binary)) [[unlikely]] {
        // A string of several pieces is not within the input, because its pieces were joined in
        // other memory. Such a string gets no number.
        const std::less_equal<> before;
        const bool is_whole = before(in_.bytes.data(), t.bytes.data()) && before(t.bytes.data(), in_.here());
        if (is_whole && !references_.note(t.bytes, t.kind == token::text))
          return no_memory("memory for references");
      }
    }
    return true;
  }
  /// Rejects a token that is not allowed after a tag.
  bool misplaced(const token& t, std::string_view expected) {
    return reject(t.kind == token::stop ? errc::bad_variant : errc::type_mismatch, expected);
  }
  /// Reads the number that follows a tag for references.
  bool reference(std::uint64_t& number) {
    token t;
    if (!tokens_.next(t)) return false;
    number = t.number;
    return t.kind == token::natural || misplaced(t, "a number after the tag of a reference");
  }
  bool charge(std::size_t bytes) {
    if constexpr (has_references) {
      if (!references_.charge(bytes, options_.max_repeated))
        return reject(errc::too_large, "references that repeat no more bytes than max_repeated");
      if (options_.progress && references_.repeated() - reported_ >= report_interval) {
        reported_ = references_.repeated();
        return should_continue();
      }
    }
    return true;
  }
  /// Reads the string to which a tag 25 refers.
  bool referred_string(token& t) {
    std::uint64_t number = 0;
    if (!reference(number)) return false;
    const noted_string* const found = references_.in_space() ? references_.string(number) : nullptr;
    if (found == nullptr)
      return reject(errc::invalid_value, "a reference to a string of the namespace around it", number);
    t.kind = found->is_text ? token::text : token::binary;
    t.bytes = found->bytes;
    return charge(t.bytes.size());
  }
  [[nodiscard]] static constexpr bool is_reference(std::uint64_t tag) noexcept {
    return tag == string_namespace || tag == shareable || tag == shared_reference;
  }
  bool open_frame(token::kinds kind, std::size_t to, std::size_t other) {
    if (open_.size() / 4 > options_.max_depth) return reject(errc::too_deep, "no more levels than max_depth");
    return push({1, 0, to, other, kind, false, false});
  }
  /// Handles a tag for references. After a reference, the reader continues at the position of the
  /// referenced value.
  bool refer(std::uint64_t tag) {
    if (tag == string_namespace) {
      if (references_.in_space()) return reject(errc::unsupported, "no namespace of strings in another one");
      return open_frame(token::space, 0, 0) &&
             (references_.enter_space(in_.at) || no_memory("memory for references"));
    }
    if (tag == shareable) {
      std::size_t number = 0;
      if (!references_.begin_shared(in_.at, number)) return no_memory("memory for references");
      return open_frame(token::shareable, number, 0);
    }
    std::uint64_t number = 0;
    if (!reference(number)) return false;
    const shared_value* const found = references_.shared(number);
    if (found == nullptr)
      return reject(errc::invalid_value, "a reference to a value that was shared before", number);
    if (found->end == 0) return reject(errc::unsupported, "no value that contains itself", number);
    if (!charge(found->end - found->begin) || !open_frame(token::replay, in_.at, references_.space()))
      return false;
    references_.begin_replay();
    references_.go_to(found->space);
    in_.at = found->begin;
    at_ = in_.at;
    return true;
  }
  void close_frame() {
    const container ended = open_.pop();
    if (ended.kind == token::space) {
      references_.leave_space();
    } else if (ended.kind == token::shareable) {
      references_.end_shared(ended.key_at, in_.at);
    } else {
      references_.end_replay();
      references_.go_to(ended.key_end);
      in_.at = ended.key_at;
    }
  }
  /// Reads the first token of a tag's content. Handles tags for references before this token. The
  /// frames of these tags stay open until the content ends.
  bool content(token& t) {
    for (;;) {
      if (!next(t)) return false;
      if constexpr (!has_references) {
        return true;
      } else {
        if (t.kind != token::tag || !follows_references()) return true;
        if (t.number == string_reference) return referred_string(t);
        if (!is_reference(t.number)) return true;
        if (!refer(t.number)) return false;
      }
    }
  }

  input& in_;
  Tokens& tokens_;
  document_events& to_;
  const Options& options_;
  doc::plain_list<container, doc::counted_growth> open_{
      doc::counted_growth{&doc::event_access::allowance_of(to_)}};
  std::uint64_t total_;
  std::size_t poll_at_;
  std::size_t at_ = 0; ///< position of the current token
  bool cancelled_ = false;
  std::uint32_t levels_ = 0; ///< number of open arrays, maps and wrapped tags
  std::size_t reported_ = 0;
  references references_{doc::event_access::allowance_of(to_)};
  key_speller keys_;
};

}}} // namespace ingot::INGOT_V1::detail::interchange
