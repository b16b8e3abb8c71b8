# SPDX-License-Identifier: Apache-2.0
"""The hash of keys is that of docs/format.md, in Python and in C++; wrong hashes are rejected."""
import ast
import unittest

from material import LAYOUTS, ROOT, archive, golden, ingot
from ingot import hash as hashes

PAGE = (ROOT / "docs" / "format.md").read_text()
DOCUMENTS = (ROOT / "tests" / "document" / "keys_test.cpp").read_text()
CODE = (ROOT / "tests" / "live" / "hash_test.cpp").read_text()


def vectors(begin):
    """Yields the rows of a table of the page: the hashed key, and the numbers after it.

    `begin` is the beginning of the table's head.
    """
    rows = PAGE[PAGE.index(begin) :].split("\n\n", 1)[0].splitlines()[2:]
    for row in rows:
        cells = [cell.strip().strip("`") for cell in row.strip("|").split("|")]
        yield ast.literal_eval(cells[0]), [int(cell, 16) for cell in cells[1:] if cell]


class Hash(unittest.TestCase):
    def test_vectors_of_the_page_are_those_of_the_code(self):
        another = 0x0123456789ABCDEF
        tried = 0
        for key, expected in vectors("| key | under `first_seed`"):
            for seed, number in zip((hashes.FIRST_SEED, another), expected):
                found = hashes.key_hash(seed, key)
                self.assertEqual(found, number, f"{key!r} under {seed:#x}")
                self.assertIn(f"0x{number:016X}", CODE, "the test of the C++ has it, too")
                tried += 1
        self.assertGreater(tried, 25)
        for constant in (hashes.FIRST_SEED, another):
            self.assertIn(f"0x{constant:016X}", CODE)
            self.assertIn(f"`0x{constant:016X}`", PAGE)

    def test_siphash_is_that_of_others(self):
        # Computed by OpenSSL, as in the C++ test.
        for first, second, words, expected in (
            (0x0706050403020100, 0x0F0E0D0C0B0A0908, [], 0xABAC0158050FC4DC),
            (0x0706050403020100, 0x0F0E0D0C0B0A0908, [1], 0x32C5EA5CE472F19B),
            (5, 7, list(range(40)), 0x71C8DD89B2E4AA29),
        ):
            self.assertEqual(hashes.siphash(first, second, words), expected)

    def test_vectors_of_documents(self):
        found = list(vectors("| key of a document |"))
        self.assertGreater(len(found), 4)
        for key, (number,) in found:
            self.assertEqual(hashes.document_hash(key), number, key)
            self.assertIn(f'{{"{key.decode()}", 0x{number:04X}}}', DOCUMENTS)

    def test_wrong_hashes_and_orders_are_refused(self):
        small = bytearray(golden("document_small"))
        begin = 16 + 8 + 2 * 4  # the hashes of the root, after its head and four cells
        for at in range(begin, begin + 8):
            small[at] ^= 1
            with self.assertRaises(ingot.FormatError, msg=at) as caught:
                ingot.open(bytes(small)).value  # noqa: B018
            self.assertEqual(caught.exception.code, "out_of_order")
            small[at] ^= 1
        self.assertEqual(ingot.open(archive(b"\x02\x04\x01a\x01b\x01\x01\x02\xc0\x02\x80\x80")).value, {"a": None, "b": None})
        with self.assertRaises(ingot.FormatError) as caught:
            body = b"\x02\x04\x01b\x01a\x01\x01\x02\xc0\x02\x80\x80"
            ingot.open(archive(body)).value  # noqa: B018
        self.assertEqual(caught.exception.code, "out_of_order")
        cabinet = golden("live_cabinet")
        seed = hashes.FIRST_SEED.to_bytes(8, "little")
        self.assertIn(seed, cabinet)
        other = cabinet.replace(seed, (1).to_bytes(8, "little"))
        with self.assertRaises(ingot.FormatError) as caught:
            ingot.open(other, schema=LAYOUTS["live_cabinet"]).value  # noqa: B018
        self.assertEqual(caught.exception.code, "out_of_order")


if __name__ == "__main__":
    unittest.main()
