#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Traces as XLA's profiler writes them for JAX and TensorFlow, of several generations: makes them, and knows the answers.

make            writes NAME.json and NAME.json.gz into the current folder
check NAME      reads `tacho export NAME.json --to jsonl` from the standard input
sums            kernels and transfers of an export, with their nanoseconds and bytes
"""
import gzip
import json
import sys

HOST = 701


def meta(pid, what, name, tid=None):
    made = {"ph": "M", "pid": pid, "name": what, "args": {"name": name}}
    if tid is not None:
        made["tid"] = tid
    return made


def event(pid, tid, ts, dur, name, **args):
    """All arguments are texts; a double's last digits stand behind the nanoseconds."""
    made = {"ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "name": name}
    if args:
        made["args"] = {key: str(value) for key, value in args.items()}
    return made


def planes(*gpus):
    return ([meta(HOST, "process_name", "/host:CPU"), meta(HOST, "thread_name", "python3", 77)]
            + [meta(1 + gpu, "process_name", "/device:GPU:%d" % gpu) for gpu in gpus])


def trace(events):
    """As it is written: no space, and an empty object behind the last event."""
    return ('{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":['
            + "".join(json.dumps(e, separators=(",", ":")) + "," for e in events) + "{}]}")


def nvidia():
    work = {"context_id": "$$1", "hlo_module": "jit_step", "program_id": 3}
    details = "regs:%d static_shared:%d dynamic_shared:%d grid:%s block:%s occ_pct:50"
    return trace(planes(0, 1) + [
        meta(1, "thread_name", "Stream #13(Kernel,Memset)", 13), meta(1, "thread_name", "Stream #14(MemcpyH2D,MemcpyD2H)", 14),
        meta(1, "thread_name", "XLA Modules", 99), meta(2, "thread_name", "Stream #13(CudaGraph)", 13),
        event(HOST, 77, 1.0, 900.0, "$train.py:7 step"),
        event(HOST, 77, 10.0, 500.0, "GpuExecutable::ExecuteThunks", module_name="jit_step"),
        event(HOST, 77, 5.0, 600.0, "my annotation"),
        event(HOST, 77, 20.0, 2.5, "loop_add_fusion", correlation_id=5, device_id=0),
        event(HOST, 77, 30.0, 2.5, "cuMemcpyHtoDAsync_v2", correlation_id=6, device_id=0),
        event(HOST, 77, 40.0, 2.5, "cuGraphLaunch (CudaGraph:2)", correlation_id=7, device_id=0),
        event(HOST, 77, 50.0, 1e-06, "MemoryAllocation", requested_bytes=64),
        event(HOST, 77, 51.0, 1e-06, "a moment"),
        # 100.123 as a double is written below it
        event(1, 13, 100.12299999999999, 4.5600000000000005, "loop_add_fusion", correlation_id=5, hlo_op="add.1",
              kernel_details=details % (32, 1024, 256, "4,2,1", "128,1,1"), **work),
        event(1, 13, 120.0, 1.0, "cutlass::gemm<float>(int)", correlation_id=7, hlo_op="dot.1", cuda_graph_id=2,
              kernel_details=details % (255, 0, 0, "1,1,1", "64,1,1"), **work),
        event(1, 13, 122.0, 1.0, "cutlass::gemm<float>(int)", correlation_id=7, hlo_op="dot.1", cuda_graph_id=2,
              kernel_details=details % (255, 0, 0, "1,1,1", "64,1,1"), **work),
        event(1, 13, 130.0, 0.5, "Memset", correlation_id=9, memset_details="kind:device num_bytes:4096 async:1"),
        event(1, 13, 131.0, 0.5, "MemoryAlloc", memalloc_details="kind:device num_bytes:4096"),
        event(1, 14, 90.0, 8.0, "MemcpyH2D", correlation_id=6, context_id="$$1",
              memcpy_details="kind_src:pinned kind_dst:device size:65536 dest:0 async:1"),
        event(1, 14, 200.0, 8.0, "MemcpyD2H", memcpy_details="kind_src:device kind_dst:pageable size:0 dest:0 async:1"),
        event(1, 99, 100.0, 30.0, "jit_step(3)"),
        event(2, 13, 140.0, 3.0, "CudaGraph:4", correlation_id=11, cuda_graph_exec_id=4),
    ])


def rocm():
    """Calls have lines of their own, and say what they are for."""
    work = {"hlo_module": "jit_f", "hlo_op": "fusion.1", "program_id": 15}
    return trace(planes(0) + [
        meta(1, "thread_name", "Stream #2", 2), meta(HOST, "thread_name", "Host Threads/583", 583),
        event(HOST, 77, 1.0, 90.0, "GpuExecutable::ExecuteThunks", module_name="jit_f"),
        event(HOST, 583, 10.0, 5.0, "hipModuleLaunchKernel", correlation_id=2, device_id=53022, **work),
        event(HOST, 583, 20.0, 5.0, "hipMemcpyDtoDAsync", correlation_id=3, memcpy_details="kind:Unknown size:0 dest:512 async:1"),
        event(1, 2, 30.0, 2.0, "fusion_1.kd", correlation_id=2,
              kernel_details=" grid:64,1,1 block:1024,1,1 private_mem:16 group_mem:8320 occ_pct:0", **work),
        event(1, 2, 40.0, 2.0, "__amd_rocclr_copyBuffer.kd", correlation_id=3,
              kernel_details=" grid:16,1,1 block:512,1,1 private_mem:0 group_mem:0 occ_pct:0"),
    ])


def rocm_old():
    """Launches are named like their kernels, and their registers were never filled in."""
    return trace(planes(7) + [
        meta(8, "thread_name", "Stream #1(Kernel)", 1),
        event(HOST, 77, 10.0, 5.0, "loop_fusion", correlation_id=171, device_id=7),
        event(8, 1, 20.0, 2.0, "loop_fusion", correlation_id=171, hlo_module="jit_f",
              kernel_details="regs:2191500840 static_shared:32462 dynamic_shared:0 grid:1280,1,1 block:256,1,1 occ_pct:0"),
        event(8, 1, 30.0, 2.0, "CopyDeviceToDevice", correlation_id=172, memcpy_details="kind:Unknown size:655360 dest:2 async:1"),
        event(8, 1, 40.0, 2.0, "odd", hlo_op="x", kernel_details="regs:x static_shared:1 grid:0,1,1 block:9"),
    ])


def tpu():
    return trace([meta(HOST, "process_name", "/host:CPU"), meta(1, "process_name", "/device:TPU:0"),
                  event(HOST, 77, 1.0, 2.0, "step"), event(1, 3, 1.0, 2.0, "fusion.1")])


MADE = {"nvidia": nvidia, "rocm": rocm, "rocm_old": rocm_old, "tpu": tpu}


def read(lines):
    rows = [json.loads(line) for line in lines]
    of = lambda kind: [r for r in rows if r["schema"] == "tacho.%s/1" % kind]
    return of("run")[0], of("object"), of("call"), of("range")


def equal(got, wanted, what):
    assert got == wanted, "%s: %s, not %s" % (what, got, wanted)


def work(calls):
    return [(c["function"], c["command"]["kind"], c["command"]["start_ns"], c["command"]["end_ns"], c["command"].get("bytes"))
            for c in calls if c["command"]]


def kernels(objects):
    return {o["name"]: o for o in objects if o["kind"] == "kernel"}


def says(run, *words):
    for part in words:
        assert part in run["import_note"], (part, run["import_note"])


def check_nvidia(run, objects, calls, ranges):
    equal(run["generator"], "JAX or TensorFlow (XLA), trace", "tool")
    equal(work(calls), [("(a launch)", "kernel", 100123, 104683, None), ("cuMemcpyHtoDAsync_v2", "write", 90000, 98000, 65536),
                        ("cuGraphLaunch", "kernel", 120000, 121000, None), ("cuGraphLaunch", "kernel", 122000, 123000, None),
                        ("(no call)", "fill", 130000, 130500, 4096), ("(no call)", "other", 140000, 143000, None),
                        ("(no call)", "read", 200000, 208000, None)], "work")
    first = calls[0]["command"]
    equal((first["global"], first["local"]), ([512, 2], [128, 1]), "launch")
    add = kernels(objects)["loop_add_fusion"]
    equal((add["attributes"]["registers"], add["attributes"]["local_bytes"]), ("32", "1024"), "what is known of the kernel")
    equal(sorted(o["name"] for o in objects if o["kind"] == "device"), ["GPU 0", "GPU 1"], "devices")
    equal(sorted((r["name"], r["domain"] or "", r["kind"], r["start_ns"], r["end_ns"]) for r in ranges),
          [("a moment", "", "mark", 51000, 51000), ("jit_step", "module", "nested", 10000, 510000),
           ("my annotation", "", "nested", 5000, 605000)], "ranges")
    says(run, "1 frame of Python", "2 events about memory", "1 event of a line that is no stream", "1 piece of work names no call")


def check_rocm(run, objects, calls, ranges):
    equal(work(calls), [("hipModuleLaunchKernel", "kernel", 30000, 32000, None), ("hipMemcpyDtoDAsync", "kernel", 40000, 42000, None)],
          "work")
    equal(calls[0]["command"]["global"], [65536], "launch")
    facts = kernels(objects)["fusion_1"]["attributes"]
    equal((facts["local_bytes"], facts["private_bytes"], facts.get("registers")), ("8320", "16", None), "what is known of the kernel")
    equal(sorted((r["name"], r["domain"], r["start_ns"]) for r in ranges),
          [("fusion.1", "operator", 10000), ("jit_f", "module", 1000), ("jit_f", "module calls", 10000)], "ranges")
    says(run, "1 kernel is a copy or fill of the runtime itself")


def check_rocm_old(run, objects, calls, ranges):
    equal([w[:2] + w[4:] for w in work(calls)], [("(a launch)", "kernel", None), ("(no call)", "copy", 655360), ("(no call)", "kernel", None)],
          "work")
    facts = kernels(objects)["loop_fusion"]["attributes"]
    equal((facts.get("registers"), facts.get("local_bytes")), (None, None), "what was never filled in")
    equal([o["attributes"]["number"] for o in objects if o["kind"] == "device"], ["7"], "device")
    says(run, "1 launch has more registers in the file than any GPU has", "1 launch has no size")


def check_tpu(run, objects, calls, ranges):
    equal(len(calls), 0, "calls")
    says(run, "1 event of a device that is no GPU", "The file has no work of a GPU")


def sums(calls):
    out = {}
    for c in calls:
        if c["command"]:
            kind = "kernel" if c["command"]["kind"] == "kernel" else "transfer"
            old = out.get(kind, (0, 0, 0))
            out[kind] = (old[0] + 1, old[1] + c["command"]["end_ns"] - c["command"]["start_ns"], old[2] + (c["command"].get("bytes") or 0))
    return " ".join("%s %d %d %d" % ((kind,) + out[kind]) for kind in sorted(out))


def main():
    if sys.argv[1] == "make":
        for name, make in MADE.items():
            with open(name + ".json", "w") as file:
                file.write(make())
            with gzip.open(name + ".trace.json.gz", "wt") as file:
                file.write(make())
        # JAX once more, read and written by Python.
        with gzip.open("perfetto_trace.json.gz", "wt") as file:
            json.dump({"traceEvents": json.loads(nvidia())["traceEvents"]}, file)
    elif sys.argv[1] == "sums":
        print(sums(read(sys.stdin)[2]))
    else:
        globals()["check_" + sys.argv[2]](*read(sys.stdin))


main()
