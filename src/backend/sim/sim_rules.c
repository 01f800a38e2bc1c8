/* SPDX-License-Identifier: MIT */
/* Reading rules: data/sim/rules-NAME.yaml, or a file of the same form. */
#include "backend/sim/sim_rules.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { FILE_MAX = 1 << 20, PARTS_MAX = 1024, FILES_MAX = 4 };

static const char *const spread_names[] = {"waves", "channel", "each", "used"};

struct reader {
	const char *name;
	struct tacho__sim_rules *rules;
};

static int fail(const struct reader *reader, const struct tacho__yaml *at, const char *what)
{
	return tacho__fail(TACHO_E_PARSE, what, "write it as docs/sim.md shows",
			   "the rules %s are not valid (line %u)", reader->name,
			   at ? (unsigned)at->line : 1u);
}

static int read_spread(const struct reader *reader, const struct tacho__yaml *scalar,
		       int *out_spread)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(spread_names); i++) {
		if (!strcmp(scalar->text, spread_names[i])) {
			*out_spread = (int)i;
			return 0;
		}
	}
	return fail(reader, scalar, "a spread is none of waves, channel, each, used");
}

/* A glob, or a list of them. */
static int read_globs(const struct reader *reader, const struct tacho__yaml *node,
		      const char *const **out_globs)
{
	const char **globs = tacho__arena_get(&reader->rules->arena,
					      (tacho__yaml_count(node) + 2) * sizeof(*globs));
	size_t count = 0;

	if (!globs)
		return TACHO_E_NOMEM;
	if (node && node->type == TACHO__YAML_SCALAR)
		globs[count++] = node->text;
	for (const struct tacho__yaml *each = node ? node->first : NULL; each; each = each->next)
		globs[count++] = each->text;
	*out_globs = globs;
	return count ? 0 : fail(reader, node, "a rule has no \"match\"");
}

/* "K/N" */
static int read_part(const struct reader *reader, const struct tacho__yaml *node,
		     struct tacho__sim_rule *rule)
{
	unsigned part, parts;
	char rest;

	if (sscanf(node->text, "%4u/%4u%c", &part, &parts, &rest) != 2 || !parts ||
	    parts > PARTS_MAX || part >= parts)
		return fail(reader, node, "\"part\" is not of the form 0/4");
	rule->part = part;
	rule->parts = parts;
	return 0;
}

static int read_rule(const struct reader *reader, const struct tacho__yaml *node,
		     struct tacho__sim_rule *rule)
{
	const struct tacho__yaml *spread = tacho__yaml_get(node, "spread");
	const struct tacho__yaml *part = tacho__yaml_get(node, "part");
	const struct tacho__yaml *most = tacho__yaml_get(node, "most");
	int rc;

	*rule = (struct tacho__sim_rule){.set = tacho__yaml_string(node, "set", ""),
					 .value = tacho__yaml_string(node, "value", ""),
					 .high = tacho__yaml_string(node, "high_res", ""),
					 .low = tacho__yaml_string(node, "low_res", ""),
					 .absent = tacho__yaml_string(node, "absent", ""),
					 .spread = -1,
					 .parts = 1};
	rc = read_globs(reader, tacho__yaml_get(node, "match"), &rule->globs);
	if (!rc && spread)
		rc = read_spread(reader, spread, &rule->spread);
	if (!rc && part)
		rc = read_part(reader, part, rule);
	if (!rc && most && tacho__yaml_number(most, &rule->most))
		rc = fail(reader, most, "\"most\" is no whole number");
	if (!rc && !*rule->value && !*rule->absent)
		rc = fail(reader, node, "a rule has neither \"value\" nor \"absent\"");
	return rc;
}

static int read_spreads(const struct reader *reader, const struct tacho__yaml *node,
			struct tacho__sim_block_spread *spreads)
{
	int rc = 0;

	for (const struct tacho__yaml *each = node ? node->first : NULL; each && !rc;
	     each = each->next) {
		struct tacho__sim_block_spread *spread = &spreads[reader->rules->spread_count++];

		if (!each->key)
			return fail(reader, each, "\"spreads\" is no list of blocks");
		spread->glob = each->key;
		rc = read_spread(reader, each, &spread->spread);
	}
	return rc;
}

/* A file, and those whose rules come behind its own. */
struct chain {
	const char *names[FILES_MAX];
	const struct tacho__yaml *roots[FILES_MAX];
	size_t count;
};

static int read_file(struct tacho__arena *arena, const char *name, const struct tacho__yaml **root)
{
	return strchr(name, '/') ? tacho__yaml_read(arena, name, FILE_MAX, root)
				 : tacho__sim_read_builtin(arena, name, root);
}

static int read_chain(struct tacho__sim_rules *rules, const char *name, struct chain *chain)
{
	while (*name) {
		struct reader reader = {.name = name, .rules = rules};
		const struct tacho__yaml *root;
		int rc = read_file(&rules->arena, name, &root);

		if (rc)
			return rc;
		if (!tacho__yaml_get(root, "sim-rules"))
			return fail(&reader, root, "they do not begin with \"sim-rules: 1\"");
		if (chain->count == FILES_MAX)
			return fail(&reader, root, "\"more\" names more than 4 files");
		chain->names[chain->count] = name;
		chain->roots[chain->count++] = root;
		name = tacho__yaml_string(root, "more", "");
	}
	return 0;
}

static int read_rules(struct tacho__sim_rules *rules, const struct chain *chain)
{
	struct tacho__sim_block_spread *spreads;
	struct tacho__sim_rule *all;
	size_t count = 1, spread_count = 1;
	int rc = 0;

	for (size_t i = 0; i < chain->count; i++) {
		count += tacho__yaml_count(tacho__yaml_get(chain->roots[i], "rules"));
		spread_count += tacho__yaml_count(tacho__yaml_get(chain->roots[i], "spreads"));
	}
	rules->rules = all = tacho__arena_get(&rules->arena, count * sizeof(*all));
	rules->spreads = spreads = tacho__arena_get(&rules->arena, spread_count * sizeof(*spreads));
	if (!all || !spreads)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < chain->count && !rc; i++) {
		const struct reader reader = {.name = chain->names[i], .rules = rules};
		const struct tacho__yaml *list = tacho__yaml_get(chain->roots[i], "rules");

		for (const struct tacho__yaml *each = list ? list->first : NULL; each && !rc;
		     each = each->next)
			rc = read_rule(&reader, each, &all[rules->rule_count++]);
		if (!rc)
			rc = read_spreads(&reader, tacho__yaml_get(chain->roots[i], "spreads"),
					  spreads);
	}
	return rc;
}

int tacho__sim_rules_read(const char *name, struct tacho__sim_rules *out_rules)
{
	struct tacho__sim_rules rules = {0};
	struct chain chain = {0};
	int rc = read_chain(&rules, name, &chain);

	if (!rc)
		rc = read_rules(&rules, &chain);
	if (rc)
		tacho__sim_rules_finish(&rules);
	else
		*out_rules = rules;
	return rc;
}

void tacho__sim_rules_finish(struct tacho__sim_rules *rules)
{
	tacho__arena_finish(&rules->arena);
}
