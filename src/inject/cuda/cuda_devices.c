/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_devices.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "inject/attribute_env.h"
#include "inject/cuda/cuda_clock.h"
#include "inject/cuda/cuda_functions.h"
#include "inject/cuda/cuda_table.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum { DEVICES_MAX = 256, NAME_BYTES = 256, UUID_BYTES = 16 };

static atomic_bool met[DEVICES_MAX];

void tacho__cuda_report(uint32_t kind, uint64_t handle, const struct tacho__attributes *attributes)
{
	const struct tacho__made made = {.api = TACHO__CUDA_API,
					 .kind = kind,
					 .handle = handle,
					 .attributes = attributes->text};

	tacho__intercept_made(&made);
}

/* False: the driver does not tell. */
static bool get(int device, enum tacho__cuda_device_attribute attribute, int *out_value)
{
	return tacho__cuda.cuDeviceGetAttribute &&
	       !tacho__cuda.cuDeviceGetAttribute(out_value, (int)attribute, device);
}

static void add_numbers(struct tacho__attributes *attributes, int device)
{
	static const struct {
		const char *key;
		enum tacho__cuda_device_attribute attribute;
	} numbers[] = {
		{"compute_units", TACHO__CUDA_DEVICE_MULTIPROCESSORS},
		{"clock_khz", TACHO__CUDA_DEVICE_CLOCK_KHZ},
		{"memory_clock_khz", TACHO__CUDA_DEVICE_MEMORY_CLOCK_KHZ},
		{"memory_bus_bits", TACHO__CUDA_DEVICE_BUS_BITS},
	};
	size_t bytes = 0;
	int value;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (get(device, numbers[i].attribute, &value) && value > 0)
			tacho__attributes_add(attributes, numbers[i].key, "%d", value);
	if (tacho__cuda.cuDeviceTotalMem_v2 && !tacho__cuda.cuDeviceTotalMem_v2(&bytes, device))
		tacho__attributes_add(attributes, "memory_bytes", "%zu", bytes);
}

static void add_capability(struct tacho__attributes *attributes, int device)
{
	int major, minor;

	if (!get(device, TACHO__CUDA_DEVICE_MAJOR, &major) ||
	    !get(device, TACHO__CUDA_DEVICE_MINOR, &minor))
		return;
	tacho__attributes_add(attributes, "compute_capability", "%d.%d", major, minor);
	tacho__attributes_add(attributes, "architecture", "sm_%d%d", major, minor);
}

static void find_pci(int device, char out_pci[24])
{
	int domain, bus, slot;

	out_pci[0] = '\0';
	if (get(device, TACHO__CUDA_DEVICE_PCI_DOMAIN, &domain) &&
	    get(device, TACHO__CUDA_DEVICE_PCI_BUS, &bus) &&
	    get(device, TACHO__CUDA_DEVICE_PCI_DEVICE, &slot))
		snprintf(out_pci, 24, "%04x:%02x:%02x.0", (unsigned)domain & 0xffff,
			 (unsigned)bus & 0xff, (unsigned)slot & 0x1f);
}

static void find_uuid(int device, char out_uuid[48])
{
	unsigned char uuid[UUID_BYTES];
	size_t used = 4;

	out_uuid[0] = '\0';
	if (!tacho__cuda.cuDeviceGetUuid || tacho__cuda.cuDeviceGetUuid(uuid, device))
		return;
	memcpy(out_uuid, "GPU-", 5);
	for (size_t i = 0; i < UUID_BYTES; i++)
		used += (size_t)snprintf(out_uuid + used, 48 - used, "%s%02x",
					 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

void tacho__cuda_identify(int device, struct tacho__cuda_identity *out_identity)
{
	char *name = out_identity->name;

	name[0] = name[NAME_BYTES - 1] = '\0';
	if (!tacho__cuda.cuDeviceGetName ||
	    tacho__cuda.cuDeviceGetName(name, NAME_BYTES - 1, device) || !*name)
		snprintf(name, NAME_BYTES, "CUDA device %d", device);
	find_uuid(device, out_identity->uuid);
	find_pci(device, out_identity->pci);
	out_identity->device = (struct tacho_counting_device){
		.name = name,
		.platform = "CUDA",
		.id = out_identity->uuid,
		.pci = out_identity->pci,
		.number = TACHO_COUNTING_NUMBER_UNKNOWN,
	};
}

static void report(int device, uint32_t id)
{
	struct tacho__attributes attributes = {.size = 0};
	struct tacho__cuda_identity identity;

	attributes.text[0] = '\0';
	tacho__cuda_identify(device, &identity);
	tacho__attributes_add(&attributes, "name", "%s", identity.name);
	tacho__attributes_add(&attributes, "vendor", "NVIDIA");
	tacho__attributes_add(&attributes, "type", "gpu");
	tacho__attributes_add(&attributes, "platform_name", "CUDA");
	if (tacho__cuda.driver_version)
		tacho__attributes_add(&attributes, "driver", "CUDA %d.%d",
				      tacho__cuda.driver_version / 1000,
				      tacho__cuda.driver_version / 10 % 100);
	add_capability(&attributes, device);
	add_numbers(&attributes, device);
	if (*identity.pci)
		tacho__attributes_add(&attributes, "pci", "%s", identity.pci);
	if (*identity.uuid)
		tacho__attributes_add(&attributes, "uuid", "%s", identity.uuid);
	tacho__attributes_add(&attributes, "clock_uncertainty_ns", "%" PRIu64,
			      tacho__cuda_clock_get_uncertainty_ns());
	tacho__cuda_report(TACHO_OBJECT_DEVICE, TACHO__CUDA_DEVICE_HANDLE(id), &attributes);
}

/* The driver's numbers of devices and CUPTI's are the same. */
void tacho__cuda_meet_device(uint32_t id)
{
	if (id >= DEVICES_MAX || atomic_load_explicit(&met[id], memory_order_acquire))
		return;
	report((int)id, id);
	atomic_store_explicit(&met[id], true, memory_order_release);
}
