// SPDX-License-Identifier: Apache-2.0
// Passes the values of a document, in order, to a writer of MessagePack or CBOR. A list of open
// containers replaces recursion. After an error, the incomplete output is removed, and the error
// has a path.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/detail/put_bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/document/detail/interchange_keys.hpp>
#include <ingot/document/detail/interchange_numbers.hpp>
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/interchange.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <system_error>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Appends to a buffer. `undo` removes the appended bytes.
class output {
public:
  output(buffer& to, std::size_t max_size, progress_ref progress) noexcept
      : to_(to), start_(to.size()), max_size_(max_size),
        poll_at_(progress ? std::min(max_size, report_interval) : max_size), progress_(progress) {}

  [[nodiscard]] std::size_t size() const noexcept { return to_.size() - start_; }
  /// Appends the byte `first`, then `number` in `bytes` bytes, then `payload`.
  [[nodiscard]] bool put(unsigned first, std::uint64_t number = 0, unsigned bytes = 0,
                         bytes_view payload = {}) noexcept {
    const std::size_t head = bytes + std::size_t{1};
    if (head > poll_at_ - size() || payload.size() > poll_at_ - size() - head) [[unlikely]] {
      if (!should_continue(head, payload.size())) return false;
    }
    const std::span<std::byte> space = to_.prepare(head + payload.size());
    if (space.size() < head) return reject(errc::no_memory, "memory for what is written");
    space[0] = static_cast<std::byte>(first);
    store_big(space.data() + 1, number, bytes);
    if (!payload.empty()) std::memcpy(space.data() + head, payload.data(), payload.size());
    to_.commit(head + payload.size());
    return true;
  }
  INGOT_COLD bool reject(errc code, std::string_view expected) noexcept {
    why_ = error{code}.with_expected(expected);
    return false;
  }
  [[nodiscard]] error& why() noexcept { return *why_; }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  /// Polls while nothing is written for a long time.
  struct listener {
    output* of;
    [[nodiscard]] bool operator()(std::uint64_t, std::uint64_t) const noexcept {
      return of->tell(progress_ref::unknown);
    }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->progress_); }
  };
  /// Reports the end. Returns false if the progress callback cancels.
  [[nodiscard]] bool finish() noexcept { return !progress_ || tell(size()); }
  /// Removes everything that was written. If the progress callback threw an exception, throws it
  /// again.
  void undo() {
    static_cast<void>(to_.resize(start_));
#ifdef __cpp_exceptions
    if (thrown_) std::rethrow_exception(thrown_);
#endif
  }

private:
  /// Called before the output exceeds `poll_at_`: checks the maximum size, and polls.
  INGOT_COLD bool should_continue(std::size_t head, std::size_t payload) noexcept {
    if (head > max_size_ - size() || payload > max_size_ - size() - head)
      return reject(errc::too_large, "no more bytes than max_bytes");
    if (size() != 0 && !tell(progress_ref::unknown)) return false;
    poll_at_ = size() + std::min(max_size_ - size(), std::max(report_interval, head + payload));
    return true;
  }
  [[nodiscard]] bool tell(std::uint64_t total) noexcept {
#ifdef __cpp_exceptions
    try {
      if (progress_(size(), total)) return true;
    } catch (...) {
      thrown_ = std::current_exception();
    }
#else
    if (progress_(size(), total)) return true;
#endif
    cancelled_ = true;
    why_ = error{errc::cancelled, size()};
    return false;
  }

  buffer& to_;
  std::size_t start_;
  std::size_t max_size_;
  std::size_t poll_at_; ///< `put` calls `should_continue` before the output exceeds this size
  progress_ref progress_;
  bool cancelled_ = false;
  pending_error why_;
#ifdef __cpp_exceptions
  std::exception_ptr thrown_;
#endif
};

/// Result of `unwrap` for an object. `plain`: no wrapped value; `prefix`: a tag was written, and
/// its content follows; `whole`: the value was written.
enum class unwrapped : std::uint8_t { plain, prefix, whole, failed };

/// Walks over the values. `Form` has a function for each kind of value; `array(count)` and
/// `map(count)` are called before the elements or members. If keys that begin with `$` mark wrapped
/// values, `unwrap(value&)` is called for each object.
template <class Form>
class walk {
public:
  template <class Options>
  walk(output& out, Form& form, const Options& options) noexcept
      : out_(out), form_(form), sorts_(options.order == member_order::sorted),
        unwrap_(options.unsupported_values == unsupported_values::wrap),
        numbers_(options.integer_keys == integer_keys::integers), max_depth_(options.max_depth) {}

