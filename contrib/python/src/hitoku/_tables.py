"""Verbs about tables."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _frames
from ._errors import Document, HitokuError, NoPattern, error_of
from ._program import Folder, Option, Path, Run, arguments, number, run, text_of

Number = Union[int, Decimal, Fraction, None]
Total = Union[None, str, Mapping[str, str]]
Hierarchies = Optional[Mapping[str, Any]]
Columns = Union[None, Mapping[str, str], Sequence[str]]


@dataclass(frozen=True)
class Cell:
    """A withheld cell. A number is None where it is not known, was not asked for, or nothing bounds it."""

    name: str
    codes: Tuple[str, ...]
    status: Optional[str] = None  #: sensitive, secondary, or withheld beforehand
    reason: Optional[str] = None  #: the rule that makes it sensitive
    value: Number = None
    cost: Number = None
    lpl: Number = None
    upl: Number = None
    spl: Number = None
    lower: Number = None  #: the feasibility interval
    upper: Number = None
    verdict: Optional[str] = None  #: protected, unprotected, disclosed, unsettled; of an attack safe, unsafe, unknown
    effective: Optional[Tuple[Number, Number]] = None  #: of an attack: the interval of the tables that explain the pattern
    document: Document = field(default_factory=dict, repr=False)


def _cell(doc: Document, **more: Any) -> Cell:
    numbers = {k: number(doc.get(k)) for k in ("value", "cost", "lpl", "upl", "spl", "lower", "upper") if k in doc}
    ends = doc.get("interval") or doc.get("feasible")
    if ends:
        numbers["lower"], numbers["upper"] = number(ends[0]), number(ends[1])
    codes = tuple(doc.get("codes", (doc["cell"],)))
    return Cell(doc["cell"], codes, doc.get("status"), doc.get("reason"), document=doc, **numbers, **more)


@dataclass(frozen=True)
class Result:
    """What a verb found. ``document`` is all that the program printed of it."""

    document: Document = field(repr=False)
    remarks: Tuple[str, ...] = field(repr=False)
    _make: Any = field(repr=False, compare=False)

    def __getitem__(self, key: str) -> Any:
        return self.document[key]

    @property
    def name(self) -> str:
        return str(self.document["table"])

    def _frame(self, cells: Sequence[Cell], names: Sequence[str]) -> Any:
        columns: Dict[str, List[Any]] = {"cell": [c.name for c in cells]}
        for name in names:
            values = [getattr(c, name) for c in cells]
            columns[name] = [_rough(v) for v in values]
        return self._make(columns)


def _rough(value: Any) -> Any:
    return float(value) if isinstance(value, (Decimal, Fraction)) else value


@dataclass(frozen=True)
class Protection(Result):
    """A protected table."""

    table: Any = field(repr=False)  #: of the kind of the input, withheld values missing; None of a file
    withheld: Tuple[Cell, ...] = field(repr=False)

    @property
    def status(self) -> str:
        """optimal: a cheapest protected pattern; feasible: a protected one"""
        return str(self.document["status"])

    @property
    def cost(self) -> Number:
        found: Number = number(self.document["cost"])
        return found

    @property
    def bound(self) -> Number:
        found: Number = number(self.document["bound"])
        return found

    def frame(self) -> Any:
        """The withheld cells as a frame of the kind of the input."""
        return self._frame(self.withheld, ("status", "reason", "value", "cost", "lpl", "upl", "spl", "lower", "upper"))

    def __str__(self) -> str:
        d = self.document
        return f"{self.name}: {self.status}, cost {text_of(d['cost'])}: {d['audit']}, {d['suppressed']} of {d['cells']} cells withheld ({d['sensitive']} sensitive, {d['secondary']} secondary)"


@dataclass(frozen=True)
class Audit(Result):
    """What can be computed of the withheld cells of a published table."""

    cells: Tuple[Cell, ...] = field(repr=False)

    @property
    def verdict(self) -> str:
        """protected, unprotected, unsettled, or nothing where no cell is withheld or sensitive"""
        return str(self.document["verdict"])

    @property
    def protected(self) -> bool:
        return self.verdict == "protected"

    def frame(self) -> Any:
        """The withheld cells as a frame of the kind of the input."""
        return self._frame(self.cells, ("status", "value", "lower", "upper", "lpl", "upl", "spl", "verdict"))

    def __str__(self) -> str:
        bad = [c for c in self.cells if c.verdict in ("unprotected", "disclosed")]
        return f"{self.name}: {self.verdict}, {len(self.cells)} cells withheld, {len(bad)} unprotected, {sum(c.verdict == 'disclosed' for c in bad)} of them disclosed"


@dataclass(frozen=True)
class Attack(Result):
    """What a published table tells an intruder who knows the office's procedure."""

    cells: Tuple[Cell, ...] = field(repr=False)

    @property
    def safe(self) -> Optional[bool]:
        """None where that is not known"""
        words = {c.verdict for c in self.cells}
        return False if "unsafe" in words else None if "unknown" in words else True

    def frame(self) -> Any:
        """The withheld cells as a frame of the kind of the input."""
        return self._frame(self.cells, ("lower", "upper", "verdict"))

    def __str__(self) -> str:
        word = {True: "safe", False: "unsafe", None: "unknown"}[self.safe]
        return f"{self.name}: {word}, {len(self.cells)} cells withheld, {sum(c.verdict == 'unsafe' for c in self.cells)} unsafe"


