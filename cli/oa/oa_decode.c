/* SPDX-License-Identifier: MIT */
/* tacho oa decode: what reports hold, of a raw dump or of a recording. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tacho/sys/file.h>
#include <tacho/sys/oa_metrics.h>
#include <tacho/sys/oa_recording.h>

#include "oa/oa.h"
#include "oa/oa_report.h"

enum {
	MAGIC_BYTES = 8,
	EMPTY_BYTES_MAX = 256 << 20, /* twice the largest OA buffer */
};

/* Fewer bytes than `size` only at the end. */
static int read_whole(struct tacho_file *file, uint8_t *bytes, size_t size, size_t *out_size)
{
	size_t done = 0, got = 1;
	int rc = 0;

	while (done < size && got && !rc) {
		rc = tacho_file_read(file, bytes + done, size - done, &got);
		done += rc ? 0 : got;
	}
	*out_size = done;
	return rc;
}

/*
 * Whether the file is a recording: it begins as one, and nothing says that it is raw. What can be
 * read only once, a pipe, is taken for one as standard input is.
 */
static int is_recording(const struct cli_oa_settings *settings, const char *path, bool *out_is)
{
	struct tacho_file file;
	uint8_t bytes[MAGIC_BYTES];
	struct stat status;
	size_t size;
	int rc;

	*out_is = !settings->format && !settings->gen;
	if (strcmp(path, "-") == 0 || !*out_is)
		return CLI_OK;
	/* Who writes to a pipe would be gone when it is opened again. */
	if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode))
		return CLI_OK;
	rc = tacho_file_open(path, &file);
	if (rc)
		return (int)cli_complain_last();
	rc = read_whole(&file, bytes, sizeof(bytes), &size);
	*out_is = !rc && tacho_oa_recording_is(bytes, size);
	tacho_file_close(&file);
	return rc ? (int)cli_complain_last() : CLI_OK;
}

/* The layout of a raw dump. */
static int choose_layout(const struct cli_oa_settings *settings, struct cli_oa_printer *printer)
{
	if (!settings->gen && !settings->format) {
		cli_complain(
			"it is no recording, which would say what wrote it",
			"name the generation, --gen gen8 or --gen chv, and --format when it is "
			"not the usual one",
			"nothing says how these reports are laid out");
		return CLI_USAGE;
	}
	if (!cli_oa_find_gen(settings, 0, &printer->gen))
		return CLI_USAGE;
	if (!settings->format) {
		printer->format = tacho_oa_format_get_usual(printer->gen);
		return CLI_OK;
	}
	if (tacho_oa_format_find(settings->format, printer->gen, &printer->format) != 0) {
		cli_complain_last();
		return CLI_USAGE;
	}
	if (!printer->gen && printer->format->gen_first != printer->format->gen_last) {
		cli_complain(cli_part("%s to %s write this format",
				      tacho_oa_gen_to_string(printer->format->gen_first),
				      tacho_oa_gen_to_string(printer->format->gen_last)),
			     "name the generation: --gen gen8, for instance",
			     "what the ids of these reports mean depends on the generation");
		return CLI_USAGE;
	}
	if (!printer->gen)
		printer->gen = printer->format->gen_first;
	return CLI_OK;
}

/* One report after another; a part of one at the end is an error after all before it. */
static int decode_stream(struct cli_oa_printer *printer, struct tacho_file *file)
{
	uint32_t size = printer->format->size_bytes;
	uint8_t *bytes = cli_alloc(size);
	uint64_t offset = 0;
	int status = CLI_OK, rc = 0;
	size_t got = 0;

	cli_oa_printer_begin(printer);
	while (printer->empty_run * size <= EMPTY_BYTES_MAX &&
	       !(rc = read_whole(file, bytes, size, &got)) && got == size) {
		cli_oa_printer_add(printer, bytes, size, offset, NULL);
		offset += size;
	}
	cli_oa_printer_end(printer);
	if (rc) {
		status = (int)cli_complain_last();
	} else if (got == size) {
		cli_complain("256 MiB in a row have no report in them", "",
			     "%s is no dump of reports", file->name);
		status = CLI_FAILED;
	} else if (got) {
		cli_complain(cli_part("there are %zu bytes of %u", got, size),
			     "all reports before it were decoded",
			     "%s: the report at byte %" PRIu64 " is cut off", file->name, offset);
		status = CLI_FAILED;
	} else if (!offset) {
		cli_complain("it is empty", "", "%s has no report", file->name);
		status = CLI_NOTHING;
	}
	free(bytes);
	return status;
}

