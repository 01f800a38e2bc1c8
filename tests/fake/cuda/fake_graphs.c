/* SPDX-License-Identifier: MIT */
/* Graphs. Nodes run in the order in which they were added, which is one that dependencies allow. */
#include "fake_driver.h"

CUgraph fake_graph_new(void)
{
	CUgraph graph = calloc(1, sizeof(*graph));

	pthread_mutex_lock(&fake_driver.lock);
	graph->id = ++fake_driver.graph_count;
	graph->next = fake_driver.graphs;
	fake_driver.graphs = graph;
	pthread_mutex_unlock(&fake_driver.lock);
	return graph;
}

static bool is_graph(CUgraph graph, bool is_exec)
{
	bool is = false;

	pthread_mutex_lock(&fake_driver.lock);
	for (CUgraph known = fake_driver.graphs; known && !is; known = known->next)
		is = known == graph && !known->is_dead && known->is_exec == is_exec;
	pthread_mutex_unlock(&fake_driver.lock);
	return is;
}

static struct CUgraphNode_st *add(CUgraph graph, const struct fake_op *op)
{
	static const CUgraphNodeType types[] = {
		[FAKE_CUDA_KERNEL] = CU_GRAPH_NODE_TYPE_KERNEL,
		[FAKE_CUDA_COPY] = CU_GRAPH_NODE_TYPE_MEMCPY,
		[FAKE_CUDA_SET] = CU_GRAPH_NODE_TYPE_MEMSET,
		[FAKE_CUDA_HOST] = CU_GRAPH_NODE_TYPE_HOST,
		[FAKE_CUDA_NOTHING] = CU_GRAPH_NODE_TYPE_GRAPH,
	};
	struct CUgraphNode_st *node = calloc(1, sizeof(*node));

	node->id = (uint64_t)graph->id << 32 | (graph->count + 1);
	node->type = types[op->work.kind];
	node->op = *op;
	node->op.after = NULL;
	node->op.after_count = node->op.after_room = 0;
	graph->nodes = realloc(graph->nodes, (graph->count + 1) * sizeof(*graph->nodes));
	graph->nodes[graph->count++] = node;
	return node;
}

struct CUgraphNode_st *fake_graph_add(CUgraph graph, const struct fake_op *op)
{
	struct CUgraphNode_st *node = add(graph, op);

	fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_NODE_CREATED,
					    .context = fake_context(),
					    .graph = graph,
					    .node = node,
					    .node_type = node->type});
	return node;
}

CUresult fake_cuGraphCreate(CUgraph *out_graph, unsigned int flags)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	*out_graph = fake_graph_new();
	fake_tell((struct fake_cuda_object){
		.event = FAKE_CUDA_GRAPH_CREATED, .context = fake_context(), .graph = *out_graph});
	return CUDA_SUCCESS;
}

CUresult fake_cuGraphAddMemcpyNode(CUgraphNode *out_node, CUgraph graph,
				   const CUgraphNode *dependencies, size_t count,
				   const CUDA_MEMCPY3D *params, CUcontext context)
{
	bool from_host = params->srcMemoryType == CU_MEMORYTYPE_HOST;
	bool to_host = params->dstMemoryType == CU_MEMORYTYPE_HOST;
	struct fake_op *op;

	if (!is_graph(graph, false) || !fake_context_is(context) || (count && !dependencies) ||
	    params->Depth != 1)
		return CUDA_ERROR_INVALID_VALUE;
	op = fake_op_new(context->null_stream, FAKE_CUDA_COPY);
	op->from = from_host ? params->srcHost : (void *)(uintptr_t)params->srcDevice;
	op->to = to_host ? params->dstHost : (void *)(uintptr_t)params->dstDevice;
	op->width = params->WidthInBytes;
	op->rows = params->Height;
	op->from_pitch = params->srcPitch ? params->srcPitch : op->width;
	op->to_pitch = params->dstPitch ? params->dstPitch : op->width;
	op->work.bytes = op->width * op->rows;
	op->work.from_kind = from_host ? 1 : 3;
	op->work.to_kind = to_host ? 1 : 3;
	op->work.copy_kind = from_host ? (to_host ? 9 : 1) : to_host ? 2 : 8;
	op->work.is_async = true;
	*out_node = fake_graph_add(graph, op);
	fake_op_free(op);
	return CUDA_SUCCESS;
}

CUresult fake_cuGraphAddMemsetNode(CUgraphNode *out_node, CUgraph graph,
				   const CUgraphNode *dependencies, size_t count,
				   const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
	struct fake_op *op;

	if (!is_graph(graph, false) || !fake_context_is(context) || (count && !dependencies) ||
	    !params->elementSize || params->elementSize > 4)
		return CUDA_ERROR_INVALID_VALUE;
	op = fake_op_new(context->null_stream, FAKE_CUDA_SET);
	op->to = (void *)(uintptr_t)params->dst;
	op->element = params->elementSize;
	op->width = params->width * params->elementSize;
	op->rows = params->height;
	op->to_pitch = params->pitch ? params->pitch : op->width;
	op->work.bytes = op->width * op->rows;
	op->work.value = params->value;
	op->work.to_kind = 3;
	op->work.is_async = true;
	*out_node = fake_graph_add(graph, op);
	fake_op_free(op);
	return CUDA_SUCCESS;
}

