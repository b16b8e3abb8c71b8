#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that FlexBuffers for Python writes every double: the format has floats of 4 and
# of 8 bytes. Dumps asks whether 4 bytes would be enough by packing the number into 4, which raises
# for a number beyond the largest float. So 1e300 cannot be written, and 0.1 can. Integers from 2^63
# on cannot be written either, though the format has unsigned ones of 64 bits: the builder's method
# UInt writes them.
#
# Seen with flatbuffers 25.12.19 of PyPI. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check flatbuffers==25.12.19
cat >seen.py <<'PYTHON'
from flatbuffers import flexbuffers

for value in (0.1, 3.4e38, 3.5e38, 1e300, float("inf"), [1e300], 2**63 - 1, 2**63):
    try:
        print(f"{value!r}: {flexbuffers.Loads(flexbuffers.Dumps(value))!r}")
    except Exception as error:
        print(f"{value!r}: {type(error).__name__}: {error}")
builder = flexbuffers.Builder()
builder.UInt(2**63)
print("UInt(2**63):", flexbuffers.Loads(builder.Finish()))
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
0.1: 0.1
3.4e+38: 3.4e+38
3.5e+38: OverflowError: float too large to pack with f format
1e+300: OverflowError: float too large to pack with f format
inf: inf
[1e+300]: OverflowError: float too large to pack with f format
9223372036854775807: 9223372036854775807
9223372036854775808: ValueError: value is too big to encode: 18446744073709551616
UInt(2**63): 9223372036854775808
SEEN
diff expected seen
