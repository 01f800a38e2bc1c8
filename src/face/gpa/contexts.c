/* SPDX-License-Identifier: MIT */
/* Contexts: opened, selected, closed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "face/gpa/gpa.h"

GPA_Status tacho__gpa_check_pointer(const void *pointer, const char *name)
{
	return pointer ? GPA_STATUS_OK
		       : tacho__gpa_fail(GPA_STATUS_ERROR_NULL_POINTER, "'%s' is NULL.", name);
}

GPA_Status tacho__gpa_get_context(struct tacho__gpa_context **out_context)
{
	while (tacho__gpa.current && tacho__gpa.current->is_awaited)
		tacho__gpa_let_arrive();
	if (!tacho__gpa.current)
		return tacho__gpa_fail(
			GPA_STATUS_ERROR_COUNTERS_NOT_OPEN,
			"no context is open. Call GPA_OpenContext before, and look at its status.");
	*out_context = tacho__gpa.current;
	return GPA_STATUS_OK;
}

GPA_Status tacho__gpa_get_asked(const void *pointer, const char *name,
				struct tacho__gpa_context **out_context)
{
	GPA_Status status = tacho__gpa_get_context(out_context);

	return status ? status : tacho__gpa_check_pointer(pointer, name);
}

static void drop_context(struct tacho__gpa_context *context)
{
	struct tacho__gpa_context **link = &tacho__gpa.contexts;

	while (*link && *link != context)
		link = &(*link)->next;
	if (*link)
		*link = context->next;
	if (tacho__gpa.current == context)
		tacho__gpa.current = tacho__gpa.contexts;
	for (size_t i = 0; i < TACHO__GPA_KEPT; i++)
		tacho__gpa_drop_session(&context->sessions[i]);
	tacho__gpa_drop_plan(context->plan);
	tacho__gpa_drop_counters(context);
	tacho__gpa_close_device(context->core, context->device);
	free(context->label);
	free(context);
}

static GPA_Status initialize(void)
{
	if (tacho__gpa.contexts)
		tacho__gpa_tell("a context was opened before; it stays as it is.");
	tacho__gpa.is_initialized = 1;
	return GPA_STATUS_OK;
}

static int is_any_awaited(void)
{
	const struct tacho__gpa_context *context = tacho__gpa.contexts;

	while (context && !context->is_awaited)
		context = context->next;
	return context != NULL;
}

static GPA_Status destroy(void)
{
	struct tacho__gpa_context *contexts;
	unsigned count = 0;

	while (is_any_awaited())
		tacho__gpa_let_arrive();
	contexts = tacho__gpa.contexts;
	tacho__gpa.contexts = tacho__gpa.current = NULL;
	while (contexts) {
		struct tacho__gpa_context *next = contexts->next;

		drop_context(contexts);
		contexts = next;
		count++;
	}
	tacho__gpa.is_initialized = 0;
	if (count)
		tacho__gpa_tell("%u contexts were still open and were closed.", count);
	return GPA_STATUS_OK;
}

/* Texts about simulated devices begin with the mark. */
static GPA_Status describe(struct tacho__gpa_context *context)
{
	static const char mark[] = " [simulated]";
	const struct tacho_device_info *info = tacho_device_get_info(context->device);
	size_t length = strlen(info->name), size = length + sizeof(mark) + 1;

	context->is_simulated = info->is_simulated;
	context->label = calloc(1, size);
	if (!context->label)
		return tacho__gpa_fail(GPA_STATUS_ERROR_FAILED, "out of memory.");
	/* The core has it behind the name. */
	if (length >= sizeof(mark) - 1 && !strcmp(info->name + length - sizeof(mark) + 1, mark))
		length -= sizeof(mark) - 1;
	snprintf(context->label, size, "%s%.*s", context->is_simulated ? "[simulated] " : "",
		 (int)length, info->name);
	return GPA_STATUS_OK;
}

static void add_context(struct tacho__gpa_context *context)
{
	struct tacho__gpa_context **link = &tacho__gpa.contexts;

	while (*link)
		link = &(*link)->next;
	*link = context;
	tacho__gpa.current = context;
}

