/* SPDX-License-Identifier: MIT */
#include "record/window_records.h"

#include <string.h>

#include "base/utf8.h"

enum { IS_SIMULATED = 1, FLAG_COVERAGE = 1 << 9, FLAGS_ALL = 0xff | FLAG_COVERAGE };

static void pack_text(struct tacho__pack *pack, const char *text)
{
	size_t size = tacho__utf8_fit(text, strnlen(text, TACHO__SAMPLED_TEXT_MAX + 1),
				      TACHO__SAMPLED_TEXT_MAX);

	tacho__pack_u64(pack, size);
	tacho__pack_bytes(pack, text, size);
}

uint32_t tacho__sampled_pack(const struct tacho__sampled *sampled, uint8_t *buffer)
{
	struct tacho__pack pack;

	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, sampled->number);
	tacho__pack_u64(&pack, sampled->window_ns);
	tacho__pack_u64(&pack, sampled->is_simulated ? IS_SIMULATED : 0);
	tacho__pack_u64(&pack, sampled->column_count);
	pack_text(&pack, sampled->device);
	return (uint32_t)(pack.at - buffer);
}

uint32_t tacho__sampled_pack_column(const struct tacho__sampled_column *column, uint8_t *buffer)
{
	struct tacho__pack pack;

	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, column->number);
	tacho__pack_u64(&pack, column->column);
	tacho__pack_u64(&pack, column->type);
	pack_text(&pack, column->name);
	pack_text(&pack, column->unit);
	pack_text(&pack, column->description);
	pack_text(&pack, column->semantic);
	return (uint32_t)(pack.at - buffer);
}

uint32_t tacho__sampled_pack_end(const struct tacho__sampled_end *end, uint8_t *buffer)
{
	struct tacho__pack pack;

	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, end->number);
	tacho__pack_u64(&pack, end->windows);
	tacho__pack_u64(&pack, end->lost);
	pack_text(&pack, end->cause);
	pack_text(&pack, end->cure);
	return (uint32_t)(pack.at - buffer);
}

static void pack_value(struct tacho__pack *pack, const struct tacho_column *column, size_t row)
{
	uint8_t state = tacho_column_get_state(column, row, 0);
	double share = tacho_column_get_coverage(column, row, 0);
	uint64_t bits = 0, coverage;

	if (column->type == TACHO_TYPE_F64)
		memcpy(&bits, &column->data.f64[row], sizeof(bits));
	else
		bits = column->data.u64[row];
	if ((state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
		bits = 0;
	tacho__pack_u64(pack, state | (share != 1 ? FLAG_COVERAGE : 0u));
	tacho__pack_u64(pack, bits);
	if (share == 1)
		return;
	memcpy(&coverage, &share, sizeof(coverage));
	tacho__pack_u64(pack, coverage);
}

uint32_t tacho__window_pack(const struct tacho__window *window, const struct tacho_result *result,
			    size_t row, uint8_t *buffer)
{
	struct tacho__pack pack;

	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, window->number);
	tacho__pack_u64(&pack, window->index);
	tacho__pack_u64(&pack, window->start_ns);
	tacho__pack_u64(&pack, window->end_ns);
	tacho__pack_u64(&pack, window->uncertainty_ns);
	tacho__pack_u64(&pack, window->count);
	for (uint32_t i = 0; i < window->count; i++)
		pack_value(&pack, tacho_result_get_column(result, i), row);
	return (uint32_t)(pack.at - buffer);
}

bool tacho__sampled_unpack(struct tacho__unpack *unpack, struct tacho__sampled *out_sampled)
{
	uint64_t number = tacho__unpack_u64(unpack), window_ns = tacho__unpack_u64(unpack);
	uint64_t flags = tacho__unpack_u64(unpack), columns = tacho__unpack_u64(unpack);

	if (unpack->bad || number > UINT32_MAX || !window_ns || flags > IS_SIMULATED || !columns ||
	    columns > TACHO__SAMPLED_COLUMNS_MAX)
		return false;
	*out_sampled = (struct tacho__sampled){
		.number = (uint32_t)number,
		.window_ns = window_ns,
		.is_simulated = flags & IS_SIMULATED,
		.column_count = (uint32_t)columns,
	};
	return true;
}

bool tacho__sampled_unpack_column(struct tacho__unpack *unpack,
				  struct tacho__sampled_column *out_column)
{
	uint64_t number = tacho__unpack_u64(unpack), column = tacho__unpack_u64(unpack);
	uint64_t type = tacho__unpack_u64(unpack);

	if (unpack->bad || number > UINT32_MAX || column >= TACHO__SAMPLED_COLUMNS_MAX ||
	    type > TACHO_TYPE_F64)
		return false;
	*out_column = (struct tacho__sampled_column){
		.number = (uint32_t)number,
		.column = (uint32_t)column,
		.type = (enum tacho_type)type,
	};
	return true;
}

bool tacho__sampled_unpack_end(struct tacho__unpack *unpack, struct tacho__sampled_end *out_end)
{
	uint64_t number = tacho__unpack_u64(unpack);
	struct tacho__sampled_end end = {.number = (uint32_t)number};

	end.windows = tacho__unpack_u64(unpack);
	end.lost = tacho__unpack_u64(unpack);
	if (unpack->bad || number > UINT32_MAX)
		return false;
	*out_end = end;
	return true;
}

bool tacho__sampled_unpack_text(struct tacho__unpack *unpack, struct tacho__sampled_text *out_text)
{
	uint64_t size = tacho__unpack_u64(unpack);
	const uint8_t *bytes = tacho__unpack_bytes(unpack, size);

	if (!bytes || size > TACHO__SAMPLED_TEXT_MAX || memchr(bytes, '\0', size))
		return false;
	*out_text = (struct tacho__sampled_text){(const char *)bytes, (size_t)size};
	return true;
}

bool tacho__window_unpack(struct tacho__unpack *unpack, struct tacho__window *out_window)
{
	uint64_t number = tacho__unpack_u64(unpack), count;
	struct tacho__window window = {.number = (uint32_t)number};

	window.index = tacho__unpack_u64(unpack);
	window.start_ns = tacho__unpack_u64(unpack);
	window.end_ns = tacho__unpack_u64(unpack);
	window.uncertainty_ns = tacho__unpack_u64(unpack);
	count = tacho__unpack_u64(unpack);
	if (unpack->bad || number > UINT32_MAX || count > TACHO__SAMPLED_COLUMNS_MAX ||
	    window.start_ns > window.end_ns || window.index == UINT64_MAX)
		return false;
	window.count = (uint32_t)count;
	*out_window = window;
	return true;
}

bool tacho__window_unpack_value(struct tacho__unpack *unpack, struct tacho__window_value *out_value)
{
	struct tacho__window_value value = {.coverage = 1};
	uint64_t flags = tacho__unpack_u64(unpack);

	value.bits = tacho__unpack_u64(unpack);
	value.state = (uint8_t)flags;
	if (flags & FLAG_COVERAGE) {
		uint64_t coverage = tacho__unpack_u64(unpack);

		memcpy(&value.coverage, &coverage, sizeof(coverage));
	}
	if (unpack->bad || flags & ~(uint64_t)FLAGS_ALL ||
	    (value.state & TACHO_STATE_MASK) > TACHO_STATE_ABSENT ||
	    !(value.coverage >= 0 && value.coverage <= 1))
		return false;
	*out_value = value;
	return true;
}
