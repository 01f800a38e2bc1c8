/* SPDX-License-Identifier: MIT */
/* Where the numbers come from: counters, passes, processes and clocks; and commands to type. */
#include "base/text.h"
#include "format/html/html.h"

#include <stdbool.h>
#include <string.h>

#include "tacho/sys/units.h"

enum { PROCESSES_MAX = 200 };

static void put_matching(const struct tacho__html *page)
{
	struct tacho_matching matching = {0};

	tacho_cursor_get_matching(page->cursor, &matching);
	if (matching.run_count <= 1)
		return;
	fputs("<p>The program ran ", page->stream);
	tacho__html_put_count(page, matching.run_count, "time", "times");
	fputs(", once for each pass. Of ", page->stream);
	tacho__html_put_count(page, matching.launches, "counted launch", "counted launches");
	fputs(" of the first run, ", page->stream);
	if (!matching.missing && !matching.different && !matching.additional) {
		fputs("all are in every run.</p>\n", page->stream);
		return;
	}
	fputs("some other run lacks ", page->stream);
	tacho__html_put_count(page, matching.missing, "launch", "launches");
	fputs(" and has another size, or another command, for ", page->stream);
	tacho__html_put_count(page, matching.different, "launch", "launches");
	fputs("; other runs have ", page->stream);
	tacho__html_put_count(page, matching.additional, "launch", "launches");
	fputs(" more at their end.</p>\n", page->stream);
}

static const char *describe_replay(enum tacho_replay replay)
{
	switch (replay) {
	case TACHO_REPLAY_KERNEL: return "each launch ran again for each pass";
	case TACHO_REPLAY_PROCESS: return "the program ran again for each pass";
	case TACHO_REPLAY_ROTATE: return "passes took turns over the launches";
	default: return "nothing ran twice";
	}
}

static void put_counter(const struct tacho__html *page, const struct tacho_entry *counter)
{
	tacho__html_print(page->stream,
			  "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td>"
			  "<td class=\"words\">%s</td></tr>\n",
			  counter->name, counter->unit, counter->semantic,
			  counter->is_of_command  ? "what was recorded of the command"
			  : counter->is_simulated ? "a device that does not exist [simulated]"
						  : "the device",
			  counter->description);
}

static void put_counting(const struct tacho__html *page)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(page->recording);
	const struct tacho_entry *counter;
	FILE *stream = page->stream;

	if (!counting) {
		fputs("<p>No counters were asked for.</p>\n", stream);
		return;
	}
	fputs("<p>Counters", stream);
	if (*counting->device)
		tacho__html_print(stream, " of <b>%s</b>", counting->device);
	fputs(" in ", stream);
	tacho__html_put_count(page, counting->pass_count, "pass", "passes");
	tacho__html_print(stream, ": %s.</p>\n", describe_replay(counting->replay));
	put_matching(page);
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Counters asked "
	      "for\">\n<table class=\"data\">\n<caption>the counters that were asked "
	      "for</caption>\n<thead><tr><th scope=\"col\" data-sort=\"text\">counter</th>"
	      "<th scope=\"col\" data-sort=\"text\">unit</th>"
	      "<th scope=\"col\" data-sort=\"text\">adds up as</th>"
	      "<th scope=\"col\" data-sort=\"text\">from</th>"
	      "<th scope=\"col\" data-sort=\"text\">what it is</th></tr></thead>\n<tbody>\n",
	      stream);
	for (size_t i = 0; (counter = tacho_recording_get_counter(page->recording, i)); i++)
		put_counter(page, counter);
	fputs("</tbody></table></div>\n", stream);
}

static void put_process(const struct tacho__html *page, const struct tacho_process *process)
{
	FILE *stream = page->stream;
	char text[TACHO_UNITS_MAX];

	tacho__html_print(stream,
			  "<tr><th scope=\"row\" class=\"num\" data-v=\"%u\">%u</th>"
			  "<td class=\"num\" data-v=\"%u\">%u</td><td class=\"words\"><code>",
			  process->pid, process->pid, process->parent_pid, process->parent_pid);
	tacho__html_put_short(stream, *process->command ? process->command : process->executable,
			      400);
	tacho__html_print(stream, "</code></td><td class=\"words\">%s</td><td>%s</td>",
			  process->loader, process->clock);
	if (*process->clock)
		tacho__html_put_number(stream, process->clock_uncertainty_ns,
				       tacho_units_time(text, process->clock_uncertainty_ns, 3));
	else
		tacho__html_put_absent(stream, "session files do not tell");
	fputs("</tr>\n", stream);
}

