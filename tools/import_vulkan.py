#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes data/api/vulkan.yaml from the Khronos Vulkan registry.

    tools/import_vulkan.py /usr/share/vulkan/registry/vk.xml > data/api/vulkan.yaml

Debian has the registry in libvulkan-dev. Names, signatures, numbers and attributes are taken; its
sentences stay behind. What a command does for a device follows from its attributes, and only what
they do not tell is in the tables below.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

PREFACE = """\
# SPDX-License-Identifier: MIT
#
# The Vulkan API as tacho intercepts it: the commands of Vulkan %s and of the extensions that its
# registry has for Linux, without those that are provisional. tools/import_vulkan.py made all of it
# from the registry's version %s. The build's apigen reads this.
#
# types     NAME: C TYPE, then how a value reads (SHOW of src/record/calls.h, - for none)
# enums     NAME: constants: value
# dispatch  functions, found by the handle that is their first argument
# polls     functions that only ask: equal calls of them in a row are recorded as one with a count
# waits     functions that wait for work of a device
# submits   functions that give work to a queue
# shows     functions that hand over a picture to be shown: with them a frame ends
#
# A function has
#   returns     type; none: void
#   args        C declarations; ": SHOW" when the type's own does not do
#   level       who gives it out: global, instance or device
#   alias       the function that it is another name of
#   queues      kinds of queues that a command may be recorded for
#   renderpass  where it may be recorded: inside, outside, both
#   buffers     levels of command buffers that it may be recorded for
#   instead     tacho__vulkan_NAME is called in place of the target
#   after       tacho__vulkan_NAME is called with these arguments when the call was told
#   runs        KIND and what is kept of it: a command that a device runs each time its command
#               buffer is submitted
api: vulkan
id: %d
keyed: yes

"""

API_ID = 10

# Platforms whose types are known here without their headers.
PLATFORMS = {"", "xcb", "xlib", "xlib_xrandr", "wayland", "directfb"}

# C types that are no types of the registry.
C_TYPES = {
    "void": "void -", "char": "char i", "float": "float f", "double": "double f", "int": "int i",
    "uint8_t": "uint8_t u", "uint16_t": "uint16_t u", "uint32_t": "uint32_t u",
    "uint64_t": "uint64_t u", "int32_t": "int32_t i", "int64_t": "int64_t i", "size_t": "size_t u",
    "xcb_window_t": "uint32_t x", "xcb_visualid_t": "uint32_t x", "Window": "unsigned long x",
    "VisualID": "unsigned long x", "RROutput": "unsigned long x",
    "VkBool32": "uint32_t b", "VkDeviceAddress": "uint64_t x", "VkDeviceSize": "uint64_t u",
    "VkSampleMask": "uint32_t x", "VkFlags": "uint32_t x", "VkFlags64": "uint64_t x",
}

# What is written by hand: src/inject/vulkan. Their aliases are, too.
INSTEAD = {
    "vkCreateInstance": "create_instance",
    "vkDestroyInstance": "destroy_instance",
    "vkCreateDevice": "create_device",
    "vkDestroyDevice": "destroy_device",
    "vkGetInstanceProcAddr": "get_instance_function",
    "vkGetDeviceProcAddr": "get_device_function",
    "vkGetDeviceQueue": "get_queue",
    "vkGetDeviceQueue2": "get_queue2",
    "vkAllocateCommandBuffers": "allocate_buffers",
    "vkFreeCommandBuffers": "free_buffers",
    "vkCreateCommandPool": "create_pool",
    "vkDestroyCommandPool": "destroy_pool",
    "vkResetCommandPool": "reset_pool",
    "vkBeginCommandBuffer": "begin_buffer",
    "vkEndCommandBuffer": "end_buffer",
    "vkResetCommandBuffer": "reset_buffer",
    "vkCmdExecuteCommands": "execute_buffers",
    "vkCmdBindPipeline": "bind_pipeline",
    "vkCreateShaderModule": "create_module",
    "vkCreateComputePipelines": "create_compute_pipelines",
    "vkCreateGraphicsPipelines": "create_graphics_pipelines",
    "vkCreateQueryPool": "create_queries",
    "vkDestroyQueryPool": "destroy_queries",
    "vkCmdBeginQuery": "begin_query",
    "vkCmdEndQuery": "end_query",
    "vkCmdBeginQueryIndexedEXT": "begin_query_at",
    "vkCmdEndQueryIndexedEXT": "end_query_at",
    "vkCreateRenderPass": "create_render_pass",
    "vkCreateRenderPass2": "create_render_pass2",
    "vkDestroyRenderPass": "destroy_pass_object",
    "vkDestroyFramebuffer": "destroy_framebuffer",
    "vkDestroyImageView": "destroy_view",
    "vkAllocateMemory": "allocate_memory",
    "vkFreeMemory": "free_memory",
    "vkQueueBindSparse": "bind_sparse",
    "vkQueueSubmit": "submit",
    "vkQueueSubmit2": "submit2",
}

