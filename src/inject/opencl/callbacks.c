/* SPDX-License-Identifier: MIT */
#include "inject/opencl/callbacks.h"

#include <stdint.h>
#include <stdlib.h>

#include "inject/counting.h"
#include "opencl_api.h"

typedef void notify_fn(void *event, int32_t status, void *user);

struct callback {
	notify_fn *notify;
	void *user;
};

static _Thread_local __attribute__((tls_model("initial-exec"))) unsigned depth;

bool tacho__opencl_is_in_callback(void)
{
	return depth > 0;
}

static void on_event(void *event, int32_t status, void *user)
{
	struct callback callback = *(struct callback *)user;

	free(user); /* called once */
	depth++;
	callback.notify(event, status, callback.user);
	depth--;
}

int32_t tacho__opencl_set_event_callback(void *event, int32_t command_exec_callback_type,
					 void *pfn_notify, void *user_data)
{
	struct callback *callback =
		pfn_notify && tacho__counting_is_on() ? malloc(sizeof(*callback)) : NULL;
	int32_t rc;

	if (!callback)
		return tacho__opencl_target.clSetEventCallback(event, command_exec_callback_type,
							       pfn_notify, user_data);
	*callback = (struct callback){.notify = (notify_fn *)pfn_notify, .user = user_data};
	rc = tacho__opencl_target.clSetEventCallback(event, command_exec_callback_type,
						     (void *)on_event, callback);
	if (rc)
		free(callback);
	return rc;
}
