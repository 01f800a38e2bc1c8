#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 3600
# Built for arm64 with the cross compiler; the unit tests under qemu-user.
exec sh "$ROOT/packaging/arm64.sh" "$BUILD/arm64"
