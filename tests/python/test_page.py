# SPDX-License-Identifier: Apache-2.0
"""Runs the session of the page on Python.

Another test reads the examples of the page on the format, as goldens.
"""
import doctest
import os
import pathlib
import tempfile
import unittest

from material import DESCRIPTIONS, ROOT, described_file, file, golden, ingot
from test_goldens import document_of_three


def log_with_its_schema():
    """Returns the log of docs/format.md, with the description of a string in it."""
    from ingot.xxh3 import xxh3_64

    description = DESCRIPTIONS["string"]
    out = bytearray(golden("file_log")[:64])
    out[7] = 1
    out[40:48] = len(description).to_bytes(4, "little") + (xxh3_64(description) & 0xFFFFFFFF).to_bytes(4, "little")
    out[56:64] = xxh3_64(bytes(out[:56])).to_bytes(8, "little")
    out += description + bytes(-len(description) % 8)
    for text in (b"one", b"", b"three"):
        at = len(out)
        head = len(text).to_bytes(4, "little")
        out += head + (xxh3_64(head, at) & 0xFFFFFFFF).to_bytes(4, "little") + xxh3_64(text, at).to_bytes(8, "little")
        out += text + bytes(-len(text) % 8)
    return bytes(out)


class Page(unittest.TestCase):
    def test_session(self):
        here = pathlib.Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                whole = described_file(3, golden("live_cabinet"), DESCRIPTIONS["live_cabinet"])
                pathlib.Path("cabinet.ingot").write_bytes(whole)
                pathlib.Path("order.ingot").write_bytes(file(4, document_of_three()))
                pathlib.Path("events.log").write_bytes(log_with_its_schema())
                pathlib.Path("damaged.ingot").write_bytes(whole[:500] + bytes([whole[500] ^ 1]) + whole[501:])
                done = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
            finally:
                os.chdir(here)
        self.assertGreater(done.attempted, 8)
        self.assertEqual(done.failed, 0)

    def test_names_on_the_page_exist(self):
        for name in ingot.__all__:
            self.assertTrue(hasattr(ingot, name), name)


if __name__ == "__main__":
    unittest.main()
