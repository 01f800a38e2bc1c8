/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's libcheckpoint as a fake: keeps what the fake driver's memory holds. FAKE_CHECKPOINT:
 * "save" or "restore" fails.
 */
#include "../cuda/fake_cuda.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { INVALID_PARAMETER = 1, INVALID_CONTEXT = 3, OUT_OF_MEMORY = 8, NOT_INITIALIZED = 15 };

struct checkpoint {
	size_t size;
	CUcontext context;
	size_t device_reserve, host_reserve;
	uint8_t overwrites, optimizes;
	struct fake_cuda_memory *memory;
};

static int fails(const char *word)
{
	const char *words = getenv("FAKE_CHECKPOINT");

	return words && strstr(words, word);
}

EXPORT int cuptiCheckpointSave(struct checkpoint *checkpoint)
{
	const struct fake_cuda_hooks *hooks = fake_cuda_find();

	if (checkpoint->size != 48 || checkpoint->memory)
		return INVALID_PARAMETER;
	if (!hooks || !hooks->context_id(checkpoint->context))
		return INVALID_CONTEXT;
	if (fails("save"))
		return OUT_OF_MEMORY;
	hooks->wait(checkpoint->context, UINT64_MAX);
	checkpoint->memory = hooks->memory_save(checkpoint->context);
	return 0;
}

EXPORT int cuptiCheckpointRestore(struct checkpoint *checkpoint)
{
	const struct fake_cuda_hooks *hooks = fake_cuda_find();

	if (checkpoint->size != 48)
		return INVALID_PARAMETER;
	if (fails("restore"))
		return 999;
	hooks->wait(checkpoint->context, UINT64_MAX);
	hooks->memory_restore(checkpoint->memory);
	return 0;
}

EXPORT int cuptiCheckpointFree(struct checkpoint *checkpoint)
{
	if (checkpoint->size != 48)
		return INVALID_PARAMETER;
	fake_cuda_find()->memory_free(checkpoint->memory);
	checkpoint->memory = NULL;
	return 0;
}
