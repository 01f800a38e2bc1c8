/* SPDX-License-Identifier: MIT */
/* Conditions on changes: 'time > +3%'. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "suggest.h"

enum { KNOWN_MAX = 256 };

static const char *const operators[] = {">=", "<=", "!=", ">", "<"};

static bool holds(const char *operator, double change, double value)
{
	bool or_equal = operator[1] == '=';

	switch (*operator) {
	case '>': return or_equal ? change >= value : change > value;
	case '<': return or_equal ? change <= value : change < value;
	default: return change != value;
	}
}

/* Units of absolute changes, in the base units that measures have. */
static const struct {
	const char *text, *unit;
	double factor;
} units[] = {
	{"ns", "nanoseconds", 1},  {"us", "nanoseconds", 1e3}, {"ms", "nanoseconds", 1e6},
	{"s", "nanoseconds", 1e9}, {"B", "bytes", 1},	       {"kB", "bytes", 1e3},
	{"MB", "bytes", 1e6},	   {"GB", "bytes", 1e9},
};

static bool complain(const char *text, const char *cause)
{
	cli_complain(cause,
		     "write a name, one of > >= < <= != and a change with its sign: "
		     "--fail-if 'time > +3%'",
		     "the condition \"%s\" cannot be read", text);
	return false;
}

static bool parse_value(const char *text, const char *from, struct cli_condition *condition)
{
	char *end;

	if (*from != '+' && *from != '-')
		return complain(text, "the change has no sign");
	if (!isdigit((unsigned char)from[1]) && from[1] != '.')
		return complain(text, "there is no number behind the sign");
	condition->value = strtod(from, &end);
	if (end == from || !isfinite(condition->value))
		return complain(text, "there is no number behind the sign");
	while (*end == ' ')
		end++;
	if (strcmp(end, "%") == 0) {
		condition->is_relative = true;
		condition->value /= 100;
		return true;
	}
	if (!*end)
		return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(end, units[i].text) == 0) {
			condition->value *= units[i].factor;
			return true;
		}
	return complain(text, "the unit is none of % ns us ms s B kB MB GB");
}

bool cli_condition_parse(const char *text, struct cli_condition *out_condition)
{
	struct cli_condition condition = {.text = text};
	const char *name = text, *at, *end = text;

	while (*name == ' ')
		name++;
	at = name + strcspn(name, "<>!=");
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]) && !condition.operator; i++)
		if (strncmp(at, operators[i], strlen(operators[i])) == 0) {
			condition.operator= operators[i];
			end = at + strlen(operators[i]);
		}
	if (!condition.operator)
		return complain(text, "it has none of > >= < <= !=");
	while (at > name && at[-1] == ' ')
		at--;
	if (at == name)
		return complain(text, "it has no name");
	while (*end == ' ')
		end++;
	if (!parse_value(text, end, &condition))
		return false;
	condition.key = cli_format("%.*s", (int)(at - name), name);
	*out_condition = condition;
	return true;
}

void cli_condition_finish(struct cli_condition *condition)
{
	free(condition->key);
	free(condition->lines);
}

bool cli_diff_has(const struct tacho_diff_measure *measure)
{
	return measure->sides[0].count || measure->sides[1].count;
}

const struct tacho_diff_measure *cli_condition_get_measure(const struct cli_condition *condition,
							   const struct tacho_diff_line *line)
{
	const struct tacho_diff_measure *found = NULL;

	for (size_t i = 0; i < line->measure_count; i++)
		if (strcmp(line->measures[i].name, condition->key) == 0 &&
		    (!found || !cli_diff_has(found)))
			found = &line->measures[i];
	return found;
}

static bool is_known(const struct cli_condition *condition, const struct cli_diff *diff)
{
	const char *known[KNOWN_MAX + 1] = {0}, *name, *nearest;
	size_t count = 0;

	if (diff->turns && strcmp(diff->wall.name, condition->key) == 0)
		return true;
	for (size_t i = 0; (name = tacho_diff_get_measure_name(diff->diff, i)); i++) {
		if (strcmp(name, condition->key) == 0)
			return true;
		if (count < KNOWN_MAX)
			known[count++] = name;
	}
	nearest = cli_suggest(condition->key, known);
	cli_complain(
		count > 3 ? "neither recording has it" : "the recordings have no counters",
		nearest ? cli_part("did you mean %s?", nearest)
			: "known: time, total, count, counters that were recorded, and wall with "
			  "--run",
		"\"%s\" in the condition \"%s\" is not known", condition->key, condition->text);
	return false;
}

static bool is_fulfilled(const struct cli_condition *condition,
			 const struct tacho_diff_measure *measure)
{
	double change = measure->difference;

	if (condition->is_relative && measure->has_change)
		change = measure->change;
	else if (condition->is_relative && change != 0)
		change = change > 0 ? INFINITY : -INFINITY;
	return holds(condition->operator, change, condition->value);
}

bool cli_condition_can_tell(const struct cli_diff *diff)
{
	return diff->any || (diff->groups[0].count > 1 && diff->groups[1].count > 1);
}

static void look_at(struct cli_condition *condition, const struct cli_diff *diff,
		    const struct tacho_diff_line *line)
{
	const struct tacho_diff_measure *measure = cli_condition_get_measure(condition, line);

	if (!measure || !measure->has_difference || !is_fulfilled(condition, measure))
		return;
	if (diff->any || measure->verdict == TACHO_DIFF_DIFFERS)
		condition->lines[condition->line_count++] = line;
	else if (measure->verdict != TACHO_DIFF_NOISE)
		condition->unsure++;
}

bool cli_condition_decide(struct cli_condition *condition, const struct cli_diff *diff)
{
	if (!is_known(condition, diff))
		return false;
	if (!cli_condition_can_tell(diff))
		return true;
	condition->lines =
		cli_alloc((diff->line_count + 1) * sizeof(const struct tacho_diff_line *));
	look_at(condition, diff, &diff->whole);
	for (size_t i = 0; i < diff->line_count; i++)
		look_at(condition, diff, diff->lines[i]);
	return true;
}
