#!/bin/sh
# SPDX-License-Identifier: MIT
# rocprofiler_headers.sh FOLDER CC...: tools that are written with the names of ROCprofiler-SDK 0.5
# and 0.6 compile, in C and in C++; the names go when they are not wanted, and warn when that is.
set -u
folder=$1
shift
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/old.c" <<'END'
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>
static void choose(rocprofiler_dispatch_counting_service_data_t data,
		   rocprofiler_profile_config_id_t *config, rocprofiler_user_data_t *user, void *args)
{
	rocprofiler_counter_id_t counter = {data.dispatch_info.kernel_id};
	rocprofiler_create_profile_config(data.dispatch_info.agent_id, &counter, 1, config);
	rocprofiler_destroy_profile_config(*config);
	user->ptr = args;
}
static void set(rocprofiler_context_id_t context, rocprofiler_agent_id_t agent,
		rocprofiler_agent_set_profile_callback_t set_config, void *args)
{
	rocprofiler_profile_config_id_t config = {agent.handle};
	set_config(context, config);
	(void)args;
}
static double read(const rocprofiler_record_header_t *header)
{
	const rocprofiler_record_counter_t *value;
	if (header->category != ROCPROFILER_BUFFER_CATEGORY_COUNTERS ||
	    header->kind == ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER)
		return 0;
	value = (const rocprofiler_record_counter_t *)header->payload;
	return header->hash == rocprofiler_record_header_compute_hash(3, 2) ? value->counter_value : 1;
}
double use(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
	   const rocprofiler_record_header_t *header, const rocprofiler_agent_t *agent);
double use(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
	   const rocprofiler_record_header_t *header, const rocprofiler_agent_t *agent)
{
	rocprofiler_record_dimension_info_t dimension = {"DIMENSION_XCC", 1, ROCPROFILER_DIMENSION_XCC};
	rocprofiler_profile_counting_dispatch_record_t record;
	record.size = sizeof(record) + dimension.instance_size;
	rocprofiler_configure_buffered_dispatch_counting_service(context, buffer, choose, &record);
	rocprofiler_configure_buffered_dispatch_profile_counting_service(context, buffer, choose, 0);
	rocprofiler_configure_agent_profile_counting_service(context, buffer, agent->id, set, 0);
	return read(header);
}
END
cat >"$work/new.c" <<'END'
#include <rocprofiler-sdk/rocprofiler.h>
#if ROCPROFILER_VERSION != 10000 || ROCPROFILER_SDK_VERSION_MAJOR != 1
#error "not 1.0.0"
#endif
#ifdef ROCPROFILER_SDK_BETA_COMPAT_SUPPORTED
typedef int rocprofiler_old_names_are_there;
#else
typedef int rocprofiler_profile_config_id_t;
typedef int rocprofiler_record_counter_t;
typedef int rocprofiler_agent_set_profile_callback_t;
#endif
rocprofiler_context_id_t none(void);
rocprofiler_context_id_t none(void)
{
	rocprofiler_context_id_t context = ROCPROFILER_CONTEXT_NONE;
	return context;
}
END

# compile SOURCE ARGUMENT...
compile() {
	source=$1
	shift
	$cc "$@" -Wall -Wextra -Werror -I"$folder" -fsyntax-only "$work/$source.c"
}

# refuse WHY SOURCE ARGUMENT...
refuse() {
	why=$1
	shift
	if compile "$@" 2>/dev/null; then
		echo "FAIL: $why"
		failed=1
	fi
}

# try ARGUMENT...: one language
try() {
	compile old "$@" -pedantic || failed=1
	compile new "$@" -pedantic || failed=1
	compile new "$@" -pedantic -DROCPROFILER_SDK_BETA_COMPAT=0 || failed=1
	refuse "names of 0.6 that nobody wants ($*)" old "$@" -DROCPROFILER_SDK_BETA_COMPAT=0
	refuse "no warning of names of 0.6 ($*)" old "$@" -DROCPROFILER_SDK_DEPRECATED_WARNINGS=1
	refuse "no warning of what is experimental ($*)" old "$@" \
		-DROCPROFILER_SDK_EXPERIMENTAL_WARNINGS=1
}

cc=$*
for standard in c99 c11 c17; do
	try -std=$standard
done
if printf 'int main() { return 0; }\n' | $cc -x c++ -fsyntax-only - 2>/dev/null; then
	for standard in c++11 c++17; do
		try -x c++ -std=$standard
	done
else
	echo "no C++ compiler: the headers were tried as C only"
fi
exit "$failed"
