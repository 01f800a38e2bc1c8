/* SPDX-License-Identifier: MIT */
/*
 * Agents: the devices and CPUs of the machine.
 *
 * Some members of an agent have types of AMD's kernel interface (hsakmttypes.h). They are defined
 * here with the same names, unless that header was included before.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_AGENT_H
#define TACHO_COMPAT_ROCPROFILER_AGENT_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

#include <stdint.h>

ROCPROFILER_EXTERN_C_INIT

#ifndef _HSAKMTTYPES_H_
typedef union HSA_ENGINE_ID {
	uint32_t Value;
	struct {
		unsigned int uCode : 10;
		unsigned int Major : 6;
		unsigned int Minor : 8;
		unsigned int Stepping : 8;
	} ui32;
} HSA_ENGINE_ID;

typedef union HSA_ENGINE_VERSION {
	uint32_t Value;
	ROCPROFILER_COMPAT_UNNAMED struct {
		unsigned int uCodeSDMA : 10;
		unsigned int uCodeRes : 10;
		unsigned int Reserved : 12;
	};
} HSA_ENGINE_VERSION;

typedef union HSA_CAPABILITY {
	uint32_t Value;
	struct {
		unsigned int HotPluggable : 1;
		unsigned int HSAMMUPresent : 1;
		unsigned int SharedWithGraphics : 1;
		unsigned int QueueSizePowerOfTwo : 1;
		unsigned int QueueSize32bit : 1;
		unsigned int QueueIdleEvent : 1;
		unsigned int VALimit : 1;
		unsigned int WatchPointsSupported : 1;
		unsigned int WatchPointsTotalBits : 4;
		unsigned int DoorbellType : 2;
		unsigned int AQLQueueDoubleMap : 1;
		unsigned int DebugTrapSupported : 1;
		unsigned int WaveLaunchTrapOverrideSupported : 1;
		unsigned int WaveLaunchModeSupported : 1;
		unsigned int PreciseMemoryOperationsSupported : 1;
		unsigned int DEPRECATED_SRAM_EDCSupport : 1;
		unsigned int Mem_EDCSupport : 1;
		unsigned int RASEventNotify : 1;
		unsigned int ASICRevision : 4;
		unsigned int SRAM_EDCSupport : 1;
		unsigned int SVMAPISupported : 1;
		unsigned int CoherentHostAccess : 1;
		unsigned int DebugSupportedFirmware : 1;
		unsigned int PreciseALUOperationsSupported : 1;
		unsigned int PerQueueResetSupported : 1;
	} ui32;
} HSA_CAPABILITY;

typedef union HsaCacheType {
	uint32_t Value;
	struct {
		unsigned int Data : 1;
		unsigned int Instruction : 1;
		unsigned int CPU : 1;
		unsigned int HSACU : 1;
		unsigned int Reserved : 28;
	} ui32;
} HsaCacheType;

typedef enum HSA_HEAPTYPE {
	HSA_HEAPTYPE_SYSTEM = 0,
	HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC = 1,
	HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE = 2,
	HSA_HEAPTYPE_GPU_GDS = 3,
	HSA_HEAPTYPE_GPU_LDS = 4,
	HSA_HEAPTYPE_GPU_SCRATCH = 5,
	HSA_HEAPTYPE_DEVICE_SVM = 6,
	HSA_HEAPTYPE_MMIO_REMAP = 7
} HSA_HEAPTYPE;

typedef union HSA_MEMORYPROPERTY {
	uint32_t MemoryProperty;
	struct {
		unsigned int HotPluggable : 1;
		unsigned int NonVolatile : 1;
		unsigned int Reserved : 30;
	} ui32;
} HSA_MEMORYPROPERTY;

typedef enum HSA_IOLINKTYPE {
	HSA_IOLINKTYPE_UNDEFINED = 0,
	HSA_IOLINKTYPE_HYPERTRANSPORT = 1,
	HSA_IOLINKTYPE_PCIEXPRESS = 2,
	HSA_IOLINKTYPE_AMBA = 3,
	HSA_IOLINKTYPE_MIPI = 4,
	HSA_IOLINK_TYPE_XGMI = 11
} HSA_IOLINKTYPE;

typedef union HSA_LINKPROPERTY {
	uint32_t LinkProperty;
	struct {
		unsigned int Override : 1;
		unsigned int NonCoherent : 1;
		unsigned int NoAtomics32bit : 1;
		unsigned int NoAtomics64bit : 1;
		unsigned int NoPeerToPeerDMA : 1;
		unsigned int Reserved : 27;
	} ui32;
} HSA_LINKPROPERTY;
#endif

/* The layout of what rocprofiler_query_available_agents() hands out. */
typedef enum rocprofiler_agent_version_t {
	ROCPROFILER_AGENT_INFO_VERSION_NONE = 0,
	ROCPROFILER_AGENT_INFO_VERSION_0 = 1, /* rocprofiler_agent_v0_t */
	ROCPROFILER_AGENT_INFO_VERSION_LAST = 2
} rocprofiler_agent_version_t;

typedef struct rocprofiler_agent_cache_t {
	uint64_t processor_id_low;
	uint64_t size; /* bytes */
	uint32_t level;
	uint32_t cache_line_size; /* bytes */
	uint32_t cache_lines_per_tag;
	uint32_t association;
	uint32_t latency; /* nanoseconds */
	HsaCacheType type;
} rocprofiler_agent_cache_t;

