// SPDX-License-Identifier: Apache-2.0
// A document made from events, in one pass over what it is made of.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/document/document.hpp>
#include <ingot/live/detail/told_growth.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace ingot::inline v1 {

struct document_writer_options {
  /// Of members with the same key in an object.
  key_policy repeated_keys = key_policy::error;
  /// Containers inside one another. None costs stack; a level of them takes some 40 bytes while it is open.
  std::size_t max_depth = static_cast<std::size_t>(-1);
  /// How far the document can grow.
  ceiling most = document::default_ceiling;
  /// Whether the document is compacted when it is finished: objects then share equal keys, for one more copy.
  bool compact = false;
  /// Told of the bytes that the document has, in which what has not ended is not counted; how many they will be is `progress_ref::unknown` until it is finished.
  /// For who says no, events do nothing any more, and `finish` is `cancelled`; there it throws what was thrown. Of a document that was there already nobody is told.
  progress_ref progress{};
};

/// Makes a document from a value told in order, see `document_events`:
///
///     ingot::document_writer to;
///     to.begin_object();
///     to.key("price"), to.number(3.25);
///     to.end();
///     ingot::result<ingot::document> order = to.finish();
///
/// Each container is written once, when it ends, as canonical form has it inside. Takes memory for what has not ended.
class document_writer : public document_events {
public:
  explicit document_writer(const document_writer_options& options = {})
      : document_events(nullptr, options.repeated_keys, options.max_depth), options_(options) {
    restart();
  }
  /// Writes into a document that is there already, `document::in(span)` for one, and grows no further than that: what it
  /// held is replaced when the writer finishes, and stays when it fails.
  document_writer(document&& into, const document_writer_options& options = {})
      : document_events(into ? into.core_.get() : nullptr, options.repeated_keys, options.max_depth),
        options_(options), doc_(std::move(into)) {
    if (!doc_) stop(errc::no_space);
    else doc_.core_->hold(true); // its handles may change it meanwhile
  }

  ~document_writer() { document_events::restart(nullptr); } // while its document is there

  /// The document; or the first error, without offset: no_space, no_memory, duplicate_key, too_deep, or invalid_value when the events make no
  /// value, or none yet. Afterwards the writer takes no events, but for `restart`.
  [[nodiscard]] result<document> finish() {
    using detail::doc::outcome;
    const auto value = made();
    if (!good()) return failed();
    detail::doc::location root;
    if (detail::doc::tree(*doc_.core_).write(root, value) != outcome::done) stop(errc::no_space);
    if (!good()) return failed();
    forget();
    if (told_) {
      const auto heard = told_->finish(true);
      if (!heard) return stop(errc::no_memory), fail(heard.error()); // the document is not to be had
    }
    if (good()) {
      if (options_.compact && !doc_.try_compact()) stop(errc::no_memory);
    }
    if (!good()) return fail(why());
    return give_back();
  }
  /// Forgets everything and begins a document in fresh memory; lists of the writer keep theirs.
  void restart() {
    document_events::restart(nullptr);
    told_.reset();
    doc_ = document(document::none{});
    auto fresh = document::begin(options_.most);
    if (!fresh) {
      stop(errc::no_memory);
      return;
    }
    doc_ = std::move(*fresh);
    document_events::restart(doc_.core_.get());
    if (options_.progress) told_.emplace(doc_.core_->owned(), options_.progress, progress_ref::unknown);
  }
  /// The document of a writer that failed or was not finished, as it was given; handles are as good as before.
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
      const auto heard = told_->finish(false);
      if (heard.error().code() == errc::cancelled) return fail(heard.error());
    }
    return fail(why());
  }

  document_writer_options options_;
  document doc_{document::none{}};
  std::optional<detail::told_growth<narrow_policy>> told_; ///< gone before the document's memory
};

} // namespace ingot::inline v1
