/* SPDX-License-Identifier: MIT */
/*
 * The packer: small problems worked out by hand, and random ones against a search that tries
 * everything.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "rounds.h"
#include "plan/cover.h"
#include "plan/problem.h"
#include "tacho/error.h"

enum { ITEMS = 8, GROUPS = 7, RESOURCES = 3, DIMENSIONS = 2, PIECES = ITEMS * GROUPS };
enum { PLANTED_ITEMS = 64, PLANTED_GROUPS = 64 };

/* A problem with room for its parts. */
struct small {
	struct tacho__resource resources[RESOURCES];
	const char *dimensions[DIMENSIONS];
	struct tacho__item items[ITEMS];
	struct tacho__use uses[ITEMS][4];
	struct tacho__label labels[ITEMS][DIMENSIONS];
	struct tacho__group groups[GROUPS];
	uint32_t members[GROUPS][ITEMS];
	struct tacho__problem problem;
};

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % below;
}

static void begin(struct small *small, size_t resources, size_t items, size_t groups)
{
	static const char *const names[] = {"R0", "R1", "R2"};

	memset(small, 0, sizeof(*small));
	for (size_t i = 0; i < resources; i++)
		small->resources[i] = (struct tacho__resource){names[i], 2};
	small->dimensions[0] = "colours";
	small->dimensions[1] = "shapes";
	for (size_t i = 0; i < items; i++) {
		small->items[i].uses = small->uses[i];
		small->items[i].labels = small->labels[i];
	}
	for (size_t i = 0; i < groups; i++)
		small->groups[i].items = small->members[i];
	small->problem = (struct tacho__problem){.resources = small->resources,
						 .resource_count = resources,
						 .dimensions = small->dimensions,
						 .dimension_count = DIMENSIONS,
						 .items = small->items,
						 .item_count = items,
						 .groups = small->groups,
						 .group_count = groups};
}

static void use(struct small *small, uint32_t item, uint32_t resource, uint32_t key)
{
	small->uses[item][small->items[item].use_count++] = (struct tacho__use){resource, key};
}

static void label(struct small *small, uint32_t item, uint32_t dimension, uint32_t value)
{
	small->labels[item][small->items[item].label_count++] =
		(struct tacho__label){dimension, value};
}

static void member(struct small *small, uint32_t group, uint32_t item)
{
	small->members[group][small->groups[group].item_count++] = item;
}

/* Whether items, one bit each, may be in one pass. cap 0: any number. */
static int fits(const struct tacho__problem *problem, uint32_t items, uint32_t cap)
{
	uint32_t labels[DIMENSIONS] = {0}, count = 0;
	uint64_t keys[RESOURCES] = {0};

	for (uint32_t i = 0; i < problem->item_count; i++) {
		const struct tacho__item *item = &problem->items[i];

		if (!(items >> i & 1))
			continue;
		count++;
		for (size_t k = 0; k < item->use_count; k++)
			keys[item->uses[k].resource] |= UINT64_C(1) << item->uses[k].key;
		for (size_t k = 0; k < item->label_count; k++) {
			uint32_t *have = &labels[item->labels[k].dimension];

			if (*have && *have != item->labels[k].label + 1)
				return 0;
			*have = item->labels[k].label + 1;
		}
	}
	for (size_t r = 0; r < problem->resource_count; r++)
		if ((uint32_t)__builtin_popcountll(keys[r]) > problem->resources[r].capacity)
			return 0;
	return !cap || count <= cap;
}

static uint32_t bits_of(const struct tacho__group *group)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < group->item_count; i++)
		bits |= UINT32_C(1) << group->items[i];
	return bits;
}

/* What has to stay together; a group that fits into no pass may be anywhere. */
static size_t list_pieces(const struct tacho__problem *problem, uint32_t *pieces)
{
	size_t count = 0;

	for (size_t g = 0; g < problem->group_count; g++) {
		uint32_t bits = bits_of(&problem->groups[g]);

		if (!bits)
			continue;
		if (!problem->splits && fits(problem, bits, 0)) {
			pieces[count++] = bits;
			continue;
		}
		for (uint32_t i = 0; i < problem->item_count; i++)
			if (bits >> i & 1)
				pieces[count++] = UINT32_C(1) << i;
	}
	return count;
}

struct trying {
	const struct tacho__problem *problem;
	uint32_t pieces[PIECES], bins[PIECES], cap;
	size_t count;
};

