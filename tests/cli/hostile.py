# SPDX-License-Identifier: MIT
"""Names that are made to harm, through every output. hostile.py write | check KIND FILE...

write: makes the session files h.atp, h.csv, h.occupancy. check: reads each FILE as a strict reader of
its KIND does: text, csv, safe (CSV without formulas), json, jsonl, html, sqlite.
"""
import csv
import io
import json
import sqlite3
import sys

# No UTF-8, an escape sequence, a C1 control, the other direction, nothing to see, a tag; and a
# character that is fine.
EVIL = (b"\xff\xc3(\x1b[31m\xc2\x9b\xe2\x80\xae\xe2\x80\x8b\xf3\xa0\x81\x81\xed\xa0\x80\x08\x7f"
        b"\xc3\xa9")
# How it begins where it is spelled.
SPELLED = r"\xff"
HIDDEN = [chr(c) for c in (*range(0x20), *range(0x7f, 0xa0), 0xad, 0x200b, 0x200e, 0x202e, 0x2066,
                           0xfeff, 0xe0041)]
FORMULAS = "=+-@"


def session(name, lines):
    with open(name, "wb") as file:
        file.write(b"".join(line + b"\n" for line in lines))


def write():
    kernel = b"=cmd()" + EVIL
    device = b"dev" + EVIL
    session("h.atp", [
        b"TraceFileVersion=3.2", b"Application=/home/" + EVIL, b"ApplicationArgs=@" + EVIL,
        b"WorkingDirectory=" + EVIL, b"OS Version=" + EVIL, b"DisplayName=" + EVIL,
        b"CLExcludedAPIs=cl" + EVIL, b"Device " + device + b" Platform Vendor = " + EVIL,
        b"Device " + device + b" Board Name = " + EVIL,
        b"=====ocl API Trace Output=====", b"7", b"4",
        b"0x10 = clCreateKernel ( 0x20;\"=cmd()" + EVIL + b"\";[CL_SUCCESS] )",
        b"CL_SUCCESS = clEnqueueNDRangeKernel ( 0x30;0x10;1;NULL;[64];[64];0;NULL;NULL )",
        b"CL_" + EVIL + b" = cl" + EVIL + b" ( " + EVIL + b" )",
        b"CL_SUCCESS = clFinish ( 0x30 )",
        b"=====ocl Timestamp Output=====", b"7", b"4",
        b"35   clCreateKernel                               1000                 1500",
        b"66   clEnqueueNDRangeKernel                       2000                 2500"
        b"                 4592    CL_COMMAND_NDRANGE_KERNEL               2100"
        b"                 2200                 3000                 9000                 0"
        b"         0x30                     0         0x40                     "
        + device + b"    0x10                     " + kernel + b"      {64}     {64}",
        b"146  cl" + EVIL + b"    9100    9200",
        b"51   clFinish                                     9300                 9900",
        b"=====ocl Stack Trace Output=====", b"7", b"2",
        b"clCreateKernel\t" + EVIL + b"\t12\t" + EVIL, b"clFinish\t=f\t1\t" + EVIL,
        b"=====Perfmarker Output=====", b"7", b"2",
        b"clBeginPerfMarker  -1+cmd()" + EVIL + b"  1900  @group" + EVIL,
        b"clEndPerfMarker  9950"])
    session("h.csv", [
        b"#ProfileFileVersion=5.6", b"#API=OpenCL", b"#Application=" + EVIL, b"#ListSeparator=,",
        b"Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, "
        b"VGPRs, @count" + EVIL + b", Real",
        kernel + b"__k1_" + device + b"1, 1, 7, 1, {     64       1       1}, "
        b"{   64     1     1}, 0.00600, 8, 12, -3.50"])
    session("h.occupancy", [
        b"# Application=" + EVIL, b"# ListSeparator=,", b"# KernelCount=1",
        b"Thread ID,Kernel Name,Device Name,Number of VGPR used,Kernel occupancy",
        b"7," + kernel + b"," + device + b",8,50"])


def check_shown(name, text, allowed="\n"):
    for c in HIDDEN:
        if c not in allowed and c in text:
            at = text.index(c)
            sys.exit(f"{name}: {ascii(c)} in {ascii(text[max(at - 60, 0):at + 20])}")


def check_csv(name, text, is_safe):
    check_shown(name, text, "\n\r")
    rows = list(csv.reader(io.StringIO(text), strict=True))
    assert rows, name
    for cell in (cell.strip() for row in rows for cell in row):
        if not is_safe or cell[:1] not in FORMULAS or not cell:
            continue
        try:
            float(cell)
        except ValueError:
            sys.exit(f"{name}: a formula: {ascii(cell)}")


def texts_of(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, str):
        yield value


def check(kind, name):
    if kind == "sqlite":
        db = sqlite3.connect(name)  # refuses texts that are no UTF-8
        tables = db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
        for table, in tables.fetchall():
            db.execute(f'SELECT * FROM "{table}"').fetchall()
        return
    with open(name, "rb") as file:
        data = file.read()
    if kind == "binary":
        assert rb"\xff" in data and EVIL not in data, name
        return
    text = data.decode("utf-8")  # strict
    assert "\ufffd" not in text, name
    if kind == "json":
        check_shown(name, text)
        list(texts_of(json.loads(text)))
    elif kind == "jsonl":
        check_shown(name, text)
        for line in text.splitlines():
            json.loads(line)
    elif kind in ("csv", "safe"):
        check_csv(name, text, kind == "safe")
    else:
        check_shown(name, text, "\n\t" if kind == "html" else "\n")
    if kind != "any" and SPELLED not in text.replace("\\\\", "\\"):
        sys.exit(f"{name}: no hostile name is in it")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write()
    else:
        for path in sys.argv[3:]:
            check(sys.argv[2], path)
