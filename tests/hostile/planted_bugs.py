#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the tests: each planted bug in a reader must make the hostile tests fail.

  planted_bugs.py                every bug
  planted_bugs.py --sample       one of them, for the gate, which also runs the tests without bugs
  planted_bugs.py NAME...        these
  planted_bugs.py --list         names and what they break

For each bug the headers are copied to a temporary folder and one line is changed there. The tests
that should detect it are compiled and run against the copy. First they must pass against an
unchanged copy. A patch whose text is no longer in the header also fails: the check has moved, and
the patch must be updated.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/hostile"
FLAGS = ["-std=c++23", "-O0", "-w", "-DINGOT_HEADER_ONLY", "-DINGOT_MAX_MEMBERS=128"]
# A wrong belief about a block appears as a read outside of it, or as a wrong result.
LIVE_FLAGS = ["-fsanitize=address"]
LIVE = ["check_test.cpp", "check_in_order_test.cpp", "reserved_bits_check_test.cpp", "edge_claims_test.cpp", "all_containers_test.cpp"]
DOCUMENT = {"document": ["validation_test.cpp", "placement_test.cpp", "model_test.cpp", "peek_test.cpp"], "limits": ["limits_test.cpp"],
            "edits": ["defragment_test.cpp", "heap_shift_test.cpp", "quick_edit_test.cpp"], "peeks": ["peek_test.cpp", "peek_editor_test.cpp"],
            "lookups": ["key_finder_test.cpp", "text_lookup_test.cpp"], "tags": ["variant_tags_test.cpp"], "made": ["made_values_test.cpp"], "paths": ["error_paths_test.cpp"]}
# Exceptions of callers, full blocks, and memory between unmapped pages need no sanitizer: these
# tests count bytes, and an access outside faults.
ALSO_LIVE = {"failures": ["throwing_test.cpp", "vector_space_test.cpp"], "placement": ["placement_test.cpp"],
             "callbacks": ["callback_test.cpp"], "attacks": ["hash_attack_test.cpp"], "hashes": ["hash_test.cpp"],
             "poison": ["poison_test.cpp"], "ranges": ["flat_range_test.cpp"]}
SANITIZED = {"poison": LIVE_FLAGS}
SCHEMA = {"descriptions": ["description_test.cpp"]}
PACK = {"made_packed": ["made_values_test.cpp"], "validator": ["validator_golden_test.cpp"]}
# Tests of the limits of readers, which are in a layer above most readers.
BOUNDS = {"collisions": ["collisions_test.cpp"], "max_memory": ["max_memory_test.cpp"], "moves": ["flat_moves_test.cpp"]}
MUTANTS = ["prefixes_test.cpp", "flips_test.cpp", "words_test.cpp", "placement_test.cpp"]
# Files are a compiled library: a bug is in one of its sources, and only this one is compiled again.
FILE = ["column_compression", "column_file", "compression", "compressed_file", "damage", "file_info", "load", "log_reader", "log_writer",
        "recover", "save", "edit_file", "edit_file_damage", "streamed_list", "fresh_pages", "bulk_vector",
        "power_cut", "killed"]
FILE_LINK = ["-llz4", "-lzstd"]
# Simulates failures of the C library: the linker redirects its functions to the test, as in
# tests/CMakeLists.txt.
WRAPPED = re.search(r"set\(ingot_wrapped_calls ([^)]*)\)", (ROOT / "tests/CMakeLists.txt").read_text()).group(1).split()
SAMPLE = ["key_order"]


@dataclasses.dataclass
class Bug:
    name: str
    # Path below include/ingot/, or below src/file/ for the tests "file" and "system_calls".
    header: str
    old: str
    new: str
    # Key of test_files(), which chooses the tests that should detect the bug.
    test: str = "mutants"


