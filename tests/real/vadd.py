# SPDX-License-Identifier: MIT
"""Adds vectors with pyopencl and prints the result and the times that its own events report.

Output for the test: one line per launch, "start end", in the device's clock, then the sums.
"""
import hashlib
import sys

import numpy
import pyopencl as cl

LAUNCHES = 10
ITEMS = 1 << 16

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
program = cl.Program(
    context,
    """kernel void vadd(global const float *a, global const float *b, global float *c)
    { int i = get_global_id(0); c[i] = a[i] + b[i]; }""",
).build()
flags = cl.mem_flags
a = numpy.arange(ITEMS, dtype=numpy.float32)
b = a * 2
c = numpy.empty_like(a)
on_a = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a)
on_b = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=b)
on_c = cl.Buffer(context, flags.WRITE_ONLY, c.nbytes)
kernel = cl.Kernel(program, "vadd")
events = [kernel(queue, a.shape, None, on_a, on_b, on_c) for _ in range(LAUNCHES)]
read = cl.enqueue_copy(queue, c, on_c)
queue.finish()
if not numpy.array_equal(c, a + b):
    sys.exit("vadd.py: the sum is wrong")
print("result", hashlib.sha256(c.tobytes()).hexdigest())
if len(sys.argv) > 1:
    with open(sys.argv[1], "w", encoding="ascii") as times:
        for event in events:
            times.write(f"kernel {event.profile.end - event.profile.start}\n")
        times.write(f"read {read.profile.end - read.profile.start}\n")
