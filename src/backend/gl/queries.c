/* SPDX-License-Identifier: MIT */
/* The standard queries: what a context must have for each, and the blocks that they go into. */
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"

enum { TARGET_BITS = 32, STREAMS_MAX = 64 };

/* One of these is enough: the version, or the extension. 0 and NULL: there is none. */
struct demand {
	uint32_t version;
	const char *extension;
	uint32_t es_version;
	const char *es_extension;
};

#define STATISTICS 46, "GL_ARB_pipeline_statistics_query", 0, NULL
#define OVERFLOW   46, "GL_ARB_transform_feedback_overflow_query", 0, NULL
#define FEEDBACK   30, "GL_EXT_transform_feedback"

/* OpenGL 4.6 section 4.2; OpenGL ES 3.2 section 4.2; the extensions' own texts before. */
static const struct requirement {
	uint32_t target;
	struct demand query, stage; /* the query, and the shader stage that it counts */
} requirements[] = {
	{GL__TIME_ELAPSED, {33, "GL_ARB_timer_query", 0, "GL_EXT_disjoint_timer_query"}, {0}},
	{GL__SAMPLES_PASSED, {15, "GL_ARB_occlusion_query", 0, NULL}, {0}},
	{GL__ANY_SAMPLES_PASSED, {33, "GL_ARB_occlusion_query2", 30, NULL}, {0}},
	{0x8c87, {FEEDBACK, 32, "GL_EXT_geometry_shader"}, {0}}, /* PRIMITIVES_GENERATED */
	{0x8c88, {FEEDBACK, 30, NULL}, {0}}, /* TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN */
	{0x82ec, {OVERFLOW}, {0}},	     /* TRANSFORM_FEEDBACK_OVERFLOW */
	{0x82ed, {OVERFLOW}, {0}},	     /* TRANSFORM_FEEDBACK_STREAM_OVERFLOW */
	{0x82ee, {STATISTICS}, {0}},	     /* VERTICES_SUBMITTED */
	{0x82ef, {STATISTICS}, {0}},	     /* PRIMITIVES_SUBMITTED */
	{0x82f0, {STATISTICS}, {0}},	     /* VERTEX_SHADER_INVOCATIONS */
	{0x82f1, {STATISTICS}, {40, "GL_ARB_tessellation_shader", 0, NULL}},
	{0x82f2, {STATISTICS}, {40, "GL_ARB_tessellation_shader", 0, NULL}},
	{0x887f, {STATISTICS}, {32, "GL_ARB_geometry_shader4", 0, NULL}},
	{0x82f3, {STATISTICS}, {32, "GL_ARB_geometry_shader4", 0, NULL}},
	{0x82f4, {STATISTICS}, {0}}, /* FRAGMENT_SHADER_INVOCATIONS */
	{0x82f5, {STATISTICS}, {43, "GL_ARB_compute_shader", 0, NULL}},
	{0x82f6, {STATISTICS}, {0}}, /* CLIPPING_INPUT_PRIMITIVES */
	{0x82f7, {STATISTICS}, {0}}, /* CLIPPING_OUTPUT_PRIMITIVES */
};

static const struct demand streams_demand = {40, "GL_ARB_transform_feedback3", 0, NULL};

static bool is_met(const struct tacho__gl_device *device, const struct demand *demand)
{
	const struct tacho__gl_version *version = &device->version;
	uint32_t number = version->is_es ? demand->es_version : demand->version;
	const char *extension = version->is_es ? demand->es_extension : demand->extension;

	return (number && version->number >= number) ||
	       (extension && tacho__gl_has_extension(&device->gl, extension));
}

static const char *keep(struct tacho__gl_device *device, const char *text, int *out_rc)
{
	const char *kept = text ? tacho__catalog_text(device->own.catalog, "%s", text) : NULL;

	if (!kept)
		*out_rc = TACHO_E_NOMEM;
	return kept ? kept : "";
}

static const char *explain_demand(struct tacho__gl_device *device, const struct demand *demand,
				  int *out_rc)
{
	const struct tacho__gl_version *version = &device->version;
	uint32_t number = version->is_es ? demand->es_version : demand->version;
	const char *extension = version->is_es ? demand->es_extension : demand->extension;
	struct tacho__buf text = {0};
	const char *kept;

	tacho__buf_printf(&text, "the context is \"%.100s\"; ", version->text);
	if (number)
		tacho__buf_printf(&text, "this needs OpenGL%s %u.%u", version->is_es ? " ES" : "",
				  number / 10, number % 10);
	if (extension)
		tacho__buf_printf(&text, number ? " or %s" : "this needs %s", extension);
	if (!number && !extension)
		tacho__buf_put(&text, "OpenGL ES has no such query: make a context of OpenGL");
	kept = keep(device, text.failed ? NULL : tacho__buf_text(&text), out_rc);
	tacho__buf_finish(&text);
	return kept;
}

