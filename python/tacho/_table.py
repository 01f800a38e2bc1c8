# SPDX-License-Identifier: MIT
"""Tables: calls, commands, named ranges and windows, column by column."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence

from . import _arrays
from ._library import layout, library, text

if TYPE_CHECKING:
    import numpy

# Columns that are texts, flags, three numbers, and numbers that are always known.
TEXTS = {"api", "function", "result", "caller", "name", "kernel_name", "device_name", "reason",
         "values_note", "domain"}
FLAGS = {"failed", "is_bare", "first_launch", "is_counted"}
THREE = {"global", "local"}
KNOWN = {"index", "repeats", "process", "thread", "call", "id", "queue", "device", "kernel",
         "template_id", "dimensions", "depth", "last_ns", "sampling"}
RANGE_KINDS = [None, "nested", "process", "mark", "frame", "label", "pass"]


def _command_kinds() -> list:
    last = layout.TACHO_COMMAND_BUFFER
    return [None] + [text(library.tacho_command_kind_to_string(i)) for i in range(1, last + 1)]


def _states() -> list:
    return [text(library.tacho_state_to_string(i)) for i in range(layout.TACHO_STATE_ABSENT + 1)]


class Table:
    """
    Rows of one kind, of the whole recording or of a batch. `table["start_ns"]` is a column: an array
    of numpy over libtacho's own memory where it holds numbers. What is not known is masked there, and
    None among texts.
    """

    def __init__(self, owner: Any, columns: ctypes.Structure, texts: Callable[[], Sequence]):
        self._owner, self._columns, self._texts = owner, columns, texts
        self._is_of_ranges = isinstance(columns, layout.tacho_range_columns)
        self._is_of_windows = isinstance(columns, layout.tacho_window_columns)
        #: Number of the first row, over the whole recording.
        self.first: int = columns.first
        #: Names of the columns.
        self.columns: tuple[str, ...] = tuple(name for name, _ in columns._fields_[2:])

    def __len__(self) -> int:
        return self._columns.count

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def raw(self, name: str) -> Any:
        """The column as libtacho has it: numbers of texts, the largest for what is not known."""
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}: {', '.join(self.columns)}")
        pointer = getattr(self._columns, name)
        count = len(self) * (3 if name in THREE else 1)
        return _arrays.view(self._owner, _arrays.address_of(pointer), pointer._type_, count)

    def words(self, name: str) -> Sequence | None:
        """What the numbers of raw(name) stand for, by number; None when they are numbers."""
        if name in TEXTS:
            return self._texts()
        if name == "kind":
            return RANGE_KINDS if self._is_of_ranges else _command_kinds()
        return _states() if name == "state" else None

    def _is_known(self, name: str) -> bool:
        return name in KNOWN or self._is_of_windows or (
            name == "start_ns" and self._is_of_ranges)

    def __getitem__(self, name: str) -> numpy.ndarray:
        raw, words, numpy = self.raw(name), self.words(name), _arrays.numpy
        if numpy is None:
            return self._as_list(name)
        if words is not None:
            return numpy.array(words, dtype=object)[raw]
        if name in FLAGS:
            return raw.view(bool)
        if name in THREE:
            raw = raw.reshape(-1, 3)
        if self._is_known(name):
            return raw
        return numpy.ma.MaskedArray(raw, mask=raw == _arrays.unknown(raw))

    def _as_list(self, name: str) -> list:
        """The same without numpy."""
        raw, words = self.raw(name), self.words(name)
        numbers = raw.tolist()
        if words is not None:
            return [words[number] for number in numbers]
        if name in FLAGS:
            return [bool(number) for number in numbers]
        if not self._is_known(name):
            unknown = _arrays.unknown(raw)
            numbers = [None if number == unknown else number for number in numbers]
        if name in THREE:
            return [tuple(numbers[i:i + 3]) for i in range(0, len(numbers), 3)]
        return numbers

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each row as a dictionary, None for what is not known. Slow: for few rows."""
        lists = [self._as_list(name) for name in self.columns]
        for values in zip(*lists):
            yield dict(zip(self.columns, values))

    def to_pandas(self) -> Any:
        """A DataFrame of pandas, which must be installed. Sizes become three columns each."""
        import pandas

        columns = {}
        for name in self.columns:
            column = self[name]
            if name in THREE:
                for axis, letter in enumerate("xyz"):
                    columns[f"{name}_{letter}"] = pandas.array(column[:, axis].tolist(), "UInt64")
            elif isinstance(column, _arrays.numpy.ma.MaskedArray):
                columns[name] = pandas.array(column.tolist(), "UInt64")
            else:
                columns[name] = column
        return pandas.DataFrame(columns)
