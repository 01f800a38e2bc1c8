/* SPDX-License-Identifier: MIT */
/* The child writes into memory that it shares with its parent, so that what it said before it died
 * is there. */
#include "backend/cupti/cupti_ask.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cupti/cuda_driver.h"
#include "backend/cupti/cupti_library.h"
#include "backend/cupti/nvml_library.h"
#include "base/clock.h"
#include "base/error.h"

static const uint64_t LIMIT_NS = UINT64_C(25000000000), NS_PER_MS = 1000000;

static const uint64_t HZ_PER_MHZ = 1000000, HZ_PER_KHZ = 1000;

static void keep_trouble(struct tacho__cupti_trouble *trouble)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	trouble->code = detail->code;
	snprintf(trouble->message, sizeof(trouble->message), "%s", detail->message);
	snprintf(trouble->cause, sizeof(trouble->cause), "%s", detail->cause);
	snprintf(trouble->cure, sizeof(trouble->cure), "%s", detail->cure);
}

/* The GPU with this UUID, or a new one. NULL: there is no room. */
static struct tacho__cupti_asked *get_gpu(struct tacho__cupti_answers *answers, const char *uuid)
{
	struct tacho__cupti_asked *gpu;

	for (uint32_t i = 0; i < answers->count; i++)
		if (!strcasecmp(answers->gpus[i].uuid, uuid))
			return &answers->gpus[i];
	if (answers->count == TACHO__CUPTI_ASKED_MAX)
		return NULL;
	gpu = &answers->gpus[answers->count];
	*gpu = (struct tacho__cupti_asked){
		.nvml_index = -1,
		.cuda_number = -1,
		.chip_status = -1,
		.ranges.status = -1,
		.samples.status = -1,
		.availability = -1,
	};
	snprintf(gpu->uuid, sizeof(gpu->uuid), "%s", uuid);
	answers->count++;
	return gpu;
}

/* ---- NVML ---- */

/* What changes how it counts. */
static void ask_nvml_modes(const struct tacho__nvml *nvml, void *device,
			   struct tacho__cupti_asked *gpu)
{
	struct tacho__nvml_gpm_support gpm = {.version = TACHO__NVML_GPM_VERSION};
	unsigned now, pending;
	int mode;

	if (nvml->get_mig && !nvml->get_mig(device, &now, &pending))
		gpu->is_mig = now != 0;
	if (nvml->get_virtualization && !nvml->get_virtualization(device, &mode))
		gpu->is_vgpu = mode == TACHO__NVML_VGPU_GUEST;
	if (nvml->get_persistence && !nvml->get_persistence(device, &mode))
		gpu->is_asleep = !mode;
	if (nvml->gpm_ask && !nvml->gpm_ask(device, &gpm))
		gpu->has_gpm = gpm.is_supported != 0;
}

static void ask_nvml_gpu(const struct tacho__nvml *nvml, void *device, unsigned index,
			 struct tacho__cupti_answers *answers)
{
	struct tacho__nvml_memory memory;
	struct tacho__nvml_pci pci = {.domain = 0};
	struct tacho__cupti_asked *gpu;
	char uuid[TACHO__NVML_TEXT_MAX] = "";
	int major, minor;
	unsigned mhz;

	if (nvml->get_uuid(device, uuid, sizeof(uuid)))
		return;
	uuid[sizeof(gpu->uuid) - 1] = '\0';
	gpu = get_gpu(answers, uuid);
	if (!gpu)
		return;
	gpu->nvml_index = (int)index;
	if (nvml->get_name(device, gpu->name, TACHO__NVML_TEXT_MAX))
		gpu->name[0] = '\0';
	if (!nvml->get_pci(device, &pci))
		snprintf(gpu->pci, sizeof(gpu->pci), "%04x:%02x:%02x.0", pci.domain, pci.bus,
			 pci.device);
	if (nvml->get_capability && !nvml->get_capability(device, &major, &minor)) {
		gpu->major = (uint32_t)major;
		gpu->minor = (uint32_t)minor;
	}
	if (nvml->get_memory && !nvml->get_memory(device, &memory))
		gpu->memory_bytes = memory.total;
	if (nvml->get_clock_max && !nvml->get_clock_max(device, TACHO__NVML_CLOCK_SM, &mhz))
		gpu->clock_hz = mhz * HZ_PER_MHZ;
	ask_nvml_modes(nvml, device, gpu);
}

static void ask_nvml(struct tacho__cupti_answers *answers)
{
	struct tacho__nvml_confidential confidential = {.is_on = 0};
	const struct tacho__nvml *nvml;
	unsigned count = 0;
	void *device;

	if (tacho__nvml_load(&nvml)) {
		keep_trouble(&answers->nvml);
		return;
	}
	if (!nvml->get_driver_version ||
	    nvml->get_driver_version(answers->driver_version, sizeof(answers->driver_version)))
		answers->driver_version[0] = '\0';
	if (!nvml->get_cuda_version || nvml->get_cuda_version(&answers->cuda_version))
		answers->cuda_version = 0;
	if (nvml->get_confidential && !nvml->get_confidential(&confidential))
		answers->is_confidential = confidential.is_on && !confidential.is_for_developers;
	nvml->get_count(&count);
	for (unsigned i = 0; i < count && i < TACHO__CUPTI_ASKED_MAX; i++)
		if (!nvml->get_device(i, &device))
			ask_nvml_gpu(nvml, device, i, answers);
}

