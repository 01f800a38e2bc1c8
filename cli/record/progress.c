/* SPDX-License-Identifier: MIT */
/* The progress line: redrawn in place with carriage returns, which every terminal knows. */
#include "record/progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "units.h"

/* Short runs stay silent. */
static const uint64_t INTERVAL_NS = 500000000, FIRST_NS = 1000000000;

void cli_progress_init(struct cli_progress *line, bool wanted)
{
	const char *terminal = getenv("TERM");

	memset(line, 0, sizeof(*line));
	line->enabled = wanted && isatty(STDERR_FILENO) && terminal && *terminal &&
			strcmp(terminal, "dumb") != 0;
}

void cli_progress_draw(struct cli_progress *line, const char *text)
{
	int length = (int)strlen(text);

	if (!line->enabled)
		return;
	/* The last column stays free: there some terminals move to the next line. */
	if (length >= (int)cli_width(stderr))
		length = (int)cli_width(stderr) - 1;
	/* past the stream, which may have a log behind it */
	dprintf(STDERR_FILENO, "\r%.*s%*s", length, text,
		line->drawn > (unsigned)length ? (int)line->drawn - length : 0, "");
	line->drawn = line->drawn > (unsigned)length ? line->drawn : (unsigned)length;
}

void cli_progress_update(struct cli_progress *line, const struct tacho_progress *progress)
{
	uint64_t due_ns = line->drawn_ns ? line->drawn_ns + INTERVAL_NS : FIRST_NS;
	struct cli_number calls, commands, elapsed;
	char text[160], run[32] = "";

	if (!line->enabled || progress->elapsed_ns < due_ns)
		return;
	if (line->run_count > 1)
		snprintf(run, sizeof(run), "run %u of %u, ", line->run, line->run_count);
	else if (line->pass_count > 1)
		snprintf(run, sizeof(run), "%u passes a launch, ", line->pass_count);
	snprintf(text, sizeof(text), "tacho: %s%s, %s calls, %s commands", run,
		 cli_units_time(&elapsed, progress->elapsed_ns, 3),
		 cli_units_count(&calls, progress->calls),
		 cli_units_count(&commands, progress->commands));
	cli_progress_draw(line, text);
	line->drawn_ns = progress->elapsed_ns;
}

void cli_progress_erase(struct cli_progress *line)
{
	if (line->drawn)
		dprintf(STDERR_FILENO, "\r%*s\r", (int)line->drawn, "");
	line->drawn = 0;
}
