/* SPDX-License-Identifier: MIT */
/* A launch: everything that is known and decided before the program starts, and its end. */
#include "inject/launch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "inject/target.h"

static int no_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a launch");
}

static int copy_arguments(struct tacho_launch *launch, char *const argv[])
{
	size_t count = 0;

	while (argv[count])
		count++;
	launch->argv = calloc(count + 1, sizeof(*launch->argv));
	for (size_t i = 0; launch->argv && i < count; i++) {
		launch->argv[i] = strdup(argv[i]);
		if (!launch->argv[i])
			return no_memory();
	}
	return launch->argv ? 0 : no_memory();
}

static void remember_signals(struct tacho_launch *launch)
{
	struct sigaction action;

	sigemptyset(&launch->ignored);
	for (int number = 1; number < NSIG; number++)
		if (!sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN)
			sigaddset(&launch->ignored, number);
	sigprocmask(SIG_SETMASK, NULL, &launch->mask);
}

static void add_warning(struct tacho_launch *launch, const char *text, size_t size)
{
	if (launch->warning_count == TACHO__WARNINGS_MAX || !size)
		return;
	launch->warnings[launch->warning_count] = strndup(text, size);
	if (launch->warnings[launch->warning_count])
		launch->warning_count++;
}

static void add_warnings(struct tacho_launch *launch)
{
	const struct tacho__injection *injection;
	struct tacho__buf lines = {0};

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		injection->warn(&lines);
	for (const char *line = tacho__buf_text(&lines); *line;) {
		size_t size = strcspn(line, "\n");

		add_warning(launch, line, size);
		line += size + (line[size] == '\n');
	}
	tacho__buf_finish(&lines);
}

/* Chooses how our library gets in, from what the loaders of this machine can do. */
static int choose_via(struct tacho_launch *launch, enum tacho_launch_via wanted)
{
	const struct tacho__injection *injection;
	struct tacho__buf sentence = {0}, warning = {0};
	bool all_know_layers = true;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++) {
		struct tacho__loader loader = {0};

		injection->find_loader(&loader);
		if (!loader.path[0])
			continue;
		all_know_layers &= loader.has_layers;
		tacho__buf_printf(&sentence, "%s%s (%s)", sentence.size ? ", " : "", loader.path,
				  loader.has_layers ? "knows layers" : "knows no layers");
		if (wanted == TACHO_VIA_LAYER && !loader.has_layers)
			tacho__buf_printf(&warning,
					  "%s does not know layers, so nothing will be recorded: "
					  "use --via preload",
					  loader.path);
	}
	launch->via = wanted;
	if (wanted == TACHO_VIA_AUTO)
		launch->via = all_know_layers ? TACHO_VIA_LAYER : TACHO_VIA_PRELOAD;
	add_warning(launch, tacho__buf_text(&warning), warning.size);
	launch->loader = strdup(tacho__buf_text(&sentence));
	tacho__buf_finish(&sentence);
	tacho__buf_finish(&warning);
	return launch->loader ? 0 : no_memory();
}

static void destroy(struct tacho_launch *launch)
{
	tacho__library_finish(&launch->library);
	tacho__keeper_release(&launch->keeper);
	tacho__buf_finish(&launch->why_empty);
	tacho__buf_finish(&launch->loss);
	tacho__buf_finish(&launch->cure);
	for (size_t i = 0; i < launch->warning_count; i++)
		free(launch->warnings[i]);
	for (char **argument = launch->argv; argument && *argument; argument++)
		free(*argument);
	if (launch->directory_fd >= 0)
		close(launch->directory_fd);
	if (launch->replaced_fd >= 0)
		close(launch->replaced_fd);
	if (launch->pidfd >= 0)
		close(launch->pidfd);
	free(launch->argv);
	free(launch->loader);
	free(launch->directory);
	free(launch->absolute);
	free(launch->replaced);
	free(launch->program);
	free(launch);
}

static int start_keeper(struct tacho_launch *launch, const struct tacho_launch_options *options)
{
	const struct tacho__keeper_limits limits = {
		.max_bytes = options->max_bytes,
		.max_calls = options->max_calls,
		.max_launches = options->max_launches,
		.ring_bytes = options->ring_bytes,
		.only_work = options->only_work,
		.calls = options->calls,
		.call_count = options->call_count,
		.is_synced = options->is_synced,
	};

	return tacho__keeper_start(launch->directory_fd, launch->absolute, launch->stamp, &limits,
				   &launch->keeper);
}

