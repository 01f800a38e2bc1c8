/* SPDX-License-Identifier: MIT */
/* The plan in counting.json. */
#ifndef TACHO_RECORD_COUNTING_PLAN_H
#define TACHO_RECORD_COUNTING_PLAN_H

#include "tacho/plan.h"
#include "tacho/sys/json.h"

/* The file's member "plan"; tacho_counting_make_plan() reads it. */
void tacho__counting_write_plan(const struct tacho_plan *plan, struct tacho_json *json);

#endif
