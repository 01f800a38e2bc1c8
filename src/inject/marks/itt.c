/* SPDX-License-Identifier: MIT */
/*
 * ITT: each part of a program that is linked with ITT loads us, because INTEL_LIBITTNOTIFY64 names
 * us, at its first call, and gives us the list of its functions. What it made before that (domains,
 * strings) is its own.
 */
#include "inject/marks/itt_abi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "inject/marks/marks_names.h"
#include "inject/marks/marks_open.h"
#include "inject/marks/marks_source.h"
#include "tacho/export.h"
#include "tacho/profile.h"

TACHO_API void __itt_api_init(struct tacho__itt_global *program, int groups);
TACHO_API void __itt_api_fini(struct tacho__itt_global *program);

/* Kinds of ranges of the process: equal ids of two kinds are two ranges. */
enum kind { REGION = 1, FRAME, OVERLAPPED, EVENT };

enum { EVENTS_MAX = 4096 };

static _Atomic(const struct tacho__name *) events[EVENTS_MAX];

/* Its address tells threads apart. */
static _Thread_local __attribute__((tls_model("initial-exec"))) char own;

/* ---- what a program says ---- */

static struct tacho__range_note make_note(uint32_t event, const struct tacho__itt_domain *domain)
{
	return (struct tacho__range_note){
		.event = event,
		.id = event == TACHO__RANGE_PUSH || event == TACHO__RANGE_POP ? (uintptr_t)domain
									      : 0,
		.api = "itt",
		.domain = domain && domain->name ? domain->name : "",
	};
}

static const char *text_of(const struct tacho__itt_string *string)
{
	return string && string->text ? string->text : "";
}

static void tell(uint32_t event, const struct tacho__itt_domain *domain, const char *name)
{
	struct tacho__range_note note = make_note(event, domain);

	note.name = name;
	tacho__source_tell(&note);
}

static struct tacho__open_key make_key(enum kind kind, const void *owner,
				       const struct tacho__itt_id *id)
{
	struct tacho__open_key key = {{(uintptr_t)owner * 8 + kind}};

	for (unsigned i = 0; id && i < TACHO__ARRAY_SIZE(id->words); i++)
		key.words[i + 1] = id->words[i];
	return key;
}

static void begin(const struct tacho__open_key *key, const struct tacho__itt_domain *domain,
		  const char *name)
{
	struct tacho__range_note note = make_note(TACHO__RANGE_BEGIN, domain);
	int place = tacho__open_claim(key);

	if (place < 0)
		return;
	note.name = name;
	tacho__source_tell(&note);
	tacho__open_fill(place, key, note.id);
}

static void end(const struct tacho__open_key *key, const struct tacho__itt_domain *domain)
{
	struct tacho__range_note note = make_note(TACHO__RANGE_END, domain);

	note.id = tacho__open_take(key);
	if (note.id)
		tacho__source_tell(&note);
}

/* ---- domains and strings ---- */

static struct tacho__itt_domain *domain_create(const char *name)
{
	struct tacho__name *made = name ? tacho__name_get(TACHO__NAME_ITT_DOMAIN, name) : NULL;

	return made ? &made->itt.domain : NULL;
}

static struct tacho__itt_string *string_handle_create(const char *text)
{
	struct tacho__name *made = text ? tacho__name_get(TACHO__NAME_ITT_STRING, text) : NULL;

	return made ? &made->itt.string : NULL;
}

/* ---- tasks ---- */

static void task_begin(const struct tacho__itt_domain *domain, struct tacho__itt_id id,
		       struct tacho__itt_id parent, const struct tacho__itt_string *name)
{
	(void)id;
	(void)parent;
	tell(TACHO__RANGE_PUSH, domain, text_of(name));
}

static void task_begin_fn(const struct tacho__itt_domain *domain, struct tacho__itt_id id,
			  struct tacho__itt_id parent, void *function)
{
	char name[32];

	(void)id;
	(void)parent;
	snprintf(name, sizeof(name), "%p", function);
	tell(TACHO__RANGE_PUSH, domain, name);
}

static void task_end(const struct tacho__itt_domain *domain)
{
	tell(TACHO__RANGE_POP, domain, NULL);
}

static void task_begin_ex(const struct tacho__itt_domain *domain, void *clock, uint64_t time,
			  struct tacho__itt_id id, struct tacho__itt_id parent,
			  const struct tacho__itt_string *name)
{
	(void)clock;
	(void)time;
	task_begin(domain, id, parent, name);
}

