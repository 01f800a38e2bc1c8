/* SPDX-License-Identifier: MIT */
/* The status codes of libcupti as tacho's errors. */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_STATUS_H
#define TACHO_BACKEND_CUPTI_CUPTI_STATUS_H

/* "HARDWARE_BUSY" of the codes that are met; "". Static. */
const char *tacho__cupti_status_name(int status);

/*
 * What a status of a call on a GPU means: the error is set with it, with what is known of its cause
 * and what to do, and its code returned. `call`: the library's function; `what` failed: "counting
 * did not start on NVIDIA H100".
 */
int tacho__cupti_fail_status(const char *call, int status, const char *what);

#endif
