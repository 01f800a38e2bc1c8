/* SPDX-License-Identifier: MIT */
#include "base/sqlite_library.h"

#include "base/array.h"
#include "base/error.h"

#define LIBRARY "libsqlite3.so.0"

#define CALL(name)                                                                 \
	{                                                                          \
		"sqlite3_" #name, offsetof(struct tacho__sqlite_calls, name), true \
	}

int tacho__sqlite_library_open(struct tacho__sqlite_library *out_library)
{
	static const struct tacho__dl_symbol symbols[] = {
		CALL(libversion_number),
		CALL(open_v2),
		CALL(close),
		CALL(exec),
		CALL(errmsg),
		CALL(system_errno),
		CALL(file_control),
		CALL(prepare_v2),
		CALL(bind_null),
		CALL(bind_int64),
		CALL(bind_double),
		CALL(bind_text),
		CALL(step),
		CALL(reset),
		CALL(finalize),
		CALL(column_type),
		CALL(column_int64),
		CALL(column_value),
		CALL(value_type),
		CALL(value_int64),
		CALL(column_double),
		CALL(column_text),
		CALL(column_blob),
		CALL(column_bytes),
		CALL(limit),
		CALL(db_config),
		CALL(progress_handler),
	};
	int rc = tacho__dl_open(LIBRARY, symbols, TACHO__ARRAY_SIZE(symbols), &out_library->dl,
				&out_library->calls);

	if (rc == TACHO_E_NOTFOUND)
		rc = tacho__fail(
			TACHO_E_UNSUPPORTED, tacho__detail("%s", tacho_error_last()->cause),
			"install libsqlite3-0 (Debian, Ubuntu, openSUSE), sqlite-libs "
			"(Fedora, Alpine) or sqlite (Arch), or export jsonl",
			"cannot load %s, which reads and writes SQLite databases", LIBRARY);
	if (rc || out_library->calls.libversion_number() >= TACHO__SQLITE_NEEDED)
		return rc;
	rc = tacho__fail(TACHO_E_VERSION,
			 tacho__detail("its version is %d, in digits",
				       out_library->calls.libversion_number()),
			 "install 3.25.0 (2018) or newer, or export jsonl", "%s is too old",
			 LIBRARY);
	tacho__dl_close(&out_library->dl);
	return rc;
}
