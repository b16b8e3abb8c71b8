#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that msgpackr's `moreTypes` writes a Set as an extension of MessagePack that
# contains the elements, so that readers without that extension can pass over it. msgpackr writes an
# extension of type 0x73 with one zero byte, and then the elements as a second value. To any other
# reader an array of two elements has three, so the last one is outside of the array. A reader of
# one message reports surplus bytes; a reader of a stream reports nothing, and takes the rest for
# the next message. A reader that gives unknown extensions a meaning of its own has to know that
# these ones consume what follows.
#
# Seen with msgpackr 2.1.4 and @msgpack/msgpack 3.1.3. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts msgpackr@2.1.4 @msgpack/msgpack@3.1.3 >>npm.log
cat >seen.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Packr } from 'msgpackr';
import { decode, decodeMulti, ExtData } from '@msgpack/msgpack';
for (const name of ['msgpackr', '@msgpack/msgpack']) {
  console.log(`${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version}`);
}
const show = (value) =>
  Array.isArray(value) ? `[${value.map(show)}]`
    : value instanceof ExtData ? `extension ${value.type} of ${value.data.length} byte` : JSON.stringify(value);
const bytes = new Packr({ moreTypes: true, useRecords: false }).pack([new Set([1, 2]), 'end']);
console.log(`[new Set([1, 2]), 'end']: ${Buffer.from(bytes).toString('hex')}`);
try {
  console.log(`as a message: ${show(decode(bytes))}`);
} catch (error) {
  console.log(`as a message: ${error.message}`);
}
for (const value of decodeMulti(bytes)) console.log(`in a stream: ${show(value)}`);
JS
node seen.mjs | tee seen
cat >expected <<'SEEN'
msgpackr 2.1.4
@msgpack/msgpack 3.1.3
[new Set([1, 2]), 'end']: 92d47300920102a3656e64
as a message: Extra 4 of 11 byte(s) found at buffer[7]
in a stream: [extension 115 of 1 byte,[1,2]]
in a stream: "end"
SEEN
diff expected seen
