/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the fields and enumerators of Perfetto's messages that tacho writes. Each group
 * names the message and the file under protos/perfetto/ of Perfetto's sources that defines it.
 */
#ifndef TACHO_FORMAT_PERFETTO_FIELDS_H
#define TACHO_FORMAT_PERFETTO_FIELDS_H

enum { /* Trace, trace/trace.proto */
       PF_TRACE_PACKET = 1
};

enum { /* TracePacket, trace/trace_packet.proto */
       PF_PACKET_CLOCK_SNAPSHOT = 6,
       PF_PACKET_TIMESTAMP = 8,
       PF_PACKET_SEQUENCE_ID = 10, /* trusted_packet_sequence_id */
       PF_PACKET_TRACK_EVENT = 11,
       PF_PACKET_INTERNED_DATA = 12,
       PF_PACKET_SEQUENCE_FLAGS = 13,
       PF_PACKET_SYSTEM_INFO = 45,
       PF_PACKET_RENDER_STAGE = 53, /* gpu_render_stage_event */
       PF_PACKET_DEFAULTS = 59,	    /* trace_packet_defaults */
       PF_PACKET_TRACK_DESCRIPTOR = 60,
       PF_PACKET_FIRST_ON_SEQUENCE = 87
};

enum { /* TracePacket.SequenceFlags, trace/trace_packet.proto */
       PF_SEQUENCE_STATE_CLEARED = 1,
       PF_SEQUENCE_NEEDS_STATE = 2
};

enum { /* TracePacketDefaults, trace/trace_packet_defaults.proto */
       PF_DEFAULTS_CLOCK_ID = 58
};

enum { /* ClockSnapshot and its Clock, trace/clock_snapshot.proto */
       PF_SNAPSHOT_CLOCKS = 1,
       PF_SNAPSHOT_PRIMARY = 2,
       PF_CLOCK_ID = 1,
       PF_CLOCK_TIMESTAMP = 2
};

enum { /* BuiltinClock, common/builtin_clock.proto */
       PF_REALTIME = 1,
       PF_MONOTONIC = 3
};

enum { /* SystemInfo and Utsname, common/system_info.proto */
       PF_SYSTEM_UTSNAME = 1,
       PF_SYSTEM_MACHINE_NAME = 17,
       PF_UTSNAME_SYSNAME = 1,
       PF_UTSNAME_RELEASE = 3
};

enum { /* TrackDescriptor, trace/track_event/track_descriptor.proto */
       PF_TRACK_UUID = 1,
       PF_TRACK_NAME = 2,
       PF_TRACK_PROCESS = 3,
       PF_TRACK_THREAD = 4,
       PF_TRACK_PARENT_UUID = 5,
       PF_TRACK_COUNTER = 8,
       PF_TRACK_CHILD_ORDERING = 11,
       PF_TRACK_ORDER_RANK = 12,
       PF_TRACK_DESCRIPTION = 14
};

enum { /* TrackDescriptor.ChildTracksOrdering, the same file */
       PF_ORDERING_EXPLICIT = 3
};

enum { /* ProcessDescriptor, trace/track_event/process_descriptor.proto */
       PF_PROCESS_PID = 1,
       PF_PROCESS_CMDLINE = 2,
       PF_PROCESS_NAME = 6
};

enum { /* ThreadDescriptor, trace/track_event/thread_descriptor.proto */
       PF_THREAD_PID = 1,
       PF_THREAD_TID = 2,
       PF_THREAD_NAME = 5
};

enum { /* CounterDescriptor, trace/track_event/counter_descriptor.proto */
       PF_COUNTER_UNIT = 3,
       PF_COUNTER_UNIT_NAME = 6
};

enum { /* CounterDescriptor.Unit, the same file */
       PF_UNIT_TIME_NS = 1,
       PF_UNIT_COUNT = 2,
       PF_UNIT_SIZE_BYTES = 3
};

enum { /* TrackEvent, trace/track_event/track_event.proto */
       PF_EVENT_CATEGORY_IIDS = 3,
       PF_EVENT_ANNOTATIONS = 4, /* debug_annotations */
       PF_EVENT_TYPE = 9,
       PF_EVENT_NAME_IID = 10,
       PF_EVENT_TRACK_UUID = 11,
       PF_EVENT_CATEGORIES = 22,
       PF_EVENT_NAME = 23,
       PF_EVENT_COUNTER_VALUE = 30,
       PF_EVENT_DOUBLE_VALUE = 44, /* double_counter_value */
       PF_EVENT_FLOW_IDS = 47,
       PF_EVENT_TERMINATING_FLOW_IDS = 48
};

enum { /* TrackEvent.Type, the same file */
       PF_SLICE_BEGIN = 1,
       PF_SLICE_END = 2,
       PF_INSTANT = 3,
       PF_COUNTER = 4
};

enum { /* DebugAnnotation, trace/track_event/debug_annotation.proto */
       PF_NOTE_NAME_IID = 1,
       PF_NOTE_BOOL = 2,
       PF_NOTE_UINT = 3,
       PF_NOTE_INT = 4,
       PF_NOTE_DOUBLE = 5,
       PF_NOTE_STRING = 6,
       PF_NOTE_POINTER = 7,
       PF_NOTE_NAME = 10,
       PF_NOTE_DICT_ENTRIES = 11,
       PF_NOTE_ARRAY_VALUES = 12,
       PF_NOTE_STRING_IID = 17
};

enum { /* InternedData, trace/interned_data/interned_data.proto */
       PF_INTERNED_CATEGORIES = 1,
       PF_INTERNED_EVENT_NAMES = 2,
       PF_INTERNED_NOTE_NAMES = 3,
       PF_INTERNED_CONTEXTS = 23,	/* graphics_contexts */
       PF_INTERNED_SPECIFICATIONS = 24, /* gpu_specifications */
       PF_INTERNED_NOTE_STRINGS = 29
};

enum { /* GpuRenderStageEvent, trace/gpu/gpu_render_stage_event.proto */
       PF_STAGE_EVENT_ID = 1,
       PF_STAGE_DURATION = 2,
       PF_STAGE_CONTEXT = 5,
       PF_STAGE_EXTRA = 6, /* extra_data: a name and a value */
       PF_STAGE_SUBMISSION = 10,
       PF_STAGE_GPU = 11,
       PF_STAGE_BUFFER = 12, /* command_buffer_handle */
       PF_STAGE_QUEUE = 13,  /* hw_queue_iid */
       PF_STAGE_STAGE = 14,  /* stage_iid */
       PF_STAGE_NAME = 17,
       PF_EXTRA_NAME = 1,
       PF_EXTRA_VALUE = 2
};

enum { /* InternedGraphicsContext and InternedGpuRenderStageSpecification, the same file */
       PF_CONTEXT_IID = 1,
       PF_CONTEXT_PID = 2,
       PF_CONTEXT_API = 3,
       PF_API_OPEN_GL = 1,
       PF_API_VULKAN = 2,
       PF_SPECIFICATION_IID = 1,
       PF_SPECIFICATION_NAME = 2,
       PF_SPECIFICATION_CATEGORY = 4,
       PF_CATEGORY_OTHER = 0,
       PF_CATEGORY_GRAPHICS = 1,
       PF_CATEGORY_COMPUTE = 2
};

enum { /* EventCategory, EventName, DebugAnnotationName; InternedString of profile_common.proto */
       PF_INTERNED_IID = 1,
       PF_INTERNED_TEXT = 2
};

#endif
