#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses pages of `ingot layout` as people do, in a headless Chromium.

`make page-test` runs it with page_test.py, on several files: Chromium is too large for the gate.

  browse_layout.py TOOL FILE... [--into FOLDER]
  browse_layout.py TOOL FILE --picture OUT.png      a picture of the page for the README, while
                                                    the mouse points at a value

Makes and opens a page of each FILE. The page must load without an error, and fetch nothing. Then
the mouse moves over bytes of every kind, and the text of the page there is compared with `ingot
annotate --json`. A click selects a piece, opens the tree at its value and marks the value. A click
on a row of the tree, or on a field, shows its bytes. The wheel zooms. Pictures of the page are
stored in FOLDER, for people to look at.
"""
import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request


class Browser:
    """A page in a headless Chromium, controlled by its remote debugging: JSON over a web socket."""

    def __init__(self, scratch, size=(1600, 900)):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        assert program, "Chromium is not installed (Debian: chromium)"
        self.size = size
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-port=0",
             f"--user-data-dir={scratch}/profile", f"--window-size={size[0]},{size[1]}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(scratch) / "profile" / "DevToolsActivePort"
        for _ in range(300):
            if port_file.exists() and port_file.read_text().strip():
                break
            time.sleep(0.1)
        port = port_file.read_text().split()[0]
        targets = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        address = next(each["webSocketDebuggerUrl"] for each in targets if each["type"] == "page")
        self.socket = socket.create_connection(("127.0.0.1", int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        place = address.split(port, 1)[1]
        self.socket.sendall((f"GET {place} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.left = b""
        while b"\r\n\r\n" not in self.left:
            self.left += self.socket.recv(4096)
        self.left = self.left.split(b"\r\n\r\n", 1)[1]
        self.number = 0
        self.events = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(30)

    def take(self, count):
        while len(self.left) < count:
            got = self.socket.recv(1 << 16)
            assert got, "the browser has gone"
            self.left += got
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def receive(self):
        text = b""
        while True:
            first, length = self.take(2)
            length &= 127
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            text += self.take(length)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        mask = os.urandom(4)
        head = b"\x81" + (struct.pack(">B", 128 | len(data)) if len(data) < 126 else
                          struct.pack(">BH", 254, len(data)) if len(data) < 65536 else struct.pack(">BQ", 255, len(data)))
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))
        while True:
            got = self.receive()
            if got.get("id") == self.number:
                assert "error" not in got, got
                return got["result"]
            self.events.append(got)

    def ask(self, expression):
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in got, got["exceptionDetails"]
        return got["result"].get("value")

    def open(self, address):
        self.events.clear()
        self.call("Page.navigate", url=address)
        if address == "about:blank":
            return
        for _ in range(600):
            if self.ask("document.readyState === 'complete' && location.href !== 'about:blank' && 'ingotLayout' in window"):
                break
            time.sleep(0.1)
        self.settle()

    def settle(self):
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def press(self, key):
        character = {"Enter": "\r"}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=character if kind == "keyDown" else "")
        self.settle()

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.settle()

    def picture(self, to):
        to.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def complaints(self):
        wrong = []
        for event in self.events:
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                wrong.append(parameters["exceptionDetails"].get("exception", {}).get("description") or parameters["exceptionDetails"]["text"])
            elif event["method"] == "Log.entryAdded" or (event["method"] == "Runtime.consoleAPICalled" and parameters["type"] == "error"):
                wrong.append(json.dumps(parameters)[:500])
            elif event["method"] == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:")):
                wrong.append("it fetches " + parameters["request"]["url"])
            elif event["method"] == "Page.javascriptDialogOpening":
                wrong.append("it asks: " + parameters["message"])
        return wrong


def path_at(piece, offset):
    """Returns the page's name of a position, from the output of annotate."""
    path = piece.get("path", "")
    if isinstance(piece.get("value"), list) and piece["use"] in ("value", "key"):
        path += f"[{(offset - piece['offset']) // (piece['length'] // len(piece['value']))}]"
    return path