# What is told behind a call: a hook and the arguments that it gets.
AFTER = {
    "vkQueueSubmit": "submitted submitCount pSubmits result",
    "vkQueueSubmit2": "submitted2 submitCount pSubmits result",
    "vkQueuePresentKHR": "presented queue pPresentInfo result",
    "vkCreateSwapchainKHR": "made_swapchain device pCreateInfo pSwapchain result",
    "vkCmdBeginDebugUtilsLabelEXT": "begin_label commandBuffer pLabelInfo",
    "vkCmdEndDebugUtilsLabelEXT": "end_label commandBuffer",
    "vkCmdInsertDebugUtilsLabelEXT": "insert_label commandBuffer pLabelInfo",
    "vkCmdDebugMarkerBeginEXT": "begin_label commandBuffer pMarkerInfo",
    "vkCmdDebugMarkerEndEXT": "end_label commandBuffer",
    "vkCmdDebugMarkerInsertEXT": "insert_label commandBuffer pMarkerInfo",
    "vkQueueBeginDebugUtilsLabelEXT": "begin_queue_label queue pLabelInfo",
    "vkQueueEndDebugUtilsLabelEXT": "end_queue_label queue",
    "vkQueueInsertDebugUtilsLabelEXT": "insert_queue_label queue pLabelInfo",
    "vkCmdNextSubpass": "next_subpass commandBuffer",
    "vkCmdNextSubpass2": "next_subpass commandBuffer",
    "vkCreateRenderPass": "made_pass device pCreateInfo pRenderPass result",
    "vkCreateRenderPass2": "made_pass device pCreateInfo pRenderPass result",
    "vkDebugMarkerSetObjectNameEXT": "named_object device pNameInfo result",
    "vkSetDebugUtilsObjectNameEXT": "named_object device pNameInfo result",
}

# Calls that begin or end what commands are inside of.
ENCLOSES = {
    "vkCmdBeginRenderPass": "begin_pass", "vkCmdBeginRenderPass2": "begin_pass2",
    "vkCmdBeginRendering": "begin_rendering", "vkCmdEndRenderPass": "end_pass",
    "vkCmdEndRenderPass2": "end_pass2", "vkCmdEndRendering": "end_rendering",
}

# These stand for all that is inside of them.
WHOLES = {"vkCmdBeginRenderPass", "vkCmdBeginRenderPass2", "vkCmdBeginRendering"}

# Kinds of work by how a command's name goes on behind vkCmd; the first that fits.
KINDS = [
    ("Draw", "draw"), ("Dispatch", "dispatch"), ("SubpassShading", "dispatch"),
    ("TraceRays", "trace"), ("Copy", "copy"), ("Blit", "copy"), ("Resolve", "copy"),
    ("Fill", "fill"), ("Clear", "fill"), ("Update", "write"), ("CuLaunchKernel", "dispatch"),
    ("ExecuteGeneratedCommands", "draw"), ("ExecuteCommands", "other"), ("Build", "other"),
    ("Decode", "other"), ("Encode", "other"), ("Decompress", "other"), ("OpticalFlow", "other"),
    ("Preprocess", "other"), ("WriteAcceleration", "other"), ("WriteMicromaps", "other"),
]

