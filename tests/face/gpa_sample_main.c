/* SPDX-License-Identifier: MIT */
/* Startup, eight frames, exit around the sample code, which is made at test time. */
#include GPA_SAMPLE

int main(void)
{
	int device;

	if (GPA_Initialize() || GPA_OpenContext(&device) || GPA_EnableAllCounters())
		return 1;
	for (int i = 0; i < 8; i++)
		render_frame();
	return GPA_CloseContext() || GPA_Destroy();
}
