/* SPDX-License-Identifier: MIT */
/* What the samples of NVIDIA's guide do, call by call, where the guide itself is not at hand. */

static void range_based_profiling(void)
{
	NVPA_Context_BeginSession(guide_ctx, guide_config);
	do {
		NVPA_Context_BeginPass(guide_ctx);
		gpu_commands_not_measured();
		NVPA_Object_PushRange(guide_ctx, MyRangeId);
		gpu_commands_measured();
		NVPA_Object_PopRange(guide_ctx);
		NVPA_Context_EndPass(guide_ctx);
	} while (!PredictDataReady(guide_ctx));
	NVPA_Context_Finish(guide_ctx);
	ReadResults(guide_ctx);
	NVPA_Context_EndSession(guide_ctx);
}

static void draw_in_ranges(void)
{
	Draw_AA_0();
	Draw_AA_1();
	NVPA_Object_PushRange(guide_ctx, 100);
	Draw_BB_0();
	Draw_BB_1();
	NVPA_Object_PopRange(guide_ctx);
	Draw_CC_0();
	Draw_CC_1();
	NVPA_Object_PushRange(guide_ctx, 200);
	Draw_DD_0();
	Draw_DD_1();
	NVPA_Object_PushRange(guide_ctx, 10);
	Draw_EE_0();
	Draw_EE_1();
	NVPA_Object_PopRange(guide_ctx);
	Draw_FF_0();
	Draw_FF_1();
	NVPA_Object_PopRange(guide_ctx);
	Draw_GG_0();
	Draw_GG_1();
}

static void detailed_pseudo_code(void)
{
	NVPA_Context_BeginSession(guide_ctx, guide_config);
	do {
		NVPA_Context_BeginPass(guide_ctx);
		draw_in_ranges();
		NVPA_Context_EndPass(guide_ctx);
	} while (!PredictDataReady(guide_ctx));
	NVPA_Context_Finish(guide_ctx);
	ReadResults(guide_ctx);
	NVPA_Context_EndSession(guide_ctx);
}

#ifdef GUIDE_ELEMENTS
static void SimpleExample1_EGL(void)
{
	EGLContext current = eglGetCurrentContext();

	NVPA_Context_BeginPass(current);
	NVPA_EGL_PushRange('A');
	glDrawElements(GUIDE_ELEMENTS);
	glDrawElements(GUIDE_ELEMENTS);
	NVPA_EGL_PopRange();
	NVPA_EGL_PushRange('B');
	glDrawElements(GUIDE_ELEMENTS);
	NVPA_EGL_PopRange();
	NVPA_Context_EndPass(current);
}
#endif

static NVPA_Config *CreateConfig(size_t count, const char **names, bool *serialized)
{
	NVPA_ActivityOptions *activity_options = NULL;
	NVPA_MetricOptions *metric_options = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	NVPA_MetricEnableError error;
	size_t device = ~0u;

	NVPA_Context_GetDeviceIndex(guide_ctx, 0, &device);
	NVPA_ActivityOptions_Create(&activity_options);
	NVPA_ActivityOptions_SetActivityKind(activity_options, NVPA_ACTIVITY_KIND_PROFILER);
	NVPA_Activity_CreateForDevice(device, activity_options, &activity);
	NVPA_ActivityOptions_Destroy(activity_options);
	NVPA_MetricOptions_Create(&metric_options);
	for (size_t i = 0; i < count; i++) {
		NVPA_MetricId metric = 0;

		NVPA_MetricOptions_SetSerialized(metric_options, serialized[i]);
		NVPA_Activity_FindMetricByName(activity, names[i], &metric);
		NVPA_Activity_EnableMetric(activity, metric, metric_options, &error);
	}
	NVPA_MetricOptions_Destroy(metric_options);
	NVPA_Config_Create(activity, &config);
	NVPA_Activity_Destroy(activity);
	return config;
}