static int try_all(struct trying *trying, size_t piece, size_t used, size_t bins)
{
	if (piece == trying->count)
		return 1;
	for (size_t bin = 0; bin <= used && bin < bins; bin++) {
		uint32_t before = trying->bins[bin], both = before | trying->pieces[piece];

		if (!fits(trying->problem, both, trying->cap))
			continue;
		trying->bins[bin] = both;
		if (try_all(trying, piece + 1, bin == used ? used + 1 : used, bins))
			return 1;
		trying->bins[bin] = before;
	}
	return 0;
}

/* The fewest passes that there are. */
static size_t find_fewest(const struct tacho__problem *problem, uint32_t cap)
{
	struct trying trying = {.problem = problem, .cap = cap};
	size_t bins = 0;

	trying.count = list_pieces(problem, trying.pieces);
	do {
		memset(trying.bins, 0, sizeof(trying.bins));
	} while (!try_all(&trying, 0, 0, bins) && ++bins);
	return bins;
}

/* Every group has its items, no pass has too much, and what fits together is together. */
static void check_packing(const struct tacho__problem *problem,
			  const struct tacho__packing *packing)
{
	uint32_t passes[PIECES] = {0};
	size_t at = 0;

	for (size_t pass = 0; pass < packing->pass_count; pass++) {
		for (; at < packing->pass_ends[pass]; at++)
			passes[pass] |= UINT32_C(1) << packing->pass_items[at];
		assert_true(fits(problem, passes[pass], packing->cap));
		assert_int_not_equal(passes[pass], 0);
	}
	for (size_t g = 0; g < problem->group_count; g++) {
		const struct tacho__group *group = &problem->groups[g];
		int together = !problem->splits && fits(problem, bits_of(group), 0);

		for (size_t i = 0; i < group->item_count; i++) {
			uint32_t pass = packing->group_passes[g][i];

			assert_in_range(pass, 0, packing->pass_count - 1);
			assert_true(passes[pass] >> group->items[i] & 1);
			if (together)
				assert_int_equal(pass, packing->group_passes[g][0]);
		}
	}
}

static void pack(const struct tacho__problem *problem, struct tacho__packing *out_packing)
{
	if (tacho__problem_pack(problem, out_packing) != 0)
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
	check_packing(problem, out_packing);
}

/* Five events, one each, two slots: three passes, and the bound says which resource. */
static void test_slots(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 1, 5, 5);
	for (uint32_t i = 0; i < 5; i++) {
		use(&small, i, 0, i);
		member(&small, i, i);
	}
	pack(&small.problem, &packing);
	assert_int_equal(packing.pass_count, 3);
	assert_int_equal(packing.lower_bound, 3);
	assert_true(packing.is_optimal);
	assert_string_equal(packing.binding, "R0: 5 counters, 2 slots");
	tacho__packing_finish(&packing);
}

/* HIGH_RES, LOW_RES and the plain counter share their base: three slots, not five. */
static void test_shared_base(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 1, 3, 1);
	small.resources[0].capacity = 3;
	for (uint32_t i = 0; i < 3; i++) {
		use(&small, i, 0, 0);
		if (i)
			use(&small, i, 0, i);
		member(&small, 0, i);
	}
	pack(&small.problem, &packing);
	assert_int_equal(packing.pass_count, 1);
	tacho__packing_finish(&packing);
	small.resources[0].capacity = 2;
	pack(&small.problem, &packing);
	assert_int_equal(packing.pass_count, 2);
	assert_true(packing.is_optimal);
	tacho__packing_finish(&packing);
}

/* One of a colour in a pass, with what has none. */
static void test_conflict(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 1, 4, 4);
	small.resources[0].capacity = 4;
	for (uint32_t i = 0; i < 4; i++) {
		use(&small, i, 0, i);
		member(&small, i, i);
		if (i < 3)
			label(&small, i, 0, i);
	}
	pack(&small.problem, &packing);
	assert_int_equal(packing.pass_count, 3);
	assert_true(packing.is_optimal);
	assert_string_equal(packing.binding, "colours: 3 kinds exclude each other");
	tacho__packing_finish(&packing);
}

/* The text names what binds inside the labels: 4 passes of slots, one more by the other label. */
static void test_binding_inside_labels(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 2, 5, 5);
	small.resources[0].capacity = 1;
	for (uint32_t i = 0; i < 5; i++) {
		use(&small, i, i < 4 ? 0 : 1, i);
		label(&small, i, 1, i == 4);
		member(&small, i, i);
	}
	pack(&small.problem, &packing);
	assert_int_equal(packing.pass_count, 5);
	assert_string_equal(packing.binding, "R0: 4 counters, 1 slot; 1 more pass for shapes");
	tacho__packing_finish(&packing);
}

