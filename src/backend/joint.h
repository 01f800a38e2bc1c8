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
	const struct tacho__backend *backend; /* open() may give no device, but for the first */
	const char *group;		      /* of its entries; NULL: their own */
	bool is_apart;	 /* its counters share no pass with those of other parts */
	bool names_arch; /* the architecture is called as its own, when that has blocks */
};

enum { TACHO__JOINT_PARTS = 4 };

/*
 * Opens the parts. Of two entries of one name the first part's is taken; the model is the first
 * that a part has. What open() of a part says, NOMEM.
 */
int tacho__joint_open(const struct tacho__joint_part *parts, size_t count,
		      const struct tacho_probe *probe, size_t index,
		      const struct tacho_catalog *catalog, struct tacho_device **out_joint);
void tacho__joint_close(struct tacho_device *joint);
/* The device of the index-th part that is there; NULL past the last. */
struct tacho_device *tacho__joint_get_part(const struct tacho_device *joint, size_t index);
/*
 * UNSUPPORTED when a pass has counters of several parts, or is of a mode that its part lacks. A
 * part's own check_pass() is asked with this device's plan.
 */
const char *tacho__joint_explain(const struct tacho_device *device,
				 const struct tacho_entry *counter, uint32_t mode);
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