/* ---- the driver ---- */

static void ask_driver_gpu(const struct tacho__cuda_driver *driver, int ordinal,
			   struct tacho__cupti_answers *answers)
{
	struct tacho__cuda_uuid bytes;
	struct tacho__cupti_asked *gpu;
	char uuid[TACHO__CUDA_UUID_MAX];
	int device, number, domain, bus, slot;
	size_t size;

	if (driver->get_device(&device, ordinal) || driver->get_uuid(&bytes, device))
		return;
	tacho__cuda_format_uuid(&bytes, uuid);
	gpu = get_gpu(answers, uuid);
	if (!gpu)
		return;
	gpu->cuda_number = ordinal;
	if (!*gpu->name && driver->get_name(gpu->name, sizeof(gpu->name) - 1, device))
		gpu->name[0] = '\0';
	if (!driver->get_attribute(&number, TACHO__CUDA_MULTIPROCESSORS, device))
		gpu->multiprocessors = (uint32_t)number;
	if (!driver->get_attribute(&number, TACHO__CUDA_MAJOR, device))
		gpu->major = (uint32_t)number;
	if (!driver->get_attribute(&number, TACHO__CUDA_MINOR, device))
		gpu->minor = (uint32_t)number;
	if (!gpu->clock_hz && !driver->get_attribute(&number, TACHO__CUDA_CLOCK_KHZ, device))
		gpu->clock_hz = (uint64_t)number * HZ_PER_KHZ;
	if (!gpu->memory_bytes && !driver->get_memory(&size, device))
		gpu->memory_bytes = size;
	if (!*gpu->pci && !driver->get_attribute(&domain, TACHO__CUDA_PCI_DOMAIN, device) &&
	    !driver->get_attribute(&bus, TACHO__CUDA_PCI_BUS, device) &&
	    !driver->get_attribute(&slot, TACHO__CUDA_PCI_DEVICE, device))
		snprintf(gpu->pci, sizeof(gpu->pci), "%04x:%02x:%02x.0", (unsigned)domain,
			 (unsigned)bus, (unsigned)slot);
}

/* Whether there is any GPU, so that CUPTI may be asked. */
static bool ask_driver(const struct tacho__cuda_driver *driver,
		       struct tacho__cupti_answers *answers)
{
	int count = 0, status = driver->init(0);

	if (!status)
		status = driver->get_count(&count);
	if (status) {
		const char *name = tacho__cuda_status_name(status);

		tacho__fail_vendor(tacho__fail(TACHO_E_NODEVICE,
					       tacho__detail("cuInit says %d%s%s", status,
							     *name ? ", " : "", name),
					       tacho__cuda_status_cure(status),
					       "NVIDIA's driver does not start"),
				   status);
		keep_trouble(&answers->cuda);
		return false;
	}
	if (driver->get_version(&answers->cuda_version))
		answers->cuda_version = 0;
	for (int i = 0; i < count && i < TACHO__CUPTI_ASKED_MAX; i++)
		ask_driver_gpu(driver, i, answers);
	return count > 0;
}

/* ---- CUPTI ---- */

static struct tacho__cupti_support ask_support(int device, int api)
{
	struct tacho__cupti_supported params = {.device = device, .api = api};
	int status = tacho__cupti_call(TACHO__CUPTI_GET_SUPPORTED, &params);

	return (struct tacho__cupti_support){
		.status = status,
		.all = (uint8_t)params.is_supported,
		.chip = (uint8_t)params.architecture,
		.sli = (uint8_t)params.sli,
		.vgpu = (uint8_t)params.vgpu,
		.confidential = (uint8_t)params.confidential,
		.mining = (uint8_t)params.mining,
		.wsl = (uint8_t)params.wsl,
	};
}

static void ask_cupti_gpu(const struct tacho__cuda_driver *driver, struct tacho__cupti_asked *gpu)
{
	struct tacho__cupti_samples_availability availability = {.device =
									 (size_t)gpu->cuda_number};
	struct tacho__cupti_chip_name chip = {.device = (size_t)gpu->cuda_number};
	int device;

	if (driver->get_device(&device, gpu->cuda_number))
		return;
	gpu->chip_status = tacho__cupti_call(TACHO__CUPTI_GET_CHIP_NAME, &chip);
	if (!gpu->chip_status && chip.chip)
		for (size_t i = 0; chip.chip[i] && i + 1 < sizeof(gpu->chip); i++)
			gpu->chip[i] = (char)tolower((unsigned char)chip.chip[i]);
	gpu->ranges = ask_support(device, TACHO__CUPTI_API_RANGES);
	gpu->samples = ask_support(device, TACHO__CUPTI_API_SAMPLES);
	/* it says who may, and whether somebody else does */
	if (!gpu->samples.status && gpu->samples.all == TACHO__CUPTI_SUPPORT_GOOD)
		gpu->availability =
			tacho__cupti_call(TACHO__CUPTI_SAMPLES_GET_AVAILABILITY, &availability);
}

