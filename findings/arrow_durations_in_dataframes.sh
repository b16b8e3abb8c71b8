#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that an Arrow column of times reaches a data frame with the same values, or is
# refused. Two libraries change values of durations and say nothing:
#
# * polars has no seconds. It multiplies seconds by 1,000 into milliseconds, without a check. The
#   largest int64, which many programs use for "no time", becomes -1000 ms. Milliseconds are kept.
#   The same column as a NumPy array in seconds is refused.
# * DuckDB keeps nanoseconds of timestamps and of times of day, but a duration becomes an INTERVAL,
#   which has microseconds: 1999 ns becomes 1000 ns. And it goes back to Arrow as months, days and
#   nanoseconds, not as a duration.
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
import numpy
import polars
import pyarrow

largest = 2**63 - 1
for unit in ("s", "ms"):
    table = pyarrow.table({"value": pyarrow.array([5, largest], pyarrow.duration(unit))})
    column = polars.from_arrow(table)["value"]
    print(f"polars, Arrow durations in {unit}: {column.dtype.time_unit}, {column.to_physical().to_list()}")
try:
    print(polars.Series(numpy.array([5], "m8[s]")))
except ValueError as error:
    print("polars, NumPy durations in s:", str(error).splitlines()[0])
for kind in (pyarrow.timestamp("ns"), pyarrow.time64("ns"), pyarrow.duration("ns")):
    times = pyarrow.table({"value": pyarrow.array([1999], kind)})
    back = duckdb.sql("select value from times").to_arrow_table()["value"]
    again = back.cast(pyarrow.int64())[0].as_py() if back.type == kind else back[0].as_py()
    print(f"DuckDB, {kind}: {back.type}, {again}")
PYTHON
env/bin/python seen.py | tee seen
cat >expected <<'SEEN'
polars, Arrow durations in s: ms, [5000, -1000]
polars, Arrow durations in ms: ms, [5, 9223372036854775807]
polars, NumPy durations in s: incorrect NumPy datetime resolution
DuckDB, timestamp[ns]: timestamp[ns], 1999
DuckDB, time64[ns]: time64[ns], 1999
DuckDB, duration[ns]: month_day_nano_interval, MonthDayNano(months=0, days=0, nanoseconds=1000)
SEEN
diff expected seen
