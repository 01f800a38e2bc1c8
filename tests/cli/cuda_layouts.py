#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cuda_layouts.py SOURCE CC...: what tacho declares of CUDA's and CUPTI's interfaces is what NVIDIA's
headers say, where these are installed: structs of callbacks, activity and launches, arguments of
functions, numbers; and the names that libcupti has for functions. Skipped (77) without headers."""
import ctypes
import glob
import os
import re
import subprocess
import sys
import tempfile

# of ours -> of NVIDIA: fields that must lie at the same place, in order
STRUCTS = {
    ("struct tacho__cuda_call_data", "CUpti_CallbackData"): [
        ("site", "callbackSite"), ("function", "functionName"), ("params", "functionParams"),
        ("result", "functionReturnValue"), ("symbol", "symbolName"), ("context", "context"),
        ("context_uid", "contextUid"), ("user", "correlationData"),
        ("correlation", "correlationId")],
    ("struct tacho__cuda_resource_data", "CUpti_ResourceData"): [
        ("context", "context"), ("stream", "resourceHandle"), ("descriptor", "resourceDescriptor")],
    ("struct tacho__cuda_launch_attribute", "CUlaunchAttribute"): [("id", "id"), ("value", "value")],
    ("struct tacho__cuda_launch_config", "CUlaunchConfig"): [
        ("grid", "gridDimX"), ("block", "blockDimX"), ("shared_bytes", "sharedMemBytes"),
        ("stream", "hStream"), ("attributes", "attrs"), ("attribute_count", "numAttrs")],
    ("struct tacho__cuda_launch_params", "cuLaunchKernel_params"): [
        ("function", "f"), ("grid", "gridDimX"), ("block", "blockDimX"),
        ("shared_bytes", "sharedMemBytes"), ("stream", "hStream"), ("arguments", "kernelParams"),
        ("extra", "extra")],
    ("struct tacho__cuda_launch_ex_params", "cuLaunchKernelEx_params"): [
        ("config", "config"), ("function", "f"), ("arguments", "kernelParams"), ("extra", "extra")],
    ("struct tacho__cuda_launch_grid_params", "cuLaunchGridAsync_params"): [
        ("function", "f"), ("width", "grid_width"), ("height", "grid_height"),
        ("stream", "hStream")],
    ("struct tacho__cuda_block_shape_params", "cuFuncSetBlockShape_params"): [
        ("function", "hfunc"), ("block", "x")],
    ("struct tacho__cuda_graph_launch_params", "cuGraphLaunch_params"): [
        ("graph", "hGraph"), ("stream", "hStream")],
    ("struct tacho__cuda_node_params", "CUDA_KERNEL_NODE_PARAMS_v2"): [
        ("function", "func"), ("grid", "gridDimX"), ("block", "blockDimX"),
        ("shared_bytes", "sharedMemBytes"), ("arguments", "kernelParams"), ("extra", "extra"),
        ("kernel", "kern"), ("context", "ctx")],
    ("struct tacho__cuda_copy_2d", "CUDA_MEMCPY2D"): [
        ("width_bytes", "WidthInBytes"), ("height", "Height")],
    ("struct tacho__cuda_copy_3d", "CUDA_MEMCPY3D"): [
        ("width_bytes", "WidthInBytes"), ("height", "Height"), ("depth", "Depth")],
}
SAME_SIZE = ["CUpti_CallbackData", "CUlaunchAttribute", "CUlaunchConfig", "CUpti_ResourceData",
             "CUDA_KERNEL_NODE_PARAMS_v2", "CUDA_MEMCPY2D"]

# constants: ours -> what NVIDIA's headers must have
OFFSETS = {
    "KERNEL_AT_START": "CUpti_ActivityKernel10.start", "KERNEL_AT_END": "CUpti_ActivityKernel10.end",
    "KERNEL_AT_DEVICE": "CUpti_ActivityKernel10.deviceId",
    "KERNEL_AT_CONTEXT": "CUpti_ActivityKernel10.contextId",
    "KERNEL_AT_STREAM": "CUpti_ActivityKernel10.streamId",
    "KERNEL_AT_GRID": "CUpti_ActivityKernel10.gridX",
    "KERNEL_AT_BLOCK": "CUpti_ActivityKernel10.blockX",
    "KERNEL_AT_STATIC_SHARED": "CUpti_ActivityKernel10.staticSharedMemory",
    "KERNEL_AT_DYNAMIC_SHARED": "CUpti_ActivityKernel10.dynamicSharedMemory",
    "KERNEL_AT_CORRELATION": "CUpti_ActivityKernel10.correlationId",
    "KERNEL_AT_NAME": "CUpti_ActivityKernel10.name",
    "KERNEL_AT_NODE": "CUpti_ActivityKernel10.graphNodeId",
    "KERNEL_AT_GRAPH": "CUpti_ActivityKernel10.graphId",
    "KERNEL_AT_CLUSTER": "CUpti_ActivityKernel10.clusterX",
    "KERNEL_AT_DEVICE_LAUNCHED": "CUpti_ActivityKernel10.isDeviceLaunched",
    "DEVICE_KERNEL_AT_START": "CUpti_ActivityCdpKernel.start",
    "DEVICE_KERNEL_AT_END": "CUpti_ActivityCdpKernel.end",
    "DEVICE_KERNEL_AT_DEVICE": "CUpti_ActivityCdpKernel.deviceId",
    "DEVICE_KERNEL_AT_CONTEXT": "CUpti_ActivityCdpKernel.contextId",
    "DEVICE_KERNEL_AT_STREAM": "CUpti_ActivityCdpKernel.streamId",
    "DEVICE_KERNEL_AT_GRID": "CUpti_ActivityCdpKernel.gridX",
    "DEVICE_KERNEL_AT_BLOCK": "CUpti_ActivityCdpKernel.blockX",
    "DEVICE_KERNEL_AT_CORRELATION": "CUpti_ActivityCdpKernel.correlationId",
    "DEVICE_KERNEL_AT_NAME": "CUpti_ActivityCdpKernel.name",
    "COPY_AT_DIRECTION": "CUpti_ActivityMemcpy6.copyKind",
    "COPY_AT_SIZE": "CUpti_ActivityMemcpy6.bytes CUpti_ActivityMemset4.bytes "
                    "CUpti_ActivityMemcpyPtoP4.bytes",
    "COPY_AT_START": "CUpti_ActivityMemcpy6.start CUpti_ActivityMemset4.start "
                     "CUpti_ActivityMemcpyPtoP4.start",
    "COPY_AT_END": "CUpti_ActivityMemcpy6.end CUpti_ActivityMemset4.end "
                   "CUpti_ActivityMemcpyPtoP4.end",
    "COPY_AT_DEVICE": "CUpti_ActivityMemcpy6.deviceId CUpti_ActivityMemset4.deviceId "
                      "CUpti_ActivityMemcpyPtoP4.deviceId",
    "COPY_AT_CONTEXT": "CUpti_ActivityMemcpy6.contextId CUpti_ActivityMemset4.contextId "
                       "CUpti_ActivityMemcpyPtoP4.contextId",
    "COPY_AT_STREAM": "CUpti_ActivityMemcpy6.streamId CUpti_ActivityMemset4.streamId "
                      "CUpti_ActivityMemcpyPtoP4.streamId",
    "COPY_AT_CORRELATION": "CUpti_ActivityMemcpy6.correlationId CUpti_ActivityMemset4.correlationId",
    "COPY_AT_NODE": "CUpti_ActivityMemcpy6.graphNodeId CUpti_ActivityMemset4.graphNodeId",
    "COPY_AT_GRAPH": "CUpti_ActivityMemcpy6.graphId CUpti_ActivityMemset4.graphId",
    "PEER_AT_CORRELATION": "CUpti_ActivityMemcpyPtoP4.correlationId",
    "PEER_AT_NODE": "CUpti_ActivityMemcpyPtoP4.graphNodeId",
    "PEER_AT_GRAPH": "CUpti_ActivityMemcpyPtoP4.graphId",
}
SIZES = {"KERNEL_DEVICE_LAUNCHED_BYTES": "CUpti_ActivityKernel10",
         "KERNEL_CLUSTER_BYTES": "CUpti_ActivityKernel8",
         "KERNEL_GRAPH_BYTES": "CUpti_ActivityKernel5",
         "DEVICE_KERNEL_BYTES": "CUpti_ActivityCdpKernel"}
VALUES = {
    "TACHO__CUDA_DOMAIN_DRIVER": "CUPTI_CB_DOMAIN_DRIVER_API",
    "TACHO__CUDA_DOMAIN_RUNTIME": "CUPTI_CB_DOMAIN_RUNTIME_API",
    "TACHO__CUDA_DOMAIN_RESOURCE": "CUPTI_CB_DOMAIN_RESOURCE",
    "TACHO__CUDA_CONTEXT_ENDS": "CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING",
    "TACHO__CUDA_STREAM_ENDS": "CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING",
    "TACHO__CUDA_MODULE_ENDS": "CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING",
    "TACHO__CUDA_ENTER": "CUPTI_API_ENTER", "TACHO__CUDA_EXIT": "CUPTI_API_EXIT",
    "TACHO__CUDA_ACTIVITY_COPY": "CUPTI_ACTIVITY_KIND_MEMCPY",
    "TACHO__CUDA_ACTIVITY_SET": "CUPTI_ACTIVITY_KIND_MEMSET",
    "TACHO__CUDA_ACTIVITY_KERNEL_SERIAL": "CUPTI_ACTIVITY_KIND_KERNEL",
    "TACHO__CUDA_ACTIVITY_KERNEL": "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
    "TACHO__CUDA_ACTIVITY_DEVICE_KERNEL": "CUPTI_ACTIVITY_KIND_CDP_KERNEL",
    "TACHO__CUDA_ACTIVITY_PEER_COPY": "CUPTI_ACTIVITY_KIND_MEMCPY2",
    "TACHO__CUDA_FLUSH_FORCED": "CUPTI_ACTIVITY_FLAG_FLUSH_FORCED",
    "TACHO__CUDA_HOST_TO_DEVICE": "CUPTI_ACTIVITY_MEMCPY_KIND_HTOD",
    "TACHO__CUDA_DEVICE_TO_HOST": "CUPTI_ACTIVITY_MEMCPY_KIND_DTOH",
    "TACHO__CUDA_HOST_TO_ARRAY": "CUPTI_ACTIVITY_MEMCPY_KIND_HTOA",
    "TACHO__CUDA_ARRAY_TO_HOST": "CUPTI_ACTIVITY_MEMCPY_KIND_ATOH",
    "TACHO__CUPTI_MAX_LIMIT_REACHED": "CUPTI_ERROR_MAX_LIMIT_REACHED",
    "TACHO__CUPTI_NOT_INITIALIZED": "CUPTI_ERROR_NOT_INITIALIZED",
    "TACHO__CUPTI_MULTIPLE_SUBSCRIBERS": "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
    "TACHO__CUDA_NOT_READY": "CUDA_ERROR_NOT_READY",
    "TACHO__CUDA_CAPTURE_INVALIDATED": "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
    "TACHO__CUDA_CAPTURE_UNJOINED": "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
    "TACHO__CUDA_CAPTURE_RELAXED": "CU_STREAM_CAPTURE_MODE_RELAXED",
    "TACHO__CUDA_LAUNCH_COOPERATIVE": "CU_LAUNCH_ATTRIBUTE_COOPERATIVE",
    "TACHO__CUDA_LAUNCH_CLUSTER": "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
    "TACHO__CUDA_NODE_KERNEL": "CU_GRAPH_NODE_TYPE_KERNEL",
    "TACHO__CUDA_NODE_GRAPH": "CU_GRAPH_NODE_TYPE_GRAPH",
    "TACHO__CUDA_FUNCTION_MAX_THREADS": "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK",
    "TACHO__CUDA_FUNCTION_SHARED_BYTES": "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES",
    "TACHO__CUDA_FUNCTION_CONST_BYTES": "CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES",
    "TACHO__CUDA_FUNCTION_LOCAL_BYTES": "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES",
    "TACHO__CUDA_FUNCTION_REGISTERS": "CU_FUNC_ATTRIBUTE_NUM_REGS",
    "TACHO__CUDA_DEVICE_CLOCK_KHZ": "CU_DEVICE_ATTRIBUTE_CLOCK_RATE",
    "TACHO__CUDA_DEVICE_MULTIPROCESSORS": "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT",
    "TACHO__CUDA_DEVICE_PCI_BUS": "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID",
    "TACHO__CUDA_DEVICE_PCI_DEVICE": "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID",
    "TACHO__CUDA_DEVICE_PCI_DOMAIN": "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID",
    "TACHO__CUDA_DEVICE_MEMORY_CLOCK_KHZ": "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE",
    "TACHO__CUDA_DEVICE_BUS_BITS": "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH",
    "TACHO__CUDA_DEVICE_MAJOR": "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
    "TACHO__CUDA_DEVICE_MINOR": "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
}


def find_headers():
    named = os.environ.get("TACHO_CUDA_INCLUDE")
    places = [named] if named else ["/usr/local/cuda/include"] + sorted(
        glob.glob("/usr/local/cuda-*/include"), reverse=True)
    for place in places:
        if os.path.exists(os.path.join(place, "cupti.h")):
            return place
    return None


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8", errors="replace") as file:
        return file.read()


def read_signatures(source):
    """{"cuMemcpyHtoD_v2": [(name, letter, offset, bytes), ...]} of the driver and of the runtime."""
    text = read(source, "src/inject/cuda/cuda_signatures.c")
    tables = []
    for table in re.findall(r"signature (?:driver|runtime)\[\] = \{(.*?)\n\};", text, re.S):
        rows = {}
        for name, arguments in re.findall(r'\{"(\w+)",[^"]*?,\s*(NULL|(?:"[^"]*"\s*)+)\}', table):
            if arguments == "NULL":
                continue
            offset, fields = 0, []
            for item in "".join(re.findall(r'"([^"]*)"', arguments)).split():
                letter, size = item.split("=")[1][0], int(item[-1])
                offset = (offset + size - 1) // size * size
                fields.append((item.split("=")[0].lstrip("*"), letter, offset, size))
                offset += size
            rows[name] = fields
        tables.append(rows)
    assert len(tables) == 2 and all(len(rows) > 40 for rows in tables), "the tables were not found"
    return tables


def read_params(text):
    """{"cuMemcpyHtoD_v2_ptds": ["dstDevice", ...]} of a header of arguments."""
    found = {}
    for name, body in re.findall(r"typedef struct (\w+)_params_st \{(.*?)\}", text, re.S):
        fields = []
        for line in filter(None, (part.strip() for part in body.split(";"))):
            field = re.findall(r"\w+", line)[-1]
            # three numbers in one field
            fields += ([field + ".x", field + ".y", field + ".z"] if line.startswith("dim3 ") else [field])
        found[name] = fields
    return found


def get_plain(name, is_runtime):
    if is_runtime:
        name = re.sub(r"_v\d{4,}$", "", name)
    return re.sub(r"_pts[zd]$|_ptds$", "", name)


def check_functions(rows, params, is_runtime, lines):
    seen = set()
    for full, fields in params.items():
        ours = rows.get(get_plain(full, is_runtime))
        if ours is None:
            continue
        seen.add(get_plain(full, is_runtime))
        assert len(ours) <= len(fields), "%s has fewer arguments" % full
        for (name, letter, offset, size), field in zip(ours, fields):
            what = "%s: %s is %s" % (full, name, field)
            kind = full + "_params"
            lines.append('_Static_assert(offsetof(%s, %s) == %d, "%s");'
                         % (kind, field, offset, what))
            if letter != "-":
                lines.append('_Static_assert(sizeof(((%s *)0)->%s) == %d, "%s");'
                             % (kind, field, size, what))
    return seen


def check_work(source, header):
    """Every function of the driver that launches, copies or sets is known as one."""
    known = set(re.findall(r'\{"(\w+)", TACHO__CUDA_(?:WRITE|READ|COPY|FILL|LAUNCH\w*|GRAPH|MANY),',
                           read(source, "src/inject/cuda/cuda_signatures.c")))
    names = {get_plain(name, False) for name in read_params(header)}
    work = {name for name in names if re.match(r"cu(Launch|GraphLaunch|Memcpy|Memset)", name)}
    # what CUDA 3.1 had, of which nothing has been built for ten years
    work -= {name for name in work if name + "_v2" in names and "Batch" not in name}
    lacking = work - known - {"cuLaunchHostFunc"}
    assert not lacking, "these give work, too: %s" % ", ".join(sorted(lacking))


def check_names(source, headers):
    """NVIDIA's library, which tells names without a driver, has those that tacho knows."""
    folders = [os.path.join(headers, "..", "lib64"), os.path.join(headers, "..", "lib"),
               os.path.join(headers, "..", "extras/CUPTI/lib64")]
    found = [path for folder in folders for path in sorted(glob.glob(folder + "/libcupti.so*"))]
    if not found:
        print("there is no libcupti to ask for names")
        return
    library = ctypes.CDLL(found[0])
    text = read(source, "src/inject/cuda/cuda_signatures.c")
    tables = re.findall(r"signature (?:driver|runtime)\[\] = \{(.*?)\n\};", text, re.S)
    limit = int(re.search(r"TACHO__CUDA_ID_MAX = (\d+)",
                          read(source, "src/inject/cuda/cuda_table.h")).group(1))
    for domain, table in enumerate(tables, 1):
        names = {}
        for number in range(1, 4 * limit):
            name = ctypes.c_char_p()
            if not library.cuptiGetCallbackName(domain, number, ctypes.byref(name)) and name.value:
                names[number] = get_plain(name.value.decode(), domain == 2)
        assert names and max(names) < limit, "numbers up to %d" % max(names or [0])
        lacking = set(re.findall(r'\{"(\w+)",', table)) - set(names.values())
        assert not lacking, "CUPTI has no names like %s" % ", ".join(sorted(lacking))
        print("%s: %d names of domain %d" % (found[0], len(names), domain))


