#!/usr/bin/env python3
"""Check a certificate of hitoku without hitoku.

    hitoku suppress RULES --certificate proof.jsonl table.csv
    hitoku verify RULES --problem problem.txt proof.jsonl table.csv
    python3 verify_hitoku.py problem.txt proof.jsonl

The problem is a table as text: values, costs, what an intruder knows beforehand, levels of protection, and the
relations between cells. The certificate proves of it

 1. that a pattern is protected: for every sensitive cell there are tables, its witnesses, which agree with all
    that is published and in which the cell is as far off as its levels ask for;
 2. that no protected pattern costs less than a bound. Rows are inequalities that all protected patterns obey (more
    exactly, those that are protected no longer if a cell is published again; some cheapest one is among them). At
    each leaf of a tree, multipliers of rows show that it holds no cheaper pattern, or, a ray, none at all.

This follows docs/certificate.md, which gives the reasons, and shares no code with hitoku. It needs Python 3.9 and
computes in integers and fractions; the one floating-point number is infinity, for missing bounds. Costs are in
units of their last decimal. Whatever does not prove what it says raises Refused.
"""
from __future__ import annotations

import gzip
import hashlib
import json
import math
import sys
from fractions import Fraction
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Union

ONE = 1 << 52  # the unit of the coefficients of rows
SLIP = 1 << 32  # 2^-20 in this unit
HUGE = 1 << 60  # larger numbers count as infinite when bounds are tightened
INFINITE = math.inf
Amount = Union[int, float]  # an integer or INFINITE
Line = dict[str, Any]
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # some witnesses have integers of any length

class Refused(Exception):
    """Something that proves nothing, or is no certificate."""

def require(holds: Any, otherwise: str) -> None:
    if not holds:
        raise Refused(otherwise)

