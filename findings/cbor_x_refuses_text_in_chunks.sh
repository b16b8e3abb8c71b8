#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that a decoder of CBOR reads text and bytes in chunks (indefinite length, RFC 8949
# section 3.2.3), as streaming encoders write them, if it reads arrays and maps of indefinite
# length. cbor-x reads the latter, but text and bytes in chunks are an error. A simple value that
# is not assigned is one too, with a text about packed values. A map with the keys 1 and "1"
# loses one of its values without an error. cborg, which is strict by design, refuses all of these
# with an error that says so; cbor reads them all.
#
# Seen with cbor-x 1.6.9, cbor 10.0.3 and cborg 4.2.14. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts cbor-x@1.6.9 cbor@10.0.3 cborg@4.2.14 >>npm.log
cat >seen.mjs <<'JS'
import * as cborx from 'cbor-x';
import cbor from 'cbor';
import * as cborg from 'cborg';
const inputs = {
  'array of indefinite length': '9f0102ff',
  'text in two chunks': '7f61616162ff',
  'bytes in two chunks': '5f41014102ff',
  'simple value 16': 'f0',
  'keys 1 and "1"': 'a20102613103',
};
for (const [what, hex] of Object.entries(inputs)) {
  for (const [name, decoder] of Object.entries({ 'cbor-x': cborx, cbor, cborg })) {
    let seen;
    try {
      const value = decoder.decode(Buffer.from(hex, 'hex'));
      if (value instanceof Map) seen = `map ${JSON.stringify([...value])}`;
      else if (value instanceof Uint8Array) seen = `bytes ${Buffer.from(value).toString('hex')}`;
      else seen = JSON.stringify(value);
    } catch (error) {
      seen = `error: ${error.message}`;
    }
    console.log(`${what}, ${name}: ${seen}`);
  }
}
JS
node seen.mjs | tee seen
cat >expected <<'SEEN'
array of indefinite length, cbor-x: [1,2]
array of indefinite length, cbor: [1,2]
array of indefinite length, cborg: [1,2]
text in two chunks, cbor-x: error: Indefinite length not supported for byte or text strings
text in two chunks, cbor: "ab"
text in two chunks, cborg: error: CBOR decode error: indefinite length bytes/strings are not supported
bytes in two chunks, cbor-x: error: Indefinite length not supported for byte or text strings
bytes in two chunks, cbor: bytes 0102
bytes in two chunks, cborg: error: CBOR decode error: indefinite length bytes/strings are not supported
simple value 16, cbor-x: error: No packed values available
simple value 16, cbor: {"value":16}
simple value 16, cborg: error: CBOR decode error: simple values are not supported
keys 1 and "1", cbor-x: {"1":3}
keys 1 and "1", cbor: map [[1,2],["1",3]]
keys 1 and "1", cborg: error: CBOR decode error: non-string keys not supported (got number)
SEEN
diff expected seen
