#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that readers of JSON rows keep numbers and times, or refuse what their column
# cannot hold, and that they agree about rows that are no columns. Three readers, without a schema:
#
# * pyarrow makes a column double if an integer is above the largest int64, also if this is the last
#   of many rows. Two ids of 64 bits become equal. polars and DuckDB have wider integers. DuckDB
#   gives up above the largest uint64, and below the least int64, and makes the column double.
# * DuckDB reads 1e400 as infinity. The others refuse it.
# * polars takes the first of two members with one name. The others refuse the row. (Most readers
#   take the last.)
# * DuckDB cuts times to microseconds. pyarrow makes a time with an offset a time without a zone,
#   but only if no time of the column has a fraction: then the column is text.
#
# Seen with pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.1. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1
cat >seen.py <<'PYTHON'
import os

os.environ["TZ"] = "UTC"
import duckdb
import polars
import pyarrow.json


def by_pyarrow():
    column = pyarrow.json.read_json("rows.json")["id"]
    return column.type, column.to_pylist()


def by_polars():
    column = polars.read_ndjson("rows.json")["id"]
    return column.dtype, column.to_list()


def by_duckdb():
    rows = duckdb.sql("select id from read_json('rows.json')")
    text = duckdb.sql("select id::varchar from read_json('rows.json')")
    return rows.types[0], [row[0] for row in text.fetchall()]


for values in (["18446744073709551615", "18446744073709551614"], ["-9223372036854775809"], ["0.5", "1e400"],
               ['1, "id": 2'], ['"2024-02-29T12:00:00.123456789Z"'],
               ['"2024-02-29T12:00:00+02:00"'], ['"2024-02-29T12:00:00+02:00"', '"2024-02-29T12:00:00.5+02:00"']):
    with open("rows.json", "w") as rows:
        rows.writelines(f'{{"id": {value}}}\n' for value in values)
    print("; ".join(values))
    for read in (by_pyarrow, by_polars, by_duckdb):
        name = read.__name__.removeprefix("by_")
        try:
            kind, found = read()
            print(f"  {name}: {kind}, {', '.join(map(str, found))}")
        except Exception as error:
            print(f"  {name}: {type(error).__name__}")

with open("rows.json", "w") as rows:
    rows.write('{"id": 9007199254740993}\n' * 200_000 + '{"id": 18446744073709551615}\n')
kind, found = by_pyarrow()
print(f"200,000 rows of 9007199254740993 before the large one\n  pyarrow: {kind}, first {found[0]:.0f}")
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
18446744073709551615; 18446744073709551614
  pyarrow: double, 1.8446744073709552e+19, 1.8446744073709552e+19
  polars: Int128, 18446744073709551615, 18446744073709551614
  duckdb: HUGEINT, 18446744073709551615, 18446744073709551614
-9223372036854775809
  pyarrow: double, -9.223372036854776e+18
  polars: Int128, -9223372036854775809
  duckdb: DOUBLE, -9.223372036854776e+18
0.5; 1e400
  pyarrow: ArrowInvalid
  polars: ComputeError
  duckdb: DOUBLE, 0.5, inf
1, "id": 2
  pyarrow: ArrowInvalid
  polars: Int64, 1
  duckdb: InvalidInputException
"2024-02-29T12:00:00.123456789Z"
  pyarrow: string, 2024-02-29T12:00:00.123456789Z
  polars: String, 2024-02-29T12:00:00.123456789Z
  duckdb: TIMESTAMP WITH TIME ZONE, 2024-02-29 12:00:00.123456+00
"2024-02-29T12:00:00+02:00"
  pyarrow: timestamp[s], 2024-02-29 10:00:00
  polars: String, 2024-02-29T12:00:00+02:00
  duckdb: TIMESTAMP WITH TIME ZONE, 2024-02-29 10:00:00+00
"2024-02-29T12:00:00+02:00"; "2024-02-29T12:00:00.5+02:00"
  pyarrow: string, 2024-02-29T12:00:00+02:00, 2024-02-29T12:00:00.5+02:00
  polars: String, 2024-02-29T12:00:00+02:00, 2024-02-29T12:00:00.5+02:00
  duckdb: TIMESTAMP WITH TIME ZONE, 2024-02-29 10:00:00+00, 2024-02-29 10:00:00.5+00
200,000 rows of 9007199254740993 before the large one
  pyarrow: double, first 9007199254740992
SEEN
diff expected seen