  [[nodiscard]] bool write(const value& root) {
    value next = root;
    while (one(next)) {
      while (!open_.empty() && top().next == top().count) {
        if (sorts_ && top().object) sorted_count_ = top().first;
        static_cast<void>(open_.pop());
      }
      if (open_.empty()) return true;
      if (!step(next)) break;
    }
    if (out_.cancelled()) return false;
    for (std::size_t i = open_.size(); i-- > 0;) {
      const container& each = open_[i];
      const std::uint32_t inner = i + 1 == open_.size() ? depth_ : open_[i + 1].depth - 1;
      in_tags(inner - each.depth);
      if (each.next == 0) continue;
      if (each.object) out_.why().in_member(entry_of(each, each.next - 1).key);
      else out_.why().in_element(each.next - 1);
    }
    in_tags(open_.empty() ? depth_ : open_[0].depth - 1);
    return false;
  }

private:
  struct container {
    value of;
    std::uint32_t next;
    std::uint32_t count;
    std::size_t first;   ///< index of its first member in `sorted_`
    std::uint32_t depth; ///< nesting depth, which counts this container and the objects of its tags
    bool object;
  };
  struct entry {
    std::string_view key;
    value mapped;
  };

  [[nodiscard]] container& top() noexcept { return open_[open_.size() - 1]; }
  /// Adds one step to the path of the error for each of the `count` tags around the value. In the
  /// document, each tag is an object that has its content in the member `$value`.
  void in_tags(std::uint32_t count) {
    for (; count != 0; --count) out_.why().in_member("$value");
  }
  [[nodiscard]] bool reject(errc code, std::string_view expected) noexcept {
    return out_.reject(code, expected);
  }
  [[nodiscard]] bool too_deep() noexcept { return reject(errc::too_deep, "no more levels than max_depth"); }

