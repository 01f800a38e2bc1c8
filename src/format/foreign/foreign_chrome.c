/* SPDX-License-Identifier: MIT */
/* Events of Chrome's tracing. */
#include "format/foreign/foreign_chrome.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

static void clear(struct tacho__foreign_chrome_event *event)
{
	tacho__buf_clear(&event->name);
	tacho__buf_clear(&event->category);
	tacho__buf_clear(&event->pid);
	tacho__buf_clear(&event->tid);
	tacho__buf_clear(&event->id);
	event->phase = '\0';
	event->has_start = event->has_duration = false;
}

void tacho__foreign_chrome_finish(struct tacho__foreign_chrome *chrome)
{
	tacho__buf_finish(&chrome->event.name);
	tacho__buf_finish(&chrome->event.category);
	tacho__buf_finish(&chrome->event.pid);
	tacho__buf_finish(&chrome->event.tid);
	tacho__buf_finish(&chrome->event.id);
}

bool tacho__foreign_chrome_number(const char *text, uint64_t *out_number)
{
	uint64_t number = 0;

	while (*text && !tacho__is_digit(*text))
		text++;
	if (!*text)
		return false;
	for (; tacho__is_digit(*text); text++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*text - '0'), &number))
			return false;
	*out_number = number;
	return true;
}

/* With an exponent, as few tools write. */
static bool take_real(const char *text, int64_t *out_ns)
{
	double us;

	if (tacho__number_parse(text, strlen(text), &us) || !(fabs(us) < 9e15))
		return false;
	*out_ns = (int64_t)llround(us * 1000);
	return true;
}

bool tacho__foreign_chrome_ns(const char *text, int64_t *out_ns)
{
	bool is_negative = *text == '-';
	const char *at = text + is_negative;
	int64_t ns = 0;
	int digits = 0;

	if (!tacho__is_digit(*at))
		return false;
	for (; tacho__is_digit(*at); at++)
		if (__builtin_mul_overflow(ns, 10, &ns) ||
		    __builtin_add_overflow(ns, *at - '0', &ns))
			return false;
	if (*at == '.')
		for (at++; tacho__is_digit(*at) && digits < 3; at++, digits++)
			if (__builtin_mul_overflow(ns, 10, &ns) ||
			    __builtin_add_overflow(ns, *at - '0', &ns))
				return false;
	for (; digits < 3; digits++)
		if (__builtin_mul_overflow(ns, 10, &ns))
			return false;
	ns += ns < INT64_MAX && *at >= '5' && *at <= '9';
	while (tacho__is_digit(*at))
		at++;
	if (*at)
		return take_real(text, out_ns);
	*out_ns = is_negative ? -ns : ns;
	return true;
}

int64_t tacho__foreign_chrome_end_ns(const struct tacho__foreign_chrome_event *event)
{
	int64_t end_ns;

	if (!event->has_duration ||
	    __builtin_add_overflow(event->start_ns, event->duration_ns, &end_ns))
		return event->start_ns;
	return end_ns;
}

int tacho__foreign_chrome_end(struct tacho__foreign *foreign,
			      const struct tacho__foreign_json *json, int rc, bool has_any)
{
	if (rc != TACHO_E_PARSE || !json->is_cut || !(has_any || foreign->range_count))
		return rc;
	return tacho__foreign_lose(foreign, json->path,
				   "ends early, at byte %" PRIu64
				   ": what is behind that is missing",
				   tacho__foreign_json_offset(json));
}

static int skip(struct tacho__foreign_chrome *chrome, enum tacho__foreign_json_piece piece)
{
	return tacho__foreign_json_skip(chrome->json, piece);
}

