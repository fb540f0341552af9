"""What the program says when it fails, as exceptions that carry its documents."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple

Document = Mapping[str, Any]


class HitokuError(Exception):
    """A run that failed.

    ``problem`` is the document of kind ``error`` that the program printed, ``documents`` are those of its results, if any.
    """

    def __init__(self, problem: Document, documents: Tuple[Document, ...] = (), row: Optional[int] = None) -> None:
        message = str(problem.get("message", "hitoku failed"))
        super().__init__(message if row is None else f"{message} (row {row} of the table, from 0)")
        self.problem = problem
        self.documents = documents
        #: the row of a table given as a frame or rows, from 0; None where it is not known
        self.row = row

    @property
    def kind(self) -> str:
        """usage, input, system, verdict or limit"""
        return str(self.problem.get("kind", ""))

    @property
    def exit_code(self) -> int:
        return int(self.problem.get("exit_code", -1))

    @property
    def file(self) -> Optional[str]:
        return self.problem.get("file")

    @property
    def line(self) -> Optional[int]:
        return self.problem.get("line")

    @property
    def column(self) -> Optional[int]:
        """the byte in the line, from 1"""
        return self.problem.get("column")

    @property
    def field(self) -> Optional[str]:
        """the header of the column"""
        return self.problem.get("field")

    @property
    def value(self) -> Optional[str]:
        return self.problem.get("value")

    @property
    def wanted(self) -> Optional[str]:
        return self.problem.get("wanted")


class UsageError(HitokuError):
    """Options that are wrong, or do not go with the table."""


class InputError(HitokuError):
    """Something in a table, file or hierarchy is not what was wanted there."""


class SystemFault(HitokuError):
    """A file cannot be opened, read or written."""


class NoPattern(HitokuError):
    """No pattern protects the table, or none was found before a limit (``exit_code`` 3)."""


class ProgramNotFound(HitokuError):
    """The program hitoku is nowhere to be found, or does not run."""

    def __init__(self, message: str) -> None:
        super().__init__({"kind": "system", "message": message})


class HitokuWarning(UserWarning):
    """Something that the program remarked."""


_classes = {"usage": UsageError, "input": InputError, "system": SystemFault, "verdict": NoPattern, "limit": NoPattern}


def error_of(problem: Document, documents: Tuple[Document, ...] = (), row: Optional[int] = None) -> HitokuError:
    return _classes.get(str(problem.get("kind")), HitokuError)(problem, documents, row)
