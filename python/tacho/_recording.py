# SPDX-License-Identifier: MIT
"""Recordings: what `tacho record` left, as tables."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Iterator, NamedTuple

from ._library import check, fields, layout, library, listed, make, text
from ._result import Result
from ._table import Table

OBJECT_KINDS = {layout.TACHO_OBJECT_DEVICE: "device", layout.TACHO_OBJECT_CONTEXT: "context",
                layout.TACHO_OBJECT_QUEUE: "queue", layout.TACHO_OBJECT_PROGRAM: "program",
                layout.TACHO_OBJECT_KERNEL: "kernel"}


class Fields:
    """Attributes of the names that a struct of libtacho has; None for texts that nobody knows."""

    def __init__(self, values: dict[str, Any]):
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no {name!r}: {', '.join(self.__dict__)}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


class Run(Fields):
    """The run as a whole: application, arguments, host, start_ns, exit_status ..."""


class Process(Fields):
    """A process of the run: index, pid, executable, command, clock, losses ..."""


class Losses(Fields):
    """What was not recorded, or cannot be read, by reason."""


class Fault(NamedTuple):
    """Something that is wrong with the files of a recording."""

    path: str
    what: str
    error: int
    bytes: int
    calls: int


class Object(NamedTuple):
    """A device, context, queue, program or kernel."""

    kind: str
    id: int
    name: str | None
    handle: int
    process: int
    context: int  # ids, 0 when not known
    device: int
    program: int


class _Batch:
    """Destroys a batch when nobody has it or its arrays any more."""

    def __init__(self, pointer: int):
        self.pointer = pointer

    def __del__(self, destroy: Any = library.tacho_batch_destroy) -> None:
        destroy(self.pointer)


class Batch:
    """Some calls, with their commands, values and the ranges that ended among them."""

    def __init__(self, pointer: int, texts: Any):
        owner = _Batch(pointer)
        self.calls = Table(owner, library.tacho_batch_get_calls(pointer).contents, texts)
        self.commands = Table(owner, library.tacho_batch_get_commands(pointer).contents, texts)
        self.ranges = Table(owner, library.tacho_batch_get_ranges(pointer).contents, texts)
        values = library.tacho_batch_get_values(pointer)
        #: A row for each command, a column for each counter; None when nothing was counted.
        self.values: Result | None = Result(owner, values) if values else None


class _Reader:
    """One way through a recording, and the texts and objects that were met on it."""

    def __init__(self, recording: Recording):
        self.recording = recording
        self.texts: list[str | None] = []
        self.pointer = make(library.tacho_columns_open, recording._pointer)
        recording._readers.append(self)

    def next(self, call_max: int) -> Batch | None:
        if not self.pointer:
            raise ValueError("the recording is closed")
        batch = ctypes.c_void_p()
        if not check(library.tacho_columns_next(self.pointer, call_max, batch)):
            return None
        while (one := library.tacho_columns_get_text(self.pointer, len(self.texts))) is not None:
            self.texts.append(text(one) or None)
        return Batch(batch.value, lambda: self.texts)

    def objects(self) -> Iterator[Any]:
        if not self.pointer:
            raise ValueError("the recording is closed")
        return listed(library.tacho_cursor_get_object,
                      library.tacho_columns_get_cursor(self.pointer))

    def close(self) -> None:
        library.tacho_columns_close(self.pointer)
        self.pointer = None


class Recording:
    """
    A recording, or session files of CodeXL and rcprof. `calls`, `commands`, `ranges` and `values` read
    all of it when they are asked for first; `batches()` reads it piece by piece. What was read stays
    when the recording is closed.
    """

    def __init__(self, path: str | os.PathLike):
        self._pointer: int | None = None
        self._readers: list[_Reader] = []
        self._whole: Batch | None = None
        self._reader: _Reader | None = None
        self._pointer = make(library.tacho_recording_open, os.fsencode(path))
        #: The directory of the recording.
        self.path: str = os.fsdecode(library.tacho_recording_get_path(self._pointer))

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Recording {self.path}>"

    def close(self) -> None:
        """Tables and arrays stay."""
        for reader in self._readers:
            reader.close()
        self._readers.clear()
        if self._pointer:
            library.tacho_recording_close(self._pointer)
        self._pointer = None

    def _opened(self) -> int:
        if not self._pointer:
            raise ValueError("the recording is closed")
        return self._pointer

    @property
    def run(self) -> Run:
        struct = library.tacho_recording_get_run(self._opened()).contents
        run = fields(struct)
        if struct.import_note is not None:  # session files tell less
            run.update(start_ns=None, realtime_offset_ns=run["realtime_offset_ns"] or None)
        for name in ("end_ns", "max_bytes", "ring_bytes"):
            run[name] = run[name] or None
        if run["exit_status"] < 0:
            run["exit_status"] = None
        return Run(run)

    @property
    def processes(self) -> list[Process]:
        found = []
        for process in listed(library.tacho_recording_get_process, self._opened()):
            found.append(Process({**fields(process), "losses": Losses(fields(process.losses))}))
        return found

    @property
    def counters(self) -> list[str]:
        """Names of what was counted, in the order in which it was asked for."""
        return [text(one.name)
                for one in listed(library.tacho_recording_get_counter, self._opened())]

    @property
    def counting(self) -> Fields | None:
        """How counters were counted: device, is_simulated, pass_count; None: nothing was."""
        counting = library.tacho_recording_get_counting(self._opened())
        return Fields({**fields(counting.contents), "replay": text(
            library.tacho_replay_to_string(counting.contents.replay))}) if counting else None

    def batches(self, call_max: int = 1 << 16) -> Iterator[Batch]:
        """Pieces of `call_max` calls, from the first call on: memory does not grow."""
        self._opened()
        reader = _Reader(self)
        try:
            while (batch := reader.next(call_max)) is not None:
                yield batch
        finally:
            if reader in self._readers:
                self._readers.remove(reader)
                reader.close()

    def _read(self) -> Batch | None:
        if self._reader is None:
            self._opened()
            self._reader = _Reader(self)
            self._whole = self._reader.next(0)
        return self._whole

    def _table(self, name: str, columns: Any) -> Table:
        whole = self._read()
        return getattr(whole, name) if whole else Table(None, columns(), lambda: [])

    @property
    def calls(self) -> Table:
        return self._table("calls", layout.tacho_call_columns)

    @property
    def commands(self) -> Table:
        return self._table("commands", layout.tacho_command_columns)

    @property
    def ranges(self) -> Table:
        return self._table("ranges", layout.tacho_range_columns)

    @property
    def values(self) -> Result | None:
        """A row for each command, a column for each counter; None when nothing was counted."""
        whole = self._read()
        return whole.values if whole else None

    def objects(self, kind: str | None = None) -> list[Object]:
        """Devices, contexts, queues, programs and kernels that the program made."""
        self._read()
        found = []
        for one in self._reader.objects():
            around = [pointer.contents.id if pointer else 0
                      for pointer in (one.context, one.device, one.program)]
            found.append(Object(OBJECT_KINDS.get(one.kind, str(one.kind)), one.id,
                                text(one.name) or None, one.handle, one.process.contents.index,
                                *around))
        return [one for one in found if kind is None or one.kind == kind]

    def attribute(self, of: Object, key: str) -> str | None:
        """What the driver told of an object: "driver", "compute_units" ...; None: nothing."""
        self._read()
        for one in self._reader.objects():
            if (OBJECT_KINDS.get(one.kind), one.id) == (of.kind, of.id):
                value = library.tacho_object_get(ctypes.pointer(one), key.encode())
                return None if value is None else text(value)
        return None

    @property
    def losses(self) -> Losses:
        """What is missing, all processes together. Reads the recording to its end."""
        self._read()
        losses = layout.tacho_losses()
        check(library.tacho_recording_sum_losses(self._opened(), losses))
        return Losses(fields(losses))

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with the files. Reads the recording to its end."""
        self._read()
        return [Fault(text(one.path), text(one.what), one.error, one.bytes, one.calls)
                for one in listed(library.tacho_recording_get_fault, self._opened())]

    def check(self) -> None:
        """Raises an Error when a part of the recording is missing or cannot be read."""
        self._read()
        check(library.tacho_recording_check(self._opened()))


def open(path: str | os.PathLike) -> Recording:  # noqa: A001, as tarfile and others do
    """Opens the recording at `path`, "NAME" or "NAME.tacho"."""
    return Recording(path)
