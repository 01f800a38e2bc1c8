# SPDX-License-Identifier: MIT
"""Uses pages that tacho wrote, in Chromium, and compares their numbers with the recording.

page_use.py NAME [AXE]    NAME.html and NAME.jsonl of one recording, with NAME-diff.html if it is
                          there; AXE is the script of axe-core, whose findings are failures
page_use.py NAME --brief  its numbers only, and that it has each text once
page_use.py NAME --fits   NAME.html alone: nothing is wider than the window or told twice
"""
import base64
import json
import pathlib
import sys
import tempfile

from page import Browser, wait_for

WIDTHS = (400, 800, 1400)


class Recording:
    """What the JSON lines say, with times from the start of the run."""

    def __init__(self, path):
        self.calls, self.commands = [], []
        zero = 0
        for line in path.open(encoding="utf-8"):
            one = json.loads(line)
            if one["schema"] == "tacho.run/1":
                zero = one["start_ns"]
            if one["schema"] != "tacho.call/1":
                continue
            command = one["command"]
            one["from"], one["to"] = one["start_ns"] - zero, one["end_ns"] - zero
            one["many"] = 1 + one.get("repeats", 0)
            self.calls.append(one)
            if command and command["state"] == "ok":
                command["from"] = command["start_ns"] - zero
                command["to"] = command["end_ns"] - zero
                self.commands.append(command)

    def sums(self, begin, end):
        """As docs/html.md defines them: what begins in the range, and the time inside it."""
        calls = [one for one in self.calls if begin <= one["from"] < end]
        commands = [one for one in self.commands if begin <= one["from"] < end]
        inside = lambda one: max(min(one["to"], end) - max(one["from"], begin), 0)
        busy, reach = 0, begin
        for one in sorted(self.commands, key=lambda command: command["from"]):
            first, last = max(one["from"], reach), min(one["to"], end)
            busy += max(last - first, 0)
            reach = max(reach, last)
        return {"calls": sum(one["many"] for one in calls),
                "api": sum(inside(one) for one in self.calls if one["many"] == 1),
                "kernels": sum(one["kind"] == "kernel" for one in commands),
                "bytes": sum(one.get("bytes") or 0 for one in commands if one["kind"] != "kernel"),
                "busy": busy}


def press(browser, key):
    browser.run("""const canvas = document.querySelector(".lanes canvas");
        canvas.focus();
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "%s", bubbles: true }));""" % key)


def select(browser, begin, end):
    browser.run(f"tacho.select({begin}, {end});")
    wait_for(browser, 'return document.querySelector(".panel").dataset.ready ?? "";', "1")
    tiles = browser.run("""return [...document.querySelectorAll(".panel .tile")]
        .map((tile) => [tile.querySelector("dt").textContent, Number(tile.dataset.v)]);""")
    return tiles


