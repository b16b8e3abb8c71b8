// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/file/detail/log_file.hpp>
#include <ingot/file/recover.hpp>

namespace ingot { inline namespace INGOT_V1 {

result<log_recovery> recover(path_ref path, const recover_options& options, file_system& system) {
  return detail::catch_bad_alloc([&]() -> result<log_recovery> {
    const bool cuts = options.how == recovery::truncate;
    auto log = detail::log_input::open(system, path, cuts ? file_open_mode::append : file_open_mode::read,
                                       options.progress);
    if (!log) return fail(log.error());
    if (cuts) {
      if (auto locked = detail::lock_log(log->file()); !locked) return fail(locked.error());
    }
    if (auto skipped = detail::skip_records(*log); !skipped) return fail(skipped.error());
    log_recovery found{log->records(), log->position(), log->lost_bytes(), log->why()};
    if (cuts && found.lost_bytes != 0) {
      if (auto cut = detail::cut_log(log->file(), found.valid_bytes); !cut) return fail(cut.error());
    }
    return found;
  });
}

}} // namespace ingot::INGOT_V1
