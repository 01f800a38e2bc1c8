/* SPDX-License-Identifier: MIT */
/* tacho occupancy: how many waves of a kernel a unit of a GPU holds at once, and what limits them.
 */
#include "occupancy/occupancy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <tacho/error.h>
#include <tacho/sys/json.h>

#include "files.h"
#include "options/options.h"

static bool is_given(uint64_t number)
{
	return number != CLI_OCCUPANCY_UNSET;
}

static bool check_hand(const struct cli_occupancy_settings *settings)
{
	const char *missing = !is_given(settings->vector)  ? "--vgpr"
			      : !is_given(settings->group) ? "--wg"
							   : NULL;

	if (!settings->arch)
		missing = "--arch";

	if (!missing)
		return true;
	cli_complain("", "give a file, a recording, or --arch A --vgpr N --wg N",
		     "%s is missing for an occupancy by hand", missing);
	return false;
}

static bool by_hand(const struct cli_occupancy_settings *settings, struct cli_occupancy *list,
		    int *out_status)
{
	uint32_t accumulation =
		is_given(settings->accumulation) ? (uint32_t)settings->accumulation : 0;
	struct tacho_limits limits;
	struct cli_occupancy_row *row;

	*out_status = CLI_USAGE;
	if (settings->arch && !cli_occupancy_find_limits(settings, settings->arch, &limits))
		return false;
	if (!check_hand(settings))
		return false;
	if (limits.scalar_total && !is_given(settings->scalar)) {
		cli_complain("", "add --sgpr N", "%s limits waves by scalar registers, too",
			     limits.arch);
		return false;
	}
	row = cli_occupancy_add(list, "");
	row->arch = cli_format("%s", limits.arch);
	row->limits = limits;
	row->use = (struct tacho_use){
		.vector = tacho_limits_add_registers(&limits, (uint32_t)settings->vector,
						     accumulation),
		.scalar = is_given(settings->scalar) ? (uint32_t)settings->scalar : 0,
		.group_size = (uint32_t)settings->group,
		.local_bytes = is_given(settings->local) ? settings->local : 0,
	};
	if (!tacho_occupancy_get(&row->limits, &row->use, &row->occupancy))
		return true;
	cli_complain_last();
	return false;
}

static void print_archs(const struct cli_occupancy_settings *settings)
{
	struct tacho_json json;
	const char *arch;

	if (settings->json) {
		tacho_json_init(&json, stdout, true);
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "schema", "tacho.limits/1");
		tacho_json_begin_array(&json, "archs");
	} else if (settings->csv) {
		puts("arch");
	}
	for (size_t i = 0; (arch = tacho_limits_get_arch(i)); i++)
		if (settings->json)
			tacho_json_add_string(&json, NULL, arch);
		else
			puts(arch);
	if (settings->json) {
		tacho_json_end(&json);
		tacho_json_finish(&json);
	}
}

/* Numbers become 32 bits wide. */
static bool check(const struct cli_occupancy_settings *settings, const char *operand)
{
	const uint64_t numbers[] = {settings->vector, settings->accumulation, settings->scalar,
				    settings->local,  settings->group,	      settings->wave};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (is_given(numbers[i]) && numbers[i] > INT32_MAX) {
			cli_complain("", "give a smaller number", "%llu is too large",
				     (unsigned long long)numbers[i]);
			return false;
		}
	if (settings->unit && strcmp(settings->unit, "cu") && strcmp(settings->unit, "wgp"))
		cli_complain("", "give cu or wgp", "there is no unit \"%s\"", settings->unit);
	else if (settings->json && settings->csv)
		cli_complain("", "give one of them", "--json and --csv exclude each other");
	else if (settings->csv && settings->plot)
		cli_complain("", "use --json", "--csv has no place for a plot");
	else if (operand && settings->params)
		cli_complain("", "give one of them", "--params and %s are two sources", operand);
	else
		return true;
	return false;
}

static int fail_look(const char *operand)
{
	int error = errno;

	cli_complain(strerror(error), "", "cannot look at %s", operand);
	return error == EACCES ? CLI_PERMISSION : CLI_FAILED;
}

/*
 * Of recordings, and files of other tools that are some; other files are compiled programs. Without
 * a kind it may be either.
 */
static bool from_files(const struct cli_occupancy_settings *settings, char *const *names, int count,
		       struct cli_occupancy *list, int *out_status)
{
	struct tacho_recording *recording = NULL;
	struct stat status;
	bool is_there = stat(names[0], &status) == 0, is_good;
	bool is_file = is_there && !S_ISDIR(status.st_mode) && count == 1 && !settings->as;

	if (!is_there && errno != ENOENT && errno != ENOTDIR) {
		*out_status = fail_look(names[0]);
		return false;
	}
	if (is_file && tacho_recording_open(names[0], &recording) == TACHO_E_NOTFOUND)
		return cli_occupancy_from_file(settings, names[0], list, out_status);
	*out_status = CLI_OK;
	if (is_file && !recording)
		*out_status = cli_complain_last();
	else if (!is_file)
		*out_status = cli_files_open(names, count, settings->as, &recording);
	is_good = *out_status == CLI_OK &&
		  cli_occupancy_from_recording(settings, recording, names[0], list, out_status);
	tacho_recording_close(recording);
	return is_good;
}

