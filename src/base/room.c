/* SPDX-License-Identifier: MIT */
#include "base/room.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__ /* it knows where calloc()'s memory ends, and what of it is lost */

void *tacho__room_get(size_t bytes)
{
	return calloc(1, bytes);
}

void tacho__room_put(void *room, size_t bytes)
{
	free(room);
}

#else

void *tacho__room_get(size_t bytes)
{
	void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return room == MAP_FAILED ? NULL : room;
}

void tacho__room_put(void *room, size_t bytes)
{
	if (room)
		munmap(room, bytes);
}

#endif