/* Latencies in nanoseconds, bandwidths in MB/s. */
typedef struct rocprofiler_agent_io_link_t {
	HSA_IOLINKTYPE type;
	uint32_t version_major;
	uint32_t version_minor;
	uint32_t node_from;
	uint32_t node_to;
	uint32_t weight;
	uint32_t min_latency;
	uint32_t max_latency;
	uint32_t min_bandwidth;
	uint32_t max_bandwidth;
	uint32_t recommended_transfer_size; /* bytes */
	HSA_LINKPROPERTY flags;
} rocprofiler_agent_io_link_t;

typedef struct rocprofiler_agent_mem_bank_t {
	HSA_HEAPTYPE heap_type;
	HSA_MEMORYPROPERTY flags;
	uint32_t width;	      /* bits of the interface */
	uint32_t mem_clk_max; /* MHz */
	uint64_t size_in_bytes;
} rocprofiler_agent_mem_bank_t;

/* Which runtimes see the agent, as far as the environment tells. */
typedef struct rocprofiler_agent_runtime_visiblity_t {
	uint32_t hsa : 1;
	uint32_t hip : 1;
	uint32_t rccl : 1;
	uint32_t rocdecode : 1;
	uint32_t reserved : 28;
} rocprofiler_agent_runtime_visiblity_t;

/*
 * An agent. What does not apply to it, or is unknown, is 0. A copy of it is as good; the strings
 * and arrays it points to live until the tools are finalized.
 */
typedef struct rocprofiler_agent_v0_t {
	uint64_t size; /* of this struct, as the library has it */
	rocprofiler_agent_id_t id;
	rocprofiler_agent_type_t type;
	uint32_t cpu_cores_count;
	uint32_t simd_count;
	uint32_t mem_banks_count; /* of mem_banks, and so on */
	uint32_t caches_count;
	uint32_t io_links_count;
	uint32_t cpu_core_id_base;
	uint32_t simd_id_base;
	uint32_t max_waves_per_simd;
	uint32_t lds_size_in_kb; /* of a workgroup */
	uint32_t gds_size_in_kb;
	uint32_t num_gws;
	uint32_t wave_front_size; /* work-items */
	uint32_t num_xcc;
	uint32_t cu_count;
	uint32_t array_count;	   /* shader arrays */
	uint32_t num_shader_banks; /* shader engines */
	uint32_t simd_arrays_per_engine;
	uint32_t cu_per_simd_array;
	uint32_t simd_per_cu;
	uint32_t max_slots_scratch_cu;
	uint32_t gfx_target_version; /* gfx90a is 90010: 10000 major + 100 minor + stepping */
	uint16_t vendor_id;	     /* of PCI, as all to `domain` */
	uint16_t device_id;
	uint32_t location_id;
	uint32_t domain;
	uint32_t drm_render_minor;
	uint32_t num_sdma_engines;
	uint32_t num_sdma_xgmi_engines;
	uint32_t num_sdma_queues_per_engine;
	uint32_t num_cp_queues;
	uint32_t max_engine_clk_ccompute; /* MHz, of a CPU */
	uint32_t max_engine_clk_fcompute; /* MHz, of a GPU */
	HSA_ENGINE_VERSION sdma_fw_version;
	HSA_ENGINE_ID fw_version;
	HSA_CAPABILITY capability;
	uint32_t cu_per_engine;
	uint32_t max_waves_per_cu;
	uint32_t family_id;
	uint32_t workgroup_max_size;
	uint32_t grid_max_size;
	uint64_t local_mem_size; /* bytes of the device's memory */
	uint64_t hive_id;
	uint64_t gpu_id;
	rocprofiler_dim3_t workgroup_max_dim;
	rocprofiler_dim3_t grid_max_dim;
	const rocprofiler_agent_mem_bank_t *mem_banks;
	const rocprofiler_agent_cache_t *caches;
	const rocprofiler_agent_io_link_t *io_links;
	const char *name; /* a GPU's architecture, a CPU's model */
	const char *vendor_name;
	const char *product_name;
	const char *model_name;
	uint32_t node_id;
	int32_t logical_node_id;      /* counts all agents from 0 */
	int32_t logical_node_type_id; /* counts the agents of its type from 0 */
	rocprofiler_agent_runtime_visiblity_t runtime_visibility;
	rocprofiler_uuid_t uuid;
} rocprofiler_agent_v0_t;

typedef rocprofiler_agent_v0_t rocprofiler_agent_t;

/* `agents` are pointers to structs of `version`; the array is valid during the call. */
typedef rocprofiler_status_t (*rocprofiler_query_available_agents_cb_t)(
	rocprofiler_agent_version_t version, const void **agents, size_t num_agents,
	void *user_data);

/*
 * Calls `callback` once, with all agents, and returns what it returns. `agent_size` is the size of
 * the caller's struct: ERROR_INCOMPATIBLE_ABI when it is larger than the library's;
 * ERROR_INVALID_ARGUMENT when the version is unknown or the callback NULL.
 */
rocprofiler_status_t rocprofiler_query_available_agents(
	rocprofiler_agent_version_t version, rocprofiler_query_available_agents_cb_t callback,
	size_t agent_size, void *user_data) ROCPROFILER_API ROCPROFILER_NONNULL(2);

ROCPROFILER_EXTERN_C_FINI

#endif
