// SPDX-License-Identifier: Apache-2.0
// Decodes lists while their file is read, in pieces that fit in the processor's cache. The payload
// is not stored as a whole, and each element is written once.
//
// These readers report only that a list is invalid, not the reason. The caller then reads the whole
// payload again for an error with position and path. These readers validate what `unpack`
// validates, with the same functions.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/file/detail/payload_stream.hpp>
#include <ingot/file/options.hpp>
#include <ingot/pack/unpack.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// True for lists that can grow piece by piece, and whose elements can be constructed before their
/// values are read.
template <class List>
consteval bool is_streamed_list() {
  if constexpr (!is_list<List>) {
    return false;
  } else {
    using element = list_element_t<List>;
    if constexpr (is_sorted_list<List> || is_evolvable<element> || element_stride<element> == 0 ||
                  !std::is_default_constructible_v<element>) {
      return false;
    } else {
      return requires(List& list, std::size_t n) {
        list.resize(n);
        list.reserve(n);
        { list[n] } -> std::same_as<element&>;
        { list.data() } -> std::same_as<element*>;
      };
    }
  }
}
template <class T>
inline constexpr bool is_streamed = is_streamed_list<T>();

/// True for elements that have the same bytes in the file and in memory, and for which any bytes
/// are valid.
template <class List>
inline constexpr bool is_streamed_bulk =
    is_bitwise<list_element_t<List>> && any_bytes_valid<list_element_t<List>>;

/// True if `resize` probably leaves new elements uninitialised, because the allocator has its own
/// `construct`. Elements whose members have initialisers are excluded. If the answer is wrong,
/// reading only takes longer.
template <class List>
concept resizes_uninitialized =
    std::is_trivially_default_constructible_v<list_element_t<List>> &&
    requires(typename List::allocator_type& allocator, list_element_t<List>* at) {
      allocator.construct(at);
    } && !requires(typename List::allocator_type& allocator) { allocator.resource(); };

template <class List>
[[nodiscard]] std::span<std::byte> bytes_of(List& list, std::size_t first, std::size_t count) {
  return std::as_writable_bytes(std::span(list.data() + first, count));
}

template <class List>
[[nodiscard]] result<bool> stream_bulk(List& out, std::size_t count, payload_stream& in) {
  const bool fresh = will_be_fresh(out, count);
  // Existing elements are overwritten; if all elements exist, one read fills them all.
  if (resizes_uninitialized<List> || count <= out.size()) {
    if (out.size() != count) out.resize(count);
    if (auto read = in.read(bytes_of(out, 0, count), fresh ? pages::fresh : pages::there); !read)
      return fail(read.error());
    return true;
  }
  // `resize` zeroes new elements. So the list grows by one piece at a time: the piece is still in
  // the cache when the file is read into its elements.
  constexpr std::size_t piece = std::max<std::size_t>(pages_step / sizeof(list_element_t<List>), 1);
  out.clear();
  out.reserve(count);
  pages_ahead<List> ahead(out, count, fresh);
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = std::min(piece, count - done);
    ahead.reach(done + n);
    out.resize(done + n);
    if (auto read = in.read(bytes_of(out, done, n)); !read) return fail(read.error());
    done += n;
  }
  return true;
}

/// Reads elements that have a fixed size in the file. Their bytes in memory differ from those in
/// the file, or their values must be validated.
template <class List>
[[nodiscard]] result<bool> stream_fixed(List& out, std::size_t count, payload_stream& in,
                                        const input_file& file) {
  using element = list_element_t<List>;
  constexpr std::size_t stride = element_stride<element>;
  constexpr std::size_t piece = std::max<std::size_t>(payload_stream::step / stride, 1);
  buffer piece_storage;
  if (!piece_storage.resize(std::min(piece, count) * stride)) return file.no_memory();
  if (out.size() > count) out.resize(count);
  pages_ahead<List> ahead(out, count, will_be_fresh(out, count));
  out.reserve(count);
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = std::min(piece, count - done);
    const auto bytes = std::span(piece_storage.data(), n * stride);
    if (auto read = in.read(bytes); !read) return fail(read.error());
    ahead.reach(done + n);
    if (out.size() < done + n) out.resize(done + n);
    reader r{bytes};
    const list_shape shape{bytes.data(), n, stride, 0, bytes.data() + bytes.size(), 0};
    const std::byte* at = shape.elements;
    end_type previous = 0;
    for (std::size_t i = 0; i < n; ++i, at += stride) {
      if (!read_element<element>(r, shape, at, previous, out[done + i], 1)) return false;
    }
    done += n;
  }
  return true;
}

