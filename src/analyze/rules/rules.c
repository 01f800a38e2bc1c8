/* SPDX-License-Identifier: MIT */
/* The rules and the numbers that they compare with, in the order in which they are listed. */
#include "analyze/rules/rules.h"

#define RULE(id, rule_name, level, worth_of, codexl_name, judge_fn, finds, todo)             \
	[TACHO__RULE_##id] = {{rule_name, TACHO_SEVERITY_##level, finds, todo, codexl_name}, \
			      TACHO__WORTH_##worth_of,                                       \
			      judge_fn}

const struct tacho__rule tacho__rules[TACHO__RULES] = {
	RULE(FAILED_CALL, "failed-call", ERROR, ITSELF, "RetCodeAnalyzer", tacho__judge_failed_call,
	     "calls that failed",
	     "Look at the arguments of these calls and at what the program does with the error."),
	RULE(LEAKED_OBJECT, "leaked-object", WARNING, ITSELF, "RefTracker", tacho__judge_leak,
	     "objects that were not released as often as they were made and retained",
	     "Release them when they are no longer needed."),
	RULE(REDUNDANT_SYNC, "redundant-sync", WARNING, GAIN, "SyncAnalyzer",
	     tacho__judge_redundant_sync,
	     "waits between commands that their queue runs in order anyway",
	     "Leave the wait out: the queue starts a command when the one before it has ended."),
	RULE(BUSY_WAIT, "busy-wait", WARNING, COST, "SyncAnalyzer", tacho__judge_busy_wait,
	     "loops that ask whether a command has ended",
	     "Wait with a call that sleeps, or set a callback."),
	RULE(PERSISTENT_MAP, "persistent-map", WARNING, GAIN, "DataTransferAnalyzer",
	     tacho__judge_persistent_map,
	     "device memory mapped for reading while it stays on the device",
	     "Copy it into host memory with a read, or map memory that lies on the host."),
	RULE(IDLE_UNITS, "idle-units", WARNING, GAIN, "BadWorkGroupSize", tacho__judge_idle_units,
	     "launches with less work than the device has compute units",
	     "Launch more work-groups: make them smaller, or do the work of several launches in "
	     "one."),
	RULE(SMALL_WORK_GROUP, "small-work-group", WARNING, GAIN, "BadWorkGroupSize",
	     tacho__judge_small_group, "work-groups smaller than what the device runs at once",
	     "Make work-groups as large as the preferred multiple, or a multiple of it."),
	RULE(REPEATED_BUILD, "repeated-build", WARNING, GAIN, "", tacho__judge_repeated_build,
	     "programs that were built again and again",
	     "Build once and keep the program, or keep its binary."),
	RULE(NEVER_UNMAPPED, "never-unmapped", WARNING, ITSELF, "", tacho__judge_never_unmapped,
	     "memory that is mapped and never unmapped",
	     "Unmap it when the host has done its part: until then no command may use it."),
	RULE(FAILED_QUERY, "failed-query", ADVICE, LITTLE, "RetCodeAnalyzer",
	     tacho__judge_failed_call, "questions that were answered with an error",
	     "Nothing, when the program asks in order to find out what there is."),
	RULE(DEPRECATED_FUNCTION, "deprecated-function", ADVICE, LITTLE,
	     "DeprecatedFunctionAnalyzer", tacho__judge_deprecated,
	     "functions that the API has declared obsolete",
	     "Call what took its place where the device's version allows it."),
	RULE(BLOCKING_WRITE, "blocking-write", ADVICE, GAIN, "BlockingWrite",
	     tacho__judge_blocking_write,
	     "writes to a device that wait, on a queue that runs commands in order",
	     "Write without waiting, and keep the data as it is until the command has ended."),
	RULE(SMALL_TRANSFERS, "small-transfers", ADVICE, GAIN, "", tacho__judge_small_transfers,
	     "many transfers of few bytes",
	     "Gather the data and move it at once, or pass it as a kernel argument."),
	RULE(SERIAL_TRANSFERS, "serial-transfers", ADVICE, GAIN, "", tacho__judge_serial_transfers,
	     "transfers and kernels that never run at the same time",
	     "Split the work and use a second queue, so that one part moves while another runs."),
	RULE(ODD_WORK_GROUP, "odd-work-group", ADVICE, GAIN, "BadWorkGroupSize",
	     tacho__judge_odd_group, "work-groups that do not fill what the device runs at once",
	     "Make the work-group size a multiple of the preferred one."),
	RULE(TINY_LAUNCHES, "tiny-launches", ADVICE, GAIN, "", tacho__judge_tiny_launches,
	     "launches that take the host longer than the device", "Do more work in one launch."),
	RULE(SLOW_FIRST_LAUNCH, "slow-first-launch", ADVICE, GAIN, "", tacho__judge_first_launch,
	     "kernels whose first launch took much longer than the others",
	     "Launch once before time matters, or keep compiled programs."),
	RULE(IDLE_DEVICE, "idle-device", ADVICE, GAIN, "", tacho__judge_idle_device,
	     "devices with nothing to do between commands",
	     "Enqueue further work before waiting, and move setup out of the way."),
	RULE(BUILD_TIME, "build-time", ADVICE, GAIN, "", tacho__judge_build_time,
	     "runs that spend much of their time compiling",
	     "Keep binaries of the programs and load them in the next run."),
	RULE(OBJECT_CHURN, "object-churn", ADVICE, GAIN, "", tacho__judge_churn,
	     "functions that make objects so often that it takes time",
	     "Make objects once and use them again."),
	RULE(UNUSED_QUEUE, "unused-queue", ADVICE, ITSELF, "", tacho__judge_unused_queue,
	     "queues that got no command", "Do not make them, or give them part of the work."),
	RULE(MAP_ROUNDS, "map-rounds", ADVICE, GAIN, "", tacho__judge_map_rounds,
	     "memory that is mapped, unmapped and mapped again, and no kernel used it between",
	     "Keep it mapped while the host works on it, or gather the changes and write once."),
	RULE(BLOCKING_READ, "blocking-read", ADVICE, GAIN, "", tacho__judge_blocking_read,
	     "reads that wait, whose data the host had no time to look at",
	     "Read without waiting, and wait once, before the data is used."),
	RULE(API_TIME, "api-time", ADVICE, GAIN, "", tacho__judge_api_time,
	     "functions of the API that take much of the run",
	     "Call it less often, keep what it returns, or call it while a device works."),
	RULE(DRAINED_QUEUE, "drained-queue", ADVICE, GAIN, "", tacho__judge_drained_queue,
	     "waits behind which a queue has nothing to do until more is prepared",
	     "Prepare and submit the next work before waiting for this: have two or three pieces "
	     "of it on their way."),
	RULE(TINY_SUBMITS, "tiny-submits", ADVICE, GAIN, "", tacho__judge_tiny_submits,
	     "submits that take the host longer than their work the device",
	     "Submit more at once: several command buffers in one call, or more in each."),
	RULE(LATE_BUILD, "late-build", ADVICE, GAIN, "", tacho__judge_late_build,
	     "code for devices that is compiled after the work has begun",
	     "Make it before the first submit, or in another thread, and keep what compiling "
	     "gave in a cache for the next run."),
	RULE(REDUNDANT_BIND, "redundant-bind", ADVICE, GAIN, "", tacho__judge_redundant_bind,
	     "settings recorded into a command buffer where they hold already",
	     "Remember what was set last and leave the call out, or sort the work by what it "
	     "needs."),
	RULE(DRAINING_BARRIER, "draining-barrier", ADVICE, ITSELF, "", tacho__judge_barrier,
	     "barriers for everything between commands that do not depend on each other",
	     "Leave them out, or gather what they are for in one: a device can run what is "
	     "between two barriers at the same time."),
	RULE(REPEATED_RECORDING, "repeated-recording", ADVICE, GAIN, "",
	     tacho__judge_repeated_recording,
	     "command buffers that are recorded anew with what they held",
	     "Record once and submit it as often as needed."),
};

