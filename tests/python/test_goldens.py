# SPDX-License-Identifier: Apache-2.0
"""Reads every golden whose bytes docs/format.md describes, and compares its value."""
import importlib.util
import unittest

from material import DESCRIPTIONS, LAYOUTS, ROOT, SCHEMAS, Kind, Schema, compact_schemas, golden, golden_ids, goldens, ingot, number, part, text
from ingot import ABSENT, Duration, Expected, TimePoint, Variant
from ingot.archive import archived
from ingot.errors import run
from ingot.keys import packed
from ingot.patch import fingerprint
from ingot.schema import alternative_tags
from ingot.xxh3 import xxh3_64

PACKED = {
    "pack_array_string": ["x", "", "yz"],
    "pack_binary_tree": {"value": 1, "left": {"value": 2, "left": None, "right": {"value": 3, "left": None, "right": None}}, "right": None},
    "pack_char_keys": [0x61, 0x80, 0xE9],
    "pack_clock_time": TimePoint(Duration(1709208000123456000, 1, 10**9)),
    "pack_complex": 1.5 - 2j,
    "pack_days": Duration(-2, 86400, 1),
    "pack_long_numbers": [1, -2],
    "pack_duration": Duration(-90, 1, 60),
    "pack_enum_negative": -1,
    "pack_enum_sparse": 1 << 40,
    "pack_enum_codes": 301,
    "pack_enum_flags": 0x81,
    "pack_enum_signed_flags": 0x401,
    "pack_expected_error": Expected(False, 1),
    "pack_expected_string_error": Expected(False, "lost"),
    "pack_map_double": {-2.5: 2, 0.0: 1, 2.5: 3},
    "pack_map_fixed": {-1: 1.5, 2: 0.5},
    "pack_multimap": [(-3, "m"), (3, "z"), (3, "a")],
    "pack_multiset": [1, 2, 2],
    "pack_optional_absent": None,
    "pack_optional_nested": [None],
    "pack_optional_string_absent": None,
    "pack_optional_string_empty": "",
    "pack_pair": (7, 0.5),
    "pack_path": "/tmp/grüße.bin",
    "pack_sensor_v1": {"id": 7, "place": "roof"},
    "pack_sensor_v2": {"id": 7, "place": "roof", "offset": 0.25, "tags": ["a", "bc"]},
    "pack_set_int16": [-1, 1, 256],
    "pack_string_empty": "",
    "pack_time_point": TimePoint(Duration(1709208000123, 1, 1000)),
    "pack_tuple_empty": (),
    "pack_u16string": "a€😀",
    "pack_u32string": "a😀",
    "pack_unordered_map": {"ab": {"family": "", "given": "z"}, "b": {"family": "x", "given": "y"}},
    "pack_unordered_multimap": [("a", 5), ("k", 256), ("k", 1)],
    "pack_unordered_set": [256, 1, 2],
    "pack_vector_bool": [True, False, True],
    "pack_vector_nothing": [{}, {}, {}],
}
COMPACT = {
    "array_string": ["x", "yz"],
    "expected_error": Expected(False, 404),
    "long_string": "x" * 300,
    "map": {"a": [1], "aa": [2, 3], "b": []},
    "optional_absent": None,
    "optional_present": "here",
    "sensor_v2": {"id": 7, "place": "roof", "offset": 1.5, "tags": ["a", "b"]},
    "tuple": (1, "t", True),
    "unordered_map": {256: "b", 1: "a", 2: "c"},
    "unordered_multimap": [("a", 9), ("k", 1), ("k", 2)],
    "variant": Variant(2, 2.0, "2"),
    "vector_string": ["", "a", "bc"],
}


def plain(value):
    """Returns the value with lists in place of views of numbers."""
    return list(value) if hasattr(value, "tolist") else value


