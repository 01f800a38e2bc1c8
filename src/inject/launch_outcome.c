/* SPDX-License-Identifier: MIT */
/* What became of a recording, from the memory that its processes and its keeper shared. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "inject/launch.h"

static uint32_t count_living(struct tacho__pool *pool)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX; i++)
		count += atomic_load(&pool->process[i].state) == TACHO__POOL_LIVE;
	return count;
}

/* What the keeper has counted, and what processes that live have counted since. */
static uint64_t sum_up(struct tacho__pool *pool, uint64_t counted,
		       uint64_t (*count_of)(struct tacho__pool_process *process))
{
	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX; i++)
		if (atomic_load(&pool->process[i].state) == TACHO__POOL_LIVE)
			counted += count_of(&pool->process[i]);
	return counted;
}

/* What helps a process that could not take part. */
static const char *find_cure(const struct tacho__pool_refusal *refusal)
{
	switch (refusal->error) {
	case ELIBBAD: return "let it load the library of the tacho that records";
	case EACCES:
	case EPERM: return "record as the user that it runs as";
	case ENOENT:
		return "show it that folder (a container, chroot or other mount namespace hides "
		       "it), "
		       "or set XDG_RUNTIME_DIR to a folder in memory that it sees";
	case ENOMEM: return "raise its limit on address space (ulimit -v)";
	case EMFILE:
	case ENFILE: return "raise its limit on open files (ulimit -n)";
	default: return "";
	}
}

static void describe_refusals(struct tacho_launch *launch)
{
	const struct tacho__pool *pool = launch->keeper.pool;
	unsigned count = atomic_load(&pool->refusal_count);
	const struct tacho__pool_refusal *first = &pool->refusals[0];

	if (!count)
		return;
	tacho__buf_printf(
		&launch->loss,
		"%s%u process%s could not be recorded: process %u of user %u could not %s ",
		launch->loss.size ? "; " : "", count, count == 1 ? "" : "es", first->pid,
		first->uid, first->stage);
	tacho__buf_printf(&launch->loss, "%s: %s (errno %d)", launch->keeper.path,
			  first->error == ELIBBAD ? "it has another tacho's library"
						  : strerror(first->error),
			  (int)first->error);
	if (!launch->cure.size)
		tacho__buf_put(&launch->cure, find_cure(first));
}

static void describe_write_error(struct tacho_launch *launch)
{
	int error = launch->outcome.error;

	tacho__buf_printf(&launch->loss, ": %s could not be written: %s (errno %d)",
			  launch->directory, strerror(error), error);
	tacho__buf_put(&launch->cure, error == ENOSPC || error == EDQUOT
					      ? "make room there, or record elsewhere (-o)"
				      : error == EFBIG
					      ? "raise the limit on the size of files (ulimit -f)"
					      : "record elsewhere (-o)");
}

/* Files took everything: the memory in between did not, or there was nowhere to write at all. */
static void describe_cause(struct tacho_launch *launch)
{
	struct tacho__pool *pool = launch->keeper.pool;
	uint64_t late = sum_up(pool, atomic_load(&pool->lost_late), tacho__pool_count_late);
	int error = atomic_load(&pool->growth_error);

	if (late && error) {
		tacho__buf_printf(&launch->loss, ": there was no memory in %s: %s (errno %d)",
				  launch->keeper.path, strerror(error), error);
		tacho__buf_put(&launch->cure, "make room there");
	} else if (late) {
		tacho__buf_put(&launch->loss, ": they came faster than they could be written");
		tacho__buf_put(&launch->cure, "leave cheap calls out (--no-calls), or record onto "
					      "a faster disk");
	} else if (launch->outcome.lost_calls) {
		tacho__buf_put(&launch->loss, ": they were made inside of other calls, by signal "
					      "handlers, or by more threads than can be recorded, "
					      "or a vendor's library dropped them or the times of "
					      "their work");
	}
}

