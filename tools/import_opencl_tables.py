# SPDX-License-Identifier: MIT
"""What the Khronos OpenCL headers do not say: tables of import_opencl_headers.py."""

# The headings of the headers under which constants stand, and the enums they go to.
ENUM_ALIASES = {
    "command_queue_properties": "queue_flags", "mem_flags": "mem_flags",
    "device_svm_capabilities": "svm_capabilities", "device_fp_config": "fp_config",
}
KEPT_ENUMS = """platform_info device_type device_info fp_config device_mem_cache_type
device_local_mem_type device_exec_capabilities queue_flags context_info context_properties
device_partition_property device_affinity_domain svm_capabilities command_queue_info mem_flags
mem_migration_flags channel_order channel_type mem_object_type mem_info image_info pipe_info
addressing_mode filter_mode sampler_info map_flags program_info program_build_info
program_binary_type build_status kernel_info kernel_arg_info kernel_arg_address_qualifier
kernel_arg_access_qualifier kernel_arg_type_qualifier kernel_work_group_info kernel_sub_group_info
kernel_exec_info event_info command_type buffer_create_type profiling_info
image_pitch_info_qcom accelerator_type_intel mem_advice_intel mipmap_filter_mode_img
device_atomic_capabilities device_device_enqueue_capabilities command_buffer_info_khr
command_buffer_state_khr command_buffer_flags_khr mutable_command_info_khr semaphore_info_khr
semaphore_type_khr external_memory_handle_type_khr external_semaphore_handle_type_khr
mem_alloc_info_intel unified_shared_memory_type_intel image_requirements_info_ext
gl_object_type gl_texture_info gl_context_info accelerator_info_intel""".split()

# Bit masks: packed unsigned and shown as names joined by "|".
MASKS = set("""device_type fp_config device_exec_capabilities queue_flags device_affinity_domain
svm_capabilities mem_flags mem_migration_flags map_flags kernel_arg_type_qualifier
device_atomic_capabilities device_device_enqueue_capabilities command_buffer_flags_khr""".split())