static void put_processes(const struct tacho__html *page)
{
	size_t count = tacho_recording_get_process_count(page->recording);
	FILE *stream = page->stream;

	if (!count)
		return;
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Processes and "
	      "their clocks\">\n<table class=\"data\">\n<caption>processes and their clocks"
	      "</caption>\n<thead><tr><th scope=\"col\" data-sort=\"number\">process</th>"
	      "<th scope=\"col\" data-sort=\"number\">parent</th>"
	      "<th scope=\"col\" data-sort=\"text\">command</th>"
	      "<th scope=\"col\" data-sort=\"text\">API's loader</th>"
	      "<th scope=\"col\" data-sort=\"text\">clock</th>"
	      "<th scope=\"col\" data-sort=\"number\">uncertainty</th></tr></thead>\n<tbody>\n",
	      stream);
	for (size_t i = 0; i < count && i < PROCESSES_MAX; i++)
		put_process(page, tacho_recording_get_process(page->recording, i));
	fputs("</tbody></table></div>\n", stream);
	if (count > PROCESSES_MAX)
		fprintf(stream, "<p class=\"rest\">and %zu more</p>\n", count - PROCESSES_MAX);
}

void tacho__html_put_source(const struct tacho__html *page)
{
	tacho__html_begin_section(page, "source", "Where the numbers come from");
	put_counting(page);
	put_processes(page);
	fputs("</section>\n", page->stream);
}

/* ---- commands ---- */

/* Characters that no shell reads as more than themselves. */
static bool is_plain(const char *text, const char *more)
{
	for (const char *c = text; *c; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
		      (*c >= '0' && *c <= '9') || strchr("_-./=:,+@%", *c) || strchr(more, *c)))
			return false;
	return *text != '\0';
}

static bool has_control(const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c < ' ' || *c == 0x7f)
			return true;
	return false;
}

/* A word for the shell, quoted where it must be. */
static void put_word(FILE *stream, const char *word)
{
	char one[2] = "";

	if (is_plain(word, "")) {
		tacho__html_put_text(stream, word);
		return;
	}
	tacho__html_put_text(stream, "'");
	for (; *word; word++) {
		one[0] = *word;
		if (*word == '\'')
			tacho__html_put_text(stream, "'\\''");
		else if ((unsigned char)*word < 0x80)
			tacho__html_put_text(stream, one);
		else
			fputc(*word, stream); /* of a character of several bytes */
	}
	tacho__html_put_text(stream, "'");
}

static void begin_command(FILE *stream, const char *what)
{
	tacho__html_print(stream, "<li><span>%s</span> <code class=\"copy\">", what);
}

static void end_command(FILE *stream)
{
	fputs("</code></li>\n", stream);
}

/* The recording's name, as the commands take it. */
static void put_name(FILE *stream, const char *path)
{
	const char *name = tacho__base_name(path);

	if (*name == '-')
		fputs("./", stream);
	put_word(stream, name);
}

/* What was counted, on which device and in which ranges. */
static void put_selection(const struct tacho__html *page,
			  const struct tacho_recorded_counting *counting)
{
	const struct tacho_entry *counter;
	FILE *stream = page->stream;

	if (counting && *counting->device && !has_control(counting->device)) {
		fputs(" -d ", stream);
		put_word(stream, counting->device);
	}
	for (size_t i = 0; (counter = tacho_recording_get_counter(page->recording, i)); i++) {
		fputs(i ? "," : " -m ", stream);
		if (is_plain(counter->name, ""))
			tacho__html_put_text(stream, counter->name);
	}
	for (size_t i = 0; counting && i < counting->range_count; i++) {
		if (has_control(counting->ranges[i]))
			continue;
		fputs(" --range ", stream);
		put_word(stream, counting->ranges[i]);
	}
}

static void put_again(const struct tacho__html *page)
{
	const struct tacho_run *run = tacho_recording_get_run(page->recording);
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(page->recording);
	FILE *stream = page->stream;

	/* Which simulated device it was, or how arguments were quoted, the recording does not say.
	 */
	if ((counting && counting->is_simulated) || !*run->application ||
	    (run->import_note && !*run->arguments) || /* they may not have told */
	    has_control(run->application) || has_control(run->working_directory) ||
	    (*run->arguments && !is_plain(run->arguments, " ")))
		return;
	begin_command(stream, "Record it again");
	if (*run->working_directory) {
		fputs("cd ", stream);
		put_word(stream, run->working_directory);
		fputs(" &amp;&amp; ", stream);
	}
	fputs("tacho record", stream);
	put_selection(page, counting);
	fputs(" -- ", stream);
	put_word(stream, run->application);
	tacho__html_print(stream, "%s%s", *run->arguments ? " " : "", run->arguments);
	end_command(stream);
}

void tacho__html_put_commands(const struct tacho__html *page)
{
	static const struct {
		const char *what, *before, *behind;
	} commands[] = {
		{"The same in a terminal", "tacho report ", " --top 0"},
		{"For scripts", "tacho report ", " --json"},
		{"Every call, a line of JSON each", "tacho export ", " --to jsonl"},
		{"This page again", "tacho export ", " --to html -f"},
	};
	const char *path = tacho_recording_get_path(page->recording);

	if (has_control(path))
		path = "NAME";
	tacho__html_begin_section(page, "commands", "Commands");
	fputs("<ul class=\"commands\">\n", page->stream);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		begin_command(page->stream, commands[i].what);
		fputs(commands[i].before, page->stream);
		put_name(page->stream, path);
		fputs(commands[i].behind, page->stream);
		end_command(page->stream);
	}
	put_again(page);
	fputs("</ul>\n</section>\n", page->stream);
}
