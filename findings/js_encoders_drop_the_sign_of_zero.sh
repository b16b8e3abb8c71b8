#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that an encoder writes -0 as a floating-point number, as it writes -0.5: the
# integers of MessagePack and CBOR have no negative zero. msgpackr and cbor-x write the integer 0,
# so the sign is gone also between two programs in JavaScript. @msgpack/msgpack does the same,
# unless forceIntegerToFloat is set, and so does cborg. cbor writes a float of 16 bits.
#
# Seen with msgpackr 2.1.4, cbor-x 1.6.9, @msgpack/msgpack 3.1.3, cborg 4.2.14 and cbor 10.0.3.
# Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts msgpackr@2.1.4 cbor-x@1.6.9 @msgpack/msgpack@3.1.3 cborg@4.2.14 cbor@10.0.3 >>npm.log
cat >seen.mjs <<'JS'
import { pack, unpack } from 'msgpackr';
import * as cborx from 'cbor-x';
import * as msgpack from '@msgpack/msgpack';
import * as cborg from 'cborg';
import cbor from 'cbor';
const show = (name, encode, decode) => {
  const hex = (value) => Buffer.from(encode(value)).toString('hex');
  console.log(`${name}: -0 is ${hex(-0)}, read as -0: ${Object.is(decode(encode(-0)), -0)}; -0.5 is ${hex(-0.5)}`);
};
show('msgpackr', pack, unpack);
show('cbor-x', cborx.encode, cborx.decode);
show('@msgpack/msgpack', msgpack.encode, msgpack.decode);
show('@msgpack/msgpack, forceIntegerToFloat', (v) => msgpack.encode(v, { forceIntegerToFloat: true }), msgpack.decode);
show('cborg', cborg.encode, cborg.decode);
show('cbor', cbor.encode, cbor.decode);
JS
node seen.mjs | tee seen
cat >expected <<'SEEN'
msgpackr: -0 is 00, read as -0: false; -0.5 is cbbfe0000000000000
cbor-x: -0 is 00, read as -0: false; -0.5 is fbbfe0000000000000
@msgpack/msgpack: -0 is 00, read as -0: false; -0.5 is cbbfe0000000000000
@msgpack/msgpack, forceIntegerToFloat: -0 is cb8000000000000000, read as -0: true; -0.5 is cbbfe0000000000000
cborg: -0 is 00, read as -0: false; -0.5 is f9b800
cbor: -0 is f98000, read as -0: true; -0.5 is fabf000000
SEEN
diff expected seen
