/* SPDX-License-Identifier: MIT */
/* Lines of .atp files that are about calls, besides their times. */
#include <string.h>

#include "format/import/read_atp.h"
#include "format/import/read_csv.h"

/* The remark for repeated calls at the end of the line; how many follow on the first. */
static uint64_t take_repeats(struct tacho__span *line)
{
	static const char tail[] = " consecutive calls*/", head[] = " /*";
	struct tacho__span rest = *line, number;
	uint64_t count;

	if (!tacho__span_ends(rest, tail))
		return 0;
	rest.end -= strlen(tail);
	number = tacho__span_take_digits(&rest);
	if (!tacho__span_to_u64(number, &count) || !count || !tacho__span_ends(rest, head))
		return 0;
	rest.end -= strlen(head);
	*line = rest;
	return count - 1;
}

static bool take_remark(struct tacho__span *line, const char *remark)
{
	if (!tacho__span_ends(*line, remark))
		return false;
	line->end -= strlen(remark);
	return true;
}

bool tacho__atp_parse_call(struct tacho__span line, struct tacho__atp_call *out_call)
{
	struct tacho__atp_call call = {.repeats = take_repeats(&line)};
	const char *open, *equals;
	struct tacho__span head, tail;

	call.is_bare = take_remark(&line, " /*no call*/");
	call.has_failed = take_remark(&line, " /*failed*/");
	open = tacho__span_find(line, " (");
	if (!open)
		return false;
	head = (struct tacho__span){line.at, open};
	tail = (struct tacho__span){open + 2, line.end};
	if (tacho__span_ends(tail, ")"))
		tail.end--;
	call.arguments = tacho__span_trim(tail);
	if (!tacho__span_size(call.arguments))
		call.arguments = (struct tacho__span){0};
	equals = tacho__span_find(head, " = ");
	call.result = (struct tacho__span){head.at, equals ? equals : head.at};
	call.name = tacho__span_trim(
		(struct tacho__span){equals ? equals + strlen(" = ") : head.at, head.end});
	if (!tacho__span_size(call.name))
		return false;
	if (tacho__span_is(call.result, "void"))
		call.result.end = call.result.at;
	*out_call = call;
	return true;
}

/* HSA's texts hold codes as HTML has them; the semicolon of one separates nothing. */
static bool ends_code(struct tacho__span text)
{
	return tacho__span_ends(text, "&nbsp") || tacho__span_ends(text, "&comma") ||
	       tacho__span_ends(text, "&#64");
}

/* The end of the first argument; with quotes, what stands between them does not end it. */
static const char *find_end(struct tacho__span arguments, bool has_quotes, bool *out_is_closed)
{
	bool is_quoted = false;
	const char *at = arguments.at;

	for (; at < arguments.end; at++) {
		if (has_quotes && *at == '\\' && is_quoted && at + 1 < arguments.end)
			at++;
		else if (has_quotes && *at == '"')
			is_quoted = !is_quoted;
		else if (*at == ';' && !is_quoted &&
			 !ends_code((struct tacho__span){arguments.at, at}))
			break;
	}
	*out_is_closed = !is_quoted;
	return at;
}

bool tacho__atp_take_argument(struct tacho__span *arguments, struct tacho__span *out_argument)
{
	bool is_closed;
	const char *end;

	if (!arguments->at || arguments->at > arguments->end)
		return false;
	end = find_end(*arguments, true, &is_closed);
	if (!is_closed) /* a text that was cut within its quotes */
		end = find_end(*arguments, false, &is_closed);
	*out_argument = (struct tacho__span){arguments->at, end};
	arguments->at = end < arguments->end ? end + 1 : NULL;
	return true;
}

/* A field that ends at two blanks, as the activity logger separates them. */
static struct tacho__span take_field(struct tacho__span *text)
{
	struct tacho__span rest = tacho__span_trim(*text), field = rest;
	const char *end = tacho__span_find(rest, "  ");

	field.end = end ? end : rest.end;
	text->at = field.end;
	return field;
}

bool tacho__atp_parse_marker(struct tacho__span line, struct tacho__atp_marker *out_marker)
{
	struct tacho__atp_marker marker = {.name = {"", ""}, .group = {"", ""}};
	struct tacho__span first, word;

	if (!tacho__span_take_word(&line, &marker.function))
		return false;
	if (tacho__span_is(marker.function, "clBeginPerfMarker")) {
		first = line;
		marker.name = take_field(&line);
		if (!tacho__span_take_word(&line, &word) ||
		    !tacho__span_to_u64(word, &marker.at_ns)) {
			line = first; /* with one blank only */
			if (!tacho__span_take_word(&line, &marker.name) ||
			    !tacho__span_take_word(&line, &word) ||
			    !tacho__span_to_u64(word, &marker.at_ns))
				return false;
		}
		marker.group = tacho__span_trim(line);
	} else if (tacho__span_starts(marker.function, "clEndPerfMarker")) {
		if (!tacho__span_take_word(&line, &word) ||
		    !tacho__span_to_u64(word, &marker.at_ns))
			return false;
		first = marker.name = take_field(&line);
		marker.group = tacho__span_trim(line);
		/* With one blank only, the last word is the group. */
		if (!tacho__span_size(marker.group) && tacho__span_take_last_word(&first, &word) &&
		    tacho__span_size(tacho__span_trim(first))) {
			marker.name = tacho__span_trim(first);
			marker.group = word;
		}
	} else {
		return false;
	}
	*out_marker = marker;
	return true;
}

static struct tacho__span take_tab(struct tacho__span *text)
{
	const char *end =
		tacho__span_size(*text) ? memchr(text->at, '\t', tacho__span_size(*text)) : NULL;
	struct tacho__span field = {text->at, end ? end : text->end};

	text->at = end ? end + 1 : text->end;
	return tacho__span_trim(field);
}

bool tacho__atp_parse_caller(struct tacho__span line, struct tacho__atp_caller *out_caller)
{
	struct tacho__atp_caller caller = {.function = take_tab(&line)};

	caller.symbol = take_tab(&line);
	caller.line = take_tab(&line);
	caller.file = take_tab(&line);
	if (!tacho__csv_is_known(caller.symbol))
		return false;
	*out_caller = caller;
	return true;
}
