#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages hold together: docs.py ROOT TACHO

Links lead somewhere, every page is in the index, files that texts of the program name are there,
README.md stays short and pictures small, libtacho(3) names each header, and what pages show of the
command's own knowledge is what it prints. `docs.py ROOT TACHO --write` writes the last anew.
"""
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import fcntl
import xml.etree.ElementTree

ROOT, TACHO = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
SHOWN = {"docs/README.md": 80, "docs/looking-up.md": 100}  # pages, and their terminal's width
LINK = re.compile(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"')
README_LINES, PICTURE_BYTES = 150, 200_000
faults = []


def is_true(value, text):
    if not value:
        faults.append(text)


def read(path):
    return path.read_text(encoding="utf-8")


def get_anchors(path):
    """The names that a viewer gives to headings."""
    titles = re.findall(r"^#+ (.*)$", read(path), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_links(pages):
    for page in pages:
        for link in (a or b for a, b in LINK.findall(read(page))):
            if link.startswith(("http:", "https:", "mailto:")):
                continue
            file, _, anchor = link.partition("#")
            target = page.parent / file if file else page
            where = f"{page.relative_to(ROOT)}: the link {link}"
            is_true(target.exists(), f"{where} leads nowhere")
            if anchor and target.suffix == ".md" and target.exists():
                is_true(anchor in get_anchors(target), f"{where}: no such heading")


def check_index(pages):
    linked = {link.partition("#")[0] for link, _ in LINK.findall(read(ROOT / "docs/README.md"))}
    for page in pages:
        if page.parent.name == "docs" and page.name != "README.md":
            is_true(page.name in linked, f"docs/README.md does not lead to {page.name}")


def check_named():
    """What man pages, messages, headers and definitions call docs/NAME.md."""
    for folder in ("man", "src", "cli", "include", "data", "examples", "tools", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".c", ".h", ".scd", ".yaml", ".sql", ".py", ".sh"):
                for name in re.findall(r"docs/[a-z][a-z-]*\.md", read(path)):
                    is_true((ROOT / name).exists(), f"{path.relative_to(ROOT)} names {name}")


def check_sizes():
    lines = len(read(ROOT / "README.md").splitlines())
    is_true(lines <= README_LINES, f"README.md has {lines} lines")
    for path in (ROOT / "docs/pictures").iterdir():
        size = path.stat().st_size
        is_true(size < PICTURE_BYTES, f"{path.name} has {size} bytes")
        if path.suffix == ".svg":
            xml.etree.ElementTree.parse(path)


def check_headers():
    page = read(ROOT / "man/libtacho.3.scd")
    for path in (ROOT / "include/tacho").glob("*.h"):
        is_true(f"<tacho/{path.name}>" in page, f"libtacho(3) does not name {path.name}")


def run_in_terminal(command, columns):
    """What it prints on a terminal that is this wide, without colors."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 50, columns, 0, 0))
    environment = dict(os.environ, NO_COLOR="1", PAGER="cat", TACHO_PAGER="cat", LC_ALL="C",
                       PATH=f"{pathlib.Path(TACHO).resolve().parent}:{os.environ['PATH']}")
    environment.pop("COLUMNS", None)
    with subprocess.Popen(["sh", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the terminal is gone
                break
            if not piece:
                break
            text += piece
    os.close(ours)
    is_true(process.returncode == 0, f"status {process.returncode} of: {command}")
    return text.decode().replace("\r\n", "\n").rstrip("\n").split("\n")


def check_shown(name, columns, is_writing):
    """Each block of "    $ COMMAND" is replaced by what the command prints."""
    old, new, lines = read(ROOT / name), [], read(ROOT / name).split("\n")
    at = 0
    while at < len(lines):
        new.append(lines[at])
        at += 1
        if not new[-1].startswith("    $ "):
            continue
        command = new[-1][6:]
        while command.endswith("\\"):
            new.append(lines[at])
            command = command[:-1] + lines[at].strip()
            at += 1
        while at < len(lines) and (lines[at].startswith("    ") or not lines[at]):
            at += 1
        new += [f"    {line}".rstrip() for line in run_in_terminal(command, columns)] + [""]
    text = "\n".join(new).rstrip("\n") + "\n"
    if is_writing:
        (ROOT / name).write_text(text, encoding="utf-8")
    differs = next((pair for pair in zip(text.split("\n"), old.split("\n")) if pair[0] != pair[1]),
                   None)
    is_true(text == old or is_writing, f"{name} shows other than is printed: {differs}; "
            "tests/scripts/docs.py --write writes it anew")


every = [ROOT / name for name in TOP] + sorted((ROOT / "docs").glob("*.md"))
check_links(every)
check_index(every)
check_named()
check_sizes()
check_headers()
for shown, width in SHOWN.items():
    check_shown(shown, width, "--write" in sys.argv)
print("\n".join(faults) or f"{len(every)} pages")
sys.exit(bool(faults))
