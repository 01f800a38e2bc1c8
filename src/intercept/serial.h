/* SPDX-License-Identifier: MIT */
/*
 * Who has a device: launches that are counted run one after the other. A state machine without
 * locks, threads or clocks: its caller holds a lock around each call, does what it returns without
 * the lock, and tells when that is done. tests/unit/serial_test.c goes through all orders in which
 * that can happen.
 *
 *	pending -> waiting -> starting -> running -> ending -> gone
 *
 * A ticket that ends before it was started goes to ending at once; one that ends while it is being
 * started is ended by who starts it. At most one ticket has the device, but after a lift: then all
 * that waited are started beside it, and the next gets the device when all of them are gone.
 */
#ifndef TACHO_INTERCEPT_SERIAL_H
#define TACHO_INTERCEPT_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tacho__ticket_phase {
	TACHO__TICKET_PENDING = 0, /* it waits for other work of the program */
	TACHO__TICKET_WAITING,	   /* for the device */
	TACHO__TICKET_STARTING,	   /* it has the device; somebody lets it go */
	TACHO__TICKET_RUNNING,
	TACHO__TICKET_ENDING, /* somebody tells its end */
	TACHO__TICKET_GONE,
};

struct tacho__ticket {
	struct tacho__ticket *next, *previous; /* in its list */
	struct tacho__ticket *next_start;      /* in what lift() returns */
	uint8_t phase;
	bool has_device; /* it was started, and is not gone */
	bool is_beside;	 /* others had the device at the same time */
	bool has_ended;	 /* while it was being started */
};

struct tacho__ticket_list {
	struct tacho__ticket *first, *last;
};

struct tacho__serial {
	struct tacho__ticket_list pending, waiting, active;
	uint64_t progress_ns; /* when one was started or went last */
};

/* A new ticket, {0}. */
void tacho__serial_join(struct tacho__serial *serial, struct tacho__ticket *ticket);
/*
 * Nothing but the device is in its way; nothing when that was said before, or it has ended. Returns
 * the ticket that is to be started, NULL: none.
 */
struct tacho__ticket *tacho__serial_ready(struct tacho__serial *serial,
					  struct tacho__ticket *ticket, uint64_t now_ns);
/* It was let go. True: it has ended in between, and the caller tells that. */
bool tacho__serial_started(struct tacho__serial *serial, struct tacho__ticket *ticket);
/* It has ended, once per ticket. True: the caller tells that; false: who starts it will. */
bool tacho__serial_ended(struct tacho__serial *serial, struct tacho__ticket *ticket);
/* Its end was told. Returns the next ticket that is to be started, NULL: none. */
struct tacho__ticket *tacho__serial_retire(struct tacho__serial *serial,
					   struct tacho__ticket *ticket, uint64_t now_ns);
/*
 * When tickets wait and nothing has happened for `patience_ns`: all of them, to be started, linked
 * by next_start; they and those that have the device are beside each other. Else NULL.
 */
struct tacho__ticket *tacho__serial_lift(struct tacho__serial *serial, uint64_t now_ns,
					 uint64_t patience_ns);

#endif
