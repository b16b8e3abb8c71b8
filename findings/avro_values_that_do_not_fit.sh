#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that a writer with a schema refuses a value that the schema's type cannot hold, or
# a reader refuses it. fastavro writes all of these, without a word:
#
# * 2^40 as an `int`, which Avro limits to 32 bits. Neither the reference implementation in Python
#   nor npm's avsc refuses it: the value comes back whole, from a type with 32 bits. avsc refuses to
#   write it.
# * 1.9 as an `int`: 1 comes back.
# * 1e300 as a `float`: infinity comes back.
# * 2^53 + 1 as a union of `double` and `long`: the first branch that accepts a number is taken, so
#   the integer becomes a double, and 2^53 comes back. With `long` first, it is kept.
#
# fastavro.validate refuses the two integers only.
#
# Seen with fastavro 1.13.1 and avro 1.12.2 of PyPI, and avsc 5.7.9 of npm. Exits with 1 if that has
# changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check fastavro==1.13.1 avro==1.12.2
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts avsc@5.7.9 >>npm.log
cat >write.py <<'PYTHON'
import io
import avro.io
import avro.schema
import fastavro


def written(schema, value):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, value)
    return out.getvalue()


for schema, value in (("int", 2**40), ("int", 1.9), ("float", 1e300), (["double", "long"], 2**53 + 1), (["long", "double"], 2**53 + 1)):
    back = fastavro.schemaless_reader(io.BytesIO(written(schema, value)), schema)
    print(f"fastavro, {schema}: {value!r} comes back as {back!r}; validate: {fastavro.validate(value, schema, raise_errors=False)}")
data = written("int", 2**40)
reader = avro.io.DatumReader(avro.schema.parse('"int"'))
print(f"avro of PyPI reads {data.hex()} as int: {reader.read(avro.io.BinaryDecoder(io.BytesIO(data)))}")
PYTHON
cat >read.js <<'JS'
const int = require('avsc').Type.forSchema('int');
console.log(`avsc reads 808080808040 as int: ${int.fromBuffer(Buffer.from('808080808040', 'hex'))}`);
try {
  int.toBuffer(2 ** 40);
} catch (error) {
  console.log(`avsc writes 2^40 as int: ${error.message}`);
}
JS
{ env/bin/python write.py; node read.js; } | tee seen
cat >expected <<'SEEN'
fastavro, int: 1099511627776 comes back as 1099511627776; validate: False
fastavro, int: 1.9 comes back as 1; validate: False
fastavro, float: 1e+300 comes back as inf; validate: True
fastavro, ['double', 'long']: 9007199254740993 comes back as 9007199254740992.0; validate: True
fastavro, ['long', 'double']: 9007199254740993 comes back as 9007199254740993; validate: True
avro of PyPI reads 808080808040 as int: 1099511627776
avsc reads 808080808040 as int: 1099511627776
avsc writes 2^40 as int: invalid "int": 1099511627776
SEEN
diff expected seen
