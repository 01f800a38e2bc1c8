/* SPDX-License-Identifier: MIT */
#include "backend/opencl/opencl_place.h"

#include <stdio.h>
#include <string.h>

typedef int32_t (*info_fn)(void *device, uint32_t name, size_t size, void *value, size_t *out_size);

/* As Khronos', NVIDIA's and AMD's extensions have them. */
enum {
	UUID_KHR = 0x106A,
	PCI_KHR = 0x410F, /* domain, bus, device, function */
	PCI_BUS_NV = 0x4008,
	PCI_SLOT_NV = 0x4009, /* device * 8 + function */
	PCI_DOMAIN_NV = 0x400A,
	TOPOLOGY_AMD = 0x4037,
	TOPOLOGY_PCIE = 1,
};

/* The last bytes are bus, device and function. */
struct topology {
	uint32_t type;
	uint8_t unused[17];
	uint8_t bus, device, function;
};

static void find_uuid(info_fn get_info, void *device, char out_uuid[40])
{
	static const uint8_t nobody[16];
	uint8_t uuid[16] = {0};
	size_t used = 0;

	out_uuid[0] = '\0';
	if (get_info(device, UUID_KHR, sizeof(uuid), uuid, NULL) ||
	    !memcmp(uuid, nobody, sizeof(uuid)))
		return;
	for (int i = 0; i < 16; i++)
		used += (size_t)snprintf(out_uuid + used, 40 - used, "%s%02x",
					 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

static void write_pci(char out_pci[24], uint32_t domain, uint32_t bus, uint32_t slot,
		      uint32_t function)
{
	snprintf(out_pci, 24, "%04x:%02x:%02x.%x", (unsigned)domain & 0xffff, (unsigned)bus & 0xff,
		 (unsigned)slot & 0x1f, (unsigned)function & 7);
}

static void find_pci(info_fn get_info, void *device, char out_pci[24])
{
	uint32_t khronos[4], domain = 0, bus, slot;
	struct topology topology = {0};

	out_pci[0] = '\0';
	if (!get_info(device, PCI_KHR, sizeof(khronos), khronos, NULL)) {
		write_pci(out_pci, khronos[0], khronos[1], khronos[2], khronos[3]);
	} else if (!get_info(device, PCI_BUS_NV, sizeof(bus), &bus, NULL) &&
		   !get_info(device, PCI_SLOT_NV, sizeof(slot), &slot, NULL)) {
		get_info(device, PCI_DOMAIN_NV, sizeof(domain), &domain, NULL);
		write_pci(out_pci, domain, bus, slot >> 3, slot);
	} else if (!get_info(device, TOPOLOGY_AMD, sizeof(topology), &topology, NULL) &&
		   topology.type == TOPOLOGY_PCIE) {
		write_pci(out_pci, 0, topology.bus, topology.device, topology.function);
	}
}

void tacho__opencl_find_place(info_fn get_info, void *device, struct tacho__opencl_place *out_place)
{
	find_uuid(get_info, device, out_place->uuid);
	find_pci(get_info, device, out_place->pci);
}
