#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a C program that calls every public function with NULL for each of its pointers in turn,
and those that take options with options of other sizes.

    null.py HEADER... >null_calls.c

null_world.h has valid values for the other arguments: world.NAME for a struct tacho_NAME, and
world.texts for texts. Arguments that may be NULL, by their headers, are called with it too and may
then return anything.
"""
import re
import sys

# Arguments that may be NULL, as their headers say.
OPTIONAL = {
    "tacho_arch_get_dimensions": ["model"],
    "tacho_catalog_open": ["options"],
    "tacho_catalog_find_arch": ["api"],
    "tacho_config_create": ["model"],
    "tacho_config_parse": ["options", "out_problem"],
    "tacho_device_parse_config": ["options", "out_problem"],
    "tacho_config_check_entry": ["model"],
    "tacho_context_create": ["options"],
    "tacho_cursor_next": ["out_call"],
    "tacho_cursor_on_blob": ["fn", "user"],
    "tacho_cursor_on_memory": ["fn", "user"],
    "tacho_cursor_on_range": ["fn", "user"],
    "tacho_cursor_on_window": ["fn", "user"],
    "tacho_profile_begin": ["name"],
    "tacho_profile_mark": ["name"],
    "tacho_profile_push": ["name"],
    "tacho_diff_create": ["options"],
    "tacho_findings_create": ["options"],
    "tacho_kept_find": ["kept", "kernel", "device"],
    "tacho_kernel_is_stated": ["kernel"],
    "tacho_oa_sums_add": ["limits"],
    "tacho_oa_sums_add_context": ["limits"],
    "tacho_plan_create": ["options"],
    "tacho_recording_export": ["options"],
    "tacho_recording_export_to": ["options"],
    "tacho_result_derive": ["options", "out_problem"],
    "tacho_session_begin_range": ["name"],
    "tacho_session_create": ["options"],
    "tacho_session_drain": ["out_ready"],
    "tacho_session_end_pass": ["out_more"],
    "tacho_session_push_range": ["name"],
    "tacho_sim_kernels_read": ["path"],
    "tacho_sim_set_background": ["work"],
    "tacho_sim_submit": ["out_handle"],
    "tacho_sim_wait": ["out_time_ns"],
    "tacho_device_plan": ["options"],
}
# Functions of int that answer a question or give an index, and what says no.
ANSWERS = {
    "tacho_column_is_present": 0,
    "tacho_diff_is_by_name": 0,
    "tacho_diff_is_of_means": 0,
    "tacho_diff_is_paired": 0,
    "tacho_object_get_memory": 0,
    "tacho_oa_format_find_counter": -1,
    "tacho_oa_report_is_empty": 0,
    "tacho_summary_totals_get_loss": 0,
}
# States of what is not there.
ABSENT = {"tacho_column_get_state": "TACHO_STATE_ABSENT"}
SIZES = ("no", "least", "larger", "unknown")  # enum world_size
COUNTS = ("size_t", "uint8_t", "uint32_t", "uint64_t", "double")


def read_functions(path):
    with open(path) as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    pattern = r"TACHO_API\s+([^;{]*?)(tacho_\w+)\s*\(([^;]*)\)\s*;"
    for match in re.finditer(pattern, text, flags=re.S):
        arguments = " ".join(match.group(3).split())
        yield " ".join(match.group(1).split()), match.group(2), split(arguments)


def read_sized(path):
    """Names of the structs that begin with their size."""
    with open(path) as file:
        return re.findall(r"struct (tacho_\w+) \{\s*size_t size;", file.read())


def split(arguments):
    """[(type, name)], a pointer's type ending with "*"."""
    if arguments == "void":
        return []
    pairs = []
    for argument in arguments.split(", "):
        argument = re.sub(r"(\w+)\[\w*\]$", r"*\1", argument)
        kind, name = re.match(r"(.*?)(\w+)$", argument).groups()
        pairs.append((kind.strip(), name))
    return pairs


def is_pointer(kind):
    return kind.endswith("*") or kind.endswith("_fn")


def valid_value(function, kind, name, place):
    """A C expression."""
    struct = re.match(r"(?:const )?struct tacho_(\w+) \*(.*)", kind)
    if name.startswith("out_") or (kind == "uint32_t *" and name == "value"):
        return f"world_output({place})"
    if kind.endswith("_fn"):
        return "world_ignore_blob" if "blob" in kind else "NULL"
    if kind == "const char *":
        return f'world_text("{function}", "{name}")'
    if kind in ("const void *", "void *"):
        return f"world.{'kept' if name == 'kept' else 'bytes'}"
    if struct:
        return f"world.{struct.group(1)}{'s' if struct.group(2) else ''}"
    if name in ("size", "count", "a_count", "b_count"):
        return "world.bytes_size" if name == "size" else "1"
    return f"({kind})0"


def expect(result, function, is_optional):
    if is_optional:
        return "(void)got;"
    if function in ABSENT:
        return f"world_expect(got == {ABSENT[function]});"
    if function in ANSWERS:
        return f"world_expect(got == {ANSWERS[function]});"
    if result == "int":
        return "world_expect(got == TACHO_E_INVAL && *tacho_error_last()->message);"
    if result == "const char *":
        return "world_expect(!got || !*got);"
    if result.endswith("*"):
        return "world_expect(!got);"
    if result in COUNTS:
        return "world_expect(got == 0);"
    raise SystemExit(f"null.py: what does {function} return without an argument? {result}")


def write_case(result, function, arguments, at):
    values = [valid_value(function, kind, name, i) for i, (kind, name) in enumerate(arguments)]
    values[at] = "NULL"
    name = arguments[at][1]
    is_optional = name in OPTIONAL.get(function, ())
    call = f"{function}({', '.join(values)})"
    print(f"static void case_{function}_{name}(void)\n{{")
    if result == "void":
        print(f"\t{call};")
    else:
        print(f"\t{result} got = {call};\n")
        print(f"\t{expect(result, function, is_optional)}")
    if not is_optional:
        print("\tworld_expect_untouched();")
    print("}\n")
    return f'{{"{function}({name} = NULL)", case_{function}_{name}}}'


def write_sizes(function, arguments, at):
    """The struct of options as older and newer programs have it, with no size, and with a tail."""
    values = [valid_value(function, kind, name, i) for i, (kind, name) in enumerate(arguments)]
    struct = re.search(r"tacho_\w+", arguments[at][0]).group()
    values[at] = f"world_resize({values[at]}, sizeof(struct {struct}), how)"
    print(f"static int sizes_{function}(enum world_size how)\n{{")
    print(f"\treturn {function}({', '.join(values)});\n}}\n")
    for how in SIZES:
        print(f"static void size_{how}_{function}(void)\n{{")
        print(f"\tworld_expect_size(sizes_{function}(WORLD_{how.upper()}), WORLD_{how.upper()});")
        print("}\n")
        yield f'{{"{function}({arguments[at][1]}: {how} size)", size_{how}_{function}}}'


def main():
    print("/* Written by null.py. */")
    print('#include "null_world.h"\n')
    cases = []
    sized = {f"const struct {name} *" for path in sys.argv[1:] for name in read_sized(path)}
    for path in sys.argv[1:]:
        for result, function, arguments in read_functions(path):
            for at, (kind, _) in enumerate(arguments):
                if is_pointer(kind):
                    cases.append(write_case(result, function, arguments, at))
                if kind in sized:
                    cases.extend(write_sizes(function, arguments, at))
    print("const struct world_case world_cases[] = {")
    for case in cases:
        print(f"\t{case},")
    print("\t{0},\n};")


if __name__ == "__main__":
    main()
