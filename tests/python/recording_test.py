# SPDX-License-Identifier: MIT
"""
Recordings as tables hold what their JSON lines hold. TACHO_TEST_RECORDINGS names recordings, with
blanks between; else session files of tests/data are read.
"""
import gc
import json
import os
import subprocess
import sys
import unittest

import tacho

ROOT = os.environ["TACHO_SOURCE_ROOT"]
FILES = os.environ.get("TACHO_TEST_RECORDINGS", "").split() or [
    os.path.join(ROOT, "tests/data/codexl", name) for name in
    ("mixed.atp", "ranges.atp", "buffers.atp", "import/stream.csv", "import/nbody.csv")]
COMMAND = ("id", "name", "queued_ns", "submit_ns", "start_ns", "end_ns", "uncertainty_ns", "bytes",
           "state", "reason", "kind")
CALL = ("process", "thread", "index", "api", "function", "start_ns", "end_ns", "result", "failed")
RANGE = ("id", "kind", "name", "domain", "api", "process", "thread", "depth", "parent", "start_ns",
         "end_ns")


def lines_of(path):
    text = subprocess.run([os.environ["TACHO"], "export", path, "--to", "jsonl", "-o", "-"],
                          check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        one = json.loads(line)
        found.setdefault(one["schema"].split("/")[0][6:], []).append(one)
    return found


class Recordings(unittest.TestCase):
    def same(self, row, line, names):
        for name in names:
            self.assertEqual(row[name], line.get(name), name)

    def same_call(self, row, line, commands):
        self.same(row, line, CALL)
        self.assertEqual(row["repeats"], line.get("repeats", 0))
        self.assertEqual(row["range"], line.get("ranges", [None])[0])
        if line["command"] is None:
            self.assertIsNone(row["command"])
            return
        command, told = commands[row["command"]], line["command"]
        self.same(command, told, COMMAND)
        self.assertEqual(command["duration_ns"], told["end_ns"] - told["start_ns"]
                         if told["state"] == "ok" else told.get("duration_ns"))
        for name in ("queue", "device"):
            told_id = told[name]["id"] if isinstance(told[name], dict) else told[name]
            self.assertEqual(command[name] or None, told_id)
        kernel = told.get("kernel")
        self.assertEqual(command["kernel_name"], kernel and kernel["name"])
        if told.get("global"):
            self.assertEqual(list(command["global"])[:len(told["global"])], told["global"])
        if told.get("local"):
            self.assertEqual(list(command["local"])[:len(told["local"])], told["local"])

    def same_values(self, recording, lines):
        """Every value of every launch, and its state."""
        compared = 0
        commands = [line for line in lines["call"] if line["command"]]
        for name in recording.counters:
            column = recording.values.column(name)
            if column.dimensions:
                continue
            for value, line in zip(column.tolist(), commands, strict=True):
                told = (line.get("values") or {}).get(name) or {}
                self.assertEqual(value, told.get("value"), name)
                compared += 1
        return compared

    def test_json_lines(self):
        for path in FILES:
            with self.subTest(path), tacho.open(path) as recording:
                lines = lines_of(path)
                calls = list(recording.calls.rows())
                commands = list(recording.commands.rows())
                self.assertEqual(len(calls), len(lines["call"]))
                for row, line in zip(calls, lines["call"]):
                    self.same_call(row, line, commands)
                ranges = list(recording.ranges.rows())
                self.assertEqual(len(ranges), len(lines.get("range", [])))
                for row, line in zip(ranges, lines.get("range", [])):
                    self.same(row, line, RANGE)
                told = [one["name"] for one in lines.get("counters", [{"counters": []}])[0][
                    "counters"]]
                self.assertEqual(recording.counters, told)
                self.assertTrue(not told or self.same_values(recording, lines))
                self.assertEqual({(one.kind, one.id, one.name) for one in recording.objects()},
                                 {(one["kind"], one["id"], one["name"] or None)
                                  for one in lines.get("object", [])})
                run = lines["run"][0]
                for name in ("application", "exit_status", "start_ns", "end_ns", "max_bytes"):
                    self.assertEqual(getattr(recording.run, name), run[name], name)

    def test_batches(self):
        """The same rows in pieces; numbers go on over them."""
        for path in FILES:
            with self.subTest(path), tacho.open(path) as recording:
                calls, commands, ranges = [], [], []
                for batch in recording.batches(3):
                    self.assertLessEqual(len(batch.calls), 3)
                    self.assertEqual(batch.calls.first, len(calls))
                    self.assertEqual(batch.commands.first, len(commands))
                    calls += batch.calls.rows()
                    commands += batch.commands.rows()
                    ranges += batch.ranges.rows()
                self.assertEqual(calls, list(recording.calls.rows()))
                self.assertEqual(commands, list(recording.commands.rows()))
                self.assertEqual(ranges, list(recording.ranges.rows()))

    def test_windows(self):
        """Those that were sampled, with their values: where a recording has some."""
        for path in FILES:
            with self.subTest(path), tacho.open(path) as recording:
                lines = lines_of(path)
                told = lines.get("window", [])
                rows = list(recording.windows.rows())
                self.assertEqual(len(rows), len(told))
                for row, line in zip(rows, told):
                    self.same(row, line, ("sampling", "index", "start_ns", "end_ns",
                                          "uncertainty_ns"))
                self.assertEqual([one.device for one in recording.samplings],
                                 [one["device"] for one in lines.get("sampling", [])])
                for number, one in enumerate(recording.samplings):
                    mine = [line for line in told if line["sampling"] == number]
                    values = recording.window_values(number)
                    self.assertEqual(len(values or ()), len(mine))
                    for name in one.counters if mine else ():
                        self.assertEqual(values.column(name).tolist(),
                                         [line["values"][name].get("value") for line in mine])

    def test_evaluate(self):
        done = 0
        for path in FILES:
            with tacho.open(path) as recording:
                if not recording.counters:
                    continue
                name = recording.counters[0]
                derived = recording.values.evaluate({"twice": f"2 * {name}", name + "_own": name})
                before = recording.values.column(name)
                if before.dimensions:
                    continue
                self.assertEqual(derived.column("twice").tolist(),
                                 [None if value is None else 2 * value
                                  for value in before.tolist()])
                with self.assertRaises(tacho.Error):
                    recording.values.evaluate({"bad": "1 +"})
                done += 1
        self.assertTrue(done)

    def test_errors(self):
        with self.assertRaises(tacho.Error) as caught:
            tacho.open("/nowhere/at/all")
        error = caught.exception
        self.assertEqual(error.name, "TACHO_E_NOTFOUND")
        self.assertTrue(error.message and error.cause and error.cure)
        recording = tacho.open(FILES[0])
        recording.close()
        for name in ("run", "calls", "losses", "processes"):
            with self.assertRaises(ValueError):
                getattr(recording, name)
        with self.assertRaises(KeyError):
            tacho.open(FILES[0]).calls["nothing"]

    def test_without_numpy(self):
        """Lists instead of arrays, with the same content."""
        program = ("import sys; sys.modules['numpy'] = None\nimport tacho\n"
                   "table = tacho.open(sys.argv[1]).commands\n"
                   "print(table['duration_ns'], table['global'], table['name'])")
        out = subprocess.run([sys.executable, "-c", program, FILES[0]], check=True, text=True,
                             capture_output=True).stdout
        rows = list(tacho.open(FILES[0]).commands.rows())
        self.assertEqual(out, "%s %s %s\n" % tuple(
            [row[name] for row in rows] for name in ("duration_ns", "global", "name")))


@unittest.skipIf(tacho._arrays.numpy is None, "numpy is not installed")
class Arrays(unittest.TestCase):
    def test_arrays(self):
        numpy = tacho._arrays.numpy
        for path in FILES:
            with tacho.open(path) as recording:
                table = recording.commands
                rows = list(table.rows())
                for name in table.columns:
                    column = table[name]
                    self.assertEqual(column.shape[0], len(rows))
                    listed = [tuple(one) if isinstance(one, list) else one
                              for one in column.tolist()]
                    self.assertEqual(listed, [row[name] for row in rows], name)
                self.assertIsInstance(table["start_ns"], numpy.ma.MaskedArray)
                self.assertEqual(table["failed" if "failed" in table else "first_launch"].dtype,
                                 bool)

    def test_no_copies(self):
        """Two views of a column lie in the same memory."""
        with tacho.open(FILES[0]) as recording:
            table = recording.commands
            first, second = table["start_ns"].data, table.raw("start_ns")
            self.assertEqual(first.__array_interface__["data"],
                             second.__array_interface__["data"])
            self.assertFalse(second.flags.writeable)

    def test_arrays_outlive(self):
        """Neither the table, nor the recording, nor libtacho's batch goes while an array is there."""
        recording = tacho.open(FILES[0])
        array, expected = recording.calls["index"], recording.calls["index"].tolist()
        names = recording.calls["function"].tolist()
        table = recording.calls
        recording.close()
        del recording
        gc.collect()
        noise = [tacho.open(path).calls["index"].sum() for path in FILES * 3]
        self.assertEqual(array.tolist(), expected)
        self.assertEqual(table["function"].tolist(), names)
        self.assertTrue(noise)

    def test_masks(self):
        for path in FILES:
            with tacho.open(path) as recording:
                for name in recording.counters:
                    column = recording.values.column(name)
                    absent = (column.states & tacho.STATE_MASK) == tacho.ABSENT
                    self.assertTrue((recording.values[name].mask | ~absent).all())
                    if column.raw.dtype == float:
                        self.assertTrue(tacho._arrays.numpy.isnan(column.raw[absent]).all())


if __name__ == "__main__":
    unittest.main()
