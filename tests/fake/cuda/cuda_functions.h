/* SPDX-License-Identifier: MIT */
/*
 * The functions of CUDA's driver API that the fake has, each as the real library exports it, with
 * its number in CUPTI: FUNCTION(number, name, type, parameter, ...). Those of streams have a second
 * name, under which stream 0 is the calling thread's own: TWICE(number, number, ending, name, ...).
 * What includes this says what is made of each.
 */
FUNCTION(1, cuInit, unsigned int, flags)
FUNCTION(2, cuDriverGetVersion, int *, version)
FUNCTION(373, cuGetErrorName, CUresult, error, const char **, text)
FUNCTION(372, cuGetErrorString, CUresult, error, const char **, text)
FUNCTION(677, cuGetProcAddress_v2, const char *, symbol, void **, function, int, version,
	 cuuint64_t, flags, CUdriverProcAddressQueryResult *, result)
FUNCTION(3, cuDeviceGet, CUdevice *, device, int, ordinal)
FUNCTION(4, cuDeviceGetCount, int *, count)
FUNCTION(5, cuDeviceGetName, char *, name, int, size, CUdevice, device)
FUNCTION(482, cuDeviceGetUuid, CUuuid *, uuid, CUdevice, device)
FUNCTION(647, cuDeviceGetUuid_v2, CUuuid *, uuid, CUdevice, device)
FUNCTION(259, cuDeviceTotalMem_v2, size_t *, bytes, CUdevice, device)
FUNCTION(9, cuDeviceGetAttribute, int *, value, CUdevice_attribute, attribute, CUdevice, device)
FUNCTION(6, cuDeviceComputeCapability, int *, major, int *, minor, CUdevice, device)
FUNCTION(332, cuDeviceGetPCIBusId, char *, text, int, size, CUdevice, device)
FUNCTION(386, cuDevicePrimaryCtxRetain, CUcontext *, context, CUdevice, device)
FUNCTION(544, cuDevicePrimaryCtxRelease_v2, CUdevice, device)
FUNCTION(392, cuDevicePrimaryCtxGetState, CUdevice, device, unsigned int *, flags, int *, active)
FUNCTION(235, cuCtxCreate_v2, CUcontext *, context, unsigned int, flags, CUdevice, device)
FUNCTION(757, cuCtxCreate_v4, CUcontext *, context, CUctxCreateParams *, params, unsigned int,
	 flags, CUdevice, device)
FUNCTION(322, cuCtxDestroy_v2, CUcontext, context)
FUNCTION(323, cuCtxPushCurrent_v2, CUcontext, context)
FUNCTION(324, cuCtxPopCurrent_v2, CUcontext *, context)
FUNCTION(303, cuCtxSetCurrent, CUcontext, context)
FUNCTION(304, cuCtxGetCurrent, CUcontext *, context)
FUNCTION(16, cuCtxGetDevice, CUdevice *, device)
FUNCTION(695, cuCtxGetId, CUcontext, context, unsigned long long *, id)
FUNCTION_VOID(17, cuCtxSynchronize)
FUNCTION(19, cuModuleLoadData, CUmodule *, module, const void *, image)
FUNCTION(20, cuModuleLoadDataEx, CUmodule *, module, const void *, image, unsigned int, count,
	 CUjit_option *, options, void **, values)
FUNCTION(22, cuModuleUnload, CUmodule, module)
FUNCTION(23, cuModuleGetFunction, CUfunction *, function, CUmodule, module, const char *, name)
FUNCTION(678, cuLibraryLoadData, CUlibrary *, library, const void *, code, CUjit_option *, options,
	 void **, values, unsigned int, count, CUlibraryOption *, library_options, void **,
	 library_values, unsigned int, library_count)
FUNCTION(680, cuLibraryUnload, CUlibrary, library)
FUNCTION(681, cuLibraryGetKernel, CUkernel *, kernel, CUlibrary, library, const char *, name)
FUNCTION(683, cuKernelGetFunction, CUfunction *, function, CUkernel, kernel)
FUNCTION(719, cuKernelGetName, const char **, name, CUkernel, kernel)
FUNCTION(85, cuFuncGetAttribute, int *, value, CUfunction_attribute, attribute, CUfunction,
	 function)
