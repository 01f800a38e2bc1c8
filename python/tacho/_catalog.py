# SPDX-License-Identifier: MIT
"""The catalog: what can be counted on every architecture, and in how many passes."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Iterable, Iterator, NamedTuple

from ._library import check, layout, library, listed, make, text

KINDS = {layout.TACHO_ENTRY_COUNTER: "counter", layout.TACHO_ENTRY_METRIC: "metric",
         layout.TACHO_ENTRY_CONSTANT: "constant"}


class Entry(NamedTuple):
    """A counter, metric or constant. None where nothing is stated."""

    name: str
    kind: str
    unit: str | None
    description: str | None
    group: str | None
    block: str | None
    expression: str | None
    caveat: str | None
    source: str | None


def _entry(one: Any) -> Entry:
    texts = [text(getattr(one, name)) or None for name in
             ("unit", "description", "group", "block", "expression", "caveat", "source")]
    return Entry(text(one.name), KINDS[one.kind], *texts)


class Pass(NamedTuple):
    """One run of the work: the counters that are programmed, and the entries it completes."""

    counters: list[str]
    entries: list[str]


class Plan(NamedTuple):
    """The passes that counters and metrics need."""

    passes: list[Pass]
    #: How often the work has to run.
    run_count: int
    #: No plan has fewer passes; 0: not known.
    lower_bound: int
    #: What to leave out to save a pass; None when nothing simple does.
    advice: str | None


class Arch:
    """An architecture under one API: what this pair can count."""

    def __init__(self, catalog: Catalog, arch: Any):
        self._catalog, self._arch = catalog, arch
        self.name: str = text(arch.name)
        self.api: str = text(arch.api)
        self.title: str = text(arch.title)
        self.vendor: str = text(arch.vendor)
        self.source: str = text(arch.source)

    def __repr__(self) -> str:
        return f"<Arch {self.name}, API {self.api}: {self.title}>"

    def __iter__(self) -> Iterator[Entry]:
        """All counters, metrics and constants."""
        return (_entry(one) for one in listed(library.tacho_arch_get_entry, self._arch))

    @property
    def counters(self) -> list[Entry]:
        return [entry for entry in self if entry.kind == "counter"]

    @property
    def metrics(self) -> list[Entry]:
        return [entry for entry in self if entry.kind == "metric"]

    @property
    def models(self) -> list[str]:
        """Devices that have the architecture."""
        return [text(one.name) for one in listed(library.tacho_arch_get_model, self._arch)]

    def __getitem__(self, name: str) -> Entry:
        """By name or alias; an Error that names the nearest ones when there is none."""
        entry = ctypes.POINTER(layout.tacho_entry)()
        check(library.tacho_arch_resolve_entry(self._arch, name.encode(), entry))
        return _entry(entry.contents)

    def _model(self, name: str | None) -> Any:
        model = library.tacho_arch_find_model(self._arch, name.encode()) if name else None
        if name and not model:
            raise KeyError(f"{self.name} has no model {name!r}: {', '.join(self.models)}")
        return model

    def plan(self, what: str | Iterable[str], model: str | None = None) -> Plan:
        """Finds the passes for counters and metrics; a list as `tacho plan -m` takes it."""
        wanted = what if isinstance(what, str) else ",".join(what)
        options = layout.tacho_config_options(size=ctypes.sizeof(layout.tacho_config_options),
                                              arch=ctypes.pointer(self._arch),
                                              model=self._model(model))
        config, plan = ctypes.c_void_p(), None
        check(library.tacho_config_parse(wanted.encode(), options, config, None))
        try:
            plan = make(library.tacho_plan_create, config, None)
            return _plan(plan)
        finally:
            if plan:
                library.tacho_plan_destroy(plan)
            library.tacho_config_destroy(config)


def _plan(plan: int) -> Plan:
    passes, summary = [], layout.tacho_plan_summary()
    for one in listed(library.tacho_plan_get_pass, plan):
        passes.append(Pass([text(counter.entry.contents.name)
                            for counter in one.counters[:one.counter_count]],
                           [text(entry.contents.name)
                            for entry in one.entries[:one.entry_count]]))
    library.tacho_plan_get_summary(plan, summary)
    return Plan(passes, summary.run_count, summary.lower_bound, text(summary.advice) or None)


class Catalog:
    """What is built in, and the files of definitions that are named."""

    def __init__(self, definitions: Iterable[str | os.PathLike] = ()):
        self._pointer: int | None = None
        files = [os.fsencode(one) for one in definitions]
        options = layout.tacho_catalog_options(size=ctypes.sizeof(layout.tacho_catalog_options),
                                               definitions=(ctypes.c_char_p * len(files))(*files),
                                               definition_count=len(files))
        self._pointer = make(library.tacho_catalog_open, options)

    def __del__(self) -> None:
        if self._pointer:
            library.tacho_catalog_close(self._pointer)

    def __iter__(self) -> Iterator[Arch]:
        return (Arch(self, one) for one in listed(library.tacho_catalog_get_arch, self._pointer))

    def arch(self, name: str, api: str | None = None) -> Arch:
        """By name; an Error that names the nearest ones when there is none."""
        arch = ctypes.POINTER(layout.tacho_arch)()
        check(library.tacho_catalog_find_arch(self._pointer, name.encode(),
                                              api.encode() if api else None, arch))
        return Arch(self, arch.contents)

    @property
    def problems(self) -> list[str]:
        """What was wrong in the files: entries that were left out, and why."""
        return [f"{text(one.file)}:{one.line}: {text(one.entry)}: {text(one.message)}"
                for one in listed(library.tacho_catalog_get_problem, self._pointer)]
