/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's definitions, compared with the names and footnotes of its user guide. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "catalog/catalog.h"
#include "tacho/catalog.h"
#include "gpa_catalog.h"

/* Bits 0 to 3: r600, r700, evergreen, northern-islands; 4 to 6: gfx6, gfx7, gfx8. */
static unsigned generations_of(const struct line *line)
{
	static const char cl_notes[] = "-1234", gfx_notes[] = "-12345678";
	static const unsigned cl[] = {0x7e, 0x0e, 0x0c, 0x70, 0x60};
	static const unsigned gfx[] = {0x7f, 0x03, 0x0f, 0x0e, 0x7e, 0x0c, 0x7c, 0x70, 0x60};
	int is_cl = !strcmp(line->table, "cl");
	const char *notes = is_cl ? cl_notes : gfx_notes;
	const char *note = strchr(notes, line->footnote[0]);

	assert_non_null(note);
	return is_cl ? cl[note - notes] : gfx[note - notes];
}

static void check_entry(const struct line *line, const char *generation, const char *api, int is)
{
	const struct tacho_arch *arch = find(generation, api);
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, line->name);

	if ((entry && !strcmp(entry->name, line->name)) != is)
		fail_msg("%s under %s: %s is %sthere", generation, api, line->name,
			 is ? "not " : "");
	if (!is)
		return;
	assert_string_equal(entry->group, line->group);
	assert_string_not_equal(entry->description, "");
	assert_string_not_equal(entry->source, "");
	if (generation[0] != 'g' && strcmp(line->kind, "query") != 0) {
		assert_string_equal(entry->expression, "");
		assert_int_equal(entry->input_count, 0);
		assert_non_null(strstr(entry->caveat, "no equation"));
		assert_non_null(strstr(entry->source, "2.15"));
	} else {
		assert_string_not_equal(entry->expression, "");
	}
}

/* What the footnotes say, on all generations that the guide of 2015 can mean. */
static void test_availability(void **state)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct line *line = &lines[i];
		unsigned generations = generations_of(line);
		int is_cl = !strcmp(line->table, "cl"), is_query = !strcmp(line->kind, "query");

		if (!strcmp(line->kind, "none"))
			assert_int_equal(generations & 0x70, 0);
		if (is_query)
			assert_int_equal(generations, 0x7f);
		for (unsigned j = 0; j < 7; j++) {
			const char *generation = j < 4 ? before_gcn[j] : gcn[j - 4];
			int is = generations >> j & 1;

			if (j > 0) /* OpenCL begins with r700 */
				check_entry(line, generation, "cl", is && is_cl);
			check_entry(line, generation, "gl", is && !is_cl && !is_query);
			check_entry(line, generation, "dx11", is && !is_cl);
		}
		if (is_query) {
			check_entry(line, "gfx9", "dx11", 1);
			check_entry(line, "any", "gl", 1);
			check_entry(line, "any", "vulkan", 1);
		}
	}
}

/* Whether the text has the name as a word; "<sup>7" may follow. */
static int is_named(const char *text, const char *name)
{
	size_t size = strlen(name);

	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
		char before = at == text ? ' ' : at[-1], after = at[size];

		if (!strchr("\t\n >", before))
			continue;
		if (after == '\0' || strchr("\t\n <'/", after))
			return 1;
	}
	return 0;
}

static void test_document(void **state)
{
	static const char *const aliases[][3] = {
		/* spelling, name, architecture/API */
		{"PctTex1Darray", "PctTex1DArray", "r700/gl"},
		{"PctTex2Darray", "PctTex2DArray", "r700/dx11"},
		{"PreZTilesDetailedCulled", "PreZTilesDetailCulled", "gfx8/gl"},
		{"PreZTilesDetailedCulled", "PreZTilesDetailCulled", "evergreen/gl"},
		{"VSVSALUBusy", "VSVALUBusy", "gfx8/gl"},
		{"GSInvocation", "GSInvocations", "gfx6/dx11"},
		{"GSInvocation", "GSInvocations", "any/gl"},
		{"GSInvocation", "GSInvocations", "any/vulkan"},
		{"CSLDSBankConflicts", "CSLDSBankConflict", "gfx7/dx11"},
		{"CSFiatLDSInsts", "CSFlatLDSInsts", "gfx8/gl"},
		{"CSFiatVMemInsts", "CSFlatVMemInsts", "gfx8/gl"},
		{"VALUBUSY", "VALUBusy", "gfx8/cl"},
	};
	const char *path;
	struct tacho__buf text = {0};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(aliases); i++) {
		char arch[64];
		const struct tacho_entry *entry;

		snprintf(arch, sizeof(arch), "%s", aliases[i][2]);
		*strchr(arch, '/') = '\0';
		entry = tacho_arch_find_entry(find(arch, strchr(aliases[i][2], '/') + 1),
					      aliases[i][0]);
		assert_non_null(entry);
		assert_string_equal(entry->name, aliases[i][1]);
	}
	path = shared_path("sources/000_e21f6846f1af4879.txt");
	if (!path)
		skip();
	read_file(path, &text);
	for (size_t i = 0; i < NAMES; i++)
		if (!is_named(text.text, lines[i].name))
			fail_msg("the guide does not name %s", lines[i].name);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(aliases); i++)
		assert_non_null(strstr(text.text, aliases[i][0]));
	tacho__buf_finish(&text);
}

