/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's libnvidia-ml as a fake: the GPUs of the fake driver (tests/fake/cuda). It checks what it
 * is given. A metric of GPM has its number, and a quarter for each sample that was taken since the
 * older one of its two.
 *
 * Words of FAKE_NVML:
 *   devices=N   so many GPUs instead of 1
 *   init=N      nvmlInit fails with N; gpm=N: taking a sample does; lost=N: from the third on
 *   mig, vgpu, asleep, confidential, no_gpm, old_driver (of CUDA 12.4)
 *   crash       the process that asks for a name dies
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum {
	UNINITIALIZED = 1,
	INVALID_ARGUMENT = 2,
	NOT_SUPPORTED = 3,
	NO_PERMISSION = 4,
	INSUFFICIENT_SIZE = 7,
	DEVICES_MAX = 8,
};

struct device {
	uint32_t magic, index;
};

static struct device devices[DEVICES_MAX];
static int initialized;

static int is(const char *word)
{
	const char *words = getenv("FAKE_NVML");

	return words && strstr(words, word);
}

static int number(const char *word, int otherwise)
{
	const char *words = getenv("FAKE_NVML"), *at = words ? strstr(words, word) : NULL;

	return at && at[strlen(word)] == '=' ? atoi(at + strlen(word) + 1) : otherwise;
}

static int check(const struct device *device)
{
	if (!initialized)
		return UNINITIALIZED;
	return device && device->magic == 0x4c4d564e ? 0 : INVALID_ARGUMENT;
}

EXPORT int nvmlInit_v2(void)
{
	if (number("init", 0))
		return number("init", 0);
	for (uint32_t i = 0; i < DEVICES_MAX; i++)
		devices[i] = (struct device){0x4c4d564e, i};
	initialized = 1;
	return 0;
}

EXPORT const char *nvmlErrorString(int status)
{
	switch (status) {
	case 0: return "Success";
	case NOT_SUPPORTED: return "Not Supported";
	case NO_PERMISSION: return "Insufficient Permissions";
	case 9: return "Driver Not Loaded";
	case 15: return "GPU is lost";
	default: return "Unknown Error";
	}
}

static int put(char *text, unsigned size, const char *value)
{
	return snprintf(text, size, "%s", value) < (int)size ? 0 : INSUFFICIENT_SIZE;
}

EXPORT int nvmlSystemGetDriverVersion(char *version, unsigned size)
{
	return initialized ? put(version, size, is("old_driver") ? "550.54.14" : "580.65.06")
			   : UNINITIALIZED;
}

EXPORT int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
	*version = is("old_driver") ? 12040 : 13000;
	return 0;
}

struct confidential {
	unsigned environment, feature, devtools;
};

EXPORT int nvmlSystemGetConfComputeState(struct confidential *state)
{
	*state = (struct confidential){0, is("confidential") ? 1 : 0, 0};
	return 0;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *count)
{
	*count = (unsigned)number("devices", 1);
	return initialized ? 0 : UNINITIALIZED;
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct device **device)
{
	if (!initialized || index >= (unsigned)number("devices", 1))
		return INVALID_ARGUMENT;
	*device = &devices[index];
	return 0;
}

EXPORT int nvmlDeviceGetName(struct device *device, char *name, unsigned size)
{
	if (is("crash"))
		abort();
	return check(device) ? check(device) : put(name, size, "Fake GF100 80GB");
}

/* As the fake driver's. */
EXPORT int nvmlDeviceGetUUID(struct device *device, char *uuid, unsigned size)
{
	char text[64] = "GPU-";
	size_t length = 4;

	if (check(device))
		return check(device);
	for (unsigned i = 0; i < 16; i++)
		length += (size_t)sprintf(text + length, "%s%02x",
					  i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
					  (0x10 * device->index + i) & 0xff);
	return put(uuid, size, text);
}

struct pci {
	char legacy[16];
	unsigned domain, bus, device, id, subsystem;
	char text[32];
};

EXPORT int nvmlDeviceGetPciInfo_v3(struct device *device, struct pci *pci)
{
	if (check(device))
		return check(device);
	*pci = (struct pci){.bus = 0x1b + device->index, .id = 0x233010de};
	snprintf(pci->text, sizeof(pci->text), "00000000:%02X:00.0", pci->bus);
	return 0;
}