static const char *explain_stream(struct tacho__gl_device *device, uint32_t stream, int *out_rc)
{
	int32_t streams = 0;

	if (!is_met(device, &streams_demand))
		return explain_demand(device, &streams_demand, out_rc);
	if (!device->gl.begin_query_at || !device->gl.end_query_at || !device->gl.get_query_at)
		return "the driver has no function glBeginQueryIndexed";
	device->gl.get_integer(GL__MAX_VERTEX_STREAMS, &streams);
	if ((int64_t)stream < streams)
		return NULL;
	return keep(device, tacho__detail("GL_MAX_VERTEX_STREAMS is %d", (int)streams), out_rc);
}

const char *tacho__gl_explain_query(struct tacho__gl_device *device, uint32_t target,
				    uint32_t stream, int *out_rc)
{
	const struct requirement *needed = NULL;
	const char *reason;
	int32_t bits = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(requirements); i++)
		if (requirements[i].target == target)
			needed = &requirements[i];
	if (!needed || stream >= STREAMS_MAX)
		return "tacho does not know this query";
	if (!is_met(device, &needed->query))
		return explain_demand(device, &needed->query, out_rc);
	if (needed->stage.version && !is_met(device, &needed->stage))
		return explain_demand(device, &needed->stage, out_rc);
	if (stream) {
		reason = explain_stream(device, stream, out_rc);
		if (reason)
			return reason;
	}
	device->gl.get_query(target, GL__QUERY_COUNTER_BITS, &bits);
	return bits > 0 ? NULL : "the driver says that its counter has 0 bits";
}

/* Queries that cannot be active at the same time get blocks of their own. */
static const char *choose_block(struct tacho__gl_device *device, const struct tacho_entry *entry,
				int *out_rc)
{
	const char *own = tacho__gl_quirks_get_block(&device->quirks, entry->name);
	struct tacho_block block = {.name = "GL", .slots = STREAMS_MAX, .instances = 1};

	switch ((uint32_t)entry->event) {
	case GL__TIME_ELAPSED:
		block.name = "GL_TIME";
		block.description = "time stamps; other queries would cost time";
		block.attributes = "apart";
		break;
	case GL__SAMPLES_PASSED: /* OpenGL 4.6 section 4.2.1: one occlusion query at a time */
	case GL__ANY_SAMPLES_PASSED:
		block.name = "GL_OCCLUSION";
		block.description = "samples that pass; the queries exclude each other";
		block.slots = 1;
		break;
	default:
		block.description = "queries that can be active together";
		if (!own)
			break;
		block.description = "queries that this driver counts wrongly together with others";
		block.name = own;
		block.stage = own;
		block.stage_slots = block.slots;
	}
	if (!tacho_arch_find_block(tacho__arch_public(device->own.arch), block.name))
		*out_rc = tacho__arch_add_block(device->own.arch, &block);
	return block.name;
}

const char *tacho__gl_make_caveat(struct tacho__gl_device *device, const struct tacho_entry *entry,
				  int *out_rc)
{
	struct tacho__buf text = {0};
	const char *note, *kept;

	tacho__buf_put(&text, entry->caveat);
	for (size_t i = 0; (note = tacho__gl_quirks_get_note(&device->quirks, entry->name, i)); i++)
		tacho__buf_printf(&text, "%s%s", text.size ? "; " : "", note);
	kept = keep(device, text.failed ? NULL : tacho__buf_text(&text), out_rc);
	tacho__buf_finish(&text);
	return kept;
}

static int add_query(struct tacho__gl_device *device, const struct tacho_entry *definition)
{
	uint32_t target = (uint32_t)definition->event;
	uint32_t stream = (uint32_t)(definition->event >> TARGET_BITS);
	struct tacho__gl_counter how = {.target = target, .index = stream};
	struct tacho_entry entry = *definition;
	int rc = 0;
	const char *reason = tacho__gl_explain_query(device, target, stream, &rc);

	if (rc)
		return rc;
	if (reason)
		return tacho__known_refuse(device->own.arch, &entry, reason);
	how.kind = target == GL__TIME_ELAPSED ? TACHO__GL_TIME : TACHO__GL_QUERY;
	entry.block = choose_block(device, definition, &rc);
	if (!rc)
		entry.caveat = tacho__gl_make_caveat(device, definition, &rc);
	if (!device->gl.get_object_64)
		entry.width_bits = 32;
	return rc ? rc : tacho__gl_add_counter(device, &entry, &how);
}

int tacho__gl_add_queries(struct tacho__gl_device *device, const struct tacho_arch *from)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(from, i)); i++)
		if (entry->kind == TACHO_ENTRY_COUNTER)
			rc = strcmp(entry->block, "gpu") ? add_query(device, entry)
							 : tacho__gl_add_time(device, entry);
	return rc;
}