static const struct tacho_threshold thresholds[TACHO__THRESHOLDS] = {
	[TACHO__MIN_COST_NS] = {"min-cost-ns", 10000, "ns",
				"findings whose cases took less than that are not shown"},
	[TACHO__REMARK_SHARE] = {"remark-share", 1, "percent",
				 "of the run's time: what gains less, and less than remark-ns, is "
				 "a remark"},
	[TACHO__REMARK_NS] = {"remark-ns", 1000000, "ns",
			      "what gains less, and less than remark-share, is a remark"},
	[TACHO__CPU_DEVICES] = {"cpu-devices", 0, "flag",
				"1: rules about launches and transfers on GPUs judge CPUs, too"},
	[TACHO__SYNC_AFTER_WRITE] = {"sync-after-write", 0, "flag",
				     "1: redundant-sync includes waits after writes that did not "
				     "wait, whose memory the host may use again"},
	[TACHO__BUSY_WAIT_POLLS] = {"busy-wait-polls", 16, "count",
				    "questions in a row that make a busy-wait"},
	[TACHO__WAVE_SIZE] = {"wave-size", 0, "count",
			      "work-items that a device runs at once; 0: the multiple that the "
			      "driver prefers for the kernel"},
	[TACHO__GLOBAL_SIZE] = {"global-size", 0, "count",
				"work-items that a launch should have for idle-units; 0: worked "
				"out from the device's compute units"},
	[TACHO__GROUPS_PER_UNIT] = {"groups-per-unit", 1, "count",
				    "work-groups that a compute unit should get for idle-units"},
	[TACHO__LAUNCH_SHARE] = {"launch-share", 5, "percent",
				 "of the kernel time of a device that launches must take for "
				 "idle-units, small-work-group and odd-work-group"},
	[TACHO__TINY_LAUNCH_COUNT] = {"tiny-launch-count", 100, "count",
				      "launches of a kernel that tiny-launches looks at"},
	[TACHO__FIRST_LAUNCH_NS] = {"first-launch-ns", 1000000, "ns",
				    "that a slow-first-launch must take more than the others"},
	[TACHO__FIRST_LAUNCH_TIMES] = {"first-launch-times", 5, "count",
				       "times the others that a slow-first-launch must take"},
	[TACHO__REPEATED_BUILDS] = {"repeated-builds", 3, "count",
				    "builds of the same thing that make a repeated-build"},
	[TACHO__BUILD_SHARE] = {"build-share", 20, "percent",
				"of the run's time that build-time must take"},
	[TACHO__CHURN_COUNT] = {"churn-count", 100, "count",
				"objects that a function must make for object-churn"},
	[TACHO__MAP_ROUND_COUNT] = {"map-round-count", 32, "count", "rounds that make map-rounds"},
	[TACHO__READ_BYTES_A_US] = {"read-bytes-per-us", 50000, "bytes",
				    "that a host reads in a microsecond at most, for "
				    "blocking-read"},
	[TACHO__API_SHARE] = {"api-share", 20, "percent",
			      "of the run's time that api-time must take"},
	[TACHO__SMALL_TRANSFER_BYTES] = {"small-transfer-bytes", 4096, "bytes",
					 "transfers of fewer bytes are small"},
	[TACHO__SMALL_TRANSFER_COUNT] = {"small-transfer-count", 100, "count",
					 "small ones of a kind that make small-transfers"},
	[TACHO__OVERLAP_SHARE] = {"overlap-share", 10, "percent",
				  "of a device's busy time that must be at stake for "
				  "serial-transfers"},
	[TACHO__OVERLAP_TRANSFERS] = {"overlap-transfers", 10, "count",
				      "transfers, and launches, that serial-transfers looks at"},
	[TACHO__GAP_NS] = {"gap-ns", 10000, "ns", "shorter gaps are not idle-device's"},
	[TACHO__IDLE_SHARE] = {"idle-share", 20, "percent",
			       "of the time between first and last command that a device must be "
			       "idle"},
	[TACHO__IDLE_NS] = {"idle-ns", 10000000, "ns", "that a device must be idle in all"},
	[TACHO__DRAIN_NS] = {"drain-ns", 10000, "ns",
			     "that a drained queue must have nothing to do behind a wait"},
	[TACHO__TINY_SUBMIT_COUNT] = {"tiny-submit-count", 100, "count",
				      "submits to a device that tiny-submits looks at"},
	[TACHO__BIND_COUNT] = {"bind-count", 100, "count",
			       "settings by a function that make a redundant-bind"},
	[TACHO__BARRIER_COUNT] = {"barrier-count", 10, "count",
				  "barriers of a function that make a draining-barrier"},
	[TACHO__RECORDING_COUNT] = {"recording-count", 10, "count",
				    "recordings that make a repeated-recording"},
};

const struct tacho_rule *tacho_rule_get(size_t index)
{
	return index < TACHO__RULES ? &tacho__rules[index].rule : NULL;
}

const struct tacho_threshold *tacho_threshold_get(size_t index)
{
	return index < TACHO__THRESHOLDS ? &thresholds[index] : NULL;
}

const char *tacho_severity_to_string(enum tacho_severity severity)
{
	static const char *const names[] = {"unknown", "advice", "warning", "error"};

	return names[(unsigned)severity <= TACHO_SEVERITY_ERROR ? severity : 0];
}
