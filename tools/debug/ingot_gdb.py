# SPDX-License-Identifier: Apache-2.0
"""Values of ingot's live blocks and documents in gdb.

`source ingot_gdb.py` in ~/.gdbinit, or by auto-load (docs/debugging.md).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(os.path.realpath(__file__))))
import ingot_gdb_paths  # noqa: E402, F401
