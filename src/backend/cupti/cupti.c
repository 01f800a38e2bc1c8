/* SPDX-License-Identifier: MIT */
/* NVIDIA's GPUs and their library as backends: which there are, and what hinders. */
#include "backend/cupti/cupti.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_chip.h"
#include "backend/cupti/cupti_gpus.h"
#include "base/error.h"
#include "base/text.h"

/* What is told of all GPUs. */
struct probing {
	struct tacho_probe *probe;
	const struct tacho__cupti_system *system;
	bool is_sampled;
};

/* With the last error. */
static void explain(struct tacho_probe *probe, struct tacho_device_info *info)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	info->code = detail->code;
	info->cause = tacho__probe_text(probe, "%s", detail->cause);
	info->cure = tacho__probe_text(probe, "%s", detail->cure);
}

/* GPUs of one name are told apart by their numbers of nvidia-smi. */
static const char *make_name(const struct probing *probing, const struct tacho__cupti_gpu *gpu)
{
	size_t same = 0;

	for (uint32_t i = 0; i < probing->system->count; i++)
		same += !strcmp(probing->system->gpus[i].gpu.name, gpu->name);
	/* in a program with CUDA the others are seen as files only */
	for (uint32_t i = 0; probing->system->live && i < probing->system->tree.driven; i++)
		same += i != gpu->index && !strcmp(probing->system->tree.cards[i].name, gpu->name);
	return same > 1 ? tacho__probe_text(probing->probe, "%s #%" PRIu32, gpu->name, gpu->index)
			: tacho__probe_text(probing->probe, "%s", gpu->name);
}

static const char *describe(const struct probing *probing, const struct tacho__cupti_found *found)
{
	const struct tacho__cupti_answers *answers = &probing->system->answers;
	const struct tacho__cupti_gpu *gpu = &found->gpu;
	const char *version = *answers->driver_version ? answers->driver_version
						       : probing->system->tree.driver_version;
	const char *number = "", *driver = found->card ? found->card->driver : "nvidia";

	if (!*driver)
		driver = "no driver";
	if (gpu->cuda_number >= 0)
		number = tacho__probe_text(probing->probe, ", CUDA device %d", gpu->cuda_number);
	else if (gpu->cuda_number == TACHO__CUPTI_HIDDEN)
		number = ", not shown to CUDA";
	return tacho__probe_text(probing->probe, "%s%s%s%s%s%s%s%s", driver, *version ? " " : "",
				 version, *gpu->pci ? ", PCI " : "", gpu->pci,
				 *gpu->chip ? ", " : "", gpu->chip, number);
}

static int add_gpu(const struct probing *probing, size_t index)
{
	const struct tacho__cupti_found *found = &probing->system->gpus[index];
	struct tacho_device_info *info = tacho__probe_add_device_info(probing->probe);

	if (!info)
		return TACHO_E_NOMEM;
	info->name = make_name(probing, &found->gpu);
	info->id = tacho__probe_text(probing->probe, "%s", found->gpu.uuid);
	info->pci = tacho__probe_text(probing->probe, "%s", found->gpu.pci);
	info->vendor = "NVIDIA";
	info->platform = "CUDA";
	info->kind = "gpu";
	info->driver = describe(probing, found);
	info->arch = tacho__probe_text(probing->probe, "%s", found->gpu.chip);
	info->api = probing->is_sampled ? TACHO__CUPTI_SAMPLING_API : TACHO__CUPTI_API;
	info->compute_units = found->gpu.multiprocessors;
	info->memory_bytes = found->gpu.memory_bytes;
	info->launches_only = info->counts_together = !probing->is_sampled;
	info->windows_by = probing->is_sampled ? "" : tacho__backend_cupti_sampling.name;
	info->usable = !tacho__cupti_check_gpu(probing->system, index, probing->is_sampled);
	if (!info->usable)
		explain(probing->probe, info);
	return 0;
}

/* Nothing of a GPU is seen. */
static void explain_none(const struct probing *probing, struct tacho_probe_backend *backend_info)
{
	const struct tacho__nvidia_tree *tree = &probing->system->tree;
	const struct tacho__cupti_trouble *trouble = &probing->system->answers.cuda;

	backend_info->cure =
		"plan for a chip meanwhile, which needs no GPU: tacho plan --arch gh100 "
		"--api " TACHO__CUPTI_API " -m set:basic";
	if (tree->is_wsl && trouble->code) {
		backend_info->cause =
			tacho__probe_text(probing->probe, "%sdev/dxg is there, but %s: %s",
					  tree->root, trouble->message, trouble->cause);
		backend_info->cure = "install NVIDIA's driver in Windows; none in WSL itself";
		return;
	}
	backend_info->cause = tacho__probe_text(
		probing->probe,
		"no NVIDIA GPU is in %sproc/driver/nvidia/gpus or %ssys/bus/pci/devices",
		tree->root, tree->root);
}

