/* SPDX-License-Identifier: MIT */
/* Which range is which row. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "session/session.h"

static uint64_t hash_of(const struct tacho__series *parent, uint64_t id)
{
	uint64_t hash = (uint64_t)(uintptr_t)parent * 0x9e3779b97f4a7c15u;

	hash ^= id;
	hash ^= hash >> 32;
	hash *= 0xd6e8feb86659fd93u;
	return hash ^ hash >> 32;
}

static int new_series(struct tacho_session *session, const struct tacho__series *parent,
		      uint64_t id, const char *name, struct tacho__series **out_node)
{
	struct tacho__series *node = tacho__arena_get(&session->arena, sizeof(*node));

	if (!node)
		return TACHO_E_NOMEM;
	node->parent = parent;
	node->id = id;
	node->run = session->run;
	node->rows = node->own_rows;
	node->row_capacity = TACHO__ARRAY_SIZE(node->own_rows);
	node->name = name && *name ? tacho__arena_string(&session->arena, name) : "";
	*out_node = node;
	return node->name ? 0 : TACHO_E_NOMEM;
}

static int append_series(struct tacho_session *session, struct tacho__series *node)
{
	return tacho__array_add(&session->series, &session->series_capacity, &session->series_count,
				&node, sizeof(node));
}

/* Many programs number their ranges one after the other: those need no map. */
int tacho__session_find_series(struct tacho_session *session, const struct tacho__series *parent,
			       uint64_t id, const char *name, bool may_add,
			       struct tacho__series **out_node)
{
	size_t count = session->series_count;
	uint64_t index = count ? id - session->series[0]->id : 0;
	struct tacho__series *first = NULL, *node = NULL;
	uint64_t hash = 0;
	int rc;

	if (!parent && index < count) {
		*out_node = session->series[index];
		return 0;
	}
	if (parent || index != count || session->nodes.count) {
		hash = hash_of(parent, id);
		first = tacho__map_get(&session->nodes, hash);
	}
	for (node = first; node; node = node->next) {
		if (node->parent == parent && node->id == id) {
			*out_node = node;
			return 0;
		}
	}
	*out_node = NULL;
	rc = may_add ? new_series(session, parent, id, name, &node) : 0;
	if (rc || !node)
		return rc;
	if (!parent && index == count) {
		rc = append_series(session, node);
	} else {
		node->next = first;
		rc = tacho__map_set(&session->nodes, hash, node);
	}
	if (!rc)
		*out_node = node;
	return rc;
}

/* Names repeat: most rows borrow their node's. */
static int set_name(struct tacho__row *row, const struct tacho__series *node, const char *name)
{
	row->name = "";
	if (!name || !*name)
		return 0;
	row->name = node ? node->name : "";
	if (!strcmp(row->name, name))
		return 0;
	row->name = row->own_name = strdup(name);
	return row->name ? 0 : TACHO_E_NOMEM;
}

static size_t size_of_row(const struct tacho_session *session)
{
	return sizeof(struct tacho__row) + session->pass_count * sizeof(struct tacho__place);
}

struct tacho__row *tacho__session_make_row(struct tacho_session *session)
{
	struct tacho__row *row = tacho__arena_get(&session->arena, size_of_row(session));

	if (row)
		row->name = "";
	return row;
}

/* From the arena, or one that was freed; all of it is 0. */
static struct tacho__row *get_row(struct tacho_session *session)
{
	struct tacho__row *row = session->free_rows;

	if (!row)
		return tacho__session_make_row(session);
	session->free_rows = row->next;
	return memset(row, 0, size_of_row(session));
}

static void put_row(struct tacho_session *session, struct tacho__row *row)
{
	free(row->own_name);
	row->own_name = NULL;
	row->next = session->free_rows;
	session->free_rows = row;
}

static int new_row(struct tacho_session *session, struct tacho__series *node, const char *name,
		   struct tacho__row **out_row)
{
	struct tacho__row *row = get_row(session);

	if (!row || set_name(row, node, name)) {
		if (row)
			put_row(session, row);
		return tacho__fail(TACHO_E_NOMEM, "", "take rows more often",
				   "no memory for a row");
	}
	row->node = node;
	row->serial = ++session->row_serial;
	session->row_count++;
	*session->last_link = row;
	session->last_link = &row->next;
	*out_row = row;
	return 0;
}

static int add_place(struct tacho__series *node)
{
	bool is_own = node->rows == node->own_rows;
	struct tacho__row **rows = is_own ? NULL : node->rows;
	size_t capacity = is_own ? 0 : node->row_capacity;

	if (node->row_count < node->row_capacity)
		return 0;
	if (tacho__array_reserve(&rows, &capacity, node->row_count, sizeof(*rows)))
		return TACHO_E_NOMEM;
	if (is_own)
		memcpy(rows, node->own_rows, node->row_count * sizeof(*rows));
	node->rows = rows;
	node->row_capacity = capacity;
	return 0;
}

