// SPDX-License-Identifier: Apache-2.0
// The calls that `ingot::cbor` and `ingot::msgpack` have in common: each is an object of theirs, to be called as a function.
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

/// What takes the bytes of a format apart and what writes them, and the options of both.
template <class Tokens, class Form, class ReadOptions, class WriteOptions>
struct format {
  using tokens = Tokens;
  using form = Form;
  using read_options = ReadOptions;
  using write_options = WriteOptions;
};

/// A document of the one value that all of the bytes are. Integers and reals keep their value. Errors carry the byte at which what was
/// refused begins, and the path to it; a repeated key is found where its object ends. The document can grow to `most`, or, without, as
/// far as values of so many bytes can need, and to the usual ceiling at least. Nothing recursive; O(n), and O(k log k) for a map of k keys.
template <class Format>
struct read_document_call {
  [[nodiscard]] result<document> operator()(bytes_view bytes, const typename Format::read_options& options,
                                            ceiling most) const {
    return read_document<typename Format::tokens>(bytes, options, most);
  }
  [[nodiscard]] result<document> operator()(bytes_view bytes,
                                            const typename Format::read_options& options = {}) const {
    return (*this)(bytes, options, ceiling_of(bytes.size(), options.extras));
  }
};

/// Reads the value that the bytes begin with, and moves `bytes` behind it; after an error they are as they were.
template <class Format>
struct read_next_call {
  [[nodiscard]] result<document> operator()(bytes_view& bytes,
                                            const typename Format::read_options& options = {},
                                            ceiling most = document::default_ceiling) const {
    return read_next<typename Format::tokens>(bytes, options, most);
  }
};

/// Overwrites a value inside a document with the one that the bytes are. After an error it is as it was.
template <class Format>
struct read_into_call {
  [[nodiscard]] result<void> operator()(const value_ref& to, bytes_view bytes,
                                        const typename Format::read_options& options = {}) const {
    return read_into<typename Format::tokens>(to, bytes, options);
  }
};

/// Tells the value to whoever takes events; of keys that repeat, what `to` says counts. After an error `to` was told some of it.
template <class Format>
struct read_events_call {
  [[nodiscard]] result<void> operator()(bytes_view bytes, document_events& to,
                                        const typename Format::read_options& options = {}) const {
    return read_whole<typename Format::tokens>(bytes, to, options);
  }
};

/// Appends a value or document to a sink; returns how many bytes that took. Integers, lengths and reals take the fewest bytes that hold
/// them exactly. After an error the sink is as it was. Errors carry the path: missing_member for an absent value, invalid_utf8, too_large
/// past `max_size`, no_memory, no_space for a sink without room. Nothing recursive; O(n), and O(n log n) for sorted keys.
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

/// The same as bytes of their own.
template <class Format>
struct write_call {
  template <doc::value_like From>
  [[nodiscard]] result<buffer> operator()(const From& from,
                                          const typename Format::write_options& options = {}) const {
    result<buffer> made;
    const auto written = append<typename Format::form>(*made, root_of(from), options);
    if (!written) made = fail(written.error());
    return made;
  }
};

}}} // namespace ingot::INGOT_V1::detail::interchange
