# SPDX-License-Identifier: MIT
# The checks for machines with an NVIDIA GPU: over fakes of NVIDIA's libraries they hold, but for those
# that need to know what a GPU counts, and what breaks is seen. NVIDIA's tools are scripts here, which
# say what they would in the forms that they have.
unset CUDA_INJECTION64_PATH FAKE_CUDA FAKE_CUPTI LD_LIBRARY_PATH
hide_drivers
check=$SOURCES/tools/gpu-check.sh
folder=$(dirname "$(dirname "$tacho")")
PATH=$PWD/bin:$PATH
TACHO_CUPTI=$FAKE_CUPTI_FILE
TACHO_NVIDIA_ROOT=$SOURCES/tests/data/nvidia-trees/h100
GPU_CHECK_KERNELS=$SOURCES/tests/data/nvidia/gpu-check.module
GPU_CHECK_COUNTS=a__x00.sum,a__x01,a__x02,a__x03,a__x04,b__y0,b__y1
GPU_CHECK_SIDE=32 GPU_CHECK_ITEMS=4096 GPU_CHECK_COPY=65536 GPU_CHECK_MANY=20
export PATH TACHO_CUPTI TACHO_NVIDIA_ROOT GPU_CHECK_KERNELS GPU_CHECK_COUNTS
export GPU_CHECK_SIDE GPU_CHECK_ITEMS GPU_CHECK_COPY GPU_CHECK_MANY

# Without a driver there is no GPU.
run 3 sh "$check" -b "$folder"
has out 'nothing to check'

LD_LIBRARY_PATH=$FAKE_CUDA_FOLDER
export LD_LIBRARY_PATH
mkdir bin
run 0 sh "$check" -b "$folder" -o seen.tar.gz
has_not out FAIL
has out 'ok    graph: all 320 launches of vector_add are there'
has out 'ok    multiply: .occupancy has a row for each launch'
has out 'ok    copy: ten counters are counted for every launch'
tar -tzf seen.tar.gz >out
for file in nvidia-doctor cuda report-graph occupancy counted-add values-add.csv run-multiply.tacho/ results.md; do
	has out "tacho-gpu-check/$file"
done

# A program of one's own, and one that fails.
run 0 sh "$check" -b "$folder" -o seen.tar.gz -- \
	"$folder/tools/gpu-check/cuda_work" "$GPU_CHECK_KERNELS" add 4096 2
has out 'ok    the program runs recorded'
run 1 sh "$check" -b "$folder" -o seen.tar.gz -- false
has out 'FAIL  the program runs recorded'

# What is compared with NVIDIA's tools.
command -v python3 >/dev/null || exit 0
compare=$SOURCES/tools/gpu-check/compare.py
cat >values.csv <<-EOF
	id,name,device,sm__warps_launched.sum,dram__bytes_read.sum,smsp__inst_executed.sum,smsp__inst_executed.sum:state
	0,"vector_add(float*, int)",H100,2048,1000,5,ok
	1,"vector_add(float*, int)",H100,2048,1030,5,ok
EOF
cat >raw.csv <<-EOF
	==PROF== Connected to process 1 (cuda_work)
	"ID","Process ID","Kernel Name","Block Size","sm__warps_launched.sum","dram__bytes_read.sum"
	"","","","","warp","byte"
	"0","1","vector_add(float *, int)","(256, 1, 1)","2,048","1,010"
	"1","1","vector_add(float *, int)","(256, 1, 1)","2,048","1,020"
EOF
run 0 python3 "$compare" counts raw.csv values.csv
has out 'ok   vector_add sm__warps_launched.sum: [2048.0], ncu [2048.0]'
cat >details.csv <<-EOF
	"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"
	"0","1","vector_add(float *, int)","Command line profiler metrics","smsp__inst_executed.sum","inst","6"
	"1","1","vector_add(float *, int)","Command line profiler metrics","smsp__inst_executed.sum","inst","5"
EOF
run 1 python3 "$compare" counts details.csv values.csv
has out 'FAIL vector_add smsp__inst_executed.sum: [5.0], ncu [5.0, 6.0]'
sed 's/1,010/1,210/; s/1,020/1,220/' raw.csv >far.csv
run 1 python3 "$compare" counts far.csv values.csv
has out 'FAIL vector_add dram__bytes_read.sum'

cat >calls.jsonl <<-EOF
	{"command": null}
	{"command": {"kind": "kernel", "state": "ok", "start_ns": 1000, "end_ns": 101000, "kernel": {"name": "vector_add"}}}
	{"command": {"kind": "kernel", "state": "ok", "start_ns": 200000, "end_ns": 300500, "kernel": {"name": "vector_add"}}}
	{"command": {"kind": "write", "state": "ok", "start_ns": 1, "end_ns": 2, "kernel": null}}
EOF
cat >nsys.csv <<-EOF
	Processing [run.sqlite] with [cuda_gpu_trace.py]...
	Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Name
	1000,100200,1,16,1,1,256,1,1,12,"vector_add(float *, int)"
	200000,100900,2,16,1,1,256,1,1,12,"vector_add(float *, int)"
	300000,10,3,,,,,,,,[CUDA memcpy Host-to-Device]
EOF
run 0 python3 "$compare" launches nsys.csv calls.jsonl
has out 'ok   vector_add: 2 launches, nsys 2; median 100250 ns, nsys 100550'
sed 's/,100200,/,150000,/; s/,100900,/,150000,/' nsys.csv >slow.csv
run 1 python3 "$compare" launches slow.csv calls.jsonl
sed '$d' calls.jsonl | sed '$d' >fewer.jsonl
run 1 python3 "$compare" launches nsys.csv fewer.jsonl
has out 'FAIL vector_add: 1 launches, nsys 2'
