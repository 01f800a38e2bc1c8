# SPDX-License-Identifier: MIT
# doctor and list: true of any machine, so also of one without a driver.

# verdict COMMAND...: its status must be 0 or 3.
verdict() {
	"$@" >out 2>err </dev/null
	status=$?
	[ $status = 0 ] || [ $status = 3 ] || fail "status $status: $*"
}

verdict tacho doctor
doctor=$status
[ "$(grep -c '^\(ok  \|WARN\|FAIL\)  [^ ]' out)" -ge 3 ] || fail "hardly a check"
narrow out 80
if [ $doctor = 0 ]; then
	has out 'This machine can measure'
else
	has out 'This machine cannot measure yet'
	grep -q '^FAIL' out || fail "no reason"
fi
verdict tacho doctor --json
[ $status = $doctor ] || fail "--json changes the verdict"
has out '"schema": "tacho.doctor/1"'

verdict tacho list devices
narrow out 80
if [ $doctor = 0 ]; then
	[ $status = 0 ] || fail "doctor can measure, but no device is usable"
	grep -q 'yes$' out || fail "no usable device"
fi
verdict tacho list devices --json
has out '"schema": "tacho.devices/1"'

# Words narrow.
run 3 tacho list devices there-is-no-such-device
has out 'No device fits these words.'

# No driver at all: said with cause and cure, status 3.
mkdir none
run 3 env OCL_ICD_VENDORS="$PWD/none" OPENCL_VENDOR_PATH="$PWD/none" tacho doctor opencl
has out 'FAIL'
has out 'cause: '
has out 'cure: '
has out 'This machine cannot measure yet'
run 3 env OCL_ICD_VENDORS="$PWD/none" OPENCL_VENDOR_PATH="$PWD/none" tacho list devices opencl
has out 'backend opencl cannot be used'

# The kernel's own counters need no driver.
verdict tacho doctor perf
has out 'kernel.perf_event_paranoid'
has_not out 'OpenCL'
if [ $status = 0 ]; then
	verdict env OCL_ICD_VENDORS="$PWD/none" OPENCL_VENDOR_PATH="$PWD/none" \
		VK_DRIVER_FILES="$PWD/none/none.json" tacho doctor
	[ $status = 0 ] || fail "doctor perf can measure, doctor cannot"
	has out 'It cannot record programs yet'
	run 0 tacho list devices perf
	has out 'linux'
fi
run 1 tacho doctor nonsense
has err 'there is no API or backend "nonsense"'

# A driver that kills its process does not kill the command. Its chatter stays out of the output.
command -v cc >/dev/null 2>&1 || skip "the rest needs a C compiler"
cat >bad.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void *clGetExtensionFunctionAddress(const char *name);
int clIcdGetPlatformIDsKHR(unsigned n, void **p, unsigned *out);
static void bad(void)
{
	puts("chatter");
	fflush(stdout);
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}
void *clGetExtensionFunctionAddress(const char *name) { bad(); return 0; }
int clIcdGetPlatformIDsKHR(unsigned n, void **p, unsigned *out) { bad(); return -1001; }
END
cc -shared -fPIC -o bad.so bad.c 2>/dev/null || skip "the C compiler makes no library"
mkdir vendors
echo "$PWD/bad.so" >vendors/bad.icd
env OCL_ICD_VENDORS="$PWD/vendors" OPENCL_VENDOR_PATH="$PWD/vendors" \
	tacho list devices >out 2>err </dev/null
status=$?
[ $status = 1 ] || [ $status = 3 ] || fail "status $status with a driver that crashes"
has_not out chatter
if [ $status = 1 ]; then
	has err 'signal 11'
	run 3 env OCL_ICD_VENDORS="$PWD/vendors" OPENCL_VENDOR_PATH="$PWD/vendors" \
		tacho doctor opencl
	has out 'signal 11'
fi
