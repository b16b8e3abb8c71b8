// SPDX-License-Identifier: Apache-2.0
// The module `ingot`: what core to dynamic offer, all that needs the standard library alone.
//
//   import ingot;
//
// Its names belong to no module (extern "C++"), so that a program may import in one file and include in another. INGOT_REFLECT, a macro, comes from
// <ingot/reflect/members.hpp>; JSON and files, which are compiled, by their headers.
module;

// Who imports can't choose.
#define INGOT_MAX_MEMBERS 128

// Everything of the standard library that the headers include, so that none of it is included below.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <bitset>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <compare>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <expected>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
#include <version>
#if __has_include(<format>)
#include <format>
#endif
#if __has_include(<meta>)
#include <meta>
#endif
#if __has_include(<emmintrin.h>)
#include <emmintrin.h>
#endif
#if __has_include(<unistd.h>)
#include <sys/mman.h>
#include <unistd.h>
#endif

export module ingot;

#if defined(__clang__)
#pragma clang diagnostic ignored "-Winclude-angled-in-module-purview"
#endif

// Operators of std::byte, which templates below use: an importer that does not include <cstddef> would not find them.
export namespace std {
using std::operator&;
using std::operator|;
using std::operator^;
using std::operator~;
using std::operator<<;
using std::operator>>;
using std::operator&=;
using std::operator|=;
} // namespace std

export extern "C++" {
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/core/format.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/conversion.hpp>
#include <ingot/document/changes.hpp>
#include <ingot/document/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/dynamic/pack.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/document/detail/json_pointer.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/document/merge_patch.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/document/peek_editor.hpp>
#include <ingot/document/timestamp.hpp>
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/print.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/ref.hpp>
#include <ingot/live/same_layout_everywhere.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/twin.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/reflect/storable.hpp>
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/previous.hpp>
#include <ingot/schema/schema.hpp>
#include <ingot/schema/to_cpp.hpp>
#include <ingot/schema/to_json_schema.hpp>
#include <ingot/schema/to_proto.hpp>
}