/* The footnote that the guide's table has at a name; '\0' where it has none or is unreadable. */
static char footnote_at(const char *table, const char *name)
{
	char line[96];
	const char *at;

	snprintf(line, sizeof(line), "\n%s <sup>", name);
	at = strstr(table, line);
	if (!at) {
		snprintf(line, sizeof(line), "\n%s<sup>", name);
		at = strstr(table, line);
	}
	at = at ? at + strlen(line) : NULL;
	return at && *at >= '0' && *at <= '9' ? *at : '\0';
}

static void test_footnotes(void **state)
{
	const char *path = shared_path("sources/000_e21f6846f1af4879.txt");
	struct tacho__buf text = {0};
	const char *cl, *gfx;
	size_t count = 0;

	if (!path)
		skip();
	read_file(path, &text);
	cl = strstr(text.text, "**OpenCL Counter Descriptions**");
	gfx = strstr(text.text, "**OpenGL and DirectX Counter Descriptions**");
	assert_true(cl && gfx && cl < gfx);
	for (size_t i = 0; i < NAMES; i++) {
		char note = footnote_at(strcmp(lines[i].table, "cl") ? gfx : cl, lines[i].name);

		if (note && note != lines[i].footnote[0])
			fail_msg("%s has footnote %c", lines[i].name, note);
		count += note != '\0';
	}
	/* all but the plain ones and a page that the scanner garbled */
	assert_true(count > 130);
	tacho__buf_finish(&text);
}

static void normalize(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++) {
		if (strchr(" \t\n", *at)) {
			if (to > text && to[-1] != ' ')
				*to++ = ' ';
		} else {
			*to++ = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at;
		}
	}
	*to = '\0';
}

/* No six words in a row are the guide's. */
static void check_own_words(const char *guide, const struct tacho_entry *entry, const char *text)
{
	char *own = strdup(text);

	assert_non_null(own);
	normalize(own);
	for (char *at = own; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL) {
		char *end = at;
		char kept;

		for (int i = 0; i < WORDS && end; i++) {
			end = strpbrk(i ? end + 1 : end, " ");
			if (!end && i == WORDS - 1)
				end = at + strlen(at);
		}
		if (!end)
			break;
		kept = *end;
		*end = '\0';
		if (strstr(guide, at))
			fail_msg("%s has words of the guide: %s", entry->name, at);
		*end = kept;
	}
	free(own);
}

static void test_own_words(void **state)
{
	const char *path = shared_path("sources/000_e21f6846f1af4879.txt");
	struct tacho__buf text = {0};
	const struct tacho_arch *arch;

	if (!path)
		skip();
	read_file(path, &text);
	normalize(text.text);
	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		const struct tacho_entry *entry;

		for (size_t j = 0; (entry = tacho_arch_get_entry(arch, j)); j++) {
			if (entry->kind != TACHO_ENTRY_METRIC || strcmp(entry->notation, "gpa"))
				continue;
			check_own_words(text.text, entry, entry->description);
			check_own_words(text.text, entry, entry->advice);
			check_own_words(text.text, entry, entry->caveat);
		}
	}
	tacho__buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_availability),
		cmocka_unit_test(test_document),
		cmocka_unit_test(test_footnotes),
		cmocka_unit_test(test_own_words),
	};

	return cmocka_run_group_tests(tests, read_lines, close_catalog);
}