BUGS = [
    Bug("index_at_the_size", "live/vector.hpp", "INGOT_REQUIRE(i < size_, broken_index(name, i, size_));",
        "INGOT_REQUIRE(i <= size_, broken_index(name, i, size_));", "preconditions"),
    Bug("pop_of_nothing", "live/queue.hpp", 'require_element("pop_front()");', "", "preconditions"),
    Bug("value_that_is_not_there", "live/optional.hpp", 'INGOT_REQUIRE(has_value(), broken_access("ingot::optional", call));',
        "static_cast<void>(call);", "preconditions"),
    Bug("entry_of_the_end", "live/detail/btree_iterator.hpp", "INGOT_REQUIRE(position_.leaf != nullptr, broken_access(name(), call));",
        "static_cast<void>(call);", "preconditions"),
    Bug("iterator_of_another_block", "live/detail/btree_container.hpp", "INGOT_REQUIRE(at.root() == at_.data(),",
        "INGOT_REQUIRE(at.root() != nullptr,", "preconditions"),
    Bug("range_the_wrong_way_round", "live/vector.hpp",
        "INGOT_REQUIRE(position_of(last) <= size_ && position_of(first) <= position_of(last),",
        "INGOT_REQUIRE(position_of(last) <= size_ && position_of(first) <= size_,", "preconditions"),
    Bug("root_of_one_that_was_moved_from", "live/live.hpp", "INGOT_REQUIRE(memory_,", "INGOT_REQUIRE(true,", "preconditions"),
    Bug("alternative_that_is_not_there", "pack/tagged_view.hpp", "INGOT_REQUIRE(index() == I,", "INGOT_REQUIRE(true,", "preconditions"),
    Bug("handler_that_returns", "core/hardening.hpp", "else hardening::print_and_trap(broken); hardening::trap();",
        "else hardening::print_and_trap(broken); std::_Exit(0);", "preconditions"),
    Bug("growth_that_ends_no_iterator", "live/detail/block.hpp", "INGOT_NOTE(data, capacity, moved);", "", "preconditions"),
    Bug("growth_in_place_that_ends_no_iterator", "live/detail/vector_storage.hpp", "INGOT_NOTE(old, 1, moved);", "", "preconditions"),
    Bug("erasure_that_ends_no_iterator", "live/detail/vector_storage.hpp",
        "INGOT_NOTE(from, static_cast<std::size_t>(end - from) * sizeof(T), erased);", "", "preconditions"),
    Bug("insertion_that_ends_no_iterator", "live/detail/flat_map_storage.hpp",
        "INGOT_NOTE(at_.data(), 1, inserted);\n      move_last_to", "move_last_to", "preconditions"),
    Bug("block_that_ends_no_iterator", "live/detail/block_memory.hpp", "INGOT_NOTE(start_, peak, block);", "", "preconditions"),
    Bug("first_growth_that_ends_no_iterator", "live/detail/iterator_origin.hpp", "if (empty_ && ", "if (false && empty_ && ",
        "preconditions"),
    Bug("iterator_read_at_the_end", "live/detail/iterator_origin.hpp", "if (find_size(size) && index >= size)",
        "if (find_size(size) && index > size)", "preconditions"),
    Bug("iterators_of_two_containers", "live/detail/iterator_origin.hpp", "if (base_ != other.base_)", "if (base_ == nullptr)",
        "preconditions"),
    Bug("empty_trees_that_share_their_end", "live/detail/btree.hpp", "INGOT_NOTE(root, size_ != 0 ? 1 : 0, inserted);",
        "INGOT_NOTE(root, 1, inserted);", "preconditions"),
    Bug("changes_without_modes", "core/hardening.hpp", '#define INGOT_NOTED INGOT_MODE_TAG("debug")', "#define INGOT_NOTED", "modes"),
    Bug("names_without_modes", "core/hardening.hpp", "#define INGOT_MODE_TAG(mode) [[gnu::abi_tag(mode)]]",
        "#define INGOT_MODE_TAG(mode)", "modes"),
    Bug("end_beyond_the_tail", "pack/detail/level.hpp", "(lenient ? reached > limit : reached != limit)",
        "(lenient ? reached > limit : reached < limit)"),
    Bug("end_beyond_the_tail_of_more", "pack/detail/level.hpp", "(lenient ? reached > limit : reached != limit)",
        "(!lenient && reached != limit)"),
    Bug("end_beyond_the_tail_of_a_list", "pack/detail/level.hpp",
        "const bool bad = slot_bad<T>(at, previous); return bad | (previous > limit);", "return slot_bad<T>(at, previous);"),
    Bug("end_beyond_the_tail_of_an_evolvable_record", "pack/detail/level.hpp",
        "const bool bad = slots_bad<T>(at, previous); return bad | (previous > limit);", "return slots_bad<T>(at, previous);"),
    Bug("end_before_the_previous", "pack/detail/level.hpp", "bool bad = (std::uint64_t{end} - previous) >> 63 != 0;",
        "bool bad = false;"),
    Bug("parts_of_elements", "pack/detail/level.hpp", "if constexpr (unit != 1) bad |= (end - previous) % unit != 0;", ""),
    Bug("bool_other_than_0_and_1", "pack/detail/level.hpp", "return at[0] > std::byte{1};", "return false;"),
    Bug("enum_without_enumerator", "pack/detail/level.hpp", "return enum_bad<T>(at);", "return false;"),
    Bug("bits_behind_a_bitset", "pack/detail/level.hpp",
        "return used != 0 && (at[slot_size<T> - 1] >> used) != std::byte{0};", "return false;"),
    Bug("tag_of_a_fixed_variant", "pack/detail/level.hpp", "bad |= tag >= sizeof...(Ts);", ""),
    Bug("zero_fill", "pack/detail/level.hpp",
        "for (std::size_t i = used; i < slot_size<T>; ++i) bad |= at[i] != std::byte{0};", ""),
    Bug("tag_of_a_variable_variant", "pack/detail/lists.hpp", "if (tag >= count || (may_be_absent<T> && tag == 0))",
        "if (false)"),
    Bug("count_against_the_bytes", "pack/detail/list_shape.hpp", "} else if (count > left / step) [[unlikely]] {",
        "} else if (count / 2 > left / step) [[unlikely]] {"),
    Bug("count_of_a_list_cut_off", "pack/detail/list_shape.hpp", "if (size < header) [[unlikely]] {", "if (false) {"),
    Bug("key_order", "pack/detail/sorted_list.hpp", "if (order < 0) [[likely]] return true;", "return true;"),
    Bug("duplicate_keys", "pack/detail/sorted_list.hpp", "return is_multi<List> || ", "return true || "),
    Bug("nan_keys", "pack/detail/sorted_list.hpp", "if (!key_is_normal<key_t<List>>(next)) [[unlikely]]", "if (false)"),
    Bug("nan_in_sequences_in_keys", "pack/detail/key_floats.hpp",
        "if constexpr (has_float<K>()) each_packed_float_in_payload<K>(tail + begin, end - begin, f);", ""),
    Bug("tail_of_a_list", "pack/detail/list_shape.hpp", "return previous == shape.tail_size ||", "return true ||"),
    Bug("trailing_bytes", "pack/detail/level.hpp", "(lenient ? reached > limit : reached != limit)", "(reached > limit)"),
    Bug("size_of_the_fixed_part", "pack/detail/level.hpp",
        "if (size - fixed_part<T> > max_size - fixed_part<T>) [[unlikely]]", "if (size > max_size)"),
    Bug("end_of_an_evolvable_element", "pack/detail/list_shape.hpp", "if (end < previous || end > shape.tail_size) [[unlikely]] {",
        "if (end < previous) {"),
    Bug("evolvable_cut_within_a_member", "pack/detail/reader.hpp", "if (!ends_between_members<T>(present)) return", "if (false) return"),
    Bug("limits_of_views", "pack/detail/reader.hpp",
        "passes = check_member<T, I>(only_a_size{list_size<member>(tail + before, load_le<end_type>(at) - before)}, failure);",
        ""),
    Bug("depth", "pack/detail/lists.hpp", "if (depth > max_depth) [[unlikely]] return r.fail(", "if (false) return r.fail(",
        "depth"),
    Bug("elements_of_size_zero", "pack/detail/list_shape.hpp", "if (count > max_empty_elements - r.empty_elements) [[unlikely]] {",
        "if (false) {", "depth"),
    Bug("elements_of_size_zero_per_list", "pack/detail/list_shape.hpp", "r.empty_elements += static_cast<std::uint32_t>(count);",
        "", "depth"),
    Bug("array_in_a_shared_tail", "pack/list_view.hpp",
        "return list_view{{f.at, f.at, f.tail, fixed_stride, f.begin}, detail::array_size<T>};",
        "return list_view{{f.at, f.at, f.tail, fixed_stride, 0}, detail::array_size<T>};"),
    Bug("begin_of_a_field", "pack/record_view.hpp",
        "if constexpr (before != detail::no_leaf) begin = load_le<detail::end_type>(at_ + before);", ""),
    Bug("live_storage_outside", "live/detail/block_validator.hpp",
        "if (position < storages_ + sizeof(prefix) || position > used_ || position % (alignment < 8 ? 8 : alignment) != 0)",
        "if (position % (alignment < 8 ? 8 : alignment) != 0)", "live"),
    Bug("live_capacity_beyond_the_end", "live/detail/block_validator.hpp", "head.capacity > used_ - position || ", "", "live"),
    Bug("live_distance_of_another", "live/detail/block_validator.hpp", "head.distance != position - sizeof(prefix) || ", "", "live"),
    Bug("live_more_elements_than_room", "live/detail/block_validator.hpp", "if (bytes > head.capacity) [[unlikely]]", "if (false)", "live"),
    Bug("live_overlap", "live/detail/block_validator.hpp", "if ((word & mask) != 0) return false; word |= mask; return true;",
        "word |= mask; return true;", "live"),
    Bug("live_overlap_of_long_storages", "live/detail/block_validator.hpp",
        "if ((word & mask) != 0) return false; word |= mask; first += here;", "word |= mask; first += here;", "live"),
    Bug("live_node_outside", "live/detail/block_validator.hpp", "position > used_ || position % 8 != 0 || bytes > used_ - position",
        "position > used_ || position % 8 != 0", "live"),
    Bug("live_overlap_of_nodes", "live/detail/block_validator.hpp", "if (!claims_.take(position, bytes)) [[unlikely]]", "if (false)", "live"),
    Bug("live_empty_elsewhere", "live/detail/block_validator.hpp",
        'return position_of(at) == sentinel_position || reject(errc::bad_length, &at, "an offset to the block\'s sentinel");',
        "return true || position_of(at) == 0;", "live"),
    Bug("live_bool", "live/detail/block_validator.hpp", "return byte <= 1 ||", "return true ||", "live"),
    Bug("live_size_of_a_tree", "live/detail/btree_validator.hpp", "return size == seen_ ||", "return true ||", "live"),
    Bug("live_order_of_slots", "live/detail/btree_validator.hpp",
        "if (!slot_order::is_valid(Node::order(leaf), head.capacity)) {", "if (false) {", "live"),
    Bug("live_order_of_keys", "live/detail/btree_validator.hpp", "if (!is_next(number)) {", "if (false) {", "live"),
    Bug("live_place_by_hash", "live/detail/hash_validator.hpp",
        "in.tags[at] != expected.tag || in.steps[at] != step || step >= max_probe_length ||", "", "live"),
    Bug("live_size_of_a_table", "live/detail/hash_validator.hpp", "if (count != size)", "if (false)", "live"),
    Bug("live_tags_behind_the_last", "live/detail/hash_validator.hpp",
        "if ((eight(in.tags + in.slots) | eight(in.tags + in.slots + 8)) != 0)", "if (false)", "live"),
    Bug("live_hash_under_another_seed", "live/detail/hash_validator.hpp", "if (seed == first_seed) [[likely]] {", "{", "attacks"),
    Bug("live_seed_that_others_know", "live/detail/hash_rebuild.hpp", "switch (lay_out_under(sorted, table, fresh, draw_seed(), added.at)) {",
        "switch (lay_out_under(sorted, table, fresh, 1, added.at)) {", "attacks"),
    Bug("live_drawn_seed_that_is_public", "live/detail/table_seed.hpp", "return is_public_seed(seed) ? ~seed : seed;", "return seed;", "attacks"),
    Bug("live_seed_from_no_generator", "live/detail/table_seed.hpp", "} else if (!draw_from_system(seed)) {", "} else if (false) {", "attacks"),
    Bug("live_canonical_seed", "live/detail/hash_rebuild.hpp",
        "while (so == laid::nowhere && (seed = next_public_seed(seed)) != 0) so = try_seed(seed);", "", "attacks"),
    Bug("live_seed_of_the_copied", "live/detail/hash_rebuild.hpp",
        "if (so == laid::nowhere && !is_public_seed(here)) so = try_seed(seed = here);", "", "attacks"),
    Bug("dynamic_seed_of_the_copied", "dynamic/detail/build_storage.hpp",
        "if (const std::uint64_t seed = seed_of(f.from); !is_public_seed(seed) && fits(seed)) return true;", "", "attacks"),
    Bug("live_collisions_said_to_be_want_of_room", "live/detail/hash_rebuild.hpp", "collision_watch::note(); return false;", "return false;",
        "attacks"),
    Bug("live_text_without_its_length", "live/hash.hpp", "next.to.add(n); return next;", "return next;", "hashes"),
    Bug("live_loop_of_free_slots", "live/detail/pool_storage.hpp", "return (free == 0 && next == 0) ||", "return true ||", "live"),
    Bug("live_zero_behind_text", "live/string.hpp", "return storage != nullptr && is_zero_char(storage + size * sizeof(Char));",
        "return storage != nullptr;", "live"),
    Bug("live_zeros_behind_text_in_place", "live/string.hpp", "check_tail(found, spare);", "", "live"),
    Bug("live_zeros_behind_text_that_nobody_asks_for", "live/string.hpp", "&& found.none()) [[likely]] return true;",
        ") [[likely]] return true;", "live"),
    Bug("live_zeros_behind_text_in_order_that_nobody_asks_for", "live/detail/canonical_check.hpp", " && cursor.reserved_bits().none();",
        ";", "live"),
    Bug("live_zeros_behind_text_in_a_run_that_nobody_asks_for", "live/detail/canonical_check.hpp",
        "if (!here.reserved_bits().none()) [[unlikely]] return nullptr;", "", "live"),
    Bug("live_third_text_of_a_row", "live/detail/canonical_check.hpp", "if (!in_order(each[2], cursor)) return false;", "", "live"),
    Bug("live_mark_of_a_text_in_place", "live/detail/reserved_bits_check.hpp", "limits.back() = MaxLast;", "limits.back() = 127;", "live"),
    Bug("live_text_outside", "live/detail/block_validator.hpp", "position >= lowest && position <= used_ && position % 8 == 0 &&",
        "position % 8 == 0 &&", "live"),
    Bug("live_text_beyond_the_end", "live/detail/block_validator.hpp", "head.capacity <= used_ - position && head.capacity % 8 == 0 &&",
        "head.capacity % 8 == 0 &&", "live"),
    Bug("live_text_longer_than_its_room", "live/detail/block_validator.hpp", "head.capacity >= (min_capacity & stored) &&", "", "live"),
    Bug("live_room_of_a_wide_text", "live/detail/block_validator.hpp", "sizeof(prefix) > 8 && bytes < sizeof(prefix) ? sizeof(prefix) : bytes;",
        "bytes;", "live"),
    Bug("live_room_of_a_text_in_order", "live/detail/canonical_check.hpp",
        "load_unit<offset_type>(there + offsetof(prefix, capacity)) == static_cast<offset_type>(capacity) &&",
        "(capacity | 1) != 0 &&", "live"),
    Bug("live_end_of_a_run_in_order", "live/detail/canonical_check.hpp", "if (following > end_) return nullptr;", "", "live"),
    Bug("live_place_of_a_text_in_order", "live/detail/canonical_check.hpp", " || !leads_to(at, from)", "", "live"),
    Bug("live_nothing_in_a_vector_in_order", "live/detail/vector_storage.hpp",
        "return cursor.take(at_, 0, 0) != nullptr;", "return true;", "live"),
    Bug("live_bool_in_order", "live/detail/canonical_check.hpp", "return byte <= 1;", "return true;", "live"),
    Bug("live_edited_capacity_beyond_the_end", "live/detail/canonical_check.hpp",
        "head.distance != position - sizeof(prefix) || head.capacity > used_ - position || head.capacity % 8 != 0 ||",
        "head.distance != position - sizeof(prefix) || head.capacity % 8 != 0 ||", "live"),
    Bug("live_edited_place_outside", "live/detail/canonical_check.hpp",
        "if (std::rotr(position - none - (first_ & stored), 3) >= (last_ & stored) + 1)", "if (position % 8 != 0)", "live"),
    Bug("live_edited_place_in_no_room", "live/detail/canonical_check.hpp", "? static_cast<std::size_t>(-1) :", "? 0 :", "live"),
    Bug("live_edited_distance_of_another", "live/detail/canonical_check.hpp", "head.distance != position - sizeof(prefix) || ", "",
        "live"),
    Bug("live_edited_text_longer_than_its_room", "live/detail/canonical_check.hpp",
        "head.capacity % 8 != 0 || head.capacity < (min_capacity & stored))", "head.capacity % 8 != 0)", "live"),
    Bug("live_edited_overlap", "live/detail/edge_claims.hpp", "&& 8 * fill() == used_ - now_.left;", "&& fill() != 0;", "live"),
    Bug("live_edited_edges_of_the_end", "live/detail/edge_claims.hpp", "static_cast<std::size_t>(at == used_);", "0;", "live"),
    Bug("live_edited_edges_too_many", "live/detail/edge_claims.hpp", "now.noted = 0;", "", "live"),
    Bug("live_edited_more_than_there_is", "live/detail/edge_claims.hpp", "now.left -= size; now.noted", "now.noted", "live"),
    Bug("live_checks_that_share_a_list", "live/detail/block_validator.hpp", "work_list<validator_entry>* walk_ = nullptr;",
        "static inline thread_local work_list<validator_entry>* walk_ = nullptr;", "callbacks"),
    Bug("poison_last_element", "live/detail/vector_storage.hpp", "at_.leave(last, sizeof(T));", "{}", "poison"),
    Bug("poison_erased_elements", "live/detail/vector_storage.hpp", "at_.leave(end - count, count * sizeof(T));", "{}", "poison"),
    Bug("poison_removed_elements", "live/detail/vector_storage.hpp", "of.at_.leave(all + of.size_, (seen - retained) * sizeof(T));",
        "{}", "poison"),
    Bug("poison_cleared_elements", "live/detail/vector_storage.hpp", "at_.leave(first, gone * sizeof(T));", "{}", "poison"),
    Bug("poison_new_room", "live/detail/block.hpp", "if (all > taken) block().poison(", "if (false) block().poison(", "poison"),
    Bug("poison_appended_element", "live/detail/vector_storage.hpp", "unpoison(data + taken, sizeof(T));", "{}", "poison"),
    Bug("poison_text", "live/string.hpp", "if (new_size < old_size) at_.leave(", "if (false) at_.leave(", "poison"),
    Bug("poison_longer_text", "live/string.hpp", "unpoison(std::max(old_size, new_size));", "{}", "poison"),
    Bug("poison_queue", "live/detail/queue_storage.hpp", "at_.block().poison(element, sizeof(T));", "{}", "poison"),
    Bug("poison_queue_of_small_elements", "live/detail/queue_storage.hpp",
        "if (before <= slot && before < head.slot_count - size_)", "if (false)", "poison"),
    Bug("poison_pool", "live/detail/pool_storage.hpp", "leave(there, block_type::of(data));", "{}", "poison"),
    Bug("poison_pool_that_grows", "live/detail/pool_storage.hpp", "unpoison(old, block_type::capacity_of(old));", "{}", "poison"),
    Bug("poison_short_hole", "live/detail/arena.hpp", "poison_free(at, size); if (latest_size_ != 0)", "{}\n if (latest_size_ != 0)",
        "poison"),
    Bug("poison_long_hole", "live/detail/arena.hpp", "poison_free(at, size); join(at, size);", "{}\n join(at, size);", "poison"),
    Bug("poison_tail", "live/detail/arena.hpp", "if (tail_ < limit_) poison_free(", "if (false) poison_free(", "poison"),
    Bug("poison_freed_slot", "live/detail/block_memory.hpp", "poison(start_, std::min(peak, poisoned_slot));", "{}", "poison"),
    Bug("poison_slot_of_another_policy", "live/detail/slots.hpp",
        "unpoison(start + from, std::min(size - from, poisoned_slot + slot_page));", "", "poison"),
    Bug("poison_in_bytes", "live/detail/block_memory.hpp", "if constexpr (poisons) unpoison(start_, used);", "", "poison"),
    Bug("poison_memory_of_the_caller", "live/detail/block_memory.hpp",
        "if (size_class_ == fixed) block().allocator().leave_readable();", "", "poison"),
    Bug("poison_bytes_in_place", "live/detail/block.hpp", "if (attached() && allocator().poisons_free_bytes()) detail::poison(",
        "if (true) detail::poison(", "poison"),
    Bug("live_progress_within_a_copy", "live/detail/growth_progress.hpp", "const walks_aside others;", "", "callbacks"),
    Bug("live_program_within_a_copy", "live/detail/recursion.hpp",
        "const walks_aside aside;\n  return std::forward<F>(f)();", "return std::forward<F>(f)();", "callbacks"),
    Bug("live_ranges_within_a_copy", "live/detail/user_code.hpp",
        "if constexpr (std::is_class_v<U> || std::is_union_v<U>) return is_library_class<U>();", "if constexpr (false) return false;", "callbacks"),
    Bug("live_box_that_keeps_what_threw", "live/box.hpp", "block.release(storage);", ";", "failures"),
    Bug("live_queue_that_keeps_what_threw", "live/detail/queue_storage.hpp", "if (storage != nullptr) block.release(storage);", "",
        "failures"),
    Bug("live_key_without_the_value_that_threw", "live/detail/flat_map_storage.hpp", "if (key == nullptr) [[likely]] return;",
        "return;", "failures"),
    Bug("live_gap_of_a_predicate_that_threw", "live/detail/flat_map_storage.hpp",
        "of.size_ -= static_cast<offset_type>(seen - retained);", "", "failures"),
    Bug("live_free_slot_of_what_threw", "live/detail/pool_storage.hpp", "if (slot != nullptr) store(slot, next);", "", "failures"),
    Bug("live_nodes_for_what_threw", "live/detail/btree_growth.hpp", "~btree_spares() { give_back(); }", "~btree_spares() {}", "failures"),
    Bug("live_elements_before_one_without_room", "live/detail/rollback.hpp", "to_.shrink(old_size_);", ";", "failures"),
    Bug("live_storage_in_the_page_beside", "live/detail/block_validator.hpp",
        "if (position < storages_ + sizeof(prefix) || position > used_ || position % (alignment < 8 ? 8 : alignment) != 0)",
        "if (position % (alignment < 8 ? 8 : alignment) != 0)", "placement"),
    Bug("live_variant_index", "live/variant.hpp", 'return validator.reject(errc::bad_variant, tag_, "the index of an alternative");',
        "return true;", "live"),
    Bug("made_without_its_hooks", "document/detail/read_new.hpp",
        "return is_accepted(r, object) && take(std::move(object));", "return take(std::move(object));", "made"),
    Bug("made_beyond_limits", "document/detail/read_record.hpp",
        "return check_member<T, I>(member, failure) || r.reject(failure);", "return true;", "made"),
    Bug("made_of_too_few_elements", "document/detail/read_new.hpp", "if (count != std::tuple_size_v<T>)", "if (false)", "made"),
    Bug("made_of_too_many_elements", "document/detail/read_new.hpp", "if (i >= std::tuple_size_v<T>)",
        "if (i > std::tuple_size_v<T>)", "made"),
    Bug("made_of_a_missing_member", "document/detail/read_record.hpp",
        "part.emplace(); return true; } else { return false; }", "part.emplace(); return true; } else { return true; }", "made"),
    Bug("made_pointer_that_stays", "pack/detail/reader.hpp",
        "out = T(new Alternative(std::move(value)));", "if (!out) out = T(new Alternative(std::move(value)));", "made_packed"),
    Bug("made_keys_in_any_order", "pack/detail/compact_sorted.hpp", "key.emplace(std::move(next));", "", "made_packed"),
    Bug("archived_path_of_the_next_element", "document/detail/archive_index.hpp",
        "static_cast<uint32_t>(after - begin) - 1};", "static_cast<uint32_t>(after - begin)};", "paths"),
    Bug("archived_path_without_the_innermost", "document/detail/archive_name.hpp", "for (std::size_t i = depth; i != 0",
        "for (std::size_t i = depth - 1; i != 0", "paths"),
    Bug("asked_for_path_cut_within_a_name", "document/detail/position_name.hpp",
        "while (gone < here && !begins_at(gone)) ++gone;", "", "paths"),
    Bug("asked_for_path_cut_without_a_mark", "document/detail/position_name.hpp", "set_head(here, is_cut() || here != 0);", "", "paths"),
    Bug("document_overlap_of_nodes", "document/detail/document_validator.hpp",
        'return claims_.take(position, bytes) || reject(errc::overlap, position, "a node that overlaps no other");',
        "return claims_.take(position, bytes) || true;", "document"),
    Bug("document_overlap_of_values", "document/detail/document_validator.hpp",
        "<< at % 64; if ((taken_[at / 64] & mask) != 0)", "<< at % 64; if (false)", "document"),
    Bug("document_overlap_of_blobs", "document/detail/document_validator.hpp", "return claim(position, blob.bytes);", "return true;", "document"),
    Bug("document_more_in_a_narrow_node", "document/detail/document_validator.hpp",
        "if (!n.wide && (n.count > narrow_count || n.heap > narrow_heap))", "if (false)", "document"),
    Bug("document_count_of_a_shape", "document/detail/document_validator.hpp", "|| shape.count != n.count)", ")", "document"),
    Bug("document_kind_of_a_child", "document/detail/document_validator.hpp",
        "child.is_object() != (value.kind == value_kind::object)", "false", "document"),
    Bug("document_hash_of_a_key", "document/detail/document_validator.hpp",
        "if (hash_words(words_before(record, before, missing_bytes(before)), before) != hash) [[unlikely]]",
        "if (false)", "document"),
    Bug("document_hash_of_a_long_key", "document/detail/document_validator.hpp", "return document_key(key.text()).hash() == hash ||",
        "return true ||", "document"),
    Bug("document_order_of_keys", "document/detail/document_validator.hpp",
        "if (hash <= hash_before && i != 0 && !check_neighbours(n, keys, i)) [[unlikely]]", "if (false)", "document"),
    Bug("document_length_of_no_key", "document/detail/document_validator.hpp", "if (!keys.text(i, text) || text.size() > short_key)",
        "if (!keys.text(i, text) && text.size() > short_key)", "document"),
    Bug("document_keys_beyond_the_heap", "document/detail/node.hpp", "if (key - 1 >= c) [[unlikely]] return {};", "", "document"),
    Bug("document_more_left_to_check_than_lies_near", "document/detail/document_validator.hpp",
        'return left_.push(position) || reject(errc::no_memory, position, "memory for the list of parts left to check");',
        "return true;", "document"),
    Bug("document_count_of_users", "document/detail/document_validator.hpp", "store(start_ + counter, load<uint32_t>(start_ + counter) + 1);",
        "store(start_ + counter, uint32_t{1});", "document"),
    Bug("document_root_of_one_value", "document/detail/document_validator.hpp", "if (n.count != 1) return reject", "if (false) return reject",
        "document"),
    Bug("document_trailing_bytes", "document/compiled/document.hpp", "if (info && info->size != bytes.size())", "if (false)",
        "document"),
    Bug("document_member_longer_than_the_bytes", "document/format.hpp", "return range.begin + (size - 1) >= range.end;", "return false;",
        "document"),
    Bug("document_member_in_columns_beyond_the_bytes", "document/detail/keys.hpp", "if (columns > last_position) [[unlikely]] return false;", "",
        "document"),
    Bug("document_member_beyond_the_bytes", "document/detail/keys.hpp", "if (range.begin >= range.end + Columns::is_shape) [[unlikely]] return false;", "",
        "document"),
    Bug("document_member_of_a_node_at_the_end", "document/detail/node.hpp", "return std::int64_t{position - first_node} <= last_quick_position(in);",
        "return std::int64_t{position - first_node} <= last_quick_position(in) + 16;", "document"),
    Bug("document_lanes_before_the_bytes", "document/detail/keys.hpp", "if (n - 2 <= lanes - 2) {",
        "if (n - 1 <= lanes - 1) {", "document"),
    Bug("document_cells_for_hashes", "document/detail/keys.hpp", ">> (lanes - n); if (mask == 0) [[unlikely]] return npos;",
        "; if (mask == 0) [[unlikely]] return npos;", "document"),
    Bug("document_node_beyond_the_end", "document/detail/node.hpp",
        "if (bytes > in.size - position || bytes < 16 || found.heap > bytes)", "if (bytes < 16 || found.heap > bytes)",
        "document"),
    Bug("document_columns_beyond_the_node", "document/detail/node.hpp",
        "return columns_size(found.kind, found.wide, found.count) <= found.bytes - found.heap;", "return true;", "document"),
    Bug("document_blob_beyond_the_end", "document/detail/node.hpp", "if (bytes > in.size - position || bytes < 16) return false;",
        "if (bytes < 16) return false;", "document"),
    Bug("document_text_beyond_its_blob", "document/detail/node.hpp", "return found.length <= found.bytes - head;", "return true;",
        "document"),
    Bug("document_text_beyond_the_heap", "document/detail/document_validator.hpp",
        "if (!meaning.plain || size > cell - before) [[unlikely]]", "if (!meaning.plain) [[unlikely]]", "document"),
    Bug("document_handle_of_what_is_gone", "document/detail/change_log.hpp", "if (left.to == 0 || (!any_index && left.shift > seen))",
        "if (!any_index && left.shift > seen)", "document"),
    Bug("document_handle_of_another_index", "document/detail/change_log.hpp", "return any_index || here.shift <= seen ? looked_at : 0;",
        "return looked_at;", "document"),
    Bug("document_handle_from_before_all_moved", "document/detail/change_log.hpp", "if (seen < floor_) return 0;", "", "document"),
    Bug("document_equal_to_a_longer_one", "document/compiled/equal.hpp", "x.count() != y.count())", "x.count() > y.count())",
        "document"),
    Bug("document_reference_to_what_has_moved", "document/detail/defragment.hpp",
        "store(in_.start() + runs_[i].link, runs_[i].to);", "", "edits"),
    Bug("document_long_keys_of_a_shape_that_moves", "document/detail/defragment.hpp", "|| !push_long_keys(shape))", ")", "edits"),
    Bug("document_handle_of_what_was_moved_up", "document/detail/defragment.hpp",
        "in_.changes().note_defragmented(each.position, each.to);", ";", "edits"),
    Bug("document_nodes_of_a_writer", "document/writer.hpp", "else doc_.core_->hold(true);", "", "edits"),
    Bug("document_memory_forgotten", "document/detail/core.hpp", "arena_->start(used, limit_, arena_->peak());",
        "arena_->start(used, limit_);", "edits"),
    Bug("document_cells_of_records_that_moved", "document/detail/heap_shift.hpp", "shift_cells(at, n, c, lacks);", "", "edits"),
    Bug("document_cells_that_lead_elsewhere", "document/detail/heap_shift.hpp",
        "const auto below = static_cast<short>(c - 1);", "const auto below = static_cast<short>(c);", "edits"),
    Bug("document_long_key_put_in_as_a_short_one", "document/compiled/quick_edit.hpp",
        "if (length == 0) [[unlikely]] return nullptr;", "", "edits"),
    Bug("document_text_over_its_neighbour", "document/detail/quick_edit.hpp",
        "if ((alive[0] | alive[1]) != 0) return false;", "", "edits"),
    Bug("document_integer_over_its_neighbour", "document/detail/quick_edit.hpp",
        "if ((there & (ours << 4 * old << 4 * old)) != 0) return false;", "", "edits"),
    Bug("document_tag_of_two_alternatives", "reflect/detail/alternative_names.hpp",
        "is_tag = j == i || hashes[j] != hashes[i] || names[j] != names[i];", "is_tag = j == i || j < n;", "tags"),
    Bug("document_index_where_a_name_is_due", "document/detail/read_compound.hpp", "return ((variant_tags<T>[I] == tag &&",
        "return (((variant_tags<T>[I] == tag || decimal_text(I).view() == tag) &&", "tags"),
    Bug("document_values_of_a_narrow_node", "document/detail/node_edit.hpp", "&& heap <= narrow_heap;", ";", "limits"),
    Bug("peek_value_of_another_document", "document/peek.hpp", "if (!is_here(value_here)) [[unlikely]] return errc::missing_member;", "",
        "peeks"),
    Bug("peek_container_of_another_document", "document/peek.hpp", "if (!to.exists() || !is_here(to))", "if (!to.exists())", "peeks"),
    Bug("peek_longer_value_over_its_neighbour", "document/peek.hpp", "if (size > old_size) return errc::no_space; std::byte* const to",
        "std::byte* const to", "peeks"),
    Bug("peek_rest_of_a_longer_value", "document/peek.hpp", "std::memset(to + size, 0, old_size - size);", "", "peeks"),
    Bug("peek_number_of_another_size_in_an_array", "document/peek.hpp",
        "if (value.kind != value_kind::integer || !detail::doc::fits_signed(value.integer(), 8U << packed.shift))",
        "if (value.kind != value_kind::integer)", "peeks"),
    Bug("peek_member_beyond_the_node", "document/peek.hpp", "if (!detail::doc::has_space(n, 1, heap)) return errc::no_space;", "", "peeks"),
    Bug("peek_two_members_of_one_key", "document/peek.hpp",
        "if (keys.find(*new_key) != detail::doc::npos) return errc::duplicate_key;", "", "peeks"),
    Bug("peek_own_key_among_shared_ones", "document/peek.hpp", "if (n.kind == detail::doc::node_kind::shaped) return errc::no_space;", "",
        "peeks"),
    Bug("editor_of_another_document", "document/peek_editor.hpp",
        "if (!peek_.is_here(at)) return failed(at, detail::doc::outcome::absent, memory, below, is_of_value);", "", "peeks"),
    Bug("editor_long_text_of_another_document", "document/peek_editor.hpp", "detail::doc::short_text && peek_.is_here(at))",
        "detail::doc::short_text)", "peeks"),
    Bug("editor_erases_in_another_document", "document/peek_editor.hpp",
        "peek_.is_here(container) ? by.erase(container.at_, index) : detail::doc::outcome::absent;", "by.erase(container.at_, index);",
        "peeks"),
    Bug("editor_length_after_an_error", "document/compiled/peek_change.hpp",
        "if (!done_) store(start_ + offsetof(document_header, used), used_before_);", "", "peeks"),
    Bug("editor_values_that_share_bytes", "document/compiled/peek_change.hpp", "return stored <= n.heap;", "return true;", "peeks"),
    Bug("editor_value_that_is_not_sound", "document/compiled/peek_change.hpp",
        "if (value.kind == value_kind::absent) return false; stored", "stored", "peeks"),
    Bug("editor_value_in_a_node_that_moved", "document/compiled/peek_change.hpp", "std::memset(start_ + from, 0, 8);", "", "peeks"),
    Bug("editor_uses_of_long_keys", "document/compiled/peek_change.hpp",
        "store(start_ + position + 12, load<uint32_t>(key.at + 12) + 1);", ";", "peeks"),
    Bug("editor_reference_to_another_node", "document/compiled/peek_change.hpp",
        "return value.is == item::form::node && value.position() == position;", "return value.is == item::form::node;", "peeks"),
    Bug("editor_root_after_an_error", "document/compiled/peek_change.hpp", "core_.set_root(old);", "", "peeks"),
    Bug("editor_end_of_a_shorter_text", "document/compiled/peek_change.hpp",
        "if (size < blob.length) std::memset(to + size, 0, blob.length - size);", "", "peeks"),
    Bug("editor_text_beyond_its_node", "document/compiled/peek_change.hpp", "|| size > blob.bytes - blob_head)", ")", "peeks"),
    Bug("editor_node_that_is_extended_before_a_long_key", "document/compiled/peek_change.hpp",
        ".own_keys = own_keys}, !is_long, position);", ".own_keys = own_keys}, true, position);", "peeks"),
    Bug("editor_element_after_the_end", "document/compiled/peek_change.hpp",
        "if (index > found.count()) return outcome::out_of_range;", "", "peeks"),
    Bug("finder_in_another_shape", "document/detail/key_position.hpp",
        "if (load<uint32_t>(at + shaped_columns::head - 4) != shape_ || !is_in_shape(start, key))", "if (!is_in_shape(start, key))", "lookups"),
    Bug("finder_in_a_shape_with_other_keys", "document/detail/key_position.hpp",
        "return load<uint64_t>(shape) == head_ && load<uint16_t>(shape + cell_at_) == cell_ && "
        "load<uint16_t>(shape + hash_at_) == key.hash() && key.is_between(shape + record_, shape + record_end_);",
        "return true;", "lookups"),
    Bug("finder_of_a_longer_key", "document/detail/key_position.hpp", "load<uint16_t>(shape + hash_at_) == key.hash() &&", "", "lookups"),
    Bug("finder_of_a_key_with_an_equal_hash", "document/detail/key_position.hpp",
        "if (!key.is_at(record)) return {nullptr, lookup_unresolved};", "", "lookups"),
    Bug("finder_beyond_the_members", "document/detail/key_position.hpp", "if (index_ >= n || load", "if (load", "lookups"),
    Bug("finder_beyond_the_members_of_a_peek", "document/detail/key_position.hpp", "index_ >= object.count ||", "", "lookups"),
    Bug("finder_beyond_the_bytes", "document/detail/key_position.hpp", "in.size < needed_ ||", "", "lookups"),
    Bug("finder_index_of_a_value_in_its_cell", "document/key_finder.hpp", "found.index & ~detail::doc::in_cell", "found.index", "lookups"),
    Bug("shared_keys_in_a_wide_shape", "document/detail/text_lookup.hpp",
        "if constexpr (Columns::is_shape != 0) return text_member::to_ask(n, text);", "if constexpr (Columns::is_shape != 0) return {nullptr, npos};",
        "lookups"),
    Bug("shared_keys_that_were_not_found", "document/compiled/text_lookup.hpp",
        "return found.index < lookup_unresolved ? element_in<object>(at, found.index) : found;", "return element_in<object>(at, found.index);", "lookups"),
    Bug("shared_keys_of_another_kind_of_object", "document/compiled/text_lookup.hpp",
        "if (std::to_integer<uint8_t>(*at) != object::first_byte) [[unlikely]] return text_member::to_ask(n, text);", "", "lookups"),
    Bug("shared_keys_value_in_its_cell", "document/detail/value_lookup.hpp", "found.index & ~detail::doc::in_cell", "found.index", "lookups"),
    Bug("file_checksum_of_the_header", "header.cpp", "!= checksum(start.first(56)))", "== 0)", "file"),
    Bug("file_runs_beyond_the_block", "column_decoder.cpp", "return left == 0;", "return true;", "file"),
    Bug("file_kind_of_records_that_there_is_not", "column_decoder.cpp", "if (kind >= table_.size() || ", "if (", "file"),
    Bug("file_bytes_behind_the_last_column", "column_decoder.cpp", "if (in.left != 0) return codec_outcome::rejected;", "", "file"),
    Bug("file_bits_behind_a_palette", "column_decoder.cpp", "&& ends_with_zeros(result_column.chosen, n * result_column.bits)", "", "file"),
    Bug("file_bits_behind_the_sparse", "column_decoder.cpp", "|| !ends_with_zeros(result_column.chosen, n)", "", "file"),
    Bug("file_index_beyond_the_palette", "column_decoder.cpp",
        "if (c.values < std::size_t{1} << c.bits && greatest(chosen, n) >= c.values) return false;", "", "file"),
    Bug("file_palette_longer_than_its_indexes", "column_decoder.cpp", " || result_column.values > std::size_t{1} << result_column.bits", "",
        "file"),
    Bug("file_column_of_no_width", "column_table.cpp", "width == 0 || ", "", "file"),
    Bug("file_table_longer_than_its_kinds", "column_table.cpp", "if (in.left != 0)", "if (false)", "file"),
    Bug("file_blocks_longer_than_the_payload", "block_table.cpp", "if (length > left)", "if (false)", "file"),
    Bug("file_blocks_shorter_than_the_payload", "block_table.cpp", "if (left != 0)", "if (false)", "file"),
    Bug("file_block_that_becomes_more_than_it_can", "block_table.cpp", "|| !can_become(coding_, length, raw)", "", "file"),
    Bug("file_price_without_time", "column_encoder.cpp", "estimate = length * 64 + values * each;",
        "estimate = length * 64 + 0 * (values + each);", "file"),
    Bug("file_sample_of_few", "column_encoder.cpp", "std::max<std::size_t>(sample_bytes / stride, 256)", "std::size_t{256}", "file"),
    Bug("ends_of_fields_that_go_back", "pack/detail/evolution_validator.hpp",
        "if (end < t.previous || end > t.size) return fail(errc::bad_length, at, \"an end inside the tail, not before the previous field's\");",
        "if (end > t.size) return fail(errc::bad_length, at, \"an end inside the tail\");", "validator"),
    Bug("ends_of_elements_that_go_back", "pack/detail/evolution_validator.hpp",
        "if (end < t.previous || end > t.size) return fail(errc::bad_length, at, \"an end inside the tail, not before the previous element's\")",
        "if (end > t.size) return fail(errc::bad_length, at, \"an end inside the tail\")", "validator"),
    Bug("file_log_checksum_of_a_length", "log_file.cpp", "!= head_checksum(head->data(), position_))", "== 0)", "file"),
    Bug("file_log_checksum_of_a_record", "log_file.cpp", "if (!sum_is_right)", "if (false)", "file"),
    Bug("file_log_record_of_another_place", "log_file.cpp", "checksum({head, 4}, position)", "checksum({head, 4}, 0 * position)", "file"),
    Bug("file_log_zeros_behind_a_record", "log_file.cpp", "return b != std::byte{0};", "return false;", "file"),
    Bug("file_log_record_beyond_the_limit", "log_file.cpp", "length > std::min(max_size, addressable)", "length > addressable", "file"),
    Bug("file_log_append_that_is_not_taken_back", "log_file.cpp",
        "at != end_ && retry_eintr([&] { return file_.system().truncate(file_.descriptor(), end_); }) < 0;", "false;", "file"),
    Bug("file_log_goes_on_after_a_sync_that_failed", "log_file.cpp",
        "broken_ = true; return system_failure(e, \"the records to reach", "return system_failure(e, \"the records to reach", "file"),
    Bug("file_edited_and_not_closed", "edited_memory.cpp", "if (!header.info.closed && !how.repair) {", "if (false) {", "file"),
    Bug("file_edited_without_saying_so", "edited_memory.cpp", "return mark(false, size);", "return {};", "file"),
    Bug("file_edited_by_two", "edited_memory.cpp", "if (locked == -EWOULDBLOCK)", "if (false)", "file"),
    Bug("file_edited_gap", "edited_memory.cpp", "if (auto zeros = file->check_gap(); !zeros) return fail(zeros.error());", "", "file"),
    Bug("file_edited_head_looked_at_once", "edited_memory.cpp",
        "if (auto now = file->look_again(); !now) return fail(now.error());", "", "file"),
    Bug("file_streamed_without_checksum", "payload_stream.cpp", "if (auto same = checker.add(piece); !same) return same;", "", "file"),
    Bug("file_part_that_is_not_compared", "payload_checker.cpp", "!= sum) return blame();", "!= sum && part_ != 1) return blame();", "file"),
    Bug("file_part_of_another_length", "payload_checker.cpp", "if (filled_ != length) continue;", "if (filled_ + 1 < length) continue;", "file"),
    Bug("file_table_that_is_not_compared", "payload_checker.cpp", "table_.finish() == header_.payload_checksum ?", "true ?", "file"),
    Bug("file_damaged_table_taken_for_damaged_parts", "payload_checker.cpp",
        "if (all.finish() != header_.payload_checksum) return damaged_table();", "", "file"),
    Bug("file_table_of_blocks_that_is_not_compared", "damaged_payload.cpp", "sum.finish() != sum_of(header_.parts()) ||", "", "file"),
    Bug("file_damaged_block_that_decompresses", "read_blocks.cpp", "damaged[0].at < block.at + block.stored", "false", "file"),
    Bug("file_version_2_of_a_log", "header.cpp", "info.version > 1 && (h.is_log() || h.is_edited() ||", "info.version > 1 && (", "file"),
    Bug("file_streamed_gap", "payload_stream.cpp", "if (auto zeros = file_.check_gap(); !zeros) return zeros;", "", "file"),
    Bug("file_streamed_from_one_place", "payload_stream.cpp", "done_ += piece.size();", "", "file"),
    Bug("file_pages_of_others", "fresh_pages.cpp", "(before + bytes.size()) / page * page;",
        "(before + bytes.size() + page) / page * page;", "file"),
    Bug("file_pages_looked_at_each_time", "fresh_pages.cpp", "believed_ = bytes_per_check;", "believed_ = 0;", "file"),
    Bug("file_large_pages_kept", "bulk_vector.cpp", "::munmap(start, taken_for(bytes))", "::munmap(start, bytes / 2)", "file"),
    Bug("file_large_pages_that_begin_anywhere", "bulk_vector.cpp", "start += skew;", "", "file"),
    Bug("file_saved_and_not_forced_to_disk", "replace_file.cpp",
        "if (const int e = retry_eintr([&] { return system_.sync(file_); }); e < 0)", "if (const int e = 0; e < 0)", "file"),
    Bug("system_read_as_if_all_were_read", "system_posix.cpp",
        "::pread(file, to.data(), one_call(to.size()), static_cast<off_t>(from)); return n < 0 ? -errno : n;",
        "::pread(file, to.data(), one_call(to.size()), static_cast<off_t>(from)); return n < 0 ? -errno : n == 0 ? 0 : std::int64_t(to.size());",
        "system_calls"),
    Bug("system_short_write_taken_as_whole", "system_posix.cpp",
        "::pwrite(file, bytes.data(), one_call(bytes.size()), static_cast<off_t>(to)); return n < 0 ? -errno : n;",
        "::pwrite(file, bytes.data(), one_call(bytes.size()), static_cast<off_t>(to)); return n < 0 ? -errno : std::int64_t(bytes.size());",
        "system_calls"),
    Bug("system_short_zeros_taken_as_whole", "system_posix.cpp", "at += static_cast<std::uint64_t>(n);", "at += piece;", "system_calls"),
    Bug("system_zeros_that_end_at_a_signal", "system_posix.cpp", "if (n < 0 && errno == EINTR) continue;", "", "system_calls"),
    Bug("system_sync_whose_error_is_lost", "system_posix.cpp", "return outcome(::fsync(file));",
        "static_cast<void>(::fsync(file)); return 0;", "system_calls"),
    Bug("system_interrupted_opening_has_another_number", "system_posix.cpp", "return returned < 0 ? -errno : returned;",
        "return returned;", "system_calls"),
    Bug("file_edited_closed_behind_a_failed_sync", "edited_memory.cpp", "lost = !synced;", "", "system_calls"),
    Bug("file_edited_asks_for_addresses_for_ever", "edited_memory.cpp", "if (fewer >= max_block_size) return false;", "if (max_block_size <= least) return false;",
        "system_calls"),
    Bug("field_number_of_protobufs_own", "schema/detail/description_reader.hpp", "if (!is_field_number(found))", "if (found == 0)",
        "descriptions"),
    Bug("field_number_twice", "schema/detail/description_reader.hpp",
        "if (attributes.kind == schema_kind::record && repeats_field_number(node))", "if (false)", "descriptions"),
    Bug("encoding_that_there_is_not", "schema/detail/description_reader.hpp", "if (!proto_form::is_byte(found))", "if (found > 63)",
        "descriptions"),
    Bug("equal_parts_shared_twice", "schema/detail/description_reader.hpp",
        "const auto twice = std::adjacent_find(parts.begin(), parts.end());", "const auto twice = parts.end();", "descriptions"),
    Bug("collisions_believed", "reflect/detail/bucket_watch.hpp", "if (out.bucket_count() / 8 > out.size()) return false;", "",
        "collisions"),
    Bug("collisions_without_other_buckets", "reflect/detail/bucket_watch.hpp", "if (out.bucket_count() / 8 > out.size()) return false;",
        "return false;", "collisions"),
    Bug("collisions_uncounted", "reflect/detail/bucket_watch.hpp", "count.compared += out.bucket_size(out.bucket(key));", ";",
        "collisions"),
    Bug("collisions_of_packed_messages", "pack/detail/sorted_list.hpp", "if (!is_accepted) [[unlikely]] {", "if (false) {",
        "collisions"),
    Bug("collisions_of_compact_messages", "pack/detail/compact_sorted.hpp", "return is_accepted ||", "return true ||", "collisions"),
    Bug("collisions_of_protobuf", "protobuf/detail/wire.hpp",
        "return ingot::detail::has_few_collisions(collisions_, max_collisions_, out, key) ||", "return true ||", "collisions"),
    Bug("collisions_of_documents", "document/detail/reading.hpp",
        "if (!has_few_collisions(r.collisions, r.how.max_collisions, to, added))", "if (false)", "collisions"),
    Bug("moves_of_each_key", "reflect/detail/key_filling.hpp", "if (out_.size() == size) return false;",
        "return out_.size() != size;", "moves"),
    Bug("moves_of_each_entry", "reflect/detail/key_filling.hpp", "if (out_.size() == size) return result{value_at(at), false};",
        "return result{value_at(at), out_.size() != size};", "moves"),
    Bug("moves_of_each_key_of_a_range", "live/detail/flat_range.hpp", "{ count_moves(moves); };", "{ static_cast<void>(moves); };",
        "ranges"),
    Bug("range_left_out_of_order", "live/detail/flat_range.hpp", "if (index_->size() == to_.size_) to_.arrange_entries(*index_);", "",
        "ranges"),
    Bug("range_that_changed_the_container", "live/detail/flat_range.hpp", "const bool is_whole = index_->size() == to_.size_;",
        "const bool is_whole = true;", "ranges"),
    Bug("repeated_key_of_a_range", "live/detail/flat_range.hpp", "if (is_known) return true;", "", "ranges"),
    Bug("moves_of_each_key_in_a_block", "reflect/detail/key_filling.hpp", "if (out_.size() == size) return false;",
        "if (out_.size() == size || has_unsorted_entries<C>) return out_.size() != size;", "moves"),
    Bug("moves_of_each_field", "protobuf/detail/take_filled.hpp", "from.later.begin(out, build, from.levels(), number);", "", "moves"),
    Bug("tree_without_balance", "reflect/detail/key_index.hpp", "if (height(left) > height(right) + 1) {", "if (false) {", "moves"),
    Bug("entries_left_out_of_order", "reflect/detail/key_filling.hpp", "arrange_elements(keys_in(parts_), order);", "", "moves"),
    Bug("memory_unlimited", "pack/detail/level.hpp", "if (bytes > r.memory_left) [[unlikely]]", "if (false)", "max_memory"),
    Bug("memory_of_each_list", "pack/detail/level.hpp", "r.memory_left -= bytes;", "", "max_memory"),
    Bug("memory_of_sets", "pack/detail/sorted_list.hpp", "if (!take_memory(r, shape.elements, shape.count * element_cost<Out>())) [[unlikely]]",
        "if (false)", "max_memory"),
    Bug("memory_of_compact_sets", "pack/detail/compact_sorted.hpp", "if (!take_memory(r, in.at, count * element_cost<Out>())) [[unlikely]]",
        "if (false)", "max_memory"),
    Bug("memory_of_boxes", "pack/detail/reader.hpp", "if (!out && !fill.takes(sizeof(Alternative))) return false;", "", "max_memory"),
    Bug("memory_of_protobuf", "protobuf/detail/wire.hpp", "memory_left_ -= bytes;", "", "max_memory"),
    Bug("memory_of_documents", "document/detail/reading.hpp", "r.memory_left -= bytes;", "", "max_memory"),
    Bug("memory_of_boxes_in_documents", "document/detail/read.hpp",
        "if (!take_memory(r, sizeof(typename T::element_type))) return false;", "", "max_memory"),
    Bug("memory_of_older_messages", "pack/detail/evolution_writer.hpp", "limit_(limit < max_size ? limit : max_size)", "limit_(max_size)",
        "max_memory"),
    Bug("memory_by_the_newer_bytes", "pack/evolution.hpp",
        "return {detail::memory_limit(limits.max_memory, size), limits.max_collisions};", "return limits;", "max_memory"),
    Bug("memory_of_nodes", "document/detail/core.hpp", "if (uint64_t{used()} + bytes > end_limit_) [[unlikely]] {",
        "if (false) {", "max_memory"),
    Bug("memory_of_waiting_values", "document/detail/core.hpp",
        "if (capacity_ != 0 && !growth_.allows(uint64_t{capacity - capacity_} * sizeof(T))) return false;", "", "max_memory"),
    Bug("memory_of_waiting_texts", "document/detail/core.hpp",
        "if (!growth_.allows(uint64_t{capacity - (capacity_ == 0 ? 32 : capacity_)} * sizeof(T))) return nullptr;", "", "max_memory"),
    Bug("memory_of_fields", "protobuf/detail/field_reading.hpp", "if (!memory_.take(fields_at_a_time * sizeof found))", "if (false)",
        "max_memory"),
    Bug("memory_of_the_value_before", "document/detail/interchange_read.hpp", "if (is_text(t.chars())) return to_.text(t.chars());",
        "if (is_text(t.chars())) return to_.text(t.chars()), true;",
        "max_memory"),
]