def ceil_div(a: int, b: int) -> int:
    return -(-a // b)

class Cell(NamedTuple):
    status: str  # u sensitive, m suppressed in the input, s safe, z to be published
    cost: int
    up: Amount  # how far above the true value the intruder thinks that it can be
    down: Amount  # and how far below
    lpl: int = 0  # how far below the true value it must still be possible to the intruder,
    upl: int = 0  # how far above,
    spl: int = 0  # and how far the lowest and the highest possible value must be apart

class Problem:
    """Cells and relations, which are coefficients by cell."""

    def __init__(self, cells: list[Cell], relations: list[dict[int, int]], strict: bool, layers: int = 1):
        self.cells, self.relations, self.strict = cells, relations, strict
        self.size = len(cells) // layers  # cells i, i+size, i+2*size, … are suppressed together
        self.given = [cell.status in "um" for cell in cells]  # suppressed in every pattern
        self.moves = [any(cells[k].up or cells[k].down for k in self.copies(i)) for i in range(self.size)]
        self.free = {i for i in range(self.size) if cells[i].status == "s" and self.moves[i]}  # left to the pattern
        costs = {i: sum(cells[k].cost for k in self.copies(i)) for i in sorted(self.free)}
        self.unit = math.gcd(*costs.values()) or 1
        self.weight = {i: cost // self.unit for i, cost in costs.items()}

    def copies(self, i: int) -> range:
        return range(i % self.size, len(self.cells), self.size)

    def reach(self, i: int, direction: int) -> Amount:
        """How far cell i can move up (direction above 0) or down, if it is suppressed."""
        if not self.given[i] and i % self.size not in self.free:
            return 0
        return self.cells[i].up if direction > 0 else self.cells[i].down

    def part(self, chosen: list[int], members: list[int], costs: list[int]) -> Problem:
        """The problem of some relations alone, which have these cells, with costs of its own."""
        place = {i: c for c, i in enumerate(members)}
        cells = [self.cells[i]._replace(cost=cost) for i, cost in zip(members, costs)]
        return Problem(cells, [{place[i]: f for i, f in self.relations[j].items()} for j in chosen], self.strict)

def read_problem(text: str) -> Problem:
    lines = [line.split(" ") for line in text.split("\n")]
    layers = int(lines.pop(2)[1]) if lines[2][0] == "layers" else 1
    count, strict = int(lines[1][1]), {"0": False, "1": True}[lines[1][7]]
    cells = [read_cell(*words) for words in lines[2:count + 2]]
    relations = [read_relation(words[1:], count) for words in lines[count + 3:-1]]
    require(lines[0] == ["hitoku", "problem", "1"] and lines[1][::2] == ["cells", "decimals", "costdecimals", "strict"]
            and lines[count + 2] == ["relations", str(len(relations))] and lines[-1] == [""], "no problem of version 1")
    require(sum(cell.cost for cell in cells) <= 1 << 62, "the costs add up to more than 2^62")
    size, rows = count // layers, len(relations) // layers
    mask = [cell.status.replace("u", "m") for cell in cells]
    moved = [{i + k * size: f for i, f in row.items() if i < size} for k in range(layers) for row in relations[:rows]]
    require(mask == mask[:size] * layers and moved == relations, "layers of other cells or relations")
    return Problem(cells, relations, strict, layers)

def read_cell(status: str, value: str, cost: str, lower: str, upper: str, *levels: str) -> Cell:
    require(status in ("u", "m", "s", "z") and len(levels) == (3 if status == "u" else 0), "a cell of unknown kind")
    down = INFINITE if lower == "-inf" else int(value) - int(lower)
    up = INFINITE if upper == "inf" else int(upper) - int(value)
    cell = Cell(status, int(cost), up, down, *map(int, levels))
    require(min(cell[1:]) >= 0, f"a cell of value {value} beyond its bounds, or with a cost or level below 0")
    return cell

def read_relation(terms: list[str], count: int) -> dict[int, int]:
    """CELL:COEF CELL:COEF … The right-hand side plays no part: all proofs are about differences of tables."""
    pairs = [term.split(":") for term in terms]
    relation = {int(i): int(f) for i, f in pairs}
    require(len(relation) == len(pairs) and all(0 <= i < count and f for i, f in relation.items()), "a bad relation")
    return relation

class Dual(NamedTuple):
    """z[cell] is the sum of d[i]/den * z[i] if z is the difference of two tables with the same relations."""
    cell: int
    den: int
    d: dict[int, int]

class Row(NamedTuple):
    """The sum of terms[i]/ONE * x[i] is at least right/ONE, where x is 1 for suppressed cells and 0 for others."""
    terms: dict[int, int]
    right: int

def normal(terms: dict[int, Amount], right: Amount) -> Row:
    """A row without negative coefficients, divided by its right-hand side. As x is 0 or 1, coefficients can be
    cut down to the right-hand side, and as it is not negative, they can be rounded up."""
    require(right > 0, "the row says nothing: its right-hand side is not positive")
    shift = max(0, right.bit_length() - 63)
    short = right >> shift
    cut = {i: min(ceil_div(min(c, right), 1 << shift), short) for i, c in terms.items()}
    return Row({i: ceil_div(c * ONE, short) for i, c in cut.items() if c > 0}, ONE)

def weighted(things: list[Any], names: list[int], numbers: list[int]) -> list[tuple[Any, int]]:
    """The things that are named, each with its number, or with their sum if it is named again."""
    require(len(names) == len(numbers) and all(0 <= name < len(things) for name in names), "a name or number too many")
    out: dict[int, int] = {}
    for name, number in zip(names, numbers):
        out[name] = out.get(name, 0) + number
    return [(things[name], number) for name, number in out.items()]

def others(amounts: dict[int, Amount]) -> dict[int, Amount]:
    """For each cell the sum of the amounts of the others. What is above HUGE, or added to more, is infinite."""
    finite, infinite = 0, set()
    for i, amount in amounts.items():
        if amount > HUGE or finite > HUGE:
            infinite.add(i)
        else:
            finite += amount
    return {i: INFINITE if len(infinite) > (i in infinite) else finite - (0 if infinite else amount)
            for i, amount in amounts.items()}

class Proof:
    """The proof that protected patterns cost at least a bound; INFINITE if there are none."""

    def __init__(self, problem: Problem, bound: Amount):
        self.problem, self.bound = problem, bound
        self.below = bound if bound == INFINITE else ceil_div(bound, problem.unit) - 1  # more cost units reach the bound
        self.duals: list[Dual] = []
        self.rows: list[Row] = []
        self.fixed: dict[int, int] = {}  # x of the fixed cells
        self.settled = bound == 0  # it is known that all patterns cost at least the bound
        self.boxes: list[dict[int, int]] = [{}]  # still to be proved, the next last: x of the cells split on

    def take(self, line: Line) -> None:
        if line["is"] in ("level", "bottleneck", "cover", "round", "bridge", "exclude"):
            self.rows.append(getattr(self, line["is"])(line))
        else:
            require(line["is"] in ("dual", "fix", "split", "leaf"), f"a line of unknown kind {line['is']}")
            getattr(self, line["is"])(line)

    def dual_of(self, number: Optional[int]) -> Optional[Dual]:
        require(number is None or 0 <= number < len(self.duals), f"dual {number}, but there are {len(self.duals)}")
        return None if number is None else self.duals[number]

    def dual(self, line: Line) -> None:
        """d is the unit vector of the cell less the sum of num/den * relation."""
        k, den = line["cell"], line["den"]
        require(k is not None and 1 <= den <= 1 << 61, "a dual needs a cell and a denominator from 1 to 2^61")
        d = {k: den}
        for relation, num in weighted(self.problem.relations, line["relations"], line["num"]):
            for i, f in relation.items():
                d[i] = d.get(i, 0) - num * f
        self.duals.append(Dual(k, den, {i: v for i, v in d.items() if v}))

    def sides(self, line: Line) -> tuple[list[tuple[int, int, Dual]], int]:
        """The directions that a row is about, 1 (up) and -1, each with its dual and the factor that brings it to
        the common denominator; and the level that the cell has to have, times this denominator."""
        up, down = self.dual_of(line["up"]), self.dual_of(line["down"])
        duals = [(direction, dual) for direction, dual in ((1, up), (-1, down)) if dual]
        require(len({dual.cell for _, dual in duals}) == 1, "the row has no dual, or duals of two cells")
        cell = self.problem.cells[duals[0][1].cell]
        require(cell.status == "u", "the cell of the dual is not sensitive")
        den = math.lcm(*(dual.den for _, dual in duals))
        level = den * (cell.spl if len(duals) == 2 else cell.upl if up else cell.lpl)
        if len(duals) == 2 and self.problem.strict:
            level += 1  # the widths that these duals prove are multiples of 1/den
        return [(direction, den // dual.den, dual) for direction, dual in duals], level

    def level(self, line: Line) -> Row:
        """What the suppressed cells let the cell of the dual move has to be as much as its level."""
        sides, need = self.sides(line)
        limited = dict(zip(zip(line["num"], line["cells"]), line["relations"])) if line["is"] == "bottleneck" else {}
        terms: dict[int, Amount] = {}
        for direction, factor, dual in sides:
            for h, d in dual.d.items():
                towards = direction if d > 0 else -direction
                moved: Iterable[tuple[int, Amount]] = [(h, self.problem.reach(h, towards))]
                if (direction, h) in limited:
                    moved = self.carried(h, limited[direction, h], towards)
                for i, amount in moved:
                    term, x = abs(d) * factor * amount, i % self.problem.size
                    if self.problem.given[i]:
                        need -= term
                    else:
                        terms[x] = terms.get(x, 0) + term
        return normal(terms, need)

    def bottleneck(self, line: Line) -> Row:
        """A level row in which relations limit some cells better than their own bounds do."""
        require(len(line["cells"]) == len(line["relations"]) == len(line["num"]) and {*line["num"]} <= {1, -1},
                "a bottleneck needs a relation and a direction, 1 or -1, for each cell")
        return self.level(line)

    def carried(self, h: int, j: int, towards: int) -> Iterator[tuple[int, Amount]]:
        """What the other cells of relation j let cell h move, each of them no more than h can move at all."""
        own, relation = self.problem.reach(h, towards), self.problem.relations[j]
        require(own == 0 or h in relation, f"cell {h} is not in relation {j}")
        for i, f in relation.items():
            if i != h and own > 0:
                way = -towards if (f > 0) == (relation[h] > 0) else towards
                amount = abs(f) * self.problem.reach(i, way)
                yield i, min(own, amount if amount == INFINITE else ceil_div(amount, abs(relation[h])))

    def cover(self, line: Line) -> Row:
        """Where some cells are suppressed anyway, the others have to do the rest."""
        require(len(line["of"]) == 1, "a cover is of one row")
        [(row, _)] = weighted(self.rows, line["of"], [1])
        require(min(row.terms.values(), default=0) >= 0, "a cover of a row with negative coefficients")
        taken = row.terms.keys() & set(line["cells"])
        rest = {i: c for i, c in row.terms.items() if i not in taken}
        return normal(rest, row.right - sum(row.terms[i] for i in taken))

    def round(self, line: Line) -> Row:
        """Mixed-integer rounding of a sum of rows in which x of some cells is written as 1 - (1 - x)."""
        require(line["of"] and line["div"] >= 1, "a round without rows or without divisor")
        unit, turned = line["div"] * ONE, set(line["cells"])
        terms, right = {}, 0
        for row, mult in weighted(self.rows, line["of"], line["mult"]):
            require(mult >= 1, "a multiplier below 1")
            right += mult * row.right
            for i, c in row.terms.items():
                terms[i] = terms.get(i, 0) + mult * c
        whole, rest = divmod(right - sum(c for i, c in terms.items() if i in turned), unit)
        require(rest > 0, "the row says nothing: its right-hand side is an integer")

        def rounded(c: int) -> int:
            return c // unit * ONE + min(ONE, ceil_div(c % unit * ONE, rest))

        right = (whole + 1) * ONE
        for i, c in terms.items():
            terms[i] = -rounded(-c) if i in turned else rounded(c)
            right += terms[i] if i in turned else 0
            if -SLIP <= terms[i] < 0:
                terms[i] = 0
        return Row(terms, right) if min(terms.values(), default=0) < 0 else normal(terms, right)

    def bridge(self, line: Line) -> Row:
        """A free cell that moves does not do so alone."""
        p, dual = self.problem, self.dual_of(line["up"])
        require(dual and dual.cell in p.free, "the row has no dual, or the cell of the dual is not free")
        require(dual.d.get(dual.cell) != dual.den, "the dual says nothing of its own cell")
        moving = [i for i in dual.d if i != dual.cell and p.moves[i % p.size]]
        require(all(i < p.size and not p.given[i] for i in moving), "the row says nothing: a given cell can move")
        return Row({**{i: ONE for i in moving if i in p.free}, dual.cell: -ONE}, 0)

    def exclude(self, line: Line) -> Row:
        """The given cells and these do not meet the level, so another one has to be suppressed."""
        sides, level = self.sides(line)
        chosen = set(line["cells"])
        require(chosen <= self.problem.free, "a cell that is not free")
        reach, most = self.tightened(chosen), 0
        for direction, factor, dual in sides:
            most += sum(abs(d) * factor * reach[direction if d > 0 else -direction][i] for i, d in dual.d.items())
        require(most < level, "the row says nothing: these cells may meet the level")
        return Row({i: ONE for i in self.problem.free - chosen}, ONE)

    def tightened(self, chosen: set[int]) -> dict[int, list[Amount]]:
        """How far cells can move up (1) and down (-1) if only the given and the chosen ones are suppressed: no
        further than the others of a relation can make up for, in two rounds through the relations."""
        p = self.problem
        hidden = [given or i % p.size in chosen for i, given in enumerate(p.given)]
        reach = {way: [p.reach(i, way) if hidden[i] else 0 for i in range(len(hidden))] for way in (1, -1)}
        for relation in p.relations * 2:
            # The largest values of coefficient times z (1) and of the negative of that (-1).
            most = {way: {i: abs(f) * reach[way if f > 0 else -way][i] for i, f in relation.items()} for way in (1, -1)}
            for way in (1, -1):
                for i, rest in others(most[-way]).items():
                    limits = reach[way if relation[i] > 0 else -way]
                    if rest != INFINITE:
                        limits[i] = min(limits[i], ceil_div(rest, abs(relation[i])))
        return reach

    def combine(self, line: Line, box: dict[int, int]) -> tuple[int, dict[int, int], int]:
        """The least cost in the box, reduced costs of the cells whose costs rows change, and the unit of both."""
        weight, unit = self.problem.weight, ONE << line["scale"]
        price = 0 if line["ray"] else unit
        bound, reduced = 0, {}
        for row, mult in weighted(self.rows, line["of"], line["mult"]):
            require(mult >= 0, "a negative multiplier")
            bound += mult * row.right
            for i, c in row.terms.items():
                reduced[i] = reduced.get(i, price * weight[i]) - mult * c
        bound += sum(price * weight[i] for i, x in box.items() if x and i not in reduced)
        bound += sum(d * box[i] if i in box else min(d, 0) for i, d in reduced.items())
        return bound, reduced, unit

    def fix(self, line: Line) -> None:
        """Fix the cells whose other x would cost at least the bound."""
        require(self.boxes == [{}], "cells are fixed before the tree, not within it")
        bound, reduced, unit = self.combine(line, self.fixed)
        room = INFINITE if line["ray"] else self.below * unit - bound
        self.settled = self.settled or room < 0
        for i, weight in self.problem.weight.items():
            d = reduced.get(i, weight * unit)
            if i not in self.fixed and abs(d) > room:
                self.fixed[i] = 0 if d >= 0 else 1

    def split(self, line: Line) -> None:
        i = line["cell"]
        require(self.boxes and i in self.problem.free, "a split after the tree, or on a cell that is not free")
        box = self.boxes.pop()
        require(i not in box, "a split on a cell below a split on it")
        self.boxes += [{**box, i: 1}, {**box, i: 0}]

    def leaf(self, line: Line) -> None:
        require(self.boxes, "a leaf after the tree")
        box = self.boxes.pop()
        bound, _, unit = self.combine(line, {**self.fixed, **box})
        if self.settled or any(self.fixed.get(i, x) != x for i, x in box.items()):
            return  # the box holds nothing
        require(bound > (0 if line["ray"] else self.below * unit), "the multipliers do not show the bound")

class Certificate:
    """What the lines of a certificate have shown so far."""

    def __init__(self, problem: Problem, digest: str, head: Line):
        require(head["is"] == "certificate" and head["version"] == 1, "no certificate of version 1")
        require(head["digest"] == digest, f"it is about another problem; that of the file has the digest {digest}")
        require((head["bound"] is None) == head["unprotectable"] and (head["bound"] or 0) >= 0, "no bound, or below 0")
        require(head["cost"] is None or not head["unprotectable"], "a cost, but no pattern is to be protected")
        self.problem, self.cost = problem, head["cost"]
        self.bound: Amount = INFINITE if head["unprotectable"] else head["bound"]
        self.tree: Optional[Proof] = Proof(problem, self.bound)  # of the table, or of the part being read
        self.begun = False  # lines of a tree, or parts, have been read
        self.parts, self.proved = 0, 0  # how many, and the sum of their bounds
        self.shares = [0] * len(problem.cells)  # of each cost, summed over the parts
        self.pattern: Optional[list[int]] = None  # the cells suppressed besides the given ones
        self.moved: dict[int, dict[int, Fraction]] = {1: {}, -1: {}}  # how far witnesses move cells up and down

    def take(self, line: Line) -> None:
        steps = {"part": self.part, "pattern": self.begin_pattern, "witness": self.witness}
        step = steps.get(line["is"], self.prove)
        require(self.tree or step != self.prove, "a line between parts")
        check_numbers(line, self.tree.problem if step == self.prove else self.problem)
        step(line)

    def prove(self, line: Line) -> None:
        self.begun = True
        self.tree.take(line)
        if self.parts and not self.tree.boxes:
            self.proved, self.tree = self.proved + self.tree.bound, None

    def part(self, line: Line) -> None:
        """A part proves a bound for a share of the costs by some relations alone."""
        require(self.tree is None or not self.begun, "a part within a part, or beside a tree")
        require(self.bound != INFINITE and self.problem.size == len(self.problem.cells), "parts of layers, or no bound")
        require(line["bound"] is not None and line["bound"] >= 0, "a part without bound, or with one below 0")
        chosen, costs = line["relations"], line["num"]
        members = sorted(set().union(*(self.problem.relations[j] for j in chosen)))
        require(len(set(chosen)) == len(chosen) and len(costs) == len(members), "a relation twice, or costs missing")
        for i, share in zip(members, costs):
            self.shares[i] += share
            require(0 <= share and self.shares[i] <= self.problem.cells[i].cost, f"more than cell {i} costs")
        self.tree = Proof(self.problem.part(chosen, members, costs), line["bound"])
        self.begun, self.parts = True, self.parts + 1

    def begin_pattern(self, line: Line) -> None:
        p, cells = self.problem, line["cells"]
        require(self.cost is not None and self.pattern is None, "a pattern without cost, or a second one")
        require(all(i < p.size and p.cells[i].status == "s" for i in cells), "the pattern has a cell that is not safe")
        require(len(set(cells)) == len(cells), "the pattern names a cell twice")
        chosen = {k for i in cells for k in p.copies(i)}
        require(sum(p.cells[k].cost for k in chosen) == self.cost, "the pattern has another cost")
        self.pattern, self.hidden = sorted(cells), chosen | {i for i, given in enumerate(p.given) if given}
        self.relations_of: list[list[tuple[int, int]]] = [[] for _ in p.cells]
        for j, relation in enumerate(p.relations):
            for i, f in relation.items():
                self.relations_of[i].append((j, f))

    def witness(self, line: Line) -> None:
        """A table that the intruder cannot tell from the true one; it differs by num/den in the cells."""
        require(self.pattern is not None, "a witness before the pattern")
        long = line["long"]
        require(long is None or long.keys() == {"den", "num"} and not line["den"] and not line["num"], "two kinds of z")
        den, nums = (line["den"], line["num"]) if long is None else (long["den"], long["num"])
        require({type(den), *map(type, nums)} == {int} and den >= 1, "a witness needs a denominator and integers")
        require(len(set(line["cells"])) == len(line["cells"]) == len(nums), "a cell twice, or numbers of other cells")
        sums: dict[int, int] = {}
        for i, z in zip(line["cells"], nums):
            cell = self.problem.cells[i]
            require(z == 0 or i in self.hidden, f"it moves cell {i}, which is published")
            require(-cell.down <= Fraction(z, den) <= cell.up, f"it moves cell {i} beyond its bounds")
            for j, f in self.relations_of[i]:
                sums[j] = sums.get(j, 0) + f * z
            if z and cell.status == "u":
                side = self.moved[1 if z > 0 else -1]
                side[i] = max(side.get(i, Fraction(0)), Fraction(abs(z), den))
        require(not any(sums.values()), "it violates a relation")

    def protected(self) -> list[int]:
        """The sensitive cells, all of which have to be protected."""
        cells = {k: cell for k, cell in enumerate(self.problem.cells) if cell.status == "u"}
        for k, cell in cells.items():
            up, down = self.moved[1].get(k, 0), self.moved[-1].get(k, 0)
            wide = up + down > cell.spl or up + down == cell.spl and not self.problem.strict
            require(up >= cell.upl and down >= cell.lpl and wide, f"the witnesses do not show the levels of cell {k}")
        return list(cells)

    def finish(self) -> str:
        """Require that nothing is missing, and say what is proved."""
        require(self.tree is None or not self.tree.boxes, "the tree is not complete")
        require(not self.parts or self.proved >= self.bound, f"the parts show a cost of {self.proved} only")
        if self.bound == INFINITE:
            return "no pattern is protected"
        said = f"no protected pattern costs less than {self.bound}"
        if self.cost is not None:
            require(self.pattern is not None and self.bound <= self.cost, "no pattern, or one below the bound")
            said += f"\na pattern of cost {self.cost} protects cells {self.protected()} by suppressing {self.pattern}"
        return said

KEYS = {"is": str, "version": int, "digest": str, "bound": int, "cost": int, "unprotectable": bool, "cell": int,
        "den": int, "relations": list, "cells": list, "num": list, "long": dict, "up": int, "down": int, "of": list,
        "mult": list, "div": int, "scale": int, "ray": bool, "lines": int}
ABSENT = {**{key: kind() for key, kind in KEYS.items()}, **dict.fromkeys("bound cost cell up down long".split())}

def read_line(text: bytes) -> Line:
    """The keys of a line; what is left out is 0, false, empty or None."""
    require(text.endswith(b"\n"), "the certificate is cut short")
    line = json.loads(text)
    for key, value in line.items():
        require(type(value) is KEYS.get(key), f"an unknown key, or a value of another kind: {key}")
        require(type(value) is not list or {*map(type, value)} <= {int}, f"{key} has something that is no integer")
    return {**ABSENT, **line}

def check_numbers(line: Line, problem: Problem) -> None:
    """Require that cells and relations exist."""
    cells = line["cells"] if line["cell"] is None else [line["cell"], *line["cells"]]
    require(all(0 <= i < len(problem.cells) for i in cells), "a cell that is not there")
    require(all(0 <= j < len(problem.relations) for j in line["relations"]), "a relation that is not there")
    require(0 <= line["scale"] <= 63, "a scale outside 0 to 63")

def verify(text: bytes, lines: Iterable[bytes]) -> str:
    """Say what the lines of a certificate prove about the problem that the text describes."""
    number, certificate, last = 0, None, False
    try:
        problem = read_problem(text.decode())
        for number, content in enumerate(lines, 1):
            require(not last, "something follows the end line")
            line = read_line(content)
            if certificate is None:
                certificate = Certificate(problem, hashlib.sha256(text).hexdigest(), line)
            elif line["is"] == "end":
                require(line["lines"] == number, f"the end line says {line['lines']} lines")
                last = True
            else:
                certificate.take(line)
        require(last, "the certificate has no end line")
        return certificate.finish()
    except Exception as error:  # whatever goes wrong, nothing is proved
        raise Refused(f"line {number}: {error}") from error

def unpacked(path: str) -> Any:
    """A file for reading, whether or not it is compressed."""
    file = open(path, "rb")
    return gzip.open(file) if file.peek(2)[:2] == b"\x1f\x8b" else file

def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: python3 verify_hitoku.py PROBLEM CERTIFICATE")
    try:
        print("confirmed:", verify(unpacked(sys.argv[1]).read(), unpacked(sys.argv[2])))
    except (Refused, OSError) as refused:
        sys.exit(f"refused: {refused}")

if __name__ == "__main__":
    main()
