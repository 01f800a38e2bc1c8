/* SPDX-License-Identifier: MIT */
/* What the doctor asks of the drivers' settings. */
#include "backend/intel/intel_private.h"
#include "base/error.h"

static void check_card(const struct tacho__intel_card *card, tacho_check_fn fn, void *user)
{
	struct tacho_check check = {.detail = "", .cause = "", .cure = ""};
	struct tacho__intel_rights rights;

	tacho__intel_get_rights("/", card->driver, &tacho__intel_kernel, &rights);
	check.what = rights.sysctl;
	if (tacho__intel_check_rights(&rights, card->name)) {
		check.level = TACHO_CHECK_WARN;
		check.detail = rights.is_known ? "1" : "cannot be read";
		check.cause = tacho_error_last()->cause;
		check.cure = tacho_error_last()->cure;
	} else if (rights.is_privileged) {
		check.detail = "CAP_PERFMON is there: the whole GPU may be counted";
	} else {
		check.detail = "0: the whole GPU may be counted";
	}
	fn(user, &check);
}

/* Each driver's once. */
void tacho__intel_check(tacho_check_fn fn, void *user)
{
	struct tacho__arena arena = {0};
	const struct tacho__intel_card *cards;
	bool is_seen[2] = {false, false};
	size_t count;

	if (!tacho__intel_list_cards(&arena, "/", &cards, &count)) {
		for (size_t i = 0; i < count; i++) {
			if (!is_seen[cards[i].driver])
				check_card(&cards[i], fn, user);
			is_seen[cards[i].driver] = true;
		}
	}
	tacho__arena_finish(&arena);
}
