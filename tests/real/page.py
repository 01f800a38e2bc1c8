# SPDX-License-Identifier: MIT
"""Looks at a page that `tacho export --to html` wrote.

page.py check PAGE          elements are nested as they should be, ids are there and unique
page.py drive PAGE REPORT   uses it in Chromium and compares with REPORT of `tacho report --json`
page.py frames PAGE REPORT  the same of its table of frames, with REPORT of `--by frame --top 0`
"""
import html.parser
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

VOID = {"meta", "br", "input", "link", "img", "hr"}
EMPTY = {"path", "rect", "polyline"}  # of SVG, closed by themselves


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.columns, self.rows = [], [], [], None, 0

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        assert len(known) == len(attributes), f"an attribute twice: {attributes}"
        for name in known:
            assert not name.startswith("on") and name not in ("style", "src"), (tag, name)
        if "id" in known:
            assert known["id"] not in self.ids, f"the id {known['id']} twice"
            self.ids.append(known["id"])
        for name in ("aria-labelledby", "for"):
            if name in known:
                self.links.append(known[name])
        if tag == "a":
            assert known["href"].startswith("#"), known
            self.links.append(known["href"][1:])
        if tag == "tr":
            self.cells = 0
        if tag in ("td", "th"):
            self.cells += 1
            assert tag == "td" or known["scope"] in ("row", "col"), known
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in EMPTY, tag

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()
        if tag == "tr":
            if self.columns is None:
                self.columns = self.cells
            assert self.cells == self.columns, f"{self.cells} cells of {self.columns}"
            self.rows += 1
        if tag == "table":
            self.columns = None


def check(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert not checker.open, f"never closed: {checker.open}"
    for link in checker.links:
        assert link in checker.ids, f"nothing has the id {link}"
    for character in text:
        assert character >= " " or character in "\n\t", f"U+{ord(character):04X}"
    print(f"{path}: well-formed, {checker.rows} rows in tables")


class Browser:
    """Chromium through its driver, which speaks the protocol of W3C WebDriver."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.session = ""
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--window-size=1300,1000",
                     f"--user-data-dir={folder}"]
        for _ in range(100):
            try:
                made = self.ask("/session", {"capabilities": {"alwaysMatch": {
                    "goog:chromeOptions": {"args": arguments},
                    "goog:loggingPrefs": {"browser": "ALL"}}}})
                break
            except (ConnectionError, urllib.error.URLError) as error:
                if isinstance(error, urllib.error.HTTPError):
                    raise
                time.sleep(0.2)
        self.session = f"/session/{made['sessionId']}"

    def ask(self, path, body, method="POST"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.session}{path}", None if method == "GET" else json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def command(self, name, **parameters):
        """A command of Chromium's own protocol."""
        return self.ask("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script):
        return self.ask("/execute/sync", {"script": script, "args": []})

    def close(self):
        """Ends the session, which ends the browser; and whatever is left of it."""
        try:
            self.ask("", {}, "DELETE")
        except OSError:
            pass
        os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()


def wait_for(browser, script, wanted):
    for _ in range(50):
        got = browser.run(script)
        if got == wanted:
            return
        time.sleep(0.1)
    raise AssertionError(f"{script}: {got}, not {wanted}")


KEY = """const canvas = document.querySelector(".lanes canvas");
canvas.focus();
canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "%s", bubbles: true }));"""

SORTED = """const title = [...document.querySelectorAll("#api thead th")]
    .find((one) => one.textContent === "calls");
title.querySelector("button").click();
const column = title.cellIndex;
return [title.getAttribute("aria-sort"), ...[...document.querySelectorAll("#api tbody tr")]
    .map((row) => Number(row.cells[column].dataset.v))];"""


def drive(path, report_path, look_at=None):
    report = json.loads(pathlib.Path(report_path).read_text())
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            browser.ask("/url", {"url": pathlib.Path(path).resolve().as_uri()})
            (look_at or look)(browser, report)
        finally:
            browser.close()


def look_at_frames(browser, report):
    rows = """const rows = [...document.querySelectorAll("#frames tbody tr")]
        .filter((row) => !row.hidden);"""
    numbers = rows + """return rows.map((row) => [...row.cells].map((cell) =>
        cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v)));"""
    wanted = []
    for frame in report["frames"]["longest"]:
        wanted.append([frame["number"], frame["start_ns"] - report["run"]["start_ns"],
                       frame["end_ns"] - frame["start_ns"], frame["device_ns"], frame["commands"],
                       frame["draws"], frame["dispatches"], frame["transfers"], frame["submits"],
                       "first" if frame["first"] else "stutter" if frame["stutter"] else ""])
    shown = browser.run(numbers)
    assert shown == wanted and len(wanted) > 7, (shown, wanted)
    # sorted by a click, and found
    sort = """document.querySelector("#frames thead th button").click();""" + numbers
    browser.run(sort)
    assert browser.run(sort) == sorted(wanted), "frames by their number"
    browser.run("""const input = document.querySelector("#frames input");
        input.value = "first"; input.dispatchEvent(new Event("input"));""")
    assert browser.run(numbers) == [row for row in wanted if row[-1] == "first"]
    assert browser.run("return document.querySelector('nav a[href=\"#frames\"]') !== null;")
    print(f"the page has {len(wanted)} frames")


def look(browser, report):
    # what the script worked out of the timeline's data
    shown = browser.run('return {...document.getElementById("chart").dataset};')
    assert int(shown["calls"]) == report["totals"]["calls"], shown
    busy = sum(line["total_ns"] for line in report["lines"])  # kernels
    assert int(shown["busy"]) >= busy > 0, (shown, busy)
    print(f"the script drew {shown['marks']} marks of {shown['calls']} calls")
    # sorted by a click: falling, then rising
    order, *falling = browser.run(SORTED)
    assert order == "descending" and falling == sorted(falling, reverse=True), (order, falling)
    order, *rising = browser.run(SORTED)
    assert order == "ascending" and rising == sorted(rising) and len(rising) > 5, (order, rising)
    # filtered
    browser.run("""const input = document.querySelector("#api input");
        input.value = "ndrange"; input.dispatchEvent(new Event("input"));""")
    names = browser.run("""return [...document.querySelectorAll("#api tbody tr")]
        .filter((row) => !row.hidden).map((row) => row.cells[0].textContent);""")
    assert names == ["clEnqueueNDRangeKernel"], names
    # keys: zoom in, back, a lane and a mark in it
    told = 'return document.querySelector("#chart .tools > .told").textContent;'
    wait_for(browser, f"return ({told[7:-1]}) !== '';", True)
    before = browser.run(told)
    browser.run(KEY % "+")
    wait_for(browser, f"return ({told[7:-1]}) !== {json.dumps(before)};", True)
    browser.run(KEY % "0")
    wait_for(browser, told, before)
    browser.run(KEY % "PageDown")
    wait_for(browser, """return document.querySelector(".picked").textContent.includes(" - ");""",
             True)
    # a name of the table finds its marks
    browser.run('document.querySelector("#kernels button.find").click();')
    assert browser.run('return document.querySelectorAll("#kernels tr.found").length;') == 1
    painted = browser.run("""const canvas = document.querySelector(".lanes canvas");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(new Uint32Array(data.buffer)).size;""")
    assert painted > 5, painted
    log = [line for line in browser.ask("/se/log", {"type": "browser"})
           if line["level"] == "SEVERE"]
    assert not log, log


if __name__ == "__main__":
    {"check": check, "drive": drive,
     "frames": lambda page, report: drive(page, report, look_at_frames)}[sys.argv[1]](*sys.argv[2:])