  [[nodiscard]] entry entry_of(const container& object, std::uint32_t index) noexcept {
    if (sorts_) return sorted_[object.first + index];
    const doc::element_iterator<value> at(object.of, index);
    return {at.key(), *at};
  }
  /// Moves to the next value of the innermost container. For a member, writes its key.
  [[nodiscard]] bool step(value& next) {
    container& in = top();
    const std::uint32_t index = in.next++;
    depth_ = in.depth;
    if (!in.object) {
      next = in.of[std::size_t{index}];
      return true;
    }
    const entry member = entry_of(in, index);
    next = member.mapped;
    return key(member.key);
  }
  [[nodiscard]] bool key(std::string_view name) {
    if (unwrap_ && is_reserved_key(name)) name.remove_prefix(1);
    if (const auto number = numbers_ ? integer_of(name) : key_integer{}; number.is_integer)
      return number.is_negative ? form_.integer(static_cast<std::int64_t>(~number.magnitude))
                                : form_.natural(number.magnitude);
    return text(name);
  }
  /// The integer that a key represents: `magnitude`, or -1 minus `magnitude`.
  struct key_integer {
    bool is_integer = false;
    bool is_negative = false;
    std::uint64_t magnitude = 0;
  };
  [[nodiscard]] static key_integer integer_of(std::string_view key) noexcept {
    key_integer parsed;
    parsed.is_negative = key.starts_with('-');
    if (parsed.is_negative) key.remove_prefix(1);
    if (key.empty() || key[0] < '0' || key[0] > '9' ||
        (key[0] == '0' && (key.size() > 1 || parsed.is_negative)))
      return {};
    const auto [end, failed] = std::from_chars(key.data(), key.data() + key.size(), parsed.magnitude);
    parsed.is_integer = failed == std::errc() && end == key.data() + key.size();
    if (parsed.is_negative && --parsed.magnitude >> 63 != 0) return {};
    return parsed;
  }
  [[nodiscard]] bool one(value& next) {
    depth_ = open_.empty() ? 0 : top().depth;
    while (unwrap_ && next.is_object()) {
      // A wrapped value counts as a level, because readers make an object of it.
      if (depth_ >= max_depth_) return too_deep();
      const unwrapped what = form_.unwrap(next);
      if (what == unwrapped::plain) {
        if (!has_reserved_key(next)) break;
        return reject(errc::invalid_value, "a wrapped value, or one more $ in front of the key");
      }
      if (what != unwrapped::prefix) return what == unwrapped::whole;
      ++depth_;
    }
    return next.visit([&]<class... Found>(const Found&... found) {
      if constexpr (sizeof...(Found) == 0) return reject(errc::missing_member, "a value that exists");
      else return leaf(next, found...);
    });
  }
  [[nodiscard]] static bool has_reserved_key(const value& object) {
    static constexpr document_key reserved[] = {"$tag", "$simple", "$ext", "$seconds"};
    return std::ranges::any_of(reserved, [&](const document_key& key) { return object.find(key).exists(); });
  }
  [[nodiscard]] bool leaf(const value&, std::nullptr_t) { return form_.null(); }
  [[nodiscard]] bool leaf(const value&, bool b) { return form_.boolean(b); }
  [[nodiscard]] bool leaf(const value&, std::int64_t n) { return form_.integer(n); }
  [[nodiscard]] bool leaf(const value&, std::uint64_t n) { return form_.natural(n); }
  // Passes the stored bits, because some machines change the bits of a NaN that is passed as a
  // double.
  [[nodiscard]] bool leaf(const value& of, double) { return form_.real(doc::access::item_of(of).number); }
  [[nodiscard]] bool leaf(const value&, std::string_view t) { return text(t); }
  [[nodiscard]] bool leaf(const value&, bytes_view b) { return form_.binary(b); }
  [[nodiscard]] bool leaf(const value& of, const doc::element_range<value>& elements) {
    if (depth_ >= max_depth_) return too_deep();
    return form_.array(elements.size()) && enter(of, elements.size(), false);
  }
  [[nodiscard]] bool leaf(const value& of, const doc::member_range<value>& members) {
    if (depth_ >= max_depth_) return too_deep();
    if (!form_.map(members.size()) || !enter(of, members.size(), true)) return false;
    return !sorts_ || sort(top());
  }
  [[nodiscard]] bool text(std::string_view t) {
    return is_text(t) ? form_.text(t) : reject(errc::invalid_utf8, "text that is UTF-8");
  }
  [[nodiscard]] bool enter(const value& of, std::size_t count, bool object) {
    if (!open_.push({of, 0, static_cast<std::uint32_t>(count), sorted_count_, depth_ + 1, object}))
      return reject(errc::no_memory, "memory for the open containers");
    ++depth_; // counts this container; tags inside it are counted later
    return true;
  }
  [[nodiscard]] bool sort(const container& object) {
    // Removes the sorted keys of objects that are complete.
    while (sorted_.size() > sorted_count_) static_cast<void>(sorted_.pop());
    for (std::uint32_t i = 0; i < object.count; ++i) {
      const doc::element_iterator<value> at(object.of, i);
      if (!sorted_.push({at.key(), *at})) return reject(errc::no_memory, "memory for sorted keys");
    }
    const auto before = [this](const entry& a, const entry& b) {
      if (numbers_) {
        const key_integer one = integer_of(a.key);
        const key_integer other = integer_of(b.key);
        if (one.is_integer != other.is_integer) return one.is_integer;
        if (one.is_integer)
          return one.is_negative != other.is_negative ? other.is_negative : one.magnitude < other.magnitude;
      }
      return a.key.size() != b.key.size() ? a.key.size() < b.key.size() : a.key < b.key;
    };
    const output::listener ask{&out_};
    listener_poll each(ask);
    if (!cancellable_sort(sorted_.begin() + sorted_count_, sorted_.end(), before, each)) return false;
    sorted_count_ = sorted_.size();
    return true;
  }

  output& out_;
  Form& form_;
  bool sorts_;
  bool unwrap_;
  bool numbers_;
  std::uint32_t max_depth_;
  std::uint32_t depth_ = 0; ///< number of containers and tags around the value
  doc::plain_list<container> open_;
  doc::plain_list<entry> sorted_;
  std::size_t sorted_count_ = 0;
};

[[nodiscard]] inline value root_of(const value& v) noexcept { return v; }
[[nodiscard]] inline value root_of(const document& d) noexcept { return d.root(); }

/// Appends to a buffer. After an error the buffer is unchanged.
template <class Form, class Options>
[[nodiscard]] result<std::size_t> append(buffer& to, const value& from, const Options& options) {
  output out(to, options.max_bytes, options.progress);
  Form form(out, options);
  if (walk<Form>(out, form, options).write(from) && out.finish()) return out.size();
  out.undo();
  return fail(out.why());
}
/// Writes to a sink that is no buffer, with one write.
template <class Form, sink S, class Options>
[[nodiscard]] result<std::size_t> write_to(S& to, const value& from, const Options& options) {
  buffer encoded;
  const auto written = append<Form>(encoded, from, options);
  if (!written) return written;
  return put_bytes(to, encoded);
}

}}} // namespace ingot::INGOT_V1::detail::interchange
