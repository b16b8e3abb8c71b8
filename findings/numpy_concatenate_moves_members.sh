#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that functions of NumPy which join, choose or repeat records keep the records as
# they are. With a dtype that has the offsets of a C struct, copy, sort, take and repeat keep them.
# concatenate, stack, append and where move the members together, also if all arrays have the same
# dtype, or if there is only one array: the bytes are no longer those of the struct. A dtype with
# align=True keeps its offsets only if they are those that NumPy would choose. The names of the
# members and all values stay, so only a look at itemsize or at the bytes shows it.
#
# Seen with numpy 2.4.6. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6
cat >seen.py <<'PYTHON'
import numpy

tick = numpy.dtype({"names": ["side", "price"], "formats": ["u1", "u4"], "offsets": [0, 8], "itemsize": 16})
one = numpy.array([(1, 2)], tick)
print("the records:", one.itemsize, "bytes, price at", one.dtype.fields["price"][1])
for name, made in (
    ("copy", one.copy()),
    ("sort", numpy.sort(one)),
    ("take", numpy.take(one, [0])),
    ("repeat", numpy.repeat(one, 2)),
    ("concatenate of one", numpy.concatenate([one])),
    ("concatenate of two", numpy.concatenate([one, one])),
    ("stack", numpy.stack([one])),
    ("append", numpy.append(one, one)),
    ("where", numpy.where([True], one, one)),
):
    print(f"{name}: {made.itemsize} bytes, price at {made.dtype.fields['price'][1]}, {made[0].item()}")
aligned = numpy.zeros(1, numpy.dtype([("side", "u1"), ("price", "u4")], align=True))
print("aligned:", aligned.itemsize, "bytes, concatenate:", numpy.concatenate([aligned]).itemsize)
cut = numpy.dtype({"names": ["side", "price"], "formats": ["u1", "u4"], "offsets": [0, 4], "itemsize": 16}, align=True)
print("aligned, larger:", cut.itemsize, "bytes, concatenate:", numpy.concatenate([numpy.zeros(1, cut)]).itemsize)
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
the records: 16 bytes, price at 8
copy: 16 bytes, price at 8, (1, 2)
sort: 16 bytes, price at 8, (1, 2)
take: 16 bytes, price at 8, (1, 2)
repeat: 16 bytes, price at 8, (1, 2)
concatenate of one: 5 bytes, price at 1, (1, 2)
concatenate of two: 5 bytes, price at 1, (1, 2)
stack: 5 bytes, price at 1, (1, 2)
append: 5 bytes, price at 1, (1, 2)
where: 5 bytes, price at 1, (1, 2)
aligned: 8 bytes, concatenate: 8
aligned, larger: 16 bytes, concatenate: 8
SEEN
diff expected seen
