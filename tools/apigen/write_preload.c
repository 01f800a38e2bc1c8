/* SPDX-License-Identifier: MIT */
/* Entry points under the API's own names, for loading before the loader, and the exports. */
#include <string.h>

#include "model.h"

static void put_entry(const struct api *api, const struct function *function, FILE *out)
{
	bool errcode = find_argument(function, "errcode_ret");

	fputs("TACHO_API ", out);
	write_prototype(function, function->name, out);
	fputs(";\nTACHO_API ", out);
	write_prototype(function, function->name, out);
	fprintf(out, "\n{\n\tif (!tacho__%s_preload_target(TACHO__INDEX_%s))%s\n", api->name,
		function->name, errcode ? " {" : "");
	if (errcode)
		fputs("\t\tif (errcode_ret)\n\t\t\t*errcode_ret = CL_INVALID_OPERATION;\n", out);
	fprintf(out, "\t\treturn%s;\n%s",
		!function->result		? ""
		: strchr(function->result, '*') ? " NULL"
						: " CL_INVALID_OPERATION",
		errcode ? "\t}\n" : "");
	fprintf(out, "\t%stacho__%s_wrappers.%s(", function->result ? "return " : "", api->name,
		function->name);
	write_parameters(function, out);
	fputs(");\n}\n\n", out);
}

void write_preload(const struct api *api, FILE *out)
{
	fprintf(out,
		"#include \"%s_api.h\"\n#include \"%s_constants.h\"\n\n"
		"#include \"inject/%s/preload.h\"\n#include \"tacho/export.h\"\n\n"
		"const char *const tacho__%s_dispatch_names[TACHO__DISPATCH_COUNT] = {\n",
		api->name, api->name, api->name, api->name);
	for (size_t i = 0; i < api->dispatch_count; i++)
		if (!api->functions[i].placeholder)
			fprintf(out, "\t[%zu] = \"%s\",\n", i, api->functions[i].name);
	fputs("};\n\n", out);
	for (size_t i = 0; i < api->dispatch_count; i++)
		if (!api->functions[i].placeholder)
			put_entry(api, &api->functions[i], out);
}

void write_map(const struct api *api, FILE *out)
{
	fputs("{\nglobal:\n\tclGetLayerInfo;\n\tclInitLayer;\n"
	      "\tvkNegotiateLoaderLayerInterfaceVersion;\n",
	      out);
	for (size_t i = 0; i < api->dispatch_count; i++)
		if (!api->functions[i].placeholder)
			fprintf(out, "\t%s;\n", api->functions[i].name);
	fputs("local:\n\t*;\n};\n", out);
}