# What is kept of the arguments: of the first that fits.
KEPT = [
    ("groups", ["groupCountX", "groupCountY", "groupCountZ"]),
    ("rays", ["width", "height", "depth"]),
    ("counts", ["vertexCount", "instanceCount"]),
    ("counts", ["indexCount", "instanceCount"]),
    ("tasks", ["taskCount"]),
    ("builds", ["infoCount"]),
]
BYTES = {
    "vkCmdCopyBuffer": "copied_bytes(regionCount, pRegions)",
    "vkCmdCopyBuffer2": "copied_bytes2(pCopyBufferInfo)",
    "vkCmdFillBuffer": "size",
    "vkCmdUpdateBuffer": "dataSize",
    "vkCmdDecodeVideoKHR": "decoded_bytes(pDecodeInfo)",
    "vkQueueBindSparse": "bound_bytes(pBindInfo)",
}

POLLS = [
    "vkGetFenceStatus", "vkGetEventStatus", "vkGetSemaphoreCounterValue",
    "vkGetSemaphoreCounterValueKHR", "vkGetInstanceProcAddr", "vkGetDeviceProcAddr",
]
WAITS = ["vkWaitForFences", "vkWaitSemaphores", "vkWaitSemaphoresKHR", "vkQueueWaitIdle",
         "vkDeviceWaitIdle"]
SUBMITS = ["vkQueueSubmit", "vkQueueSubmit2", "vkQueueSubmit2KHR", "vkQueueBindSparse"]
SHOWS = ["vkQueuePresentKHR"]


def fail(sentence):
    sys.exit("import_vulkan.py: " + sentence)


def is_for_vulkan(element):
    """Newer registries are of several APIs."""
    return "vulkan" in element.get("api", "vulkan").split(",")


class Registry:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.types = {}
        for element in self.root.iterfind("types/type"):
            name = element.get("name") or element.findtext("name")
            if name and is_for_vulkan(element):
                self.types[name] = element
        self.commands, self.aliases = {}, {}
        for element in self.root.iterfind("commands/command"):
            if element.get("alias"):
                self.aliases[element.get("name")] = element.get("alias")
            elif is_for_vulkan(element):
                self.commands[element.findtext("proto/name")] = element
        self.enums = {element.get("name"): element for element in self.root.iterfind("enums")}
        self.extensions = [e for e in self.root.iterfind("extensions/extension")
                           if "vulkan" in e.get("supported", "").split(",")]
        self.features = [f for f in self.root.iterfind("feature") if is_for_vulkan(f)]

    def header_version(self):
        for element in self.root.iterfind("types/type"):
            if element.findtext("name") == "VK_HEADER_VERSION":
                return "".join(element.itertext()).split()[-1]
        return fail("the registry has no VK_HEADER_VERSION")

    def newest_core(self):
        return max((f.get("number") for f in self.features),
                   key=lambda number: [int(part) for part in number.split(".")])

    def chosen(self):
        """Features and extensions whose commands are taken."""
        return self.features + [
            e for e in self.extensions
            if e.get("platform", "") in PLATFORMS and e.get("provisional") != "true"]

    def command_names(self):
        """In the order in which the registry requires them, each once."""
        names = {}
        for chosen in self.chosen():
            for element in chosen.iterfind("require/command"):
                names[element.get("name")] = True
        return [name for name in names if self.is_wrapped(name)]

    def is_wrapped(self, name):
        """Without a handle only those that are written by hand."""
        command = self.commands.get(self.resolve(name))
        return command is not None and (name in INSTEAD or
                                        level_of(self, command, name) != "global")

    def resolve(self, name):
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def resolve_type(self, name):
        while name in self.types and self.types[name].get("alias"):
            name = self.types[name].get("alias")
        return name

    def added_constants(self, enum):
        """(name, value) that features and extensions add to an enum."""
        for chosen in self.features + self.extensions:
            for element in chosen.iterfind("require/enum[@extends='%s']" % enum):
                if element.get("alias"):
                    continue
                if element.get("value"):
                    value = int(element.get("value"), 0)
                elif element.get("bitpos"):
                    value = 1 << int(element.get("bitpos"))
                else:
                    number = int(element.get("extnumber") or chosen.get("number"))
                    value = 1000000000 + (number - 1) * 1000 + int(element.get("offset"))
                    value *= -1 if element.get("dir") else 1
                yield element.get("name"), value

    def constants(self, enum):
        """The constants of an enum, each value once."""
        found = {}
        own = []
        for element in self.enums[enum].iterfind("enum") if enum in self.enums else []:
            if element.get("alias") or not is_for_vulkan(element):
                continue
            value = element.get("value")
            own.append((element.get("name"),
                        int(value, 0) if value else 1 << int(element.get("bitpos"))))
        for name, value in own + list(self.added_constants(enum)):
            if value not in found and name not in found.values():
                found[value] = name
        return sorted((value, name) for value, name in found.items())


