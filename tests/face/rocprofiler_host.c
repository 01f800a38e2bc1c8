/* SPDX-License-Identifier: MIT */
/*
 * A program under tools; its arguments are what it does, in turn. With OWN_TOOL it has a
 * rocprofiler_configure() itself.
 */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

ROCPROFILER_API int rocprofiler_set_api_table(const char *name, uint64_t lib_version,
					      uint64_t lib_instance, void **tables,
					      uint64_t num_tables);

static rocprofiler_client_finalize_t finalize_client;
static rocprofiler_client_id_t *known;
static char id_bytes[sizeof(rocprofiler_client_id_t)];

static int initialize(rocprofiler_client_finalize_t finalize, void *tool_data)
{
	finalize_client = finalize;
	printf("host initialize\n");
	fflush(stdout);
	return 0;
}

static void finalize(void *tool_data)
{
	printf("host finalize\n");
	fflush(stdout);
}

static rocprofiler_tool_configure_result_t *configure(uint32_t version, const char *runtime_version,
						      uint32_t priority,
						      rocprofiler_client_id_t *client_id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, finalize,
							     NULL};

	printf("host configure: priority %u\n", priority);
	fflush(stdout);
	memcpy(id_bytes, client_id, sizeof(id_bytes));
	known = (rocprofiler_client_id_t *)id_bytes;
	return &result;
}

#ifdef OWN_TOOL
rocprofiler_tool_configure_result_t *rocprofiler_configure(uint32_t version,
							   const char *runtime_version,
							   uint32_t priority,
							   rocprofiler_client_id_t *client_id)
{
	return configure(version, runtime_version, priority, client_id);
}
#endif

static const char *name_of(rocprofiler_status_t status)
{
	return rocprofiler_get_status_name(status);
}

static void print_state(void)
{
	int is_initialized = 5, is_finalized = 5;

	rocprofiler_is_initialized(&is_initialized);
	rocprofiler_is_finalized(&is_finalized);
	printf("initialized %d, finalized %d\n", is_initialized, is_finalized);
}

static void run_child(void)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (!child)
		exit(7);
	waitpid(child, &status, 0);
	printf("child exits with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void ask_tool(const char *name)
{
	int (*is_valid)(void) = NULL;
	void *symbol = dlsym(dlopen(name, RTLD_NOLOAD | RTLD_LAZY), "tool_context_is_valid");

	memcpy(&is_valid, &symbol, sizeof(symbol));
	printf("its context is valid: %d\n", is_valid());
}

static void act(const char *what)
{
	rocprofiler_context_id_t context = {0};
	void *tables[1] = {NULL};

	if (!strcmp(what, "force"))
		printf("force: %s\n", name_of(rocprofiler_force_configure(configure)));
	else if (!strcmp(what, "force-null"))
		printf("force: %s\n", name_of(rocprofiler_force_configure(NULL)));
	else if (!strcmp(what, "table"))
		printf("table: %d\n", rocprofiler_set_api_table("hsa", 10000, 0, tables, 1));
	else if (!strcmp(what, "state"))
		print_state();
	else if (!strcmp(what, "create"))
		printf("create: %s\n", name_of(rocprofiler_create_context(&context)));
	else if (!strcmp(what, "finalize"))
		finalize_client(*known);
	else if (!strcmp(what, "fork"))
		run_child();
	else
		ask_tool(what);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		act(argv[i]);
	printf("end of main\n");
	fflush(stdout);
	return 0;
}
