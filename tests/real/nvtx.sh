#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that are compiled with NVIDIA's NVTX 3, in C and C++, and NVIDIA's headers as the judge
# of what tacho knows of NVTX.
. "$ROOT/tests/real/lib.sh"
headers=
for folder in "${CUDA_HOME:-/usr/local/cuda}" /usr/local/cuda-* /usr; do
	[ -e "$folder/include/nvtx3/nvToolsExt.h" ] && headers=$folder/include
done
[ -n "$headers" ] || skip "NVTX's headers are not installed"

cat >layout.c <<'END'
#include <nvtx3/nvToolsExt.h>
#include "inject/marks/nvtx_abi.h"
#define EQUAL(a, b) _Static_assert((long)(a) == (long)(b), #a)
#define OFFSETS(theirs, ours) \
	EQUAL(offsetof(nvtxEventAttributes_t, theirs), offsetof(struct tacho__nvtx_attributes, ours))
EQUAL(sizeof(nvtxEventAttributes_t), sizeof(struct tacho__nvtx_attributes));
OFFSETS(version, version);
OFFSETS(size, size);
OFFSETS(category, category);
OFFSETS(colorType, color_type);
OFFSETS(color, color);
OFFSETS(payloadType, payload_type);
OFFSETS(payload, payload);
OFFSETS(messageType, message_type);
OFFSETS(message, message);
EQUAL(NVTX_COLOR_ARGB, TACHO__NVTX_COLOR_ARGB);
EQUAL(NVTX_MESSAGE_TYPE_ASCII, TACHO__NVTX_MESSAGE_ASCII);
EQUAL(NVTX_MESSAGE_TYPE_UNICODE, TACHO__NVTX_MESSAGE_WIDE);
EQUAL(NVTX_MESSAGE_TYPE_REGISTERED, TACHO__NVTX_MESSAGE_REGISTERED);
EQUAL(NVTX_NO_PUSH_POP_TRACKING, TACHO__NVTX_UNTRACKED);
EQUAL(NVTX_ETID_CALLBACKS, TACHO__NVTX_TABLE_CALLBACKS);
EQUAL(sizeof(NvtxExportTableCallbacks), sizeof(struct tacho__nvtx_callbacks));
EQUAL(NVTX_CB_MODULE_CORE, TACHO__NVTX_CORE);
EQUAL(NVTX_CB_MODULE_CORE2, TACHO__NVTX_CORE2);
EQUAL(NVTX_CBID_CORE_MarkEx, TACHO__NVTX_MARK_EX);
EQUAL(NVTX_CBID_CORE_RangeStartEx, TACHO__NVTX_RANGE_START_EX);
EQUAL(NVTX_CBID_CORE_RangeEnd, TACHO__NVTX_RANGE_END);
EQUAL(NVTX_CBID_CORE_RangePushEx, TACHO__NVTX_RANGE_PUSH_EX);
EQUAL(NVTX_CBID_CORE_RangePop, TACHO__NVTX_RANGE_POP);
EQUAL(NVTX_CBID_CORE_SIZE, TACHO__NVTX_CORE_SIZE);
EQUAL(NVTX_CBID_CORE2_DomainMarkEx, TACHO__NVTX_DOMAIN_MARK_EX);
EQUAL(NVTX_CBID_CORE2_DomainRangeStartEx, TACHO__NVTX_DOMAIN_RANGE_START_EX);
EQUAL(NVTX_CBID_CORE2_DomainRangeEnd, TACHO__NVTX_DOMAIN_RANGE_END);
EQUAL(NVTX_CBID_CORE2_DomainRangePushEx, TACHO__NVTX_DOMAIN_RANGE_PUSH_EX);
EQUAL(NVTX_CBID_CORE2_DomainRangePop, TACHO__NVTX_DOMAIN_RANGE_POP);
EQUAL(NVTX_CBID_CORE2_DomainRegisterStringA, TACHO__NVTX_DOMAIN_STRING_A);
EQUAL(NVTX_CBID_CORE2_DomainCreateA, TACHO__NVTX_DOMAIN_CREATE_A);
EQUAL(NVTX_CBID_CORE2_SIZE, TACHO__NVTX_CORE2_SIZE);
END
${CC:-cc} -std=gnu11 -I"$headers" -I"$ROOT/src" -c -o layout.o layout.c ||
	fail "NVIDIA's headers say otherwise"
echo "layouts and numbers are those of $headers/nvtx3"

cat >c.c <<'END'
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
int main(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
	nvtxEventAttributes_t event = {0};
	nvtxRangeId_t range;
	event.version = NVTX_VERSION;
	event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	event.colorType = NVTX_COLOR_ARGB;
	event.color = 0xff00ff00;
	event.payloadType = NVTX_PAYLOAD_TYPE_INT64;
	event.payload.llValue = 42;
	event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
	nvtxNameCategoryA(1, "a category");
	nvtxNameOsThreadA(0, "a thread");
	printf("%d", nvtxRangePushA("outer"));
	printf(" %d", nvtxRangePushW(L"größer"));
	printf(" %d", nvtxDomainRangePushEx(domain, &event));
	printf(" %d", nvtxDomainRangePop(domain));
	printf(" %d", nvtxRangePop());
	range = nvtxRangeStartA("whole");
	nvtxMarkA("here");
	nvtxDomainMarkEx(domain, &event);
	nvtxRangeEnd(range);
	printf(" %d", nvtxRangePop());
	printf(" %d\n", nvtxRangePop());
	nvtxDomainDestroy(domain);
	return 0;
}
END
${CC:-cc} -std=gnu11 -I"$headers" -o c c.c -ldl || fail "cannot compile C"
ranges c ./c
same "levels" "0 1 0 0 1 0 -1" "$(cat c.out)"
expect c <<'END'
nvtx mark "" "here"
nvtx mark "library" "registered" #ff00ff00
nvtx nested "" "größer" in "outer"
nvtx nested "" "outer" in ""
nvtx nested "library" "registered" in "" #ff00ff00
nvtx process "" "whole"
END

${CXX:-c++} --version >/dev/null 2>&1 || skip "C++: there is no compiler"
cat >cpp.cpp <<'END'
#include <nvtx3/nvtx3.hpp>
struct library {
	static constexpr char const *name{"a library"};
};
static void work()
{
	NVTX3_FUNC_RANGE();
	nvtx3::scoped_range inner{"inner", nvtx3::rgb{51, 102, 153}};
	nvtx3::mark("moment");
}
int main()
{
	nvtx3::scoped_range outer{"outer"};
	nvtx3::scoped_range_in<library> other{nvtx3::event_attributes{"in the library"}};
	auto range = nvtx3::start_range_in<library>("from here");
	work();
	nvtx3::end_range_in<library>(range);
	return 0;
}
END
${CXX:-c++} -std=c++17 -I"$headers" -o cpp cpp.cpp -ldl || fail "cannot compile C++"
ranges cpp ./cpp
expect cpp <<'END'
nvtx mark "" "moment"
nvtx nested "" "inner" in "work" #ff336699
nvtx nested "" "outer" in ""
nvtx nested "" "work" in "outer"
nvtx nested "a library" "in the library" in ""
nvtx process "a library" "from here"
END
