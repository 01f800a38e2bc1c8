/* SPDX-License-Identifier: MIT */
/* The devices of all drivers, for who counts launches. */
#ifndef TACHO_INJECT_OPENCL_CL_DEVICES_H
#define TACHO_INJECT_OPENCL_CL_DEVICES_H

#include "intercept/launch_devices.h"

/* Not inside of the loader's call that begins the layer. */
tacho__launch_devices_fn tacho__opencl_list_devices;

/* The device that it is a part of, at the top; itself when it is none. */
void *tacho__opencl_root_device(void *device);

#endif