/* Nothing was recorded, and nothing will be: nothing is left. */
static void give_up(struct tacho_launch *launch)
{
	if (launch->keeper.pool) {
		tacho__launch_end_sampling(launch);
		atomic_store(&launch->keeper.pool->quit, 1);
		tacho__keeper_end(&launch->keeper);
	}
	tacho__keeper_release(&launch->keeper);
	tacho__launch_remove_directory(launch);
}

static int prepare(struct tacho_launch *launch, char *const argv[],
		   const struct tacho_launch_options *options)
{
	int rc = tacho__program_find(argv[0], &launch->program);

	if (!rc)
		rc = tacho__program_check(launch->program, launch->binary);
	if (!rc)
		rc = copy_arguments(launch, argv);
	if (!rc)
		rc = tacho__library_find(&launch->library);
	if (!rc)
		rc = choose_via(launch, options->via);
	if (rc)
		return rc;
	add_warnings(launch);
	launch->sampler.sampling = options->sampling;
	launch->no_follow = options->no_follow;
	launch->keep_programs = options->keep_programs;
	launch->time_draws = options->time_draws;
	launch->streams[STDIN_FILENO] = options->input_fd;
	launch->streams[STDOUT_FILENO] = options->output_fd;
	launch->streams[STDERR_FILENO] = options->error_fd;
	rc = tacho__launch_make_directory(launch, options->name, options->overwrite);
	if (rc)
		return rc;
	tacho__clock_anchor(&launch->start);
	snprintf(launch->stamp, sizeof(launch->stamp), "%d-%llu", (int)getpid(),
		 (unsigned long long)launch->start.realtime_ns);
	rc = start_keeper(launch, options);
	if (!rc)
		rc = tacho__launch_write_meta(launch);
	if (!rc && options->counting)
		rc = tacho__launch_write_counting(launch, options->counting);
	if (rc)
		give_up(launch);
	return rc;
}

int tacho_launch_create(char *const argv[], const struct tacho_launch_options *options,
			struct tacho_launch **out_launch)
{
	static const struct tacho_launch_options none;
	struct tacho_launch *launch;
	int rc;

	if (!argv || !argv[0])
		return tacho__fail(TACHO_E_INVAL, "it is empty", "name a program",
				   "there is no command to run");
	launch = calloc(1, sizeof(*launch));
	if (!launch)
		return no_memory();
	launch->directory_fd = launch->replaced_fd = launch->pidfd = -1;
	launch->keeper.wire = launch->keeper.directory_fd = -1;
	tacho__clock_init();
	remember_signals(launch);
	rc = prepare(launch, argv, options ? options : &none);
	if (rc)
		destroy(launch);
	else
		*out_launch = launch;
	return rc;
}

const char *tacho_launch_get_path(const struct tacho_launch *launch)
{
	return launch->directory;
}

const char *tacho_launch_get_loader(const struct tacho_launch *launch)
{
	return launch->loader;
}

const char *tacho_launch_get_warning(const struct tacho_launch *launch, size_t index)
{
	return index < launch->warning_count ? launch->warnings[index] : NULL;
}

int tacho_launch_end(struct tacho_launch *launch, const struct tacho_launch_outcome **out_outcome)
{
	int rc;

	if (!launch->pid)
		return tacho__fail(TACHO_E_INVAL, "it was not started", "", "cannot end %s",
				   launch->program);
	if (!launch->has_outcome) {
		tacho__launch_end_sampling(launch);
		tacho__keeper_end(&launch->keeper);
		tacho__launch_find_outcome(launch);
		launch->has_outcome = true;
		rc = tacho__launch_write_end(launch);
		if (rc)
			return rc;
	}
	*out_outcome = &launch->outcome;
	return 0;
}

int tacho_launch_finish(struct tacho_launch *launch)
{
	const struct tacho_launch_outcome *outcome;
	int rc = 0;

	if (!launch)
		return 0;
	if (launch->pid)
		rc = tacho_launch_end(launch, &outcome);
	else
		give_up(launch);
	destroy(launch);
	return rc;
}