static GPA_Status open_context(void *handle)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_check_pointer(handle, "pContext");

	if (status)
		return status;
	for (context = tacho__gpa.contexts; context; context = context->next)
		if (context->handle == handle)
			return tacho__gpa_fail(GPA_STATUS_ERROR_COUNTERS_ALREADY_OPEN,
					       "this context is open already.");
	context = calloc(1, sizeof(*context));
	if (!context)
		return tacho__gpa_fail(GPA_STATUS_ERROR_FAILED, "out of memory.");
	context->handle = handle;
	if (tacho__gpa_open_device(handle, &context->core, &context->device))
		status = tacho__gpa_refuse();
	if (!status)
		status = describe(context);
	if (!status)
		status = tacho__gpa_list_counters(context);
	if (status) {
		drop_context(context);
		return status;
	}
	add_context(context);
	tacho__gpa_tell("%s: %u counters.%s", context->label, context->counter_count,
			tacho__gpa.is_initialized ? "" : " GPA_Initialize was not called before.");
	return GPA_STATUS_OK;
}

static GPA_Status select_context(void *handle)
{
	struct tacho__gpa_context *context = tacho__gpa.contexts;

	if (tacho__gpa_check_pointer(handle, "pContext"))
		return GPA_STATUS_ERROR_NULL_POINTER;
	while (context && context->handle != handle)
		context = context->next;
	if (!context)
		return tacho__gpa_fail(GPA_STATUS_ERROR_COUNTERS_NOT_OPEN,
				       "this context is not open. Call GPA_OpenContext before.");
	tacho__gpa.current = context;
	return GPA_STATUS_OK;
}

static GPA_Status close_context(void)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_context(&context);

	if (!status && context->active)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLING_NOT_ENDED,
					 "session %u is open. Call GPA_EndSession before.",
					 context->active->id);
	if (!status)
		drop_context(context);
	return status;
}

static GPA_Status get_device_id(gpa_uint32 *out_id)
{
	struct tacho__gpa_context *context = NULL;
	const struct tacho_model *model;
	GPA_Status status = tacho__gpa_get_asked(out_id, "pDeviceID", &context);

	if (status)
		return status;
	model = tacho_device_get_model(context->device);
	for (size_t i = 0; model && i < model->property_count; i++) {
		if (strcmp(model->properties[i].name, "PCI_DEVICE") != 0)
			continue;
		*out_id = (gpa_uint32)model->properties[i].value;
		return GPA_STATUS_OK;
	}
	return tacho__gpa_fail(GPA_STATUS_ERROR_NOT_FOUND,
			       "the PCI device number of %s is not known.", context->label);
}

static GPA_Status get_device_desc(const char **out_text)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_asked(out_text, "ppDesc", &context);

	if (!status && !*context->label)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_NOT_FOUND,
					 "the driver tells no name of the device.");
	if (!status)
		*out_text = context->label;
	return status;
}

GPA_Status GPA_Initialize(void)
{
	TACHO__GPA_CALL("GPA_Initialize", initialize());
}

GPA_Status GPA_Destroy(void)
{
	TACHO__GPA_CALL("GPA_Destroy", destroy());
}

GPA_Status GPA_OpenContext(void *pContext)
{
	TACHO__GPA_CALL("GPA_OpenContext", open_context(pContext));
}

GPA_Status GPA_SelectContext(void *pContext)
{
	TACHO__GPA_CALL("GPA_SelectContext", select_context(pContext));
}

GPA_Status GPA_CloseContext(void)
{
	TACHO__GPA_CALL("GPA_CloseContext", close_context());
}

GPA_Status GPA_GetDeviceID(gpa_uint32 *pDeviceID)
{
	TACHO__GPA_CALL("GPA_GetDeviceID", get_device_id(pDeviceID));
}

GPA_Status GPA_GetDeviceDesc(const char **ppDesc)
{
	TACHO__GPA_CALL("GPA_GetDeviceDesc", get_device_desc(ppDesc));
}
