# SPDX-License-Identifier: MIT
"""Results: rows of values with their states, a column for each counter or metric."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from . import _arrays
from ._library import last_error, layout, library, listed, text

if TYPE_CHECKING:
    import numpy

    from ._catalog import Arch

ABSENT = layout.TACHO_STATE_ABSENT
STATE_MASK = layout.TACHO_STATE_MASK


class Column:
    """The values of one counter or metric: an array of rows, then of each dimension it has."""

    def __init__(self, owner: Any, column: ctypes.Structure, row_count: int):
        self._owner, self._column = owner, column
        self.name: str = text(column.name)
        self.unit: str | None = text(column.unit) or None
        self.description: str | None = text(column.description) or None
        #: Why the whole column is absent, or what it rests on.
        self.note: str | None = text(column.note) or None
        dimensions = column.dimensions[:column.dimension_count]
        #: Names of the dimensions.
        self.dimensions: tuple[str, ...] = tuple(text(one.name) for one in dimensions)
        self.shape: tuple[int, ...] = (row_count, *(one.extent for one in dimensions))
        self._count = row_count * column.instance_count

    def __repr__(self) -> str:
        return f"<Column {self.name}, {self.unit}, shape {self.shape}>"

    def _view(self, pointer: Any, kind: Any) -> Any:
        array = _arrays.view(self._owner, _arrays.address_of(pointer), kind, self._count)
        return array.reshape(self.shape) if _arrays.numpy else array

    @property
    def raw(self) -> Any:
        """The values as they lie in memory. Where a state is absent, they say nothing."""
        is_real = self._column.type == layout.TACHO_TYPE_F64
        return self._view(self._column.data, ctypes.c_double if is_real else ctypes.c_uint64)

    @property
    def states(self) -> Any:
        """tacho.OK, SCALED, OVERFLOW, LOST or ABSENT in the low four bits; marks above."""
        if self._column.states:
            return self._view(self._column.states, ctypes.c_uint8)
        return _arrays.numpy.zeros(self.shape, "u1") if _arrays.numpy else bytes(self._count)

    @property
    def coverage(self) -> Any:
        """The part of scaled values that was measured, 0 to 1."""
        if self._column.coverage:
            return self._view(self._column.coverage, ctypes.c_double)
        return _arrays.numpy.ones(self.shape) if _arrays.numpy else [1.0] * self._count

    def _present(self) -> Any:
        """Which instances exist, by the bits that tell it."""
        count = self._column.instance_count
        bits = self._column.present[:(count + 7) // 8] if self._column.present else None
        return [bits is None or bool(bits[i // 8] >> i % 8 & 1) for i in range(count)]

    @property
    def values(self) -> numpy.ma.MaskedArray:
        """Values that are there; the others are masked. Nothing is copied but the mask."""
        numpy = _arrays.numpy
        absent = (self.states & STATE_MASK) == ABSENT
        if self._column.present:
            absent = absent | ~numpy.array(self._present()).reshape(self.shape[1:])
        return numpy.ma.MaskedArray(self.raw, mask=absent)

    def tolist(self) -> list:
        """A value for each row and instance, None for what is absent. Works without numpy."""
        if _arrays.numpy:
            return self.values.reshape(-1).tolist()
        present = self._present()
        return [None if (state & STATE_MASK) == ABSENT or not present[i % len(present)] else value
                for i, (value, state) in enumerate(zip(self.raw, self.states))]

    def notes(self) -> list[str | None]:
        """What is said of each value alone, None where nothing is."""
        if not self._column.notes:
            return [None] * self._count
        return [text(self._column.notes[i]) or None for i in range(self._count)]


class Result:
    """Rows of values. `result["SQ_WAVES"]` is a masked array; result.column() tells more."""

    def __init__(self, owner: Any, pointer: int):
        self._owner, self._pointer = owner, pointer
        self._row_count = library.tacho_result_get_row_count(pointer)
        self._columns: dict[str, Column] = {}
        for column in listed(library.tacho_result_get_column, pointer):
            self._columns.setdefault(text(column.name), Column(owner, column, self._row_count))

    def __len__(self) -> int:
        return self._row_count

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __repr__(self) -> str:
        return f"<Result of {len(self)} rows: {', '.join(self._columns)}>"

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def column(self, name: str) -> Column:
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}: {', '.join(self._columns)}")
        return self._columns[name]

    def __getitem__(self, name: str) -> numpy.ma.MaskedArray:
        column = self.column(name)
        return column.values if _arrays.numpy else column.tolist()

    def rows(self) -> list[dict[str, Any]]:
        """What the values of each row belong to: kind, id, name, device."""
        return [{"kind": text(library.tacho_row_kind_to_string(row.kind)), "id": row.id,
                 "name": text(row.name) or None, "device": text(row.device) or None}
                for row in listed(library.tacho_result_get_row, self._pointer)]

    def evaluate(self, what: str | Iterable[str] | Mapping[str, str], arch: Arch | None = None,
                 model: str | None = None, strict: bool = False) -> Result:
        """
        Works out metrics of these values: names of the architecture, or {name: expression}. A metric
        that needs a counter which is not here is absent, with the reason as its column's note.
        `strict`: a division by zero makes a value absent, not 0.
        """
        if isinstance(what, Mapping):
            wanted = dict(what)
        else:
            wanted = dict.fromkeys([what] if isinstance(what, str) else what)
        formulas = (layout.tacho_formula * len(wanted))()
        for formula, (name, expression) in zip(formulas, wanted.items()):
            formula.name = name.encode()
            formula.expression = None if expression is None else expression.encode()
        options = layout.tacho_derive_options(size=ctypes.sizeof(layout.tacho_derive_options),
                                              strict=strict)
        if arch is not None:
            options.arch, options.model = ctypes.pointer(arch._arch), arch._model(model)
        elif model is not None:
            raise ValueError("a model is one of an architecture: name that, too")
        derived, problem = ctypes.c_void_p(), layout.tacho_formula_problem()
        code = library.tacho_result_derive(self._pointer, formulas, len(wanted), options, derived,
                                           problem)
        if code < 0:
            raise last_error(code, text(problem.message))
        return Result(_Owned(derived.value), derived.value)


class _Owned:
    """Destroys a result when nobody has it or its arrays any more."""

    def __init__(self, pointer: int):
        self._pointer = pointer

    def __del__(self, destroy: Any = library.tacho_result_destroy) -> None:
        destroy(self._pointer)
