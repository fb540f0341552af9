package modular

import "time"

// The constants below steer the search. None of them decides what is proved: any value within its range gives a valid
// answer, sooner or later. Each is a record of its default, what it is, its range and where the default comes from,
// which is a measurement (bench/results), the memory or the time that it bounds, the numerics of floating point, or
// judgement; TestParams holds them to that form and prints them.

// Lengths of rungs, and shares of them (see climb).
const (
	// rungEach: least length of the first rung for each cell. Range 1ns to 1s; measured.
	rungEach = 4 * time.Microsecond
	// firstRung: its length relative to the time of the first pattern, if that is more. Range 0 to 100; measured.
	firstRung = 0.25
	// rungTimes: length of each further rung relative to the one before. Range 2 to 100; measured.
	rungTimes = 4
	// rebuildShare: share of a rung, whose length is that of the search of the sub-tables, for improving the pattern by
	// products. Range 0 to 10; judgement.
	rebuildShare = 0.25
	// improveShare: share for improving the pattern after the repair. Range 0 to 10; judgement.
	improveShare = 0.5
	// proveShare: share for the bound. Range 0 to 10; judgement.
	proveShare = 0.5
	// polishShare: share for the exact search of the whole table. Range 0 to 10; judgement.
	polishShare = 3
	// polishTurn: first turn of the improvement and of the exact search where they alternate; each turn is twice as
	// long as the one before. Range 1ns to 1h; judgement.
	polishTurn = 20 * time.Millisecond
	// lookEach: work for each cell after which a pattern being built anew is completed to see its cost, and again each
	// time the work has doubled. Range 1ns to 1h; judgement.
	lookEach = 20 * time.Microsecond
	// singleRowShare: share of the search of the sub-tables for the bound by single relations. Range 0 to 1; judgement.
	singleRowShare = 0.1
)

// Shares of the time limit.
const (
	// quickLeast: least time of Quick where no limit is given. Range 1ms to 1h; judgement.
	quickLeast = 5 * time.Second
	// quickEach: additional time of Quick for every 100,000 cells. Range 1ms to 1h; judgement.
	quickEach = 10 * time.Second
	// beginEach: work that the preparations take for each cell. Range 0s to 1ms; measured.
	beginEach = time.Microsecond
	// quickImprove: share of that time after which a pattern is no longer improved. Range 0 to 1; judgement.
	quickImprove = 0.7
	// besideShare: share of the limit for the bound by regions beside the search for patterns. Range 0 to 1; judgement.
	besideShare = 0.2
)

// Sizes of tables.
const (
	// routedCells: cells above which only levels without any other witness get routes through the whole table, whose
	// programs take 1 kB a cell. Range 0 to 1e9; memory.
	routedCells = 500_000
	// singleRowCells: cells up to which there is a bound by single relations, whose relaxation takes 400 bytes a cell.
	// Range 0 to 1e9; memory.
	singleRowCells = 2_000_000
	// firstCells: cells from which a first pattern of its own pays off: in smaller tables the exact search finds one as
	// soon. Range 0 to 1e9; measured.
	firstCells = 3500
	// treedCells: the same in tables of three variables and more with trees. Range 0 to 1e9; measured.
	treedCells = 1000
	// ownCells: cells up to which the exact search begins with a pattern of its own in tables of three variables and
	// more, too. Range 0 to 1e9; measured.
	ownCells = 7000
	// wholeCells: cells up to which the exact search of the whole table continues from the pattern of the sub-tables if
	// a time limit leaves time for it. Range 0 to 1e9; judgement.
	wholeCells = 20000
	// allMost: cells up to which the last coarse program covers all cells. Range 0 to 1e9; measured.
	allMost = 20_000
	// allEach: time for each cell that must be left for that program. Range 0s to 1s; measured.
	allEach = time.Millisecond
)

// Products, walks and bundles.
const (
	// productParts: movements in a sum of products. Range 1 to 1000; judgement.
	productParts = 12
	// productTries: products examined for one of them, including those given up halfway. Range 1 to 1e9;
	// judgement.
	productTries = 4000
	// productMost: the same where none has been found by then. Range 1 to 1e9; judgement.
	productMost = 2e5
	// productStep: work that a movement takes for each cell or code looked at for its products. Range 0s to 1ms;
	// measured.
	productStep = 50 * time.Nanosecond
	// sumTries: cells of a sum that are tried for moving it. Range 1 to 1000; judgement.
	sumTries = 6
	// walkTries: walks for one movement, until one arrives. Range 1 to 1000; judgement.
	walkTries = 20
	// walkTurns: most bundles that a walk balances. Range 1 to 1e6; judgement.
	walkTurns = 200
	// walkCells: most cells that a walk moves. Range 1 to 1e6; judgement.
	walkCells = 300
	// walkLost: failures, beyond two for each movement found, after which only one walk is tried. Range 0 to 1e6;
	// judgement.
	walkLost = 16
	// walkCheap: further walks in the order of price, for a cheaper movement. Range 0 to 1000; judgement.
	walkCheap = 30
	// walkStray: probability with which a walk takes the next place. Range 0 to 1; judgement.
	walkStray = 0.3
	// bundleLooks: about how many cells of a relation the search for bundles starts from. Range 1 to 1000;
	// judgement.
	bundleLooks = 8
	// bundlesMost: limit on the places of all bundles, relative to the entries of the relations. Range 1 to 1000;
	// memory.
	bundlesMost = 16
)

// Improvement, repair and bound.
const (
	// coarseLevels: a coarse program is worth while if its cells have at least the number of levels divided by this.
	// Range 1 to 1000; judgement.
	coarseLevels = 50
	// coarseWork: work of coarse routes where no time limit bounds them, in the units of Router. Range 0 to 1e12; time.
	coarseWork = 3e7
	// detourLeast: share of the cost by which a sweep without programs must improve a pattern to be followed by
	// another. Range 0 to 1; judgement.
	detourLeast = 0.005
	// improveRounds: sweeps over the withheld cells. Range 0 to 1000; judgement.
	improveRounds = 8
	// improveWork: work of routes through the whole table, counted so that the pattern does not depend on the machine.
	// Range 0 to 1e12; time.
	improveWork = 2e7
	// dearShare: share of the cost that must be at stake for programs over all cells, which are slow. Range 0 to 1;
	// time.
	dearShare = 0.001
	// anywhereEach: time for each cell that must be left for these programs. Range 0s to 1s; time.
	anywhereEach = time.Millisecond / 4
	// manyUsers: number of movements through a cell above which improvement leaves it alone. Range 1 to 1e6; time.
	manyUsers = 300
	// regionSteps: times that a region grows by the sub-tables of its withheld cells. Range 1 to 1000; judgement.
	regionSteps = 8
	// regionLeast: cells that a region may have in any table. Range 1 to 1e9; judgement.
	regionLeast = 400
	// regionPart: in large tables a region may have the number of cells divided by this. Range 1 to 1000; judgement.
	regionPart = 50
	// widePart: the same for regions that take in all sub-tables around them, in tables above routedCells. Range 1 to
	// 1000; judgement.
	widePart = 8
	// shiftRounds: times that costs are shared anew among the sub-tables for the bound. Range 0 to 1000; judgement.
	shiftRounds = 12
)

// Parameters of several values, and those that tests change.
var (
	// coarseSizes: numbers of cells, those with the largest capacities, in the coarse programs of successive patterns.
	// Range 1 to 1e9; measured.
	coarseSizes = [3]int{4000, 8000, 12000}
)
