# SPDX-License-Identifier: MIT
"""
Recordings, counters and metrics of tacho, the tachometer for GPUs.

    import tacho

    with tacho.open("run") as recording:
        kernels = recording.commands
        print(kernels["kernel_name"], kernels["duration_ns"].sum())

Arrays are numpy's, over the memory of libtacho, and keep it alive. What is not known is masked, or
None, and never 0. docs/python-module.md tells more.
"""
from . import _layout, _library
from ._catalog import Arch, Catalog, Entry, Pass, Plan
from ._library import Error
from ._recording import (Batch, Fault, Fields, Losses, Object, Process, Recording, Run,
                         Sampling, open)
from ._result import Column, Result
from ._table import Table

#: States of values, in the low four bits of Column.states.
OK: int = _layout.TACHO_STATE_OK
SCALED: int = _layout.TACHO_STATE_SCALED
OVERFLOW: int = _layout.TACHO_STATE_OVERFLOW
LOST: int = _layout.TACHO_STATE_LOST
ABSENT: int = _layout.TACHO_STATE_ABSENT
STATE_MASK: int = _layout.TACHO_STATE_MASK

#: The version of libtacho.
__version__: str = _library.text(_library.library.tacho_version())

__all__ = ["ABSENT", "Arch", "Batch", "Catalog", "Column", "Entry", "Error", "Fault", "Fields",
           "LOST", "Losses", "OK", "OVERFLOW", "Object", "Pass", "Plan", "Process", "Recording",
           "Result", "Run", "SCALED", "STATE_MASK", "Sampling", "Table", "open"]
