# SPDX-License-Identifier: MIT
"""Catalogs, plans and metrics: the same as the command prints."""
import json
import os
import subprocess
import unittest

import tacho


def command(*arguments):
    return json.loads(subprocess.run([os.environ["TACHO"], *arguments, "--json"], check=True,
                                     capture_output=True, text=True).stdout)


class Catalog(unittest.TestCase):
    def setUp(self):
        self.catalog = tacho.Catalog()
        self.arch = self.catalog.arch("gfx942")

    def test_entry(self):
        entry = self.arch["VALUBusy"]
        self.assertEqual((entry.kind, entry.unit), ("metric", "percent"))
        self.assertIn("SQ_ACTIVE_INST_VALU", entry.expression)
        self.assertIn(entry, self.arch.metrics)
        self.assertIn("SQ_WAVES", [one.name for one in self.arch.counters])
        self.assertIn("mi300x", self.arch.models)
        self.assertIn("gfx942", [arch.name for arch in self.catalog])

    def test_errors(self):
        with self.assertRaises(tacho.Error) as caught:
            self.arch["VALUBsy"]
        self.assertEqual(caught.exception.name, "TACHO_E_NOTFOUND")
        self.assertIn("VALUBusy", str(caught.exception))
        with self.assertRaises(tacho.Error):
            self.catalog.arch("gfx9999")
        with self.assertRaises(tacho.Error):
            self.arch.plan("VALUBusy,nothing")
        with self.assertRaises(KeyError):
            self.arch.plan("VALUBusy", model="mi9")

    def test_plan(self):
        """As many passes as the command says, and each entry completed by one of them."""
        wanted = ["VALUBusy", "SQ_WAVES", "TCC_HIT", "TCC_MISS", "FETCH_SIZE", "WRITE_SIZE"]
        plan = self.arch.plan(wanted, model="mi300x")
        told = command("plan", "--arch", "gfx942", "--model", "mi300x", "-m", ",".join(wanted))
        self.assertEqual(len(plan.passes), len(told["passes"]))
        self.assertGreaterEqual(len(plan.passes), plan.lower_bound)
        done = [entry for one in plan.passes for entry in one.entries]
        self.assertEqual(sorted(done), sorted(wanted))
        self.assertIn("SQ_WAVES", [name for one in plan.passes for name in one.counters])

    def test_objects_outlive(self):
        """An architecture keeps its catalog."""
        arch = tacho.Catalog().arch("gfx90a")
        self.assertGreater(len(arch.metrics), 50)


if __name__ == "__main__":
    unittest.main()