static void describe_losses(struct tacho_launch *launch)
{
	struct tacho_launch_outcome *outcome = &launch->outcome;

	if (outcome->lost_calls)
		tacho__buf_printf(&launch->loss, "%" PRIu64 " call%s %s not recorded",
				  outcome->lost_calls, tacho__plural(outcome->lost_calls),
				  outcome->lost_calls == 1 ? "was" : "were");
	if (outcome->lost_times)
		tacho__buf_printf(&launch->loss, "%sthe device times of %" PRIu64 " command%s",
				  launch->loss.size ? "; " : "", outcome->lost_times,
				  tacho__plural(outcome->lost_times));
	if (launch->loss.size && outcome->error)
		describe_write_error(launch);
	else if (launch->loss.size)
		describe_cause(launch);
}

/* The files themselves may be gone by now. */
static void describe_removal(struct tacho_launch *launch)
{
	if (launch->outcome.error != ENOENT)
		return;
	tacho__buf_printf(&launch->loss, "%sthe recording was removed while it was written",
			  launch->loss.size ? "; " : "");
}

/* What was sampled beside the program. */
static void describe_windows(struct tacho_launch *launch)
{
	const struct tacho__launch_sampler *sampler = &launch->sampler;

	if (sampler->lost)
		tacho__buf_printf(&launch->loss,
				  "%s%" PRIu64 " window%s of counters: the device dropped them, or "
				  "there was no room for them",
				  launch->loss.size ? "; " : "", sampler->lost,
				  tacho__plural(sampler->lost));
	if (!*sampler->cause)
		return;
	tacho__buf_printf(&launch->loss, "%scounters were sampled for a part of the time only: %s",
			  launch->loss.size ? "; " : "", sampler->cause);
	if (!launch->cure.size)
		tacho__buf_put(&launch->cure, sampler->cure);
}

static void explain_empty(struct tacho_launch *launch)
{
	const struct tacho__keeper_limits *limits = &launch->keeper.limits;
	struct tacho_launch_outcome *outcome = &launch->outcome;

	if (outcome->refused)
		tacho__buf_put(&launch->why_empty, tacho__buf_text(&launch->loss));
	else if (outcome->beyond_calls)
		tacho__buf_put(&launch->why_empty, "the recording or the disk was full already");
	else if (outcome->processes && (limits->only_work || limits->call_count))
		tacho__buf_put(&launch->why_empty,
			       "the program made no call of those that were asked for");
	else
		tacho__launch_explain(launch, &launch->why_empty);
}

void tacho__launch_find_outcome(struct tacho_launch *launch)
{
	struct tacho_launch_outcome *outcome = &launch->outcome;
	struct tacho__pool *pool = launch->keeper.pool;

	if (launch->has_ended)
		outcome->run_ns = launch->ended_ns - launch->began_ns;
	outcome->calls = atomic_load(&pool->calls);
	outcome->calls -= outcome->calls < atomic_load(&pool->bare) ? outcome->calls
								    : atomic_load(&pool->bare);
	outcome->commands = atomic_load(&pool->commands);
	outcome->processes = atomic_load(&pool->processes);
	outcome->living = count_living(pool);
	outcome->lost_calls = sum_up(pool, atomic_load(&pool->lost) + atomic_load(&pool->unwritten),
				     tacho__pool_count_lost);
	outcome->lost_times = atomic_load(&pool->lost_times) + atomic_load(&pool->unwritten_times);
	outcome->windows = launch->sampler.written;
	outcome->lost_windows = launch->sampler.lost;
	outcome->bounded_calls = atomic_load(&pool->bounded);
	outcome->beyond_calls = atomic_load(&pool->beyond);
	outcome->past_calls = atomic_load(&pool->past);
	outcome->refused = atomic_load(&pool->refusal_count);
	outcome->refusal_error = outcome->refused ? pool->refusals[0].error : 0;
	outcome->file_bytes = atomic_load(&pool->file_bytes);
	outcome->error = (int)atomic_load(&pool->write_error);
	describe_losses(launch);
	describe_removal(launch);
	describe_refusals(launch);
	describe_windows(launch);
	if (!outcome->calls && !outcome->commands && !outcome->lost_calls)
		explain_empty(launch);
	outcome->why_empty = tacho__buf_text(&launch->why_empty);
	outcome->loss = tacho__buf_text(&launch->loss);
	outcome->cure = tacho__buf_text(&launch->cure);
}
