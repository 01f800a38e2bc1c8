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
	[TACHO__CHURN_SHARE] = {"churn-share", 5, "percent",
				"of the run's time that object-churn must take"},
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
