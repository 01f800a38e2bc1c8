/* SPDX-License-Identifier: MIT */
#include "format/html/html_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tacho/sys/character.h"

enum { NO_LIMIT = SIZE_MAX };

/* Where text goes: one of the two. */
struct sink {
	FILE *stream;
	struct tacho__buf *buf;
};

static void put_bytes(const struct sink *to, const char *s, size_t size)
{
	if (to->buf)
		tacho__buf_add(to->buf, s, size);
	else
		fwrite(s, 1, size, to->stream);
}

static void put_string(const struct sink *to, const char *s)
{
	put_bytes(to, s, strlen(s));
}

static void put_html(const struct sink *to, const char *s, unsigned length)
{
	switch (*s) {
	case '&': put_string(to, "&amp;"); return;
	case '<': put_string(to, "&lt;"); return;
	case '>': put_string(to, "&gt;"); return;
	case '"': put_string(to, "&quot;"); return;
	case '\'': put_string(to, "&#39;"); return;
	default: put_bytes(to, s, length); return;
	}
}

/* Nothing in it can end the script element or begin a comment in it. */
static void put_script(const struct sink *to, const char *s, unsigned length)
{
	switch (*s) {
	case '"': put_string(to, "\\\""); return;
	case '\\': put_string(to, "\\\\"); return;
	case '&': put_string(to, "\\u0026"); return;
	case '<': put_string(to, "\\u003c"); return;
	case '>': put_string(to, "\\u003e"); return;
	default: put_bytes(to, s, length); return;
	}
}

typedef void (*put_fn)(const struct sink *to, const char *s, unsigned length);

static void put_spelled(const struct sink *to, const struct tacho_character *character,
			put_fn put_one)
{
	char text[TACHO_CHARACTER_SPELLED_MAX];

	tacho_character_spell(character, text);
	for (const char *at = text; *at; at++)
		put_one(to, at, 1);
}

/* What stands for itself everywhere, at the beginning: most texts are nothing else. */
static size_t count_ordinary(const char *s, size_t max)
{
	static const bool is_special[256] = {['&'] = true, ['<'] = true,  ['>'] = true,
					     ['"'] = true, ['\''] = true, ['\\'] = true};
	size_t count = 0;

	while (count < max && s[count] >= ' ' && s[count] < 0x7f &&
	       !is_special[(unsigned char)s[count]])
		count++;
	return count;
}

static void put(const struct sink *to, const char *text, size_t size, put_fn put_one)
{
	const char *at = text;

	while (*at) {
		size_t ordinary = count_ordinary(at, size - (size_t)(at - text));
		struct tacho_character character;

		put_bytes(to, at, ordinary);
		at += ordinary;
		if (!*at)
			break;
		character = tacho_character_read(at);
		if ((size_t)(at - text) + character.length > size) {
			put_string(to, "...");
			return;
		}
		if (character.kind == TACHO_CHARACTER_SHOWN)
			put_one(to, at, character.length);
		else
			put_spelled(to, &character, put_one);
		at += character.length;
	}
}

void tacho__html_put_text(FILE *stream, const char *text)
{
	put(&(struct sink){.stream = stream}, text, NO_LIMIT, put_html);
}

void tacho__html_put_short(FILE *stream, const char *text, size_t size)
{
	put(&(struct sink){.stream = stream}, text, size, put_html);
}

void tacho__html_put_json(FILE *stream, const char *text, size_t size)
{
	fputc('"', stream);
	put(&(struct sink){.stream = stream}, text, size, put_script);
	fputc('"', stream);
}

void tacho__html_add_json(struct tacho__buf *buf, const char *text, size_t size)
{
	tacho__buf_char(buf, '"');
	put(&(struct sink){.buf = buf}, text, size, put_script);
	tacho__buf_char(buf, '"');
}

/* One directive behind its %; returns what follows it. */
static const char *put_directive(FILE *stream, const char *at, va_list *list)
{
	unsigned longs = 0;
	bool is_size = false;

	for (; *at == 'l' || *at == 'z'; at++)
		if (*at == 'l')
			longs++;
		else
			is_size = true;
	if (*at == 's')
		tacho__html_put_text(stream, va_arg(*list, const char *));
	else if (*at == 'd')
		fprintf(stream, "%d", va_arg(*list, int));
	else if (*at == 'u' && is_size)
		fprintf(stream, "%zu", va_arg(*list, size_t));
	else if (*at == 'u' && longs > 1)
		fprintf(stream, "%llu", va_arg(*list, unsigned long long));
	else if (*at == 'u' && longs)
		fprintf(stream, "%lu", va_arg(*list, unsigned long));
	else if (*at == 'u')
		fprintf(stream, "%u", va_arg(*list, unsigned));
	else
		fputc(*at, stream);
	return *at ? at + 1 : at;
}

void tacho__html_print(FILE *stream, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	while (*format) {
		size_t plain = strcspn(format, "%");

		fwrite(format, 1, plain, stream);
		format += plain;
		if (*format)
			format = put_directive(stream, format + 1, &list);
	}
	va_end(list);
}

void tacho__html_put_absent(FILE *stream, const char *reason)
{
	tacho__html_print(stream, "<td class=\"num absent\" data-v=\"\" title=\"%s\">-</td>",
			  reason && *reason ? reason : "not known");
}

void tacho__html_put_number(FILE *stream, uint64_t value, const char *text)
{
	tacho__html_print(stream, "<td class=\"num\" data-v=\"%llu\">%s</td>",
			  (unsigned long long)value, text);
}

void tacho__html_put_share(FILE *stream, double percent, const char *text)
{
	fprintf(stream,
		"<td class=\"num share\" data-v=\"%.6f\"><svg class=\"bar\" viewBox=\"0 0 100 4\" "
		"preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\"><rect "
		"width=\"%.2f\" height=\"4\"/></svg>",
		percent, percent);
	tacho__html_print(stream, "%s</td>", text);
}

void tacho__html_put_titles(FILE *stream, bool is_number, const char *const *titles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tacho__html_print(stream, "<th scope=\"col\" data-sort=\"%s\">%s</th>",
				  is_number ? "number" : "text", titles[i]);
}
