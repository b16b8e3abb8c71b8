#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that values which a library calls equal are one key. Arrow's compute functions
# call 0.0 and -0.0 equal, and rank them as equal. But as keys they are two: for unique,
# dictionary_encode, group_by, is_in and joins, where a left join finds no partner for -0.0. NaNs,
# which are not equal, are one key. polars and DuckDB have one key for both zeros, so the same data
# has other groups when it is moved.
#
# Seen with pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.1. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1
cat >seen.py <<'PYTHON'
import duckdb
import polars
import pyarrow
import pyarrow.compute

keys = pyarrow.array([0.0, -0.0, float("nan"), float("nan")])
table_of_keys = table = pyarrow.table({"key": keys, "value": [1, 2, 3, 4]})
other = pyarrow.table({"key": [0.0], "found": [True]})
print("Arrow, equal:", pyarrow.compute.equal(keys[0], keys[1]), pyarrow.compute.equal(keys[2], keys[3]))
print("Arrow, rank:", pyarrow.compute.rank(pyarrow.array([0.0, -0.0]), tiebreaker="min").to_pylist())
print("Arrow, unique:", keys.unique().to_pylist())
print("Arrow, dictionary:", keys.dictionary_encode().indices.to_pylist())
print("Arrow, is_in 0.0:", pyarrow.compute.is_in(keys, value_set=pyarrow.array([0.0])).to_pylist())
groups = table.group_by("key", use_threads=False).aggregate([("value", "sum")])
print("Arrow, groups:", list(zip(groups["key"].to_pylist(), groups["value_sum"].to_pylist())))
joined = table.join(other, "key").sort_by("value")
print("Arrow, left join:", list(zip(joined["key"].to_pylist(), joined["found"].to_pylist())))
print("polars, groups:", polars.from_arrow(table).group_by("key", maintain_order=True).sum().rows())
rows = duckdb.sql("select sum(value)::integer from table_of_keys group by key order by 1")
print("DuckDB, groups:", rows.fetchall())
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
Arrow, equal: True False
Arrow, rank: [1, 1]
Arrow, unique: [0.0, -0.0, nan]
Arrow, dictionary: [0, 1, 2, 2]
Arrow, is_in 0.0: [True, False, False, False]
Arrow, groups: [(0.0, 1), (-0.0, 2), (nan, 7)]
Arrow, left join: [(0.0, True), (-0.0, None), (nan, None), (nan, None)]
polars, groups: [(0.0, 3), (nan, 7)]
DuckDB, groups: [(3,), (7,)]
SEEN
diff expected seen
