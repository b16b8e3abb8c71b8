#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that @msgpack/msgpack refuses what it can't write, because without an option it
# refuses every BigInt. With `useBigInt64: true` it writes a BigInt beyond 64 bits modulo 2^64, so
# 2^64 is 0. A Map and a Set are empty maps with any options. None of it is an error. A reader gets
# well-formed MessagePack with other values, and no check on the reader's side can notice.
#
# Seen with @msgpack/msgpack 3.1.3. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts @msgpack/msgpack@3.1.3 >>npm.log
cat >seen.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { encode } from '@msgpack/msgpack';
const hex = (value, options) => {
  try {
    return Buffer.from(encode(value, options)).toString('hex');
  } catch (error) {
    return error.message;
  }
};
const version = JSON.parse(readFileSync('node_modules/@msgpack/msgpack/package.json', 'utf8')).version;
console.log(`@msgpack/msgpack ${version}`);
console.log(`2n ** 64n: ${hex(2n ** 64n)}`);
console.log(`2n ** 64n, useBigInt64: ${hex(2n ** 64n, { useBigInt64: true })}`);
console.log(`-(2n ** 63n) - 1n, useBigInt64: ${hex(-(2n ** 63n) - 1n, { useBigInt64: true })}`);
console.log(`new Map([['a', 1]]): ${hex(new Map([['a', 1]]))}`);
console.log(`new Set([1, 2]): ${hex(new Set([1, 2]))}`);
JS
node seen.mjs | tee seen
# cf: 64 bits, unsigned; d3: signed, here 2^63 - 1; 80: an empty map
cat >expected <<'SEEN'
@msgpack/msgpack 3.1.3
2n ** 64n: Unrecognized object: [object BigInt]
2n ** 64n, useBigInt64: cf0000000000000000
-(2n ** 63n) - 1n, useBigInt64: d37fffffffffffffff
new Map([['a', 1]]): 80
new Set([1, 2]): 80
SEEN
diff expected seen