class Goldens(unittest.TestCase):
    def test_descriptions_are_those_of_the_zoo(self):
        ids = golden_ids()
        known = [name for name in SCHEMAS if name in ids]
        self.assertGreater(len(known), 50)
        for name in known:
            self.assertEqual(SCHEMAS[name].id, ids[name], name)

    def test_fingerprints_of_types_made_by_hand(self):
        ids = golden_ids()
        for name, root in {
            "vector_string": part(Kind.SEQUENCE, text()),
            "set_string": part(Kind.SET, text()),
            "u16string": text(2),
            "nanoseconds": part(Kind.DURATION, number(8, 1), extent=1, divisor=10**9),
            "bitset_77": part(Kind.BITSET, extent=77),
            "map_int32_fixed": part(Kind.MAP, number(4, 1), part(Kind.FLOATING, width=8)),
            "pair": part(Kind.TUPLE, number(1), part(Kind.FLOATING, width=8)),
            "optional_nested": part(Kind.OPTIONAL, part(Kind.OPTIONAL, part(Kind.BOOLEAN, width=1))),
        }.items():
            self.assertEqual(Schema(root).id, ids[name], name)

    def test_packed(self):
        for name in goldens("pack"):
            with self.subTest(name):
                raw, schema = golden(name), SCHEMAS[name]
                value = ingot.unpack(raw, schema, exact=True)
                if PACKED.get(name) is not None:
                    self.assertEqual(plain(value), PACKED[name])
                # The value is written again by code that shares nothing with the reader, and gives
                # the same bytes.
                self.assertEqual(packed(schema.root, value).hex(" "), raw.hex(" "))

    def test_flags(self):
        rights, weather = SCHEMAS["pack_enum_flags"], SCHEMAS["pack_enum_signed_flags"]
        for value in range(256):
            if value & ~0x83:
                with self.assertRaisesRegex(ingot.FormatError, "expected an enumerator"):
                    ingot.unpack(bytes((value,)), rights)
            else:
                names = {0: "none", 1: "read", 2: "write", 0x83: "own"}
                found = ingot.unpack(bytes((value,)), rights)
                self.assertEqual((found, found.name), (value, names.get(value)))
        self.assertEqual(ingot.unpack(bytes((0, 0)), weather), 0)
        with self.assertRaises(ingot.FormatError):
            ingot.unpack(b"\xff\xff", weather)
        both = bytearray(DESCRIPTIONS["pack_enum_flags"])
        self.assertEqual(both[17:20], b"\6\1\4")
        both[19] = 6  # open, too
        with self.assertRaises(ingot.FormatError):
            ingot.Schema.from_bytes(bytes(both))
        block = bytearray.fromhex(
            "696e674c0204000036297039a5b8db44f565275d3ae4445748000000000000000000000000000000"
            "0000000000000000000000003000000000000000000000008100050000000000"
        )
        value = ingot.Block(bytes(block), LAYOUTS["live_flags"]).value
        self.assertEqual((value.may, value.may.name, value.now), (0x81, None, 5))
        block[-8] = 0x10
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.Block(bytes(block), LAYOUTS["live_flags"]).value
        self.assertEqual(str(caught.exception.path), "may")

    def test_typed(self):
        record = part(Kind.RECORD, text())
        record.names, record.annotations = ["text"], [0]
        schema = Schema(record)
        packed_bytes, compact_bytes = golden("typed_packed"), golden("typed_compact")
        self.assertEqual(ingot.unpack_typed(packed_bytes, schema).text, "hello")
        self.assertEqual(ingot.unpack_compact_typed(compact_bytes, schema).text, "hello")
        for read, raw in ((ingot.unpack_typed, compact_bytes), (ingot.unpack_compact_typed, packed_bytes)):
            with self.assertRaisesRegex(ingot.FormatError, "schema_mismatch"):
                read(raw, schema)
        with self.assertRaisesRegex(ingot.FormatError, "truncated at byte 7"):
            ingot.unpack_typed(packed_bytes[:7], schema)

    def test_compact(self):
        schemas = compact_schemas()
        self.assertEqual(sorted(f"compact_{name}" for name in schemas), goldens("compact"))
        for name, schema in schemas.items():
            with self.subTest(name):
                value = ingot.unpack_compact(golden(f"compact_{name}"), schema, exact=True)
                if name in COMPACT:
                    expected = COMPACT[name]
                    if isinstance(expected, dict) and isinstance(value, dict):
                        value = {key: plain(held) for key, held in value.items()}
                    self.assertEqual(value, expected)
        self.assertEqual(list(ingot.unpack_compact(golden("compact_sparse"), schemas["sparse"]))[3:6], [ABSENT, 50, ABSENT])
        shortened = ingot.unpack_compact(golden("compact_shortened"), schemas["shortened"])
        self.assertEqual(list(shortened.list), [0.0, 0.5, 480.0, 481.0, -0.013671875])
        tightened = ingot.unpack_compact(golden("compact_tightened"), schemas["tightened"])
        self.assertEqual(list(tightened)[:2], [0.1, ABSENT])
        self.assertEqual([tightened.whole, tightened.third, str(tightened.minus)], [160.0, 0.25, "ABSENT"])
        self.assertEqual([tightened.single, tightened.count, tightened.hash], [0.10000000149011612, ABSENT, 0xCAFE])
        self.assertEqual([round(x, 7) for x in tightened.list], [0.1, 0.3333333, -0.0, 1e-06])
        quantised = ingot.unpack_compact(golden("compact_quantised"), schemas["quantised"])
        self.assertEqual([quantised.price, quantised.path], [12.34, [0.25, -1000.0, 0.0]])
        directed = ingot.unpack_compact(golden("compact_directed"), schemas["directed"])
        self.assertEqual([round(x, 4) for x in directed.normal], [0.6, 0.0, -0.8])
        self.assertEqual(directed.up, [0.0, 1.0, 0.0])
        self.assertEqual([round(x, 4) for x in directed.rotation], [-0.1, 0.7, -0.5, 0.5])
        self.assertEqual(directed.bones, [[0.0, 0.0, 0.0, 1.0], [0.0] * 4])
        self.assertEqual(list(directed.exact), [1.0, 2.0, 3.0])

    def test_tags_of_alternatives(self):
        self.assertEqual(SCHEMAS["pack_variant_monostate"].root.tags, ["monostate", "full_name", "grid_cell"])
        self.assertEqual(SCHEMAS["pack_variant_variable"].root.tags, ["0", "1", "2"])
        for names, explicit, expected in (
            (["deposit", "", "deposit", "fee"], False, ["0", "1", "2", "fee"]),
            (["1", "", "x"], False, ["0", "1", "x"]),
            (["1", "0"], True, ["1", "0"]),
        ):
            self.assertEqual(alternative_tags(names, explicit), expected)

    def test_live(self):
        cabinet = ingot.open(golden("live_cabinet"), schema=LAYOUTS["live_cabinet"]).value
        self.assertEqual(cabinet.title, "a title that is longer than eleven characters")
        self.assertEqual(len(cabinet.numbers), 40)
        self.assertEqual(cabinet.repeated, [(-4, "first of all and rather long"), (1, "b"), (1, "a")])
        self.assertEqual(cabinet.words, ["a word of several syllables", "antelope", "zebra"])
        self.assertEqual(cabinet.either, Variant(1, "the second alternative", "1"))
        self.assertEqual(sorted(cabinet.hashed), ["a key that is long enough", "one"])
        self.assertEqual(cabinet.flags, [True, False, True])

    def test_values_of_any_kind(self):
        """All three forms of a typed value have the values that the readers of documents find."""
        schema = SCHEMAS["value_order"]
        expected = {"id": "o-1", "extra": {"price": 3.5, "tags": ["new", "a tag that is longer than most"]}, "more": [7, None]}
        value = ingot.unpack(golden("value_packed"), schema, exact=True)
        self.assertEqual(value, expected)
        self.assertEqual(packed(schema.root, value).hex(" "), golden("value_packed").hex(" "))
        self.assertEqual(ingot.unpack_compact(golden("value_compact"), schema, exact=True), expected)
        layout = LAYOUTS["value_live"]
        self.assertEqual(layout.schema_id, schema.id)
        self.assertEqual(ingot.open(golden("value_live"), schema=layout).value, expected)
        whole = ingot.open(golden("file_value"))
        self.assertEqual((whole.kind, whole.value), ("packed", {"id": "o-1", "extra": {"price": 3.5}}))

    def test_null_is_no_absent_value(self):
        """An optional of a value that may be null is a list, which distinguishes the two."""
        schema = Schema(part(Kind.SEQUENCE, part(Kind.OPTIONAL, part(Kind.DOCUMENT))))
        raw = packed(schema.root, [None, [None], [{"a": 1}]])
        self.assertEqual(ingot.unpack(raw, schema), [None, [None], [{"a": 1}]])

    def test_live_and_packed_character_are_the_same(self):
        live = ingot.open(golden("live_char1"), schema=LAYOUTS["live_character"]).value
        self.assertEqual(packed(SCHEMAS["pack_character"].root, live).hex(), golden("pack_character").hex())

    def test_documents(self):
        small = {"id": 7, "name": "text", "list": [1, 300], "half": 0.5}
        self.assertEqual(ingot.open(golden("document_small")).value, small)
        self.assertEqual(ingot.open(golden("document_text")).value, "just text")
        records = ingot.open(golden("document_records")).value
        self.assertEqual(records, [{"id": n, "price": n * 100000, "quantity": 1} for n in range(10)])
        everything = ingot.open(golden("document_everything")).value
        self.assertGreater(len(everything), 20)
        self.assertEqual(everything["bytes"], b"\7\7\7")

    def test_patch(self):
        patch = ingot.open(golden("document_patch"))
        self.assertEqual(patch.kind, "patch")
        before = document_of_three()
        self.assertEqual(fingerprint(before), patch.inner.before)
        after = patch.inner.apply(before)
        self.assertEqual(ingot.open(before).value, {"id": 7, "price": 1000, "balance": -20})
        self.assertEqual(ingot.open(after).value, {"id": 7, "price": 1001, "balance": -20})
        with self.assertRaises(ingot.FormatError):
            patch.inner.apply(after)

    def test_archives(self):
        self.assertEqual(ingot.open(golden("archive_small")).value, {"id": 7, "price": 1000, "balance": -20})
        self.assertEqual(ingot.open(golden("archive_nested")).value, {"a": [[], [1], [70000, 1]], "b": []})
        self.assertEqual(ingot.open(golden("archive_text")).value, "a root of text")
        self.assertEqual(ingot.open(golden("archive_null")).value, None)
        self.assertEqual(ingot.open(golden("archive_records")).value, ingot.open(golden("document_records")).value)
        for name in goldens("archive"):
            with self.subTest(name):
                value = ingot.open(golden(name)).value
                # The value is written again, without the bytes that were read.
                self.assertEqual(run(archived(value)).hex(" "), golden(name).hex(" "))

    def test_files(self):
        three = Schema(part(Kind.SEQUENCE, text()))
        for name in ("file_packed", "file_compact"):
            self.assertEqual(ingot.open(golden(name), schema=three).value, ["one", "", "three"])
        self.assertEqual(ingot.open(golden("file_scalar"), schema=Schema(number(4))).value, 7)
        log = ingot.open(golden("file_log"), schema=Schema(text()))
        self.assertEqual((list(log.value), log.lost), (["one", "", "three"], 0))
        self.assertEqual(ingot.open(golden("file_lz4"), schema=Schema(text())).value, "a" * 60 + "b" * 60)
        message = ingot.open(golden("file_message_lz4")).value
        self.assertTrue(message.startswith(b"line 0 of what is told again and again\nline 1"))
        self.assertEqual(len(message), 0x1064)

    def test_files_that_are_edited_where_they_are(self):
        left_out = golden("file_edited")
        closed = left_out[:64] + bytes(65536 - 64) + left_out[64:]
        self.assertEqual((ingot.open(closed).kind, ingot.open(closed).value), ("edited document", {"id": 7}))
        not_closed = bytearray(closed)
        not_closed[48] = 1
        not_closed[56:64] = xxh3_64(not_closed[:56]).to_bytes(8, "little")
        spoilt = bytearray(closed)
        spoilt[65535] = 1
        for damaged, code, offset in (
            (not_closed, "not_closed", 48), (spoilt, "invalid_value", 64), (closed[:-1], "truncated", len(closed) - 1),
            (closed + b"\0", "trailing_bytes", len(closed)),
        ):
            with self.assertRaises(ingot.FormatError) as caught:
                ingot.open(bytes(damaged)).value  # noqa: B018
            self.assertEqual((caught.exception.code, caught.exception.offset), (code, offset))

    def test_files_of_several_parts(self):
        left_out = golden("file_parts")
        whole = left_out[:64] + bytes(20000) + left_out[64:]
        self.assertEqual(ingot.open(whole, schema=Schema(text())).value, "\0" * 20000)

        def changed(at):
            data = bytearray(whole)
            data[at] ^= 1
            if at < 56:
                data[56:64] = xxh3_64(data[:56]).to_bytes(8, "little")
            return bytes(data)

        for damaged, code, offset in (
            (changed(64), "bad_checksum", 64), (changed(20063), "bad_checksum", 64 + 16384), (changed(20064), "bad_checksum", 48),
            (changed(48), "bad_checksum", 48), (whole[:-1], "truncated", len(whole) - 1), (whole + b"\0", "trailing_bytes", len(whole)),
        ):
            with self.assertRaises(ingot.FormatError) as caught:
                ingot.open(damaged, schema=Schema(text()))
            self.assertEqual((caught.exception.code, caught.exception.offset), (code, offset))

    def test_columns(self):
        pairs = Schema(part(Kind.SEQUENCE, part(Kind.TUPLE, number(4), number(2, 1))))
        value = ingot.open(golden("file_columns"), schema=pairs).value
        self.assertEqual(value, [(1000000 + 250 * i, i % 3) for i in range(40)])
        plain_message = ingot.open(golden("file_message_columns")).value
        self.assertEqual(len(plain_message), 11200)
        self.assertEqual(ingot.open(golden("file_message_columns_lz4")).value, plain_message)
        if importlib.util.find_spec("zstandard"):
            self.assertEqual(ingot.open(golden("file_message_columns_zstd")).value, plain_message)

    def test_zstandard_is_read_or_said_to_be_missing(self):
        for name in ("file_zstd", "file_message_zstd"):
            if importlib.util.find_spec("zstandard"):
                value = ingot.open(golden(name), schema=Schema(text()) if name == "file_zstd" else None).value
                same = golden(name.replace("zstd", "lz4"))
                self.assertEqual(value, ingot.open(same, schema=Schema(text()) if name == "file_zstd" else None).value)
            else:
                with self.assertRaisesRegex(ingot.FormatError, "pip install zstandard") as caught:
                    ingot.open(golden(name), schema=Schema(text())).value  # noqa: B018
                self.assertEqual(caught.exception.code, "unsupported")

    def test_descriptions(self):
        example = ingot.open(golden("schema_example")).schema
        self.assertEqual(example.root.names, ["id", "parts", "front", "back", "note"])
        self.assertEqual((example.root.name, example.root.children[2].name), ("example", "colour"))
        tagged = ingot.open(golden("schema_tagged")).schema
        self.assertEqual((tagged.root.tag_key, tagged.root.tags), ("tile", ["square", "point"]))
        self.assertEqual({each.tag_key for each in ingot.open(golden("layout_tagged")).schema.types}, {"", "type"})
        layout = ingot.open(golden("layout_example")).schema
        self.assertEqual((layout.root.name, layout.root.names, layout.root.size), ("example", ["id", "name", "sizes"], 28))
        self.assertEqual(ingot.open(golden("layout_versioned_example")).schema.root.version, 3)

    def test_no_golden_is_forgotten(self):
        read = "archive compact document file layout live pack schema typed value".split()
        self.assertEqual(sum(len(goldens(kind)) for kind in read), len(list((ROOT / "tests" / "golden").iterdir())))


def document_of_three():
    """Returns the document of the page's patch.

    It is {"id": 7, "price": 1000, "balance": -20}, canonical.
    """
    return bytes.fromhex(
        "69 6e 67 44 03 00 00 00 38 00 00 00 10 00 00 00 02 00 05 00 03 00 14 00 08 00 0b 00 14 00 65 2f "
        "82 74 e7 bd 62 61 6c 61 6e 63 65 01 ec 69 64 57 70 72 69 63 65 02 e8 03"
    )


if __name__ == "__main__":
    unittest.main()
