#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house that a machine can see: prints each place that breaks one, as
FILE:LINE: SENTENCE. Exit status 1 when there is any.

    python3 tests/scripts/house.py ROOT BUILD

ROOT has the sources. BUILD is a Meson build of them: which file calls which is read from its
objects, so nothing is guessed. docs/testing.md tells the rules.
"""

import collections
import json
import os
import re
import subprocess
import sys

# From the ground up: a room of src uses only those before it. The command is above them all, and
# sees nothing of them but include/.
ROOMS = ("base intercept model formula catalog plan oa backend session record analyze format "
         "inject face").split()

# A folder within a room uses the files beside it; of those only the doors use what is in it.
DOORS = {
    "src/backend/libraries.c": "the array of vendors' libraries that have definitions",
    "src/backend/registry.c": "the array of backends",
    "src/backend/device_advice.c": "the array of what they advise",
    "src/backend/oa_stream.c": "the two that have an OA unit",
    "src/format/exporter.c": "the array of formats",
    "src/inject/apis.c": "the array of APIs",
    "src/record/settle.c": "asks the keeper of a recording that is not closed yet",
}

# What a room declares and one above it fills: arrays that are known when the library is linked.
FILLED_ABOVE = {"tacho__libraries": "src/catalog/library.h"}

# Names of vendors and of their APIs belong to what is about one of them ...
VENDOR_ROOMS = (
    "src/backend/", "src/face/", "src/inject/", "src/oa/", "include/compat/",
    "src/formula/notation_", "src/catalog/read_", "src/analyze/occupancy/",
    "src/analyze/rules/roles", "src/analyze/time_roles", "src/format/import/", "src/format/foreign/nsys", "src/format/foreign/kineto", "src/format/foreign/unitrace", "src/format/foreign/clintercept", "src/format/foreign/tool_sums", "src/format/foreign/amd", "src/format/foreign/ncu", "src/format/foreign/nvprof", "src/format/foreign/cuda", "src/format/foreign/rocprof", "src/format/foreign/xla",
    "src/format/atp", "src/format/csv_codexl",
    "src/format/occupancy_file", "src/format/rocprofv3/", "src/plan/counter_list", "cli/oa/", "cli/occupancy/",
)
# ... and, these words only, to what lists them and to texts about what a user can name.
VENDOR_LISTS = {
    "src/format/foreign/foreign.c": ("amd rocprof", "the array of readers"),
    "src/format/foreign/foreign.h": ("amd rocprof", "declares them"),
    "src/format/perfetto/fields.h": ("vulkan", "numbers of the format's own list of APIs"),
    "src/format/perfetto/stages.c": ("vulkan", "an API's number in it"),
    "src/catalog/readers.c": ("rocm gpa", "the array of forms of definitions"),
    "src/formula/node.c": ("gpa", "the array of notations"),
    "src/formula/node.h": ("gpa", "declares its parsers"),
    "cli/options/words.c": ("hsa rocm vulkan gpa cuda perfworks", "words of --api and --notation, and of env"),
    "cli/catalog.h": ("gfx hsa rocm vulkan cuda", "help of --arch and --api"),
    "cli/catalog.c": ("rocm cuda", "APIs that name their own architectures"),
    "cli/options/habits.c": ("hip hsa", "options of other tools"),
    "cli/doctor.c": ("opencl", "help: a backend to look at"),
    "cli/env.c": ("gpa perfworks", "help: the API to answer for"),
    "cli/eval/eval.c": ("gpa", "help of --notation"),
    "cli/options/variables.c": ("cupti nvidia rocm rocprof", "environment variables that users can set"),
    "src/base/machine.c": ("intel", "the kernel's name of a folder"),
}
VENDORS = ("amd|amdgpu|nvidia|intel|radeon|mesa|pocl|opencl|cuda|cupti|hip|hsa|rocm|rocprof|vulkan|"
           "gpa|perfworks")

THREADS = "src/base/thread.c"
FUNCTION_LINES = 60 # from its first line to its last; a table is no function
FILE_LINES = 700
LINES_COUNT_IN = ("cli", "src", "include", "tests", "tools", "bench", "examples", "fuzz")
PROGRAMS = (".c", ".h", ".py", ".sh", ".sql")


def breach(path, line, sentence):
    return "%s:%d: %s" % (path, line, sentence)


def list_files(root, folders, suffixes):
    for folder in folders:
        for where, folders_here, names in os.walk(os.path.join(root, folder)):
            folders_here.sort()
            for name in sorted(names):
                if name.endswith(suffixes):
                    yield os.path.relpath(os.path.join(where, name), root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def room_of(path):
    """"record" of "src/record/writer.c", "cli" of "cli/stat/stat.c", "" of what is in no room."""
    parts = path.split("/")
    if parts[0] == "cli":
        return "cli"
    return parts[1] if parts[0] == "src" and len(parts) > 2 else ""


def is_upward(user, used):
    """Whether room `user` may not use room `used`; in no room nothing may be used."""
    if user == used:
        return False
    return user not in ROOMS or used not in ROOMS[:ROOMS.index(user)]


def check_rooms(root):
    for path in list_files(root, ("src",), (".c", ".h")):
        if room_of(path) not in ROOMS:
            yield breach(path, 1, "is in no room: ROOMS of tests/scripts/house.py has their order")


def check_map(root):
    """docs/architecture.md draws the rooms from the roof down."""
    path = "docs/architecture.md"
    drawn = re.findall(r"^    src/(\w+)/", read(root, path), re.M)
    if drawn != ROOMS[::-1]:
        yield breach(path, 1, "draws the rooms %s; they are %s" % (
            " ".join(drawn), " ".join(ROOMS[::-1])))


def find_included(root, path, name):
    """The file of ours that #include "name" in `path` means; None: it is none of cli and src."""
    for folder in (os.path.dirname(path), path.split("/")[0]):
        used = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(os.path.join(root, used)) and used.startswith(("cli/", "src/")):
            return used
    return None


