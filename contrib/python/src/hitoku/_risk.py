"""Measures of microdata."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from . import _frames
from ._errors import Document, error_of
from ._program import Folder, Option, Path, arguments, number, run

Names = Union[str, Sequence[str]]


@dataclass(frozen=True)
class Measure:
    """A measure of risk. Keys of its document can be asked for: ``m["k"]``, rational numbers as Fraction by ``m.exact("delta_max")``."""

    document: Document = field(repr=False)
    remarks: Tuple[str, ...] = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.document[key]

    def exact(self, key: str) -> Any:
        """A number of the document, exactly; None where it is not defined."""
        return number(self.document[key])

    @property
    def metric(self) -> str:
        return str(self.document["metric"])

    @property
    def kept(self) -> bool:
        """Whether all limits that were asked for are kept."""
        return all(limit["met"] for limit in self.document.get("limits", ()))

    def __str__(self) -> str:
        shown = [k for k in ("k", "distinct_l", "t", "k_map", "delta_max", "k_map_estimate", "delta_estimate") if self.document.get(k) is not None]
        return ", ".join([self.metric] + [f"{k} {self.document[k]}" for k in shown])


def _quoted(names: Names) -> str:
    one = [names] if isinstance(names, str) else list(names)
    return ",".join('"' + n.replace('"', '""') + '"' if any(c in n for c in ',"') else n for n in one)


def _file(folder: Folder, data: Any, name: str, columns: Optional[Sequence[str]] = None) -> str:
    if _frames.is_path(data):
        return str(os.fspath(data))
    table = _frames.read(data)
    return folder.file(name, _frames.write(table if columns is None else table.only(columns)))


def measure(verb: str, records: Any = None, *, qi: Optional[Names] = None, sensitive: Optional[Names] = None, population: Any = None,
            aux: Optional[Sequence[Any]] = None, program: Optional[Path] = None, **options: Option) -> Measure:
    """Any measure of ``hitoku risk`` by its name, like "pws" or "k-anonymity". ``records`` and ``population`` are frames, rows, columns
    or names of files, ``aux`` several; the other options are flags. A limit that is not kept is no exception."""
    return _measure(verb, records, program, options, qi, sensitive, population, aux)


def _measure(verb: str, records: Any, program: Optional[Path], options: Mapping[str, Option], qi: Optional[Names], sensitive: Optional[Names] = None,
             population: Any = None, aux: Optional[Sequence[Any]] = None) -> Measure:
    with Folder() as folder:
        args: List[str] = arguments({"qi": None if qi is None else _quoted(qi), "sensitive": None if sensitive is None else _quoted(sensitive)})
        if population is not None:
            args.append("--population=" + _file(folder, population, "population.csv"))
        for n, one in enumerate(aux or ()):
            args.append("--aux=" + _file(folder, one, f"aux{n}.csv"))
        args += arguments(options) + ["--json"]
        files = [] if records is None else ["--", _file(folder, records, "records.csv")]
        done = run(["risk", verb], args + files, folder, program)
        done.check("records.csv")
        if not done.documents:
            raise error_of(done.problem or {"kind": "limit", "message": "nothing is measured", "exit_code": done.exit_code})
        return Measure(done.documents[0], done.remarks)


def k_anonymity(records: Any, qi: Names, *, program: Optional[Path] = None, **options: Option) -> Measure:
    """The size of the smallest class of records alike in the quasi-identifiers ``qi``; with ``entity="id"`` of persons with several records."""
    return _measure("k-anonymity", records, program, options, qi)


def l_diversity(records: Any, qi: Names, sensitive: Names, *, program: Optional[Path] = None, **options: Option) -> Measure:
    """How many sensitive values each class has."""
    return _measure("l-diversity", records, program, options, qi, sensitive)


def t_closeness(records: Any, qi: Names, sensitive: Names, *, program: Optional[Path] = None, **options: Option) -> Measure:
    """How far the sensitive values of a class are from those of all."""
    return _measure("t-closeness", records, program, options, qi, sensitive)


def k_map(records: Any, qi: Names, *, population: Any = None, aux: Optional[Sequence[Any]] = None, program: Optional[Path] = None, **options: Option) -> Measure:
    """The smallest number of people in a population who match a record. Without a population, by ``aux`` (relative frequencies) or ``model``, estimated."""
    return _measure("k-map", records, program, options, qi, None, population, aux)


def delta_presence(records: Any, qi: Names, *, population: Any = None, aux: Optional[Sequence[Any]] = None, program: Optional[Path] = None, **options: Option) -> Measure:
    """How sure one can be that somebody in a population is in the data set."""
    return _measure("delta-presence", records, program, options, qi, None, population, aux)


def survey(records: Any, qi: Names, weight: str, *, program: Optional[Path] = None, **options: Option) -> Measure:
    """The individual risk in a survey with weights."""
    return _measure("survey", records, program, {"weight": weight, **options}, qi)


def uniques(records: Any, qi: Names, population_size: int, *, program: Optional[Path] = None, **options: Option) -> Measure:
    """People unique in the population, estimated from a sample."""
    return _measure("uniques", records, program, {"population_size": population_size, **options}, qi)


__all__ = ["Measure", "measure", "k_anonymity", "l_diversity", "t_closeness", "k_map", "delta_presence", "survey", "uniques"]
