/* SPDX-License-Identifier: MIT */
/*
 * nvpa_plugin_host PLUGIN: a program and its plugin share one libnvperfapi.so: contexts that one
 * has registered are known to the other, ranges of both are in the same session.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvpa_plugin.h"
#include "nvperfapi_user_impl.h"

static plugin_range_fn *plugin_range;
static plugin_make_fn *plugin_make;
static plugin_text_fn *plugin_text;

#define EXPECT(condition)                                                         \
	do {                                                                      \
		if (!(condition)) {                                               \
			printf("line %d: not so: %s; %s\n", __LINE__, #condition, \
			       NVPA_GetErrorText());                              \
			exit(1);                                                  \
		}                                                                 \
	} while (0)

static void load(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!plugin) {
		puts(dlerror());
		exit(1);
	}
	*(void **)&plugin_range = dlsym(plugin, "plugin_range");
	*(void **)&plugin_make = dlsym(plugin, "plugin_make");
	*(void **)&plugin_text = dlsym(plugin, "plugin_text");
	EXPECT(plugin_range && plugin_make && plugin_text);
}

static NVPA_Config *make_config(size_t device)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	NVPA_MetricId metric = 0;

	EXPECT(!NVPA_ActivityOptions_Create(&options));
	EXPECT(!NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	EXPECT(!NVPA_Activity_CreateForDevice(device, options, &activity));
	EXPECT(!NVPA_ActivityOptions_Destroy(options));
	EXPECT(!NVPA_Activity_FindMetricByName(activity, "gpu__time_duration", &metric));
	EXPECT(!NVPA_Activity_EnableMetric(activity, metric, NULL, NULL));
	EXPECT(!NVPA_Config_Create(activity, &config));
	EXPECT(!NVPA_Activity_Destroy(activity));
	return config;
}

/* The program's range 1 with the plugin's 2 in it, and the plugin's 3. */
static void measure(void *ctx, size_t device)
{
	static const uint64_t inner[] = {1, 2}, other[] = {3};
	NVPA_Config *config = make_config(device);
	NVPA_Results *results = NULL;
	size_t count = 0, index;
	bool is_ready = false;

	EXPECT(!NVPA_Context_BeginSession(ctx, config));
	while (!is_ready) {
		EXPECT(!NVPA_Context_BeginPass(ctx));
		EXPECT(!NVPA_Object_PushRange(ctx, 1));
		EXPECT(!plugin_range(ctx, 2));
		EXPECT(!NVPA_Object_PopRange(ctx));
		EXPECT(!plugin_range(ctx, 3));
		EXPECT(!NVPA_Context_EndPass(ctx));
		EXPECT(!NVPA_Context_PredictDataReady(ctx, &is_ready));
	}
	EXPECT(!NVPA_Context_ReadResults(ctx, &results));
	EXPECT(!NVPA_Results_GetRangeCount(results, &count) && count == 3);
	EXPECT(!NVPA_Results_FindRange(results, inner, 2, &index));
	EXPECT(!NVPA_Results_FindRange(results, other, 1, &index));
	EXPECT(!NVPA_Results_Destroy(results));
	EXPECT(!NVPA_Context_EndSession(ctx));
	EXPECT(!NVPA_Config_Destroy(config));
}

/* How many libraries of this name the process has. */
static int count_libraries(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4352], last[4352] = "";
	int count = 0;

	EXPECT(maps);
	while (fgets(line, sizeof(line), maps)) {
		char *path = strchr(line, '/');

		if (!path || !strstr(path, "libnvperfapi.so") || !strcmp(path, last))
			continue;
		memcpy(last, path, strlen(path) + 1);
		count++;
	}
	fclose(maps);
	return count;
}

int main(int count, char **arguments)
{
	void *own = NULL, *theirs = NULL;
	size_t device = 99, devices = 0;
	int nobody;

	if (count != 2)
		return 2;
	EXPECT(!NVPA_Sim_CreateContext("h200", &own));
	EXPECT(!NVPA_Context_GetDeviceIndex(own, 0, &device));
	load(arguments[1]);
	measure(own, device);
	EXPECT(!plugin_make(&theirs, &device));
	measure(theirs, device);
	EXPECT(!NVPA_GetDeviceCount(&devices) && devices > device);
	/* an error of one copy's call is the same thread's in the other */
	EXPECT(plugin_range(&nobody, 1) == NVPA_STATUS_OBJECT_NOT_REGISTERED);
	EXPECT(*plugin_text() && !strcmp(plugin_text(), NVPA_GetErrorText()));
	EXPECT(!NVPA_UnregisterContext(theirs));
	EXPECT(plugin_range(theirs, 1) == NVPA_STATUS_OBJECT_NOT_REGISTERED);
	EXPECT(!NVPA_UnregisterContext(own));
	EXPECT(count_libraries() == 1);
	puts("one library");
	return 0;
}
