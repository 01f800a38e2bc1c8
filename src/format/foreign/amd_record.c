/* SPDX-License-Identifier: MIT */
#include "format/foreign/amd_record.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/foreign_csv.h"

/* Where each lies. */
static const char *const paths[TACHO__AMD_FIELDS] = {
	[TACHO__AMD_F_PID] = "pid",
	[TACHO__AMD_F_HOST] = "node.hostname",
	[TACHO__AMD_F_ID] = "id.handle",
	[TACHO__AMD_F_NAME] = "name",
	[TACHO__AMD_F_PRODUCT] = "product_name",
	[TACHO__AMD_F_VENDOR] = "vendor_name",
	[TACHO__AMD_F_TYPE] = "type",
	[TACHO__AMD_F_NODE] = "node_id",
	[TACHO__AMD_F_LOGICAL] = "logical_node_id",
	[TACHO__AMD_F_UNITS] = "cu_count",
	[TACHO__AMD_F_WAVE] = "wave_front_size",
	[TACHO__AMD_F_KERNEL_ID] = "kernel_id",
	[TACHO__AMD_F_KERNEL_NAME] = "kernel_name",
	[TACHO__AMD_F_FORMATTED_NAME] = "formatted_kernel_name",
	[TACHO__AMD_F_GROUP_SEGMENT] = "group_segment_size",
	[TACHO__AMD_F_PRIVATE_SEGMENT] = "private_segment_size",
	[TACHO__AMD_F_SGPRS] = "sgpr_count",
	[TACHO__AMD_F_VGPRS] = "arch_vgpr_count",
	[TACHO__AMD_F_ACCUM] = "accum_vgpr_count",
	[TACHO__AMD_F_KIND] = "kind",
	[TACHO__AMD_F_OPERATION] = "operation",
	[TACHO__AMD_F_OPERATIONS] = "operations",
	[TACHO__AMD_F_KEY] = "key",
	[TACHO__AMD_F_VALUE] = "value",
	[TACHO__AMD_F_CORRELATION] = "correlation_id.internal",
	[TACHO__AMD_F_START] = "start_timestamp",
	[TACHO__AMD_F_END] = "end_timestamp",
	[TACHO__AMD_F_THREAD] = "thread_id",
	[TACHO__AMD_F_BYTES] = "bytes",
	[TACHO__AMD_F_TO] = "dst_agent_id.handle",
	[TACHO__AMD_F_FROM] = "src_agent_id.handle",
	[TACHO__AMD_F_AGENT] = "dispatch_info.agent_id.handle",
	[TACHO__AMD_F_QUEUE] = "dispatch_info.queue_id.handle",
	[TACHO__AMD_F_OF_KERNEL] = "dispatch_info.kernel_id",
	[TACHO__AMD_F_DISPATCH] = "dispatch_info.dispatch_id",
	[TACHO__AMD_F_LOCAL] = "dispatch_info.group_segment_size",
	[TACHO__AMD_F_GROUP_X] = "dispatch_info.workgroup_size.x",
	[TACHO__AMD_F_GROUP_Y] = "dispatch_info.workgroup_size.y",
	[TACHO__AMD_F_GROUP_Z] = "dispatch_info.workgroup_size.z",
	[TACHO__AMD_F_GRID_X] = "dispatch_info.grid_size.x",
	[TACHO__AMD_F_GRID_Y] = "dispatch_info.grid_size.y",
	[TACHO__AMD_F_GRID_Z] = "dispatch_info.grid_size.z",
	[TACHO__AMD_F_COUNTER] = "records.counter_id.handle",
	[TACHO__AMD_F_COUNTED] = "records.value",
};

/* Where a record is read. */
struct place {
	struct tacho__foreign *foreign;
	struct tacho__foreign_json *json;
	struct tacho__amd_record *record;
	char path[256]; /* of the value; of one that is deeper, only its beginning */
};

/* Launches that were counted lie one deeper than others. */
static enum tacho__amd_field find_field(const char *path)
{
	static const char within[] = "dispatch_data.";

	if (!strncmp(path, within, sizeof(within) - 1))
		path += sizeof(within) - 1;
	for (int i = 0; i < TACHO__AMD_FIELDS; i++)
		if (!strcmp(path, paths[i]))
			return (enum tacho__amd_field)i;
	return TACHO__AMD_FIELDS;
}

static int take_value(struct place *place, enum tacho__foreign_json_piece piece)
{
	enum tacho__amd_field field = find_field(place->path);
	struct tacho__amd_record *record = place->record;
	struct tacho__amd_number number = {0};

	if (field == TACHO__AMD_FIELDS)
		return 0;
	if (piece == TACHO__FOREIGN_JSON_STRING)
		return tacho__foreign_text(place->foreign, place->json->text,
					   &record->texts[field]);
	if (piece != TACHO__FOREIGN_JSON_NUMBER)
		return 0;
	number.is_known = tacho__foreign_csv_unsigned(place->json->text, &number.value);
	if (field == TACHO__AMD_F_COUNTED)
		number.is_known = tacho__foreign_csv_real(place->json->text, &record->counted);
	record->numbers[field] = number;
	return 0;
}

static int read_value(struct place *place, enum tacho__foreign_json_piece piece);

static int read_object(struct place *place)
{
	size_t size = strlen(place->path), room = sizeof(place->path) - size;
	enum tacho__foreign_json_piece piece;
	int rc;

	while (!(rc = tacho__foreign_json_next(place->json, &piece)) &&
	       piece == TACHO__FOREIGN_JSON_KEY) {
		snprintf(place->path + size, room, "%s%s", size ? "." : "", place->json->text);
		rc = tacho__foreign_json_next(place->json, &piece);
		if (!rc)
			rc = read_value(place, piece);
		place->path[size] = '\0';
		if (rc)
			return rc;
	}
	return rc;
}

static int read_list(struct place *place)
{
	struct tacho__amd_record *record = place->record;
	enum tacho__foreign_json_piece piece;
	int rc;

	while (!(rc = tacho__foreign_json_next(place->json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_ARRAY_END) {
		rc = read_value(place, piece);
		if (!rc && record->on_element)
			rc = record->on_element(record->user, record, find_field(place->path));
		record->numbers[TACHO__AMD_F_COUNTED].is_known = false; /* it is told */
		if (rc)
			return rc;
	}
	return rc;
}

/* No deeper than pieces of JSON can be. */
static int read_value(struct place *place, enum tacho__foreign_json_piece piece)
{
	switch (piece) {
	case TACHO__FOREIGN_JSON_OBJECT: return read_object(place);
	case TACHO__FOREIGN_JSON_ARRAY: return read_list(place);
	default: return take_value(place, piece);
	}
}

int tacho__amd_record_read(struct tacho__foreign *foreign, struct tacho__foreign_json *json,
			   struct tacho__amd_record *record)
{
	struct place place = {.foreign = foreign, .json = json, .record = record};

	memset(record->numbers, 0, sizeof(record->numbers));
	memset(record->texts, 0, sizeof(record->texts));
	return read_object(&place);
}