static void ask_cupti(const struct tacho__cuda_driver *driver, struct tacho__cupti_answers *answers)
{
	struct tacho__cupti_head none = {.size = 0};
	const struct tacho__cupti *cupti;

	answers->is_at_cupti = 1;
	if (tacho__cupti_load(&cupti)) {
		keep_trouble(&answers->cupti);
		return;
	}
	answers->cupti_version = cupti->version;
	answers->cupti_status = tacho__cupti_call(TACHO__CUPTI_INITIALIZE, &none);
	if (answers->cupti_status)
		return;
	for (uint32_t i = 0; i < answers->count; i++)
		if (answers->gpus[i].cuda_number >= 0)
			ask_cupti_gpu(driver, &answers->gpus[i]);
}

static void ask_all(struct tacho__cupti_answers *answers)
{
	struct tacho__cuda_driver driver;

	ask_nvml(answers);
	if (tacho__cuda_driver_load(&driver))
		keep_trouble(&answers->cuda);
	else if (ask_driver(&driver, answers))
		ask_cupti(&driver, answers);
}

/* ---- the child ---- */

/* Nobody is let into it, no GPU is hidden from it, and nobody hears it. */
static void prepare_child(pid_t parent)
{
	static const char *const variables[] = {"CUDA_VISIBLE_DEVICES", "CUDA_INJECTION64_PATH",
						"NVTX_INJECTION64_PATH"};
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
}

/* Until the child closes its end of the pipe by ending. */
static bool await_end(int fd)
{
	uint64_t until_ns = tacho__clock_monotonic_ns() + LIMIT_NS, now_ns;
	struct pollfd end = {.fd = fd, .events = POLLIN};

	while ((now_ns = tacho__clock_monotonic_ns()) < until_ns)
		if (poll(&end, 1, (int)((until_ns - now_ns) / NS_PER_MS) + 1) > 0)
			return true;
	return false;
}

/* What it was at when it did not come to its end. */
static void tell_death(struct tacho__cupti_answers *answers, bool in_time, int status)
{
	struct tacho__cupti_trouble *trouble =
		answers->is_at_cupti ? &answers->cupti : &answers->cuda;

	if (in_time && WIFEXITED(status))
		return;
	tacho__fail(TACHO_E_NODEVICE,
		    in_time ? tacho__detail("the process that asked died of signal %d",
					    WTERMSIG(status))
			    : "no answer came in 25 s",
		    "look whether nvidia-smi works, and into dmesg for lines with NVRM",
		    "NVIDIA's libraries cannot be asked of the GPUs");
	if (!trouble->code)
		keep_trouble(trouble);
}

static void ask_in_child(struct tacho__cupti_answers *answers)
{
	pid_t parent = getpid(), child;
	int ends[2], status = 0;
	bool in_time;

	if (pipe2(ends, O_CLOEXEC))
		return;
	child = fork();
	if (child == 0) {
		prepare_child(parent);
		ask_all(answers);
		_exit(0);
	}
	close(ends[1]);
	if (child > 0) {
		in_time = await_end(ends[0]);
		kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		/* one that was done is not killed: it has closed its end by ending */
		tell_death(answers, in_time, status);
	}
	close(ends[0]);
}

/* Nothing that a library wrote over may run out of these. */
static void end_texts(struct tacho__cupti_answers *answers)
{
	struct tacho__cupti_trouble *troubles[] = {&answers->nvml, &answers->cuda, &answers->cupti};

	if (answers->count > TACHO__CUPTI_ASKED_MAX)
		answers->count = TACHO__CUPTI_ASKED_MAX;
	answers->driver_version[sizeof(answers->driver_version) - 1] = '\0';
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		troubles[i]->message[sizeof(troubles[i]->message) - 1] = '\0';
		troubles[i]->cause[sizeof(troubles[i]->cause) - 1] = '\0';
		troubles[i]->cure[sizeof(troubles[i]->cure) - 1] = '\0';
	}
	for (uint32_t i = 0; i < answers->count; i++) {
		struct tacho__cupti_asked *gpu = &answers->gpus[i];

		gpu->uuid[sizeof(gpu->uuid) - 1] = gpu->name[sizeof(gpu->name) - 1] = '\0';
		gpu->pci[sizeof(gpu->pci) - 1] = gpu->chip[sizeof(gpu->chip) - 1] = '\0';
	}
}

void tacho__cupti_ask(struct tacho__cupti_answers *out_answers)
{
	struct tacho__cupti_answers *answers = mmap(NULL, sizeof(*answers), PROT_READ | PROT_WRITE,
						    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memset(out_answers, 0, sizeof(*out_answers));
	if (answers == MAP_FAILED)
		return;
	if (tacho__cuda_driver_is_ready())
		ask_all(answers);
	else
		ask_in_child(answers);
	*out_answers = *answers;
	munmap(answers, sizeof(*answers));
	end_texts(out_answers);
}
