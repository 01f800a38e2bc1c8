/* SPDX-License-Identifier: MIT */
/*
 * A device that counts in several ways: parts, each of which is a backend's own device, under one
 * architecture. A pass is counted by one part. Its functions are those of struct tacho__backend.
 */
#ifndef TACHO_BACKEND_JOINT_H
#define TACHO_BACKEND_JOINT_H

#include <stdbool.h>

#include "backend/collection.h"

struct tacho__joint_part {
	struct tacho_device *device; /* with its backend; the joint closes it */
	const char *group;	     /* of its entries, instead of their own; NULL: their own */
	bool is_alone;		     /* its counters share no pass with those of other parts */
};

/* Without parts. Close with tacho__joint_close(). NOMEM. */
int tacho__joint_create(struct tacho_device **out_joint);
/* Takes the part's device, also when it fails. NOMEM; INVAL for more parts than there may be. */
int tacho__joint_add(struct tacho_device *joint, const struct tacho__joint_part *part);
/*
 * Makes the architecture, as `arch` with all that the parts have; of two entries of one name the
 * first part's is taken. The model is the first that a part has. NOMEM.
 */
int tacho__joint_complete(struct tacho_device *joint, const struct tacho_arch *arch);

void tacho__joint_close(struct tacho_device *joint);
/* UNSUPPORTED when a pass has counters of several parts. */
int tacho__joint_check_pass(struct tacho_device *joint, const struct tacho_plan *plan, size_t pass);
int tacho__joint_begin(struct tacho_device *joint, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection);
int tacho__joint_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__joint_end_pass(struct tacho__collection *collection);
int tacho__joint_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__joint_end_range(struct tacho__collection *collection, uint64_t key);
int tacho__joint_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void tacho__joint_end(struct tacho__collection *collection);

#endif