def check_includes(root):
    for path in list_files(root, ("cli", "src", "include"), (".c", ".h")):
        for line, text in enumerate(read(root, path).splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', text)
            used = found and find_included(root, path, found[1])
            if used and is_upward(room_of(path), room_of(used)):
                yield breach(path, line, "includes %s, which is above it or hidden from it" % used)


def strip_comments(text):
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                  lambda found: re.sub(r"[^\n]", " ", found[0]) if found[0][0] == "/" else found[0],
                  text, flags=re.S)


def list_vendors(root, path):
    """(line, word) for each name of a vendor in code and in texts. Not in comments, which tell where
    something comes from; of includes, check_includes() knows."""
    words = re.compile(r"(?<![A-Za-z])(?:(?i:%s)(?![a-z])|gfx(?=\d)|sm_(?=\d))"
                       r"|(?<=[a-z])(?:%s)(?![a-z])" % (VENDORS, VENDORS.upper()))
    for line, text in enumerate(strip_comments(read(root, path)).splitlines(), 1):
        for word in [] if text.startswith("#include") else words.findall(text):
            yield line, word


def check_vendors(root):
    for path in list_files(root, ("cli", "src", "include"), (".c", ".h")):
        allowed = VENDOR_LISTS.get(path, ("", ""))[0].split()
        for line, word in [] if path.startswith(VENDOR_ROOMS) else list_vendors(root, path):
            if word.lower() not in allowed:
                yield breach(path, line, 'says "%s", a word of one vendor or API' % word)


def check_exceptions(root):
    """What nothing needs any more goes."""
    own = "tests/scripts/house.py"
    for path in list(DOORS) + list(VENDOR_LISTS):
        if not os.path.exists(os.path.join(root, path)):
            yield breach(own, 1, "%s is an exception, and not there" % path)
        elif path in VENDOR_LISTS:
            said = {word.lower() for _, word in list_vendors(root, path)}
            for word in sorted(set(VENDOR_LISTS[path][0].split()) - said):
                yield breach(own, 1, '%s may say "%s", and does not' % (path, word))


def check_functions(root):
    for path in list_files(root, LINES_COUNT_IN, (".c", ".h")):
        lines = read(root, path).splitlines()
        begin = 0
        for line, text in enumerate(lines, 1):
            if text == "{":
                begin = line
                while begin > 1 and re.match(r"[^#}/\s]|\t", lines[begin - 2]):
                    begin -= 1
            elif text.startswith("}") and begin:
                if line - begin + 1 > FUNCTION_LINES:
                    yield breach(path, begin, "a function of %d lines; %d are the most" %
                                 (line - begin + 1, FUNCTION_LINES))
                begin = 0


def check_threads(root):
    """Which signals a thread takes is decided in one place."""
    for path in list_files(root, ("src",), (".c",)):
        for line, text in enumerate(strip_comments(read(root, path)).splitlines(), 1):
            if path != THREADS and re.search(r"\bpthread_create\(", text):
                yield breach(path, line, "starts a thread; that is what %s is for" % THREADS)


def check_files(root):
    for path in list_files(root, LINES_COUNT_IN, PROGRAMS):
        count = read(root, path).count("\n")
        if count > FILE_LINES:
            yield breach(path, FILE_LINES + 1, "%d lines; %d are the most" % (count, FILE_LINES))


