/* SPDX-License-Identifier: MIT */
/* Texts of the API's enumerators. */
#include "base/array.h"
#include "face/gpa/gpa.h"

static const char *const statuses[] = {
	"Ok",
	"Null Pointer",
	"Counters Not Open",
	"Counters Already Opened",
	"Index Out Of Range",
	"Not Found",
	"Already Enabled",
	"No Counters Enabled",
	"Not Enabled",
	"Sampling Not Started",
	"Sampling Already Started",
	"Sampling Not Ended",
	"Not Enough Passes",
	"Pass Not Ended",
	"Pass Not Started",
	"Pass Already Started",
	"Sample Not Started",
	"Sample Already Started",
	"Sample Not Ended",
	"Cannot Change Counters When Sampling",
	"Session Not Found",
	"Sample Not Found",
	"Sample Not Found In All Passes",
	"Counter Not Of Specified Type",
	"Reading Counter Result",
	"Variable Number Of Samples In Passes",
	"Failed",
	"Hardware Not Supported",
	"Driver Not Supported",
};
static const char *const types[] = {"gpa_float32", "gpa_float64", "gpa_uint32",
				    "gpa_uint64",  "gpa_int32",	  "gpa_int64"};
static const char *const usages[] = {"ratio", "percentage", "cycles",	"milliseconds",
				     "bytes", "items",	    "kilobytes"};

/* The number before the pointer, as the table of documented orders has it. */
static GPA_Status get_name(const char *const *names, size_t count, unsigned number,
			   const char *parameter, const char **out_name)
{
	if (number >= count)
		return tacho__gpa_fail(GPA_STATUS_ERROR_NOT_FOUND,
				       "there is no type %u, the last is %zu.", number, count - 1);
	if (tacho__gpa_check_pointer(out_name, parameter))
		return GPA_STATUS_ERROR_NULL_POINTER;
	*out_name = names[number];
	return GPA_STATUS_OK;
}

GPA_Status GPA_GetDataTypeAsStr(GPA_Type counterDataType, const char **ppTypeStr)
{
	TACHO__GPA_CALL("GPA_GetDataTypeAsStr",
			get_name(types, TACHO__ARRAY_SIZE(types), (unsigned)counterDataType,
				 "ppTypeStr", ppTypeStr));
}

GPA_Status GPA_GetUsageTypeAsStr(GPA_Usage_Type counterUsageType, const char **ppUsageTypeStr)
{
	TACHO__GPA_CALL("GPA_GetUsageTypeAsStr",
			get_name(usages, TACHO__ARRAY_SIZE(usages), (unsigned)counterUsageType,
				 "ppUsageTypeStr", ppUsageTypeStr));
}

const char *GPA_GetStatusAsStr(GPA_Status status)
{
	const char *text = "Unknown error";

	tacho__gpa_enter("GPA_GetStatusAsStr");
	if ((unsigned)status < TACHO__ARRAY_SIZE(statuses))
		text = statuses[status];
	tacho__gpa_leave(GPA_STATUS_OK);
	return text;
}
