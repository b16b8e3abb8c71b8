// SPDX-License-Identifier: Apache-2.0
// Writes arrays of values that contain no other value, and integers as keys.
#include "direct_output.hpp"

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

/// Writes the elements of an array by `put`, which returns false after an error. Returns the number
/// of elements before an error.
template <class Put>
[[nodiscard]] INGOT_INLINE std::size_t put_list(text_writer& writer, std::size_t count, Put put) {
  direct_output out(writer);
  for (std::size_t i = 0; i != count; ++i) {
    if (out.is_indented()) [[unlikely]] {
      out.suspend();
      writer.element();
      out.resume();
      if (!out.reserve(number_space)) return i;
    } else {
      if (!out.reserve(1 + number_space)) return i;
      if (i != 0) out.put(',');
    }
    if (!put(out, i)) return i;
  }
  out.suspend();
  return count;
}

template <scalar Code, class T>
std::size_t put_scalars(text_writer& writer, const void* first, std::size_t count) {
  return put_list(writer, count,
                  [from = static_cast<const T*>(first)](direct_output& out, std::size_t i)
                      INGOT_INLINE_LAMBDA { return out.put_scalar(Code, from + i); });
}

/// Writes a key. `put` writes the text of the key to a position, and returns the end of this text.
template <class Put>
[[nodiscard]] INGOT_INLINE bool put_integer_key(text_writer& writer, Put put) {
  direct_output out(writer);
  if (out.is_indented()) [[unlikely]] {
    char text[max_integer_size];
    return writer.key({text, put(text)});
  }
  if (!out.reserve(number_space)) return false;
  out.put_integer_key(put);
  out.suspend();
  return true;
}

} // namespace

bool write_natural_key(text_writer& writer, std::uint64_t value) {
  return put_integer_key(writer, [value](char* to) { return put_natural(to, value); });
}
bool write_integer_key(text_writer& writer, std::int64_t value) {
  return put_integer_key(writer, [value](char* to) { return put_integer(to, value); });
}

bool write_scalars(text_writer& writer, scalar code, const void* first, std::size_t count) {
  if (!writer.open_array()) return false;
  const std::size_t done = [&] {
    switch (code) {
    case scalar::boolean: return put_scalars<scalar::boolean, bool>(writer, first, count);
    case scalar::i8: return put_scalars<scalar::i8, std::int8_t>(writer, first, count);
    case scalar::i16: return put_scalars<scalar::i16, std::int16_t>(writer, first, count);
    case scalar::i32: return put_scalars<scalar::i32, std::int32_t>(writer, first, count);
    case scalar::i64: return put_scalars<scalar::i64, std::int64_t>(writer, first, count);
    case scalar::u8: return put_scalars<scalar::u8, std::uint8_t>(writer, first, count);
    case scalar::u16: return put_scalars<scalar::u16, std::uint16_t>(writer, first, count);
    case scalar::u32: return put_scalars<scalar::u32, std::uint32_t>(writer, first, count);
    case scalar::u64: return put_scalars<scalar::u64, std::uint64_t>(writer, first, count);
    case scalar::f32: return put_scalars<scalar::f32, float>(writer, first, count);
    case scalar::f64: return put_scalars<scalar::f64, double>(writer, first, count);
    default: return put_scalars<scalar::string, std::string>(writer, first, count);
    }
  }();
  if (done != count) {
    writer.error().in_element(done);
    return false;
  }
  writer.close_array();
  return true;
}

}}} // namespace ingot::INGOT_V1::json::detail