static void task_begin_fn_ex(const struct tacho__itt_domain *domain, void *clock, uint64_t time,
			     struct tacho__itt_id id, struct tacho__itt_id parent, void *function)
{
	(void)clock;
	(void)time;
	task_begin_fn(domain, id, parent, function);
}

static void task_end_ex(const struct tacho__itt_domain *domain, void *clock, uint64_t time)
{
	(void)clock;
	(void)time;
	task_end(domain);
}

static void task_begin_overlapped(const struct tacho__itt_domain *domain, struct tacho__itt_id id,
				  struct tacho__itt_id parent, const struct tacho__itt_string *name)
{
	struct tacho__open_key key = make_key(OVERLAPPED, domain, &id);

	(void)parent;
	begin(&key, domain, text_of(name));
}

static void task_end_overlapped(const struct tacho__itt_domain *domain, struct tacho__itt_id id)
{
	struct tacho__open_key key = make_key(OVERLAPPED, domain, &id);

	end(&key, domain);
}

static void task_begin_overlapped_ex(const struct tacho__itt_domain *domain, void *clock,
				     uint64_t time, struct tacho__itt_id id,
				     struct tacho__itt_id parent,
				     const struct tacho__itt_string *name)
{
	(void)clock;
	(void)time;
	task_begin_overlapped(domain, id, parent, name);
}

static void task_end_overlapped_ex(const struct tacho__itt_domain *domain, void *clock,
				   uint64_t time, struct tacho__itt_id id)
{
	(void)clock;
	(void)time;
	task_end_overlapped(domain, id);
}

/* ---- regions and frames ---- */

static void region_begin(const struct tacho__itt_domain *domain, struct tacho__itt_id id,
			 struct tacho__itt_id parent, const struct tacho__itt_string *name)
{
	struct tacho__open_key key = make_key(REGION, domain, &id);

	(void)parent;
	begin(&key, domain, text_of(name));
}

static void region_end(const struct tacho__itt_domain *domain, struct tacho__itt_id id)
{
	struct tacho__open_key key = make_key(REGION, domain, &id);

	end(&key, domain);
}

/* A frame has no name but its domain's. */
static void frame_begin_v3(const struct tacho__itt_domain *domain, const struct tacho__itt_id *id)
{
	struct tacho__open_key key = make_key(FRAME, domain, id);

	begin(&key, domain, domain && domain->name ? domain->name : "");
}

static void frame_end_v3(const struct tacho__itt_domain *domain, const struct tacho__itt_id *id)
{
	struct tacho__open_key key = make_key(FRAME, domain, id);

	end(&key, domain);
}

static void frame_begin(const struct tacho__itt_domain *domain)
{
	frame_begin_v3(domain, NULL);
}

static void frame_end(const struct tacho__itt_domain *domain)
{
	frame_end_v3(domain, NULL);
}

/* ---- marks and events ---- */

static void marker(const struct tacho__itt_domain *domain, struct tacho__itt_id id,
		   const struct tacho__itt_string *name, int scope)
{
	(void)id;
	(void)scope;
	tell(TACHO__RANGE_MARK, domain, text_of(name));
}

static void marker_ex(const struct tacho__itt_domain *domain, void *clock, uint64_t time,
		      struct tacho__itt_id id, const struct tacho__itt_string *name, int scope)
{
	(void)clock;
	(void)time;
	marker(domain, id, name, scope);
}

/* Its number, 0: there is none. */
static int register_event(const char *text)
{
	const struct tacho__name *name = tacho__name_get(TACHO__NAME_ITT_EVENT, text);

	if (!name)
		return 0;
	if (name->number >= EVENTS_MAX) {
		tacho__source_lose(TACHO__LOST_NAMES);
		return 0;
	}
	atomic_store_explicit(&events[name->number], name, memory_order_release);
	return (int)name->number;
}

static const struct tacho__name *find_event(int event)
{
	return event > 0 && event < EVENTS_MAX
		       ? atomic_load_explicit(&events[event], memory_order_acquire)
		       : NULL;
}

static int event_create(const char *text, int size)
{
	char name[TACHO__NAME_BYTES_MAX + 1];

	if (!text || size < 0)
		return 0;
	snprintf(name, sizeof(name), "%.*s", size, text);
	return register_event(name);
}

static struct tacho__open_key make_event_key(int event)
{
	const struct tacho__itt_id id = {{(unsigned long long)event, 0, 0}};

