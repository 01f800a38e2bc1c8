/* SPDX-License-Identifier: MIT */
/* What each device did, and what its driver says of it. */
#include "format/html/html.h"

#include <stdbool.h>
#include <string.h>

#include "tacho/sys/units.h"

static const char *get_name(const struct tacho_summary_device *device)
{
	return device->device && *device->device->name ? device->device->name : "unknown device";
}

static void put_time(FILE *stream, const struct tacho_summary_device *device, uint64_t ns)
{
	char text[TACHO_UNITS_MAX];

	if (device->state == TACHO_STATE_ABSENT)
		tacho__html_put_absent(stream, device->reason);
	else
		tacho__html_put_number(stream, ns, tacho_units_time(text, ns, 3));
}

static void put_use(FILE *stream, const struct tacho_summary_device *device)
{
	uint64_t whole = device->busy_ns + device->idle_ns;
	double percent = whole ? 100.0 * (double)device->busy_ns / (double)whole : 0;
	char text[TACHO_UNITS_MAX];

	if (device->state == TACHO_STATE_ABSENT || !whole || device->unknown_ns) {
		tacho__html_put_absent(stream, device->reason);
		return;
	}
	tacho__html_put_share(stream, percent, tacho_units_share(text, device->busy_ns, whole));
}

/* The driver's own words. */
static void put_attributes(FILE *stream, const struct tacho_object *device)
{
	static const struct {
		const char *key, *label;
	} attributes[] = {{"type", "type"},
			  {"vendor", "vendor"},
			  {"version", "version"},
			  {"driver", "driver"},
			  {"platform_name", "platform"},
			  {"platform_version", "platform version"},
			  {"compute_units", "compute units"}};
	bool any = false;

	for (size_t i = 0; device && i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		const char *value = tacho_object_get(device, attributes[i].key);

		if (!value || !*value)
			continue;
		tacho__html_print(stream, "%s%s: %s", any ? "; " : "", attributes[i].label, value);
		any = true;
	}
}

static bool has_unknown(const struct tacho__html *page)
{
	const struct tacho_summary_device *device;

	for (size_t i = 0; (device = tacho_summary_get_device(page->summary, i)); i++)
		if (device->unknown_ns)
			return true;
	return false;
}

static void put_row(const struct tacho__html *page, const struct tacho_summary_device *device)
{
	FILE *stream = page->stream;
	char text[TACHO_UNITS_MAX];

	tacho__html_print(stream, "<tr><th scope=\"row\"><span class=\"name\">%s</span></th>",
			  get_name(device));
	tacho__html_put_number(stream, device->commands, tacho_units_count(text, device->commands));
	put_time(stream, device, device->busy_ns);
	put_time(stream, device, device->idle_ns);
	if (has_unknown(page))
		put_time(stream, device, device->unknown_ns);
	put_use(stream, device);
	fputs("<td class=\"words\">", stream);
	put_attributes(stream, device->device);
	fputs("</td></tr>\n", stream);
}

static void put_remark(const struct tacho__html *page, const struct tacho_summary_device *device,
		       size_t *told)
{
	uint64_t missing = device->commands - device->measured;
	char text[3][TACHO_UNITS_MAX];

	if (!missing && !*device->reason && !(device->clock && *device->clock))
		return;
	if (!(*told)++)
		fputs("<ul class=\"reasons\">\n", page->stream);
	tacho__html_print(page->stream, "<li><b>%s</b> ", get_name(device));
	if (missing)
		tacho__html_print(page->stream, "%s of %s commands have no times",
				  tacho_units_count(text[0], missing),
				  tacho_units_count(text[1], device->commands));
	if (missing && device->unknown_ns)
		tacho__html_print(page->stream, ", so for %s it is not known whether it was busy",
				  tacho_units_time(text[2], device->unknown_ns, 3));
	if (*device->reason)
		tacho__html_print(page->stream, "%s%s", missing ? ": " : "", device->reason);
	else if (!missing)
		tacho__html_print(
			page->stream, "its times are placed on the host's clock within %s (%s)",
			tacho_units_time(text[0], device->uncertainty_ns, 3), device->clock);
	fputs("</li>\n", page->stream);
}

void tacho__html_put_devices(const struct tacho__html *page)
{
	const struct tacho_summary_device *device;
	FILE *stream = page->stream;
	size_t told = 0;

	tacho__html_begin_section(page, "devices", "Devices");
	if (!tacho_summary_get_device(page->summary, 0)) {
		fprintf(stream, "<p class=\"none\">%s</p>\n</section>\n",
			tacho_summary_get_totals(page->summary)->commands
				? "it is not known which device got work"
				: "no work of a device is recorded");
		return;
	}
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"devices-title\">\n<table class=\"data\">\n"
	      "<caption>between its first and its last command</caption>\n"
	      "<thead><tr><th scope=\"col\" data-sort=\"text\">device</th>"
	      "<th scope=\"col\" data-sort=\"number\">commands</th>"
	      "<th scope=\"col\" data-sort=\"number\" title=\"while at least one command ran\">busy"
	      "</th><th scope=\"col\" data-sort=\"number\" title=\"while none ran\">idle</th>",
	      stream);
	if (has_unknown(page))
		fputs("<th scope=\"col\" data-sort=\"number\" title=\"while only commands without "
		      "times can have run\">not known</th>",
		      stream);
	fputs("<th scope=\"col\" data-sort=\"number\" title=\"busy, of busy and idle\">use</th>"
	      "<th scope=\"col\" data-sort=\"no\">the driver says</th></tr></thead>\n<tbody>\n",
	      stream);
	for (size_t i = 0; (device = tacho_summary_get_device(page->summary, i)); i++)
		put_row(page, device);
	fputs("</tbody></table></div>\n", stream);
	for (size_t i = 0; (device = tacho_summary_get_device(page->summary, i)); i++)
		put_remark(page, device, &told);
	fputs(told ? "</ul>\n</section>\n" : "</section>\n", stream);
}
