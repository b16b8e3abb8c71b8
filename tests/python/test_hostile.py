# SPDX-License-Identifier: Apache-2.0
"""For any bytes the reader returns soon, with a value or a FormatError.

INGOT_TEST_FULL=1 tries a hundred times as many.
"""
import hashlib
import math
import os
import pathlib
import struct
import sys
import time
import tracemalloc
import unittest

from material import (
    LAYOUTS, SCHEMAS, Kind, Schema, archive, chance, compact_schemas, damaged, described_file, document, file, golden, goldens, ingot,
    layout_description, opened, part, seeds, text,
)  # fmt: skip
from ingot import xxh3
from ingot.compression import lz4_block_python
from ingot.keys import packed

ROUNDS = 100 if os.environ.get("INGOT_TEST_FULL") else 1


class Hostile(unittest.TestCase):
    def test_damaged_bytes_are_read_or_refused(self):
        taken = refused = 0
        for name, kind, payload, description in seeds():
            dice = chance("damage", name)
            for _ in range(15 * ROUNDS):
                victim = damaged(payload, dice)
                begun = time.process_time()
                try:
                    opened(kind, victim, description)
                    taken += 1
                except ingot.FormatError as error:
                    refused += 1
                    self.assertTrue(error.code and 0 <= error.offset <= len(victim) + 4096, f"{name}: {error}")
                except Exception as error:  # noqa: BLE001
                    self.fail(f"{name}: {error!r} of {victim.hex()}")
                self.assertLess(time.process_time() - begun, 5, name)
        self.assertGreater(taken, 200)
        self.assertGreater(refused, 1000)

    def test_damaged_descriptions_are_read_or_refused(self):
        for name, kind, payload, description in seeds():
            if not description:
                continue
            dice = chance("description", name)
            for _ in range(5 * ROUNDS):
                victim = damaged(description, dice)
                if victim[:4] == b"ingY":
                    victim = layout_description(victim[:-8])
                try:
                    opened(0, victim, b"")
                except ingot.FormatError:
                    pass
                except Exception as error:  # noqa: BLE001
                    self.fail(f"{name}: {error!r} of {victim.hex()}")

    def test_refs_have_no_version(self):
        """Rejects a layout in which a ref has flag 32, as C++ does."""
        description = next(described for name, _, _, described in seeds() if name == "rings_described")
        layout = ingot.Layout.from_bytes(description)
        at = next(each.at for each in layout.types if each.name == "ref")
        self.assertEqual(description[at + 1], 0)
        versioned = description[: at + 1] + b"\x20" + description[at + 2 : at + 8] + b"\x01" + description[at + 8 : -8]
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.Layout.from_bytes(layout_description(versioned))
        self.assertEqual(caught.exception.offset, at + 1)

    def test_records_have_no_member_with_the_key_of_their_version(self):
        """Rejects descriptions if JSON would have two values under $version, as C++ does."""
        root = b"\1\x17\x10\2\0\1\10$version\0\1\0\0"  # a shared record of version 2, with a bool
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.Schema.from_bytes(b"ingS\3\0\0\0" + bytes(8) + root)
        self.assertEqual(caught.exception.offset, 17)
        self.assertIn("no member $version", str(caught.exception))
        from material import golden

        versioned = golden("layout_versioned_example").replace(b"\5total", b"\10$version")
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.Layout.from_bytes(layout_description(versioned[:-8]))
        self.assertIn("no member $version", str(caught.exception))

    def test_beginnings_are_refused(self):
        """Only a log or a patch may be the beginning of another one."""
        for name, kind, payload, description in seeds():
            if kind:
                payload = described_file(kind, payload, description)
            elif payload[:4] == b"ingP" or payload[:4] == b"ingF" and payload[5] > 4:
                continue
            for size in range(0, len(payload), 1 + len(payload) // 40):
                with self.assertRaises(ingot.FormatError, msg=f"{name}, {size} bytes"):
                    ingot.open(payload[:size]).value  # noqa: B018

    def test_accepted_bytes_are_the_only_encoding(self):
        """A packed value has one encoding: a value read from damaged bytes encodes to them."""
        accepted = 0
        for name in [*goldens("pack"), "value_packed"]:
            schema = SCHEMAS[name.replace("value_packed", "value_order")]
            if any(inner.kind in (Kind.FLOATING, Kind.COMPLEX) for inner in schema.parts):
                continue  # Python has no signalling floats
            dice = chance("spelling", name)
            for _ in range(60 * ROUNDS):
                victim = damaged(golden(name), dice)
                try:
                    value = ingot.unpack(victim, schema, exact=True)
                except ingot.FormatError:
                    continue
                accepted += 1
                self.assertEqual(packed(schema.root, value), victim, f"{name}: {value!r}")
        self.assertGreater(accepted, 500)

    def test_floats_in_keys_are_no_nan_and_have_no_minus_zero(self):
        """Tests floats at each position in a key.

        tests/dynamic/message_validator_test.cpp makes the messages and tests the same.
        """
        lines = (pathlib.Path(__file__).parent / "keys_with_floats.txt").read_text().splitlines()[1:]
        self.assertGreater(len(lines), 50)
        for line in lines:
            name, profile, width, description, message = line.split()
            schema, code = Schema.from_bytes(bytes.fromhex(description)), "<f" if width == "4" else "<d"
            read = ingot.unpack if profile == "pack" else ingot.unpack_compact
            usual = bytes.fromhex(message)
            self.assertEqual(usual.count(struct.pack(code, 1.5)), 1, name)
            for number in (0.0, -1.5):
                read(usual.replace(struct.pack(code, 1.5), struct.pack(code, number)), schema, exact=True)
            for number in (-0.0, math.nan, -math.nan):
                with self.assertRaises(ingot.FormatError, msg=f"{name} {profile} {number}") as caught:
                    read(usual.replace(struct.pack(code, 1.5), struct.pack(code, number)), schema, exact=True)
                self.assertEqual(caught.exception.code, "not_canonical", name)

    def test_errors_in_values_of_any_kind_say_where_they_are(self):
        raw = bytearray(golden("value_packed"))
        at = raw.index(b"ingA")
        raw[at] ^= 1
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.unpack(raw, SCHEMAS["value_order"])
        self.assertEqual((caught.exception.code, caught.exception.offset, caught.exception.path), ("bad_magic", at, "extra"))
        raw = bytearray(golden("value_live"))
        at = raw.index(b"a tag") - 1
        raw[at] = 63  # no longer a string, but a tag that does not exist
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.open(bytes(raw), schema=LAYOUTS["value_live"]).value  # noqa: B018
        self.assertEqual((caught.exception.offset, caught.exception.path), (at, "extra.tags[1]"))

    def test_values_of_any_kind_have_one_place_and_count(self):
        """Rejects a document with impossible free bytes, and one of the other byte order."""
        layout = LAYOUTS["value_live"]
        for at, byte in ((64 + 16 + 4, 0x69), (golden("value_live").index(b"ingD") + 5, 1)):
            raw = bytearray(golden("value_live"))
            raw[at] = byte
            with self.assertRaises(ingot.FormatError) as caught:
                ingot.open(bytes(raw), schema=layout).value  # noqa: B018
            self.assertEqual((caught.exception.offset, caught.exception.path), (at, "extra"))

    def test_depth_is_no_depth_of_the_stack(self):
        """Tests ten thousand levels if the format has no limit, else the limit."""
        levels = 10_000
        body = b"\x87"
        for _ in range(levels):
            size, length = len(body), b""
            while size >= 128:
                length += bytes([size & 127 | 128])
                size >>= 7
            body = b"\x85" + length + bytes([size]) + body
        value = ingot.open(archive(bytes(4) + body)).value
        nodes = b""
        for level in range(levels):
            inner = 16 + 16 * (level + 1)
            heap = b"\x11" + inner.to_bytes(4, "little") if level + 1 < levels else b"\x40\x40\x40\x40\x40"
            nodes += b"\1\0\2\0\1\0\5\0\5\0\0" + heap
        also = ingot.open(document((16).to_bytes(4, "little"), nodes)).value
        for tree in (value, also):
            depth = 0
            while tree:
                tree, depth = (tree[0] if isinstance(tree[0], list) else None), depth + 1
            self.assertEqual(depth, levels)
        tree = SCHEMAS["pack_binary_tree"]
        for nested, right in ((128, True), (129, False), (5000, False)):
            raw = b""
            for level in range(nested + 1):
                ends = len(raw).to_bytes(4, "little") * 2
                raw = (b"\1" if level < nested else b"") + bytes(4) + ends + raw
            if right:
                ingot.unpack(raw, tree)
            else:
                with self.assertRaises(ingot.FormatError) as caught:
                    ingot.unpack(raw, tree)
                self.assertEqual(caught.exception.code, "too_deep")

    def test_evolvable_records_in_lists_of_themselves_are_two_levels_in_compact_bytes(self):
        again = part(Kind.RECURSION)
        record = part(Kind.RECORD, part(Kind.INTEGER, width=1), part(Kind.SEQUENCE, again), flags=8)
        record.names, record.annotations, again.target = ["value", "kids"], [0, 0], record
        branch = Schema(record)
        raw = b"\x02\x00\x00"
        for records in range(1, 67):
            if records <= 64:
                ingot.unpack_compact(raw, branch)
            else:
                with self.assertRaises(ingot.FormatError) as caught:
                    ingot.unpack_compact(raw, branch)
                self.assertEqual(caught.exception.code, "too_deep")
            raw = _varint(len(raw) + 2) + b"\x00\x01" + raw

    def test_lengths_are_held_against_the_bytes_before_memory_is_taken(self):
        list_of_text = Schema(part(Kind.SEQUENCE, text()))
        list_of_nothing = Schema(part(Kind.SEQUENCE, part(Kind.TUPLE)))
        huge = Schema(part(Kind.ARRAY, text(), extent=1 << 60))
        attempts = (
            (ingot.unpack, b"\xff\xff\xff\x7f", list_of_text),
            (ingot.unpack, b"\xff\xff\xff\x7f", list_of_nothing),
            (ingot.unpack, b"", huge),
            (ingot.unpack_compact, b"\xff\xff\xff\xff\x0f", list_of_text),
            (ingot.unpack_compact, b"\xff\xff\xff\xff\x0f", list_of_nothing),
            (ingot.unpack_compact, b"\0" * 100, huge),
            (ingot.unpack_compact, b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", Schema(text(4))),
        )
        tracemalloc.start()
        for unpack, raw, schema in attempts:
            with self.assertRaises(ingot.FormatError):
                unpack(raw, schema)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        self.assertLess(peak, 1 << 20)

    def test_memory_and_time_are_in_proportion(self):
        """Tests the most expensive known input of each kind, twenty kilobytes each."""
        size = 20_000
        worst = {
            "shapes": archive(b"\x02\x04\x01a\x01b" + b"\x01\x01\x02" + b"\x85" + _varint(size) + b"\xc0\x02\x80\x80" * (size // 4)),
            "empty tuples": described_file(1, (20_000).to_bytes(4, "little"), _described(b"\x0d\x16\x00")),
            "nulls": archive(b"\0\0\0\0\x85" + _varint(size) + b"\x80" * size),
        }
        for name, raw in worst.items():
            with self.subTest(name):
                tracemalloc.start()
                begun = time.process_time()
                ingot.open(raw).value  # noqa: B018
                self.assertLess(time.process_time() - begun, 5)
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
                self.assertLess(peak, 400 * size)

    def test_a_file_is_held_against_its_checksums(self):
        whole = described_file(1, golden("pack_folder"), _description("pack_folder"))
        for at in range(len(whole)):
            victim = bytearray(whole)
            victim[at] ^= 1
            with self.assertRaises(ingot.FormatError, msg=f"byte {at}"):
                ingot.open(bytes(victim)).value  # noqa: B018

    def test_a_log_ends_with_its_last_whole_record(self):
        whole = golden("file_log")
        schema = Schema(text())
        for size in range(64, len(whole) + 1):
            log = ingot.open(whole[:size], schema=schema)
            self.assertEqual(list(log.value), ["one", "", "three"][: len(log.positions)])
            self.assertEqual(log.lost, size - (64 + sum((0, 24, 16, 24)[: len(log.positions) + 1])))
        for at in range(64, len(whole)):
            victim = bytearray(whole)
            victim[at] ^= 0x80
            self.assertLess(len(ingot.open(bytes(victim), schema=schema).value), 3, f"byte {at}")

    def test_other_spellings_of_compact_floats_are_refused(self):
        schema = compact_schemas()["shortened"]
        raw = golden("compact_shortened")
        self.assertEqual(raw[:1], b"\x38")
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.unpack_compact(b"\x80\0\0\x80\x3f" + raw[1:], schema)
        self.assertEqual(caught.exception.code, "not_canonical")

    def test_a_document_given_as_a_typed_value_is_refused(self):
        raw = golden("document_small")
        with self.assertRaises(ingot.FormatError):
            ingot.open(file(1, raw, b"", 1)).value  # noqa: B018

    def test_xxh3(self):
        """The module's own hash equals the reference's.

        Tries all lengths up to 300 and some beyond, with several seeds.
        """
        data = bytes(i * 131 & 255 for i in range(5000))
        mixed = hashlib.sha256()
        for size in [*range(300), 511, 512, 513, 1023, 1024, 1025, 1087, 1088, 1089, 4096, 5000]:
            for seed in (0, 1, 64, 2**64 - 5):
                mixed.update(xxh3.xxh3_64_python(data[:size], seed).to_bytes(8, "little"))
        self.assertEqual(mixed.hexdigest(), "ce0c76433075e2d07bc6b0be2886b522f82126bdeec147afdcc777c08e6c1611")

    def test_lz4(self):
        self.assertEqual(lz4_block_python(b"\x1fa\1\0\x28\x50bbbbb", 1 + 19 + 40 + 5)[:60], b"a" * 60)
        for wrong in (b"", b"\x10", b"\x1fa\0\0\0\x10a", b"\x1fa\2\0\0\x10a", b"\xf0" + b"\xff" * 50, b"\x1fa\1\0\xff"):
            with self.assertRaises(ValueError):
                lz4_block_python(wrong, 20)


def _varint(number):
    raw = b""
    while number >= 128:
        raw += bytes([number & 127 | 128])
        number >>= 7
    return raw + bytes([number])


def _described(root):
    """Returns a description of one part, without shared parts."""
    at = ingot.schema._Reader(root)
    at.shared, at.depth = [], {}
    schema = Schema(at.part(False))
    return b"ingS\3\0\0\0" + schema.id.to_bytes(8, "little") + b"\0" + root


def _description(name):
    from material import DESCRIPTIONS

    return DESCRIPTIONS[name]


if __name__ == "__main__":
    sys.setrecursionlimit(200)  # shows recursion whose depth the bytes decide
    unittest.main()
