/* SPDX-License-Identifier: MIT */
/* The runtimes' tables of functions, for tools that change them. tacho has none to offer. */
#ifndef TACHO_COMPAT_ROCPROFILER_INTERCEPT_TABLE_H
#define TACHO_COMPAT_ROCPROFILER_INTERCEPT_TABLE_H

#include <rocprofiler-sdk/defines.h>
#include <rocprofiler-sdk/fwd.h>

ROCPROFILER_EXTERN_C_INIT

/* Called when a runtime registers its tables. */
ROCPROFILER_SDK_EXPERIMENTAL typedef void (*rocprofiler_intercept_library_cb_t)(
	rocprofiler_intercept_table_t type, uint64_t lib_version, uint64_t lib_instance,
	void **tables, uint64_t num_tables, void *user_data);

/* The name of a table and its length; either may be NULL. ERROR_KIND_NOT_FOUND. */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_query_intercept_table_name(
	rocprofiler_intercept_table_t kind, const char **name, uint64_t *name_len) ROCPROFILER_API;

/* `libs` are bits of rocprofiler_intercept_table_t. */
ROCPROFILER_SDK_EXPERIMENTAL rocprofiler_status_t rocprofiler_at_intercept_table_registration(
	rocprofiler_intercept_library_cb_t callback, int libs, void *data) ROCPROFILER_API;

ROCPROFILER_EXTERN_C_FINI

#endif