def browse(browser, tool, name, page, folder):
    subprocess.run([tool, "layout", name, "--html", page], check=True, stdout=subprocess.DEVNULL)
    browser.open(page.as_uri())
    browser.picture(folder / f"{name.stem}.png")
    exact = browser.ask("'pieces' in ingotLayout.views[0]")
    listed = json.loads(subprocess.run([tool, "annotate", "--json", *([] if exact else ["--range", "0..32768"]), name],
                                       check=True, capture_output=True).stdout)
    pieces = listed.get("payload") or listed["pieces"]
    views = browser.ask("ingotLayout.views.length")
    looked = 0
    seen = set()
    for piece in pieces if exact else pieces[:: max(1, len(pieces) // 40)]:
        kind = (piece["use"], piece["type"], piece.get("meaning"))
        if exact and kind in seen and looked > 60:
            continue
        seen.add(kind)
        at = piece["offset"] + piece["length"] // 2
        point = browser.ask(f"(ingotLayout.maps[0].show({at}, {at} + 1), ingotLayout.maps[0].draw(), ingotLayout.pointOf({at}))")
        assert point["visible"], (name, piece)
        browser.mouse("mouseMoved", point["x"], point["y"])
        hint = browser.ask("({shown: document.getElementById('hint').style.display, path: document.querySelector('#hint .path')?.textContent, text: document.getElementById('hint').textContent})")
        assert hint["shown"] == "block", (name, piece, hint)
        looked += 1
        if not exact:
            continue
        wanted = path_at(piece, at)
        assert not wanted or piece["use"] == "hole" or hint["path"] == wanted, (name, piece, hint)
        assert piece["use"] in ("value", "key") or piece.get("meaning", "") in hint["text"], (name, piece, hint)
        if "path" in piece and piece["use"] == "value" and isinstance(piece.get("value"), (int, bool)):
            assert str(piece["value"]).lower() in hint["text"].lower(), (name, piece, hint)
    # A click selects a piece, marks its row in the tree, and describes it below.
    target = next((p for p in pieces if p["use"] == "value" and "path" in p and "value" in p), pieces[0])
    at = target["offset"]
    point = browser.ask(f"(ingotLayout.maps[0].show({at}, {at} + 1), ingotLayout.maps[0].draw(), ingotLayout.pointOf({at}))")
    browser.click(point["x"], point["y"])
    kept = browser.ask("({chosen: ingotLayout.state.chosen, row: document.querySelector('.row.chosen')?.textContent, detail: document.getElementById('detail').textContent})")
    assert kept["chosen"] is not None, (name, kept)
    if exact and "path" in target:
        assert path_at(target, at) in kept["detail"] and kept["row"], (name, target, kept)
    browser.picture(folder / f"{name.stem}-byte.png")
    # A click on a row of the tree shows the bytes of that value and of no other.
    row = browser.ask("(() => { const row = [...document.querySelectorAll('.row')].filter(r => Number(r.dataset.node) > 4).at(-1); if (!row) return null; row.scrollIntoView(); const r = row.getBoundingClientRect(); return {x: r.left + 60, y: r.top + 6, node: Number(row.dataset.node)}; })()")
    if row:
        browser.click(row["x"], row["y"])
        state = browser.ask("({node: ingotLayout.state.chosen?.node, path: ingotLayout.views[0].pathOf(ingotLayout.state.chosen?.node ?? 0), detail: document.getElementById('detail').textContent})")
        assert state["node"] == row["node"] and state["path"] in state["detail"], (name, row, state)
        browser.picture(folder / f"{name.stem}-value.png")
    field = browser.ask("(() => { const r = document.querySelector('.field').getBoundingClientRect(); return {x: r.left + 30, y: r.top + 8}; })()")
    browser.click(field["x"], field["y"])
    assert browser.ask("ingotLayout.state.chosen?.field !== undefined && document.querySelectorAll('.field.chosen').length === 1"), name
    browser.picture(folder / f"{name.stem}-field.png")
    before = browser.ask("ingotLayout.maps[0].perRow")
    middle = browser.ask("(() => { const r = document.querySelector('.map canvas').getBoundingClientRect(); return {x: r.left + r.width / 2, y: r.top + r.height / 2}; })()")
    for _ in range(3):
        browser.mouse("mouseWheel", middle["x"], middle["y"], deltaX=0, deltaY=120, modifiers=2)
    for _ in range(4):
        browser.mouse("mouseWheel", middle["x"], middle["y"], deltaX=0, deltaY=-120, modifiers=2)
    browser.settle()
    assert browser.ask("ingotLayout.maps[0].perRow") < max(before, 17), name
    browser.picture(folder / f"{name.stem}-near.png")
    walk_by_keys(browser, name)
    for scheme in ("dark", "light"):  # whichever the reader has, while the page is open, too
        browser.prefer(scheme)
        browser.picture(folder / f"{name.stem}-{scheme}.png")
    backs = [(browser.prefer(scheme), browser.ask("getComputedStyle(document.body).backgroundColor"))[1] for scheme in ("dark", "light")]
    assert backs[0] != backs[1], (name, backs)
    wrong = browser.complaints()
    assert not wrong, (name, wrong)
    print(f"{name.name}: {'each piece' if exact else 'gathered'}, {views} maps, {looked} places looked at, {page.stat().st_size:,} bytes")


def walk_by_keys(browser, name):
    """Does with the keyboard what the other functions do with the mouse.

    Selects pieces of the map, rows of the tree, fields, the bar of shares.
    """
    if browser.ask("ingotLayout.state.chosen !== null"):
        browser.press("Escape")
    browser.ask("(ingotLayout.scale.fit(), document.querySelector('.map canvas').focus(), 1)")
    at = []
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowDown", "PageDown", "End", "ArrowLeft"):
        browser.press(key)
        at.append(browser.ask("ingotLayout.state.over?.offset"))
        assert browser.ask("document.getElementById('hint').style.display") == "block", (name, key)
        assert browser.ask(f"ingotLayout.pointOf({at[-1]}).visible"), (name, key, at)
    size = browser.ask("ingotLayout.views[0].size")
    assert at[0] == browser.ask("ingotLayout.views[0].from") and at[0] < at[1] < at[2] < at[3] <= at[4] and at[5] == at[0] + size - 1 and at[6] < at[5], (name, at)
    browser.press("Enter")
    assert browser.ask("ingotLayout.state.chosen?.offset") == at[6], (name, at)
    browser.press("Escape")
    assert browser.ask("ingotLayout.state.chosen === null"), name
    browser.ask("(document.querySelector('#rows .row').focus(), 1)")
    browser.press("Home")
    first = browser.ask("Number(document.activeElement.dataset.node)")
    assert first == 0 and browser.ask("document.activeElement.getAttribute('aria-expanded')") == "true", name
    browser.press("ArrowDown")
    assert browser.ask("document.activeElement.classList.contains('row') && Number(document.activeElement.dataset.node)") not in (False, 0), name
    browser.press("Enter")
    assert browser.ask("ingotLayout.state.chosen?.node === Number(document.activeElement.dataset.node)"), name
    browser.press("Home")
    browser.press("ArrowLeft")
    assert browser.ask("document.activeElement.getAttribute('aria-expanded')") == "false", name
    for what in (".field", "#shares div"):
        browser.press("Escape")
        browser.ask(f"(document.querySelector('{what}').focus(), 1)")
        browser.press("Enter")
        assert browser.ask("ingotLayout.state.chosen?.field !== undefined"), (name, what)
    # Labels of the bar do not overlap.
    assert browser.ask("[...document.querySelectorAll('#shares div')].every(e => e.classList.contains('narrow') || getComputedStyle(e).textOverflow === 'ellipsis')"), name


def portray(browser, tool, name, page, to):
    """Takes a picture of the page while the mouse points at the last element of a list."""
    subprocess.run([tool, "layout", name.name, "--html", page], check=True, stdout=subprocess.DEVNULL, cwd=name.parent)
    browser.prefer("dark")
    browser.open(page.as_uri())
    pieces = json.loads(subprocess.run([tool, "annotate", "--json", name], check=True, capture_output=True).stdout)["pieces"]
    at = [piece["offset"] for piece in pieces if piece["use"] == "value" and "[" in piece.get("path", "")][-1]
    point = browser.ask(f"ingotLayout.pointOf({at})")
    browser.ask("(ingotLayout.reveal(ingotLayout.describe(%d).node), 1)" % at)
    browser.mouse("mouseMoved", point["x"], point["y"])
    browser.settle()
    browser.picture(to)
    assert not browser.complaints(), browser.complaints()


def main():
    words = sys.argv[1:]
    folder = picture = None
    if "--picture" in words:
        at = words.index("--picture")
        picture = pathlib.Path(words[at + 1]).resolve()
        del words[at : at + 2]
    if "--into" in words:
        at = words.index("--into")
        folder = pathlib.Path(words[at + 1]).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        del words[at : at + 2]
    tool, *names = (pathlib.Path(word).resolve() for word in words)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        browser = Browser(scratch, (1280, 720) if picture else (1600, 900))
        try:
            if picture:
                portray(browser, tool, names[0], pathlib.Path(scratch) / "page.html", picture)
                return 0
            for name in names:
                browse(browser, tool, name, pathlib.Path(scratch) / (name.name + ".html"), folder or pathlib.Path(scratch))
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
