# SPDX-License-Identifier: MIT
"""What is run under faults: a row is a command in a typical use, on small inputs.

In words and files, {data} is tests/data, {corpus} fuzz/corpus, {made} the folder with what was made
for this run (sample.tacho, a recording; amd, what tests/cli/foreign_amd.py makes), {programs} the folder of the programs in tests/fault.
Each run has an empty folder of its own, in which `files` lie: name -> what is copied there.
"""
from dataclasses import dataclass, field

SESSION = "{data}/codexl/import/nbody.atp"
RECORDING = "{made}/sample.tacho"
SQLITE = "libsqlite3.so.0"
LIBRARIES = SQLITE + ":libstdc++.so.6"  # which knows how names of kernels are written
FOREIGN = "{corpus}/foreign"
STREAMED = ("codexl", "csv", "html", "jsonl", "perfetto", "programs")
CLASSES = "memory look open read write mmap size rename sync folder close fork"
# What cannot be read of a recording's streams is told by the reader, which has its own tests.
NO_STREAMS = "memory write mmap size rename sync folder close"


@dataclass
class Row:
    words: str                                  # the command, blanks between words
    files: dict = field(default_factory=dict)   # what lies in its folder beforehand
    # "err": what went wrong is said there. "out": it diagnoses the machine, so its output may tell
    # another one; only want of memory must be said. "json": errors stand in its output, too.
    # "shown": what cannot be read of a recording stands in its output, with status 0.
    says: str = "err"
    classes: str = CLASSES
    stdin: str = ""         # a file
    locale: str = "C"
    program: str = "tacho"  # or one of {programs}
    preload: str = ""       # a library that it loads itself, whose loading is not its subject

    @property
    def name(self):
        return (self.program + " " + self.words).strip()


def rows(program, *lines, **more):
    return [Row(line, program=program, **more) for line in lines]


