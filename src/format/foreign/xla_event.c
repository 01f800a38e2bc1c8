/* SPDX-License-Identifier: MIT */
/* Traces of XLA's profiler: events with the arguments that are of use. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/xla.h"

/* What the text of an argument goes into; NULL: it is not needed. */
static struct tacho__buf *find_text(struct tacho__xla_arguments *arguments,
				    const struct tacho__foreign_chrome_event *event,
				    const struct tacho__foreign_json *json)
{
	const struct {
		const char *key;
		struct tacho__buf *text;
	} all[] = {
		{"hlo_module", &arguments->module},   {"hlo_op", &arguments->operation},
		{"module_name", &arguments->runs},    {"kernel_details", &arguments->kernel},
		{"memcpy_details", &arguments->copy}, {"memset_details", &arguments->fill},
	};

	if (event->phase == 'M')
		return tacho__foreign_json_is(json, "name") ? &arguments->label : NULL;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(all); i++)
		if (tacho__foreign_json_is(json, all[i].key))
			return all[i].text;
	return NULL;
}

/* Numbers are texts, too. */
static int take_correlation(struct tacho__xla *xla)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&xla->json, &piece);

	if (rc)
		return rc;
	if (piece == TACHO__FOREIGN_JSON_STRING || piece == TACHO__FOREIGN_JSON_NUMBER)
		xla->arguments.has_correlation =
			tacho__foreign_csv_unsigned(xla->json.text, &xla->arguments.correlation);
	return tacho__foreign_json_skip(&xla->json, piece);
}

static int take_text(struct tacho__xla *xla, struct tacho__buf *into)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&xla->json, &piece);

	if (rc)
		return rc;
	if (piece == TACHO__FOREIGN_JSON_STRING)
		tacho__buf_put(into, xla->json.text);
	return into->failed ? TACHO_E_NOMEM : tacho__foreign_json_skip(&xla->json, piece);
}

static int take_argument(void *user, const struct tacho__foreign_chrome_event *event)
{
	struct tacho__xla *xla = user;
	struct tacho__buf *into = find_text(&xla->arguments, event, &xla->json);

	if (into)
		return take_text(xla, into);
	if (tacho__foreign_json_is(&xla->json, "correlation_id"))
		return take_correlation(xla);
	xla->arguments.is_graph |= tacho__foreign_json_is(&xla->json, "cuda_graph_exec_id");
	xla->arguments.is_memory |= tacho__foreign_json_is(&xla->json, "memalloc_details") ||
				    tacho__foreign_json_is(&xla->json, "memfree_details") ||
				    tacho__foreign_json_is(&xla->json, "memory_residency_details");
	return tacho__foreign_json_skip(&xla->json, TACHO__FOREIGN_JSON_KEY);
}

static bool wants(void *user, const struct tacho__foreign_chrome_event *event)
{
	(void)user;
	(void)event;
	return true;
}

void tacho__xla_begin_events(struct tacho__xla *xla)
{
	xla->chrome.json = &xla->json;
	xla->chrome.user = xla;
	xla->chrome.phases = "XM";
	xla->chrome.wants = wants;
	xla->chrome.take = take_argument;
}

static void each_text(struct tacho__xla_arguments *arguments, void (*act)(struct tacho__buf *text))
{
	act(&arguments->module);
	act(&arguments->operation);
	act(&arguments->runs);
	act(&arguments->kernel);
	act(&arguments->copy);
	act(&arguments->fill);
	act(&arguments->label);
}

void tacho__xla_finish_events(struct tacho__xla *xla)
{
	tacho__foreign_json_close(&xla->json);
	tacho__foreign_chrome_finish(&xla->chrome);
	each_text(&xla->arguments, tacho__buf_finish);
}

int tacho__xla_next(struct tacho__xla *xla, bool *out_is_one)
{
	each_text(&xla->arguments, tacho__buf_clear);
	xla->arguments.has_correlation = false;
	xla->arguments.is_memory = xla->arguments.is_graph = false;
	xla->arguments.correlation = 0;
	return tacho__foreign_chrome_next(&xla->chrome, out_is_one);
}

/* ---- details ---- */

/* "grid:" is no end of another word; NULL: it is not there. */
static const char *find_value(const char *details, const char *key)
{
	for (const char *at = strstr(details, key); at; at = strstr(at + 1, key))
		if (at == details || at[-1] == ' ')
			return at + strlen(key);
	return NULL;
}

/* Digits, behind which nothing else than `end` comes; what is behind that, or NULL. */
static const char *take_digits(const char *at, char end, uint64_t *out_number)
{
	uint64_t number = 0;

	if (!tacho__is_digit(*at))
		return NULL;
	for (; tacho__is_digit(*at); at++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
			return NULL;
	if (*at != end && (end != ' ' || *at))
		return NULL;
	*out_number = number;
	return *at ? at + 1 : at;
}

bool tacho__xla_number(const char *details, const char *key, uint64_t *out_number)
{
	const char *at = find_value(details, key);

	return at && take_digits(at, ' ', out_number);
}

bool tacho__xla_sizes(const char *details, const char *key, uint64_t out_sizes[3])
{
	const char *at = find_value(details, key);

	for (int i = 0; i < 3 && at; i++)
		at = take_digits(at, i < 2 ? ',' : ' ', &out_sizes[i]);
	return at;
}
