# SPDX-License-Identifier: Apache-2.0
"""Records in use: members and methods of one name, plain values, text, and the command."""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from agreement import differing
from material import DESCRIPTIONS, ROOT, SCHEMAS, described_file, golden, goldens, ingot
from ingot import ABSENT, Duration, Enumerator, Expected, Pool, Record, Ref, TimePoint, Variant, to_dict
from ingot.__main__ import main
from test_goldens import document_of_three
from test_page import log_with_its_schema


def said(*words):
    """Returns the exit code of the command, and what it writes."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


class Members(unittest.TestCase):
    def test_have_their_name_before_methods(self):
        record = Record(["items", "keys", "to_dict"], [[1, 2], "k", None])
        self.assertEqual((record.items, record.keys, record.to_dict), ([1, 2], "k", None))
        self.assertEqual(list(Record.items(record)), [("items", [1, 2]), ("keys", "k"), ("to_dict", None)])
        self.assertEqual(Record.keys(record), ("items", "keys", "to_dict"))
        self.assertEqual(Record.to_dict(record), {"items": [1, 2], "keys": "k", "to_dict": None})
        self.assertEqual(record, {"items": [1, 2], "keys": "k", "to_dict": None})
        self.assertEqual(ingot.to_json(record), '{"items":[1,2],"keys":"k","to_dict":null}')
        self.assertIn("items=[1, 2]", repr(record))

    def test_without_such_members_methods_are_methods(self):
        record = Record(["a"], [1])
        self.assertEqual((record.keys(), dict(record.items()), record.to_dict()), (("a",), {"a": 1}, {"a": 1}))
        self.assertEqual(dict(**record), {"a": 1})


class Plain(unittest.TestCase):
    def test_forms(self):
        for value, wanted in (
            (Record(["a", "b", "c"], [1, ABSENT, None]), {"a": 1, "c": None}),
            (Enumerator(1, "hearts"), "hearts"),
            (Enumerator(3, None), 3),
            ({Enumerator(1, "hearts"): Record(["a"], [1])}, {"hearts": {"a": 1}}),
            ({1.5: 2}, [[1.5, 2]]),
            (Variant(0, Enumerator(1, "x"), "deposit"), {"deposit": "x"}),
            (Expected(False, "lost"), {"error": "lost"}),
            (TimePoint(Duration(5, 1, 1000)), 5),
            (1.5 - 2j, [1.5, -2.0]),
            ((1, (2,)), [1, [2]]),
            (memoryview(b"\1\0\2\0").cast("H"), [1, 2]),
            (Pool({(0, 1): "a"}), ["a"]),
            (Ref(1, 2), {"index": 1, "generation": 2}),
            ([], []),
        ):
            with self.subTest(repr(value)):
                self.assertEqual(to_dict(value), wanted)
                self.assertIs(type(to_dict(value)), type(wanted))

    def test_is_what_to_json_writes_for_every_golden(self):
        count = 0
        for name in goldens("pack"):
            schema = SCHEMAS.get(name.removeprefix("pack_"))
            if schema is None:
                continue
            value = ingot.unpack(golden(name), schema)
            try:
                text = ingot.to_json(value)
            except ValueError:
                continue  # bytes, and numbers that JSON lacks
            with self.subTest(name):
                self.assertEqual(json.dumps(to_dict([value])), json.dumps(json.loads(f"[{text}]")))
                self.assertEqual(json.loads(json.dumps([value, Record(["v"], [value])], default=to_dict))[1], {"v": json.loads(text)})
                self.assertIsNone(differing(json.loads(text), value))
            count += 1
        self.assertGreater(count, 25)

    def test_any_depth(self):
        deep = []
        for _ in range(100_000):
            deep = [deep]
        plain, depth = to_dict(deep), 0
        while plain:
            plain, depth = plain[0], depth + 1
        self.assertEqual(depth, 100_000)

    def test_bytes_are_an_error_that_says_what_to_do(self):
        with self.assertRaisesRegex(TypeError, "binary"):
            json.dumps(Record(["b"], [b"x"]), default=to_dict)


class Text(unittest.TestCase):
    def test_has_no_addresses(self):
        views = memoryview(b"\1\2").cast("B")
        value = Record(["a", "b", "c", "d"], [views, [views, (views,)], {1: views}, Variant(0, views, "t")], "type")
        self.assertEqual(repr(value), "type(a=[1, 2], b=[[1, 2], ([1, 2],)], c={1: [1, 2]}, d=Variant(index=0, value=[1, 2], tag='t'))")
        self.assertEqual(repr(Record(["a"], [memoryview(bytes(1000))])), f"record(a=[{'0, ' * 100}... 1000 numbers])")
        block = golden("live_cabinet")
        whole = ingot.open(described_file(3, block, DESCRIPTIONS["live_cabinet"]))
        for each in (whole, whole.value, whole.schema, ingot.Document(document_of_three()), ingot.Block(block, whole.schema), ingot.open(document_of_three())):
            self.assertNotIn(" at 0x", repr(each))
            self.assertNotIn(" object ", repr(each))


class Command(unittest.TestCase):
    def test_shows_files(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            whole = described_file(3, golden("live_cabinet"), DESCRIPTIONS["live_cabinet"])
            (folder / "cabinet.ingot").write_bytes(whole)
            (folder / "document").write_bytes(document_of_three())
            (folder / "events.log").write_bytes(log_with_its_schema())
            (folder / "damaged.ingot").write_bytes(whole[:500] + bytes([whole[500] ^ 1]) + whole[501:])
            code, out, err = said(folder / "cabinet.ingot")
            first, text = out.split("\n", 1)
            self.assertEqual((code, first, err), (0, f"{folder}/cabinet.ingot: live", ""))
            self.assertEqual(json.loads(text), json.loads(ingot.to_json(ingot.open(whole).value, non_finite="strings", binary="base64", invalid_text="replace")))
            self.assertIn('\n  "title": "a title', text)
            self.assertEqual(said(folder / "events.log"), (0, f'{folder}/events.log: packed log\n"one"\n""\n"three"\n', ""))
            code, out, _ = said("--json", folder / "document")
            self.assertEqual((code, json.loads(out)), (0, ingot.open(document_of_three()).value))
            code, out, err = said(folder / "damaged.ingot", folder / "events.log")
            self.assertEqual((code, "bad_checksum" in err or "checksum" in err, '"three"' in out), (1, True, True))
            self.assertEqual(said(folder / "nowhere")[::2], (3, f"{folder}/nowhere: No such file or directory\n"))
            (folder / "schema").write_bytes(DESCRIPTIONS["live_cabinet"])
            self.assertEqual(said(folder / "schema")[0], 0)
            done = subprocess.run([sys.executable, "-B", "-m", "ingot", "-"], input=document_of_three(), capture_output=True, cwd=ROOT / "python", check=True)
            self.assertTrue(done.stdout.startswith(b"-: document\n{"), done.stdout)

    def test_obeys_no_terminal_commands(self):
        from ingot.__main__ import _indented, _json

        text = _indented(_json({"\x1b[31m": "\u202e\u009b\x7f", "a": [], "b": {}, "c": [1, {"d": "x,y:{}"}]}))
        self.assertFalse(any(each in text for each in "\x1b\u202e\u009b\x7f"))
        self.assertEqual(json.loads(text), {"\x1b[31m": "\u202e\u009b\x7f", "a": [], "b": {}, "c": [1, {"d": "x,y:{}"}]})


if __name__ == "__main__":
    unittest.main()