# How the value of a query reads; space separated names share one.
SHOWS = """
s: PLATFORM_PROFILE PLATFORM_VERSION PLATFORM_NAME PLATFORM_VENDOR PLATFORM_EXTENSIONS
s: PLATFORM_ICD_SUFFIX_KHR DEVICE_NAME DEVICE_VENDOR DRIVER_VERSION DEVICE_PROFILE DEVICE_VERSION
s: DEVICE_EXTENSIONS DEVICE_OPENCL_C_VERSION DEVICE_BUILT_IN_KERNELS DEVICE_IL_VERSION
s: DEVICE_LATEST_CONFORMANCE_VERSION_PASSED DEVICE_SPIR_VERSIONS DEVICE_BOARD_NAME_AMD
s: PROGRAM_SOURCE PROGRAM_KERNEL_NAMES PROGRAM_BUILD_OPTIONS PROGRAM_BUILD_LOG KERNEL_FUNCTION_NAME
s: KERNEL_ATTRIBUTES KERNEL_ARG_TYPE_NAME KERNEL_ARG_NAME
u8: PLATFORM_HOST_TIMER_RESOLUTION DEVICE_MAX_WORK_GROUP_SIZE DEVICE_MAX_MEM_ALLOC_SIZE
u8: DEVICE_IMAGE2D_MAX_WIDTH DEVICE_IMAGE2D_MAX_HEIGHT DEVICE_IMAGE3D_MAX_WIDTH
u8: DEVICE_IMAGE3D_MAX_HEIGHT DEVICE_IMAGE3D_MAX_DEPTH DEVICE_MAX_PARAMETER_SIZE
u8: DEVICE_GLOBAL_MEM_CACHE_SIZE DEVICE_GLOBAL_MEM_SIZE DEVICE_MAX_CONSTANT_BUFFER_SIZE
u8: DEVICE_LOCAL_MEM_SIZE DEVICE_PROFILING_TIMER_RESOLUTION DEVICE_IMAGE_MAX_BUFFER_SIZE
u8: DEVICE_IMAGE_MAX_ARRAY_SIZE DEVICE_PRINTF_BUFFER_SIZE DEVICE_MAX_GLOBAL_VARIABLE_SIZE
u8: DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
u8: DEVICE_PROFILING_TIMER_OFFSET_AMD MEM_SIZE MEM_OFFSET IMAGE_ELEMENT_SIZE IMAGE_ROW_PITCH
u8: IMAGE_SLICE_PITCH IMAGE_WIDTH IMAGE_HEIGHT IMAGE_DEPTH IMAGE_ARRAY_SIZE PROGRAM_NUM_KERNELS
u8: PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE KERNEL_WORK_GROUP_SIZE KERNEL_LOCAL_MEM_SIZE
u8: KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE KERNEL_PRIVATE_MEM_SIZE
u8: KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE
u8: KERNEL_MAX_NUM_SUB_GROUPS KERNEL_COMPILE_NUM_SUB_GROUPS PROFILING_COMMAND_QUEUED
u8: PROFILING_COMMAND_SUBMIT PROFILING_COMMAND_START PROFILING_COMMAND_END
u8: PROFILING_COMMAND_COMPLETE MEM_ALLOC_SIZE_INTEL IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT
u8: IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT IMAGE_REQUIREMENTS_SIZE_EXT
u8: IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT
u4: DEVICE_VENDOR_ID DEVICE_MAX_COMPUTE_UNITS DEVICE_MAX_WORK_ITEM_DIMENSIONS
u4: DEVICE_PREFERRED_VECTOR_WIDTH_CHAR DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
u4: DEVICE_PREFERRED_VECTOR_WIDTH_INT DEVICE_PREFERRED_VECTOR_WIDTH_LONG
u4: DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
u4: DEVICE_PREFERRED_VECTOR_WIDTH_HALF DEVICE_NATIVE_VECTOR_WIDTH_CHAR
u4: DEVICE_NATIVE_VECTOR_WIDTH_SHORT DEVICE_NATIVE_VECTOR_WIDTH_INT DEVICE_NATIVE_VECTOR_WIDTH_LONG
u4: DEVICE_NATIVE_VECTOR_WIDTH_FLOAT DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE
u4: DEVICE_NATIVE_VECTOR_WIDTH_HALF DEVICE_MAX_CLOCK_FREQUENCY DEVICE_ADDRESS_BITS
u4: DEVICE_MAX_READ_IMAGE_ARGS DEVICE_MAX_WRITE_IMAGE_ARGS DEVICE_MAX_READ_WRITE_IMAGE_ARGS
u4: DEVICE_MAX_SAMPLERS DEVICE_MEM_BASE_ADDR_ALIGN DEVICE_MIN_DATA_TYPE_ALIGN_SIZE
u4: DEVICE_GLOBAL_MEM_CACHELINE_SIZE DEVICE_MAX_CONSTANT_ARGS DEVICE_PARTITION_MAX_SUB_DEVICES
u4: DEVICE_REFERENCE_COUNT DEVICE_IMAGE_PITCH_ALIGNMENT DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
u4: DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE DEVICE_QUEUE_ON_DEVICE_MAX_SIZE
u4: DEVICE_MAX_ON_DEVICE_QUEUES DEVICE_MAX_ON_DEVICE_EVENTS DEVICE_MAX_PIPE_ARGS
u4: DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS DEVICE_PIPE_MAX_PACKET_SIZE
u4: DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
u4: DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT DEVICE_MAX_NUM_SUB_GROUPS DEVICE_NUMERIC_VERSION
u4: PLATFORM_NUMERIC_VERSION DEVICE_OPENCL_C_NUMERIC_VERSION_KHR DEVICE_MAX_NAMED_BARRIER_COUNT_KHR
u4: DEVICE_COMPUTE_CAPABILITY_MAJOR_NV DEVICE_COMPUTE_CAPABILITY_MINOR_NV
u4: DEVICE_REGISTERS_PER_BLOCK_NV DEVICE_WARP_SIZE_NV DEVICE_SIMD_PER_COMPUTE_UNIT_AMD
u4: DEVICE_SIMD_WIDTH_AMD DEVICE_SIMD_INSTRUCTION_WIDTH_AMD DEVICE_WAVEFRONT_WIDTH_AMD
u4: DEVICE_GLOBAL_MEM_CHANNELS_AMD DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD
u4: DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD
u4: DEVICE_LOCAL_MEM_BANKS_AMD DEVICE_GFXIP_MAJOR_AMD DEVICE_GFXIP_MINOR_AMD
u4: DEVICE_IP_VERSION_INTEL DEVICE_ID_INTEL DEVICE_NUM_SLICES_INTEL
u4: DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL
u4: DEVICE_NUM_THREADS_PER_EU_INTEL CONTEXT_REFERENCE_COUNT CONTEXT_NUM_DEVICES
u4: QUEUE_REFERENCE_COUNT QUEUE_SIZE MEM_MAP_COUNT MEM_REFERENCE_COUNT IMAGE_NUM_MIP_LEVELS
u4: IMAGE_NUM_SAMPLES PIPE_PACKET_SIZE PIPE_MAX_PACKETS SAMPLER_REFERENCE_COUNT
u4: PROGRAM_REFERENCE_COUNT PROGRAM_NUM_DEVICES KERNEL_NUM_ARGS KERNEL_REFERENCE_COUNT
u4: EVENT_REFERENCE_COUNT COMMAND_BUFFER_NUM_QUEUES_KHR COMMAND_BUFFER_REFERENCE_COUNT_KHR
u4: MUTABLE_DISPATCH_DIMENSIONS_KHR SEMAPHORE_REFERENCE_COUNT_KHR
u4: IMAGE_REQUIREMENTS_MAX_WIDTH_EXT IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT
u4: IMAGE_REQUIREMENTS_MAX_DEPTH_EXT IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT
u4: ACCELERATOR_REFERENCE_COUNT_INTEL
x8: DEVICE_PLATFORM DEVICE_PARENT_DEVICE QUEUE_CONTEXT QUEUE_DEVICE QUEUE_DEVICE_DEFAULT
x8: MEM_HOST_PTR MEM_CONTEXT MEM_ASSOCIATED_MEMOBJECT IMAGE_BUFFER SAMPLER_CONTEXT PROGRAM_CONTEXT
x8: KERNEL_CONTEXT KERNEL_PROGRAM EVENT_COMMAND_QUEUE EVENT_CONTEXT MEM_ALLOC_BASE_PTR_INTEL
x8: MEM_ALLOC_DEVICE_INTEL MUTABLE_COMMAND_COMMAND_QUEUE_KHR MUTABLE_COMMAND_COMMAND_BUFFER_KHR
x8: MUTABLE_DISPATCH_KERNEL_KHR SEMAPHORE_CONTEXT_KHR SEMAPHORE_PAYLOAD_KHR
x8: CURRENT_DEVICE_FOR_GL_CONTEXT_KHR ACCELERATOR_CONTEXT_INTEL
b4: DEVICE_IMAGE_SUPPORT DEVICE_ERROR_CORRECTION_SUPPORT DEVICE_ENDIAN_LITTLE DEVICE_AVAILABLE
b4: DEVICE_COMPILER_AVAILABLE DEVICE_LINKER_AVAILABLE DEVICE_HOST_UNIFIED_MEMORY
b4: DEVICE_PREFERRED_INTEROP_USER_SYNC DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
b4: DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT
b4: DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT DEVICE_PIPE_SUPPORT MEM_USES_SVM_POINTER
b4: SAMPLER_NORMALIZED_COORDS PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT
b4: PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT DEVICE_GPU_OVERLAP_NV DEVICE_KERNEL_EXEC_TIMEOUT_NV
b4: DEVICE_INTEGRATED_MEMORY_NV DEVICE_THREAD_TRACE_SUPPORTED_AMD
lu8: DEVICE_MAX_WORK_ITEM_SIZES PROGRAM_BINARY_SIZES KERNEL_COMPILE_WORK_GROUP_SIZE
lu8: KERNEL_GLOBAL_WORK_SIZE KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT DEVICE_GLOBAL_FREE_MEMORY_AMD
lu8: MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR
lu8: MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR
lu4: IMAGE_FORMAT
lx8: CONTEXT_DEVICES PROGRAM_DEVICES PROGRAM_BINARIES COMMAND_BUFFER_QUEUES_KHR
lx8: DEVICES_FOR_GL_CONTEXT_KHR
lp8: CONTEXT_PROPERTIES QUEUE_PROPERTIES_ARRAY MEM_PROPERTIES SAMPLER_PROPERTIES PIPE_PROPERTIES
lp8: DEVICE_PARTITION_PROPERTIES DEVICE_PARTITION_TYPE COMMAND_BUFFER_PROPERTIES_ARRAY_KHR
lp8: MUTABLE_DISPATCH_PROPERTIES_ARRAY_KHR SEMAPHORE_PROPERTIES_KHR
m8:device_type: DEVICE_TYPE
m8:fp_config: DEVICE_SINGLE_FP_CONFIG DEVICE_DOUBLE_FP_CONFIG DEVICE_HALF_FP_CONFIG
m8:device_exec_capabilities: DEVICE_EXECUTION_CAPABILITIES
m8:queue_flags: DEVICE_QUEUE_ON_HOST_PROPERTIES DEVICE_QUEUE_ON_DEVICE_PROPERTIES QUEUE_PROPERTIES
m8:queue_flags: DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR
m8:device_affinity_domain: DEVICE_PARTITION_AFFINITY_DOMAIN
m8:svm_capabilities: DEVICE_SVM_CAPABILITIES
m8:device_atomic_capabilities: DEVICE_ATOMIC_MEMORY_CAPABILITIES DEVICE_ATOMIC_FENCE_CAPABILITIES
m8:device_device_enqueue_capabilities: DEVICE_DEVICE_ENQUEUE_CAPABILITIES
m8:mem_flags: MEM_FLAGS
m8:kernel_arg_type_qualifier: KERNEL_ARG_TYPE_QUALIFIER
e4:device_mem_cache_type: DEVICE_GLOBAL_MEM_CACHE_TYPE
e4:device_local_mem_type: DEVICE_LOCAL_MEM_TYPE
e4:mem_object_type: MEM_TYPE
e4:addressing_mode: SAMPLER_ADDRESSING_MODE
e4:filter_mode: SAMPLER_FILTER_MODE
e4:build_status: PROGRAM_BUILD_STATUS
e4:program_binary_type: PROGRAM_BINARY_TYPE
e4:kernel_arg_address_qualifier: KERNEL_ARG_ADDRESS_QUALIFIER
e4:kernel_arg_access_qualifier: KERNEL_ARG_ACCESS_QUALIFIER
e4:command_type: EVENT_COMMAND_TYPE MUTABLE_COMMAND_COMMAND_TYPE_KHR
e4:execution_status: EVENT_COMMAND_EXECUTION_STATUS
e4:command_buffer_state_khr: COMMAND_BUFFER_STATE_KHR
e4:semaphore_type_khr: SEMAPHORE_TYPE_KHR
e4:unified_shared_memory_type_intel: MEM_ALLOC_TYPE_INTEL
"""

