# SPDX-License-Identifier: MIT
"""On each device of each OpenCL platform: two transfers and three launches of one kernel."""
import numpy
import pyopencl as cl

SOURCE = "__kernel void add_one(__global int *a) { a[get_global_id(0)]++; }"

for platform in cl.get_platforms():
    for device in platform.get_devices():
        context = cl.Context([device])
        queue = cl.CommandQueue(context)
        kernel = cl.Kernel(cl.Program(context, SOURCE).build(), "add_one")
        numbers = numpy.zeros(1024, numpy.int32)
        memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, numbers.nbytes)
        cl.enqueue_copy(queue, memory, numbers)
        for _ in range(3):
            kernel(queue, (1024,), (64,), memory)
        cl.enqueue_copy(queue, numbers, memory)
        queue.finish()
        print(platform.name, "|", device.name, "|", numbers[0])
