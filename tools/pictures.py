#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of README.md and of docs/tutorial.md: pictures.py TACHO [NAME...]

Records real programs with TACHO and photographs their pages in Chromium, in light and in dark, into
docs/pictures/NAME-light.webp and NAME-dark.webp. NAME: page, slow, fast. Needs ffmpeg, pyopencl, an
OpenCL driver, chromium and chromium-driver.
"""
import base64
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
WIDTH, HEIGHT = 1100, 900
# From the section of the timeline on, zoomed in TIMES; true when there is nothing to wait for.
ZOOM = """const canvas = document.querySelector(".lanes canvas");
canvas.focus();
for (let i = 0; i < %d; i++)
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
canvas.blur();
document.documentElement.style.scrollBehavior = "auto";
const top = document.querySelector("#%s").closest("section").getBoundingClientRect().top;
window.scrollTo(0, top + window.scrollY - %d);"""


def record(tacho, name, program):
    """The page of a recording of the program."""
    subprocess.run([tacho, "record", "-q", "-f", "-o", name, "--", *program], check=True)
    subprocess.run([tacho, "export", name, "--to", "html", "-f"], check=True,
                   stdout=subprocess.DEVNULL)
    return pathlib.Path(name + ".html").resolve()


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


def show(browser, page, height, scheme):
    command(browser, "Emulation.setDeviceMetricsOverride", width=WIDTH, height=height,
            deviceScaleFactor=SCALE, mobile=False)
    command(browser, "Emulation.setScrollbarsHidden", hidden=True)
    command(browser, "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.ask("/url", {"url": page.as_uri()})


def shoot(browser, file):
    for quality in (90, 80, 70, 60):
        shot = command(browser, "Page.captureScreenshot", format="webp", quality=quality)
        data = base64.b64decode(shot["data"])
        if len(data) < LIMIT:
            break
    file.write_bytes(data)
    print(f"{file.relative_to(ROOT)}: {len(data)} bytes, quality {quality}")


def photograph(page, name, height, times, section="timeline", margin=60):
    """The page from a section on, its timeline zoomed in so many times."""
    for scheme in ("light", "dark"):
        with tempfile.TemporaryDirectory() as folder:
            browser = Browser(folder)
            try:
                show(browser, page, height, scheme)
                browser.run(ZOOM % (times, section, margin))
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
            photograph(record(tacho, "ffmpeg", FFMPEG), "page", HEIGHT, 6)
        if "slow" in wanted or "fast" in wanted:
            slow, fast = record_tutorial(tacho)
            photograph(slow, "slow", 370, 6)
            photograph(fast, "fast", 370, 6)
        os.chdir(ROOT)


main(*sys.argv[1:])