class _Call:
    """A table in its folder, with the arguments that tell how to read it."""

    def __init__(self, folder: Folder, table: Any, name: str, dims: Optional[Sequence[str]], value: Optional[str], freq: Optional[str],
                 columns: Columns, total: Total, hierarchies: Hierarchies, decimals: Optional[int], published: bool = False) -> None:
        fields = dict(columns) if isinstance(columns, Mapping) else {n: n for n in columns or ()}
        fields.update({k: v for k, v in (("value", value), ("freq", freq)) if v is not None})
        self.args = arguments({"column": fields, "dims": None if dims is None else ",".join(_quoted(d) for d in dims)})
        if isinstance(total, str):
            self.args += arguments({"total": total})
        elif total is not None:
            self.args += arguments({"total": total})
        for k, (dim, tree) in enumerate((hierarchies or {}).items()):
            self.args += arguments({"hierarchy": {dim: _frames.write_tree(folder, k, tree)}})
        self.table: Optional[_frames.Table] = None
        self.rows_of: Optional[str] = None
        if _frames.is_path(table):
            self.path = os.fspath(table)
            return
        self.table = _frames.chosen(_frames.read(table), dims, fields, published)
        self.rows_of = _file_name(name) + ".csv"
        self.path = folder.file(self.rows_of, _frames.write(self.table, decimals))
        self.args += ["--from=tidy"]
        self.codes = list(dims) if dims is not None else self._leading(fields)

    def _leading(self, fields: Mapping[str, str]) -> List[str]:
        """The dimensions where they are not told: the columns before the first field."""
        assert self.table is not None
        names: List[str] = []
        for n in self.table.columns:
            if _frames.is_field(n) or n in fields.values():
                break
            names.append(n)
        return names

    @property
    def make(self) -> Any:
        return self.table.make if self.table is not None else _frames._rows


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"') else name


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name) or "table"


def _first(done: Run) -> Document:
    if not done.documents:  # interrupted, or stopped before anything was found
        raise error_of(done.problem or {"kind": "limit", "message": "stopped without a result", "exit_code": done.exit_code})
    return done.documents[0]


def protect(table: Any, *, dims: Optional[Sequence[str]] = None, value: Optional[str] = None, freq: Optional[str] = None,
            columns: Columns = None, total: Total = None, hierarchies: Hierarchies = None, decimals: Optional[int] = None,
            name: str = "table", output: Optional[Path] = None, intervals: bool = False, program: Optional[Path] = None, **options: Option) -> Protection:
    """Withholds the sensitive cells of a table and, as cheaply as possible, such others that nobody can compute a sensitive
    cell more closely than its levels allow.

    ``table`` is a frame of pandas or Polars, a list of rows, a mapping of columns (a line is a cell), or the name of a file. ``dims``,
    ``value`` and ``freq`` name columns, ``columns`` further fields (cost, status, lpl, max1, …): {field: column},
    or names of columns called like their field; others so called are not read, which is said. ``total`` is the code of the
    totals, for all dimensions or for each. ``hierarchies`` gives trees of codes: a file, {code: parent}, or {code: {code: …}}.
    ``decimals`` rounds numbers of floating point. ``output`` writes the protected table of a file. All other options are flags
    of ``hitoku suppress``: ``min_freq=3, p_percent=10, lpl="15%", time_limit="10m", publish=["II/A"]``.

    Raises NoPattern where nothing protects the table, and what is derived from HitokuError where an option or the table is wrong.
    """
    with Folder() as folder:
        call = _Call(folder, table, name, dims, value, freq, columns, total, hierarchies, decimals)
        written = os.fspath(output) if output is not None else folder.file("protected.csv") if call.table is not None else None
        args = call.args + arguments({"intervals": intervals, **options}) + ["--json", "--quiet"]
        if not intervals:
            args.remove("--intervals=false")
        if written is not None:
            args.append("--output=" + written)
        done = run(["suppress"], args + ["--", call.path], folder, program)
        done.check(call.rows_of)
        doc = _first(done)
        if doc["audit"] not in ("protected", "nothing"):
            raise NoPattern(done.problem or {"kind": "verdict", "message": f"{doc['table']}: {doc['status']}", "exit_code": done.exit_code}, done.documents)
        frame = None
        if call.table is not None and written is not None:
            with open(written, encoding="utf-8", newline="") as f:
                frame = _frames.parse(f.read(), call.table, call.codes)
        cells = tuple(_cell(c) for c in doc.get("withheld", ()))
        return Protection(doc, done.remarks, call.make, frame, cells)


