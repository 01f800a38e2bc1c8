# SPDX-License-Identifier: MIT
"""Each rule of house.py finds what breaks it, and nothing in what keeps it: small trees, made here."""

import json
import os
import subprocess
import tempfile
import unittest

import house


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = self.folder.name

    def put(self, path, text=""):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def build(self):
        """Compiles what is in src and cli, and returns who uses whom."""
        commands = []
        for path in house.list_files(self.root, ("cli", "src"), (".c",)):
            output = path.replace("/", "_") + ".o"
            # as of 1989: functions that nobody declares are no error
            subprocess.run(["cc", "-w", "-std=gnu89", "-c", "-o", output, path], cwd=self.root,
                           check=True)
            commands.append({"directory": self.root, "file": path, "output": output})
        self.put("compile_commands.json", json.dumps(commands))
        return house.read_uses(self.root, self.root)

    def expect(self, breaches, *beginnings):
        breaches = list(breaches)
        self.assertEqual(len(breaches), len(beginnings), breaches)
        for breach, beginning in zip(breaches, beginnings):
            self.assertTrue(breach.startswith(beginning), breach)

    def test_rooms(self):
        self.put("src/base/map.c")
        self.put("src/cellar/map.c")
        self.put("src/map.c")
        self.expect(house.check_rooms(self.root), "src/map.c:1: ", "src/cellar/map.c:1: ")

    def test_map(self):
        drawn = ["    src/%s/  what it is\n" % room for room in reversed(house.ROOMS)]
        self.put("docs/architecture.md", "    cli/  a command\n" + "".join(drawn))
        self.expect(house.check_map(self.root))
        self.put("docs/architecture.md", "".join(drawn[1:] + drawn[:1]))
        self.expect(house.check_map(self.root), "docs/architecture.md:1: ")

    def test_threads(self):
        for path in ("src/base/thread.c", "src/plan/search.c", "tests/unit/plan_test.c"):
            self.put(path, "/* pthread_create() */\nint x = pthread_create(&t, 0, run, 0);\n")
        self.expect(house.check_threads(self.root), "src/plan/search.c:2: ")

    def test_includes(self):
        for path in ("src/base/map.h", "src/plan/plan.h", "cli/plan/plan.h", "cli/cli.h"):
            self.put(path)
        self.put("src/plan/search.c", '#include "base/map.h"\n#include "plan.h"\n#include <stdio.h>\n')
        self.put("cli/plan/plan.c", '#include "plan/plan.h"\n#include "cli.h"\n')
        self.expect(house.check_includes(self.root))
        self.put("src/base/map.c", '#include "base/map.h"\n\n#include "plan/plan.h"\n')
        self.put("src/plan/print.c", '#include "../../cli/cli.h"\n')
        self.put("cli/other.c", '#include "../src/base/map.h"\n')
        self.put("include/tacho/plan.h", '#include "../../src/plan/plan.h"\n')
        self.expect(house.check_includes(self.root), "cli/other.c:1: ", "src/base/map.c:3: ",
                    "src/plan/print.c:1: ", "include/tacho/plan.h:1: ")

    def test_vendors(self):
        self.put("src/backend/opencl/opencl.c", 'const char name[] = "opencl";\n')
        self.put("src/base/map.c", '/* As AMD\n * does. */\n#include "inject/opencl/held.h"\n'
                 'char format[] = "sigprocmask", hipster, gfx, chips;\n')
        self.expect(house.check_vendors(self.root))
        self.put("src/plan/plan.c", 'int a;\nint plan_for_amd;\nchar b[] = "an Intel GPU";\n')
        self.put("src/record/rows.c", 'int clHostMemAllocINTEL;\nchar arch[] = "gfx90a";\n')
        self.put("cli/eval/eval.c", 'char allowed[] = "gpa", not_allowed[] = "cuda";\n')
        self.expect(house.check_vendors(self.root), 'cli/eval/eval.c:1: says "cuda"',
                    'src/plan/plan.c:2: says "amd"', 'src/plan/plan.c:3: says "Intel"',
                    'src/record/rows.c:1: says "INTEL"', 'src/record/rows.c:2: says "gfx"')

    def test_functions(self):
        table = "const int table[] = {\n" + "\t1,\n" * 100 + "};\n"
        self.put("src/base/map.c", table + "\nstatic int\nlong_name(int a)\n{\n" + "\ta++;\n" * 56 + "}\n")
        self.expect(house.check_functions(self.root))
        self.put("src/base/map.c", table + "\nstatic int\nlong_name(int a)\n{\n" + "\ta++;\n" * 57 + "}\n")
        self.expect(house.check_functions(self.root), "src/base/map.c:104: a function of 61 lines")

    def test_files(self):
        self.put("src/base/map.c", "\n" * 700)
        self.put("tests/data/long.yaml", "\n" * 1000)
        self.expect(house.check_files(self.root))
        self.put("tests/unit/map_test.c", "\n" * 701)
        self.expect(house.check_files(self.root), "tests/unit/map_test.c:701: 701 lines")

    def test_names(self):
        for path in ("src/base/map.c", "src/base/map.h", "src/record/keeper.h",
                     "src/record/keeper/keeper.c"):
            self.put(path)
        self.expect(house.check_names(self.root))
        self.put("src/plan/map.h")
        self.expect(house.check_names(self.root), "src/plan/map.h:1: ")

    def test_calls(self):
        self.put("src/base/map.c", "int map(void) { return 1; }\n")
        self.put("src/plan/plan.c", "int map();\nint plan(void) { return map(); }\n")
        self.put("cli/plan.c", "int plan();\nint cli_plan(void) { return plan(); }\n")
        self.expect(house.check_calls(self.root, self.build()))
        self.put("src/base/list.c", "/* plan() */\nint plan();\nint list(void)\n{\n\treturn plan();\n}\n")
        self.expect(house.check_calls(self.root, self.build()), "src/base/list.c:2: uses plan of")

    def test_exceptions(self):
        for path in house.DOORS:
            self.put(path)
        for path, (words, _) in house.VENDOR_LISTS.items():
            self.put(path, 'char words[] = "%s0";\n' % words.replace(" ", "0 "))
        self.expect(house.check_exceptions(self.root))
        self.put("cli/doctor.c", "/* opencl */\n")
        os.remove(os.path.join(self.root, "src/inject/apis.c"))
        self.expect(house.check_exceptions(self.root), "tests/scripts/house.py:1: src/inject/apis.c",
                    "tests/scripts/house.py:1: cli/doctor.c")

    def test_circle_of_files(self):
        self.put("cli/a.c", "int b();\nint a(void) { return b(); }\n")
        self.put("cli/b.c", "int c();\nint b(void) { return c(); }\n")
        self.put("cli/c.c", "int c(void) { return 1; }\n")
        uses = self.build()
        self.expect(house.check_circles(self.root, uses, house.file_of_cli, "files"))
        self.put("cli/c.c", "int c(void)\n{\n\treturn a();\n}\n")
        uses = self.build()
        self.expect(house.check_circles(self.root, uses, house.file_of_cli, "files"),
                    "cli/a.c:1: ", "cli/b.c:1: ", "cli/c.c:3: ")
        self.expect(house.check_circles(self.root, uses, house.folder_of_cli, "folders"))
        self.put("cli/list/list.c", "int list(void) { return info(); }\n")
        self.put("cli/info/info.c", "int info(void) { return kinds(); }\n")
        self.put("cli/list/kinds.c", "int kinds(void) { return 1; }\n")
        self.expect(house.check_circles(self.root, self.build(), house.folder_of_cli, "folders"),
                    "cli/info/info.c:1: ", "cli/list/list.c:1: ")

    def test_circle_of_folders(self):
        self.put("src/backend/probe.c", "int probe(void) { return 1; }\n")
        self.put("src/backend/sim/sim.c", "int sim(void) { return probe(); }\n")
        self.put("src/backend/registry.c", "int registry(void) { return sim(); }\n")
        uses = self.build()
        self.expect(house.check_circles(self.root, uses, house.folder_of_src, "folders"))
        self.put("src/backend/known.c", "int known(void) { return sim(); }\n")
        uses = self.build()
        self.expect(house.check_circles(self.root, uses, house.folder_of_src, "folders"),
                    "src/backend/known.c:1: ", "src/backend/sim/sim.c:1: ")


if __name__ == "__main__":
    unittest.main()