def main():
    source, compiler = sys.argv[1], sys.argv[2:]
    headers = find_headers()
    if not headers:
        print("there are no headers of CUDA with CUPTI")
        return 77
    lines = ['#include <stddef.h>', '#include <cuda.h>', '#include <cuda_runtime_api.h>',
             '#include <cupti.h>', '#include "inject/cuda/cuda_calls.h"']
    for (ours, theirs), fields in STRUCTS.items():
        for field, other in fields:
            lines.append('_Static_assert(offsetof(%s, %s) == offsetof(%s, %s), "%s.%s");'
                         % (ours, field, theirs, other, theirs, other))
        if theirs in SAME_SIZE:
            lines.append('_Static_assert(sizeof(%s) == sizeof(%s), "%s");' % (ours, theirs, theirs))
    for ours, list_of in OFFSETS.items():
        for theirs in list_of.split():
            struct, field = theirs.split(".")
            lines.append('_Static_assert(TACHO__CUDA_%s == offsetof(%s, %s), "%s");'
                         % (ours, struct, field, theirs))
    lines += ['_Static_assert(TACHO__CUDA_%s == sizeof(%s), "%s");' % (ours, theirs, theirs)
              for ours, theirs in SIZES.items()]
    lines += ['_Static_assert((int)%s == (int)%s, "%s");' % (ours, theirs, theirs)
              for ours, theirs in VALUES.items()]
    driver, runtime = read_signatures(source)
    seen = check_functions(driver, read_params(read(headers, "generated_cuda_meta.h")), False, lines)
    lacking = {name for name in set(driver) - seen if driver[name]}
    assert not lacking, "the headers lack %s" % ", ".join(sorted(lacking))
    check_work(source, read(headers, "generated_cuda_meta.h"))
    text = read(headers, "generated_cuda_runtime_api_meta.h")
    seen = check_functions(runtime, read_params(text), True, lines)
    lacking = {name for name in set(runtime) - seen if runtime[name]}
    assert not lacking, "the headers lack %s" % ", ".join(sorted(lacking))
    check_names(source, headers)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layouts.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        done = subprocess.run(
            compiler + ["-std=c11", "-fsyntax-only", "-w", "-I", headers,
                        "-I", os.path.join(source, "src"), path],
            capture_output=True, text=True)
    wrong = re.findall(r'static assertion failed: "([^"]*)"', done.stderr)
    print("%s: %d claims, %d wrong" % (headers, len(lines) - 5, len(wrong)))
    for what in wrong:
        print("FAIL", what)
    if done.returncode and not wrong:
        print(done.stderr[:2000])
    return done.returncode != 0


sys.exit(main())
