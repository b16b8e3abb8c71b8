# SPDX-License-Identifier: Apache-2.0
"""Reads the seeds of the fuzz targets: a valid seed has a value, an invalid one a FormatError."""
import unittest

from material import CORPUS, LAYOUTS, SCHEMAS, Schema, archive, block, document, file, golden_ids, ingot, layout_description

#: Seeds that must be rejected.
BAD = {
    "document/root_of_no_kind", "dynamic/pool_slot_with_bytes_behind_its_generation",
    "dynamic/queue_with_a_storage_of_no_places",
    "compact/mixture", "compact/cut_behind_a_bad_bool", "view/cut_short", "unpack/cut_short",
    "view/mixture", "view/network",
    "unpack/binary_tree", "unpack/character", "unpack/mixture", "unpack/network",
}  # fmt: skip


def seeds(folder):
    return sorted((CORPUS / folder).iterdir())


class Corpora(unittest.TestCase):
    def hold(self, path, read):
        """Reads a seed, or expects that it is rejected."""
        name = f"{path.parent.name}/{path.name}"
        with self.subTest(name):
            if name in BAD:
                with self.assertRaises(ingot.FormatError):
                    read()
                return None
            return read()

    def test_documents(self):
        for path in seeds("document"):
            raw = path.read_bytes()
            self.hold(path, lambda: ingot.open(document(raw[1:5], raw[5:])).value)

    def test_archives(self):
        for path in seeds("archive"):
            self.hold(path, lambda: ingot.open(archive(path.read_bytes())).value)

    def test_schemas_and_their_messages(self):
        for path in seeds("schema"):
            raw = path.read_bytes()
            size = int.from_bytes(raw[1:3], "little")
            schema = self.hold(path, lambda: Schema.from_bytes(raw[3 : 3 + size]))
            unpack = ingot.unpack_compact if path.name.endswith("compact") or path.name == "annotated" else ingot.unpack
            self.hold(path, lambda: unpack(raw[3 + size :], schema, exact=True))

    def test_schemas_with_annotations_for_protobuf(self):
        annotated = 0
        for path in seeds("protobuf"):
            raw = path.read_bytes()
            if raw[3:7] != b"ingS":
                continue
            schema = self.hold(path, lambda: Schema.from_bytes(raw[3 : 3 + int.from_bytes(raw[1:3], "little")]))
            annotated += any(any(part.encodings) for part in schema.parts)
        self.assertTrue(annotated)

    def test_dynamic_messages(self):
        for path in seeds("dynamic_message"):
            raw = path.read_bytes()
            if raw[3:7] != b"ingS":
                continue
            size = int.from_bytes(raw[1:3], "little")
            schema = Schema.from_bytes(raw[3 : 3 + size])
            unpack = ingot.unpack if path.name.endswith("packed") else ingot.unpack_compact
            self.hold(path, lambda: unpack(raw[3 + size :], schema, exact=True))

    def test_layouts_and_their_blocks(self):
        described = 0
        for path in seeds("dynamic"):
            raw = path.read_bytes()
            size = int.from_bytes(raw[1:3], "little")
            if raw[3:7] != b"ingY":
                continue
            described += 1
            # The layout is valid in all of them.
            layout = ingot.Layout.from_bytes(layout_description(raw[3 : 3 + size]))
            self.hold(path, lambda: ingot.open(block(layout, raw[3 + size :]), schema=layout).value)
        self.assertGreater(described, 8)

    def test_blocks(self):
        for path in seeds("live"):
            seed = path.name.split("_")[0]
            layout = LAYOUTS["value_live" if seed == "order" else f"live_{seed}"]
            self.hold(path, lambda: ingot.open(block(layout, path.read_bytes()[1:]), schema=layout).value)

    def test_blocks_and_documents_of_files(self):
        found = 0
        for path in seeds("file"):
            raw = path.read_bytes()[1:]
            if raw[:4] == b"ingD":
                self.hold(path, lambda: ingot.open(file(4, raw)).value)
            elif raw[:4] == b"ingL":
                layout = LAYOUTS["live_card"]
                whole = file(3, raw, b"", layout.schema_id, layout.layout_id)
                self.hold(path, lambda: ingot.open(whole, schema=layout).value)
            else:
                continue
            found += 1
        self.assertEqual(found, 6)

    def test_compressed_messages(self):
        for path in seeds("compressed"):
            raw = path.read_bytes()
            if raw[1:5] == b"ingZ" and not raw[6] & 2:
                value = self.hold(path, lambda: ingot.open(raw[1:]).value)
                self.assertTrue(value == b"" or value.startswith(b"line 0\n") or raw[6] & 4, path.name)

    def test_messages_of_the_zoo(self):
        ids = golden_ids()
        by_id = {schema.id: schema for schema in SCHEMAS.values()}
        read = 0
        for folder, prefix, unpack in (("unpack", 2, ingot.unpack), ("view", 6, ingot.unpack), ("compact", 1, ingot.unpack_compact)):
            for path in seeds(folder):
                name = path.name.removesuffix("_empty")
                schema = by_id.get(ids.get(name, 0)) or SCHEMAS.get(name)
                if schema is not None:
                    read += 1
                    self.hold(path, lambda: unpack(path.read_bytes()[prefix:], schema, exact=True))
        self.assertGreater(read, 120)


if __name__ == "__main__":
    unittest.main()
