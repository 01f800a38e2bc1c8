/* SPDX-License-Identifier: MIT */
/* Reading descriptions of devices: data/sim/NAME.yaml, or a file of the same form. */
#include "backend/sim/sim_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/number.h"
#include "catalog/catalog.h"
#include "tacho/sim.h"
#include "tacho/sys/nearest.h"

extern const struct tacho__builtin tacho__sim_builtins[]; /* ends with name NULL */

enum {
	FILE_MAX = 1 << 20,
	NAME_BYTES = 64,
	BEGUN = 10,
	NEAR = 20 /* scores */,
	NUMBER_MAX = 1000 * 1000 * 1000
};

static const char top_key[] = "sim-device";

static const char *find_builtin(const char *name, size_t size, const struct tacho__builtin **out)
{
	for (const struct tacho__builtin *each = tacho__sim_builtins; each->name; each++) {
		const char *own = each->name + strlen("sim/");

		if (!strncmp(own, name, size) && !strcmp(own + size, ".yaml")) {
			*out = each;
			return own;
		}
	}
	return NULL;
}

int tacho__sim_read_builtin(struct tacho__arena *arena, const char *name,
			    const struct tacho__yaml **out_root)
{
	const struct tacho__builtin *builtin;

	if (!find_builtin(name, strlen(name), &builtin))
		return tacho__fail(TACHO_E_NOTFOUND, "", "name a file of data/sim, without .yaml",
				   "there is no \"%s\" built in", name);
	return tacho__yaml_parse(arena, builtin->name, (const char *)builtin->text, builtin->size,
				 out_root);
}

/* Where "FILE.yaml:API" or "NAME:API" is cut. */
static size_t split(const char *argument, int *out_is_file)
{
	const char *colon = strrchr(argument, ':');
	size_t size = strlen(argument);
	int ends = size > 5 && !strcmp(argument + size - 5, ".yaml");

	if (colon && !ends && !strchr(colon, '/')) {
		size = (size_t)(colon - argument);
		ends = size > 5 && !strncmp(argument + size - 5, ".yaml", 5);
	}
	*out_is_file = ends || memchr(argument, '/', size);
	return size;
}

int tacho_sim_get_name(size_t index, char *out_name, size_t size)
{
	if (!out_name || !size)
		return tacho__fail_null(__func__);
	for (const struct tacho__builtin *each = tacho__sim_builtins; each->name; each++) {
		const char *own = each->name + strlen("sim/");

		if (!strncmp(own, "rules-", 6) || index-- > 0)
			continue;
		snprintf(out_name, size, "%.*s", (int)strcspn(own, "."), own);
		return 0;
	}
	return TACHO_E_NOTFOUND;
}

static void suggest(const char *argument, unsigned limit, struct tacho__buf *text)
{
	char name[NAME_BYTES];

	for (size_t i = 0; *argument && !tacho_sim_get_name(i, name, sizeof(name)); i++)
		if (tacho_nearest_score(argument, name) < limit)
			tacho__buf_printf(text, "%s%s", text->size ? " or " : "did you mean ",
					  name);
}

static int fail_unknown(const char *argument)
{
	struct tacho__buf known = {0};
	char name[NAME_BYTES];
	int rc;

	suggest(argument, BEGUN, &known);
	if (!known.size)
		suggest(argument, NEAR, &known);
	if (known.size)
		tacho__buf_put(&known, "? Else ");
	for (size_t i = 0; !tacho_sim_get_name(i, name, sizeof(name)); i++)
		tacho__buf_printf(&known, "%s%s", i ? ", " : "choose of ", name);
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__buf_text(&known),
			 "there is no simulated device \"%s\"", argument);
	tacho__buf_finish(&known);
	return rc;
}

static int fail_file(const char *argument, const struct tacho__yaml *at, const char *what)
{
	return tacho__fail(TACHO_E_PARSE, what, "write it as docs/sim.md shows",
			   "the simulated device %s is not described rightly (line %u)", argument,
			   at ? (unsigned)at->line : 1u);
}

int tacho__sim_read_number(const struct tacho__yaml *scalar, double most, double *out_value)
{
	double value;

	if (scalar->type != TACHO__YAML_SCALAR ||
	    tacho__number_parse(scalar->text, strlen(scalar->text), &value) ||
	    !(value >= 0 && value <= most))
		return TACHO_E_INVAL;
	*out_value = value;
	return 0;
}

/* The face's numbers come first: they are found first. */
static int read_hardware(struct tacho__arena *arena, const char *argument,
			 const struct tacho__yaml *node, struct tacho__sim_spec *spec)
{
	const struct tacho__yaml *nodes[] = {spec->face.hardware, node};
	struct tacho__sim_number *numbers =
		tacho__arena_get(arena, (tacho__yaml_count(nodes[0]) + tacho__yaml_count(node) +
					 1) * sizeof(*numbers));

	if (!numbers)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < 2; i++) {
		for (const struct tacho__yaml *each = nodes[i] ? nodes[i]->first : NULL; each;
		     each = each->next) {
			struct tacho__sim_number *number = &numbers[spec->hardware_count];

			if (!each->key || tacho__sim_read_number(each, NUMBER_MAX, &number->value))
				return fail_file(argument, each,
						 "\"hardware\" has something else than numbers");
			number->name = each->key;
			spec->hardware_count++;
		}
	}
	spec->hardware = numbers;
	return 0;
}

static int read_properties(struct tacho__arena *arena, const char *argument,
			   const struct tacho__yaml *node, struct tacho__sim_spec *spec)
{
	struct tacho_property *list =
		tacho__arena_get(arena, (tacho__yaml_count(node) + 1) * sizeof(*list));

	if (!list)
		return TACHO_E_NOMEM;
	for (const struct tacho__yaml *each = node ? node->first : NULL; each; each = each->next) {
		if (!each->key || tacho__yaml_number(each, &list[spec->property_count].value))
			return fail_file(argument, each,
					 "\"properties\" has something else than whole numbers");
		list[spec->property_count++].name = each->key;
	}
	spec->properties = list;
	return 0;
}

