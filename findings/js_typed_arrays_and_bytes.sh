#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that a Uint8Array, JavaScript's type for bytes, is written as bytes, and a
# Float32Array as numbers. cbor-x writes a Buffer as bytes, but a Uint8Array after tag 64, an array
# of numbers of RFC 8746: decoders that don't know the tag give a tagged value where bytes were
# meant. tagUint8Array: false writes bytes. msgpackr writes a Float32Array as the bytes of its
# memory, in the byte order of the machine, with nothing that says that they are numbers; its own
# reader gives bytes back. moreTypes: true writes an extension of its own.
#
# Seen with cbor-x 1.6.9 and msgpackr 2.1.4. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts cbor-x@1.6.9 msgpackr@2.1.4 >>npm.log
cat >seen.mjs <<'JS'
import { Encoder, encode } from 'cbor-x';
import { Packr, pack, unpack } from 'msgpackr';
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = new Uint8Array([1, 2]);
const numbers = new Float32Array([1]);
console.log(`cbor-x, Buffer: ${hex(encode(Buffer.from(bytes)))}`);
console.log(`cbor-x, Uint8Array: ${hex(encode(bytes))}`);
console.log(`cbor-x, Uint8Array, tagUint8Array: false: ${hex(new Encoder({ tagUint8Array: false }).encode(bytes))}`);
console.log(`cbor-x, Float32Array: ${hex(encode(numbers))}`);
console.log(`msgpackr, Uint8Array: ${hex(pack(bytes))}`);
console.log(`msgpackr, Float32Array: ${hex(pack(numbers))}, read as ${unpack(pack(numbers)).constructor.name}`);
const more = new Packr({ moreTypes: true });
console.log(`msgpackr, Float32Array, moreTypes: ${hex(more.pack(numbers))}, read as ${more.unpack(more.pack(numbers)).constructor.name}`);
JS
node seen.mjs | tee seen
cat >expected <<'SEEN'
cbor-x, Buffer: 420102
cbor-x, Uint8Array: d840420102
cbor-x, Uint8Array, tagUint8Array: false: 420102
cbor-x, Float32Array: d855440000803f
msgpackr, Uint8Array: c4020102
msgpackr, Float32Array: c4040000803f, read as Buffer
msgpackr, Float32Array, moreTypes: c70574070000803f, read as Float32Array
SEEN
diff expected seen
