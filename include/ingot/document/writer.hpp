// SPDX-License-Identifier: Apache-2.0
// Builds a document from events, in one pass over the source.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/document/document.hpp>
#include <ingot/live/detail/growth_progress.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Options of `document_writer`.
struct document_writer_options {
  /// Treatment of repeated keys in an object.
  key_policy repeated_keys = key_policy::error;
  /// Maximum nesting depth of containers. Deep containers take no stack; an open container takes
  /// about 40 bytes of heap memory.
  std::uint32_t max_depth = static_cast<std::uint32_t>(-1);
  /// Maximum size of the document.
  max_block_size max_size = document::default_max_block_size;
  /// Compacts the finished document, so that objects share equal keys. Takes memory for one more
  /// copy.
  bool compact = false;
  /// Reports the bytes of the document, without containers that are not complete. The total is
  /// `progress_ref::unknown` until the document is finished. If the callback returns false or
  /// throws, further events have no effect, and `finish` returns `cancelled` or throws the same
  /// exception. The callback is not called for a document that was passed to the constructor.
  progress_ref progress{};
};

/// Builds a document from the events of a value, which must come in order; see `document_events`:
///
///     ingot::document_writer to;
///     to.begin_object();
///     to.key("price"), to.number(3.25);
///     to.end();
///     ingot::result<ingot::document> order = to.finish();
///
/// Each container is written once, when it ends. The container then has the form of a container
/// inside a canonical document. Takes memory for the containers that are not complete.
class document_writer : public document_events {
public:
  /// Constructs a writer of a new document. If there is no memory, `finish` returns `no_memory`.
  explicit document_writer(const document_writer_options& options = {})
      : document_events(nullptr, options.repeated_keys, options.max_depth), options_(options) {
    restart();
  }
  /// Writes into an existing document, for example `document::in(span)`, up to the maximum size of
  /// that document. The former value is replaced when the writer finishes. If the writer fails, the
  /// former value remains.
  document_writer(document&& into, const document_writer_options& options = {})
      : document_events(into ? into.core_.get() : nullptr, options.repeated_keys, options.max_depth),
        options_(options), doc_(std::move(into)) {
    if (!doc_) stop(errc::no_space);
    else doc_.core_->hold(true); // no defragmentation if handles change the document meanwhile
  }

  ~document_writer() { document_events::restart(nullptr); } // before the document is destroyed

  /// Returns the document, or the first error. The error has no offset; its path is the path at
  /// which the next value was expected. Afterwards the writer accepts no events until `restart`.
  /// Errors: `no_space`, `no_memory`, `duplicate_key`, `too_deep`; `invalid_value` if there were no
  /// events, or the value is not complete.
  [[nodiscard]] result<document> finish() {
    using detail::doc::outcome;
    const auto value = finished_value();
    if (!good()) return failed();
    detail::doc::location root;
    if (detail::doc::tree(*doc_.core_).write(root, value) != outcome::done) stop(errc::no_space);
    if (!good()) return failed();
    forget();
    if (progress_) {
      const auto reported = progress_->finish(true);
      // `finish` returns this error instead of the document. So the writer stops, and accepts no
      // events until `restart`.
      if (!reported) return stop(errc::no_memory), fail(reported.error());
    }
    if (good()) {
      if (options_.compact && !doc_.try_compact()) stop(errc::no_memory);
    }
    if (!good()) return fail(why());
    return give_back();
  }
  /// Discards all events, and begins a document in new memory. The writer's own lists keep their
  /// memory.
  void restart() {
    document_events::restart(nullptr);
    progress_.reset();
    doc_ = document(document::none{});
    auto fresh = document::begin(options_.max_size);
    if (!fresh) {
      stop(errc::no_memory);
      return;
    }
    doc_ = std::move(*fresh);
    document_events::restart(doc_.core_.get());
    if (options_.progress) progress_.emplace(doc_.core_->owned(), options_.progress, progress_ref::unknown);
  }
  /// Returns the document that was passed to the writer, unchanged, if the writer failed or was not
  /// finished. Handles to it stay valid.
  [[nodiscard]] document give_back() noexcept {
    document_events::restart(nullptr);
    progress_.reset();
    if (doc_) doc_.core_->hold(false);
    static_cast<void>(reject("restart() before any further event"));
    return std::move(doc_);
  }

private:
  /// Returns the reason why the document was not finished.
  [[nodiscard]] std::unexpected<error> failed() {
    if (progress_) {
      const auto reported = progress_->finish(false);
      if (reported.error().code() == errc::cancelled) return fail(reported.error());
    }
    return fail(why_here());
  }

  document_writer_options options_;
  document doc_{document::none{}};
  /// Declared last: it must be destroyed before the document's memory.
  std::optional<detail::growth_progress<narrow_policy>> progress_;
};

}} // namespace ingot::INGOT_V1