def short(enum):
    """VkPipelineBindPoint is PipelineBindPoint."""
    return enum[2:] if enum.startswith("Vk") else enum


class Types:
    """Those that functions use, and their enums, as they are met."""

    def __init__(self, registry):
        self.registry, self.lines, self.enums = registry, {}, {}

    def add(self, name, is_pointer):
        if name not in self.lines:
            self.lines[name] = self.describe(name)
        if self.lines[name].endswith(" -") and not is_pointer:
            fail("%s is passed by value and cannot be shown" % name)

    def describe(self, name):
        if name in C_TYPES:
            return C_TYPES[name]
        element = self.registry.types.get(self.registry.resolve_type(name))
        category = element.get("category") if element is not None else None
        if category == "enum":
            return "int32_t e:" + self.add_enum(self.registry.resolve_type(name))
        if category == "bitmask":
            return self.describe_mask(element)
        if category == "handle":
            kind = element.findtext("type")
            return "void * x" if kind == "VK_DEFINE_HANDLE" else "uint64_t x"
        if category == "funcpointer":
            return "void * x"
        return "void -"

    def describe_mask(self, element):
        c = "uint64_t" if element.findtext("type") == "VkFlags64" else "uint32_t"
        bits = element.get("requires") or element.get("bitvalues")
        if not bits or not self.registry.constants(bits):
            return c + " x"
        return "%s m:%s" % (c, self.add_enum(bits))

    def add_enum(self, name):
        self.enums[name] = self.registry.constants(name)
        return short(name)


def first_type(command):
    parameter = command.find("param/type")
    return parameter.text if parameter is not None else ""


def level_of(registry, command, name):
    """Who gives the function out."""
    kind = first_type(command)
    if name == "vkGetInstanceProcAddr":
        return "global"
    while kind in registry.types:
        if kind == "VkDevice":
            return "device"
        if kind in ("VkInstance", "VkPhysicalDevice"):
            return "instance"
        element = registry.types[kind]
        kind = element.get("parent") if element.get("category") == "handle" else ""
    return "global"


def parameters(command):
    """(declaration, type, is_pointer) of each."""
    for element in command.iterfind("param"):
        if not is_for_vulkan(element):
            continue
        text = re.sub(r"\bstruct\b", " ", " ".join("".join(element.itertext()).split()))
        name, kind = element.findtext("name"), element.findtext("type")
        array = "[" in text
        stars = text.count("*") + array
        is_const = text.strip().startswith("const ")
        yield ("%s%s %s%s" % ("const " if is_const else "", kind, "*" * stars, name), kind,
               stars > 0, element)


