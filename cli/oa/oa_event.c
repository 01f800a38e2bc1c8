/* SPDX-License-Identifier: MIT */
/* One flexible EU event, explained. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "oa/oa_flex.h"

void cli_oa_event_init(const struct tacho_oa_flex *flex, int counter, struct cli_oa_event *event)
{
	event->flex = *flex;
	event->counter = counter;
	event->published[0] = '\0';
	tacho_oa_flex_explain(flex, &event->meaning);
	tacho_oa_flex_format(flex, event->text);
}

bool cli_oa_event_decode(const struct tacho_register *from, unsigned half,
			 struct cli_oa_event *out_event)
{
	int number = tacho_oa_flex_find_register(from->address);
	struct tacho_oa_flex flex = tacho_oa_flex_decode(from->value, half);

	if (number < 0)
		return false;
	cli_oa_event_init(&flex, TACHO_OA_FLEX_FIRST + 2 * number + (int)half, out_event);
	return true;
}

bool cli_oa_event_is_refused(const struct cli_oa_event *event)
{
	return event->meaning.verdict > TACHO_OA_FLEX_IMPLEMENTATION && !*event->published;
}

const char *cli_oa_event_get_verdict(const struct cli_oa_event *event)
{
	return *event->published ? "published"
				 : tacho_oa_flex_verdict_to_string(event->meaning.verdict);
}

/* True when the set makes some counter count the event. */
static bool has_event(const struct tacho_set *set, const struct tacho_oa_flex *flex)
{
	for (size_t i = 0; i < set->register_count; i++) {
		const struct tacho_register *one = &set->registers[i];

		if (tacho_oa_flex_find_register(one->address) < 0)
			continue;
		for (unsigned half = 0; half < 2; half++)
			if (tacho_oa_flex_encode(flex, half, one->value) == one->value)
				return true;
	}
	return false;
}

void cli_oa_event_find_published(struct cli_oa_event *event, const struct tacho_arch *const *archs)
{
	const struct tacho_set *set;

	if (!cli_oa_event_is_refused(event))
		return;
	for (; *archs && !*event->published; archs++)
		for (size_t i = 0; cli_oa_has_flex(*archs) && !*event->published &&
				   (set = tacho_arch_get_set(*archs, i));
		     i++)
			if (has_event(set, &event->flex))
				snprintf(event->published, sizeof(event->published),
					 "%.60s of %.24s", set->name, (*archs)->name);
}

char *cli_oa_event_format_share(const struct cli_oa_event *event)
{
	const struct tacho_oa_flex_meaning *meaning = &event->meaning;
	char *counter =
		event->counter < 0 ? cli_format("count") : cli_format("A%d", event->counter);
	char *factor =
		meaning->factor > 1 ? cli_format(" * %u", meaning->factor) : cli_format("%s", "");
	char *share = meaning->eu_share > 1 ? cli_format(" / %u", meaning->eu_share)
					    : cli_format("%s", "");
	char *text = cli_format("%s%s / (EuCoresTotalCount%s * %sGpuCoreClocks)", counter, factor,
				share, meaning->factor > 1 ? "EuThreadsCount * " : "");

	free(counter);
	free(factor);
	free(share);
	return text;
}

void cli_oa_event_write(const struct cli_oa_event *event, const char *key, struct tacho_json *json)
{
	char *counter = cli_format("A%d", event->counter);
	char *share = cli_oa_event_format_share(event);

	tacho_json_begin_object(json, key);
	if (event->counter >= 0)
		tacho_json_add_string(json, "counter", counter);
	tacho_json_add_string(json, "event", event->text);
	tacho_json_add_unsigned(json, "increment", event->flex.increment);
	tacho_json_add_unsigned(json, "coarse", event->flex.coarse);
	tacho_json_add_unsigned(json, "fine", event->flex.fine);
	tacho_json_add_string(json, "verdict", cli_oa_event_get_verdict(event));
	if (*event->published)
		tacho_json_add_string(json, "published_in", event->published);
	tacho_json_add_string(json, "reason", event->meaning.reason);
	tacho_json_add_string(json, "caveat", event->meaning.caveat);
	tacho_json_add_string(json, "share", share);
	tacho_json_add_unsigned(json, "eu_share", event->meaning.eu_share);
	tacho_json_add_unsigned(json, "factor", event->meaning.factor);
	tacho_json_end(json);
	free(share);
	free(counter);
}

bool cli_oa_has_flex(const struct tacho_arch *arch)
{
	enum tacho_oa_gen gen;

	return tacho_oa_gen_find(arch->name, &gen) == 0 && gen >= TACHO_OA_GEN8 &&
	       gen <= TACHO_OA_GEN12;
}