def run(command, environment=None, seconds=600):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=environment, timeout=seconds)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-4000:]}")


def planted(file, bug):
    """Returns the file's text with the bug and an empty string, or the reason of a failure."""
    text = file.read_text()
    # clang-format may break the line anywhere: any white space matches, also after a parenthesis
    pattern = re.escape(bug.old).replace("\\ ", r"\s+").replace("\\\n", r"\s+").replace(r"\(", r"\(\s*")
    found = len(re.findall(pattern, text))
    if found != 1:
        return text, f"the text to change is {found} times in {bug.header}"
    return re.sub(pattern, lambda _: bug.new, text), ""


def change(file, bug):
    """Plants the bug there. Returns an empty string, or the reason why this is impossible."""
    text, problem = planted(file, bug)
    if not problem:
        file.write_text(text)
    return problem


def home(bug):
    """Returns the file of the tree that contains the bug's code."""
    return (ROOT / "src/file" if bug.test in ("file", "system_calls") else ROOT / "include/ingot") / bug.header


def test_files():
    """Returns, for each value of Bug.test, the test files that are compiled."""
    files = {"mutants": [HERE / name for name in MUTANTS], "live": [ROOT / "tests/live" / name for name in LIVE],
             "file": [ROOT / f"tests/file/{name}_test.cpp" for name in FILE], "system_calls": [ROOT / "tests/file/system_calls_test.cpp"],
             "preconditions": [ROOT / "tests/preconditions/preconditions.cpp"], "modes": [ROOT / "tests/modes/main.cpp"],
             "depth": [HERE / "depth_test.cpp"]}
    for layer, groups in {"document": DOCUMENT, "live": ALSO_LIVE, "schema": SCHEMA, "pack": PACK, "protobuf": BOUNDS}.items():
        files |= {test: [ROOT / "tests" / layer / name for name in names] for test, names in groups.items()}
    return files


