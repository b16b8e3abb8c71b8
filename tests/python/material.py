# SPDX-License-Identifier: Apache-2.0
"""Goldens, seed corpora, and functions that make whole files of their parts."""
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import ingot  # noqa: E402
from ingot import Kind, Part, Schema  # noqa: E402
from ingot.hash import Fingerprint  # noqa: E402
from ingot.xxh3 import xxh3_64  # noqa: E402

CORPUS = ROOT / "fuzz" / "corpus"


def golden(name):
    """Returns the bytes of a golden."""
    lines = (ROOT / "tests" / "golden" / f"{name}.hex").read_text().splitlines()
    return bytes.fromhex(" ".join(line for line in lines if not line.startswith("#")))


def goldens(prefix):
    """Returns the names of goldens that begin with a prefix."""
    return sorted(path.stem for path in (ROOT / "tests" / "golden").glob(f"{prefix}_*.hex"))


def golden_ids():
    """Returns the fingerprints of the types of the zoo, by name."""
    lines = (ROOT / "tests" / "schema" / "golden_ids.txt").read_text().splitlines()
    return {name: int(number, 16) for name, number in (line.split() for line in lines)}


def descriptions():
    """Returns descriptions of types, by name."""
    lines = (pathlib.Path(__file__).parent / "descriptions.txt").read_text().splitlines()
    return {name: bytes.fromhex(raw) for name, raw in (line.split() for line in lines if not line.startswith("#"))}


DESCRIPTIONS = descriptions()
SCHEMAS = {name: Schema.from_bytes(raw) for name, raw in DESCRIPTIONS.items() if raw[:4] == b"ingS"}
LAYOUTS = {name: ingot.Layout.from_bytes(raw) for name, raw in DESCRIPTIONS.items() if raw[:4] == b"ingY"}


def part(kind, *children, **said):
    """Returns a part of a schema."""
    created = Part(kind, **said)
    created.children = list(children)
    if kind == Kind.VARIANT:
        created.names = [""] * len(children)
    return created


def number(width, signed=0):
    return part(Kind.INTEGER, width=width, flags=signed)


def text(width=1):
    return part(Kind.STRING, width=width)


def compact_schemas():
    """Returns the schemas of the compact goldens whose types have no names."""
    roots = {
        "array_string": part(Kind.ARRAY, text(), extent=2),
        "bitset": part(Kind.BITSET, extent=11),
        "expected_error": part(Kind.EXPECTED, text(), number(2)),
        "long_string": text(),
        "map": part(Kind.MAP, text(), part(Kind.SEQUENCE, number(1))),
        "optional_absent": part(Kind.OPTIONAL, text()),
        "optional_present": part(Kind.OPTIONAL, text()),
        "tuple": part(Kind.TUPLE, number(1), text(), part(Kind.BOOLEAN, width=1)),
        "u16string": text(2),
        "unordered_map": part(Kind.UNORDERED_MAP, number(4), text()),
        "unordered_multimap": part(Kind.UNORDERED_MAP, text(), number(2), flags=4),
        "variant": part(Kind.VARIANT, number(1), text(), part(Kind.FLOATING, width=8)),
        "vector_string": part(Kind.SEQUENCE, text()),
    }
    found = {name: Schema(root) for name, root in roots.items()}
    for name in ("plain", "varying", "shortened", "sparse", "tightened", "quantised", "directed"):
        found[name] = SCHEMAS[f"compact_{name}"]
    found["sparse_default"] = found["sparse"]
    for name in ("preferences", "sensor_v1", "sensor_v2", "vector_sensor_v2"):
        found[name] = SCHEMAS[name]
    return found


def file(kind, payload, description=b"", schema_id=0, layout_id=0):
    """Returns a file with a payload and correct checksums."""
    header = bytearray(64)
    header[:4] = b"ingF"
    header[4], header[5] = 1, kind
    header[7] = (2 if kind == 3 else 1) if description else 0
    header[8:24] = schema_id.to_bytes(8, "little") + layout_id.to_bytes(8, "little")
    header[24:32] = header[32:40] = len(payload).to_bytes(8, "little")
    header[40:44] = len(description).to_bytes(4, "little")
    if description:
        header[44:48] = (xxh3_64(description) & 0xFFFFFFFF).to_bytes(4, "little")
    header[48:56] = xxh3_64(payload).to_bytes(8, "little")
    header[56:64] = xxh3_64(bytes(header[:56])).to_bytes(8, "little")
    return bytes(header) + payload + (bytes(-len(payload) % 8) + description if description else b"")


def fitting(description):
    """Returns a changed description with checksums and fingerprints that fit, if it can be read."""
    for _ in range(3):
        if description[:4] == b"ingY":
            description = layout_description(description[:-8])
        try:
            (ingot.Layout if description[:4] == b"ingY" else Schema).from_bytes(description)
            break
        except ingot.FormatError as error:
            found = re.search(r"fingerprint.* ([0-9a-f]{16})$", error.message)
            if not found:
                break
            description = description[: error.offset] + int(found.group(1), 16).to_bytes(8, "little") + description[error.offset + 8 :]
    return description