# Constants that stand under no usable heading.
EXTRA_CONSTANTS = {
    "device_info": """DEVICE_HALF_FP_CONFIG DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
        DEVICE_COMPUTE_CAPABILITY_MINOR_NV DEVICE_REGISTERS_PER_BLOCK_NV DEVICE_WARP_SIZE_NV
        DEVICE_GPU_OVERLAP_NV DEVICE_KERNEL_EXEC_TIMEOUT_NV DEVICE_INTEGRATED_MEMORY_NV
        DEVICE_PROFILING_TIMER_OFFSET_AMD DEVICE_TOPOLOGY_AMD DEVICE_BOARD_NAME_AMD
        DEVICE_GLOBAL_FREE_MEMORY_AMD DEVICE_SIMD_PER_COMPUTE_UNIT_AMD DEVICE_SIMD_WIDTH_AMD
        DEVICE_SIMD_INSTRUCTION_WIDTH_AMD DEVICE_WAVEFRONT_WIDTH_AMD
        DEVICE_GLOBAL_MEM_CHANNELS_AMD DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD
        DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD
        DEVICE_LOCAL_MEM_BANKS_AMD DEVICE_THREAD_TRACE_SUPPORTED_AMD DEVICE_GFXIP_MAJOR_AMD
        DEVICE_GFXIP_MINOR_AMD DEVICE_SPIR_VERSIONS DEVICE_UUID_KHR DRIVER_UUID_KHR
        DEVICE_LUID_VALID_KHR DEVICE_LUID_KHR DEVICE_NODE_MASK_KHR""",
    "context_properties": """GL_CONTEXT_KHR EGL_DISPLAY_KHR GLX_DISPLAY_KHR WGL_HDC_KHR
        CGL_SHAREGROUP_KHR CONTEXT_MEMORY_INITIALIZE_KHR CONTEXT_TERMINATE_KHR
        PRINTF_CALLBACK_ARM PRINTF_BUFFERSIZE_ARM""",
    "program_binary_type": "PROGRAM_BINARY_TYPE_INTERMEDIATE",
    "command_type": """COMMAND_GL_FENCE_SYNC_OBJECT_KHR COMMAND_EGL_FENCE_SYNC_OBJECT_KHR
        COMMAND_ACQUIRE_EGL_OBJECTS_KHR COMMAND_RELEASE_EGL_OBJECTS_KHR
        COMMAND_MIGRATE_MEM_OBJECT_EXT COMMAND_SVM_FREE_ARM COMMAND_SVM_MEMCPY_ARM
        COMMAND_SVM_MEMFILL_ARM COMMAND_SVM_MAP_ARM COMMAND_SVM_UNMAP_ARM
        COMMAND_SEMAPHORE_WAIT_KHR COMMAND_SEMAPHORE_SIGNAL_KHR COMMAND_MEMFILL_INTEL
        COMMAND_MEMCPY_INTEL COMMAND_MIGRATEMEM_INTEL COMMAND_MEMADVISE_INTEL
        COMMAND_GENERATE_MIPMAP_IMG COMMAND_ACQUIRE_GRALLOC_OBJECTS_IMG
        COMMAND_RELEASE_GRALLOC_OBJECTS_IMG COMMAND_COMMAND_BUFFER_KHR
        COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR""",
    "queue_properties": """QUEUE_PROPERTIES QUEUE_SIZE QUEUE_PRIORITY_KHR QUEUE_THROTTLE_KHR
        QUEUE_JOB_SLOT_ARM QUEUE_KERNEL_BATCHING_ARM QUEUE_DEFERRED_FLUSH_ARM
        QUEUE_FAMILY_INTEL QUEUE_INDEX_INTEL""",
    "sampler_properties": """SAMPLER_NORMALIZED_COORDS SAMPLER_ADDRESSING_MODE SAMPLER_FILTER_MODE
        SAMPLER_MIP_FILTER_MODE_KHR SAMPLER_LOD_MIN_KHR SAMPLER_LOD_MAX_KHR""",
    "pipe_properties": "PIPE_PACKET_SIZE PIPE_MAX_PACKETS",
    "mem_properties": """DEVICE_HANDLE_LIST_KHR MEM_ALLOC_FLAGS_INTEL MEM_ALLOC_FLAGS_IMG
        MEM_CHANNEL_INTEL MEM_ALLOC_BUFFER_LOCATION_INTEL EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR
        EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR""",
    "semaphore_properties": """SEMAPHORE_TYPE_KHR SEMAPHORE_EXPORT_HANDLE_TYPES_KHR
        DEVICE_HANDLE_LIST_KHR""",
    "command_buffer_properties": "COMMAND_BUFFER_FLAGS_KHR",
    "command_properties": "MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR",
    "import_properties_arm": "IMPORT_TYPE_ARM",
    "image_requirements_info_ext": """IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT
        IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT IMAGE_REQUIREMENTS_SIZE_EXT
        IMAGE_REQUIREMENTS_MAX_WIDTH_EXT IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT
        IMAGE_REQUIREMENTS_MAX_DEPTH_EXT IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT
        IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT""",
    "semaphore_type_khr": "SEMAPHORE_TYPE_BINARY_KHR",
    "image_pitch_info_qcom": "IMAGE_ROW_ALIGNMENT_QCOM IMAGE_SLICE_ALIGNMENT_QCOM",
    "build_status": "BUILD_IN_PROGRESS",
    "execution_status": "COMPLETE RUNNING SUBMITTED QUEUED",
    "bool": "FALSE TRUE",
}