/// Subtracts `by` from every end in the slot (the fixed part) of a `T`. An end is the position in
/// the tail after a variable part. After this, ends count from a position that is `by` bytes
/// further in the tail. Requires that the ends were checked.
template <class T>
void lower_ends(std::byte* at, end_type by) noexcept {
  if constexpr (!is_level_checked<T>) {
    return;
  } else if constexpr (is_variable_leaf<T>) {
    store_le<end_type>(at, load_le<end_type>(at) - by);
  } else if constexpr (kind_of<T> == kind::adapted) {
    lower_ends<adapted_t<T>>(at, by);
  } else if constexpr (kind_of<T> == kind::array) {
    for (std::size_t i = 0; i < array_size<T>; ++i)
      lower_ends<element_t<T>>(at + i * slot_size<element_t<T>>, by);
  } else if constexpr (has_parts<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<T>::template skipped<J>)
          lower_ends<typename parts<T>::template type<J>>(at + part_offsets<T>[J], by);
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<parts<T>::count>{});
  } // other kinds store no ends (in a slot, alternatives of a tagged value have a fixed size)
}

/// The tail that the elements of a list share: their variable parts. Only a window of the tail is
/// in memory.
class streamed_tail {
public:
  streamed_tail(payload_stream& in, end_type size) noexcept : in_(in), size_(size) {}

  [[nodiscard]] end_type size() const noexcept { return size_; }
  /// Returns the position of the window in the tail.
  [[nodiscard]] end_type begin() const noexcept { return begin_; }
  [[nodiscard]] bytes_view window() const noexcept { return {storage_.data(), filled_}; }
  /// Moves the window forward until it contains the bytes of the tail from `first` to `last`, and
  /// some bytes after `last`. `first` must not be before the window. Returns false if there is no
  /// memory.
  [[nodiscard]] result<bool> bring(end_type first, end_type last) {
    if (last - begin_ <= filled_) return true;
    const std::size_t passed = first - begin_;
    filled_ -= passed;
    if (filled_ != 0) std::memmove(storage_.data(), storage_.data() + passed, filled_);
    begin_ = first;
    const std::size_t rest = size_ - first;
    const std::size_t wanted =
        std::min(rest, std::max<std::size_t>(last - first, filled_) + payload_stream::step);
    if (!storage_.resize(std::max(wanted, storage_.size()))) return false;
    if (auto read = in_.read({storage_.data() + filled_, wanted - filled_}); !read) return fail(read.error());
    filled_ = wanted;
    return true;
  }

private:
  payload_stream& in_;
  end_type size_;
  end_type begin_ = 0;
  std::size_t filled_ = 0;
  buffer storage_;
};

