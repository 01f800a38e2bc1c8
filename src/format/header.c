/* SPDX-License-Identifier: MIT */
#include "format/header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/character.h"
#include "base/error.h"
#include "base/utf8.h"
#include "format/label.h"
#include "record/whole.h"
#include "tacho/summary.h"

static int put_line(const struct tacho__header *header, const char *key, const char *equals,
		    const char *value)
{
	static const char cut[] = "...";
	struct tacho__buf line = {0};
	size_t size;
	int rc = 0;

	tacho__buf_printf(&line, "%s%s%s", header->prefix, key, equals);
	tacho__text_put(&line, value);
	if (line.failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the line %s", key);
	size = line.size;
	if (!rc && header->line_max && size > header->line_max) {
		size = tacho__utf8_fit(line.text, size, header->line_max - strlen(cut));
		fwrite(line.text, 1, size, header->stream);
		fprintf(header->stream, "%s\n", cut);
	} else if (!rc) {
		fprintf(header->stream, "%s\n", tacho__buf_text(&line));
	}
	tacho__buf_finish(&line);
	return rc;
}

int tacho__header_put(const struct tacho__header *header, const char *key, const char *value)
{
	return put_line(header, key, "=", value);
}

int tacho__header_put_run(const struct tacho__header *header, const struct tacho_run *run)
{
	int rc = tacho__header_put(header, "Application", run->application);

	return rc ? rc : tacho__header_put(header, "ApplicationArgs", run->arguments);
}

int tacho__header_put_system(const struct tacho__header *header, const struct tacho_run *run,
			     const char *session)
{
	struct tacho__buf os = {0};
	int rc;

	tacho__buf_printf(&os, "%s Build %s", run->os_name, run->os_release);
	rc = os.failed ? TACHO_E_NOMEM : tacho__header_put(header, "OS Version", os.text);
	tacho__buf_finish(&os);
	return rc ? rc : tacho__header_put(header, "DisplayName", session);
}

static int put_device(const struct tacho__header *header, const char *name,
		      const struct tacho_object *device)
{
	static const struct {
		const char *key, *attribute;
	} lines[] = {
		{"Platform Vendor", "platform_vendor"},
		{"Platform Name", "platform_name"},
		{"Platform Version", "platform_version"},
		{"CLDriver Version", "driver"},
		{"CLRuntime Version", "version"},
		{"NumberAppAddressBits", "address_bits"},
		{"Board Name", "board_name"},
		{"PCIE device id", "pcie_device_id"},
	};
	struct tacho__buf key = {0};
	int rc = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(lines) && !rc; i++) {
		const char *value = tacho_object_get(device, lines[i].attribute);

		if (!value)
			continue;
		tacho__buf_clear(&key);
		tacho__buf_printf(&key, "Device %s %s", name, lines[i].key);
		rc = key.failed ? TACHO_E_NOMEM
				: put_line(header, key.text, header->device_equals, value);
	}
	tacho__buf_finish(&key);
	return rc;
}

static int find_repeated(const struct tacho_cursor *cursor, size_t index, const char *name,
			 bool *out_found)
{
	struct tacho__buf other_name = {0};
	bool found = false, failed = false;

	for (size_t i = 0; i < index && !found && !failed; i++) {
		const struct tacho_object *other = tacho_cursor_get_object(cursor, i);

		if (other->kind != TACHO_OBJECT_DEVICE)
			continue;
		tacho__buf_clear(&other_name);
		tacho__label_put_device(&other_name, other);
		failed = other_name.failed;
		found = !strcmp(name, tacho__buf_text(&other_name));
	}
	tacho__buf_finish(&other_name);
	*out_found = found;
	return failed ? TACHO_E_NOMEM : 0;
}

int tacho__header_put_devices(const struct tacho__header *header, const struct tacho_cursor *cursor)
{
	const struct tacho_object *device;
	struct tacho__buf name = {0};
	bool is_repeated = false;
	int rc = 0;

	for (size_t i = 0; !rc && (device = tacho_cursor_get_object(cursor, i)); i++) {
		if (device->kind != TACHO_OBJECT_DEVICE)
			continue;
		tacho__buf_clear(&name);
		tacho__label_put_device(&name, device);
		rc = name.failed ? TACHO_E_NOMEM
				 : find_repeated(cursor, i, tacho__buf_text(&name), &is_repeated);
		if (!rc && !is_repeated)
			rc = put_device(header, tacho__buf_text(&name), device);
	}
	tacho__buf_finish(&name);
	return rc;
}

/* ---- what is missing ---- */

static int put_count(const struct tacho__header *header, const char *key, uint64_t count,
		     const char *text)
{
	struct tacho__buf line = {0};
	int rc;

	tacho__buf_printf(&line, "%" PRIu64 " %s", count, text);
	rc = line.failed ? TACHO_E_NOMEM : tacho__header_put(header, key, line.text);
	tacho__buf_finish(&line);
	return rc;
}

static int put_faults(const struct tacho__header *header, const struct tacho_recording *recording)
{
	const struct tacho_fault *fault;
	int rc = 0;

	for (size_t i = 0; !rc && (fault = tacho_recording_get_fault(recording, i)); i++) {
		char *text;

		rc = tacho_fault_format(fault, &text);
		if (rc)
			break;
		rc = tacho__header_put(header, "NotWhole", text);
		free(text);
	}
	return rc;
}

int tacho__header_put_gaps(const struct tacho__header *header,
			   const struct tacho_recording *recording)
{
	struct tacho_summary_totals totals = {0};
	const struct tacho_bound *bound;
	struct tacho_loss loss;
	int rc = put_faults(header, recording);

	if (!rc && tacho_recording_get_run(recording)->is_unfinished)
		rc = tacho__header_put(header, "Unfinished", "True");
	tacho_recording_sum_losses(recording, &totals.losses);
	for (size_t i = 0; !rc && tacho_summary_totals_get_loss(&totals, i, &loss); i++)
		if (loss.count)
			rc = put_count(header, "Lost", loss.count, loss.text);
	for (size_t i = 0; !rc && (bound = tacho_recording_get_bound(recording, i)); i++)
		if (bound->calls)
			rc = put_count(header, "LeftOut", bound->calls, bound->function);
	return rc;
}
