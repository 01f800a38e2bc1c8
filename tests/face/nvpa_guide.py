# SPDX-License-Identifier: MIT
"""nvpa_guide.py DOCUMENT OUTPUT c|cpp: the code of NVIDIA's PerfWorks guide as a file to be included.

The code is taken from the document line by line. FILLS are what it leaves out ("..."), MENDS its
mistakes, each used as often as it says; docs/perfworks.md names them. Nothing else is changed.
"""
import re
import sys

# (pattern, what stands there, how often)
FILLS = [
    (r"NVPA_Config\* pConfig = \.\.\.;", "NVPA_Config* pConfig = guide_config;", 2),
    (r"void\* ctx = \.\.\.; // an ApiContext", "void* ctx = guide_ctx; // an ApiContext", 2),
    (r"void\* ctx = \.\.\.;$", "void* ctx = guide_ctx;", 1),
    (r"glDrawElements\(\.\.\.\);", "glDrawElements(GUIDE_ELEMENTS);", 3),
]
MENDS = [
    (r"(SetSerialized\(pMetricOptions, serialized\[ii\]\))$", r"\1;", 1),
    (r"NVPA_Config_Create\(pActivity, pConfig\);", "NVPA_Config_Create(pActivity, &pConfig);", 1),
    # the one leak inside; the other is the caller's: nobody destroys the config
    (r"^(NVPA_Activity_Destroy\(pActivity\);)", r"\1 NVPA_MetricOptions_Destroy(pMetricOptions);", 1),
]
LANGUAGE_MENDS = {
    "c": [(r"\bnullptr\b", "NULL", 3)],
    "cpp": [(r"EGLContext\* pEGLContext = ", "EGLContext pEGLContext = ", 1)],
}

LOOP = "NVPA_Config* pConfig = ...;", "NVPA_Context_EndSession(ctx);"
EGL = "void SimpleExample1_EGL()", "}"
RECIPE = "NVPA_Config* CreateConfig(", "}"


def cut(lines, first, last):
    """The lines from the one that begins so to the last one that is `last`, outside of braces."""
    start = next(i for i, line in enumerate(lines) if line.startswith(first))
    depth = 0
    for i in range(start, len(lines)):
        depth += lines[i].count("{") - lines[i].count("}")
        if lines[i] == last and not depth:
            return lines[start:i + 1], lines[i + 1:]
    sys.exit("the guide has no end of %r" % first)


def change(text, changes):
    for pattern, to, wanted in changes:
        text, found = re.subn(pattern, to, text, flags=re.M)
        if found != wanted:
            sys.exit("%r is %d times in the guide's code, not %d" % (pattern, found, wanted))
    return text


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    loop, rest = cut(lines, *LOOP)
    detailed, rest = cut(rest, *LOOP)
    egl, rest = cut(rest, *EGL)
    recipe, rest = cut(rest, *RECIPE)
    text = "\n".join(
        ["static void range_based_profiling(void)", "{"] + loop + ["}", ""]
        + ["static void detailed_pseudo_code(void)", "{"] + detailed + ["}", ""]
        + ["#ifdef GUIDE_ELEMENTS"] + egl + ["#endif", ""]
        + recipe + [""])
    text = change(text, FILLS + MENDS + LANGUAGE_MENDS[sys.argv[3]])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