static void judge(const struct probing *probing, const struct tacho__backend *backend,
		  struct tacho_probe_backend *backend_info)
{
	const struct tacho_device_info *info;
	char path[PATH_MAX];

	tacho__cupti_locate(path);
	if (*path)
		backend_info->library = tacho__probe_text(probing->probe, "%s", path);
	explain_none(probing, backend_info);
	for (uint32_t i = 0; i < probing->system->count; i++) {
		info = tacho__probe_get_own_info(probing->probe, backend->name, i);
		backend_info->usable |= info->usable;
		backend_info->cause = info->cause;
		backend_info->cure = info->cure;
	}
	if (backend_info->usable)
		backend_info->cause = backend_info->cure = "";
}

static int probe_gpus(struct tacho_probe *probe, const struct tacho__backend *backend,
		      struct tacho_probe_backend *backend_info)
{
	struct tacho__cupti_system *system;
	struct probing probing = {.probe = probe,
				  .is_sampled = backend == &tacho__backend_cupti_sampling};
	int rc = tacho__cupti_find_gpus(probe, &system);

	if (rc)
		return rc;
	probing.system = system;
	for (uint32_t i = 0; i < system->count && !rc; i++)
		rc = add_gpu(&probing, i);
	if (!rc)
		judge(&probing, backend, backend_info);
	free(system);
	return rc;
}

static int probe_ranges(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	return probe_gpus(probe, &tacho__backend_cupti, backend_info);
}

static int probe_samples(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	return probe_gpus(probe, &tacho__backend_cupti_sampling, backend_info);
}

/* ---- the doctor ---- */

static void report(tacho_check_fn fn, void *user, enum tacho_check_level level, const char *detail)
{
	const struct tacho_error_detail *error = tacho_error_last();
	int is_good = level == TACHO_CHECK_OK;
	struct tacho_check check = {
		.level = level,
		.what = "CUPTI",
		.detail = detail,
		.cause = is_good ? "" : tacho__detail("%s: %s", error->message, error->cause),
		.cure = is_good ? "" : error->cure,
	};

	fn(user, &check);
}

/* Nobody asked for it, and nothing of it is there: that hinders nobody who has other GPUs. */
static bool is_absent(void)
{
	const struct tacho__cupti *cupti;
	char path[PATH_MAX];

	tacho__cupti_locate(path);
	return !*path && !getenv(TACHO__CUPTI_VARIABLE) &&
	       tacho__cupti_load(&cupti) == TACHO_E_NOTFOUND;
}

/* In a process of its own, as the doctor does all this. */
static void check_library(tacho_check_fn fn, void *user)
{
	struct tacho__arena arena = {0};
	const struct tacho__cupti *cupti;
	struct tacho__cupti_names chips;

	if (is_absent())
		report(fn, user, TACHO_CHECK_OK,
		       "not installed; plans for NVIDIA's chips would need it");
	else if (tacho__cupti_load(&cupti))
		report(fn, user, TACHO_CHECK_WARN, "NVIDIA's chips cannot be planned for");
	else if (tacho__cupti_list_chips(&arena, &chips))
		report(fn, user, TACHO_CHECK_WARN, cupti->path);
	else
		report(fn, user, TACHO_CHECK_OK,
		       tacho__detail(
			       "version %s, %s, with %s: knows %zu chips%s", cupti->version_text,
			       cupti->path, cupti->host_path, chips.count,
			       cupti->tells_counters ? "" : ", without what each pass collects"));
	tacho__arena_finish(&arena);
}

static void check(tacho_check_fn fn, void *user)
{
	struct tacho__cupti_system *system;

	check_library(fn, user);
	if (tacho__cupti_find_gpus(NULL, &system))
		return;
	tacho__cupti_check_system(system, fn, user);
	free(system);
}

const struct tacho__backend tacho__backend_cupti = {
	.name = "cupti",
	.summary = "counts launches on NVIDIA's GPUs with CUPTI, and plans without a GPU",
	.probe = probe_ranges,
	.open = tacho__cupti_open_ranges,
	.close = tacho__cupti_close,
	.check = check,
	.begin = tacho__cupti_begin,
	.begin_pass = tacho__cupti_begin_pass,
	.end_pass = tacho__cupti_end_pass,
	.begin_range = tacho__cupti_begin_range,
	.end_range = tacho__cupti_end_range,
	.drain = tacho__cupti_drain,
	.end = tacho__cupti_end,
};

/* The same GPUs: one that is named without a backend is that of launches. */
const struct tacho__backend tacho__backend_cupti_sampling = {
	.name = "cupti_sampling",
	.summary = "samples NVIDIA's GPUs as a whole with CUPTI",
	.is_named_only = 1,
	.probe = probe_samples,
	.open = tacho__cupti_open_samples,
	.close = tacho__cupti_close,
	.begin = tacho__cupti_begin_windows,
	.begin_pass = tacho__cupti_begin_sampling,
	.end_pass = tacho__cupti_end_sampling,
	.end = tacho__cupti_end_windows,
};
