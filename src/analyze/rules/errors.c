/* SPDX-License-Identifier: MIT */
/* Calls that failed, and functions that nobody should call any more. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "backend/device_advice.h"
#include "tacho/error.h"

/* Functions that return a handle give their error through an argument, shown as [ERROR]. */
static const char *error_of(struct tacho_findings *findings, const struct tacho_call *call,
			    char *text, size_t size)
{
	const char *name, *argument;

	for (size_t i = 0; (argument = tacho_cursor_get_argument(findings->cursor, i, &name));
	     i++) {
		if (strcmp(name, "errcode_ret") != 0 || *argument != '[')
			continue;
		snprintf(text, size, "%.*s", (int)strcspn(argument + 1, "]"), argument + 1);
		return text;
	}
	return call->result;
}

/* Such as that a window has another size now. */
static bool is_expected(const struct tacho__api_roles *api, const char *error)
{
	for (const char *const *one = api->expected_errors; *one; one++)
		if (!strcmp(*one, error))
			return true;
	return false;
}

static int take_failure(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_facts *function = seen->function;
	enum tacho__rule_id rule =
		function->is_query ? TACHO__RULE_FAILED_QUERY : TACHO__RULE_FAILED_CALL;
	struct tacho__place place = tacho__seen_place(seen);
	struct tacho__buf *subject = &findings->scratch;
	struct tacho__finding *finding = NULL;
	const char *error;
	char text[64];
	int rc;

	if (!findings->applies[rule])
		return 0;
	error = error_of(findings, seen->call, text, sizeof(text));
	if (function->api && is_expected(function->api, error))
		return 0;
	tacho__buf_clear(subject);
	tacho__buf_printf(subject, "%s with %s", function->name, *error ? error : "an error");
	rc = tacho__findings_check(subject);
	if (!rc)
		rc = tacho__finding_add(findings, rule, tacho__buf_text(subject), &place, 0, NULL,
					&finding);
	if (rc || !finding)
		return rc;
	finding->finding.count += seen->call->repeats;
	if (function->api && !finding->extra)
		finding->extra = tacho__advice_find(function->api->api, function->name, error);
	return 0;
}

static int take_deprecated(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct tacho__place place = tacho__seen_place(seen);
	struct tacho__finding *finding = NULL;
	int rc = tacho__finding_add(findings, TACHO__RULE_DEPRECATED_FUNCTION, seen->function->name,
				    &place, 0, NULL, &finding);

	if (rc || !finding)
		return rc;
	finding->owner = seen->function;
	finding->finding.count += seen->call->repeats;
	return 0;
}

int tacho__errors_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	int rc = seen->call->failed ? take_failure(findings, seen) : 0;

	return !rc && seen->function->deprecated ? take_deprecated(findings, seen) : rc;
}

bool tacho__judge_failed_call(struct tacho_findings *findings, struct tacho__finding *finding,
			      struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;

	tacho__buf_printf(message, "%s failed %" PRIu64 " time%s.", info->subject, info->count,
			  info->count == 1 ? "" : "s");
	if (finding->extra)
		tacho__buf_printf(message, " %s", finding->extra);
	return true;
}

bool tacho__judge_deprecated(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message)
{
	const struct tacho__function_facts *function = finding->owner;
	const struct tacho__deprecated *deprecated;

	/* Several functions that found no place of their own have none in common. */
	if (!function || strcmp(function->name, finding->finding.subject) != 0) {
		tacho__buf_printf(message, "%" PRIu64 " calls of further deprecated functions.",
				  finding->finding.count);
		return true;
	}
	deprecated = function->deprecated;
	/* A program for older devices has nothing else to call. */
	if (findings->api_version && findings->api_version < deprecated->since)
		return false;
	tacho__buf_printf(
		message,
		"%s was called %" PRIu64 " time%s; %s %" PRIu32 ".%" PRIu32 " deprecated it: %s.",
		function->name, finding->finding.count, finding->finding.count == 1 ? "" : "s",
		function->api->title, deprecated->since / 100, deprecated->since / 10 % 10,
		deprecated->instead);
	return true;
}