# Names that no plain literal in the headers gives, and second names for one number.
DROPPED = set("""CL_DEVICE_QUEUE_PROPERTIES CL_MEM_DEVICE_ID_INTEL CL_PROPERTIES_LIST_END_EXT
CL_PARTITION_BY_COUNTS_LIST_END_EXT CL_PARTITION_BY_NAMES_LIST_END_EXT
CL_DEVICE_PARTITION_BY_COUNTS_LIST_END CL_ME_VERSION_LEGACY_INTEL""".split())

# Functions of the headers that programs do not call through the loader: the loader's own way into
# a driver, and callbacks that a driver offers to be passed back to it.
LEFT_OUT = """clIcdGetPlatformIDsKHR clLogMessagesToSystemLogAPPLE clLogMessagesToStdoutAPPLE
clLogMessagesToStderrAPPLE""".split()

FUNDAMENTAL = {
    "cl_char": "int8_t i", "cl_uchar": "uint8_t u", "cl_int": "int32_t i", "cl_uint": "uint32_t u",
    "cl_long": "int64_t i", "cl_ulong": "uint64_t u", "cl_float": "float f", "size_t": "size_t u",
    "intptr_t": "intptr_t i", "int": "int i", "char": "char i", "void": "void -",
    "cl_bool": "uint32_t b", "cl_bitfield": "uint64_t x", "cl_properties": "uint64_t u",
    "cl_callback": "void * x", "cl_GLenum": "uint32_t x", "cl_GLint": "int32_t i",
    "cl_GLuint": "uint32_t u", "VASurfaceID": "uint32_t u",
}