/// Reads elements with a tail. In the file, the fixed parts of all elements come first.
template <class List>
[[nodiscard]] INGOT_FLATTEN result<bool>
stream_variable(List& out, payload_stream& in, const input_file& file, std::uint32_t max_collisions) {
  using element = list_element_t<List>;
  constexpr std::size_t stride = element_stride<element>;
  if (in.left() < end_size) return false;
  std::array<std::byte, end_size> head;
  if (auto read = in.read(head); !read) return fail(read.error());
  const std::size_t count = load_le<end_type>(head.data());
  if (count > in.left() / stride) return false;
  buffer slots;
  if (!slots.resize(count * stride)) return file.no_memory();
  if (auto read = in.read({slots.data(), slots.size()}, pages::fresh); !read) return fail(read.error());
  if (out.size() != count) resize_fresh(out, count);
  streamed_tail tail(in, static_cast<end_type>(in.left()));
  end_type previous = 0;
  reader r{tail.window()};
  r.memory_left = memory_limit(read_limits::by_input, count * stride + in.left());
  r.max_collisions = max_collisions;
  if (!take_memory(r, r.base, count * element_cost<List>())) return false;
  std::byte* at = slots.data();
  for (std::size_t i = 0; i < count; ++i, at += stride) {
    end_type reached = previous;
    if (level_bad<element>(at, reached, tail.size())) return false;
    if (reached - tail.begin() > tail.window().size()) {
      const auto brought = tail.bring(previous, reached);
      if (!brought) return brought;
      if (!*brought) return file.no_memory();
    }
    r.base = tail.window().data();
    r.end = r.base + tail.window().size();
    lower_ends<element>(at, tail.begin());
    end_type within = previous - tail.begin();
    if (!read_slot<element>(r, at, r.base, within, out[i], 1)) return false;
    previous = reached;
  }
  return previous == tail.size();
}

/// Reads a compressed payload. Several threads decompress the payload directly into the list. In a
/// `std::vector`, threads decompress the first blocks while the calling thread makes the elements
/// for the next blocks. Making an element zeroes its memory. This takes less time than
/// decompressing into other memory and copying.
template <class List>
[[nodiscard]] result<bool> read_compressed_bulk(List& out, std::size_t count, const input_file& file,
                                                const load_options& options) {
  const bool fresh = will_be_fresh(out, count);
  const auto read = [&](pages of, growing_memory* grows) {
    return file.read_payload(bytes_of(out, 0, count), options.checksum, options.threads, of, grows);
  };
  result<void> done;
  if constexpr (resizes_uninitialized<List>) {
    if (out.size() != count) out.resize(count);
    done = read(fresh ? pages::fresh : pages::there, nullptr);
  } else if constexpr (is_specialization<List, std::vector>) {
    if (count > out.size()) {
      out.clear();
      out.reserve(count);
      growing_vector<List> grows(out, count, fresh);
      done = read(pages::there, &grows);
    } else {
      out.resize(count);
      done = read(pages::there, nullptr);
    }
  } else {
    if (out.size() != count) resize_fresh(out, count);
    done = read(pages::there, nullptr);
  }
  if (!done) return fail(done.error());
  return true;
}

/// Reads a packed list into `out`. Returns false if the list is invalid, or if the payload should
/// be read as a whole. The contents of `out` are then unspecified, as after an error.
template <class List>
[[nodiscard]] result<bool> stream_list(List& out, const input_file& file, const load_options& options) {
  using element = list_element_t<List>;
  constexpr std::size_t stride = element_stride<element>;
  const file_info& info = file.header().info;
  if (info.payload_size > std::numeric_limits<end_type>::max() || options.zero_damaged != nullptr)
    return false;
  const auto size = static_cast<std::size_t>(info.payload_size);
  if (is_fixed<element> && size % stride != 0) return false;
  // With a limit for memory, elements of variable size are not streamed. The memory inside the
  // elements is only counted if the payload is read as a whole.
  const std::uint64_t memory = memory_limit(options.max_memory, size);
  if (!is_fixed<element> && options.max_memory != read_limits::by_input) return false;
  if (size / stride > memory / element_cost<List>()) return false;
  if (!info.is_plain()) {
    if constexpr (is_streamed_bulk<List>) return read_compressed_bulk(out, size / stride, file, options);
    else return false;
  }
  payload_stream in(file, options.checksum);
  result<bool> good = false;
  if constexpr (!is_fixed<element>) good = stream_variable(out, in, file, options.max_collisions);
  else if constexpr (is_streamed_bulk<List>) good = stream_bulk(out, size / stride, in);
  else good = stream_fixed(out, size / stride, in, file);
  if (!good || !*good) return good;
  if (auto finished = in.finish(); !finished) return fail(finished.error());
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
