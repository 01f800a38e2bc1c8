/* SPDX-License-Identifier: MIT */
/*
 * NVTX: each part of a program that was compiled with NVTX (an executable, a library) loads us,
 * because NVTX_INJECTION64_PATH names us, at its first range, and we take the functions that make
 * ranges. Those left alone do nothing.
 */
#include "inject/marks/nvtx_abi.h"

#include <stdbool.h>

#include "base/array.h"
#include "inject/marks/marks_names.h"
#include "inject/marks/marks_source.h"
#include "tacho/export.h"

TACHO_API int InitializeInjectionNvtx2(tacho__nvtx_get_table get_table);

/* ---- levels, which push and pop return: of the thread, for the first domains ---- */

enum { LEVELS = 64 };

static _Thread_local __attribute__((tls_model("initial-exec"))) uint16_t levels[LEVELS];

/* NULL: not kept for this domain. */
static uint16_t *find_level(const struct tacho__name *domain)
{
	uint32_t number = domain ? domain->number : 0;

	return number < LEVELS ? &levels[number] : NULL;
}

/* ---- what a program says ---- */

static struct tacho__range_note make_note(uint32_t event, const struct tacho__name *domain)
{
	return (struct tacho__range_note){
		.event = event,
		/* a stack of its own; the default one is shared with other APIs */
		.id = event == TACHO__RANGE_PUSH || event == TACHO__RANGE_POP ? (uintptr_t)domain
									      : 0,
		.api = "nvtx",
		.domain = domain ? domain->text : "",
	};
}

static bool has(const struct tacho__nvtx_attributes *attributes, size_t end)
{
	return attributes && attributes->size >= end;
}

#define HAS(attributes, member) \
	has(attributes,         \
	    offsetof(struct tacho__nvtx_attributes, member) + sizeof((attributes)->member))

static const char *read_message(const struct tacho__nvtx_attributes *attributes,
				char wide[TACHO__WIDE_BYTES])
{
	if (!HAS(attributes, message) || !attributes->message.ascii)
		return "";
	switch (attributes->message_type) {
	case TACHO__NVTX_MESSAGE_ASCII: return attributes->message.ascii;
	case TACHO__NVTX_MESSAGE_WIDE: return tacho__source_narrow(attributes->message.wide, wide);
	case TACHO__NVTX_MESSAGE_REGISTERED:
		return ((const struct tacho__name *)attributes->message.registered)->text;
	default: return "";
	}
}

static uint64_t tell(uint32_t event, const struct tacho__name *domain, const char *name)
{
	struct tacho__range_note note = make_note(event, domain);

	note.name = name ? name : "";
	tacho__source_tell(&note);
	return note.id;
}

static uint64_t tell_wide(uint32_t event, const struct tacho__name *domain, const wchar_t *name)
{
	char wide[TACHO__WIDE_BYTES];

	return tell(event, domain, tacho__source_narrow(name, wide));
}

static uint64_t tell_attributes(uint32_t event, const struct tacho__name *domain,
				const struct tacho__nvtx_attributes *attributes)
{
	struct tacho__range_note note = make_note(event, domain);
	char wide[TACHO__WIDE_BYTES];

	note.name = read_message(attributes, wide);
	note.has_color = HAS(attributes, color) && attributes->color_type == TACHO__NVTX_COLOR_ARGB;
	note.color = note.has_color ? attributes->color : 0;
	tacho__source_tell(&note);
	return note.id;
}

static int raise_level(const struct tacho__name *domain)
{
	uint16_t *level = find_level(domain);

	if (!level || *level == UINT16_MAX)
		return TACHO__NVTX_UNTRACKED;
	return (*level)++;
}

static int pop(const struct tacho__name *domain)
{
	struct tacho__range_note note = make_note(TACHO__RANGE_POP, domain);
	uint16_t *level = find_level(domain);

	if (level && !*level)
		return TACHO__NVTX_ERROR;
	tacho__source_tell(&note);
	return level ? --*level : TACHO__NVTX_UNTRACKED;
}

static void end(const struct tacho__name *domain, uint64_t range)
{
	struct tacho__range_note note = make_note(TACHO__RANGE_END, domain);

	note.id = range;
	if (range)
		tacho__source_tell(&note);
}

/* ---- NVTX's functions ---- */

static void mark_ex(const struct tacho__nvtx_attributes *attributes)
{
	tell_attributes(TACHO__RANGE_MARK, NULL, attributes);
}

static void mark_a(const char *name)
{
	tell(TACHO__RANGE_MARK, NULL, name);
}

static void mark_w(const wchar_t *name)
{
	tell_wide(TACHO__RANGE_MARK, NULL, name);
}

static uint64_t range_start_ex(const struct tacho__nvtx_attributes *attributes)
{
	return tell_attributes(TACHO__RANGE_BEGIN, NULL, attributes);
}

static uint64_t range_start_a(const char *name)
{
	return tell(TACHO__RANGE_BEGIN, NULL, name);
}

static uint64_t range_start_w(const wchar_t *name)
{
	return tell_wide(TACHO__RANGE_BEGIN, NULL, name);
}

static void range_end(uint64_t range)
{
	end(NULL, range);
}

static int range_push_ex(const struct tacho__nvtx_attributes *attributes)
{
	tell_attributes(TACHO__RANGE_PUSH, NULL, attributes);
	return raise_level(NULL);
}

static int range_push_a(const char *name)
{
	tell(TACHO__RANGE_PUSH, NULL, name);
	return raise_level(NULL);
}

