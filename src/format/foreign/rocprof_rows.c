/* SPDX-License-Identifier: MIT */
/* Rows of rocprof's traces, and what they become. */
#include "format/foreign/rocprof.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int tacho__rocprof_process(struct tacho__rocprof *rocprof, uint32_t pid, uint32_t *out_process)
{
	return tacho__foreign_process(rocprof->amd.foreign, rocprof->file << 32 | pid, pid,
				      out_process);
}

/* How much a call copies, by its arguments: "sizeBytes(4096)". */
static void take_bytes(const char *arguments, struct tacho__foreign_call *call)
{
	static const char key[] = "sizeBytes(";
	const char *at = strstr(arguments, key);
	char *end;

	if (!at)
		return;
	call->bytes = strtoull(at + strlen(key), &end, 10);
	call->has_bytes = end > at + strlen(key) && *end == ')';
}

/* Times of launches of the runtime are calls that the tool made up. */
int tacho__rocprof_add_call(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row,
			    const char *api)
{
	struct tacho__foreign_call call = {.thread = row->tid,
					   .link = row->link,
					   .start_ns = row->start_ns,
					   .end_ns = row->end_ns};
	int rc;

	if (!strcmp(row->name, "hsa_dispatch"))
		return 0;
	rc = tacho__rocprof_process(rocprof, row->pid, &call.process);
	if (!rc)
		rc = tacho__foreign_function(rocprof->amd.foreign, api,
					     *row->name ? row->name : "(no name)", &call.function);
	take_bytes(row->arguments, &call);
	rocprof->calls++;
	return rc ? rc : tacho__foreign_add_call(rocprof->amd.foreign, &call);
}

int tacho__rocprof_add_marker(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row)
{
	struct tacho__foreign_range range = {
		.thread = row->tid, .start_ns = row->start_ns, .end_ns = row->end_ns, .has_end = 1};
	int rc = tacho__rocprof_process(rocprof, row->pid, &range.process);

	if (row->end_ns - row->start_ns <= 1 && row->end_ns >= row->start_ns)
		range.end_ns = range.start_ns;
	rocprof->markers++;
	return rc ? rc : tacho__amd_add_marker(&rocprof->amd, "MARKER_", row->name, &range);
}

static bool is_transfer(const char *name)
{
	return strcasestr(name, "copy") || strcasestr(name, "memset") || strstr(name, "Fill");
}

static bool is_barrier(const char *name)
{
	return strcasestr(name, "barrier packet") || strstr(name, "Marker");
}

bool tacho__rocprof_is_kernel(const char *name)
{
	/* kernels may be called anything; what the runtime does has one word */
	return strchr(name, '(') || strncmp(name, "_Z", 2) == 0 ||
	       (!is_transfer(name) && !is_barrier(name));
}

bool tacho__rocprof_is_fact(const char *column)
{
	static const char *const facts[] = {
		"Index",      "KernelName", "Name",    "name",	 "Data",       "args",
		"pid",	      "tid",	    "gpu-id",  "dev-id", "queue-id",   "queue-index",
		"stream-id",  "grd",	    "wgr",     "lds",	 "scr",	       "vgpr",
		"arch_vgpr",  "accum_vgpr", "sgpr",    "fbar",	 "wave_size",  "sig",
		"obj",	      "DispatchNs", "BeginNs", "EndNs",	 "CompleteNs", "DurationNs",
		"roctx-range"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(facts); i++)
		if (!strcmp(column, facts[i]))
			return true;
	return !strncmp(column, "__", 2); /* where it is drawn */
}

static int name_work(struct tacho__rocprof *rocprof, const char *name,
		     struct tacho__foreign_command *command)
{
	const struct tacho__amd_kernel kernel = {.name = name};

	if (tacho__rocprof_is_kernel(name))
		return tacho__amd_take_kernel(&rocprof->amd, &kernel, command);
	if (is_barrier(name)) {
		command->kind = TACHO_COMMAND_OTHER;
		return tacho__foreign_text(rocprof->amd.foreign, "barrier", &command->name);
	}
	if (strstr(name, "Fill") || strcasestr(name, "memset")) {
		command->kind = TACHO_COMMAND_FILL;
		return tacho__foreign_text(rocprof->amd.foreign, "fill", &command->name);
	}
	return tacho__amd_take_direction(&rocprof->amd, name, command);
}

static int place(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row,
		 struct tacho__foreign_command *command)
{
	uint32_t run;
	int rc = tacho__foreign_text(rocprof->amd.foreign, "rocprof", &run);

	command->thread = row->tid;
	command->link = row->link;
	command->state = TACHO_STATE_OK;
	command->start_ns = row->start_ns;
	command->end_ns = row->end_ns;
	rocprof->work++;
	if (!rc)
		rc = tacho__amd_device(&rocprof->amd, command->process, run, row->device, true,
				       &command->device);
	return rc ? rc : tacho__amd_queue(&rocprof->amd, row->queue, command);
}

int tacho__rocprof_add_work(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row)
{
	struct tacho__foreign_command command = {.values = row->values};
	int rc = tacho__rocprof_process(rocprof, row->pid, &command.process);

	if (!rc)
		rc = name_work(rocprof, row->name, &command);
	if (!rc)
		rc = place(rocprof, row, &command);
	return rc ? rc : tacho__foreign_add_command(rocprof->amd.foreign, &command);
}

int tacho__rocprof_add_launch(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row,
			      const struct tacho__amd_kernel *kernel,
			      struct tacho__foreign_command *launch)
{
	int rc = tacho__amd_take_kernel(&rocprof->amd, kernel, launch);

	if (!rc)
		rc = place(rocprof, row, launch);
	return rc ? rc : tacho__foreign_add_command(rocprof->amd.foreign, launch);
}
