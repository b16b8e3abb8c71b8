#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the pages of `ingot layout`.

They describe every byte as `ingot annotate` does, fetch nothing, and don't interpret text of a file
as markup.

  draw_layout.py TOOL MAKE_FILES

page_test.py tests the pages in a browser: `make page-test`.
"""
import base64
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile

EVIL = '</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u2028]]>-->'


class Outline(html.parser.HTMLParser):
    """The elements of a page, and the text of the one that has the data."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.data, self.inside, self.links = [], "", False, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.inside = ("id", "data") in attributes
        self.links += [value for name, value in attributes if name in ("src", "href", "action", "data-src")]

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, text):
        if self.inside:
            self.data += text


def run(tool, *words):
    done = subprocess.run([tool, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_sums(view):
    """Tests that fields, values and pieces have the same bytes."""
    size = view["size"]
    assert sum(sum(field[2]) for field in view["fields"]) == size, "fields"
    assert sum(view["nodes"][i][4] for i in range(5)) == size, "values"
    for i, node in enumerate(view["nodes"]):
        assert node[0] < i or i == 0, "a value in front of what it is in"
    if "pieces" in view:
        assert sum(piece[0] for piece in view["pieces"]) == size, "pieces"
    else:
        assert len(view["bins"]) == -(-size // view["bin"]), "bins"


def check(tool, name, folder):
    page = folder / "page.html"
    run(tool, "layout", name, "--html", page)
    text = page.read_text()
    outline = Outline(text)
    assert outline.tags.count("script") == 2 and "img" not in outline.tags, "text of the file has become markup"
    assert not outline.links and "://" not in text.replace(outline.data, ""), "it refers to others"
    assert "default-src 'none'" in text
    found = json.loads(outline.data)
    for view in found["views"]:
        check_sums(view)
    view = found["views"][0]
    listed = json.loads(run(tool, "annotate", "--json", name))
    pieces = listed.get("payload") or listed["pieces"]
    assert len(pieces) == len(view["pieces"]), "as many pieces as are listed"
    raw = base64.b64decode(view["bytes"])
    at = 0
    for listed_piece, drawn in zip(pieces, view["pieces"]):
        assert (listed_piece["offset"], listed_piece["length"]) == (at, drawn[0]), listed_piece
        assert bytes.fromhex(listed_piece["bytes"]) == raw[at : at + drawn[0]]
        assert view["words"][drawn[4]] == listed_piece.get("meaning", "") and view["words"][drawn[5]] == listed_piece["type"]
        at += drawn[0]
    return found, text


def check_map(tool, folder):
    """Tests that an object of a document that is used as a map is one field with its entries."""
    (folder / "map.json").write_text(json.dumps({
        "users": {f"user{i}": {"age": i, "tags": {f"t{i}": i}} for i in range(300)},
        "few": {f"f{i}": i for i in range(60)},
        "wide": [{f"m{k}": k * i for k in range(90)} for i in range(8)],
        "mixed": {f"s{k}": {"at": k} if k % 2 else k for k in range(80)}}))
    run(tool, "convert", folder / "map.json", folder / "map.ingot")
    found, _ = check(tool, folder / "map.ingot", folder)
    view = found["views"][0]
    names, entries = [], {}
    for i, field in enumerate(view["fields"]):
        assert field[0] < i or i == 0, "a field in front of what it is in"
        names.append(field[1] if field[0] == 0 else names[field[0]] + ("" if field[1][0] in "[{" else ".") + field[1])
        if len(field) > 3:
            entries[names[-1]] = field[3]
    assert entries["users{}"] == 300 and entries["wide[]"] == 8 and entries["users{}.tags{}"] == 300, entries
    assert not any(name.startswith("users.") for name in names) and len(names) == len(set(names)), names
    assert "few.f59" in names and "wide[].m89" in names and "mixed.s79" in names, names
    for path in ("map.ingot", "map.lz4.ingot"):
        if path != "map.ingot":
            run(tool, "convert", "--compress", "lz4", folder / "map.ingot", folder / path)
        rows = json.loads(run(tool, "stats", "--json", folder / path))["fields"]
        by_name = {row["field"]: row for row in rows}
        drawn = sum(view["fields"][names.index("users{}")][2])
        assert by_name["users{}"]["bytes"] == drawn and "users.user7" not in by_name, by_name["users{}"]
        assert path == "map.ingot" or by_name["users{}"]["compressed"] > 1000


def main():
    tool, make_files = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([make_files, folder], check=True)
        for name in ("hero.ingot", "worn.ingot", "rich.ingot", "compact.ingot", "pressed.ingot", "events.log", "order.bytes", "bare.ingot"):
            found, _ = check(tool, folder / name, folder)
            assert (len(found["views"]) == 2) == (name in ("hero.ingot", "worn.ingot")), f"{name}: {len(found['views'])} maps"
            if name == "worn.ingot":
                assert found["views"][1]["size"] < found["views"][0]["size"] and sum(found["views"][1]["fields"][3][2]) == 0
        # Names and text of an untrusted file.
        (folder / "evil.json").write_text(json.dumps({EVIL: [EVIL, {EVIL: EVIL}]}))
        run(tool, "convert", folder / "evil.json", folder / "evil.ingot")
        found, text = check(tool, folder / "evil.ingot", folder)
        assert "alert(1)" in json.dumps(found) and "<script>alert" not in text and "<img" not in text
        check_map(tool, folder)
        # More values than are drawn one by one: they are drawn together, completely, and within a
        # limit.
        (folder / "many.json").write_text(json.dumps([{"id": i, "name": f"number {i}", "parts": [i, i / 3]} for i in range(6000)]))
        run(tool, "convert", folder / "many.json", folder / "many.ingot")
        run(tool, "layout", folder / "many.ingot", "--html", folder / "many.html")
        view = json.loads(Outline((folder / "many.html").read_text()).data)["views"][0]
        check_sums(view)
        assert "bins" in view and (folder / "many.html").stat().st_size < 3 << 20
        run(tool, "layout", folder / "many.ingot", "--range", "0x100..0x1100", "--html", folder / "some.html")
        view = json.loads(Outline((folder / "some.html").read_text()).data)["views"][0]
        assert view["from"] == 256 and view["size"] == 4096 and sum(piece[0] for piece in view["pieces"]) == 4096
    print("pages of 12 files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