/* Of a node that is a graph, its nodes. */
static void clone_nodes(CUgraph exec, CUgraph graph, CUcontext context)
{
	for (size_t i = 0; i < graph->count; i++) {
		struct CUgraphNode_st *node;

		if (graph->nodes[i]->child) {
			clone_nodes(exec, graph->nodes[i]->child, context);
			continue;
		}
		node = add(exec, &graph->nodes[i]->op);
		fake_tell((struct fake_cuda_object){.event = FAKE_CUDA_NODE_CLONED,
						    .context = context,
						    .graph = exec,
						    .node = node,
						    .original_node = graph->nodes[i],
						    .node_type = node->type});
	}
}

CUresult fake_cuGraphInstantiateWithFlags(CUgraphExec *out_exec, CUgraph graph,
					  unsigned long long flags)
{
	struct fake_cuda_object object = {
		.event = FAKE_CUDA_EXEC_CREATING, .context = fake_context(), .graph = graph};
	CUgraph exec;

	if (!is_graph(graph, false) || flags)
		return CUDA_ERROR_INVALID_VALUE;
	fake_tell(object);
	exec = fake_graph_new();
	exec->is_exec = true;
	clone_nodes(exec, graph, object.context);
	object.event = FAKE_CUDA_EXEC_CREATED;
	object.exec = (CUgraphExec)exec;
	fake_tell(object);
	*out_exec = (CUgraphExec)exec;
	return CUDA_SUCCESS;
}

CUresult fake_cuGraphLaunch(CUgraphExec handle, CUstream stream_handle)
{
	CUstream stream = fake_stream_find(stream_handle);
	CUgraph exec = (CUgraph)handle;

	if (!stream)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_graph(exec, true))
		return CUDA_ERROR_INVALID_VALUE;
	if (stream->captured)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	for (size_t i = 0; i < exec->count; i++) {
		struct fake_op *op = fake_op_new(stream, exec->nodes[i]->op.work.kind);
		struct fake_cuda_work launched = op->work;

		*op = exec->nodes[i]->op;
		op->work.correlation = launched.correlation;
		op->work.runtime_correlation = launched.runtime_correlation;
		op->work.device = launched.device;
		op->work.context = launched.context;
		op->work.context_id = launched.context_id;
		op->work.stream_id = launched.stream_id;
		op->work.queued = launched.queued;
		op->work.graph_node = exec->nodes[i]->id;
		op->work.graph = exec->id;
		op->work.is_first = i == 0;
		op->work.is_last = i + 1 == exec->count;
		fake_submit(stream, op);
	}
	return CUDA_SUCCESS;
}

static CUresult destroy(CUgraph graph)
{
	pthread_mutex_lock(&fake_driver.lock);
	graph->is_dead = true;
	pthread_mutex_unlock(&fake_driver.lock);
	return CUDA_SUCCESS;
}

CUresult fake_cuGraphExecDestroy(CUgraphExec exec)
{
	if (!is_graph((CUgraph)exec, true))
		return CUDA_ERROR_INVALID_VALUE;
	fake_tell((struct fake_cuda_object){
		.event = FAKE_CUDA_EXEC_DESTROYING, .context = fake_context(), .exec = exec});
	return destroy((CUgraph)exec);
}

CUresult fake_cuGraphDestroy(CUgraph graph)
{
	if (!is_graph(graph, false))
		return CUDA_ERROR_INVALID_VALUE;
	fake_tell((struct fake_cuda_object){
		.event = FAKE_CUDA_GRAPH_DESTROYING, .context = fake_context(), .graph = graph});
	return destroy(graph);
}

CUresult fake_cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
	if (!is_graph(graph, false))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; nodes && i < graph->count && i < *count; i++)
		nodes[i] = graph->nodes[i];
	*count = graph->count;
	return CUDA_SUCCESS;
}

/* The child is copied: it may be changed and destroyed. */
CUresult fake_cuGraphAddChildGraphNode(CUgraphNode *out_node, CUgraph graph,
				       const CUgraphNode *dependencies, size_t count, CUgraph child)
{
	struct fake_op op = {.work.kind = FAKE_CUDA_NOTHING};

	if (!is_graph(graph, false) || !is_graph(child, false) || (count && !dependencies))
		return CUDA_ERROR_INVALID_VALUE;
	*out_node = fake_graph_add(graph, &op);
	(*out_node)->child = fake_graph_new();
	for (size_t i = 0; i < child->count; i++)
		add((*out_node)->child, &child->nodes[i]->op);
	return CUDA_SUCCESS;
}

CUresult fake_cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
	if (!node->child)
		return CUDA_ERROR_INVALID_VALUE;
	*graph = node->child;
	return CUDA_SUCCESS;
}

CUresult fake_cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
	if (!node)
		return CUDA_ERROR_INVALID_VALUE;
	*type = node->type;
	return CUDA_SUCCESS;
}

/* Without the arguments. */
CUresult fake_cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
	const struct fake_cuda_work *work = &node->op.work;

	if (node->type != CU_GRAPH_NODE_TYPE_KERNEL)
		return CUDA_ERROR_INVALID_VALUE;
	*params = (CUDA_KERNEL_NODE_PARAMS){
		.func = (CUfunction)(uintptr_t)work->function,
		.gridDimX = work->grid[0],
		.gridDimY = work->grid[1],
		.gridDimZ = work->grid[2],
		.blockDimX = work->block[0],
		.blockDimY = work->block[1],
		.blockDimZ = work->block[2],
		.sharedMemBytes = work->shared_bytes,
	};
	return CUDA_SUCCESS;
}