	return make_key(EVENT, &own, &id);
}

/* One that was begun on this thread and has not ended was a moment: it ends here at the latest. */
static int event_start(int event)
{
	const struct tacho__name *name = find_event(event);
	struct tacho__open_key key = make_event_key(event);

	if (!name)
		return 1;
	end(&key, NULL);
	begin(&key, NULL, name->text);
	return 0;
}

static int event_end(int event)
{
	struct tacho__open_key key = make_event_key(event);

	end(&key, NULL);
	return 0;
}

static int mark_create(const char *text)
{
	return text ? register_event(text) : 0;
}

static int mark(int type, const char *parameter)
{
	const struct tacho__name *name = find_event(type);

	(void)parameter;
	if (!name)
		return 1;
	tell(TACHO__RANGE_MARK, NULL, name->text);
	return 0;
}

/* ---- control ---- */

static void thread_set_name(const char *name)
{
	tacho__source_name_thread((uint64_t)gettid(), name);
}

/* 0: it is taken. */
static int thr_name_set(const char *text, int size)
{
	char name[TACHO__THREAD_NAME_MAX + 1];

	if (!text || size < 0)
		return 1;
	snprintf(name, sizeof(name), "%.*s", size, text);
	thread_set_name(name);
	return 0;
}

enum { SCOPE_HOST = 1 };

static void pause_scoped(int scope)
{
	if (scope & SCOPE_HOST)
		tacho_profile_pause();
}

static void resume_scoped(int scope)
{
	if (scope & SCOPE_HOST)
		tacho_profile_resume();
}

static const struct row {
	const char *name; /* without "__itt_" */
	void (*function)(void);
} rows[] = {
#define ROW(name, function)                      \
	{                                        \
		name, (void (*)(void))(function) \
	}
	ROW("domain_create", domain_create),
	ROW("string_handle_create", string_handle_create),
	ROW("task_begin", task_begin),
	ROW("task_begin_fn", task_begin_fn),
	ROW("task_end", task_end),
	ROW("task_begin_ex", task_begin_ex),
	ROW("task_begin_fn_ex", task_begin_fn_ex),
	ROW("task_end_ex", task_end_ex),
	ROW("task_begin_overlapped", task_begin_overlapped),
	ROW("task_end_overlapped", task_end_overlapped),
	ROW("task_begin_overlapped_ex", task_begin_overlapped_ex),
	ROW("task_end_overlapped_ex", task_end_overlapped_ex),
	ROW("region_begin", region_begin),
	ROW("region_end", region_end),
	ROW("frame_begin_v3", frame_begin_v3),
	ROW("frame_end_v3", frame_end_v3),
	ROW("frame_create", domain_create),
	ROW("frame_begin", frame_begin),
	ROW("frame_end", frame_end),
	ROW("marker", marker),
	ROW("marker_ex", marker_ex),
	ROW("event_create", event_create),
	ROW("event_start", event_start),
	ROW("event_end", event_end),
	ROW("mark_create", mark_create),
	ROW("mark", mark),
	ROW("mark_global", mark),
	ROW("thread_set_name", thread_set_name),
	ROW("thr_name_set", thr_name_set),
	ROW("pause", tacho_profile_pause),
	ROW("resume", tacho_profile_resume),
	ROW("pause_scoped", pause_scoped),
	ROW("resume_scoped", resume_scoped),
	ROW("detach", tacho_profile_pause),
#undef ROW
};

static void *find(const char *name)
{
	static const char prefix[] = "__itt_";

	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return NULL;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(rows); i++)
		if (!strcmp(name + sizeof(prefix) - 1, rows[i].name))
			return (void *)rows[i].function;
	return NULL;
}

/* Under the program's mutex. What nobody takes becomes nothing at all, instead of coming here. */
void __itt_api_init(struct tacho__itt_global *program, int groups)
{
	bool is_wanted = tacho__source_is_wanted();

	if (!program || memcmp(program->magic, TACHO__ITT_MAGIC, sizeof(program->magic)) != 0 ||
	    program->major != TACHO__ITT_MAJOR || !program->functions)
		return;
	for (struct tacho__itt_function *at = program->functions; at->name; at++) {
		void *ours = is_wanted && (at->groups & groups) ? find(at->name) : NULL;

		*at->target = ours ? ours : at->none;
	}
}

void __itt_api_fini(struct tacho__itt_global *program)
{
	(void)program;
}
