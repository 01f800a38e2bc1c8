/* SPDX-License-Identifier: MIT */
/*
 * A metric of one's own: counters are counted, and a formula makes a value of them. Formulas are
 * written as in docs/formulas.md.
 *
 *	cc own_metric.c $(pkg-config --cflags --libs tacho)
 *	./a.out 'SQ_INSTS_VALU / SQ_WAVES'
 */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/tacho.h>

static void check(int rc)
{
	const struct tacho_error_detail *error = tacho_error_last();

	if (!rc)
		return;
	fprintf(stderr, "%s\n  cause: %s\n  cure:  %s\n", error->message, error->cause,
		error->cure);
	exit(EXIT_FAILURE);
}

/* Two kernels of 1,024 and 256 waves, 100 and 40 vector instructions in each. */
static void run(struct tacho_device *device, struct tacho_session *session)
{
	const struct tacho_sim_work works[] = {
		{.size = sizeof(works[0]), .grid = {65536}, .per_wave = {.valu = 100}},
		{.size = sizeof(works[0]), .grid = {16384}, .per_wave = {.valu = 40}},
	};

	for (size_t i = 0; i < 2; i++) {
		check(tacho_session_push_range(session, i, i ? "small" : "large"));
		check(tacho_sim_submit(device, &works[i], NULL));
		check(tacho_session_pop_range(session));
	}
}

int main(int argc, char **argv)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = "sim:mi300x"};
	const struct tacho_config_entry wanted[] = {{.name = "SQ_INSTS_VALU"},
						    {.name = "SQ_WAVES"}};
	const struct tacho_formula formula = {
		.name = "mine", .expression = argc > 1 ? argv[1] : "SQ_INSTS_VALU / SQ_WAVES"};
	const struct tacho_column *column;
	const struct tacho_row *row;
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *counted, *derived;

	check(tacho_context_create(&options, &context));
	check(tacho_device_open(context, tacho_context_get_device_info(context, 0), &device));
	check(tacho_config_create(tacho_device_get_arch(device), tacho_device_get_model(device),
				  wanted, 2, &config));
	check(tacho_device_plan(device, config, NULL, &plan));
	check(tacho_session_create(device, plan, NULL, &session));
	check(tacho_session_begin_pass(session)); /* both counters fit into one */
	run(device, session);
	check(tacho_session_end_pass(session, NULL));
	check(tacho_session_drain(session, UINT64_C(1000000000), NULL));
	check(tacho_session_take(session, &counted));

	check(tacho_result_derive(counted, &formula, 1, NULL, &derived, NULL));
	column = tacho_result_get_column(derived, 0);
	for (size_t i = 0; (row = tacho_result_get_row(derived, i)); i++)
		printf("%s: %s = %g (%s%s)\n", row->name, formula.expression,
		       tacho_column_get_value(column, i, 0),
		       tacho_state_to_string(tacho_column_get_state(column, i, 0)),
		       tacho_column_get_state(column, i, 0) & TACHO_MARK_DIV0 ? ", divided by 0"
									      : "");

	tacho_result_destroy(derived);
	tacho_result_destroy(counted);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	return EXIT_SUCCESS;
}
