/* SPDX-License-Identifier: MIT */
/* Single values, with what is known about them. */
#include <math.h>

#include "face/perfworks/perfworks.h"

static NVPA_ValueState state_of(uint8_t state)
{
	switch (state & TACHO_STATE_MASK) {
	case TACHO_STATE_OK: return NVPA_VALUE_OK;
	case TACHO_STATE_SCALED: return NVPA_VALUE_SCALED;
	case TACHO_STATE_OVERFLOW: return NVPA_VALUE_OVERFLOW;
	case TACHO_STATE_LOST: return NVPA_VALUE_LOST;
	default: return NVPA_VALUE_ABSENT;
	}
}

static NVPA_Value make_absent(const char *note)
{
	return (NVPA_Value){.number = NAN, .state = NVPA_VALUE_ABSENT, .coverage = 0, .note = note};
}

static const char *find_note(const struct tacho_column *column, size_t row)
{
	const char *note = tacho_column_get_note(column, row, 0);

	return *note || !column->note ? note : column->note;
}

static NVPA_Value read_value(const struct tacho_column *column, size_t row)
{
	NVPA_ValueState state = state_of(tacho_column_get_state(column, row, 0));
	const char *note = find_note(column, row);
	NVPA_Value value = {.state = state, .note = note};

	if (state == NVPA_VALUE_ABSENT)
		return make_absent(*note ? note : "the device gave none in some pass");
	value.number = tacho_column_get_value(column, row, 0);
	value.coverage = tacho_column_get_coverage(column, row, 0);
	value.isWhole = column->type == TACHO_TYPE_U64;
	if (value.isWhole)
		value.whole = column->data.u64[row];
	return value;
}

static NVPA_Status find_column(const struct tacho__pw_values *values, NVPA_MetricId id,
			       bool is_serialized, const struct tacho_column **out_column)
{
	size_t index = 0;
	NVPA_Status status = tacho__pw_config_find(values->config, id, is_serialized, &index);

	if (!status)
		*out_column = tacho_result_get_column(values->result, index);
	return status;
}

NVPA_Status NVPA_Results_GetValue(const NVPA_Results *pResults, size_t rangeIndex,
				  NVPA_MetricId metricId, bool serialized, NVPA_Value *pValue)
{
	const struct tacho__pw_values *values = tacho__pw_live_get(TACHO__PW_RESULTS, pResults);
	const struct tacho_column *column = NULL;
	NVPA_Status status;

	if (!values)
		return NVPA_STATUS_INVALID_ARGUMENT;
	status = tacho__pw_values_check(values, rangeIndex);
	if (!status && !pValue)
		status = tacho__pw_fail_null("pValue");
	if (!status)
		status = find_column(values, metricId, serialized, &column);
	if (status)
		return status;
	*pValue = column->instance_count == 1
			  ? read_value(column, values->ranges[rangeIndex].row)
			  : make_absent("it has a value for each instance of its unit; ask for its "
					"sum or another rollup");
	return NVPA_STATUS_SUCCESS;
}
