/* SPDX-License-Identifier: MIT */
#include "format/import/import_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "record/reader.h"
#include "record/whole.h"

enum { TEXT_BYTES_MAX = 4096 };

/* Keys behind "Device NAME ", and the attribute that each is kept as. */
static const struct {
	const char *key, *attribute;
} device_keys[] = {
	{" Platform Vendor", "platform_vendor"},
	{" Platform Name", "platform_name"},
	{" Platform Version", "platform_version"},
	{" CLDriver Version", "driver"},
	{" CLRuntime Version", "version"},
	{" NumberAppAddressBits", "address_bits"},
	{" Board Name", "board_name"},
	{" PCIE device id", "pcie_device_id"},
};

static const char *keep(struct tacho__import_header *header, struct tacho__span value)
{
	return tacho__arena_text(header->arena, value.at, tacho__span_size(value));
}

/* How much of a text is kept where texts are joined. */
static int get_size(struct tacho__span value)
{
	size_t size = tacho__span_size(value);

	return size < TEXT_BYTES_MAX ? (int)size : TEXT_BYTES_MAX;
}

/* Device names with blanks have them as `_` everywhere but here. */
static const char *keep_label(struct tacho__import_header *header, struct tacho__span name)
{
	char *label = tacho__arena_text(header->arena, name.at, tacho__span_size(name));

	for (char *c = label; c && *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f || *c == ',')
			*c = '_';
	return label;
}

static int get_device(struct tacho__import_header *header, struct tacho__span name,
		      struct tacho__import_device **out_device)
{
	const char *label = keep_label(header, name);
	struct tacho__import_device *device;
	struct tacho__buf text = {0};

	if (!label)
		return TACHO_E_NOMEM;
	*out_device = NULL;
	for (size_t i = 0; i < header->device_count; i++)
		if (!strcmp(header->devices[i].label, label))
			*out_device = &header->devices[i];
	if (*out_device || header->device_count == TACHO__IMPORT_DEVICES_MAX)
		return 0;
	device = &header->devices[header->device_count];
	device->label = label;
	tacho__buf_printf(&text, "name=%s\n%s", label,
			  strcmp(label, "CPU_Device") ? "" : "type=cpu\n");
	device->text = tacho__buf_keep(&text, header->arena);
	if (!device->text)
		return TACHO_E_NOMEM;
	header->device_count++;
	*out_device = device;
	return 0;
}

static int add_attribute(struct tacho__import_header *header, struct tacho__span name,
			 const char *attribute, struct tacho__span value)
{
	struct tacho__import_device *device;
	struct tacho__buf text = {0}, line = {0};
	const char *longer;
	bool is_known;
	int rc = get_device(header, name, &device);

	if (rc || !device)
		return rc;
	tacho__buf_printf(&line, "\n%s=", attribute);
	tacho__buf_printf(&text, "%s%s=%.*s\n", device->text, attribute, get_size(value), value.at);
	/* the .atp and the .csv of a session tell the same */
	is_known = !line.failed && (!strncmp(device->text, line.text + 1, line.size - 1) ||
				    strstr(device->text, line.text));
	text.failed |= line.failed;
	tacho__buf_finish(&line);
	if (is_known) {
		tacho__buf_finish(&text);
		return 0;
	}
	longer = tacho__buf_keep(&text, header->arena);
	if (!longer)
		return TACHO_E_NOMEM;
	device->text = longer;
	return 0;
}

static int take_device(struct tacho__import_header *header, struct tacho__span key,
		       struct tacho__span value)
{
	key.at += strlen("Device ");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(device_keys); i++) {
		if (!tacho__span_ends(key, device_keys[i].key))
			continue;
		key.end -= strlen(device_keys[i].key);
		return tacho__span_size(key)
			       ? add_attribute(header, key, device_keys[i].attribute, value)
			       : 0;
	}
	return 0;
}

static int take_excluded(struct tacho__import_header *header, struct tacho__span value)
{
	struct tacho__buf text = {0};

	if (!tacho__span_size(value) ||
	    (header->excluded && strlen(header->excluded) > TEXT_BYTES_MAX))
		return 0;
	tacho__buf_printf(&text, "%s%s%.*s", header->excluded ? header->excluded : "",
			  header->excluded ? ", " : "", get_size(value), value.at);
	header->excluded = tacho__buf_keep(&text, header->arena);
	return header->excluded ? 0 : TACHO_E_NOMEM;
}

static const char *const gap_keys[] = {"NotWhole", "Lost", "LeftOut", "Unfinished"};

/* The files of a session tell the same. */
static int take_gap(struct tacho__import_header *header, const char *key, struct tacho__span value)
{
	struct tacho__import_gap **at = &header->gaps, *gap;
	const char *text = keep(header, value);

	if (!text)
		return TACHO_E_NOMEM;
	for (; *at; at = &(*at)->next)
		if ((*at)->key == key && !strcmp((*at)->value, text))
			return 0;
	gap = tacho__arena_get(header->arena, sizeof(*gap));
	if (!gap)
		return TACHO_E_NOMEM;
	gap->key = key;
	gap->value = text;
	*at = gap;
	return 0;
}