PROPERTY_LISTS = {
    "cl_context_properties": "p:context_properties", "cl_queue_properties": "p:queue_properties",
    "cl_queue_properties_khr": "p:queue_properties",
    "cl_sampler_properties": "p:sampler_properties",
    "cl_pipe_properties": "p:pipe_properties", "cl_mem_properties": "p:mem_properties",
    "cl_mem_properties_intel": "p:mem_properties",
    "cl_semaphore_properties_khr": "p:semaphore_properties",
    "cl_command_buffer_properties_khr": "p:command_buffer_properties",
    "cl_ndrange_kernel_command_properties_khr": "p:command_properties",
    "cl_device_partition_property": "p0:device_partition_property",
    "cl_device_partition_property_ext": "p0:device_partition_property",
    "cl_import_properties_arm": "p:import_properties_arm",
}

# Arguments by name: (pointer depth, show); the counting argument must exist in the function.
BY_NAME = [
    ("event_wait_list", 1, "l:x[num_events_in_wait_list]"), ("event", 1, "o:x"),
    ("errcode_ret", 1, "o:e:error"), ("sync_point", 1, "o:u"), ("mutable_handle", 1, "o:x"),
    ("sync_point_wait_list", 1, "l:u[num_sync_points_in_wait_list]"),
    ("global_work_offset", 1, "l:u[work_dim<=3]"), ("global_work_size", 1, "l:u[work_dim<=3]"),
    ("local_work_size", 1, "l:u[work_dim<=3]"),
    ("suggested_local_work_size", 1, "l:u[work_dim<=3,work_dim]"),
    ("region", 1, "l:u[3]"), ("origin", 1, "l:u[3]"), ("src_origin", 1, "l:u[3]"),
    ("dst_origin", 1, "l:u[3]"), ("buffer_origin", 1, "l:u[3]"), ("buffer_offset", 1, "l:u[3]"),
    ("host_origin", 1, "l:u[3]"), ("host_offset", 1, "l:u[3]"),
    ("image_row_pitch", 1, "o:u"), ("image_slice_pitch", 1, "o:u"),
    ("mem_objects", 1, "l:x[num_objects]"), ("mem_objects", 1, "l:x[num_mem_objects]"),
    ("mem_list", 1, "l:x[num_mem_objects]"),
    ("svm_pointers", 2, "l:x[num_svm_pointers]"), ("svm_pointers", 1, "l:x[num_svm_pointers]"),
    ("sizes", 1, "l:u[num_svm_pointers]"), ("sema_objects", 1, "l:x[num_sema_objects]"),
    ("sema_payload_list", 1, "l:u[num_sema_objects]"), ("queues", 1, "l:x[num_queues]"),
    ("device_list", 1, "l:x[num_devices]"), ("strings", 2, "l:x[count]"),
    ("lengths", 1, "l:u[count]"),
    ("input_headers", 1, "l:x[num_input_headers]"),
    ("input_programs", 1, "l:x[num_input_programs]"),
    ("kernel_name", 1, "s"), ("options", 1, "s"), ("kernel_names", 1, "s"),
    ("func_name", 1, "s"), ("funcname", 1, "s"), ("function_name", 1, "s"),
    ("param_value_size_ret", 1, "o:u"), ("binaries", 2, "l:x[num_devices]"),
    ("binary_status", 1, "l:e:error[num_devices,num_devices]"),
    ("num_platforms", 1, "o:u"), ("num_devices", 1, "o:u"), ("num_kernels_ret", 1, "o:u"),
    ("num_image_formats", 1, "o:u"), ("num_devices_ret", 1, "o:u"), ("out_num_devices", 1, "o:u"),
    ("device_timestamp", 1, "o:u"), ("host_timestamp", 1, "o:u"),
    ("num_texture_formats", 1, "o:u"), ("num_surface_formats", 1, "o:u"),
    ("handle_size_ret", 1, "o:u"), ("surface", 1, "o:u"),
]

