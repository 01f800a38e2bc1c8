#!/bin/sh
# SPDX-License-Identifier: MIT
# gpa_headers.sh FOLDER CC...: the headers for GPUPerfAPI compile alone and without a warning in every
# language, with <stdbool.h> before them and with the helpers of AMD's header.
set -eu
folder=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/use.c" <<'END'
#include "GPUPerfAPI.h"
#include "GPUPerfAPIFunctionTypes.h"
typedef char flag_is_a_byte[sizeof(gpa_bool) == 1 ? 1 : -1];
typedef char bool_is_a_byte[sizeof(bool) == 1 ? 1 : -1];
typedef char status_is_an_int[sizeof(GPA_Status) == 4 ? 1 : -1];
typedef char whole_has_8_bytes[sizeof(gpa_uint64) == 8 ? 1 : -1];
GPA_Status use(void);
GPA_Status use(void)
{
	bool ready = 0;
	GPA_IsSessionReadyPtrType function = GPA_IsSessionReady;
	return function(&ready, 1);
}
END
cat >"$work/macros.c" <<'END'
#define GPA_COMPAT_MACROS
#include "use.c"
UINT helped(char *to, const char *from);
UINT helped(char *to, const char *from)
{
	char *state;
	UNREFERENCED_PARAMETER(from);
	strcpy_s(to, 8, from);
	assert(strtok_s(to, ",", &state));
	return (UINT)_strcmpi(to, from);
}
END
printf '#include <stdbool.h>\n#include "use.c"\n' >"$work/bool.c"
printf '#define GPA_COMPAT_NO_BOOL\n#define bool unsigned char\n#include "use.c"\n' >"$work/own.c"
# what the plain header must not bring along
cat >"$work/clean.c" <<'END'
#include "GPUPerfAPI.h"
#if defined(assert) || defined(UNREFERENCED_PARAMETER) || defined(strcpy_s) || defined(strtok_s)
#error "the header defines what is not its own"
#endif
typedef long UINT;
extern UINT end;
END

compile() {
	"$@" -Wall -Wextra -Werror -I"$folder" -fsyntax-only
}
for standard in c89 c99 c11 c17; do
	for source in use clean; do
		compile "$@" -std=$standard -pedantic "$work/$source.c"
	done
	compile "$@" -std=$standard -D_GNU_SOURCE "$work/macros.c"
done
compile "$@" -std=c89 "$work/own.c"
compile "$@" -std=c99 "$work/bool.c"
if printf 'int main() { return 0; }\n' | "$@" -x c++ -fsyntax-only - 2>/dev/null; then
	for standard in c++98 c++11 c++17; do
		compile "$@" -x c++ -std=$standard "$work/use.c"
		compile "$@" -x c++ -std=$standard "$work/clean.c"
	done
	compile "$@" -x c++ -std=c++17 -D_GNU_SOURCE "$work/macros.c"
else
	echo "no C++ compiler: the headers were tried as C only"
fi