static int take_pair(struct tacho__import_header *header, struct tacho__span key,
		     struct tacho__span value)
{
	const struct {
		const char *key, **target;
	} texts[] = {
		{"Generator", &header->generator},
		{"ProfilerVersion", &header->profiler},
		{"Application", &header->application},
		{"ApplicationArgs", &header->arguments},
		{"ApplicationArg", &header->arguments},
		{"WorkingDirectory", &header->directory},
		{"OS Version", &header->os},
		{"DisplayName", &header->display},
		{"API", &header->api},
		{"CountersFrom", &header->counters_from},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(texts); i++)
		if (tacho__span_is(key, texts[i].key)) {
			if (!*texts[i].target)
				*texts[i].target = keep(header, value);
			return *texts[i].target ? 0 : TACHO_E_NOMEM;
		}
	if (tacho__span_is(key, "ListSeparator"))
		header->separator = tacho__span_size(value) ? *value.at : header->separator;
	else if (tacho__span_is(key, "CLExcludedAPIs") || tacho__span_is(key, "HSAExcludedAPIs"))
		return take_excluded(header, value);
	else if (tacho__span_starts(key, "Device "))
		return take_device(header, key, value);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(gap_keys); i++)
		if (tacho__span_is(key, gap_keys[i]))
			return take_gap(header, gap_keys[i], value);
	return 0;
}

int tacho__import_header_take(struct tacho__import_header *header, struct tacho__span line)
{
	const char *equals = memchr(line.at, '=', tacho__span_size(line));
	struct tacho__span key, value;

	if (!equals || memchr(line.at, '\0', tacho__span_size(line)))
		return 0;
	key = (struct tacho__span){line.at, equals};
	value = (struct tacho__span){equals + 1, line.end};
	/* " = " behind devices of an .atp, "=" else; other values keep their blanks */
	if (tacho__span_starts(key, "Device ") && key.end > key.at && key.end[-1] == ' ') {
		key.end--;
		value.at += value.at < value.end && *value.at == ' ';
	}
	return take_pair(header, tacho__span_trim(key), value);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

int tacho__import_header_fill(const struct tacho__import_header *header, struct tacho_run *run)
{
	static const char build[] = " Build ";
	const char *os = or_empty(header->os), *at = NULL;
	struct tacho__buf generator = {0};

	for (const char *next = strstr(os, build); next; next = strstr(next + 1, build))
		at = next;
	run->generator = or_empty(header->generator);
	if (!header->generator && header->profiler) {
		tacho__buf_printf(&generator, "profiler %s", header->profiler);
		run->generator = tacho__buf_keep(&generator, header->arena);
	}
	run->application = or_empty(header->application);
	run->arguments = or_empty(header->arguments);
	run->working_directory = or_empty(header->directory);
	run->os_name = at ? tacho__arena_text(header->arena, os, (size_t)(at - os)) : os;
	run->os_release = at ? at + strlen(build) : "";
	run->host = run->via = run->why_empty = run->why_uncounted = "";
	run->exit_status = -1;
	return run->generator && run->os_name ? 0 : TACHO_E_NOMEM;
}

/* "2 calls not recorded: ...": the number goes to where it was. */
static void add_loss(struct tacho_losses *losses, const char *value)
{
	struct tacho_loss loss;
	char *text;
	uint64_t count = strtoull(value, &text, 10);

	for (size_t i = 0; *text == ' ' && tacho__losses_get(losses, i, &loss); i++)
		if (!strcmp(loss.text, text + 1))
			*tacho__losses_count(losses, i) = count;
}

static int add_bound(struct tacho_recording *recording, const char *value)
{
	char *text;

	if (tacho__array_reserve(&recording->bounds, &recording->bound_capacity,
				 recording->bound_count, sizeof(*recording->bounds)))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a function");
	recording->bounds[recording->bound_count].calls = strtoull(value, &text, 10);
	recording->bounds[recording->bound_count++].function = *text == ' ' ? text + 1 : text;
	return 0;
}

int tacho__import_header_tell(const struct tacho__import_header *header,
			      struct tacho_recording *recording)
{
	int rc = 0;

	for (const struct tacho__import_gap *gap = header->gaps; gap && !rc; gap = gap->next) {
		const struct tacho_fault fault = {.what = gap->value, .path = ""};

		if (!strcmp(gap->key, "NotWhole"))
			rc = tacho__fault_add(recording, &fault, 0);
		else if (!strcmp(gap->key, "Lost"))
			add_loss(&recording->losses, gap->value);
		else if (!strcmp(gap->key, "LeftOut"))
			rc = add_bound(recording, gap->value);
		else
			recording->run.is_unfinished = 1;
	}
	return rc;
}

bool tacho__import_header_find(const struct tacho__import_header *header, struct tacho__span text,
			       size_t *out_size)
{
	size_t longest = 0;

	for (size_t i = 0; i < header->device_count; i++) {
		size_t size = strlen(header->devices[i].label);

		if (size > longest && tacho__span_starts(text, header->devices[i].label))
			longest = size;
	}
	if (longest)
		*out_size = longest;
	return longest != 0;
}