def log_file(kind, payloads, description):
    """Returns a log of packed (5) or compact (6) records."""
    log = bytearray(file(kind, b"", description, int.from_bytes(description[8:16], "little")))
    log[24:40], log[48:56] = bytes(16), bytes(8)  # neither length nor checksum of all
    log[56:64] = xxh3_64(bytes(log[:56])).to_bytes(8, "little")
    log += bytes(-len(log) % 8)
    for payload in payloads:
        at, size = len(log), len(payload).to_bytes(4, "little")
        log += size + (xxh3_64(size, at) & 0xFFFFFFFF).to_bytes(4, "little") + xxh3_64(payload, at).to_bytes(8, "little")
        log += payload + bytes(-len(payload) % 8)
    return bytes(log)


def described_file(kind, payload, description):
    """Returns a file with the description of its type and the description's fingerprints."""
    first, second = (int.from_bytes(description[at : at + 8], "little") for at in (8, 16))
    return file(kind, payload, description, second, first) if kind == 3 else file(kind, payload, description, first)


def block(layout, body):
    """Returns a live block with a header for `body`."""
    order = "big" if layout.big_endian else "little"
    body += bytes(-len(body) % 8)
    sentinel = 56 - 2 * layout.offset
    header = b"ingL" + bytes((2, layout.big_endian + 2 * (layout.offset == 8), 0, 0))
    header += b"".join(value.to_bytes(8, order) for value in (layout.layout_id, layout.schema_id, 64 + len(body)))
    header += bytes(sentinel - 32 + layout.offset) + sentinel.to_bytes(layout.offset, order) + bytes(8)
    return header + body


def document(root, nodes):
    """Returns a document with the given nodes."""
    nodes += bytes(-len(nodes) % 8)
    return b"ingD\3\0\0\0" + (16 + len(nodes)).to_bytes(4, "little") + root + nodes


def archive(body):
    """Returns an archive with a length for `body`."""
    size, length = len(body), b""
    while size >= 128:
        length += bytes([size & 127 | 128])
        size >>= 7
    return b"ingA\2\0" + length + bytes([size]) + body


def layout_description(body):
    """Returns a layout description, followed by its hash."""
    mixed = Fingerprint()
    mixed.text(body)
    return body + mixed.done().to_bytes(8, "little")


def damaged(data, chance):
    """Returns the bytes with some damage."""
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if not damaged:
            damaged.append(chance.randrange(3))
            continue
        at, how = chance.randrange(len(damaged)), chance.randrange(7)
        if how == 0:
            damaged[at] ^= 1 << chance.randrange(8)
        elif how == 1:
            damaged[at] = chance.choice((0, 1, 2, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        elif how == 2:
            damaged[at] = (damaged[at] + chance.choice((1, -1, 4, -4))) & 255
        elif how == 3:
            del damaged[at : at + chance.choice((1, 1, 4, 8))]
        elif how == 4:
            damaged[at:at] = bytes(chance.randrange(3) for _ in range(chance.choice((1, 4, 8))))
        elif how == 5:
            begin, size = chance.randrange(len(damaged)), chance.choice((1, 2, 4, 8))
            damaged[at : at + size] = damaged[begin : begin + size]
        else:
            damaged[at // 4 * 4 : at // 4 * 4 + 4] = chance.choice((0, 1, 2, 0xFFFFFFFF)).to_bytes(4, "little")
    return bytes(damaged)


def seeds():
    """Yields whole inputs: name, kind (0 if it is no file's payload), bytes, description."""
    for name in goldens("pack"):
        yield name, 1, golden(name), DESCRIPTIONS[name]
    for name in ("preferences", "sensor_v2", "vector_sensor_v2"):
        yield f"compact_{name}", 2, golden(f"compact_{name}"), DESCRIPTIONS[name]
    for name in ("plain", "varying", "shortened", "sparse", "tightened", "quantised", "directed"):
        yield f"compact_{name}", 2, golden(f"compact_{name}"), DESCRIPTIONS[f"compact_{name}"]
    for path in sorted((CORPUS / "dynamic").glob("*_described")):
        raw = path.read_bytes()
        size = int.from_bytes(raw[1:3], "little")
        description = layout_description(raw[3 : 3 + size])
        yield path.name, 3, block(ingot.Layout.from_bytes(description), raw[3 + size :]), description
    yield "value_packed", 1, golden("value_packed"), DESCRIPTIONS["value_order"]
    yield "value_compact", 2, golden("value_compact"), DESCRIPTIONS["value_order"]
    yield "value_live", 3, golden("value_live"), DESCRIPTIONS["value_live"]
    yield "live_cabinet", 3, golden("live_cabinet"), DESCRIPTIONS["live_cabinet"]
    for path in sorted((CORPUS / "dynamic_message").iterdir()):
        raw = path.read_bytes()
        if raw[3:7] != b"ingS":
            continue
        size = int.from_bytes(raw[1:3], "little")
        yield path.name, 1 if path.name.endswith("packed") else 2, raw[3 + size :], raw[3 : 3 + size]
    for name in goldens("document") + goldens("archive") + goldens("file") + goldens("schema") + goldens("layout"):
        yield name, 0, golden(name), b""


def opened(kind, payload, description):
    """Returns the value of a seed or of its damaged form."""
    data = payload if kind == 0 else described_file(kind, payload, description)
    found = ingot.open(data)
    return list(found.value) if "log" in found.kind else found.value


def chance(*seed):
    return random.Random(" ".join(map(str, seed)))