def show_of(registry, types, element, kind, is_pointer):
    """How a pointer reads where more than its address is kept."""
    length = (element.get("len") or "").split(",")
    text = "".join(element.itertext())
    if not is_pointer:
        return None
    if kind == "char" and length == ["null-terminated"] and text.count("*") == 1:
        return "s"
    resolved = registry.types.get(registry.resolve_type(kind))
    is_handle = resolved is not None and resolved.get("category") == "handle"
    if is_handle and re.fullmatch(r"\w+", length[0]) and text.count("*") == 1 and \
            not length[0].startswith("p"):
        return "l:x[%s<=8]" % length[0]
    if is_handle and not element.get("len") and "const" not in text and text.count("*") == 1:
        return "o:x"
    return None


def kind_of(name):
    """None: markers, labels and queries, which are no work of their own."""
    for prefix, kind in KINDS:
        if name[len("vkCmd"):].startswith(prefix):
            return kind
    return None


def runs_of(name, command):
    """What a device does when the command's buffer is submitted; None: no work of its own."""
    if name in ("vkCmdExecuteCommands", "vkBeginCommandBuffer"):
        return "other"
    if name == "vkQueueBindSparse":
        return "other; bytes=" + BYTES[name]
    if name in WHOLES:
        return "other; by=graphics"
    is_action = "action" in (command.get("tasks") or "").split(",")
    if name in ENCLOSES or not is_action or not kind_of(name):
        return None
    arguments = [element.findtext("name") for element in command.iterfind("param")]
    words = [kind_of(name)]
    if "graphics" == command.get("queues") and words[0] != "draw":
        words.append("by=graphics")
    for word, kept in KEPT:
        if all(argument in arguments for argument in kept):
            words.append("%s=%s" % (word, ",".join(kept)))
            break
    if name in BYTES:
        words.append("bytes=" + BYTES[name])
    return "; ".join(words)


def print_function(registry, types, name):
    core = registry.resolve(name)
    command = registry.commands[core]
    print("  %s:" % name)
    returns = command.findtext("proto/type")
    if returns != "void":
        types.add(returns, False)
        print("    returns: %s" % returns)
    print("    args:")
    for declaration, kind, is_pointer, element in parameters(command):
        types.add(kind, is_pointer)
        show = show_of(registry, types, element, kind, is_pointer)
        print("      - %s%s" % (declaration, ": " + show if show else ""))
    print("    level: %s" % level_of(registry, command, core))
    if core != name:
        print("    alias: %s" % core)
    for key, attribute in (("queues", "queues"), ("renderpass", "renderpass"),
                           ("buffers", "cmdbufferlevel")):
        if command.get(attribute):
            print("    %s: %s" % (key, command.get(attribute)))
    hand = {**INSTEAD, **ENCLOSES}.get(core)
    runs = runs_of(core, command)
    if hand:
        print("    instead: %s" % hand)
    if core in AFTER:
        print("    after: %s" % AFTER[core])
    if runs:
        print("    runs: %s" % runs)


class Printed:
    """What is printed meanwhile, for behind what is met by printing it."""

    def __enter__(self):
        import io
        self.kept, sys.stdout = sys.stdout, io.StringIO()
        return sys.stdout

    def __exit__(self, *error):
        sys.stdout = self.kept


def print_enum(name, constants):
    print("  %s:" % short(name))
    for value, constant in constants:
        print("    %s: %d" % (constant, value))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    registry = Registry(sys.argv[1])
    types = Types(registry)
    names = registry.command_names()
    with Printed() as functions:
        for name in names:
            print_function(registry, types, name)
    print(PREFACE % (registry.newest_core(), registry.header_version(), API_ID), end="")
    print("types:")
    for name in sorted(types.lines):
        print("  %s: %s" % (name, types.lines[name]))
    print("\nenums:\n  bool:\n    VK_FALSE: 0\n    VK_TRUE: 1")
    for name in sorted(types.enums):
        if types.enums[name]:
            print_enum(name, types.enums[name])
    print("\ndispatch:\n" + functions.getvalue())
    print("polls:\n" + "\n".join("  - " + name for name in POLLS))
    for section, marked in (("waits", WAITS), ("submits", SUBMITS), ("shows", SHOWS)):
        print("\n%s:\n%s" % (section, "\n".join("  - " + name for name in marked)))


if __name__ == "__main__":
    main()