/* A limit of two is raised to the largest group, three; then six single items need two passes. */
static void test_cap(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 1, 6, 4);
	small.resources[0].capacity = 60;
	small.problem.cap = 2;
	for (uint32_t i = 0; i < 6; i++) {
		use(&small, i, 0, i);
		member(&small, i < 3 ? 0 : i - 2, i);
	}
	pack(&small.problem, &packing);
	assert_int_equal(packing.cap, 3);
	assert_int_equal(packing.pass_count, 2);
	assert_string_equal(packing.binding, "all blocks together: 6 counters, 3 a pass");
	tacho__packing_finish(&packing);
}

/* Nothing has no pass, and that is the best. */
static void test_nothing(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 0, 0, 2);
	pack(&small.problem, &packing);
	assert_int_equal(packing.pass_count, 0);
	assert_int_equal(packing.lower_bound, 0);
	assert_true(packing.is_optimal);
	tacho__packing_finish(&packing);
}

/* No loop: what fits nowhere is an error that names the resource. */
static void test_no_room(void **unused)
{
	struct tacho__packing packing;
	struct small small;

	begin(&small, 1, 1, 1);
	small.resources[0].capacity = 0;
	use(&small, 0, 0, 0);
	member(&small, 0, 0);
	assert_int_equal(tacho__problem_pack(&small.problem, &packing), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "R0 has 0 slots"));
}

static void draw_problem(struct small *small)
{
	begin(small, 1 + draw(RESOURCES), 1 + draw(ITEMS), 1 + draw(GROUPS));
	for (size_t i = 0; i < small->problem.resource_count; i++)
		small->resources[i].capacity = 2 + draw(3);
	for (uint32_t i = 0; i < small->problem.item_count; i++) {
		uint32_t uses = 1 + draw(2);

		for (uint32_t k = 0; k < uses; k++)
			use(small, i, draw((uint32_t)small->problem.resource_count), draw(8));
		for (uint32_t d = 0; d < DIMENSIONS; d++)
			if (draw(3) == 0)
				label(small, i, d, draw(3));
	}
	for (uint32_t g = 0; g < small->problem.group_count; g++) {
		uint32_t chance = 1 + draw(4);

		for (uint32_t i = 0; i < small->problem.item_count; i++)
			if (draw(6) < chance)
				member(small, g, i);
	}
	small->problem.cap = draw(2) ? 0 : 2 + draw(4);
	small->problem.splits = draw(4) == 0;
}

static void reverse_groups(struct small *small)
{
	for (size_t i = 0, k = small->problem.group_count - 1; i < k; i++, k--) {
		struct tacho__group group = small->groups[i];

		small->groups[i] = small->groups[k];
		small->groups[k] = group;
	}
}

static void test_against_all(void **unused)
{
	unsigned rounds = rounds_of(500, 3000, 20000), optimal = 0, possible = 0;

	state = 1;
	for (unsigned round = 0; round < rounds; round++) {
		struct tacho__packing packing, reversed;
		struct small small;
		size_t fewest;

		draw_problem(&small);
		pack(&small.problem, &packing);
		fewest = find_fewest(&small.problem, packing.cap);
		assert_in_range(packing.lower_bound, 0, fewest);
		assert_in_range(packing.pass_count, fewest, PIECES);
		if (packing.is_optimal)
			assert_int_equal(packing.pass_count, fewest);
		possible += packing.pass_count == fewest;
		optimal += (unsigned)packing.is_optimal;
		reverse_groups(&small);
		pack(&small.problem, &reversed);
		assert_int_equal(reversed.pass_count, packing.pass_count);
		assert_int_equal(reversed.lower_bound, packing.lower_bound);
		tacho__packing_finish(&packing);
		tacho__packing_finish(&reversed);
	}
	print_message("%u small problems: %u packed with as few passes as there are, %u proved\n",
		      rounds, possible, optimal);
	assert_in_range(optimal, rounds * 98 / 100, rounds);
}

/* A packing that is known: items of `passes` passes, and groups that each lie in one of them. */
struct planted {
	struct tacho__resource resources[2];
	struct tacho__item items[PLANTED_ITEMS];
	struct tacho__use uses[PLANTED_ITEMS];
	struct tacho__label labels[PLANTED_ITEMS];
	struct tacho__group groups[PLANTED_GROUPS];
	uint32_t members[PLANTED_GROUPS][PLANTED_ITEMS];
	uint32_t passes;
};