BY_FUNCTION = {
    ("clGetPlatformIDs", "platforms"): "l:x[num_entries,num_platforms]",
    ("clGetDeviceIDs", "devices"): "l:x[num_entries,num_devices]",
    ("clCreateContext", "devices"): "l:x[num_devices]",
    ("clCreateSubDevices", "out_devices"): "l:x[num_devices,num_devices_ret]",
    ("clCreateSubDevicesEXT", "out_devices"): "l:x[num_entries,num_devices]",
    ("clCreateKernelsInProgram", "kernels"): "l:x[num_kernels,num_kernels_ret]",
    ("clWaitForEvents", "event_list"): "l:x[num_events]",
    ("clEnqueueWaitForEvents", "event_list"): "l:x[num_events]",
    ("clGetGLObjectInfo", "gl_object_type"): "o:e:gl_object_type",
    ("clGetGLObjectInfo", "gl_object_name"): "o:u",
    ("clSetCommandQueueProperty", "old_properties"): "o:m:queue_flags",
    ("clSetUserEventStatus", "execution_status"): "e:execution_status",
    ("clSetEventCallback", "command_exec_callback_type"): "e:execution_status",
    ("clCreateProgramWithBinary", "lengths"): "l:u[num_devices]",
    ("clCreateSubBuffer", "buffer_create_info"): "t:cl_buffer_region",
    ("clGetDeviceIDsFromVA_APIMediaAdapterINTEL", "devices"): "l:x[num_entries,num_devices]",
    ("clGetSupportedGLTextureFormatsINTEL", "gl_formats"): "l:x[num_entries,num_texture_formats]",
    ("clCompileProgram", "header_include_names"): "l:x[num_input_headers]",
}

