# SPDX-License-Identifier: Apache-2.0
"""Errors in bytes, and the machinery that reads bytes without recursion."""
from __future__ import annotations

from collections.abc import Generator
from typing import Any, NoReturn, Optional

#: A place in a value, innermost step last: None, or the place around it and a step. It becomes text
#: only when something is wrong.
Path = Optional[tuple["Path", "str | int"]]

#: A routine that reads: yields the routines it needs, and is sent what they return.
Reading = Generator["Reading", Any, Any]


class FormatError(ValueError):
    """The bytes are not what they claim to be.

    ``code`` is one word for programs: ``truncated``, ``trailing_bytes``, ``bad_magic``,
    ``wrong_version``, ``bad_checksum``, ``invalid_value``, ``not_canonical``, ``out_of_order``,
    ``too_deep``, ``too_large``, ``schema_mismatch``, ``unsupported``.
    ``offset`` counts bytes from the beginning of the opened bytes (in a compressed file, of the
    decompressed payload); ``path`` is the place in the value, as ``equips[3].id``.
    """

    def __init__(self, code: str, offset: int, message: str, path: str = "") -> None:
        where = f" ({path})" if path else ""
        super().__init__(f"{code} at byte {offset}{where}: {message}")
        self.code = code
        self.offset = offset
        self.path = path
        self.message = message


def path_text(path: Path) -> str:
    steps: list[str | int] = []
    while path is not None:
        path, step = path
        steps.append(step)
        if len(steps) > 300:
            steps.append("...")
            break
    text = ""
    for step in reversed(steps):
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("_", "a").replace("-", "a").isalnum():
            text += f".{step}" if text else step
        else:
            text += '["' + step.replace("\\", "\\\\").replace('"', '\\"') + '"]'
    return text


def reject(code: str, offset: int, message: str, path: Path = None) -> NoReturn:
    raise FormatError(code, offset, message, path_text(path))


def inner(error: FormatError, offset: int, path: Path) -> FormatError:
    """Returns an error of bytes inside of other bytes with the latter's offset and path."""
    outer, within = path_text(path), error.path
    joined = outer + within if within.startswith("[") else ".".join(filter(None, (outer, within)))
    return FormatError(error.code, offset + error.offset, error.message, joined)


def head(data: memoryview, magic: bytes, version: int, size: int, what: str, header: str, newest: int = 0) -> None:
    """Checks the beginning that all headers share, in the order in which readers look at it."""
    if len(data) < len(magic):
        reject("truncated", len(data), f"expected {what}")
    if data[: len(magic)] != magic:
        reject("bad_magic", 0, f"expected {magic.decode()}")
    if len(data) <= len(magic):
        reject("truncated", len(data), f"expected {header}")
    if not version <= data[len(magic)] <= max(version, newest):
        known = f"version {version}" + (f" to {newest}" if newest else "")
        reject("wrong_version", len(magic), f"expected {known}, found {data[len(magic)]}")
    if len(data) < size:
        reject("truncated", len(data), f"expected {header}")


def run(routine: Reading) -> Any:
    """Runs routines that call each other by yielding.

    They are on a list instead of the stack, so depth costs memory only.
    """
    stack = [routine]
    value: Any = None
    while stack:
        try:
            called = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
        else:
            stack.append(called)
            value = None
    return value


def varint(data: bytes | memoryview, at: int, end: int, path: Path = None) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = shift = 0
    begin = at
    while True:
        if at >= end:
            reject("truncated", begin, "expected a number, found the end", path)
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift > 63:
            reject("invalid_value", begin, "expected a number of at most 64 bits", path)
    if value >> 64:
        reject("invalid_value", begin, "expected a number of at most 64 bits", path)
    if byte == 0 and shift:
        reject("not_canonical", begin, "expected a number that is as short as it can be", path)
    return value, at
