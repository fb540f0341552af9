"""Tables as frames of pandas or Polars, rows, columns or files. Neither library is imported: a frame brings its own."""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections.abc import Mapping as MappingABC
from decimal import Decimal
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from ._errors import HitokuWarning
from ._program import Folder, text_of

Columns = Dict[str, List[Any]]


class Table:
    """The columns of a table, and how to make one of its kind."""

    def __init__(self, columns: Columns, make: Callable[[Columns], Any], exact: bool) -> None:
        lengths = {len(c) for c in columns.values()}
        if len(lengths) > 1:
            raise ValueError("the columns of the table have different lengths")
        self.columns = columns
        self.make = make
        self.exact = exact  # its numbers are int and Decimal; otherwise int and float

    def only(self, names: Sequence[str]) -> "Table":
        missing = [n for n in names if n not in self.columns]
        if missing:
            raise KeyError(f"the table has no column {', '.join(map(repr, missing))}; it has {', '.join(map(repr, self.columns))}")
        return Table({n: self.columns[n] for n in names}, self.make, self.exact)


def is_path(table: Any) -> bool:
    return isinstance(table, (str, os.PathLike))


def read(table: Any) -> Table:
    """The table in a frame of pandas or Polars, an Arrow table, a mapping of columns, or a sequence of rows."""
    library = type(table).__module__.partition(".")[0]
    if library == "pandas":
        return _pandas(table)
    if library == "polars":
        if not hasattr(table, "columns"):
            raise TypeError("a table is a frame of Polars; collect() a lazy one, to_frame() a series")
        if hasattr(table, "collect"):
            table = table.collect()
        frame = type(table)
        return Table(dict(table.to_dict(as_series=False)), lambda c: frame(c, strict=False), False)
    if hasattr(table, "to_pydict"):
        arrow = type(table)
        return Table(dict(table.to_pydict()), arrow.from_pydict, False)
    if isinstance(table, MappingABC):
        return Table({str(k): list(v) for k, v in table.items()}, dict, True)
    if isinstance(table, Sequence) and not isinstance(table, (str, bytes)):
        rows = [dict(r) for r in table]
        names = list(dict.fromkeys(name for r in rows for name in r))
        return Table({n: [r.get(n) for r in rows] for n in names}, _rows, True)
    raise TypeError(f"{type(table).__name__} is no table: want a frame of pandas or Polars, rows, columns, or the name of a file")


def _rows(columns: Columns) -> List[Dict[str, Any]]:
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _pandas(table: Any) -> Table:
    if not hasattr(table, "columns"):  # a series, such as groupby returns
        table = table.to_frame("value" if table.name is None else table.name)
    if any(name is not None for name in table.index.names):
        table = table.reset_index()
    if getattr(table.columns, "nlevels", 1) > 1:
        raise ValueError("the frame has columns of several levels; stack() it, so that each line is a cell")
    frame = type(table)

    def make(columns: Columns) -> Any:
        made = frame(columns)
        for name, values in columns.items():
            kinds = {type(v) for v in values}
            if kinds == {int, type(None)}:  # pandas would turn these integers into floats
                made[name] = made[name].astype("Int64")
            elif kinds == {type(None)} or kinds == {float, type(None)}:
                made[name] = made[name].astype("float64")
        return made

    return Table({str(c): table[c].tolist() for c in table.columns}, make, False)


def _missing(value: Any) -> bool:
    if value is None or value != value:  # NaN, NaT
        return True
    return type(value).__name__ in ("NAType", "NaTType")


def _cell(value: Any) -> str:
    try:
        if _missing(value):
            return ""
    except TypeError:  # comparisons with pandas.NA have no truth value
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e17:
        return str(int(value))
    return text_of(value)


def write(table: Table, decimals: Optional[int] = None) -> str:
    """The table as CSV. decimals rounds numbers of floating point to so many, as sums of them may miss in the last digits."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(table.columns)
    for row in zip(*table.columns.values()):
        lines.writerow(_cell(_rounded(v, decimals)) for v in row)
    return out.getvalue()


def _rounded(value: Any, decimals: Optional[int]) -> Any:
    if decimals is not None and isinstance(value, float) and value == value:
        return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals))
    return value


def parse(text: str, like: Table, codes: Sequence[str]) -> Any:
    """A CSV table as a frame of the kind of another. Codes are text, numbers are numbers where the whole column has such."""
    header, *lines = list(csv.reader(io.StringIO(text)))
    columns: Columns = {}
    for k, name in enumerate(header):
        values = [line[k] for line in lines]
        columns[name] = list(values) if name in codes else _numbers(values, like.exact)
    return like.make(columns)


def _numbers(values: List[str], exact: bool) -> List[Any]:
    try:
        found = [None if v == "" else Decimal(v) for v in values]
    except ArithmeticError:
        return [None if v == "" else v for v in values]
    if all(d is None or d == d.to_integral_value() and "." not in v for d, v in zip(found, values)):
        return [None if d is None else int(d) for d in found]
    return [d if d is None or exact else float(d) for d in found]


def write_tree(folder: Folder, number: int, tree: Any) -> str:
    """A hierarchy: the name of a file, each code with its parent, or the codes below a code as mappings and sequences."""
    if is_path(tree):
        return str(os.fspath(tree))
    pairs: List[Sequence[str]] = []
    if isinstance(tree, MappingABC) and all(not isinstance(p, (MappingABC, list, tuple)) for p in tree.values()):
        pairs = [(str(code), "" if parent is None else str(parent)) for code, parent in tree.items()]
    elif isinstance(tree, MappingABC):
        _below(tree, "", pairs)
    else:
        raise TypeError("a hierarchy is the name of a file, a mapping from codes to parents, or nested mappings")
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([("code", "parent"), *pairs])
    return folder.file(f"hierarchy{number}.csv", out.getvalue())


def _below(tree: Any, parent: str, pairs: List[Sequence[str]]) -> None:
    if isinstance(tree, MappingABC):
        for code, below in tree.items():
            pairs.append((str(code), parent))
            if below is not None:
                _below(below, str(code), pairs)
    else:
        pairs.extend((str(code), parent) for code in tree)


FIELDS = frozenset("value obs_value freq cost status conf_status obs_status reason lpl upl spl lower upper".split())


def is_field(name: str) -> bool:
    low = name.lower()
    return low in FIELDS or low.startswith("max") and low[3:].isdigit()


def chosen(table: Table, dims: Optional[Sequence[str]], fields: Mapping[str, str], published: bool) -> Table:
    """The columns that a run needs: its dimensions and fields, where dims are told; else all. Of columns that are called like a field those are
    read that are asked for, and the status of what is published: others may mean something else."""
    if dims is None:
        return table
    alike = {"status"} if published else set()
    if "value" not in fields:
        alike |= {"value", "obs_value", "freq"}
    known = [n for n in table.columns if is_field(n) and n not in dims and n not in fields.values()]
    unread = [n for n in known if n.lower() not in alike]
    if unread:
        warnings.warn(f"not read as the field that its name is: {', '.join(unread)}; columns={unread} would", HitokuWarning, stacklevel=4)
    return table.only(list(dict.fromkeys([*dims, *fields.values(), *(n for n in known if n not in unread)])))
