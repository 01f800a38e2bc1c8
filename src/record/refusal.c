/* SPDX-License-Identifier: MIT */
#include "record/refusal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/recorder.h"

socklen_t tacho__refusal_address(const char *stamp, struct sockaddr_un *out_address)
{
	int length;

	memset(out_address, 0, sizeof(*out_address));
	out_address->sun_family = AF_UNIX;
	/* behind a NUL: abstract */
	length = snprintf(out_address->sun_path + 1, sizeof(out_address->sun_path) - 1, "tacho/%s",
			  stamp);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

void tacho__refusal_send(const char *stamp, const char *stage, int error)
{
	struct tacho__refusal refusal = {.magic = TACHO__REFUSAL_MAGIC, .error = error};
	struct sockaddr_un address;
	socklen_t size = tacho__refusal_address(stamp, &address);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return;
	snprintf(refusal.stage, sizeof(refusal.stage), "%s", stage);
	(void)!sendto(fd, &refusal, sizeof(refusal), MSG_NOSIGNAL, (struct sockaddr *)&address,
		      size);
	close(fd);
}