/* Every slot of every pass has an item; each group is some of the items of a pass. */
static void plant(struct planted *planted, struct tacho__problem *problem)
{
	static const char *const dimensions[] = {"colours"};
	uint32_t capacity = 3 + draw(6), items = 0, groups = 0;

	memset(planted, 0, sizeof(*planted));
	planted->passes = 2 + draw(5);
	planted->resources[0] = (struct tacho__resource){"R0", capacity};
	planted->resources[1] = (struct tacho__resource){"R1", 2};
	for (uint32_t pass = 0; pass < planted->passes; pass++) {
		uint32_t first = items, count = 3 + draw(5), colour = draw(3);

		for (uint32_t i = 0; i < capacity + 2; i++, items++) {
			planted->uses[items] = (struct tacho__use){i >= capacity, items};
			planted->labels[items] = (struct tacho__label){0, colour};
			planted->items[items] = (struct tacho__item){
				.uses = &planted->uses[items],
				.use_count = 1,
				.labels = &planted->labels[items],
				.label_count = draw(8) == 0,
			};
		}
		for (; count; count--, groups++) {
			planted->groups[groups].items = planted->members[groups];
			for (uint32_t i = first; i < items; i++)
				if (draw(3) == 0)
					planted->members[groups]
							[planted->groups[groups].item_count++] = i;
		}
	}
	*problem = (struct tacho__problem){
		.resources = planted->resources,
		.resource_count = 2,
		.dimensions = dimensions,
		.dimension_count = 1,
		.items = planted->items,
		.item_count = items,
		.groups = planted->groups,
		.group_count = groups,
		.cap = draw(2) ? capacity + 2 : 0,
	};
}

/* No bound and no proof may deny a packing that is there. */
static void test_planted(void **unused)
{
	unsigned rounds = rounds_of(200, 1000, 20000), found = 0;
	static struct planted planted;

	state = 3;
	for (unsigned round = 0; round < rounds; round++) {
		struct tacho__packing packing;
		struct tacho__problem problem;

		plant(&planted, &problem);
		if (tacho__problem_pack(&problem, &packing) != 0)
			fail_msg("%s", tacho_error_last()->message);
		assert_in_range(packing.lower_bound, 0, planted.passes);
		found += packing.pass_count <= planted.passes;
		if (packing.is_optimal)
			assert_in_range(packing.pass_count, 0, planted.passes);
		tacho__packing_finish(&packing);
	}
	print_message("%u of %u packings that exist were found\n", found, rounds);
	assert_in_range(found, rounds * 95 / 100, rounds);
}

/* The fewest options that cover all elements, found by trying every subset. */
static size_t find_fewest_options(const struct tacho__cover_element *elements, size_t count,
				  uint32_t options)
{
	size_t fewest = SIZE_MAX;

	for (uint32_t chosen = 0; chosen < UINT32_C(1) << options; chosen++) {
		size_t i;

		for (i = 0; i < count; i++) {
			uint32_t mask = 0;

			for (size_t k = 0; k < elements[i].count; k++)
				mask |= UINT32_C(1) << elements[i].options[k];
			if (!(mask & chosen))
				break;
		}
		if (i == count && (size_t)__builtin_popcount(chosen) < fewest)
			fewest = (size_t)__builtin_popcount(chosen);
	}
	return fewest;
}

static void test_cover(void **unused)
{
	enum { OPTIONS = 7, ELEMENTS = 9 };

	state = 2;
	for (unsigned round = 0; round < 2000; round++) {
		struct tacho__cover_element elements[ELEMENTS] = {0};
		uint32_t options[ELEMENTS][OPTIONS], chosen = 0;
		struct tacho__arena arena = {0};
		size_t used, bound, count = 1 + draw(ELEMENTS);

		for (size_t i = 0; i < count; i++) {
			elements[i].options = options[i];
			for (uint32_t k = 0; k < OPTIONS; k++)
				if (draw(3) == 0)
					options[i][elements[i].count++] = k;
			if (!elements[i].count)
				options[i][elements[i].count++] = draw(OPTIONS);
		}
		assert_int_equal(tacho__cover_find(&arena, elements, count, OPTIONS, &used, &bound),
				 0);
		for (size_t i = 0; i < count; i++) {
			size_t k = 0;

			while (k < elements[i].count &&
			       elements[i].options[k] != elements[i].choice)
				k++;
			assert_in_range(k, 0, elements[i].count - 1);
			chosen |= UINT32_C(1) << elements[i].choice;
		}
		assert_int_equal(used, find_fewest_options(elements, count, OPTIONS));
		assert_int_equal(bound, used);
		assert_in_range(__builtin_popcount(chosen), 1, used);
		tacho__arena_finish(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slots),	 cmocka_unit_test(test_shared_base),
		cmocka_unit_test(test_conflict), cmocka_unit_test(test_binding_inside_labels),
		cmocka_unit_test(test_cap),	 cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_no_room),	 cmocka_unit_test(test_against_all),
		cmocka_unit_test(test_planted),	 cmocka_unit_test(test_cover),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
