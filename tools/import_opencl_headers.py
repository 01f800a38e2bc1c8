#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drafts data/api/opencl.yaml from the Khronos OpenCL headers.

    tools/import_opencl_headers.py [/usr/include/CL] [numbers.tsv] > draft.yaml

The headers give signatures, constants and the order of the loader's dispatch table; what they do
not say (how a value reads, which argument counts a list, what a command moves) is in the tables of
import_opencl_tables.py. The draft was then reviewed and is edited by hand: use this only to see
what a newer set of headers adds. numbers.tsv has lines "number<TAB>function": what CodeXL session
files call a function.
"""
import re
import sys

from import_opencl_tables import (
    AFTER, BY_FUNCTION, BY_NAME, COMMANDS, DROPPED, ENUM_ALIASES, EXTRA_CONSTANTS, FUNDAMENTAL,
    INSTEAD, KEPT_ENUMS, LEFT_OUT, MASKS, PROPERTY_LISTS, SHOWS, UNDECLARED)

PREFACE = """\
# SPDX-License-Identifier: MIT
#
# The OpenCL API as tacho intercepts it: OpenCL 1.0 to 3.0 and the extension functions that programs
# fetch with clGetExtensionFunctionAddress*. Signatures and constants are those of the Khronos
# OpenCL headers of 2023-02-06 and the OpenCL 3.0 specification; numbers are those of CodeXL's
# session files. tools/import_opencl_headers.py made the first draft. The build's apigen reads this.
#
# types       NAME: C TYPE, then how a value reads (SHOW of src/record/calls.h, - for none)
# structs     NAME: its members, as arguments are written
# enums       NAME: constants: value, and for queries how the answer reads
# dispatch    the slots of the loader's table in their order; "placeholder" keeps a slot's place
# extensions  functions that only drivers give out
#
# A function has
#   number    in session files; none: the format knows no number
#   returns   type, and SHOW when the type's own does not do; none: void
#   args      C declarations; ": SHOW" when the type's own does not do, with these additions:
#               l:S[N]      list of N, N being a number or an argument, as in N<=3 at most so long
#               l:S[N,M]    list that the function fills: room N, filled *M (M when no pointer)
#               v:Q[N,M]    answer to query Q: room N, size *M
#               p0:E        property list that also ends after a value of 0
#   lookup    NAME ARGUMENT: a value that the wrapper asks for: tacho__opencl_NAME(ARGUMENT)
#   command   KIND CONSTANT ROLE=ARGUMENT ...; event=required: the caller must pass an event
#   instead   tacho__opencl_NAME is called in place of the target
#   after     NAME ARGUMENT ...: tacho__opencl_NAME(ARGUMENT, ...) is called when the call is
#             recorded; "result" stands for the result
api: opencl
id: 1

