/* SPDX-License-Identifier: MIT */
/*
 * Counting dispatches through AMD's library. Each pass of the plan has a config of the library and
 * a session of its own; a dispatch is counted in one pass, and its values come when it has ended,
 * from a thread of the library's.
 */
#ifndef TACHO_INJECT_ROCM_ROCM_COUNTING_H
#define TACHO_INJECT_ROCM_ROCM_COUNTING_H

#include <rocprofiler-sdk/rocprofiler.h>

#include <stdbool.h>

/*
 * Reads what is to be counted, when the environment names it. False: nothing is counted by this
 * part. What hinders is told to the recording.
 */
bool tacho__rocm_counting_start(void);

/* Whether AMD's library is to count: it needs a context with the service of the functions below. */
bool tacho__rocm_counting_counts(void);

/* No dispatch is counted any more; readers find out why. */
void tacho__rocm_counting_give_up(const char *cure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The library has no records of dispatches: those that are counted become commands. */
void tacho__rocm_counting_make_commands(void);

/* The program launches it now, on this thread. */
void tacho__rocm_counting_launch(const rocprofiler_kernel_dispatch_info_t *info);

/* As rocprofiler_dispatch_counting_service_cb_t and ..._record_cb_t. */
void tacho__rocm_on_dispatch(rocprofiler_dispatch_counting_service_data_t data,
			     rocprofiler_counter_config_id_t *out_config,
			     rocprofiler_user_data_t *out_user_data, void *callback_data);
void tacho__rocm_on_values(rocprofiler_dispatch_counting_service_data_t data,
			   rocprofiler_counter_record_t *values, size_t count,
			   rocprofiler_user_data_t user_data, void *callback_data);

/* The end: dispatches whose values did not come have rows without values. */
void tacho__rocm_counting_finish(void);

#endif
