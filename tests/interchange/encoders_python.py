# SPDX-License-Identifier: Apache-2.0
"""Encoders of PyPI, for encoders.py, which says what is printed."""
import datetime
import decimal
import importlib.metadata
import json
import math
import struct
import sys

import cbor2
import msgpack
import ormsgpack

UTC = datetime.timezone.utc
ABSENT = object()


LIBRARIES = {
    "msgpack": ("msgpack", "msgpack", msgpack.packb, msgpack.unpackb),
    "msgpack datetime=True, strict_map_key=False": (
        "msgpack", "msgpack", lambda v: msgpack.packb(v, datetime=True),
        lambda b: msgpack.unpackb(b, timestamp=3, strict_map_key=False)),
    "ormsgpack": ("ormsgpack", "msgpack", ormsgpack.packb, ormsgpack.unpackb),
    "ormsgpack OPT_NON_STR_KEYS, OPT_DATETIME_AS_TIMESTAMP_EXT": (
        "ormsgpack", "msgpack",
        lambda v: ormsgpack.packb(v, option=ormsgpack.OPT_NON_STR_KEYS | ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT),
        lambda b: ormsgpack.unpackb(b, option=ormsgpack.OPT_NON_STR_KEYS | ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT)),
    "cbor2 (PyPI)": ("cbor2", "cbor", cbor2.dumps, cbor2.loads),
    "cbor2 (PyPI) value_sharing=True, string_referencing=True": (
        "cbor2", "cbor", lambda v: cbor2.dumps(v, value_sharing=True, string_referencing=True), cbor2.loads),
    "cbor2 (PyPI) canonical=True": ("cbor2", "cbor", lambda v: cbor2.dumps(v, canonical=True), cbor2.loads),
}


def record():
    return {"id": 7, "name": "x", "ratio": 0.5}


SHARED = {"x": 1}
VALUES = {
    "u8": [0, 1, 23, 24, 127, 128, 255],
    "u16": [256, 32767, 32768, 65535],
    "u32": [65536, 2147483647, 2147483648, 4294967295],
    "2^32": [2**32],
    "2^53-1": [2**53 - 1],
    "2^53+1": [2**53 + 1],
    "2^63-1": [2**63 - 1],
    "2^64-1": [2**64 - 1],
    "negative": [-1, -24, -25, -32, -33, -128, -129, -256, -257, -32768, -32769, -2147483648],
    "-2^31-1": [-(2**31) - 1],
    "-2^63": [-(2**63)],
    "2^64": [2**64],
    "-2^64": [-(2**64)],
    "halves": [0.5, -0.25, 1.5],
    "singles": [0.100000001490116119384765625, 1.1754943508222875e-38],
    "doubles": [1.1, 5e-324, 1.7976931348623157e308],
    "whole": [1.0, 65504.0],
    "-0.0": [-0.0],
    "nan": [math.nan, math.inf, -math.inf],
    "simple": [True, False, None],
    "undefined": ABSENT,
    "text": ["", "a", "\u00e9\u20ac\U0001f600", "nul\0"],
    "long text": ["0123456789" * 30],
    "bytes": [bytes([0, 255, 16]), b""],
    "nested": [[], [[1]], [1, [2, 3]], {}],
    "long array": list(range(300)),
    "text keys": {"a": 1, "b": {"c": []}},
    "many keys": {f"k{i}": i for i in range(20)},
    "integer keys": {1: 2, -3: 4},
    "record": record(),
    "records": [record(), record()],
    "empty list": {"list": []},
    "time": [datetime.datetime.fromtimestamp(1700000000, UTC)],
    "time, ms": [datetime.datetime.fromtimestamp(1700000000.5, UTC)],
    "time, ns": ABSENT,
    "date": [datetime.date(2023, 11, 14)],
    "set": [{1, 2}],
    "decimal": [decimal.Decimal("273.15")],
    "typed array": ABSENT,
    "shared": [SHARED, SHARED],
}


def told(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"i": str(value)}
    if isinstance(value, float):
        return {"f": struct.pack(">d", value).hex()}
    if isinstance(value, str):
        return {"t": value}
    if isinstance(value, (bytes, bytearray)):
        return {"b": bytes(value).hex()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "tag"):
        return {"a": [told(item) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"s": [told(item) for item in value]}
    if isinstance(value, decimal.Decimal):
        return {"d": str(value)}
    if isinstance(value, datetime.datetime):
        return {"time": f"{int(value.timestamp() // 1)}.{value.microsecond:06d}000"}
    if isinstance(value, datetime.date):
        return {"date": value.isoformat()}
    if isinstance(value, msgpack.Timestamp):
        return {"time": f"{value.seconds}.{value.nanoseconds:09d}"}
    if isinstance(value, msgpack.ExtType):
        return {"ext": [value.code, value.data.hex()]}
    if isinstance(value, cbor2.CBORTag):
        return {"tag": [value.tag, told(value.value)]}
    if value is cbor2.undefined:
        return {"undefined": True}
    if hasattr(value, "items"):
        return {"m": [[told(key), told(item)] for key, item in value.items()]}
    return {"python": repr(value)}


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error: # pylint: disable=broad-except
        return "!" + " ".join(f"{type(error).__name__}: {error}".split())


def main():
    if sys.argv[1] == "list":
        for name, (package, format_, _, _) in LIBRARIES.items():
            print(name, importlib.metadata.version(package), format_, sep="\t")
        return
    _, _, write, read = LIBRARIES[sys.argv[2]]
    if sys.argv[1] == "write":
        for name, value in VALUES.items():
            print(name, "-" if value is ABSENT else attempt(lambda value: write(value).hex(), value), sep="\t")
        return
    for line in sys.stdin:
        name, data = line.rstrip("\n").split("\t")
        print(name, attempt(lambda data: json.dumps(told(read(data))), bytes.fromhex(data)), sep="\t")


if __name__ == "__main__":
    main()
