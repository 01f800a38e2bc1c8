/* SPDX-License-Identifier: MIT */
/* Chrome traces of Intel's tracers: events, and of their arguments the two that say something. */
#include "format/foreign/unitrace.h"

#include "base/error.h"

static int take_argument(void *user, const struct tacho__foreign_chrome_event *event)
{
	struct tacho__unitrace_json *trace = user;
	struct tacho__buf *into = tacho__foreign_json_is(&trace->json, "name") ? &trace->label
				  : tacho__foreign_json_is(&trace->json, "id") ? &trace->id
									       : NULL;
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&trace->json, &piece);

	if (!rc && into &&
	    (piece == TACHO__FOREIGN_JSON_STRING || piece == TACHO__FOREIGN_JSON_NUMBER))
		tacho__buf_put(into, trace->json.text);
	if (!rc && into && into->failed)
		rc = TACHO_E_NOMEM;
	return rc ? rc : tacho__foreign_json_skip(&trace->json, piece);
}

int tacho__unitrace_json_open(struct tacho__unitrace_json *trace, struct tacho__foreign *foreign,
			      const struct tacho__foreign_file *file,
			      bool (*wants)(void *user,
					    const struct tacho__foreign_chrome_event *event))
{
	int rc = tacho__foreign_process(foreign, file->number, 0, &trace->process);

	trace->foreign = foreign;
	trace->chrome = (struct tacho__foreign_chrome){
		.json = &trace->json, .user = trace, .wants = wants, .take = take_argument};
	return rc ? rc : tacho__foreign_json_open(&trace->json, file->path);
}

int tacho__unitrace_json_next(struct tacho__unitrace_json *trace, bool *out_is_one)
{
	tacho__buf_clear(&trace->label);
	tacho__buf_clear(&trace->id);
	return tacho__foreign_chrome_next(&trace->chrome, out_is_one);
}

void tacho__unitrace_json_finish(struct tacho__unitrace_json *trace)
{
	tacho__foreign_json_close(&trace->json);
	tacho__foreign_chrome_finish(&trace->chrome);
	tacho__buf_finish(&trace->label);
	tacho__buf_finish(&trace->id);
}
