// SPDX-License-Identifier: Apache-2.0
// Encoders of npm, for encoders.py, which says what is printed.
import { readFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as msgpackr from 'msgpackr';
import * as cborx from 'cbor-x';
import * as msgpack from '@msgpack/msgpack';
import * as cbor2 from 'cbor2';

const here = dirname(fileURLToPath(import.meta.url));
const version = (name) => JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;

const packr = (options) => {
  const codec = new msgpackr.Packr(options);
  return { of: 'msgpackr', format: 'msgpack', write: (v) => codec.pack(v), read: (b) => codec.unpack(b) };
};
const encoder = (options) => {
  const codec = new cborx.Encoder(options);
  return { of: 'cbor-x', format: 'cbor', write: (v) => codec.encode(v), read: (b) => codec.decode(b) };
};
const libraries = {
  'msgpackr': { of: 'msgpackr', format: 'msgpack', write: msgpackr.pack, read: msgpackr.unpack },
  'msgpackr new Packr()': packr({}),
  'msgpackr useRecords: false, int64AsType: bigint': packr({ useRecords: false, int64AsType: 'bigint' }),
  'cbor-x': { of: 'cbor-x', format: 'cbor', write: cborx.encode, read: cborx.decode },
  'cbor-x new Encoder()': encoder({}),
  'cbor-x useRecords: false, tagUint8Array: false': encoder({ useRecords: false, tagUint8Array: false }),
  '@msgpack/msgpack': { of: '@msgpack/msgpack', format: 'msgpack', write: (v) => msgpack.encode(v), read: (b) => msgpack.decode(b) },
  '@msgpack/msgpack useBigInt64: true': {
    of: '@msgpack/msgpack', format: 'msgpack',
    write: (v) => msgpack.encode(v, { useBigInt64: true }), read: (b) => msgpack.decode(b, { useBigInt64: true }),
  },
  'cbor2 (npm)': { of: 'cbor2', format: 'cbor', write: (v) => cbor2.encode(v), read: (b) => cbor2.decode(b) },
};

const record = () => ({ id: 7, name: 'x', ratio: 0.5 });
const shared = { x: 1 };
const absent = Symbol();
const values = {
  'u8': [0, 1, 23, 24, 127, 128, 255],
  'u16': [256, 32767, 32768, 65535],
  'u32': [65536, 2147483647, 2147483648, 4294967295],
  '2^32': [4294967296],
  '2^53-1': [Number.MAX_SAFE_INTEGER],
  '2^53+1': [9007199254740993n],
  '2^63-1': [9223372036854775807n],
  '2^64-1': [18446744073709551615n],
  'negative': [-1, -24, -25, -32, -33, -128, -129, -256, -257, -32768, -32769, -2147483648],
  '-2^31-1': [-2147483649],
  '-2^63': [-9223372036854775808n],
  '2^64': [18446744073709551616n],
  '-2^64': [-18446744073709551616n],
  'halves': [0.5, -0.25, 1.5],
  'singles': [Math.fround(0.1), 1.1754943508222875e-38],
  'doubles': [1.1, 5e-324, Number.MAX_VALUE],
  'whole': absent,
  '-0.0': [-0],
  'nan': [NaN, Infinity, -Infinity],
  'simple': [true, false, null],
  'undefined': [undefined],
  'text': ['', 'a', '\u00e9\u20ac\u{1f600}', 'nul\0'],
  'long text': ['0123456789'.repeat(30)],
  'bytes': [new Uint8Array([0, 255, 16]), new Uint8Array(0)],
  'nested': [[], [[1]], [1, [2, 3]], {}],
  'long array': Array.from({ length: 300 }, (_, i) => i),
  'text keys': { a: 1, b: { c: [] } },
  'many keys': Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i])),
  'integer keys': new Map([[1, 2], [-3, 4]]),
  'record': record(),
  'records': [record(), record()],
  'empty list': { list: [] },
  'time': [new Date(1700000000000)],
  'time, ms': [new Date(1700000000500)],
  'time, ns': absent,
  'date': absent,
  'set': [new Set([1, 2])],
  'decimal': absent,
  'typed array': [new Float32Array([1, 2.5])],
  'shared': [shared, shared],
};

const real = (v) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(v);
  return { f: bytes.toString('hex') };
};
const time = (milliseconds) => ({ time: `${Math.floor(milliseconds / 1000)}.${String(((milliseconds % 1000) + 1000) % 1000).padStart(3, '0')}000000` });
function tell(v) {
  if (v === null || typeof v === 'boolean') return v;
  if (v === undefined) return { undefined: true };
  if (typeof v === 'number') return real(v);
  if (typeof v === 'bigint') return { i: String(v) };
  if (typeof v === 'string') return { t: v };
  if (Array.isArray(v)) return { a: Array.from(v, tell) };
  if (v instanceof Uint8Array) return { b: Buffer.from(v).toString('hex') };
  if (v instanceof ArrayBuffer) return { b: Buffer.from(v).toString('hex') };
  if (ArrayBuffer.isView(v)) return { typed: Array.from(v, tell) };
  if (v instanceof Date) return time(v.getTime());
  if (v instanceof Set) return { s: Array.from(v, tell) };
  if (v instanceof Map) return { m: Array.from(v, ([key, item]) => [tell(key), tell(item)]) };
  if (v instanceof Number) return real(Number(v));
  if (v instanceof msgpack.ExtData) return { ext: [v.type, Buffer.from(v.data).toString('hex')] };
  if (v.constructor !== Object && 'tag' in v) return { tag: [Number(v.tag), tell('contents' in v ? v.contents : v.value)] };
  return { m: Object.entries(v).map(([key, item]) => [{ t: key }, tell(item)]) };
}
const lines = () => readFileSync(0, 'utf8').split('\n').filter(Boolean).map((line) => line.split('\t'));
const attempt = (f) => {
  try {
    return f();
  } catch (error) {
    return `!${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ');
  }
};

const [, , verb, name] = process.argv;
const library = libraries[name];
if (verb === 'list') {
  for (const [name, { of, format }] of Object.entries(libraries)) console.log(`${name}\t${version(of)}\t${format}`);
} else if (verb === 'write') {
  for (const [key, value] of Object.entries(values)) {
    console.log(`${key}\t${value === absent ? '-' : attempt(() => Buffer.from(library.write(value)).toString('hex'))}`);
  }
} else {
  for (const [key, hex] of lines()) {
    console.log(`${key}\t${attempt(() => JSON.stringify(tell(library.read(Buffer.from(hex, 'hex')))))}`);
  }
}