static int decode_raw(struct cli_oa_printer *printer, const char *path)
{
	struct tacho_file file;
	int status;

	if (tacho_file_open(path, &file) != 0)
		return (int)cli_complain_last();
	status = decode_stream(printer, &file);
	tacho_file_close(&file);
	return status;
}

/* Generation and format of the device that the recording names. */
static int choose_recorded(const struct tacho_oa_recording *recording, const char *path,
			   struct cli_oa_printer *printer)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(recording);
	const char *arch = tacho_oa_device_get_arch(device);

	if (!*arch || tacho_oa_gen_find(arch, &printer->gen) != 0) {
		cli_complain("", "extract the reports and name the generation: --gen",
			     "%s: the device 0x%04x is not known", path, device->device_id);
		return CLI_FAILED;
	}
	printer->format = tacho_oa_device_get_format(device, printer->gen);
	if (printer->format)
		return CLI_OK;
	cli_complain("", "", "%s: format %u of %s is not known", path, device->format,
		     tacho_oa_gen_to_string(printer->gen));
	return CLI_FAILED;
}

static int complain_size(const struct cli_oa_printer *printer, const struct tacho_oa_record *record,
			 const char *path)
{
	cli_complain(cli_part("it has %zu bytes, and format %s has %u", record->size,
			      printer->format->name, printer->format->size_bytes),
		     "extract the reports and name their format: --gen, --format",
		     "%s: the report at byte %" PRIu64 " is not in the recorded format", path,
		     record->offset);
	return CLI_FAILED;
}

static int decode_recording(struct cli_oa_printer *printer, const char *path)
{
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;
	int status, rc;

	if (tacho_oa_recording_open(path, &recording) != 0)
		return (int)cli_complain_last();
	status = choose_recorded(recording, path, printer);
	if (status)
		goto out;
	cli_oa_printer_begin(printer);
	while ((rc = tacho_oa_recording_next(recording, &record)) > 0) {
		if (record.kind == TACHO_OA_REPORT && record.size != printer->format->size_bytes)
			break;
		if (record.kind == TACHO_OA_REPORT)
			cli_oa_printer_add(printer, record.bytes, record.size, record.offset,
					   &record);
		else
			cli_oa_printer_add_lost(printer, record.offset,
						record.kind == TACHO_OA_BUFFER_LOST);
	}
	if (rc < 0)
		status = (int)cli_complain_last();
	else if (rc > 0)
		status = complain_size(printer, &record, path);
	cli_oa_printer_end(printer);
	cli_oa_warn_odd(tacho_oa_recording_get_counts(recording));
out:
	tacho_oa_recording_close(recording);
	return status;
}

int cli_oa_decode(const struct cli_oa_settings *settings, char **operands, size_t count)
{
	struct cli_oa_printer printer = {
		.source = settings->source > 0 ? TACHO_OA_SOURCE_MI_RPC : TACHO_OA_SOURCE_PERIODIC,
		.style = settings->json	 ? CLI_OA_JSON
			 : settings->csv ? CLI_OA_CSV
					 : CLI_OA_TEXT,
		.stream = stdout,
	};
	bool recording;
	int status = is_recording(settings, operands[0], &recording);

	if (!status && recording)
		return decode_recording(&printer, operands[0]);
	if (!status)
		status = choose_layout(settings, &printer);
	return status ? status : decode_raw(&printer, operands[0]);
}
