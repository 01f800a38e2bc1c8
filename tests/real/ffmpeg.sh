#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# ffmpeg's OpenCL filters: 303 frames x 3 kernels, and the same picture in each frame.
. "$ROOT/tests/real/lib.sh"
need ffmpeg

set -- ffmpeg -v error -nostdin -init_hw_device "opencl=ocl:$driver_platform.0" \
	-filter_hw_device ocl -f lavfi -i testsrc=size=320x180:rate=25 -t 4 \
	-vf "$(ffmpeg_filters)" -f framemd5 -
plain ffmpeg "$@"
same "frames that ffmpeg wrote" 100 "$(grep -c '^0,' ffmpeg.plain)"
record ffmpeg "$@"
same "exit status" 0 $record_status
same_file "frames, recorded and not" ffmpeg.plain ffmpeg.out
# The filters read ahead: how far is ffmpeg's affair, so the number belongs to the version.
case $(ffmpeg -version | sed -n '1s/ffmpeg version \([0-9]*\.[0-9]*\).*/\1/p') in
5.1) expected=909 ;;
*) expected= ;;
esac
verify ffmpeg $expected
