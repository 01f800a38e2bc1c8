#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/nvidia/callbacks.txt from CUPTI's headers.

    tools/import_cupti.py /usr/local/cuda/include > data/nvidia/callbacks.txt

The headers come with CUDA (cuda-cupti-dev, or the folder include of NVIDIA's archive of CUPTI). Names and
numbers are taken, and nothing else of them. A name's own version ("cudaLaunch_v3020") stays behind: the
number tells it.
"""
import pathlib
import re
import sys

PREFACE = """\
# SPDX-License-Identifier: MIT
# Functions of CUDA by the numbers that CUPTI gives them, which files of nvprof have in place of names.
# tools/import_cupti.py made all of it from CUPTI's headers of CUDA 13.0: names and numbers.
"""
APIS = ("runtime", "driver")


def read(folder, api):
    text = (folder / ("cupti_%s_cbid.h" % api)).read_text()
    found = re.findall(r"CUPTI_%s_TRACE_CBID_(\w+)\s*=\s*(\d+)" % api.upper(), text)
    return {int(number): re.sub(r"_v\d{4,}$", "", name) for name, number in found
            if name not in ("INVALID", "SIZE", "FORCE_INT")}


def main():
    folder = pathlib.Path(sys.argv[1])
    out = PREFACE
    for api in APIS:
        names = read(folder, api)
        assert len(names) > 400, api
        out += "".join("%s %d %s\n" % (api, number, names[number]) for number in sorted(names))
    sys.stdout.write(out)


if __name__ == "__main__":
    main()
