#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Panels worked out by tacho and by the parser of ROCm's compute profiler, cell by cell.

    panels.py CHECKOUT TACHO [MOST]

CHECKOUT is a folder with rocprofiler-compute's `src` and `tests/workloads`; each workload there with
a pmc_perf.csv is worked out with the panels of its architecture, MOST of each architecture. Needs
pandas below 3. What the profiler calls infinite (divided by zero) is absent in tacho, which says so.
Ends with 1 when a cell differs otherwise.
"""
import ast
import collections
import contextlib
import copy
import csv
import io
import json
import logging
import math
import pathlib
import subprocess
import sys
import types
import warnings

CHECKOUT, TACHO = pathlib.Path(sys.argv[1]), sys.argv[2]
MOST = int(sys.argv[3]) if len(sys.argv) > 3 else None
CONFIGS = CHECKOUT / "src" / "rocprof_compute_soc" / "analysis_configs"

warnings.simplefilter("ignore")
sys.path.insert(0, str(CHECKOUT / "src"))
sys.modules.setdefault("astunparse", types.SimpleNamespace(unparse=ast.unparse))
logging.trace = lambda *words, **more: None
logging.disable(logging.CRITICAL)
from utils import file_io, parser, schema  # noqa: E402

templates = {}


def template_of(machine, config):
    """The tables with their formulas prepared; that is slow, and the same for many workloads."""
    key = (machine["gpu_arch"], int(machine["total_l2_chan"]), config.get("format_rocprof_output"))
    if key not in templates:
        made = types.SimpleNamespace()
        made.panel_configs = file_io.load_panel_configs(str(CONFIGS / machine["gpu_arch"]))
        parser.build_dfs(made, None, machine)
        parser.build_metric_value_string(made.dfs, made.dfs_type, "per_kernel", config)
        templates[key] = made
    return copy.deepcopy(templates[key].dfs), templates[key].dfs_type


def judge(folder):
    """Rows of numbers by a table's id, as the profiler works them out."""
    config = file_io.load_profiling_config(folder) or {}
    machine = file_io.load_sys_info(folder / "sysinfo.csv").iloc[0]
    tables, kinds = template_of(machine, config)
    counters = file_io.create_df_pmc(str(folder), None, False, -1, 0, config)
    parser.eval_metric(tables, kinds, machine, counters, False, config)
    rows = {}
    for name, table in tables.items():
        if kinds[name] == "metric_table":
            columns = [c for c in table.columns if c in schema.supported_field and c != "Channel"]
            rows[str(name)] = [(row.iloc[0], {c: None if row[c] in ("", None) else float(row[c])
                                              for c in columns}) for _, row in table.iterrows()]
    return rows


def ours(folder, arch):
    """The same of tacho: a table's rows, each a column's cell by its title."""
    command = [TACHO, "eval", "--json", "--panels", str(CONFIGS / arch), "--values",
               str(folder / "pmc_perf.csv")]
    tables = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["tables"]
    return {t["id"]: [{c["column"]: c for c in row["cells"]} for row in t["rows"]] for t in tables}


def compare(name, wanted, found, seen):
    for table, rows in wanted.items():
        if len(rows) != len(found.get(table, [])):
            seen["different"] += 1
            print(f"{name}: table {table} has {len(found.get(table, []))} rows, not {len(rows)}")
            continue
        for (metric, cells), row in zip(rows, found[table]):
            for column, value in cells.items():
                got = row[column].get("value")
                if value is None and got is None:
                    seen["both without a value"] += 1
                elif value is not None and math.isinf(value) and got is None:
                    seen["infinite there, absent here"] += 1
                elif None not in (value, got) and math.isclose(value, got, rel_tol=1e-9):
                    seen["equal"] += 1
                else:
                    seen["different"] += 1
                    print(f"{name}: {table} {metric}, {column}: {value} there, {got} here")


def main():
    seen, files = collections.Counter(), collections.Counter()
    for values in sorted((CHECKOUT / "tests" / "workloads").rglob("pmc_perf.csv")):
        folder = values.parent
        with open(folder / "sysinfo.csv", encoding="utf-8") as file:
            arch = next(csv.DictReader(file))["gpu_arch"]
        if MOST and files[arch] == MOST:
            continue
        files[arch] += 1
        with contextlib.redirect_stdout(io.StringIO()):
            wanted = judge(folder)
        compare(folder.relative_to(CHECKOUT), wanted, ours(folder, arch), seen)
    print(", ".join(f"{count} {what}" for what, count in sorted(seen.items())), "in",
          sum(files.values()), "files")
    return 1 if seen["different"] or not seen["equal"] else 0


sys.exit(main())
