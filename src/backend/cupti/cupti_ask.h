/* SPDX-License-Identifier: MIT */
/*
 * What NVIDIA's own libraries say of the GPUs: NVML, the driver, CUPTI. They wake GPUs, may hang
 * and may crash, so that a child process asks them. A process that has initialized CUDA asks the
 * driver itself: its children could not.
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_ASK_H
#define TACHO_BACKEND_CUPTI_CUPTI_ASK_H

#include <stdint.h>

enum { TACHO__CUPTI_ASKED_MAX = 64 };

/* Why a library could not be asked: an error that was kept. code 0: it could. */
struct tacho__cupti_trouble {
	int code;
	char message[256], cause[512], cure[256];
};

/* What CUPTI says of one of its interfaces: enum of struct tacho__cupti_supported. */
struct tacho__cupti_support {
	int status; /* CUPTI's; -1: it was not asked */
	uint8_t all, chip, sli, vgpu, confidential, mining, wsl;
};

/* A GPU. Numbers and texts are 0 and "" where nobody says. */
struct tacho__cupti_asked {
	char uuid[48], name[128], pci[32], chip[16];
	int nvml_index;	 /* as nvidia-smi numbers it; -1 */
	int cuda_number; /* as CUDA would, if it showed all; -1 */
	uint32_t major, minor, multiprocessors;
	uint64_t memory_bytes, clock_hz;
	uint8_t is_mig, is_vgpu, is_asleep; /* asleep: without persistence, when nobody uses it */
	uint8_t has_gpm;
	int chip_status; /* CUPTI's, of its chip's name; -1: not asked */
	struct tacho__cupti_support ranges, samples;
	int availability; /* CUPTI's, of its counters being there to be sampled; -1: not asked */
};

struct tacho__cupti_answers {
	struct tacho__cupti_trouble nvml, cuda, cupti;
	uint8_t is_at_cupti;	 /* the others have been asked */
	char driver_version[96]; /* "580.65.06" */
	int cuda_version;	 /* of the driver, 13000; 0: not known */
	uint32_t cupti_version;	 /* as cuptiGetVersion() has it; 0 */
	int cupti_status;	 /* CUPTI's, of its first call that needs the driver */
	uint8_t is_confidential;
	uint32_t count;
	struct tacho__cupti_asked gpus[TACHO__CUPTI_ASKED_MAX];
};

/* Asks, for 25 s at most. Never fails: what did not come is unknown, and the troubles say why. */
void tacho__cupti_ask(struct tacho__cupti_answers *out_answers);

#endif
