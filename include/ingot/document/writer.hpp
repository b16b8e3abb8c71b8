// SPDX-License-Identifier: Apache-2.0
// Makes a document from events, in one pass over what it is made from.
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

struct document_writer_options {
  /// What becomes of members with the same key in an object.
  key_policy repeated_keys = key_policy::error;
  /// How many containers may lie inside one another. None of them takes stack; an open one takes some 40
  /// bytes.
  std::size_t max_depth = static_cast<std::size_t>(-1);
  /// How far the document can grow.
  max_block_size max_size = document::default_max_block_size;
  /// Whether the finished document is compacted: objects then share equal keys, which takes one more copy.
  bool compact = false;
  /// Is told how many bytes the document has, without the containers that have not ended; how many there will
  /// be is `progress_ref::unknown` until it is finished. If it says no or throws, events do nothing any more,
  /// and `finish` returns `cancelled` or throws what it threw. Not told anything about a document that was
  /// passed in.
  progress_ref progress{};
};

/// Makes a document of a value that is told in order; see `document_events`:
///
///     ingot::document_writer to;
///     to.begin_object();
///     to.key("price"), to.number(3.25);
///     to.end();
///     ingot::result<ingot::document> order = to.finish();
///
/// Each container is written once, when it ends, as it is inside in canonical form. Takes memory for those
/// that have not ended.
class document_writer : public document_events {
public:
  explicit document_writer(const document_writer_options& options = {})
      : document_events(nullptr, options.repeated_keys, options.max_depth), options_(options) {
    restart();
  }
  /// Writes into an existing document, for example `document::in(span)`, and grows no further than that can.
  /// Its former value is replaced when the writer finishes, and stays if the writer fails.
  document_writer(document&& into, const document_writer_options& options = {})
      : document_events(into ? into.core_.get() : nullptr, options.repeated_keys, options.max_depth),
        options_(options), doc_(std::move(into)) {
    if (!doc_) stop(errc::no_space);
    else doc_.core_->hold(true); // its handles may change it meanwhile
  }

  ~document_writer() { document_events::restart(nullptr); } // while its document is there

  /// Returns the document, or the first error, without an offset, with the path to the value that
  /// came next: `no_space`, `no_memory`, `duplicate_key`, `too_deep`, or `invalid_value` when the
  /// events make no value, or none yet. Afterwards the writer takes no events, except after
  /// `restart`.
  [[nodiscard]] result<document> finish() {
    using detail::doc::outcome;
    const auto value = made();
    if (!good()) return failed();
    detail::doc::location root;
    if (detail::doc::tree(*doc_.core_).write(root, value) != outcome::done) stop(errc::no_space);
    if (!good()) return failed();
    forget();
    if (told_) {
      const auto reported = told_->finish(true);
      if (!reported) return stop(errc::no_memory), fail(reported.error()); // the document is not to be had
    }
    if (good()) {
      if (options_.compact && !doc_.try_compact()) stop(errc::no_memory);
    }
    if (!good()) return fail(why());
    return give_back();
  }
  /// Forgets everything and begins a document in fresh memory. The writer's own lists keep their memory.
  void restart() {
    document_events::restart(nullptr);
    told_.reset();
    doc_ = document(document::none{});
    auto fresh = document::begin(options_.max_size);
    if (!fresh) {
      stop(errc::no_memory);
      return;
    }
    doc_ = std::move(*fresh);
    document_events::restart(doc_.core_.get());
    if (options_.progress) told_.emplace(doc_.core_->owned(), options_.progress, progress_ref::unknown);
  }
  /// Returns the document that a writer was given which failed or was not finished, as it was; handles are as
  /// good as before.
  [[nodiscard]] document give_back() noexcept {
    document_events::restart(nullptr);
    told_.reset();
    if (doc_) doc_.core_->hold(false);
    static_cast<void>(refuse("restart() before any further event"));
    return std::move(doc_);
  }

private:
  /// Why it was not finished.
  [[nodiscard]] std::unexpected<error> failed() {
    if (told_) {
      const auto reported = told_->finish(false);
      if (reported.error().code() == errc::cancelled) return fail(reported.error());
    }
    return fail(why_here());
  }

  document_writer_options options_;
  document doc_{document::none{}};
  std::optional<detail::growth_progress<narrow_policy>> told_; ///< gone before the document's memory
};

}} // namespace ingot::INGOT_V1