# Commands: kind, CL_COMMAND_* and roles; "required": the caller must pass an event.
COMMANDS = {
    "clEnqueueReadBuffer": "read READ_BUFFER bytes=size",
    "clEnqueueReadBufferRect": "read READ_BUFFER_RECT bytes=region",
    "clEnqueueWriteBuffer": "write WRITE_BUFFER bytes=size",
    "clEnqueueWriteBufferRect": "write WRITE_BUFFER_RECT bytes=region",
    "clEnqueueFillBuffer": "fill FILL_BUFFER bytes=size",
    "clEnqueueCopyBuffer": "copy COPY_BUFFER bytes=size",
    "clEnqueueCopyBufferRect": "copy COPY_BUFFER_RECT bytes=region",
    "clEnqueueReadImage": "read READ_IMAGE bytes=region scale=image",
    "clEnqueueWriteImage": "write WRITE_IMAGE bytes=region scale=image",
    "clEnqueueFillImage": "fill FILL_IMAGE bytes=region scale=image",
    "clEnqueueCopyImage": "copy COPY_IMAGE bytes=region scale=src_image",
    "clEnqueueCopyImageToBuffer": "copy COPY_IMAGE_TO_BUFFER bytes=region scale=src_image",
    "clEnqueueCopyBufferToImage": "copy COPY_BUFFER_TO_IMAGE bytes=region scale=dst_image",
    "clEnqueueMapBuffer": "map MAP_BUFFER bytes=size",
    "clEnqueueMapImage": "map MAP_IMAGE bytes=region scale=image",
    "clEnqueueUnmapMemObject": "unmap UNMAP_MEM_OBJECT",
    "clEnqueueMigrateMemObjects": "other MIGRATE_MEM_OBJECTS",
    "clEnqueueMigrateMemObjectEXT": "other MIGRATE_MEM_OBJECT_EXT",
    "clEnqueueNDRangeKernel": "kernel NDRANGE_KERNEL kernel=kernel dims=work_dim "
                              "global=global_work_size local=local_work_size",
    "clEnqueueTask": "kernel TASK kernel=kernel",
    "clEnqueueNativeKernel": "other NATIVE_KERNEL",
    "clEnqueueMarker": "other MARKER event=required",
    "clEnqueueMarkerWithWaitList": "other MARKER",
    "clEnqueueBarrierWithWaitList": "other BARRIER",
    "clEnqueueAcquireGLObjects": "other ACQUIRE_GL_OBJECTS",
    "clEnqueueReleaseGLObjects": "other RELEASE_GL_OBJECTS",
    "clEnqueueAcquireEGLObjectsKHR": "other ACQUIRE_EGL_OBJECTS_KHR",
    "clEnqueueReleaseEGLObjectsKHR": "other RELEASE_EGL_OBJECTS_KHR",
    "clEnqueueSVMFree": "other SVM_FREE", "clEnqueueSVMMemcpy": "copy SVM_MEMCPY bytes=size",
    "clEnqueueSVMMemFill": "fill SVM_MEMFILL bytes=size",
    "clEnqueueSVMMap": "map SVM_MAP bytes=size", "clEnqueueSVMUnmap": "unmap SVM_UNMAP",
    "clEnqueueSVMMigrateMem": "other SVM_MIGRATE_MEM",
    "clEnqueueSVMFreeARM": "other SVM_FREE_ARM",
    "clEnqueueSVMMemcpyARM": "copy SVM_MEMCPY_ARM bytes=size",
    "clEnqueueSVMMemFillARM": "fill SVM_MEMFILL_ARM bytes=size",
    "clEnqueueSVMMapARM": "map SVM_MAP_ARM bytes=size",
    "clEnqueueSVMUnmapARM": "unmap SVM_UNMAP_ARM",
    "clEnqueueCommandBufferKHR": "other COMMAND_BUFFER_KHR",
    "clEnqueueAcquireExternalMemObjectsKHR": "other ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR",
    "clEnqueueReleaseExternalMemObjectsKHR": "other RELEASE_EXTERNAL_MEM_OBJECTS_KHR",
    "clEnqueueWaitSemaphoresKHR": "other SEMAPHORE_WAIT_KHR",
    "clEnqueueSignalSemaphoresKHR": "other SEMAPHORE_SIGNAL_KHR",
    "clEnqueueMemFillINTEL": "fill MEMFILL_INTEL bytes=size",
    "clEnqueueMemsetINTEL": "fill MEMFILL_INTEL bytes=size",
    "clEnqueueMemcpyINTEL": "copy MEMCPY_INTEL bytes=size",
    "clEnqueueMemAdviseINTEL": "other MEMADVISE_INTEL",
    "clEnqueueMigrateMemINTEL": "other MIGRATEMEM_INTEL",
    "clEnqueueGenerateMipmapIMG": "other GENERATE_MIPMAP_IMG",
    "clEnqueueAcquireGrallocObjectsIMG": "other ACQUIRE_GRALLOC_OBJECTS_IMG",
    "clEnqueueReleaseGrallocObjectsIMG": "other RELEASE_GRALLOC_OBJECTS_IMG",
    "clEnqueueAcquireVA_APIMediaSurfacesINTEL": "other ACQUIRE_VA_API_MEDIA_SURFACES_INTEL",
    "clEnqueueReleaseVA_APIMediaSurfacesINTEL": "other RELEASE_VA_API_MEDIA_SURFACES_INTEL",
    "clEnqueueSVMFreeAMD": "other SVM_FREE", "clEnqueueSVMMemcpyAMD": "copy SVM_MEMCPY bytes=size",
    "clEnqueueSVMMemFillAMD": "fill SVM_MEMFILL bytes=size",
    "clEnqueueSVMMapAMD": "map SVM_MAP bytes=size", "clEnqueueSVMUnmapAMD": "unmap SVM_UNMAP",
}