def check_sums(browser, recording):
    last = max(one["to"] for one in recording.calls + recording.commands)
    first = min(one["from"] for one in recording.calls)
    middle = sorted(one["from"] for one in recording.calls)[len(recording.calls) // 2]
    for begin, end in ((first, last + 1), (first, middle), (middle, last),
                       (middle, middle + (last - middle) // 7)):
        wanted, tiles = recording.sums(begin, end), select(browser, begin, end)
        shown = dict(tiles)
        busy = sum(value for label, value in tiles if label == "Device busy")
        got = {"calls": shown["Calls"], "kernels": shown["Kernels"], "bytes": shown["Transfers"],
               "busy": busy}
        assert shown["Selected"] == end - begin, (shown, begin, end)
        for key, value in got.items():
            assert value == wanted[key], f"{key} of {begin} to {end}: {value}, not {wanted[key]}"
        print(f"sums of {begin} to {end}: {got}")
    browser.run("tacho.select(null);")


def check_single(browser, recording):
    """Single calls, wherever they are, have their exact times."""
    singles = [one for one in recording.calls if one["many"] == 1]
    for one in (singles[0], singles[len(singles) // 3], singles[-1]):
        thread = f'{one["thread"]}'
        browser.run(f"""tacho.view.set_view({one["from"]} - 500, {one["to"]} + 500);
            tacho.chosen = null;
            tacho.chosen_row = tacho.layout.rows.findIndex((row) => row.kind === "thread" &&
                row.label.endsWith(" {thread}"));""")
        for _ in range(20):  # others may begin in the same stretch
            press(browser, "PageDown")
            wait_for(browser, "return tacho.chosen !== null;", True)
            start, time = browser.run("""const { marks, i } = tacho.chosen;
                return [marks.start[i], marks.time[i]];""")
            if start >= one["from"]:
                break
        assert (start, time) == (one["from"], one["to"] - one["from"]), (start, time, one)
    print("single calls have their times")


def search(browser, text):
    browser.run(f"tacho.search({json.dumps(text)});")
    wait_for(browser, 'return document.querySelector(".hits").dataset.ready ?? "";', "1")
    return browser.run('return Number(document.querySelector(".hits").dataset.total);')


def check_search(browser, recording):
    names = [one["function"] for one in recording.calls]
    name = max(sorted(set(names)), key=names.count)
    wanted = sum(one["function"] == name and one["many"] >= 1 for one in recording.calls)
    assert search(browser, f'"{name}"') == wanted, (name, wanted)
    created = sum(one["function"] == "clCreateBuffer" for one in recording.calls)
    found = search(browser, "cl_mem_read_write")  # an argument
    assert found == created, (found, created)
    press(browser, "n")
    wait_for(browser, 'return document.querySelector(".picked b")?.textContent ?? "";',
             "clCreateBuffer")
    first = browser.run('return document.querySelector(".hits").dataset.at;')
    press(browser, "n")
    if created > 1:
        wait_for(browser, f'return document.querySelector(".hits").dataset.at !== "{first}";', True)
    assert search(browser, "no such name") == 0
    assert search(browser, "") == 0
    print(f"{wanted} calls of {name} and {created} arguments found")


def check_links(browser, recording, address):
    at = recording.calls[len(recording.calls) // 2]["from"]
    shown, other = [at, at + 9000], [at + 2000, at + 4000]
    view = "return [tacho.view.view.from, tacho.view.view.to];"
    browser.ask("/url", {"url": "about:blank"})
    browser.ask("/url", {"url": f"{address}#t={shown[0]},{shown[1]}&s={at},{at + 3000}&q=clFinish"})
    wait_for(browser, view, shown)
    wait_for(browser, "return tacho.query();", "clFinish")
    wait_for(browser, "return tacho.selection;", {"from": at, "to": at + 3000})
    # what is shown goes into the address, and back brings back what was shown
    browser.run(f"tacho.view.set_view({other[0]}, {other[1]});")
    wait_for(browser, f'return location.hash.startsWith("#t={other[0]},{other[1]}&s=");', True)
    browser.run("history.back();")
    wait_for(browser, view, shown)
    # nonsense is no moment, and a section is none
    for place in ("t=nonsense,&q=%E0%A4%A&s=9,1", "kernels"):
        browser.ask("/url", {"url": "about:blank"})
        browser.ask("/url", {"url": f"{address}#{place}"})
        assert browser.run("return [tacho.selection, tacho.query()];") == [None, ""]
    print("links lead to moments, back goes back")


def check_keys(browser):
    size = "return tacho.view.view.to - tacho.view.view.from;"
    press(browser, "0")
    whole = browser.run(size)
    press(browser, "w")
    assert browser.run(size) < 0.6 * whole
    press(browser, "s")
    press(browser, "0")
    assert browser.run(size) == whole
    press(browser, "w")
    before = browser.run("return tacho.view.view.from;")
    press(browser, "d")
    assert browser.run("return tacho.view.view.from;") > before
    press(browser, "x")
    wait_for(browser, 'return document.querySelector(".panel").hidden;', False)
    press(browser, "Escape")
    assert browser.run('return document.querySelector(".panel").hidden;')
    press(browser, "?")
    assert browser.run('return document.querySelector("dialog.help").open;')
    browser.run('document.querySelector("dialog.help").close();')
    press(browser, "/")
    assert browser.run("return document.activeElement.id;") == "search"
    print("keys do what they say")


def look_at(browser, path, axe):
    """At each width: nothing wider than the window, nothing that axe-core objects to."""
    for width in WIDTHS:
        for scheme in ("light", "dark") if axe else ("light",):
            browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900,
                            deviceScaleFactor=1, mobile=False)
            browser.command("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}])
            browser.ask("/url", {"url": "about:blank"})
            browser.ask("/url", {"url": path.as_uri()})
            browser.run("tacho.select_view();")
            wait_for(browser, 'return document.querySelector(".panel").dataset.ready ?? "";', "1")
            wide = browser.run("return document.documentElement.scrollWidth;")
            assert wide <= width, f"{path.name} is {wide} wide in {width}"
            check_first_times(browser, f"{path.name} at {width}")
            if axe:
                check_axe(browser, axe, f"{path.name} at {width}, {scheme}")
    print(f"{path.name} fits {WIDTHS}, axe-core: {'content' if axe else 'not asked'}")


def check_first_times(browser, where):
    """Where the time went is in sight, and whose times these are when it is scrolled."""
    hidden = browser.run("""const box = document.querySelector("#spent .scroll");
        if (!box)
            return [];
        const inside = (one) => one.getBoundingClientRect().right <=
            box.getBoundingClientRect().right + 1;
        const rows = [...box.querySelectorAll("tbody tr")];
        const times = rows.filter((row) => !inside(row.querySelector("td"))).length;
        box.scrollLeft = 1000;
        const names = rows.filter((row) => row.querySelector("th").getBoundingClientRect().left <
            box.getBoundingClientRect().left).length;
        box.scrollLeft = 0;
        return [times, names];""")
    assert not any(hidden), f"{where}: {hidden} times and names of the first table are out of sight"


def check_once(browser, recording):
    """Many calls say the same: the page has each text once, but those that were long ago."""
    told = {json.dumps([one["function"], one["arguments"], one["result"]])
            for one in recording.calls}
    told |= {json.dumps([one.get("global"), one.get("local"), one.get("bytes"),
                         one.get("first_launch")]) for one in recording.commands}
    count = browser.run("return tacho.lanes.runs[0].texts.count;")
    assert 0 < count <= 1.5 * len(told), (count, len(told), len(recording.calls))
    print(f"{count} texts of {len(recording.calls)} calls")


def check_fits(browser, path):
    """Long names break, all sections can be reached, and a group has one heading."""
    for width in WIDTHS:
        browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900,
                        deviceScaleFactor=1, mobile=False)
        browser.ask("/url", {"url": "about:blank"})
        browser.ask("/url", {"url": path.as_uri()})
        browser.run("""for (const one of document.querySelectorAll("details"))
            one.open = true;""")
        wide = browser.run("return document.documentElement.scrollWidth;")
        assert wide <= width, f"{path.name} is {wide} wide in {width}"
        over = browser.run("""return [...document.querySelectorAll("figcaption, summary")]
            .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent);
            """)
        assert not over, f"cut at {width}: {over}"
    hidden = browser.run("""const list = document.querySelector("nav ul");
        return list.scrollWidth - list.clientWidth;""")
    assert hidden <= 0, f"{hidden} pixels of the sections are out of sight"
    headings = browser.run("return tacho.layout.headings.map((one) => one.text);")
    assert len(headings) > 1 and all(one != two for one, two in zip(headings, headings[1:])), \
        headings
    print(f"{path.name} fits {WIDTHS}, under {headings}")


def check_axe(browser, axe, where):
    browser.run(axe + "\nreturn 1;")
    found = browser.ask("/execute/async", {"args": [], "script": """
        const done = arguments[0];
        axe.run({ resultTypes: ["violations"] }).then((result) => done(result.violations.map(
            (one) => [one.id, one.help, one.nodes.slice(0, 3).map((node) => node.html)])));"""})
    assert not found, f"{where}: {json.dumps(found, indent=1)}"


def check_old_browser(browser, path):
    """A browser that cannot unpack says so and shows what is merged."""
    script = browser.command("Page.addScriptToEvaluateOnNewDocument",
                             source="delete window.DecompressionStream;")
    browser.ask("/url", {"url": "about:blank"})
    browser.ask("/url", {"url": path.as_uri()})
    text = browser.run('return document.querySelector(".legend").textContent;')
    assert "cannot unpack" in text, text
    assert browser.run("return tacho.layout.rows.length;") > 0
    browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    print("without DecompressionStream it says so")


def use(browser, name, axe, is_brief):
    path = pathlib.Path(f"{name}.html").resolve()
    recording = Recording(pathlib.Path(f"{name}.jsonl"))
    browser.ask("/url", {"url": path.as_uri()})
    drawn = browser.run('return document.getElementById("chart").dataset.drawn;')
    print(f"first drawn after {drawn} ms, {path.stat().st_size} bytes")
    check_sums(browser, recording)
    check_single(browser, recording)
    check_search(browser, recording)
    if is_brief:
        check_once(browser, recording)
        return
    check_keys(browser)
    check_links(browser, recording, path.as_uri())
    look_at(browser, path, axe)
    diff = path.with_name(f"{name}-diff.html")
    if diff.exists():
        look_at(browser, diff, axe)
    check_old_browser(browser, path)
    paper = base64.b64decode(browser.command("Page.printToPDF")["data"])
    assert paper.startswith(b"%PDF"), paper[:8]
    severe = [line for line in browser.ask("/se/log", {"type": "browser"})
              if line["level"] == "SEVERE"]
    assert not severe, severe


def main(name, how=None):
    is_brief = how == "--brief"
    axe = None
    if how and not how.startswith("--"):
        axe = pathlib.Path(how).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            if how == "--fits":
                check_fits(browser, pathlib.Path(f"{name}.html").resolve())
            else:
                use(browser, name, axe, is_brief)
        finally:
            browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