void tacho__series_finish(struct tacho__series *node)
{
	if (node->rows != node->own_rows)
		free(node->rows);
}

static int add_repetition(struct tacho_session *session, struct tacho__series *node,
			  const char *name, struct tacho__row **out_row)
{
	int rc = add_place(node);

	if (!rc)
		rc = new_row(session, node, name, out_row);
	if (rc)
		return rc;
	(*out_row)->id = node->id;
	(*out_row)->repetition = node->row_count;
	node->rows[node->row_count++] = *out_row;
	return 0;
}

int tacho__session_add_row(struct tacho_session *session, struct tacho__series *node,
			   const char *name, struct tacho__row **out_row)
{
	bool is_one = session->is_rotating || session->options.accumulates;
	struct tacho__row *row = NULL;
	size_t repetition;
	int rc = 0;

	if (node->run != session->run) {
		node->run = session->run;
		node->begun = 0;
	}
	repetition = is_one ? 0 : node->begun;
	if ((!session->is_single || is_one) && repetition < node->row_count)
		row = node->rows[repetition];
	if (!row && !tacho__session_has_room(session)) {
		/* the repetition is counted: the next pass has it too */
	} else if (!session->is_single || is_one) {
		if (!row)
			rc = add_repetition(session, node, name, &row);
	} else {
		rc = new_row(session, node, name, &row);
		if (!rc) {
			row->id = node->id;
			row->repetition = repetition;
		}
	}
	if (rc)
		return rc;
	node->begun++;
	*out_row = row;
	return 0;
}

/* Rows of a device that are the same in several passes are found by their id. */
int tacho__session_add_device_row(struct tacho_session *session, const struct tacho_row *info,
				  uint32_t pass, struct tacho__row **out_row)
{
	struct tacho__series *node;
	struct tacho__row *row = NULL;
	int rc;

	if (session->pass_count == 1 && session->is_single && !session->is_rotating) {
		rc = new_row(session, NULL, info->name, &row);
	} else {
		rc = tacho__session_find_series(session, NULL, info->id, info->name, true, &node);
		for (size_t i = 0; !rc && i < node->row_count && !row; i++)
			if (node->rows[i] &&
			    (session->is_rotating || !node->rows[i]->places[pass].count))
				row = node->rows[i];
		if (!rc && !row)
			rc = add_repetition(session, node, info->name, &row);
	}
	if (rc)
		return rc;
	row->id = info->id;
	row->start_ns = info->start_ns;
	row->end_ns = info->end_ns;
	row->uncertainty_ns = info->uncertainty_ns;
	row->is_device = 1;
	row->runs++;
	*out_row = row;
	return 0;
}

int tacho__row_is_complete(const struct tacho_session *session, const struct tacho__row *row)
{
	if (!row->runs)
		return 0; /* its only range failed to begin */
	if (row->open || row->pending)
		return 0;
	if (row->is_taken || session->failed)
		return 1;
	/* Batches of one row may come pass by pass: wait for all that the device still runs. */
	if (row->is_device && session->options.replay == TACHO_REPLAY_VENDOR && session->is_open)
		for (size_t i = 0; i < session->pass_count; i++)
			if (!row->places[i].count)
				return 0;
	return session->is_single || session->is_done;
}

void tacho__row_detach(struct tacho_session *session, struct tacho__row *row)
{
	struct tacho__series *node = row->node;

	row->is_taken = 1;
	for (size_t i = 0; i < session->pass_count; i++)
		if (session->stores[i].last_row == row)
			session->stores[i].last_row = NULL;
	if (!node || row->repetition >= node->row_count || node->rows[row->repetition] != row)
		return;
	node->rows[row->repetition] = NULL;
	while (node->row_count && !node->rows[node->row_count - 1])
		node->row_count--;
}

void tacho__row_free(struct tacho_session *session, struct tacho__row *row)
{
	for (size_t i = 0; i < session->pass_count; i++) {
		struct tacho__store *store = &session->stores[i];
		uint32_t slot = row->places[i].slot;

		if (!slot)
			continue;
		/* Without memory for the list the slot is just not used again. */
		if (!tacho__array_reserve(&store->free_slots, &store->free_capacity,
					  store->free_count, sizeof(slot)))
			store->free_slots[store->free_count++] = slot - 1;
	}
	session->row_count--;
	put_row(session, row);
}

void tacho__row_forget(struct tacho_session *session, struct tacho__row *row)
{
	struct tacho__row **link = &session->first_row;

	row->runs--;
	if (row->node->begun == row->repetition + 1)
		row->node->begun--;
	if (row->runs || !session->is_single) /* else it is found again by its repetition */
		return;
	tacho__row_detach(session, row);
	while (*link != row)
		link = &(*link)->next;
	*link = row->next;
	if (!*link)
		session->last_link = link;
	tacho__row_free(session, row);
}
