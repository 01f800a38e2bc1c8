/* SPDX-License-Identifier: MIT */
/*
 * Names ranges through the ROCTX library that it is linked with. As an executable, or as a library
 * that load_library opens for nobody else to see.
 */
#include <stdint.h>
#include <stdio.h>

void roctxMarkA(const char *name);
int roctxRangePushA(const char *name);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *name);
void roctxRangeStop(uint64_t range);
int roctxProfilerPause(uint64_t thread);
int roctxProfilerResume(uint64_t thread);
int roctxNameOsThread(const char *name);

int main(void)
{
	uint64_t first, second;

	printf("thread: %d\n", roctxNameOsThread("by ROCTX"));
	printf("push: %d\n", roctxRangePushA("outer"));
	printf("push: %d\n", roctxRangePushA("inner"));
	roctxMarkA("here");
	printf("pop: %d\n", roctxRangePop());
	first = roctxRangeStartA("first");
	second = roctxRangeStartA("second");
	roctxRangeStop(first);
	roctxRangeStop(second);
	printf("pop: %d\n", roctxRangePop());
	printf("pop: %d\n", roctxRangePop());
	printf("pause: %d, resume: %d\n", roctxProfilerPause(0), roctxProfilerResume(1));
	return 0;
}
