#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of README.md and of docs/tutorial.md: pictures.py TACHO [NAME...]

Records real programs with TACHO and photographs their pages in Chromium, in light and in dark, into
docs/pictures/NAME-light.webp and NAME-dark.webp. NAME: page, slow, fast. Needs ffmpeg, pyopencl, an
OpenCL driver, chromium and chromium-driver.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/real"))
sys.path.insert(1, str(ROOT / "tests/scripts"))
import shown  # noqa: E402
from page import Browser  # noqa: E402: the tests' own

FILTERS = ("format=yuv420p,hwupload,avgblur_opencl=3,unsharp_opencl=lx=5:ly=5:la=1,hwdownload,"
           "format=yuv420p")
FFMPEG = ["ffmpeg", "-v", "error", "-nostdin", "-init_hw_device", "opencl=ocl:0.0",
          "-filter_hw_device", "ocl", "-f", "lavfi", "-i", "testsrc=size=640x360:rate=25",
          "-t", "4", "-vf", FILTERS, "-f", "null", "-"]
SCALE = 1.5  # pixels of the picture for one of the page
LIMIT = 200_000  # bytes
WIDTH = 1100
# The section of the timeline comes to the top, below the bar of links.
SCROLL = """document.documentElement.style.scrollBehavior = "auto";
const top = document.querySelector("#timeline").closest("section").getBoundingClientRect().top;
window.scrollTo(0, top + window.scrollY - 60);"""


def record(tacho, name, program):
    """The page of a recording of the program."""
    subprocess.run([tacho, "record", "-q", "-f", "-o", name, "--", *program], check=True)
    subprocess.run([tacho, "export", name, "--to", "html", "-f"], check=True,
                   stdout=subprocess.DEVNULL)
    return pathlib.Path(name + ".html").resolve()


def find_window(tacho, name, first, count):
    """From when to when, in ns from the start of the run, so many launches take; a little more."""
    lines = subprocess.run([tacho, "export", name, "--to", "jsonl", "-o", "-"], check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    run, *rest = map(json.loads, lines)
    commands = (line["command"] for line in rest if line["schema"] == "tacho.call/1")
    times = sorted((command["start_ns"], command["end_ns"]) for command in commands
                   if command and command["kind"] == "kernel")[first:first + count]
    begin, end = (time - run["start_ns"] for time in (times[0][0], times[-1][1]))
    return begin - (end - begin) // 20, end + (end - begin) // 20


def record_tutorial(tacho):
    """The pages of the program as it is, and with all changes of the tutorial."""
    program = pathlib.Path("heat.py")
    shutil.copy(ROOT / "examples/tutorial/heat.py", program)
    slow = record(tacho, "slow", ["/usr/bin/python3", program.name])
    for kind, what, _ in shown.read_page(ROOT / "docs/tutorial.md"):
        if kind == "change":
            shown.apply(what, program)
    return slow, record(tacho, "fast", ["/usr/bin/python3", program.name])


def command(browser, name, **parameters):
    return browser.ask("/goog/cdp/execute", {"cmd": name, "params": parameters})


def show(browser, page, window, height, scheme):
    command(browser, "Emulation.setDeviceMetricsOverride", width=WIDTH, height=height,
            deviceScaleFactor=SCALE, mobile=False)
    command(browser, "Emulation.setScrollbarsHidden", hidden=True)
    command(browser, "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.ask("/url", {"url": f"{page.as_uri()}#t={window[0]},{window[1]}"})


def shoot(browser, file):
    for quality in (90, 80, 70, 60):
        shot = command(browser, "Page.captureScreenshot", format="webp", quality=quality)
        data = base64.b64decode(shot["data"])
        if len(data) < LIMIT:
            break
    file.write_bytes(data)
    print(f"{file.relative_to(ROOT)}: {len(data)} bytes, quality {quality}")


def photograph(tacho, page, name, height, first, count):
    """The page from its timeline on, which shows these launches."""
    window = find_window(tacho, page.stem, first, count)
    for scheme in ("light", "dark"):
        with tempfile.TemporaryDirectory() as folder:
            browser = Browser(folder)
            try:
                show(browser, page, window, height, scheme)
                time.sleep(1)  # what the page decompresses first
                browser.run(SCROLL)
                time.sleep(0.5)
                shoot(browser, ROOT / f"docs/pictures/{name}-{scheme}.webp")
            finally:
                browser.close()


def main(tacho, *names):
    tacho = str(pathlib.Path(tacho).resolve())
    wanted = names or ("page", "slow", "fast")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if "page" in wanted:
            photograph(tacho, record(tacho, "ffmpeg", FFMPEG), "page", 960, 450, 27)
        if "slow" in wanted or "fast" in wanted:
            slow, fast = record_tutorial(tacho)
            photograph(tacho, slow, "slow", 370, 60, 4)
            photograph(tacho, fast, "fast", 370, 75, 15)
        os.chdir(ROOT)


main(*sys.argv[1:])