def audit(table: Any, *, dims: Optional[Sequence[str]] = None, value: Optional[str] = None, freq: Optional[str] = None,
          columns: Columns = None, total: Total = None, hierarchies: Hierarchies = None, decimals: Optional[int] = None,
          name: str = "table", program: Optional[Path] = None, **options: Option) -> Audit:
    """Computes what can be learned of every withheld cell of a published table, and compares it with its levels. A bad verdict is
    no exception. Options are flags of ``hitoku audit``; see :func:`protect` for the rest."""
    with Folder() as folder:
        call = _Call(folder, table, name, dims, value, freq, columns, total, hierarchies, decimals, published=True)
        done = run(["audit"], call.args + arguments(options) + ["--json", "--quiet", "--", call.path], folder, program)
        done.check(call.rows_of)
        doc = _first(done)
        return Audit(doc, done.remarks, call.make, tuple(_cell(c, verdict=_verdict(c)) for c in doc["cells"]))


def _verdict(c: Document) -> str:
    return "disclosed" if c["disclosed"] else "unsettled" if c.get("unsettled") else "protected" if c["protected"] else "unprotected"


def attack(table: Any, *, dims: Optional[Sequence[str]] = None, value: Optional[str] = None, freq: Optional[str] = None,
           columns: Columns = None, total: Total = None, hierarchies: Hierarchies = None, decimals: Optional[int] = None,
           name: str = "table", knows: Optional[Mapping[str, Any]] = None, program: Optional[Path] = None, **options: Option) -> Attack:
    """Computes what a published table tells an intruder who knows by which procedure cells were withheld. ``knows`` maps names of
    cells to values that the intruder knows. Options are flags of ``hitoku attack``; see :func:`protect` for the rest.

    Raises UsageError where no table explains the pattern: the procedure was another one."""
    with Folder() as folder:
        call = _Call(folder, table, name, dims, value, freq, columns, total, hierarchies, decimals, published=True)
        args = call.args + arguments({"knows": knows, **options})
        done = run(["attack"], args + ["--json", "--quiet", "--", call.path], folder, program)
        done.check(call.rows_of)
        doc = _first(done)
        cells = tuple(_cell(c, verdict={True: "safe", False: "unsafe", None: "unknown"}[c["safe"]],
                            effective=c["effective"] and tuple(number(x) for x in c["effective"])) for c in doc["cells"])
        return Attack(doc, done.remarks, call.make, cells)


def explain(cell: Union[str, Sequence[str]], table: Any, *, dims: Optional[Sequence[str]] = None, value: Optional[str] = None, freq: Optional[str] = None,
            columns: Columns = None, total: Total = None, hierarchies: Hierarchies = None, decimals: Optional[int] = None,
            name: str = "table", program: Optional[Path] = None, **options: Option) -> Document:
    """Says what a cell, named or told by its codes, is withheld for and what would free it: the document of ``hitoku explain``."""
    with Folder() as folder:
        call = _Call(folder, table, name, dims, value, freq, columns, total, hierarchies, decimals)
        which = cell if isinstance(cell, str) else json.dumps(list(cell), ensure_ascii=False)
        done = run(["explain"], call.args + arguments(options) + ["--json", "--", which, call.path], folder, program)
        done.check(call.rows_of)
        return _first(done)


def verify(certificate: Path, table: Any, *, dims: Optional[Sequence[str]] = None, value: Optional[str] = None, freq: Optional[str] = None,
           columns: Columns = None, total: Total = None, hierarchies: Hierarchies = None, decimals: Optional[int] = None,
           name: str = "table", program: Optional[Path] = None, **options: Option) -> Document:
    """Checks a certificate that ``protect(…, certificate=FILE)`` wrote, in exact arithmetic. The options are those that protect was
    given. ``verdict`` of the document is confirmed or refuted."""
    with Folder() as folder:
        call = _Call(folder, table, name, dims, value, freq, columns, total, hierarchies, decimals)
        done = run(["verify"], call.args + arguments(options) + ["--json", "--", os.fspath(certificate), call.path], folder, program)
        done.check(call.rows_of)
        return _first(done)


def inspect(file: Path, *, program: Optional[Path] = None, **options: Option) -> Document:
    """Tells how the tables in an office's file are laid out and what adds up in them: the document of ``hitoku inspect``."""
    with Folder() as folder:
        done = run(["inspect"], arguments(options) + ["--json", "--", os.fspath(file)], folder, program)
        done.check()
        return _first(done)


def version(*, program: Optional[Path] = None) -> Document:
    """The version of the program."""
    with Folder() as folder:
        done = run(["version"], ["--json"], folder, program)
        done.check()
        return _first(done)


def schema(kind: str, *, program: Optional[Path] = None) -> Document:
    """The JSON Schema of a kind of documents, like suppress or risk-k-map."""
    with Folder() as folder:
        done = run(["schema"], [kind], folder, program)
        done.check()
        found: Document = json.loads(done.output)
        return found


__all__ = ["Cell", "Protection", "Audit", "Attack", "HitokuError", "protect", "audit", "attack", "explain", "verify", "inspect", "version", "schema"]
