/* SPDX-License-Identifier: MIT */
#include "format/machine_json.h"

void tacho__json_add_machine(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_machine_fact *fact;

	tacho_json_begin_array(json, "machine");
	for (size_t i = 0; (fact = tacho_recording_get_machine_fact(recording, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", fact->name);
		tacho_json_add_text(json, "start", fact->start);
		tacho_json_add_text(json, "end", fact->end);
		tacho_json_add_bool(json, "setting", fact->is_setting != 0);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void tacho__json_add_thread_time(struct tacho_json *json, const struct tacho_thread_time *time)
{
	tacho_json_add_unsigned(json, "process", time->process->index);
	tacho_json_add_unsigned(json, "pid", time->process->pid);
	tacho_json_add_unsigned(json, "thread", time->thread);
	tacho_json_add_unsigned(json, "at_ns", time->at_ns);
	tacho_json_add_unsigned(json, "run_ns", time->run_ns);
	tacho_json_add_unsigned(json, "waited_ns", time->waited_ns);
}
