#!/bin/sh
# SPDX-License-Identifier: MIT
# data/api/vulkan.yaml is what tools/import_vulkan.py makes of the registry's version that it names:
# nobody edited it by hand.
set -u
registry=${VULKAN_REGISTRY:-/usr/share/vulkan/registry/vk.xml}
kept=$ROOT/data/api/vulkan.yaml

if [ ! -r "$registry" ]; then
	echo "SKIP: $registry is absent: Debian's package is libvulkan-dev"
	exit 77
fi
version=$(sed -n "s/^# from the registry's version \([0-9]*\)\..*/\1/p" "$kept")
if [ -z "$version" ]; then
	echo "FAIL: $kept does not say which version of the registry it is from"
	exit 1
fi
if ! grep -q "VK_HEADER_VERSION</name> $version</type>" "$registry"; then
	echo "SKIP: $registry is not version $version"
	exit 77
fi
python3 "$ROOT/tools/import_vulkan.py" "$registry" >"$WORK/made.yaml" || exit 1
if ! diff -u "$kept" "$WORK/made.yaml" >"$WORK/log"; then
	head -20 "$WORK/log"
	echo "FAIL: data/api/vulkan.yaml is not what tools/import_vulkan.py makes"
	exit 1
fi
# no sentence of the registry came along
if grep -iE ' (is|are|must|should|will|the) ' "$kept" | grep -v '^#'; then
	echo "FAIL: data/api/vulkan.yaml has sentences"
	exit 1
fi
for name in vkCmdDispatch vkQueueSubmit2KHR vkCmdTraceRaysKHR vkCmdDrawMeshTasksEXT; do
	grep -q "^  $name:\$" "$kept" || { echo "FAIL: $name is missing"; exit 1; }
done
exit 0