FUNCTION(481, cuFuncSetAttribute, CUfunction, function, CUfunction_attribute, attribute, int, value)
FUNCTION(718, cuFuncGetName, const char **, name, CUfunction, function)
FUNCTION(566, cuFuncGetModule, CUmodule *, module, CUfunction, function)

FUNCTION(242, cuMemGetInfo_v2, size_t *, free_bytes, size_t *, total_bytes)
FUNCTION(243, cuMemAlloc_v2, CUdeviceptr *, out, size_t, bytes)
FUNCTION(371, cuMemAllocManaged, CUdeviceptr *, out, size_t, bytes, unsigned int, flags)
FUNCTION(245, cuMemFree_v2, CUdeviceptr, pointer)
FUNCTION(294, cuMemAllocHost_v2, void **, out, size_t, bytes)
FUNCTION(39, cuMemHostAlloc, void **, out, size_t, bytes, unsigned int, flags)
FUNCTION(38, cuMemFreeHost, void *, pointer)
TWICE(598, 599, _ptsz, cuMemAllocAsync, CUdeviceptr *, out, size_t, bytes, CUstream, stream)
TWICE(600, 601, _ptsz, cuMemFreeAsync, CUdeviceptr, pointer, CUstream, stream)
TWICE(305, 408, _ptds, cuMemcpy, CUdeviceptr, to, CUdeviceptr, from, size_t, bytes)
TWICE(306, 418, _ptsz, cuMemcpyAsync, CUdeviceptr, to, CUdeviceptr, from, size_t, bytes, CUstream,
      stream)
TWICE(276, 397, _ptds, cuMemcpyHtoD_v2, CUdeviceptr, to, const void *, from, size_t, bytes)
TWICE(278, 398, _ptds, cuMemcpyDtoH_v2, void *, to, CUdeviceptr, from, size_t, bytes)
TWICE(280, 399, _ptds, cuMemcpyDtoD_v2, CUdeviceptr, to, CUdeviceptr, from, size_t, bytes)
TWICE(277, 421, _ptsz, cuMemcpyHtoDAsync_v2, CUdeviceptr, to, const void *, from, size_t, bytes,
      CUstream, stream)
TWICE(279, 422, _ptsz, cuMemcpyDtoHAsync_v2, void *, to, CUdeviceptr, from, size_t, bytes, CUstream,
      stream)
TWICE(281, 423, _ptsz, cuMemcpyDtoDAsync_v2, CUdeviceptr, to, CUdeviceptr, from, size_t, bytes,
      CUstream, stream)
TWICE(287, 405, _ptds, cuMemcpy2D_v2, const CUDA_MEMCPY2D *, copy)
TWICE(289, 424, _ptsz, cuMemcpy2DAsync_v2, const CUDA_MEMCPY2D *, copy, CUstream, stream)
TWICE(249, 411, _ptds, cuMemsetD8_v2, CUdeviceptr, to, unsigned char, value, size_t, count)
TWICE(251, 413, _ptds, cuMemsetD32_v2, CUdeviceptr, to, unsigned int, value, size_t, count)
TWICE(216, 428, _ptsz, cuMemsetD8Async, CUdeviceptr, to, unsigned char, value, size_t, count,
      CUstream, stream)
TWICE(220, 430, _ptsz, cuMemsetD32Async, CUdeviceptr, to, unsigned int, value, size_t, count,
      CUstream, stream)

FUNCTION(124, cuStreamCreate, CUstream *, stream, unsigned int, flags)
FUNCTION(367, cuStreamCreateWithPriority, CUstream *, stream, unsigned int, flags, int, priority)
FUNCTION(326, cuStreamDestroy_v2, CUstream, stream)
TWICE(126, 440, _ptsz, cuStreamSynchronize, CUstream, stream)
TWICE(125, 439, _ptsz, cuStreamQuery, CUstream, stream)
TWICE(295, 436, _ptsz, cuStreamWaitEvent, CUstream, stream, CUevent, event, unsigned int, flags)
TWICE(368, 434, _ptsz, cuStreamGetPriority, CUstream, stream, int *, priority)
TWICE(369, 435, _ptsz, cuStreamGetFlags, CUstream, stream, unsigned int *, flags)
TWICE(483, 484, _ptsz, cuStreamGetCtx, CUstream, stream, CUcontext *, context)
TWICE(693, 694, _ptsz, cuStreamGetId, CUstream, stream, unsigned long long *, id)
TWICE(539, 540, _ptsz, cuStreamBeginCapture_v2, CUstream, stream, CUstreamCaptureMode, mode)
TWICE(497, 498, _ptsz, cuStreamEndCapture, CUstream, stream, CUgraph *, graph)
TWICE(499, 500, _ptsz, cuStreamIsCapturing, CUstream, stream, CUstreamCaptureStatus *, status)
TWICE(629, 630, _ptsz, cuStreamGetCaptureInfo_v2, CUstream, stream, CUstreamCaptureStatus *, status,
      cuuint64_t *, id, CUgraph *, graph, const CUgraphNode **, dependencies, size_t *, count)
