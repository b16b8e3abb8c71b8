# SPDX-License-Identifier: Apache-2.0
"""Values as JSON, and times as Python's own types."""
import datetime
import json
import random
import struct
import unittest

from agreement import differing
from material import SCHEMAS, Kind, Schema, described_file, golden, goldens, ingot, part
from ingot import ABSENT, Duration, Enumerator, Expected, Record, Ref, TimePoint, Variant, to_json

EVERYTHING = {"non_finite": "strings", "binary": "base64", "invalid_text": "replace"}


class Json(unittest.TestCase):
    def test_is_what_the_tool_shows_for_every_golden(self):
        count = 0
        for name in goldens("pack"):
            schema = SCHEMAS.get(name.removeprefix("pack_"))
            if schema is None:
                continue
            value = ingot.unpack(golden(name), schema)
            with self.subTest(name):
                self.assertIsNone(differing(json.loads(to_json(value, **EVERYTHING)), value))
            count += 1
        self.assertGreater(count, 30)

    def test_tags_and_versions_are_members_as_in_cpp(self):
        schema = ingot.open(golden("schema_tagged_scene")).schema
        text = golden("value_tagged_json").decode()
        self.assertEqual(to_json(ingot.unpack(golden("value_tagged_packed"), schema)), text)
        self.assertEqual(to_json(ingot.unpack_compact(golden("value_tagged_compact"), schema)), text)
        plain = ingot.to_dict(ingot.unpack(golden("value_tagged_packed"), schema))
        self.assertEqual(json.loads(json.dumps(plain)), json.loads(text))
        live = ingot.open(described_file(3, golden("value_tagged_live"), golden("layout_tagged")))
        self.assertEqual(to_json(live.value), golden("value_tagged_live_json").decode())

    def test_forms(self):
        for value, text in (
            (Record(["a", "b", "c"], [1, ABSENT, None]), '{"a":1,"c":null}'),
            (Enumerator(1, "hearts"), '"hearts"'),
            (Enumerator(3, None), "3"),
            ({Enumerator(1, "hearts"): 1, Enumerator(3, None): 2}, '{"hearts":1,"3":2}'),
            ({1: 2, -3: 4}, '{"1":2,"-3":4}'),
            ({1.5: 2}, "[[1.5,2]]"),
            ([("k", 1), ("k", 2)], '[["k",1],["k",2]]'),
            (Variant(0, 5, "deposit"), '{"deposit":5}'),
            (Variant(0, Record(["r"], [5]), "circle", "type"), '{"type":"circle","r":5}'),
            (Variant(1, Record(["r"], [5], version=2), "ball", "type"), '{"type":"ball","$version":2,"r":5}'),
            ([Record([], [], version=3)], '[{"$version":3}]'),
            (Variant(0, Ref(1, 3), "ref", "type"), '{"type":"ref","index":1,"generation":3}'),
            (Expected(False, "lost"), '{"error":"lost"}'),
            (TimePoint(Duration(5, 1, 1000)), "5"),
            (1.5 - 2j, "[1.5,-2.0]"),
            ((1, "ä\n"), '[1,"ä\\n"]'),
            ([], "[]"),
            ({}, "{}"),
            (-0.0, "-0.0"),
            ([True, None], "[true,null]"),
        ):
            with self.subTest(text):
                self.assertEqual(to_json(value), text)
        link = Variant(0, Ref(1, 3), "ref", "type")
        self.assertEqual(ingot.to_dict([link]), [{"type": "ref", "index": 1, "generation": 3}])

    def test_floats_of_32_bits_have_their_fewest_digits(self):
        single = part(Kind.FLOATING, width=4)
        record = part(Kind.RECORD, single, part(Kind.COMPLEX, single), part(Kind.SEQUENCE, single), part(Kind.FLOATING, width=8))
        record.names = ["one", "two", "all", "wide"]
        record.annotations = [0] * 4
        numbers = (0.1, 16777216.0, 3.4028234663852886e38, 1.401298464324817e-45, -0.0, 1.17549435e-38, 0.3)
        data = struct.pack("<f2fId7f", 0.1, 0.2, -0.7, 28, 0.1, *numbers)
        value = ingot.unpack(data, Schema(record))
        text = '{"one":0.1,"two":[0.2,-0.7],"all":[0.1,16777216.0,3.4028235e+38,1e-45,-0.0,1.1754944e-38,0.3],"wide":0.1}'
        self.assertEqual(to_json(value), text)
        self.assertEqual(json.dumps(ingot.to_dict(value), separators=(",", ":")), text)
        self.assertEqual((repr(value.one), repr(value.two)), ("0.1", "(0.2-0.7j)"))
        self.assertEqual((value.one, value.all[0]), (struct.unpack("<f", struct.pack("<f", 0.1))[0],) * 2)
        plain = memoryview(struct.pack("=2f", 0.1, 0.3)).cast("f")
        self.assertEqual((to_json(plain), ingot.values.shown(plain)), ("[0.1,0.3]", "[0.1, 0.3]"))

    def test_shortest_digits_read_back(self):
        chance = random.Random(25)
        for bits in [*range(1, 40), *(1 << n for n in range(31)), *((1 << n) - 1 for n in range(1, 31)), *(chance.getrandbits(31) for _ in range(3000))]:
            raw = bits.to_bytes(4, "little")
            value = struct.unpack("<f", raw)[0]
            if value - value == 0:
                found = ingot.values.shortest(value)
                self.assertEqual(struct.pack("<f", found), raw)
                fewer = f"{value:.{max(1, len(repr(found).split('e')[0].replace('.', '').strip('0')) - 1)}g}"
                self.assertTrue(float(fewer) == found or float(fewer) > 3.4028235e38 or struct.pack("<f", float(fewer)) != raw, raw.hex())

    def test_what_json_lacks_is_an_error_unless_allowed(self):
        for value, option, text in (
            (float("inf"), {"non_finite": "strings"}, '"Infinity"'),
            (float("nan"), {"non_finite": "null"}, "null"),
            (b"\x00\xff", {"binary": "base64"}, '"AP8="'),
            ("a\udcff", {"invalid_text": "replace"}, '"a\ufffd"'),
        ):
            with self.subTest(text):
                with self.assertRaises(ValueError):
                    to_json([value])
                self.assertEqual(to_json(value, **option), text)
        with self.assertRaises(TypeError):
            to_json(object())

    def test_depth_takes_no_stack(self):
        value = 7
        for _ in range(100_000):
            value = [value]
        self.assertEqual(len(to_json(value)), 200_001)


class Times(unittest.TestCase):
    def test_become_those_of_python(self):
        utc = datetime.timezone.utc
        self.assertEqual(TimePoint(Duration(1709208000123456789, 1, 10**9)).datetime(), datetime.datetime(2024, 2, 29, 12, 0, 0, 123456, utc))
        self.assertEqual(TimePoint(Duration(-1, 1, 10**9)).datetime(), datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, utc))
        self.assertEqual(TimePoint(Duration(1.5, 1, 1)).datetime(), datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, utc))
        self.assertEqual(Duration(-2, 86400, 1).timedelta(), datetime.timedelta(days=-2))
        self.assertEqual(Duration(90, 60, 1).timedelta(), datetime.timedelta(hours=1, minutes=30))

    def test_that_python_cannot_hold_are_an_overflow(self):
        with self.assertRaises(OverflowError):
            TimePoint(Duration(2**62, 1, 1)).datetime()
        with self.assertRaises(OverflowError):
            Duration(2**62, 1, 1).timedelta()


if __name__ == "__main__":
    unittest.main()
