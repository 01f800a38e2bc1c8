/* SPDX-License-Identifier: MIT */
/* What the lists of `tacho stat` stand for. Events have commas between slashes. */
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/counting.h>

#include "stat/stat.h"

static const char blanks[] = " \t\r\n";

/* "cpu/event=0x3c,umask=1/": one that the device lists, or a new one. */
static int add_event(struct cli_plan_list *list, const char *text, struct tacho_device *device)
{
	const struct tacho_arch *arch = tacho_device_get_arch(device);
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, text);

	if ((!entry && tacho_device_define_entry(device, text, &entry) != 0) ||
	    tacho_config_check_entry(arch, tacho_device_get_model(device), entry) != 0)
		return (int)cli_complain_last();
	cli_plan_add_name(list, entry->name);
	return CLI_OK;
}

static bool is_unknown(const struct tacho_arch *arch, const char *word)
{
	const struct tacho_entry **entries;
	size_t count;
	int rc = tacho_arch_list_entries(arch, word, &entries, &count);

	if (!rc)
		free(entries);
	return rc == TACHO_E_NOTFOUND;
}

static int add_word(struct cli_plan_list *list, const char *word, struct tacho_device *device)
{
	static const struct cli_catalog_choice every;
	const struct tacho_arch *arch = tacho_device_get_arch(device);

	if (strchr(word, '/') && !strpbrk(word, "*?["))
		return add_event(list, word, device);
	if (is_unknown(arch, word))
		return cli_count_complain_unknown(word, arch, false);
	return cli_plan_add_names(list, word, &every, arch, tacho_device_get_model(device));
}

/* Bytes up to the comma that ends a word. */
static size_t measure(const char *text)
{
	size_t size = 0;
	bool is_event = false;

	for (; text[size] && (is_event || text[size] != ','); size++)
		if (text[size] == '/')
			is_event = !is_event;
	return size;
}

static int add_list(struct cli_plan_list *list, const char *names, struct tacho_device *device)
{
	int status = CLI_OK;

	while (*names && !status) {
		const char *next = names + measure(names);
		size_t size;
		char *word;

		names += strspn(names, blanks);
		size = names < next ? (size_t)(next - names) : 0;
		while (size && strchr(blanks, names[size - 1]))
			size--;
		word = cli_format("%.*s", (int)size, names);
		if (*word)
			status = add_word(list, word, device);
		free(word);
		names = *next ? next + 1 : next;
	}
	return status;
}

static int add_file(struct cli_plan_list *list, const char *path, struct tacho_device *device)
{
	struct tacho_counter_list *names;
	int status = CLI_OK;

	if (tacho_counter_list_read(path, &names) != 0)
		return (int)cli_complain_last();
	for (size_t i = 0; i < names->name_count && !status; i++)
		status = add_word(list, names->names[i], device);
	tacho_counter_list_destroy(names);
	return status;
}

int cli_stat_add_names(struct cli_plan_list *list, const char *names, struct tacho_device *device)
{
	return *names == '@' ? add_file(list, names + 1, device) : add_list(list, names, device);
}