FUNCTION(541, cuThreadExchangeStreamCaptureMode, CUstreamCaptureMode *, mode)
FUNCTION(118, cuEventCreate, CUevent *, event, unsigned int, flags)
TWICE(119, 441, _ptsz, cuEventRecord, CUevent, event, CUstream, stream)
FUNCTION(120, cuEventQuery, CUevent, event)
FUNCTION(121, cuEventSynchronize, CUevent, event)
FUNCTION(325, cuEventDestroy_v2, CUevent, event)
FUNCTION(123, cuEventElapsedTime, float *, milliseconds, CUevent, start, CUevent, end)
FUNCTION(780, cuEventElapsedTime_v2, float *, milliseconds, CUevent, start, CUevent, end)

TWICE(307, 442, _ptsz, cuLaunchKernel, CUfunction, function, unsigned int, grid_x, unsigned int,
      grid_y, unsigned int, grid_z, unsigned int, block_x, unsigned int, block_y, unsigned int,
      block_z, unsigned int, shared_bytes, CUstream, stream, void **, arguments, void **, extra)
TWICE(652, 653, _ptsz, cuLaunchKernelEx, const CUlaunchConfig *, config, CUfunction, function,
      void **, arguments, void **, extra)
TWICE(477, 478, _ptsz, cuLaunchCooperativeKernel, CUfunction, function, unsigned int, grid_x,
      unsigned int, grid_y, unsigned int, grid_z, unsigned int, block_x, unsigned int, block_y,
      unsigned int, block_z, unsigned int, shared_bytes, CUstream, stream, void **, arguments)
TWICE(527, 528, _ptsz, cuLaunchHostFunc, CUstream, stream, CUhostFn, function, void *, data)

FUNCTION(501, cuGraphCreate, CUgraph *, graph, unsigned int, flags)
FUNCTION(689, cuGraphAddKernelNode_v2, CUgraphNode *, node, CUgraph, graph, const CUgraphNode *,
	 dependencies, size_t, count, const CUDA_KERNEL_NODE_PARAMS *, params)
FUNCTION(504, cuGraphAddMemcpyNode, CUgraphNode *, node, CUgraph, graph, const CUgraphNode *,
	 dependencies, size_t, count, const CUDA_MEMCPY3D *, params, CUcontext, context)
FUNCTION(506, cuGraphAddMemsetNode, CUgraphNode *, node, CUgraph, graph, const CUgraphNode *,
	 dependencies, size_t, count, const CUDA_MEMSET_NODE_PARAMS *, params, CUcontext, context)
FUNCTION(643, cuGraphInstantiateWithFlags, CUgraphExec *, exec, CUgraph, graph, unsigned long long,
	 flags)
TWICE(514, 515, _ptsz, cuGraphLaunch, CUgraphExec, exec, CUstream, stream)
FUNCTION(516, cuGraphExecDestroy, CUgraphExec, exec)
FUNCTION(517, cuGraphDestroy, CUgraph, graph)
FUNCTION(534, cuGraphGetNodes, CUgraph, graph, CUgraphNode *, nodes, size_t *, count)
FUNCTION(509, cuGraphNodeGetType, CUgraphNode, node, CUgraphNodeType *, type)
FUNCTION(690, cuGraphKernelNodeGetParams_v2, CUgraphNode, node, CUDA_KERNEL_NODE_PARAMS *, params)
FUNCTION(525, cuGraphAddChildGraphNode, CUgraphNode *, node, CUgraph, graph, const CUgraphNode *,
	 dependencies, size_t, count, CUgraph, child)
FUNCTION(529, cuGraphChildGraphNodeGetGraph, CUgraphNode, node, CUgraph *, graph)