"""


def strip(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def split_arguments(text):
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p for p in (" ".join(q.split()) for q in parts + [part]) if p and p != "void"]


def declaration(text):
    """("TYPE with stars", "NAME") of one argument; callbacks become cl_callback."""
    text = text.replace("unsigned char", "cl_uchar")
    callback = re.match(r".*\(\s*(?:CL_CALLBACK)?\s*\*\s*(\w+)\s*\)\s*\(", text)
    if callback:
        return "cl_callback", callback.group(1)
    array = re.match(r"(.*?)(\w+)\s*\[\s*\]$", text)
    if array:
        text = array.group(1) + "*" + array.group(2)
    match = re.match(r"(.*?)(\w+)$", text)
    kind = re.sub(r"\s*\*\s*", " * ", match.group(1).replace("struct ", ""))
    kind = re.sub(r"\* (?=\*)", "*", re.sub(r"\s+", " ", kind).strip())
    return kind, match.group(2)


def balanced(text, start):
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return text[start + 1:i]
    raise ValueError(text[start:start + 80])


def prototypes(text):
    found = {}
    text = strip(text)
    for match in re.finditer(r"extern\s+CL_API_ENTRY\s+((?:CL_API_PREFIX\w+\s+)?[\w *]+?)\s*"
                             r"CL_API_CALL\s+(cl\w+)\s*\(", text):
        result = re.sub(r"CL_API_PREFIX\w+\s+", "", match.group(1))
        found[match.group(2)] = (" ".join(result.split()),
                                 split_arguments(balanced(text, match.end() - 1)))
    return found


def number(text):
    text = re.sub(r"\(\s*\(?cl_bitfield\)?\s*\)?", "", text)
    text = text.replace("(cl_bitfield)", "").replace("ULL", "")
    if not re.fullmatch(r"[\s()0-9a-fA-FxX<+-]+", text):
        return None
    text = text.strip()
    try:
        return eval(text)  # a literal or a shift, as matched above
    except SyntaxError:
        return None


def constants(text):
    """name -> (number, heading under which it stands)"""
    found, heading = {}, None
    for line in text.split("\n"):
        title = re.match(r"/\*\s*(?:cl_(\w+)|Error [Cc]odes)\b[^*]*\*/", line)
        if title:
            heading = title.group(1) or "error"
            continue
        if re.match(r"/\*{5,}", line) or re.match(r"extern|typedef", line):
            heading = None
        define = re.match(r"#define\s+(CL_\w+)\s+(.+?)\s*(/[/*].*)?$", line)
        if define and number(define.group(2)) is not None:
            found.setdefault(define.group(1), (number(define.group(2)), heading))
    return found


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "/usr/include/CL"
    read = lambda name: open(f"{folder}/{name}").read()
    headers = [read(n) for n in ("cl.h", "cl_gl.h", "cl_egl.h", "cl_ext.h",
                                 "cl_va_api_media_sharing_intel.h")]
    numbers = {}
    if len(sys.argv) > 2:
        for line in open(sys.argv[2]):
            key, _, name = line.strip().partition("\t")
            if key.isdigit():
                numbers[name] = int(key)

    functions = {}
    for text in headers:
        for name, value in prototypes(text).items():
            if name not in LEFT_OUT:
                functions.setdefault(name, value)
    for match in re.finditer(r"([\w*]+) (cl\w+)\(", UNDECLARED):
        functions[match.group(2)] = (match.group(1).replace("*", " *"),
                                     split_arguments(balanced(UNDECLARED, match.end() - 1)))
    icd = strip(read("cl_icd.h"))
    icd = icd[icd.index("typedef struct _cl_icd_dispatch"):icd.index("} cl_icd_dispatch")]
    slots = re.findall(r"cl_api_\w+\s+(cl\w+)\s*;", icd)
    known = {}
    for text in headers:
        for name, value in constants(text).items():
            known.setdefault(name, value)
    known["CL_FALSE"], known["CL_TRUE"] = (0, None), (1, None)
    emit(functions, slots, known, numbers, headers)


def typedefs(headers, enums):
    types = dict(FUNDAMENTAL)
    for text in headers:
        text = strip(text)
        for name in re.findall(r"typedef\s+struct\s+_\w+\s*\*\s*(cl_\w+)\s*;", text):
            types[name] = "void * x"
        for name in re.findall(r"typedef\s+void\s*\*\s*(\w+)\s*;", text):
            types[name] = "void * x"
        for base, name in re.findall(r"typedef\s+(unsigned int|int|cl_\w+|intptr_t|size_t)\s+"
                                     r"(\w+)\s*;", text):
            base = {"unsigned int": "cl_uint"}.get(base, base)
            c = types[base].rsplit(" ", 1)[0]
            enum = ENUM_ALIASES.get(name[3:], name[3:])
            show = types[base].rsplit(" ", 1)[1]
            if name in ("cl_svm_mem_flags", "cl_svm_mem_flags_arm"):
                show = "m:mem_flags"
            elif name == "cl_mem_info_intel":
                show = "e:mem_alloc_info_intel"
            elif name == "cl_kernel_exec_info_arm":
                show = "e:kernel_exec_info"
            elif enum in enums:
                show = ("m:" if enum in MASKS else "e:") + enum
            types.setdefault(name, f"{c} {show}")
    types["cl_bool"] = "uint32_t b"
    return types


def gather_enums(known):
    shows = {}
    for line in SHOWS.strip().split("\n"):
        show, _, names = line.rpartition(": ")
        for name in names.split():
            shows["CL_" + name] = show
    enums = {"error": {}}
    for name, (value, heading) in known.items():
        if name in DROPPED:
            continue
        heading = ENUM_ALIASES.get(heading, heading)
        if value < 0 and heading != "device_partition_property" and "LIST_END" not in name \
                and not name.startswith("CL_BUILD_") or name == "CL_BUILD_PROGRAM_FAILURE":
            enums["error"][name] = value
        elif name == "CL_SUCCESS":
            enums["error"][name] = value
        elif heading in KEPT_ENUMS and not (heading == "queue_flags" and value > 8) \
                and not (heading == "command_type" and value < 16) \
                and not (heading == "gl_context_info" and value > 0x2007):
            if value not in enums.setdefault(heading, {}).values():
                enums[heading][name] = value
    for enum, names in EXTRA_CONSTANTS.items():
        for name in names.split():
            if "CL_" + name not in known:
                print("missing constant", name, file=sys.stderr)
                continue
            value = known["CL_" + name][0]
            if value not in enums.setdefault(enum, {}).values():
                enums[enum]["CL_" + name] = value
    return enums, shows


def show_of(function, kind, name, arguments, types):
    """The show that differs from the type's own, or None."""
    stars = kind.count("*")
    base = kind.replace("const", "").replace("*", "").strip()
    if (function, name) in BY_FUNCTION:
        return BY_FUNCTION[(function, name)]
    if stars == 1 and base in PROPERTY_LISTS:
        return PROPERTY_LISTS[base]
    if stars == 1 and base in ("cl_image_format", "cl_image_desc", "cl_buffer_region") \
            and "const" in kind:
        return "t:" + base
    if name == "param_value" and stars == 1 and "const" not in kind and "param_name" in arguments \
            and "param_value_size_ret" in arguments:
        return "v:param_name[param_value_size,param_value_size_ret]"
    for key, depth, show in BY_NAME:
        counts = re.search(r"\[([a-z_,]+)\]", show.replace("<=3", ""))
        if key == name and depth == stars and (
                not counts or all(c in arguments for c in counts.group(1).split(","))):
            return show
    return None


