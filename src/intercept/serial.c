/* SPDX-License-Identifier: MIT */
#include "intercept/serial.h"

static void append(struct tacho__ticket_list *list, struct tacho__ticket *ticket)
{
	ticket->next = NULL;
	ticket->previous = list->last;
	*(list->last ? &list->last->next : &list->first) = ticket;
	list->last = ticket;
}

static void drop(struct tacho__ticket_list *list, struct tacho__ticket *ticket)
{
	*(ticket->previous ? &ticket->previous->next : &list->first) = ticket->next;
	*(ticket->next ? &ticket->next->previous : &list->last) = ticket->previous;
}

static void start(struct tacho__serial *serial, struct tacho__ticket *ticket, uint64_t now_ns)
{
	drop(&serial->waiting, ticket);
	append(&serial->active, ticket);
	ticket->phase = TACHO__TICKET_STARTING;
	ticket->has_device = true;
	serial->progress_ns = now_ns;
}

static struct tacho__ticket *start_next(struct tacho__serial *serial, uint64_t now_ns)
{
	struct tacho__ticket *ticket = serial->waiting.first;

	if (!ticket || serial->active.first)
		return NULL;
	start(serial, ticket, now_ns);
	return ticket;
}

void tacho__serial_join(struct tacho__serial *serial, struct tacho__ticket *ticket)
{
	ticket->phase = TACHO__TICKET_PENDING;
	append(&serial->pending, ticket);
}

struct tacho__ticket *tacho__serial_ready(struct tacho__serial *serial,
					  struct tacho__ticket *ticket, uint64_t now_ns)
{
	if (ticket->phase != TACHO__TICKET_PENDING)
		return NULL;
	if (!serial->waiting.first) /* patience begins with who waits */
		serial->progress_ns = now_ns;
	drop(&serial->pending, ticket);
	append(&serial->waiting, ticket);
	ticket->phase = TACHO__TICKET_WAITING;
	return start_next(serial, now_ns);
}

bool tacho__serial_started(struct tacho__serial *serial, struct tacho__ticket *ticket)
{
	(void)serial;
	ticket->phase = ticket->has_ended ? TACHO__TICKET_ENDING : TACHO__TICKET_RUNNING;
	return ticket->has_ended;
}

bool tacho__serial_ended(struct tacho__serial *serial, struct tacho__ticket *ticket)
{
	if (ticket->phase == TACHO__TICKET_STARTING) {
		ticket->has_ended = true;
		return false;
	}
	if (ticket->phase == TACHO__TICKET_PENDING)
		drop(&serial->pending, ticket);
	else if (ticket->phase == TACHO__TICKET_WAITING)
		drop(&serial->waiting, ticket);
	ticket->phase = TACHO__TICKET_ENDING;
	return true;
}

struct tacho__ticket *tacho__serial_retire(struct tacho__serial *serial,
					   struct tacho__ticket *ticket, uint64_t now_ns)
{
	if (ticket->has_device) {
		drop(&serial->active, ticket);
		ticket->has_device = false;
		serial->progress_ns = now_ns;
	}
	ticket->phase = TACHO__TICKET_GONE;
	return start_next(serial, now_ns);
}

struct tacho__ticket *tacho__serial_lift(struct tacho__serial *serial, uint64_t now_ns,
					 uint64_t patience_ns)
{
	struct tacho__ticket *first = NULL, **link = &first;

	if (!serial->waiting.first || now_ns - serial->progress_ns < patience_ns)
		return NULL;
	while (serial->waiting.first) {
		*link = serial->waiting.first;
		link = &serial->waiting.first->next_start;
		start(serial, serial->waiting.first, now_ns);
	}
	*link = NULL;
	for (struct tacho__ticket *ticket = serial->active.first; ticket; ticket = ticket->next)
		ticket->is_beside = true;
	return first;
}
