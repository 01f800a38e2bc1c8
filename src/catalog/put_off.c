/* SPDX-License-Identifier: MIT */
/* What of an architecture is read only when somebody asks for it. */
#include <pthread.h>

#include "base/error.h"
#include "catalog/arch.h"

void tacho__arch_put_off(struct tacho__arch *arch, int (*read)(struct tacho__arch *arch))
{
	__atomic_store_n(&arch->put_off, read, __ATOMIC_RELEASE);
}

int tacho__arch_read_rest(struct tacho__arch *arch)
{
	struct tacho_catalog *catalog = arch->catalog;
	int (*read)(struct tacho__arch * arch);
	int rc = 0;

	/* Recursive: what reads looks names up in the architecture that it fills. */
	pthread_mutex_lock(&catalog->lock);
	read = arch->put_off;
	if (read && !arch->is_filling) {
		arch->is_filling = 1;
		rc = read(arch);
		if (!rc && catalog->is_complete)
			rc = tacho__arch_complete(arch);
		arch->is_filling = 0;
		tacho__arch_put_off(arch, NULL);
	}
	pthread_mutex_unlock(&catalog->lock);
	return rc;
}

const struct tacho__arch *tacho__arch_whole(const struct tacho_arch *arch)
{
	const struct tacho__arch *own = tacho__arch_of(arch);

	int rc = 0;

	if (own && __atomic_load_n(&own->put_off, __ATOMIC_ACQUIRE))
		rc = tacho__arch_read_rest((struct tacho__arch *)own);
	if (rc) /* who asks has no status: it stands in the last error */
		(void)tacho__fail(rc, rc == TACHO_E_NOMEM ? "there is no memory for it" : "", "",
				  "cannot read all of %s", own->arch.name);
	return own;
}
