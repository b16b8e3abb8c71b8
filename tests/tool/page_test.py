#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what the pages of `ingot layout` promise, in a headless Chromium, with axe-core.

  page_test.py TOOL MAKE_FILES AXE [--into FOLDER]

`make page-test` runs it. AXE is axe.min.js of the package axe-core. Each function tests one
promise. Pictures of the pages are stored in FOLDER, for people to look at.
"""
import itertools
import json
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile

import browse_layout

NAMES = ("hero", "order", "packed", "pressed", "worn", "names", "many", "bad")
WIDTHS = ((400, 800), (900, 900), (1600, 900))

# Makes maps leave out their texts and record them. `withContrast` adds the least contrast of each
# text to the pixels under it.
RECORDER = """(() => {
  if (window.drawn) return 1;
  window.drawn = [];
  const light = c => { const [r, g, b] = c.map(n => (n /= 255) <= .04045 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true }), known = new Map();
  const colour = style => { if (!known.has(style)) { probe.fillStyle = style; probe.fillRect(0, 0, 1, 1); known.set(style, light([...probe.getImageData(0, 0, 1, 1).data].slice(0, 3))); } return known.get(style); };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const width = this.measureText(text).width;
    window.drawn.push({ map: ingotLayout.maps.findIndex(m => m.context === this), text, x: this.textAlign === 'right' ? x - width : x, y, width, ink: colour(this.fillStyle) });
  };
  window.withContrast = () => {
    const page = colour(getComputedStyle(document.body).backgroundColor), images = ingotLayout.maps.map(m => m.context.getImageData(0, 0, m.canvas.width, m.canvas.height));
    for (const each of window.drawn) {
      const { data, width, height } = images[each.map], left = Math.ceil(each.x), right = Math.max(left + 1, Math.floor(each.x + each.width)), seen = new Set();
      for (let y = Math.max(0, Math.round(each.y) - 4); y < Math.min(height, Math.round(each.y) + 4); ++y) for (let x = left; x < Math.min(width, right); ++x) { const i = (y * width + x) * 4; seen.add(data[i + 3] === 0 ? -1 : data[i] << 16 | data[i + 1] << 8 | data[i + 2]); }
      each.least = 21;
      for (const c of seen) { const b = c < 0 ? page : light([c >> 16, c >> 8 & 255, c & 255]); each.least = Math.min(each.least, (Math.max(b, each.ink) + .05) / (Math.min(b, each.ink) + .05)); }
    }
    return window.drawn.map(({ map, text, x, y, least }) => ({ map, text, x, y, least }));
  };
  return 1; })()"""


def size_to(browser, width, height):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    browser.settle()
    browser.settle()


def tab(browser):
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)


def texts(browser, action="1"):
    """Returns the texts that all maps draw after an action, and where."""
    browser.ask(RECORDER)
    return browser.ask(f"({action}, window.drawn.length = 0, ingotLayout.maps.forEach(m => m.draw()), window.withContrast())")


def look_for(browser, text, *keys):
    browser.ask("(document.activeElement.blur(), 1)")
    browser.press("/")
    assert browser.ask("document.activeElement.id") == "query", "the key / goes to the search"
    browser.call("Input.insertText", text=text)
    browser.settle()
    found = browser.ask("[...document.querySelectorAll('#found [role=option]')].map(e => e.textContent)")
    for key in (*keys, "Enter"):
        browser.press(key)
    return found


def test_search(browser):
    chosen = "(() => { const c = ingotLayout.state.chosen; return c && {path: ingotLayout.views[0].pathOf(c.node), offset: c.offset}; })()"
    assert any("equips[1].item.id" in each for each in look_for(browser, "Equips[1].item.id"))
    assert browser.ask(chosen)["path"] == "equips[1].item.id"
    assert browser.ask("document.querySelector('.row.chosen').textContent").startswith("Bid") or browser.ask("document.querySelector('.row.chosen .name').textContent") == "id"
    look_for(browser, "0x88")
    assert browser.ask(chosen)["offset"] == 0x88
    assert look_for(browser, "takes care")[0].startswith("note")
    assert browser.ask(chosen)["path"] == "note"
    found = look_for(browser, "74 61 6b 65 73")
    assert found and "note" in found[0], found
    assert browser.ask(chosen)["path"] == "note" and browser.ask(chosen)["offset"] is not None
    look_for(browser, "count", "ArrowDown", "ArrowDown")
    assert browser.ask(chosen)["path"].endswith("count"), browser.ask(chosen)
    assert look_for(browser, "no such thing") == ["nothing found"]
    browser.press("Escape")


def test_links(browser, page):
    for link, wanted in (("equips[1].item.id", {"path": "equips[1].item.id"}), ("%65quips%5B0%5D", {"path": "equips[0]"}), ("@0x88", {"offset": 0x88}), ("@0x40/1", {"offset": 0x40, "view": 1}), ("field:equips[].item", {"field": "equips[].item"})):
        browser.open("about:blank")
        browser.open(page.as_uri() + "#" + link)
        state = browser.ask("(() => { const c = ingotLayout.state.chosen; return c && {path: c.node === undefined ? null : ingotLayout.views[c.view].pathOf(c.node), field: c.path, offset: c.offset, view: c.view}; })()")
        assert state and all(state[key] == value for key, value in wanted.items()), (link, state)
        again = browser.ask("decodeURIComponent(document.querySelector('#detail a').getAttribute('href'))")
        assert again == browser.ask("decodeURIComponent(location.hash)"), again
        browser.open("about:blank")
        browser.open(page.as_uri() + again)
        assert browser.ask("ingotLayout.state.chosen !== null"), again
    browser.ask("(location.hash = '#note', 1)")
    browser.settle()
    assert browser.ask("ingotLayout.views[0].pathOf(ingotLayout.state.chosen.node)") == "note", "the address is followed while the page is open"
    browser.ask("(location.hash = '#no.such', 1)")
    browser.settle()
    assert "not on this page" in browser.ask("document.getElementById('detail').textContent")


def test_one_scale(browser):
    """As many bytes have the same area in both maps, before and after a zoom of either."""
    step = "[0, 1].map(i => { const v = ingotLayout.views[i], a = ingotLayout.pointOf(v.from, i), b = ingotLayout.pointOf(v.from + 1, i), c = ingotLayout.pointOf(v.from + ingotLayout.scale.perRow, i); return [b.x - a.x, c.y - a.y].map(n => Math.round(n * 1000)).join(); })"
    browser.ask("(ingotLayout.scale.fit(), 1)")
    for i in (None, 0, 1):
        if i is not None:
            at = browser.ask(f"(() => {{ const r = ingotLayout.maps[{i}].canvas.getBoundingClientRect(); return {{x: r.left + r.width / 2, y: r.top + r.height / 2}}; }})()")
            before = browser.ask("ingotLayout.scale.perRow")
            browser.mouse("mouseWheel", at["x"], at["y"], deltaX=0, deltaY=-120, modifiers=2)
            browser.settle()
            assert browser.ask("ingotLayout.scale.perRow") == before / 2
        first, second = browser.ask(step)
        assert first == second, (first, second)
    heights = browser.ask("ingotLayout.maps.map(m => m.overviewHeight / m.view.size)")
    assert math.isclose(*heights), heights
    browser.ask("(ingotLayout.scale.fit(), 1)")


def test_characters(browser):
    """Beside hex digits are the characters; a byte can be chosen in either."""
    drawn = texts(browser, "(ingotLayout.scale.set(8), ingotLayout.maps[0].show(0xe0, 0xe8))")
    left = browser.ask("ingotLayout.maps[0].textAt(ingotLayout.views[0].from)")
    lines = {}
    for each in drawn:
        if each["map"] == 0 and len(each["text"]) == 1 and each["x"] >= left - 1:
            lines.setdefault(round(each["y"]), []).append((each["x"], each["text"]))
    assert any("".join(text for _, text in sorted(line)).startswith("takes ca") for line in lines.values()), lines
    assert {"74", "61", "6b"} <= {each["text"] for each in drawn}
    point = browser.ask("(() => { const m = ingotLayout.maps[0], r = m.canvas.getBoundingClientRect(); return {x: r.left + m.textAt(0xe1) + 3, y: ingotLayout.pointOf(0xe1).y}; })()")
    browser.click(point["x"], point["y"])
    assert browser.ask("ingotLayout.state.chosen.offset") == 0xE1
    browser.press("Escape")


def test_contrast(browser, name):
    """Each text on a map has a contrast of at least 4.5 to each pixel under the text."""
    total = digits = 0
    for scheme in ("dark", "light"):
        browser.prefer(scheme)
        for choice in ("null", "{view: 0, node: Math.min(5, ingotLayout.views[0].nodes.length - 1)}"):
            for per_row in ("ingotLayout.scale.fit()", "ingotLayout.scale.set(64)", "ingotLayout.scale.set(16)"):
                for first in (0, 30):
                    drawn = texts(browser, f"(ingotLayout.state.over = null, ingotLayout.state.chosen = {choice}, {per_row}, ingotLayout.maps.forEach(m => {{ m.first = {first}; m.clamp(); }}))")
                    wrong = [each for each in drawn if each["least"] < 4.5]
                    assert not wrong, (name, scheme, choice, per_row, wrong[:5])
                    total += len(drawn)
                    digits += sum(len(each["text"]) == 2 for each in drawn)
    browser.ask("(ingotLayout.state.chosen = null, ingotLayout.scale.fit(), 1)")
    return total, digits


def test_colours(browser):
    """Colours differ for people without one kind of cones, too, and each field has a letter."""
    matrices = {"all": (1, 0, 0, 0, 1, 0, 0, 0, 1), "no red": (.152286, 1.052583, -.204868, .114503, .786281, .099216, -.003882, -.048116, 1.051998),
                "no green": (.367322, .860646, -.227968, .280085, .672501, .047413, -.011820, .042940, .968881),
                "no blue": (1.255528, -.076749, -.178779, -.078411, .930809, .147602, .004733, .691367, .303900)}

    def linear(colour):
        hue, saturation, lightness = colour[0], colour[1] / 100, colour[2] / 100
        parts = []
        for n in (0, 8, 4):
            k = (n + hue / 30) % 12
            part = lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, 9 - k, 1))
            parts.append(part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4)
        return parts

    def lab(colour):
        r, g, b = colour
        x, y, z = ((.4124 * r + .3576 * g + .1805 * b) / .95047, .2126 * r + .7152 * g + .0722 * b, (.0193 * r + .1192 * g + .9505 * b) / 1.08883)
        x, y, z = (t ** (1 / 3) if t > .008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
        return 116 * y - 16, 500 * (x - y), 200 * (y - z)

    colours = browser.ask("ingotLayout.COLOURS")
    for who, m in matrices.items():
        seen = [lab([min(1, max(0, sum(m[3 * i + k] * part for k, part in enumerate(linear(each))))) for i in range(3)]) for each in colours]
        least = min(math.dist(a, b) for a, b in itertools.combinations(seen, 2))
        assert least >= 20, (who, least)
    parts = browser.ask("[...document.querySelectorAll('#shares [role=option]')].map(e => e.dataset.letter)")
    assert len(set(parts)) == len(parts) and "" not in parts, parts
    assert browser.ask("[...document.querySelectorAll('.field .swatch, .row .swatch')].every(e => e.textContent.length === 1)")
    on_map = {each["text"] for each in texts(browser, "ingotLayout.scale.fit()")}
    assert len(on_map & set(parts)) >= 5, on_map


def test_counts(browser):
    """Segments of the bar add up to the file; rows of the list have what is inside; both say so."""
    assert "counts what is inside its field, but not" in browser.ask("document.getElementById('shares-name').textContent")
    assert "with all that is inside" in browser.ask("document.getElementById('fields-name').textContent")
    sizes = browser.ask("({all: ingotLayout.views[0].size, bar: [...document.querySelectorAll('#shares [role=option]')].map(e => Number(/: ([\\d,]+) byte/.exec(e.title)[1].replaceAll(',', '')))})")
    assert sum(sizes["bar"]) == sizes["all"], sizes
    rows = dict(browser.ask("[...document.querySelectorAll('.field')].map(e => [e.querySelector('.path').textContent, Number(e.querySelector('.bytes').textContent.replaceAll(',', ''))])"))
    own = dict(browser.ask("ingotLayout.views[0].fields.map((f, i) => [ingotLayout.views[0].fieldPath(i), f[2].reduce((a, b) => a + b, 0)])"))
    assert rows["equips"] == sum(n for path, n in own.items() if path == "equips" or path.startswith(("equips.", "equips["))) > own["equips"]


def test_records(browser):
    """Columns of records of one kind look alike where single pieces are too narrow to be seen."""
    assert browser.ask("ingotLayout.scale.stacked")
    browser.ask("(ingotLayout.scale.fit(), ingotLayout.maps[0].draw(), 1)")
    layers = browser.ask("""(() => {
      const m = ingotLayout.maps[0], s = ingotLayout.scale, dpr = window.devicePixelRatio, out = [];
      for (let row = 2; row < Math.floor(m.view.size / s.perRow) - 1; ++row)
        for (let x = s.left + s.column * s.cell - 4; x < s.left + s.wide; x += s.column * s.cell) {
          const pixels = m.context.getImageData(Math.round(x * dpr), Math.round((5 + row * s.rowHeight) * dpr), 1, Math.round((s.rowHeight - 2) * dpr)).data, sizes = {};
          for (let i = 0; i < pixels.length; i += 4) { const c = [pixels[i], pixels[i + 1], pixels[i + 2]].join(); sizes[c] = (sizes[c] || 0) + 4 / pixels.length; }
          out.push(sizes);
        }
      return out; })()""")
    assert len(layers) > 40, len(layers)
    colours = set().union(*layers)
    mean = {c: sum(each.get(c, 0) for each in layers) / len(layers) for c in colours}
    alike = [1 - sum(abs(each.get(c, 0) - mean[c]) for c in colours) / 2 for each in layers]
    assert sum(alike) / len(alike) > 0.8 and sum(each > 0.7 for each in alike) > 0.95 * len(alike), sorted(alike)[:9]
    assert "6,000 elements" in browser.ask("document.getElementById('list').textContent")


def test_command(browser, tool, folder):
    """A zoom into bins shows a command that draws this part with hex digits."""
    assert "Zoom in" in browser.ask("document.querySelector('.notice').textContent")
    assert not browser.ask("document.querySelector('.notice code').checkVisibility()")
    browser.ask("(ingotLayout.maps[0].show(200000, 203000), ingotLayout.maps[0].draw(), 1)")
    assert browser.ask("document.querySelector('.notice code').checkVisibility()")
    command = shlex.split(browser.ask("document.querySelector('.notice code').textContent"))
    assert command[:2] == ["ingot", "layout"], command
    subprocess.run([tool, *command[1:]], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    shown = browser.ask("({from: ingotLayout.maps[0].first * ingotLayout.scale.perRow, size: ingotLayout.scale.rows * ingotLayout.scale.perRow})")
    browser.open((folder / "part.html").as_uri())
    view = browser.ask("({from: ingotLayout.views[0].from, size: ingotLayout.views[0].size, digits: 'raw' in ingotLayout.views[0]})")
    assert view == {**shown, "digits": True}, (command, view, shown)


def test_stops(browser, limit):
    """The Tab key has one stop for each part of the page; arrow keys go on inside a part."""
    browser.ask("(document.activeElement.blur(), getSelection().removeAllRanges(), scrollTo(0, 0), 1)")
    stops = []
    for _ in range(limit + 5):
        tab(browser)
        stop = browser.ask("(() => { const e = document.activeElement; return e === document.body ? '' : e.closest('[id]').id + ' ' + e.tagName + ' ' + (e.getAttribute('aria-label') || e.textContent).slice(0, 20); })()")
        if stop == "" or stop in stops:
            break
        stops.append(stop)
    assert 7 <= len(stops) <= limit, stops
    for selector, key in (("#shares [role=option]", "ArrowRight"), ("#rows .row", "ArrowDown"), ("#tools button", "ArrowRight"), ("#list .field", "ArrowDown")):
        count = browser.ask(f"document.querySelectorAll('{selector}[tabindex=\"0\"]').length")
        assert count == 1, (selector, count)
        browser.ask(f"(document.querySelector('{selector}').focus(), 1)")
        browser.press(key)
        at = browser.ask(f"[...document.querySelectorAll('{selector}')].indexOf(document.activeElement)")
        assert at == 1 or selector == "#tools button" and at >= 0, (selector, at)
        assert browser.ask(f"document.querySelectorAll('{selector}[tabindex=\"0\"]').length") == 1
    browser.ask("(document.activeElement.blur(), 1)")
    return len(stops)


def test_damage(browser, page):
    """The list, the tree and the map show damaged places, and links lead to them."""
    items = browser.ask("[...document.querySelectorAll('#places li')].map(e => e.textContent.replace(/\\s+/g, ' '))")
    assert items == ["0x30 bad checksum: expected the checksum of the payload; taken as it is", "0xc0 lines[0] bad tag: expected a value of the node's heap; shown as null"], items
    assert "2," in browser.ask("document.getElementById('damage-name').textContent")
    # The tree says so in words, also of the values around.
    browser.ask("(ingotLayout.reveal(ingotLayout.views[0].nodes.findIndex((n, i) => ingotLayout.views[0].pathOf(i) === 'lines[0]')), 1)")
    harm = dict(browser.ask("[...document.querySelectorAll('.row .harm')].map(e => [ingotLayout.views[0].pathOf(Number(e.parentNode.dataset.node)), e.textContent])"))
    assert harm["lines[0]"] == "⚠ damaged" and harm["lines"] == "⚠ inside", harm
    # Errors have no quotation marks around keys. A path that two values may have is no link.
    for path in ("lines[1].sku", 'customer["street/no"]', 'customer["~"]'):
        assert browser.ask(f"ingotLayout.nodeOfError({json.dumps(path.replace(chr(34), ''))}) === ingotLayout.nodeOfError({json.dumps(path)})"), path
        assert browser.ask(f"ingotLayout.nodeOfError({json.dumps(path)}) !== undefined"), path
    assert browser.ask("ingotLayout.nodeOfError('customer.street/no') !== undefined && ingotLayout.nodeOfError('customer.street') === undefined")
    # Arrow keys go from link to link; Enter follows one, and the address links to the place.
    browser.ask("(document.querySelector('#places a').focus(), 1)")
    stops = []
    for _ in range(3):
        browser.press("Enter")
        browser.settle()
        stops.append(browser.ask("decodeURIComponent(location.hash)"))
        assert "⚠ damaged: bad " in browser.ask("document.getElementById('detail').textContent"), stops
        browser.press("ArrowDown")
    assert stops == ["#@0x30", "#@0xc0", "#lines[0]"], stops
    # The frame on the map has gaps: it is no solid line.
    browser.ask("(ingotLayout.choose(ingotLayout.state.chosen), ingotLayout.scale.set(16), ingotLayout.maps[0].show(192, 193), ingotLayout.maps[0].draw(), 1)")
    line = browser.ask("""(() => { const m = ingotLayout.maps[0], d = ingotLayout.describe(192); let out = null;
      m.rectangles(d.offset, d.offset + d.length, (x, y, w, h) => { out ??= [...Array(Math.floor(w) - 2).keys()].map(i => m.context.getImageData(Math.round(x + i), Math.round(y + h), 1, 1).data.join()); });
      return out; })()""")
    assert len(line) > 10 and len(set(line)) >= 2, line
    for link in ("lines[0]", "@0xc0"):
        browser.open("about:blank")
        browser.open(page.as_uri() + "#" + link)
        assert browser.ask("document.querySelector('#detail .harm') !== null"), link


def test_narrow(browser):
    """Nothing is wider than a window of 400 pixels, and maps have nearly all of that."""
    assert browser.ask("document.documentElement.scrollWidth") <= 400
    wide = browser.ask("[...document.querySelectorAll('header *, #shares-part *, #bytes *, #detail *, section, h2')].filter(e => e.checkVisibility() && !e.closest('.unseen') && e.getBoundingClientRect().right > 400.5).map(e => e.outerHTML.slice(0, 80))")
    assert not wide, wide
    assert browser.ask("ingotLayout.maps.every(m => m.width >= 380 && m.height >= 250)")
    browser.ask("(ingotLayout.scale.set(16), ingotLayout.maps[0].show(ingotLayout.views[0].from, ingotLayout.views[0].from + 1), 1)")
    assert browser.ask("ingotLayout.scale.hex || !ingotLayout.views[0].raw"), "16 hex digits fit beside each other"


def test_axe(browser, name):
    """axe-core finds nothing, whatever is chosen or shown."""
    states = {"at first": "1", "value": "ingotLayout.choose({view: 0, node: ingotLayout.views[0].nodes.length > 5 ? 5 : 0}, true)",
              "field": "document.querySelector('.field').click()",
              "search": "(document.getElementById('query').focus(), document.getElementById('query').value = 'e', document.getElementById('query').oninput())",
              "hint": "(document.getElementById('query').blur(), ingotLayout.maps[0].press(new KeyboardEvent('keydown', {key: 'Home'})))"}
    rules = 0
    for scheme in ("dark", "light"):
        browser.prefer(scheme)
        for state, act in states.items():
            browser.ask(f"({act}, 1)")
            browser.settle()
            found = browser.ask("axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(r => ({passes: r.passes.length, wrong: r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 150) + ' ' + n.failureSummary).join('; '))}))")
            assert not found["wrong"], (name, scheme, state, found["wrong"])
            rules = max(rules, found["passes"])
        browser.ask("(document.getElementById('query').value = '', ingotLayout.state.chosen && ingotLayout.choose(ingotLayout.state.chosen), 1)")
    return rules


def main():
    words = sys.argv[1:]
    folder = None
    if "--into" in words:
        at = words.index("--into")
        folder = pathlib.Path(words[at + 1]).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        del words[at : at + 2]
    tool, make_files, axe = (pathlib.Path(word).resolve() for word in words)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        scratch = pathlib.Path(scratch)
        folder = folder or scratch
        files = scratch / "files"
        files.mkdir()
        subprocess.run([make_files, files], check=True)
        records = [{"id": i, "name": f"number {i}", "on": i % 3 == 0, "price": i * 7 % 1000 / 4, "tags": ["a", "bb", "ccc"][: i % 4], "at": {"x": i, "y": -i}} for i in range(6000)]
        (files / "many.json").write_text(json.dumps(records))
        (files / "names.json").write_text(json.dumps({"users": {f"user{i}": {"age": i, "mail": f"{i}@example.org"} for i in range(300)}, "version": 3}))
        for name in ("many", "names"):
            subprocess.run([tool, "convert", files / f"{name}.json", files / f"{name}.ingot"], check=True, stdout=subprocess.DEVNULL)
        order = bytearray((files / "order.ingot").read_bytes())
        order[200:202] = b"zz"
        (files / "bad.ingot").write_bytes(order)
        pages = {name: files / f"{name}.html" for name in NAMES}
        for name in NAMES:
            options = ["--unchecked"] if name == "bad" else []
            done = subprocess.run([tool, "layout", *options, f"{name}.ingot", "--html", pages[name]], stdout=subprocess.DEVNULL, cwd=files)
            assert done.returncode == len(options), (name, done)
        browser = browse_layout.Browser(scratch)
        try:
            for name, page in pages.items():
                if name == "bad":
                    continue
                browse_layout.browse(browser, tool, files / f"{name}.ingot", page, folder)
            subprocess.run([tool, "layout", "many.ingot", "--html", pages["many"]], check=True, stdout=subprocess.DEVNULL, cwd=files)
            wrong = []

            def open_page(name, link=""):
                wrong.extend(browser.complaints())
                browser.open("about:blank")
                browser.open(pages[name].as_uri() + link)

            browser.prefer("dark")
            open_page("hero")
            test_search(browser)
            test_links(browser, pages["hero"])
            open_page("hero")
            test_one_scale(browser)
            test_characters(browser)
            test_colours(browser)
            test_counts(browser)
            stops = [test_stops(browser, 9)]
            open_page("many")
            test_records(browser)
            stops.append(test_stops(browser, 10))
            test_command(browser, tool, files)
            open_page("bad")
            test_damage(browser, pages["bad"])
            open_page("bad")
            stops.append(test_stops(browser, 11)) # one more part: the damaged places
            contrast = [0, 0]
            for name in NAMES:
                open_page(name)
                contrast = [a + b for a, b in zip(contrast, test_contrast(browser, name))]
            assert contrast[1] > 5000, contrast
            rules = 0
            for width, height in WIDTHS:
                for name in NAMES:
                    size_to(browser, width, height)
                    open_page(name)
                    for scheme in ("dark", "light"):
                        browser.prefer(scheme)
                        browser.picture(folder / f"{name}-{width}-{scheme}.png")
                    if width == 400:
                        test_narrow(browser)
                    if width != 900:
                        browser.ask(axe.read_text() + "; 1")
                        rules = max(rules, test_axe(browser, name))
            wrong.extend(browser.complaints())
            # The browser complains about this test, which reads pixels.
            wrong = [each for each in wrong if "getImageData" not in each]
            assert not wrong, wrong
        finally:
            browser.close()
    print(f"{len(NAMES)} pages, {len(WIDTHS)} widths: {contrast[0]:,} texts on maps with enough contrast, {contrast[1]:,} of them hex digits; "
          f"{max(stops)} stops of the Tab key; axe-core passes up to {rules} rules, and finds nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