EXPORT int nvmlDeviceGetCudaComputeCapability(struct device *device, int *major, int *minor)
{
	*major = 9;
	*minor = 0;
	return check(device);
}

struct memory {
	unsigned long long total, free, used;
};

EXPORT int nvmlDeviceGetMemoryInfo(struct device *device, struct memory *memory)
{
	*memory = (struct memory){80ull << 30, 79ull << 30, 1ull << 30};
	return check(device);
}

EXPORT int nvmlDeviceGetMaxClockInfo(struct device *device, int clock, unsigned *mhz)
{
	*mhz = clock == 1 ? 1980 : 2619;
	return check(device);
}

EXPORT int nvmlDeviceGetMigMode(struct device *device, unsigned *now, unsigned *pending)
{
	*now = *pending = is("mig") ? 1 : 0;
	return check(device);
}

EXPORT int nvmlDeviceGetVirtualizationMode(struct device *device, int *mode)
{
	*mode = is("vgpu") ? 2 : 0;
	return check(device);
}

EXPORT int nvmlDeviceGetPersistenceMode(struct device *device, int *is_on)
{
	*is_on = !is("asleep");
	return check(device);
}

EXPORT int nvmlDeviceGetClockInfo(struct device *device, int clock, unsigned *mhz)
{
	*mhz = clock == 1 ? 1500 : 2600;
	return check(device);
}

EXPORT int nvmlDeviceGetPowerUsage(struct device *device, unsigned *milliwatts)
{
	*milliwatts = 350500;
	return check(device);
}

struct utilization {
	unsigned gpu, memory;
};

EXPORT int nvmlDeviceGetUtilizationRates(struct device *device, struct utilization *utilization)
{
	*utilization = (struct utilization){75, 40};
	return check(device);
}

EXPORT int nvmlDeviceGetTemperature(struct device *device, int sensor, unsigned *celsius)
{
	*celsius = 61;
	return sensor ? INVALID_ARGUMENT : check(device);
}

/* ---- GPM ---- */

struct support {
	unsigned version, is_supported;
};

EXPORT int nvmlGpmQueryDeviceSupport(struct device *device, struct support *support)
{
	if (support->version != 1)
		return INVALID_ARGUMENT;
	support->is_supported = !is("no_gpm");
	return check(device);
}

struct sample {
	uint32_t magic, number;
};

EXPORT int nvmlGpmSampleAlloc(struct sample **sample)
{
	*sample = calloc(1, sizeof(**sample));
	(*sample)->magic = 0x4d5047;
	return 0;
}

EXPORT int nvmlGpmSampleFree(struct sample *sample)
{
	if (!sample || sample->magic != 0x4d5047)
		return INVALID_ARGUMENT;
	free(sample);
	return 0;
}

EXPORT int nvmlGpmSampleGet(struct device *device, struct sample *sample)
{
	static uint32_t taken;

	if (check(device))
		return check(device);
	if (!sample || sample->magic != 0x4d5047)
		return INVALID_ARGUMENT;
	if (is("no_gpm"))
		return NOT_SUPPORTED;
	if (number("gpm", 0))
		return number("gpm", 0);
	sample->number = ++taken;
	return taken > 2 ? number("lost", 0) : 0;
}

struct metric {
	unsigned id;
	int status;
	double value;
	const char *name, *title, *unit;
};

struct metrics {
	unsigned version, count;
	struct sample *before, *after;
	struct metric metrics[];
};

/* It has no C2C: its metrics are refused one by one. */
EXPORT int nvmlGpmMetricsGet(struct metrics *metrics)
{
	if (metrics->version != 1 || !metrics->count || metrics->count > 333 || !metrics->before ||
	    !metrics->after || metrics->before->number >= metrics->after->number)
		return INVALID_ARGUMENT;
	for (unsigned i = 0; i < metrics->count; i++) {
		struct metric *metric = &metrics->metrics[i];

		metric->status = metric->id >= 100 ? NOT_SUPPORTED
				 : metric->id	   ? 0
						   : INVALID_ARGUMENT;
		metric->value =
			metric->id + (metrics->after->number - metrics->before->number) / 4.0;
		metric->unit = "%";
	}
	return 0;
}