class Workshop:
    """Compiles the objects that don't depend on the tested headers, once."""

    def __init__(self, folder, compiler, link, tests):
        self.folder = folder
        self.compiler = compiler
        self.link = link
        self.common = []
        self.files = {}
        if "mutants" in tests:
            together = folder / "mutants.cpp"
            together.write_text("".join(f'#include "{HERE / name}"\n' for name in MUTANTS))
            self.common = [self.compile(together, ROOT / "include", folder / "mutants.o")]

    FILE_FLAGS = ["-O1", "-D_FILE_OFFSET_BITS=64", f'-DINGOT_SOURCE_DIR="{ROOT}"']

    def made(self, sources):
        """Returns their objects by name, each compiled once."""
        for source in sources:
            if source.name not in self.files:
                self.files[source.name] = self.compile(source, ROOT / "include", self.folder / (source.name + ".o"), self.FILE_FLAGS)
        return {source.name: self.files[source.name] for source in sources}

    def file_objects(self, tests):
        """Builds tests and library without a bug."""
        return self.made(sorted((ROOT / "src/file").glob("*.cpp")) + [ROOT / "tests/file" / (name + "_test.cpp") for name in tests])

    def compile(self, source, include, target, flags=()):
        must([self.compiler, *FLAGS, *flags, f"-I{include}", f"-I{ROOT / 'tests'}", "-c", str(source), "-o", str(target)])
        return target

    def outcome(self, name, include, test, changed=None):
        """Returns (0, ...) if the tests pass, else (another number, the end of their output)."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        memory = "ulimit -v 4000000; "  # a bug that eats memory must not eat the machine's
        if test == "live":
            memory = ""  # AddressSanitizer takes all addresses there are
            objects = [self.compile(source, include, folder / (source.name + ".o"), LIVE_FLAGS) for source in test_files()["live"]]
            objects += LIVE_FLAGS
        elif test in DOCUMENT | ALSO_LIVE | SCHEMA | PACK | BOUNDS:
            together = folder / "together.cpp"
            together.write_text("".join(f'#include "{source}"\n' for source in test_files()[test]))
            flags = SANITIZED.get(test, [])
            objects = [self.compile(together, include, folder / "together.o", [f'-DINGOT_SOURCE_DIR="{ROOT}"', *flags]), *flags]
            if flags:
                memory = ""
        elif test == "file":
            memory = ""  # no limit: an edited file reserves gigabytes of addresses
            objects = list((self.file_objects(FILE) | (changed or {})).values()) + FILE_LINK
        elif test == "system_calls":
            memory = ""
            objects = [*(self.file_objects(["system_calls"]) | (changed or {})).values(), *FILE_LINK, *(f"-Wl,--wrap={each}" for each in WRAPPED)]
        elif test == "preconditions":
            source = ROOT / "tests/preconditions/preconditions.cpp"
            objects = [self.compile(source, include, folder / "preconditions.o", ["-DINGOT_HARDENING=INGOT_HARDENING_DEBUG"])]
        elif test == "modes":
            modes = ROOT / "tests/modes"
            objects = [self.compile(modes / "main.cpp", include, folder / "main.o")]
            for mode in ("none", "fast", "extensive", "debug"):
                flags = [f"-DMODE={mode}", f"-DINGOT_HARDENING=INGOT_HARDENING_{mode.upper()}"]
                objects.append(self.compile(modes / "part.cpp", include, folder / f"{mode}.o", flags))
        elif test == "depth":
            objects = [self.compile(HERE / "depth_test.cpp", include, folder / "depth.o")]
        else:
            objects = [self.compile(HERE / "planted/subjects.cpp", include, folder / "subjects.o"), *self.common]
        program = folder / f"{test}_tests"
        must([self.compiler, *map(str, objects), "-o", str(program), *self.link])
        environment = dict(os.environ, INGOT_TEST_SAMPLED="1")
        try:
            done = run(["sh", "-c", f"{memory}exec '{program}' --gtest_brief=1"], environment, 120)
        except subprocess.TimeoutExpired:
            return 1, "it does not end"
        return done.returncode, done.stdout[-1500:]

    def plant(self, bug):
        """Returns an empty string if the tests detected the bug, else the problem."""
        if bug.test in ("file", "system_calls"):
            folder = self.folder / f"src_{bug.name}"
            shutil.copytree(ROOT / "src/file", folder)
            if problem := change(folder / bug.header, bug):
                return problem
            made = self.compile(folder / bug.header, ROOT / "include", folder / "changed.o", ["-O1", "-D_FILE_OFFSET_BITS=64"])
            code, _ = self.outcome(bug.name, ROOT / "include", bug.test, {bug.header: made})
            shutil.rmtree(folder)
            return "" if code != 0 else "no test noticed"
        include = self.folder / f"include_{bug.name}"
        shutil.copytree(ROOT / "include", include)
        if problem := change(include / "ingot" / bug.header, bug):
            return problem
        code, _ = self.outcome(bug.name, include, bug.test)
        shutil.rmtree(include)
        return "" if code != 0 else "no test noticed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--link", default="-lgtest -lgtest_main -lpthread", help="how to link GoogleTest and its main")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.list:
        for bug in BUGS:
            print(f"{bug.name:34} {bug.header:20} {bug.old}")
        return 0
    names = options.names or (SAMPLE if options.sample else [bug.name for bug in BUGS])
    bugs = [bug for bug in BUGS if bug.name in names]
    if len(bugs) != len(names):
        parser.error("no such bug: " + ", ".join(set(names) - {bug.name for bug in bugs}))
    # A bug whose code or whose tests have moved can't be planted any more. Each run reports this,
    # even if it plants few bugs.
    files = test_files()
    stale = {bug.name: planted(home(bug), bug)[1] for bug in BUGS}
    stale |= {bug.name: f"no test is called {bug.test}" for bug in BUGS if bug.test not in files}
    stale |= {test: f"there is no {source.relative_to(ROOT)}" for test, sources in files.items() for source in sources if not source.exists()}
    for name, problem in stale.items():
        if problem:
            print(f"FAILED {name}: {problem}")
    if any(stale.values()):
        return 1

    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tests = {bug.test for bug in bugs}
        shop = Workshop(pathlib.Path(folder), options.compiler, options.link.split(), tests)
        for test in sorted(tests if not options.sample else ()):
            code, said = shop.outcome("sound", ROOT / "include", test)
            if code != 0:
                print(f"FAILED without a bug: {test}\n{said}")
                return 1
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for bug, problem in zip(bugs, pool.map(shop.plant, bugs)):
                print(f"FAILED {bug.name}: {problem}" if problem else f"noticed {bug.name}", flush=True)
                failed += bool(problem)
    print(f"{len(bugs) - failed} of {len(bugs)} planted bugs noticed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