static bool collect(const struct cli_occupancy_settings *settings, char *const *names, int count,
		    struct cli_occupancy *list, int *out_status)
{
	if (settings->params)
		return cli_occupancy_from_params(settings, list, out_status);
	if (!count)
		return by_hand(settings, list, out_status);
	return from_files(settings, names, count, list, out_status);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_occupancy_settings settings = {
		.vector = CLI_OCCUPANCY_UNSET,
		.accumulation = CLI_OCCUPANCY_UNSET,
		.scalar = CLI_OCCUPANCY_UNSET,
		.local = CLI_OCCUPANCY_UNSET,
		.group = CLI_OCCUPANCY_UNSET,
		.wave = CLI_OCCUPANCY_UNSET,
	};
	struct cli_occupancy list = {.rows = NULL};
	int operands, status;
	const char *operand;

	if (!cli_options_parse(command, argc, argv, &settings, &operands, &status))
		return status;
	cli_take_csv_safe(settings.csv_safe, &settings.csv);
	operand = operands < argc ? argv[operands] : NULL;
	if (!check(&settings, operand))
		return CLI_USAGE;
	if (settings.archs) {
		print_archs(&settings);
		return CLI_OK;
	}
	status = CLI_FAILED;
	if (collect(&settings, argv + operands, argc - operands, &list, &status)) {
		status = CLI_OK;
		if (settings.json)
			cli_occupancy_print_json(&list, settings.plot);
		else if (settings.csv)
			cli_occupancy_print_csv(&list);
		else
			cli_occupancy_print(&list, settings.plot);
	}
	cli_occupancy_finish(&list);
	return status;
}

#define OPTION(...) CLI_OPTION(struct cli_occupancy_settings, 0, __VA_ARGS__)

static const struct cli_option options[] = {
	OPTION("arch", "A", CLI_TEXT, CLI_WORDS_NONE, arch,
	       "the architecture, as gfx906 or sm_90; of a file, only the kernels for it"),
	OPTION("archs", NULL, CLI_FLAG, CLI_WORDS_NONE, archs,
	       "list the architectures whose limits are known"),
	OPTION("vgpr", "N", CLI_NUMBER, CLI_WORDS_NONE, vector,
	       "vector registers of a work-item: VGPRs, or the registers of a CUDA thread"),
	OPTION("agpr", "N", CLI_NUMBER, CLI_WORDS_NONE, accumulation,
	       "accumulation registers of a work-item, where there are such"),
	OPTION("sgpr", "N", CLI_NUMBER, CLI_WORDS_NONE, scalar,
	       "scalar registers of a wave, without VCC"),
	OPTION("lds", "BYTES", CLI_NUMBER, CLI_WORDS_NONE, local,
	       "local memory of a work-group: LDS, shared memory"),
	OPTION("wg", "N", CLI_NUMBER, CLI_WORDS_NONE, group,
	       "work-items of a work-group (threads of a block)"),
	OPTION("wave", "N", CLI_NUMBER, CLI_WORDS_NONE, wave,
	       "work-items of a wave, where there are two sizes: 32 or 64"),
	OPTION("unit", "U", CLI_TEXT, CLI_WORDS_NONE, unit,
	       "what a work-group runs on, where there are two: cu or wgp"),
	OPTION("params", "FILE", CLI_TEXT, CLI_WORDS_FILE, params,
	       "read rcprof's file of occupancy parameters"),
	CLI_OPTION_AS(struct cli_occupancy_settings),
	OPTION("plot", NULL, CLI_FLAG, CLI_WORDS_NONE, plot,
	       "show occupancy over each resource, and where the kernel is"),
	OPTION("json", NULL, CLI_FLAG, CLI_WORDS_NONE, json, "print JSON"),
	OPTION("csv", NULL, CLI_FLAG, CLI_WORDS_NONE, csv, "print comma-separated values"),
	OPTION("csv-safe", NULL, CLI_FLAG, CLI_WORDS_NONE, csv_safe,
	       "as --csv, with an apostrophe before text that a spreadsheet would take for a "
	       "formula"),
};

const struct cli_command cli_occupancy = {
	.name = "occupancy",
	.summary = "show how many waves of a kernel fit, and what limits them",
	.operands = "[FILE|NAME...]",
	.description =
		"Works out how many waves (warps) of each kernel a compute unit or "
		"multiprocessor holds at once, which resource limits them, and how much of it "
		"would have to be given up for more. FILE is a compiled program: a code object, "
		"a cubin, a fatbin, a bundle, or a program with these inside. NAME is a "
		"recording: of CUDA kernels, or made with --keep-programs; or files of another "
		"tool "
		"that state registers and local memory. Without either the "
		"kernel is described by options. Else --vgpr, --sgpr, --lds and --wg replace what "
		"the file "
		"or "
		"recording says.",
	.examples = {"tacho occupancy --archs",
		     "tacho occupancy --arch gfx1030 --vgpr 84 --wg 256"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.words = CLI_WORDS_FILE,
	.first_operand = "FILE",
	.operand_max = CLI_FILES_MAX,
	.run = run,
};
