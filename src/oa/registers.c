/* SPDX-License-Identifier: MIT */
/* Registers by name and by address, and the meaning of their bits. */
#include "oa/registers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/nearest.h"

static void fill(const struct tacho__oa_register_row *row, uint32_t place,
		 struct tacho_oa_register *out_register)
{
	struct tacho_oa_register result = {
		.address = row->address + place * row->stride,
		.gen_first = row->gen_first,
		.gen_last = row->gen_last,
		.description = row->description,
		.is_kept = row->is_kept,
		.fields = row->fields,
		.field_count = row->field_count,
	};
	const char *number = strstr(row->name, "%u");

	if (number)
		snprintf(result.name, sizeof(result.name), "%.*s%u%s", (int)(number - row->name),
			 row->name, row->first + place, number + 2);
	else
		snprintf(result.name, sizeof(result.name), "%s", row->name);
	*out_register = result;
}

/* As tacho_oa_register_get(), without making an error. */
static int get(size_t index, struct tacho_oa_register *out_register)
{
	for (size_t i = 0; i < tacho__oa_register_row_count; i++) {
		const struct tacho__oa_register_row *row = &tacho__oa_register_rows[i];

		if (index < row->count) {
			fill(row, (uint32_t)index, out_register);
			return 1;
		}
		index -= row->count;
	}
	return 0;
}

int tacho_oa_register_get(size_t index, struct tacho_oa_register *out_register)
{
	if (!out_register)
		return tacho__fail_null(__func__);
	if (get(index, out_register))
		return 0;
	return tacho__fail(TACHO_E_NOTFOUND, "", "stop at the first index that is not there",
			   "there is no register number %zu", index);
}

/* The name that is nearest; "" when none is near. */
static void find_nearest(const char *name, enum tacho_oa_gen gen, char out_name[24])
{
	struct tacho_oa_register each;
	unsigned best = 30; /* three letters */

	*out_name = '\0';
	for (size_t i = 0; get(i, &each); i++) {
		unsigned score = tacho_nearest_score(name, each.name);

		if ((gen && (gen < each.gen_first || gen > each.gen_last)) || score >= best)
			continue;
		best = score;
		memcpy(out_name, each.name, sizeof(each.name));
	}
}

int tacho_oa_register_find(const char *name, enum tacho_oa_gen gen,
			   struct tacho_oa_register *out_register)
{
	struct tacho_oa_register each;
	char nearest[sizeof(each.name)], *end;
	unsigned long address;
	int is_address;

	if (!name || !out_register)
		return tacho__fail_null(__func__);
	address = strtoul(name, &end, 0);
	is_address = *name && !*end;
	for (size_t i = 0; get(i, &each); i++) {
		if (gen && (gen < each.gen_first || gen > each.gen_last))
			continue;
		if (is_address ? each.address != address : strcasecmp(each.name, name) != 0)
			continue;
		*out_register = each;
		return 0;
	}
	find_nearest(name, gen, nearest);
	return tacho__fail(TACHO_E_NOTFOUND, "",
			   *nearest && !is_address ? tacho__detail("did you mean %s?", nearest)
						   : "tacho oa regs lists those that are known",
			   "there is no OA register \"%s\"%s%s", name, gen ? " on " : "",
			   gen ? tacho_oa_gen_to_string(gen) : "");
}

static uint32_t mask_of(const struct tacho_oa_field *field)
{
	uint32_t bits = field->high - field->low + 1;

	return bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
}

uint32_t tacho_oa_field_get(const struct tacho_oa_field *field, uint32_t value)
{
	return field ? value >> field->low & mask_of(field) : 0;
}

int tacho_oa_field_set(const struct tacho_oa_field *field, uint32_t bits, uint32_t *value)
{
	uint32_t mask;

	if (!field || !value)
		return tacho__fail_null(__func__);
	mask = mask_of(field);
	if (bits > mask)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("it has bits %u to %u", field->low, field->high),
				   tacho__detail("give at most %u", mask),
				   "%u does not fit into the field %s", bits, field->name);
	*value = (*value & ~(mask << field->low)) | bits << field->low;
	return 0;
}

const char *tacho_oa_field_to_string(const struct tacho_oa_field *field, uint32_t bits)
{
	if (!field)
		return "";
	for (const struct tacho_oa_word *word = field->words; word && word->word; word++)
		if (word->bits == bits)
			return word->word;
	return "";
}

static int fail_value(const struct tacho_oa_field *field, const char *text)
{
	struct tacho__buf known = {0};
	int rc;

	for (const struct tacho_oa_word *word = field->words; word && word->word; word++)
		tacho__buf_printf(&known, "%s%s", known.size ? ", " : ", or ", word->word);
	rc = tacho__fail(TACHO_E_PARSE, "",
			 tacho__detail("give a number%s", tacho__buf_text(&known)),
			 "\"%s\" is no value of the field %s", text, field->name);
	tacho__buf_finish(&known);
	return rc;
}

int tacho_oa_field_parse(const struct tacho_oa_field *field, const char *text, uint32_t *out_bits)
{
	unsigned long bits;
	char *end;

	if (!field || !text || !out_bits)
		return tacho__fail_null(__func__);
	for (const struct tacho_oa_word *word = field->words; word && word->word; word++)
		if (!strcasecmp(word->word, text)) {
			*out_bits = word->bits;
			return 0;
		}
	errno = 0;
	bits = strtoul(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno || bits > UINT32_MAX)
		return fail_value(field, text);
	*out_bits = (uint32_t)bits;
	return 0;
}
