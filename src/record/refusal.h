/* SPDX-License-Identifier: MIT */
/*
 * What a process says that cannot record: one datagram to an abstract socket of the keeper, which
 * needs neither a file nor a descriptor that stays. Not heard from another network namespace.
 */
#ifndef TACHO_RECORD_REFUSAL_H
#define TACHO_RECORD_REFUSAL_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#define TACHO__REFUSAL_MAGIC UINT32_C(0x4e4f4341) /* "ACON" */

struct tacho__refusal {
	uint32_t magic;
	int32_t error;
	char stage[52]; /* terminated */
};

/* The address that belongs to a recording's stamp; returns its size. */
socklen_t tacho__refusal_address(const char *stamp, struct sockaddr_un *out_address);

#endif
