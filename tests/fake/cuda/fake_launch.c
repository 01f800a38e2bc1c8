/* SPDX-License-Identifier: MIT */
/* Launches. */
#include "fake_driver.h"

/* The arguments as the program gives them, into the work: by pointers to each, or packed. */
static CUresult take_arguments(struct fake_cuda_work *work, void **arguments, void **extra)
{
	const char *packed = NULL;
	size_t packed_bytes = 0, from = 0, to = 0;

	for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			packed = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			packed_bytes = *(size_t *)extra[1];
	}
	for (uint32_t i = 0; i < work->function->argument_count; i++) {
		size_t bytes = work->function->argument_bytes[i];

		from = (from + bytes - 1) / bytes * bytes;
		if (to + bytes > sizeof(work->arguments))
			return CUDA_ERROR_INVALID_VALUE;
		if (!arguments && (!packed || from + bytes > packed_bytes))
			return CUDA_ERROR_INVALID_VALUE;
		memcpy(work->arguments + to, arguments ? arguments[i] : packed + from, bytes);
		from += bytes;
		to += (bytes + 7) / 8 * 8;
	}
	return CUDA_SUCCESS;
}

static CUresult make_kernel(CUstream stream, const CUlaunchConfig *config, CUfunction function,
			    void **arguments, void **extra, struct fake_op **out_op)
{
	struct fake_op *op = fake_op_new(stream, FAKE_CUDA_KERNEL);
	struct fake_cuda_work *work = &op->work;
	CUresult status;

	work->function = &function->base;
	memcpy(work->grid, &config->gridDimX, sizeof(work->grid));
	memcpy(work->block, &config->blockDimX, sizeof(work->block));
	work->shared_bytes = config->sharedMemBytes;
	for (unsigned int i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			memcpy(work->cluster, &attribute->value.clusterDim, sizeof(work->cluster));
		else if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			work->is_cooperative = attribute->value.cooperative;
	}
	status = take_arguments(work, arguments, extra);
	for (int i = 0; i < 3; i++)
		if (!work->grid[i] || !work->block[i] || work->block[i] > 1024)
			status = CUDA_ERROR_INVALID_VALUE;
	if (status) {
		fake_op_free(op);
		return status;
	}
	*out_op = op;
	return CUDA_SUCCESS;
}

CUresult fake_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
			       void **extra)
{
	CUstream stream = fake_stream_find(config->hStream);
	struct fake_op *op;
	CUresult status;

	if (!stream || !function)
		return CUDA_ERROR_INVALID_HANDLE;
	status = make_kernel(stream, config, function, arguments, extra, &op);
	return status ? status : fake_submit(stream, op);
}

CUresult fake_cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
			     unsigned int grid_z, unsigned int block_x, unsigned int block_y,
			     unsigned int block_z, unsigned int shared_bytes, CUstream stream,
			     void **arguments, void **extra)
{
	const CUlaunchConfig config = {grid_x,	grid_y,	      grid_z, block_x, block_y,
				       block_z, shared_bytes, stream, NULL,    0};

	return fake_cuLaunchKernelEx(&config, function, arguments, extra);
}

CUresult fake_cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x,
					unsigned int grid_y, unsigned int grid_z,
					unsigned int block_x, unsigned int block_y,
					unsigned int block_z, unsigned int shared_bytes,
					CUstream stream, void **arguments)
{
	CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
				       .value.cooperative = 1};
	const CUlaunchConfig config = {grid_x,	grid_y,	      grid_z, block_x,	  block_y,
				       block_z, shared_bytes, stream, &attribute, 1};

	return fake_cuLaunchKernelEx(&config, function, arguments, NULL);
}

CUresult fake_cuLaunchHostFunc(CUstream handle, CUhostFn function, void *data)
{
	CUstream stream = fake_stream_find(handle);
	struct fake_op *op;

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	op = fake_op_new(stream, FAKE_CUDA_HOST);
	op->host = function;
	op->host_data = data;
	return fake_submit(stream, op);
}

CUresult fake_cuGraphAddKernelNode_v2(CUgraphNode *out_node, CUgraph graph,
				      const CUgraphNode *dependencies, size_t count,
				      const CUDA_KERNEL_NODE_PARAMS *params)
{
	const CUlaunchConfig config = {params->gridDimX,
				       params->gridDimY,
				       params->gridDimZ,
				       params->blockDimX,
				       params->blockDimY,
				       params->blockDimZ,
				       params->sharedMemBytes,
				       NULL,
				       NULL,
				       0};
	CUfunction function = params->func ? params->func : (CUfunction)params->kern;
	CUstream stream = fake_stream_find(CU_STREAM_LEGACY);
	struct fake_op *op;
	CUresult status;

	if (!graph || !stream || !function || (count && !dependencies))
		return CUDA_ERROR_INVALID_VALUE;
	status = make_kernel(stream, &config, function, params->kernelParams, params->extra, &op);
	if (status)
		return status;
	*out_node = fake_graph_add(graph, op);
	fake_op_free(op);
	return CUDA_SUCCESS;
}
