/* SPDX-License-Identifier: MIT */
/* tacho diff --html: the page of the comparison in a file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <tacho/diff.h>

#include "diff/diff.h"
#include "output.h"

static int write_all(void *user, const void *bytes, size_t size)
{
	errno = 0;
	if (fwrite(bytes, 1, size, user) == size)
		return 0;
	return errno ? errno : EIO;
}

int cli_diff_write_page(const struct cli_diff *diff, const char *path, bool overwrite)
{
	struct cli_output output = {0};
	struct tacho_sink sink = {.write = write_all};
	int status;

	if (strcmp(path, "-") == 0) {
		sink.user = stdout;
		return tacho_diff_export_to(diff->diff, &sink) ? (int)cli_complain_last() : CLI_OK;
	}
	status = cli_output_open(&output, path, overwrite);
	if (status != CLI_OK)
		return status;
	sink.user = output.stream;
	if (tacho_diff_export_to(diff->diff, &sink) != 0) {
		status = cli_complain_last();
		cli_output_discard(&output);
	} else if (!cli_output_close(&output)) {
		status = CLI_FAILED;
	}
	return status;
}
