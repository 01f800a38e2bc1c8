/* SPDX-License-Identifier: MIT */
/*
 * A tool that tells what happens to it, on standard output. TOOL is its name. The environment has
 * what it is to do: TOOL_NAME=refuse, it does not want to run; =fail, its initialize() fails.
 */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int data;
static rocprofiler_context_id_t context;

static void say(const char *text)
{
	printf("%s %s\n", TOOL, text);
	fflush(stdout);
}

static int is_asked(const char *what)
{
	const char *value = getenv("TOOL_" TOOL);

	return value && !strcmp(value, what);
}

static int initialize(rocprofiler_client_finalize_t finalize, void *tool_data)
{
	int is_initialized = 0;

	rocprofiler_is_initialized(&is_initialized);
	printf("%s initialize: data %s, initialized %d, create_context %s\n", TOOL,
	       tool_data == &data ? "ours" : "WRONG", is_initialized,
	       rocprofiler_get_status_name(rocprofiler_create_context(&context)));
	fflush(stdout);
	rocprofiler_start_context(context);
	return is_asked("fail") ? 3 : 0;
}

static void finalize(void *tool_data)
{
	int is_active = 5, is_finalized = 5;

	rocprofiler_context_is_active(context, &is_active);
	rocprofiler_is_finalized(&is_finalized);
	printf("%s finalize: context active %d, finalized %d\n", TOOL, is_active, is_finalized);
	fflush(stdout);
}

/* What the program asks: whether the tool's context is one. */
ROCPROFILER_PUBLIC_API int tool_context_is_valid(void);
int tool_context_is_valid(void)
{
	int is_valid = 0;

	rocprofiler_context_is_valid(context, &is_valid);
	return is_valid;
}

rocprofiler_tool_configure_result_t *rocprofiler_configure(uint32_t version,
							   const char *runtime_version,
							   uint32_t priority,
							   rocprofiler_client_id_t *client_id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, finalize,
							     &data};
	rocprofiler_context_id_t early = {0};

	printf("%s configure: %u \"%s\" priority %u, id of %zu bytes, create_context %s\n", TOOL,
	       version, runtime_version, priority, client_id->size,
	       rocprofiler_get_status_name(rocprofiler_create_context(&early)));
	fflush(stdout);
	client_id->name = "the tool " TOOL;
	if (is_asked("refuse"))
		say("does not want to run");
	return is_asked("refuse") ? NULL : &result;
}
