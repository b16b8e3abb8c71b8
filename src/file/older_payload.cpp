// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/older_payload.hpp>
#include <ingot/pack/detail/evolution_plan.hpp>
#include <ingot/pack/detail/evolution_source.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/pack/detail/evolution_writer.hpp>
#include <ingot/schema/description.hpp>

#include <memory>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

buffer description_bytes(type_describer describe) { return schema_bytes(schema_marks::of_walk(describe)); }

result<buffer> read_bytes(const input_file& file, const load_options& options) {
  const auto size = file.payload_size(options.max_bytes);
  if (!size) return fail(size.error());
  buffer bytes;
  if (!bytes.resize(*size)) return file.no_memory();
  if (auto read = file.load_payload({bytes.data(), bytes.size()}, options); !read) return fail(read.error());
  return bytes;
}

struct older_version::conversion {
  std::shared_ptr<const evolution_plan> plan;
};

older_version::~older_version() { delete plan_; }

result<older_version> older_version::of(const input_file& file, type_drawer type) {
  const auto bytes = file.read_schema();
  if (!bytes) return fail(bytes.error());
  const auto before = ingot::read_schema(as_bytes_view(*bytes));
  if (!before) {
    error err = before.error();
    return file.about(err.with_offset(err.offset() + static_cast<std::size_t>(file.header().schema_at())));
  }
  if (before->empty())
    return file.about(error{errc::schema_mismatch}.with_expected("a schema that is not empty"));
  auto plan = plan_evolution(graph_of(*before), graph_of_type(type));
  if (!plan) return file.about(plan.error());
  return older_version(new conversion{std::move(*plan)});
}

namespace {

template <class Validator, class Source>
[[nodiscard]] result<void> rewrite_by(const evolution_plan& plan, bytes_view bytes, std::uint64_t limit,
                                      std::vector<std::byte>& storage, progress_tracker* tracker) {
  Validator check(*plan.before, bytes);
  check.tell_of(tracker);
  if (!check.run()) return check.failure();
  if (tracker != nullptr) tracker->begin_pass();
  auto message =
      evolution_writer<Source>(plan, Source(*plan.before, bytes), tracker, bytes.size(), limit).run();
  if (!message) return fail(message.error());
  storage = std::move(*message);
  if (tracker != nullptr) tracker->begin_pass();
  return {};
}

} // namespace

result<void> older_version::rewrite(bytes_to_decode& what, std::vector<std::byte>& storage,
                                    progress_tracker* tracker) const {
  const evolution_plan& plan = *plan_->plan;
  if (!what.is_compact && plan.pairs[0].is_same) return {}; // only names of the two versions differ
  // The limit is computed from the size of the bytes in the file, because the rewritten bytes may
  // be longer.
  const std::uint64_t limit = memory_limit(what.limits.max_memory, what.bytes.size());
  auto rewritten =
      what.is_compact
          ? rewrite_by<compact_validator, compact_source>(plan, what.bytes, limit, storage, tracker)
          : rewrite_by<packed_validator, packed_source>(plan, what.bytes, limit, storage, tracker);
  if (!rewritten) return rewritten;
  what = {storage, false, true, {limit, what.limits.max_collisions}};
  return {};
}

}}} // namespace ingot::INGOT_V1::detail