# Where logic by hand takes part: in place of the target, or after the call was recorded.
INSTEAD = {
    "clCreateCommandQueue": "create_queue",
    "clCreateCommandQueueWithProperties": "create_queue_with_properties",
    "clCreateCommandQueueWithPropertiesKHR": "create_queue_with_properties_khr",
    "clGetCommandQueueInfo": "get_queue_info",
    "clGetEventProfilingInfo": "get_profiling_info",
    "clGetExtensionFunctionAddress": "get_extension",
    "clGetExtensionFunctionAddressForPlatform": "get_platform_extension",
}
AFTER = {
    "clCreateContext": "made_context result", "clCreateContextFromType": "made_context result",
    "clCreateCommandQueue": "made_queue result context device",
    "clCreateCommandQueueWithProperties": "made_queue result context device",
    "clCreateCommandQueueWithPropertiesKHR": "made_queue result context device",
    "clSetCommandQueueProperty": "set_queue_property result command_queue properties enable",
    "clCreateProgramWithSource": "made_program result context",
    "clCreateProgramWithBinary": "made_program result context",
    "clCreateProgramWithBuiltInKernels": "made_program result context",
    "clCreateProgramWithIL": "made_program result context",
    "clCreateProgramWithILKHR": "made_program result context",
    "clBuildProgram": "built_program program", "clCompileProgram": "built_program program",
    "clLinkProgram": "linked_program result context",
    "clCreateKernel": "made_kernel result", "clCloneKernel": "made_kernel result",
    "clCreateKernelsInProgram": "made_kernels result num_kernels kernels num_kernels_ret",
    "clSetKernelArg": "set_kernel_arg result kernel arg_value",
}

# Extension functions that the headers do not declare, from their extensions' specifications.
UNDECLARED = """
void* clSVMAllocAMD(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
void clSVMFreeAMD(cl_context context, void *svm_pointer);
cl_int clEnqueueSVMFreeAMD(cl_command_queue command_queue, cl_uint num_svm_pointers,
 void *svm_pointers[], cl_callback pfn_free_func, void *user_data, cl_uint num_events_in_wait_list,
 const cl_event *event_wait_list, cl_event *event);
cl_int clEnqueueSVMMemcpyAMD(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr,
 const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
 const cl_event *event_wait_list, cl_event *event);
cl_int clEnqueueSVMMemFillAMD(cl_command_queue command_queue, void *svm_ptr, const void *pattern,
 size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
 const cl_event *event_wait_list, cl_event *event);
cl_int clEnqueueSVMMapAMD(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags,
 void *svm_ptr, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
 cl_event *event);
cl_int clEnqueueSVMUnmapAMD(cl_command_queue command_queue, void *svm_ptr,
 cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
cl_int clSetKernelArgSVMPointerAMD(cl_kernel kernel, cl_uint arg_index, const void *arg_value);
cl_int clSetKernelExecInfoAMD(cl_kernel kernel, cl_kernel_exec_info param_name,
 size_t param_value_size, const void *param_value);
"""