def check_names(root):
    """Files of src are told apart by their base name. a.h stands beside its a.c, or above the folder
    of this name."""
    homes = {}
    for path in list_files(root, ("src",), (".c", ".h")):
        folder, name = os.path.split(os.path.splitext(path)[0])
        home = homes.setdefault(name, folder)
        if folder not in (home, os.path.join(home, name)):
            yield breach(path, 1, "%s has a file of this name too" % home)


def list_objects(build, root):
    """{source: object} for the sources of cli and src. One that is in several libraries counts once."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    objects = {}
    for command in commands:
        source = os.path.realpath(os.path.join(command["directory"], command["file"]))
        source = os.path.relpath(source, os.path.realpath(root))
        if source.startswith(("cli/", "src/")):
            objects.setdefault(source, os.path.join(command["directory"], command["output"]))
    return objects


def read_uses(build, root):
    """{user: {used: symbol}}: which source uses something that another one defines, and what."""
    objects = list_objects(build, root)
    sources = {path: source for source, path in objects.items()}
    nm = subprocess.run(["nm", "-A", "-P", "-g"] + list(sources), check=True, text=True,
                        stdout=subprocess.PIPE)
    defined, wanted = {}, []
    for line in nm.stdout.splitlines():
        path, symbol, kind = re.match(r"(.*): (\S+) (\w)", line).groups()
        if kind in "Uw" and symbol in FILLED_ABOVE:
            continue
        if kind in "Uw":
            wanted.append((sources[path], symbol))
        else:
            defined.setdefault(symbol, sources[path])
    uses = collections.defaultdict(dict)
    for user, symbol in wanted:
        if defined.get(symbol, user) != user:
            uses[user].setdefault(defined[symbol], symbol)
    return uses


def say_use(root, user, used, symbol):
    """The line of `user` that names the symbol; 1 when a macro does."""
    text = read(root, user)
    found = re.search(r"\b%s\b" % re.escape(symbol), strip_comments(text))
    line = text.count("\n", 0, found.start()) + 1 if found else 1
    return breach(user, line, "uses %s of %s" % (symbol, used))


def check_calls(root, uses):
    """What includes do not show: a declaration of one's own, or a call through a public header."""
    for user in sorted(uses):
        for used, symbol in sorted(uses[user].items()):
            if room_of(user) != "cli" and is_upward(room_of(user), room_of(used)):
                yield say_use(root, user, used, symbol) + ", which is above it"


def find_circle(graph, start):
    """The shortest way from `start` back to it; None when there is none."""
    came_from = {}
    queue = collections.deque([start])
    while queue:
        node = queue.popleft()
        for following in sorted(graph.get(node, ())):
            if following == start:
                way = [node]
                while way[0] != start:
                    way.insert(0, came_from[way[0]])
                return way
            if following not in came_from:
                came_from[following] = node
                queue.append(following)
    return None


def check_circles(root, uses, place_of, what):
    """Circles between places: what place_of() says of a file; None for those that are not asked.
    The shortest first, and of others those that are not told with them."""
    graph = collections.defaultdict(dict)
    for user in sorted(set(uses) - set(DOORS)):
        for used, symbol in sorted(uses[user].items()):
            a, b = place_of(user), place_of(used)
            if a and b and a != b:
                graph[a].setdefault(b, (user, used, symbol))
    told = set()
    for way in sorted(filter(None, (find_circle(graph, place) for place in sorted(graph))), key=len):
        steps = list(zip(way, way[1:] + way[:1]))
        if told.isdisjoint(steps):
            for here, there in steps:
                yield say_use(root, *graph[here][there]) + ", in a circle of %s: %s" % (
                    what, ", ".join(way))
        told.update(steps)


def file_of_cli(path):
    return path if path.startswith("cli/") else None


def folder_of_cli(path):
    folder = os.path.dirname(path)
    return folder if folder.startswith("cli/") else None


def folder_of_src(path):
    return os.path.dirname(path) if path.startswith("src/") else None


def check_all(root, build):
    uses = read_uses(build, root)
    yield from check_rooms(root)
    yield from check_map(root)
    yield from check_includes(root)
    yield from check_vendors(root)
    yield from check_exceptions(root)
    yield from check_functions(root)
    yield from check_threads(root)
    yield from check_files(root)
    yield from check_names(root)
    yield from check_calls(root, uses)
    yield from check_circles(root, uses, file_of_cli, "files")
    yield from check_circles(root, uses, folder_of_cli, "folders")
    yield from check_circles(root, uses, folder_of_src, "folders")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    breaches = list(check_all(*sys.argv[1:]))
    print("\n".join(breaches) or "every rule is kept")
    sys.exit(bool(breaches))
