#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Frames of Zstandard and of LZ4 may follow each other: both specifications say that the content is
# then what all frames hold, and the command-line tools read it so. One would guess the same of a
# function `decompress`. In Python's zstandard and lz4 it returns the first frame's content and
# drops the rest without an error; a whole log that was appended to in frames seems to be its first
# record. Their file objects return everything, and so does pyzstd's `decompress`.
#
# Seen with zstandard 0.25.0, lz4 4.4.5 and pyzstd 0.20.0 of PyPI. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check zstandard==0.25.0 lz4==4.4.5 pyzstd==0.20.0
cat >seen.py <<'PYTHON'
import io
import lz4.frame
import pyzstd
import zstandard

frames = zstandard.compress(b"one ") + zstandard.compress(b"two")
print("zstandard.decompress:", zstandard.decompress(frames))
print("zstandard.ZstdDecompressor().decompressobj:", zstandard.ZstdDecompressor().decompressobj().decompress(frames))
print("zstandard.open:", zstandard.open(io.BytesIO(frames)).read())
print("pyzstd.decompress:", pyzstd.decompress(frames))
frames = lz4.frame.compress(b"one ") + lz4.frame.compress(b"two")
print("lz4.frame.decompress:", lz4.frame.decompress(frames))
print("lz4.frame.open:", lz4.frame.open(io.BytesIO(frames)).read())
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
zstandard.decompress: b'one '
zstandard.ZstdDecompressor().decompressobj: b'one '
zstandard.open: b'one two'
pyzstd.decompress: b'one two'
lz4.frame.decompress: b'one '
lz4.frame.open: b'one two'
SEEN
diff expected seen
