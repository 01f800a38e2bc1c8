# SPDX-License-Identifier: MIT
"""Spreads heat over a plate until it hardly changes any more: heat.py [ROWS]

A program for docs/tutorial.md, with three things in it that cost time. Needs pyopencl.
"""
import sys

import numpy
import pyopencl as cl

SOURCE = """
kernel void spread(global const float *from, global float *to, uint rows, uint columns)
{
	uint row = get_global_id(0), column = get_global_id(1);
	uint at = row * columns + column;

	if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1)
		to[at] = from[at];
	else
		to[at] = 0.25f * (from[at - columns] + from[at + columns] + from[at - 1] + from[at + 1]);
}
"""
STEPS, LIMIT = 200, 0.001
rows = columns = int(sys.argv[1]) if len(sys.argv) > 1 else 1024

plate = numpy.zeros((rows, columns), numpy.float32)
plate[0] = 100
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
old, new = (cl.Buffer(context, flags, hostbuf=plate) for _ in range(2))
before, after = numpy.copy(plate), numpy.copy(plate)

for step in range(STEPS):
    program = cl.Program(context, SOURCE).build()
    program.spread(queue, plate.shape, None, old, new, numpy.uint32(rows), numpy.uint32(columns))
    cl.enqueue_copy(queue, before, old)
    cl.enqueue_copy(queue, after, new)
    if numpy.allclose(after, before, rtol=0, atol=LIMIT):
        break
    old, new = new, old

cl.enqueue_copy(queue, after, old)
print(f"mean {after.mean():.4f} after {step + 1} steps")