TABLE = [
    # What the command itself says.
    *rows("tacho", "--version", "--help", "help", "help export", "report --help",
          "help --completion bash", "help --completion zsh", "help --completion fish"),

    # The catalog.
    *rows("tacho",
          "list archs", "list counters --arch gfx90a --json",
          "list metrics --arch chv", "list metrics --arch chv --json", "list sets --arch bdw",
          "list blocks --arch gfx10", "list models --json",
          "list counters --arch gfx942 --definitions {data}/catalog/extra.yaml --names",
          "info VALUBusy --arch gfx942", "info VALUBusy --arch gfx942 --json",
          "info set:RenderBasic --arch chv", "info SQ --arch gfx942", "info gfx942",
          "info mi300x --json"),
    *rows("tacho",
          "plan -m VALUBusy,L2CacheHit,MemUnitBusy --arch gfx942 --model mi300x",
          "plan -m VALUBusy,L2CacheHit --arch gfx942 --json",
          "plan -m GPUTime,VALUBusy --arch gfx10 --api cl --policy fewest",
          "plan -m set:RenderBasic --arch chv"),

    # Names in the grammar, some of which cannot be worked out.
    *rows("tacho",
          "list metrics --arch gh100 --api sim", "list metrics --arch gh100 --api sim --json tex",
          "list blocks --arch gh100 --api sim", "info sm__inst_executed.sum.per_second --arch gh100 --api sim",
          "info tex__sol_pct --arch gh100 --api sim --json", "info SQ_WAVES_pct --arch gfx942",
          "plan -m tex__sol_pct,SM__inst_executed_pct,lts__*_sum --arch gh100 --api sim",
          "plan -m SQ__WAVES.max,SQ_WAVES.max.per_second --arch gfx942",
          "eval -m GRBM_COUNT_max,SQ_WAVES.avg --arch gfx90a --values {data}/values/mi210.csv"),

    # Values.
    *rows("tacho",
          "eval -e 1+1",
          "eval --arch gfx90a --model mi210 -m GPU_UTIL,VALUBusy,L2CacheHit "
          "--values {data}/values/mi210.csv",
          "eval --arch gfx90a -m VALUInsts,TCC_MISS --values {data}/values/mi210.csv --csv"),
    *rows("tacho", "eval -e 1/0 --json", "eval --arch gfx90a -m VALUInsts,SQ_WAVES "
          "--values {data}/values/counter_collection.csv --json", says="json"),
    *rows("tacho", "eval --arch gfx90a -m VALUInsts --values - --csv",
          stdin="{data}/values/mi210.csv"),

    # Intel's OA unit.
    *rows("tacho",
          "oa decode {corpus}/oa_recording/contexts", "oa decode {corpus}/oa_recording/wraps --json",
          "oa metrics {corpus}/oa_recording/contexts -m GpuTime --json",
          "oa metrics {corpus}/oa_recording/contexts -m Gpu* --csv",
          "oa decode {corpus}/oa_report/gen8 --gen gen8 --csv",
          "oa flex encode EU_INST_EXECUTED_FPU0/NONE/NONE --arch bdw --set Mine",
          "oa regs", "oa regs OASTATUS 3", "oa sets --arch chv", "oa sets --arch chv --json"),
    *rows("tacho", "oa decode - --csv", stdin="{corpus}/oa_recording/contexts"),
    *rows("tacho", "oa metrics {corpus}/oa_recording/contexts -m GpuTime "
          "--variable @variables",
          files={"variables": "# of this GPU\nL3BankTotalCount=8\n\nEuCoresTotalCount=16 # half\n"}),

    # Occupancy.
    *rows("tacho",
          "occupancy --arch gfx803 --vgpr 84 --sgpr 16 --lds 0 --wg 256", "occupancy --archs",
          "occupancy {data}/occupancy/two.bundle",
          "occupancy {data}/occupancy/sm_90.cubin --wg 1024 --json",
          "occupancy {data}/occupancy/gfx803-v4.o --plot --csv",
          "occupancy {data}/occupancy/lz4.fatbin",
          "occupancy --params {data}/occupancy/rcprof.params"),

    # Recorded runs.
    *rows("tacho",
          "report " + SESSION, f"report {SESSION} --json", f"report {SESSION} --by api --top 0",
          f"report {SESSION} --findings --json", f"report {SESSION} --rule small-launch.us=3",
          "report {data}/codexl/import/hsa.atp", "report {data}/codexl/import/stream.csv --json"),
    *rows("tacho",
          "report " + RECORDING, f"report {RECORDING} --json", f"report {RECORDING} --findings",
          f"report {RECORDING} --by range", f"report {RECORDING} --by range --json",
          f"occupancy {RECORDING} --json", f"diff {RECORDING} {SESSION} --partial", says="shown"),
    # What cannot be read of a recording is what it is to find.
    *rows("tacho", "check " + RECORDING, f"check {RECORDING} --json", says="json"),
    *rows("tacho", f"snapshot {RECORDING} -o out"),
    *rows("tacho", *[f"export {RECORDING} --to {name} -o - --partial"
                     for name in ("html", "jsonl", "perfetto")], says="shown"),
    *rows("tacho", "occupancy " + RECORDING, f"diff {RECORDING} {SESSION} --markdown"),
    *rows("tacho", f"report {SESSION} --rules rules",
          files={"rules": "# CodeXL's\nfailed-call=true\nsync=false\n"}),
    *rows("tacho",
          f"diff {SESSION} {{data}}/codexl/import/stream.csv",
          f"diff {SESSION},{SESSION} {SESSION},{SESSION} --json",
          f"diff {SESSION} {SESSION} --csv",
          f"diff {SESSION} {SESSION} --html=out.html",
          f"open {SESSION} --no-browser -o out.html",
          f"diff {SESSION} {{data}}/codexl/import/stream.csv --by api --fail-if count!=+0 --any"),

    # Exports.
    *rows("tacho", *[f"export {SESSION} --to {name} -o out" for name in STREAMED]),
    *rows("tacho", *[f"export {RECORDING} --to {name} -o out" for name in STREAMED],
          classes=CLASSES),
    *rows("tacho", f"export {SESSION} --to sqlite -o out", preload=SQLITE),
    # Files of other tools: each sort alone, and some together.
    *rows("tacho", *[f"report {FOREIGN}/{name}" for name in (
              "nsys_whole", "nsys_packed", "nvprof_db", "amd_rocpd_merged", "amd_rocpd_tracks", "rocprof_db",
              "kineto_cuda", "xla_nvidia", "amd_json", "rocprof_json", "unitrace_chrome", "unitrace_metrics",
              "clintercept_stages", "ncu_report", "ncu_details", "nsys_stats", "nvprof_both", "amd_converted",
              "perfetto_states", "unitrace_timeline", "apitrace", "sums_nvprof", "sums_tracers", "sums_pytorch",
              "sums_rocprofv3")],
          preload=LIBRARIES, classes="memory look open read"),
    *rows("tacho",
          "report " + " ".join(f"{FOREIGN}/{name}" for name in (
              "nsys_whole", "kineto_cuda", "ncu_report", "nvprof_both", "perfetto_states")),
          f"diff {FOREIGN}/nsys_whole {FOREIGN}/nsys_graph --match place --csv",
          f"eval --values {FOREIGN}/ncu_report -e 1+1",
          "report {data}/sums/nsys/r_cuda_gpu_kern_sum.csv {data}/sums/nsys/r_cuda_api_sum.csv --json",
          "report {data}/sums/rocprofv3/12_kernel_stats.csv {data}/sums/results.stats.csv {data}/sums/top_kernels.csv --csv",
          f"diff {FOREIGN}/sums_nvprof {FOREIGN}/sums_nvprof --by transfer",
          preload=LIBRARIES, classes="memory look open read"),
    # Databases of several runs as one recording, times in a table of their own, and files that were cut.
    *rows("tacho",
          "report {made}/amd/runs", "report {made}/amd/times.db", "eval --values {made}/amd/runs -e 1+1",
          "report {made}/amd/cut.csv", "report {made}/amd/cut.json --json", "report {made}/cut.atp",
          "diff {made}/amd/cut.csv {made}/amd/new.csv --any --partial", "export {made}/amd/cut.json --to sqlite -o out --partial",
          preload=LIBRARIES, classes="memory look open read"),
    # What was cut is what it is to find.
    *rows("tacho", "check {made}/amd/cut_first.json", "check {made}/cut.atp --json",
          preload=LIBRARIES, classes="memory look open read", says="json"),
    *rows("tacho", f"export {SESSION} --to sqlite -o out", classes="memory open mmap"),
    *rows("tacho", f"export {RECORDING} --to sqlite -o out", preload=SQLITE, classes=CLASSES),
    *rows("tacho", f"export {SESSION} --to rocprofv3 -o out", preload=SQLITE),
    *rows("tacho", f"export {RECORDING} --to rocprofv3 -o out", preload=SQLITE, classes=CLASSES),
    *rows("tacho", "plan --arch gfx942 -i jobs.yaml",
          files={"jobs.yaml": "jobs:\n  - pmc: [SQ_WAVES, GRBM_COUNT:device=1]\n"
                              "    kernel_include_regex: a\n"
                              "    kernel_iteration_range: \"[1-2],[5]\"\n    stats: true\n"}),
    *rows("tacho", f"export {SESSION} --to csv,jsonl,perfetto -o out -f",
          files={"out.jsonl": "before\n", "out.csv": "before\n", "out.perfetto-trace": "before\n"}),

    *rows("tacho", *[f"export {SESSION} --to {name} -o -"
                     for name in ("csv", "html", "jsonl", "perfetto", "sqlite")]),

    # Calls of the library.
    *rows("fault-library", "catalog {data}/catalog/extra.yaml", "ranges", "rotation",
          f"recording {SESSION}", "occupancy {data}/occupancy/gfx900-v3.o"),
    *rows("fault-library", f"recording {RECORDING}", classes=CLASSES),
    *rows("fault-library", f"export {SESSION}", preload=SQLITE),

    # A name that is not ASCII, on a terminal that takes it.
    *rows("tacho", "report {made}/utf8.atp", locale="C.UTF-8"),

    # This machine.
    *rows("tacho", "env gpa", "env gpa --json"),
    *rows("tacho", "list backends", "list devices", "list devices --json", "doctor sim:mi300x",
          "doctor sim:mi300x --json", says="out"),

    # What fails anyway.
    *rows("tacho", "report missing", "info VALUBusi --arch gfx942", "eval -e 1+", "no-command",
          "plan -m nothing --arch gfx942", "export missing --to html"),
]