/* A path, or a list of them; those that do not begin with a slash begin at the device's file. */
static int read_definitions(struct tacho__arena *arena, const char *file,
			    const struct tacho__yaml *node, struct tacho__sim_spec *spec)
{
	const char *slash = strrchr(file, '/');
	int folder = slash ? (int)(slash - file + 1) : 0;
	size_t count = tacho__yaml_count(node) + 1;
	const struct tacho__yaml *each = node && node->type == TACHO__YAML_SCALAR ? node
					 : node					  ? node->first
										  : NULL;

	spec->definitions = tacho__arena_get(arena, count * sizeof(*spec->definitions));
	if (!spec->definitions)
		return TACHO_E_NOMEM;
	for (; each; each = each == node ? NULL : each->next) {
		struct tacho__buf path = {0};
		char *kept;

		if (each->type != TACHO__YAML_SCALAR || !*each->text)
			return fail_file(file, each,
					 "\"definitions\" has something else than paths");
		tacho__buf_printf(&path, "%.*s%s", *each->text == '/' ? 0 : folder, file,
				  each->text);
		kept = path.failed ? NULL : tacho__arena_string(arena, tacho__buf_text(&path));
		tacho__buf_finish(&path);
		if (!kept)
			return TACHO_E_NOMEM;
		spec->definitions[spec->definition_count++] = kept;
	}
	return 0;
}

static int fail_api(const char *argument, const char *api, const struct tacho__yaml *list)
{
	struct tacho__buf known = {0};
	int rc;

	for (const struct tacho__yaml *each = list->first; each; each = each->next)
		tacho__buf_printf(&known, "%s%s", known.size ? ", " : "choose of ",
				  tacho__yaml_string(each, "api", ""));
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__buf_text(&known),
			 "the simulated device %s does not count under the API \"%s\"", argument,
			 api);
	tacho__buf_finish(&known);
	return rc;
}

/* The face of this API, or the first. */
static int read_face(const char *argument, const char *api, const struct tacho__yaml *list,
		     struct tacho__sim_spec *spec)
{
	if (!list || !list->first)
		return fail_file(argument, list, "it lists no \"faces\"");
	for (const struct tacho__yaml *each = list->first; each; each = each->next) {
		struct tacho__sim_face face = {.arch = tacho__yaml_string(each, "arch", ""),
					       .api = tacho__yaml_string(each, "api", ""),
					       .model = tacho__yaml_string(each, "model", ""),
					       .rules = tacho__yaml_string(each, "rules", ""),
					       .hardware = tacho__yaml_get(each, "hardware")};

		if (!*face.arch || !*face.api || !*face.rules)
			return fail_file(argument, each,
					 "a face lacks \"arch\", \"api\" or \"rules\"");
		if (!*api || !strcmp(api, face.api)) {
			spec->face = face;
			return 0;
		}
	}
	return fail_api(spec->name, api, list);
}

static int read_root(struct tacho__arena *arena, const char *argument, const char *file,
		     const char *api, const struct tacho__yaml *root, struct tacho__sim_spec *spec)
{
	int rc;

	if (!tacho__yaml_get(root, top_key))
		return fail_file(argument, root, "it does not begin with \"sim-device: 1\"");
	*spec = (struct tacho__sim_spec){.name = tacho__yaml_string(root, "name", ""),
					 .title = tacho__yaml_string(root, "title", ""),
					 .vendor = tacho__yaml_string(root, "vendor", "")};
	if (!*spec->name)
		return fail_file(argument, root, "it has no \"name\"");
	rc = read_face(argument, api, tacho__yaml_get(root, "faces"), spec);
	if (!rc)
		rc = read_hardware(arena, argument, tacho__yaml_get(root, "hardware"), spec);
	if (!rc)
		rc = read_properties(arena, argument, tacho__yaml_get(root, "properties"), spec);
	if (!rc)
		rc = read_definitions(arena, file, tacho__yaml_get(root, "definitions"), spec);
	spec->clock_mhz = tacho__sim_spec_get(spec, "clock_mhz");
	spec->channel_bytes = tacho__sim_spec_get(spec, "channel_bytes");
	if (!(spec->channel_bytes >= 1))
		spec->channel_bytes = 256;
	if (!rc && !(spec->clock_mhz > 0))
		rc = fail_file(argument, root, "\"hardware\" has no \"clock_mhz\"");
	return rc;
}

int tacho__sim_spec_read(struct tacho__arena *arena, const char *argument,
			 struct tacho__sim_spec *out_spec)
{
	const struct tacho__yaml *root;
	const struct tacho__builtin *builtin;
	int is_file, rc;
	size_t size = split(argument, &is_file);
	char *name = tacho__arena_text(arena, argument, size);

	if (!name)
		return TACHO_E_NOMEM;
	if (is_file)
		rc = tacho__yaml_read(arena, name, FILE_MAX, &root);
	else if (!strncmp(name, "rules-", 6) || !find_builtin(name, size, &builtin))
		rc = fail_unknown(name);
	else
		rc = tacho__sim_read_builtin(arena, name, &root);
	return rc ? rc
		  : read_root(arena, name, is_file ? name : "",
			      argument[size] ? argument + size + 1 : "", root, out_spec);
}

double tacho__sim_spec_get(const struct tacho__sim_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->hardware_count; i++)
		if (!strcmp(spec->hardware[i].name, name))
			return spec->hardware[i].value;
	return 0;
}
