#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An export for readers of rocprofv3, compared with the same recording as values.

    rocprofv3.py BASE VALUES.csv DATA

DATA is the folder with rocprofv3's own files and the SQL of its tables; it need not be there.
"""
import csv
import os
import sqlite3
import sys

base, values_path, data = sys.argv[1:]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def first_line(path):
    with open(path) as file:
        return file.readline().rstrip("\r\n")


def check_csv():
    kernels = read(base + "_kernel_trace.csv")
    counters = read(base + "_counter_collection.csv")
    agents = read(base + "_agent_info.csv")
    values = read(values_path)
    assert [int(row["Dispatch_Id"]) for row in kernels] == list(range(1, len(kernels) + 1))
    assert [int(row["Node_Id"]) for row in agents] == list(range(len(agents))), agents
    assert agents[0]["Agent_Type"] == "CPU" and all(len(row) == 53 for row in agents)
    known = {row["Node_Id"] for row in agents}
    by_launch = {}
    for row in counters:
        assert row["Agent_Id"].split(" ")[1] in known, row
        by_launch.setdefault(row["Dispatch_Id"], {})[row["Counter_Name"]] = row["Counter_Value"]
        launch = kernels[int(row["Dispatch_Id"]) - 1]
        for name in ("Correlation_Id", "Queue_Id", "Thread_Id", "Kernel_Id", "Kernel_Name",
                     "LDS_Block_Size", "Scratch_Size", "VGPR_Count", "SGPR_Count",
                     "Start_Timestamp", "End_Timestamp"):
            assert row[name] == launch[name], (name, row, launch)
        for name in ("Grid_Size", "Workgroup_Size"):
            sizes = [launch[name + "_" + axis] for axis in "XYZ"]
            product = "" if "" in sizes else str(int(sizes[0]) * int(sizes[1]) * int(sizes[2]))
            assert row[name] == product, (name, row, launch)
    # Rows of values are of launches that were counted, in the same order, and of transfers.
    names = {row["Kernel_Name"] for row in kernels}
    launches = [row for row in values if row["name"] in names]
    dispatches = sorted(by_launch, key=int)
    if len(launches) == len(kernels):
        dispatches = [row["Dispatch_Id"] for row in kernels]
    assert launches and len(launches) == len(dispatches), (len(launches), len(dispatches))
    count = 0
    for dispatch, row in zip(dispatches, launches):
        got = by_launch.get(dispatch, {})
        for name, text in row.items():
            if name in ("id", "name", "device", "row_id", "ranges") or ":" in name:
                continue
            assert (name in got) == (text != ""), (dispatch, name, text, got)
            if text:
                wanted = float(text)
                assert abs(float(got[name]) - wanted) <= 1e-6 * max(1, abs(wanted)), (name, row)
                assert ("e" in got[name]) == (wanted < 1), got[name]
                count += 1
    assert count and count == sum(len(row) for row in by_launch.values()), count
    return kernels, counters


def same(a, b):
    return (a is None and b == "") or (a is not None and b != "" and float(a) == float(b))


def check_database(kernels, counters):
    db = sqlite3.connect(base + "_results.db")
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    meta = dict(db.execute("SELECT tag, value FROM rocpd_metadata"))
    assert meta["schema_version"] == "3" and meta["uuid"] == "_" + meta["guid"].replace("-", "_")
    timed = {row["Dispatch_Id"]: row for row in kernels if row["Start_Timestamp"]}
    rows = db.execute("SELECT dispatch_id, name, start, end, duration, grid_x, grid_y, grid_z, "
                      "workgroup_x, workgroup_y, workgroup_z, stack_id FROM kernels").fetchall()
    assert len(rows) == len(timed), (len(rows), len(timed))
    for (dispatch, name, start, end, duration, *sizes, stack) in rows:
        row = timed[str(dispatch)]
        assert (name or "") == row["Kernel_Name"] and str(stack) == row["Correlation_Id"], row
        assert (start, end) == (int(row["Start_Timestamp"]), int(row["End_Timestamp"])), row
        assert duration == end - start
        for size, key in zip(sizes, ("Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z",
                                     "Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z")):
            assert same(size, row[key]), (key, size, row)
    wanted = {(row["Dispatch_Id"], row["Counter_Name"]): row for row in counters
              if row["Dispatch_Id"] in timed}
    rows = db.execute("SELECT dispatch_id, counter_name, value, grid_size, workgroup_size "
                      "FROM counters_collection").fetchall()
    assert len(rows) == len(wanted), (len(rows), len(wanted))
    for dispatch, name, value, grid, workgroup in rows:
        row = wanted[str(dispatch), name]
        assert abs(value - float(row["Counter_Value"])) <= 1e-6 * max(1, abs(value)), row
        assert same(grid, row["Grid_Size"]) and same(workgroup, row["Workgroup_Size"]), row
    for (view,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        db.execute(f"SELECT * FROM {view}").fetchall()
    return db, meta["uuid"]


def describe(db, suffix):
    tables = {}
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' "
                              "AND name LIKE 'rocpd%'").fetchall():
        columns = [(column[1], column[2], column[3], column[5],
                    (column[4] or "").replace('"', "'") if column[1] != "guid" else "")
                   for column in db.execute(f'PRAGMA table_info("{name}")')]
        keys = sorted((key[2].replace(suffix, ""), *key[3:7])
                      for key in db.execute(f'PRAGMA foreign_key_list("{name}")'))
        assert name.endswith(suffix), name
        tables[name[:-len(suffix)]] = columns, keys
    return tables


def check_schema(db, suffix):
    """Names, types, NOT NULL, primary keys, defaults and foreign keys of each table."""
    path = os.path.join(data, "rocpd_tables-3.sql")
    if not os.path.exists(path):
        return
    theirs = sqlite3.connect(":memory:")
    with open(path) as file:
        theirs.executescript(file.read().replace("{{uuid}}", "_x").replace("{{guid}}", "g"))
    ours, theirs = describe(db, suffix), describe(theirs, "_x")
    assert ours.keys() == theirs.keys(), ours.keys() ^ theirs.keys()
    for name in ours:
        assert ours[name] == theirs[name], (name, ours[name], theirs[name])
    for name, file in (("_kernel_trace.csv", "kernel_trace.csv"),
                       ("_counter_collection.csv", "doc-counter_collection.csv")):
        assert first_line(base + name) == first_line(os.path.join(data, file)), name
    print(len(ours), "tables have the columns and keys that they should have")


check_schema(*check_database(*check_csv()))
print("the export is as it should be")
