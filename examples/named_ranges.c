/* SPDX-License-Identifier: MIT */
/*
 * Names the parts of a program: what is launched in them, and how long they took, is then told by
 * their names. It uses no GPU, so that it runs everywhere; nothing else would be different.
 *
 *	cc named_ranges.c $(pkg-config --cflags --libs tacho)
 *	tacho record -o run ./a.out
 *	tacho report run --by range
 */
#include <stdio.h>

#include <tacho/profile.h>

enum { EPOCHS = 3, STEPS = 4 };

static double step(double value)
{
	for (int i = 0; i < 1000; i++)
		value = value * 0.5 + 1;
	return value;
}

/* Ranges of a thread lie in each other: "epoch/step". */
static double train(double value)
{
	for (int epoch = 0; epoch < EPOCHS; epoch++) {
		tacho_profile_push("epoch");
		for (int i = 0; i < STEPS; i++) {
			tacho_profile_push("step");
			value = step(value);
			tacho_profile_pop();
		}
		tacho_profile_mark("saved");
		tacho_profile_pop();
	}
	return value;
}

int main(void)
{
	/* A range of the process may overlap others, and end on another thread. */
	uint64_t job = tacho_profile_begin("job");

	printf("%.1f\n", train(7));
	tacho_profile_end(job);
	return 0;
}