/* At "args". */
static int take_arguments(struct tacho__foreign_chrome *chrome)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(chrome->json, &piece);

	if (rc || piece != TACHO__FOREIGN_JSON_OBJECT)
		return rc ? rc : skip(chrome, piece);
	while (!(rc = tacho__foreign_json_next(chrome->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		rc = chrome->take(chrome->user, &chrome->event);
		if (rc)
			break;
	}
	return rc;
}

/* What a member goes into; NULL: it has a meaning of its own, or none. */
static struct tacho__buf *find_text(struct tacho__foreign_chrome_event *event,
				    const struct tacho__foreign_json *json)
{
	if (tacho__foreign_json_is(json, "name"))
		return &event->name;
	if (tacho__foreign_json_is(json, "cat"))
		return &event->category;
	if (tacho__foreign_json_is(json, "pid"))
		return &event->pid;
	if (tacho__foreign_json_is(json, "tid"))
		return &event->tid;
	return tacho__foreign_json_is(json, "id") ? &event->id : NULL;
}

static bool is_scalar(enum tacho__foreign_json_piece piece)
{
	return piece == TACHO__FOREIGN_JSON_STRING || piece == TACHO__FOREIGN_JSON_NUMBER;
}

static int take_text(struct tacho__foreign_chrome *chrome, struct tacho__buf *into)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(chrome->json, &piece);

	if (rc || !is_scalar(piece))
		return rc ? rc : skip(chrome, piece);
	tacho__buf_clear(into);
	tacho__buf_add(into, chrome->json->text, chrome->json->text_size);
	return into->failed ? TACHO_E_NOMEM : 0;
}

static int take_time(struct tacho__foreign_chrome *chrome, int64_t *into, bool *out_has)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(chrome->json, &piece);

	if (rc || !is_scalar(piece))
		return rc ? rc : skip(chrome, piece);
	*out_has = tacho__foreign_chrome_ns(chrome->json->text, into);
	return 0;
}

static int take_phase(struct tacho__foreign_chrome *chrome)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(chrome->json, &piece);

	if (rc || piece != TACHO__FOREIGN_JSON_STRING)
		return rc ? rc : skip(chrome, piece);
	chrome->event.phase = chrome->json->text_size == 1 ? *chrome->json->text : '\0';
	return 0;
}

/* Of other events it is known of which category they are, to count them. */
static bool matters(const struct tacho__foreign_chrome *chrome)
{
	char phase = chrome->event.phase;

	return !phase || !chrome->phases || strchr(chrome->phases, phase);
}

static int take_member(struct tacho__foreign_chrome *chrome)
{
	struct tacho__foreign_chrome_event *event = &chrome->event;
	const struct tacho__foreign_json *json = chrome->json;
	struct tacho__buf *text = find_text(event, json);

	if (!matters(chrome) && text != &event->category)
		return skip(chrome, TACHO__FOREIGN_JSON_KEY);
	if (text)
		return take_text(chrome, text);
	if (tacho__foreign_json_is(json, "ph"))
		return take_phase(chrome);
	if (tacho__foreign_json_is(json, "ts"))
		return take_time(chrome, &event->start_ns, &event->has_start);
	if (tacho__foreign_json_is(json, "dur"))
		return take_time(chrome, &event->duration_ns, &event->has_duration);
	if (tacho__foreign_json_is(json, "args") && chrome->wants(chrome->user, event))
		return take_arguments(chrome);
	return skip(chrome, TACHO__FOREIGN_JSON_KEY);
}

int tacho__foreign_chrome_next(struct tacho__foreign_chrome *chrome, bool *out_is_one)
{
	enum tacho__foreign_json_piece piece;
	int rc;

	*out_is_one = false;
	clear(&chrome->event);
	while (!(rc = tacho__foreign_json_next(chrome->json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_OBJECT) {
		if (piece == TACHO__FOREIGN_JSON_ARRAY_END || piece == TACHO__FOREIGN_JSON_END)
			return 0;
		rc = skip(chrome, piece);
		if (rc)
			return rc;
	}
	while (!rc && !(rc = tacho__foreign_json_next(chrome->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY)
		rc = take_member(chrome);
	*out_is_one = !rc;
	return rc;
}
