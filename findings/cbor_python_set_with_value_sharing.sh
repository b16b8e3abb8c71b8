#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that `value_sharing=True` of Python's cbor2 writes a set that occurs twice once,
# as shareable (tag 28), and then a reference to it (tag 29), as it does with lists. It writes the
# set twice, and each time tag 28 inside tag 258: the set's array is marked as shareable, and no
# reference to it can follow. Read back, the one set is two. The same goes for decimals, between tag
# 4 and its array. So a reader that requires an array after tag 258, as the tag's specification
# says, refuses each set of such an encoder: npm's cbor2, of the same name, does. A reader has to
# resolve tag 28 also between a tag and its content.
#
# Seen with cbor2 6.3.0 of PyPI and cbor2 2.3.0 of npm. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check cbor2==6.3.0
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts cbor2@2.3.0 >>npm.log
cat >write.py <<'PYTHON'
import importlib.metadata
import cbor2
print("cbor2 of PyPI", importlib.metadata.version("cbor2"))
for name, value in (("list", [1, 2]), ("set", {1, 2})):
    data = cbor2.dumps([value, value], value_sharing=True)
    again = cbor2.loads(data)
    print(f"a {name} twice: {data.hex()}, read as {'one' if again[0] is again[1] else 'two'}")
PYTHON
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { decode } from 'cbor2';
console.log(`cbor2 of npm ${JSON.parse(readFileSync('node_modules/cbor2/package.json', 'utf8')).version}`);
for (const bytes of ['d90102820102', 'd90102d81c820102']) {
  try {
    console.log(`${bytes}: ${[...decode(Buffer.from(bytes, 'hex'))]}`);
  } catch (error) {
    console.log(`${bytes}: ${error.message}`);
  }
}
JS
{ env/bin/python write.py; node read.mjs; } | tee seen
cat >expected <<'SEEN'
cbor2 of PyPI 6.3.0
a list twice: d81c82d81c820102d81d01, read as one
a set twice: d81c82d90102d81c820102d90102d81c820102, read as two
cbor2 of npm 2.3.0
d90102820102: 1,2
d90102d81c820102: Expected Array: [object Object]
SEEN
diff expected seen