def emit_function(name, functions, numbers, types, out):
    result, raw = functions[name]
    arguments = [declaration(a) for a in raw]
    names = [n for _, n in arguments]
    out.append(f"  {name}:")
    if name in numbers:
        out.append(f"    number: {numbers[name]}")
    result = re.sub(r"\s*\*", " *", result)
    if result != "void":
        out.append(f"    returns: {'cl_int e:error' if result == 'cl_int' else result}")
    out.append("    args:" if arguments else "    args: []")
    for kind, argument in arguments:
        text = f"{kind}{argument}" if kind.endswith("*") else f"{kind} {argument}"
        show = show_of(name, kind, argument, names, types)
        out.append(f"      - {text}" + (f": {show}" if show else ""))
    if name in COMMANDS:
        kind, code, *roles = COMMANDS[name].split()
        scale = [r for r in roles if r.startswith("scale=")]
        roles = [r for r in roles if r not in scale]
        queue = next((n for n in names if n in ("command_queue", "queue")), None)
        if queue:
            roles.insert(0, f"queue={queue}")
        if scale:
            out.append(f"    lookup: element_bytes {scale[0][6:]}")
            roles.append("scale=element_bytes")
        out.append(f"    command: {kind} CL_COMMAND_{code} {' '.join(roles)}".rstrip())
    if name in INSTEAD:
        out.append(f"    instead: {INSTEAD[name]}")
    if name in AFTER:
        out.append(f"    after: {AFTER[name]}")


def emit(functions, slots, known, numbers, headers):
    enums, shows = gather_enums(known)
    types = typedefs(headers, enums)
    body = []
    extensions = sorted(n for n in functions if n not in slots)
    used = set()
    for name in slots + extensions:
        if name in functions:
            for kind in [functions[name][0]] + [declaration(a)[0] for a in functions[name][1]]:
                used.add(kind.replace("const", "").replace("*", "").strip())
    structs = {
        "cl_image_format": ["cl_channel_order image_channel_order",
                            "cl_channel_type image_channel_data_type"],
        "cl_image_desc": ["cl_mem_object_type image_type", "size_t image_width",
                          "size_t image_height", "size_t image_depth", "size_t image_array_size",
                          "size_t image_row_pitch", "size_t image_slice_pitch",
                          "cl_uint num_mip_levels", "cl_uint num_samples", "cl_mem buffer"],
        "cl_buffer_region": ["size_t origin", "size_t size"],
    }
    for members in structs.values():
        used.update(m.split()[0] for m in members)
    out = ["types:"]
    for name in sorted(used):
        if name in structs:
            continue
        out.append(f"  {name}: {types.get(name, 'void -')}")
    out += ["", "structs:"]
    for name, members in structs.items():
        out.append(f"  {name}:")
        out += [f"    - {m}" for m in members]
    out += ["", "enums:"]
    for name in sorted(enums):
        out.append(f"  {name}:")
        for constant, value in enums[name].items():
            text = str(value) if name == "error" or -10 < value < 10 and name not in MASKS \
                else hex(value)
            show = shows.get(constant)
            if show and not (name.endswith("_info") or "_info_" in name):
                show = None
            out.append(f"    {constant}: {text}" + (f" {show}" if show else ""))
    out += ["", "# The loader's dispatch table, in its order.", "dispatch:"]
    for name in slots:
        if name in functions:
            emit_function(name, functions, numbers, types, out)
        else:
            out.append(f"  {name}: placeholder")
    out += ["", "# Given out by clGetExtensionFunctionAddress*.", "extensions:"]
    for name in extensions:
        emit_function(name, functions, numbers, types, out)
    print(PREFACE + "\n".join(out))


if __name__ == "__main__":
    main()
