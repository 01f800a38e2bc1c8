/* SPDX-License-Identifier: MIT */
/* Devices that can be found on this machine, and why others cannot be used. */
#ifndef TACHO_DEVICE_H
#define TACHO_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_probe;

struct tacho_device_info {
	const char *backend; /* the way of counting that found it */
	const char *name;
	const char *vendor;
	const char *platform;  /* the driver stack it belongs to */
	const char *driver;    /* version */
	const char *kind;      /* "gpu", "cpu", "accelerator", "other" */
	uint32_t usable;       /* 0: `cause` says why not, `cure` what to do */
	uint32_t is_simulated; /* it does not exist: its counts follow from a model */
	const char *cause, *cure;
	uint32_t compute_units;	      /* 0: not known */
	uint64_t memory_bytes;	      /* 0: not known */
	uint64_t timer_resolution_ns; /* 0: the driver says 0 or nothing: its times are not credible
				       */
	int code; /* why it is not usable, as an error: PERM, BUSY; 0: anything else */
	/* It counts launches, in the program that makes them, and nothing else. */
	uint32_t launches_only;
	/* "": not known, or there is none. */
	const char *id;		/* the driver's own name for it, on any machine: "GPU-1b2c..." */
	const char *arch, *api; /* of the catalog, that it would be opened with */
	const char *windows_by; /* the backend that counts windows of time on it, by its name */
	const char *pci;	/* where it is: "0000:1b:00.0" */
	/* Its backend finds it and counts nothing: others count what programs launch on it. */
	uint32_t found_only;
	uint32_t counts_together; /* launches on several such devices can be counted at once */
};

/* A backend as a whole: its library, or why nothing came of it. */
struct tacho_probe_backend {
	const char *name;
	const char *summary;
	const char *library; /* file that answered, "" if none */
	uint32_t usable;
	const char *cause, *cure;
};

/*
 * Asks every backend for its devices. Never fails because hardware or a library is missing: that is
 * in the answer. It runs vendors' code, which may crash or hang: the command does it in a child
 * process. Owned; free with tacho_probe_destroy(). NOMEM.
 */
TACHO_API int tacho_probe_create(struct tacho_probe **out_probe);
/* Frees it with the infos of its devices. NULL does nothing. */
TACHO_API void tacho_probe_destroy(struct tacho_probe *probe);

/* NULL past the last. Borrowed. */
TACHO_API const struct tacho_probe_backend *tacho_probe_get_backend(const struct tacho_probe *probe,
								    size_t index);
/* Devices of all backends, numbered from 0; NULL past the last. Borrowed. */
TACHO_API const struct tacho_device_info *
tacho_probe_get_device_info(const struct tacho_probe *probe, size_t index);

#ifdef __cplusplus
}
#endif

#endif
