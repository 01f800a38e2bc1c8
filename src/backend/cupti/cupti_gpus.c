/* SPDX-License-Identifier: MIT */
#include "backend/cupti/cupti_gpus.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

#define VISIBLE_VARIABLE "CUDA_VISIBLE_DEVICES"

/* What the libraries said: waking GPUs takes seconds. */
static struct process {
	pthread_mutex_t lock;
	bool is_asked;
	struct tacho__cupti_answers answers;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void ask(struct tacho__cupti_system *system)
{
	pthread_mutex_lock(&process.lock);
	if (!process.is_asked)
		tacho__cupti_ask(&process.answers);
	process.is_asked = true;
	system->answers = process.answers;
	pthread_mutex_unlock(&process.lock);
	system->is_asked = true;
}

/* ---- which number CUDA gives a GPU ---- */

static const struct tacho__cupti_asked *get_by_number(const struct tacho__cupti_answers *answers,
						      long number)
{
	for (uint32_t i = 0; i < answers->count; i++)
		if (number >= 0 && answers->gpus[i].cuda_number == number)
			return &answers->gpus[i];
	return NULL;
}

/* What a word of the variable names: a number, or the beginning of a UUID that only one has. */
static const struct tacho__cupti_asked *find_visible(const struct tacho__cupti_answers *answers,
						     const char *word, size_t size)
{
	const struct tacho__cupti_asked *found = NULL;
	char *end;
	long number = strtol(word, &end, 10);

	if (end > word)
		return (size_t)(end - word) == size ? get_by_number(answers, number) : NULL;
	for (uint32_t i = 0; i < answers->count && size > 4; i++)
		if (answers->gpus[i].cuda_number >= 0 &&
		    !strncasecmp(answers->gpus[i].uuid, word, size)) {
			if (found)
				return NULL;
			found = &answers->gpus[i];
		}
	return found;
}

/* CUDA reads the list up to the first word that names nothing. */
static int find_number(const struct tacho__cupti_answers *answers,
		       const struct tacho__cupti_asked *gpu)
{
	const char *list = getenv(VISIBLE_VARIABLE);
	int number = 0;

	if (gpu->cuda_number < 0)
		return TACHO__CUPTI_HIDDEN;
	if (!list)
		return gpu->cuda_number;
	for (; *list; number++) {
		size_t size = strcspn(list, ",");
		const struct tacho__cupti_asked *visible = find_visible(answers, list, size);

		if (!visible)
			break;
		if (visible == gpu)
			return number;
		list += size + (list[size] == ',');
	}
	return TACHO__CUPTI_HIDDEN;
}

/* ---- putting together ---- */

static void copy(char *into, size_t room, const char *text)
{
	size_t size = strnlen(text, room - 1);

	memmove(into, text, size);
	into[size] = '\0';
}

static void describe_card(struct tacho__cupti_gpu *gpu, const struct tacho__nvidia_card *card)
{
	copy(gpu->name, sizeof(gpu->name), card->name);
	copy(gpu->uuid, sizeof(gpu->uuid), card->uuid);
	copy(gpu->pci, sizeof(gpu->pci), card->pci);
}

static void describe_asked(struct tacho__cupti_gpu *gpu, const struct tacho__cupti_asked *asked)
{
	/* files and libraries write one name; files are always there */
	if (!*gpu->name)
		snprintf(gpu->name, sizeof(gpu->name), "%s", asked->name);
	if (!*gpu->pci)
		snprintf(gpu->pci, sizeof(gpu->pci), "%s", asked->pci);
	snprintf(gpu->uuid, sizeof(gpu->uuid), "%s", asked->uuid);
	snprintf(gpu->chip, sizeof(gpu->chip), "%s", asked->chip);
	gpu->major = asked->major;
	gpu->minor = asked->minor;
	gpu->multiprocessors = asked->multiprocessors;
	gpu->memory_bytes = asked->memory_bytes;
	gpu->clock_hz = asked->clock_hz;
}

static struct tacho__cupti_found *add(struct tacho__cupti_system *system,
				      const struct tacho__nvidia_card *card,
				      const struct tacho__cupti_asked *asked)
{
	struct tacho__cupti_found *found = &system->gpus[system->count];

	found->card = card;
	found->asked = asked;
	found->gpu.index = system->count++;
	found->gpu.cuda_number = TACHO__CUPTI_UNKNOWN;
	if (card)
		describe_card(&found->gpu, card);
	if (asked) {
		describe_asked(&found->gpu, asked);
		if (asked->nvml_index >= 0)
			found->gpu.index = (uint32_t)asked->nvml_index;
		found->gpu.cuda_number = find_number(&system->answers, asked);
	}
	if (!*found->gpu.name)
		snprintf(found->gpu.name, sizeof(found->gpu.name), "NVIDIA GPU");
	return found;
}

static const struct tacho__cupti_asked *find_asked(const struct tacho__cupti_system *system,
						   const struct tacho__nvidia_card *card)
{
	for (uint32_t i = 0; i < system->answers.count; i++) {
		const struct tacho__cupti_asked *asked = &system->answers.gpus[i];

		if ((*card->uuid && !strcasecmp(card->uuid, asked->uuid)) ||
		    (!*card->uuid && *asked->pci && !strcasecmp(card->pci, asked->pci)))
			return asked;
	}
	return NULL;
}

static bool is_there(const struct tacho__cupti_system *system,
		     const struct tacho__cupti_asked *asked)
{
	for (uint32_t i = 0; i < system->count; i++)
		if (system->gpus[i].asked == asked)
			return true;
	return false;
}

static void put_together(struct tacho__cupti_system *system)
{
	const struct tacho__nvidia_tree *tree = &system->tree;

	for (uint32_t i = 0; i < tree->driven; i++)
		add(system, &tree->cards[i], find_asked(system, &tree->cards[i]));
	/* where Windows has the driver, or a container does not show its files */
	for (uint32_t i = 0; i < system->answers.count; i++)
		if (!is_there(system, &system->answers.gpus[i]))
			add(system, NULL, &system->answers.gpus[i]);
	for (uint32_t i = tree->driven; i < tree->count; i++)
		add(system, &tree->cards[i], NULL);
}

/* The GPU of the program's context is known by its UUID. */
static void find_live(struct tacho__cupti_system *system)
{
	const struct tacho__cupti_live *live = system->live;
	const struct tacho__nvidia_tree *tree = &system->tree;
	const struct tacho__nvidia_card *card = NULL;
	struct tacho__cupti_found *found;
	uint32_t index = 0;

	for (uint32_t i = 0; i < tree->driven && !card; i++)
		if (!strcasecmp(tree->cards[i].uuid, live->uuid)) {
			card = &tree->cards[i];
			index = i;
		}
	found = add(system, card, NULL);
	found->gpu.index = index;
	found->gpu.cuda_number = live->device;
	snprintf(found->gpu.uuid, sizeof(found->gpu.uuid), "%s", live->uuid);
	snprintf(found->gpu.chip, sizeof(found->gpu.chip), "%s", live->chip);
}

static struct tacho__cupti_live *get_live(const struct tacho_probe *probe)
{
	struct tacho__cupti_live *live = probe ? tacho__probe_get_options(probe)->handle : NULL;

	return live && live->magic == TACHO__CUPTI_LIVE_MAGIC ? live : NULL;
}

int tacho__cupti_find_gpus(const struct tacho_probe *probe, struct tacho__cupti_system **out_system)
{
	struct tacho__cupti_system *system = calloc(1, sizeof(*system));
	int rc;

	if (!system)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the list of GPUs");
	rc = tacho__nvidia_tree_read(probe, &system->tree);
	if (rc) {
		free(system);
		return rc;
	}
	system->live = get_live(probe);
	if (system->live) {
		find_live(system);
	} else {
		if (!system->tree.is_foreign && (system->tree.driven || system->tree.is_wsl))
			ask(system);
		put_together(system);
	}
	*out_system = system;
	return 0;
}

int tacho__cupti_find_gpu(const struct tacho_probe *probe, size_t index,
			  struct tacho__cupti_system **out_system)
{
	struct tacho__cupti_system *system;
	int rc = tacho__cupti_find_gpus(probe, &system);

	if (rc)
		return rc;
	if (index >= system->count) {
		free(system);
		return tacho__fail(TACHO_E_NODEVICE, "it is not there any more",
				   "make a context again", "the GPU cannot be opened");
	}
	*out_system = system;
	return 0;
}
