/* SPDX-License-Identifier: MIT */
/* tacho help config: what is set by the configuration file and by environment variables. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columns.h"
#include "help/help.h"
#include "options/config.h"
#include "text.h"

/* Rows of one command; what something stronger replaces is told to be so. */
struct page {
	struct cli_table table;
	bool is_first; /* of the commands: what all have is told once */
};

struct found {
	const struct cli_option *option;
	char *value, *place;
	enum cli_source source;
};

struct list {
	struct found *found;
	size_t count;
};

static void add(void *user, const struct cli_command *command, const struct cli_option *option,
		const char *value, const struct cli_origin *origin)
{
	struct list *list = user;
	struct found found = {option, cli_format("%s", value), cli_format("%s", origin->place),
			      origin->source};

	(void)command;
	list->found = cli_grow(list->found, list->count, sizeof(*list->found));
	list->found[list->count++] = found;
}

/* Whether a later, stronger one says something else; lists of one source add up. */
static bool is_replaced(const struct list *list, size_t index)
{
	const struct found *own = &list->found[index];

	for (size_t i = index + 1; i < list->count; i++)
		if (list->found[i].option == own->option &&
		    (own->option->type != CLI_TEXTS || list->found[i].source > own->source))
			return true;
	return false;
}

static bool is_common(const struct cli_command *command, const struct cli_option *option)
{
	return option < command->options || option >= command->options + command->option_count;
}

static bool add_command(struct page *page, const struct cli_command *command)
{
	struct list list = {0};
	bool good = cli_config_walk(command, add, &list);

	for (size_t i = 0; i < list.count; i++) {
		const struct found *found = &list.found[i];
		const char *cells[] = {command->name, found->option->name, found->value,
				       found->place, is_replaced(&list, i) ? "replaced" : "holds"};

		if (page->is_first || !is_common(command, found->option))
			cli_table_add(&page->table, cells);
		free(found->value);
		free(found->place);
	}
	free(list.found);
	page->is_first = false;
	return good;
}

int cli_help_print_config(const struct cli_command *const *commands, FILE *stream, unsigned width)
{
	static const struct cli_column columns[] = {{"command", false},
						    {"option", false},
						    {"value", false},
						    {"from", false},
						    {"", false}};
	struct page page = {.is_first = true};
	char *path = cli_config_get_path();
	bool good = true;

	cli_text_print(stream, 0, 2, width, "File: %s%s", path ? path : "none",
		       path && access(path, F_OK) != 0 ? " (is not there)" : "");
	cli_text_print(stream, 0, 2, width,
		       "What the command's line says comes first, then TACHO_COMMAND_OPTION, then "
		       "the file, then the defaults that tacho COMMAND --help tells.");
	cli_table_init(&page.table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; commands[i] && good; i++)
		good = add_command(&page, commands[i]);
	fputc('\n', stream);
	if (good && page.table.row_count)
		cli_columns_print(&page.table, stream, width);
	else if (good)
		cli_text_print(stream, 0, 2, width,
			       "Nothing is set: all options have their defaults.");
	cli_table_finish(&page.table);
	free(path);
	return good ? CLI_OK : CLI_USAGE;
}