static int range_push_w(const wchar_t *name)
{
	tell_wide(TACHO__RANGE_PUSH, NULL, name);
	return raise_level(NULL);
}

static int range_pop(void)
{
	return pop(NULL);
}

static void domain_mark_ex(const struct tacho__name *domain,
			   const struct tacho__nvtx_attributes *attributes)
{
	tell_attributes(TACHO__RANGE_MARK, domain, attributes);
}

static uint64_t domain_range_start_ex(const struct tacho__name *domain,
				      const struct tacho__nvtx_attributes *attributes)
{
	return tell_attributes(TACHO__RANGE_BEGIN, domain, attributes);
}

static void domain_range_end(const struct tacho__name *domain, uint64_t range)
{
	end(domain, range);
}

static int domain_range_push_ex(const struct tacho__name *domain,
				const struct tacho__nvtx_attributes *attributes)
{
	tell_attributes(TACHO__RANGE_PUSH, domain, attributes);
	return raise_level(domain);
}

static int domain_range_pop(const struct tacho__name *domain)
{
	return pop(domain);
}

static const void *domain_string_a(const struct tacho__name *domain, const char *text)
{
	(void)domain;
	return text ? tacho__name_get(TACHO__NAME_NVTX_STRING, text) : NULL;
}

static const void *domain_string_w(const struct tacho__name *domain, const wchar_t *text)
{
	char wide[TACHO__WIDE_BYTES];

	(void)domain;
	return text ? tacho__name_get(TACHO__NAME_NVTX_STRING, tacho__source_narrow(text, wide))
		    : NULL;
}

static const void *domain_create_a(const char *name)
{
	return name ? tacho__name_get(TACHO__NAME_NVTX_DOMAIN, name) : NULL;
}

static const void *domain_create_w(const wchar_t *name)
{
	char wide[TACHO__WIDE_BYTES];

	return domain_create_a(name ? tacho__source_narrow(name, wide) : NULL);
}

static void name_thread_a(uint32_t thread, const char *name)
{
	tacho__source_name_thread(thread, name);
}

static void name_thread_w(uint32_t thread, const wchar_t *name)
{
	char wide[TACHO__WIDE_BYTES];

	tacho__source_name_thread(thread, tacho__source_narrow(name, wide));
}

/* ---- the tables ---- */

#define F(function) (tacho__nvtx_function)(function)

static const tacho__nvtx_function core[TACHO__NVTX_CORE_SIZE] = {
	[TACHO__NVTX_MARK_EX] = F(mark_ex),
	[TACHO__NVTX_MARK_A] = F(mark_a),
	[TACHO__NVTX_MARK_W] = F(mark_w),
	[TACHO__NVTX_RANGE_START_EX] = F(range_start_ex),
	[TACHO__NVTX_RANGE_START_A] = F(range_start_a),
	[TACHO__NVTX_RANGE_START_W] = F(range_start_w),
	[TACHO__NVTX_RANGE_END] = F(range_end),
	[TACHO__NVTX_RANGE_PUSH_EX] = F(range_push_ex),
	[TACHO__NVTX_RANGE_PUSH_A] = F(range_push_a),
	[TACHO__NVTX_RANGE_PUSH_W] = F(range_push_w),
	[TACHO__NVTX_RANGE_POP] = F(range_pop),
	[TACHO__NVTX_NAME_THREAD_A] = F(name_thread_a),
	[TACHO__NVTX_NAME_THREAD_W] = F(name_thread_w),
};

static const tacho__nvtx_function core2[TACHO__NVTX_CORE2_SIZE] = {
	[TACHO__NVTX_DOMAIN_MARK_EX] = F(domain_mark_ex),
	[TACHO__NVTX_DOMAIN_RANGE_START_EX] = F(domain_range_start_ex),
	[TACHO__NVTX_DOMAIN_RANGE_END] = F(domain_range_end),
	[TACHO__NVTX_DOMAIN_RANGE_PUSH_EX] = F(domain_range_push_ex),
	[TACHO__NVTX_DOMAIN_RANGE_POP] = F(domain_range_pop),
	[TACHO__NVTX_DOMAIN_STRING_A] = F(domain_string_a),
	[TACHO__NVTX_DOMAIN_STRING_W] = F(domain_string_w),
	[TACHO__NVTX_DOMAIN_CREATE_A] = F(domain_create_a),
	[TACHO__NVTX_DOMAIN_CREATE_W] = F(domain_create_w),
};

/* An older program has a shorter table, and no places for what it does not know. */
static bool take(const struct tacho__nvtx_callbacks *callbacks, int module,
		 const tacho__nvtx_function *functions, unsigned count)
{
	tacho__nvtx_function **table = NULL;
	unsigned size = 0;

	if (!callbacks->get_functions(module, &table, &size) || !table)
		return false;
	for (unsigned i = 1; i < count && i < size; i++)
		if (functions[i] && table[i])
			*table[i] = functions[i];
	return true;
}

int InitializeInjectionNvtx2(tacho__nvtx_get_table get_table)
{
	const struct tacho__nvtx_callbacks *callbacks;
	bool takes_part;

	if (!get_table || !tacho__source_is_wanted())
		return 0;
	callbacks = get_table(TACHO__NVTX_TABLE_CALLBACKS);
	if (!callbacks || callbacks->size < sizeof(*callbacks))
		return 0;
	takes_part = take(callbacks, TACHO__NVTX_CORE, core, TACHO__ARRAY_SIZE(core));
	takes_part |= take(callbacks, TACHO__NVTX_CORE2, core2, TACHO__ARRAY_SIZE(core2));
	return takes_part;
}
