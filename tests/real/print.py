# SPDX-License-Identifier: MIT
# Two programs through pyopencl, whose cache turns them into binaries of the driver: one kernel
# prints a line per launch.
import numpy
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
text = "kernel void %s(global uint *x) { uint i = get_global_id(0); x[i] = x[i] * 3 + 1; %s }"
for name, more in (("mute", ""), ("loud", 'if (!i) printf("loud %u\\n", x[0]);')):
    kernel = getattr(cl.Program(context, text % (name, more)).build(), name)
    values = numpy.arange(64, dtype=numpy.uint32)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    for _ in range(3):
        kernel(queue, values.shape, None, buffer)
        queue.finish()
    cl.enqueue_copy(queue, values, buffer)
    print(name, "sum", values.sum(), flush=True)
