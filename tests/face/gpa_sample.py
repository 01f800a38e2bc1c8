# SPDX-License-Identifier: MIT
"""gpa_sample.py DOCUMENT OUTPUT: a program of the sample code in AMD's user guide.

The guide's text lost underscores, braces and the head of its render loop. They are restored here, and
only they: every restored line is marked in what is written. What was for Windows is changed: the
device, and the format of a 64-bit number.
"""
import re
import sys

MARK = "  /* restored */"

# (a line as the guide has it, the lines that are lost behind it), in the order of the guide.
LOOP = [
    ("GPA_EndPass();", ["}"]),
    ("if ( sessionID != currentWaitSessionID )", ["{"]),
    ("while ( sessionStatus == GPA_STATUS_ERROR_SESSION_NOT_FOUND )", ["{"]),
    ("if ( readyResult )", ["{"]),
]
WRITE = [
    ("if (!doneHeadings)", ["{"]),
    ("for (gpa_uint32 counter = 0 ; counter < count ; counter++ )", ["{"]),
    ('fprintf( f, "%s, ", name );', ["}"]),
    ("for (gpa_uint32 sample = 0 ; sample < sampleCount ; sample++ )", ["{"]),
    ("for (gpa_uint32 counter = 0 ; counter < count ; counter++ )", ["{"]),
    ("if ( type == GPA_TYPE_UINT32 )", ["{"]),
    ('fprintf( f, "%u,", value );', ["}"]),
    ("else if ( type == GPA_TYPE_UINT64 )", ["{"]),
    ('fprintf( f, "%llu,", value );', ["}"]),
    ("else if ( type == GPA_TYPE_FLOAT32 )", ["{"]),
    ('fprintf( f, "%f,", value );', ["}"]),
    ("else if ( type == GPA_TYPE_FLOAT64 )", ["{"]),
    ("assert(false);", ["}"]),
    ("fclose( f );\n", ["}"]),
]
LOOP_HEAD = [
    "static void render_frame(void)",
    "{",
    "gpa_uint32 sessionID, passes;",
    "GPA_BeginSession( &sessionID );",
    "GPA_GetPassCount( &passes );",
    "for (gpa_uint32 pass = 0 ; pass < passes ; pass++ )",
    "{",
    "GPA_BeginPass();",
    "GPA_BeginSample( 0 );",
    "draw();",
]


def underscores(line):
    line = line.replace("</pre>", "").replace("gpa ", "gpa_")
    line = re.sub(r"\bGPA (?=Status\b|Type\b|[A-Z][a-z])", "GPA_", line)
    line = re.sub(r"\bGPA (STATUS|TYPE)((?: [A-Z0-9]+)+)",
                  lambda m: "GPA_" + m.group(1) + m.group(2).replace(" ", "_"), line)
    line = re.sub(r"\bGPA_STATUS((?: [A-Z]+)+)",
                  lambda m: "GPA_STATUS" + m.group(1).replace(" ", "_"), line)
    return line.replace("%I64u", "%llu").replace("<API function call>", "draw();")


def restore(lines, losses):
    """Puts the lost lines behind theirs; each loss is used once, in order."""
    losses = list(losses)
    text = []
    for number, line in enumerate(lines):
        last = number == len(lines) - 1
        text.append(line)
        if losses and line.strip() == losses[0][0].strip():
            if losses[0][0].endswith("\n") and not last:
                continue
            text += [lost + MARK for lost in losses.pop(0)[1]]
    if losses:
        sys.exit("the guide has no line %r" % losses[0][0])
    return text


def cut(lines, first, last):
    """The lines from the one that has `first` to the one before that has `last`."""
    start = next(i for i, line in enumerate(lines) if first in line)
    end = next(i for i in range(start + 1, len(lines)) if last in lines[i])
    return [line for line in lines[start:end] if line.strip() and line.strip() != "```"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [underscores(line.rstrip("\n")) for line in file]
    at = next(i for i, line in enumerate(lines) if "3.2. Render Loop" in line and "##" in line)
    loop = cut(lines[at:], "GPA_EndSample();", "On Exit")
    write = cut(lines, "void WriteSession(", "#pragma warning( default")
    program = ['#include "gpa_sample.h"']
    program += restore(write, WRITE)
    program += [line + MARK for line in LOOP_HEAD]
    program += restore(loop, LOOP) + ["}" + MARK]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(program) + "\n")


if __name__ == "__main__":
    main()
