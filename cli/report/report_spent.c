/* SPDX-License-Identifier: MIT */
/* How the report begins: what the wall time went to. */
#include "report/report.h"

#include "table.h"
#include "terminal.h"
#include "text.h"

/* What lines of the host are; where the table is too narrow for it, it stands below. */
#define HOST "host: no device busy"

enum { HEAD_WIDTH = 72 };
enum { FUNCTIONS_MAX = 3, KINDS = TACHO_SPENT_UNKNOWN + 1 };

static bool is_api(enum tacho_spent spent)
{
	return spent == TACHO_SPENT_BUILD || spent == TACHO_SPENT_WAIT || spent == TACHO_SPENT_API;
}

static void add_row(struct cli_table *table, const char *title, const struct tacho_spent_part *part,
		    uint64_t whole_ns)
{
	struct cli_number time, share, calls;
	const char *cells[] = {title, cli_units_time(&time, part->ns, 3),
			       cli_units_share(&share, part->ns, whole_ns),
			       part->calls ? cli_units_count(&calls, part->calls) : ""};

	cli_table_add(table, cells);
}

/* The functions that matter; the rest of them is in the line above. */
static void add_functions(struct cli_table *table, const struct cli_report *report,
			  enum tacho_spent kind, uint64_t whole_ns)
{
	const struct tacho_spent_part *part;
	unsigned shown = 0;

	for (size_t i = 0; (part = tacho_summary_get_spent(report->summary, i)); i++)
		if (part->spent == kind && part->ns >= whole_ns / 100 && shown++ < FUNCTIONS_MAX)
			add_row(table, cli_table_format(table, "  %s", part->function), part,
				whole_ns);
}

/* Kinds, the longest first, each with its functions. */
static void print_table(const struct cli_report *report, FILE *stream, unsigned width)
{
	const struct tacho_breakdown *breakdown = tacho_summary_get_breakdown(report->summary);
	uint64_t whole_ns = breakdown->total_ns;
	static const char *const heads[2][2] = {{"time", "wall time"},
						{"time (" HOST ")", "wall time (" HOST ")"}};
	const char *head = heads[width >= HEAD_WIDTH][breakdown->is_wall != 0];
	const struct cli_column columns[] = {
		{head, false}, {"time", true}, {"share", true}, {"calls", true}};
	struct tacho_spent_part sums[KINDS] = {0};
	const struct tacho_spent_part *part;
	struct cli_table table;

	for (size_t i = 0; (part = tacho_summary_get_spent(report->summary, i)); i++)
		sums[part->spent].ns += part->ns;
	cli_table_init(&table, columns, 4);
	for (;;) {
		unsigned longest = 0;

		for (unsigned kind = 1; kind < KINDS; kind++)
			if (sums[kind].ns > sums[longest].ns)
				longest = kind;
		if (!longest)
			break;
		add_row(&table, tacho_spent_get_title((enum tacho_spent)longest), &sums[longest],
			whole_ns);
		if (is_api((enum tacho_spent)longest))
			add_functions(&table, report, (enum tacho_spent)longest, whole_ns);
		sums[longest].ns = 0;
	}
	cli_table_print(&table, stream, width);
	cli_table_finish(&table);
}

/* Whose calls these are, and how far the numbers can be trusted. */
static void print_remarks(const struct cli_report *report, const struct tacho_breakdown *breakdown,
			  FILE *stream, unsigned width)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(report->summary);
	struct cli_number number;

	if (width < HEAD_WIDTH)
		cli_text_print(stream, 2, 4, width, HOST);
	if (breakdown->process && totals->threads > 1)
		cli_text_print(stream, 2, 4, width,
			       "calls: of thread %u/%u, of %s threads the one that was in the API "
			       "longest while no device was busy",
			       breakdown->process->pid, breakdown->thread,
			       cli_units_count(&number, totals->threads));
	if (breakdown->untimed)
		cli_text_print(stream, 2, 4, width,
			       "devices were busy for longer: %s of their commands have no times",
			       cli_units_count(&number, breakdown->untimed));
	if (breakdown->uncertain_ns > breakdown->total_ns / 1000)
		cli_text_print(stream, 2, 4, width,
			       "at most %s stand in a wrong line: device times came late",
			       cli_units_time(&number, breakdown->uncertain_ns, 3));
}

void cli_report_print_spent(const struct cli_report *report, FILE *stream, unsigned width)
{
	const struct tacho_breakdown *breakdown = tacho_summary_get_breakdown(report->summary);

	if (!breakdown)
		return;
	cli_text_print(stream, 0, 0, width, "%s", breakdown->headline);
	fputc('\n', stream);
	if (report->key_only)
		return;
	print_table(report, stream, width);
	print_remarks(report, breakdown, stream, width);
	fputc('\n', stream);
}

bool cli_report_is_of_api(const struct tacho_summary *summary)
{
	const struct tacho_spent_part *part;
	uint64_t api_ns = 0, device_ns = 0;

	for (size_t i = 0; (part = tacho_summary_get_spent(summary, i)); i++) {
		api_ns += is_api(part->spent) ? part->ns : 0;
		device_ns += part->spent <= TACHO_SPENT_TRANSFERS ? part->ns : 0;
	}
	part = tacho_summary_get_spent(summary, 0);
	return part && (is_api(part->spent) || api_ns > device_ns);
}

void cli_report_add_spent(struct tacho_json *json, const struct tacho_summary *summary)
{
	const struct tacho_breakdown *breakdown = tacho_summary_get_breakdown(summary);
	const struct tacho_spent_part *part;

	if (!breakdown) {
		tacho_json_add_null(json, "breakdown");
		return;
	}
	tacho_json_begin_object(json, "breakdown");
	tacho_json_add_string(json, "headline", breakdown->headline);
	tacho_json_add_unsigned(json, "total_ns", breakdown->total_ns);
	tacho_json_add_bool(json, "is_wall", breakdown->is_wall != 0);
	tacho_json_add_known(json, "pid", breakdown->process != NULL,
			     breakdown->process ? breakdown->process->pid : 0);
	tacho_json_add_known(json, "thread", breakdown->process != NULL, breakdown->thread);
	tacho_json_add_unsigned(json, "uncertain_ns", breakdown->uncertain_ns);
	tacho_json_add_unsigned(json, "untimed_commands", breakdown->untimed);
	tacho_json_begin_array(json, "parts");
	for (size_t i = 0; (part = tacho_summary_get_spent(summary, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "kind", tacho_spent_to_string(part->spent));
		tacho_json_add_string(json, "function", part->function);
		tacho_json_add_unsigned(json, "ns", part->ns);
		tacho_json_add_unsigned(json, "calls", part->calls);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	tacho_json_end(json);
}
