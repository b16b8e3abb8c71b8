// SPDX-License-Identifier: Apache-2.0
// The functions that `ingot::cbor` and `ingot::msgpack` have in common. Each function is an object
// of one of the types here.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/document/detail/interchange_documents.hpp>
#include <ingot/document/detail/interchange_write.hpp>
#include <ingot/document/document.hpp>

#include <concepts>
#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// The decoder and the encoder of a format, and the options of both.
template <class Tokens, class Form, class ReadOptions, class WriteOptions>
struct format {
  using tokens = Tokens;
  using form = Form;
  using read_options = ReadOptions;
  using write_options = WriteOptions;
};

/// Reads a document from bytes that are exactly one value. Integers and reals keep their value.
/// Errors have the position of the rejected value and its path; a repeated key is found only at the
/// end of its object. The document can grow to `max_size`. Without `max_size`, the document can
/// grow to the maximum size that any value of `bytes.size()` bytes needs, and at least to the
/// default maximum size. Nothing is recursive. O(n), and O(k log k) for a map of k keys.
template <class Format>
struct read_document_call {
  [[nodiscard]] result<document> operator()(bytes_view bytes, max_block_size max_size,
                                            const typename Format::read_options& options = {}) const {
    return read_document<typename Format::tokens>(bytes, options, max_size);
  }
  [[nodiscard]] result<document> operator()(bytes_view bytes,
                                            const typename Format::read_options& options = {}) const {
    return (*this)(bytes, max_block_size_of(bytes.size(), options.unsupported_values), options);
  }
};

/// Reads the first value of the bytes, and moves the beginning of `bytes` to the end of the value.
/// After an error `bytes` is unchanged.
template <class Format>
struct read_next_call {
  [[nodiscard]] result<document> operator()(bytes_view& bytes, max_block_size max_size,
                                            const typename Format::read_options& options = {}) const {
    return read_next<typename Format::tokens>(bytes, options, max_size);
  }
  [[nodiscard]] result<document> operator()(bytes_view& bytes,
                                            const typename Format::read_options& options = {}) const {
    return (*this)(bytes, document::default_max_block_size, options);
  }
};

/// Overwrites a value inside a document with the value of the bytes. After an error the old value
/// is unchanged.
template <class Format>
struct read_into_call {
  [[nodiscard]] result<void> operator()(const value_ref& to, bytes_view bytes,
                                        const typename Format::read_options& options = {}) const {
    return read_into<typename Format::tokens>(to, bytes, options);
  }
};

/// Emits the value as events to `to`. The policy of `to` decides about repeated keys. After an
/// error `to` has received a part of the value.
template <class Format>
struct read_events_call {
  [[nodiscard]] result<void> operator()(document_events& to, bytes_view bytes,
                                        const typename Format::read_options& options = {}) const {
    return read_whole<typename Format::tokens>(bytes, to, options);
  }
};

/// Appends a value or document to a sink, and returns the number of bytes. Integers, lengths and
/// reals take the fewest bytes that hold them exactly. Nothing is recursive. O(n), and O(n log n)
/// for sorted keys. After an error the sink is unchanged. Errors, with the path: `missing_member`
/// for an absent value, `invalid_utf8`, `too_large` above `max_bytes`, `no_memory`, `no_space` for
/// a full sink.
template <class Format>
struct write_to_call {
  template <sink S, doc::value_like From>
  [[nodiscard]] result<std::size_t> operator()(S& to, const From& from,
                                               const typename Format::write_options& options = {}) const {
    using form = typename Format::form;
    const value root = root_of(from);
    if constexpr (std::same_as<S, buffer>) return append<form>(to, root, options);
    else return write_to<form>(to, root, options);
  }
};

/// Writes a value or document to a new buffer. Errors and complexity are those of `write_to_call`.
template <class Format>
struct write_call {
  template <doc::value_like From>
  [[nodiscard]] result<buffer> operator()(const From& from,
                                          const typename Format::write_options& options = {}) const {
    result<buffer> encoded;
    const auto written = append<typename Format::form>(*encoded, root_of(from), options);
    if (!written) encoded = fail(written.error());
    return encoded;
  }
};

}}} // namespace ingot::INGOT_V1::detail::interchange
