/* SPDX-License-Identifier: MIT */
/* Reading how a value is shown: "u", "e:error", "l:x[num_devices]", "v:param_name[room,filled]". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum { LIST_MAX = 32 }; /* TACHO__CALLS_LIST_MAX */

/* Splits "TEXT[N<=C,M]" and returns TEXT. */
static const char *take_bounds(const struct api *api, int line, const char *text, struct show *show)
{
	const char *open = strchr(text, '['), *close = strchr(text, ']'), *comma, *at_most;
	const char *inside;

	if (!open || !close || close < open || close[1])
		die(api, line, "\"%s\" needs [ROOM] or [ROOM,FILLED] at its end", text);
	inside = keep_text(open + 1, (size_t)(close - open - 1));
	comma = strchr(inside, ',');
	if (comma) {
		show->filled = comma + 1;
		inside = keep_text(inside, (size_t)(comma - inside));
	}
	at_most = strstr(inside, "<=");
	if (at_most) {
		show->limit = (unsigned)strtoul(at_most + 2, NULL, 10);
		inside = keep_text(inside, (size_t)(at_most - inside));
	} else if (isdigit((unsigned char)*inside)) {
		show->limit = (unsigned)strtoul(inside, NULL, 10);
	} else {
		show->limit = LIST_MAX;
	}
	if (!*inside || show->limit < 1 || show->limit > LIST_MAX)
		die(api, line, "\"%s\": a list is 1 to %d long", text, LIST_MAX);
	show->room = inside;
	return keep_text(text, (size_t)(open - text));
}

static struct show *parse_scalar(const struct api *api, int line, const char *text)
{
	struct show *show = keep(sizeof(*show));

	parse_show(api, line, text, show);
	if (!strchr("uixbem", show->kind))
		die(api, line, "\"%s\" cannot stand in a list or behind a pointer", text);
	return show;
}

void parse_show(const struct api *api, int line, const char *text, struct show *out_show)
{
	const char *rest = text[0] ? text + 1 : text;

	*out_show = (struct show){.kind = text[0]};
	if (strchr("uhixbfs-", text[0]) && text[0] && !rest[0])
		return;
	if (text[0] == 'p' && rest[0] == '0') {
		out_show->zero_ends = true;
		rest++;
	}
	if (!text[0] || !strchr("emloptv", text[0]) || rest[0] != ':' || !rest[1])
		die(api, line, "\"%s\" is no way to show a value", text);
	rest++;
	switch (text[0]) {
	case 'l':
		rest = take_bounds(api, line, rest, out_show);
		out_show->inner = parse_scalar(api, line, rest);
		break;
	case 'o': out_show->inner = parse_scalar(api, line, rest); break;
	case 'v': out_show->name = take_bounds(api, line, rest, out_show); break;
	default: out_show->name = keep_text(rest, strlen(rest)); break;
	}
}
